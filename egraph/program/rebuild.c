// SPDX-License-Identifier: Apache-2.0
// Closing the graph.  Four things are done in this order, so that each sees the
// work of those before it done:
//   congruence  (cc_rebuild, which also tells what classes merged)
//   layouts     transposes to compose, for the orbit table
//   nodes       new ones, and some again: layout laws, orbit, folding
//   touched     classes that learned something: their parents again
#include "egraph/program/constants.h"
#include "egraph/program/core.h"
#include "egraph/program/egraph.h"
#include "egraph/program/orbit.h"
#include "egraph/program/turn.h"
#include "egraph/limits.h"

#include <stdlib.h>

struct rebuild {
    struct egraph *graph;
    uint32_t next_layout, next_again;
    uint32_t ticks;
    bool full; // no more folding and fusing; the closure itself goes on
    struct u32_vec scratch;
};

void egraph_law(struct egraph *graph, term_id node, term_id equal, enum layout_kind kind)
{
    term_id term;
    if (!layout_rewrite(graph->terms, equal, kind, &term) ||
        (egraph_known(graph, term) && egraph_same(graph, node, term)))
        return;
    egraph_add_term(graph, equal);
    egraph_add_term(graph, term);
    egraph_join(graph, equal, term, (struct reason){REASON_LAYOUT, kind, 0});
}

// The same node, its indices as the constant that they equal, if they do.
static term_id at_constants(struct egraph *graph, term_id node)
{
    const struct term *m = term_at(graph->terms, node);
    term_id args[TENSOR_MAX_RANK];
    if (m->n_args < 2 || m->n_args > TENSOR_MAX_RANK)
        return node;
    for (uint32_t i = 0; i < m->n_args; i++)
        args[i] = term_args(graph->terms, node)[i];
    term_id constant = class_constant_term(graph, egraph_find(graph, args[1]));
    if (constant.v == NO_TERM.v || constant.v == args[1].v)
        return node;
    args[1] = constant;
    return term_make(graph->terms, (enum op)m->op, m->attr, m->type, m->n_args, args);
}

term_id egraph_transpose(struct egraph *graph, term_id term, attr_id attr)
{
    term_id out;
    struct err err = {0};
    if (!term_build(graph->terms, (struct operation){OP_TRANSPOSE, attr, NO_TYPE, 1}, &term, &out,
                    &err))
        BUG("transpose of a term in the graph: %s", err.msg);
    return out;
}

static bool find_transpose(struct egraph *graph, term_id term, attr_id attr, term_id *out)
{
    const struct pool *pool = graph->terms->pool;
    for (uint32_t i = parent_first(graph, egraph_find(graph, term)); i != CC_NONE;
         i = parent_next(graph, i)) {
        uint32_t node = cc_place_node(&graph->cc, i);
        term_id t = node_term(graph, node);
        const struct term *m = term_at(graph->terms, t);
        if (!node_live(graph, node))
            continue;
        if (m->op == OP_TRANSPOSE && perm_normal(pool, m->attr).v == attr.v) {
            *out = t;
            return true;
        }
    }
    return false;
}

// transpose(transpose(x, p), q) = transpose(x, r), unless all three are there.
static void do_layout(struct egraph *graph, struct layout_task task)
{
    attr_id attr = perm_compose(graph->terms->pool, task.p, task.q);
    term_id in, over, to = task.term;
    term_id inner = egraph_transpose(graph, task.term, task.p);
    type_id in_type = term_type(graph->terms, inner);
    term_id outer = egraph_transpose(graph, inner, task.q);
    type_id type = term_type(graph->terms, outer);
    if (egraph_lookup(graph, (struct operation){OP_TRANSPOSE, task.p, in_type, 1}, &task.term,
                      &in) &&
        egraph_lookup(graph, (struct operation){OP_TRANSPOSE, task.q, type, 1}, &in, &over) &&
        (attr.v == NO_ATTR.v ||
         egraph_lookup(graph, (struct operation){OP_TRANSPOSE, attr, type, 1}, &task.term, &to)) &&
        egraph_same(graph, over, to))
        return;
    egraph_add_term(graph, outer);
    egraph_law(graph, outer, outer, LAYOUT_COMPOSE);
}

// Broadcasts or reshapes of a class.
static uint32_t members(struct egraph *graph, class_id class, enum op op, term_id *out)
{
    const struct class_data *data = egraph_class(graph, class);
    uint32_t n = 0;
    if ((op == OP_RESHAPE ? data->n_reshape : data->n_broadcast) == 0)
        return 0;
    for (term_id term = class_first(graph, class); term.v != NO_TERM.v && n < EGRAPH_FUSE_FAN;
         term = class_next(graph, class, term))
        if (term_op(graph->terms, term) == op)
            out[n++] = term;
    return n;
}

// The same node over another term of its operand's class.
static void fuse_with(struct egraph *graph, term_id node, term_id operand, enum layout_kind kind)
{
    struct term m = *term_at(graph->terms, node);
    term_id over = term_make(graph->terms, (enum op)m.op, m.attr, m.type, 1, &operand);
    egraph_law(graph, node, over, kind);
}

