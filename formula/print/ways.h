// SPDX-License-Identifier: Apache-2.0
// Ways to write a term.  Internal to formula/print/ways.c and
// formula/print/tree.c.
#ifndef FORMULA_PRINT_WAYS_H
#define FORMULA_PRINT_WAYS_H

#include "formula/limits.h"
#include "formula/print/print.h"

enum {
    COST_WRONG_SHAPE = 1000,
};

// Which axes may be implied.
enum print_mode {
    MODE_RENAMED, // operands of matmul may have other axes than declared
    MODE_SHORT,
    MODE_INDEXED, // no axis is implied
    N_MODES
};

enum way_kind { HOW_LEAF, HOW_BARE, HOW_PLAIN, HOW_AXES, HOW_MATMUL, HOW_TR };
// One way.  A way with elements has no positions; `shape` is then a set,
// ascending.
struct way {
    uint8_t rank;
    bool elements;
    uint32_t shape[PRINT_RANK]; // axes by number in `axes`; 0: extent 1
    uint32_t cost;
    enum way_kind how;
    const uint32_t *kid; // ways of the arguments; for TR: a way of the same term
};
struct ways {
    uint32_t n;
    struct way at[PRINT_WAYS];
};

struct way_chooser {
    const struct formula *formula;
    const struct fdefines *defs;
    const struct fterms *terms;
    enum print_mode mode;
    struct arena mem;
    struct intern axes;
    struct ways **of; // ways by term
    const char **let; // name of the definition, by term
    // The tree that is built.
    struct surface_tree *out;
    uint32_t n_built;
};

struct axis_list {
    struct way_chooser *chooser;
    uint32_t n, at[PRINT_RANK];
    bool over;
};

// Finds the ways of a term whose arguments have theirs.
void ways_find(struct way_chooser *chooser, fterm term);
// The axes of a set, or of an element.
struct axis_list ways_axes(struct way_chooser *chooser, fterm term);
const struct fvariable *ways_variable(const struct formula *formula, const char *name, size_t len);
// Is the first argument of the operator a set of axes?
bool ways_has_set(const struct fterms *terms, fterm term);
bool ways_has_axis(const struct way *way, uint32_t axis);
// The cheapest way.
uint32_t ways_least(const struct ways *ways);

#endif
