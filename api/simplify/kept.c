// SPDX-License-Identifier: Apache-2.0
// Attributes kept beside terms, in the output.  An operation survives if the output has
// the same operation on equal arguments, though these may be other terms by now.
#include "api/simplify/simplify.h"

#include "base/hash.h"

struct keeper {
    uint64_t hash;
    term_id term;
};

// False: an argument is not in the e-graph.
static bool hash_of(struct simplification *run, term_id term, uint64_t *out)
{
    const struct term *node = term_at(&run->in->at.terms, term);
    const term_id *args = term_args(&run->in->at.terms, term);
    *out = hash_u64(hash_u64(hash_u64(node->op, node->attr.v), node->type.v), node->n_args);
    for (uint32_t k = 0; k < node->n_args; k++) {
        if (!egraph_known(&run->graph, args[k]))
            return false;
        *out = hash_u64(*out, egraph_find(&run->graph, args[k]).v);
    }
    return true;
}

static bool same_operation(struct simplification *run, term_id a, term_id b)
{
    const struct terms *terms = &run->in->at.terms;
    const struct term *x = term_at(terms, a), *y = term_at(terms, b);
    if (x->op != y->op || x->attr.v != y->attr.v || x->type.v != y->type.v ||
        x->n_args != y->n_args)
        return false;
    for (uint32_t k = 0; k < x->n_args; k++)
        if (!egraph_same(&run->graph, term_args(terms, a)[k], term_args(terms, b)[k]))
            return false;
    return true;
}

static int compare_keepers(const void *a, const void *b)
{
    const struct keeper *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->term.v > y->term.v) - (x->term.v < y->term.v);
}

// The first input term with attributes that is the same operation; NO_TERM: none.
static term_id find_keeper(struct simplification *run, const struct keeper *keepers, uint32_t n,
                           term_id term)
{
    uint64_t hash;
    uint32_t low = 0, high = n;
    if (!hash_of(run, term, &hash))
        return NO_TERM;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (keepers[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < n && keepers[low].hash == hash; low++)
        if (same_operation(run, keepers[low].term, term))
            return keepers[low].term;
    return NO_TERM;
}

void simplify_keep(struct simplification *run, uint32_t n, const term_id *roots)
{
    struct program *in = &run->in->at, *out = &run->out;
    VEC(struct keeper) keepers = {0};
    struct u32_vec reach = {0};
    for (uint32_t i = 0; i < in->kept.len; i++) {
        struct keeper keeper = {0, {i}};
        vec_push(&out->kept, in->kept.at[i]);
        if (in->kept.at[i] != 0 && hash_of(run, keeper.term, &keeper.hash))
            vec_push(&keepers, keeper);
    }
    if (keepers.len > 0) {
        qsort(keepers.at, keepers.len, sizeof *keepers.at, compare_keepers);
        terms_reach(&in->terms, n, roots, &reach);
    }
    for (uint32_t i = 0; i < reach.len; i++) {
        term_id term = {reach.at[i]};
        term_id keeper = program_kept(out, term)[0] == '\0'
                             ? find_keeper(run, keepers.at, keepers.len, term)
                             : NO_TERM;
        if (keeper.v != NO_TERM.v)
            program_keep(out, term, (sym_id){in->kept.at[keeper.v] - 1});
    }
    vec_release(&keepers);
    vec_release(&reach);
}
