// SPDX-License-Identifier: Apache-2.0
// The operator table: each operator of the language and every fact about it
// that some layer needs.  Names are StableHLO's.  The shape rules are in
// tensor/shape/infer.h, the values in tensor/eval/eval.h.
//
// A fact is a column.  A row that leaves a column out does not compile; an
// elementwise operator without a row of facts fails the assertions in op.c.
// A switch over operators has no `default`: the lists of cases below name the
// operators that it treats alike, so a new operator fails the build wherever
// its behaviour has to be decided.
//
// clang-format off
// Attributes are one flat vector of 64-bit integers per node (`attr_id`); r is
// the rank of the first operand:
//   parameter             [function, index]
//   constant              [literal]  (lit_id)
//   iota                  [dim]
//   compare               [direction, type]  (enum compare_dir, enum compare_type)
//   broadcast_in_dim      [dims: one per operand dimension]
//   transpose             [permutation]  result dim i = operand dim p[i]
//   reverse               [dims, ascending]
//   slice                 [start * r, limit * r, stride * r]
//   pad                   [low * r, high * r, interior * r]
//   concatenate           [dim]
//   reduce                [reducer, dims ascending]  (enum op: add multiply maximum minimum and or);
//                         operands: input, init
//   dot_general           [nb, nc, lhs batch * nb, rhs batch * nb, lhs contracting * nc, rhs contracting * nc];
//                         result: batch dims in that order, then the others of lhs, of rhs
//   convolution           [nb, nf, no, ns,
//                         stride, low, high, lhs_dilation, rhs_dilation, reversal (each * ns),
//                         feature groups, batch groups,
//                         input: batch * nb, feature * nf, spatial * ns;
//                         kernel: feature * nf, out * no, spatial * ns;
//                         result: batch * nb, out * no, spatial * ns];
//                         StableHLO has nb = nf = no = 1; groups other than 1 only then
//   reduce_window         [reducer, size * r, stride * r, low * r, high * r, base dilation * r, window dilation * r];
//                         operands: input, init
//   dynamic_slice         [size * r]; operands: input, r starts (rank 0, one type)
//   dynamic_update_slice  []; operands: input, update, r starts
//   gather                [n offset, n collapsed, n batching, n map, sorted, index_vector_dim,
//                         offset_dims.., collapsed_slice_dims.., operand_batching_dims..,
//                         start_indices_batching_dims.., start_index_map.., slice_sizes * r];
//                         operands: input, indices
//   scatter               [reducer (N_OPS: the update replaces), n window, n inserted, n batching, n map,
//                         sorted, unique, index_vector_dim,
//                         update_window_dims.., inserted_window_dims.., input_batching_dims..,
//                         scatter_indices_batching_dims.., scatter_dims_to_operand_dims..];
//                         operands: input, indices, updates
//   reshape               []; the result type is given
//   bitcast_convert       []; the result type is given
//   opaque                [text, n_results, serial]  text = symbol of a template in which operands stand as
//                         placeholders (io/ owns its form); serial 0 = pure, else unique: has a side effect
//   result                [k]  k-th result of an opaque node
//   all others            []
// clang-format on
#ifndef TENSOR_LANGUAGE_OP_H
#define TENSOR_LANGUAGE_OP_H

#include <stdbool.h>
#include <stdint.h>

// The names, operands and cost of each operator.  Columns:
//   id, name   OP_<id>; the name in MLIR, in rules and in records
//   dialect    STABLEHLO or CHLO
//   arity      the number of operands; -1: any
//   kinds      the kinds of element types that it takes (enum elem_kind in elem.h)
//   weight     the cost of one result element, or of one step of a reduction
//              or contraction, in additions on a machine with vector units
//   flow       enum op_flow: where the elements of the result come from
//   infix      the sign in rules, with its spaces; NULL: none
//   level      the binding strength of the infix sign, 1 the least; 0: a prefix, or no sign
//   word       another name in rules; NULL: none
//   formula    the name in formulas; NULL: formulas do not have it
//
// clang-format off
//    id                      name                      dialect    arity kinds weight flow infix level word     formula
#define OPS_LEAF(X) \
    X(PARAMETER,              "parameter",              STABLEHLO, 0,  ANY,     0,    NONE,   NULL,  0, NULL,        NULL) \
    X(CONSTANT,               "constant",               STABLEHLO, 0,  ANY,     0,    NONE,   NULL,  0, NULL,        NULL) \
    X(IOTA,                   "iota",                   STABLEHLO, 0,  NUMBER,  0,    NONE,   NULL,  0, NULL,        NULL)

