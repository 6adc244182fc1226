// SPDX-License-Identifier: Apache-2.0
// All choices of element types of a case in their order: a choice comes before another if the sum
// of the places of its types is smaller, or if it is equal and the first type that differs comes
// earlier (docs/counterexamples.md).
#ifndef VERIFY_COUNTEREXAMPLE_TYPES_H
#define VERIFY_COUNTEREXAMPLE_TYPES_H

#include "verify/counterexample/parts.h"

struct cex_type_walk {
    const struct rule *rule;
    const struct cex_case *before; // only choices before its types; NULL: all
    uint32_t choices;              // visited, at most
    // Called for each choice that the rule's `wider` allows, with the case that has its types.  Ends
    // the walk by returning false.
    bool (*visit)(void *context, struct cex_case *now);
    void *context;
};
// Walks through the types that fit the domain of `now`, and sets those of `now`.
void cex_walk_types(const struct cex_type_walk *walk, struct cex_case *now, struct arena *mem);

#endif
