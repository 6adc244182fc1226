// SPDX-License-Identifier: Apache-2.0
// The operator table.  Names are StableHLO's.  Every operator of the language,
// its arity and its class stand in one list; the shape rules are in infer.h,
// the meaning in eval.h.
//
// Attributes are one flat vector of 64-bit integers per node (`attr_id`); r is
// the rank of the first operand:
//   parameter         [function, index]
//   constant          [literal]                 (lit_id)
//   iota              [dim]
//   compare           [direction, type]         (enum compare_dir,
//   compare_type) broadcast_in_dim  [dims: one per operand dimension] transpose
//   [permutation]             result dim i = operand dim p[i] reverse [dims,
//   ascending] slice             [start * r, limit * r, stride * r] pad [low *
//   r, high * r, interior * r] concatenate       [dim] reduce [reducer, dims
//   ascending] (enum op: add multiply maximum
//                     minimum and or); operands: input, init
//   dot_general       [nb, nc, lhs batch * nb, rhs batch * nb,
//                     lhs contracting * nc, rhs contracting * nc]; result:
//                     batch dims in that order, then the others of lhs, of rhs
//   convolution       [nb, nf, no, ns,
//                     stride, low, high, lhs_dilation, rhs_dilation, reversal
//                     (each * ns), feature groups, batch groups,
//                     input: batch * nb, feature * nf, spatial * ns;
//                     kernel: feature * nf, out * no, spatial * ns;
//                     result: batch * nb, out * no, spatial * ns].  StableHLO
//                     has nb = nf = no = 1; groups other than 1 only then
//   reduce_window     [reducer, size * r, stride * r, low * r, high * r,
//                     base dilation * r, window dilation * r]; operands: input,
//                     init
//   dynamic_slice     [size * r]; operands: input, r starts (rank 0, one type)
//   dynamic_update_slice []; operands: input, update, r starts
//   gather            [n offset, n collapsed, n batching, n map, sorted,
//                     index_vector_dim, offset_dims.., collapsed_slice_dims..,
//                     operand_batching_dims.., start_indices_batching_dims..,
//                     start_index_map.., slice_sizes * r]; operands: input,
//                     indices
//   scatter           [reducer (N_OPS: the update replaces), n window,
//                     n inserted, n batching, n map, sorted, unique,
//                     index_vector_dim, update_window_dims..,
//                     inserted_window_dims.., input_batching_dims..,
//                     scatter_indices_batching_dims..,
//                     scatter_dims_to_operand_dims..]; operands: input,
//                     indices, updates
//   reshape, bitcast_convert  []; the result type is given
//   opaque            [text, n_results, serial]  text = symbol of a template in
//                     which operands stand as placeholders (io/ owns its form);
//                     serial 0 = pure, else unique: has a side effect
//   result            [k]                       k-th result of an opaque node
//   all others        []
#ifndef TENSOR_LANGUAGE_OP_H
#define TENSOR_LANGUAGE_OP_H

#include <stdbool.h>
#include <stdint.h>

enum op_class {
    OPC_LEAF,   // parameter, constant, iota
    OPC_UNARY,  // elementwise, T -> T
    OPC_BINARY, // elementwise, T, T -> T
    OPC_OTHER,
};

