// SPDX-License-Identifier: Apache-2.0
// The order of dimensions of every node of a pattern, found in two passes.  The first
// pass goes upwards and finds the natural order of each node: the order that needs no
// transpose.  Reduces and broadcasts ask their operands for the natural order.  The
// second pass goes downwards and hands each node the order that its users want.  Users
// come after their arguments in the pattern array, so the second pass sees each node
// after all its users.  The first wish counts.
#include "rules/instance/regroup.h"

struct orient {
    struct instance *in;
    const struct rule *rule;
    struct order *natural; // per node
    bool *any;             // per node: every order costs the same
};

static struct order order_new(struct arena *mem, uint32_t n)
{
    return (struct order){n, ARENA_NEW(mem, uint32_t, n)};
}

static struct order pat_axes(const struct orient *orient, uint32_t i)
{
    return instance_axes(orient->in, orient->rule->pats[i].n_sizes, orient->rule->pats[i].sizes);
}

static bool has_class(const struct pat *pattern, uint32_t c)
{
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        if (pattern->sizes[i].cls == c)
            return true;
    return false;
}

// The axes of `from` that node i has, in the order of `from`.
static struct order restricted(const struct orient *orient, const struct order *from, uint32_t i)
{
    struct order order = order_new(orient->in->mem, from->n);
    order.n = 0;
    for (uint32_t k = 0; k < from->n; k++)
        if (has_class(&orient->rule->pats[i], orient->in->axis_class[from->axis[k]]))
            order.axis[order.n++] = from->axis[k];
    return order;
}

// The axes of `first`, then the other axes of `all`.
static struct order extended(const struct orient *orient, const struct order *first,
                             const struct order *all)
{
    struct order order = order_new(orient->in->mem, all->n);
    order.n = 0;
    for (uint32_t k = 0; k < first->n; k++)
        order.axis[order.n++] = first->axis[k];
    for (uint32_t k = 0; k < all->n; k++)
        if (order_find(first, all->axis[k]) == NONE)
            order.axis[order.n++] = all->axis[k];
    return order;
}

// Axes renamed to their partners; backwards: result axes to operand axes.
static struct order renamed(const struct orient *orient, const struct pat *pattern,
                            const struct order *order, bool backwards)
{
    struct instance *in = orient->in;
    struct order out = order_new(in->mem, order->n);
    for (uint32_t i = 0; i < order->n; i++) {
        uint32_t c = in->axis_class[order->axis[i]];
        out.axis[i] = order->axis[i];
        for (uint32_t k = 0; k < pattern->n_relabels; k++) {
            struct relabel relabel = pattern->relabels[k];
            uint32_t from = backwards ? relabel.to : relabel.from;
            uint32_t to = backwards ? relabel.from : relabel.to;
            for (uint32_t j = 0; c == from && j < in->rank[c]; j++)
                if (in->class_axes[c][j] == order->axis[i])
                    out.axis[i] = in->class_axes[to][j];
        }
    }
    return out;
}

// An elementwise node takes the order of its first argument with a preference.
static void natural_of_args(struct orient *orient, uint32_t i, uint32_t n)
{
    const struct pat *pattern = &orient->rule->pats[i];
    orient->any[i] = true;
    for (uint32_t k = 0; k < n && orient->any[i]; k++) {
        orient->any[i] = orient->any[pattern->args[k]];
        orient->natural[i] = orient->natural[pattern->args[k]];
    }
    if (orient->any[i])
        orient->natural[i] = n == 0 ? pat_axes(orient, i) : orient->natural[pattern->args[0]];
}

// Axes of batch classes in the order of `batch`, then the operands' axes that node i
// has, in the order of each operand.
static struct order dot_order(const struct orient *orient, uint32_t i, const struct order *batch,
                              const struct order *lhs, const struct order *rhs)
{
    const struct order *from[3] = {batch, lhs, rhs};
    const struct pat *pattern = &orient->rule->pats[i];
    struct order order = order_new(orient->in->mem, batch->n + lhs->n + rhs->n);
    order.n = 0;
    for (int k = 0; k < 3; k++)
        for (uint32_t j = 0; j < from[k]->n; j++) {
            uint32_t c = orient->in->axis_class[from[k]->axis[j]];
            if ((pattern->batch >> c & 1) == (k == 0) && has_class(pattern, c))
                order.axis[order.n++] = from[k]->axis[j];
        }
    return order;
}

// An order in which the axes of the indices stand in the place of axis a.  Axis a
// follows them if the node keeps it.
static struct order gathered(const struct orient *orient, const struct pat *pattern,
                             const struct order *operand, const struct order *at)
{
    struct order order = order_new(orient->in->mem, operand->n + at->n);
    order.n = 0;
    for (uint32_t i = 0; i < operand->n; i++) {
        uint32_t c = orient->in->axis_class[operand->axis[i]];
        for (uint32_t k = 0; pattern->classes >> c & 1 && k < at->n; k++)
            order.axis[order.n++] = at->axis[k];
        if (has_class(pattern, c) && order_find(at, operand->axis[i]) == NONE)
            order.axis[order.n++] = operand->axis[i];
    }
    return order;
}

