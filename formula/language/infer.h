// SPDX-License-Identifier: Apache-2.0
// Internal to inference (infer.c and infer_reduce.c).
#ifndef FORMULA_LANGUAGE_INFER_H
#define FORMULA_LANGUAGE_INFER_H

#include "formula/language/reading.h"

// An ill-formed shape is left as it is until ranks are known.
#define READING_FAIL(r, node, ...) ((r)->report ? reading_fail(r, node, __VA_ARGS__) : true)

uint32_t reading_new_dim(struct reading *reading, uint32_t axis);
// Unites two sizes.  Of two axes a declared one gives the name, else the older
// one.
bool reading_unite(struct reading *reading, uint32_t node, uint32_t x, uint32_t y);
// Turns the positions of an operand into the axes that name their sizes.
bool reading_name_positions(struct reading *reading, uint32_t node, uint32_t arg,
                            struct axis_set *free);
// The common positions of arguments from `from` on, aligned at the last
// position.
bool reading_align(struct reading *reading, uint32_t node, uint32_t from,
                   struct formula_shape *out);
// The common positions, or the free axes if an operand has some.
bool reading_combine(struct reading *reading, uint32_t node, struct formula_shape *out);
struct axis_set reading_axes_set(const struct reading *reading, uint32_t node);
bool reading_reduce(struct reading *reading, uint32_t node, struct formula_shape *shape);
bool reading_matmul(struct reading *reading, uint32_t node, struct formula_shape *out);
bool reading_tr(struct reading *reading, uint32_t node, struct formula_shape *out);
bool reading_cat(struct reading *reading, uint32_t node, struct formula_shape *out);
// Equal pairs of sizes join to one size.  No size may contain itself, since
// every axis has an index.
bool reading_settle_cats(struct reading *reading);

static inline const uint32_t *reading_args(const struct reading *reading, uint32_t node)
{
    return reading->ast.arg.at + reading->ast.node.at[node].at;
}

static inline const struct formula_shape *reading_arg_shape(const struct reading *reading,
                                                            uint32_t node, uint32_t i)
{
    return &reading->shape.at[reading_args(reading, node)[i]];
}

#endif
