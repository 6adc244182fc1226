// SPDX-License-Identifier: Apache-2.0
// Rules whose two sides are the same.
#ifndef VERIFY_SAME_SIDES_H
#define VERIFY_SAME_SIDES_H

#include "rules/rule.h"

// Are patterns a and b of the rule one term?
bool same_pattern(const struct rule *rule, uint32_t a, uint32_t b);

#endif
