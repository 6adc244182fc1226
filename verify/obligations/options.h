// SPDX-License-Identifier: Apache-2.0
// The options of a proof, and the hints that it leaves for the counterexample search.
#ifndef VERIFY_OBLIGATIONS_OPTIONS_H
#define VERIFY_OBLIGATIONS_OPTIONS_H

#include "base/text/buf.h"
#include "rules/rule.h"
#include "rules/verdict.h"

// The place at which a proof failed: a start for the search for a counterexample.
struct hint {
    enum obligation_kind kind;
    unsigned domains; // mask: the domains in which the proof failed there
    uint32_t *rank;   // per class
    int64_t **map;    // per map, `rank` of its class values; lets included,
                      // 0 where one is undefined
    bool exact;       // the integers satisfy every hypothesis about maps (checked)
};
struct hints {
    VEC(struct hint) at; // memory: the report's arena
};
void hints_release(struct hints *hints);

// How ELEMENTS is proved for all ranks.
enum rank_method {
    RANK_METHOD_AUTO,         // coefficient functions where there are reductions;
                              // rank-bounded where that is one instance or the closure does
                              // not apply; where one method fails, the other is asked
    RANK_METHOD_BOUNDED,      // rank-bounded only
    RANK_METHOD_CLOSURE,      // AND-closure only
    RANK_METHOD_BOTH,         // both; D3
    RANK_METHOD_COEFFICIENTS, // coefficient functions only (sums/coefficients.h)
};

// Which solvers must agree that a query is unsatisfiable.  Z3 always finds the proof; the
// second solver (solvers/second_solver.h) answers the queries on which the proof rests.
enum solver {
    SOLVER_Z3,
    SOLVER_CVC5, // proved only if cvc5 answers unsat to every query; D4
    SOLVER_BOTH, // Z3's verdict; `solver` names cvc5's confirmations; D4
};

// What is known of a rule before a proof, from another proof or from a counterexample.
struct established {
    bool shape;     // VALID and SHAPE hold
    bool nonempty;  // NONEMPTY holds
    unsigned model; // mask of domains: element types exist, and the conditions have a model
};

struct decide_options {
    enum solver solver;
    const char *solver_program; // NULL: cvc5
    enum rank_method lifting;
    unsigned domains;                // mask; 0: every domain of the rule
    unsigned rlimit;                 // solver steps per query; 0: default
    uint64_t steps;                  // per rule; 0: default
    double seconds_per_rule;         // wall clock after which to give up; 0: no limit
    const char *late;                // the reason that is given then; NULL: REASON_TIME
    struct hints *hints;             // may be NULL
    struct established *established; // decide_rule adds to it, decide_grade reads it; may be NULL
    struct buf *smt2;                // obligations as SMT-LIB2 text; may be NULL
    // Called before work on single domains: those of the mask that are still to be proved.
    // The others are left as not proved.  NULL: all of them.
    unsigned (*narrow)(void *narrow_context, unsigned mask);
    void *narrow_context;
    void (*step)(void *ctx); // called after every obligation; NULL: nobody asks
    void *step_ctx;
};

// What `narrow` leaves of the mask.
unsigned decide_narrow(const struct decide_options *options, unsigned mask);

#endif
