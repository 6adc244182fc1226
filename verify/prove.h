// SPDX-License-Identifier: Apache-2.0
// Takes a rule and returns a verdict for every domain: the counterexample search as a quick
// filter, then the prover (decide.h), then a deeper search with the prover's models as
// hints in the domains that were not proved.
//
// V1  REFUTED only with a counterexample that cex_replay has confirmed.
// V2  PROVED only from decide_rule.
// V3  If one domain has a proof and a counterexample, rankwright has a bug: the verdict
//     is UNKNOWN with REASON_DISAGREE, and prove_rule returns false.
#ifndef VERIFY_PROVE_H
#define VERIFY_PROVE_H

#include "base/text/buf.h"
#include "rules/rule.h"
#include "rules/verdict.h"
#include "verify/decide.h"

#define REASON_DISAGREE REASON_INTERNAL "proof and counterexample disagree"

// Why a rule that is refuted in float has no grade.
#define REASON_PLAIN "no grade: finite numbers differ by more than the sign of zero"
#define REASON_SIDES "no grade: the right side is not well-defined, or has another shape"
#define REASON_NO_GRADE "no grade was proved: "

struct prove_options {
    unsigned domains;        // mask; 0: every domain of the rule
    uint64_t seed;           // of the search; equal seeds, equal answers
    unsigned rlimit;         // as in decide_options, 0: default
    double seconds_per_rule; // wall clock after which the prover gives up; 0: no limit
    const char *late;        // the reason that is given then; NULL: REASON_TIME
    enum solver solver;      // and a second opinion (decide.h)
    const char *solver_program;
    enum rank_method lifting; // method of proof (decide.h)
    bool no_search;           // proofs only
    bool cross_check;         // prove refuted domains and search proved ones too:
                              // slow, finds violations of V3
    bool advise;              // look for conditions that would make an unknown rule
                              // proved over the reals (undefined.h)
    void (*step)(void *ctx);  // called after every obligation; NULL: nobody asks
    void *step_ctx;
    struct buf *smt2; // obligations as SMT-LIB2 text; may be NULL
};

// Fills a zeroed report with one entry per domain, in ascending order.  Returns false if V3
// applies to some domain.
bool prove_rule(const struct rule *rule, const struct prove_options *options, struct report *rep);

#endif
