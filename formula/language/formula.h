// SPDX-License-Identifier: Apache-2.0
// The language of formulas (docs/formulas.md):
//
//   tensor x[i, j], w[j];  scalar eps;
//   given eps > 0;
//   let m = max(x);
//   exp(x - m) / sum(exp(x - m))
//
// A name that is not declared is a scalar or a row, as its uses demand.
// sum, max, .. of one argument reduce its last axis, which stays with extent 1;
// sum[j] e reduces the axis j.  N is the extent of the one axis that is reduced.
// Reading gives a named term, the shapes, and the assumptions.
#ifndef FORMULA_LANGUAGE_FORMULA_H
#define FORMULA_LANGUAGE_FORMULA_H

#include "formula/rules/define.h"
#include "formula/terms/term.h"

// The reason why a condition may be assumed: it was declared; the formula has
// no value otherwise (a divisor, the argument of a logarithm or root, outside
// branches of a select that may not be chosen); every axis has an index; or it
// is a fact about a named number.
enum given_by { GIVEN_DECLARED, GIVEN_DEFINED, GIVEN_EXTENT, GIVEN_NUMBER };
struct fgiven {
    fterm cond; // (lt ..), (le ..), (eq ..) or (ne ..)
    enum given_by by;
};
struct fvariable {
    const char *name;
    uint32_t at, n; // axes[at ..]: names, in the order of its shape
    bool assumed;   // a row that may be meant as a scalar, which would be reduced otherwise
    bool euler;     // an undeclared `e` that has powers: it may be meant as exp(1)
};
// A number as written in the text, and the constant recovered for it
// (constant.h).
struct fconstant {
    const char *text;
    fterm term; // its term in the formula
    uint32_t line, col;
};

struct formula {
    struct fterms *terms;        // borrowed
    const struct fdefines *defs; // borrowed, may be NULL
    struct intern names;
    fterm term;
    VEC(struct fvariable) variables; // all variables, in order of occurrence
    VEC(const char *) axes;          // axes of the variables
    // The shape of the result: names of axes; NULL: an extent of 1.
    VEC(const char *) shape;
    bool by_name;              // elements by name: the order of the shape has no meaning
    VEC(const char *) extents; // pairs of a name of an extent and its axis (N, "j")
    VEC(struct fgiven)
    givens; // of kinds DECLARED, EXTENT and NUMBER; formula_defined
            // appends those of kind DEFINED
    VEC(struct fconstant) constants;
};

// Reads a formula; `defs` may be NULL.  On failure *err is ERR_INPUT with the
// place, and *formula is empty; releasing it is allowed.
bool formula_read(struct formula *formula, struct fterms *terms, const struct fdefines *defs,
                  const char *file, const char *text, struct err *err);
void formula_release(struct formula *formula);
// Does `out` have the shape of `in`, except for axes along which it is
// constant?
bool formula_fits(const struct formula *out, const struct formula *in);
// Appends the conditions under which formula->term has a value (GIVEN_DEFINED).
void formula_defined(struct formula *formula);

// Does the operator have a value only if all its operands have one?
bool formula_is_strict(const char *op);

enum notation { NOTATION_TEXT, NOTATION_LATEX, NOTATION_MATHML };
// Prints a term over the variables of the formula.  In NOTATION_TEXT, the text reads
// back to the same term after formula_print_head of the same formula, which
// declares all variables and extents and the declared assumptions.  If `lets`,
// large terms that are used more than once become definitions (`let`).
//
// Numbers read back as they were.  A minus sign directly before digits is part of
// the number (-2; but -(2) is an operator, and -2^x is -(2^x)).  p/q is a number
// if p and q are literals of whole numbers and p is the first factor of its
// product (1/3; but (1)/(3) is an operator).  `let N = size(j);` declares the name
// of an extent.
void formula_print(const struct formula *formula, const struct fdefines *defs, fterm term,
                   enum notation notation, bool lets, struct buf *out);
void formula_print_head(const struct formula *formula, struct buf *out);
// The cost of reading one node, without its arguments: docs/formulas.md.
double formula_cost(const struct fterms *terms, fterm term);

#endif
