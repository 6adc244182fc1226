// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/normal.h"
#include "proof/kernel/sum.h"
#include "proof/limits.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

static void normal(struct symbolic *s, lterm term, struct sum *out);
static lterm embed(struct symbolic *s, const struct sum *sum);

static lterm sum_of_exponents(struct symbolic *s, lterm a, lterm b)
{
    if (!a || !b)
        return a ? a : b;
    struct sum sum = {0}, other = {0};
    normal(s, a, &sum);
    normal(s, b, &other);
    sum_add_scaled(s, &sum, &other, "1");
    lterm made = sum.products.len || sum.failed ? embed(s, &sum) : 0;
    sum_release(&sum);
    sum_release(&other);
    return made;
}

static void multiply(struct symbolic *s, const struct sum *a, const struct sum *b, struct sum *out)
{
    out->failed = out->failed || a->failed || b->failed;
    for (uint32_t i = 0; i < a->products.len; i++)
        for (uint32_t j = 0; j < b->products.len && !out->failed; j++) {
            const struct product *x = &a->products.at[i], *y = &b->products.at[j];
            struct product p = sum_product_copy(x);
            out->failed = !sum_fold_numbers(s, "multiply", x->number, y->number, &p.number);
            p.exponent = sum_of_exponents(s, x->exponent, y->exponent);
            for (uint32_t k = 0; k < y->powers.len; k++)
                sum_raise(&p, y->powers.at[k].atom, y->powers.at[k].exponent);
            sum_add_product(s, out, &p);
        }
}

// ---- back to terms: one spelling for each sum ----

static lterm apply2(struct symbolic *s, enum code_op op, lterm a, lterm b)
{
    lterm args[2] = {a, b};
    return lterm_make(s->terms, LT_APPLY, op, 2, args);
}

static lterm embed_product(struct symbolic *s, const struct product *p)
{
    lterm made = lterm_make(s->terms, LT_NUMBER, p->number, 0, NULL);
    bool one = p->number == sum_number_name(s, "1"), empty = one;
    for (uint32_t i = 0; i < p->powers.len; i++) {
        int32_t e = p->powers.at[i].exponent;
        for (int32_t k = 0; k < (e < 0 ? -e : e); k++) {
            lterm atom = p->powers.at[i].atom;
            if (empty && e > 0)
                made = atom;
            else
                made = apply2(s, e < 0 ? CODE_DIVIDE : CODE_MULTIPLY, made, atom);
            empty = false;
        }
    }
    if (p->exponent) {
        lterm power = lterm_make(s->terms, LT_APPLY, CODE_EXP, 1, &p->exponent);
        made = empty ? power : apply2(s, CODE_MULTIPLY, made, power);
    }
    return made;
}

static lterm embed(struct symbolic *s, const struct sum *sum)
{
    if (sum->failed)
        return lterm_undefined(s->terms, "a sum that is too large to compare");
    lterm made = lterm_number_of(s->terms, "0");
    for (uint32_t i = 0; i < sum->products.len; i++) {
        lterm one = embed_product(s, &sum->products.at[i]);
        made = i ? apply2(s, CODE_ADD, made, one) : one;
    }
    return made;
}

static lterm canonical(struct symbolic *s, lterm term)
{
    struct sum sum = {0};
    normal(s, term, &sum);
    lterm made = embed(s, &sum);
    sum_release(&sum);
    return made;
}

// ---- operators ----

static void normal_integer(struct symbolic *s, ipoly value, struct sum *out)
{
    for (uint32_t i = 0; i < int_length(s->in, value); i++) {
        struct iterm term = int_term(s->in, value, i);
        struct buf text = {0};
        buf_printf(&text, "%" PRId64, term.coefficient);
        struct product p = {.number = sum_number_name(s, buf_text(&text))};
        for (uint32_t k = 0; k < int_degree(s->in, (imono)term.mono); k++) {
            ipoly factor = int_atom_poly(s->in, int_factor(s->in, (imono)term.mono, k));
            sum_raise(&p, lterm_make(s->terms, LT_INTEGER, 0, 1, &factor), 1);
        }
        sum_add_product(s, out, &p);
        buf_release(&text);
    }
}

