// SPDX-License-Identifier: Apache-2.0
// The laws of layout about dimensions of size 1 and about reshapes (layout.h).  Where a
// size is 1 every element is at index 0, so such a dimension may stand anywhere.
#ifndef TENSOR_FOLD_UNITS_H
#define TENSOR_FOLD_UNITS_H

#include "tensor/program/term.h"

// reshape(reshape(x)) = reshape(x).
bool units_regroup(struct terms *terms, term_id term, term_id *out);
// A broadcast or transpose that copies nothing, and keeps the order of the sizes other
// than 1, = reshape(x); a reshape that only adds or moves dimensions of size 1 =
// broadcast_in_dim(x).
bool units_rewrite(struct terms *terms, term_id term, term_id *out);
// A broadcast that stretches dimensions of size 1 = the broadcast of reshape(x), which does not
// have them.
bool units_stretch(struct terms *terms, term_id term, term_id *out);
// One broadcast_in_dim for a broadcast or transpose and a reshape, in either order, where
// the reshape only adds and drops dimensions of size 1, and cuts copies in another way.
bool units_spread(struct terms *terms, term_id term, term_id *out);

#endif
