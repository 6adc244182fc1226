// SPDX-License-Identifier: Apache-2.0
// Shifts that cancel: exp(x - m)*exp(m) is exp(x), log(sum(exp(x - m))) + m is log(sum(exp(x))).
//
// A term is written as core * exp(shift), where shift is a sum of maxima.  Every step is an
// equality of real numbers where the term has a value.
#include "loops/symbolic/symbolic.h"

enum { SHIFTS = 12 };
struct shift {
    lterm term;
    int sign;
    bool base_2;
};
struct shifted {
    lterm core;
    uint32_t n;
    struct shift shift[SHIFTS];
};

static struct shifted shifted(struct symbolic *s, lterm term);

static lterm apply2(struct symbolic *s, enum code_op op, lterm a, lterm b)
{
    lterm args[2] = {a, b};
    return symbolic_apply(s, op, 2, args);
}

static bool is_extremum(void *ctx, const struct lterms *terms, lterm term)
{
    (void)ctx;
    if (lterm_kind(terms, term) == LT_REDUCE) {
        uint32_t op = lterm_number(terms, term) >> 16;
        return op == CODE_MAXIMUM || op == CODE_MINIMUM;
    }
    return lterm_is(terms, term, CODE_MAXIMUM) || lterm_is(terms, term, CODE_MINIMUM);
}

static bool has_extremum(const struct symbolic *s, lterm term)
{
    return lterm_any(s->terms, term, is_extremum, NULL);
}

// Adds one shift; equal ones with other signs cancel.  False: too many.
static bool add_shift(struct shifted *to, struct shift shift)
{
    for (uint32_t i = 0; i < to->n; i++)
        if (to->shift[i].term == shift.term && to->shift[i].base_2 == shift.base_2 &&
            to->shift[i].sign == -shift.sign) {
            to->shift[i] = to->shift[--to->n];
            return true;
        }
    if (to->n == SHIFTS)
        return false;
    to->shift[to->n++] = shift;
    return true;
}

static bool same_shifts(const struct shifted *a, const struct shifted *b)
{
    struct shifted rest = *a;
    for (uint32_t i = 0; i < b->n; i++) {
        struct shift minus = b->shift[i];
        minus.sign = -minus.sign;
        if (!add_shift(&rest, minus))
            return false;
    }
    return rest.n == 0;
}

// ---- signed addends

struct addends {
    VEC(struct shift) at; // base_2 unused
};

static void flatten(struct symbolic *s, lterm term, int sign, struct addends *out)
{
    const struct lterms *terms = s->terms;
    bool minus = lterm_is(terms, term, CODE_SUBTRACT);
    if (minus || lterm_is(terms, term, CODE_ADD)) {
        flatten(s, lterm_arg(terms, term, 0), sign, out);
        flatten(s, lterm_arg(terms, term, 1), minus ? -sign : sign, out);
    } else if (lterm_is(terms, term, CODE_NEGATE)) {
        flatten(s, lterm_arg(terms, term, 0), -sign, out);
    } else if (lterm_is(terms, term, CODE_MULTIPLY) && has_extremum(s, term)) {
        for (uint32_t side = 0; side < 2; side++) {
            lterm sum = lterm_arg(terms, term, side), factor = lterm_arg(terms, term, 1 - side);
            if (!lterm_is(terms, sum, CODE_ADD) && !lterm_is(terms, sum, CODE_SUBTRACT))
                continue;
            struct addends inner = {0};
            flatten(s, sum, sign, &inner);
            for (uint32_t i = 0; i < inner.at.len; i++) {
                lterm product = apply2(s, CODE_MULTIPLY, inner.at.at[i].term, factor);
                vec_push(&out->at, ((struct shift){product, inner.at.at[i].sign, false}));
            }
            vec_release(&inner.at);
            return;
        }
        vec_push(&out->at, ((struct shift){term, sign, false}));
    } else {
        vec_push(&out->at, ((struct shift){term, sign, false}));
    }
}

static lterm sum_up(struct symbolic *s, const struct addends *of)
{
    lterm sum = lterm_number_of(s->terms, "0");
    bool first = true;
    for (int sign = 1; sign >= -1; sign -= 2)
        for (uint32_t i = 0; i < of->at.len; i++) {
            if (of->at.at[i].sign != sign)
                continue;
            lterm term = of->at.at[i].term;
            if (first && sign < 0)
                sum = symbolic_apply(s, CODE_NEGATE, 1, &term);
            else
                sum = first ? term : apply2(s, sign > 0 ? CODE_ADD : CODE_SUBTRACT, sum, term);
            first = false;
        }
    return sum;
}