// The node over all terms of its operand's class that have this operator.
static void fuse_all(struct egraph *graph, term_id node, enum op op, enum layout_kind kind)
{
    term_id inner[EGRAPH_FUSE_FAN];
    uint32_t n = members(graph, egraph_find(graph, term_args(graph->terms, node)[0]), op, inner);
    for (uint32_t i = 0; i < n; i++)
        fuse_with(graph, node, inner[i], kind);
}

static void fuse_transpose(struct egraph *graph, term_id node, enum layout_kind kind)
{
    term_id turned;
    class_id class = egraph_find(graph, term_args(graph->terms, node)[0]);
    const struct class_data *data = egraph_class(graph, class_find(graph, class));
    if (data->perm.v != NO_ATTR.v &&
        find_transpose(graph, node_term(graph, data->leader), data->perm, &turned))
        fuse_with(graph, node, turned, kind);
}

static void fuse(struct egraph *graph, term_id node)
{
    enum op op = term_op(graph->terms, node);
    enum layout_kind kind = op == OP_RESHAPE ? LAYOUT_SPREAD : LAYOUT_FUSE;
    fuse_all(graph, node, OP_BROADCAST_IN_DIM, kind);
    if (op != OP_TRANSPOSE)
        fuse_transpose(graph, node, kind);
    fuse_all(graph, node, OP_RESHAPE, op == OP_RESHAPE ? LAYOUT_REGROUP : LAYOUT_SPREAD);
}

static void relate_transpose(struct egraph *graph, term_id node)
{
    const struct term *m = term_at(graph->terms, node);
    attr_id attr = perm_normal(graph->terms->pool, m->attr);
    if (attr.v == NO_ATTR.v) {
        egraph_law(graph, node, node, LAYOUT_IDENTITY);
        return;
    }
    class_id from = egraph_find(graph, term_args(graph->terms, node)[0]);
    const struct class_data *data = egraph_class(graph, from);
    if (data->perm.v != NO_ATTR.v)
        vec_push(&graph->layouts,
                 ((struct layout_task){node_term(graph, data->leader), data->perm, attr}));
    orbit_relate(graph, from, egraph_find(graph, node), attr);
}

// reduce(x, init) over no dims, where init's class has a constant.
static void drop_reduce(struct egraph *graph, term_id node)
{
    struct term m = *term_at(graph->terms, node);
    if (m.n_args != 2 || attr_len(graph->terms->pool, m.attr) != 1)
        return;
    const term_id *args = term_args(graph->terms, node);
    term_id with[2] = {args[0], class_constant_term(graph, egraph_find(graph, args[1]))};
    if (with[1].v == NO_TERM.v)
        return;
    term_id over = term_make(graph->terms, OP_REDUCE, m.attr, m.type, 2, with);
    egraph_law(graph, node, over, LAYOUT_NOOP);
}

static void learn(struct rebuild *rebuild, term_id node)
{
    struct egraph *graph = rebuild->graph;
    if (!egraph_live(graph, node))
        return;
    switch (term_op(graph->terms, node)) {
    case OP_TRANSPOSE:
        relate_transpose(graph, node);
        if (graph->complete)
            egraph_law(graph, node, node, LAYOUT_UNITS);
        if (!rebuild->full) {
            fuse(graph, node);
            turn_operands(graph, node);
        }
        break;
    case OP_BROADCAST_IN_DIM:
        egraph_law(graph, node, node, LAYOUT_NOOP);
        egraph_law(graph, node, node, LAYOUT_PERMUTE);
        egraph_law(graph, node, node, LAYOUT_UNITS);
        egraph_law(graph, node, node, LAYOUT_STRETCH);
        if (!rebuild->full)
            fuse(graph, node);
        break;
    case OP_RESHAPE:
        egraph_law(graph, node, node, LAYOUT_NOOP);
        egraph_law(graph, node, node, LAYOUT_UNITS);
        if (!rebuild->full)
            fuse(graph, node);
        break;
    case OP_REDUCE:
        drop_reduce(graph, node);
        break;
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
        egraph_law(graph, node, node, LAYOUT_NOOP);
        break;
    case OP_CONVERT:
        egraph_law(graph, node, node, LAYOUT_NOOP);
        if (!rebuild->full)
            turn_result(graph, node);
        break;
    case OP_SELECT:
    case OP_CLAMP:
        egraph_law(graph, node, node, LAYOUT_SCALARS);
        if (!rebuild->full)
            turn_result(graph, node);
        break;
    case OP_IS_FINITE:
    case OP_COMPARE:
        UNARY_CASES
        BINARY_CASES
        if (!rebuild->full)
            turn_result(graph, node);
        break;
    case OP_GATHER:
    case OP_SCATTER:
        egraph_law(graph, node, node, LAYOUT_SINGLE);
        egraph_law(graph, node, at_constants(graph, node), LAYOUT_PIECE);
        break;
    case OP_CONSTANT:
        analysis_spread(graph, node);
        break;
    case OP_PARAMETER:
    case OP_IOTA:
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_BITCAST_CONVERT:
        OUTSIDE_CASES
        break;
    }
    if (!rebuild->full && egraph_live(graph, node))
        analysis_fold(graph, node);
}

