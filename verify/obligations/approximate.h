// SPDX-License-Identifier: Apache-2.0
// Truth over the reals, told by floats that stand for real numbers.
#ifndef VERIFY_OBLIGATIONS_APPROXIMATE_H
#define VERIFY_OBLIGATIONS_APPROXIMATE_H

#include "verify/symbolic/eval.h"

// Is the element true, however the operators below it round?  The types of the environment are
// f64 where the rule speaks of reals.  Also false if floats do not tell, and if some operator has
// no value.
bool approximately_holds(const struct eval_env *env, expr_id e);

#endif
