// SPDX-License-Identifier: Apache-2.0
// Tests of one e-node against one pattern node, without their arguments.
#include "egraph/program/constants.h"
#include "egraph/match/matcher.h"
#include "tensor/eval/eval.h"

static bool has_unit_init(struct matcher *matcher, term_id node, enum op reducer)
{
    class_id init = egraph_find(matcher->graph, term_args(matcher->graph->terms, node)[1]);
    lit_id lit = class_constant(matcher->graph, init);
    enum elem elem = type_elem(matcher->graph->terms->pool, egraph_type(matcher->graph, init));
    return lit.v != NO_LIT.v && op_is_reducer(reducer) &&
           scalar_same(elem, literal_get(matcher->graph->terms->pool, lit, 0),
                       reducer_unit(reducer, elem));
}

// What a pattern without an initial value asks: some axis, and the reducer's unit.
static bool reduces_from_unit(struct matcher *matcher, term_id node)
{
    const struct pool *pool = matcher->graph->terms->pool;
    attr_id attr = term_at(matcher->graph->terms, node)->attr;
    return attr_len(pool, attr) >= 2 &&
           has_unit_init(matcher, node, (enum op)attr_at(pool, attr)[0]);
}

static bool same_ranks(struct matcher *matcher, term_id node)
{
    const struct term *t = term_at(matcher->graph->terms, node);
    const struct pool *pool = matcher->graph->terms->pool;
    for (uint32_t k = 0; k < t->n_args; k++) {
        type_id type = term_type(matcher->graph->terms, term_args(matcher->graph->terms, node)[k]);
        if (!type_is_tensor(pool, type) || type_rank(pool, type) != type_rank(pool, t->type))
            return false;
    }
    return true;
}

// broadcast_in_dim to new axes only: a stretched size 1 is another axis.
static bool adds_axes(struct matcher *matcher, term_id node)
{
    const struct pool *pool = matcher->graph->terms->pool;
    const struct term *t = term_at(matcher->graph->terms, node);
    type_id from = term_type(matcher->graph->terms, term_args(matcher->graph->terms, node)[0]);
    uint32_t n = type_rank(pool, from);
    for (uint32_t d = 0; d < n; d++)
        if (type_dims(pool, from)[d] != type_dims(pool, t->type)[attr_at(pool, t->attr)[d]])
            return false;
    return type_rank(pool, t->type) > n;
}

static bool all_single(const struct rule *rule, const struct reshape_group *group)
{
    for (uint32_t i = 0; i < group->n_from; i++)
        if (!rule->classes[group->from[i]].single)
            return false;
    for (uint32_t i = 0; i < group->n_to; i++)
        if (!rule->classes[group->to[i].cls].single)
            return false;
    return true;
}

// Where single axes are joined and split, the ranks differ by their numbers.
static bool reshape_ranks_fit(struct matcher *matcher, const struct pat *pattern, term_id node)
{
    const struct pool *pool = matcher->graph->terms->pool;
    int64_t less = 0;
    for (uint32_t k = 0; k < pattern->n_groups; k++) {
        const struct reshape_group *group = &pattern->groups[k];
        if (!all_single(matcher->rule, group))
            return true;
        less += (int64_t)group->n_from - group->n_to;
    }
    type_id from = term_type(matcher->graph->terms, term_args(matcher->graph->terms, node)[0]);
    type_id to = term_type(matcher->graph->terms, node);
    return type_is_tensor(pool, from) &&
           (int64_t)type_rank(pool, from) - type_rank(pool, to) == less;
}

static bool bind_op(struct matcher *matcher, uint32_t var, enum op op, attr_id attr)
{
    struct op_binding *binding = &matcher->op[var];
    if (matcher->op_uses[var] > 0 && (binding->op != op || binding->attr.v != attr.v))
        return false;
    *binding = (struct op_binding){op, attr};
    matcher->op_uses[var]++;
    return true;
}

static bool fits_reducer(struct matcher *matcher, const struct pat *pattern, enum op reducer,
                         uint32_t *var)
{
    if (pattern->opvar == NONE)
        return reducer == pattern->reducer;
    if (reducer == N_OPS || !bind_op(matcher, pattern->opvar, reducer, NO_ATTR))
        return false;
    *var = pattern->opvar;
    return true;
}

static bool fits_variable(struct matcher *matcher, const struct pat *pattern, term_id node,
                          uint32_t *var)
{
    const struct term *t = term_at(matcher->graph->terms, node);
    const struct op_var *opvar = &matcher->rule->opvars[pattern->var];
    enum op op = (enum op)t->op;
    if (!op_is_elementwise(op) || t->n_args != opvar->n_args ||
        (opvar->kind == OPVAR_MONOID && !op_is_reducer(op)) || !same_ranks(matcher, node) ||
        !bind_op(matcher, pattern->var, op, t->attr))
        return false;
    *var = pattern->var;
    return true;
}

bool node_fits(struct matcher *matcher, const struct pat *pattern, term_id node, uint32_t *var)
{
    const struct term *t = term_at(matcher->graph->terms, node);
    const struct pool *pool = matcher->graph->terms->pool;
    enum op op = (enum op)t->op;
    *var = NONE;
    if (pattern->kind == PAT_OPVAR)
        return fits_variable(matcher, pattern, node, var);
    if (op != pattern->op)
        return false;
    const int64_t *attr = attr_at(pool, t->attr);
    switch (op) {
    case OP_COMPARE: {
        type_id type = term_type(matcher->graph->terms, term_args(matcher->graph->terms, node)[0]);
        return attr[0] == (int64_t)pattern->dir && same_ranks(matcher, node) &&
               attr[1] == (int64_t)compare_type_of(type_elem(pool, type));
    }
    case OP_SLICE:
    case OP_PAD:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
        return type_rank(pool, t->type) > 0;
    case OP_REVERSE:
        return attr_len(pool, t->attr) > 0;
    case OP_CONCATENATE:
        return t->n_args == pattern->n_args;
    case OP_BROADCAST_IN_DIM:
        return adds_axes(matcher, node);
    case OP_IOTA:
        return true;
    case OP_REDUCE:
    case OP_REDUCE_WINDOW:
        return (pattern->n_args != 1 || reduces_from_unit(matcher, node)) &&
               fits_reducer(matcher, pattern, (enum op)attr[0], var);
    case OP_SCATTER:
        return fits_reducer(matcher, pattern, (enum op)attr[0], var);
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_GATHER:
    case OP_BITCAST_CONVERT:
        return true;
    case OP_RESHAPE:
        return reshape_ranks_fit(matcher, pattern, node);
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
    case OP_TRANSPOSE:
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        break;
    }
    return op_is_elementwise(op) && t->n_args == pattern->n_args && same_ranks(matcher, node);
}