#define OPS_UNARY(X) \
    X(ABS,                    "abs",                    STABLEHLO, 1,  SIGNED,  1,    POINT,  NULL,  0, NULL,        "abs")     \
    X(CBRT,                   "cbrt",                   STABLEHLO, 1,  FLOAT,   10,   POINT,  NULL,  0, NULL,        "cbrt")    \
    X(CEIL,                   "ceil",                   STABLEHLO, 1,  FLOAT,   1,    POINT,  NULL,  0, NULL,        "ceil")    \
    X(COSINE,                 "cosine",                 STABLEHLO, 1,  FLOAT,   10,   POINT,  NULL,  0, "cos",       "cos")     \
    X(COUNT_LEADING_ZEROS,    "count_leading_zeros",    STABLEHLO, 1,  INTEGER, 1,    POINT,  NULL,  0, NULL,        NULL)      \
    X(ERF,                    "erf",                    CHLO,      1,  FLOAT,   10,   POINT,  NULL,  0, NULL,        "erf")     \
    X(EXPONENTIAL,            "exponential",            STABLEHLO, 1,  FLOAT,   10,   POINT,  NULL,  0, "exp",       "exp")     \
    X(EXPONENTIAL_MINUS_ONE,  "exponential_minus_one",  STABLEHLO, 1,  FLOAT,   10,   POINT,  NULL,  0, "expm1",     "expm1")   \
    X(FLOOR,                  "floor",                  STABLEHLO, 1,  FLOAT,   1,    POINT,  NULL,  0, NULL,        "floor")   \
    X(IMAG,                   "imag",                   STABLEHLO, 1,  FLOAT,   1,    POINT,  NULL,  0, NULL,        NULL)      \
    X(LOG,                    "log",                    STABLEHLO, 1,  FLOAT,   10,   POINT,  NULL,  0, NULL,        "log")     \
    X(LOG_PLUS_ONE,           "log_plus_one",           STABLEHLO, 1,  FLOAT,   10,   POINT,  NULL,  0, "log1p",     "log1p")   \
    X(LOGISTIC,               "logistic",               STABLEHLO, 1,  FLOAT,   10,   POINT,  NULL,  0, NULL,        "sigmoid") \
    X(NEGATE,                 "negate",                 STABLEHLO, 1,  NUMBER,  1,    POINT,  "-",   0, "neg",       "-")       \
    X(NOT,                    "not",                    STABLEHLO, 1,  BITS,    1,    POINT,  "!",   0, NULL,        "not")     \
    X(POPCNT,                 "popcnt",                 STABLEHLO, 1,  INTEGER, 1,    POINT,  NULL,  0, NULL,        NULL)      \
    X(REAL,                   "real",                   STABLEHLO, 1,  FLOAT,   1,    POINT,  NULL,  0, NULL,        NULL)      \
    X(ROUND_NEAREST_AFZ,      "round_nearest_afz",      STABLEHLO, 1,  FLOAT,   1,    POINT,  NULL,  0, NULL,        NULL)      \
    X(ROUND_NEAREST_EVEN,     "round_nearest_even",     STABLEHLO, 1,  FLOAT,   1,    POINT,  NULL,  0, NULL,        NULL)      \
    X(RSQRT,                  "rsqrt",                  STABLEHLO, 1,  FLOAT,   4,    POINT,  NULL,  0, NULL,        "rsqrt")   \
    X(SIGN,                   "sign",                   STABLEHLO, 1,  SIGNED,  1,    POINT,  NULL,  0, NULL,        "sign")    \
    X(SINE,                   "sine",                   STABLEHLO, 1,  FLOAT,   10,   POINT,  NULL,  0, "sin",       "sin")     \
    X(SQRT,                   "sqrt",                   STABLEHLO, 1,  FLOAT,   4,    POINT,  NULL,  0, NULL,        "sqrt")    \
    X(TAN,                    "tan",                    STABLEHLO, 1,  FLOAT,   10,   POINT,  NULL,  0, NULL,        "tan")     \
    X(TANH,                   "tanh",                   STABLEHLO, 1,  FLOAT,   10,   POINT,  NULL,  0, NULL,        "tanh")

