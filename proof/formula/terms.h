// SPDX-License-Identifier: Apache-2.0
// Which named terms mean something: of proof/formula/check.c alone.  Every term gets
// a sort and the axes on which it may depend.
//
// T1  arguments have the sorts that the operator asks for; a variable is one of
//     the formula, with as many axes as there;
// T2  a set of axes is not empty and names each once;
// T3  an axis that joins two others joins the same two wherever it stands, and
//     no chain of joins leads back to it: so sizes of all axes of the formula
//     leave just one size to each axis that joins;
// T4  an axis that joins and that the formula does not join is none of the
//     formula's.
#ifndef PROOF_FORMULA_TERMS_H
#define PROOF_FORMULA_TERMS_H

#include "formula/language/formula.h"

enum fsort { SORT_NONE, SORT_REAL, SORT_TRUTH, SORT_AXES };
struct fterm_sort {
    uint8_t sort;
    uint64_t axes; // of a set; else those on which it may depend
};
struct fjoin { // bits
    uint64_t axis, first, second;
};
struct fsymbol { // a variable
    uint32_t name, n_axes;
    bool truth;
};

struct fsorts {
    const struct fterms *terms;
    const struct fdefines *defs;
    struct err *err;
    struct intern names; // axes first: bit -> id - 1
    struct intern words;
    VEC(struct fterm_sort) at; // by term; SORT_NONE: not added
    VEC(struct fsymbol) symbols;
    VEC(struct fjoin) joins;
    uint64_t formula; // axes of the formula; 0: it is still being read
};

void fsorts_init(struct fsorts *sorts, const struct fterms *terms, const struct fdefines *defs,
                 struct err *err);
void fsorts_release(struct fsorts *sorts);
// The formula's variables, axes and terms.
bool fsorts_formula(struct fsorts *sorts, const struct formula *formula, fterm term);
// A term over terms that were added; a term and all below it.  False: it breaks
// T1 to T4.
bool fsorts_add(struct fsorts *sorts, fterm term);
bool fsorts_add_all(struct fsorts *sorts, fterm term);
// Nodes of term as a tree, at most `limit`.
uint64_t fterm_tree_size(const struct fterms *terms, fterm term, uint64_t limit);

#endif
