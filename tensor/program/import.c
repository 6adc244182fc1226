// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/import.h"
#include <stdlib.h>

#define UNKNOWN UINT32_MAX
#define UNDER_WAY (UINT32_MAX - 1)

static void import_one(struct terms *dst, const struct terms *src, struct u32_vec *memo,
                       uint32_t id)
{
    const struct term *node = &src->term.at[id];
    term_id *args = mem_alloc(sizeof *args * (node->n_args + 1u));
    for (uint32_t i = 0; i < node->n_args; i++)
        args[i].v = memo->at[src->args.at[node->args_at + i].v];
    memo->at[id] = term_make(dst, (enum op)node->op, node->attr, node->type, node->n_args, args).v;
    mem_free(args);
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// The terms below the root that are not copied yet, in order.  The walk does not go below
// copied terms, so many roots of one store cost no more than their new terms.
static void find_unknown(const struct terms *src, struct u32_vec *memo, uint32_t root,
                         struct u32_vec *out)
{
    vec_push(out, root);
    memo->at[root] = UNDER_WAY;
    for (uint32_t i = 0; i < out->len; i++) {
        const struct term *node = &src->term.at[out->at[i]];
        for (uint32_t k = 0; k < node->n_args; k++) {
            uint32_t arg = src->args.at[node->args_at + k].v;
            if (memo->at[arg] != UNKNOWN)
                continue;
            memo->at[arg] = UNDER_WAY;
            vec_push(out, arg);
        }
    }
    qsort(out->at, out->len, sizeof *out->at, by_id);
}

term_id term_import(struct terms *dst, const struct terms *src, struct u32_vec *memo, term_id root)
{
    while (memo->len < src->term.len)
        vec_push(memo, UNKNOWN);
    if (memo->at[root.v] != UNKNOWN)
        return (term_id){memo->at[root.v]};
    struct u32_vec order = {0};
    find_unknown(src, memo, root.v, &order);
    for (uint32_t i = 0; i < order.len; i++)
        import_one(dst, src, memo, order.at[i]);
    vec_release(&order);
    return (term_id){memo->at[root.v]};
}
