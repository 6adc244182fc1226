// SPDX-License-Identifier: Apache-2.0
// Rules and verdicts as JSON objects and as one-line texts, shared by prove,
// show and query.
#ifndef CLI_PROVING_RULE_JSON_H
#define CLI_PROVING_RULE_JSON_H

#include "base/text/buf.h"
#include "db/db.h"
#include "rules/rule.h"
#include "rules/verdict.h"
#include <jansson.h>

// Appends the object and a newline; takes the reference.
void json_line(json_t *object, struct buf *out);
// The "text" of a counterexample, or "" (borrowed from the object).
const char *counterexample_text(const json_t *counterexample);
// {"rule","hash","domain","verdict","reason","bound","instances",
//  "obligations","solver","seconds","counterexample"} of the contract.
json_t *verdict_object(const char *rule, const char *hash, const struct stored_verdict *verdict);
// {"rule","hash","origin","family","verdicts","uses"}
json_t *rule_object(const struct stored_rule *stored);
// "bool proved  int proved  float refuted", claimed domains first; a star
// marks verdicts that are stale.
void verdict_words(const struct stored_rule *stored, struct buf *out);

#endif
