// SPDX-License-Identifier: Apache-2.0
// A false rule made true, by changes that are small and as little restrictive
// as they can be:
//
//   claims       the domains in which it is true
//   types        an element type of fewer kinds, or one wider than another
//   one operand  a variable in place of two
//   maps         a precondition on maps, or attributes of the right side, learned
//                from ground instances (learn.h)
//   right side   operands, operators, directions, literals, axes (discover/repair/edits.c),
//                integer expressions (discover/repair/maps.c)
//   elements     preconditions all(P), one or two, of a list of atoms
//                (discover/repair/where.c), also after a change that is nearly right
//
// S1  Every repair is proved, by prove_rule, in every domain of `proved`, and
//     these are what the rule claims.
// S2  It says something: an instance was evaluated at which its preconditions
//     hold, both sides agree and have an element; its sides differ by more than
//     units and order of operands.
// S3  Equal rules, seeds and options have equal answers, unless the wall clock
//     (a net) stops it.
#ifndef DISCOVER_REPAIR_REPAIR_H
#define DISCOVER_REPAIR_REPAIR_H

#include "discover/learn/learn.h"

struct repair_options {
    uint32_t most;   // repairs that are returned; 0: default
    uint32_t proofs; // candidates that reach the prover; 0: default
    double seconds;  // a net; 0: default
};
struct repair {
    const struct rule *rule; // in the learner's set
    const char *kind;        // of change: a word or two
    const char *what;        // it, in words
    double cost;             // changes and what they exclude, in bits
    unsigned proved;         // domains
    unsigned refuted;        // of those that the false rule claimed; what it
                             // claimed and is in neither is not decided
};
struct repairs {
    VEC(struct repair) at;      // best first
    unsigned was_proved;        // domains in which the rule as given is true
    bool is_true;               // in all that it claims: nothing to repair
    const char *counterexample; // in words; NULL: none was found
    uint32_t n_candidates, n_searched, n_proofs;
    double seconds;
};

void repair_rule(struct learner *learner, const struct rule *rule,
                 const struct repair_options *options, struct repairs *out);
void repairs_release(struct repairs *repairs);

#endif
