// SPDX-License-Identifier: Apache-2.0
// The shape rules of slices at run-time starts, and of the operators that keep
// the elements and change the type: reshape and bitcast_convert.
#include "tensor/shape/rules.h"
#include <inttypes.h>

// Operands from `first` on: one start for each dimension, of rank 0 and of one
// integer type.
static bool check_starts(const struct shape_rule *shape_rule, uint32_t first)
{
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    if (shape_rule->n != first + rank)
        return infer_fail(shape_rule, "expected %u operands (rank %u), found %u", first + rank,
                          rank, shape_rule->n);
    for (uint32_t i = first; i < shape_rule->n; i++) {
        enum elem_kind kind = elem_kind(type_elem(shape_rule->pool, shape_rule->arg[i]));
        if (type_rank(shape_rule->pool, shape_rule->arg[i]) != 0 ||
            (kind != KIND_SINT && kind != KIND_UINT))
            return infer_fail_type(shape_rule, "an integer start of rank 0", shape_rule->arg[i]);
        if (shape_rule->arg[i].v != shape_rule->arg[first].v)
            return infer_fail_types(shape_rule, "a start", shape_rule->arg[first],
                                    shape_rule->arg[i]);
    }
    return true;
}

bool infer_dynamic_slice(struct shape_rule *shape_rule)
{
    if (shape_rule->n < 1)
        return infer_fail(shape_rule, "expected an operand, found none");
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    if (!infer_check_per_dim(shape_rule, 1) || !check_starts(shape_rule, 1))
        return false;
    const int64_t *from = type_dims(shape_rule->pool, shape_rule->arg[0]);
    int64_t dims[TENSOR_MAX_RANK];
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = shape_rule->attr[i];
        if (dims[i] < 0 || dims[i] > from[i])
            return infer_fail(shape_rule,
                              "expected 0 <= size <= %" PRId64 " in dimension %u, found %" PRId64,
                              from[i], i, dims[i]);
    }
    return infer_result(shape_rule, type_elem(shape_rule->pool, shape_rule->arg[0]), rank, dims);
}

bool infer_dynamic_update_slice(struct shape_rule *shape_rule)
{
    if (shape_rule->n < 2)
        return infer_fail(shape_rule,
                          "expected an operand and an update, found %u "
                          "operands",
                          shape_rule->n);
    if (shape_rule->n_attr != 0)
        return infer_fail(shape_rule, "expected 0 attribute values, found %u", shape_rule->n_attr);
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    if (!infer_check_elem(shape_rule, 1) || !check_starts(shape_rule, 2))
        return false;
    if (type_rank(shape_rule->pool, shape_rule->arg[1]) != rank)
        return infer_fail(shape_rule, "expected an update of rank %u, found %u", rank,
                          type_rank(shape_rule->pool, shape_rule->arg[1]));
    const int64_t *from = type_dims(shape_rule->pool, shape_rule->arg[0]);
    const int64_t *update = type_dims(shape_rule->pool, shape_rule->arg[1]);
    for (uint32_t i = 0; i < rank; i++)
        if (update[i] > from[i])
            return infer_fail(shape_rule,
                              "expected at most %" PRId64
                              " in dimension %u of the update, found %" PRId64,
                              from[i], i, update[i]);
    shape_rule->out = shape_rule->arg[0];
    return true;
}

bool infer_reshape(struct shape_rule *shape_rule)
{
    if (shape_rule->n_attr != 0)
        return infer_fail(shape_rule, "expected 0 attribute values, found %u", shape_rule->n_attr);
    if (type_elem(shape_rule->pool, shape_rule->arg[0]) !=
            type_elem(shape_rule->pool, shape_rule->want) ||
        type_count(shape_rule->pool, shape_rule->arg[0]) !=
            type_count(shape_rule->pool, shape_rule->want))
        return infer_fail_types(shape_rule, "an operand with the elements", shape_rule->want,
                                shape_rule->arg[0]);
    shape_rule->out = shape_rule->want;
    return true;
}

// The first `rank` dimensions of both are equal.
static bool same_leading(const struct pool *pool, type_id a, type_id b, uint32_t rank)
{
    for (uint32_t i = 0; i < rank; i++)
        if (type_dims(pool, a)[i] != type_dims(pool, b)[i])
            return false;
    return true;
}

// Does type `many` have the shape of `one` with one more dimension at the end, whose size
// is the number of elements that share the bits of one element?
static bool splits(const struct pool *pool, type_id one, type_id many)
{
    uint32_t rank = type_rank(pool, one);
    unsigned whole = elem_bits(type_elem(pool, one));
    unsigned part = elem_bits(type_elem(pool, many));
    return type_rank(pool, many) == rank + 1 && same_leading(pool, one, many, rank) &&
           type_dims(pool, many)[rank] == whole / part && whole % part == 0;
}

bool infer_bitcast(struct shape_rule *shape_rule)
{
    type_id from = shape_rule->arg[0], to = shape_rule->want;
    unsigned a = elem_bits(type_elem(shape_rule->pool, from));
    unsigned b = elem_bits(type_elem(shape_rule->pool, to));
    if (shape_rule->n_attr != 0)
        return infer_fail(shape_rule, "expected 0 attribute values, found %u", shape_rule->n_attr);
    if (a == 0 || b == 0)
        return infer_fail_type(shape_rule, "elements that have bits", a ? to : from);
    bool ok = a == b  ? type_same_shape(shape_rule->pool, from, to)
              : a > b ? splits(shape_rule->pool, from, to)
                      : splits(shape_rule->pool, to, from);
    if (!ok)
        return infer_fail_types(shape_rule, "an operand with the bits", to, from);
    shape_rule->out = to;
    return true;
}
