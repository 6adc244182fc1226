// SPDX-License-Identifier: Apache-2.0
// Knowledge about every class: a constant that the class equals, and whether all its
// elements are one rank-0 value.
#ifndef EGRAPH_PROGRAM_CONSTANTS_H
#define EGRAPH_PROGRAM_CONSTANTS_H

#include "egraph/program/egraph.h"

// The literal of a constant equal to the class, NO_LIT if none is known.
lit_id class_constant(struct egraph *graph, class_id class);
// That constant's term, or NO_TERM.
term_id class_constant_term(struct egraph *graph, class_id class);
// The literal if the class is a constant whose elements are all equal (a
// splat literal; never an empty tensor).
lit_id class_splat(struct egraph *graph, class_id class);
// The rank-0 class s such that the class is broadcast_in_dim(s, []): itself at
// rank 0.  False if none is known.  A splat constant made by a reader may have
// no such node: ask class_splat first.
bool class_splat_source(struct egraph *graph, class_id c, class_id *out);

// Does extraction leave the constant out?  It never chooses these:
//
//   - A constant whose tensor has more bytes than opt.constant_bytes, whether its
//     elements are equal or not.  If its elements are equal, its class also has a
//     broadcast of one element, as long as opt.fold.  No large constant arises of unequal
//     elements: folding makes at most opt.fold_count of them, or takes a whole operand
//     (fold.h), and rules make copies of one element only.
//   - A constant of unequal elements whose class has an iota.
bool constant_is_left_out(struct egraph *graph, term_id term);
// Bytes of the largest constant of the store; 0 without constants.
uint64_t constants_largest(const struct terms *terms);

// For egraph.c, rebuild.c: the class of a term that was just registered, two
// classes that merge, folding of one node (true if something was added).
void analysis_start(struct egraph *graph, class_id class);
void analysis_merge(struct egraph *graph, class_id keep, class_id lose);
bool analysis_fold(struct egraph *graph, term_id node);
// Adds the broadcast to the class of a large constant.
void analysis_spread(struct egraph *graph, term_id constant);

#endif
