// SPDX-License-Identifier: Apache-2.0
// The law of layout about gathers of one piece (layout.h).
#ifndef TENSOR_FOLD_PIECE_H
#define TENSOR_FOLD_PIECE_H

#include "tensor/program/term.h"

// gather(x, k) without batch dimensions whose starts k are a constant = dynamic_slice(x, ..), behind
// a reshape if dimensions of size 1 are collapsed.  Both read a start as a number of its type,
// and clamp it in the same way.
bool piece_rewrite(struct terms *terms, term_id term, term_id *out);

#endif
