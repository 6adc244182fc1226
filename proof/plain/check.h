// SPDX-License-Identifier: Apache-2.0
// The checker of explanations over plain rules (egraph/why/why.h writes them).
//
// It reads the rules and the explanation as texts and shares nothing with the
// finder: each RULE line is matched against the rule's text, CONG and TRANS
// lines are compared part by part, and what no text decides (folding, facts on
// which a condition rests, given equalities) is asked of the caller.
//
//   term 0 x                      terms, numbered from 0, over earlier ones
//   term 1 + 0 0
//   rule 0 1 2 by comm-add        lines, numbered from 0: a = b, over earlier
//   cong 1 3 4 0:0 1:-0           ones (-: used from its b to its a)
//   trans 2 5 6 0 -1
//   fold 3 7 8
//   ac 6 7 9                      equal up to order and brackets of operators
//                                 that the rules' lines `ac: OP ..` name
//   given 4 7 8 12                with the caller's number
//   rule 5 9 9 and:3 if:-2 by name
//
// `and:` brings the equality of two terms that the rule's patterns ask for, or
// (`and:=7`) a term that a variable and its pattern both are; `if:` a term that
// an argument of a condition equals.  The last line is what the explanation is
// about.
#ifndef PROOF_PLAIN_CHECK_H
#define PROOF_PLAIN_CHECK_H

#include "base/err.h"
#include "base/memory/vec.h"

#define PLAIN_CHECK_NONE UINT32_MAX

// Words are not ended by NUL.
struct plain_word {
    const char *at;
    uint32_t len;
};
struct plain_check_term {
    struct plain_word name;
    uint32_t n;
    const uint32_t *arg;
};
struct plain_check_terms {
    VEC(struct plain_check_term) term;
};

// A condition of a rule on terms.  What it computes is its last argument; `fresh`
// is about the left term and the new variable.
struct plain_check_condition {
    struct plain_word name;
    uint32_t n;
    const uint32_t *arg;
    const uint32_t *proved; // proved equal to arg[i], or PLAIN_CHECK_NONE
};

// Each may be NULL: then such lines, or conditions, are refused.
struct plain_check_facts {
    // Is b the value of a, an operator over values?
    bool (*fold)(void *ctx, const struct plain_check_terms *t, uint32_t a, uint32_t b);
    // Is it sure that the condition holds (or, before an `else`, that it does
    // not)?
    bool (*guard)(void *ctx, const struct plain_check_terms *t,
                  const struct plain_check_condition *condition, bool holds);
    bool (*given)(void *ctx, const struct plain_check_terms *t, uint32_t a, uint32_t b,
                  uint32_t number);
    void *ctx;
    // Is term x, the last one, a term at all?  NULL: any is.
    bool (*term)(void *ctx, const struct plain_check_terms *t, uint32_t x);
    // A line proved that a = b.  NULL: nobody asks.
    void (*proved)(void *ctx, const struct plain_check_terms *t, uint32_t a, uint32_t b);
    // Are terms a and b those that the proof is to be about?  NULL: the texts say those.
    bool (*about)(void *ctx, uint32_t a, uint32_t b);
};

// Is `proof` a proof from the rules that `left` = `right` (terms, as texts)?
// False: *err (ERR_CHECK or ERR_INPUT) says which line is wrong.
bool plain_check(const char *rules, const char *proof, const char *left, const char *right,
                 const struct plain_check_facts *facts, struct err *err);

#endif
