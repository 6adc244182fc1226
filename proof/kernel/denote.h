// SPDX-License-Identifier: Apache-2.0
// The value of a claimed formula at an element: tensors are what the claim says they stand for.
#ifndef PROOF_KERNEL_DENOTE_H
#define PROOF_KERNEL_DENOTE_H

#include "proof/kernel/claim.h"

// `at` has an index for each axis of the output.  LT_UNDEFINED if the text has no meaning.  Sets
// bit i of *used if the text names tensor i < 64; `used` may be NULL.
lterm denote(struct symbolic *s, const struct claim_output *output, const ipoly *at,
             uint64_t *used);
// The same, operator by operator as the text has them: nothing is simplified, so nothing that may
// have no value is lost.  For runs (loops/validate/defined.h), not for proofs.
lterm denote_as_written(struct symbolic *s, const struct claim_output *output, const ipoly *at);

#endif
