// SPDX-License-Identifier: Apache-2.0
#include "io/limits.h"

const struct limit io_limits[] = {IO_LIMITS(LIMIT_ROW)};
const unsigned n_io_limits = sizeof io_limits / sizeof *io_limits;
