// SPDX-License-Identifier: Apache-2.0
// What the database says of rules, as the engine and the checker need it.
#ifndef CLI_PROVING_STATUSES_H
#define CLI_PROVING_STATUSES_H

#include "db/db.h"
#include "rules/instance/fire.h"

// Only verdicts of the current verifier and semantics count.
struct rule_status status_of_stored(const struct stored_rule *stored);
// Status of one rule by its hash; *known = it is in the database.
bool status_by_hash(struct db *db, const char *hash, struct rule_status *out, bool *known,
                    struct err *err);

// Rules of the database that may run: all, or those of some files.
struct wanted_rules {
    bool all;
    struct ruleset only;
    struct u32_vec met; // by rule: it is in the database, and proved
};
// files: comma separated; NULL: all.
bool wanted_load(struct wanted_rules *wanted_rules, const char *files, struct err *err);
void wanted_release(struct wanted_rules *wanted_rules);
bool is_wanted(struct wanted_rules *wanted_rules, const char *hash);
// Says on stderr which rules of the files that claim one of the domains do not
// run, as they are not proved (`where`) nor assumed.
void wanted_remark(const struct wanted_rules *wanted_rules, unsigned domains, const char *where,
                   const struct ruleset *assumed);

#endif
