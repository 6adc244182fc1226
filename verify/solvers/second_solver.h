// SPDX-License-Identifier: Apache-2.0
// The opinion of a second solver: the queries of a rule's script (obligations/script.h) as
// SMT-LIB text, answered by the program `cvc5` or one with the same command line.
//
// The program is not trusted.  Test queries with known answers, sat and unsat in an order
// that it cannot know, stand between the queries, and its output must be exactly one line
// for each query.
//
// O1  An answer counts only if the test queries before it, and one after it, got their
//     known answers.  No answer counts if a line is wrong or additional, an answer is
//     missing, the program crashes, or its exit status is not 0.
// O2  When the time is up, the remaining queries are unknown.
#ifndef VERIFY_SOLVERS_SECOND_SOLVER_H
#define VERIFY_SOLVERS_SECOND_SOLVER_H

#include "base/memory/vec.h"
#include "verify/solvers/smt.h"

struct second_solver_options {
    const char *program;  // NULL: cvc5
    double seconds;       // for all queries together
    unsigned query_steps; // the program's own, for each query
    uint64_t memory;      // bytes; 0: VERIFY_SECOND_SOLVER_MIB
};

struct second_solver {
    struct buf name;     // "cvc5 1.0.3"
    VEC(uint8_t) answer; // enum smt_answer, per query
    const char *error;   // static text: why no answer counts; or NULL
    bool timeout;        // the time was up
    bool absent;         // there is no such program
};

// texts: the declarations and assertions of each query.
void second_solver_ask(const struct buf *const *texts, uint32_t n,
                       const struct second_solver_options *second_solver_options,
                       struct second_solver *out);
void second_solver_release(struct second_solver *second_solver);

#endif
