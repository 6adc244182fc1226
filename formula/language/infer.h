// SPDX-License-Identifier: Apache-2.0
// Between infer.c and infer_reduce.c; nobody else's.
#ifndef FORMULA_LANGUAGE_INFER_H
#define FORMULA_LANGUAGE_INFER_H

#include "formula/language/reading.h"

// Shapes that mean nothing stay what they are until ranks are known.
#define READING_FAIL(r, node, ...) ((r)->report ? reading_fail(r, node, __VA_ARGS__) : true)

uint32_t reading_new_dim(struct reading *reading, uint32_t axis);
// Both sizes are one.  Of two axes a declared one, else the older one names it.
bool reading_unite(struct reading *reading, uint32_t node, uint32_t x, uint32_t y);
// The positions of an operand become the axes that their sizes are named by.
bool reading_name_positions(struct reading *reading, uint32_t node, uint32_t arg, uint64_t *free);
// Positions of args from `from` on, aligned at the last one.
bool reading_align(struct reading *reading, uint32_t node, uint32_t from,
                   struct formula_shape *out);
// Positions, or free axes if an operand has some.
bool reading_combine(struct reading *reading, uint32_t node, struct formula_shape *out);
uint64_t reading_axes_bits(const struct reading *reading, uint32_t node);
bool reading_reduce(struct reading *reading, uint32_t node, struct formula_shape *shape);
bool reading_matmul(struct reading *reading, uint32_t node, struct formula_shape *out);
bool reading_tr(struct reading *reading, uint32_t node, struct formula_shape *out);
bool reading_cat(struct reading *reading, uint32_t node, struct formula_shape *out);
// The same sizes joined give one size; and no size has itself as a part, since
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
