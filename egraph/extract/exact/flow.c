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

#include <math.h>

#define TAKEN 1e-7
#define SWEEPS 8
#define SINK UINT32_MAX

struct flow_network {
    const struct lp *l;
    struct u32_vec order;    // classes taken, by exact_core_order
    struct u32_vec at, node; // class: its nodes taken
    double *escape;          // per class: part that gets around f, about
    uint32_t f;
    // per node: arc
    uint32_t *to, *next;
    double *flow;
    uint32_t *head;      // class: first arc that leads there
    uint32_t *seen, *by; // class: stamp, arc it was reached by
    bool *back;          // against the arc
    uint32_t stamp;
    double sunk; // flow from f to the sink
    uint32_t *owner;
    struct sccs scc;
    struct u32_vec waiting;
    struct u32_vec user_at, user;
    uint32_t *leaves; // class: nodes without a child in the set
    uint32_t *left;   // node: stamp when it was found to have one
};

static double take_of(const struct flow_network *t, uint32_t c)
{
    return t->l->take[lp_class(t->l, c)];
}

static void net_init(struct flow_network *t, const struct lp *l)
{
    const struct problem *q = &l->x->q;
    size_t classes = (size_t)q->n_classes + 1, nodes = (size_t)q->n_nodes + 1;
    *t = (struct flow_network){.l = l,
                      .escape = mem_alloc(sizeof(double) * classes),
                      .to = mem_alloc(sizeof(uint32_t) * nodes),
                      .next = mem_alloc(sizeof(uint32_t) * nodes),
                      .flow = mem_alloc(sizeof(double) * nodes),
                      .head = mem_alloc(sizeof(uint32_t) * classes),
                      .seen = mem_alloc(sizeof(uint32_t) * classes),
                      .by = mem_alloc(sizeof(uint32_t) * classes),
                      .back = mem_alloc(classes),
                      .owner = problem_owners(q)};
    sccs_find(&t->scc, q, NULL, 0, NULL);
    t->leaves = mem_alloc(sizeof(uint32_t) * classes);
    t->left = mem_alloc(sizeof(uint32_t) * nodes);
    problem_users(q, &t->user_at, &t->user);
    exact_core_order(q, &t->order);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < t->order.len; k++)
        if (take_of(t, t->order.at[k]) > TAKEN)
            t->order.at[kept++] = t->order.at[k];
    t->order.len = kept;
    for (uint32_t c = 0; c < q->n_classes; c++) {
        vec_push(&t->at, t->node.len);
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++)
            if (l->take[n] > TAKEN)
                vec_push(&t->node, n);
    }
    vec_push(&t->at, t->node.len);
}

static void net_release(struct flow_network *t)
{
    vec_release(&t->order);
    vec_release(&t->at);
    vec_release(&t->node);
    vec_release(&t->waiting);
    mem_free(t->escape);
    mem_free(t->to);
    mem_free(t->next);
    mem_free(t->flow);
    mem_free(t->head);
    mem_free(t->seen);
    mem_free(t->by);
    mem_free(t->back);
    mem_free(t->owner);
    sccs_release(&t->scc);
    mem_free(t->leaves);
    mem_free(t->left);
    vec_release(&t->user_at);
    vec_release(&t->user);
}

// The child of n that escapes least; SINK: it has none.
static uint32_t least_child(const struct flow_network *t, uint32_t n)
{
    const struct problem *q = &t->l->x->q;
    uint32_t best = SINK;
    for (uint32_t i = q->child_at.at[n]; i < q->child_at.at[n + 1]; i++)
        if (best == SINK || t->escape[q->child.at[i]] < t->escape[best])
            best = q->child.at[i];
    return best;
}