#define OPS_BINARY(X) \
    X(ADD,                    "add",                    STABLEHLO, 2,  ANY,     1,    POINT,  " + ", 5, NULL,        "+")   \
    X(AND,                    "and",                    STABLEHLO, 2,  BITS,    1,    POINT,  " & ", 3, NULL,        "and") \
    X(ATAN2,                  "atan2",                  STABLEHLO, 2,  FLOAT,   20,   POINT,  NULL,  0, NULL,        NULL)  \
    X(DIVIDE,                 "divide",                 STABLEHLO, 2,  NUMBER,  4,    POINT,  "/",   6, NULL,        "/")   \
    X(MAXIMUM,                "maximum",                STABLEHLO, 2,  ANY,     1,    POINT,  NULL,  0, "max",       "max") \
    X(MINIMUM,                "minimum",                STABLEHLO, 2,  ANY,     1,    POINT,  NULL,  0, "min",       "min") \
    X(MULTIPLY,               "multiply",               STABLEHLO, 2,  ANY,     1,    POINT,  "*",   6, NULL,        "*")   \
    X(OR,                     "or",                     STABLEHLO, 2,  BITS,    1,    POINT,  " | ", 1, NULL,        "or")  \
    X(POWER,                  "power",                  STABLEHLO, 2,  NUMBER,  20,   POINT,  NULL,  0, "pow",       "pow") \
    X(REMAINDER,              "remainder",              STABLEHLO, 2,  NUMBER,  4,    POINT,  " % ", 6, "rem",       NULL)  \
    X(SHIFT_LEFT,             "shift_left",             STABLEHLO, 2,  INTEGER, 1,    POINT,  NULL,  0, NULL,        NULL)  \
    X(SHIFT_RIGHT_ARITHMETIC, "shift_right_arithmetic", STABLEHLO, 2,  INTEGER, 1,    POINT,  NULL,  0, NULL,        NULL)  \
    X(SHIFT_RIGHT_LOGICAL,    "shift_right_logical",    STABLEHLO, 2,  INTEGER, 1,    POINT,  NULL,  0, NULL,        NULL)  \
    X(SUBTRACT,               "subtract",               STABLEHLO, 2,  NUMBER,  1,    POINT,  " - ", 5, NULL,        "-")   \
    X(XOR,                    "xor",                    STABLEHLO, 2,  BITS,    1,    POINT,  " ^ ", 2, NULL,        NULL)

#define OPS_POINT(X) \
    X(IS_FINITE,              "is_finite",              STABLEHLO, 1,  FLOAT,   1,    POINT,  NULL,  0, NULL,        NULL)    \
    X(COMPARE,                "compare",                STABLEHLO, 2,  ANY,     1,    POINT,  NULL,  0, NULL,        NULL)    \
    X(SELECT,                 "select",                 STABLEHLO, 3,  ANY,     1,    CHOOSE, NULL,  0, NULL,        "where") \
    X(CLAMP,                  "clamp",                  STABLEHLO, 3,  ANY,     1,    POINT,  NULL,  0, NULL,        NULL)    \
    X(CONVERT,                "convert",                STABLEHLO, 1,  ANY,     1,    POINT,  NULL,  0, NULL,        NULL)

#define OPS_SHAPED(X) \
    X(BROADCAST_IN_DIM,       "broadcast_in_dim",       STABLEHLO, 1,  ANY,     0,    MOVE,   NULL,  0, "broadcast", NULL) \
    X(TRANSPOSE,              "transpose",              STABLEHLO, 1,  ANY,     0,    MOVE,   NULL,  0, NULL,        NULL) \
    X(REVERSE,                "reverse",                STABLEHLO, 1,  ANY,     0,    MOVE,   NULL,  0, NULL,        NULL) \
    X(SLICE,                  "slice",                  STABLEHLO, 1,  ANY,     0,    MOVE,   NULL,  0, NULL,        NULL) \
    X(PAD,                    "pad",                    STABLEHLO, 2,  ANY,     0,    MOVE,   NULL,  0, NULL,        NULL) \
    X(CONCATENATE,            "concatenate",            STABLEHLO, -1, ANY,     0,    MOVE,   NULL,  0, "concat",    NULL) \
    X(REDUCE,                 "reduce",                 STABLEHLO, 2,  ANY,     1,    FOLD,   NULL,  0, NULL,        NULL) \
    X(DOT_GENERAL,            "dot_general",            STABLEHLO, 2,  ANY,     2,    SUM,    NULL,  0, "dot",       NULL) \
    X(CONVOLUTION,            "convolution",            STABLEHLO, 2,  ANY,     2,    SUM,    NULL,  0, NULL,        NULL) \
    X(REDUCE_WINDOW,          "reduce_window",          STABLEHLO, 2,  ANY,     1,    FOLD,   NULL,  0, NULL,        NULL) \
    X(DYNAMIC_SLICE,          "dynamic_slice",          STABLEHLO, -1, ANY,     0,    CHOOSE, NULL,  0, NULL,        NULL) \
    X(DYNAMIC_UPDATE_SLICE,   "dynamic_update_slice",   STABLEHLO, -1, ANY,     0,    CHOOSE, NULL,  0, NULL,        NULL) \
    X(GATHER,                 "gather",                 STABLEHLO, 2,  ANY,     0,    CHOOSE, NULL,  0, NULL,        NULL) \
    X(SCATTER,                "scatter",                STABLEHLO, 3,  ANY,     1,    FOLD,   NULL,  0, NULL,        NULL) \
    X(RESHAPE,                "reshape",                STABLEHLO, 1,  ANY,     0,    MOVE,   NULL,  0, NULL,        NULL) \
    X(BITCAST_CONVERT,        "bitcast_convert",        STABLEHLO, 1,  ANY,     0,    POINT,  NULL,  0, NULL,        NULL)