// X(ID, name, class, arity (-1: any), kinds of T)
#define OPS(X)                                                                                     \
    X(PARAMETER, "parameter", OPC_LEAF, 0, KIND_ANY)                                               \
    X(CONSTANT, "constant", OPC_LEAF, 0, KIND_ANY)                                                 \
    X(IOTA, "iota", OPC_LEAF, 0, KIND_SINT | KIND_UINT | KIND_FLOAT)                               \
    X(ABS, "abs", OPC_UNARY, 1, KIND_SINT | KIND_FLOAT)                                            \
    X(CBRT, "cbrt", OPC_UNARY, 1, KIND_FLOAT)                                                      \
    X(CEIL, "ceil", OPC_UNARY, 1, KIND_FLOAT)                                                      \
    X(COSINE, "cosine", OPC_UNARY, 1, KIND_FLOAT)                                                  \
    X(COUNT_LEADING_ZEROS, "count_leading_zeros", OPC_UNARY, 1, KIND_SINT | KIND_UINT)             \
    X(ERF, "erf", OPC_UNARY, 1, KIND_FLOAT)                                                        \
    X(EXPONENTIAL, "exponential", OPC_UNARY, 1, KIND_FLOAT)                                        \
    X(EXPONENTIAL_MINUS_ONE, "exponential_minus_one", OPC_UNARY, 1, KIND_FLOAT)                    \
    X(FLOOR, "floor", OPC_UNARY, 1, KIND_FLOAT)                                                    \
    X(IMAG, "imag", OPC_UNARY, 1, KIND_FLOAT)                                                      \
    X(LOG, "log", OPC_UNARY, 1, KIND_FLOAT)                                                        \
    X(LOG_PLUS_ONE, "log_plus_one", OPC_UNARY, 1, KIND_FLOAT)                                      \
    X(LOGISTIC, "logistic", OPC_UNARY, 1, KIND_FLOAT)                                              \
    X(NEGATE, "negate", OPC_UNARY, 1, KIND_SINT | KIND_UINT | KIND_FLOAT)                          \
    X(NOT, "not", OPC_UNARY, 1, KIND_BOOL | KIND_SINT | KIND_UINT)                                 \
    X(POPCNT, "popcnt", OPC_UNARY, 1, KIND_SINT | KIND_UINT)                                       \
    X(REAL, "real", OPC_UNARY, 1, KIND_FLOAT)                                                      \
    X(ROUND_NEAREST_AFZ, "round_nearest_afz", OPC_UNARY, 1, KIND_FLOAT)                            \
    X(ROUND_NEAREST_EVEN, "round_nearest_even", OPC_UNARY, 1, KIND_FLOAT)                          \
    X(RSQRT, "rsqrt", OPC_UNARY, 1, KIND_FLOAT)                                                    \
    X(SIGN, "sign", OPC_UNARY, 1, KIND_SINT | KIND_FLOAT)                                          \
    X(SINE, "sine", OPC_UNARY, 1, KIND_FLOAT)                                                      \
    X(SQRT, "sqrt", OPC_UNARY, 1, KIND_FLOAT)                                                      \
    X(TAN, "tan", OPC_UNARY, 1, KIND_FLOAT)                                                        \
    X(TANH, "tanh", OPC_UNARY, 1, KIND_FLOAT)                                                      \
    X(ADD, "add", OPC_BINARY, 2, KIND_ANY)                                                         \
    X(AND, "and", OPC_BINARY, 2, KIND_BOOL | KIND_SINT | KIND_UINT)                                \
    X(ATAN2, "atan2", OPC_BINARY, 2, KIND_FLOAT)                                                   \
    X(DIVIDE, "divide", OPC_BINARY, 2, KIND_SINT | KIND_UINT | KIND_FLOAT)                         \
    X(MAXIMUM, "maximum", OPC_BINARY, 2, KIND_ANY)                                                 \
    X(MINIMUM, "minimum", OPC_BINARY, 2, KIND_ANY)                                                 \
    X(MULTIPLY, "multiply", OPC_BINARY, 2, KIND_ANY)                                               \
    X(OR, "or", OPC_BINARY, 2, KIND_BOOL | KIND_SINT | KIND_UINT)                                  \
    X(POWER, "power", OPC_BINARY, 2, KIND_SINT | KIND_UINT | KIND_FLOAT)                           \
    X(REMAINDER, "remainder", OPC_BINARY, 2, KIND_SINT | KIND_UINT | KIND_FLOAT)                   \
    X(SHIFT_LEFT, "shift_left", OPC_BINARY, 2, KIND_SINT | KIND_UINT)                              \
    X(SHIFT_RIGHT_ARITHMETIC, "shift_right_arithmetic", OPC_BINARY, 2, KIND_SINT | KIND_UINT)      \
    X(SHIFT_RIGHT_LOGICAL, "shift_right_logical", OPC_BINARY, 2, KIND_SINT | KIND_UINT)            \
    X(SUBTRACT, "subtract", OPC_BINARY, 2, KIND_SINT | KIND_UINT | KIND_FLOAT)                     \
    X(XOR, "xor", OPC_BINARY, 2, KIND_BOOL | KIND_SINT | KIND_UINT)                                \
    X(IS_FINITE, "is_finite", OPC_OTHER, 1, KIND_FLOAT)                                            \
    X(COMPARE, "compare", OPC_OTHER, 2, KIND_ANY)                                                  \
    X(SELECT, "select", OPC_OTHER, 3, KIND_ANY)                                                    \
    X(CLAMP, "clamp", OPC_OTHER, 3, KIND_ANY)                                                      \
    X(CONVERT, "convert", OPC_OTHER, 1, KIND_ANY)                                                  \
    X(BROADCAST_IN_DIM, "broadcast_in_dim", OPC_OTHER, 1, KIND_ANY)                                \
    X(TRANSPOSE, "transpose", OPC_OTHER, 1, KIND_ANY)                                              \
    X(REVERSE, "reverse", OPC_OTHER, 1, KIND_ANY)                                                  \
    X(SLICE, "slice", OPC_OTHER, 1, KIND_ANY)                                                      \
    X(PAD, "pad", OPC_OTHER, 2, KIND_ANY)                                                          \
    X(CONCATENATE, "concatenate", OPC_OTHER, -1, KIND_ANY)                                         \
    X(REDUCE, "reduce", OPC_OTHER, 2, KIND_ANY)                                                    \
    X(DOT_GENERAL, "dot_general", OPC_OTHER, 2, KIND_ANY)                                          \
    X(CONVOLUTION, "convolution", OPC_OTHER, 2, KIND_ANY)                                          \
    X(REDUCE_WINDOW, "reduce_window", OPC_OTHER, 2, KIND_ANY)                                      \
    X(DYNAMIC_SLICE, "dynamic_slice", OPC_OTHER, -1, KIND_ANY)                                     \
    X(DYNAMIC_UPDATE_SLICE, "dynamic_update_slice", OPC_OTHER, -1, KIND_ANY)                       \
    X(GATHER, "gather", OPC_OTHER, 2, KIND_ANY)                                                    \
    X(SCATTER, "scatter", OPC_OTHER, 3, KIND_ANY)                                                  \
    X(RESHAPE, "reshape", OPC_OTHER, 1, KIND_ANY)                                                  \
    X(BITCAST_CONVERT, "bitcast_convert", OPC_OTHER, 1, KIND_ANY)                                  \
    X(OPAQUE, "opaque", OPC_OTHER, -1, KIND_ANY)                                                   \
    X(RESULT, "result", OPC_OTHER, 1, KIND_ANY)

