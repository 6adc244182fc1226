// SPDX-License-Identifier: Apache-2.0
// Which verdicts of a rule the second solver confirms: every query of the
// sections that a domain's verdict rests on must get the expected answer.
#ifndef VERIFY_OBLIGATIONS_CONFIRM_H
#define VERIFY_OBLIGATIONS_CONFIRM_H

#include "verify/obligations/session.h"
#include "verify/solvers/second_solver.h"

enum confirmed {
    CONFIRMED,    // every unsat query is unsat
    UNCONFIRMED,  // an answer is missing or unknown
    CONTRADICTED, // the opposite answer
};
struct confirm {
    struct session *session;
    struct second_solver second;
    struct u32_vec asked;  // queries that were asked
    struct u32_vec number; // per query: its place in `asked`; NONE
};

void confirm_init(struct confirm *confirm, struct session *session); // asks
void confirm_release(struct confirm *confirm);
// *why: the reason for UNCONFIRMED, owned by the report's arena.
enum confirmed confirm_domain(struct confirm *confirm, enum domain domain, const char **why);
// "cvc5 1.0.3: shape 1 of 1, elements 4 of 5": answers that agree.
const char *confirm_text(struct confirm *confirm, enum domain domain);
// Of a stored `solver` that ends with such a text. *asked: there were queries; returns whether an
// answer agreed.
bool confirm_text_agrees(const char *solver, bool *asked);

#endif