// Arranges the axes of `order` that `by` has and `without` has not in the order of
// `by`.  The other axes keep their places.
static void settle(const struct orient *orient, const struct order *by, const struct order *without,
                   struct order *order)
{
    struct order next = order_new(orient->in->mem, by->n);
    next.n = 0;
    for (uint32_t i = 0; i < by->n; i++)
        if (order_find(order, by->axis[i]) != NONE && order_find(without, by->axis[i]) == NONE)
            next.axis[next.n++] = by->axis[i];
    for (uint32_t i = 0, k = 0; i < order->n && k < next.n; i++)
        if (order_find(&next, order->axis[i]) != NONE)
            order->axis[i] = next.axis[k++];
}

// Arguments from the second on have rank 0, or axes of their own.
static bool one_operand(enum op op)
{
    return op == OP_PAD || op == OP_REDUCE || op == OP_REDUCE_WINDOW || op == OP_DYNAMIC_SLICE ||
           op == OP_SCATTER;
}

static void find_natural(struct orient *orient, uint32_t i)
{
    const struct pat *pattern = &orient->rule->pats[i];
    uint32_t a = pattern->n_args > 0 ? pattern->args[0] : NONE;
    switch (pattern->kind) {
    case PAT_TENSOR:
        orient->natural[i] = orient->in->order[pattern->var];
        orient->any[i] = orient->natural[i].n <= 1;
        return;
    case PAT_SCALAR:
    case PAT_LITERAL:
    case PAT_SPLAT:
    case PAT_CALL: // never built
        natural_of_args(orient, i, 0);
        return;
    case PAT_OPVAR:
        natural_of_args(orient, i, pattern->n_args);
        return;
    case PAT_RELABEL:
        orient->natural[i] = renamed(orient, pattern, &orient->natural[a], false);
        orient->any[i] = orient->any[a];
        return;
    case PAT_OP:
        break;
    }
    if (pattern->op == OP_REDUCE) {
        orient->natural[i] = restricted(orient, &orient->natural[a], i);
        orient->any[i] = orient->any[a];
    } else if (pattern->op == OP_BROADCAST_IN_DIM) {
        struct order all = pat_axes(orient, i);
        orient->natural[i] = extended(orient, &orient->natural[a], &all);
        orient->any[i] = true;
    } else if (pattern->op == OP_DOT_GENERAL) {
        orient->natural[i] = dot_order(orient, i, &orient->natural[a], &orient->natural[a],
                                       &orient->natural[pattern->args[1]]);
    } else if (pattern->op == OP_CONVOLUTION) {
        natural_of_args(orient, i, 0);
    } else if (pattern->op == OP_GATHER) {
        orient->natural[i] =
            gathered(orient, pattern, &orient->natural[a], &orient->natural[pattern->args[1]]);
        orient->any[i] = orient->any[a] && orient->any[pattern->args[1]];
    } else if (pattern->op == OP_RESHAPE) {
        struct order all = pat_axes(orient, i), from;
        reshape_from(orient->in, pattern, &orient->natural[a], &all, &from, &orient->natural[i]);
        orient->any[i] = orient->any[a];
    } else {
        natural_of_args(orient, i, one_operand(pattern->op) ? 1 : pattern->n_args);
    }
}

static struct order shuffled(const struct orient *orient, const struct order *order,
                             struct rng *rng)
{
    struct order s = order_new(orient->in->mem, order->n);
    for (uint32_t i = 0; i < order->n; i++)
        s.axis[i] = order->axis[i];
    for (uint32_t i = order->n; i > 1; i--) {
        uint32_t k = (uint32_t)rng_below(rng, i), swap = s.axis[i - 1];
        s.axis[i - 1] = s.axis[k];
        s.axis[k] = swap;
    }
    return s;
}

// The order of an operand that may have any order: the operand's own; if it has none,
// the order of the wish for the result.
static struct order operand(const struct orient *orient, uint32_t a, const struct order *wish,
                            struct rng *rng)
{
    struct order first = {0, NULL};
    if (orient->any[a])
        first = restricted(orient, wish, a);
    struct order order = extended(orient, &first, &orient->natural[a]);
    return rng != NULL ? shuffled(orient, &order, rng) : order;
}

static void place_reshape(struct orient *orient, const struct pat *pattern, struct pat_place *at,
                          const struct order *wish, struct rng *rng)
{
    uint32_t a = pattern->args[0];
    struct order natural = orient->natural[a];
    if (rng != NULL)
        natural = shuffled(orient, &natural, rng);
    if (orient->any[a])
        reshape_to(orient->in, pattern, &natural, wish, &at->in[0], &at->out);
    else
        reshape_from(orient->in, pattern, &natural, wish, &at->in[0], &at->out);
}

