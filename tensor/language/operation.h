// SPDX-License-Identifier: Apache-2.0
// The operation of a node, without its arguments.  The arguments are terms, types,
// values or literals, and callers give them separately.
#ifndef TENSOR_LANGUAGE_OPERATION_H
#define TENSOR_LANGUAGE_OPERATION_H

#include "tensor/language/op.h"
#include "tensor/language/pool.h"

struct operation {
    enum op op;
    attr_id attr;
    type_id type; // of the result; if the type is inferred: the expected type or NO_TYPE
    uint32_t n;   // number of arguments
};

#endif
