// SPDX-License-Identifier: Apache-2.0
// Internal to derive/: a rule as an equation between elements, and one run.
#ifndef DISCOVER_DERIVE_CORE_H
#define DISCOVER_DERIVE_CORE_H

#include "discover/derive/derive.h"

struct op_set {
    uint64_t at[(N_OPS + 63) / 64];
};
struct base_rule {
    const struct rule *rule;
    struct rule_status status;
    const char *plain;         // lines of egraph/plain/plain.h, each beginning with its own
                               // name; NULL: the rule is no equation between elements
    const char *back;          // the lines from right to left; NULL if there are none
    unsigned kinds;            // kinds of numbers for which the rule holds
    struct op_set left, right; // operators of both sides of a plain rule;
                               // operators of preconditions count as right
};
struct derive_base {
    enum domain domain;
    struct arena *mem;
    VEC(struct base_rule) rule;
};

// A rule as an equation between elements.
struct plain_goal {
    unsigned kinds; // kinds of its numbers; 0: the rule has no numbers
    struct buf lhs, rhs;
    VEC(char *) given; // terms that the rule assumes to be true
};
// Adds the operators of a pattern.
void op_set_add(struct op_set *ops, const struct rule *rule, uint32_t pat);
// Fails if the rule is no such equation; *why says what is in the way.
bool plain_goal_make(const struct rule *rule, enum domain domain, struct plain_goal *goal,
                     const char **why);
void plain_goal_release(struct plain_goal *goal);
void plain_compile(struct base_rule *rule, uint32_t number, enum domain domain, struct arena *mem);

struct derive_run {
    const struct derive_base *base;
    const struct rule *goal;
    const struct derive_options *options;
    struct arena *mem;
    double deadline; // 0: none
    bool *used;      // by number of the base rule
    bool *met;       // by class of the goal: some instance had an axis of the class
    struct derive_answer *out;
};
static inline bool derive_left_out(const struct derive_run *run, uint32_t i)
{
    return (run->options->without != NULL && run->options->without[i]) ||
           strcmp(run->base->rule.at[i].rule->hash, run->goal->hash) == 0;
}
// Each method sets the status, reason and counts of the answer.  Returns false
// if the method cannot express the goal.
bool derive_terms(struct derive_run *run);
void derive_instances(struct derive_run *run);

#endif
