// SPDX-License-Identifier: Apache-2.0
#include "egraph/program/turn.h"

#include "egraph/limits.h"
#include "egraph/program/core.h"
#include "egraph/program/orbit.h"
#include "tensor/fold/lift.h"

enum { OPERANDS = 3 };

static bool has_all_orders(struct egraph *graph, term_id node, term_id arg)
{
    term_id constant = egraph_class(graph, egraph_find(graph, arg))->constant;
    return lift_is_scalar(graph->terms, node, arg) ||
           (constant.v != NO_TERM.v && lift_is_splat(graph->terms, constant));
}

// The class whose transpose by the permutation is `class`, if the graph has it.
static bool find_before(struct egraph *graph, class_id class, attr_id perm, term_id *out)
{
    struct pool *pool = graph->terms->pool;
    attr_id own = egraph_class(graph, class)->perm;
    attr_id want = perm_compose(pool, own, perm_inverse(pool, perm));
    for (class_id m = class; m.v != NO_CLASS.v; m = orbit_next(graph, class, m))
        if (egraph_class(graph, m)->perm.v == want.v) {
            *out = class_term(graph, m);
            return true;
        }
    return false;
}

// States that the elementwise node is a transpose by the permutation.  Nothing happens
// unless all operands are there without it, or one of them if `some` is enough.
static void turn(struct egraph *graph, term_id node, attr_id perm, bool some)
{
    struct term n = *term_at(graph->terms, node);
    attr_id back = perm_inverse(graph->terms->pool, perm);
    term_id args[OPERANDS], before[OPERANDS];
    bool any = false, all = true, turns[OPERANDS], found[OPERANDS];
    if (n.n_args > OPERANDS || type_rank(graph->terms->pool, n.type) < 2)
        return;
    for (uint32_t i = 0; i < n.n_args; i++) {
        term_id arg = term_args(graph->terms, node)[i];
        class_id class = egraph_find(graph, arg);
        turns[i] = !has_all_orders(graph, node, arg);
        found[i] = turns[i] && find_before(graph, class, perm, &before[i]);
        any = any || found[i];
        all = all && (found[i] || !turns[i]);
        args[i] = arg;
        if (!turns[i] && !lift_is_scalar(graph->terms, node, arg))
            args[i] = egraph_class(graph, class)->constant;
    }
    if (!any || (!all && !some))
        return;
    for (uint32_t i = 0; i < n.n_args; i++) {
        if (turns[i] && !found[i])
            before[i] = egraph_transpose(graph, args[i], back);
        if (turns[i])
            args[i] = egraph_transpose(graph, before[i], perm);
    }
    egraph_law(graph, node, term_make(graph->terms, (enum op)n.op, n.attr, n.type, n.n_args, args),
               LAYOUT_LIFT);
}

void turn_result(struct egraph *graph, term_id node)
{
    for (uint32_t i = 0; i < term_at(graph->terms, node)->n_args; i++) {
        term_id arg = term_args(graph->terms, node)[i];
        attr_id perm = egraph_class(graph, egraph_find(graph, arg))->perm;
        if (has_all_orders(graph, node, arg))
            continue;
        if (perm.v != NO_ATTR.v)
            turn(graph, node, perm, false);
        return;
    }
}

void turn_operands(struct egraph *graph, term_id transpose)
{
    struct pool *pool = graph->terms->pool;
    attr_id perm = perm_normal(pool, term_at(graph->terms, transpose)->attr);
    class_id class = egraph_find(graph, term_args(graph->terms, transpose)[0]);
    term_id node[EGRAPH_FUSE_FAN];
    uint32_t n = 0;
    if (perm.v == NO_ATTR.v)
        return;
    for (term_id term = class_first(graph, class); term.v != NO_TERM.v && n < EGRAPH_FUSE_FAN;
         term = class_next(graph, class, term))
        if (op_is_elementwise(term_op(graph->terms, term)))
            node[n++] = term;
    for (uint32_t i = 0; i < n; i++)
        turn(graph, node[i], perm_inverse(pool, perm), true);
}
