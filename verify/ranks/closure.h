// SPDX-License-Identifier: Apache-2.0
// The second way of proving the elements obligation for all ranks: which truth values can
// the conditions of choices and the equalities of reads have, at any rank?  Each is a
// conjunction over the axes, so the vectors at rank k are the ANDs of the vectors of k
// single axes.  docs/proving.md, "AND-closure".
//
//      axis 1   1 0 1        F1: the truth vectors of one axis, per rank class
//      axis 2   1 1 0        closure: all their ANDs, and 111 for rank 0
//      ------------- AND
//      rank 2   1 0 0        the sides must agree given these values
//
// C1  Every vector that occurs at some ranks is in `all`; there may be more.
// C2  `all` is in order of the number of axes, so the first vector that fails has the
//     smallest ranks.
#ifndef VERIFY_RANKS_CLOSURE_H
#define VERIFY_RANKS_CLOSURE_H

#include "verify/elements/same.h"
#include "verify/ranks/template.h"

// A truth vector of one axis of a family.
struct closure_axis {
    uint32_t family;
    uint64_t bits;
    struct linear_model model; // where it occurs, if no model was spurious
};
struct closure_vector {
    uint64_t bits;
    uint32_t from, by; // the AND of vector `from` and axis `by`; NONE: all true
};
// An element condition that is known at the place of a read if the place is in its range.
struct closure_known {
    uint32_t read, pat;
};
struct closure {
    struct session *session;
    struct rank_template template;
    uint32_t n_bits;     // conditions, then pairs of reads, then known
    struct u32_vec pair; // two reads (places in template.reads) a bit
    VEC(struct closure_known) known;
    VEC(struct closure_axis) axes;  // F1
    VEC(struct closure_vector) all; // with prefixes that lack an axis
    uint32_t first;                 // of those that count
    const char *failure;            // why the method does not apply
    const char *why;                // "3 bits, x: 2 of one axis; 4 vectors"
};

void closure_init(struct closure *closure, struct session *session);
void closure_release(struct closure *closure);
// The meaning of bit i for one axis of the family; X_TRUE: none.
expr_id closure_bit(struct closure *closure, uint32_t i, uint32_t family);
// Are the sides the same element for every vector?  On failure session->reason says why, and
// a hint is left.  *certain: an exact countermodel was found.
bool closure_prove(struct closure *closure, enum rung rung, int domain, unsigned mask,
                   bool *certain);

#endif
