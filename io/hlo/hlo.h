// SPDX-License-Identifier: Apache-2.0
// HLO text in and out, the text of XLA's own modules.  Operators of tensor/language/op.h
// become terms; every other instruction becomes an opaque node that keeps its text.
//
// H1  A term has no layout.  Texts of opaque nodes say in which layout they take each
//     operand; the printer adds a copy where a value has another one.  So instructions
//     whose meaning depends on layouts (bitcast, custom-call) keep their meaning, whatever
//     their operands become.
// H2  The computations of a while, a sort, a map or a reduce of several operands are blocks of
//     regions if forms.c of the reader takes the operation; then the term is the one that
//     StableHLO's text of that operation gives, and the regions are isolated.
//     A computation is a function of the program if a `call`, or a `while` or `conditional` that
//     stays text, names it, or nothing does; it is private if only calls of terms do.  One that
//     another text names (fusion, ..) stays text in program.extras, and so do those that it
//     names.  The printer writes such a computation as `%name {`, without its shape, and what is
//     written so stays text unless it is a block: a computation keeps its role if an instruction
//     that names it is dropped.
// H3  A computation of H2's texts is printed if a text names it or nothing does.  One that only
//     terms use is left out: the printer makes reducers and blocks anew.
// H4  Whether an instruction is a term follows from what the printer keeps, never from unused
//     instructions: so the text that is printed, read and printed again, is the same text.  An
//     instruction with an effect, or that names a computation with one, is opaque in any case.
#ifndef IO_HLO_HLO_H
#define IO_HLO_HLO_H

#include "base/text/buf.h"
#include "tensor/program/program.h"

// Reads one module into `out`.  Callers must have initialised `out` and must release it
// even after a failure.  `file` names the text in messages.  On failure *err holds
// file:line:column, the expected token and the found one.
//
// The reader refuses constants whose elements were left out ("{...}") and instructions
// inside operands.
bool hlo_read(const char *text, size_t n, const char *file, struct program *out, struct err *err);

// The same for the output of a simplification: regions stay regions.
bool hlo_read_output(const char *text, size_t n, const char *file, struct program *out,
                     struct err *err);

// Prints the module, with side effects in order and without unused nodes.  Reading the
// result gives an equal program.
void hlo_print(const struct program *program, struct buf *out);
// The same; appends the numbers of the regions in the order in which a reader numbers them.
void hlo_print_regions(const struct program *program, struct buf *out, struct u32_vec *regions);

#endif
