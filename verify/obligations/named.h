// SPDX-License-Identifier: Apache-2.0
// The numbers that a rule's conditions on elements name, with numbers beside and between them:
// where `all(A > 37), all(A < 40)` bind elements, these are tried.
#ifndef VERIFY_OBLIGATIONS_NAMED_H
#define VERIFY_OBLIGATIONS_NAMED_H

#include "rules/rule.h"
#include "verify/limits.h"

struct named_values {
    uint32_t n;
    struct scalar at[VERIFY_NAMED_VALUES];
};
// Of an element type; none of truth values.
void named_values_of(const struct rule *rule, enum elem elem, struct named_values *out);

#endif
