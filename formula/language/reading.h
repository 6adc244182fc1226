// SPDX-License-Identifier: Apache-2.0
// A formula while it is read.  Each node of the text gets a meaning
// (resolve.c), then a shape and a type (infer.c), then it becomes a term
// (elaborate.c).
//
// Shapes are counted from the last position, as they broadcast.  A position has
// a size, or extent 1 because a reduction kept it.  Sizes are united where
// elements are combined.  An expression with indices written out (x[i, j] *
// w[j]) has no positions: it has free axes.  No expression has both: where the
// two meet, positions become the axes that their sizes are declared as.
#ifndef FORMULA_LANGUAGE_READING_H
#define FORMULA_LANGUAGE_READING_H

#include "formula/limits.h"
#include "formula/language/ast.h"
#include "formula/language/formula.h"

enum meaning_kind {
    MEANS_UNUSED,
    MEANS_NUMBER,
    MEANS_VARIABLE, // whole: x
    MEANS_ELEMENT,  // x[i, j]
    MEANS_CONSTANT, // pi, true, false
    MEANS_LOG2E,
    MEANS_EXTENT, // N
    MEANS_SIZE,   // size(j)
    MEANS_LET,
    MEANS_OP, // elementwise, by the name `op`
    MEANS_EXP2,
    MEANS_LOG2,
    MEANS_REDUCE, // `op`; over its axes, or over the last position
    MEANS_MATMUL,
    MEANS_TR,
    MEANS_CAT,
    MEANS_DEFINED, // `def`
};
struct name_meaning {
    enum meaning_kind kind;
    const char *op;
    const struct fdefine *def;
    uint32_t variable;
};
struct formula_shape {
    uint32_t rank;
    uint32_t dim[FORMULA_POSITIONS]; // of positions that are not kept
    uint32_t kept;                   // bits: the position has extent 1
    uint64_t free;                   // bits: axes by name
    bool boolean;
};
struct rvariable {
    const char *name;
    bool fixed;    // its rank is declared, or written with an element
    bool declared; //
    uint32_t rank, dim[FORMULA_POSITIONS];
    uint32_t axis[FORMULA_POSITIONS]; // declared: from the last
};
struct raxis {
    const char *name;
    bool declared;
    uint32_t dim;
};
// The size of `sum` is that of the two others together.
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
    struct u32_vec dim_axis; // of a root: its axis or NONE
    VEC(struct rcat) cat;
    uint32_t n_cats;
    bool report; // failures count; else ranks are being found
};
#define NO_AXIS UINT32_MAX

// What all names mean.
bool reading_resolve(struct reading *reading);
// The axis of that name; false: there is none.
bool reading_axis(const struct reading *reading, const char *name, uint32_t *out);
// Shapes and types of all nodes that are used.
bool reading_infer(struct reading *reading);
uint32_t reading_dim(const struct reading *reading, uint32_t dim); // its root
// The position of a shape that has the axis; false: none.
bool shape_position(const struct reading *reading, const struct formula_shape *shape, uint32_t axis,
                    uint32_t *out);
// Has it a position with a size?
bool shape_open(const struct formula_shape *shape);
// ERR_INPUT at the node.
bool reading_fail(struct reading *reading, uint32_t node, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
