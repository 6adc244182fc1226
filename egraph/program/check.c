// SPDX-License-Identifier: Apache-2.0
// The invariants of graph.h, over those of cc.h.
#include "egraph/program/core.h"
#include "egraph/program/egraph.h"

static bool bad(struct err *e, const char *rule, uint32_t id)
{
    return err_set(e, ERR_CHECK, "e-graph: %s is broken at %u", rule, id);
}

static bool has_key(const struct egraph *g, uint32_t op, const struct term *m)
{
    const struct op_key *k = &g->key.at[op];
    return op < g->key.len && k->op == (enum op)m->op &&
           k->attr.v == m->attr.v && k->type.v == m->type.v &&
           k->n == m->n_args && g->cc.op.at[op].arity == k->n;
}

// E1 and E2.
static bool check_node(const struct egraph *g, uint32_t i, struct err *e)
{
    uint32_t t = g->node.at[i].term;
    if (t >= g->node_of.len || g->node_of.at[t] != i ||
        g->cc.class_.at[i].founder != i)
        return bad(e, "E1 (term of a node)", i);
    const struct term *m = term_at(g->terms, (term_id){t});
    if (!has_key(g, g->cc.node.at[i].op & CC_OP, m))
        return bad(e, "E1 (operator)", i);
    const term_id *args = term_args(g->terms, (term_id){t});
    for (uint32_t k = 0; k < m->n_args; k++) {
        if (!egraph_known(g, args[k]) || egraph_node(g, args[k]) >= i)
            return bad(e, "E1 (argument not older)", i);
        uint32_t c = cc_args(&g->cc, i)[k];
        if (node_live(g, i) && egraph_root(g, egraph_node(g, args[k])) != c)
            return bad(e, "E2", i);
    }
    return true;
}

// E3.
static bool check_class(const struct egraph *g, uint32_t i, struct err *e)
{
    uint32_t root = egraph_root(g, i);
    const struct class_data *d = &g->class_.at[root];
    if (term_type(g->terms, node_term(g, i)).v !=
        term_type(g->terms, node_term(g, root)).v)
        return bad(e, "E3 (types)", i);
    if (i < d->oldest)
        return bad(e, "E3 (oldest)", i);
    if (i != root)
        return true;
    if (d->oldest >= g->node.len || egraph_root(g, d->oldest) != i ||
        !node_live(g, d->oldest))
        return bad(e, "E3 (oldest)", i);
    if (d->constant.v != NO_TERM.v &&
        (!egraph_known(g, d->constant) ||
         egraph_root(g, egraph_node(g, d->constant)) != i ||
         term_op(g->terms, d->constant) != OP_CONSTANT))
        return bad(e, "E3 (constant)", i);
    return true;
}

static bool check_keys(const struct egraph *g, struct err *e)
{
    for (uint32_t i = 0; i < g->key.len; i++) {
        uint32_t op;
        if (!egraph_operator(g, g->key.at[i], &op) || op != i)
            return bad(e, "E1 (key)", i);
    }
    return true;
}

bool egraph_check(const struct egraph *g, struct err *e)
{
    if (!g->closed)
        return err_set(e, ERR_CHECK, "e-graph: not closed");
    uint32_t n = g->node.len, known = 0;
    if (g->cc.node.len != n || g->cc.class_.len != n || g->class_.len != n ||
        g->key.len != g->cc.op.len)
        return bad(e, "E1 (counts)", n);
    for (uint32_t t = 0; t < g->node_of.len; t++)
        known += g->node_of.at[t] != NO_NODE;
    if (known != n)
        return bad(e, "E1 (terms)", known);
    if (!cc_check(&g->cc, e) || !check_keys(g, e))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!check_node(g, i, e) || !check_class(g, i, e))
            return false;
    return true;
}
