// SPDX-License-Identifier: Apache-2.0
// Internal to io/stablehlo/read/scan.c, io/stablehlo/read/pretty.c,
// io/stablehlo/read/template.c and io/stablehlo/read/opaque.c: one operation,
// passed over token by token, and its template, which the scan writes on the way.
#ifndef IO_STABLEHLO_READ_SCAN_H
#define IO_STABLEHLO_READ_SCAN_H

#include "io/limits.h"
#include "io/stablehlo/read/reader.h"

#define NOBODY UINT32_MAX // instead of a callable

struct region_argument { // argument of a region that the scan has not entered yet
    uint32_t at, number;
    type_id type; // NO_TYPE where it was not looked for
};

// How the regions of the operation are kept.
enum region_form { REGION_TEXT, REGION_PROGRAM, REGION_OPEN /* the first one decides */ };

struct opaque_scan {
    struct stablehlo_reader *reader;
    struct mlir *mlir;
    struct buf *out; // NULL: the scan only walks and does not look up names
    uint32_t self;   // callable that is walked
    uint32_t n_locals, indent, depth;
    bool bol; // no blank in front of the next token
    bool effect;
    uint32_t callee; // callable that the operation calls; NOBODY: none, or not alone
    VEC(struct region_argument) pend;
    VEC(term_id) args;
    enum region_form form;
    uint32_t region;               // of the term store, once there is one
    uint32_t first_bound, n_bound; // parameters of the block
    VEC(type_id) parameters;       // by number; NO_TYPE or no entry: none of this number
    struct i64_vec blocks;         // as in the attribute
    struct source_holes holes;     // of the text
    uint32_t first_statement;      // of the source, of those that came with the operation
    uint32_t n_terms;              // whose scopes were known when the operation began
    uint32_t first_term;           // of those that came with the operation
};

struct scanned_op {
    char name[IO_OPERATION_NAME];
    uint32_t at;                  // token of the name
    uint32_t dict[3], n_dicts;    // '{' of attribute dictionaries
    uint32_t types, types_end;    // tokens behind ':'; 0 = none
    uint32_t arrow;               // of "T -> U" without parentheses; 0 = none
    uint32_t n_operands;          // outside regions
    uint32_t pend_base, mark;     // names in scope in front
    bool generic, tail, converts; // ": T to U"
    bool pinned;                  // has an attribute of program.pinned
};

// io/stablehlo/read/template.c.  One token, with the blank in front of it.
void template_put(struct opaque_scan *opaque_scan, uint32_t at);
bool template_put_kind(struct opaque_scan *opaque_scan, uint32_t *at, uint16_t kind,
                       const char *what);
void template_newline(struct opaque_scan *opaque_scan);
// The use of a value at *i.
bool template_use(struct opaque_scan *opaque_scan, uint32_t *at, struct scanned_op *scanned_op);
// The definition of a region's value, named by the token.
void template_define(struct opaque_scan *opaque_scan, uint32_t at, uint32_t number);
bool template_bind_local(struct opaque_scan *opaque_scan, uint32_t at, uint32_t n, uint32_t number);
// Tokens [*i, to), with the values in them; up to the closing bracket; a
// dictionary of attributes.
bool template_copy(struct opaque_scan *opaque_scan, uint32_t *at, uint32_t to,
                   struct scanned_op *scanned_op);
bool template_copy_bracket(struct opaque_scan *opaque_scan, uint32_t *at,
                           struct scanned_op *scanned_op);
bool template_copy_dict(struct opaque_scan *opaque_scan, uint32_t *at,
                        struct scanned_op *scanned_op);

// io/stablehlo/read/block.c.  Is the region at '{' one block that ends with a statement that
// returns?
bool block_is_program(const struct mlir *mlir, uint32_t open);
// Reads that region as a program; its template has the place of the statements and the one
// that returns.
bool block_read(struct opaque_scan *opaque_scan, uint32_t *at, struct scanned_op *scanned_op);
// Decides, once all blocks are read, what the region sees.
void block_decide_parent(struct opaque_scan *opaque_scan);
// An argument of the region, of this name and type, is a parameter.
bool block_parameter(struct opaque_scan *opaque_scan, const struct region_argument *argument);

// io/stablehlo/read/returns.c.  The regions of a while, case, if, sort, map or reduce take and return
// what the operation does; the types of its results are in reader->types.
bool stablehlo_check_returns(struct opaque_scan *opaque_scan, const struct scanned_op *scanned_op,
                             term_id term);

// io/stablehlo/read/calls.c.  Notes the operation if it is a call of the function.
void stablehlo_note_call(struct stablehlo_reader *reader, const struct scanned_op *scanned_op,
                         uint32_t callee, term_id call);
// io/stablehlo/read/complex.c.  Is stablehlo.complex one of two tensors of floats?  Its operands and
// the types of its results are in reader->args and reader->types.
bool stablehlo_check_complex(struct stablehlo_reader *reader, const struct scanned_op *scanned_op);

// io/stablehlo/read/share.c.  The pure operation, with the region of an earlier one if both regions
// are equal.
term_id region_share(struct opaque_scan *opaque_scan, term_id term);

// io/stablehlo/read/effect.c.  Notes the effect of the operation, or the function that it calls.
bool effect_note(struct opaque_scan *opaque_scan, struct scanned_op *scanned_op);

// io/stablehlo/read/pretty.c.  From the name of an operation that is not in generic form to its
// end.
bool scan_pretty(struct opaque_scan *opaque_scan, uint32_t *at, struct scanned_op *scanned_op);

// io/stablehlo/read/scan.c.  A region at its '{'; a statement inside of it, into the template; the
// operation at *i.
bool scan_region(struct opaque_scan *opaque_scan, uint32_t *next, struct scanned_op *scanned_op);
bool scan_statement(struct opaque_scan *opaque_scan, uint32_t *next);
bool opaque_scan_operation(struct opaque_scan *opaque_scan, uint32_t *at,
                           struct scanned_op *scanned_op);

#endif
