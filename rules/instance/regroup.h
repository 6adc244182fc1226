// SPDX-License-Identifier: Apache-2.0
// The orders of a reshape's operand and result (N4 of instance.h).
#ifndef RULES_INSTANCE_REGROUP_H
#define RULES_INSTANCE_REGROUP_H

#include "rules/instance/instance.h"

// Orders that one reshape takes into each other: as near as can be to the
// order that the operand has, or to the one that is wished of the result.
void reshape_from(const struct instance *in, const struct pat *pattern, const struct order *natural,
                  const struct order *wish, struct order *from, struct order *to);
void reshape_to(const struct instance *in, const struct pat *pattern, const struct order *natural,
                const struct order *wish, struct order *from, struct order *to);
// Are they such orders?
bool reshape_fits(const struct instance *in, const struct pat *pattern, const struct order *from,
                  const struct order *to);

#endif
