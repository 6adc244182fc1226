// SPDX-License-Identifier: Apache-2.0
#include "loops/limits.h"

const struct limit loops_limits[] = {LOOPS_LIMITS(LIMIT_ROW)};
const unsigned n_loops_limits = sizeof loops_limits / sizeof *loops_limits;
