// SPDX-License-Identifier: Apache-2.0
// Sets of classes that cannot be left, and classes that cannot be missed.
//
// Follow the choices from a class r that is needed, always to a child in a set
// S around r.  Choices are acyclic, so that ends: at a node that has no child
// in S, or, where a class f outside is looked for too, at a node that needs f.
// So for any S around r and any f (or none)
//
//   y(r) <= y(f) + sum of the nodes of S without a child in S or f
//
// Which S is violated is a cut in a network: each node is an arc from its class
// to one of its children, with what is taken of it as capacity; f and nodes
// without children lead to the sink.
#include "egraph/extract/exact/lp.h"
#include "egraph/limits.h"

#include <math.h>

#define TAKEN 1e-7
#define SINK UINT32_MAX

struct flow_network {
    const struct lp *lp;
    struct u32_vec order;    // classes taken, by exact_core_order
    struct u32_vec at, node; // class: its nodes taken
    double *escape;          // per class: estimate of the part that gets around `outside`
    uint32_t outside;
    // per node: arc
    uint32_t *to, *next;
    double *flow;
    uint32_t *head;      // class: first arc that leads there
    uint32_t *seen, *by; // class: stamp, arc it was reached by
    bool *back;          // against the arc
    uint32_t stamp;
    double sunk; // flow from `outside` to the sink
    uint32_t *owner;
    struct sccs scc;
    struct u32_vec waiting;
    struct u32_vec user_at, user;
    uint32_t *leaves; // class: nodes without a child in the set
    uint32_t *left;   // node: stamp when it was found to have one
};

static double take_of(const struct flow_network *flow_network, uint32_t c)
{
    return flow_network->lp->take[lp_class(flow_network->lp, c)];
}

static void net_init(struct flow_network *flow_network, const struct lp *lp)
{
    const struct problem *problem = &lp->exact_core->problem;
    size_t classes = (size_t)problem->n_classes + 1, nodes = (size_t)problem->n_nodes + 1;
    *flow_network = (struct flow_network){.lp = lp,
                                          .escape = mem_alloc(sizeof(double) * classes),
                                          .to = mem_alloc(sizeof(uint32_t) * nodes),
                                          .next = mem_alloc(sizeof(uint32_t) * nodes),
                                          .flow = mem_alloc(sizeof(double) * nodes),
                                          .head = mem_alloc(sizeof(uint32_t) * classes),
                                          .seen = mem_alloc(sizeof(uint32_t) * classes),
                                          .by = mem_alloc(sizeof(uint32_t) * classes),
                                          .back = mem_alloc(classes),
                                          .owner = problem_owners(problem)};
    sccs_find(&flow_network->scc, problem, NULL, 0, NULL);
    flow_network->leaves = mem_alloc(sizeof(uint32_t) * classes);
    flow_network->left = mem_alloc(sizeof(uint32_t) * nodes);
    problem_users(problem, &flow_network->user_at, &flow_network->user);
    exact_core_order(problem, &flow_network->order);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < flow_network->order.len; k++)
        if (take_of(flow_network, flow_network->order.at[k]) > TAKEN)
            flow_network->order.at[kept++] = flow_network->order.at[k];
    flow_network->order.len = kept;
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        vec_push(&flow_network->at, flow_network->node.len);
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++)
            if (lp->take[n] > TAKEN)
                vec_push(&flow_network->node, n);
    }
    vec_push(&flow_network->at, flow_network->node.len);
}

static void net_release(struct flow_network *flow_network)
{
    vec_release(&flow_network->order);
    vec_release(&flow_network->at);
    vec_release(&flow_network->node);
    vec_release(&flow_network->waiting);
    mem_free(flow_network->escape);
    mem_free(flow_network->to);
    mem_free(flow_network->next);
    mem_free(flow_network->flow);
    mem_free(flow_network->head);
    mem_free(flow_network->seen);
    mem_free(flow_network->by);
    mem_free(flow_network->back);
    mem_free(flow_network->owner);
    sccs_release(&flow_network->scc);
    mem_free(flow_network->leaves);
    mem_free(flow_network->left);
    vec_release(&flow_network->user_at);
    vec_release(&flow_network->user);
}

// The child of n that escapes least; SINK: it has none.
static uint32_t least_child(const struct flow_network *flow_network, uint32_t n)
{
    const struct problem *problem = &flow_network->lp->exact_core->problem;
    uint32_t best = SINK;
    for (uint32_t i = problem->child_at.at[n]; i < problem->child_at.at[n + 1]; i++)
        if (best == SINK || flow_network->escape[problem->child.at[i]] < flow_network->escape[best])
            best = problem->child.at[i];
    return best;
}

