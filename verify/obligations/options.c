// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/options.h"

void hints_release(struct hints *hints)
{
    vec_release(&hints->at);
}
