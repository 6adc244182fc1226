// SPDX-License-Identifier: Apache-2.0
// Orders of the operand and of the result of a reshape (N4).  On either side an axis
// belongs to a unit: its group, or the axis alone.  If a group has no axis on one side,
// then its axes on the other side are free: their sizes are 1, so they may stand
// anywhere.
#include "rules/instance/regroup.h"

enum side {
    SIDE_FROM,
    SIDE_TO,
};

#define FREE (NONE - 1)
#define UNIT_OF_GROUP(g) (UINT32_MAX / 2 + (g)) // above all axis numbers

static uint32_t class_at(const struct reshape_group *group, enum side side, uint32_t i)
{
    return side == SIDE_FROM ? group->from[i] : group->to[i].cls;
}

static uint32_t classes_on(const struct reshape_group *group, enum side side)
{
    return side == SIDE_FROM ? group->n_from : group->n_to;
}

static uint32_t axes_on(const struct instance *in, const struct reshape_group *group,
                        enum side side)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < classes_on(group, side); i++)
        n += in->rank[class_at(group, side, i)];
    return n;
}

static uint32_t unit_of(const struct instance *in, const struct pat *pattern, enum side side,
                        uint32_t axis)
{
    for (uint32_t g = 0; g < pattern->n_groups; g++) {
        const struct reshape_group *group = &pattern->groups[g];
        for (uint32_t i = 0; i < classes_on(group, side); i++) {
            if (class_at(group, side, i) != in->axis_class[axis])
                continue;
            enum side other = side == SIDE_FROM ? SIDE_TO : SIDE_FROM;
            return axes_on(in, group, other) > 0 ? UNIT_OF_GROUP(g) : FREE;
        }
    }
    return axis;
}

static bool is_group(uint32_t unit)
{
    return unit >= UNIT_OF_GROUP(0);
}

// Appends all axes of a unit on one side.
static void put_unit(const struct instance *in, const struct pat *pattern, enum side side,
                     uint32_t unit, struct order *order)
{
    if (!is_group(unit)) {
        order->axis[order->n++] = unit;
        return;
    }
    const struct reshape_group *group = &pattern->groups[unit - UNIT_OF_GROUP(0)];
    for (uint32_t i = 0; i < classes_on(group, side); i++) {
        uint32_t c = class_at(group, side, i);
        for (uint32_t k = 0; k < in->rank[c]; k++)
            order->axis[order->n++] = in->class_axes[c][k];
    }
}

static bool has(const uint32_t *list, uint32_t n, uint32_t x)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == x)
            return true;
    return false;
}

// Inserts `axis` behind the axis that stands before it in `like`, or as the first.
static void insert(struct order *order, const struct order *like, uint32_t i)
{
    uint32_t at = 0;
    if (i > 0)
        at = order_find(order, like->axis[i - 1]) + 1; // NONE + 1 = 0
    for (uint32_t k = order->n++; k > at; k--)
        order->axis[k] = order->axis[k - 1];
    order->axis[at] = like->axis[i];
}

// Makes both orders.  The units stand in the order that `lead` has on `side`.  On the
// other side free axes stand as in `other`.
struct regrouping {
    const struct instance *in;
    const struct pat *pattern;
    enum side side; // whose order leads
};

static void arrange(struct regrouping regrouping, const struct order *lead,
                    const struct order *other, struct order *mine, struct order *theirs)
{
    const struct instance *in = regrouping.in;
    const struct pat *pattern = regrouping.pattern;
    enum side side = regrouping.side;
    enum side back = side == SIDE_FROM ? SIDE_TO : SIDE_FROM;
    uint32_t *units = ARENA_NEW(in->mem, uint32_t, lead->n), n = 0;
    mine->axis = ARENA_NEW(in->mem, uint32_t, lead->n);
    theirs->axis = ARENA_NEW(in->mem, uint32_t, other->n);
    mine->n = theirs->n = 0;
    for (uint32_t i = 0; i < lead->n; i++) {
        uint32_t unit = unit_of(in, pattern, side, lead->axis[i]);
        if (unit == FREE) {
            mine->axis[mine->n++] = lead->axis[i];
        } else if (!has(units, n, unit)) {
            units[n++] = unit;
            put_unit(in, pattern, side, unit, mine);
            put_unit(in, pattern, back, unit, theirs);
        }
    }
    for (uint32_t i = 0; i < other->n; i++)
        if (unit_of(in, pattern, back, other->axis[i]) == FREE)
            insert(theirs, other, i);
}

void reshape_from(const struct instance *in, const struct pat *pattern, const struct order *natural,
                  const struct order *wish, struct order *from, struct order *to)
{
    arrange((struct regrouping){in, pattern, SIDE_FROM}, natural, wish, from, to);
}

void reshape_to(const struct instance *in, const struct pat *pattern, const struct order *natural,
                const struct order *wish, struct order *from, struct order *to)
{
    arrange((struct regrouping){in, pattern, SIDE_TO}, wish, natural, to, from);
}

bool reshape_fits(const struct instance *in, const struct pat *pattern, const struct order *from,
                  const struct order *to)
{
    struct order left = {0, NULL}, right = {0, NULL};
    struct order want = {0, NULL}, same = {0, NULL};
    bool ok = true;
    left.axis = mem_alloc((from->n + 1u) * sizeof *left.axis);
    right.axis = mem_alloc((to->n + 1u) * sizeof *right.axis);
    for (uint32_t i = 0; i < from->n; i++)
        if (unit_of(in, pattern, SIDE_FROM, from->axis[i]) != FREE)
            left.axis[left.n++] = from->axis[i];
    for (uint32_t i = 0; i < to->n; i++)
        if (unit_of(in, pattern, SIDE_TO, to->axis[i]) != FREE)
            right.axis[right.n++] = to->axis[i];
    struct arena_mark mark = arena_mark(in->mem);
    arrange((struct regrouping){in, pattern, SIDE_FROM}, &left, &right, &same, &want);
    ok = order_same(&left, &same) && order_same(&right, &want);
    arena_reset(in->mem, mark);
    mem_free(left.axis);
    mem_free(right.axis);
    return ok;
}
