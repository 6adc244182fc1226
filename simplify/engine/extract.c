// SPDX-License-Identifier: Apache-2.0
// The graph as a problem of extraction, and the terms that cost least.
#include "simplify/engine/core.h"

#include "simplify/limits.h"

#include <math.h>

// Costs

// A term with the name and number of arguments of the node, for its cost.
static fterm sample(struct engine *engine, uint32_t node)
{
    uint32_t len, n = cc_arity(&engine->graph, node);
    const char *name = plain_op_name(&engine->rules, engine->graph.node.at[node].op & CC_OP, &len);
    fterm none = fterm_make(engine->terms, "?", 0, NULL);
    fterm *args = mem_alloc((n + 1u) * sizeof *args);
    for (uint32_t i = 0; i < n; i++)
        args[i] = none;
    fterm out = fterm_make_n(engine->terms, name, len, n, args);
    mem_free(args);
    return out;
}

static fterm leaf_of(struct engine *engine, uint32_t op)
{
    uint32_t len;
    const char *name = plain_op_name(&engine->rules, op, &len);
    return fterm_make_n(engine->terms, name, len, 0, NULL);
}

// Of several arguments, some of which are numbers: with these as arguments, and
// `?` for what is no number.
static double cost_with_numbers(struct engine *engine, uint32_t node, double plain)
{
    struct cc *graph = &engine->graph;
    uint32_t n = cc_arity(graph, node), len;
    bool any = false;
    for (uint32_t k = 0; k < n; k++)
        any |= reals_has_value(&engine->reals, cc_find(graph, cc_args(graph, node)[k]));
    if (!any)
        return plain;
    fterm *args = mem_alloc(n * sizeof *args);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t of = cc_find(graph, cc_args(graph, node)[k]);
        args[k] = reals_has_value(&engine->reals, of)
                      ? leaf_of(engine, engine->reals.class_.at[of].value)
                      : fterm_make(engine->terms, "?", 0, NULL);
    }
    const char *name = plain_op_name(&engine->rules, graph->node.at[node].op & CC_OP, &len);
    fterm sample = fterm_make_n(engine->terms, name, len, n, args);
    mem_free(args);
    return engine->options->cost(engine->options->ctx, engine->terms, sample);
}

// That of a size, and of a sum of what is a number, depends on whose axes they
// are: with these as arguments, and `?` for what is no number.
static double plain_cost(struct engine *engine, uint32_t node, const double *cost)
{
    struct cc *graph = &engine->graph;
    uint32_t n = cc_arity(graph, node);
    if (n == 0)
        return cost[graph->node.at[node].op & CC_OP];
    if (n > 2)
        return cost_with_numbers(engine, node, cost[graph->node.at[node].op & CC_OP]);
    uint32_t set = cc_find(graph, cc_args(graph, node)[0]), len;
    set = graph->node.at[graph->class_.at[set].founder].op & CC_OP;
    const char *name = plain_op_name(&engine->rules, set, &len);
    if (!fname_is_axes(name, len))
        return n == 1 ? cost[graph->node.at[node].op & CC_OP]
                      : cost_with_numbers(engine, node, cost[graph->node.at[node].op & CC_OP]);
    fterm args[2] = {leaf_of(engine, set), fterm_make(engine->terms, "?", 0, NULL)};
    uint32_t of = n == 2 ? cc_find(graph, cc_args(graph, node)[1]) : 0;
    if (n == 2 && reals_has_value(&engine->reals, of))
        args[1] = leaf_of(engine, engine->reals.class_.at[of].value);
    name = plain_op_name(&engine->rules, graph->node.at[node].op & CC_OP, &len);
    return engine->options->cost(engine->options->ctx, engine->terms,
                                 fterm_make_n(engine->terms, name, len, n, args));
}

static const double OLDER = 1e-11;