#define OPS_OUTSIDE(X) \
    X(OPAQUE,                 "opaque",                 STABLEHLO, -1, ANY,     4096, NONE,   NULL,  0, NULL,        NULL) \
    X(RESULT,                 "result",                 STABLEHLO, 1,  ANY,     0,    NONE,   NULL,  0, NULL,        NULL)

#define OPS_ELEMENTWISE(X) OPS_UNARY(X) OPS_BINARY(X) OPS_POINT(X)
#define OPS(X) OPS_LEAF(X) OPS_ELEMENTWISE(X) OPS_SHAPED(X) OPS_OUTSIDE(X)
// clang-format on

enum op {
#define X(id, ...) OP_##id,
    OPS(X)
#undef X
        N_OPS
};

enum op_class {
    OPC_LEAF,    // has no operands: parameter, constant, iota
    OPC_UNARY,   // elementwise, T -> T
    OPC_BINARY,  // elementwise, T, T -> T
    OPC_POINT,   // elementwise, of other types
    OPC_SHAPED,  // has attributes or a shape of its own
    OPC_OUTSIDE, // stands for text that is no operator
};

enum op_flow {
    FLOW_NONE,   // no operand
    FLOW_POINT,  // computed from the elements at the same index
    FLOW_MOVE,   // elements of operands, at places that attributes fix
    FLOW_CHOOSE, // elements of operands; values decide which
    FLOW_FOLD,   // elements combined by a reducer, the first attribute
    FLOW_SUM,    // sums of products
};

// The accuracy of results on floats.
enum op_accuracy {
    ACCURACY_EXACT,   // never rounded: one of finitely many forms of the operands
    ACCURACY_ROUNDED, // the real result, rounded to nearest
    // Functions that the solver takes for arbitrary ones with axioms:
    ACCURACY_ROOT, // rounded to nearest by IEEE 754, too
    ACCURACY_OPEN, // an implementation may differ in the last bits
};

enum op_parity { PARITY_NEITHER, PARITY_ODD, PARITY_EVEN }; // f(-x) = -f(x), f(-x) = f(x)

// Over the reals, where the operator has a value.  NONE claims nothing.
enum op_order {
    ORDER_NONE,
    ORDER_RISES,      // in every operand: a <= b => f(a) <= f(b)
    ORDER_FALLS,      // in every operand: a <= b => f(b) <= f(a)
    ORDER_DIFFERENCE, // rises in the first operand, falls in the second
    ORDER_BY_SIGN,    // in one operand by the sign of the other
};

// The sign of the result over the reals, where the operator has a value.  ANY claims nothing.
enum op_result {
    RESULT_ANY,
    RESULT_POSITIVE,       // f(x) > 0
    RESULT_OPERAND,        // f(x) has the sign of x
    RESULT_OPPOSITE,       // f(x) has the sign of -x
    RESULT_MAGNITUDE,      // f(x) has the sign of x * x
    RESULT_ABOVE_1,        // f(x) has the sign of x - 1
    RESULT_SUM,            // by the rule of signs for a + b
    RESULT_DIFFERENCE,     // a - b
    RESULT_PRODUCT,        // a * b
    RESULT_QUOTIENT,       // a / b, on reals: 1 / 2 = 0 on integers
    RESULT_GREATER,        // the greater of the signs of a and b
    RESULT_LESSER,         // the lesser of the signs of a and b
    RESULT_FIRST_POSITIVE, // a > 0 => f(a, b) > 0, on reals
    RESULT_BRANCHES,       // the sign of the second or of the third operand
};

