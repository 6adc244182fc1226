// SPDX-License-Identifier: Apache-2.0
// Internal to learning: what is known at a point, a number in each column:
// maps of the family, and sizes of what the left side computes.
#ifndef DISCOVER_LEARN_COLUMNS_H
#define DISCOVER_LEARN_COLUMNS_H

#include "discover/limits.h"
#include "discover/learn/learn.h"

struct column {
    const char *text;
    const struct iexp *expr;
};
struct columns {
    uint32_t n;
    struct column at[LEARN_COLUMNS];
    const char *name[LEARN_COLUMNS];
};

// Appends the maps of the family that are neither lets nor unknown.
void columns_known(struct learner *learner, const struct learn_problem *problem,
                   const struct rule *rule, uint32_t root, struct columns *columns);
// Appends at most `max` sizes of what the left side computes on the way: what
// goes wrong there is a matter of them.
void columns_sizes(struct learner *learner, const struct rule *rule, uint32_t root, uint32_t max,
                   struct columns *columns);
// The numbers at the lab's case; false: one has no value.
bool columns_read(const struct columns *columns, const struct rule *rule, struct experiment *lab,
                  int64_t *out);

#endif
