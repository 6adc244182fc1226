// SPDX-License-Identifier: Apache-2.0
// Ways to write a term: of formula/print/ways.c and formula/print/tree.c alone.
#ifndef FORMULA_PRINT_WAYS_H
#define FORMULA_PRINT_WAYS_H

#include "formula/print/print.h"

enum {
    MAX_RANK = 12,
    MAX_WAYS = 12,
    COST_WRONG_SHAPE = 1000,
};

// What may go without saying.
enum print_mode {
    MODE_RENAMED, // the axes of an operand of matmul are not those declared
    MODE_SHORT,
    MODE_INDEXED, // nothing
    N_MODES
};

enum way_kind { HOW_LEAF, HOW_BARE, HOW_PLAIN, HOW_AXES, HOW_MATMUL, HOW_TR };
// What has elements has no positions: `shape` is then a set, ascending.
struct way {
    uint8_t rank;
    bool elements;
    uint32_t shape[MAX_RANK]; // axes by number in `axes`; 0: extent 1
    uint32_t cost;
    enum way_kind how;
    const uint32_t *kid; // ways of the arguments; of TR: of the same term
};
struct ways {
    uint32_t n;
    struct way at[MAX_WAYS];
};

struct way_chooser {
    const struct formula *formula;
    const struct fdefines *defs;
    const struct fterms *terms;
    enum print_mode mode;
    struct arena mem;
    struct intern axes;
    struct ways **of; // by term
    const char **let; // name, by term
    // What is built.
    struct surface_tree *out;
    uint32_t n_built;
};

struct axis_list {
    struct way_chooser *chooser;
    uint32_t n, at[MAX_RANK];
    bool over;
};

// Of a term whose arguments have theirs.
void ways_find(struct way_chooser *chooser, fterm term);
// The axes of a set, or of an element.
struct axis_list ways_axes(struct way_chooser *chooser, fterm term);
const struct fvariable *ways_variable(const struct formula *formula, const char *name, size_t len);
// Is its first argument a set of axes?
bool ways_has_set(const struct fterms *terms, fterm term);
bool ways_has_axis(const struct way *way, uint32_t axis);
// The cheapest.
uint32_t ways_least(const struct ways *ways);

#endif
