// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/normal.h"
#include "proof/kernel/normalizing.h"
#include "proof/limits.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

static lterm sum_of_exponents(struct symbolic *s, lterm a, lterm b)
{
    if (!a || !b)
        return a ? a : b;
    struct sum sum = {0}, other = {0};
    normal_sum(s, a, &sum);
    normal_sum(s, b, &other);
    sum_add_scaled(s, &sum, &other, "1");
    lterm made = sum.products.len || sum.failed ? normal_embed(s, &sum) : 0;
    sum_release(&sum);
    sum_release(&other);
    return made;
}

void normal_multiply(struct symbolic *s, const struct sum *a, const struct sum *b, struct sum *out)
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

lterm normal_embed_product(struct symbolic *s, const struct product *p)
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

lterm normal_embed(struct symbolic *s, const struct sum *sum)
{
    if (sum->failed)
        return lterm_undefined(s->terms, "a sum that is too large to compare");
    lterm made = lterm_number_of(s->terms, "0");
    for (uint32_t i = 0; i < sum->products.len; i++) {
        lterm one = normal_embed_product(s, &sum->products.at[i]);
        made = i ? apply2(s, CODE_ADD, made, one) : one;
    }
    return made;
}

lterm normal_canonical(struct symbolic *s, lterm term)
{
    struct sum sum = {0};
    normal_sum(s, term, &sum);
    lterm made = normal_embed(s, &sum);
    sum_release(&sum);
    return made;
}

// ---- operators ----

void normal_integer(struct symbolic *s, ipoly value, struct sum *out)
{
    value = int_without_remainders(s->in, value);
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
    normal_sum(s, sum->products.at[0].exponent, &common);
    for (uint32_t i = 1; i < n && common.products.len; i++) {
        struct sum other = {0};
        if (sum->products.at[i].exponent)
            normal_sum(s, sum->products.at[i].exponent, &other);
        for (uint32_t k = common.products.len; k-- > 0;)
            if (!sum_has_product(&other, &common.products.at[k]))
                sum_drop_product(&common, k);
        sum_release(&other);
    }
    lterm out = common.products.len && !common.failed ? normal_embed(s, &common) : 0;
    struct sum made = {.failed = sum->failed};
    for (uint32_t i = 0; out && i < n; i++) {
        struct product p = sum_product_copy(&sum->products.at[i]);
        struct sum rest = {0};
        normal_sum(s, p.exponent, &rest);
        sum_add_scaled(s, &rest, &common, "-1");
        p.exponent = rest.products.len || rest.failed ? normal_embed(s, &rest) : 0;
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
    sum_raise(&p, normal_embed(s, &own), -1);
    if (exponent) {
        normal_sum(s, exponent, &shared);
        struct sum minus = {0};
        sum_add_scaled(s, &minus, &shared, "-1");
        p.exponent = normal_embed(s, &minus);
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
        normal_sum(s, p.exponent, &exponent);
        sum_add_scaled(s, &minus, &exponent, "-1");
        p.exponent = normal_embed(s, &minus);
        sum_release(&exponent);
        sum_release(&minus);
    }
    sum_add_product(s, out, &p);
}

static void exponential(struct symbolic *s, lterm arg, bool base_2, struct sum *out)
{
    struct product p = {.number = sum_number_name(s, "1")};
    struct sum exponent = {0};
    normal_sum(s, arg, &exponent);
    if (base_2) {
        lterm two = lterm_number_of(s->terms, "2");
        struct sum log2 = {0}, scaled = {0};
        sum_add_atom(s, &log2, lterm_make(s->terms, LT_APPLY, CODE_LOG, 1, &two), 1);
        normal_multiply(s, &exponent, &log2, &scaled);
        sum_release(&log2);
        sum_release(&exponent);
        exponent = scaled;
    }
    p.exponent = exponent.products.len || exponent.failed ? normal_embed(s, &exponent) : 0;
    out->failed = out->failed || exponent.failed;
    sum_release(&exponent);
    sum_add_product(s, out, &p);
}

// log(c*exp(e)) = log(c) + e, where all products have the factor exp(e).
static void logarithm(struct symbolic *s, lterm arg, struct sum *out)
{
    struct sum sum = {0};
    normal_sum(s, arg, &sum);
    lterm exponent = take_common_exponent(s, &sum);
    lterm inside = normal_embed(s, &sum);
    out->failed = out->failed || sum.failed;
    sum_release(&sum);
    if (!lterm_is_number(s->terms, inside, "1"))
        sum_add_atom(s, out, lterm_make(s->terms, LT_APPLY, CODE_LOG, 1, &inside), 1);
    if (exponent)
        normal_sum(s, exponent, out);
}

// The operands of nested maxima, in normal form, each once, ascending.
static void operands(struct symbolic *s, lterm term, enum code_op op, struct u32_vec *out)
{
    if (lterm_is(s->terms, term, op)) {
        operands(s, lterm_arg(s->terms, term, 0), op, out);
        operands(s, lterm_arg(s->terms, term, 1), op, out);
        return;
    }
    lterm made = normal_canonical(s, term);
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
        normal_sum(s, made, out);
    else
        sum_add_atom(s, out, made, 1);
    vec_release(&all);
}

// ---- terms ----

static void normal_other(struct symbolic *s, lterm term, struct sum *out)
{
    lterm args[8];
    uint32_t n = lterm_n(s->terms, term);
    assert(n <= 8);
    for (uint32_t i = 0; i < n; i++)
        args[i] = normal_canonical(s, lterm_arg(s->terms, term, i));
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
        normal_sum(s, a, out);
        normal_sum(s, b, &y);
        sum_add_scaled(s, out, &y, op == CODE_ADD ? "1" : "-1");
        while (op == CODE_ADD && !out->failed && normal_join(s, out))
            ;
        break;
    case CODE_NEGATE:
        normal_sum(s, a, &x);
        sum_add_scaled(s, out, &x, "-1");
        break;
    case CODE_MULTIPLY:
        normal_sum(s, a, &x);
        normal_sum(s, b, &y);
        normal_multiply(s, &x, &y, out);
        break;
    case CODE_DIVIDE:
        normal_sum(s, a, &x);
        normal_sum(s, b, &y);
        reciprocal(s, &y, &z);
        normal_multiply(s, &x, &z, out);
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
        normal_multiply(s, &x, &y, out);
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

// One spelling of the offset: a remainder is what Euclid says of it.
static lterm normal_read(struct symbolic *s, lterm term)
{
    ipoly offset = int_without_remainders(s->in, lterm_arg(s->terms, term, 0));
    return lterm_make(s->terms, LT_READ, lterm_number(s->terms, term), 1, &offset);
}

// Adds to *out.  (Callers give an empty sum or want the sum of both.)
void normal_sum(struct symbolic *s, lterm term, struct sum *out)
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
        normal_reduce(s, term, &own);
        break;
    case LT_READ:
        sum_add_atom(s, &own, normal_read(s, term), 1);
        break;
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
    normal_sum(s, a, &x);
    normal_sum(s, b, &y);
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
