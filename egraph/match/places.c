// SPDX-License-Identifier: Apache-2.0
// Which group of axes fills which part of the pattern, and which groups of
// different parts are partners.  Axes with one candidate come first; then each
// class that must have an axis takes the lowest free one, by augmenting paths;
// the rest go to the first class that they fit.
#include "egraph/match/axes.h"

static void choose(struct match_axes *x, struct axis_group *g, uint32_t choice)
{
    if (g->choice != NONE)
        x->count[g->candidate[g->choice].part]--;
    g->choice = choice;
    if (choice != NONE)
        x->count[g->candidate[choice].part]++;
}

static uint32_t candidate_of_part(const struct axis_group *g, uint32_t part)
{
    for (uint32_t k = 0; k < g->n_candidates; k++)
        if (g->candidate[k].part == part)
            return k;
    return NONE;
}

static bool part_is_single(const struct match_axes *x, uint32_t part)
{
    uint32_t family = x->v->parts[part].family;
    for (uint32_t c = 0; c < x->r->n_classes; c++)
        if (x->r->classes[c].like == family && x->r->classes[c].single)
            return true;
    return false;
}

uint32_t axes_least_rank(const struct match_axes *x, uint32_t family)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < x->r->n_classes; c++)
        if (x->r->classes[c].like == family && x->r->classes[c].least_rank > n)
            n = x->r->classes[c].least_rank;
    return n;
}

// Groups that part still wants: parts of one rank class have equal numbers.
static uint32_t wanted(const struct match_axes *x, uint32_t part)
{
    uint32_t family = x->v->parts[part].family, n = axes_least_rank(x, family);
    for (uint32_t f = 0; f < x->v->n_parts; f++)
        if (x->v->parts[f].family == family && x->count[f] > n)
            n = x->count[f];
    return n - x->count[part];
}

// Bipartite matching of wants and free groups, by augmenting paths.
struct pairing {
    struct match_axes *x;
    uint32_t n_wants;
    uint32_t *want_part; // per want
    uint32_t *taken;     // per group: want + 1
    bool *visited;       // per group
};

static bool augment(struct pairing *p, uint32_t want)
{
    for (uint32_t k = 0; k < p->x->n_groups; k++) {
        const struct axis_group *g = &p->x->group[k];
        if (g->choice != NONE || p->visited[k] ||
            candidate_of_part(g, p->want_part[want]) == NONE)
            continue;
        p->visited[k] = true;
        if (p->taken[k] == 0 || augment(p, p->taken[k] - 1)) {
            p->taken[k] = want + 1;
            return true;
        }
    }
    return false;
}

// Fills every part that wants groups from the free ones; false: impossible,
// and nothing is changed.
static bool fill_wants(struct match_axes *x)
{
    struct arena_mark mark = arena_mark(x->mem);
    struct pairing p = {x, 0, NULL, NULL, NULL};
    p.want_part = ARENA_NEW(x->mem, uint32_t, x->n_groups + 1);
    p.taken = ARENA_NEW(x->mem, uint32_t, x->n_groups);
    p.visited = ARENA_NEW(x->mem, bool, x->n_groups);
    bool ok = true;
    for (uint32_t f = 0; ok && f < x->v->n_parts; f++)
        for (uint32_t n = wanted(x, f); ok && n > 0; n--) {
            ok = p.n_wants < x->n_groups;
            p.want_part[p.n_wants] = f;
            for (uint32_t k = 0; k < x->n_groups; k++)
                p.visited[k] = false;
            ok = ok && augment(&p, p.n_wants++);
        }
    for (uint32_t k = 0; ok && k < x->n_groups; k++)
        if (p.taken[k] != 0)
            choose(
                x, &x->group[k],
                candidate_of_part(&x->group[k], p.want_part[p.taken[k] - 1]));
    arena_reset(x->mem, mark);
    return ok;
}

static bool choose_first(struct match_axes *x, struct axis_group *g)
{
    for (uint32_t k = 0; k < g->n_candidates; k++) {
        uint32_t part = g->candidate[k].part;
        if (part_is_single(x, part) && x->count[part] >= 1)
            continue;
        choose(x, g, k);
        if (fill_wants(x))
            return true;
        choose(x, g, NONE);
    }
    return false;
}

static bool one_part(const struct axis_group *g)
{
    for (uint32_t k = 1; k < g->n_candidates; k++)
        if (g->candidate[k].part != g->candidate[0].part)
            return false;
    return true;
}

