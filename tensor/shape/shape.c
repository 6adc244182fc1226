// SPDX-License-Identifier: Apache-2.0
// The shape rules of the operators that move elements.  Attributes come from
// programs and rules: no sum or product of them is taken unchecked.
#include "tensor/shape/rules.h"
#include <inttypes.h>

__extension__ typedef __int128 i128;

#define MOST_SIZE (INT64_C(1) << TENSOR_SIZE_BITS)

bool slice_size(int64_t n, int64_t start, int64_t limit, int64_t stride, int64_t *out)
{
    if (start < 0 || limit < start || n < limit || stride < 1)
        return false;
    int64_t span = limit - start;
    *out = span ? (span - 1) / stride + 1 : 0;
    return *out < MOST_SIZE;
}

bool pad_size(int64_t n, int64_t low, int64_t high, int64_t interior, int64_t *out)
{
    if (n < 0 || interior < 0)
        return false;
    i128 size = (i128)n + low + high + (n ? (i128)(n - 1) * interior : 0);
    if (size < 0 || size >= MOST_SIZE)
        return false;
    *out = (int64_t)size;
    return true;
}

bool infer_result(struct shape_rule *shape_rule, enum elem elem, uint32_t rank, const int64_t *dims)
{
    struct err why = {0};
    return type_tensor(shape_rule->pool, elem, rank, dims, &shape_rule->out, &why) ||
           infer_fail(shape_rule, "%s", why.msg);
}

// `n` attribute values that name distinct dimensions of a tensor of the rank.
bool infer_check_distinct(const struct shape_rule *shape_rule, uint32_t n, const int64_t *dims,
                          uint32_t rank)
{
    uint64_t seen = 0;
    if (rank > TENSOR_MAX_RANK)
        return infer_fail(shape_rule, "expected a rank of at most %d, found %u", TENSOR_MAX_RANK,
                          rank);
    for (uint32_t i = 0; i < n; i++) {
        if (dims[i] < 0 || dims[i] >= rank)
            return infer_fail(shape_rule, "expected a dimension below %u, found %" PRId64, rank,
                              dims[i]);
        uint64_t bit = UINT64_C(1) << dims[i];
        if (seen & bit)
            return infer_fail(shape_rule, "expected distinct dimensions, found %" PRId64 " twice",
                              dims[i]);
        seen |= bit;
    }
    return true;
}

bool infer_check_ascending(const struct shape_rule *shape_rule, uint32_t n, const int64_t *dims,
                           uint32_t rank)
{
    if (!infer_check_distinct(shape_rule, n, dims, rank))
        return false;
    for (uint32_t i = 1; i < n; i++)
        if (dims[i] < dims[i - 1])
            return infer_fail(shape_rule,
                              "expected ascending dimensions, found %" PRId64 " behind %" PRId64,
                              dims[i], dims[i - 1]);
    return true;
}

// Attributes that come in `lists` lists, each with one value a dimension.
bool infer_check_per_dim(const struct shape_rule *shape_rule, uint32_t lists)
{
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    if (shape_rule->n_attr != lists * rank)
        return infer_fail(shape_rule, "expected %u attribute values (rank %u), found %u",
                          lists * rank, rank, shape_rule->n_attr);
    return true;
}

bool infer_check_scalar(const struct shape_rule *shape_rule, const char *what)
{
    if (type_rank(shape_rule->pool, shape_rule->arg[1]) != 0 ||
        type_elem(shape_rule->pool, shape_rule->arg[1]) !=
            type_elem(shape_rule->pool, shape_rule->arg[0]))
        return infer_fail_type(shape_rule, what, shape_rule->arg[1]);
    return true;
}

bool infer_check_elem(const struct shape_rule *shape_rule, uint32_t operand)
{
    enum elem want = type_elem(shape_rule->pool, shape_rule->arg[0]);
    enum elem found = type_elem(shape_rule->pool, shape_rule->arg[operand]);
    return want == found || infer_fail(shape_rule,
                                       "expected operand %u with elements of type %s, found "
                                       "%s",
                                       operand, elem_text(want), elem_text(found));
}

