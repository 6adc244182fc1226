// SPDX-License-Identifier: Apache-2.0
// The weights of the cost model `time`: nanoseconds of one core of a machine with 512-bit
// vectors.  bench/run_time/microbench.py measures them: programs of one operator each, that
// XLA compiles for the CPU.  docs/cost.md has the formula.
#ifndef EGRAPH_EXTRACT_TIME_WEIGHTS_H
#define EGRAPH_EXTRACT_TIME_WEIGHTS_H

// One element of the result of an elementwise operator that is fused with its neighbours:
// the compiler makes one loop of them, and the loop's memory traffic is counted apart.
//   f32, f64  on floats of that width; narrower floats are computed as f32
//   integer   on 32-bit integers; other widths in proportion
// Operators that were not measured have the time of one of their kind; 0: not on these types.
// A division of integers has the time with a divisor that is not constant.
//
// clang-format off
//    id                      f32    f64    integer
#define TIME_POINT(X) \
    X(ABS,                    0.012, 0.025, 0.02)  \
    X(CBRT,                   15,    16,    0)     \
    X(CEIL,                   0.02,  0.05,  0)     \
    X(COSINE,                 6,     12,    0)     \
    X(COUNT_LEADING_ZEROS,    0,     0,     0.2)   \
    X(ERF,                    0.43,  14,    0)     \
    X(EXPONENTIAL,            0.45,  2,     0)     \
    X(EXPONENTIAL_MINUS_ONE,  1.1,   4,     0)     \
    X(FLOOR,                  0.02,  0.05,  0)     \
    X(IMAG,                   0.012, 0.025, 0)     \
    X(LOG,                    0.7,   7,     0)     \
    X(LOG_PLUS_ONE,           1.2,   5,     0)     \
    X(LOGISTIC,               0.65,  2.4,   0)     \
    X(NEGATE,                 0.012, 0.025, 0.012) \
    X(NOT,                    0,     0,     0.012) \
    X(POPCNT,                 0,     0,     0.13)  \
    X(REAL,                   0.012, 0.025, 0)     \
    X(ROUND_NEAREST_AFZ,      0.05,  0.09,  0)     \
    X(ROUND_NEAREST_EVEN,     0.02,  0.05,  0)     \
    X(RSQRT,                  0.22,  4.3,   0)     \
    X(SIGN,                   0.06,  0.25,  0.05)  \
    X(SINE,                   6,     12,    0)     \
    X(SQRT,                   0.16,  0.6,   0)     \
    X(TAN,                    18,    19,    0)     \
    X(TANH,                   0.47,  1.7,   0)     \
    X(ADD,                    0.012, 0.025, 0.012) \
    X(AND,                    0,     0,     0.012) \
    X(ATAN2,                  17,    20,    0)     \
    X(DIVIDE,                 0.1,   0.3,   2.3)   \
    X(MAXIMUM,                0.02,  0.04,  0.02)  \
    X(MINIMUM,                0.02,  0.04,  0.02)  \
    X(MULTIPLY,               0.012, 0.025, 0.012) \
    X(OR,                     0,     0,     0.012) \
    X(POWER,                  6,     17,    1)     \
    X(REMAINDER,              8,     7,     2.3)   \
    X(SHIFT_LEFT,             0,     0,     0.012) \
    X(SHIFT_RIGHT_ARITHMETIC, 0,     0,     0.012) \
    X(SHIFT_RIGHT_LOGICAL,    0,     0,     0.012) \
    X(SUBTRACT,               0.012, 0.025, 0.012) \
    X(XOR,                    0,     0,     0.012) \
    X(IS_FINITE,              0.012, 0.025, 0)     \
    X(COMPARE,                0.012, 0.025, 0.012) \
    X(SELECT,                 0.012, 0.025, 0.012) \
    X(CLAMP,                  0.04,  0.09,  0.03)  \
    X(CONVERT,                0.05,  0.1,   0.05)

