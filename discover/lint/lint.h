// SPDX-License-Identifier: Apache-2.0
// What is wrong with a set of rules though each of them may be true: rules that
// say what another says, that undo each other, that loop, that never fire, and
// preconditions that say nothing.  docs/discovery.md has what each finding
// means and what is not found.
#ifndef DISCOVER_LINT_LINT_H
#define DISCOVER_LINT_LINT_H

#include "base/memory/vec.h"
#include "rules/rule.h"

enum lint_kind {
    LINT_SAME,      // one rule twice, but for names
    LINT_EQUAL,     // both sides are the same
    LINT_INSTANCE,  // one step of another rule does what this one does
    LINT_INVERSE,   // two rules undo each other, or a rule itself
    LINT_LOOP,      // steps that lead from a term back to it
    LINT_GROWS,     // steps that lead from a term to one that has it as a part
    LINT_NEVER,     // no instance meets the preconditions
    LINT_IMPLIED,   // a precondition follows from the rest
    LINT_UNDECIDED, // a question that got no answer
};
const char *lint_kind_text(enum lint_kind kind);

struct lint_finding {
    enum lint_kind kind;
    const char *method; // how it was found, and so what it is worth
    uint32_t n_rules;
    const struct rule *const *rules;
    const char *witness; // several lines
};
struct lint_options {
    uint32_t instances;  // of each rule
    uint32_t max_states; // terms looked at from one start
    uint32_t max_steps;  // in a sequence
    double seconds;      // for the search for loops; 0: no limit
    uint64_t seed;
    unsigned domains; // mask; rules that claim none of them are left out
};
struct lint_options lint_defaults(void);

struct lint {
    struct arena mem;
    struct ruleset reversed; // scratch: rules read from right to left
    VEC(struct lint_finding) found;
    uint32_t n_rules, n_starts, n_states, n_cut; // n_cut: starts with more
    uint32_t n_unasked; // preconditions on elements, of which nothing is known
    uint32_t n_alone;   // rules that loop alone, and that longer sequences
                        // are looked for without
    bool out_of_time;
};
void lint_init(struct lint *lint);
void lint_release(struct lint *lint);
// Appends what is found; the rules are borrowed.
void lint_rules(struct lint *lint, uint32_t n, const struct rule *const *rules,
                const struct lint_options *options);

#endif
