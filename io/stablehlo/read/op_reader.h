// SPDX-License-Identifier: Apache-2.0
// Internal to the readers of table operators: the parts of one operation that
// were read so far, in either form. io/stablehlo/read/ops.c has the flow and
// makes the terms; io/stablehlo/read/forms.c reads both forms of operators with
// few attributes; io/stablehlo/read/dims.c those whose attributes are many
// lists; io/stablehlo/read/conv.c the spelling of convolution.
#ifndef IO_STABLEHLO_READ_OP_READER_H
#define IO_STABLEHLO_READ_OP_READER_H

#include "io/stablehlo/read/reader.h"

struct op_reader {
    struct stablehlo_reader *reader;
    struct mlir *mlir;
    enum op op;
    uint32_t at;  // token of the name
    bool opaque;  // valid so far, but more than a term
    bool foreign; // arith.constant
    bool dynamic; // operands follow that stand for attributes
    bool has[3];  // reader.ints
    bool has_dim, has_dir, has_type, has_literal, has_reducer;
    int64_t dim;
    enum compare_dir dir;
    enum compare_type type;
    lit_id literal;
    enum op reducer; // N_OPS: the region gives its second argument
    uint32_t region; // '{' of a generic operation; 0 = none
    uint32_t types;  // token behind ':'
    bool functional;
    uint32_t n_in; // operand types, first in reader.types
    type_id literal_type;
    // io/stablehlo/read/dims.c: the members of reader.list and the numbers that
    // were given.
    uint32_t lists, numbers; // bits
    int64_t number[8];
};

// The integer lists of reader.ints.
enum { INTS_FIRST, INTS_SECOND, INTS_THIRD };

// Of convolution; io/stablehlo/read/dims.c alone uses the other slots.
enum {
    CONV_STRIDE,
    CONV_PAD,
    CONV_BASE,
    CONV_DILATION,
    CONV_REVERSE,
    CONV_IN,
    CONV_KERNEL,
    CONV_OUT
};
enum {
    CONV_FEATURE_GROUPS,
    CONV_BATCH_GROUPS,
    CONV_IN_BATCH,
    CONV_IN_FEATURE,
    CONV_KERNEL_FEATURE,
    CONV_KERNEL_OUT,
    CONV_OUT_BATCH,
    CONV_OUT_FEATURE
};

// io/stablehlo/read/ops.c.  Forgets the operation before.
void op_reader_start(struct stablehlo_reader *reader);
// The attribute vector of what was read, as op.h lays it out, into reader.attr.
bool op_reader_attr(struct op_reader *reading);
// The term of what was read, its types in reader.types; false: none, or a failure.
bool op_reader_term(struct op_reader *reading, term_id *out);
bool op_reader_push_operand(struct op_reader *reading, uint32_t *at);
bool op_reader_missing(struct op_reader *reading, const char *what);

// io/stablehlo/read/forms.c.  True if the operator has a region.
bool op_reader_has_region(enum op op);
// Operands and attributes at *i, up to the types.
bool op_reader_generic(struct op_reader *reading, uint32_t *at);
bool op_reader_pretty(struct op_reader *reading, uint32_t *at);
// The empty list that an attribute of the name fills, which counts as given.
struct i64_vec *op_reader_list(struct op_reader *reading, const char *name);
bool op_reader_constant(struct op_reader *reading, uint32_t *at); // pretty form
// Operand types and the result type, whatever the spelling: reader.types gets
// one type for each operand and then the result's.
bool op_reader_types(struct op_reader *reading, uint32_t *at, bool generic);

// io/stablehlo/read/kept.c.  True if the attribute says nothing about values.
bool op_reader_discardable(const struct op_reader *reading, const struct mlir_entry *entry);
// Notes the attribute; attaches those noted to the operation's term.
void op_reader_keep(struct op_reader *reading, const struct mlir_entry *entry);
void op_reader_attach(struct op_reader *reading, term_id term);

// io/stablehlo/read/dims.c.  True if that file reads the operator.
bool dims_is(enum op op);
// One attribute of a dictionary; *taken is false if the operator has no such
// attribute.
bool dims_entry(struct op_reader *reading, const struct mlir_entry *entry, bool *taken);
// The part behind the operands in pretty form: a name, or a list of names.
bool dims_pretty_key(struct op_reader *reading, uint32_t *at);
// True if element types differ in a way that a term cannot hold.
bool dims_mixed(const struct op_reader *reading);
// The list of the attribute, which must be one of the operator's.
struct i64_vec *dims_named_list(struct op_reader *reading, const char *name);
// The attribute vector, into reader.attr.
bool dims_attr(struct op_reader *reading);
// Empties a list of reader.list and marks the list as given.
struct i64_vec *dims_list(struct op_reader *reading, int slot);

// io/stablehlo/read/conv.c: (%x, %w) dim_numbers = .., window = {..}
bool conv_pretty(struct op_reader *reading, uint32_t *at);
// [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f] at *i
bool conv_numbers(struct op_reader *reading, uint32_t *at);

#endif
