// SPDX-License-Identifier: Apache-2.0
// The invariants of egraph.h.
#include "egraph/core.h"
#include "egraph/egraph.h"

static bool bad(struct err *e, const char *rule, uint32_t id)
{
    return err_set(e, ERR_CHECK, "e-graph: %s is broken at %u", rule, id);
}

static bool is_live(const struct egraph *g, uint32_t i)
{
    return (g->node.at[i].flags & NODE_LIVE) != 0;
}

static bool is_known(const struct egraph *g, uint32_t i)
{
    return (g->node.at[i].flags & NODE_KNOWN) != 0;
}

static bool congruent(const struct egraph *g, uint32_t a, uint32_t b)
{
    const struct term *x = &g->terms->term.at[a], *y = &g->terms->term.at[b];
    if (x->op != y->op || x->attr.v != y->attr.v || x->type.v != y->type.v ||
        x->n_args != y->n_args)
        return false;
    for (uint32_t i = 0; i < x->n_args; i++)
        if (uf_root(&g->uf, g->terms->args.at[x->args_at + i].v).v !=
            uf_root(&g->uf, g->terms->args.at[y->args_at + i].v).v)
            return false;
    return true;
}

static uint32_t hash_of(const struct egraph *g, uint32_t i)
{
    const struct term *m = &g->terms->term.at[i];
    return egraph_hash(g, (enum op)m->op, m->attr, m->type, m->n_args,
                       m->n_args == 0 ? NULL : g->terms->args.at + m->args_at);
}

// I2 and I3: every known term finds exactly one live node, in its own class,
// and a live node finds itself.
static bool check_table(const struct egraph *g, struct err *e)
{
    uint32_t full = 0;
    for (uint32_t s = 0; s < g->slot.len; s++) {
        full += g->slot.at[s] != 0;
        if (g->slot.at[s] != 0 && !is_live(g, g->slot.at[s] - 1))
            return bad(e, "I2 (dead node in the table)", g->slot.at[s] - 1);
    }
    if (full != g->n_nodes)
        return bad(e, "I2 (count)", full);
    for (uint32_t i = 0; i < g->node.len; i++) {
        if (!is_known(g, i))
            continue;
        uint32_t h = hash_of(g, i), mask = g->slot.len - 1, found = 0;
        if (is_live(g, i) && g->node.at[i].hash != h)
            return bad(e, "I2 (stale hash)", i);
        for (uint32_t s = h & mask; g->slot.at[s] != 0; s = (s + 1) & mask) {
            uint32_t n = g->slot.at[s] - 1;
            if (!congruent(g, i, n))
                continue;
            found++;
            if (uf_root(&g->uf, n).v != uf_root(&g->uf, i).v)
                return bad(e, "I3 (congruent, two classes)", i);
            if (is_live(g, i) && n != i)
                return bad(e, "I3 (two live nodes)", i);
        }
        if (found != 1)
            return bad(e, "I2 (not found once)", i);
    }
    return true;
}

// I4.  Each live node is met once because the rings have the right lengths and
// hold only nodes of their class.
static bool check_rings(const struct egraph *g, struct err *e)
{
    uint32_t classes = 0, live = 0, known = 0;
    for (uint32_t i = 0; i < g->node.len; i++) {
        if (!is_known(g, i))
            continue;
        uint32_t root = uf_root(&g->uf, i).v;
        known++;
        if (g->terms->term.at[i].type.v != g->terms->term.at[root].type.v)
            return bad(e, "I4 (types)", i);
        if (root != i)
            continue;
        classes++;
        if (!is_live(g, i))
            return bad(e, "I4 (dead root)", i);
        uint32_t n = 0, at = i;
        do {
            if (!is_live(g, at) || uf_root(&g->uf, at).v != i ||
                g->node.at[g->node.at[at].next].prev != at)
                return bad(e, "I4 (ring)", at);
            at = g->node.at[at].next;
            n++;
        } while (at != i && n <= g->n_nodes);
        if (n != g->class_.at[i].n_live)
            return bad(e, "I4 (ring length)", i);
        live += n;
    }
    if (classes != g->n_classes || known != g->n_known || live != g->n_nodes)
        return bad(e, "I4 (counts)", classes);
    for (uint32_t i = 0; i < g->node.len; i++)
        live -= is_live(g, i);
    return live == 0 || bad(e, "I4 (live nodes on no ring)", live);
}

