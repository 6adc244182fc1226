// SPDX-License-Identifier: Apache-2.0
// StableHLO MLIR text in and out.  Operators of tensor/language/op.h become terms; every
// other operation becomes an opaque node that keeps its text, with operands
// as arguments.  Regions of operations of StableHLO, CHLO, MHLO and Shardy are read as
// programs (tensor/program/region.h); those of other dialects stay text, with the outer
// values that they use as arguments.  Pure opaque operations may be shared.  An operation that may have a side effect gets a serial number
// of its own and a place in function.effects.
#ifndef IO_STABLEHLO_STABLEHLO_H
#define IO_STABLEHLO_STABLEHLO_H

#include "base/text/buf.h"
#include "tensor/program/program.h"

// Reads the modules of a file, or bare functions, into `out`.  Callers must have
// initialised `out` and must release it even after a failure.  `file` names the
// text in messages.  On failure *err holds file:line:column, the expected token
// and the found one.
//
// A line "// -----" outside brackets parts the file: aliases, resources and names of one
// part mean nothing in another.  Modules inside modules, functions of several blocks and
// all other operations beside functions are kept as text.  A last line that begins with
// "---" or "===" behind a module is left out, with a remark in `out`.  Locations are
// dropped.  A constant of arith or Shardy is read as one of StableHLO if its type is a
// tensor of known sizes.  A pretty operation of another dialect must have its result types behind
// "->" or "to", or be listed in io/stablehlo/read/foreign.c.
//
// An operation whose shapes are operands (dynamic_reshape, real_dynamic_slice, ..) is read
// as its static operator where types and operands say everything; sizes "?" are kept as
// they are otherwise, and operations on such types stay opaque.
//
// Attributes with a dot in the name, and a few others that say nothing about values
// (names, shardings, layouts, notes of frontends), are kept in out->kept beside the operation's
// term.  Equal operations with different attributes are one term, with those of the
// first; out->pinned names attributes that make operations opaque instead.
//
// The resources of a part are kept whole, unless only constants name them: the data of these
// are in the terms.  Those of the builtin dialect have names of their own and data that MLIR reads.
//
// The reader refuses attributes as old versions wrote them (dense lists, strings for
// directions).
bool stablehlo_read(const char *text, size_t n, const char *file, struct program *out,
                    struct err *err);

// The same for the output of a simplification.  Equal regions keep numbers of their own.  A
// region that has become one reducer stays a region.  Resources that the input keeps are kept,
// whether or not the output names them.
bool stablehlo_read_output(const char *text, size_t n, const char *file,
                           const struct output_of *output_of, struct program *out, struct err *err);

// Are these of the operations beside the functions the resources of a part?
bool stablehlo_is_resources(const char *extra);

// Prints all functions, with side effects in order and without unused nodes, each statement
// in one form.  Reading the result gives an equal program.
void stablehlo_print(const struct program *program, struct buf *out);
// The same; appends the regions in the order of the text, NO_REGION for one that is the
// reducer of a term.  If the program has a source (tensor/program/source.h), then statements
// have the text, names and order of the source wherever they are the same operations.
void stablehlo_print_regions(const struct program *program, struct buf *out,
                             struct u32_vec *regions);
// One constant's dense<...> : type text.
void stablehlo_print_literal(const struct pool *pool, lit_id literal, type_id type,
                             struct buf *out);
// The attributes of dot_general, convolution, reduce_window, dynamic_slice,
// gather or scatter.  A convolution that is not StableHLO's
// (conv_attr_is_stablehlo) is spelled with a letter for each of its batch,
// feature and output dimensions, and no reader accepts this spelling: code that
// makes terms for a program must not make such a convolution.
void stablehlo_print_dims(const struct terms *terms, term_id id, struct buf *out);

#endif
