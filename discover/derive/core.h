// SPDX-License-Identifier: Apache-2.0
// Inside of derive.h; of derive*.c only.
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
                               // name; NULL: it is no equation between elements
    const char *back;          // the same from right to left, NULL if there is none
    unsigned kinds;            // numbers for which it holds
    struct op_set left, right; // operators of the sides, where it is plain;
                               // those of preconditions are right
};
struct derive_base {
    enum domain domain;
    struct arena *mem;
    VEC(struct base_rule) rule;
};

// A rule as an equation between elements.
struct plain_goal {
    unsigned kinds; // of its numbers; 0: it has none
    struct buf lhs, rhs;
    VEC(char *) given; // terms that are true
};
// Adds the operators of a pattern.
void op_set_add(struct op_set *ops, const struct rule *rule, uint32_t pat);
// False: it is none, *why says what is in the way.
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
    bool *used;      // by number
    bool *met;       // by class of the goal: an instance has an axis of it
    struct derive_answer *out;
};
static inline bool derive_left_out(const struct derive_run *run, uint32_t i)
{
    return (run->options->without != NULL && run->options->without[i]) ||
           strcmp(run->base->rule.at[i].rule->hash, run->goal->hash) == 0;
}
// Each sets the answer's status, reason and counts.  False: cannot be asked so.
bool derive_terms(struct derive_run *run);
void derive_instances(struct derive_run *run);

#endif
