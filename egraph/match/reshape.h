// SPDX-License-Identifier: Apache-2.0
// Private to roles.c and reshape.c.
#ifndef EGRAPH_MATCH_RESHAPE_H
#define EGRAPH_MATCH_RESHAPE_H

#include "egraph/match/roles.h"

// The groups of a reshape of two shapes: runs of dimensions with one product.
// Dimensions of size 1 belong to no run.  In the gap between two runs the size-1
// dimensions of both sides are paired in order, the first ones, the last ones or none
// (enum grouping_way), and the rest is dropped or new.  If several runs are not 1 to 1,
// they and all dimensions between them are one group, as blocks may be.
struct grouping {
    uint32_t n[2];
    const int64_t *dims[2];
    uint32_t group[2][TENSOR_MAX_RANK]; // 1.., 0: of size 1
    uint32_t pair[TENSOR_MAX_RANK];     // operand dimension -> result's, or NONE
    uint32_t paired[TENSOR_MAX_RANK];   // the other way round
    uint32_t n_groups, n_changed;       // groups; those that are not 1 to 1
    uint32_t from[2], to[2];            // on either side: where the latter are
};

bool grouping_of_node(const struct match_axes *axes, uint32_t i, struct grouping *grouping);
unsigned grouping_role(const struct grouping *grouping, int side, uint32_t d);
unsigned reshape_role(const struct pat *pattern, bool result, uint32_t c);
// Can dimension d of a group be an axis of class c?  Single axes are one
// dimension each, blocks any number, all in the pattern's order.
bool grouping_in_place(const struct rule *rule, const struct pat *pattern,
                       const struct grouping *grouping, int side, uint32_t d, uint32_t c);
// Are all classes on the other side of the group of class c blocks?  Of rank 0
// they stand for one element, as dimensions of size 1 do.
bool reshape_may_be_empty(const struct rule *rule, const struct pat *pattern, bool from,
                          uint32_t c);

#endif
