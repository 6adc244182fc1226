// SPDX-License-Identifier: Apache-2.0
// The shape rules of gather and scatter.  Both have one index tensor: all dimensions of
// the index tensor, except index_vector_dim, are batch dimensions of the slices.
#include "tensor/language/attr.h"
#include "tensor/shape/rules.h"
#include <inttypes.h>

// The attributes that gather and scatter share, under gather's names.
struct gather_shape {
    uint32_t n_collapsed, n_batching, n_map;
    int64_t vector_dim;
    const int64_t *collapsed, *batching, *indices_batching, *map;
};

// Is dim in one of the two lists of operand dimensions that a slice does not keep?
static bool is_dropped(const struct gather_shape *gather_shape, uint32_t dim)
{
    for (uint32_t i = 0; i < gather_shape->n_collapsed; i++)
        if (gather_shape->collapsed[i] == (int64_t)dim)
            return true;
    for (uint32_t i = 0; i < gather_shape->n_batching; i++)
        if (gather_shape->batching[i] == (int64_t)dim)
            return true;
    return false;
}

// Lists a and b together name distinct dimensions of the operand.
static bool check_pair(const struct shape_rule *shape_rule, uint32_t n_a, const int64_t *a,
                       uint32_t n_b, const int64_t *b)
{
    int64_t all[2 * TENSOR_MAX_RANK];
    for (uint32_t i = 0; i < n_a; i++)
        all[i] = a[i];
    for (uint32_t i = 0; i < n_b; i++)
        all[n_a + i] = b[i];
    return infer_check_distinct(shape_rule, n_a + n_b, all,
                                type_rank(shape_rule->pool, shape_rule->arg[0]));
}

static bool check_vector(const struct shape_rule *shape_rule,
                         const struct gather_shape *gather_shape)
{
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[1]);
    if (gather_shape->vector_dim < 0 || gather_shape->vector_dim > rank)
        return infer_fail(shape_rule,
                          "expected an index_vector_dim of at most %u, found "
                          "%" PRId64,
                          rank, gather_shape->vector_dim);
    int64_t length = gather_shape->vector_dim < rank
                         ? type_dims(shape_rule->pool, shape_rule->arg[1])[gather_shape->vector_dim]
                         : 1;
    if (length != gather_shape->n_map)
        return infer_fail(shape_rule,
                          "expected a dimension for each of %" PRId64 " indices, found %u", length,
                          gather_shape->n_map);
    return true;
}

static bool check_batching(const struct shape_rule *shape_rule,
                           const struct gather_shape *gather_shape)
{
    const int64_t *operand = type_dims(shape_rule->pool, shape_rule->arg[0]);
    const int64_t *indices = type_dims(shape_rule->pool, shape_rule->arg[1]);
    if (!infer_check_distinct(shape_rule, gather_shape->n_batching, gather_shape->indices_batching,
                              type_rank(shape_rule->pool, shape_rule->arg[1])))
        return false;
    for (uint32_t i = 0; i < gather_shape->n_batching; i++) {
        int64_t d = gather_shape->batching[i], k = gather_shape->indices_batching[i];
        if (k == gather_shape->vector_dim)
            return infer_fail(shape_rule,
                              "expected batching dimensions apart from "
                              "index_vector_dim %" PRId64,
                              k);
        if (operand[d] != indices[k])
            return infer_fail(shape_rule,
                              "expected one size of the batching dimensions "
                              "%" PRId64 " and %" PRId64 ", found %" PRId64 " and %" PRId64,
                              d, k, operand[d], indices[k]);
    }
    return true;
}

static bool check_flag(const struct shape_rule *shape_rule, int64_t flag)
{
    return flag == 0 || flag == 1 ||
           infer_fail(shape_rule, "expected a flag of 0 or 1, found %" PRId64, flag);
}

static bool check_indexed(const struct shape_rule *shape_rule,
                          const struct gather_shape *gather_shape)
{
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    enum elem_kind kind = elem_kind(type_elem(shape_rule->pool, shape_rule->arg[1]));
    if (kind != KIND_SINT && kind != KIND_UINT)
        return infer_fail_type(shape_rule, "indices of an integer type", shape_rule->arg[1]);
    return infer_check_ascending(shape_rule, gather_shape->n_collapsed, gather_shape->collapsed,
                                 rank) &&
           infer_check_ascending(shape_rule, gather_shape->n_batching, gather_shape->batching,
                                 rank) &&
           check_pair(shape_rule, gather_shape->n_collapsed, gather_shape->collapsed,
                      gather_shape->n_batching, gather_shape->batching) &&
           check_pair(shape_rule, gather_shape->n_map, gather_shape->map, gather_shape->n_batching,
                      gather_shape->batching) &&
           check_vector(shape_rule, gather_shape) && check_batching(shape_rule, gather_shape);
}

// Number of batch dimensions: of the indices but for index_vector_dim.
static uint32_t batch_rank(const struct shape_rule *shape_rule,
                           const struct gather_shape *gather_shape)
{
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[1]);
    return rank - (gather_shape->vector_dim < rank);
}

