// SPDX-License-Identifier: Apache-2.0
// What somebody expects of a kernel, as text: for each output its places, and its formula.
//
//   output c[stride_cm*i + stride_cn*j], i < M, j < N;
//   array a[i, k] = a_ptr[stride_am*i + stride_ak*k];
//   axis k < K;
//   tensor a[i, k], b[k, j]; sum[k](a[i,k]*b[k,j]);
//
// `output` names the array that is written, its address at an element, and the sizes of its axes;
// `array` where the elements of a tensor are; `axis` the size of another axis.  The formula
// follows (docs/formulas.md).  A second `output` starts the next section.
//
// A text without `output` is a bare formula: places and sizes are those of a claim, by the names
// of its tensors.
//
// The expectation becomes outputs of a claim, which kernel_check proves from the kernel.  Inverse
// and closed forms come from the claim of the finder: a wrong choice fails there.
#ifndef PROOF_KERNEL_EXPECTATION_H
#define PROOF_KERNEL_EXPECTATION_H

#include "proof/kernel/claim.h"

struct expected {
    struct claim_output output; // statement: NO_CODE until it is matched
    uint32_t array;             // that is written; NO_CODE: a bare formula
    uint32_t which;             // of the claim's outputs, once it is matched
    uint32_t from, to;          // bytes of the text: the formula
    const char *problem;        // why it cannot be matched; NULL
    const char *no_value;       // where it has no value though the kernel has one; NULL
};
struct expectation {
    VEC(struct expected) at;
};

// Reads the text.  Polynomials are made in the claim's integers, texts in its arena.
bool expectation_read(const char *text, const struct code_program *program, struct claim *claim,
                      struct expectation *out, struct err *err);
// Takes what a bare formula leaves open from the claim's output in the array, or in the only one
// (NO_CODE).  Sets `problem` if that is not there.
void expectation_place(struct expectation *expectation, const struct code_program *program,
                       struct claim *claim, uint32_t array);
// Replaces the outputs of the claim by those expected, each with the inverse of the claim's output
// in the same array whose strides are the same.  What has no partner gets a problem and is left out.
void expectation_claim(struct expectation *expectation, const struct code_program *program,
                       struct claim *claim);
void expectation_release(struct expectation *expectation);

#endif
