// SPDX-License-Identifier: Apache-2.0
#include "db/limits.h"

const struct limit db_limits[] = {DB_LIMITS(LIMIT_ROW)};
const unsigned n_db_limits = sizeof db_limits / sizeof *db_limits;