// Takes the addends that all exponents have out of them: sum = exp(result) * new sum.  0: none.
static lterm take_common_exponent(struct symbolic *s, struct sum *sum)
{
    struct sum common = {0};
    uint32_t n = sum->products.len;
    if (n == 0 || sum->failed || !sum->products.at[0].exponent)
        return 0;
    normal(s, sum->products.at[0].exponent, &common);
    for (uint32_t i = 1; i < n && common.products.len; i++) {
        struct sum other = {0};
        if (sum->products.at[i].exponent)
            normal(s, sum->products.at[i].exponent, &other);
        for (uint32_t k = common.products.len; k-- > 0;)
            if (!sum_has_product(&other, &common.products.at[k]))
                sum_drop_product(&common, k);
        sum_release(&other);
    }
    lterm out = common.products.len && !common.failed ? embed(s, &common) : 0;
    struct sum made = {.failed = sum->failed};
    for (uint32_t i = 0; out && i < n; i++) {
        struct product p = sum_product_copy(&sum->products.at[i]);
        struct sum rest = {0};
        normal(s, p.exponent, &rest);
        sum_add_scaled(s, &rest, &common, "-1");
        p.exponent = rest.products.len || rest.failed ? embed(s, &rest) : 0;
        made.failed = made.failed || rest.failed;
        sum_release(&rest);
        sum_add_product(s, &made, &p);
    }
    sum_release(&common);
    if (!out)
        return 0;
    sum_release(sum);
    *sum = made;
    return out;
}

// Several products: an atom of its own, to the power -1, and the exponential that they share.
static void reciprocal_of_sum(struct symbolic *s, const struct sum *sum, struct sum *out)
{
    struct sum own = {.failed = sum->failed}, shared = {0};
    for (uint32_t i = 0; i < sum->products.len; i++) {
        struct product copy = sum_product_copy(&sum->products.at[i]);
        sum_add_product(s, &own, &copy);
    }
    lterm exponent = take_common_exponent(s, &own);
    struct product p = {.number = sum_number_name(s, "1")};
    sum_raise(&p, embed(s, &own), -1);
    if (exponent) {
        normal(s, exponent, &shared);
        struct sum minus = {0};
        sum_add_scaled(s, &minus, &shared, "-1");
        p.exponent = embed(s, &minus);
        sum_release(&minus);
        sum_release(&shared);
    }
    out->failed = out->failed || own.failed;
    sum_release(&own);
    sum_add_product(s, out, &p);
}

// One product: its reciprocal.
static void reciprocal(struct symbolic *s, const struct sum *sum, struct sum *out)
{
    if (sum->failed || sum->products.len != 1) {
        out->failed = out->failed || sum->failed || sum->products.len == 0;
        if (!out->failed)
            reciprocal_of_sum(s, sum, out);
        return;
    }
    struct product p = sum_product_copy(&sum->products.at[0]);
    if (!sum_fold_numbers(s, "divide", sum_number_name(s, "1"), p.number, &p.number))
        out->failed = true;
    for (uint32_t i = 0; i < p.powers.len; i++)
        p.powers.at[i].exponent = -p.powers.at[i].exponent;
    if (p.exponent) {
        struct sum exponent = {0}, minus = {0};
        normal(s, p.exponent, &exponent);
        sum_add_scaled(s, &minus, &exponent, "-1");
        p.exponent = embed(s, &minus);
        sum_release(&exponent);
        sum_release(&minus);
    }
    sum_add_product(s, out, &p);
}

static void exponential(struct symbolic *s, lterm arg, bool base_2, struct sum *out)
{
    struct product p = {.number = sum_number_name(s, "1")};
    struct sum exponent = {0};
    normal(s, arg, &exponent);
    if (base_2) {
        lterm two = lterm_number_of(s->terms, "2");
        struct sum log2 = {0}, scaled = {0};
        sum_add_atom(s, &log2, lterm_make(s->terms, LT_APPLY, CODE_LOG, 1, &two), 1);
        multiply(s, &exponent, &log2, &scaled);
        sum_release(&log2);
        sum_release(&exponent);
        exponent = scaled;
    }
    p.exponent = exponent.products.len || exponent.failed ? embed(s, &exponent) : 0;
    out->failed = out->failed || exponent.failed;
    sum_release(&exponent);
    sum_add_product(s, out, &p);
}

// log(c*exp(e)) = log(c) + e, where all products have the factor exp(e).
static void logarithm(struct symbolic *s, lterm arg, struct sum *out)
{
    struct sum sum = {0};
    normal(s, arg, &sum);
    lterm exponent = take_common_exponent(s, &sum);
    lterm inside = embed(s, &sum);
    out->failed = out->failed || sum.failed;
    sum_release(&sum);
    if (!lterm_is_number(s->terms, inside, "1"))
        sum_add_atom(s, out, lterm_make(s->terms, LT_APPLY, CODE_LOG, 1, &inside), 1);
    if (exponent)
        normal(s, exponent, out);
}

