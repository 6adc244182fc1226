// SPDX-License-Identifier: Apache-2.0
// Programs in any format that is read: StableHLO and HLO.  The text says which one it is.
#ifndef IO_PROGRAM_PROGRAM_H
#define IO_PROGRAM_PROGRAM_H

#include "base/text/buf.h"
#include "tensor/program/program.h"

// Reads a program as stablehlo_read and hlo_read do.
bool program_text_read(const char *text, size_t n, const char *file, struct program *out,
                       struct err *err);
// The same for the output of a simplification (stablehlo_read_output).  HLO has no regions
// and no resources.
bool program_text_read_output(const char *text, size_t n, const char *file,
                              const struct output_of *output_of, struct program *out,
                              struct err *err);
// Prints the program in its own format.
void program_text_print(const struct program *program, struct buf *out);
// The same; appends the regions as stablehlo_print_regions does.
void program_text_print_regions(const struct program *program, struct buf *out,
                                struct u32_vec *regions);
// Prints the program in the other format.  Fails if it is more than one function of terms,
// or has attributes that the other format does not have (shardings, aliases).  Layouts,
// metadata and other attributes are left out.  The text was read again and compared before
// the call returns.
bool program_text_convert(const struct program *in, enum program_format format, struct buf *out,
                          struct err *err);

#endif
