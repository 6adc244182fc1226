// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/options.h"

void hints_release(struct hints *hints)
{
    vec_release(&hints->at);
}

unsigned decide_narrow(const struct decide_options *options, unsigned mask)
{
    return mask == 0 || options->narrow == NULL ? mask
                                                : options->narrow(options->narrow_context, mask);
}
