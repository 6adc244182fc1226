// SPDX-License-Identifier: Apache-2.0
#include "simplify/limits.h"

const struct limit simplify_limits[] = {SIMPLIFY_LIMITS(LIMIT_ROW)};
const unsigned n_simplify_limits = sizeof simplify_limits / sizeof *simplify_limits;
