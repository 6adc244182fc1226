// SPDX-License-Identifier: Apache-2.0
// Finds faults of a set of rules that may each be true: rules that repeat
// another, undo each other, loop or never fire, and preconditions that exclude
// nothing.  docs/discovery.md says what each finding means and what is not
// found.
#ifndef DISCOVER_LINT_LINT_H
#define DISCOVER_LINT_LINT_H

#include "base/memory/vec.h"
#include "base/stop.h"
#include "rules/rule.h"

enum lint_kind {
    LINT_SAME,      // one rule twice, except for names
    LINT_EQUAL,     // both sides are one term
    LINT_INSTANCE,  // one step of another rule does what this one does
    LINT_INVERSE,   // two rules undo each other, or a rule undoes itself
    LINT_LOOP,      // steps that lead from a term back to it
    LINT_GROWS,     // steps that lead from a term to one that contains it
    LINT_NEVER,     // no instance meets the preconditions
    LINT_IMPLIED,   // a precondition follows from the rest of the rule
    LINT_TAUTOLOGY, // the preconditions say already what the rule says
    LINT_UNDECIDED, // a question that was not decided
};
const char *lint_kind_text(enum lint_kind kind);

struct lint_finding {
    enum lint_kind kind;
    const char *method; // how the finding was made, which says how certain it is
    uint32_t n_rules;
    const struct rule *const *rules;
    const char *witness; // text of several lines
};
struct lint_options {
    uint32_t instances;  // ground instances of each rule
    uint32_t max_states; // terms that are reached from one start
    uint32_t max_steps;  // steps in a sequence
    double seconds;      // wall clock, only if a user asks; 0: no limit
    uint64_t seed;
    unsigned domains; // mask; rules that claim none of them are left out
    struct stop stop; // asked before every start: the rest is left out
};
struct lint_options lint_defaults(void);

struct lint {
    struct arena mem;
    struct ruleset reversed; // scratch: rules read from right to left
    VEC(struct lint_finding) found;
    uint32_t n_rules, n_starts, n_states, n_cut; // n_cut: starts at which max_states was met
    uint32_t n_unasked; // preconditions on elements, which are not examined
    uint32_t n_alone;   // rules that loop alone; longer sequences do
                        // not use them
    bool out_of_time;   // or the caller asked to stop
};
void lint_init(struct lint *lint);
void lint_release(struct lint *lint);
// Appends the findings; the rules are borrowed.
void lint_rules(struct lint *lint, uint32_t n, const struct rule *const *rules,
                const struct lint_options *options);

#endif
