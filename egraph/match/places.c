// SPDX-License-Identifier: Apache-2.0
// Which group of axes fills which part of the pattern, and which groups of
// different parts are partners.  Axes with one candidate come first; then each
// class that must have an axis takes the lowest free one, by augmenting paths;
// the rest go to the first class that they fit.
#include "egraph/match/axes.h"

static void choose(struct match_axes *axes, struct axis_group *group, uint32_t choice)
{
    if (group->choice != NONE)
        axes->count[group->candidate[group->choice].part]--;
    group->choice = choice;
    if (choice != NONE)
        axes->count[group->candidate[choice].part]++;
}

static uint32_t candidate_of_part(const struct axis_group *group, uint32_t part)
{
    for (uint32_t k = 0; k < group->n_candidates; k++)
        if (group->candidate[k].part == part)
            return k;
    return NONE;
}

static bool part_is_single(const struct match_axes *axes, uint32_t part)
{
    uint32_t family = axes->variant->parts[part].family;
    for (uint32_t c = 0; c < axes->rule->n_classes; c++)
        if (axes->rule->classes[c].like == family && axes->rule->classes[c].single)
            return true;
    return false;
}

uint32_t axes_least_rank(const struct match_axes *axes, uint32_t family)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < axes->rule->n_classes; c++)
        if (axes->rule->classes[c].like == family && axes->rule->classes[c].least_rank > n)
            n = axes->rule->classes[c].least_rank;
    return n;
}

// Groups that part still wants: parts of one rank class have equal numbers.
static uint32_t wanted(const struct match_axes *axes, uint32_t part)
{
    uint32_t family = axes->variant->parts[part].family, n = axes_least_rank(axes, family);
    for (uint32_t f = 0; f < axes->variant->n_parts; f++)
        if (axes->variant->parts[f].family == family && axes->count[f] > n)
            n = axes->count[f];
    return n - axes->count[part];
}

// Bipartite matching of wants and free groups, by augmenting paths.
struct pairing {
    struct match_axes *axes;
    uint32_t n_wants;
    uint32_t *want_part; // per want
    uint32_t *taken;     // per group: want + 1
    bool *visited;       // per group
};

static bool augment(struct pairing *pairing, uint32_t want)
{
    for (uint32_t k = 0; k < pairing->axes->n_groups; k++) {
        const struct axis_group *group = &pairing->axes->group[k];
        if (group->choice != NONE || pairing->visited[k] ||
            candidate_of_part(group, pairing->want_part[want]) == NONE)
            continue;
        pairing->visited[k] = true;
        if (pairing->taken[k] == 0 || augment(pairing, pairing->taken[k] - 1)) {
            pairing->taken[k] = want + 1;
            return true;
        }
    }
    return false;
}

// Fills every part that wants groups from the free ones; false: impossible,
// and nothing is changed.
static bool fill_wants(struct match_axes *axes)
{
    struct arena_mark mark = arena_mark(axes->mem);
    struct pairing pairing = {axes, 0, NULL, NULL, NULL};
    pairing.want_part = ARENA_NEW(axes->mem, uint32_t, axes->n_groups + 1);
    pairing.taken = ARENA_NEW(axes->mem, uint32_t, axes->n_groups);
    pairing.visited = ARENA_NEW(axes->mem, bool, axes->n_groups);
    bool ok = true;
    for (uint32_t f = 0; ok && f < axes->variant->n_parts; f++)
        for (uint32_t n = wanted(axes, f); ok && n > 0; n--) {
            ok = pairing.n_wants < axes->n_groups;
            pairing.want_part[pairing.n_wants] = f;
            for (uint32_t k = 0; k < axes->n_groups; k++)
                pairing.visited[k] = false;
            ok = ok && augment(&pairing, pairing.n_wants++);
        }
    for (uint32_t k = 0; ok && k < axes->n_groups; k++)
        if (pairing.taken[k] != 0)
            choose(axes, &axes->group[k],
                   candidate_of_part(&axes->group[k], pairing.want_part[pairing.taken[k] - 1]));
    arena_reset(axes->mem, mark);
    return ok;
}

static bool choose_first(struct match_axes *axes, struct axis_group *group)
{
    for (uint32_t k = 0; k < group->n_candidates; k++) {
        uint32_t part = group->candidate[k].part;
        if (part_is_single(axes, part) && axes->count[part] >= 1)
            continue;
        choose(axes, group, k);
        if (fill_wants(axes))
            return true;
        choose(axes, group, NONE);
    }
    return false;
}

static bool one_part(const struct axis_group *group)
{
    for (uint32_t k = 1; k < group->n_candidates; k++)
        if (group->candidate[k].part != group->candidate[0].part)
            return false;
    return true;
}

