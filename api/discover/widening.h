// SPDX-License-Identifier: Apache-2.0
// Wider rules from proved ones, true rules from false ones: a report of each as
// text and as a line of JSON, and the found rules.
#ifndef API_DISCOVER_WIDENING_H
#define API_DISCOVER_WIDENING_H

#include "api/context.h"
#include "discover/learn/learner.h"
#include "rules/rule.h"

struct widening_run {
    struct learner learner;
    uint64_t seed;
    double seconds;        // for a rule; 0: the default
    struct buf json, text; // reports of the rules, which the caller clears
    struct buf rules;      // the new rules
    struct buf found;      // those of the last rule
    uint32_t n_rules, n_wider;
    double spent; // seconds
};

void widening_init(struct widening_run *run, uint64_t seed, double seconds);
void widening_release(struct widening_run *run);
// Returns the kind of the finding (include/rankwright/discovery.h).  "refused": *err says why,
// as the object does.
const char *widening_generalize(struct widening_run *run, const struct rule *rule, struct err *err);
const char *widening_repair(struct widening_run *run, const struct rule *rule);

// Shared by both: domains as words; the rule with a name and a doc comment that
// says where it is from.
void widening_domains(unsigned mask, struct buf *out);
void widening_rule_text(const struct rule *rule, const struct rule *from, const char *suffix,
                        const char *doc, struct buf *out);
void widening_found(struct widening_run *run, const struct buf *text); // a new rule

#endif
