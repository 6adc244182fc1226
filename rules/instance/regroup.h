// SPDX-License-Identifier: Apache-2.0
// The orders of a reshape's operand and result (N4 of instance.h).
#ifndef RULES_INSTANCE_REGROUP_H
#define RULES_INSTANCE_REGROUP_H

#include "rules/instance/instance.h"

// Two orders, `from` and `to`, that the reshape takes into each other.
// reshape_from stays as near as possible to the operand's order `natural`,
// reshape_to to the order `wish` of the result.
void reshape_from(const struct instance *in, const struct pat *pattern, const struct order *natural,
                  const struct order *wish, struct order *from, struct order *to);
void reshape_to(const struct instance *in, const struct pat *pattern, const struct order *natural,
                const struct order *wish, struct order *from, struct order *to);
// Does the reshape take the order `from` into the order `to`?
bool reshape_fits(const struct instance *in, const struct pat *pattern, const struct order *from,
                  const struct order *to);

#endif
