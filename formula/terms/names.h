// SPDX-License-Identifier: Apache-2.0
// What the language of formulas calls the operators of named terms (term.h):
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
// Loosest first.  Of what binds as tightly, + - * / group to the left, ^ to the
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
    const char *op; // in terms
    uint32_t n;     // tensors among its arguments
    enum fname_kind kind;
    enum fname_level level;
    bool swap; // a > b is (lt b a)
};

// In the order of the table; NULL behind the end.  Several entries may have one
// operator (pow and ^): the first is the one to print.  There is no entry for
// what is short for several operators: exp2, log2, matmul, tr, mean ...
const struct fname *fname_at(uint32_t i);
// Of a surface name (not ended by NUL), used with n tensors in that way.  NULL:
// none.
const struct fname *fname_of_surface(const char *text, uint32_t len, uint32_t n,
                                     enum fname_kind kind);
// Of an operator with n arguments in all, a set of axes counted.  NULL: none.
const struct fname *fname_of_op(const char *op, uint32_t n);

#endif
