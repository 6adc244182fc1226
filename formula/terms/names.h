// SPDX-License-Identifier: Apache-2.0
// Names of the operators of named terms (term.h) in the language of formulas:
// one table for reading and printing.
#ifndef FORMULA_TERMS_NAMES_H
#define FORMULA_TERMS_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum fname_kind {
    FNAME_CALL,   // exp(a)
    FNAME_REDUCE, // sum(a), sum[j] a; the operator's first argument is the set
    FNAME_INFIX,  // a + b
    FNAME_PREFIX, // -a, not a
};
// Loosest first.  Operators of one level + - * / group to the left, ^ to the
// right; comparisons do not group.
enum fname_level {
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_MINUS, // -a * b is (-a) * b; -a ^ b is -(a ^ b)
    LEVEL_POWER,
    LEVEL_ATOM,
};
struct fname {
    const char *surface;
    const char *op; // name of the operator in terms
    uint32_t n;     // number of tensors among its arguments
    enum fname_kind kind;
    enum fname_level level;
    bool swap; // a > b is (lt b a)
};

// The i-th entry of the table; NULL after the last one.  Several entries may
// have one operator (pow and ^); printing uses the first.  Abbreviations of
// several operators have no entry: exp2, log2, matmul, tr, mean ...
const struct fname *fname_at(uint32_t i);
// Finds a surface name of `len` bytes that is used with n tensors in this way.
// NULL: there is none.
const struct fname *fname_of_surface(const char *text, uint32_t len, uint32_t n,
                                     enum fname_kind kind);
// Finds an operator with n arguments in all, counting a set of axes.  NULL:
// there is none.
const struct fname *fname_of_op(const char *op, uint32_t n);

#endif
