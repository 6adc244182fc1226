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
void cex_simple_values(enum elem elem, bool approximate, struct cex_simple *out);
// The place of an element among the simple values; their number if it is none of them.
uint32_t cex_simplicity(const struct cex_simple *simple, enum elem elem, struct scalar scalar);
// Fills the grounded case with vectors of simple values, those with the smallest sum of places
// first, until it fails or `limit` vectors were tried.  `caps` limits the place of each element
// (NULL: no limits, and simple and special values come by turns).  Returns false at once if there are too many elements.  If nothing failed,
// the elements of the case are those of before.
bool cex_vectors(struct cex_evaluator *evaluator, struct cex_case *candidate, const uint32_t *caps,
                 uint32_t limit, uint64_t *runs);

#endif
