// SPDX-License-Identifier: Apache-2.0
// TTIR text, Triton's tile IR of versions 3.1 to 3.9, as a program over arrays
// (loops/program/program.h; docs/loops.md lists the operations).
#ifndef IO_TTIR_TTIR_H
#define IO_TTIR_TTIR_H

#include "base/err.h"
#include "loops/program/program.h"

// Reads one kernel: the function `kernel`, or the only public function if that is NULL.
// Callers have initialised *out (code_init) and release it even after a failure.  `file` names
// the text in messages.
//
// Comments in front of the module may name the arguments (`// arguments: %arg0=x_ptr:*fp32`),
// the compile-time values (`// constexpr: BLOCK=64`) and the launch (`// launch grid:
// (cdiv(n,BLOCK),); n <= m`): loops/launch/launch.h.
//
// Operations without a meaning here do not fail: their results are CODE_OPAQUE, and if
// they may have side effects, a STATEMENT_REFUSED stands at their place.  Malformed text
// fails with file:line:column.
bool ttir_read(const char *text, size_t n, const char *file, const char *kernel,
               struct code_program *out, struct err *err);

#endif