// From below: what only leads into loops escapes nowhere.
static void find_escapes(struct flow_network *t)
{
    memset(t->escape, 0, sizeof(double) * t->l->x->q.n_classes);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double moved = 0;
        for (uint32_t k = 0; k < t->order.len; k++) {
            uint32_t c = t->order.at[k];
            double sum = 0;
            if (c == t->f)
                continue;
            for (uint32_t i = t->at.at[c]; i < t->at.at[c + 1]; i++) {
                uint32_t n = t->node.at[i], d = least_child(t, n);
                sum += t->l->take[n] * (d == SINK ? 1 : t->escape[d]);
            }
            sum = fmin(1, sum / take_of(t, c));
            moved = fmax(moved, fabs(sum - t->escape[c]));
            t->escape[c] = sum;
        }
        if (moved < 1e-3)
            break;
    }
}

static void reset_arcs(struct flow_network *t)
{
    memset(t->head, 0xff, sizeof *t->head * t->l->x->q.n_classes);
    t->sunk = 0;
    for (uint32_t i = 0; i < t->node.len; i++) {
        uint32_t n = t->node.at[i];
        t->flow[n] = 0;
        t->to[n] = least_child(t, n);
        if (t->to[n] != SINK) {
            t->next[n] = t->head[t->to[n]];
            t->head[t->to[n]] = n;
        }
    }
}

static void reach(struct flow_network *t, uint32_t c, uint32_t arc, bool back)
{
    if (t->seen[c] == t->stamp)
        return;
    t->seen[c] = t->stamp;
    t->by[c] = arc;
    t->back[c] = back;
    vec_push(&t->waiting, c);
}

// A way to the sink with room: its last class and arc (SINK: out of f).
static bool find_way(struct flow_network *t, uint32_t r, uint32_t *last, uint32_t *arc)
{
    vec_clear(&t->waiting);
    t->stamp++;
    reach(t, r, SINK, false);
    for (uint32_t k = 0; k < t->waiting.len; k++) {
        uint32_t c = t->waiting.at[k];
        *last = c;
        *arc = SINK;
        if (c == t->f && take_of(t, c) - t->sunk > TAKEN)
            return true;
        for (uint32_t i = t->at.at[c]; c != t->f && i < t->at.at[c + 1]; i++) {
            uint32_t n = t->node.at[i];
            if (t->l->take[n] - t->flow[n] <= TAKEN)
                continue;
            *arc = n;
            if (t->to[n] == SINK)
                return true;
            reach(t, t->to[n], n, false);
        }
        for (uint32_t n = t->head[c]; n != SINK; n = t->next[n])
            if (t->flow[n] > TAKEN)
                reach(t, t->owner[n], n, true);
    }
    return false;
}

static double push(struct flow_network *t, uint32_t r, uint32_t last, uint32_t arc)
{
    double room = arc == SINK ? take_of(t, last) - t->sunk
                              : t->l->take[arc] - t->flow[arc];
    for (uint32_t c = last; c != r;) {
        uint32_t n = t->by[c];
        room = fmin(room, t->back[c] ? t->flow[n] : t->l->take[n] - t->flow[n]);
        c = t->back[c] ? t->to[n] : t->owner[n];
    }
    if (arc == SINK)
        t->sunk += room;
    else
        t->flow[arc] += room;
    for (uint32_t c = last; c != r;) {
        uint32_t n = t->by[c];
        t->flow[n] += t->back[c] ? -room : room;
        c = t->back[c] ? t->to[n] : t->owner[n];
    }
    return room;
}

// Classes all of whose nodes have a child in the set join it: they add nothing
// to the row and take from it what leads to them.
static void close_set(struct flow_network *t)
{
    const struct problem *q = &t->l->x->q;
    for (uint32_t c = 0; c < q->n_classes; c++)
        t->leaves[c] = q->node_at.at[c + 1] - q->node_at.at[c];
    for (uint32_t k = 0; k < t->waiting.len; k++) {
        uint32_t d = t->waiting.at[k];
        for (uint32_t i = t->user_at.at[d]; i < t->user_at.at[d + 1]; i++) {
            uint32_t n = t->user.at[i], c = t->owner[n];
            if (t->left[n] == t->stamp)
                continue;
            t->left[n] = t->stamp;
            if (--t->leaves[c] == 0 && c != t->f)
                reach(t, c, SINK, false);
        }
    }
}

