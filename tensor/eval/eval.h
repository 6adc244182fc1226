// SPDX-License-Identifier: Apache-2.0
// The interpreter: the concrete meaning of every operator, index by index.
// Machine integers wrap; floats are IEEE with one rounding per operation (f16,
// bf16 are computed in f32 or wider and rounded once); INT and REAL are exact
// and fail on what cannot be represented.  Conventions where StableHLO leaves
// the choice: x / 0 = -1 (all ones) and x rem 0 = x for machine integers and
// INT; MIN / -1 = MIN; shifts by >= width give 0 (arithmetic: the sign); for
// REAL, division by zero is a failure.  maximum and minimum propagate NaN.
// Transcendental operators on REAL are failures, and so is arithmetic on the
// infinities of INT and REAL; comparisons, maximum, minimum, select, clamp and
// data movement accept them.  i1: add = maximum = or, multiply = minimum =
// and.  A NaN that an operator makes or passes through arithmetic is the
// positive quiet NaN, so that results do not depend on the machine.  Floats
// out of an integer's range convert to the nearest integer, NaN to 0.
// compare with TOTALORDER: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.
#ifndef TENSOR_EVAL_EVAL_H
#define TENSOR_EVAL_EVAL_H

#include "base/memory/arena.h"
#include "base/text/buf.h"
#include "base/rng.h"
#include "tensor/program/term.h"

struct value {
    type_id type;
    // Row-major, elem_bytes each; owned by the arena.  TYPE_TUPLE: an array of
    // struct value.  TYPE_OTHER: NULL.
    void *data;
};

// Scalar operators (unary, binary, is_finite, compare via attr, select, clamp).
bool eval_unary(enum op op, enum elem elem, struct scalar scalar, struct scalar *out,
                struct err *err);
bool eval_binary(enum op op, enum elem elem, struct scalar a, struct scalar b, struct scalar *out,
                 struct err *err);
bool eval_compare(enum compare_dir direction, enum compare_type ct, enum elem elem, struct scalar a,
                  struct scalar b);
bool eval_convert(enum elem from, enum elem to, struct scalar scalar, struct scalar *out,
                  struct err *err);
// The value of a root, transcendental function or power (of two numbers),
// nearly exact; and a value rounded to a float type, once.
long double float_function(enum op op, long double a, long double b);
struct scalar float_round_once(enum elem elem, long double v);
// The unit of a reducer: 0, 1, lowest, highest, all ones, 0.
struct scalar reducer_unit(enum op reducer, enum elem elem);

// Elements that a node reads and combines: of the result, or products for
// dot_general and convolution, elements of all windows for reduce_window, of
// the input for reduce, of the updates for scatter.  At most INT64_MAX.
int64_t eval_steps(const struct pool *pool, enum op op, attr_id attr, type_id type,
                   const type_id *args);

// One node on given operand values.  The shape rule is applied first, so
// ill-typed nodes are failures.
bool eval_node(struct pool *pool, struct operation operation, const struct value *args,
               struct arena *arena, struct value *out, struct err *err);

// Roots of a DAG.  `params[i]` is the value of the parameter node with
// attribute [function, i]; all parameters met must be of one function.  An
// opaque node means a fixed pseudo-random function of its text and operands,
// continuous in float operands, so that equal programs give (nearly) equal
// results; side effects are ignored.  Its integer and i1 results depend on the
// integer and i1 operands only, since nothing else would be continuous.
struct eval_input {
    const struct terms *terms;
    uint32_t n_params;
    const struct value *params;
    struct arena *arena; // owns the results
};
bool eval_terms(const struct eval_input *input, uint32_t n_roots, const term_id *roots,
                struct value *out, struct err *err);

// A random value: floats around [-2, 2], integers small, sometimes special
// values when `special` (NaN, infinities, -0, extremes; not for INT, REAL).
struct value value_random(struct pool *pool, type_id type, struct rng *rng, bool special,
                          struct arena *arena);
// Bit-equal, or for floats within `rtol` relative to the larger magnitude of
// the tensor (0: bit-equal; NaN equals NaN).  *index = first difference; -1
// when the types differ.
bool value_same(struct pool *pool, const struct value *a, const struct value *b, double rtol,
                int64_t *index);
// MLIR text: dense<...> : type, each element as scalar_print writes it.
void value_print(const struct pool *pool, const struct value *value, struct buf *out);

#endif