bool axes_assign_parts(struct match_axes *x)
{
    x->count = ARENA_NEW(x->mem, uint32_t, x->v->n_parts);
    for (uint32_t k = 0; k < x->n_groups; k++)
        if (!axes_candidates(x, &x->group[k]))
            return false;
    for (uint32_t k = 0; k < x->n_groups; k++)
        if (one_part(&x->group[k]))
            choose(x, &x->group[k], 0);
    for (uint32_t f = 0; f < x->v->n_parts; f++)
        if (x->count[f] > 1 && part_is_single(x, f))
            return false;
    if (!fill_wants(x))
        return false;
    for (uint32_t k = 0; k < x->n_groups; k++)
        if (x->group[k].choice == NONE && !choose_first(x, &x->group[k]))
            return false;
    for (uint32_t k = 0; k < x->n_groups; k++)
        axes_label(x, &x->group[k],
                   x->group[k].candidate[x->group[k].choice].cls);
    return true;
}

static uint32_t group_part(const struct axis_group *g)
{
    return g->candidate[g->choice].part;
}

// Do the groups at a place of the family, and `extra`, agree on the maps?
bool axes_place_fits(struct match_axes *x, uint32_t family, uint32_t place,
                     const struct axis_group *extra)
{
    x->n_equations = 0;
    for (uint32_t k = 0; k < x->n_groups; k++) {
        const struct axis_group *g = &x->group[k];
        if (g->place == place && x->v->parts[group_part(g)].family == family &&
            g != extra)
            axes_equations(x, g);
    }
    if (extra != NULL)
        axes_equations(x, extra);
    return axes_solve(x, family);
}

struct place_pairing {
    struct match_axes *x;
    uint32_t family, part, rank;
    uint32_t *taken; // per place: group + 1
    bool *visited;
};

static bool augment_place(struct place_pairing *p, uint32_t k)
{
    for (uint32_t j = 0; j < p->rank; j++) {
        if (p->visited[j] ||
            !axes_place_fits(p->x, p->family, j, &p->x->group[k]))
            continue;
        p->visited[j] = true;
        if (p->taken[j] == 0 || augment_place(p, p->taken[j] - 1)) {
            p->taken[j] = k + 1;
            return true;
        }
    }
    return false;
}

// Where the axis of a block stands in the reshape that it belongs to; NONE: in
// no reshape.
static uint32_t block_position(struct match_axes *x, const struct axis_group *g)
{
    for (uint32_t s = 0; s < x->v->n_steps; s++) {
        uint32_t i = x->v->step[s];
        const struct pat *p = &x->r->pats[i];
        if (p->kind != PAT_OP || p->op != OP_RESHAPE)
            continue;
        uint32_t a = x->v->rep[p->args[0]], n = axes_count(x, a);
        for (uint32_t d = 0; d < n + axes_count(x, i); d++) {
            uint32_t dim = d < n ? axes_seen(x, a, d) : x->base[i] + (d - n);
            if (axes_root(x->sup, axes_root(x->up, dim)) == g->first)
                return d;
        }
    }
    return NONE;
}

// The axes of a block are in row-major order.
static bool place_block(struct match_axes *x, uint32_t part)
{
    for (uint32_t k = 0; k < x->n_groups; k++) {
        struct axis_group *g = &x->group[k];
        uint32_t at = block_position(x, g);
        if (group_part(g) != part)
            continue;
        if (at == NONE)
            return false;
        g->place = 0;
        for (uint32_t j = 0; j < x->n_groups; j++)
            g->place += group_part(&x->group[j]) == part &&
                        block_position(x, &x->group[j]) < at;
    }
    return true;
}

// Gives every group of a part its place.  The first part of a rank class sets
// the places; the others go where the maps agree, lowest first.
static bool place_part(struct match_axes *x, uint32_t part, bool first)
{
    uint32_t family = x->v->parts[part].family, rank = x->count[part], n = 0;
    if (x->r->classes[family].block && place_block(x, part))
        return true;
    struct place_pairing p = {x, family, part, rank, NULL, NULL};
    p.taken = ARENA_NEW(x->mem, uint32_t, rank);
    p.visited = ARENA_NEW(x->mem, bool, rank);
    for (uint32_t k = 0; k < x->n_groups; k++) {
        if (group_part(&x->group[k]) != part)
            continue;
        if (first) {
            x->group[k].place = n++;
            continue;
        }
        for (uint32_t j = 0; j < rank; j++)
            p.visited[j] = false;
        if (!augment_place(&p, k))
            return false;
    }
    for (uint32_t j = 0; !first && j < rank; j++)
        x->group[p.taken[j] - 1].place = j;
    return true;
}

bool axes_assign_places(struct match_axes *x)
{
    for (uint32_t k = 0; k < x->n_groups; k++)
        x->group[k].place = NONE;
    for (uint32_t f = 0; f < x->v->n_parts; f++) {
        bool first = true;
        for (uint32_t h = 0; h < f; h++)
            first = first && x->v->parts[h].family != x->v->parts[f].family;
        if (!place_part(x, f, first))
            return false;
    }
    return true;
}
