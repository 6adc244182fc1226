// SPDX-License-Identifier: Apache-2.0
#include "rules/language/forms/forms.h"

const struct cond *form_within(struct parser *parser, const struct iexp *const *argument)
{
    return condition_connect(parser, COND_AND,
                             condition_compare(parser, COND_LE, argument[0], argument[1]),
                             condition_compare(parser, COND_LT, argument[1], argument[2]));
}
