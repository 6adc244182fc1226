// SPDX-License-Identifier: Apache-2.0
// Clp, whose simplex code only exact extraction needs; private to it.
#ifndef EGRAPH_EXTRACT_EXACT_CLP_H
#define EGRAPH_EXTRACT_EXACT_CLP_H

#include "base/err.h"

#include <coin/Clp_C_Interface.h>

// Names of functions, without Clp_.
#define CLP_FUNCTIONS(X)                                                                           \
    X(addRows)                                                                                     \
    X(chgColumnLower)                                                                              \
    X(chgColumnUpper)                                                                              \
    X(deleteModel)                                                                                 \
    X(deleteRows)                                                                                  \
    X(dual)                                                                                        \
    X(dualRowSolution)                                                                             \
    X(freeRay)                                                                                     \
    X(infeasibilityRay)                                                                            \
    X(loadProblem)                                                                                 \
    X(newModel)                                                                                    \
    X(numberIterations)                                                                            \
    X(primalColumnSolution)                                                                        \
    X(setLogLevel)                                                                                 \
    X(setMaximumIterations)                                                                        \
    X(setMaximumSeconds)                                                                           \
    X(setNumberIterations)                                                                         \
    X(status)

struct clp {
#define X(name) __typeof__(Clp_##name) *name;
    CLP_FUNCTIONS(X)
#undef X
};

// Loads the library (base/shared_library.h).
bool clp_load(struct clp *clp, struct err *err);

#endif
