// SPDX-License-Identifier: Apache-2.0
// What the files of the repair share: the rule that is being repaired, the
// judge, and the candidates found.  Included by discover/repair*.c only.
#ifndef DISCOVER_REPAIR_CORE_H
#define DISCOVER_REPAIR_CORE_H

#include "discover/learn/experiment.h"
#include "discover/repair/repair.h"

#define QUERY_MS 20000 // a net, of a query

// Counterexamples of a rule, by domain; those of one rule are tried first on
// the same rule with more preconditions.
struct witness {
    enum domain domain;
    const char *json;
};
struct witnesses {
    VEC(struct witness) at;
};

struct judged_domains {
    unsigned proved, refuted; // domains; what is in neither is not decided
};

// A changed right side at which the sides agree often, though not always.
struct near_rule {
    const struct rule *rule;
    const char *what;
    double cost, share; // of instances at which they agree
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
    struct draft base;       // the rule without its claims
    const struct rule *rule; // that, parsed
    unsigned claims, all;    // domains: claimed, possible
    struct judged_domains was;
    struct witnesses known; // counterexamples of `rule`
    const char *lhs_norm;   // normal form of the left side
    uint32_t max_proofs;
    double end;
    const char *kind;        // of what is offered now
    VEC(const char *) tried; // hashes
    VEC(struct repair_candidate) found;
    VEC(struct near_rule) near;
    struct repairs *out;
};

const char *repair_words(struct repair_run *repair_run, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool repair_over(const struct repair_run *repair_run);
// Judges the rule in the domains; counterexamples go to `seen` (may be NULL).
// `deep`: looks longer where the prover does not decide.
struct judged_domains repair_judge(struct repair_run *repair_run, const struct rule *rule,
                                   unsigned domains, bool deep, struct witnesses *seen);
// A changed rule: judged where it is claimed, or else where it could be, and
// kept if it is proved somewhere it was not before.
struct judged_domains repair_offer(struct repair_run *repair_run, const struct draft *draft,
                                   double cost, const char *what);
// The same of a rule that has been judged.
void repair_keep(struct repair_run *repair_run, const struct rule *rule, struct judged_domains is,
                 double cost, const char *what);
// The rule of the draft, if there is one and it was not met before.
const struct rule *repair_build(struct repair_run *repair_run, const struct draft *draft);
// Best of what was found for a domain that was claimed and false; a large
// number: nothing.
double repair_best(const struct repair_run *repair_run);
// Bits for claims that are lost.
double repair_lost_bits(const struct repair_run *repair_run, unsigned proved);

void repair_edits(struct repair_run *repair_run);
void repair_lefts(struct repair_run *repair_run);
void repair_expressions(struct repair_run *repair_run, bool pairs);
void repair_maps(struct repair_run *repair_run);
// Preconditions on elements for the rule, which is the one to repair or one
// near to it; `settled`: domains in which it holds without any.
void repair_elements(struct repair_run *repair_run, const struct rule *rule, unsigned settled,
                     double cost, const char *what, uint32_t proofs);

// discover/repair/measure.c
//
// Has it a precondition on elements?
bool repair_on_elements(const struct rule *rule);
// Was an instance with elements found at which it holds, and none at which it
// does not?
bool repair_has_instance(struct repair_run *repair_run, const struct rule *rule, unsigned proved);
// Of n instances, how many agree.
double repair_share(struct repair_run *repair_run, const struct rule *rule, uint32_t n);
// Bits: how much of what the first rule covers the second, with more
// preconditions, leaves out.
double repair_bits(struct repair_run *repair_run, const struct rule *rule);
// Instances of few elements: do the preconditions hold at one, and is there a
// domain in which the sides differ at one?  Of reals they may differ by being
// undefined, which is no counterexample and no hope for a proof.
unsigned repair_breaks(struct repair_run *repair_run, const struct rule *rule, bool *met);
// Bits for sizes of operands of which only small ones are left.
double repair_size_bits(struct repair_run *repair_run, const struct rule *rule);
// Replaces minima and maxima in integer expressions of the right side by one of
// their operands where that is proved in the same domains, too.
void repair_shorten(struct repair_run *repair_run, struct repair_candidate *candidate);
// Is there a relabelling of a relabelling, below it, that undoes it?
bool repair_cancels(const struct rule *rule, uint32_t pat);
// Operands in order, units and double negations gone.
void repair_normal(const struct rule *rule, uint32_t pat, struct buf *out);

#endif
