// SPDX-License-Identifier: Apache-2.0
// A window on a term: its upper operators, with the parts below them as variables.
// Equal parts are equal variables with the part's free axes.  Names of axes and of
// variables are new ones, by the order in which they are met, so that windows that
// differ in names only are one term.
#ifndef SIMPLIFY_WINDOW_H
#define SIMPLIFY_WINDOW_H

#include "formula/language/formula.h"
#include "proof/formula/terms.h"

struct window_leaf {
    fterm leaf, part; // a variable or a set of axes, and what it stands for
};
struct window {
    struct fterms *terms;       // of the window
    const struct fterms *store; // of the formula
    fterm root;
    VEC(struct window_leaf) leaves;
    struct u32_vec reached, image; // terms of the store, and of the window
};

// Fails if the term has axes beyond all limits.  `budget`: operators.  `cost` says what a part
// costs to read, in whole units.
struct part_axes {
    VEC(const char *) name; // each once
};
struct window_maker {
    struct fterms *terms;
    const struct fterms *store;
    const struct part_axes *axes; // of the formula's variables
    struct fsorts *sorts;         // with all terms of the formula's store that are asked for
    uint32_t (*cost)(const void *ctx, fterm part);
    bool (*closed)(const void *ctx, fterm part); // stays a part, if it is not the root
    bool short_sums;    // of a sum within a sum, a maximum within a maximum: it stays a part
    uint32_t root_sums; // but for so many sums and differences within each other at the root
    const void *ctx;
};
bool part_window_make(struct window *window, const struct window_maker *maker, fterm root,
                      uint32_t budget);
void part_window_release(struct window *window);
// The window's term for a condition about what is in it; NO_FTERM: there is none.
fterm part_window_condition(const struct window *window, fterm cond);
// What a term of the window stands for; NO_FTERM: nothing.
fterm part_window_meaning(const struct window *window, struct fterms *store, fterm term);
// That of a leaf by its name; NO_FTERM: itself.
fterm part_window_leaf_part(const struct window *window, const char *name, uint32_t len);
// What the variable's part costs; 0: the name is none of a window's variables.
uint32_t part_window_variable_cost(const char *name);

#endif
