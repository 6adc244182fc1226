// SPDX-License-Identifier: Apache-2.0
// Numbers at which comparisons of a rule's conditions change, along one element: where
// `exp(A) > 1000000000` binds A, numbers beside 20.7 are tried.
//
// The two sides are evaluated in f64 at places of growing magnitude; where their difference changes
// its sign between two places, the number in between is found by bisection.  Nothing is
// claimed of these numbers: they are tried like others (approximate.h).
#ifndef VERIFY_OBLIGATIONS_CROSSINGS_H
#define VERIFY_OBLIGATIONS_CROSSINGS_H

#include "verify/limits.h"
#include "verify/symbolic/eval.h"

struct crossings {
    uint32_t n;
    double at[VERIFY_CROSSINGS]; // ascending
};
// The comparisons of floats among the conditions, and below them.
void crossings_compared(const struct eval_env *env, const struct u32_vec *conds,
                        struct u32_vec *out);
// `element` is where the environment reads an f64; it is left as it was.
void crossings_along(const struct eval_env *env, const struct u32_vec *comparisons,
                     struct scalar *element, struct crossings *out);
// The k-th number beside or between the crossings.  False after the last.
bool crossings_near(const struct crossings *crossings, uint32_t k, double *out);

#endif