static bool check_slice(const struct shape_rule *shape_rule, const struct gather_attr *attr,
                        const struct gather_shape *in)
{
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    const int64_t *from = type_dims(shape_rule->pool, shape_rule->arg[0]);
    if (attr->n_offset + attr->n_collapsed + attr->n_batching != rank)
        return infer_fail(shape_rule, "expected %u dimensions of a slice, found %u", rank,
                          attr->n_offset + attr->n_collapsed + attr->n_batching);
    for (uint32_t i = 0; i < rank; i++) {
        int64_t most = is_dropped(in, i) && from[i] > 1 ? 1 : from[i];
        if (attr->size[i] < 0 || attr->size[i] > most)
            return infer_fail(shape_rule,
                              "expected 0 <= size <= %" PRId64
                              " in dimension %u of a slice, found %" PRId64,
                              most, i, attr->size[i]);
    }
    return true;
}

bool infer_gather(struct shape_rule *shape_rule)
{
    struct gather_attr attr;
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    int64_t dims[2 * TENSOR_MAX_RANK];
    if (!gather_attr_read(shape_rule->n_attr, shape_rule->attr, rank, &attr))
        return infer_fail(shape_rule, "expected counts, flags, lists of these lengths "
                                      "and a size for each dimension of the operand");
    struct gather_shape in = {attr.n_collapsed,      attr.n_batching, attr.n_map,
                              attr.index_vector_dim, attr.collapsed,  attr.batching,
                              attr.indices_batching, attr.map};
    if (!check_flag(shape_rule, attr.sorted) || !check_indexed(shape_rule, &in) ||
        !check_slice(shape_rule, &attr, &in))
        return false;
    uint32_t n = batch_rank(shape_rule, &in) + attr.n_offset;
    bool empty = false;
    if (!infer_check_ascending(shape_rule, attr.n_offset, attr.offset, n))
        return false;
    const int64_t *indices = type_dims(shape_rule->pool, shape_rule->arg[1]);
    for (uint32_t i = 0, o = 0, d = 0, b = 0; i < n; i++) {
        if (o < attr.n_offset && attr.offset[o] == (int64_t)i) {
            while (is_dropped(&in, d))
                d++;
            dims[i] = attr.size[d++];
            o++;
        } else {
            b += b == attr.index_vector_dim;
            dims[i] = indices[b++];
        }
        empty |= dims[i] == 0;
    }
    // An index of the operand is taken from every slice there is.
    for (uint32_t i = 0; i < attr.n_collapsed && !empty; i++)
        if (attr.size[attr.collapsed[i]] != 1)
            return infer_fail(shape_rule,
                              "expected size 1 in collapsed dimension "
                              "%" PRId64 ", found 0",
                              attr.collapsed[i]);
    return infer_result(shape_rule, type_elem(shape_rule->pool, shape_rule->arg[0]), n, dims);
}

// Dimension i of the updates is `size`; or at most it, if it is a window's.
static bool check_update(const struct shape_rule *shape_rule, uint32_t i, int64_t size, bool window)
{
    int64_t found = type_dims(shape_rule->pool, shape_rule->arg[2])[i];
    if (window ? found <= size : found == size)
        return true;
    return infer_fail(shape_rule,
                      "expected %s%" PRId64 " in dimension %u of the updates, found %" PRId64,
                      window ? "at most " : "", size, i, found);
}

static bool check_updates(const struct shape_rule *shape_rule, const struct scatter_attr *attr,
                          const struct gather_shape *in)
{
    uint32_t n = batch_rank(shape_rule, in) + attr->n_window;
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[2]);
    const int64_t *operand = type_dims(shape_rule->pool, shape_rule->arg[0]);
    const int64_t *indices = type_dims(shape_rule->pool, shape_rule->arg[1]);
    if (n != rank)
        return infer_fail(shape_rule, "expected updates of rank %u, found %u", n, rank);
    if (!infer_check_ascending(shape_rule, attr->n_window, attr->window, n))
        return false;
    for (uint32_t i = 0, w = 0, d = 0, b = 0; i < n; i++) {
        bool window = w < attr->n_window && attr->window[w] == (int64_t)i;
        if (window) {
            while (is_dropped(in, d))
                d++;
            w++;
        } else {
            b += b == attr->index_vector_dim;
        }
        if (!check_update(shape_rule, i, window ? operand[d++] : indices[b++], window))
            return false;
    }
    return true;
}

bool infer_scatter(struct shape_rule *shape_rule)
{
    struct scatter_attr attr;
    uint32_t rank = type_rank(shape_rule->pool, shape_rule->arg[0]);
    if (!scatter_attr_read(shape_rule->n_attr, shape_rule->attr, &attr))
        return infer_fail(shape_rule, "expected counts, flags and lists of these "
                                      "lengths");
    struct gather_shape in = {attr.n_inserted,       attr.n_batching, attr.n_map,
                              attr.index_vector_dim, attr.inserted,   attr.batching,
                              attr.indices_batching, attr.map};
    if ((attr.reducer != N_OPS && !infer_check_reducer(shape_rule, attr.reducer)) ||
        !infer_check_elem(shape_rule, 2) || !check_flag(shape_rule, attr.sorted) ||
        !check_flag(shape_rule, attr.unique) || !check_indexed(shape_rule, &in))
        return false;
    if (attr.n_window + attr.n_inserted + attr.n_batching != rank)
        return infer_fail(shape_rule, "expected %u dimensions of a window, found %u", rank,
                          attr.n_window + attr.n_inserted + attr.n_batching);
    if (!check_updates(shape_rule, &attr, &in))
        return false;
    shape_rule->out = shape_rule->arg[0];
    return true;
}
