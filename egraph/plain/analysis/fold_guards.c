// SPDX-License-Identifier: Apache-2.0
// Conditions of rules, and witnesses, from what is known of the classes.
#include "egraph/plain/analysis/fold_core.h"

#include <stdio.h>

enum {
    IS_CONST,
    IS_SYM,
    IS_NOT_ZERO,
    IS_CONST_OR_DISTINCT_VAR,
    IS_NOT_SAME_VAR,
    IS_NOT_FREE,
    FRESH
};
const struct guard_name plain_fold_guards[] = {
    [IS_CONST] = {"is_const", 1, false},
    [IS_SYM] = {"is_sym", 1, false},
    [IS_NOT_ZERO] = {"is_not_zero", 1, false},
    [IS_CONST_OR_DISTINCT_VAR] = {"is_const_or_distinct_var", 2, false},
    [IS_NOT_SAME_VAR] = {"is_not_same_var", 2, false},
    [IS_NOT_FREE] = {"is_not_free", 2, false},
    [FRESH] = {"fresh", 1, true},
    {NULL, 0, false},
};

// A symbol of its own for each class.  No text can have one with a comma.
static uint32_t fresh(struct plain_fold *f, uint32_t cls)
{
    char name[32];
    int n = snprintf(name, sizeof name, ",%u", f->g->class_.at[cls].founder);
    uint32_t op = plain_op(f->rules, f->g, name, (uint32_t)n, 0);
    uint32_t node = cc_add(f->g, op, NULL); // may move cls
    return cc_class(f->g, node);
}

bool plain_fold_guard(void *ctx, struct cc *g, uint32_t kind, const uint32_t *arg,
                uint32_t *out)
{
    struct plain_fold *f = ctx;
    uint32_t c = cc_find(g, arg[0]);
    const struct plain_fold_class *k = plain_fold_class_of(f, c);
    struct plain_fold_value v = f->known.at[k->known].value;
    switch (kind) {
    case IS_CONST:
        return k->known != 0;
    case IS_SYM:
        return k->symbol != CC_NONE;
    case IS_NOT_ZERO:
        return v.type != PLAIN_FOLD_NUMBER || v.x != 0;
    case IS_CONST_OR_DISTINCT_VAR:
        return c != cc_find(g, arg[1]) &&
               (k->known != 0 || k->symbol != CC_NONE);
    case IS_NOT_SAME_VAR:
        return c != cc_find(g, arg[1]);
    case IS_NOT_FREE: {
        const struct plain_fold_free *x = plain_fold_free_at(f, arg[1]);
        return !plain_fold_set_has(g, f->pool.at + x->at, x->n, c);
    }
    default:
        *out = fresh(f, c);
        return true;
    }
}

uint32_t plain_fold_witness(void *ctx, const struct cc *g, const struct plain_guard *u,
                      const uint32_t *node, uint32_t arg, uint32_t nth)
{
    const struct plain_fold *f = ctx;
    uint32_t cls = g->cls.at[node[arg]];
    bool wanted = u->kind == IS_CONST || u->kind == IS_SYM ||
                  (u->kind == IS_CONST_OR_DISTINCT_VAR && arg == 0);
    if (!wanted || nth > 0 || cls >= f->class_.len)
        return CC_NONE;
    const struct plain_fold_class *k = &f->class_.at[cls];
    if (u->kind != IS_SYM && k->known != 0)
        return plain_fold_literal(f, f->known.at[k->known].value);
    return k->symbol;
}

// The node of the class's value, if it is there.
static bool term_of(struct plain_fold *f, uint32_t cls, uint32_t *out)
{
    struct plain_fold_known *k = plain_fold_known_of(f, cls);
    if (k->term == 0)
        k->term = plain_fold_literal(f, k->value) + 1;
    *out = k->term - 1;
    return cc_class(f->g, *out) == cc_find(f->g, cls);
}

bool plain_fold_by_values(void *ctx, const struct cc *g, uint32_t node,
                    uint32_t *value, uint32_t *arg)
{
    struct plain_fold *f = ctx;
    uint32_t cls = g->cls.at[node];
    if (!plain_fold_has_value(f, cls) || f->conflict || plain_fold_is_leaf(g, node))
        return false;
    struct plain_fold_value v = plain_fold_value_of(f, node);
    if (v.type == PLAIN_FOLD_NO_VALUE ||
        !plain_fold_same_value(v, plain_fold_known_of(f, cls)->value) ||
        !term_of(f, cls, value))
        return false;
    for (uint32_t i = 0; i < cc_arity(g, node); i++)
        if (!term_of(f, cc_args(g, node)[i], &arg[i]))
            return false;
    return true;
}