enum op {
#define X(id, name, cls, arity, kinds) OP_##id,
    OPS(X)
#undef X
        N_OPS
};

enum compare_dir { CMP_EQ, CMP_NE, CMP_GE, CMP_GT, CMP_LE, CMP_LT };
enum compare_type { CMPT_FLOAT, CMPT_TOTALORDER, CMPT_SIGNED, CMPT_UNSIGNED };

const char *op_name(enum op op);
// Of what dialect of MLIR it is: "stablehlo" or "chlo".
const char *op_dialect(enum op op);
bool op_by_name(const char *name,
                enum op *out); // not opaque, result, parameter
enum op_class op_class(enum op op);
int op_arity(enum op op); // -1: any number
unsigned op_kinds(enum op op);
// Applied to each element of operands of equal shape: unary, binary,
// is_finite, compare, select, clamp, convert.  (select and clamp also accept
// rank-0 operands in programs; infer.h says where.)
bool op_is_elementwise(enum op op);
bool op_is_commutative(enum op op);
bool op_is_reducer(enum op op); // add multiply maximum minimum and or
// Is the first attribute an operator?  reduce, reduce_window, scatter.
bool op_has_reducer(enum op op);
const char *compare_dir_text(enum compare_dir direction); // "EQ" ...
bool compare_dir_by_text(const char *text, enum compare_dir *out);
const char *compare_type_text(enum compare_type order); // "FLOAT" ...
bool compare_type_by_text(const char *text, enum compare_type *out);

#endif
