// SPDX-License-Identifier: Apache-2.0
#include "egraph/limits.h"

const struct limit egraph_limits[] = {EGRAPH_LIMITS(LIMIT_ROW)};
const unsigned n_egraph_limits = sizeof egraph_limits / sizeof *egraph_limits;
