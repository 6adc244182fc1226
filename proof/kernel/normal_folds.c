// SPDX-License-Identifier: Apache-2.0
// Normal forms of sums and maxima over an index: what does not depend on it leaves, and adjacent
// ranges are joined.
#include "proof/kernel/normalizing.h"

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
    normal_sum(s, p->exponent, &all);
    for (uint32_t i = 0; i < all.products.len; i++) {
        struct product copy = sum_product_copy(&all.products.at[i]);
        bool inside = lterm_mentions(s->terms, normal_embed_product(s, &copy), index);
        sum_add_product(s, inside ? &in : &out, &copy);
    }
    with->exponent = in.products.len ? normal_embed(s, &in) : 0;
    without->exponent = out.products.len ? normal_embed(s, &out) : 0;
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
            normal_multiply(s, &rest, &count, out);
            sum_release(&count);
            sum_release(&rest);
            continue;
        }
        lterm fold = close_fold(s, open, index, normal_embed_product(s, &with));
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
        bool in = lterm_mentions(s->terms, normal_embed_product(s, &p), index);
        sum_add_product(s, in ? &inside : out, &p);
    }
    out->failed = out->failed || body->failed;
    // A maximum over indices of which one is known, of what does not depend on them.
    if (inside.products.len)
        sum_add_atom(s, out, close_fold(s, open, index, normal_embed(s, &inside)), 1);
    sum_release(&inside);
}

static uint32_t memory_of(struct symbolic *s, lterm fold)
{
    uint32_t words[2] = {(uint32_t)KEY_NORMAL, fold};
    return symbolic_memory(s, 2, words);
}

static void normal_fold(struct symbolic *s, lterm term, struct sum *out);

// Opening a fold makes new symbols, and new polynomials: not again for what is an atom.
void normal_reduce(struct symbolic *s, lterm term, struct sum *out)
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
    normal_sum(s, open.body, &body);
    ifacts_pop(&s->facts, mark);
    if (open.op == CODE_ADD)
        fold_sum(s, &open, index, &body, out);
    else if (open.op == CODE_MAXIMUM || open.op == CODE_MINIMUM)
        fold_extremum(s, &open, index, &body, out);
    else
        sum_add_atom(s, out, close_fold(s, &open, index, normal_embed(s, &body)), 1);
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
    sum_raise(out, normal_canonical(s, joined), 1);
    return true;
}

bool normal_join(struct symbolic *s, struct sum *sum)
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
