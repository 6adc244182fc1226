// SPDX-License-Identifier: Apache-2.0
#include "rules/limits.h"

const struct limit rules_limits[] = {RULES_LIMITS(LIMIT_ROW)};
const unsigned n_rules_limits = sizeof rules_limits / sizeof *rules_limits;
