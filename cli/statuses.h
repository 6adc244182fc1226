// SPDX-License-Identifier: Apache-2.0
// What the database says of rules, as the engine and the checker need it.
#ifndef CLI_STATUSES_H
#define CLI_STATUSES_H

#include "db/db.h"
#include "rules/fire.h"

// Only verdicts of the current verifier and semantics count.
struct rule_status status_of_stored(const struct stored_rule *r);
// Status of one rule by its hash; *known = it is in the database.
bool status_by_hash(struct db *db, const char *hash, struct rule_status *out,
                    bool *known, struct err *e);

#endif
