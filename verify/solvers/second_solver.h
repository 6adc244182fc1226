// SPDX-License-Identifier: Apache-2.0
// A second solver's opinion: the queries of a rule's script (script.h) as
// SMT-LIB text, answered by the program `cvc5` or one that is called like it.
//
// The program is not trusted to be what it should: between the queries stand
// test queries with known answers, sat and unsat in an order it cannot know,
// and its output must be exactly one line for each.
//
// O1  an answer counts only if the test queries before it, and one after it,
//     were answered as they must be; a wrong or additional line, a missing
//     answer, a crash or an exit status other than 0: none counts.
// O2  when the time is up, what was not answered is unknown.
#ifndef VERIFY_SOLVERS_SECOND_SOLVER_H
#define VERIFY_SOLVERS_SECOND_SOLVER_H

#include "base/memory/vec.h"
#include "verify/solvers/smt.h"

struct second_solver_options {
    const char *program; // NULL: cvc5
    double seconds;      // for all queries together
    double per_query;    // seconds
    uint64_t memory;     // bytes; 0: 2 GiB
};

struct second_solver {
    struct buf name;     // "cvc5 1.0.3"
    VEC(uint8_t) answer; // enum smt_answer, per query
    const char *error;   // a static text: why no answer counts; NULL
    bool timeout;        // the time was up
};

// texts: declarations and assertions of each query.
void second_solver_ask(const struct buf *const *texts, uint32_t n,
                       const struct second_solver_options *second_solver_options,
                       struct second_solver *out);
void second_solver_release(struct second_solver *second_solver);

#endif
