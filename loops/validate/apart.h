// SPDX-License-Identifier: Apache-2.0
// Random strides seldom keep elements apart, and where they do not, formulas say nothing of the
// memory: runs choose strides again.
#ifndef LOOPS_VALIDATE_APART_H
#define LOOPS_VALIDATE_APART_H

#include "loops/run/run.h"
#include "loops/terms/term.h"

// Each stride that is one scalar becomes larger than all that the axes behind it can add, and
// `behind`: how far apart the first elements of outputs in the array are.
void strides_widen(struct execution *run, struct rng *rng, struct lterms *terms, uint32_t n,
                   const ipoly *stride, const ipoly *extent, int64_t behind);

#endif
