// SPDX-License-Identifier: Apache-2.0
// The shape rule of reduce_window.
#include "tensor/language/attr.h"
#include "tensor/shape/rules.h"
#include <inttypes.h>

static bool window_size(const struct shape_rule *x, const struct window_attr *a,
                        uint32_t i, int64_t *out)
{
    struct window w = {.n = type_dims(x->p, x->arg[0])[i],
                       .size = a->size[i],
                       .stride = a->stride[i],
                       .low = a->low[i],
                       .high = a->high[i],
                       .base = a->base[i],
                       .dilation = a->dilation[i]};
    if (w.size < 1)
        return infer_fail(x,
                          "expected a window size of 1 or more in dimension "
                          "%u, found %" PRId64,
                          i, w.size);
    return window_count(&w, out) ||
           infer_fail(x,
                      "expected a stride and dilations of 1 or more and fewer "
                      "than 2^62 windows in dimension %u, found stride "
                      "%" PRId64 ", padding %" PRId64 " and %" PRId64
                      ", dilations %" PRId64 " and %" PRId64,
                      i, w.stride, w.low, w.high, w.base, w.dilation);
}

bool infer_reduce_window(struct shape_rule *x)
{
    struct window_attr a;
    uint32_t rank = type_rank(x->p, x->arg[0]);
    int64_t dims[MAX_RANK];
    if (!window_attr_read(x->n_attr, x->attr, rank, &a))
        return infer_fail(x,
                          "expected a reducer and %u attribute values "
                          "(rank %u), found %u",
                          6 * rank, rank, x->n_attr);
    if (!infer_check_reducer(x, a.reducer) ||
        !infer_check_scalar(x,
                            "an init of rank 0 and the operand's element type"))
        return false;
    for (uint32_t i = 0; i < rank; i++)
        if (!window_size(x, &a, i, &dims[i]))
            return false;
    return infer_result(x, type_elem(x->p, x->arg[0]), rank, dims);
}
