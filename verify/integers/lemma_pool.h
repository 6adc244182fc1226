// SPDX-License-Identifier: Apache-2.0
// The product lemmas of one query.  A lemma is asserted when a model of the query violates it
// (Cimatti et al., Incremental Linearization for Satisfiability and Verification Modulo Nonlinear
// Arithmetic and Transcendental Functions, ACM TOCL 19(3), 2018; the lemmas are ours).
// Most are never asserted.  A model that violates none is a model of all.  Coefficients of what is
// asserted may overflow: whoever asks the solver looks at that (P4 of polynomial.h).
#ifndef VERIFY_INTEGERS_LEMMA_POOL_H
#define VERIFY_INTEGERS_LEMMA_POOL_H

#include "verify/integers/lemmas.h"

struct lemma_pool {
    struct linear *linear;
    struct lemmas lemmas;
    bool whole;            // all were asserted once
    VEC(uint8_t) asserted; // by lemma: the parts that were asserted
    struct u32_vec known;  // by monomial: is it in an assertion?
    // of the last model, by monomial
    VEC(int64_t) value;
    VEC(uint8_t) state;
};

// The query has the monomials of `gather`.
void lemma_pool_init(struct lemma_pool *pool, struct linear *linear, const struct gather *gather);
void lemma_pool_release(struct lemma_pool *pool);
// Adds the lemmas at this slack.  False if there are none.
bool lemma_pool_add(struct lemma_pool *pool, struct gather *gather, unsigned slack);
// Asserts what the model of the solver violates, or may violate since values do not fit 64 bits, of
// VERIFY_LEMMAS_AT_ONCE lemmas at most.  False if that is none.
bool lemma_pool_assert_violated(struct lemma_pool *pool);
void lemma_pool_assert_all(struct lemma_pool *pool);

#endif
