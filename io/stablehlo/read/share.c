// SPDX-License-Identifier: Apache-2.0
// Equal regions.  Two texts of one region, such as the comparators of two sorts, number their
// regions and values differently.  The second operation takes the region of the first, so that
// equal operations are one term.
#include "io/stablehlo/read/scan.h"
#include "tensor/program/region.h"

// How many operations of one template are compared with a new one.
#define SHARE_CANDIDATES 16

struct region_pair {
    uint32_t a, b;
};
// A search for a renaming of regions that makes of term a the term b.
struct comparison {
    const struct terms *terms;
    struct u32_vec pairs; // a, b: still to be compared
    struct u32_vec met;   // pairs (a, b) that were compared
    struct u32_vec of;    // a -> place in `met`, + 1; by a - base
    uint32_t base;        // terms below it were there before the operation
    VEC(struct region_pair) regions;
};

static bool pair_regions(struct comparison *comparison, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < comparison->regions.len; i++) {
        const struct region_pair *pair = &comparison->regions.at[i];
        if (pair->a == a || pair->b == b)
            return pair->a == a && pair->b == b;
    }
    vec_push(&comparison->regions, ((struct region_pair){a, b}));
    return true;
}

static bool same_attr(struct comparison *comparison, const struct term *s, const struct term *t)
{
    const struct pool *pool = comparison->terms->pool;
    uint32_t n = attr_len(pool, s->attr);
    const int64_t *v = attr_at(pool, s->attr), *w = attr_at(pool, t->attr);
    if (s->attr.v == t->attr.v)
        return true;
    if (n != attr_len(pool, t->attr))
        return false;
    if (s->op == OP_PARAMETER)
        return v[0] < 0 && w[0] < 0 && v[1] == w[1] &&
               pair_regions(comparison, (uint32_t)PARAMETER_OF_REGION(v[0]),
                            (uint32_t)PARAMETER_OF_REGION(w[0]));
    if (s->op != OP_OPAQUE || n <= OPAQUE_PLAIN)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (i != OPAQUE_PLAIN && v[i] != w[i])
            return false;
    return pair_regions(comparison, (uint32_t)v[OPAQUE_PLAIN], (uint32_t)w[OPAQUE_PLAIN]);
}

// Terms of before the operation are the same only if they are one term.
static bool compare_pair(struct comparison *comparison, uint32_t a, uint32_t b)
{
    const struct term *s = &comparison->terms->term.at[a], *t = &comparison->terms->term.at[b];
    if (a < comparison->base)
        return a == b;
    while (comparison->of.len <= a - comparison->base)
        vec_push(&comparison->of, 0);
    uint32_t *met = &comparison->of.at[a - comparison->base];
    if (*met != 0)
        return comparison->met.at[*met - 1] == b;
    vec_push(&comparison->met, b);
    *met = comparison->met.len;
    if (s->op != t->op || s->type.v != t->type.v || s->n_args != t->n_args ||
        !same_attr(comparison, s, t))
        return false;
    for (uint32_t k = 0; k < s->n_args; k++) {
        vec_push(&comparison->pairs, comparison->terms->args.at[s->args_at + k].v);
        vec_push(&comparison->pairs, comparison->terms->args.at[t->args_at + k].v);
    }
    return true;
}

// Are the bodies of `a`, and its operands too if `operands`, those of `b`?
static bool same_region(struct comparison *comparison, term_id a, term_id b, bool operands)
{
    const struct terms *terms = comparison->terms;
    const struct term *s = term_at(terms, a), *t = term_at(terms, b);
    vec_clear(&comparison->pairs);
    vec_clear(&comparison->met);
    vec_clear(&comparison->of);
    comparison->regions.len = 0;
    if (s->type.v != t->type.v || s->n_args != t->n_args || !same_attr(comparison, s, t))
        return false;
    for (uint32_t k = 0; k < s->n_args; k++) {
        if (!operands && argument_role(terms, a, k).place == ARGUMENT_OPERAND)
            continue;
        vec_push(&comparison->pairs, term_args(terms, a)[k].v);
        vec_push(&comparison->pairs, term_args(terms, b)[k].v);
    }
    while (comparison->pairs.len > 0) {
        uint32_t y = vec_pop(&comparison->pairs), x = vec_pop(&comparison->pairs);
        if (!compare_pair(comparison, x, y))
            return false;
    }
    return true;
}

// `own` with the region and the bodies of `other`.
static term_id with_region(struct terms *terms, term_id own, term_id other)
{
    struct term node = *term_at(terms, own);
    term_id *args = mem_alloc(sizeof *args * (node.n_args + 1u));
    for (uint32_t k = 0; k < node.n_args; k++)
        args[k] = term_args(
            terms, argument_role(terms, own, k).place == ARGUMENT_OPERAND ? own : other)[k];
    term_id out =
        term_make(terms, OP_OPAQUE, term_at(terms, other)->attr, node.type, node.n_args, args);
    mem_free(args);
    return out;
}

// Statements in the region are those of the shared one.
static void share_statements(const struct opaque_scan *opaque_scan,
                             const struct comparison *comparison)
{
    struct source *source = opaque_scan->reader->source;
    if (source == NULL)
        return;
    for (uint32_t i = opaque_scan->first_statement; i < source->statements.len; i++) {
        term_id *term = &source->statements.at[i].term;
        uint32_t k = term->v - comparison->base;
        if (term->v >= comparison->base && k < comparison->of.len && comparison->of.at[k] != 0)
            term->v = comparison->met.at[comparison->of.at[k] - 1];
    }
}

term_id region_share(struct opaque_scan *opaque_scan, term_id term)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    struct terms *terms = &reader->program->terms;
    struct opaque_view view = opaque_view(terms, term);
    struct comparison comparison = {.terms = terms, .base = opaque_scan->first_term};
    bool open = terms->region.at[view.region].parent != SCOPE_CLOSED;
    term_id out = term;
    uint32_t tried = 0;
    while (reader->regions_of.len <= view.text.v)
        vec_push(&reader->regions_of, 0);
    for (uint32_t i = reader->regions_of.at[view.text.v]; i != 0 && tried < SHARE_CANDIDATES;
         i = reader->shared.at[i - 1].next, tried++) {
        term_id other = {reader->shared.at[i - 1].term};
        uint32_t region = opaque_view(terms, other).region;
        // An open region can be used only where its parent is around.
        if ((open && !scope_has(terms, reader->scope, terms->region.at[region].parent)) ||
            !same_region(&comparison, term, other, open))
            continue;
        out = open ? other : with_region(terms, term, other);
        share_statements(opaque_scan, &comparison);
        break;
    }
    if (out.v == term.v) {
        vec_push(&reader->shared,
                 ((struct shared_region){term.v, reader->regions_of.at[view.text.v]}));
        reader->regions_of.at[view.text.v] = reader->shared.len;
    }
    vec_release(&comparison.pairs);
    vec_release(&comparison.met);
    vec_release(&comparison.of);
    vec_release(&comparison.regions);
    return out;
}
