// SPDX-License-Identifier: Apache-2.0
// The status of rules in the database, for the engine and the checker.
#ifndef API_RULES_STATUSES_H
#define API_RULES_STATUSES_H

#include "api/context.h"
#include "db/db.h"
#include "rules/instance/fire.h"

// Only verdicts of the current verifier and semantics count.
struct rule_status status_of_stored(const struct stored_rule *stored);
struct rule_status status_of_view(const struct rw_rule *rule);
// Status of one rule by its hash; *known: the database has the rule.
bool status_by_hash(struct db *db, const char *hash, struct rule_status *out, bool *known,
                    struct err *err);
// Status of an assumed rule.
struct rule_status status_assumed(void);
bool has_rule(const struct ruleset *set, const char *hash);

// Rules of the database that may run: all, or those of a set.
struct wanted {
    const struct ruleset *only; // NULL: all
    struct u32_vec met;         // by rule: the database has the rule, and the rule is proved
};
void wanted_init(struct wanted *wanted, const struct ruleset *only);
void wanted_release(struct wanted *wanted);
bool is_wanted(struct wanted *wanted, const char *hash);
// Notes the rules of the set that claim one of the domains and do not run,
// since they are neither proved (`where`) nor assumed.
void wanted_remark(const struct wanted *wanted, unsigned domains, const char *where,
                   const struct ruleset *assumed, const struct rw_context *context);

#endif