// I5, with one mark per node: the last class whose list names it.
static bool check_parents(const struct egraph *g, uint32_t *mark, struct err *e)
{
    struct u32_vec want = {0}; // live nodes and their argument classes
    for (uint32_t i = 0; i < g->node.len; i++) {
        const struct term *m = &g->terms->term.at[i];
        if (is_live(g, i))
            for (uint32_t k = 0; k < m->n_args; k++) {
                vec_push(&want, i);
                vec_push(
                    &want,
                    uf_root(&g->uf, g->terms->args.at[m->args_at + k].v).v);
            }
    }
    // Counting sort by class, then one walk over each list.
    uint32_t n = g->node.len, half = want.len / 2;
    uint32_t *start = mem_alloc((n + 2) * sizeof *start);
    uint32_t *node = mem_alloc((half + 1) * sizeof *node);
    for (uint32_t k = 0; k < half; k++)
        start[want.at[2 * k + 1] + 2]++;
    for (uint32_t c = 0; c < n; c++)
        start[c + 2] += start[c + 1];
    for (uint32_t k = 0; k < half; k++)
        node[start[want.at[2 * k + 1] + 1]++] = want.at[2 * k];
    bool ok = true;
    for (uint32_t c = 0; c < n && ok; c++) {
        if (start[c] == start[c + 1])
            continue;
        uint32_t steps = 0;
        for (uint32_t i = g->class_.at[c].parents; i != NO_EDGE && ok;
             i = g->edge.at[i].next) {
            mark[g->edge.at[i].node] = c + 1;
            ok = ++steps <= g->class_.at[c].n_parents;
        }
        for (uint32_t k = start[c]; k < start[c + 1] && ok; k++)
            ok = mark[node[k]] == c + 1;
        if (!ok)
            bad(e, "I5 (parent list)", c);
    }
    mem_free(start);
    mem_free(node);
    vec_release(&want);
    return ok;
}

static bool check_reason(const struct egraph *g, const struct forest_edge *fe,
                         struct err *e)
{
    switch (fe->why.kind) {
    case REASON_CONG:
        return congruent(g, fe->a.v, fe->b.v) ||
               bad(e, "I6 (not congruent)", fe->a.v);
    case REASON_FOLD:
        return term_op(g->terms, fe->b) == OP_CONSTANT ||
               bad(e, "I6 (fold to no constant)", fe->a.v);
    case REASON_LAYOUT:
    case REASON_RULE:
        return true;
    }
    return bad(e, "I6 (reason)", fe->a.v);
}

// I6.  A forest with (terms - classes) edges, none of which leaves a class,
// spans every class.
static bool check_forest(const struct egraph *g, uint32_t *mark, struct err *e)
{
    const struct forest *f = &g->forest;
    if (f->edge.len != g->n_known - g->n_classes)
        return bad(e, "I6 (number of edges)", f->edge.len);
    uint32_t n_up = 0;
    for (uint32_t i = 0; i < g->node.len; i++) {
        uint32_t up = f->up.at[i], link = f->link.at[i];
        if (up == i)
            continue;
        n_up++;
        if (link >= f->edge.len)
            return bad(e, "I6 (link)", i);
        const struct forest_edge *fe = &f->edge.at[link];
        if (!(fe->a.v == i && fe->b.v == up) &&
            !(fe->b.v == i && fe->a.v == up))
            return bad(e, "I6 (edge of other terms)", i);
        if (uf_root(&g->uf, i).v != uf_root(&g->uf, up).v)
            return bad(e, "I6 (edge between classes)", i);
        if (!check_reason(g, fe, e))
            return false;
    }
    if (n_up != f->edge.len)
        return bad(e, "I6 (edges in use)", n_up);
    // Walks upwards stop at a root or at a term that an earlier walk passed;
    // meeting one's own walk is a cycle.
    for (uint32_t i = 0; i < g->node.len; i++) {
        uint32_t at = i;
        while (mark[at] == 0 && f->up.at[at] != at) {
            mark[at] = i + 1;
            at = f->up.at[at];
            if (mark[at] == i + 1)
                return bad(e, "I6 (cycle)", i);
        }
        if (mark[at] == 0)
            mark[at] = i + 1;
    }
    return true;
}

bool egraph_check(const struct egraph *g, struct err *e)
{
    if (!g->closed)
        return err_set(e, ERR_CHECK, "e-graph: not closed");
    if (!uf_check(&g->uf, e))
        return false;
    uint32_t *mark = mem_alloc((g->node.len + 1) * sizeof *mark);
    bool ok =
        check_rings(g, e) && check_table(g, e) && check_parents(g, mark, e);
    memset(mark, 0, g->node.len * sizeof *mark);
    ok = ok && check_forest(g, mark, e);
    mem_free(mark);
    return ok;
}