// From below: a class whose nodes lead only into loops has no escape.
static void find_escapes(struct flow_network *flow_network)
{
    memset(flow_network->escape, 0,
           sizeof(double) * flow_network->lp->exact_core->problem.n_classes);
    for (int sweep = 0; sweep < EGRAPH_EXACT_SWEEPS; sweep++) {
        double moved = 0;
        for (uint32_t k = 0; k < flow_network->order.len; k++) {
            uint32_t c = flow_network->order.at[k];
            double sum = 0;
            if (c == flow_network->outside)
                continue;
            for (uint32_t i = flow_network->at.at[c]; i < flow_network->at.at[c + 1]; i++) {
                uint32_t n = flow_network->node.at[i], d = least_child(flow_network, n);
                sum += flow_network->lp->take[n] * (d == SINK ? 1 : flow_network->escape[d]);
            }
            sum = fmin(1, sum / take_of(flow_network, c));
            moved = fmax(moved, fabs(sum - flow_network->escape[c]));
            flow_network->escape[c] = sum;
        }
        if (moved < 1e-3)
            break;
    }
}

static void reset_arcs(struct flow_network *flow_network)
{
    memset(flow_network->head, 0xff,
           sizeof *flow_network->head * flow_network->lp->exact_core->problem.n_classes);
    flow_network->sunk = 0;
    for (uint32_t i = 0; i < flow_network->node.len; i++) {
        uint32_t n = flow_network->node.at[i];
        flow_network->flow[n] = 0;
        flow_network->to[n] = least_child(flow_network, n);
        if (flow_network->to[n] != SINK) {
            flow_network->next[n] = flow_network->head[flow_network->to[n]];
            flow_network->head[flow_network->to[n]] = n;
        }
    }
}

static void reach(struct flow_network *flow_network, uint32_t c, uint32_t arc, bool back)
{
    if (flow_network->seen[c] == flow_network->stamp)
        return;
    flow_network->seen[c] = flow_network->stamp;
    flow_network->by[c] = arc;
    flow_network->back[c] = back;
    vec_push(&flow_network->waiting, c);
}

// A way to the sink with room: its last class and arc (SINK: out of f).
static bool find_way(struct flow_network *flow_network, uint32_t r, uint32_t *last, uint32_t *arc)
{
    vec_clear(&flow_network->waiting);
    flow_network->stamp++;
    reach(flow_network, r, SINK, false);
    for (uint32_t k = 0; k < flow_network->waiting.len; k++) {
        uint32_t c = flow_network->waiting.at[k];
        *last = c;
        *arc = SINK;
        if (c == flow_network->outside && take_of(flow_network, c) - flow_network->sunk > TAKEN)
            return true;
        for (uint32_t i = flow_network->at.at[c];
             c != flow_network->outside && i < flow_network->at.at[c + 1]; i++) {
            uint32_t n = flow_network->node.at[i];
            if (flow_network->lp->take[n] - flow_network->flow[n] <= TAKEN)
                continue;
            *arc = n;
            if (flow_network->to[n] == SINK)
                return true;
            reach(flow_network, flow_network->to[n], n, false);
        }
        for (uint32_t n = flow_network->head[c]; n != SINK; n = flow_network->next[n])
            if (flow_network->flow[n] > TAKEN)
                reach(flow_network, flow_network->owner[n], n, true);
    }
    return false;
}

static double push(struct flow_network *flow_network, uint32_t r, uint32_t last, uint32_t arc)
{
    double room = arc == SINK ? take_of(flow_network, last) - flow_network->sunk
                              : flow_network->lp->take[arc] - flow_network->flow[arc];
    for (uint32_t c = last; c != r;) {
        uint32_t n = flow_network->by[c];
        room =
            fmin(room, flow_network->back[c] ? flow_network->flow[n]
                                             : flow_network->lp->take[n] - flow_network->flow[n]);
        c = flow_network->back[c] ? flow_network->to[n] : flow_network->owner[n];
    }
    if (arc == SINK)
        flow_network->sunk += room;
    else
        flow_network->flow[arc] += room;
    for (uint32_t c = last; c != r;) {
        uint32_t n = flow_network->by[c];
        flow_network->flow[n] += flow_network->back[c] ? -room : room;
        c = flow_network->back[c] ? flow_network->to[n] : flow_network->owner[n];
    }
    return room;
}

// Classes all of whose nodes have a child in the set join it: they add nothing
// to the row and take from it what leads to them.
static void close_set(struct flow_network *flow_network)
{
    const struct problem *problem = &flow_network->lp->exact_core->problem;
    for (uint32_t c = 0; c < problem->n_classes; c++)
        flow_network->leaves[c] = problem->node_at.at[c + 1] - problem->node_at.at[c];
    for (uint32_t k = 0; k < flow_network->waiting.len; k++) {
        uint32_t d = flow_network->waiting.at[k];
        for (uint32_t i = flow_network->user_at.at[d]; i < flow_network->user_at.at[d + 1]; i++) {
            uint32_t n = flow_network->user.at[i], c = flow_network->owner[n];
            if (flow_network->left[n] == flow_network->stamp)
                continue;
            flow_network->left[n] = flow_network->stamp;
            if (--flow_network->leaves[c] == 0 && c != flow_network->outside)
                reach(flow_network, c, SINK, false);
        }
    }
}

