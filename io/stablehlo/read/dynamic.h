// SPDX-License-Identifier: Apache-2.0
// Internal to io/stablehlo/read/dynamic.c and io/stablehlo/read/shaped.c: the operations whose
// shapes are operands.
#ifndef IO_STABLEHLO_READ_DYNAMIC_H
#define IO_STABLEHLO_READ_DYNAMIC_H

#include "io/stablehlo/read/op_reader.h"

struct dynamic_op {
    const char *name;
    enum op op;
    uint32_t operands;   // of the operator; the others follow
    const char *list[3]; // attributes that the other operands give
};

// By the name of the operation ("stablehlo.dynamic_pad"), or NULL.
const struct dynamic_op *stablehlo_find_dynamic(const char *name);

#endif
