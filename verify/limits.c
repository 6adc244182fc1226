// SPDX-License-Identifier: Apache-2.0
#include "verify/limits.h"

const struct limit verify_limits[] = {VERIFY_LIMITS(LIMIT_ROW)};
const unsigned n_verify_limits = sizeof verify_limits / sizeof *verify_limits;
