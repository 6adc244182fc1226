// SPDX-License-Identifier: Apache-2.0
// Free variables of classes.
#include "egraph/plain/analysis/fold_core.h"

bool plain_fold_set_has(struct cc *g, const uint32_t *set, uint32_t n, uint32_t c)
{
    for (uint32_t i = 0; i < n; i++)
        if (cc_find(g, set[i]) == c)
            return true;
    return false;
}

static void add_free(struct plain_fold *f, uint32_t cls, uint32_t without)
{
    const struct plain_fold_free k = *plain_fold_free_at(f, cls);
    for (uint32_t i = 0; i < k.n; i++) {
        uint32_t c = cc_find(f->g, f->pool.at[k.at + i]);
        if ((without == CC_NONE || c != cc_find(f->g, without)) &&
            !plain_fold_set_has(f->g, f->work.at, f->work.len, c))
            vec_push(&f->work, c);
    }
}

void plain_fold_free_of(struct plain_fold *f, uint32_t node)
{
    uint32_t n = cc_arity(f->g, node);
    const uint32_t *arg = cc_args(f->g, node);
    uint8_t what = plain_fold_op_of(f, node)->what;
    vec_clear(&f->work);
    if (what == VARIABLE) {
        vec_push(&f->work, cc_find(f->g, arg[0]));
    } else if (what == LET) {
        add_free(f, arg[2], arg[0]);
        add_free(f, arg[1], CC_NONE);
    } else if (what == BINDER) {
        add_free(f, arg[1], arg[0]);
    } else {
        for (uint32_t i = 0; i < n; i++)
            add_free(f, arg[i], CC_NONE);
    }
}

bool plain_fold_meet_free(struct plain_fold *f, struct plain_fold_free *k, const uint32_t *set,
                    uint32_t n)
{
    if (!k->has) {
        k->has = true;
        k->at = f->pool.len;
        k->n = n;
        for (uint32_t i = 0; i < n; i++)
            vec_push(&f->pool, set[i]);
        return true;
    }
    uint32_t m = 0, *at = f->pool.at + k->at;
    for (uint32_t i = 0; i < k->n; i++)
        if (plain_fold_set_has(f->g, set, n, cc_find(f->g, at[i])))
            at[m++] = at[i];
    bool less = m < k->n;
    k->n = m;
    return less;
}

unsigned plain_fold_join_free(struct plain_fold *f, struct plain_fold_free *k,
                        const struct plain_fold_free *l)
{
    if (!l->has)
        return k->has ? CC_LOSE_LEARNED : 0;
    if (!k->has) {
        *k = *l;
        return CC_KEEP_LEARNED;
    }
    unsigned who = 0;
    vec_clear(&f->work);
    for (uint32_t i = 0; i < l->n; i++)
        vec_push(&f->work, f->pool.at[l->at + i]);
    if (plain_fold_meet_free(f, k, f->work.at, f->work.len))
        who |= CC_KEEP_LEARNED;
    return who | (k->n < l->n ? CC_LOSE_LEARNED : 0);
}
