// SPDX-License-Identifier: Apache-2.0
#include "rules/language/forms/forms.h"

// If d = 0, then mod is undefined, so neither the form nor its negation holds.
const struct cond *form_divides(struct parser *parser, const struct iexp *const *argument)
{
    const struct iexp *rest = expression_of(parser, IE_MOD, argument[1], argument[0]);
    return rest ? condition_compare(parser, COND_EQ, rest, expression_constant(parser, 0)) : NULL;
}
