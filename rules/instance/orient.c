// SPDX-License-Identifier: Apache-2.0
// The order of dimensions of every node of a pattern.  The wish goes down from
// the root: users come after their arguments in the pattern array, so one pass
// downwards sees each node after all its users; the first wish counts.  Before
// it, one pass upwards finds the order in which each node can be had without
// a transpose, which is what reduces and broadcasts ask of their operands.
#include "rules/instance/regroup.h"

struct orient {
    struct instance *in;
    const struct rule *r;
    struct order *natural; // per node
    bool *any;             // per node: every order costs the same
};

static struct order order_new(struct arena *mem, uint32_t n)
{
    return (struct order){n, ARENA_NEW(mem, uint32_t, n)};
}

static struct order pat_axes(const struct orient *w, uint32_t i)
{
    return instance_axes(w->in, w->r->pats[i].n_sizes, w->r->pats[i].sizes);
}

static bool has_class(const struct pat *p, uint32_t c)
{
    for (uint32_t i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].cls == c)
            return true;
    return false;
}

// The axes of `from` that node i has, in that order.
static struct order restricted(const struct orient *w, const struct order *from,
                               uint32_t i)
{
    struct order o = order_new(w->in->mem, from->n);
    o.n = 0;
    for (uint32_t k = 0; k < from->n; k++)
        if (has_class(&w->r->pats[i], w->in->axis_class[from->axis[k]]))
            o.axis[o.n++] = from->axis[k];
    return o;
}

// `first`, then the axes of `all` that are missing there.
static struct order extended(const struct orient *w, const struct order *first,
                             const struct order *all)
{
    struct order o = order_new(w->in->mem, all->n);
    o.n = 0;
    for (uint32_t k = 0; k < first->n; k++)
        o.axis[o.n++] = first->axis[k];
    for (uint32_t k = 0; k < all->n; k++)
        if (order_find(first, all->axis[k]) == NONE)
            o.axis[o.n++] = all->axis[k];
    return o;
}

// Axes renamed to their partners; backwards: result axes to operand axes.
static struct order renamed(const struct orient *w, const struct pat *p,
                            const struct order *o, bool backwards)
{
    struct instance *in = w->in;
    struct order out = order_new(in->mem, o->n);
    for (uint32_t i = 0; i < o->n; i++) {
        uint32_t c = in->axis_class[o->axis[i]];
        out.axis[i] = o->axis[i];
        for (uint32_t k = 0; k < p->n_relabels; k++) {
            struct relabel l = p->relabels[k];
            uint32_t from = backwards ? l.to : l.from;
            uint32_t to = backwards ? l.from : l.to;
            for (uint32_t j = 0; c == from && j < in->rank[c]; j++)
                if (in->class_axes[c][j] == o->axis[i])
                    out.axis[i] = in->class_axes[to][j];
        }
    }
    return out;
}

// First argument with a preference speaks for an elementwise node.
static void natural_of_args(struct orient *w, uint32_t i, uint32_t n)
{
    const struct pat *p = &w->r->pats[i];
    w->any[i] = true;
    for (uint32_t k = 0; k < n && w->any[i]; k++) {
        w->any[i] = w->any[p->args[k]];
        w->natural[i] = w->natural[p->args[k]];
    }
    if (w->any[i])
        w->natural[i] = n == 0 ? pat_axes(w, i) : w->natural[p->args[0]];
}

// Axes of batch classes as in `batch`, then those of the operands that node i
// has, each in its order.
static struct order dot_order(const struct orient *w, uint32_t i,
                              const struct order *batch,
                              const struct order *lhs, const struct order *rhs)
{
    const struct order *from[3] = {batch, lhs, rhs};
    const struct pat *p = &w->r->pats[i];
    struct order o = order_new(w->in->mem, batch->n + lhs->n + rhs->n);
    o.n = 0;
    for (int k = 0; k < 3; k++)
        for (uint32_t j = 0; j < from[k]->n; j++) {
            uint32_t c = w->in->axis_class[from[k]->axis[j]];
            if ((p->batch >> c & 1) == (k == 0) && has_class(p, c))
                o.axis[o.n++] = from[k]->axis[j];
        }
    return o;
}

// The axes of the indices where axis a is, which is gone or stays behind them.
static struct order gathered(const struct orient *w, const struct pat *p,
                             const struct order *operand,
                             const struct order *at)
{
    struct order o = order_new(w->in->mem, operand->n + at->n);
    o.n = 0;
    for (uint32_t i = 0; i < operand->n; i++) {
        uint32_t c = w->in->axis_class[operand->axis[i]];
        for (uint32_t k = 0; p->classes >> c & 1 && k < at->n; k++)
            o.axis[o.n++] = at->axis[k];
        if (has_class(p, c) && order_find(at, operand->axis[i]) == NONE)
            o.axis[o.n++] = operand->axis[i];
    }
    return o;
}

