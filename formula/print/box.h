// SPDX-License-Identifier: Apache-2.0
// Boxes: a formula in two dimensions, from which LaTeX or MathML is printed.
#ifndef FORMULA_PRINT_BOX_H
#define FORMULA_PRINT_BOX_H

#include "formula/print/print.h"

enum box_kind {
    BOX_IDENT,  // a letter; LaTeX in text, the character in sign
    BOX_WORD,   // upright: a name of several letters
    BOX_NUMBER, // digits
    BOX_OP,     // infix; LaTeX in text, the character in sign
    BOX_PREFIX, // prefix operator; as BOX_OP
    BOX_LARGE,  // sum, product
    BOX_FUNC,   // a function's name
    BOX_TIMES,  // a product without a sign
    BOX_TEXT,   // words
    BOX_ROW,    // kids side by side
    BOX_FRAC,   // kid 0 over kid 1
    BOX_SQRT,   // root of kid 0; with kid 1: the kid-1-th root
    BOX_SUP,    // kid 0 to kid 1
    BOX_SUB,
    BOX_UNDER, // kid 1 below the operator or function kid 0
    BOX_FENCE, // kid 0 between text and sign, LaTeX for fences
    BOX_CASES, // pairs of value and condition; the last condition may be missing
    BOX_LINES, // kids one below the other
    BOX_MARK,  // kid 0 has changed
};
struct formula_box {
    enum box_kind kind;
    const char *text, *sign;
    uint32_t n;
    const struct formula_box **kid;
};

// Returns the box, owned by the tree.
const struct formula_box *box_of(struct surface_tree *tree);
void box_latex(const struct formula_box *box, struct buf *out);
void box_mathml(const struct formula_box *box, struct buf *out);

#endif
