// SPDX-License-Identifier: Apache-2.0
#include "proof/limits.h"

const struct limit proof_limits[] = {PROOF_LIMITS(LIMIT_ROW)};
const unsigned n_proof_limits = sizeof proof_limits / sizeof *proof_limits;
