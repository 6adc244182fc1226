// SPDX-License-Identifier: Apache-2.0
// I6 of cc.h and W1 of why.h.
#include "egraph/why/core.h"

static bool bad(struct err *e, const char *what, uint32_t id)
{
    return err_set(e, ERR_CHECK, "e-graph: I6: %s at %u", what, id);
}

// Trees of the forest and classes are the same parts.
static bool check_trees(const struct why *w, uint32_t *tree, uint32_t *cls,
                        struct err *e)
{
    memset(tree, 0xff, w->g->class_.len * sizeof *tree);
    memset(cls, 0xff, w->n_nodes * sizeof *cls);
    for (uint32_t i = 0; i < w->n_nodes; i++) {
        uint32_t c = cc_class(w->g, i), t = i, steps = 0;
        for (; w->up.at[t] != t; t = w->up.at[t])
            if (steps++ > w->n_nodes)
                return bad(e, "a tree with a cycle", i);
        if (tree[c] == CC_NONE)
            tree[c] = t;
        if (cls[t] == CC_NONE)
            cls[t] = c;
        if (tree[c] != t)
            return bad(e, "no reason why a node is in its class", i);
        if (cls[t] != c)
            return bad(e, "a reason that joins two classes", i);
    }
    return true;
}

// The arguments of congruent nodes were equal before.
static bool check_congruence(const struct why *w, uint32_t entry, struct err *e)
{
    const struct why_entry *x = &w->entry.at[entry];
    const struct cc *g = w->g;
    if (((g->node.at[x->l].op ^ g->node.at[x->r].op) & CC_OP) != 0)
        return bad(e, "congruence of two operators", entry);
    for (uint32_t k = 0; k < cc_arity(g, x->l); k++) {
        uint32_t a = why_kid(w, x->l, k), b = why_kid(w, x->r, k);
        if (a != b && why_joined(w, a, b) >= entry)
            return bad(e, "congruence before its arguments are equal", entry);
    }
    return true;
}

bool why_check(const struct why *w, struct err *e)
{
    if (w->at != w->g->journal.len || w->n_nodes != w->g->node.len)
        return bad(e, "a journal that is not read to its end", w->n_nodes);
    uint32_t *tree = mem_alloc((w->g->class_.len + 1) * sizeof *tree);
    uint32_t *cls = mem_alloc((w->n_nodes + 1) * sizeof *cls);
    bool ok = check_trees(w, tree, cls, e);
    mem_free(tree);
    mem_free(cls);
    for (uint32_t i = 0; i < w->n_nodes && ok; i++)
        for (uint32_t k = 0; k < cc_arity(w->g, i) && ok; k++)
            if (cc_class(w->g, why_kid(w, i, k)) !=
                cc_find(w->g, cc_args(w->g, i)[k]))
                ok = bad(e, "a first argument in another class", i);
    for (uint32_t i = 0; i < w->entry.len && ok; i++) {
        const struct why_entry *x = &w->entry.at[i];
        if (cc_class(w->g, x->l) != cc_class(w->g, x->r))
            ok = bad(e, "an entry for nodes of two classes", i);
        else if (x->kind == JOURNAL_CONGRUENCE)
            ok = check_congruence(w, i, e);
    }
    return ok;
}
