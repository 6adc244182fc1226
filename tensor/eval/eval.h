// SPDX-License-Identifier: Apache-2.0
// The interpreter: the concrete meaning of every operator, index by index.
//
// Machine integers   wrap.
// i1                 add = maximum = or, multiply = minimum = and.
// Floats             IEEE with one rounding per operation; f16 and bf16 are computed
//                    in f32 or wider and rounded once.
// INT, REAL          exact; a result that cannot be represented is a failure.  So are
//                    transcendental operators on REAL, and arithmetic on infinities.
//                    Comparisons, maximum, minimum, select, clamp and data movement
//                    accept infinities.
//
// Where StableHLO leaves the choice:
//   - x / 0 = -1 (all ones) and x rem 0 = x for machine integers and INT.
//   - MIN / -1 = MIN.
//   - Shifts by the width or more give 0 (arithmetic: the sign).
//   - Division by zero in REAL is a failure.
//   - maximum and minimum propagate NaN.
//   - A NaN that an operator makes or passes through arithmetic is the positive quiet
//     NaN, so that results do not depend on the machine.
//   - A float outside an integer's range converts to the nearest integer, NaN to 0.
//   - compare with TOTALORDER: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.
#ifndef TENSOR_EVAL_EVAL_H
#define TENSOR_EVAL_EVAL_H

#include "base/memory/arena.h"
#include "base/text/buf.h"
#include "base/rng.h"
#include "tensor/program/program.h"

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
// The nearly exact value of a root, a transcendental function or a power (of two
// numbers).
long double float_function(enum op op, long double a, long double b);
struct scalar float_round_once(enum elem elem, long double v); // rounds v to the type, once
// Exactness: is `result` the result over the reals too?  Operands and result are finite
// floats of one type, embedded in double without loss.
bool exact_unary(enum op op, double a, double result);
bool exact_binary(enum op op, double a, double b, double result);
// The unit of a reducer: 0, 1, lowest, highest, all ones, 0.
struct scalar reducer_unit(enum op reducer, enum elem elem);

// The number of steps of a node, at most INT64_MAX: products for dot_general and
// convolution, elements of all windows for reduce_window, elements of the input for
// reduce, elements of the updates for scatter, else elements of the result.
int64_t eval_steps(const struct pool *pool, enum op op, attr_id attr, type_id type,
                   const type_id *args);

// Evaluates one node on given operand values.  The function applies the shape rule
// first, so it fails on ill-typed nodes.
bool eval_node(struct pool *pool, struct operation operation, const struct value *args,
               struct arena *arena, struct value *out, struct err *err);

// Evaluates the roots of a directed acyclic graph.  Loops and branches (while, case, if)
// do what StableHLO says, and so do reduce, sort and map with any body; any other operation with regions is an opaque one that gets, besides its
// operands, what its bodies make of fixed pseudo-random parameters.  `params[i]` is the value of the
// parameter node with attribute [function, i].  All parameters that the roots reach must
// be of one function.  An opaque node is a fixed pseudo-random function of its text and
// operands.  The function is continuous in float operands, so that equal programs give
// nearly equal results.  Integer and i1 results depend on integer and i1 operands only,
// since no other function would be continuous.  Side effects are ignored.
struct eval_input {
    const struct terms *terms;
    uint32_t n_params;
    const struct value *params;
    struct arena *arena; // owns the results
};
bool eval_terms(const struct eval_input *input, uint32_t n_roots, const term_id *roots,
                struct value *out, struct err *err);

// The same for terms that are evaluated many times on other parameters: the order of their nodes is
// worked out once.  All zero is a plan without memory; a plan's memory serves its next terms.  Nodes
// are those of rules, none opaque, and parameters those of function 0.
//
// P1  Nodes stand behind their arguments, those of one eval_plan_add by ascending ids.
struct eval_plan {
    const struct terms *terms;
    VEC(term_id) node;       // in the order of evaluation
    struct u32_vec place;    // by term: where it stands in `node`, if it does
    VEC(struct value) value; // by place, of the first `done` nodes
    VEC(struct value) operand;
    uint32_t done;
};
void eval_plan_begin(struct eval_plan *plan, const struct terms *terms); // no nodes
void eval_plan_release(struct eval_plan *plan);
// Plans the nodes that the roots need besides.  Returns how many nodes are planned.
uint32_t eval_plan_add(struct eval_plan *plan, uint32_t n_roots, const term_id *roots);
uint32_t eval_plan_place(const struct eval_plan *plan, term_id id); // of a node that is planned
// Evaluates the nodes up to `end` that have no values since the last restart.
void eval_plan_restart(struct eval_plan *plan);
bool eval_plan_run(struct eval_plan *plan, const struct eval_input *input, uint32_t end,
                   struct err *err);

// Evaluates the results of a function with a body; calls of pure functions run these.  params are
// of the types of its parameters.  *unknown is the text of the first operation that is unknown
// to the interpreter, whose value was invented; NULL if there was none.
bool eval_function(const struct program *program, uint32_t function, const struct value *params,
                   struct arena *arena, struct value *out, const char **unknown, struct err *err);
// The same, where each operation rounds f64 up or down, by chance.  Results that change with
// that are results of rounding.  An operation that is unknown is a failure.
bool eval_function_rounding(const struct program *program, uint32_t function,
                            const struct value *params, struct arena *arena, struct rng *rng,
                            struct value *out, struct err *err);

// Has a value of the type room within the limits, beside others of *held bytes?  Adds
// its bytes to *held, or fails with ERR_LIMIT.  Callers of value_random must ask for
// types that are not theirs.
bool value_fits(const struct pool *pool, type_id type, uint64_t *held, struct err *err);
// A random value: floats around [-2, 2], small integers.  If `special` is true, then
// some elements are NaN, infinities, -0 or extremes (never of INT and REAL).
struct value value_random(struct pool *pool, type_id type, struct rng *rng, bool special,
                          struct arena *arena);
// Are both values bit-equal?  Floats may differ by `rtol` relative to the largest
// magnitude of both tensors (0: bit-equal; NaN equals NaN).  *index is the first
// difference, or -1 if the types differ.
bool value_same(struct pool *pool, const struct value *a, const struct value *b, double rtol,
                int64_t *index);
// The same, of one element of tensors of one type.
bool value_same_at(struct pool *pool, const struct value *a, const struct value *b, double rtol,
                   int64_t index);
// MLIR text: dense<...> : type, each element as scalar_print writes it.
void value_print(const struct pool *pool, const struct value *value, struct buf *out);

#endif