// The operands of nested maxima, in normal form, each once, ascending.
static void operands(struct symbolic *s, lterm term, enum code_op op, struct u32_vec *out)
{
    if (lterm_is(s->terms, term, op)) {
        operands(s, lterm_arg(s->terms, term, 0), op, out);
        operands(s, lterm_arg(s->terms, term, 1), op, out);
        return;
    }
    lterm made = canonical(s, term);
    if (lterm_is(s->terms, made, op) && made != term) {
        operands(s, made, op, out);
        return;
    }
    uint32_t i = 0;
    while (i < out->len && out->at[i] < made)
        i++;
    if (i < out->len && out->at[i] == made)
        return;
    vec_push(out, 0);
    memmove(out->at + i + 1, out->at + i, (out->len - 1 - i) * sizeof *out->at);
    out->at[i] = made;
}

static void extremum(struct symbolic *s, lterm term, enum code_op op, struct sum *out)
{
    struct u32_vec all = {0};
    operands(s, lterm_arg(s->terms, term, 0), op, &all);
    operands(s, lterm_arg(s->terms, term, 1), op, &all);
    lterm made = all.at[0];
    for (uint32_t i = 1; i < all.len; i++)
        made = apply2(s, op, made, all.at[i]);
    if (all.len == 1)
        normal(s, made, out);
    else
        sum_add_atom(s, out, made, 1);
    vec_release(&all);
}

// ---- folds ----

static void split_by_index(struct symbolic *s, const struct product *p, iatom index,
                           struct product *with, struct product *without)
{
    *with = (struct product){.number = sum_number_name(s, "1")};
    *without = (struct product){.number = p->number};
    for (uint32_t i = 0; i < p->powers.len; i++) {
        struct power power = p->powers.at[i];
        bool inside = lterm_mentions(s->terms, power.atom, index);
        sum_raise(inside ? with : without, power.atom, power.exponent);
    }
    if (!p->exponent)
        return;
    struct sum all = {0}, in = {0}, out = {0};
    normal(s, p->exponent, &all);
    for (uint32_t i = 0; i < all.products.len; i++) {
        struct product copy = sum_product_copy(&all.products.at[i]);
        bool inside = lterm_mentions(s->terms, embed_product(s, &copy), index);
        sum_add_product(s, inside ? &in : &out, &copy);
    }
    with->exponent = in.products.len ? embed(s, &in) : 0;
    without->exponent = out.products.len ? embed(s, &out) : 0;
    sum_release(&all);
    sum_release(&in);
    sum_release(&out);
}

static lterm close_fold(struct symbolic *s, const struct lreduce *open, iatom index, lterm body)
{
    // A fold of folds may be one.
    if (lterm_kind(s->terms, body) == LT_REDUCE &&
        lterm_number(s->terms, body) >> 16 == (uint32_t)open->op && open->guards.len == 0) {
        lterm joined = symbolic_reduce(s, open->op, index, open->end, body);
        if (lterm_kind(s->terms, joined) == LT_REDUCE)
            return joined;
    }
    return lterm_reduce(s->terms, open->op, index, open->end, open->guards.len, open->guards.at,
                        body);
}

static void fold_sum(struct symbolic *s, const struct lreduce *open, iatom index,
                     const struct sum *body, struct sum *out)
{
    out->failed = out->failed || body->failed;
    for (uint32_t i = 0; i < body->products.len && !out->failed; i++) {
        struct product with, without;
        split_by_index(s, &body->products.at[i], index, &with, &without);
        bool constant = with.powers.len == 0 && !with.exponent;
        if (constant && open->guards.len == 0 && int_prove(s->in, &s->facts, open->end)) {
            struct sum count = {0}, rest = {0};
            normal_integer(s, open->end, &count);
            vec_release(&with.powers);
            sum_add_product(s, &rest, &without);
            multiply(s, &rest, &count, out);
            sum_release(&count);
            sum_release(&rest);
            continue;
        }
        lterm fold = close_fold(s, open, index, embed_product(s, &with));
        vec_release(&with.powers);
        sum_raise(&without, fold, 1);
        sum_add_product(s, out, &without);
    }
}

static void fold_extremum(struct symbolic *s, const struct lreduce *open, iatom index,
                          const struct sum *body, struct sum *out)
{
    struct sum inside = {0};
    for (uint32_t i = 0; i < body->products.len; i++) {
        struct product p = sum_product_copy(&body->products.at[i]);
        bool in = lterm_mentions(s->terms, embed_product(s, &p), index);
        sum_add_product(s, in ? &inside : out, &p);
    }
    out->failed = out->failed || body->failed;
    // A maximum over indices of which one is known, of what does not depend on them.
    if (inside.products.len)
        sum_add_atom(s, out, close_fold(s, open, index, embed(s, &inside)), 1);
    sum_release(&inside);
}