enum op_range { RANGE_ANY, RANGE_UP_TO_1, RANGE_FROM_MINUS_1, RANGE_MINUS_1_TO_1 };

// Where the operator has a value over the reals.
enum op_defined {
    DEFINED_ALWAYS,
    DEFINED_POSITIVE,      // x > 0
    DEFINED_NOT_NEGATIVE,  // x >= 0
    DEFINED_ABOVE_MINUS_1, // x > -1
    DEFINED_COSINE_NOT_0,  // cos(x) != 0
    DEFINED_SECOND_NOT_0,  // b != 0
    DEFINED_POWER,         // a > 0, or b an integer and (a != 0 or b >= 0), or a = 0 and b > 0
};

// An operand at which the real result is rational, for operators other than arithmetic.
enum op_point {
    POINT_NONE,
    POINT_AT_0_IS_0,
    POINT_AT_0_IS_1,
    POINT_AT_0_IS_HALF,
    POINT_AT_1_IS_0,
};

enum op_unit {
    UNIT_NONE,
    UNIT_ZERO, // f(a, u) = f(u, a) = a
    UNIT_ONE,
    UNIT_ONES, // all bits; true
    UNIT_LOWEST,
    UNIT_HIGHEST,
    UNIT_RIGHT_ZERO, // f(a, u) = a
    UNIT_RIGHT_ONE,
};

enum op_law {
    LAW_COMMUTES = 1 << 0,   // f(a, b) = f(b, a)
    LAW_ASSOCIATES = 1 << 1, // f(f(a, b), c) = f(a, f(b, c)), but for rounding
    LAW_IDEMPOTENT = 1 << 2, // f(a, a) = a; f(f(a)) = f(a)
    LAW_INVOLUTION = 1 << 3, // f(f(a)) = a
    LAW_REDUCES = 1 << 4,    // is a reducer of reduce, reduce_window and scatter
    LAW_REDUCER = LAW_COMMUTES | LAW_ASSOCIATES | LAW_REDUCES,
    LAW_BITWISE = 1 << 5,         // computes with the bits of machine words
    LAW_JUMPS = 1 << 6,           // a small error of an operand may be a large one of the result
    LAW_PERIODIC = 1 << 7,        // has no limit at infinity: NaN there
    LAW_AXIOMS = 1 << 8,          // has axioms in verify/arithmetic/axioms.c
    LAW_INTEGRAL = 1 << 9,        // its finite results are integers
    LAW_KEEPS_INTEGERS = 1 << 10, // its results on integers are integers
};

