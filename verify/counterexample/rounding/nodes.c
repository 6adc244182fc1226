// SPDX-License-Identifier: Apache-2.0
#include "verify/counterexample/rounding/nodes.h"

#include <math.h>

const struct term *nodes_term(const struct cex_nodes *nodes, uint32_t at)
{
    return term_at(&nodes->evaluator->terms, nodes->plan->node.at[at]);
}

uint32_t nodes_place(const struct cex_nodes *nodes, term_id id)
{
    return eval_plan_place(nodes->plan, id);
}

uint32_t nodes_operand(const struct cex_nodes *nodes, uint32_t at, uint32_t k)
{
    return nodes_place(nodes, term_args(&nodes->evaluator->terms, nodes->plan->node.at[at])[k]);
}

enum elem nodes_elem(const struct cex_nodes *nodes, uint32_t at)
{
    return type_elem(&nodes->evaluator->pool, nodes->plan->value.at[at].type);
}

int64_t nodes_count(const struct cex_nodes *nodes, uint32_t at)
{
    return type_count(&nodes->evaluator->pool, nodes->plan->value.at[at].type);
}

double nodes_element(const struct cex_nodes *nodes, uint32_t at, int64_t i)
{
    const struct value *value = &nodes->plan->value.at[at];
    enum elem elem = type_elem(&nodes->evaluator->pool, value->type);
    bool one = type_rank(&nodes->evaluator->pool, value->type) == 0;
    return scalar_to_double(elem, scalar_load(elem, value->data, one ? 0 : (size_t)i));
}

double nodes_most(const struct cex_nodes *nodes, uint32_t at)
{
    double most = 0;
    for (int64_t i = 0; i < nodes_count(nodes, at); i++) {
        double x = fabs(nodes_element(nodes, at, i));
        most = isfinite(x) ? fmax(most, x) : most;
    }
    return most;
}

enum op nodes_reducer(const struct cex_nodes *nodes, uint32_t at, bool *products)
{
    const struct term *node = nodes_term(nodes, at);
    *products = op_info((enum op)node->op)->flow == FLOW_SUM;
    if (*products)
        return OP_ADD;
    if (!op_has_reducer((enum op)node->op))
        return N_OPS;
    enum op reducer = (enum op)attr_at(&nodes->evaluator->pool, node->attr)[0];
    return op_facts(reducer)->accuracy == ACCURACY_ROUNDED ? reducer : N_OPS;
}

bool nodes_is_move(const struct cex_nodes *nodes, uint32_t at)
{
    enum op op = (enum op)nodes_term(nodes, at)->op;
    return !op_is_elementwise(op) && (op_only_moves(op) || op_has_reducer(op));
}
