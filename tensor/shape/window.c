// SPDX-License-Identifier: Apache-2.0
// The shape rule of reduce_window.
#include "tensor/language/attr.h"
#include "tensor/shape/rules.h"
#include <inttypes.h>

static bool window_size(const struct shape_rule *shape_rule, const struct window_attr *attr,
                        uint32_t i, int64_t *out)
{
    struct window window = {.n = type_dims(shape_rule->pool, shape_rule->arg[0])[i],
                            .size = attr->size[i],
                            .stride = attr->stride[i],
                            .low = attr->low[i],
                            .high = attr->high[i],
                            .base = attr->base[i],
                            .dilation = attr->dilation[i]};
    if (window.size < 1)
        return infer_fail(shape_rule,
                          "expected a window size of 1 or more in dimension "
                          "%u, found %" PRId64,
                          i, window.size);
    return window_count(&window, out) ||
           infer_fail(shape_rule,
                      "expected a stride and dilations of 1 or more and fewer "
                      "than 2^62 windows in dimension %u, found stride "
                      "%" PRId64 ", padding %" PRId64 " and %" PRId64 ", dilations %" PRId64
                      " and %" PRId64,
                      i, window.stride, window.low, window.high, window.base, window.dilation);
}

bool infer_reduce_window(struct shape_rule *shape_rule)
{
    struct window_attr attr;
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    int64_t dims[TENSOR_MAX_RANK];
    if (!window_attr_read(shape_rule->n_attr, shape_rule->attr, rank, &attr))
        return infer_fail(shape_rule,
                          "expected a reducer and %u attribute values "
                          "(rank %u), found %u",
                          6 * rank, rank, shape_rule->n_attr);
    if (!infer_check_reducer(shape_rule, attr.reducer) ||
        !infer_check_scalar(shape_rule, "an init of rank 0 and the operand's element type"))
        return false;
    for (uint32_t i = 0; i < rank; i++)
        if (!window_size(shape_rule, &attr, i, &dims[i]))
            return false;
    return infer_result(shape_rule, type_elem(shape_rule->pool, shape_rule->arg[0]), rank, dims);
}
