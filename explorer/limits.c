// SPDX-License-Identifier: Apache-2.0
#include "explorer/limits.h"

const struct limit explorer_limits[] = {EXPLORER_LIMITS(LIMIT_ROW)};
const unsigned n_explorer_limits = sizeof explorer_limits / sizeof *explorer_limits;
