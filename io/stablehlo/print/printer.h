// SPDX-License-Identifier: Apache-2.0
// Internal to io/stablehlo/print/: a program that is being printed.
#ifndef IO_STABLEHLO_PRINT_PRINTER_H
#define IO_STABLEHLO_PRINT_PRINTER_H

#include "base/memory/intern.h"
#include "io/stablehlo/stablehlo.h"

struct param_node {
    uint32_t term, next; // next: index + 1
};

struct stablehlo_printer {
    const struct program *program;
    const struct pool *pool;
    const struct terms *terms;
    const struct function *function;
    struct buf *out;
    unsigned indent;
    struct u32_vec name_of;   // term -> symbol in `names` + 1; 0 = not printed
    struct u32_vec printed;   // terms to forget after the function
    struct intern names;      // without '%'
    struct u32_vec param_has; // name in `names` -> 1: a parameter's
    struct u32_vec param_at;  // function -> its parameter nodes, list + 1
    VEC(struct param_node) param_node;
    uint32_t n_value, n_cst, n_c;
    struct u32_vec stack, local;
    bool resources; // some text names a dense_resource
};

// io/stablehlo/print/print.c.  The use of a value; a type; a name that no parameter has.
void stablehlo_put_value(struct stablehlo_printer *printer, term_id term);
void stablehlo_put_type(struct stablehlo_printer *printer, type_id type);
uint32_t stablehlo_fresh_name(struct stablehlo_printer *printer, const char *stem, uint32_t *count);
// io/stablehlo/print/op.c.  A node of an operator of tensor/language/op.h,
// behind "%x = ".
void stablehlo_put_operator(struct stablehlo_printer *printer, term_id term);

#endif
