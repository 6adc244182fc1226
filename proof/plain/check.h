// SPDX-License-Identifier: Apache-2.0
// The checker of explanations over plain rules (egraph/why/why.h writes them).
//
// The checker reads the rules and the explanation as texts and shares nothing
// with the finder.  Each RULE line is matched with the rule's text.  CONG and
// TRANS lines are compared part by part.  The checker asks the caller about
// facts that no text decides: folding, facts on which a condition rests, given
// equalities.
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
// an argument of a condition equals.  The last line is the equality that the
// explanation proves.
#ifndef PROOF_PLAIN_CHECK_H
#define PROOF_PLAIN_CHECK_H

#include "base/err.h"
#include "base/memory/vec.h"

#define PLAIN_CHECK_NONE UINT32_MAX

// No NUL ends a word.
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

// Each function may be NULL: then the checker refuses such lines, or
// conditions.
struct plain_check_facts {
    // True if b is the value of a, an operator over values.
    bool (*fold)(void *ctx, const struct plain_check_terms *t, uint32_t a, uint32_t b);
    // True if the condition surely holds (or, before an `else`, surely fails)
    // for the terms arg[]. proved[i] is a term that was proved equal to arg[i],
    // or PLAIN_CHECK_NONE.  The last argument of a condition is its result.
    // The arguments of `fresh` are the left term and the new variable.
    bool (*guard)(void *ctx, const struct plain_check_terms *t, struct plain_word name, uint32_t n,
                  const uint32_t *arg, const uint32_t *proved, bool holds);
    bool (*given)(void *ctx, const struct plain_check_terms *t, uint32_t a, uint32_t b,
                  uint32_t number);
    void *ctx;
    // True if term x, the last one, is a term at all.  NULL: any is.
    bool (*term)(void *ctx, const struct plain_check_terms *t, uint32_t x);
    // Called after a line proved that a = b.  NULL: not called.
    void (*proved)(void *ctx, const struct plain_check_terms *t, uint32_t a, uint32_t b);
};

// True if `proof` is a proof from the rules that `left` = `right` (terms, as
// texts).  False: *err (ERR_CHECK or ERR_INPUT) names the wrong line.
bool plain_check(const char *rules, const char *proof, const char *left, const char *right,
                 const struct plain_check_facts *facts, struct err *err);

#endif
