// SPDX-License-Identifier: Apache-2.0
// Values as text: part of print.h.
#ifndef LOOPS_PRINT_VALUE_H
#define LOOPS_PRINT_VALUE_H

#include "loops/print/print.h"

enum { PRINT_DEPTH = 60 }; // of expressions; deeper values get names

struct value_printer {
    const struct code_program *program;
    struct u32_vec name; // of each node: number of its name + 1; 0: none
    struct buf *out;
    uint32_t depth;
};

void print_value(struct value_printer *printer, code_value value);
// The expression of a value that has a name.
void print_definition(struct value_printer *printer, code_value value);

#endif
