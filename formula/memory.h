// SPDX-License-Identifier: Apache-2.0
// Memory of the numbers with many digits.
#ifndef FORMULA_MEMORY_H
#define FORMULA_MEMORY_H

// From here on GMP and MPFR end the process as base/memory/vec.h does when memory is at
// an end, and not by an abort of their own.  May be called more than once.
void formula_memory_init(void);

#endif
