// SPDX-License-Identifier: Apache-2.0
// Between pattern.c and pattern_bound.c; nobody else's.
#ifndef EGRAPH_PATTERN_CORE_H
#define EGRAPH_PATTERN_CORE_H

#include "egraph/pattern.h"

struct compile {
    struct pattern *p;
    const struct rule *r;
    struct arena *mem;
};

// Why the pattern is refused; % in the text becomes the name.
const char *pattern_refuse(struct compile *w, const char *fmt,
                           const char *name);
// used[m]: the sides of the rule or its preconditions use map m.
void pattern_mark_used(const struct rule *r, bool *used);
// Why the variant leaves something unbound that the rule needs; NULL: nothing.
const char *pattern_unbound(struct compile *w, const struct variant *v);

#endif