bool infer_broadcast(struct shape_rule *shape_rule)
{
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->want);
    if (!infer_check_per_dim(shape_rule, 1) ||
        !infer_check_distinct(shape_rule, shape_rule->n_attr, shape_rule->attr, rank))
        return false;
    if (type_elem(shape_rule->pool, shape_rule->arg[0]) !=
        type_elem(shape_rule->pool, shape_rule->want))
        return infer_fail_types(shape_rule, "an operand with the elements", shape_rule->want,
                                shape_rule->arg[0]);
    const int64_t *from = type_dims(shape_rule->pool, shape_rule->arg[0]);
    const int64_t *to = type_dims(shape_rule->pool, shape_rule->want);
    for (uint32_t i = 0; i < shape_rule->n_attr; i++)
        if (from[i] != 1 && from[i] != to[shape_rule->attr[i]])
            return infer_fail(shape_rule,
                              "expected size 1 or %" PRId64
                              " in dimension %u of the operand, found %" PRId64,
                              to[shape_rule->attr[i]], i, from[i]);
    shape_rule->out = shape_rule->want;
    return true;
}

bool infer_transpose(struct shape_rule *shape_rule)
{
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    if (!infer_check_per_dim(shape_rule, 1) ||
        !infer_check_distinct(shape_rule, rank, shape_rule->attr, rank))
        return false;
    const int64_t *from = type_dims(shape_rule->pool, shape_rule->arg[0]);
    int64_t dims[TENSOR_MAX_RANK];
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = from[shape_rule->attr[i]];
    return infer_result(shape_rule, type_elem(shape_rule->pool, shape_rule->arg[0]), rank, dims);
}

bool infer_reverse(struct shape_rule *shape_rule)
{
    shape_rule->out = shape_rule->arg[0];
    return infer_check_ascending(shape_rule, shape_rule->n_attr, shape_rule->attr,
                                 type_rank(shape_rule->pool, shape_rule->arg[0]));
}

bool infer_slice(struct shape_rule *shape_rule)
{
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    if (!infer_check_per_dim(shape_rule, 3))
        return false;
    const int64_t *from = type_dims(shape_rule->pool, shape_rule->arg[0]);
    const int64_t *start = shape_rule->attr, *limit = start + rank;
    const int64_t *stride = limit + rank;
    int64_t dims[TENSOR_MAX_RANK];
    for (uint32_t i = 0; i < rank; i++)
        if (!slice_size(from[i], start[i], limit[i], stride[i], &dims[i]))
            return infer_fail(shape_rule,
                              "expected 0 <= start <= limit <= %" PRId64
                              " and a stride of 1 or more in dimension %u, "
                              "found [%" PRId64 ":%" PRId64 ":%" PRId64 "]",
                              from[i], i, start[i], limit[i], stride[i]);
    return infer_result(shape_rule, type_elem(shape_rule->pool, shape_rule->arg[0]), rank, dims);
}

bool infer_pad(struct shape_rule *shape_rule)
{
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    if (!infer_check_per_dim(shape_rule, 3) ||
        !infer_check_scalar(shape_rule, "a value of rank 0 and the operand's element type"))
        return false;
    const int64_t *from = type_dims(shape_rule->pool, shape_rule->arg[0]);
    const int64_t *low = shape_rule->attr, *high = low + rank, *inner = high + rank;
    int64_t dims[TENSOR_MAX_RANK];
    for (uint32_t i = 0; i < rank; i++)
        if (!pad_size(from[i], low[i], high[i], inner[i], &dims[i]))
            return infer_fail(shape_rule,
                              "expected an interior of 0 or more and a result "
                              "size of 0 or more in dimension %u (size %" PRId64
                              "), found low %" PRId64 ", high %" PRId64 ", interior %" PRId64,
                              i, from[i], low[i], high[i], inner[i]);
    return infer_result(shape_rule, type_elem(shape_rule->pool, shape_rule->arg[0]), rank, dims);
}