// A sum without addends that cancel.
static lterm without_opposites(struct symbolic *s, lterm term)
{
    struct addends all = {0};
    bool found = false;
    flatten(s, term, 1, &all);
    for (uint32_t i = 0; i < all.at.len; i++)
        for (uint32_t k = i + 1; k < all.at.len; k++)
            if (all.at.at[i].term == all.at.at[k].term && all.at.at[i].sign == -all.at.at[k].sign) {
                all.at.at[i].sign = all.at.at[k].sign = 0;
                found = true;
            }
    if (found)
        term = sum_up(s, &all);
    vec_release(&all.at);
    return term;
}

// ---- back

static lterm shift_sum(struct symbolic *s, const struct shifted *of, bool base_2)
{
    struct addends all = {0};
    for (uint32_t i = 0; i < of->n; i++)
        if (of->shift[i].base_2 == base_2)
            vec_push(&all.at, of->shift[i]);
    lterm sum = all.at.len ? sum_up(s, &all) : 0;
    vec_release(&all.at);
    return sum;
}

// term * exp(sum), below products and sums if there is an exponential to join.
static lterm times_exp(struct symbolic *s, lterm term, lterm sum, enum code_op exp)
{
    const struct lterms *terms = s->terms;
    if (lterm_is(terms, term, exp)) {
        lterm joined = apply2(s, CODE_ADD, lterm_arg(terms, term, 0), sum);
        if (lterm_is(terms, sum, CODE_NEGATE))
            joined = apply2(s, CODE_SUBTRACT, lterm_arg(terms, term, 0), lterm_arg(terms, sum, 0));
        return symbolic_apply(s, exp, 1, &joined);
    }
    if (lterm_is(terms, term, CODE_MULTIPLY) || lterm_is(terms, term, CODE_DIVIDE))
        return apply2(s, lterm_number(terms, term),
                      times_exp(s, lterm_arg(terms, term, 0), sum, exp), lterm_arg(terms, term, 1));
    if (lterm_kind(terms, term) == LT_REDUCE && lterm_number(terms, term) >> 16 == CODE_ADD) {
        struct lreduce open;
        iatom index;
        lterm_open(s->terms, term, &open);
        int_is_atom(s->in, open.index, &index);
        lterm body = times_exp(s, open.body, sum, exp);
        lterm made =
            lterm_reduce(s->terms, open.op, index, open.end, open.guards.len, open.guards.at, body);
        lreduce_release(&open);
        return made;
    }
    lterm power = symbolic_apply(s, exp, 1, &sum);
    return apply2(s, CODE_MULTIPLY, term, power);
}

static lterm joined(struct symbolic *s, const struct shifted *of)
{
    lterm made = of->core;
    for (int base_2 = 0; base_2 < 2; base_2++) {
        lterm sum = shift_sum(s, of, base_2);
        if (sum)
            made = times_exp(s, made, sum, base_2 ? CODE_EXP2 : CODE_EXP);
    }
    return made;
}

// ---- operators

static struct shifted alone(lterm term)
{
    return (struct shifted){.core = term};
}

static struct shifted exponential(struct symbolic *s, lterm arg, bool base_2)
{
    struct addends all = {0}, rest = {0};
    struct shifted out = {0};
    arg = symbolic_cancel(s, arg);
    flatten(s, arg, 1, &all);
    for (uint32_t i = 0; i < all.at.len; i++) {
        struct shift shift = {all.at.at[i].term, all.at.at[i].sign, base_2};
        if (!has_extremum(s, shift.term) || !add_shift(&out, shift))
            vec_push(&rest.at, all.at.at[i]);
    }
    lterm sum = sum_up(s, &rest);
    bool untouched = out.n == 0;
    vec_release(&all.at);
    vec_release(&rest.at);
    sum = untouched ? arg : sum;
    out.core = symbolic_apply(s, base_2 ? CODE_EXP2 : CODE_EXP, 1, &sum);
    return out;
}

static struct shifted product(struct symbolic *s, lterm term)
{
    enum code_op op = lterm_number(s->terms, term);
    struct shifted a = shifted(s, lterm_arg(s->terms, term, 0));
    struct shifted b = shifted(s, lterm_arg(s->terms, term, 1)), out = a;
    out.core = apply2(s, op, a.core, b.core);
    for (uint32_t i = 0; i < b.n; i++) {
        struct shift shift = b.shift[i];
        shift.sign = op == CODE_DIVIDE ? -shift.sign : shift.sign;
        if (!add_shift(&out, shift))
            return alone(apply2(s, op, joined(s, &a), joined(s, &b)));
    }
    return out;
}

