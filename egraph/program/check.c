// SPDX-License-Identifier: Apache-2.0
// The invariants of graph.h, over those of cc.h.
#include "egraph/program/core.h"
#include "egraph/program/egraph.h"

static bool bad(struct err *err, const char *rule, uint32_t id)
{
    return err_set(err, ERR_CHECK, "e-graph: %s is broken at %u", rule, id);
}

static bool has_key(const struct egraph *graph, uint32_t op, const struct term *node)
{
    const struct operation *key = &graph->key.at[op];
    return op < graph->key.len && key->op == (enum op)node->op && key->attr.v == node->attr.v &&
           key->type.v == node->type.v && key->n == node->n_args &&
           graph->cc.op.at[op].arity == key->n;
}

// E1 and E2.
static bool check_node(const struct egraph *graph, uint32_t i, struct err *err)
{
    uint32_t t = graph->node.at[i].term;
    if (t >= graph->node_of.len || graph->node_of.at[t] != i || graph->cc.class_.at[i].founder != i)
        return bad(err, "E1 (term of a node)", i);
    const struct term *node = term_at(graph->terms, (term_id){t});
    if (!has_key(graph, graph->cc.node.at[i].op & CC_OP, node))
        return bad(err, "E1 (operator)", i);
    const term_id *args = term_args(graph->terms, (term_id){t});
    for (uint32_t k = 0; k < node->n_args; k++) {
        if (!egraph_known(graph, args[k]) || egraph_node(graph, args[k]) >= i)
            return bad(err, "E1 (argument not older)", i);
        uint32_t c = cc_args(&graph->cc, i)[k];
        if (node_live(graph, i) && egraph_root(graph, egraph_node(graph, args[k])) != c)
            return bad(err, "E2", i);
    }
    return true;
}

// E3.
static bool check_class(const struct egraph *graph, uint32_t i, struct err *err)
{
    uint32_t root = egraph_root(graph, i);
    const struct class_data *data = &graph->class_.at[root];
    if (term_type(graph->terms, node_term(graph, i)).v !=
        term_type(graph->terms, node_term(graph, root)).v)
        return bad(err, "E3 (types)", i);
    if (i < data->oldest)
        return bad(err, "E3 (oldest)", i);
    if (i != root)
        return true;
    if (data->oldest >= graph->node.len || egraph_root(graph, data->oldest) != i ||
        !node_live(graph, data->oldest))
        return bad(err, "E3 (oldest)", i);
    if (data->constant.v != NO_TERM.v &&
        (!egraph_known(graph, data->constant) ||
         egraph_root(graph, egraph_node(graph, data->constant)) != i ||
         term_op(graph->terms, data->constant) != OP_CONSTANT))
        return bad(err, "E3 (constant)", i);
    return true;
}

static bool check_keys(const struct egraph *graph, struct err *err)
{
    for (uint32_t i = 0; i < graph->key.len; i++) {
        uint32_t op;
        if (!egraph_operator(graph, graph->key.at[i], &op) || op != i)
            return bad(err, "E1 (key)", i);
    }
    return true;
}

bool egraph_check(const struct egraph *graph, struct err *err)
{
    if (!graph->closed)
        return err_set(err, ERR_CHECK, "e-graph: not closed");
    uint32_t n = graph->node.len, known = 0;
    if (graph->cc.node.len != n || graph->cc.class_.len != n || graph->class_.len != n ||
        graph->key.len != graph->cc.op.len)
        return bad(err, "E1 (counts)", n);
    for (uint32_t t = 0; t < graph->node_of.len; t++)
        known += graph->node_of.at[t] != NO_NODE;
    if (known != n)
        return bad(err, "E1 (terms)", known);
    if (!cc_check(&graph->cc, err) || !check_keys(graph, err))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!check_node(graph, i, err) || !check_class(graph, i, err))
            return false;
    return true;
}
