// SPDX-License-Identifier: Apache-2.0
// The order of instances, and all instances of a rule in this order
// (docs/counterexamples.md).  An instance comes before another if
//
//   1. it lacks less: elements of the operands, elements of the result;
//   2. or else it has fewer axes;
//   3. or else its map values weigh less together.
//
// cex_walk leaves element types, operators, indices and elements to its caller.
#ifndef VERIFY_COUNTEREXAMPLE_ORDER_H
#define VERIFY_COUNTEREXAMPLE_ORDER_H

#include "verify/counterexample/parts.h"

// The weight of one map value: its distance from 0 while small, then slowly more.
uint32_t cex_measure(int64_t v);
// The weight of all maps of a case that are neither computed nor indices.
uint32_t cex_case_weight(const struct rule *rule, const struct cex_case *candidate);
// The axes of a case beyond the least ranks of its families.
uint32_t cex_case_axes(const struct cex_space *space, const struct cex_case *candidate);
// Sorts the points of a family by lack, then weight.
void cex_family_sort(const struct rule *rule, struct cex_family *family, struct arena *mem);

// The instances of one lack and one number of free axes, by growing weight.
struct cex_walk {
    const struct cex_space *space;
    enum cex_lack lack;
    uint32_t free_axes;
    uint32_t most;   // weight up to which instances are visited
    uint64_t visits; // points of single axes looked at, at most
    // Called for each instance: ranks[f] axes in family f; point[i] is that of axis i, family by
    // family.  Ends the walk by returning false.
    bool (*visit)(void *context, const uint8_t *ranks, const struct cex_point *const *point);
    void *context;
};
void cex_walk(const struct cex_walk *walk);

#endif
