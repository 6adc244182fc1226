// SPDX-License-Identifier: Apache-2.0
// Free variables of classes.
#include "egraph/plain/analysis/fold_core.h"

bool plain_fold_set_has(struct cc *graph, const uint32_t *set, uint32_t n, uint32_t c)
{
    for (uint32_t i = 0; i < n; i++)
        if (cc_find(graph, set[i]) == c)
            return true;
    return false;
}

static void add_free(struct plain_fold *fold, uint32_t cls, uint32_t without)
{
    const struct plain_fold_free plain_fold_free = *plain_fold_free_at(fold, cls);
    for (uint32_t i = 0; i < plain_fold_free.n; i++) {
        uint32_t c = cc_find(fold->graph, fold->pool.at[plain_fold_free.at + i]);
        if ((without == CC_NONE || c != cc_find(fold->graph, without)) &&
            !plain_fold_set_has(fold->graph, fold->work.at, fold->work.len, c))
            vec_push(&fold->work, c);
    }
}

void plain_fold_free_of(struct plain_fold *fold, uint32_t node)
{
    uint32_t n = cc_arity(fold->graph, node);
    const uint32_t *arg = cc_args(fold->graph, node);
    uint8_t what = plain_fold_op_of(fold, node)->what;
    vec_clear(&fold->work);
    if (what == VARIABLE) {
        vec_push(&fold->work, cc_find(fold->graph, arg[0]));
    } else if (what == LET) {
        add_free(fold, arg[2], arg[0]);
        add_free(fold, arg[1], CC_NONE);
    } else if (what == BINDER) {
        add_free(fold, arg[1], arg[0]);
    } else {
        for (uint32_t i = 0; i < n; i++)
            add_free(fold, arg[i], CC_NONE);
    }
}

bool plain_fold_meet_free(struct plain_fold *fold, struct plain_fold_free *plain_fold_free,
                          const uint32_t *set, uint32_t n)
{
    if (!plain_fold_free->has) {
        plain_fold_free->has = true;
        plain_fold_free->at = fold->pool.len;
        plain_fold_free->n = n;
        for (uint32_t i = 0; i < n; i++)
            vec_push(&fold->pool, set[i]);
        return true;
    }
    uint32_t m = 0, *at = fold->pool.at + plain_fold_free->at;
    for (uint32_t i = 0; i < plain_fold_free->n; i++)
        if (plain_fold_set_has(fold->graph, set, n, cc_find(fold->graph, at[i])))
            at[m++] = at[i];
    bool less = m < plain_fold_free->n;
    plain_fold_free->n = m;
    return less;
}

unsigned plain_fold_join_free(struct plain_fold *fold, struct plain_fold_free *keep,
                              const struct plain_fold_free *lose)
{
    if (!lose->has)
        return keep->has ? CC_LOSE_LEARNED : 0;
    if (!keep->has) {
        *keep = *lose;
        return CC_KEEP_LEARNED;
    }
    unsigned who = 0;
    vec_clear(&fold->work);
    for (uint32_t i = 0; i < lose->n; i++)
        vec_push(&fold->work, fold->pool.at[lose->at + i]);
    if (plain_fold_meet_free(fold, keep, fold->work.at, fold->work.len))
        who |= CC_KEEP_LEARNED;
    return who | (keep->n < lose->n ? CC_LOSE_LEARNED : 0);
}
