// SPDX-License-Identifier: Apache-2.0
// Internal to repair/: the rule under repair, the judge, and the candidates
// found.
#ifndef DISCOVER_REPAIR_CORE_H
#define DISCOVER_REPAIR_CORE_H

#include "discover/learn/experiment.h"
#include "discover/repair/repair.h"

// Counterexamples of a rule, by domain.  They are tried first on the same rule
// with more preconditions.
struct witness {
    enum domain domain;
    const char *json;
};
struct witnesses {
    VEC(struct witness) at;
};

struct judged_domains {
    unsigned proved, refuted; // masks of domains; a domain in neither is undecided
};

// A rule with a changed right side whose sides agree often, not always.
struct near_rule {
    const struct rule *rule;
    const char *what;
    double cost, share; // share: of instances at which the sides agree
};

struct repair_candidate {
    const struct rule *rule;
    const char *kind, *what;
    double cost;
    struct judged_domains is;
};

struct repair_run {
    struct learner *learner;
    const struct rule *given;
    struct draft base;       // the rule under repair, claiming every domain
    const struct rule *rule; // base, parsed
    unsigned claims, all;    // masks of domains: claimed, possible
    struct judged_domains was;
    struct witnesses known; // counterexamples of `rule`
    const char *lhs_norm;   // normal form of the left side
    uint32_t max_proofs;
    double end;
    const char *kind;        // kind of change that is offered now
    VEC(const char *) tried; // hashes of rules that were tried
    VEC(struct repair_candidate) found;
    VEC(struct near_rule) near;
    struct repairs *out;
};

const char *repair_words(struct repair_run *repair_run, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool repair_over(const struct repair_run *repair_run);
// Judges the rule in the domains; appends counterexamples to `seen`, which may
// be NULL.  `deep`: searches longer if the prover does not decide.
struct judged_domains repair_judge(struct repair_run *repair_run, const struct rule *rule,
                                   unsigned domains, bool deep, struct witnesses *seen);
// Offers a changed rule: judges it in the claimed domains, else in the other
// possible ones, and keeps it if it is proved in a domain in which it was not
// before.
struct judged_domains repair_offer(struct repair_run *repair_run, const struct draft *draft,
                                   double cost, const char *what);
// As repair_offer, for a rule that has been judged.
void repair_keep(struct repair_run *repair_run, const struct rule *rule, struct judged_domains is,
                 double cost, const char *what);
// Returns the rule of the draft if the draft is a rule that was not tried
// before; else NULL.
const struct rule *repair_build(struct repair_run *repair_run, const struct draft *draft);
// The least cost of a repair for a claimed domain in which the rule was false;
// a large number if there is none.
double repair_best(const struct repair_run *repair_run);
// The cost of claims that are lost, in bits.
double repair_lost_bits(const struct repair_run *repair_run, unsigned proved);

void repair_edits(struct repair_run *repair_run);
void repair_lefts(struct repair_run *repair_run);
void repair_expressions(struct repair_run *repair_run, bool pairs);
void repair_maps(struct repair_run *repair_run);
// Searches preconditions on elements for the rule, which is the one under
// repair or a change of it.  `settled`: domains in which the rule holds without
// any.
void repair_elements(struct repair_run *repair_run, const struct rule *rule, unsigned settled,
                     double cost, const char *what, uint32_t proofs);

// discover/repair/measure.c
//
// Does the rule have a precondition on elements?
bool repair_on_elements(const struct rule *rule);
// Was an instance with elements found at which both sides agree, and none at
// which they differ?
bool repair_has_instance(struct repair_run *repair_run, const struct rule *rule, unsigned proved);
// The share of n random instances at which both sides agree.
double repair_share(struct repair_run *repair_run, const struct rule *rule, uint32_t n);
// The share of instances of the rule under repair that the rule with more
// preconditions leaves out, in bits.
double repair_bits(struct repair_run *repair_run, const struct rule *rule);
// Tries instances of few elements.  *met: the preconditions hold at one.
// Returns a domain in which the sides differ, as a mask; 0: none was found.
// Over the reals, the sides also count as different if one is undefined: that
// is no counterexample, but rules out a proof.
unsigned repair_breaks(struct repair_run *repair_run, const struct rule *rule, bool *met);
// The cost of preconditions that leave only small sizes of an operand, in bits.
double repair_size_bits(struct repair_run *repair_run, const struct rule *rule);
// Replaces minima and maxima in integer expressions of the right side by one of
// their operands, if the result is proved in the same domains.
void repair_shorten(struct repair_run *repair_run, struct repair_candidate *candidate);
// Is a relabelling undone by another relabelling below it?
bool repair_cancels(const struct rule *rule, uint32_t pat);
// Prints a normal form: operands sorted, units and double negations removed.
void repair_normal(const struct rule *rule, uint32_t pat, struct buf *out);

#endif
