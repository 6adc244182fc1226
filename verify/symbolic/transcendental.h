// SPDX-License-Identifier: Apache-2.0
// Operators whose results need not be the correctly rounded ones.
#ifndef VERIFY_SYMBOLIC_TRANSCENDENTAL_H
#define VERIFY_SYMBOLIC_TRANSCENDENTAL_H

#include "tensor/language/op.h"

// Operators that only have to be nearly right: exponential, power, ...
bool op_is_transcendental(enum op op);

#endif
