// SPDX-License-Identifier: Apache-2.0
// The attributes that operators have for each class (struct pat_attr): their names in the
// rule language, and their defaults.
#ifndef RULES_ATTRIBUTES_H
#define RULES_ATTRIBUTES_H

#include "rules/rule.h"

// Not a number: the size of the operand, or the attribute is never left out.
#define ATTRIBUTE_OF_OPERAND (-1)
struct attribute_form {
    const char *name;
    const char *map; // the letter that rules mostly have for a map in this place
    int64_t usual;   // what is meant where it is left out
};
// Sets *n to their number, in the order of pat_attr.expr.  NULL: the operator has none.  The
// sizes of gather and scatter, which keep or drop an axis, are not in the table.
const struct attribute_form *attribute_forms(enum op op, uint32_t *n);

// The attribute as the pattern gives it; NULL: it does not.
const struct iexp *attribute_given(const struct pat *pattern, uint32_t cls, uint32_t k);

#endif