static uint32_t memory_of(struct symbolic *s, lterm fold)
{
    uint32_t words[2] = {(uint32_t)KEY_NORMAL, fold};
    return symbolic_memory(s, 2, words);
}

static void normal_fold(struct symbolic *s, lterm term, struct sum *out);

// Opening a fold makes new symbols, and new polynomials: not again for what is an atom.
static void remembered_fold(struct symbolic *s, lterm term, struct sum *out)
{
    uint32_t id = memory_of(s, term);
    if (s->known.at[id]) {
        sum_add_atom(s, out, s->known.at[id], 1);
        return;
    }
    normal_fold(s, term, out);
    const struct product *p = out->products.len == 1 && !out->failed ? &out->products.at[0] : NULL;
    if (p == NULL || p->exponent || p->powers.len != 1 || p->powers.at[0].exponent != 1 ||
        p->number != sum_number_name(s, "1"))
        return;
    lterm atom = p->powers.at[0].atom;
    uint32_t again = memory_of(s, atom);
    s->known.at[id] = s->known.at[again] = atom;
}

static void normal_fold(struct symbolic *s, lterm term, struct sum *out)
{
    struct lreduce open;
    iatom index;
    lterm_open(s->terms, term, &open);
    int_is_atom(s->in, open.index, &index);
    symbolic_clamp(s, &open);
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, open.index, open.end);
    struct sum body = {0};
    normal(s, open.body, &body);
    ifacts_pop(&s->facts, mark);
    if (open.op == CODE_ADD)
        fold_sum(s, &open, index, &body, out);
    else if (open.op == CODE_MAXIMUM || open.op == CODE_MINIMUM)
        fold_extremum(s, &open, index, &body, out);
    else
        sum_add_atom(s, out, close_fold(s, &open, index, embed(s, &body)), 1);
    sum_release(&body);
    lreduce_release(&open);
}

// ---- adjacent folds ----

// Products that differ in one fold each, over adjacent ranges: the joined one, in *out.
static bool join_products(struct symbolic *s, const struct product *a, const struct product *b,
                          struct product *out)
{
    if (a->number != b->number || a->exponent != b->exponent || a->powers.len != b->powers.len)
        return false;
    struct power only_a = {0}, only_b = {0};
    for (uint32_t i = 0; i < a->powers.len; i++) {
        bool in_b = false, in_a = false;
        for (uint32_t k = 0; k < a->powers.len; k++) {
            in_b = in_b || (a->powers.at[i].atom == b->powers.at[k].atom &&
                            a->powers.at[i].exponent == b->powers.at[k].exponent);
            in_a = in_a || (b->powers.at[i].atom == a->powers.at[k].atom &&
                            b->powers.at[i].exponent == a->powers.at[k].exponent);
        }
        if ((!in_b && only_a.exponent) || (!in_a && only_b.exponent))
            return false;
        only_a = in_b ? only_a : a->powers.at[i];
        only_b = in_a ? only_b : b->powers.at[i];
    }
    lterm joined;
    if (only_a.exponent != 1 || only_b.exponent != 1 ||
        lterm_kind(s->terms, only_a.atom) != LT_REDUCE ||
        lterm_number(s->terms, only_a.atom) >> 16 != CODE_ADD ||
        (!symbolic_join(s, only_a.atom, only_b.atom, &joined) &&
         !symbolic_join(s, only_b.atom, only_a.atom, &joined)))
        return false;
    *out = sum_product_copy(a);
    sum_raise(out, only_a.atom, -1);
    sum_raise(out, canonical(s, joined), 1);
    return true;
}

static bool join_two(struct symbolic *s, struct sum *sum)
{
    for (uint32_t i = 0; i < sum->products.len; i++)
        for (uint32_t k = i + 1; k < sum->products.len; k++) {
            struct product made;
            if (!join_products(s, &sum->products.at[i], &sum->products.at[k], &made))
                continue;
            sum_drop_product(sum, k);
            sum_drop_product(sum, i);
            sum_add_product(s, sum, &made);
            return true;
        }
    return false;
}

// ---- terms ----

static void normal_other(struct symbolic *s, lterm term, struct sum *out)
{
    lterm args[8];
    uint32_t n = lterm_n(s->terms, term);
    assert(n <= 8);
    for (uint32_t i = 0; i < n; i++)
        args[i] = canonical(s, lterm_arg(s->terms, term, i));
    sum_add_atom(s, out, lterm_make(s->terms, LT_APPLY, lterm_number(s->terms, term), n, args), 1);
}

