// SPDX-License-Identifier: Apache-2.0
#include "verify/counterexample/order.h"

#include <stdlib.h>

uint32_t cex_measure(int64_t v)
{
    uint64_t size = v < 0 ? -(uint64_t)v : (uint64_t)v;
    if (size <= VERIFY_CEX_PLAIN_VALUE)
        return (uint32_t)size;
    return VERIFY_CEX_PLAIN_VALUE + 64 - (uint32_t)__builtin_clzll(size);
}

uint32_t cex_case_weight(const struct rule *rule, const struct cex_case *candidate)
{
    uint32_t weight = 0;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t i = 0; rule->maps[m].def == NULL && !rule->maps[m].index &&
                             i < candidate->rank[rule->maps[m].cls];
             i++)
            weight += cex_measure(candidate->map[m][i]);
    return weight;
}

uint32_t cex_case_axes(const struct cex_space *space, const struct cex_case *candidate)
{
    uint32_t axes = 0;
    for (uint32_t f = 0; f < space->n_families; f++)
        if (!space->family[f].single)
            axes += candidate->rank[space->family[f].root] - space->family[f].least;
    return axes;
}

struct sorted_point {
    uint32_t lack, weight, negatives, at;
};

static int by_order(const void *x, const void *y)
{
    const struct sorted_point *a = x, *b = y;
    if (a->lack != b->lack)
        return a->lack < b->lack ? -1 : 1;
    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    if (a->negatives != b->negatives)
        return a->negatives < b->negatives ? -1 : 1;
    return a->at < b->at ? -1 : 1;
}

static struct sorted_point weighed(const struct rule *rule, const struct cex_family *family,
                                   uint32_t at)
{
    const struct cex_point *point = &family->point[at];
    struct sorted_point out = {.lack = point->lack, .at = at};
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (rule->maps[m].def == NULL && !rule->maps[m].index &&
            cex_root(rule, rule->maps[m].cls) == family->root) {
            out.weight += cex_measure(point->v[m]);
            out.negatives += point->v[m] < 0;
        }
    if (out.weight > VERIFY_CEX_WEIGHT)
        out.weight = VERIFY_CEX_WEIGHT;
    return out;
}

void cex_family_sort(const struct rule *rule, struct cex_family *family, struct arena *mem)
{
    uint32_t n = family->n_points, next = 0;
    struct sorted_point *all = ARENA_NEW(mem, struct sorted_point, n + 1u);
    family->sorted = ARENA_NEW(mem, const struct cex_point *, n + 1u);
    for (uint32_t i = 0; i < n; i++)
        all[i] = weighed(rule, family, i);
    qsort(all, n, sizeof *all, by_order);
    for (uint32_t i = 0; i < n; i++)
        family->sorted[i] = &family->point[all[i].at];
    for (uint32_t lack = 0; lack < CEX_N_LACKS; lack++)
        for (uint32_t w = 0; w <= VERIFY_CEX_WEIGHT + 1; w++) {
            while (next < n && all[next].lack == lack && all[next].weight < w)
                next++;
            family->first[lack][w] = next;
        }
}

struct axis_choice {
    const struct cex_family *family;
    uint32_t least, most; // weights of its points
    uint32_t rest, above; // least and most weight of the axes after this one
    bool lacks, later;    // has it, has an axis after it, a point that lacks what the walk says?
    uint32_t lack, at;    // of the point chosen
};

struct walker {
    const struct cex_walk *walk;
    uint8_t ranks[VERIFY_CEX_FAMILIES];
    uint32_t n_axes;
    struct axis_choice axis[VERIFY_CEX_FAMILIES + VERIFY_CEX_FREE_AXES];
    const struct cex_point *point[VERIFY_CEX_FAMILIES + VERIFY_CEX_FREE_AXES];
    uint64_t visits;
    bool stopped;
};

static bool has_weight(const struct cex_family *family, uint32_t lack, uint32_t weight)
{
    return family->first[lack][weight] < family->first[lack][weight + 1];
}

// The first point of a weight that may stand on the axis.  Axes of one family may change
// places: they come in the order of their points.
static uint32_t first_in_order(const struct walker *walker, uint32_t axis, uint32_t lack,
                               uint32_t weight)
{
    const struct cex_family *family = walker->axis[axis].family;
    const struct axis_choice *before = axis > 0 ? &walker->axis[axis - 1] : NULL;
    uint32_t first = family->first[lack][weight];
    if (before == NULL || before->family != family || before->lack < lack)
        return first;
    return before->lack > lack ? UINT32_MAX : before->at > first ? before->at : first;
}

