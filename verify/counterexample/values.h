// SPDX-License-Identifier: Apache-2.0
// Elements by simplicity (docs/counterexamples.md).
#ifndef VERIFY_COUNTEREXAMPLE_VALUES_H
#define VERIFY_COUNTEREXAMPLE_VALUES_H

#include "verify/counterexample/parts.h"

struct cex_simple {
    uint32_t n;
    struct scalar at[VERIFY_CEX_SIMPLE_VALUES];
};
// The simple values of an element type, the simplest first.  Floats of an approximate run are
// moderate numbers.
void cex_simple_values(const struct rule *rule, enum elem elem, bool approximate,
                       struct cex_simple *out);
// Before the simple values of a float type, a few that a sum rounds.
void cex_addends(const struct rule *rule, enum elem elem, bool approximate, struct cex_simple *out);
// The place of an element among the simple values; their number if it is none of them.
uint32_t cex_simplicity(const struct cex_simple *simple, enum elem elem, struct scalar scalar);
struct cex_vector_limits {
    const uint32_t *caps; // the place of each element at most; NULL: no limits
    uint32_t sum;         // of the places
    uint32_t vectors;     // tried
    bool mixed;           // simple and special values by turns, for a search
    bool addends; // all vectors of so many addends and simple values that the vectors suffice
};
// Fills the grounded case with vectors of simple values, those with the smallest sum of places
// first, until it fails or a limit is met.  Returns false at once if there are too many
// elements.  If nothing failed, the elements of the case are those of before.
bool cex_vectors(struct cex_evaluator *evaluator, struct cex_case *candidate,
                 struct cex_vector_limits limits, uint64_t *runs);

#endif
