// SPDX-License-Identifier: Apache-2.0
// Internal to io/hlo/print/: a program that is being printed.
#ifndef IO_HLO_PRINT_PRINTER_H
#define IO_HLO_PRINT_PRINTER_H

#include "base/memory/intern.h"
#include "io/hlo/element.h"
#include "io/hlo/hlo.h"
#include "tensor/program/region.h"

struct hlo_reducer {
    enum op op; // N_OPS: the second argument
    enum elem elem;
    uint32_t name;
};

// A region of the text; those inside it have it as parent.
struct hlo_printed_region {
    uint32_t region, parent; // parent + 1; 0: it stands in a function
};

// A block of a region that is printed as a computation, after the one that it stands in.
struct hlo_printed_block {
    term_id term;
    uint32_t block, name, where; // names of now and of the text
    uint32_t at;                 // in printer.regions
};

struct hlo_printer {
    const struct program *program;
    const struct pool *pool;
    const struct terms *terms;
    const struct function *function;
    uint32_t function_number;
    uint32_t computation;      // the number of the computation that is being printed
    uint32_t inside;           // region that it is a block of, in `regions`, + 1; 0: a function
    struct opaque_block block; // the block
    bool takes_tuple;          // its parameters are the elements of one tuple
    bool folds; // it belongs to a fold of one operand, and might look like an operator
    struct u32_vec parameters; // names of the instructions
    VEC(struct hlo_printed_region) regions;
    VEC(struct hlo_printed_block) blocks; // in the order in which they are printed
    struct u32_vec named;                 // name -> 1: a computation has it
    struct buf *out;
    struct u32_vec name_of;     // term -> name + 1; 0 = not printed
    struct u32_vec param_node;  // parameter nodes of all functions, by function
    struct u32_vec param_at;    // function -> its first in param_node
    struct u32_vec printed;     // terms to forget after the function
    struct u32_vec local_at;    // name of a computation -> its first local note + 1
    struct u32_vec local_of;    // term -> local note of the computation + 1
    struct u32_vec localized;   // terms to forget after it
    struct u32_vec noted;       // attributes of an opaque term -> note + 1; UINT32_MAX: of several
    struct intern names;        // without '%'
    struct u32_vec used_in;     // name -> the last computation that has it
    struct u32_vec count_of;    // stem in `names` -> fresh names so far
    struct u32_vec counted;     // stems to forget after the function
    struct intern helpers;      // what a helper is -> its name
    struct u32_vec helper_name; // name + 1
    struct u32_vec helpers_made;
    struct u32_vec scalar_of; // helper -> term of rank 0 + 1
    VEC(struct hlo_reducer) reducers;
    struct u32_vec stack;
    uint32_t root; // term of ROOT; UINT32_MAX: none
};

// io/hlo/print/names.c
uint32_t hlo_fresh_name(struct hlo_printer *printer, const char *stem);
uint32_t hlo_term_name(struct hlo_printer *printer, term_id term);
const struct term_note *hlo_note(const struct hlo_printer *printer, term_id term);
// A computation that is the reducer of these elements.
uint32_t hlo_reducer_name(struct hlo_printer *printer, enum op op, enum elem elem);
// A name that no other computation has.
uint32_t hlo_computation_name(struct hlo_printer *printer, const char *stem);
void hlo_name_computations(struct hlo_printer *printer);
void hlo_release_names(struct hlo_printer *printer);
void hlo_find_local_notes(struct hlo_printer *printer);
// Names of a computation that the text called `where` (in printer.names).
void hlo_start_names(struct hlo_printer *printer, uint32_t where);
void hlo_forget_names(struct hlo_printer *printer);

// io/hlo/print/value.c
void hlo_put_name(struct hlo_printer *printer, uint32_t name);
// The layout of a term's value, into `out`.
void hlo_put_layout(const struct hlo_printer *printer, term_id term, struct buf *out);
// "%name = shape copy(%term)", a helper.
void hlo_put_copy(struct hlo_printer *printer, uint32_t name, term_id term, const char *layout);
// The name of the value in a layout; prints a copy if needed.
uint32_t hlo_value_in(struct hlo_printer *printer, term_id term, const char *layout);
// The helpers of io/hlo/element.h: a scalar constant; a reshape; a repeated scalar.
// Says that the program has this constant of rank 0.
void hlo_note_scalar(struct hlo_printer *printer, term_id constant);
uint32_t hlo_scalar_constant(struct hlo_printer *printer, enum elem elem, struct scalar scalar);
uint32_t hlo_narrowed(struct hlo_printer *printer, term_id wide);
uint32_t hlo_repeated(struct hlo_printer *printer, term_id scalar, type_id shape);
// Does the broadcast need the helper hlo_narrowed?
bool hlo_widens(const struct hlo_printer *printer, term_id term);

// io/hlo/print/print.c.  Prints the terms that `root` needs and that are not printed yet, arguments
// first.
void hlo_put_tree(struct hlo_printer *printer, term_id root);

// io/hlo/print/structured.c.  Is the term a call, or an operation with regions?
bool hlo_is_structured(const struct hlo_printer *printer, term_id term);
void hlo_put_structured_opcode(const struct hlo_printer *printer, term_id term, struct buf *out);
// The number of arguments that are operands: those behind belong to blocks.
uint32_t hlo_operands_of(const struct hlo_printer *printer, term_id term);
void hlo_put_structured(struct hlo_printer *printer, term_id term);
bool hlo_is_while(const struct hlo_printer *printer, term_id term);
bool hlo_is_conditional(const struct hlo_printer *printer, term_id term);
// Is the result a tuple in HLO?
bool hlo_gives_tuple(const struct hlo_printer *printer, term_id term);
// The name of "(types) tuple(operands)" of values in the default layout, whose copies stand in
// front; `left` is what stands in front of the name.
uint32_t hlo_put_tuple(struct hlo_printer *printer, const char *left, uint32_t n,
                       const term_id *element);
// io/hlo/print/blocks.c
void hlo_put_block_parameter(struct hlo_printer *printer, term_id term);
// Block i as a computation.
void hlo_put_block(struct hlo_printer *printer, uint32_t i);
// Appends the regions from the outermost to the innermost, as a reader numbers them.
void hlo_order_regions(const struct hlo_printer *printer, struct u32_vec *out);

// io/hlo/print/op.c.  "  %name = shape ", and metadata with the end of the line.
void hlo_put_left(struct hlo_printer *printer, term_id term);
void hlo_put_right(struct hlo_printer *printer, term_id term);
// The statement of a term behind its arguments.
void hlo_put_statement(struct hlo_printer *printer, term_id term);
// io/hlo/print/attributes.c.  The attributes of an operator, each behind ", ".
void hlo_put_operator_attributes(struct hlo_printer *printer, term_id term);
// io/hlo/print/literal.c
void hlo_put_scalar(enum elem elem, struct scalar scalar, struct buf *out);
void hlo_put_literal(const struct pool *pool, lit_id literal, type_id type, struct buf *out);

#endif