static void choose(struct walker *walker, uint32_t axis, uint32_t left, bool lacks);

static void choose_weight(struct walker *walker, uint32_t axis, uint32_t lack, uint32_t weight,
                          uint32_t left, bool lacks)
{
    struct axis_choice *choice = &walker->axis[axis];
    const struct cex_family *family = choice->family;
    for (uint32_t i = first_in_order(walker, axis, lack, weight);
         i < family->first[lack][weight + 1] && !walker->stopped; i++) {
        walker->stopped = ++walker->visits > walker->walk->visits;
        choice->lack = lack;
        choice->at = i;
        walker->point[axis] = family->sorted[i];
        choose(walker, axis + 1, left - weight, lacks || lack == walker->walk->lack);
    }
}

// Chooses points for the axes from `axis` on that weigh `left` together.
static void choose(struct walker *walker, uint32_t axis, uint32_t left, bool lacks)
{
    if (axis == walker->n_axes) {
        if (left == 0 && lacks && !walker->stopped)
            walker->stopped =
                !walker->walk->visit(walker->walk->context, walker->ranks, walker->point);
        return;
    }
    const struct axis_choice *choice = &walker->axis[axis];
    if (left < choice->rest)
        return;
    uint32_t high = left - choice->rest < choice->most ? left - choice->rest : choice->most;
    uint32_t low = left > choice->above + choice->least ? left - choice->above : choice->least;
    // One point at least lacks as much as the walk says.
    if (!lacks && !choice->lacks && !choice->later)
        return;
    uint32_t least = lacks || choice->later ? 0 : (uint32_t)walker->walk->lack;
    for (uint32_t w = low; w <= high; w++)
        for (uint32_t lack = least; lack <= (uint32_t)walker->walk->lack && !walker->stopped;
             lack++)
            choose_weight(walker, axis, lack, w, left, lacks);
}

// Weights of the family's points that lack at most so much.  False if there are none.
static bool weights_of(const struct cex_family *family, enum cex_lack lack,
                       struct axis_choice *choice)
{
    bool any = false;
    *choice = (struct axis_choice){.family = family, .least = VERIFY_CEX_WEIGHT};
    for (uint32_t l = 0; l <= (uint32_t)lack; l++)
        for (uint32_t w = 0; w <= VERIFY_CEX_WEIGHT; w++)
            if (has_weight(family, l, w)) {
                any = true;
                choice->lacks |= l == (uint32_t)lack;
                choice->least = w < choice->least ? w : choice->least;
                choice->most = w > choice->most ? w : choice->most;
            }
    return any;
}

// Sets the axes of the rank vector.  False if some axis has no point.
static bool set_axes(struct walker *walker)
{
    const struct cex_space *space = walker->walk->space;
    walker->n_axes = 0;
    for (uint32_t f = 0; f < space->n_families; f++)
        for (uint32_t a = 0; a < walker->ranks[f]; a++)
            if (!weights_of(&space->family[f], walker->walk->lack, &walker->axis[walker->n_axes++]))
                return false;
    for (uint32_t a = walker->n_axes; a-- > 1;) {
        walker->axis[a - 1].rest = walker->axis[a].rest + walker->axis[a].least;
        walker->axis[a - 1].above = walker->axis[a].above + walker->axis[a].most;
        walker->axis[a - 1].later = walker->axis[a].later || walker->axis[a].lacks;
    }
    return true;
}

// All rank vectors that spend `left` axes from family f on, at one weight.
static bool rank_vectors(struct walker *walker, uint32_t f, uint32_t left, uint32_t weight)
{
    const struct cex_space *space = walker->walk->space;
    bool more = false;
    if (f == space->n_families) {
        if (left > 0 || !set_axes(walker))
            return false;
        uint32_t most = 0;
        for (uint32_t a = 0; a < walker->n_axes; a++)
            most += walker->axis[a].most;
        if (weight <= most)
            choose(walker, 0, weight, walker->walk->lack == CEX_LACKS_NOTHING);
        return weight < most;
    }
    uint32_t most = space->family[f].single ? 0 : left;
    for (uint32_t k = 0; k <= most && !walker->stopped; k++) {
        walker->ranks[f] = (uint8_t)(space->family[f].least + k);
        more |= rank_vectors(walker, f + 1, left - k, weight);
    }
    return more;
}

void cex_walk(const struct cex_walk *walk)
{
    struct walker walker = {.walk = walk};
    bool more = true;
    for (uint32_t weight = 0; weight <= walk->most && more && !walker.stopped; weight++)
        more = rank_vectors(&walker, 0, walk->free_axes, weight);
}
