// SPDX-License-Identifier: Apache-2.0
// Conditions of rules, and their witnesses, from the knowledge about classes.
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
static uint32_t fresh(struct plain_fold *fold, uint32_t cls)
{
    char name[32];
    int n = snprintf(name, sizeof name, ",%u", fold->graph->class_.at[cls].founder);
    uint32_t op = plain_op(fold->rules, fold->graph, name, (uint32_t)n, 0);
    uint32_t node = cc_add(fold->graph, op, NULL); // may move cls
    return cc_class(fold->graph, node);
}

bool plain_fold_guard(void *ctx, struct cc *graph, uint32_t kind, const uint32_t *arg,
                      uint32_t *out)
{
    struct plain_fold *fold = ctx;
    uint32_t c = cc_find(graph, arg[0]);
    const struct plain_fold_class *plain_fold_class = plain_fold_class_of(fold, c);
    struct plain_fold_value plain_fold_value = fold->known.at[plain_fold_class->known].value;
    switch (kind) {
    case IS_CONST:
        return plain_fold_class->known != 0;
    case IS_SYM:
        return plain_fold_class->symbol != CC_NONE;
    case IS_NOT_ZERO:
        return plain_fold_value.type != PLAIN_FOLD_NUMBER || plain_fold_value.number != 0;
    case IS_CONST_OR_DISTINCT_VAR:
        return c != cc_find(graph, arg[1]) &&
               (plain_fold_class->known != 0 || plain_fold_class->symbol != CC_NONE);
    case IS_NOT_SAME_VAR:
        return c != cc_find(graph, arg[1]);
    case IS_NOT_FREE: {
        const struct plain_fold_free *plain_fold_free = plain_fold_free_at(fold, arg[1]);
        return !plain_fold_set_has(graph, fold->pool.at + plain_fold_free->at, plain_fold_free->n,
                                   c);
    }
    default:
        *out = fresh(fold, c);
        return true;
    }
}

uint32_t plain_fold_witness(void *ctx, const struct cc *graph,
                            const struct plain_guard *plain_guard, const uint32_t *node,
                            uint32_t arg, uint32_t nth)
{
    const struct plain_fold *fold = ctx;
    uint32_t cls = graph->node.at[node[arg]].cls;
    bool wanted = plain_guard->kind == IS_CONST || plain_guard->kind == IS_SYM ||
                  (plain_guard->kind == IS_CONST_OR_DISTINCT_VAR && arg == 0);
    if (!wanted || nth > 0 || cls >= fold->class_.len)
        return CC_NONE;
    const struct plain_fold_class *plain_fold_class = &fold->class_.at[cls];
    if (plain_guard->kind != IS_SYM && plain_fold_class->known != 0)
        return plain_fold_literal(fold, fold->known.at[plain_fold_class->known].value);
    return plain_fold_class->symbol;
}

// The node of the class's value, if it is there.
static bool term_of(struct plain_fold *fold, uint32_t cls, uint32_t *out)
{
    struct plain_fold_known *plain_fold_known = plain_fold_known_of(fold, cls);
    if (plain_fold_known->term == 0)
        plain_fold_known->term = plain_fold_literal(fold, plain_fold_known->value) + 1;
    *out = plain_fold_known->term - 1;
    return cc_class(fold->graph, *out) == cc_find(fold->graph, cls);
}

bool plain_fold_by_values(void *ctx, const struct cc *graph, uint32_t node, uint32_t *value,
                          uint32_t *arg)
{
    struct plain_fold *fold = ctx;
    uint32_t cls = graph->node.at[node].cls;
    if (!plain_fold_has_value(fold, cls) || fold->conflict || plain_fold_is_leaf(graph, node))
        return false;
    struct plain_fold_value plain_fold_value = plain_fold_value_of(fold, node);
    if (plain_fold_value.type == PLAIN_FOLD_NO_VALUE ||
        !plain_fold_same_value(plain_fold_value, plain_fold_known_of(fold, cls)->value) ||
        !term_of(fold, cls, value))
        return false;
    for (uint32_t i = 0; i < cc_arity(graph, node); i++)
        if (!term_of(fold, cc_args(graph, node)[i], &arg[i]))
            return false;
    return true;
}