static void normal_apply(struct symbolic *s, lterm term, struct sum *out)
{
    enum code_op op = lterm_number(s->terms, term);
    uint32_t n = lterm_n(s->terms, term);
    lterm a = lterm_arg(s->terms, term, 0), b = n > 1 ? lterm_arg(s->terms, term, 1) : 0;
    struct sum x = {0}, y = {0}, z = {0};
    switch (op) {
    case CODE_ADD:
    case CODE_SUBTRACT:
        normal(s, a, out);
        normal(s, b, &y);
        sum_add_scaled(s, out, &y, op == CODE_ADD ? "1" : "-1");
        while (op == CODE_ADD && !out->failed && join_two(s, out))
            ;
        break;
    case CODE_NEGATE:
        normal(s, a, &x);
        sum_add_scaled(s, out, &x, "-1");
        break;
    case CODE_MULTIPLY:
        normal(s, a, &x);
        normal(s, b, &y);
        multiply(s, &x, &y, out);
        break;
    case CODE_DIVIDE:
        normal(s, a, &x);
        normal(s, b, &y);
        reciprocal(s, &y, &z);
        multiply(s, &x, &z, out);
        break;
    case CODE_EXP:
    case CODE_EXP2:
        exponential(s, a, op == CODE_EXP2, out);
        break;
    case CODE_LOG:
        logarithm(s, a, out);
        break;
    case CODE_LOG2: {
        lterm two = lterm_number_of(s->terms, "2");
        logarithm(s, a, &x);
        sum_add_atom(s, &y, lterm_make(s->terms, LT_APPLY, CODE_LOG, 1, &two), -1);
        multiply(s, &x, &y, out);
        break;
    }
    case CODE_MAXIMUM:
    case CODE_MINIMUM:
        extremum(s, term, op, out);
        break;
    default:
        normal_other(s, term, out);
        break;
    }
    sum_release(&x);
    sum_release(&y);
    sum_release(&z);
}

// Adds to *out.  (Callers give an empty sum or want the sum of both.)
static void normal(struct symbolic *s, lterm term, struct sum *out)
{
    struct sum own = {0};
    switch (lterm_kind(s->terms, term)) {
    case LT_NUMBER:
        sum_add_number(s, &own, intern_text(&s->terms->names, lterm_number(s->terms, term)));
        break;
    case LT_INTEGER:
        normal_integer(s, lterm_arg(s->terms, term, 0), &own);
        break;
    case LT_APPLY:
        normal_apply(s, term, &own);
        break;
    case LT_REDUCE:
        remembered_fold(s, term, &own);
        break;
    case LT_READ:
    case LT_PARAMETER:
    case LT_TRUTH:
        sum_add_atom(s, &own, term, 1);
        break;
    default:
        own.failed = true;
        break;
    }
    sum_add_scaled(s, out, &own, "1");
    sum_release(&own);
}

// ---- equality ----

static bool leaves_equal(struct symbolic *s, lterm a, lterm b)
{
    struct sum x = {0}, y = {0};
    normal(s, a, &x);
    normal(s, b, &y);
    sum_add_scaled(s, &x, &y, "-1");
    bool equal = !x.failed && x.products.len == 0;
    sum_release(&x);
    sum_release(&y);
    return equal;
}

static bool equal_under(struct symbolic *s, lterm a, lterm b, ipoly fact)
{
    iatom symbol;
    ipoly value;
    uint32_t mark = ifacts_mark(&s->facts);
    ifacts_push(&s->facts, fact, NO_ORIGIN);
    struct int_substitution by = {symbolic_pinned(s, fact, &symbol, &value), &symbol, &value};
    bool equal = int_contradictory(s->in, &s->facts) ||
                 normal_equal(s, symbolic_rebuild(s, a, &by), symbolic_rebuild(s, b, &by));
    ifacts_pop(&s->facts, mark);
    return equal;
}

bool normal_equal(struct symbolic *s, lterm a, lterm b)
{
    enum lterm_kind x = lterm_kind(s->terms, a), y = lterm_kind(s->terms, b);
    if (x == LT_CHOOSE || y == LT_CHOOSE) {
        ipoly p = lterm_arg(s->terms, x == LT_CHOOSE ? a : b, 0);
        if (s->facts.at.len > PROOF_KERNEL_FACTS)
            return false;
        return equal_under(s, a, b, p) &&
               equal_under(s, a, b, int_shift(s->in, int_scale(s->in, p, -1), -1));
    }
    if (symbolic_refusal(s, a) || symbolic_refusal(s, b))
        return false;
    return a == b || leaves_equal(s, a, b);
}