// The places in `o` of the axes that `by` has and `without` has not, filled in
// the order of `by`.
static void settle(const struct orient *w, const struct order *by,
                   const struct order *without, struct order *o)
{
    struct order next = order_new(w->in->mem, by->n);
    next.n = 0;
    for (uint32_t i = 0; i < by->n; i++)
        if (order_find(o, by->axis[i]) != NONE &&
            order_find(without, by->axis[i]) == NONE)
            next.axis[next.n++] = by->axis[i];
    for (uint32_t i = 0, k = 0; i < o->n && k < next.n; i++)
        if (order_find(&next, o->axis[i]) != NONE)
            o->axis[i] = next.axis[k++];
}

// Arguments from the second on have rank 0, or axes of their own.
static bool one_operand(enum op op)
{
    return op == OP_PAD || op == OP_REDUCE || op == OP_REDUCE_WINDOW ||
           op == OP_DYNAMIC_SLICE || op == OP_SCATTER;
}

static void find_natural(struct orient *w, uint32_t i)
{
    const struct pat *p = &w->r->pats[i];
    uint32_t a = p->n_args > 0 ? p->args[0] : NONE;
    switch (p->kind) {
    case PAT_TENSOR:
        w->natural[i] = w->in->order[p->var];
        w->any[i] = w->natural[i].n <= 1;
        return;
    case PAT_SCALAR:
    case PAT_LITERAL:
    case PAT_SPLAT:
    case PAT_CALL: // never built
        natural_of_args(w, i, 0);
        return;
    case PAT_OPVAR:
        natural_of_args(w, i, p->n_args);
        return;
    case PAT_RELABEL:
        w->natural[i] = renamed(w, p, &w->natural[a], false);
        w->any[i] = w->any[a];
        return;
    case PAT_OP:
        break;
    }
    if (p->op == OP_REDUCE) {
        w->natural[i] = restricted(w, &w->natural[a], i);
        w->any[i] = w->any[a];
    } else if (p->op == OP_BROADCAST_IN_DIM) {
        struct order all = pat_axes(w, i);
        w->natural[i] = extended(w, &w->natural[a], &all);
        w->any[i] = true;
    } else if (p->op == OP_DOT_GENERAL) {
        w->natural[i] = dot_order(w, i, &w->natural[a], &w->natural[a],
                                  &w->natural[p->args[1]]);
    } else if (p->op == OP_CONVOLUTION) {
        natural_of_args(w, i, 0);
    } else if (p->op == OP_GATHER) {
        w->natural[i] = gathered(w, p, &w->natural[a], &w->natural[p->args[1]]);
        w->any[i] = w->any[a] && w->any[p->args[1]];
    } else if (p->op == OP_RESHAPE) {
        struct order all = pat_axes(w, i), from;
        reshape_from(w->in, p, &w->natural[a], &all, &from, &w->natural[i]);
        w->any[i] = w->any[a];
    } else {
        natural_of_args(w, i, one_operand(p->op) ? 1 : p->n_args);
    }
}

static struct order shuffled(const struct orient *w, const struct order *o,
                             struct rng *rng)
{
    struct order s = order_new(w->in->mem, o->n);
    for (uint32_t i = 0; i < o->n; i++)
        s.axis[i] = o->axis[i];
    for (uint32_t i = o->n; i > 1; i--) {
        uint32_t k = (uint32_t)rng_below(rng, i), swap = s.axis[i - 1];
        s.axis[i - 1] = s.axis[k];
        s.axis[k] = swap;
    }
    return s;
}

// The order of an operand that may have any: its own, or where it has none, as
// in the wish for the result.
static struct order operand(const struct orient *w, uint32_t a,
                            const struct order *wish, struct rng *rng)
{
    struct order first = {0, NULL};
    if (w->any[a])
        first = restricted(w, wish, a);
    struct order o = extended(w, &first, &w->natural[a]);
    return rng != NULL ? shuffled(w, &o, rng) : o;
}

static void place_reshape(struct orient *w, const struct pat *p,
                          struct pat_place *at, const struct order *wish,
                          struct rng *rng)
{
    uint32_t a = p->args[0];
    struct order natural = w->natural[a];
    if (rng != NULL)
        natural = shuffled(w, &natural, rng);
    if (w->any[a])
        reshape_to(w->in, p, &natural, wish, &at->in[0], &at->out);
    else
        reshape_from(w->in, p, &natural, wish, &at->in[0], &at->out);
}

