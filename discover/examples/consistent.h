// SPDX-License-Identifier: Apache-2.0
// Sizes of the program after that must agree, and bounds that slices must keep, for values of
// unknown attributes: what most tuples of values fail at is seen before all values are chosen.
#ifndef DISCOVER_EXAMPLES_CONSISTENT_H
#define DISCOVER_EXAMPLES_CONSISTENT_H

#include "rules/rule.h"

struct size_law {
    const struct iexp *a, *b; // a == b, or a <= b
    bool equal;
    uint32_t last; // the unknown after which all maps of both have values
};
struct consistency {
    const struct rule *rule;
    uint32_t root, n; // family of axes; unknowns
    const uint32_t *map;
    VEC(struct size_law) laws;
};

// The rule's laws along the family that have unknown maps.
void consistency_find(struct consistency *consistency);
// Do those laws hold that are decided by the first u + 1 unknowns, and not by fewer?
bool consistency_holds(const struct consistency *consistency, uint32_t u, int64_t *const *map);
void consistency_release(struct consistency *consistency);

#endif
