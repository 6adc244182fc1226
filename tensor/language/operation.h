// SPDX-License-Identifier: Apache-2.0
// What a node does, apart from its arguments: those are terms, types, values or
// literals, and are given beside it.
#ifndef TENSOR_LANGUAGE_OPERATION_H
#define TENSOR_LANGUAGE_OPERATION_H

#include "tensor/language/op.h"
#include "tensor/language/pool.h"

struct operation {
    enum op op;
    attr_id attr;
    type_id type; // of the result; where the type is inferred, the expected one or NO_TYPE
    uint32_t n;   // number of arguments
};

#endif
