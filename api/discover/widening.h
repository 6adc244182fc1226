// SPDX-License-Identifier: Apache-2.0
// Wider rules from proved ones, true rules from false ones: a report of each as
// text or as JSON, and the found rules.
#ifndef API_DISCOVER_WIDENING_H
#define API_DISCOVER_WIDENING_H

#include "api/context.h"
#include "discover/learn/learner.h"
#include "rules/rule.h"

struct widening_run {
    struct learner learner;
    uint64_t seed;
    double seconds; // for a rule; 0: the default
    bool json;
    struct buf out;   // the reports of the rules so far
    struct buf rules; // their texts
    uint32_t n_rules, n_wider;
    double spent; // seconds
};

// False: *err says why the rule cannot be generalised.
bool widening_generalize(struct widening_run *run, const struct rule *rule, struct err *err);
// Appends the object of a rule that cannot be generalised.
void widening_refused_json(struct widening_run *run, const struct rule *rule, const char *reason);
// True if the rule is true, or was made true.
bool widening_repair(struct widening_run *run, const struct rule *rule);

// Shared by both: domains as words; the rule with a name and a doc comment that
// says where it is from.
void widening_domains(unsigned mask, struct buf *out);
void widening_rule_text(const struct rule *rule, const struct rule *from, const char *suffix,
                        const char *doc, struct buf *out);

#endif
