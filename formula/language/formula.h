// SPDX-License-Identifier: Apache-2.0
// The language of formulas (docs/formulas.md):
//
//   tensor x[i, j], w[j];  scalar eps;
//   given eps > 0;
//   let m = max(x);
//   exp(x - m) / sum(exp(x - m))
//
// Names that are not declared are scalars or rows as their uses demand.
// sum, max, .. of one argument reduce its last axis, which stays with extent 1;
// sum[j] e reduces the axis j.  N is the extent of the one axis that is
// reduced. Reading gives a named term, the shapes, and what is given.
#ifndef FORMULA_LANGUAGE_FORMULA_H
#define FORMULA_LANGUAGE_FORMULA_H

#include "formula/rules/define.h"
#include "formula/terms/term.h"

// Why a condition may be used: it was declared; the formula has no value
// elsewhere (a divisor, a logarithm, a root ..., outside of what a select may
// not choose); every axis has an index; a fact about a named number.
enum given_by { GIVEN_DECLARED, GIVEN_DEFINED, GIVEN_EXTENT, GIVEN_NUMBER };
struct fgiven {
    fterm cond; // (lt ..), (le ..), (eq ..) or (ne ..)
    enum given_by by;
};
struct fvariable {
    const char *name;
    uint32_t at, n; // axes[at ..]: names, in the order of its shape
};
// A number as it stands in the text; what it was taken for (constant.h).
struct fconstant {
    const char *text;
    fterm term; // in the formula
    uint32_t line, col;
};

struct formula {
    struct fterms *terms;        // borrowed
    const struct fdefines *defs; // borrowed, may be NULL
    struct intern names;
    fterm term;
    VEC(struct fvariable) variables; // all, in order of occurrence
    VEC(const char *) axes;          // of the variables
    // The shape of the result: names of axes, NULL for an extent of 1.
    VEC(const char *) shape;
    bool by_name;              // elements: the order of the shape says nothing
    VEC(const char *) extents; // names of sizes, by pairs: name, axis (N, "j")
    VEC(struct fgiven)
    givens; // DECLARED and EXTENT and NUMBER; formula_defined
            // appends those of the term
    VEC(struct fconstant) constants;
};

// `defs` may be NULL.  False: ERR_INPUT with the place, and *formula holds nothing;
// to release it does no harm.
bool formula_read(struct formula *formula, struct fterms *terms, const struct fdefines *defs,
                  const char *file, const char *text, struct err *err);
void formula_release(struct formula *formula);
// Has `out` the shape of `in`, but for axes along which it is the same?
bool formula_fits(const struct formula *out, const struct formula *in);
// Appends where formula->term has a value: GIVEN_DEFINED.
void formula_defined(struct formula *formula);

// Has the operator a value only where all its operands have one?
bool formula_is_strict(const char *op);

enum notation { NOTATION_TEXT, NOTATION_LATEX, NOTATION_MATHML };
// A term over the same variables.  NOTATION_TEXT: reads back to the same term
// after formula_print_head of the same formula (declarations of all variables
// and extents, what is declared as given).  Terms used more than once and not
// small become definitions (`let`) if `lets`.
//
// So that numbers read back as they were: a minus sign directly before digits
// is part of the number (-2; but -(2) is an operator, and -2^term is -(2^x)); p/q,
// two literals of whole numbers of which p is the first factor of its product,
// is a number (1/3; but (1)/(3) is an operator).  The name of an extent is
// declared by `let N = size(j);`.
void formula_print(const struct formula *formula, const struct fdefines *defs, fterm term,
                   enum notation notation, bool lets, struct buf *out);
void formula_print_head(const struct formula *formula, struct buf *out);
// What it costs to read: docs/formulas.md.  Of one node, without its arguments.
double formula_cost(const struct fterms *terms, fterm term);

#endif