// Nodes of several operands that have orders of their own.
static void place_operands(struct orient *w, uint32_t i,
                           const struct order *wish, struct rng *rng)
{
    const struct pat *p = &w->r->pats[i];
    struct pat_place *at = &w->in->pat[i];
    struct order none = {0, NULL};
    for (uint32_t k = p->op == OP_SCATTER; k < p->n_args; k++)
        at->in[k] = operand(w, p->args[k], wish, rng);
    if (p->op == OP_DOT_GENERAL) {
        at->out = dot_order(w, i, wish, &at->in[0], &at->in[1]);
    } else if (p->op == OP_GATHER) {
        at->out = extended(w, wish, wish);
        settle(w, &at->in[0], &at->in[1], &at->out);
        settle(w, &at->in[1], &none, &at->out);
    } else if (p->op == OP_SCATTER) {
        at->in[2] = extended(w, &at->in[2], &at->in[2]); // not the operand's
        settle(w, &at->in[0], &at->in[1], &at->in[2]);
        settle(w, &at->in[1], &none, &at->in[2]);
    }
}

// Sets the place of node i from the wish for its result; the orders of its
// operands are then the wishes for the arguments.
static void place_node(struct orient *w, uint32_t i, struct order wish,
                       struct rng *rng)
{
    const struct pat *p = &w->r->pats[i];
    struct pat_place *at = &w->in->pat[i];
    struct order none = {0, NULL};
    if (rng != NULL && rng_below(rng, 2) == 0)
        wish = shuffled(w, &wish, rng);
    at->out = wish;
    for (uint32_t k = 0; k < p->n_args; k++)
        at->in[k] = wish;
    if (p->kind == PAT_TENSOR)
        at->out = w->in->order[p->var];
    else if (p->kind == PAT_SCALAR || p->kind == PAT_LITERAL)
        at->out = none;
    else if (p->kind == PAT_SPLAT)
        at->in[0] = none;
    else if (p->kind == PAT_RELABEL)
        at->in[0] = renamed(w, p, &wish, true);
    if (p->kind != PAT_OP)
        return;
    for (uint32_t k = 1; one_operand(p->op) && k < p->n_args; k++)
        at->in[k] = none;
    switch (p->op) {
    case OP_REDUCE:
        at->in[0] = operand(w, p->args[0], &wish, rng);
        at->out = restricted(w, &at->in[0], i);
        break;
    case OP_BROADCAST_IN_DIM:
        at->in[0] = operand(w, p->args[0], &wish, rng);
        break;
    case OP_RESHAPE:
        place_reshape(w, p, at, &wish, rng);
        break;
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_GATHER:
    case OP_SCATTER:
        place_operands(w, i, &wish, rng);
        break;
    default:
        break;
    }
}

void instance_shuffle(struct instance *in, uint32_t root,
                      const struct order *wanted, struct rng *rng)
{
    struct orient w = {in, in->rule, NULL, NULL};
    w.natural = mem_alloc((root + 1) * sizeof *w.natural);
    w.any = mem_alloc((root + 1) * sizeof *w.any);
    struct order *wish = mem_alloc((root + 1) * sizeof *wish);
    bool *below = mem_alloc((root + 1) * sizeof *below);
    below[root] = true;
    wish[root] = *wanted;
    for (uint32_t i = root + 1; i-- > 0;)
        for (uint32_t k = 0; below[i] && k < w.r->pats[i].n_args; k++)
            below[w.r->pats[i].args[k]] = true;
    for (uint32_t i = 0; i <= root; i++)
        if (below[i])
            find_natural(&w, i);
    bool *wished = mem_alloc((root + 1) * sizeof *wished);
    for (uint32_t i = root + 1; i-- > 0;) {
        if (!below[i])
            continue;
        place_node(&w, i, wish[i], rng);
        const struct pat *p = &w.r->pats[i];
        for (uint32_t k = 0; k < p->n_args; k++)
            if (!wished[p->args[k]]) {
                wished[p->args[k]] = true;
                wish[p->args[k]] = in->pat[i].in[k];
            }
    }
    mem_free(wished);
    mem_free(below);
    mem_free(wish);
    mem_free(w.any);
    mem_free(w.natural);
}

void instance_orient(struct instance *in, uint32_t root,
                     const struct order *wanted)
{
    instance_shuffle(in, root, wanted, NULL);
}
