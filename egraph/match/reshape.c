// SPDX-License-Identifier: Apache-2.0
// The groups of a reshape of two shapes.
#include "egraph/match/reshape.h"

static void pair_up(struct grouping *g, uint32_t a, uint32_t b)
{
    g->pair[a] = b;
    g->paired[b] = a;
}

static void pair_units(struct grouping *g, const uint32_t *from,
                       const uint32_t *to)
{
    uint32_t a = from[0], b = to[0];
    while (a < from[1] && b < to[1])
        pair_up(g, a++, b++);
}

// One run: extends both sides until the products agree.
static bool run(struct grouping *g, uint32_t *a, uint32_t *b)
{
    int64_t p = g->dims[0][*a], q = g->dims[1][*b];
    uint32_t first[2] = {*a, *b}, n[2] = {1, 1};
    g->n_groups++;
    g->group[0][(*a)++] = g->group[1][(*b)++] = g->n_groups;
    while (p != q) {
        if (p == 0 || q == 0)
            return false; // any further sizes would do
        int side = p < q ? 0 : 1;
        uint32_t *at = side == 0 ? a : b;
        int64_t *product = side == 0 ? &p : &q;
        if (*at >= g->n[side] ||
            __builtin_mul_overflow(*product, g->dims[side][*at], product))
            return false;
        if (g->dims[side][*at] != 1) {
            g->group[side][*at] = g->n_groups;
            n[side]++;
        }
        (*at)++;
    }
    if (n[0] == 1 && n[1] == 1) {
        pair_up(g, first[0], first[1]);
        return true;
    }
    for (int side = 0; side < 2; side++) {
        if (g->n_changed == 0)
            g->from[side] = first[side];
        g->to[side] = side == 0 ? *a : *b;
    }
    g->n_changed++;
    return true;
}

static void one_group(struct grouping *g)
{
    g->n_groups++;
    g->n_changed = 1;
    for (int side = 0; side < 2; side++)
        for (uint32_t d = g->from[side]; d < g->to[side]; d++) {
            g->group[side][d] = g->n_groups;
            (side == 0 ? g->pair : g->paired)[d] = NONE;
        }
}

// whole: all dimensions are one group.
static bool grouping_of(struct grouping *g, const struct pool *pool,
                        type_id from, type_id to, bool whole)
{
    *g =
        (struct grouping){.n = {type_rank(pool, from), type_rank(pool, to)},
                          .dims = {type_dims(pool, from), type_dims(pool, to)}};
    uint32_t a = 0, b = 0;
    for (uint32_t i = 0; i < MAX_RANK; i++)
        g->pair[i] = g->paired[i] = NONE;
    if (whole) {
        g->to[0] = g->n[0];
        g->to[1] = g->n[1];
        one_group(g);
        return true;
    }
    for (;;) {
        uint32_t u[2] = {a, a}, v[2] = {b, b};
        while (a < g->n[0] && g->dims[0][a] == 1)
            u[1] = ++a;
        while (b < g->n[1] && g->dims[1][b] == 1)
            v[1] = ++b;
        pair_units(g, u, v);
        if (a == g->n[0] || b == g->n[1]) {
            if (g->n_changed > 1)
                one_group(g);
            return a == g->n[0] && b == g->n[1];
        }
        if (!run(g, &a, &b))
            return false;
    }
}

bool grouping_of_node(const struct match_axes *x, uint32_t i, struct grouping *g)
{
    const struct terms *t = x->m->g->terms;
    term_id node = x->m->node[i];
    return grouping_of(g, x->pool, term_type(t, term_args(t, node)[0]),
                       term_type(t, node), x->whole);
}

unsigned grouping_role(const struct grouping *g, int side, uint32_t d)
{
    if ((side == 0 ? g->pair : g->paired)[d] != NONE)
        return ROLE_PLAIN;
    return g->group[side][d] == 0 ? ROLE_DROPPED : ROLE_GROUP;
}

unsigned reshape_role(const struct pat *p, bool result, uint32_t c)
{
    for (uint32_t k = 0; k < p->n_groups; k++) {
        const struct reshape_group *g = &p->groups[k];
        uint32_t n = result ? g->n_to : g->n_from;
        for (uint32_t j = 0; j < n; j++)
            if ((result ? g->to[j].cls : g->from[j]) == c)
                return (result ? g->n_from : g->n_to) == 0 ? ROLE_DROPPED
                                                           : ROLE_GROUP;
    }
    return ROLE_PLAIN;
}

bool grouping_in_place(const struct rule *r, const struct pat *p,
                       const struct grouping *g, int side, uint32_t d,
                       uint32_t c)
{
    uint32_t before = 0, after = 0; // dimensions of the group
    for (uint32_t k = 0; k < g->n[side]; k++)
        if (k != d && g->group[side][k] == g->group[side][d])
            ++*(k < d ? &before : &after);
    for (uint32_t k = 0; k < p->n_groups; k++) {
        const struct reshape_group *of = &p->groups[k];
        uint32_t n = side ? of->n_to : of->n_from, single[2] = {0, 0}, own = 0;
        bool block[2] = {false, false}, found = false;
        for (uint32_t j = 0; j < n; j++) {
            uint32_t at = side ? of->to[j].cls : of->from[j];
            if (at == c) {
                found = true;
                own = r->classes[c].block;
            } else if (r->classes[at].block) {
                block[found] = true;
            } else {
                single[found]++;
            }
        }
        if (found)
            return before >= single[0] && after >= single[1] &&
                   (own || block[0] || before == single[0]) &&
                   (own || block[1] || after == single[1]);
    }
    return false;
}

bool reshape_may_be_empty(const struct rule *r, const struct pat *p, bool from,
                          uint32_t c)
{
    for (uint32_t k = 0; k < p->n_groups; k++) {
        const struct reshape_group *g = &p->groups[k];
        bool mine = false, blocks = true;
        for (uint32_t j = 0; j < g->n_from; j++) {
            mine = mine || (from && g->from[j] == c);
            blocks = blocks && (from || r->classes[g->from[j]].block);
        }
        for (uint32_t j = 0; j < g->n_to; j++) {
            mine = mine || (!from && g->to[j].cls == c);
            blocks = blocks && (!from || r->classes[g->to[j].cls].block);
        }
        if (mine)
            return blocks;
    }
    return false;
}
