// SPDX-License-Identifier: Apache-2.0
// Parts of the normal form (normal.h), for one another.
#ifndef PROOF_KERNEL_NORMALIZING_H
#define PROOF_KERNEL_NORMALIZING_H

#include "proof/kernel/normal.h"
#include "proof/kernel/sum.h"

// normal.c: adds the term to *out (callers give an empty sum or want the sum of both), and back: one
// spelling for each sum.
void normal_sum(struct symbolic *s, lterm term, struct sum *out);
void normal_integer(struct symbolic *s, ipoly value, struct sum *out);
void normal_multiply(struct symbolic *s, const struct sum *a, const struct sum *b, struct sum *out);
lterm normal_embed_product(struct symbolic *s, const struct product *p);
lterm normal_embed(struct symbolic *s, const struct sum *sum);
lterm normal_canonical(struct symbolic *s, lterm term);

// normal_folds.c: a REDUCE; and two products that differ in one fold each, over adjacent ranges, are
// one.  False: there are none.
void normal_reduce(struct symbolic *s, lterm term, struct sum *out);
bool normal_join(struct symbolic *s, struct sum *sum);

#endif
