// SPDX-License-Identifier: Apache-2.0
// Repairs a false rule by small changes that restrict it as little as possible:
//
//   claims       the domains in which the rule is true
//   types        an element type of fewer kinds, or one that is wider than another
//   one operand  one variable in place of two
//   maps         a precondition on maps, or attributes of the right side, learned
//                from ground instances (learn.h)
//   right side   operands, operators, directions, literals, axes
//                (discover/repair/edits.c), integer expressions
//                (discover/repair/maps.c)
//   elements     one or two preconditions all(P) from a list of atoms
//                (discover/repair/where.c), also after a change that is nearly right
//
// S1  Every repair is proved, by prove_rule, in every domain of `proved`, and
//     the repaired rule claims exactly these domains.
// S2  No repair is vacuous: an instance was evaluated at which its preconditions
//     hold, both sides agree and have an element.  Its sides differ by more than
//     units and the order of operands.
// S3  Equal rules, seeds and options have equal answers, unless the wall clock
//     (a net) stops the search.
#ifndef DISCOVER_REPAIR_REPAIR_H
#define DISCOVER_REPAIR_REPAIR_H

#include "discover/learn/learn.h"

struct repair_options {
    uint32_t most;   // repairs to return; 0: default
    uint32_t proofs; // candidates that reach the prover; 0: default
    double seconds;  // wall clock, only if a user asks; 0: no limit
};
struct repair {
    const struct rule *rule; // in the learner's set
    const char *kind;        // kind of change, a word or two
    const char *what;        // the change, in words
    double cost;             // cost of the changes and of excluded instances, in bits
    unsigned proved;         // domains in which the repair is proved
    unsigned refuted;        // claimed domains in which it is refuted; claimed
                             // domains in neither mask are undecided
};
struct repairs {
    VEC(struct repair) at;      // best first
    unsigned was_proved;        // domains in which the rule as given is true
    bool is_true;               // true in all claimed domains: nothing to repair
    const char *counterexample; // in words; NULL: none was found
    uint32_t n_candidates, n_searched, n_proofs;
    double seconds;
};

void repair_rule(struct learner *learner, const struct rule *rule,
                 const struct repair_options *options, struct repairs *out);
void repairs_release(struct repairs *repairs);

#endif
