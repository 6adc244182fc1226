// SPDX-License-Identifier: Apache-2.0
#include "tensor/import.h"

static void import_one(struct terms *dst, const struct terms *src,
                       struct u32_vec *memo, uint32_t id)
{
    const struct term *t = &src->term.at[id];
    term_id *args = mem_alloc(sizeof *args * (t->n_args + 1u));
    for (uint32_t i = 0; i < t->n_args; i++)
        args[i].v = memo->at[src->args.at[t->args_at + i].v];
    memo->at[id] =
        term_make(dst, (enum op)t->op, t->attr, t->type, t->n_args, args).v;
    mem_free(args);
}

term_id term_import(struct terms *dst, const struct terms *src,
                    struct u32_vec *memo, term_id root)
{
    while (memo->len < src->term.len)
        vec_push(memo, UINT32_MAX);
    if (memo->at[root.v] != UINT32_MAX)
        return (term_id){memo->at[root.v]};
    struct u32_vec order = {0};
    terms_reach(src, 1, &root, &order);
    for (uint32_t i = 0; i < order.len; i++)
        if (memo->at[order.at[i]] == UINT32_MAX)
            import_one(dst, src, memo, order.at[i]);
    vec_release(&order);
    return (term_id){memo->at[root.v]};
}
