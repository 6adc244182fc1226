// SPDX-License-Identifier: Apache-2.0
// Private to pattern.c, pattern_bound.c and shift.c.
#ifndef EGRAPH_MATCH_PATTERN_CORE_H
#define EGRAPH_MATCH_PATTERN_CORE_H

#include "egraph/match/pattern.h"

struct pattern_compiler {
    struct pattern *pattern;
    const struct rule *rule;
    struct arena *mem;
};

// Why the pattern is refused; % in the text becomes the name.
const char *pattern_refuse(struct pattern_compiler *pattern_compiler, const char *fmt,
                           const char *name);
// used[m]: the sides of the rule or its preconditions use map m.
void pattern_mark_used(const struct rule *rule, bool *used);
// Why the variant leaves something unbound that the rule needs; NULL: nothing.
const char *pattern_unbound(struct pattern_compiler *pattern_compiler,
                            const struct pattern_variant *variant);

// Are two pattern trees of the rule equal?
bool pattern_same(const struct rule *rule, uint32_t i, uint32_t j);

#endif
