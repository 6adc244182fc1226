// SPDX-License-Identifier: Apache-2.0
// Element types.  The machine types are StableHLO's.  `int` and `real` are the
// mathematical integers and rationals.  No program has these two types: the prover
// evaluates ground instances in them when it judges a rule in the domains int and real.
// ELEM_OTHER is any type that is carried as text only (complex, f8, tokens, tuples,
// tensors with dynamic dimensions).
#ifndef TENSOR_LANGUAGE_ELEM_H
#define TENSOR_LANGUAGE_ELEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Kinds are bits so that a set of kinds is a mask.
enum elem_kind {
    KIND_BOOL = 1,  // i1
    KIND_SINT = 2,  // signed integers; also the mathematical integers
    KIND_UINT = 4,  // unsigned integers
    KIND_FLOAT = 8, // IEEE floats; also the mathematical reals
    KIND_ANY = 15,
};

// X(name, text, kind, bits, bytes of storage)
#define ELEMS(X)                                                                                   \
    X(OTHER, "other", 0, 0, 0)                                                                     \
    X(I1, "i1", KIND_BOOL, 1, 1)                                                                   \
    X(I2, "i2", KIND_SINT, 2, 1)                                                                   \
    X(I4, "i4", KIND_SINT, 4, 1)                                                                   \
    X(I8, "i8", KIND_SINT, 8, 1)                                                                   \
    X(I16, "i16", KIND_SINT, 16, 2)                                                                \
    X(I32, "i32", KIND_SINT, 32, 4)                                                                \
    X(I64, "i64", KIND_SINT, 64, 8)                                                                \
    X(UI2, "ui2", KIND_UINT, 2, 1)                                                                 \
    X(UI4, "ui4", KIND_UINT, 4, 1)                                                                 \
    X(UI8, "ui8", KIND_UINT, 8, 1)                                                                 \
    X(UI16, "ui16", KIND_UINT, 16, 2)                                                              \
    X(UI32, "ui32", KIND_UINT, 32, 4)                                                              \
    X(UI64, "ui64", KIND_UINT, 64, 8)                                                              \
    X(F16, "f16", KIND_FLOAT, 16, 2)                                                               \
    X(BF16, "bf16", KIND_FLOAT, 16, 2)                                                             \
    X(F32, "f32", KIND_FLOAT, 32, 4)                                                               \
    X(F64, "f64", KIND_FLOAT, 64, 8)                                                               \
    X(INT, "int", KIND_SINT, 0, 16)                                                                \
    X(REAL, "real", KIND_FLOAT, 0, 16)

// How the floats of a program are read.
enum float_reading {
    READ_FLOAT,      // bit for bit
    READ_FLOAT_SUMS, // bit for bit, if a sum depends on the list of its terms alone
    READ_REAL,       // as real numbers
    N_READINGS
};

enum elem {
#define X(name, text, kind, bits, bytes) ELEM_##name,
    ELEMS(X)
#undef X
        N_ELEMS
};

const char *elem_text(enum elem elem);
enum elem_kind elem_kind(enum elem elem); // 0 for ELEM_OTHER
unsigned elem_bits(enum elem elem);       // 0 for OTHER, INT, REAL
unsigned elem_precision(enum elem elem);  // of a float: bits of the significand with the hidden one
size_t elem_bytes(enum elem elem);        // storage of one element
bool elem_by_text(const char *text, size_t n, enum elem *out); // not OTHER
bool elem_is_ideal(enum elem elem);                            // INT or REAL
// Is the integer a value of the type, exactly?
bool elem_has_int(enum elem elem, int64_t k);
// Is every value of `narrow` a value of `wide`, exactly?  No other type holds i1, and i1
// holds no other type.  INT and REAL hold all integers.  REAL holds no machine float,
// since REAL has no NaN and only one zero.
bool elem_holds(enum elem wide, enum elem narrow);

// One element of any type.  Integers: the value, sign- or zero-extended.  i1:
// 0 or 1.  Floats: the bits.  INT and REAL: num/den in lowest terms, den > 0
// (den = 1 for INT); infinities as +-1/0.
// `bits` comes last: a copy moves the first 16 bytes at once, and a processor waits for them if
// they were written one by one just before.
struct scalar {
    int64_t num, den;
    uint64_t bits; // machine types
};

struct scalar scalar_load(enum elem elem, const void *data, size_t index);
void scalar_store(enum elem elem, void *data, size_t index, struct scalar scalar);
struct scalar scalar_of_int(enum elem elem, int64_t x);             // wraps / rounds
struct scalar scalar_of_double(enum elem elem, double x);           // floats and REAL only
double scalar_to_double(enum elem elem, struct scalar scalar);      // nearest
bool scalar_same(enum elem elem, struct scalar a, struct scalar b); // bit-equal
bool scalar_is_nan(enum elem elem, struct scalar scalar);
// Least and greatest element (-inf, +inf for floats, INT and REAL).
struct scalar scalar_lowest(enum elem elem);
struct scalar scalar_highest(enum elem elem);

// One element of MLIR text: floats in the shortest exponent form of at least 7
// digits that reads back, NaN and infinities as hexadecimal bits, REAL as
// num/den.
struct buf;
void scalar_print(enum elem elem, struct scalar scalar, struct buf *out);

#endif
