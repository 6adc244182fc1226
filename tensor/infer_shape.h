// SPDX-License-Identifier: Apache-2.0
// Inside of the shape rules: what infer.c and infer_shape.c share.  Users
// include infer.h.
#ifndef TENSOR_INFER_SHAPE_H
#define TENSOR_INFER_SHAPE_H

#include "base/err.h"
#include "tensor/infer.h"
#include <stdarg.h>

// One call of infer_type.  `attr` points into the pool: it is good until
// infer_result, which each rule calls last.
struct infer {
    struct pool *p;
    enum op op;
    uint32_t n_attr;
    const int64_t *attr;
    type_id want;
    uint32_t n;
    const type_id *arg;
    type_id out;
    struct err *e;
};

// Each writes "operator: ..." and returns false.
bool infer_fail(const struct infer *x, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool infer_fail_type(const struct infer *x, const char *expected,
                     type_id found);
bool infer_fail_types(const struct infer *x, const char *what, type_id expected,
                      type_id found);

// Sets the result to a tensor type, if there is such a type.
bool infer_result(struct infer *x, enum elem elem, uint32_t rank,
                  const int64_t *dims);

bool infer_broadcast(struct infer *x);
bool infer_transpose(struct infer *x);
bool infer_reverse(struct infer *x);
bool infer_slice(struct infer *x);
bool infer_pad(struct infer *x);
bool infer_concatenate(struct infer *x);
bool infer_reduce(struct infer *x);

#endif
