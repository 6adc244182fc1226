// SPDX-License-Identifier: Apache-2.0
// Rules that match programs but do not run on them.
#include "egraph/match/pattern.h"

const char *pattern_guard(const struct pattern *pattern)
{
    if (pattern_drops_shift(pattern))
        return "an exponential would lose the shift that keeps it from overflowing";
    if (pattern_is_layout(pattern))
        return "the laws of layout say it without a rule";
    return NULL;
}