static void add_nodes(struct engine *engine, uint32_t cls, const double *cost, const bool *by_age)
{
    struct problem *problem = &engine->problem;
    uint32_t first = engine->graph.class_.at[cls].member, m = first;
    vec_push(&problem->node_at, problem->n_nodes);
    do {
        uint32_t op = engine->graph.node.at[m].op;
        if (!(op & (CC_DEAD | CC_HIDDEN)) && isfinite(cost[op & CC_OP])) {
            vec_push(&problem->child_at, problem->child.len);
            double less = engine->kept[m] ? engine->options->familiar : 0;
            double age = by_age[op & CC_OP] ? OLDER * m : 0;
            vec_push(&engine->besides, engine_odd(engine, m) - less + age);
            vec_push(&problem->cost, plain_cost(engine, m, cost) + vec_last(&engine->besides));
            vec_push(&engine->problem_node, m);
            problem->n_nodes++;
            for (uint32_t k = 0; k < cc_arity(&engine->graph, m); k++) {
                uint32_t c = cc_find(&engine->graph, cc_args(&engine->graph, m)[k]);
                vec_push(&problem->child, engine->problem_class.at[c] - 1);
            }
        }
        m = engine->graph.next.at[m];
    } while (m != first);
}

static bool is_same(struct cc *graph, uint32_t a, uint32_t b)
{
    if (graph->node.at[b].op & (CC_DEAD | CC_HIDDEN) ||
        (graph->node.at[a].op & CC_OP) != (graph->node.at[b].op & CC_OP))
        return false;
    for (uint32_t k = 0; k < cc_arity(graph, a); k++)
        if (cc_find(graph, cc_args(graph, a)[k]) != cc_find(graph, cc_args(graph, b)[k]))
            return false;
    return true;
}

// The nodes that now stand for terms to be kept.
static void mark_kept(struct engine *engine)
{
    engine->kept = mem_alloc(engine->graph.node.len + 1u);
    memset(engine->kept, 0, engine->graph.node.len + 1u);
    for (fterm term = 0; engine->options->kept != NULL && term < engine->node_of.len; term++) {
        if (engine->node_of.at[term] == 0 || fterm_n(engine->terms, term) == 0 ||
            !engine->options->kept(engine->options->ctx, term))
            continue;
        uint32_t node = engine->node_of.at[term] - 1;
        uint32_t first = engine->graph.class_.at[cc_class(&engine->graph, node)].member;
        uint32_t m = first;
        do {
            engine->kept[m] |= is_same(&engine->graph, node, m);
            m = engine->graph.next.at[m];
        } while (m != first);
    }
}

void engine_fill_problem(struct engine *engine, uint32_t root)
{
    struct problem *problem = &engine->problem;
    mark_kept(engine);
    double *cost = mem_alloc((engine->graph.op.len + 1u) * sizeof *cost);
    bool *by_age = mem_alloc((engine->graph.op.len + 1u) * sizeof *by_age);
    for (uint32_t i = 0; i < engine->graph.op.len; i++)
        cost[i] = -1;
    for (uint32_t i = 0; i < engine->graph.node.len; i++) {
        uint32_t op = engine->graph.node.at[i].op & CC_OP;
        if (cost[op] < 0) {
            fterm like = sample(engine, i);
            cost[op] = engine->options->cost(engine->options->ctx, engine->terms, like);
            by_age[op] =
                engine->options->by_age != NULL && fterm_n(engine->terms, like) > 0 &&
                engine->options->by_age(engine->options->ctx, fterm_name(engine->terms, like));
        }
    }
    for (uint32_t c = 0; c < engine->graph.class_.len; c++) {
        bool there = cc_find(&engine->graph, c) == c;
        if (there)
            problem->n_classes++;
        vec_push(&engine->problem_class, there ? problem->n_classes : 0);
    }
    for (uint32_t c = 0; c < engine->graph.class_.len; c++)
        if (engine->problem_class.at[c] != 0)
            add_nodes(engine, c, cost, by_age);
    vec_push(&problem->node_at, problem->n_nodes);
    vec_push(&problem->child_at, problem->child.len);
    vec_push(&problem->root, engine->problem_class.at[cc_class(&engine->graph, root)] - 1);
    mem_free(cost);
    mem_free(by_age);
    mem_free(engine->kept);
    engine->kept = NULL;
}

