// SPDX-License-Identifier: Apache-2.0
// The rules that were tried in one piece of work, and their verdicts, which
// are not asked for twice.
#ifndef DISCOVER_LEARN_LEARNER_H
#define DISCOVER_LEARN_LEARNER_H

#include "discover/learn/experiment.h"
#include "rules/verdict.h"

struct learner {
    struct ruleset set; // of everything that was tried
    uint64_t seed;
    uint32_t points;         // that are labelled; 0: default
    double seconds_per_rule; // of a proof; 0: default
    // counts
    uint32_t n_rules, n_proofs, n_proved, n_refuted, n_unknown;
    uint64_t n_instances;
    double proof_seconds;
    VEC(struct learn_memo) memo; // verdicts
};
struct learn_memo {
    const char *hash;
    unsigned asked, proved, refuted; // domains
    bool vacuous;                    // no instance meets its preconditions
    const char *counterexample;      // in words; NULL: none
    const char *json;
};
void learner_init(struct learner *learner, uint64_t seed);
void learner_release(struct learner *learner);

// Tries the rule on instances, then proves it.  The mask of `domains` in which
// it is proved; of several domains the first one that fails ends it if `all`.
// *memo: what is known of it, until the next call.
unsigned learner_prove(struct learner *learner, const struct rule *rule, unsigned domains, bool all,
                       const struct learn_memo **memo);
// A point at which the sides differ, in words; NULL: none was found.
const char *learner_attack(struct learner *learner, const struct rule *rule, unsigned domains,
                           uint32_t tries);

// The lab's next case: new, or near one at which the left side was
// well-defined.  Is it there now?  *good: false before the first one.
bool learner_next(struct experiment *lab, uint32_t root, bool *good);
// The lab's case in words.
const char *learner_case(struct learner *learner, const struct experiment *lab);

#endif
