// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/import.h"

#include "tensor/program/region.h"
#include <stdlib.h>

#define UNKNOWN UINT32_MAX
#define UNDER_WAY (UINT32_MAX - 1)

static int64_t renamed(const struct u32_vec *to, int64_t number)
{
    return number < (int64_t)to->len ? (int64_t)to->at[number] : number;
}

// The attribute of a node whose regions, function and serial have other numbers.
static attr_id rename_attr(struct pool *pool, const struct term *node,
                           const struct renaming *renaming)
{
    uint32_t n = attr_len(pool, node->attr);
    if (renaming == NULL || (node->op != OP_PARAMETER && node->op != OP_OPAQUE))
        return node->attr;
    int64_t *v = mem_alloc(sizeof *v * (n + 1u));
    memcpy(v, attr_at(pool, node->attr), sizeof *v * n);
    if (node->op == OP_PARAMETER && v[0] >= 0)
        v[0] = renamed(&renaming->function, v[0]);
    else if (node->op == OP_PARAMETER)
        v[0] = PARAMETER_OF_REGION(renamed(&renaming->region, PARAMETER_OF_REGION(v[0])));
    else if (n > OPAQUE_PLAIN)
        v[OPAQUE_PLAIN] = renamed(&renaming->region, v[OPAQUE_PLAIN]);
    if (node->op == OP_OPAQUE && v[2] < (int64_t)renaming->serial.len)
        v[2] = renaming->serial.at[v[2]];
    attr_id attr = attr_make(pool, n, v);
    mem_free(v);
    return attr;
}

static void import_one(struct terms *dst, const struct terms *src, struct u32_vec *memo,
                       const struct renaming *renaming, uint32_t id)
{
    const struct term *node = &src->term.at[id];
    attr_id attr = rename_attr(dst->pool, node, renaming);
    term_id *args = mem_alloc(sizeof *args * (node->n_args + 1u));
    for (uint32_t i = 0; i < node->n_args; i++)
        args[i].v = memo->at[src->args.at[node->args_at + i].v];
    memo->at[id] = term_make(dst, (enum op)node->op, attr, node->type, node->n_args, args).v;
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
    return term_import_as(dst, src, memo, NULL, root);
}

term_id term_import_as(struct terms *dst, const struct terms *src, struct u32_vec *memo,
                       const struct renaming *renaming, term_id root)
{
    while (memo->len < src->term.len)
        vec_push(memo, UNKNOWN);
    if (memo->at[root.v] != UNKNOWN)
        return (term_id){memo->at[root.v]};
    struct u32_vec order = {0};
    find_unknown(src, memo, root.v, &order);
    for (uint32_t i = 0; i < order.len; i++)
        import_one(dst, src, memo, renaming, order.at[i]);
    vec_release(&order);
    return (term_id){memo->at[root.v]};
}

void renaming_release(struct renaming *renaming)
{
    vec_release(&renaming->region);
    vec_release(&renaming->function);
    vec_release(&renaming->serial);
}
