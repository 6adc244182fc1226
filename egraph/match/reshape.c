// SPDX-License-Identifier: Apache-2.0
// The groups of a reshape of two shapes.
#include "egraph/match/reshape.h"

static void pair_up(struct grouping *grouping, uint32_t a, uint32_t b)
{
    grouping->pair[a] = b;
    grouping->paired[b] = a;
}

static void pair_units(struct grouping *grouping, const uint32_t *from, const uint32_t *to,
                       enum grouping_way way)
{
    uint32_t a = from[0], b = to[0], n = from[1] - a, m = to[1] - b;
    if (way == GROUPING_LATE && n > m)
        a += n - m;
    else if (way == GROUPING_LATE)
        b += m - n;
    while (way != GROUPING_NONE && a < from[1] && b < to[1])
        pair_up(grouping, a++, b++);
}

// One run: extends both sides until the products agree.
static bool run(struct grouping *grouping, uint32_t *a, uint32_t *b)
{
    int64_t p = grouping->dims[0][*a], q = grouping->dims[1][*b];
    uint32_t first[2] = {*a, *b}, n[2] = {1, 1};
    grouping->n_groups++;
    grouping->group[0][(*a)++] = grouping->group[1][(*b)++] = grouping->n_groups;
    while (p != q) {
        if (p == 0 || q == 0)
            return false; // any further sizes would do
        int side = p < q ? 0 : 1;
        uint32_t *at = side == 0 ? a : b;
        int64_t *product = side == 0 ? &p : &q;
        if (*at >= grouping->n[side] ||
            __builtin_mul_overflow(*product, grouping->dims[side][*at], product))
            return false;
        if (grouping->dims[side][*at] != 1) {
            grouping->group[side][*at] = grouping->n_groups;
            n[side]++;
        }
        (*at)++;
    }
    if (n[0] == 1 && n[1] == 1) {
        pair_up(grouping, first[0], first[1]);
        return true;
    }
    for (int side = 0; side < 2; side++) {
        if (grouping->n_changed == 0)
            grouping->from[side] = first[side];
        grouping->to[side] = side == 0 ? *a : *b;
    }
    grouping->n_changed++;
    return true;
}

static void one_group(struct grouping *grouping)
{
    grouping->n_groups++;
    grouping->n_changed = 1;
    for (int side = 0; side < 2; side++)
        for (uint32_t d = grouping->from[side]; d < grouping->to[side]; d++) {
            grouping->group[side][d] = grouping->n_groups;
            (side == 0 ? grouping->pair : grouping->paired)[d] = NONE;
        }
}

static bool grouping_of(struct grouping *grouping, const struct pool *pool, type_id from,
                        type_id to, enum grouping_way way)
{
    *grouping = (struct grouping){.n = {type_rank(pool, from), type_rank(pool, to)},
                                  .dims = {type_dims(pool, from), type_dims(pool, to)}};
    uint32_t a = 0, b = 0;
    for (uint32_t i = 0; i < TENSOR_MAX_RANK; i++)
        grouping->pair[i] = grouping->paired[i] = NONE;
    if (way == GROUPING_WHOLE) {
        grouping->to[0] = grouping->n[0];
        grouping->to[1] = grouping->n[1];
        one_group(grouping);
        return true;
    }
    for (;;) {
        uint32_t u[2] = {a, a}, v[2] = {b, b};
        while (a < grouping->n[0] && grouping->dims[0][a] == 1)
            u[1] = ++a;
        while (b < grouping->n[1] && grouping->dims[1][b] == 1)
            v[1] = ++b;
        pair_units(grouping, u, v, way);
        if (a == grouping->n[0] || b == grouping->n[1]) {
            if (grouping->n_changed > 1)
                one_group(grouping);
            return a == grouping->n[0] && b == grouping->n[1];
        }
        if (!run(grouping, &a, &b))
            return false;
    }
}

bool grouping_of_node(const struct match_axes *axes, uint32_t i, struct grouping *grouping)
{
    const struct terms *terms = axes->matcher->graph->terms;
    term_id node = axes->matcher->node[i];
    return grouping_of(grouping, axes->pool, term_type(terms, term_args(terms, node)[0]),
                       term_type(terms, node), axes->way);
}

unsigned grouping_role(const struct grouping *grouping, int side, uint32_t d)
{
    if ((side == 0 ? grouping->pair : grouping->paired)[d] != NONE)
        return ROLE_PLAIN;
    return grouping->group[side][d] == 0 ? ROLE_DROPPED : ROLE_GROUP;
}

unsigned reshape_role(const struct pat *pattern, bool result, uint32_t c)
{
    for (uint32_t k = 0; k < pattern->n_groups; k++) {
        const struct reshape_group *group = &pattern->groups[k];
        uint32_t n = result ? group->n_to : group->n_from;
        for (uint32_t j = 0; j < n; j++)
            if ((result ? group->to[j].cls : group->from[j]) == c)
                return (result ? group->n_from : group->n_to) == 0 ? ROLE_DROPPED : ROLE_GROUP;
    }
    return ROLE_PLAIN;
}

bool grouping_in_place(const struct rule *rule, const struct pat *pattern,
                       const struct grouping *grouping, int side, uint32_t d, uint32_t c)
{
    uint32_t before = 0, after = 0; // dimensions of the group
    for (uint32_t k = 0; k < grouping->n[side]; k++)
        if (k != d && grouping->group[side][k] == grouping->group[side][d])
            ++*(k < d ? &before : &after);
    for (uint32_t k = 0; k < pattern->n_groups; k++) {
        const struct reshape_group *of = &pattern->groups[k];
        uint32_t n = side ? of->n_to : of->n_from, single[2] = {0, 0}, own = 0;
        bool block[2] = {false, false}, found = false;
        for (uint32_t j = 0; j < n; j++) {
            uint32_t at = side ? of->to[j].cls : of->from[j];
            if (at == c) {
                found = true;
                own = rule->classes[c].block;
            } else if (rule->classes[at].block) {
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

bool reshape_may_be_empty(const struct rule *rule, const struct pat *pattern, bool from, uint32_t c)
{
    for (uint32_t k = 0; k < pattern->n_groups; k++) {
        const struct reshape_group *group = &pattern->groups[k];
        bool mine = false, blocks = true;
        for (uint32_t j = 0; j < group->n_from; j++) {
            mine = mine || (from && group->from[j] == c);
            blocks = blocks && (from || rule->classes[group->from[j]].block);
        }
        for (uint32_t j = 0; j < group->n_to; j++) {
            mine = mine || (!from && group->to[j].cls == c);
            blocks = blocks && (!from || rule->classes[group->to[j].cls].block);
        }
        if (mine)
            return blocks;
    }
    return false;
}
