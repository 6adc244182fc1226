// SPDX-License-Identifier: Apache-2.0
// Operations on sizes "?", by operator and attributes: what a reader makes of their text, and the
// text of new ones.
#ifndef TENSOR_DYNAMIC_OPERATION_H
#define TENSOR_DYNAMIC_OPERATION_H

#include "tensor/program/program.h"

// A tensor type: its sizes, -1 for "?", and bounds of these, 0 for none.
struct sized {
    enum elem elem;
    uint32_t rank, n_open; // n_open: how many sizes are "?"
    int64_t dims[TENSOR_MAX_RANK], bounds[TENSOR_MAX_RANK];
};
// False: the type is no tensor of elements that terms have, or says more than these.
bool sized_of(const struct pool *pool, type_id type, struct sized *out);
bool sized_same(const struct sized *a, const struct sized *b); // but for the elements
// The type of these sizes and elements.  Fails if there are too many elements.
bool sized_type(struct pool *pool, const struct sized *sized, type_id *out);
// The known sizes alone, in order.
void sized_slice(const struct sized *sized, struct sized *out);
// The dimension of the n-th "?"; n < n_open.
uint32_t sized_open(const struct sized *sized, uint32_t n);

// Does the operation have the shape of its result as a last argument?  It is dynamic_broadcast_in_dim
// or dynamic_reshape then.
bool operation_takes_shape(enum op op);
// Is the node the operator with these attributes, on its arguments?  It is if the program has this
// form for its text (tensor/program/form.h), or if operation_text gives its text.
bool operation_is(const struct program *program, const struct terms *terms, term_id id, enum op op,
                  attr_id attr);
// The template of the operation, as StableHLO's printer writes it; false: there is none here.  The
// operators are those of tensor/dynamic/whole.h.
bool operation_text(const struct terms *terms, struct operation operation, const term_id *args,
                    struct buf *out);
// The node with that text; NO_TERM: there is none.
term_id operation_make(struct terms *terms, struct operation operation, const term_id *args);

#endif
