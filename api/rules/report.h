// SPDX-License-Identifier: Apache-2.0
// A list of rules with their verdicts: the answer to a query or a proof.
#ifndef API_RULES_REPORT_H
#define API_RULES_REPORT_H

#include "api/context.h"
#include "api/rules/view.h"

struct rw_report {
    struct arena mem;
    VEC(struct rw_rule *) rules;
    // the owners of borrowed texts
    VEC(struct stored_rules) stored;
    VEC(struct report) reports;
    struct rw_proving proving;
};

struct rw_report *report_new(void);
// Takes over rows of the database and makes a rule of each.
void report_add_stored(struct rw_report *report, struct stored_rules *rows);
// Takes over a worker's report of the rule.
void report_add_proof(struct rw_report *report, const struct rule *rule, struct report *proof);

#endif