// The facts about the values of elementwise operators, one row each.  `real` and `imag`
// of floats are removed before any layer asks for their facts.
//
// clang-format off
//    id                     accuracy parity   order  result     range         defined        point         laws
#define UNARY_FACTS(X) \
    X(ABS,                   EXACT, EVEN,    NONE,  MAGNITUDE, ANY,          ALWAYS,        NONE,         LAW_IDEMPOTENT | LAW_KEEPS_INTEGERS)       \
    X(CBRT,                  OPEN,  ODD,     RISES, OPERAND,   ANY,          ALWAYS,        NONE,         LAW_AXIOMS)                                \
    X(CEIL,                  EXACT, NEITHER, RISES, ANY,       ANY,          ALWAYS,        NONE,         LAW_IDEMPOTENT | LAW_JUMPS | LAW_INTEGRAL) \
    X(COSINE,                OPEN,  EVEN,    NONE,  ANY,       MINUS_1_TO_1, ALWAYS,        AT_0_IS_1,    LAW_PERIODIC | LAW_AXIOMS)                 \
    X(COUNT_LEADING_ZEROS,   EXACT, NEITHER, NONE,  ANY,       ANY,          ALWAYS,        NONE,         LAW_BITWISE)                               \
    X(ERF,                   OPEN,  ODD,     RISES, OPERAND,   MINUS_1_TO_1, ALWAYS,        AT_0_IS_0,    LAW_AXIOMS)                                \
    X(EXPONENTIAL,           OPEN,  NEITHER, RISES, POSITIVE,  ANY,          ALWAYS,        AT_0_IS_1,    LAW_AXIOMS)                                \
    X(EXPONENTIAL_MINUS_ONE, OPEN,  NEITHER, RISES, OPERAND,   FROM_MINUS_1, ALWAYS,        AT_0_IS_0,    LAW_AXIOMS)                                \
    X(FLOOR,                 EXACT, NEITHER, RISES, ANY,       ANY,          ALWAYS,        NONE,         LAW_IDEMPOTENT | LAW_JUMPS | LAW_INTEGRAL) \
    X(IMAG,                  EXACT, NEITHER, NONE,  ANY,       ANY,          ALWAYS,        NONE,         LAW_IDEMPOTENT)                            \
    X(LOG,                   OPEN,  NEITHER, RISES, ABOVE_1,   ANY,          POSITIVE,      AT_1_IS_0,    LAW_AXIOMS)                                \
    X(LOG_PLUS_ONE,          OPEN,  NEITHER, RISES, OPERAND,   ANY,          ABOVE_MINUS_1, AT_0_IS_0,    LAW_AXIOMS)                                \
    X(LOGISTIC,              OPEN,  NEITHER, RISES, POSITIVE,  UP_TO_1,      ALWAYS,        AT_0_IS_HALF, LAW_AXIOMS)                                \
    X(NEGATE,                EXACT, ODD,     FALLS, OPPOSITE,  ANY,          ALWAYS,        NONE,         LAW_INVOLUTION | LAW_KEEPS_INTEGERS)       \
    X(NOT,                   EXACT, NEITHER, NONE,  ANY,       ANY,          ALWAYS,        NONE,         LAW_INVOLUTION | LAW_BITWISE)              \
    X(POPCNT,                EXACT, NEITHER, NONE,  ANY,       ANY,          ALWAYS,        NONE,         LAW_BITWISE)                               \
    X(REAL,                  EXACT, NEITHER, NONE,  ANY,       ANY,          ALWAYS,        NONE,         LAW_IDEMPOTENT)                            \
    X(ROUND_NEAREST_AFZ,     EXACT, ODD,     RISES, ANY,       ANY,          ALWAYS,        NONE,         LAW_IDEMPOTENT | LAW_JUMPS | LAW_INTEGRAL) \
    X(ROUND_NEAREST_EVEN,    EXACT, ODD,     RISES, ANY,       ANY,          ALWAYS,        NONE,         LAW_IDEMPOTENT | LAW_JUMPS | LAW_INTEGRAL) \
    X(RSQRT,                 OPEN,  NEITHER, FALLS, OPERAND,   ANY,          POSITIVE,      NONE,         LAW_AXIOMS)                                \
    X(SIGN,                  EXACT, ODD,     RISES, OPERAND,   MINUS_1_TO_1, ALWAYS,        NONE,         LAW_IDEMPOTENT | LAW_JUMPS | LAW_INTEGRAL) \
    X(SINE,                  OPEN,  ODD,     NONE,  ANY,       MINUS_1_TO_1, ALWAYS,        AT_0_IS_0,    LAW_PERIODIC | LAW_AXIOMS)                 \
    X(SQRT,                  ROOT,  NEITHER, RISES, OPERAND,   ANY,          NOT_NEGATIVE,  NONE,         LAW_AXIOMS)                                \
    X(TAN,                   OPEN,  ODD,     NONE,  ANY,       ANY,          COSINE_NOT_0,  AT_0_IS_0,    LAW_JUMPS | LAW_PERIODIC | LAW_AXIOMS)     \
    X(TANH,                  OPEN,  ODD,     RISES, OPERAND,   MINUS_1_TO_1, ALWAYS,        AT_0_IS_0,    LAW_AXIOMS)

