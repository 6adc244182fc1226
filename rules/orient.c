// SPDX-License-Identifier: Apache-2.0
// The order of dimensions of every node of a pattern.  The wish goes down from
// the root: users come after their arguments in the pattern array, so one pass
// downwards sees each node after all its users; the first wish counts.  Before
// it, one pass upwards finds the order in which each node can be had without
// a transpose, which is what reduces and broadcasts ask of their operands.
#include "rules/instance.h"

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
    } else {
        natural_of_args(w, i, p->op == OP_PAD ? 1 : p->n_args);
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
    if (p->kind == PAT_TENSOR) {
        at->out = w->in->order[p->var];
    } else if (p->kind == PAT_SCALAR || p->kind == PAT_LITERAL) {
        at->out = none;
    } else if (p->kind == PAT_SPLAT) {
        at->in[0] = none;
    } else if (p->kind == PAT_RELABEL) {
        at->in[0] = renamed(w, p, &wish, true);
    } else if (p->kind == PAT_OP && p->op == OP_PAD) {
        at->in[1] = none;
    } else if (p->kind == PAT_OP && p->op == OP_REDUCE) {
        uint32_t a = p->args[0];
        at->in[0] =
            w->any[a] ? extended(w, &wish, &w->natural[a]) : w->natural[a];
        if (rng != NULL)
            at->in[0] = shuffled(w, &at->in[0], rng);
        at->out = restricted(w, &at->in[0], i);
    } else if (p->kind == PAT_OP && p->op == OP_BROADCAST_IN_DIM) {
        uint32_t a = p->args[0];
        at->in[0] = w->any[a] ? restricted(w, &wish, a) : w->natural[a];
        if (rng != NULL)
            at->in[0] = shuffled(w, &at->in[0], rng);
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
