// SPDX-License-Identifier: Apache-2.0
// What an e-node is by itself, against a pattern node.
#include "egraph/program/constants.h"
#include "egraph/match/matcher.h"
#include "tensor/eval/eval.h"

static bool has_unit_init(struct matcher *m, term_id node, enum op reducer)
{
    class_id init = egraph_find(m->g, term_args(m->g->terms, node)[1]);
    lit_id lit = class_constant(m->g, init);
    enum elem t = type_elem(m->g->terms->pool, egraph_type(m->g, init));
    return lit.v != NO_LIT.v && op_is_reducer(reducer) &&
           scalar_same(t, literal_get(m->g->terms->pool, lit, 0),
                       reducer_unit(reducer, t));
}

static bool same_ranks(struct matcher *m, term_id node)
{
    const struct term *t = term_at(m->g->terms, node);
    const struct pool *pool = m->g->terms->pool;
    for (uint32_t k = 0; k < t->n_args; k++) {
        type_id type = term_type(m->g->terms, term_args(m->g->terms, node)[k]);
        if (!type_is_tensor(pool, type) ||
            type_rank(pool, type) != type_rank(pool, t->type))
            return false;
    }
    return true;
}

// broadcast_in_dim to new axes only: a stretched size 1 is another axis.
static bool adds_axes(struct matcher *m, term_id node)
{
    const struct pool *pool = m->g->terms->pool;
    const struct term *t = term_at(m->g->terms, node);
    type_id from = term_type(m->g->terms, term_args(m->g->terms, node)[0]);
    uint32_t n = type_rank(pool, from);
    for (uint32_t d = 0; d < n; d++)
        if (type_dims(pool, from)[d] !=
            type_dims(pool, t->type)[attr_at(pool, t->attr)[d]])
            return false;
    return type_rank(pool, t->type) > n;
}

static bool all_single(const struct rule *r, const struct reshape_group *g)
{
    for (uint32_t i = 0; i < g->n_from; i++)
        if (!r->classes[g->from[i]].single)
            return false;
    for (uint32_t i = 0; i < g->n_to; i++)
        if (!r->classes[g->to[i].cls].single)
            return false;
    return true;
}

// Where single axes are joined and split, the ranks differ by their numbers.
static bool reshape_ranks_fit(struct matcher *m, const struct pat *p,
                              term_id node)
{
    const struct pool *pool = m->g->terms->pool;
    int64_t less = 0;
    for (uint32_t k = 0; k < p->n_groups; k++) {
        const struct reshape_group *g = &p->groups[k];
        if (!all_single(m->r, g))
            return true;
        less += (int64_t)g->n_from - g->n_to;
    }
    type_id from = term_type(m->g->terms, term_args(m->g->terms, node)[0]);
    type_id to = term_type(m->g->terms, node);
    return type_is_tensor(pool, from) &&
           (int64_t)type_rank(pool, from) - type_rank(pool, to) == less;
}

static bool bind_op(struct matcher *m, uint32_t var, enum op op, attr_id attr)
{
    struct op_binding *b = &m->op[var];
    if (m->op_uses[var] > 0 && (b->op != op || b->attr.v != attr.v))
        return false;
    *b = (struct op_binding){op, attr};
    m->op_uses[var]++;
    return true;
}

static bool fits_reducer(struct matcher *m, const struct pat *p,
                         enum op reducer, uint32_t *var)
{
    if (p->opvar == NONE)
        return reducer == p->reducer;
    if (reducer == N_OPS || !bind_op(m, p->opvar, reducer, NO_ATTR))
        return false;
    *var = p->opvar;
    return true;
}

bool node_fits(struct matcher *m, const struct pat *p, term_id node,
               uint32_t *var)
{
    const struct term *t = term_at(m->g->terms, node);
    const struct pool *pool = m->g->terms->pool;
    enum op op = (enum op)t->op;
    *var = NONE;
    if (p->kind == PAT_OPVAR) {
        const struct op_var *v = &m->r->opvars[p->var];
        if (!op_is_elementwise(op) || t->n_args != v->n_args ||
            (v->kind == OPVAR_MONOID && !op_is_reducer(op)) ||
            !same_ranks(m, node) || !bind_op(m, p->var, op, t->attr))
            return false;
        *var = p->var;
        return true;
    }
    if (op != p->op)
        return false;
    const int64_t *attr = attr_at(pool, t->attr);
    switch (op) {
    case OP_COMPARE: {
        type_id type = term_type(m->g->terms, term_args(m->g->terms, node)[0]);
        return attr[0] == (int64_t)p->dir && same_ranks(m, node) &&
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
        return t->n_args == p->n_args;
    case OP_BROADCAST_IN_DIM:
        return adds_axes(m, node);
    case OP_IOTA:
        return true;
    case OP_REDUCE:
    case OP_REDUCE_WINDOW: {
        enum op reducer = (enum op)attr[0];
        if ((p->n_args == 1 &&
             (attr_len(pool, t->attr) < 2 || !has_unit_init(m, node, reducer))))
            return false;
        return fits_reducer(m, p, reducer, var);
    }
    case OP_SCATTER:
        return fits_reducer(m, p, (enum op)attr[0], var);
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_GATHER:
    case OP_BITCAST_CONVERT:
        return true;
    case OP_RESHAPE:
        return reshape_ranks_fit(m, p, node);
    default:
        return op_is_elementwise(op) && t->n_args == p->n_args &&
               same_ranks(m, node);
    }
}
