// SPDX-License-Identifier: Apache-2.0
// Sorts of named terms, for proof/formula/check.c alone: which terms have a
// meaning.  Every term gets a sort and the axes on which the term may depend.
//
// T1  arguments have the sorts that the operator needs; a variable is a
//     variable of the formula, with as many axes as there;
// T2  a set of axes is not empty and names each once;
// T3  an axis that joins two others joins the same two in every place, and no
//     chain of joins leads back to the axis: so sizes of all axes of the
//     formula leave just one size to each axis that joins;
// T4  an axis that joins others in a term, but not in the formula, is no axis
//     of the formula.
#ifndef PROOF_FORMULA_TERMS_H
#define PROOF_FORMULA_TERMS_H

#include "formula/language/formula.h"
#include "formula/terms/axes.h"

enum fsort { SORT_NONE, SORT_REAL, SORT_TRUTH, SORT_AXES };
struct fterm_sort {
    uint8_t sort;
    struct axis_set axes; // of a set; else the axes on which the term may depend
};
struct fjoin {
    struct axis_set axis, first, second;
};
struct fsymbol { // a variable
    uint32_t name, n_axes;
    bool truth;
};

struct fsorts {
    const struct fterms *terms;
    const struct fdefines *defs;
    struct err *err;
    struct intern names; // axes first: number in a set -> id - 1
    struct intern words;
    VEC(struct fterm_sort) at; // by term; SORT_NONE: not added
    VEC(struct fsymbol) symbols;
    VEC(struct fjoin) joins;
    struct axis_set formula; // axes of the formula; none: the formula is still being read
};

void fsorts_init(struct fsorts *sorts, const struct fterms *terms, const struct fdefines *defs,
                 struct err *err);
void fsorts_release(struct fsorts *sorts);
// The formula's variables, axes and terms.
bool fsorts_formula(struct fsorts *sorts, const struct formula *formula, fterm term);
// Adds a term over added terms, or a term and all terms below.  False: the term
// breaks T1 to T4.
bool fsorts_add(struct fsorts *sorts, fterm term);
bool fsorts_add_all(struct fsorts *sorts, fterm term);

#endif