// The row of the set in `waiting`, marked with the stamp, for class r.
static bool cut_row(struct flow_network *flow_network, struct lp *lp, uint32_t r)
{
    const struct problem *problem = &lp->exact_core->problem;
    close_set(flow_network);
    bool with_f = flow_network->outside != SINK &&
                  flow_network->seen[flow_network->outside] == flow_network->stamp;
    double left =
        take_of(flow_network, r) - (with_f ? take_of(flow_network, flow_network->outside) : 0);
    lp_row(lp, 0);
    lp_term(lp, lp_class(lp, r), -1);
    if (with_f)
        lp_term(lp, lp_class(lp, flow_network->outside), 1);
    for (uint32_t k = 0; k < flow_network->waiting.len; k++) {
        uint32_t c = flow_network->waiting.at[k];
        if (c == flow_network->outside || flow_network->leaves[c] == 0)
            continue;
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++)
            if (flow_network->left[n] != flow_network->stamp) {
                lp_term(lp, n, 1);
                left -= lp->take[n];
            }
    }
    if (left > 0.01)
        return true;
    lp_drop_row(lp);
    return false;
}

// The same with all classes of r's component that are not taken.  Without these
// the next row would be another loop around the same place.
static bool wide_row(struct flow_network *flow_network, struct lp *lp, uint32_t r)
{
    for (uint32_t c = 0; c < lp->exact_core->problem.n_classes; c++)
        if (flow_network->scc.part[c] == flow_network->scc.part[r] &&
            take_of(flow_network, c) <= TAKEN)
            reach(flow_network, c, SINK, false);
    flow_network->stamp++;
    for (uint32_t k = 0; k < flow_network->waiting.len; k++)
        flow_network->seen[flow_network->waiting.at[k]] = flow_network->stamp;
    return cut_row(flow_network, lp, r);
}

static bool cut_from(struct flow_network *flow_network, struct lp *lp, uint32_t r)
{
    double need = take_of(flow_network, r), flow = 0;
    uint32_t last, arc;
    reset_arcs(flow_network);
    while (find_way(flow_network, r, &last, &arc)) {
        flow += push(flow_network, r, last, arc);
        if (flow > need - 0.01)
            return false;
    }
    if (!cut_row(flow_network, lp, r))
        return false;
    if (flow_network->outside == SINK)
        wide_row(flow_network, lp, r);
    return true;
}

// The class that promises most of a row for f, not counting the marked.
static uint32_t best_start(const struct flow_network *flow_network, const bool *marked)
{
    uint32_t best = SINK;
    double most =
        0.02 + (flow_network->outside == SINK ? 0 : take_of(flow_network, flow_network->outside));
    for (uint32_t k = 0; k < flow_network->order.len; k++) {
        uint32_t c = flow_network->order.at[k];
        double more = take_of(flow_network, c) * (1 - flow_network->escape[c]);
        if (c != flow_network->outside && !marked[c] && more > most + 1e-9) {
            best = c;
            most = more;
        }
    }
    return best;
}

// One row for every class to be looked for, and for loops rows that have no
// class in common.
uint32_t lp_add_flows(struct lp *lp, uint32_t most)
{
    struct flow_network flow_network;
    uint32_t found = 0;
    net_init(&flow_network, lp);
    bool *marked = mem_alloc((size_t)lp->exact_core->problem.n_classes + 1);
    flow_network.outside = SINK;
    find_escapes(&flow_network);
    for (uint32_t r; (r = best_start(&flow_network, marked)) != SINK;) {
        found += cut_from(&flow_network, lp, r);
        for (uint32_t k = 0; k < flow_network.waiting.len; k++)
            marked[flow_network.waiting.at[k]] = true;
    }
    memset(marked, 0, lp->exact_core->problem.n_classes);
    for (uint32_t k = 0; k < flow_network.order.len && found < most; k++) {
        flow_network.outside = flow_network.order.at[k];
        if (take_of(&flow_network, flow_network.outside) > 0.97)
            continue;
        if (!exact_spend(lp->exact_core->effort, exact_core_places(lp->exact_core)))
            break;
        find_escapes(&flow_network);
        uint32_t r = best_start(&flow_network, marked);
        if (r != SINK)
            found += cut_from(&flow_network, lp, r);
    }
    mem_free(marked);
    net_release(&flow_network);
    return found;
}
