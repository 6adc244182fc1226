// SPDX-License-Identifier: Apache-2.0
// From a named term to what stands on paper.  First a surface tree is chosen:
// where an axis is named and where it goes without saying (x or x[i, j],
// sum(x) or sum[j](x), matmul or a sum of products).  Each term has a few
// ways to be written, told apart by the shape that the text would have; the
// cheapest way to the shape that is asked for is taken, and read back: should
// that not give the term, axes are named everywhere.  Then the tree becomes
// text, or boxes (box.h), which are LaTeX or MathML.
#ifndef FORMULA_PRINT_PRINT_H
#define FORMULA_PRINT_PRINT_H

#include "formula/language/formula.h"
#include "formula/terms/names.h"

enum surface_kind {
    SURFACE_NUMBER,
    SURFACE_NAME,    // a variable, an extent, pi, true, a definition
    SURFACE_INDEXED, // text[axes]
    SURFACE_SIZE,    // size(axes)
    SURFACE_OP,      // infix or prefix
    SURFACE_CALL,    // text(kids) or text[axes](kids)
    SURFACE_REDUCE,  // the same for sum, max ..
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
    VEC(struct surface_let) lets; // each uses earlier ones
    bool over;                    // cut off: too large
};

struct print_options {
    bool lets;
    // The place to mark, as numbers of arguments from the root on; NULL: none.
    const uint32_t *path;
    uint32_t n_path;
};

// Of a term that reads back; see above.
void surface_choose(const struct formula *formula, const struct fdefines *defs, fterm term,
                    const struct print_options *options, struct surface_tree *out);
// The same without reading back: for the head itself.
void surface_of_given(const struct formula *formula, fterm cond, struct surface_tree *out);
// What naming of axes term cannot do without: the cost of its cheapest way.
uint32_t surface_cost(const struct formula *formula, const struct fdefines *defs, fterm term);
void surface_release(struct surface_tree *tree);
void surface_text(const struct surface_tree *tree, struct buf *out);
// Like formula_print, with a place marked: class="changed" in MathML.
void formula_print_marked(const struct formula *formula, const struct fdefines *defs, fterm term,
                          enum notation notation, const struct print_options *options,
                          struct buf *out);

// The shorter one of decimal and fraction of a number's name.
void number_text(const char *name, struct buf *out);

// Does the text that is printed for a whole formula mean the term, and has it
// the formula's shape?  Not where axes are left that no variable has.
bool formula_prints(const struct formula *formula, const struct fdefines *defs, fterm term);

#endif