// Nodes of several operands that have orders of their own.
static void place_operands(struct orient *orient, uint32_t i, const struct order *wish,
                           struct rng *rng)
{
    const struct pat *pattern = &orient->rule->pats[i];
    struct pat_place *at = &orient->in->pat[i];
    struct order none = {0, NULL};
    for (uint32_t k = pattern->op == OP_SCATTER; k < pattern->n_args; k++)
        at->in[k] = operand(orient, pattern->args[k], wish, rng);
    if (pattern->op == OP_DOT_GENERAL) {
        at->out = dot_order(orient, i, wish, &at->in[0], &at->in[1]);
    } else if (pattern->op == OP_GATHER) {
        at->out = extended(orient, wish, wish);
        settle(orient, &at->in[0], &at->in[1], &at->out);
        settle(orient, &at->in[1], &none, &at->out);
    } else if (pattern->op == OP_SCATTER) {
        at->in[2] = extended(orient, &at->in[2], &at->in[2]); // a copy, not the operand's
        settle(orient, &at->in[0], &at->in[1], &at->in[2]);
        settle(orient, &at->in[1], &none, &at->in[2]);
    }
}

// Sets the place of node i from the wish for its result; the orders of its
// operands are then the wishes for the arguments.
static void place_node(struct orient *orient, uint32_t i, struct order wish, struct rng *rng)
{
    const struct pat *pattern = &orient->rule->pats[i];
    struct pat_place *at = &orient->in->pat[i];
    struct order none = {0, NULL};
    if (rng != NULL && rng_below(rng, 2) == 0)
        wish = shuffled(orient, &wish, rng);
    at->out = wish;
    for (uint32_t k = 0; k < pattern->n_args; k++)
        at->in[k] = wish;
    if (pattern->kind == PAT_TENSOR)
        at->out = orient->in->order[pattern->var];
    else if (pattern->kind == PAT_SCALAR || pattern->kind == PAT_LITERAL)
        at->out = none;
    else if (pattern->kind == PAT_SPLAT)
        at->in[0] = none;
    else if (pattern->kind == PAT_RELABEL)
        at->in[0] = renamed(orient, pattern, &wish, true);
    if (pattern->kind != PAT_OP)
        return;
    for (uint32_t k = 1; one_operand(pattern->op) && k < pattern->n_args; k++)
        at->in[k] = none;
    switch (pattern->op) {
    case OP_REDUCE:
        at->in[0] = operand(orient, pattern->args[0], &wish, rng);
        at->out = restricted(orient, &at->in[0], i);
        break;
    case OP_BROADCAST_IN_DIM:
        at->in[0] = operand(orient, pattern->args[0], &wish, rng);
        break;
    case OP_RESHAPE:
        place_reshape(orient, pattern, at, &wish, rng);
        break;
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_GATHER:
    case OP_SCATTER:
        place_operands(orient, i, &wish, rng);
        break;
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
}

// What one orientation needs by node: in `few`, or for large patterns on the heap.
struct nodes {
    struct order *natural, *wish;
    bool *any, *below, *wished;
};
#define FEW_NODES 24u
struct few_nodes {
    struct order order[2 * FEW_NODES];
    bool flag[3 * FEW_NODES];
};

static struct nodes nodes_new(uint32_t n, struct few_nodes *few)
{
    bool large = n > FEW_NODES;
    struct order *order = large ? mem_alloc(2 * (size_t)n * sizeof *order) : few->order;
    bool *flag = large ? mem_alloc(3 * (size_t)n) : few->flag;
    if (!large) {
        memset(order, 0, 2 * n * sizeof *order);
        memset(flag, 0, 3 * n * sizeof *flag);
    }
    return (struct nodes){order, order + n, flag, flag + n, flag + 2 * (size_t)n};
}

static void nodes_release(const struct nodes *nodes, uint32_t n)
{
    if (n <= FEW_NODES)
        return;
    mem_free(nodes->natural);
    mem_free(nodes->any);
}

void instance_shuffle(struct instance *in, uint32_t root, const struct order *wanted,
                      struct rng *rng)
{
    struct few_nodes few;
    struct nodes nodes = nodes_new(root + 1, &few);
    struct orient orient = {in, in->rule, nodes.natural, nodes.any};
    nodes.below[root] = true;
    nodes.wish[root] = *wanted;
    for (uint32_t i = root + 1; i-- > 0;)
        for (uint32_t k = 0; nodes.below[i] && k < orient.rule->pats[i].n_args; k++)
            nodes.below[orient.rule->pats[i].args[k]] = true;
    for (uint32_t i = 0; i <= root; i++)
        if (nodes.below[i])
            find_natural(&orient, i);
    for (uint32_t i = root + 1; i-- > 0;) {
        if (!nodes.below[i])
            continue;
        place_node(&orient, i, nodes.wish[i], rng);
        const struct pat *pattern = &orient.rule->pats[i];
        for (uint32_t k = 0; k < pattern->n_args; k++)
            if (!nodes.wished[pattern->args[k]]) {
                nodes.wished[pattern->args[k]] = true;
                nodes.wish[pattern->args[k]] = in->pat[i].in[k];
            }
    }
    nodes_release(&nodes, root + 1);
}

void instance_orient(struct instance *in, uint32_t root, const struct order *wanted)
{
    instance_shuffle(in, root, wanted, NULL);
}
