// SPDX-License-Identifier: Apache-2.0
// Internal to the builder: the functions that build_nodes.c, build_reduce.c,
// build_index.c and build_indexed.c share.  Users include instance.h.
#ifndef RULES_INSTANCE_BUILD_H
#define RULES_INSTANCE_BUILD_H

#include "rules/instance/instance.h"

struct build {
    const struct instance *in;
    const struct builder *builder;
    term_id *term; // per pattern node
    struct err *err;
};

// The pattern node that is being built.  `args` are its operands, each in the order
// that `place` gives.
struct build_step {
    const struct pat *pattern;
    const struct pat_place *place;
    const struct order *out; // place->out
    uint32_t n;
    const term_id *args;
};

attr_id build_attr(const struct build *build, uint32_t n, const int64_t *values);
bool build_make(struct build *build, struct operation operation, const term_id *args, term_id *out);
bool build_scalar(struct build *build, enum elem elem, struct scalar scalar, term_id *out);
bool build_transposed(struct build *build, term_id term, const struct order *from,
                      const struct order *to, term_id *out);
// Fails: "an attribute or size does not fit in 64 bits, or divides by zero".
bool build_overflow(struct build *build, const struct pat *pattern);
// The type of the node from the inferred shape, in the order `order`.
bool build_type(struct build *build, const struct pat *pattern, const struct order *order,
                type_id *out);
// Positions in `order` of the axes of the classes, ascending.
uint32_t build_positions(const struct build *build, const struct order *order, uint64_t classes,
                         int64_t *dims);
// The one position of the node's one axis.
bool build_position(struct build *build, const struct build_step *step, const struct order *order,
                    int64_t *dim);
// Attribute j of the node at an axis; `other` where the node does not give one.
bool build_attribute(struct build *build, const struct build_step *step, uint32_t axis, uint32_t j,
                     int64_t other, int64_t *value);
// Attribute j at each axis of an order; `other` where the node does not give one.
bool build_attributes(struct build *build, const struct build_step *step, const struct order *order,
                      uint32_t j, int64_t other, int64_t *values);
// The reducer of the node.  Fails if the element type has no such reducer.
bool build_reducer(struct build *build, const struct build_step *step, enum op *op);
// The initial value of a reduction: argument 1, else the unit.
bool build_init(struct build *build, const struct build_step *step, enum op reducer, term_id *out);

// build_index.c.  build_start makes the value of an expression with indices at a
// place of a class, as nodes of the index type.  build_value makes the value of a
// LIT_VALUE.
bool iexp_has_index(const struct rule *rule, const struct iexp *expr);
bool build_start(struct build *build, const struct pat *pattern, const struct iexp *expr,
                 uint32_t cls, uint32_t place, term_id *out);
bool build_value(struct build *build, const struct pat *pattern, term_id *out);

// build_reduce.c
bool build_reduce(struct build *build, const struct build_step *step, term_id *out);
bool build_window(struct build *build, const struct build_step *step, term_id *out);
bool build_dot(struct build *build, const struct build_step *step, term_id *out);
bool build_convolution(struct build *build, const struct build_step *step, term_id *out);

// build_indexed.c
bool build_dynamic_slice(struct build *build, const struct build_step *step, term_id *out);
bool build_dynamic_update(struct build *build, const struct build_step *step, term_id *out);
bool build_gather(struct build *build, const struct build_step *step, term_id *out);
bool build_scatter(struct build *build, const struct build_step *step, term_id *out);

#endif
