// SPDX-License-Identifier: Apache-2.0
#include "integer/limits.h"

const struct limit integer_limits[] = {INTEGER_LIMITS(LIMIT_ROW)};
const unsigned n_integer_limits = sizeof integer_limits / sizeof *integer_limits;
