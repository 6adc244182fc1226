// SPDX-License-Identifier: Apache-2.0
// The shape rules of slices at run-time starts, and of the operators that keep
// the elements and change the type: reshape and bitcast_convert.
#include "tensor/shape/rules.h"
#include <inttypes.h>

// Operands from `first` on: one start for each dimension, of rank 0 and of one
// integer type.
static bool check_starts(const struct shape_rule *x, uint32_t first)
{
    uint32_t rank = type_rank(x->p, x->arg[0]);
    if (x->n != first + rank)
        return infer_fail(x, "expected %u operands (rank %u), found %u",
                          first + rank, rank, x->n);
    for (uint32_t i = first; i < x->n; i++) {
        enum elem_kind kind = elem_kind(type_elem(x->p, x->arg[i]));
        if (type_rank(x->p, x->arg[i]) != 0 ||
            (kind != KIND_SINT && kind != KIND_UINT))
            return infer_fail_type(x, "an integer start of rank 0", x->arg[i]);
        if (x->arg[i].v != x->arg[first].v)
            return infer_fail_types(x, "a start", x->arg[first], x->arg[i]);
    }
    return true;
}

bool infer_dynamic_slice(struct shape_rule *x)
{
    if (x->n < 1)
        return infer_fail(x, "expected an operand, found none");
    uint32_t rank = type_rank(x->p, x->arg[0]);
    if (!infer_check_per_dim(x, 1) || !check_starts(x, 1))
        return false;
    const int64_t *from = type_dims(x->p, x->arg[0]);
    int64_t dims[MAX_RANK];
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = x->attr[i];
        if (dims[i] < 0 || dims[i] > from[i])
            return infer_fail(x,
                              "expected 0 <= size <= %" PRId64
                              " in dimension %u, found %" PRId64,
                              from[i], i, dims[i]);
    }
    return infer_result(x, type_elem(x->p, x->arg[0]), rank, dims);
}

bool infer_dynamic_update_slice(struct shape_rule *x)
{
    if (x->n < 2)
        return infer_fail(x,
                          "expected an operand and an update, found %u "
                          "operands",
                          x->n);
    if (x->n_attr != 0)
        return infer_fail(x, "expected 0 attribute values, found %u",
                          x->n_attr);
    uint32_t rank = type_rank(x->p, x->arg[0]);
    if (!infer_check_elem(x, 1) || !check_starts(x, 2))
        return false;
    if (type_rank(x->p, x->arg[1]) != rank)
        return infer_fail(x, "expected an update of rank %u, found %u", rank,
                          type_rank(x->p, x->arg[1]));
    const int64_t *from = type_dims(x->p, x->arg[0]);
    const int64_t *update = type_dims(x->p, x->arg[1]);
    for (uint32_t i = 0; i < rank; i++)
        if (update[i] > from[i])
            return infer_fail(x,
                              "expected at most %" PRId64
                              " in dimension %u of the update, found %" PRId64,
                              from[i], i, update[i]);
    x->out = x->arg[0];
    return true;
}

bool infer_reshape(struct shape_rule *x)
{
    if (x->n_attr != 0)
        return infer_fail(x, "expected 0 attribute values, found %u",
                          x->n_attr);
    if (type_elem(x->p, x->arg[0]) != type_elem(x->p, x->want) ||
        type_count(x->p, x->arg[0]) != type_count(x->p, x->want))
        return infer_fail_types(x, "an operand with the elements", x->want,
                                x->arg[0]);
    x->out = x->want;
    return true;
}

// The first `rank` dimensions of both are equal.
static bool same_leading(const struct pool *p, type_id a, type_id b,
                         uint32_t rank)
{
    for (uint32_t i = 0; i < rank; i++)
        if (type_dims(p, a)[i] != type_dims(p, b)[i])
            return false;
    return true;
}

// Whether type `many` has the shape of `one` and behind it a dimension of as
// many elements as share the bits of one.
static bool splits(const struct pool *p, type_id one, type_id many)
{
    uint32_t rank = type_rank(p, one);
    unsigned whole = elem_bits(type_elem(p, one));
    unsigned part = elem_bits(type_elem(p, many));
    return type_rank(p, many) == rank + 1 && same_leading(p, one, many, rank) &&
           type_dims(p, many)[rank] == whole / part && whole % part == 0;
}

bool infer_bitcast(struct shape_rule *x)
{
    type_id from = x->arg[0], to = x->want;
    unsigned a = elem_bits(type_elem(x->p, from));
    unsigned b = elem_bits(type_elem(x->p, to));
    if (x->n_attr != 0)
        return infer_fail(x, "expected 0 attribute values, found %u",
                          x->n_attr);
    if (a == 0 || b == 0)
        return infer_fail_type(x, "elements that have bits", a ? to : from);
    bool ok = a == b  ? type_same_shape(x->p, from, to)
              : a > b ? splits(x->p, from, to)
                      : splits(x->p, to, from);
    if (!ok)
        return infer_fail_types(x, "an operand with the bits", to, from);
    x->out = to;
    return true;
}
