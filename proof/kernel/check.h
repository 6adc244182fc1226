// SPDX-License-Identifier: Apache-2.0
// The check of a lifted kernel: from the program and the claim alone.
//
//   induction  each closed form is the initial value at its first iteration, and the body takes the
//              form at k to that at k + 1
//   value      for every write, the value is that of the formula at its element
//   address    the element's address is the one that is written, its indices are in range, and no
//              element lies in front of its array
//   covered    for every element the witness is a member of W that writes this element
//   once       the witness of a write's element is the write itself
//   distinct   different elements have different addresses; what no fact decides is a need
//   bounds     reads under their masks are elements that the formulas' tensors have
//   order      no element is read after it may have been written
//   given      only if it fails: the facts of the launch contradict each other
//   overflow   only if it fails: an integer leaves the range of its type, whatever the sizes are
//
// The symbolic meaning of the program (loops/symbolic) is shared with the finder; everything that
// the finder guessed is an input.
#ifndef PROOF_KERNEL_CHECK_H
#define PROOF_KERNEL_CHECK_H

#include "proof/kernel/claim.h"

struct kernel_obligation {
    const char *name;  // one of the words above
    const char *about; // what it was asked of; of the arena
    bool holds;
    struct code_place place;
};
struct kernel_checked {
    uint32_t statement;
    bool proved; // all obligations hold (under `needs`)
    const char *formula;
    VEC(struct kernel_obligation) obligations;
    VEC(const char *) needs; // facts that the caller must guarantee: "n_cols >= 1", ..
};
struct kernel_check {
    struct arena mem;
    VEC(struct kernel_checked) outputs;
    bool impossible; // no launch meets what is given
};

// Leaves out outputs that name what the program does not have.
void claim_keep_own(struct claim *claim, const struct code_program *program);
// Never fails: what cannot be shown does not hold.  The claim's stores are used and grow.
void kernel_check(const struct code_program *program, struct claim *claim,
                  struct kernel_check *out);
void kernel_check_release(struct kernel_check *check);

#endif
