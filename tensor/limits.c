// SPDX-License-Identifier: Apache-2.0
#include "tensor/limits.h"

const struct limit tensor_limits[] = {TENSOR_LIMITS(LIMIT_ROW)};
const unsigned n_tensor_limits = sizeof tensor_limits / sizeof *tensor_limits;
