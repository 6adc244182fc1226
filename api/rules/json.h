// SPDX-License-Identifier: Apache-2.0
// Rules and verdicts as JSON objects (docs/architecture.md has the keys).
#ifndef API_RULES_JSON_H
#define API_RULES_JSON_H

#include "api/error.h"
#include <jansson.h>

// Appends the object and a newline; owns the reference.
void json_line(json_t *object, struct buf *out);
// The object as one line without a newline; owns the reference.
char *json_give(json_t *object);
json_t *verdict_object(const char *rule, const char *hash, const struct rw_verdict *verdict);
json_t *rule_object(const struct rw_rule *rule);

#endif
