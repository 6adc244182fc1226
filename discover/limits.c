// SPDX-License-Identifier: Apache-2.0
#include "discover/limits.h"

const struct limit discover_limits[] = {DISCOVER_LIMITS(LIMIT_ROW)};
const unsigned n_discover_limits = sizeof discover_limits / sizeof *discover_limits;
