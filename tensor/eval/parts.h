// SPDX-License-Identifier: Apache-2.0
// Internal to the interpreter: the functions that the files of tensor/eval and
// tensor/fold/fold.c share.  An arrow points to the files that are called.
//
//   fold.c -> eval.c -> move.c, contract.c, window.c, gather.c, bits.c,
//                       opaque.c                tensors
//   program.c -> bodies.c                        regions
//                    -> scalar.c                one element
//                         -> int.c, float.c, ideal.c
//                         -> exact.c            "did this step round?"
//
// The functions int_*, float_* and ideal_* take operators and types that scalar.c
// has already matched against op_kinds.
#ifndef TENSOR_EVAL_PARTS_H
#define TENSOR_EVAL_PARTS_H

#include "tensor/eval/eval.h"
#include "tensor/program/region.h"

// GCC and clang have it; ISO C does not.
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

// Machine integers and i1.
struct scalar int_wrap(enum elem elem, uint64_t x); // to the width of the type
struct scalar int_unary(enum op op, enum elem elem, struct scalar scalar);
struct scalar int_binary(enum op op, enum elem elem, struct scalar a, struct scalar b);
int int_order(enum elem elem, struct scalar a, struct scalar b); // -1, 0, 1

// Floats.
struct scalar float_nan(enum elem elem);
struct scalar float_unary(enum op op, enum elem elem, struct scalar scalar);
struct scalar float_binary(enum op op, enum elem elem, struct scalar a, struct scalar b);
// x^n for a small n as mantissa and exponent.  Fails if an intermediate product is not
// exact.
bool power_exact(double x, unsigned n, double *mantissa, long *exponent);
bool float_compare(enum compare_dir direction, enum compare_type ct, enum elem elem,
                   struct scalar a, struct scalar b);
bool float_finite(enum elem elem, struct scalar scalar);
// The float nearest to (-1)^negative * (mantissa + s) * 2^exponent, with one rounding.
// If `sticky` is true, then s is some number strictly between 0 and 1, and the mantissa
// must have its top bit set.  Otherwise s is 0.
struct scalar float_from_parts(enum elem elem, bool negative, uint64_t mantissa, bool sticky,
                               int exponent);

// INT and REAL.
bool ideal_make(enum elem elem, i128 num, i128 den, struct scalar *out,
                struct err *err); // den != 0; fails if the number does not fit
bool ideal_unary(enum op op, enum elem elem, struct scalar scalar, struct scalar *out,
                 struct err *err);
bool ideal_binary(enum op op, enum elem elem, struct scalar a, struct scalar b, struct scalar *out,
                  struct err *err);
int ideal_order(struct scalar a, struct scalar b); // -1, 0, 1

// One elementwise operator, ready to be applied.
struct scalar_step {
    enum op op;
    enum elem in;  // type of the operands (of the branches for select)
    enum elem out; // type of the result
    enum compare_dir dir;
    enum compare_type cmp;
    bool exact; // fail unless the step holds over the reals
};
struct scalar_step scalar_step_make(const struct pool *pool, enum op op, attr_id attr, enum elem in,
                                    enum elem out, bool exact);
bool scalar_step_eval(const struct scalar_step *step, const struct scalar *args, struct scalar *out,
                      struct err *err);
// Is the element neither NaN nor infinite?  True for a type without these values.
bool scalar_finite(enum elem elem, struct scalar scalar);

// Room for the elements of `type`, zeroed, or ERR_LIMIT.
bool value_new(const struct pool *pool, type_id type, struct arena *arena, struct value *out,
               struct err *err);
// The data of a literal spread over a type; borrowed from the pool if dense.
bool value_of_literal(const struct pool *pool, lit_id literal, type_id type, struct arena *arena,
                      struct value *out, struct err *err);

// Data movement: broadcast_in_dim transpose reverse slice pad concatenate
// reshape dynamic_slice dynamic_update_slice.
bool move_eval(const struct pool *pool, struct operation operation, const struct value *args,
               struct arena *arena, struct value *out, struct err *err);
// Row-major strides of a type with at least one element.
void row_strides(const struct pool *pool, type_id type, int64_t *strides);
// The next index in row-major order; false, and all zeros, behind the last.
bool index_next(uint32_t rank, const int64_t *dims, int64_t *index);
// An integer element as a place.  A value beyond 64 bits becomes the nearest value of
// 64 bits.
int64_t scalar_index(enum elem elem, struct scalar scalar);

// Callers must have made the result, with all elements 0.
bool dot_eval(const struct pool *pool, attr_id attr, bool exact, const struct value *args,
              struct value *out, struct err *err);
bool conv_eval(const struct pool *pool, attr_id attr, bool exact, const struct value *args,
               struct value *out, struct err *err);
bool window_eval(const struct pool *pool, attr_id attr, bool exact, const struct value *args,
                 struct value *out, struct err *err);
bool gather_eval(const struct pool *pool, attr_id attr, const struct value *args, struct value *out,
                 struct err *err);
bool scatter_eval(const struct pool *pool, attr_id attr, bool exact, const struct value *args,
                  struct value *out, struct err *err);
void bitcast_eval(const struct pool *pool, const struct value *arg, struct value *out);

// Evaluates a well-typed node that is not a parameter, opaque or result.
struct interpreter {
    const struct pool *pool;
    struct arena *arena; // owns the results
    bool exact;          // fail unless every step holds over the reals
};
bool eval_plain(const struct interpreter *interpreter, struct operation operation,
                const struct value *args, struct value *out, struct err *err);

// The digest of an operand, for an opaque node: a hash of everything discrete, and a few
// projections of the float elements, which are continuous in these elements.  A value of
// TYPE_OTHER has no data, only its digest.
#define DIGEST_SUMS 4
struct digest {
    uint64_t hash;
    double sum[DIGEST_SUMS];
};
struct opaque_value {
    struct value value;
    const struct digest *digest; // TYPE_OTHER: one; TYPE_TUPLE: one a member
};
// The one block of an operation as a function of its parameters.
struct region_body {
    void *ctx;
    bool (*run)(void *ctx, uint32_t n, const struct opaque_value *params, struct opaque_value *out,
                struct err *err);
};
// A reduce, sort or map of StableHLO with any body.  *known is false, and nothing is done, for
// another operation and for one whose text is not understood.
bool bodies_eval(const struct terms *terms, term_id id, const struct opaque_view *view,
                 const struct opaque_value *operands, const struct region_body *body,
                 struct arena *arena, struct opaque_value *results, bool *known, struct err *err);
// An operation with a form (tensor/program/form.h) on operands of known sizes.  *known is false,
// and nothing is done, for any other.
bool form_eval(const struct program *program, const struct term *node,
               const struct opaque_value *args, struct arena *arena, struct opaque_value *out,
               bool *known, struct err *err);
// An operation on complex numbers that is known by their parts; *known likewise.
bool complex_eval(const struct program *program, const struct terms *terms, term_id id,
                  const struct opaque_value *args, struct arena *arena, struct opaque_value *out,
                  bool *known, struct err *err);
// Evaluates one node, opaque ones too, on the values of its arguments.
bool eval_slot(const struct pool *pool, struct operation operation, const struct opaque_value *args,
               struct arena *arena, struct opaque_value *out, struct err *err);
bool opaque_eval(const struct pool *pool, struct operation operation,
                 const struct opaque_value *args, struct arena *arena, struct opaque_value *out,
                 struct err *err);
bool result_eval(const struct pool *pool, attr_id attr, type_id type,
                 const struct opaque_value *arg, struct opaque_value *out, struct err *err);

#endif