void egraph_stir(struct egraph *graph, uint32_t cls)
{
    const struct eclass *class = &graph->cc.class_.at[cls];
    uint32_t m = class->member;
    if (m == CC_NONE) // it came in this very step
        return;
    do {
        graph->node.at[m].news = graph->round & NEWS_MASK;
        m = graph->cc.next.at[m];
    } while (m != class->member);
    for (uint32_t p = class->parents; p != CC_NONE; p = parent_next(graph, p))
        graph->node.at[cc_place_node(&graph->cc, p)].news = graph->round & NEWS_MASK;
}

// Two classes merged.
static unsigned joined(void *ctx, struct cc *cc, uint32_t keep, uint32_t lose)
{
    struct egraph *graph = ctx;
    if (cc->class_.at[lose].member == CC_NONE)
        return 0; // a term that joins its twin
    class_id class = {keep}, l = {lose};
    if (egraph_class(graph, class)->leader == egraph_class(graph, l)->leader)
        egraph_stir(graph, lose); // else orbit_relate does, the smaller orbit
    orbit_relate(graph, class, l, NO_ATTR);
    orbit_absorb(graph, class, l);
    analysis_merge(graph, class, l);
    struct class_data *data = egraph_class(graph, class);
    uint32_t oldest = egraph_class(graph, l)->oldest;
    data->oldest = oldest < data->oldest ? oldest : data->oldest;
    data->changed = graph->round;
    return 0;
}

static int by_id(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void sort_unique(struct u32_vec *list)
{
    if (list->len > 1)
        qsort(list->at, list->len, sizeof list->at[0], by_id);
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->len; i++)
        if (n == 0 || list->at[n - 1] != list->at[i])
            list->at[n++] = list->at[i];
    list->len = n;
}

// The parents of all touched classes are looked at again: those that a law or
// folding may concern.
static void do_touched(struct rebuild *rebuild)
{
    struct egraph *graph = rebuild->graph;
    struct u32_vec *list = &rebuild->scratch;
    vec_clear(list);
    for (uint32_t i = 0; i < graph->touched.len; i++)
        vec_push(list, cc_find(&graph->cc, graph->touched.at[i]));
    vec_clear(&graph->touched);
    sort_unique(list);
    for (uint32_t i = 0; i < list->len; i++) {
        class_id class = {list->at[i]};
        bool constant = egraph_class(graph, class)->constant.v != NO_TERM.v;
        bool turned = egraph_class(graph, class)->perm.v != NO_ATTR.v;
        uint32_t last = NO_NODE;
        for (uint32_t k = parent_first(graph, class); k != CC_NONE; k = parent_next(graph, k)) {
            uint32_t node = cc_place_node(&graph->cc, k);
            enum op op = term_op(graph->terms, node_term(graph, node));
            if (node != last && (constant || op == OP_BROADCAST_IN_DIM || op == OP_TRANSPOSE ||
                                 op == OP_RESHAPE || (turned && op_is_elementwise(op))))
                vec_push(&graph->again, node);
            last = node;
        }
    }
}

// The next node to look at, or NO_NODE.
static uint32_t next_node(struct rebuild *rebuild)
{
    struct egraph *graph = rebuild->graph;
    if (rebuild->next_again < graph->again.len)
        return graph->again.at[rebuild->next_again++];
    rebuild->next_again = graph->again.len = 0;
    return graph->n_seen < graph->node.len ? graph->n_seen++ : NO_NODE;
}

static bool step(struct rebuild *rebuild)
{
    struct egraph *graph = rebuild->graph;
    if (!graph->cc.closed) {
        cc_rebuild(&graph->cc);
        return true;
    }
    if (rebuild->next_layout < graph->layouts.len) {
        struct layout_task task = graph->layouts.at[rebuild->next_layout++];
        do_layout(graph, task);
        return true;
    }
    uint32_t node = next_node(rebuild);
    if (node != NO_NODE) {
        learn(rebuild, node_term(graph, node));
        bool ask = (++rebuild->ticks & 255) == 0;
        rebuild->full = rebuild->full || egraph_has_nodes(graph) || (ask && egraph_full(graph));
        return true;
    }
    if (graph->touched.len == 0)
        return false;
    do_touched(rebuild);
    return true;
}

void egraph_rebuild(struct egraph *graph)
{
    struct rebuild rebuild = {.graph = graph, .full = egraph_full(graph)};
    graph->cc.analysis = (struct cc_analysis){.ctx = graph, .join = joined};
    while (step(&rebuild))
        ;
    vec_clear(&graph->layouts);
    vec_release(&rebuild.scratch);
    graph->round++;
    graph->closed = true;
}
