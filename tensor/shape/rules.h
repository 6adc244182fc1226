// SPDX-License-Identifier: Apache-2.0
// Internal to tensor/shape: the functions that the shape rules share.  Users
// include infer.h.
#ifndef TENSOR_SHAPE_RULES_H
#define TENSOR_SHAPE_RULES_H

#include "base/err.h"
#include "tensor/shape/infer.h"
#include <stdarg.h>

// One call of infer_type.  `attr` points into the pool, and is valid until infer_result,
// which each rule calls last.
struct shape_rule {
    struct pool *pool;
    enum op op;
    uint32_t n_attr;
    const int64_t *attr;
    type_id want;
    uint32_t n;
    const type_id *arg;
    type_id out;
    struct err *err;
};

// Each of these functions writes the message "operator: ..." and returns false.
bool infer_fail(const struct shape_rule *shape_rule, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool infer_fail_type(const struct shape_rule *shape_rule, const char *expected, type_id found);
bool infer_fail_types(const struct shape_rule *shape_rule, const char *what, type_id expected,
                      type_id found);

// Checks that `n` attribute values name distinct (and ascending) dimensions of a tensor
// of the rank.
bool infer_check_distinct(const struct shape_rule *shape_rule, uint32_t n, const int64_t *dims,
                          uint32_t rank);
bool infer_check_ascending(const struct shape_rule *shape_rule, uint32_t n, const int64_t *dims,
                           uint32_t rank);
// Checks that the attributes are `lists` lists, each with one value a dimension.
bool infer_check_per_dim(const struct shape_rule *shape_rule, uint32_t lists);
// Checks that operand 1 has rank 0 and the element type of operand 0.
bool infer_check_scalar(const struct shape_rule *shape_rule, const char *what);
// Checks that the operand has the element type of operand 0.
bool infer_check_elem(const struct shape_rule *shape_rule, uint32_t operand);
// Checks that an attribute is a reducer of the element type of operand 0.
bool infer_check_reducer(const struct shape_rule *shape_rule, int64_t op);

// Sets the result to a tensor type, if there is such a type.
bool infer_result(struct shape_rule *shape_rule, enum elem elem, uint32_t rank,
                  const int64_t *dims);

bool infer_broadcast(struct shape_rule *shape_rule);
bool infer_transpose(struct shape_rule *shape_rule);
bool infer_reverse(struct shape_rule *shape_rule);
bool infer_slice(struct shape_rule *shape_rule);
bool infer_pad(struct shape_rule *shape_rule);
bool infer_concatenate(struct shape_rule *shape_rule);
bool infer_reduce(struct shape_rule *shape_rule);
// tensor/shape/contract.c
bool infer_dot(struct shape_rule *shape_rule);
bool infer_convolution(struct shape_rule *shape_rule);
// tensor/shape/window.c
bool infer_reduce_window(struct shape_rule *shape_rule);
// tensor/shape/dynamic.c
bool infer_dynamic_slice(struct shape_rule *shape_rule);
bool infer_dynamic_update_slice(struct shape_rule *shape_rule);
bool infer_reshape(struct shape_rule *shape_rule);
bool infer_bitcast(struct shape_rule *shape_rule);
// tensor/shape/gather.c
bool infer_gather(struct shape_rule *shape_rule);
bool infer_scatter(struct shape_rule *shape_rule);

#endif
