// SPDX-License-Identifier: Apache-2.0
// Prints named terms.  First a surface tree is chosen, which says where axes
// are named and where they are implied (x or x[i, j], sum(x) or sum[j](x),
// matmul or a sum of products).  Each term has a few ways to be written, one
// for each shape that the text may have.  The cheapest way to the required
// shape is chosen and read back; if the result is another term, axes are named
// everywhere.  Then the tree is printed as text, or becomes boxes (box.h) and
// then LaTeX or MathML.
#ifndef FORMULA_PRINT_PRINT_H
#define FORMULA_PRINT_PRINT_H

#include "formula/language/formula.h"
#include "formula/print/decimal.h"
#include "formula/terms/names.h"

enum surface_kind {
    SURFACE_NUMBER,
    SURFACE_NAME,    // a variable, an extent, pi, true, a definition
    SURFACE_INDEXED, // text[axes]
    SURFACE_SIZE,    // size(axes)
    SURFACE_OP,      // infix or prefix
    SURFACE_CALL,    // text(kids) or text[axes](kids)
    SURFACE_REDUCE,  // as SURFACE_CALL, for sum, max ..
    SURFACE_MATMUL,
    SURFACE_TR,
};
struct surface {
    enum surface_kind kind;
    fterm term;
    bool marked, square; // square: of kid 0, a function's call
    const char *text;
    const struct fname *op;
    uint32_t n, n_axes;
    const struct surface **kid;
    const char **axis;
};
struct surface_let {
    const char *name;
    const struct surface *value;
};
struct surface_tree {
    struct arena mem;
    const struct surface *root;
    VEC(struct surface_let) lets; // a definition may use earlier ones
    bool over;                    // the tree was too large and is incomplete
};

struct print_options {
    bool lets;
    // The place to mark, as numbers of arguments from the root; NULL: none.
    const uint32_t *path;
    uint32_t n_path;
};

// Chooses a tree that reads back to the term; see above.
void surface_choose(const struct formula *formula, const struct fdefines *defs, fterm term,
                    const struct print_options *options, struct surface_tree *out);
// As surface_choose, without reading back: for assumptions in the head.
void surface_of_given(const struct formula *formula, fterm cond, struct surface_tree *out);
// The cost of the cheapest way to write the term, with axes implied as far as
// possible.
uint32_t surface_cost(const struct formula *formula, const struct fdefines *defs, fterm term);
void surface_release(struct surface_tree *tree);
void surface_text(const struct surface_tree *tree, struct buf *out);
// As formula_print, with a place marked: class="changed" in MathML.
void formula_print_marked(const struct formula *formula, const struct fdefines *defs, fterm term,
                          enum notation notation, const struct print_options *options,
                          struct buf *out);

// Prints the shorter one of the decimal and the fraction of a number.

// Does the printed text of a whole formula mean the term, and does it have the
// shape of the formula?  No if axes remain that no variable has.
bool formula_prints(const struct formula *formula, const struct fdefines *defs, fterm term);

#endif
