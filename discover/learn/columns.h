// SPDX-License-Identifier: Apache-2.0
// Internal to learn/: the known values at a point, a number in each column.
// Columns are maps of the family, and sizes of intermediate results of the left
// side.
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
// Appends at most `max` sizes of intermediate results of the left side.
// Operators fail because of such sizes.
void columns_sizes(struct learner *learner, const struct rule *rule, uint32_t root, uint32_t max,
                   struct columns *columns);
// Appends the ends of dynamic slices and updates of the left side: where one region lies in another
// is said by their ends.
void columns_ends(struct learner *learner, const struct rule *rule, uint32_t root,
                  struct columns *columns);
// Reads the numbers at the current case of the experiment.  False: a column has
// no value there.
bool columns_read(const struct columns *columns, const struct rule *rule, struct experiment *lab,
                  int64_t *out);

#endif