// The row of the set in `waiting`, marked with the stamp, for class r.
static bool cut_row(struct flow_network *t, struct lp *l, uint32_t r)
{
    const struct problem *q = &l->x->q;
    close_set(t);
    bool with_f = t->f != SINK && t->seen[t->f] == t->stamp;
    double left = take_of(t, r) - (with_f ? take_of(t, t->f) : 0);
    lp_row(l, 0);
    lp_term(l, lp_class(l, r), -1);
    if (with_f)
        lp_term(l, lp_class(l, t->f), 1);
    for (uint32_t k = 0; k < t->waiting.len; k++) {
        uint32_t c = t->waiting.at[k];
        if (c == t->f || t->leaves[c] == 0)
            continue;
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++)
            if (t->left[n] != t->stamp) {
                lp_term(l, n, 1);
                left -= l->take[n];
            }
    }
    if (left > 0.01)
        return true;
    lp_drop_row(l);
    return false;
}

// The same with all of r's component that is not taken: what would only be
// another loop around the same place.
static bool wide_row(struct flow_network *t, struct lp *l, uint32_t r)
{
    for (uint32_t c = 0; c < l->x->q.n_classes; c++)
        if (t->scc.part[c] == t->scc.part[r] && take_of(t, c) <= TAKEN)
            reach(t, c, SINK, false);
    t->stamp++;
    for (uint32_t k = 0; k < t->waiting.len; k++)
        t->seen[t->waiting.at[k]] = t->stamp;
    return cut_row(t, l, r);
}

static bool cut_from(struct flow_network *t, struct lp *l, uint32_t r)
{
    double need = take_of(t, r), flow = 0;
    uint32_t last, arc;
    reset_arcs(t);
    while (find_way(t, r, &last, &arc)) {
        flow += push(t, r, last, arc);
        if (flow > need - 0.01)
            return false;
    }
    if (!cut_row(t, l, r))
        return false;
    if (t->f == SINK)
        wide_row(t, l, r);
    return true;
}

// The class that promises most of a row for f, not counting the marked.
static uint32_t best_start(const struct flow_network *t, const bool *marked)
{
    uint32_t best = SINK;
    double most = 0.02 + (t->f == SINK ? 0 : take_of(t, t->f));
    for (uint32_t k = 0; k < t->order.len; k++) {
        uint32_t c = t->order.at[k];
        double more = take_of(t, c) * (1 - t->escape[c]);
        if (c != t->f && !marked[c] && more > most + 1e-9) {
            best = c;
            most = more;
        }
    }
    return best;
}

// One row for every class to be looked for, and for loops rows that have no
// class in common.
uint32_t lp_add_flows(struct lp *l, uint32_t most)
{
    struct flow_network t;
    uint32_t found = 0;
    net_init(&t, l);
    bool *marked = mem_alloc((size_t)l->x->q.n_classes + 1);
    t.f = SINK;
    find_escapes(&t);
    for (uint32_t r; (r = best_start(&t, marked)) != SINK;) {
        found += cut_from(&t, l, r);
        for (uint32_t k = 0; k < t.waiting.len; k++)
            marked[t.waiting.at[k]] = true;
    }
    memset(marked, 0, l->x->q.n_classes);
    for (uint32_t k = 0; k < t.order.len && found < most; k++) {
        t.f = t.order.at[k];
        if (take_of(&t, t.f) > 0.97)
            continue;
        find_escapes(&t);
        uint32_t r = best_start(&t, marked);
        if (r != SINK)
            found += cut_from(&t, l, r);
    }
    mem_free(marked);
    net_release(&t);
    return found;
}
