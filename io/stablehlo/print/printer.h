// SPDX-License-Identifier: Apache-2.0
// Internal to io/stablehlo/print/: a program that is being printed.
#ifndef IO_STABLEHLO_PRINT_PRINTER_H
#define IO_STABLEHLO_PRINT_PRINTER_H

#include "base/memory/intern.h"
#include "io/stablehlo/stablehlo.h"

struct param_node {
    uint32_t term, next; // next: index + 1
};

// Where statements go: the body of a function or of a region that is being printed.
struct printed_block {
    uint32_t parent;     // PLACE_NONE: the outermost one
    uint32_t scope;      // tensor/program/region.h
    uint32_t n_siblings; // blocks of the operation
    bool loop;
};
#define PLACE_NONE UINT32_MAX
struct place_use {        // a block, in a list
    uint32_t block, next; // next: index + 1
};
struct opened_blocks {            // the blocks of an operation that stands in block `parent`
    uint32_t parent, first, next; // next: index + 1
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
    struct u32_vec region_param; // region -> its parameter nodes, list + 1
    // io/stablehlo/print/place.c
    struct u32_vec scope;      // by term
    struct u32_vec places;     // term -> list of the blocks that have its statement, + 1
    struct u32_vec opened;     // term -> list of the blocks that its regions are, + 1
    struct u32_vec passed;     // term -> the pass that saw it last
    VEC(struct place_use) use; // lists of places
    VEC(struct opened_blocks) opening;
    VEC(struct printed_block) block;
    uint32_t here, n_passes; // block that is being printed
    uint32_t n_value, n_cst, n_c;
    struct u32_vec *regions; // in the order of the text; NO_REGION: of a reducer
    struct u32_vec stack;
    bool resources; // some text names a dense_resource
};

// io/stablehlo/print/print.c.  The use of a value; a type; a name that no parameter has.
void stablehlo_put_value(struct stablehlo_printer *printer, term_id term);
void stablehlo_put_type(struct stablehlo_printer *printer, type_id type);
uint32_t stablehlo_fresh_name(struct stablehlo_printer *printer, const char *stem, uint32_t *count);
// io/stablehlo/print/op.c.  A node of an operator of tensor/language/op.h,
// behind "%x = ".
void stablehlo_put_operator(struct stablehlo_printer *printer, term_id term);

// io/stablehlo/print/template.c.  An opaque node, behind "%x = ".
void stablehlo_put_template(struct stablehlo_printer *printer, term_id term);
// io/stablehlo/print/print.c.  The statements of block `here` that these values need.
void stablehlo_put_block(struct stablehlo_printer *printer, uint32_t n, const uint32_t *roots);
bool stablehlo_names_resource(const char *text);

// io/stablehlo/print/place.c.  Places the terms that the roots need in blocks; the roots are
// of a new outermost block, whose number is given back.  Isolated regions are left out.
uint32_t stablehlo_place(struct stablehlo_printer *printer, uint32_t scope, uint32_t n,
                         const uint32_t *roots, struct u32_vec *placed);
// How many of the arguments are seen by the block that has the term: those of an isolated region
// are not.
uint32_t stablehlo_visible_args(const struct stablehlo_printer *printer, term_id term);
bool stablehlo_stands_in(const struct stablehlo_printer *printer, term_id term, uint32_t block);
// The first of the blocks of a region operation that stands in `parent`.
uint32_t stablehlo_opened(const struct stablehlo_printer *printer, term_id term, uint32_t parent);

#endif