// X(name, nanoseconds, of what, why): all other operators.
#define TIME_WEIGHTS(X) \
    X(TIME_NODE, 50, "an operation", \
      "nothing in a fused loop; no operation is free, so that small programs have few") \
    X(TIME_CONSTANT, 10, "a constant", "less than an operation that computes it") \
    X(TIME_KERNEL, 500, "a loop of its own", "the call of a kernel, and the end of the loops before it") \
    X(TIME_NARROW, 0.25, "an element of an operator on f16 or bf16", "is converted to f32 and back") \
    X(TIME_FUSED, 0.0025, "a byte of the result of an operator that is fused", \
      "a sixteenth of TIME_WRITE: few results are written, most stay in registers") \
    X(TIME_PARAMETER, 0.015, "a byte of a parameter", "is read once, by whatever loop comes first") \
    X(TIME_READ, 0.01, "a byte that a loop of its own reads", "from the last cache, or once more from memory") \
    X(TIME_WRITE, 0.04, "a byte that a loop of its own writes", "the cache reads the line first") \
    X(TIME_SLICE, 0.02, "a byte of a slice or a dynamic slice", "is read at other places than written") \
    X(TIME_REVERSE, 0.03, "a byte of a reversal", "vectors are turned around") \
    X(TIME_CONCATENATE, 0.06, "a byte of a concatenation", "a loop for each operand; more if it is fused") \
    X(TIME_PAD, 0.1, "a byte of a padding", "fused loops ask at each element where it comes from") \
    X(TIME_TRANSPOSE, 1.2, "an element of a transpose that moves the last axis", \
      "strided reads; 0.4 to 8, by size and neighbours") \
    X(TIME_ROWS, 0.3, "an element of a transpose that keeps the last axis", "whole rows are copied") \
    X(TIME_PLACE, 3, "a slice that a gather reads", "an index is read and clamped") \
    X(TIME_UPDATE, 5, "an update of a scatter", "updates are made one after the other") \
    X(TIME_FOLD, 0.02, "an element that a reduction combines", "besides what is read") \
    X(TIME_ROW, 4, "a result of a reduction of the last axis", "vectors are reduced to one element") \
    X(TIME_WINDOW, 0.25, "a result of a window", "the loop over the window begins and ends") \
    X(TIME_WINDOW_STEP, 0.02, "a step of a window", "neighbours are vectors") \
    X(TIME_WINDOW_PADDED, 1.5, "a result of a window with strides, padding or dilation", "no vectors") \
    X(TIME_WINDOW_PADDED_STEP, 0.33, "a step of such a window", "each step asks if it is inside") \
    X(TIME_WINDOW_RUNNING, 6, "a result of a window over all elements up to its place, or from there on", \
      "XLA makes a sum of blocks, whatever the size") \
    X(TIME_DOT, 0.025, "a product of a contraction of 32-bit elements", "blocked in registers") \
    X(TIME_DOT_BATCH, 100, "a batch of a contraction", "a call for each, but of a matrix with a vector") \
    X(TIME_DOT_STRIDED, 0.025, "a product, if the first operand's last axis is not contracted", \
      "blocks are read with strides, in full from 1024 contracted elements on") \
    X(TIME_DOT_TRANSPOSED, 8, "an element of the second operand, if its last axis is contracted, but not the first's", \
      "a transpose before the contraction") \
    X(TIME_CONV, 0.03, "a product of a convolution", "as contractions of patches") \
    X(TIME_CONV_PATCH, 25, "a place of a convolution's result", "a patch is copied") \
    X(TIME_CONV_LAYOUT, 1.2, "an element, if the features are not the last axis", "a transpose before and after") \
    X(TIME_CONV_GROUPS, 2.5, "times the products without groups", \
      "groups are computed as one convolution with a mask") \
    X(TIME_OPAQUE, 200, "an element of an operation that is kept as text, except calls", \
      "a sort; no rule removes it unless nothing uses it")
// clang-format on

#endif