bool axes_assign_parts(struct match_axes *axes)
{
    axes->count = ARENA_NEW(axes->mem, uint32_t, axes->variant->n_parts);
    for (uint32_t k = 0; k < axes->n_groups; k++)
        if (!axes_candidates(axes, &axes->group[k]))
            return false;
    for (uint32_t k = 0; k < axes->n_groups; k++)
        if (one_part(&axes->group[k]))
            choose(axes, &axes->group[k], 0);
    for (uint32_t f = 0; f < axes->variant->n_parts; f++)
        if (axes->count[f] > 1 && part_is_single(axes, f))
            return false;
    if (!fill_wants(axes))
        return false;
    for (uint32_t k = 0; k < axes->n_groups; k++)
        if (axes->group[k].choice == NONE && !choose_first(axes, &axes->group[k]))
            return false;
    for (uint32_t k = 0; k < axes->n_groups; k++)
        axes_label(axes, &axes->group[k], axes->group[k].candidate[axes->group[k].choice].cls);
    return true;
}

static uint32_t group_part(const struct axis_group *group)
{
    return group->candidate[group->choice].part;
}

// Do the groups at a place of the family, and `extra`, agree on the maps?
bool axes_place_fits(struct match_axes *axes, uint32_t family, uint32_t place,
                     const struct axis_group *extra)
{
    vec_clear(&axes->equations);
    for (uint32_t k = 0; k < axes->n_groups; k++) {
        const struct axis_group *group = &axes->group[k];
        if (group->place == place && axes->variant->parts[group_part(group)].family == family &&
            group != extra)
            axes_equations(axes, group);
    }
    if (extra != NULL)
        axes_equations(axes, extra);
    return axes_solve(axes, family);
}

struct place_pairing {
    struct match_axes *axes;
    uint32_t family, part, rank;
    uint32_t *taken; // per place: group + 1
    bool *visited;
};

static bool augment_place(struct place_pairing *pairing, uint32_t k)
{
    for (uint32_t j = 0; j < pairing->rank; j++) {
        if (pairing->visited[j] ||
            !axes_place_fits(pairing->axes, pairing->family, j, &pairing->axes->group[k]))
            continue;
        pairing->visited[j] = true;
        if (pairing->taken[j] == 0 || augment_place(pairing, pairing->taken[j] - 1)) {
            pairing->taken[j] = k + 1;
            return true;
        }
    }
    return false;
}

// Where the axis of a block stands in the reshape that it belongs to; NONE: in
// no reshape.
static uint32_t block_position(struct match_axes *axes, const struct axis_group *group)
{
    for (uint32_t s = 0; s < axes->variant->n_steps; s++) {
        uint32_t i = axes->variant->step[s];
        const struct pat *pattern = &axes->rule->pats[i];
        if (pattern->kind != PAT_OP || pattern->op != OP_RESHAPE)
            continue;
        uint32_t a = axes->variant->rep[pattern->args[0]], n = axes_count(axes, a);
        for (uint32_t d = 0; d < n + axes_count(axes, i); d++) {
            uint32_t dim = d < n ? axes_seen(axes, a, d) : axes->base[i] + (d - n);
            if (axes_root(axes->sup, axes_root(axes->up, dim)) == group->first)
                return d;
        }
    }
    return NONE;
}

// The axes of a block are in row-major order.
static bool place_block(struct match_axes *axes, uint32_t part)
{
    for (uint32_t k = 0; k < axes->n_groups; k++) {
        struct axis_group *group = &axes->group[k];
        uint32_t at = block_position(axes, group);
        if (group_part(group) != part)
            continue;
        if (at == NONE)
            return false;
        group->place = 0;
        for (uint32_t j = 0; j < axes->n_groups; j++)
            group->place +=
                group_part(&axes->group[j]) == part && block_position(axes, &axes->group[j]) < at;
    }
    return true;
}

// Gives every group of a part its place.  The first part of a rank class sets
// the places; the others go where the maps agree, lowest first.
static bool place_part(struct match_axes *axes, uint32_t part, bool first)
{
    uint32_t family = axes->variant->parts[part].family, rank = axes->count[part], n = 0;
    if (axes->rule->classes[family].block && place_block(axes, part))
        return true;
    struct place_pairing pairing = {axes, family, part, rank, NULL, NULL};
    pairing.taken = ARENA_NEW(axes->mem, uint32_t, rank);
    pairing.visited = ARENA_NEW(axes->mem, bool, rank);
    for (uint32_t k = 0; k < axes->n_groups; k++) {
        if (group_part(&axes->group[k]) != part)
            continue;
        if (first) {
            axes->group[k].place = n++;
            continue;
        }
        for (uint32_t j = 0; j < rank; j++)
            pairing.visited[j] = false;
        if (!augment_place(&pairing, k))
            return false;
    }
    for (uint32_t j = 0; !first && j < rank; j++)
        axes->group[pairing.taken[j] - 1].place = j;
    return true;
}

bool axes_assign_places(struct match_axes *axes)
{
    for (uint32_t k = 0; k < axes->n_groups; k++)
        axes->group[k].place = NONE;
    for (uint32_t f = 0; f < axes->variant->n_parts; f++) {
        bool first = true;
        for (uint32_t h = 0; h < f; h++)
            first = first && axes->variant->parts[h].family != axes->variant->parts[f].family;
        if (!place_part(axes, f, first))
            return false;
    }
    return true;
}
