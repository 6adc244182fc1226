// SPDX-License-Identifier: Apache-2.0
// Equal regions.  Two texts of one region, such as the comparators of two sorts, number their
// regions and values differently.  The second operation takes the region of the first, so that
// equal operations are one term.
//
// Operations are compared if they have one hash, which does not know how regions and terms of a
// body are numbered.  So two operations are one term whatever stands between them: an operation
// that nothing uses must not decide that, since a printed text has none.
#include "base/hash.h"
#include "io/stablehlo/read/scan.h"
#include "tensor/program/region.h"

// How many operations of one hash are compared with a new one.
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

// ---- hashes

// The hash of an operation that was read, whose terms are those from `base` on.
struct body_hash {
    const struct stablehlo_reader *reader;
    const struct terms *terms;
    uint32_t base, region;
    VEC(uint64_t) of; // term - base
};

// How many regions there are around this one, up to that of the operation.
static uint32_t depth_inside(const struct body_hash *hash, uint32_t region)
{
    uint32_t depth = 0;
    for (; region != NO_REGION && region != hash->region; depth++)
        region = scope_region(hash->terms->region.at[region].parent);
    return depth;
}

static bool is_isolated(const struct terms *terms, uint32_t region)
{
    return region != NO_REGION && terms->region.at[region].parent == SCOPE_CLOSED;
}

static uint64_t hash_attr(const struct body_hash *hash, const struct term *node, uint64_t seed)
{
    const struct pool *pool = hash->terms->pool;
    const int64_t *v = attr_at(pool, node->attr);
    uint32_t n = attr_len(pool, node->attr);
    if (node->op == OP_PARAMETER && v[0] < 0) {
        seed = hash_u64(depth_inside(hash, (uint32_t)PARAMETER_OF_REGION(v[0])), seed);
        return hash_u64((uint64_t)v[1], seed);
    }
    if (node->op != OP_OPAQUE || n <= OPAQUE_PLAIN)
        return hash_u64(node->attr.v, seed);
    for (uint32_t i = 0; i < n; i++)
        if (i != OPAQUE_PLAIN)
            seed = hash_u64((uint64_t)v[i], seed);
    return seed;
}

static uint64_t hash_arg(const struct body_hash *hash, term_id arg)
{
    return arg.v < hash->base ? hash_u64(arg.v, 0) : hash->of.at[arg.v - hash->base];
}

// The node with the arguments that count: all, the operands, or the others.
static uint64_t hash_node(const struct body_hash *hash, term_id term, bool operands, bool bodies)
{
    const struct term *node = term_at(hash->terms, term);
    uint64_t seed = hash_attr(hash, node, hash_u64(node->type.v, node->op));
    for (uint32_t k = 0; k < node->n_args; k++) {
        bool operand =
            (operands && bodies) || argument_role(hash->terms, term, k).place == ARGUMENT_OPERAND;
        if (operand ? operands : bodies)
            seed = hash_u64(hash_arg(hash, term_args(hash->terms, term)[k]), seed);
    }
    return seed;
}

// A term that needs nothing of the operation's region is the same one wherever it is used.  What an
// isolated region inside computes has a hash of its own, wherever that stands.
static uint64_t hash_term(const struct body_hash *hash, term_id term)
{
    const struct term *node = term_at(hash->terms, term);
    uint32_t scope = hash->reader->scope_of.at[term.v];
    if (!scope_has(hash->terms, scope, scope_of_region(hash->region)))
        return hash_u64(term.v, 0);
    uint32_t region =
        node->op == OP_OPAQUE ? opaque_view(hash->terms, term).region : (uint32_t)NO_REGION;
    if (!is_isolated(hash->terms, region))
        return hash_node(hash, term, true, true);
    uint64_t body =
        region < hash->reader->region_hash.len ? hash->reader->region_hash.at[region] : 0;
    return hash_u64(body, hash_node(hash, term, true, false));
}

// The hash of the operation, without its operands if its region is isolated.
static uint64_t hash_operation(struct opaque_scan *opaque_scan, term_id term)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    const struct terms *terms = &reader->program->terms;
    struct body_hash hash = {.reader = reader,
                             .terms = terms,
                             .base = opaque_scan->first_term,
                             .region = opaque_view(terms, term).region};
    bool isolated = is_isolated(terms, hash.region);
    scopes_extend(terms, &reader->scope_of);
    for (uint32_t t = hash.base; t < term.v; t++)
        vec_push(&hash.of, hash_term(&hash, (term_id){t}));
    uint64_t out = hash_node(&hash, term, !isolated, true);
    while (reader->region_hash.len <= hash.region)
        vec_push(&reader->region_hash, 0);
    reader->region_hash.at[hash.region] = out;
    vec_release(&hash.of);
    return out;
}

// The list of the operations that have the hash.
static uint32_t *list_of(struct stablehlo_reader *reader, uint64_t hash)
{
    uint32_t key = intern_bytes(&reader->region_keys, &hash, sizeof hash);
    while (reader->regions_of.len <= key)
        vec_push(&reader->regions_of, 0);
    return &reader->regions_of.at[key];
}

term_id region_share(struct opaque_scan *opaque_scan, term_id term)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    struct terms *terms = &reader->program->terms;
    struct opaque_view view = opaque_view(terms, term);
    struct comparison comparison = {.terms = terms, .base = opaque_scan->first_term};
    bool open = terms->region.at[view.region].parent != SCOPE_CLOSED;
    term_id out = term;
    uint32_t tried = 0, *list = list_of(reader, hash_operation(opaque_scan, term));
    for (uint32_t i = *list; i != 0 && tried < SHARE_CANDIDATES;
         i = reader->shared.at[i - 1].next) {
        term_id other = {reader->shared.at[i - 1].term};
        uint32_t region = opaque_view(terms, other).region;
        // An open region can be used only where its parent is around.
        if (open && !scope_has(terms, reader->scope, terms->region.at[region].parent))
            continue;
        tried++;
        if (!same_region(&comparison, term, other, open))
            continue;
        out = open ? other : with_region(terms, term, other);
        share_statements(opaque_scan, &comparison);
        break;
    }
    if (out.v == term.v) {
        vec_push(&reader->shared, ((struct shared_region){term.v, *list}));
        *list = reader->shared.len;
    }
    vec_release(&comparison.pairs);
    vec_release(&comparison.met);
    vec_release(&comparison.of);
    vec_release(&comparison.regions);
    return out;
}