//    id                      accuracy order       result          defined       unit        dual        laws
#define BINARY_FACTS(X) \
    X(ADD,                    ROUNDED, RISES,      SUM,            ALWAYS,       ZERO,       N_OPS,      LAW_REDUCER | LAW_KEEPS_INTEGERS)                  \
    X(AND,                    EXACT,   NONE,       ANY,            ALWAYS,       ONES,       OP_OR,      LAW_REDUCER | LAW_IDEMPOTENT | LAW_BITWISE)        \
    X(ATAN2,                  OPEN,    NONE,       ANY,            ALWAYS,       NONE,       N_OPS,      LAW_JUMPS)                                         \
    X(DIVIDE,                 ROUNDED, NONE,       QUOTIENT,       SECOND_NOT_0, RIGHT_ONE,  N_OPS,      0)                                                 \
    X(MAXIMUM,                EXACT,   RISES,      GREATER,        ALWAYS,       LOWEST,     OP_MINIMUM, LAW_REDUCER | LAW_IDEMPOTENT | LAW_KEEPS_INTEGERS) \
    X(MINIMUM,                EXACT,   RISES,      LESSER,         ALWAYS,       HIGHEST,    OP_MAXIMUM, LAW_REDUCER | LAW_IDEMPOTENT | LAW_KEEPS_INTEGERS) \
    X(MULTIPLY,               ROUNDED, BY_SIGN,    PRODUCT,        ALWAYS,       ONE,        N_OPS,      LAW_REDUCER | LAW_KEEPS_INTEGERS)                  \
    X(OR,                     EXACT,   NONE,       ANY,            ALWAYS,       ZERO,       OP_AND,     LAW_REDUCER | LAW_IDEMPOTENT | LAW_BITWISE)        \
    X(POWER,                  OPEN,    NONE,       FIRST_POSITIVE, POWER,        RIGHT_ONE,  N_OPS,      LAW_AXIOMS)                                        \
    X(REMAINDER,              EXACT,   NONE,       ANY,            SECOND_NOT_0, NONE,       N_OPS,      LAW_JUMPS)                                         \
    X(SHIFT_LEFT,             EXACT,   NONE,       ANY,            ALWAYS,       RIGHT_ZERO, N_OPS,      LAW_BITWISE)                                       \
    X(SHIFT_RIGHT_ARITHMETIC, EXACT,   NONE,       ANY,            ALWAYS,       RIGHT_ZERO, N_OPS,      LAW_BITWISE)                                       \
    X(SHIFT_RIGHT_LOGICAL,    EXACT,   NONE,       ANY,            ALWAYS,       RIGHT_ZERO, N_OPS,      LAW_BITWISE)                                       \
    X(SUBTRACT,               ROUNDED, DIFFERENCE, DIFFERENCE,     ALWAYS,       RIGHT_ZERO, N_OPS,      LAW_KEEPS_INTEGERS)                                \
    X(XOR,                    EXACT,   NONE,       ANY,            ALWAYS,       ZERO,       N_OPS,      LAW_COMMUTES | LAW_ASSOCIATES | LAW_BITWISE)

//    id         accuracy result    laws
#define POINT_FACTS(X) \
    X(IS_FINITE, EXACT,   ANY,      LAW_JUMPS) \
    X(COMPARE,   EXACT,   ANY,      0)         \
    X(SELECT,    EXACT,   BRANCHES, 0)         \
    X(CLAMP,     EXACT,   ANY,      0)         \
    X(CONVERT,   ROUNDED, ANY,      0)
// clang-format on

// Cases of a switch over `enum op`: a list stands for all operators of a class,
//     switch (op) {
//     case OP_SELECT: ...
//     UNARY_CASES
//     BINARY_CASES
//         return ...;
#define OP_CASE(id, ...) case OP_##id:
#define LEAF_CASES OPS_LEAF(OP_CASE)
#define UNARY_CASES OPS_UNARY(OP_CASE)
#define BINARY_CASES OPS_BINARY(OP_CASE)
#define POINT_CASES OPS_POINT(OP_CASE)
#define ELEMENTWISE_CASES OPS_ELEMENTWISE(OP_CASE)
#define SHAPED_CASES OPS_SHAPED(OP_CASE)
#define OUTSIDE_CASES OPS_OUTSIDE(OP_CASE) case N_OPS:
// Elementwise operators on floats only, and on bits (i1 or integers) only.
#define OP_CASE_PASTE(yes, id) OP_CASE_IF_##yes(id)
#define OP_CASE_IF_0(id)
#define OP_CASE_IF_1(id) case OP_##id:
#define OP_FLOAT_ONLY_ANY 0
#define OP_FLOAT_ONLY_NUMBER 0
#define OP_FLOAT_ONLY_SIGNED 0
#define OP_FLOAT_ONLY_FLOAT 1
#define OP_FLOAT_ONLY_INTEGER 0
#define OP_FLOAT_ONLY_BITS 0
#define OP_BITS_ONLY_ANY 0
#define OP_BITS_ONLY_NUMBER 0
#define OP_BITS_ONLY_SIGNED 0
#define OP_BITS_ONLY_FLOAT 0
#define OP_BITS_ONLY_INTEGER 1
#define OP_BITS_ONLY_BITS 1
#define OP_CASE_IF(yes, id) OP_CASE_PASTE(yes, id)
#define OP_CASE_IF_FLOAT(id, name, dialect, arity, kinds, ...) OP_CASE_IF(OP_FLOAT_ONLY_##kinds, id)
#define OP_CASE_IF_BITS(id, name, dialect, arity, kinds, ...) OP_CASE_IF(OP_BITS_ONLY_##kinds, id)
#define FLOAT_UNARY_CASES OPS_UNARY(OP_CASE_IF_FLOAT)
#define FLOAT_BINARY_CASES OPS_BINARY(OP_CASE_IF_FLOAT)
#define BITS_UNARY_CASES OPS_UNARY(OP_CASE_IF_BITS)
#define BITS_BINARY_CASES OPS_BINARY(OP_CASE_IF_BITS)
// Operators that the solver knows by axioms: ACCURACY_ROOT and ACCURACY_OPEN.
#define OP_CASE_EXACT(id)
#define OP_CASE_ROUNDED(id)
#define OP_CASE_ROOT(id) case OP_##id:
#define OP_CASE_OPEN(id) case OP_##id:
#define OP_CASE_IF_TRANSCENDENTAL(id, accuracy, ...) OP_CASE_##accuracy(id)
#define TRANSCENDENTAL_UNARY_CASES UNARY_FACTS(OP_CASE_IF_TRANSCENDENTAL)
#define TRANSCENDENTAL_BINARY_CASES BINARY_FACTS(OP_CASE_IF_TRANSCENDENTAL)
#define TRANSCENDENTAL_CASES TRANSCENDENTAL_UNARY_CASES TRANSCENDENTAL_BINARY_CASES

