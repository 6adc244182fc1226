// SPDX-License-Identifier: Apache-2.0
// I6 of cc.h and W1 of why.h.
#include "egraph/why/core.h"

static bool bad(struct err *err, const char *what, uint32_t id)
{
    return err_set(err, ERR_CHECK, "e-graph: I6: %s at %u", what, id);
}

// Trees of the forest and classes are the same parts.
static bool check_trees(const struct why *why, uint32_t *tree, uint32_t *cls, struct err *err)
{
    memset(tree, 0xff, why->graph->class_.len * sizeof *tree);
    memset(cls, 0xff, why->n_nodes * sizeof *cls);
    for (uint32_t i = 0; i < why->n_nodes; i++) {
        uint32_t c = cc_class(why->graph, i), t = i, steps = 0;
        for (; why->up.at[t] != t; t = why->up.at[t])
            if (steps++ > why->n_nodes)
                return bad(err, "a tree with a cycle", i);
        if (tree[c] == CC_NONE)
            tree[c] = t;
        if (cls[t] == CC_NONE)
            cls[t] = c;
        if (tree[c] != t)
            return bad(err, "no reason why a node is in its class", i);
        if (cls[t] != c)
            return bad(err, "a reason that joins two classes", i);
    }
    return true;
}

// The arguments of congruent nodes were equal before.
static bool check_congruence(const struct why *why, uint32_t entry, struct err *err)
{
    const struct why_entry *x = &why->entry.at[entry];
    const struct cc *graph = why->graph;
    if (((graph->node.at[x->left].op ^ graph->node.at[x->right].op) & CC_OP) != 0)
        return bad(err, "congruence of two operators", entry);
    for (uint32_t k = 0; k < cc_arity(graph, x->left); k++) {
        uint32_t a = why_kid(why, x->left, k), b = why_kid(why, x->right, k);
        if (a != b && why_joined(why, a, b) >= entry)
            return bad(err, "congruence before its arguments are equal", entry);
    }
    return true;
}

bool why_check(const struct why *why, struct err *err)
{
    if (why->at != why->graph->journal.len || why->n_nodes != why->graph->node.len)
        return bad(err, "a journal that is not read to its end", why->n_nodes);
    uint32_t *tree = mem_alloc((why->graph->class_.len + 1) * sizeof *tree);
    uint32_t *cls = mem_alloc((why->n_nodes + 1) * sizeof *cls);
    bool ok = check_trees(why, tree, cls, err);
    mem_free(tree);
    mem_free(cls);
    for (uint32_t i = 0; i < why->n_nodes && ok; i++)
        for (uint32_t k = 0; k < cc_arity(why->graph, i) && ok; k++)
            if (cc_class(why->graph, why_kid(why, i, k)) !=
                cc_find(why->graph, cc_args(why->graph, i)[k]))
                ok = bad(err, "a first argument in another class", i);
    for (uint32_t i = 0; i < why->entry.len && ok; i++) {
        const struct why_entry *entry = &why->entry.at[i];
        if (cc_class(why->graph, entry->left) != cc_class(why->graph, entry->right))
            ok = bad(err, "an entry for nodes of two classes", i);
        else if (entry->kind == JOURNAL_CONGRUENCE)
            ok = check_congruence(why, i, err);
    }
    return ok;
}
