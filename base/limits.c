// SPDX-License-Identifier: Apache-2.0
#include "base/limits.h"

const struct limit base_limits[] = {BASE_LIMITS(LIMIT_ROW)};
const unsigned n_base_limits = sizeof base_limits / sizeof *base_limits;
