// SPDX-License-Identifier: Apache-2.0
// The proved rules of a report, as a base from which others may follow.
#ifndef API_QUESTIONS_RULE_BASE_H
#define API_QUESTIONS_RULE_BASE_H

#include "api/rules/report.h"
#include "discover/derive/derive.h"

struct rule_base {
    const struct rw_report *report; // borrowed
    struct arena *mem;              // borrowed
    struct ruleset set;             // of the rules, and of the turned ones that callers make
    VEC(const struct rule *) rules; // those that are proved somewhere and define nothing
    VEC(struct rule_status) status;
    VEC(const struct rw_rule *) views;
    struct derive_base *in[N_DOMAINS];
};

void rule_base_init(struct rule_base *base, const struct rw_report *report, struct arena *mem);
bool rule_base_load(struct rule_base *base, struct err *err);
void rule_base_release(struct rule_base *base);
// Made once for each domain; rules have the numbers that they have here.
struct derive_base *rule_base_in(struct rule_base *base, enum domain domain);

#endif
