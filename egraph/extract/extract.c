// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/extract.h"

#include "egraph/extract/exact/exact.h"
#include "egraph/extract/dag/dag.h"
#include "egraph/extract/tree/tree.h"

#include <math.h>
#include <stdlib.h>

// The classes that the roots can reach as a problem: problem class `i` is class
// root[i] of the graph, its node `n` the term node[n].
struct reached_part {
    struct egraph *g;
    struct problem p;
    struct u32_vec root, node;
    uint32_t *pos; // class -> problem class + 1
};

static uint32_t position(struct reached_part *v, term_id t)
{
    class_id c = egraph_find(v->g, t);
    if (v->pos[c.v] == 0) {
        vec_push(&v->root, c.v);
        v->pos[c.v] = v->root.len;
    }
    return v->pos[c.v] - 1;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool view_node(struct reached_part *v, const struct cost *cost, uint32_t node,
                      struct err *e)
{
    const struct terms *terms = v->g->terms;
    term_id t = {node};
    double w = cost->node(cost, terms, t);
    if (!(w >= 0) || isinf(w))
        return err_set(e, ERR_INPUT, "cost model %s: cost %g of %s", cost->name,
                       w, op_name(term_op(terms, t)));
    vec_push(&v->p.cost, w);
    vec_push(&v->p.child_at, v->p.child.len);
    for (uint32_t k = 0; k < term_at(terms, t)->n_args; k++)
        vec_push(&v->p.child, position(v, term_args(terms, t)[k]));
    return true;
}

// Nodes of a class by id: among equals the methods take the first.
static bool view_init(struct reached_part *v, struct egraph *g, const struct cost *cost,
                      uint32_t n, const term_id *roots, struct err *e)
{
    *v = (struct reached_part){.g = g};
    v->pos = mem_alloc(((size_t)g->node.len + 1) * sizeof *v->pos);
    for (uint32_t i = 0; i < n; i++) {
        if (!egraph_known(g, roots[i]))
            return err_set(e, ERR_CHECK, "extraction of unknown term %u",
                           roots[i].v);
        vec_push(&v->p.root, position(v, roots[i]));
    }
    for (uint32_t i = 0; i < v->root.len; i++) { // grows
        class_id c = {v->root.at[i]};
        uint32_t from = v->node.len;
        vec_push(&v->p.node_at, from);
        for (term_id t = class_first(g, c); t.v != NO_TERM.v;
             t = class_next(g, c, t))
            vec_push(&v->node, t.v);
        if (v->node.len > from)
            qsort(v->node.at + from, v->node.len - from, sizeof(uint32_t),
                  by_id);
        for (uint32_t k = from; k < v->node.len; k++)
            if (!view_node(v, cost, v->node.at[k], e))
                return false;
    }
    v->p.n_classes = v->root.len;
    v->p.n_nodes = v->node.len;
    vec_push(&v->p.node_at, v->p.n_nodes);
    vec_push(&v->p.child_at, v->p.child.len);
    return problem_check(&v->p, e);
}

static void view_release(struct reached_part *v)
{
    problem_release(&v->p);
    vec_release(&v->root);
    vec_release(&v->node);
    mem_free(v->pos);
}

// Result terms, arguments first; out[i] = that of root i.
static void build(struct reached_part *v, const struct solution *s,
                  struct extraction *x, term_id *out)
{
    struct egraph *g = v->g;
    term_id *made = mem_alloc(((size_t)v->p.n_classes + 1) * sizeof *made);
    VEC(term_id) args = {0};
    struct u32_vec order = {0};
    solution_order(&v->p, s, &order);
    for (uint32_t i = 0; i < order.len; i++) {
        uint32_t c = order.at[i], n = s->node[c];
        term_id t = {v->node.at[n]};
        struct term m = *term_at(g->terms, t);
        vec_clear(&args);
        for (uint32_t k = v->p.child_at.at[n]; k < v->p.child_at.at[n + 1]; k++)
            vec_push(&args, made[v->p.child.at[k]]);
        made[c] = term_make(g->terms, (enum op)m.op, m.attr, m.type, m.n_args,
                            args.at);
        vec_push(&x->at, ((struct extracted){{v->root.at[c]}, t, made[c]}));
    }
    for (uint32_t i = 0; i < x->at.len; i++)
        egraph_add_term(g, x->at.at[i].term);
    for (uint32_t i = 0; i < v->p.root.len; i++)
        out[i] = made[v->p.root.at[i]];
    vec_release(&order);
    vec_release(&args);
    mem_free(made);
}

static bool solve(enum extract_method m, const struct problem *p,
                  struct solution *s, struct err *e)
{
    struct solution start = {0};
    bool late, ok;
    solution_init(s, p);
    if (m == EXTRACT_TREE)
        return tree_solve(p, s, e);
    ok = dag_solve(p, INFINITY, s, &late, e);
    if (!ok || m == EXTRACT_DAG)
        return ok;
    start = *s;
    *s = (struct solution){0};
    ok = solution_check(p, &start, e) &&
         solve_exact(p, EXACT_SECONDS, &start, s, e);
    solution_release(&start);
    return ok;
}

bool extract(struct egraph *g, const struct cost *c, enum extract_method m,
             uint32_t n_roots, const term_id *roots, term_id *out,
             struct extraction *x, struct err *e)
{
    struct reached_part v;
    struct solution s = {0};
    *x = (struct extraction){0};
    if (!g->closed)
        return err_set(e, ERR_CHECK, "extraction needs a closed e-graph");
    bool ok = view_init(&v, g, c, n_roots, roots, e);
    ok = ok && solve(m, &v.p, &s, e);
    if (ok) {
        struct err wrong = {0};
        if (!solution_check(&v.p, &s, &wrong))
            BUG("extraction gave no solution: %s", wrong.msg);
        build(&v, &s, x, out);
        x->proved = s.optimal;
        x->dag_cost = terms_cost_dag(g->terms, c, n_roots, out);
        x->tree_cost = terms_cost_tree(g->terms, c, n_roots, out);
        egraph_rebuild(g);
    }
    solution_release(&s);
    view_release(&v);
    return ok;
}

void extraction_release(struct extraction *x)
{
    vec_release(&x->at);
}
