// SPDX-License-Identifier: Apache-2.0
#include "formula/limits.h"

const struct limit formula_limits[] = {FORMULA_LIMITS(LIMIT_ROW)};
const unsigned n_formula_limits = sizeof formula_limits / sizeof *formula_limits;