// Operand i agrees with the first in all but the dimension `dim`.
static bool check_joins(const struct shape_rule *shape_rule, uint32_t i, uint32_t dim)
{
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    bool ok = type_rank(shape_rule->pool, shape_rule->arg[i]) == rank &&
              type_elem(shape_rule->pool, shape_rule->arg[i]) ==
                  type_elem(shape_rule->pool, shape_rule->arg[0]);
    const int64_t *a = type_dims(shape_rule->pool, shape_rule->arg[0]);
    const int64_t *b = type_dims(shape_rule->pool, shape_rule->arg[i]);
    for (uint32_t k = 0; ok && k < rank; k++)
        ok = k == dim || a[k] == b[k];
    return ok || infer_fail_types(shape_rule, "an operand that joins one", shape_rule->arg[0],
                                  shape_rule->arg[i]);
}

bool infer_concatenate(struct shape_rule *shape_rule)
{
    if (shape_rule->n < 1)
        return infer_fail(shape_rule, "expected at least one operand, found none");
    if (shape_rule->n_attr != 1)
        return infer_fail(shape_rule, "expected one dimension, found %u", shape_rule->n_attr);
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    if (shape_rule->attr[0] < 0 || shape_rule->attr[0] >= rank)
        return infer_fail(shape_rule, "expected a dimension below %u, found %" PRId64, rank,
                          shape_rule->attr[0]);
    uint32_t dim = (uint32_t)shape_rule->attr[0];
    int64_t dims[TENSOR_MAX_RANK], size = 0;
    for (uint32_t i = 0; i < shape_rule->n; i++) {
        if (!check_joins(shape_rule, i, dim))
            return false;
        if (__builtin_add_overflow(size, type_dims(shape_rule->pool, shape_rule->arg[i])[dim],
                                   &size))
            return infer_fail(shape_rule, "expected a size of less than 2^62");
    }
    for (uint32_t k = 0; k < rank; k++)
        dims[k] = type_dims(shape_rule->pool, shape_rule->arg[0])[k];
    dims[dim] = size;
    return infer_result(shape_rule, type_elem(shape_rule->pool, shape_rule->arg[0]), rank, dims);
}

bool infer_check_reducer(const struct shape_rule *shape_rule, int64_t op)
{
    if (op < 0 || op >= N_OPS || !op_is_reducer((enum op)op))
        return infer_fail(shape_rule, "expected a reducer, found operator %" PRId64, op);
    enum op reducer = (enum op)op;
    enum elem elem = type_elem(shape_rule->pool, shape_rule->arg[0]);
    if (!(op_kinds(reducer) & (unsigned)elem_kind(elem)))
        return infer_fail(shape_rule, "expected elements that %s takes, found %s", op_name(reducer),
                          elem_text(elem));
    return true;
}

bool infer_reduce(struct shape_rule *shape_rule)
{
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]), n = 0;
    if (shape_rule->n_attr < 1)
        return infer_fail(shape_rule, "expected a reducer, found none");
    if (!infer_check_reducer(shape_rule, shape_rule->attr[0]) ||
        !infer_check_ascending(shape_rule, shape_rule->n_attr - 1, shape_rule->attr + 1, rank) ||
        !infer_check_scalar(shape_rule, "an init of rank 0 and the operand's element type"))
        return false;
    const int64_t *from = type_dims(shape_rule->pool, shape_rule->arg[0]);
    int64_t dims[TENSOR_MAX_RANK];
    for (uint32_t i = 0, k = 1; i < rank; i++) {
        if (k < shape_rule->n_attr && shape_rule->attr[k] == i)
            k++;
        else
            dims[n++] = from[i];
    }
    return infer_result(shape_rule, type_elem(shape_rule->pool, shape_rule->arg[0]), n, dims);
}