// A row of the table.
struct op_info {
    const char *name, *dialect;
    enum op_class cls;
    int arity;
    unsigned kinds;
    double weight;
    enum op_flow flow;
    const char *infix;
    int level;
    const char *word, *formula;
};
// The facts about values.  The facts of an operator that is not elementwise claim nothing.
struct op_facts {
    enum op_accuracy accuracy;
    enum op_parity parity;
    enum op_order order;
    enum op_result result;
    enum op_range range;
    enum op_defined defined;
    enum op_point point;
    enum op_unit unit;
    enum op dual; // under - or not: max(-a, -b) = -min(a, b); N_OPS: none
    unsigned laws;
};
// The row of an operator.  N_OPS has a row too, which claims nothing.
const struct op_info *op_info(enum op op);
const struct op_facts *op_facts(enum op op);

enum { COMPARE_LEVEL = 4 }; // of the signs of `compare`, one for each direction
enum compare_dir { CMP_EQ, CMP_NE, CMP_GE, CMP_GT, CMP_LE, CMP_LT };
enum compare_type { CMPT_FLOAT, CMPT_TOTALORDER, CMPT_SIGNED, CMPT_UNSIGNED };

const char *op_name(enum op op);
// The operator's dialect of MLIR: "stablehlo" or "chlo".
const char *op_dialect(enum op op);
bool op_by_name(const char *name, enum op *out); // not opaque, result, parameter
// Finds an operator by its infix sign or by its other name in rules.
bool op_by_word(const char *word, enum op *out);
enum op_class op_class(enum op op);
int op_arity(enum op op); // -1: any number
unsigned op_kinds(enum op op);
bool op_has(enum op op, enum op_law law);
// The first character of the infix or prefix sign that is no space; 0: none.
char op_infix_sign(enum op op);
// Is the operator applied to each element of operands of equal shape?  (In programs
// select and clamp also accept rank-0 operands, see infer.h.)
bool op_is_elementwise(enum op op);
bool op_is_commutative(enum op op);
bool op_is_reducer(enum op op); // add multiply maximum minimum and or
// Is the first attribute an operator?  reduce, reduce_window, scatter.
bool op_has_reducer(enum op op);
// Is every element of the result an element of an operand?  FLOW_MOVE and FLOW_CHOOSE.
bool op_only_moves(enum op op);
// Does the solver know the function by axioms?  Its results on floats are then fixed
// only up to the last bits, except for the square root.
bool op_is_transcendental(enum op op);
const char *compare_dir_text(enum compare_dir direction); // "EQ" ...
bool compare_dir_by_text(const char *text, enum compare_dir *out);
const char *compare_type_text(enum compare_type order); // "FLOAT" ...
bool compare_type_by_text(const char *text, enum compare_type *out);

#endif
