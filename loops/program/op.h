// SPDX-License-Identifier: Apache-2.0
// The operators of pure expressions, and what they mean.
//
// Elementwise operators have operands of one shape, the shape of the result, and
// apply to each lane alone.  The kind of the result decides between meanings:
// CODE_ADD of integers is their sum, of reals theirs.
#ifndef LOOPS_PROGRAM_OP_H
#define LOOPS_PROGRAM_OP_H

#include "loops/program/type.h"

enum code_group {
    GROUP_LEAF,   // no operands
    GROUP_LANE,   // elementwise
    GROUP_MOVE,   // lanes of the operands, in other places
    GROUP_FOLD,   // over an axis
    GROUP_MEMORY, // result of a statement
};

// enumerator, text, least and most operands, group
#define CODE_OPS(X)                                                                                \
    /* Leaves.  `number` of the node says which. */                                                \
    X(CODE_PARAMETER, "parameter", 0, 0,                                                           \
      GROUP_LEAF)                            /* number: a scalar parameter of the program */       \
    X(CODE_BOUND, "bound", 0, 0, GROUP_LEAF) /* bound by a statement or a region */                \
    X(CODE_CONSTANT, "constant", 0, 0,                                                             \
      GROUP_LEAF)                              /* BOOL, INT: number is the value; REAL: number \
                                                      is the name of its text; in every lane */   \
    X(CODE_RANGE, "range", 0, 0, GROUP_LEAF)   /* INT, rank 1: lane i is number + i */             \
    X(CODE_OPAQUE, "opaque", 0, 0, GROUP_LEAF) /* unknown; number: name of the reason */           \
    /* Integers and reals. */                                                                      \
    X(CODE_ADD, "+", 2, 2, GROUP_LANE)                                                             \
    X(CODE_SUBTRACT, "-", 2, 2, GROUP_LANE)                                                        \
    X(CODE_MULTIPLY, "*", 2, 2, GROUP_LANE)                                                        \
    X(CODE_DIVIDE, "/", 2, 2, GROUP_LANE)    /* INT: towards zero; divisor not 0 */                \
    X(CODE_REMAINDER, "%", 2, 2, GROUP_LANE) /* a - b*(a / b) with a / b rounded towards zero */   \
    X(CODE_MINIMUM, "min", 2, 2, GROUP_LANE)                                                       \
    X(CODE_MAXIMUM, "max", 2, 2, GROUP_LANE)                                                       \
    X(CODE_NEGATE, "neg", 1, 1, GROUP_LANE)                                                        \
    X(CODE_ABS, "abs", 1, 1, GROUP_LANE)                                                           \
    X(CODE_SELECT, "select", 3, 3, GROUP_LANE) /* c, a, b: a where c, else b */                    \
    /* Booleans and bits. */                                                                       \
    X(CODE_AND, "and", 2, 2, GROUP_LANE)                                                           \
    X(CODE_OR, "or", 2, 2, GROUP_LANE)                                                             \
    X(CODE_XOR, "xor", 2, 2, GROUP_LANE)                                                           \
    X(CODE_NOT, "not", 1, 1, GROUP_LANE) /* BOOL */                                                \
    /* INT: a times 2^b, wrapping at the width; a / 2^b, rounded down. */                          \
    X(CODE_SHIFT_LEFT, "<<", 2, 2, GROUP_LANE)                                                     \
    X(CODE_SHIFT_RIGHT, ">>", 2, 2, GROUP_LANE)                                                    \
    /* INT: operands and result are taken modulo 2^bits into [0, 2^bits). */                       \
    X(CODE_UNSIGNED_DIVIDE, "udiv", 2, 2, GROUP_LANE)                                              \
    X(CODE_UNSIGNED_REMAINDER, "urem", 2, 2, GROUP_LANE)                                           \
    X(CODE_UNSIGNED_MINIMUM, "umin", 2, 2, GROUP_LANE)                                             \
    X(CODE_UNSIGNED_MAXIMUM, "umax", 2, 2, GROUP_LANE)                                             \
    X(CODE_UNSIGNED_SHIFT_RIGHT, "ushr", 2, 2, GROUP_LANE)                                         \
    X(CODE_UNSIGNED_HIGH, "umulh", 2, 2, GROUP_LANE) /* upper half of the product */               \
    /* Comparisons: BOOL; operands of one type, INT, REAL or BOOL (EQ and NE). */                  \
    X(CODE_EQUAL, "==", 2, 2, GROUP_LANE)                                                          \
    X(CODE_UNEQUAL, "!=", 2, 2, GROUP_LANE)                                                        \
    X(CODE_LESS, "<", 2, 2, GROUP_LANE)                                                            \
    X(CODE_LESS_EQUAL, "<=", 2, 2, GROUP_LANE)                                                     \
    X(CODE_UNSIGNED_LESS, "u<", 2, 2, GROUP_LANE)                                                  \
    X(CODE_UNSIGNED_LESS_EQUAL, "u<=", 2, 2, GROUP_LANE)                                           \
    /* Conversions: the element type of the result is the target. */                               \
    X(CODE_CONVERT, "convert", 1, 1,                                                               \
      GROUP_LANE) /* INT to INT: the value, which fits; INT, BOOL to \
                                                   REAL: the number, 1 of true; REAL to INT:       \
                                                   towards zero; REAL to REAL: the value; BOOL to  \
                                                   INT: 1 of true */                             \
    X(CODE_UNSIGNED_CONVERT, "uconvert", 1, 1,                                                     \
      GROUP_LANE) /* the same, of an INT taken modulo       \
                                                            2^bits of the operand */                                      \
    X(CODE_TRUNCATE, "truncate", 1, 1,                                                             \
      GROUP_LANE)                                /* INT to INT: the low bits; INT to BOOL: odd */  \
    X(CODE_BITCAST, "bitcast", 1, 1, GROUP_LANE) /* same bits in another kind: unknown value */    \
    /* Functions of reals. */                                                                      \
    X(CODE_EXP, "exp", 1, 1, GROUP_LANE)                                                           \
    X(CODE_EXP2, "exp2", 1, 1, GROUP_LANE)                                                         \
    X(CODE_EXPM1, "expm1", 1, 1, GROUP_LANE)                                                       \
    X(CODE_LOG, "log", 1, 1, GROUP_LANE)                                                           \
    X(CODE_LOG2, "log2", 1, 1, GROUP_LANE)                                                         \
    X(CODE_LOG1P, "log1p", 1, 1, GROUP_LANE)                                                       \
    X(CODE_SQRT, "sqrt", 1, 1, GROUP_LANE)                                                         \
    X(CODE_RSQRT, "rsqrt", 1, 1, GROUP_LANE)                                                       \
    X(CODE_CBRT, "cbrt", 1, 1, GROUP_LANE)                                                         \
    X(CODE_SIN, "sin", 1, 1, GROUP_LANE)                                                           \
    X(CODE_COS, "cos", 1, 1, GROUP_LANE)                                                           \
    X(CODE_TAN, "tan", 1, 1, GROUP_LANE)                                                           \
    X(CODE_TANH, "tanh", 1, 1, GROUP_LANE)                                                         \
    X(CODE_ERF, "erf", 1, 1, GROUP_LANE)                                                           \
    X(CODE_FLOOR, "floor", 1, 1, GROUP_LANE)                                                       \
    X(CODE_CEIL, "ceil", 1, 1, GROUP_LANE)                                                         \
    X(CODE_POWER, "pow", 2, 2, GROUP_LANE) /* second operand REAL, or INT: whole exponent */       \
    X(CODE_CALL, "call", 1, 8, GROUP_LANE) /* number: name of an unknown pure function */          \
    /* Lanes in other places. */                                                                   \
    X(CODE_SPLAT, "splat", 1, 1, GROUP_MOVE)     /* a scalar in every lane */                      \
    X(CODE_STRETCH, "stretch", 1, 1, GROUP_MOVE) /* same rank; axes of extent 1 get any extent */  \
    X(CODE_EXPAND, "expand", 1, 1, GROUP_MOVE)   /* number: the new axis, of extent 1 */           \
    X(CODE_TRANSPOSE, "transpose", 1, 1,                                                           \
      GROUP_MOVE)                                /* axis d of the result is axis p_d of the      \
                                                      operand; number: p_d in bits 4d .. 4d+3 */ \
    X(CODE_RESHAPE, "reshape", 1, 1, GROUP_MOVE) /* same elements in row-major order */            \
    X(CODE_SHUFFLE, "shuffle", 1, 1, GROUP_MOVE) /* same elements in an order nobody knows */      \
    X(CODE_JOIN, "join", 2, 2, GROUP_MOVE) /* a last axis of extent 2 that chooses the operand */  \
    X(CODE_SPLIT, "split", 1, 1, GROUP_MOVE) /* number: the index of the last axis, of extent 2 */ \
    X(CODE_GATHER, "gather", 2, 2, GROUP_MOVE) /* source, indices; number: the axis */             \
    /* Folds. */                                                                                   \
    X(CODE_DOT, "dot", 2, 2, GROUP_FOLD) /* [b][m][k], [b][k][n] to [b][m][n]; b may be absent */  \
    X(CODE_REDUCE, "reduce", 1, 8, GROUP_FOLD) /* number: region * 8 + which of its results */     \
    X(CODE_SCAN, "scan", 1, 8, GROUP_FOLD)     /* the same */                                      \
    /* Memory: bound by the statement that names the node. */                                      \
    X(CODE_READ, "read", 1, 3, GROUP_MEMORY)       /* offsets, mask, other; number: the array */   \
    X(CODE_UPDATED, "updated", 2, 3, GROUP_MEMORY) /* offsets, value, mask: what an update found */

#define CODE_OP_ENUM(name, text, least, most, group) name,
enum code_op { CODE_OPS(CODE_OP_ENUM) N_CODE_OPS };

const char *code_op_text(enum code_op op);
enum code_group code_op_group(enum code_op op);
bool code_op_arity(enum code_op op, uint32_t n); // may the operator have n operands?

#endif