static struct shifted sum(struct symbolic *s, lterm term)
{
    enum code_op op = lterm_number(s->terms, term);
    struct shifted a = shifted(s, lterm_arg(s->terms, term, 0));
    struct shifted b = shifted(s, lterm_arg(s->terms, term, 1));
    if (same_shifts(&a, &b)) {
        if (op != CODE_ADD || (!symbolic_join(s, a.core, b.core, &a.core) &&
                               !symbolic_join(s, b.core, a.core, &a.core)))
            a.core = without_opposites(s, apply2(s, op, a.core, b.core));
        return a;
    }
    return alone(without_opposites(s, apply2(s, op, joined(s, &a), joined(s, &b))));
}

static struct shifted logarithm(struct symbolic *s, lterm term, bool base_2)
{
    struct shifted a = shifted(s, lterm_arg(s->terms, term, 0)), other = {0};
    for (uint32_t i = 0; i < a.n;)
        if (a.shift[i].base_2 != base_2) {
            other.shift[other.n++] = a.shift[i];
            a.shift[i] = a.shift[--a.n];
        } else {
            i++;
        }
    other.core = a.core;
    lterm core = joined(s, &other), out = symbolic_apply(s, lterm_number(s->terms, term), 1, &core);
    lterm shift = shift_sum(s, &a, base_2);
    return alone(shift ? apply2(s, CODE_ADD, out, shift) : out);
}

static struct shifted reduction(struct symbolic *s, lterm term)
{
    struct lreduce open;
    iatom index;
    lterm_open(s->terms, term, &open);
    int_is_atom(s->in, open.index, &index);
    struct shifted body = shifted(s, open.body), inside = {0}, out = {0};
    for (uint32_t i = 0; i < body.n; i++) {
        bool in = open.op != CODE_ADD || lterm_mentions(s->terms, body.shift[i].term, index);
        struct shifted *to = in ? &inside : &out;
        to->shift[to->n++] = body.shift[i];
    }
    inside.core = body.core;
    out.core = lterm_reduce(s->terms, open.op, index, open.end, open.guards.len, open.guards.at,
                            joined(s, &inside));
    lreduce_release(&open);
    return out;
}

static struct shifted shifted(struct symbolic *s, lterm term)
{
    if (lterm_kind(s->terms, term) == LT_REDUCE)
        return reduction(s, term);
    if (lterm_kind(s->terms, term) != LT_APPLY)
        return alone(term);
    enum code_op op = lterm_number(s->terms, term);
    lterm args[8];
    uint32_t n = lterm_n(s->terms, term);
    struct shifted out;
    switch (op) {
    case CODE_EXP:
    case CODE_EXP2:
        return exponential(s, lterm_arg(s->terms, term, 0), op == CODE_EXP2);
    case CODE_MULTIPLY:
    case CODE_DIVIDE:
        return product(s, term);
    case CODE_ADD:
    case CODE_SUBTRACT:
        return sum(s, term);
    case CODE_LOG:
    case CODE_LOG2:
        return logarithm(s, term, op == CODE_LOG2);
    case CODE_NEGATE:
        out = shifted(s, lterm_arg(s->terms, term, 0));
        out.core = symbolic_apply(s, CODE_NEGATE, 1, &out.core);
        return out;
    default:
        for (uint32_t i = 0; i < n; i++)
            args[i] = symbolic_cancel(s, lterm_arg(s->terms, term, i));
        return alone(symbolic_apply(s, op, n, args));
    }
}

// Where the condition holds, and says what a symbol is: are the two the same?
static bool same_where(struct symbolic *s, ipoly condition, lterm a, lterm b)
{
    iatom symbol;
    ipoly value;
    uint32_t mark = ifacts_mark(&s->facts);
    ifacts_push(&s->facts, condition, NO_ORIGIN);
    bool same = symbolic_pinned(s, condition, &symbol, &value);
    if (same) {
        struct int_substitution by = {1, &symbol, &value};
        same = symbolic_rebuild(s, a, &by) == symbolic_rebuild(s, b, &by);
    }
    ifacts_pop(&s->facts, mark);
    return same;
}

// The first tile of several passes is often what the others are where nothing is ahead of it.
static lterm choose_cancelled(struct symbolic *s, lterm term)
{
    ipoly p = lterm_arg(s->terms, term, 0), n = int_shift(s->in, int_scale(s->in, p, -1), -1);
    lterm yes = symbolic_cancel(s, lterm_arg(s->terms, term, 1));
    lterm no = symbolic_cancel(s, lterm_arg(s->terms, term, 2));
    if (same_where(s, p, yes, no))
        return no;
    return same_where(s, n, yes, no) ? yes : symbolic_choose(s, p, yes, no);
}

lterm symbolic_cancel(struct symbolic *s, lterm term)
{
    if (lterm_kind(s->terms, term) == LT_CHOOSE)
        return choose_cancelled(s, term);
    struct shifted all = shifted(s, term);
    return joined(s, &all);
}