// The chosen terms of the classes, as named terms.  `order`: classes, those beneath first.
static void build(struct engine *engine, const struct solution *solution,
                  const struct u32_vec *order)
{
    struct u32_vec arg = {0};
    vec_release(&engine->made);
    vec_zero(&engine->made, engine->problem.n_classes);
    for (uint32_t i = 0; i < order->len; i++) {
        uint32_t c = order->at[i], n = solution->node[c], len;
        uint32_t op = engine->graph.node.at[engine->problem_node.at[n]].op & CC_OP;
        vec_clear(&arg);
        for (uint32_t k = engine->problem.child_at.at[n]; k < engine->problem.child_at.at[n + 1];
             k++)
            vec_push(&arg, engine->made.at[engine->problem.child.at[k]] - 1);
        const char *name = plain_op_name(&engine->rules, op, &len);
        engine->made.at[c] = fterm_make_n(engine->terms, name, len, arg.len, arg.at) + 1;
    }
    vec_release(&arg);
}

// Solutions

// Below all differences of costs that mean something.
static const double LEAST_RISE = 1e-9;

// The price of the chosen term.  What a node costs with the arguments that are chosen for it may be
// more than what it costs with any: then the problem learns of it, and `raised` is true.
static double price_terms(struct engine *engine, const struct solution *solution,
                          const struct u32_vec *order, bool *raised)
{
    struct problem *problem = &engine->problem;
    double *price = mem_alloc((problem->n_classes + 1u) * sizeof *price), out;
    *raised = false;
    for (uint32_t i = 0; i < order->len; i++) {
        uint32_t c = order->at[i], n = solution->node[c];
        double own =
            engine->options->cost(engine->options->ctx, engine->terms, engine->made.at[c] - 1) +
            engine->besides.at[n];
        if (own > problem->cost.at[n] + LEAST_RISE) {
            problem->cost.at[n] = own;
            *raised = true;
        }
        price[c] = own;
        for (uint32_t k = problem->child_at.at[n]; k < problem->child_at.at[n + 1]; k++)
            price[c] += price[problem->child.at[k]];
    }
    out = price[problem->root.at[0]];
    mem_free(price);
    return out;
}

static bool solve_once(struct engine *engine, struct solution *solution, struct u32_vec *order,
                       struct err *err)
{
    solution_init(solution, &engine->problem);
    if (!tree_solve(&engine->problem, solution, err) ||
        !solution_check(&engine->problem, solution, err))
        return false;
    vec_clear(order);
    solution_order(&engine->problem, solution, order);
    build(engine, solution, order);
    return true;
}

// The cheapest of a few solutions, each of which knows what the terms of those before it cost.
bool engine_solve(struct engine *engine, struct solution *best, struct u32_vec *order,
                  struct err *err)
{
    bool raised = true;
    if (!solve_once(engine, best, order, err))
        return false;
    double least = price_terms(engine, best, order, &raised);
    for (uint32_t tries = 1; raised && tries < SIMPLIFY_PRICED_TRIES; tries++) {
        struct solution other;
        bool ok = solve_once(engine, &other, order, err);
        double price = ok ? price_terms(engine, &other, order, &raised) : least;
        if (price < least) {
            struct solution worse = *best;
            *best = other;
            other = worse;
            least = price;
        }
        solution_release(&other);
        if (!ok)
            return false;
    }
    vec_clear(order);
    solution_order(&engine->problem, best, order);
    build(engine, best, order);
    return true;
}
