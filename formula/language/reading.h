// SPDX-License-Identifier: Apache-2.0
// A formula while it is read.  Each node of the text gets a meaning (resolve.c),
// then a shape and a type (infer.c), then a term (elaborate.c).
//
// Positions of a shape are counted from the last one, as in broadcasting.  A
// position has a size, or extent 1 because a reduction kept it.  Combining
// elements unites sizes.  An expression with written indices (x[i, j] * w[j]) has
// free axes and no positions.  No expression has both: where the two meet,
// positions become the axes that their sizes are declared as.
#ifndef FORMULA_LANGUAGE_READING_H
#define FORMULA_LANGUAGE_READING_H

#include "formula/limits.h"
#include "formula/language/ast.h"
#include "formula/language/formula.h"
#include "formula/terms/axes.h"

enum meaning_kind {
    MEANS_UNUSED,
    MEANS_NUMBER,
    MEANS_VARIABLE, // a variable as a whole: x
    MEANS_ELEMENT,  // x[i, j]
    MEANS_CONSTANT, // pi, true, false
    MEANS_LOG2E,
    MEANS_EXTENT, // N
    MEANS_SIZE,   // size(j)
    MEANS_LET,
    MEANS_OP, // the elementwise operator named `op`
    MEANS_EXP2,
    MEANS_LOG2,
    MEANS_REDUCE, // a reduction by `op`, over its axes or the last position
    MEANS_MATMUL,
    MEANS_TR,
    MEANS_CAT,
    MEANS_DEFINED, // the defined function `def`
};
struct name_meaning {
    enum meaning_kind kind;
    const char *op;
    const struct fdefine *def;
    uint32_t variable;
};
struct formula_shape {
    uint32_t rank;
    uint32_t dim[FORMULA_POSITIONS]; // sizes of positions that are not kept
    uint32_t kept;                   // mask of positions that have extent 1
    struct axis_set free;            // free axes
    bool boolean;
};
struct rvariable {
    const char *name;
    bool fixed;    // the rank is declared, or given by an element
    bool declared; // the variable is declared
    bool operand;  // it must have the rank that it has (rows.c)
    bool reduced;  // it is reduced or joined
    bool number;   // of an undeclared row: it stands for a number somewhere
    uint32_t rank, dim[FORMULA_POSITIONS];
    uint32_t axis[FORMULA_POSITIONS]; // declared axes, from the last one
};
struct raxis {
    const char *name;
    bool declared;
    uint32_t dim;
};
// The size `sum` is that of the two others together.
struct rcat {
    uint32_t sum, first, second, node;
};

struct reading {
    struct ast ast;
    struct formula *formula; // borrowed
    const struct fdefines *defs;
    const char *file;
    struct err *err;
    VEC(struct name_meaning) meaning; // by node
    VEC(struct formula_shape) shape;  // by node
    VEC(struct rvariable) variable;
    VEC(struct raxis) axis;
    struct u32_vec dim;      // a union-find forest; the root is the oldest
    struct u32_vec dim_axis; // by root: its axis, or NONE
    VEC(struct rcat) cat;
    uint32_t n_cats;
    bool report; // failures are reported; false while ranks are being inferred
};
#define NO_AXIS UINT32_MAX

// Finds the meaning of all names.
bool reading_resolve(struct reading *reading);
// Finds the axis of that name.  False: there is none.
bool reading_axis(const struct reading *reading, const char *name, uint32_t *out);
// Infers the shapes and types of all nodes in use.
bool reading_infer(struct reading *reading);
// Marks the names that must be rows (rows.c), once all ranks are known.
void reading_find_rows(struct reading *reading);
uint32_t reading_dim(const struct reading *reading, uint32_t dim); // the root of the size
// Finds the position of a shape that has the axis.  False: there is none.
bool shape_position(const struct reading *reading, const struct formula_shape *shape, uint32_t axis,
                    uint32_t *out);
// Does the shape have a position with a size?
bool shape_open(const struct formula_shape *shape);
// Fails with ERR_INPUT at the place of the node.
bool reading_fail(struct reading *reading, uint32_t node, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
