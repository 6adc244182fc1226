// SPDX-License-Identifier: Apache-2.0
// Elements of counterexamples as JSON.  Integers are numbers, or text if they do not fit;
// floats are numbers; special values are "nan", "inf", "-inf", "-0"; fractions are "1/3".
// Shared by json.c and replay.c.
#ifndef VERIFY_COUNTEREXAMPLE_JSON_H
#define VERIFY_COUNTEREXAMPLE_JSON_H

#include "verify/counterexample/parts.h"
#include <jansson.h>

json_t *cex_element_json(enum elem elem, struct scalar scalar);
bool cex_element_parse(enum elem elem, const json_t *json, struct scalar *out);
// "failure", "index", "lhs", "rhs" of an outcome.
json_t *cex_outcome_json(const struct cex_outcome *outcome);
// "subtract" or "compare LT SIGNED".
void cex_op_text(const struct cex_op *op, struct buf *out);

#endif
