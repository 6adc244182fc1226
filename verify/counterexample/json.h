// SPDX-License-Identifier: Apache-2.0
// Elements of counterexamples as JSON: integers as numbers, or as text where
// they do not fit; floats as numbers; "nan", "inf", "-inf", "-0"; fractions
// "1/3"; booleans.  Shared by verify/counterexample/json.c and verify/counterexample/replay.c.
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
