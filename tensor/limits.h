// SPDX-License-Identifier: Apache-2.0
// Limits of types, evaluation, folding and messages.
#ifndef TENSOR_LIMITS_H
#define TENSOR_LIMITS_H

#include "base/limit.h"

// clang-format off
#define TENSOR_LIMITS(X) \
    X(TENSOR_MAX_RANK, 64, "axes", "arrays of sizes and positions live on the stack") \
    X(TENSOR_SIZE_BITS, 62, "bits", \
      "sizes and byte counts below 2^62 can be added without overflow") \
    X(TENSOR_EVAL_MEMORY, 1024, "MiB", "of one value: an evaluation must not exhaust the machine") \
    X(TENSOR_EVAL_ALL, 4096, "MiB", "of all values of an evaluation, which stay until its end") \
    X(TENSOR_EVAL_STEPS, 4096, "2^20 steps", "of one node: an evaluation must end") \
    X(TENSOR_EVAL_LOOP, 100000, "steps", \
      "of all loops and calls of an evaluation, which must end") \
    X(TENSOR_EVAL_BODIES, 4000000, "elements", \
      "for which an evaluation runs the body of a reduce, sort or map") \
    X(TENSOR_EVAL_CALLS, 1000, "calls", "inside one another in an evaluation: the stack is finite") \
    X(TENSOR_FOLD_ELEMENTS, 1024, "elements", \
      "of a folded constant that is no splat: records stay small") \
    X(TENSOR_FOLD_IOTA, 64, "elements", \
      "of an iota whose elements are known to what computes with it") \
    X(TENSOR_FOLD_READ_FACTOR, 64, "times", \
      "operand elements that a fold reads, per element it may make") \
    X(TENSOR_SPLAT_STEPS, 1 << 16, "steps", \
      "of a reduction of a splat, if no formula gives the result") \
    X(TENSOR_WINDOW_STEPS, 1 << 16, "steps", "of the search for a window that touches no element") \
    X(LOOP_TWIN_LOOKS, 32, "looks", "at a loop's body for values that are equal at every step") \
    X(TENSOR_EXACT_POWER, 64, "exponent", \
      "higher powers are left to powl") \
    X(TENSOR_LITERAL_SHOWN, 4, "elements", "of a literal in a message")
// clang-format on

enum { TENSOR_LIMITS(LIMIT_CONSTANT) };

extern const struct limit tensor_limits[];
extern const unsigned n_tensor_limits;

#endif
