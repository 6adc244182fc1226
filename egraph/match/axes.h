// SPDX-License-Identifier: Apache-2.0
// The axes of one structural match, private to axes.c, attributes.c, places.c and
// binding.c.
//
// Every dimension of every matched node is a variable; occurrences of one
// tensor variable share theirs.  A component of the union-find is an axis.  A
// GROUP is a set of components linked by relabels: partner axes, one place of
// a rank class.  A candidate of a group is a part of the pattern (pattern.h)
// and the class of the group's first component; relabels give the others.
#ifndef EGRAPH_MATCH_AXES_H
#define EGRAPH_MATCH_AXES_H

#include "egraph/match/matcher.h"

struct edge3 {
    uint32_t node, out, in; // relabel node; dimensions
};
struct axis_candidate {
    uint32_t part, cls;
};
struct axis_group {
    uint32_t first; // its lowest dimension: a component
    uint32_t n_candidates;
    struct axis_candidate *candidate;
    uint32_t choice; // NONE: not yet
    uint32_t place;
};
// What an equation is about: an attribute of a pattern node, by its number, or one of
// these.
enum {
    EQUATION_SIZE = N_ATTRS,
    EQUATION_FEATURE_GROUPS,
    EQUATION_BATCH_GROUPS,
    EQUATION_VALUE,
};
struct equation_of {
    uint32_t pat, cls; // cls: NONE: no class
    uint32_t attr;
};
struct equation_at {
    struct equation_of of;
    const struct iexp *expr; // NULL: wants `value` to be `found`
    int64_t value, found;
    class_id start; // NO_CLASS, or: x is an index, of this class
};

// How a reshape is cut where several ways are possible.
enum grouping_way {
    GROUPING_FIRST, // of dimensions of size 1, the first ones stay
    GROUPING_LATE,  // the last ones stay
    GROUPING_NONE,  // none stays: all are dropped or new
    GROUPING_WHOLE, // all dimensions are one group
};

struct match_axes {
    enum grouping_way way;
    struct matcher *matcher;
    struct arena *mem;
    const struct rule *rule;
    const struct pattern_variant *variant;
    const struct pool *pool;
    uint32_t n_dims;
    uint32_t *rank;  // per matched node: its dimensions
    uint32_t *base;  // per pattern node: its first dimension
    uint32_t *up;    // components
    uint32_t *sup;   // groups, over components
    int64_t *size;   // per dimension
    uint32_t *label; // per component: class
    uint32_t n_edges;
    struct edge3 *edge;
    uint32_t n_groups;
    struct axis_group *group;
    uint32_t *stamp, now; // per slot: covered
    uint32_t *count;      // per part: groups that chose it
    struct map_values values;
    VEC(struct equation_at) equations;
};

// axes.c
void axes_unite(struct match_axes *axes, uint32_t a, uint32_t b); // one axis
static inline uint32_t axes_root(uint32_t *up, uint32_t d)
{
    while (up[d] != d)
        d = up[d] = up[up[d]];
    return d;
}
// Dimensions of matched node i.
static inline uint32_t axes_count(const struct match_axes *axes, uint32_t i)
{
    return axes->rank[i];
}
// Dimension d of what the parent of node i sees.
static inline uint32_t axes_seen(const struct match_axes *axes, uint32_t i, uint32_t d)
{
    attr_id perm = axes->matcher->perm[i];
    if (perm.v == NO_ATTR.v)
        return axes->base[i] + d;
    return axes->base[i] + (uint32_t)attr_at(axes->pool, perm)[d];
}
// Labels all components of a group from the class of its first one.
bool axes_label(struct match_axes *axes, const struct axis_group *group, uint32_t cls);
static inline bool axes_in_group(struct match_axes *axes, const struct axis_group *group,
                                 uint32_t dim, uint32_t *component)
{
    *component = axes_root(axes->up, dim);
    return axes_root(axes->sup, *component) == group->first;
}
// The attributes of matched node i.
const int64_t *axes_node_attr(const struct match_axes *axes, uint32_t i, uint32_t *n);

// attributes.c
// Collects the equations of a group, as labelled.
void axes_equations(struct match_axes *axes, const struct axis_group *group);

// axes.c
// Solves the collected equations of one place of a rank class and tests the
// preconditions that can be.
bool axes_solve(struct match_axes *axes, uint32_t family);
// The parts and classes that pass for a group; false: none.
bool axes_candidates(struct match_axes *axes, struct axis_group *group);

// places.c
uint32_t axes_least_rank(const struct match_axes *axes, uint32_t family);
bool axes_assign_parts(struct match_axes *axes);
bool axes_assign_places(struct match_axes *axes);
// Do the groups at a place of the family, and `extra`, agree on the maps?
bool axes_place_fits(struct match_axes *axes, uint32_t family, uint32_t place,
                     const struct axis_group *extra);

// binding.c
// Builds the instance and reports it; false where it is none.
bool axes_instance(struct match_axes *axes, uint64_t form);

#endif
