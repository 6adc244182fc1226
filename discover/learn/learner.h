// SPDX-License-Identifier: Apache-2.0
// A learner: the rules that were tried in one piece of work, and their
// verdicts, so that no rule is proved twice.
#ifndef DISCOVER_LEARN_LEARNER_H
#define DISCOVER_LEARN_LEARNER_H

#include "base/stop.h"
#include "discover/learn/experiment.h"
#include "rules/instance/fire.h"
#include "rules/verdict.h"

struct learner {
    struct ruleset set; // all rules that were tried
    uint64_t seed;
    uint32_t points;  // points to label; 0: default
    bool empty;       // rules whose sides never have an element are wanted, too
    double end;       // wall clock after which nothing is proved or tried; 0: never
    struct stop stop; // the same, when the caller asks for it
    // counts
    uint32_t n_rules, n_proofs, n_proved, n_refuted, n_unknown;
    uint64_t n_instances;
    double proof_seconds;
    VEC(struct learn_memo) memo; // verdicts
};
struct learn_memo {
    const char *hash;
    unsigned asked, proved, refuted; // domains
    unsigned uninterpreted;          // of those proved: with arbitrary element operators
    bool vacuous;                    // no instance meets its preconditions
    const char *counterexample;      // in words; NULL: none
    const char *json;
};
void learner_init(struct learner *learner, uint64_t seed);
void learner_release(struct learner *learner);
// The time is used up, or the caller asks to stop.
bool learner_over(const struct learner *learner);

// Tries the rule on instances, then proves it.  Returns the mask of `domains`
// in which it is proved.  If `all`, the first domain that fails ends the work.
// *memo: the verdict in detail, valid until the next call.
unsigned learner_prove(struct learner *learner, const struct rule *rule, unsigned domains, bool all,
                       const struct learn_memo **memo);
// The verdicts that the engine asks for, of a rule that was proved in these domains.
struct rule_status learner_status(const struct learner *learner, const struct rule *rule,
                                  unsigned proved);
// Searches for a point at which the sides differ.  Returns it in words; NULL:
// none was found.
const char *learner_attack(struct learner *learner, const struct rule *rule, unsigned domains,
                           uint32_t tries);

// Moves the experiment to its next case: a random one, or one near a case at
// which the left side was well-defined.  Is the left side well-defined now?
// *good: false before the first case.
bool learner_next(struct experiment *lab, uint32_t root, bool *good);
// The current case of the experiment, in words.
const char *learner_case(struct learner *learner, const struct experiment *lab);

#endif
