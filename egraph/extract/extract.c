// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/extract.h"

#include "egraph/extract/exact/exact.h"
#include "egraph/extract/dag/dag.h"
#include "egraph/extract/tree/tree.h"
#include "egraph/limits.h"
#include "egraph/program/constants.h"
#include "tensor/program/region.h"

#include <math.h>
#include <stdlib.h>

// A class in a scope.  Of a side effect: only the operations of that serial.
struct reached_class {
    uint32_t class, scope;
    int64_t serial;
    uint32_t next; // of the same class, + 1
};

// The classes that the roots can reach as a problem: problem class `i` is reached.at[i], its
// node `n` the term node[n].
struct reached_part {
    struct egraph *graph;
    const struct class_scopes *scopes;
    struct problem problem;
    VEC(struct reached_class) reached;
    struct u32_vec node;
    uint32_t *pos; // class -> list of its problem classes, + 1
};

// A side effect stays in its block, though its result may equal a term from outside.
static uint32_t position(struct reached_part *view, term_id term, uint32_t scope, int64_t serial)
{
    class_id class = egraph_find(view->graph, term);
    if (view->scopes == NULL)
        scope = SCOPE_CLOSED;
    else if (serial == 0)
        scope = class_scope(view->scopes, class, scope);
    for (uint32_t i = view->pos[class.v]; i != 0; i = view->reached.at[i - 1].next)
        if (view->reached.at[i - 1].scope == scope && view->reached.at[i - 1].serial == serial)
            return i - 1;
    struct reached_class reached = {class.v, scope, serial, view->pos[class.v]};
    vec_push(&view->reached, reached);
    view->pos[class.v] = view->reached.len;
    return view->reached.len - 1;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Can the node be chosen for the class?
static bool view_takes(const struct reached_part *view, const struct reached_class *reached,
                       term_id node)
{
    if (constant_is_left_out(view->graph, node))
        return false;
    if (reached->serial != 0 && term_serial(view->graph->terms, node) != reached->serial)
        return false;
    return view->scopes == NULL || node_in_scope(view->scopes, node, reached->scope);
}

static bool view_node(struct reached_part *view, const struct cost *cost, uint32_t node,
                      uint32_t scope, struct err *err)
{
    const struct terms *terms = view->graph->terms;
    term_id term = {node};
    double w = cost->node(cost, terms, term);
    if (!(w >= 0) || isinf(w))
        return err_set(err, ERR_INPUT, "cost model %s: cost %g of %s", cost->name, w,
                       op_name(term_op(terms, term)));
    vec_push(&view->problem.cost, w);
    vec_push(&view->problem.child_at, view->problem.child.len);
    for (uint32_t k = 0; k < term_at(terms, term)->n_args; k++) {
        term_id arg = term_args(terms, term)[k];
        bool effect = argument_role(terms, term, k).place == ARGUMENT_EFFECT;
        uint32_t at = position(view, arg, scope_inside(terms, term, k, scope),
                               effect ? term_serial(terms, arg) : 0);
        vec_push(&view->problem.child, at);
    }
    return true;
}

// Nodes of a class by id: among equals the methods take the first.  Large constants are
// no nodes of the problem.
static bool view_init(struct reached_part *view, struct egraph *graph,
                      const struct extract_request *request, struct err *err)
{
    *view = (struct reached_part){.graph = graph, .scopes = request->scopes};
    view->pos = mem_alloc(((size_t)graph->node.len + 1) * sizeof *view->pos);
    for (uint32_t i = 0; i < request->n_roots; i++) {
        term_id root = request->roots[i];
        if (!egraph_known(graph, root))
            return err_set(err, ERR_CHECK, "extraction of unknown term %u", root.v);
        bool effect = i >= request->n_roots - request->n_effects;
        vec_push(&view->problem.root, position(view, root, request->scope,
                                               effect ? term_serial(graph->terms, root) : 0));
    }
    for (uint32_t i = 0; i < view->reached.len; i++) { // grows
        struct reached_class reached = view->reached.at[i];
        class_id class = {reached.class};
        uint32_t from = view->node.len;
        vec_push(&view->problem.node_at, from);
        for (term_id term = class_first(graph, class); term.v != NO_TERM.v;
             term = class_next(graph, class, term))
            if (view_takes(view, &reached, term))
                vec_push(&view->node, term.v);
        if (view->node.len > from)
            qsort(view->node.at + from, view->node.len - from, sizeof(uint32_t), by_id);
        for (uint32_t k = from; k < view->node.len; k++)
            if (!view_node(view, request->model, view->node.at[k], reached.scope, err))
                return false;
    }
    view->problem.n_classes = view->reached.len;
    view->problem.n_nodes = view->node.len;
    vec_push(&view->problem.node_at, view->problem.n_nodes);
    vec_push(&view->problem.child_at, view->problem.child.len);
    return problem_check(&view->problem, err);
}

static void view_release(struct reached_part *view)
{
    problem_release(&view->problem);
    vec_release(&view->reached);
    vec_release(&view->node);
    mem_free(view->pos);
}

// A term that takes the place of a statement of the program stands where that stood.
static void settle(struct egraph *graph, class_id class, term_id made)
{
    struct terms *terms = graph->terms;
    if (made.v < terms->home.len && terms->home.at[made.v] != 0)
        return;
    for (term_id node = class_first(graph, class); node.v != NO_TERM.v;
         node = class_next(graph, class, node))
        if (node.v < terms->home.len && terms->home.at[node.v] != 0)
            term_settle(terms, made, terms->home.at[node.v] - 1);
}

// Result terms, arguments first; out[i] = that of root i.
static void build(struct reached_part *view, const struct solution *solution,
                  struct extraction *extraction, term_id *out)
{
    struct egraph *graph = view->graph;
    term_id *made = mem_alloc(((size_t)view->problem.n_classes + 1) * sizeof *made);
    VEC(term_id) args = {0};
    struct u32_vec order = {0};
    solution_order(&view->problem, solution, &order);
    for (uint32_t i = 0; i < order.len; i++) {
        uint32_t c = order.at[i], n = solution->node[c];
        term_id term = {view->node.at[n]};
        struct term node = *term_at(graph->terms, term);
        vec_clear(&args);
        for (uint32_t k = view->problem.child_at.at[n]; k < view->problem.child_at.at[n + 1]; k++)
            vec_push(&args, made[view->problem.child.at[k]]);
        made[c] =
            term_make(graph->terms, (enum op)node.op, node.attr, node.type, node.n_args, args.at);
        vec_push(&extraction->at, ((struct extracted){{view->reached.at[c].class}, term, made[c]}));
    }
    for (uint32_t i = 0; i < extraction->at.len; i++)
        settle(graph, extraction->at.at[i].root, extraction->at.at[i].term);
    for (uint32_t i = 0; i < extraction->at.len; i++)
        egraph_add_term(graph, extraction->at.at[i].term);
    for (uint32_t i = 0; i < view->problem.root.len; i++)
        out[i] = made[view->problem.root.at[i]];
    vec_release(&order);
    vec_release(&args);
    mem_free(made);
}

static bool solve(enum extract_method method, const struct problem *problem,
                  struct solution *solution, struct err *err)
{
    struct solution start = {0};
    bool late, ok;
    solution_init(solution, problem);
    if (method == EXTRACT_TREE)
        return tree_solve(problem, solution, err);
    ok = dag_solve(problem, INFINITY, solution, &late, err);
    if (!ok || method == EXTRACT_DAG)
        return ok;
    start = *solution;
    *solution = (struct solution){0};
    ok = solution_check(problem, &start, err) &&
         solve_exact(problem, INFINITY, &start, solution, err);
    solution_release(&start);
    return ok;
}

bool extract(struct egraph *graph, const struct extract_request *request, term_id *out,
             struct extraction *extraction, struct err *err)
{
    const struct cost *model = request->model;
    uint32_t n_roots = request->n_roots;
    struct reached_part view;
    struct solution solution = {0};
    *extraction = (struct extraction){0};
    if (!graph->closed)
        return err_set(err, ERR_CHECK, "extraction needs a closed e-graph");
    bool ok = view_init(&view, graph, request, err);
    ok = ok && solve(request->method, &view.problem, &solution, err);
    if (ok) {
        struct err wrong = {0};
        if (!solution_check(&view.problem, &solution, &wrong))
            BUG("extraction gave no solution: %s", wrong.msg);
        build(&view, &solution, extraction, out);
        extraction->proved = solution.optimal;
        extraction->dag_cost = terms_cost_dag(graph->terms, model, n_roots, out);
        extraction->tree_cost = terms_cost_tree(graph->terms, model, n_roots, out);
        egraph_rebuild(graph);
    }
    solution_release(&solution);
    view_release(&view);
    return ok;
}

void extraction_release(struct extraction *extraction)
{
    vec_release(&extraction->at);
}
