// SPDX-License-Identifier: Apache-2.0
// Steps of accumulation, which bound the time that an operator takes, and
// reduce_window.
#include "tensor/language/attr.h"
#include "tensor/eval/parts.h"

bool index_next(uint32_t rank, const int64_t *dims, int64_t *index)
{
    for (uint32_t k = rank; k-- > 0;) {
        if (++index[k] < dims[k])
            return true;
        index[k] = 0;
    }
    return false;
}

static int64_t times(int64_t a, int64_t b)
{
    int64_t r;
    return __builtin_mul_overflow(a, b, &r) ? INT64_MAX : r;
}

static int64_t dot_depth(const struct pool *pool, attr_id attr, const type_id *args)
{
    struct dot_attr a;
    int64_t n = 1;
    if (!dot_attr_read(attr_len(pool, attr), attr_at(pool, attr), &a))
        return 0;
    for (uint32_t i = 0; i < a.nc && n; i++)
        n = times(n, type_dims(pool, args[0])[a.lhs_contracting[i]]);
    return n;
}

static int64_t conv_depth(const struct pool *pool, attr_id attr, const type_id *args)
{
    struct conv_attr a;
    int64_t n = 1;
    if (!conv_attr_read(attr_len(pool, attr), attr_at(pool, attr), &a))
        return 0;
    for (uint32_t i = 0; i < a.nf && n; i++)
        n = times(n, type_dims(pool, args[1])[a.kernel_feature[i]]);
    for (uint32_t i = 0; i < a.ns && n; i++)
        n = times(n, type_dims(pool, args[1])[a.kernel_spatial[i]]);
    return n;
}

static int64_t window_depth(const struct pool *pool, attr_id attr, const type_id *args)
{
    struct window_attr a;
    int64_t n = 1;
    uint32_t rank = type_rank(pool, args[0]);
    if (!window_attr_read(attr_len(pool, attr), attr_at(pool, attr), rank, &a))
        return 0;
    for (uint32_t i = 0; i < rank; i++)
        n = times(n, a.size[i]);
    return n;
}

int64_t eval_steps(const struct pool *pool, enum op op, attr_id attr, type_id type,
                   const type_id *args)
{
    int64_t count = type_count(pool, type);
    switch (op) {
    case OP_DOT_GENERAL:
        return count ? times(count, dot_depth(pool, attr, args)) : 0;
    case OP_CONVOLUTION:
        return count ? times(count, conv_depth(pool, attr, args)) : 0;
    case OP_REDUCE_WINDOW:
        return count ? times(count, window_depth(pool, attr, args)) : 0;
    case OP_REDUCE:
        return type_count(pool, args[0]);
    case OP_SCATTER:
        return type_count(pool, args[2]);
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return count;
}

struct slide {
    struct window window[TENSOR_MAX_RANK];
    int64_t size[TENSOR_MAX_RANK], step[TENSOR_MAX_RANK];
    uint32_t rank;
    struct scalar_step f;
    const struct value *args;
};

static bool slide_cell(const struct slide *slide, const int64_t *place, struct scalar *acc,
                       struct err *err)
{
    struct scalar init = *acc;
    int64_t index[TENSOR_MAX_RANK] = {0};
    do {
        int64_t at = 0;
        bool padding = false;
        for (uint32_t i = 0; i < slide->rank; i++) {
            int64_t k = window_at(&slide->window[i], place[i], index[i]);
            padding |= k < 0;
            at += k * slide->step[i];
        }
        struct scalar pair[2] = {*acc, init};
        if (!padding)
            pair[1] = scalar_load(slide->f.in, slide->args[0].data, (size_t)at);
        if (!scalar_step_eval(&slide->f, pair, acc, err))
            return false;
    } while (index_next(slide->rank, slide->size, index));
    return true;
}

// Each window is folded in row-major order, beginning with init, the
// accumulator on the left; padding and the holes of dilation are init too.
bool window_eval(const struct pool *pool, attr_id attr, bool exact, const struct value *args,
                 struct value *out, struct err *err)
{
    struct window_attr a;
    struct slide slide = {.rank = type_rank(pool, out->type), .args = args};
    enum elem elem = type_elem(pool, out->type);
    int64_t place[TENSOR_MAX_RANK] = {0}, count = type_count(pool, out->type);
    if (!window_attr_read(attr_len(pool, attr), attr_at(pool, attr), slide.rank, &a))
        return err_set(err, ERR_INPUT, "reduce_window without its attributes");
    slide.f =
        (struct scalar_step){.op = (enum op)a.reducer, .in = elem, .out = elem, .exact = exact};
    if (type_count(pool, args[0].type) > 0)
        row_strides(pool, args[0].type, slide.step);
    for (uint32_t i = 0; i < slide.rank; i++) {
        slide.window[i] = (struct window){.n = type_dims(pool, args[0].type)[i],
                                          .size = a.size[i],
                                          .stride = a.stride[i],
                                          .low = a.low[i],
                                          .high = a.high[i],
                                          .base = a.base[i],
                                          .dilation = a.dilation[i]};
        slide.size[i] = a.size[i];
    }
    for (int64_t i = 0; i < count; i++) {
        struct scalar acc = scalar_load(elem, args[1].data, 0);
        if (!slide_cell(&slide, place, &acc, err))
            return false;
        scalar_store(elem, out->data, (size_t)i, acc);
        index_next(slide.rank, type_dims(pool, out->type), place);
    }
    return true;
}
