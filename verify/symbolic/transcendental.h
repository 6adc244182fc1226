// SPDX-License-Identifier: Apache-2.0
// Operators whose results need not be correctly rounded.
#ifndef VERIFY_SYMBOLIC_TRANSCENDENTAL_H
#define VERIFY_SYMBOLIC_TRANSCENDENTAL_H

#include "tensor/language/op.h"

// Is the operator's result only approximate: exponential, power, ...?
bool op_is_transcendental(enum op op);

#endif
