// SPDX-License-Identifier: Apache-2.0
// The shape rules of gather and scatter.  Both speak of one index tensor: all
// its dimensions but index_vector_dim are batch dimensions of the other side.
#include "tensor/language/attr.h"
#include "tensor/shape/rules.h"
#include <inttypes.h>

// What gather and scatter have in common, under gather's names.
struct gather_shape {
    uint32_t n_collapsed, n_batching, n_map;
    int64_t vector_dim;
    const int64_t *collapsed, *batching, *indices_batching, *map;
};

// Whether dim is in one of the two lists of operand dimensions that a slice
// does not keep.
static bool is_dropped(const struct gather_shape *a, uint32_t dim)
{
    for (uint32_t i = 0; i < a->n_collapsed; i++)
        if (a->collapsed[i] == (int64_t)dim)
            return true;
    for (uint32_t i = 0; i < a->n_batching; i++)
        if (a->batching[i] == (int64_t)dim)
            return true;
    return false;
}

// Lists a and b together name distinct dimensions of the operand.
static bool check_pair(const struct shape_rule *x, uint32_t n_a, const int64_t *a,
                       uint32_t n_b, const int64_t *b)
{
    int64_t all[2 * MAX_RANK];
    for (uint32_t i = 0; i < n_a; i++)
        all[i] = a[i];
    for (uint32_t i = 0; i < n_b; i++)
        all[n_a + i] = b[i];
    return infer_check_distinct(x, n_a + n_b, all, type_rank(x->p, x->arg[0]));
}

static bool check_vector(const struct shape_rule *x, const struct gather_shape *a)
{
    uint32_t rank = type_rank(x->p, x->arg[1]);
    if (a->vector_dim < 0 || a->vector_dim > rank)
        return infer_fail(x,
                          "expected an index_vector_dim of at most %u, found "
                          "%" PRId64,
                          rank, a->vector_dim);
    int64_t length =
        a->vector_dim < rank ? type_dims(x->p, x->arg[1])[a->vector_dim] : 1;
    if (length != a->n_map)
        return infer_fail(
            x, "expected a dimension for each of %" PRId64 " indices, found %u",
            length, a->n_map);
    return true;
}

static bool check_batching(const struct shape_rule *x, const struct gather_shape *a)
{
    const int64_t *operand = type_dims(x->p, x->arg[0]);
    const int64_t *indices = type_dims(x->p, x->arg[1]);
    if (!infer_check_distinct(x, a->n_batching, a->indices_batching,
                              type_rank(x->p, x->arg[1])))
        return false;
    for (uint32_t i = 0; i < a->n_batching; i++) {
        int64_t d = a->batching[i], k = a->indices_batching[i];
        if (k == a->vector_dim)
            return infer_fail(x,
                              "expected batching dimensions apart from "
                              "index_vector_dim %" PRId64,
                              k);
        if (operand[d] != indices[k])
            return infer_fail(x,
                              "expected one size of the batching dimensions "
                              "%" PRId64 " and %" PRId64 ", found %" PRId64
                              " and %" PRId64,
                              d, k, operand[d], indices[k]);
    }
    return true;
}

static bool check_flag(const struct shape_rule *x, int64_t flag)
{
    return flag == 0 || flag == 1 ||
           infer_fail(x, "expected a flag of 0 or 1, found %" PRId64, flag);
}

static bool check_indexed(const struct shape_rule *x, const struct gather_shape *a)
{
    uint32_t rank = type_rank(x->p, x->arg[0]);
    enum elem_kind kind = elem_kind(type_elem(x->p, x->arg[1]));
    if (kind != KIND_SINT && kind != KIND_UINT)
        return infer_fail_type(x, "indices of an integer type", x->arg[1]);
    return infer_check_ascending(x, a->n_collapsed, a->collapsed, rank) &&
           infer_check_ascending(x, a->n_batching, a->batching, rank) &&
           check_pair(x, a->n_collapsed, a->collapsed, a->n_batching,
                      a->batching) &&
           check_pair(x, a->n_map, a->map, a->n_batching, a->batching) &&
           check_vector(x, a) && check_batching(x, a);
}

// Number of batch dimensions: of the indices but for index_vector_dim.
static uint32_t batch_rank(const struct shape_rule *x, const struct gather_shape *a)
{
    uint32_t rank = type_rank(x->p, x->arg[1]);
    return rank - (a->vector_dim < rank);
}

static bool check_slice(const struct shape_rule *x, const struct gather_attr *a,
                        const struct gather_shape *in)
{
    uint32_t rank = type_rank(x->p, x->arg[0]);
    const int64_t *from = type_dims(x->p, x->arg[0]);
    if (a->n_offset + a->n_collapsed + a->n_batching != rank)
        return infer_fail(x, "expected %u dimensions of a slice, found %u",
                          rank, a->n_offset + a->n_collapsed + a->n_batching);
    for (uint32_t i = 0; i < rank; i++) {
        int64_t most = is_dropped(in, i) && from[i] > 1 ? 1 : from[i];
        if (a->size[i] < 0 || a->size[i] > most)
            return infer_fail(x,
                              "expected 0 <= size <= %" PRId64
                              " in dimension %u of a slice, found %" PRId64,
                              most, i, a->size[i]);
    }
    return true;
}

bool infer_gather(struct shape_rule *x)
{
    struct gather_attr a;
    uint32_t rank = type_rank(x->p, x->arg[0]);
    int64_t dims[2 * MAX_RANK];
    if (!gather_attr_read(x->n_attr, x->attr, rank, &a))
        return infer_fail(x, "expected counts, flags, lists of these lengths "
                             "and a size for each dimension of the operand");
    struct gather_shape in = {a.n_collapsed,      a.n_batching, a.n_map,
                         a.index_vector_dim, a.collapsed,  a.batching,
                         a.indices_batching, a.map};
    if (!check_flag(x, a.sorted) || !check_indexed(x, &in) ||
        !check_slice(x, &a, &in))
        return false;
    uint32_t n = batch_rank(x, &in) + a.n_offset;
    bool empty = false;
    if (!infer_check_ascending(x, a.n_offset, a.offset, n))
        return false;
    const int64_t *indices = type_dims(x->p, x->arg[1]);
    for (uint32_t i = 0, o = 0, d = 0, b = 0; i < n; i++) {
        if (o < a.n_offset && a.offset[o] == (int64_t)i) {
            while (is_dropped(&in, d))
                d++;
            dims[i] = a.size[d++];
            o++;
        } else {
            b += b == a.index_vector_dim;
            dims[i] = indices[b++];
        }
        empty |= dims[i] == 0;
    }
    // An index of the operand is taken from every slice there is.
    for (uint32_t i = 0; i < a.n_collapsed && !empty; i++)
        if (a.size[a.collapsed[i]] != 1)
            return infer_fail(x,
                              "expected size 1 in collapsed dimension "
                              "%" PRId64 ", found 0",
                              a.collapsed[i]);
    return infer_result(x, type_elem(x->p, x->arg[0]), n, dims);
}

// Dimension i of the updates is `size`; or at most it, if it is a window's.
static bool check_update(const struct shape_rule *x, uint32_t i, int64_t size,
                         bool window)
{
    int64_t found = type_dims(x->p, x->arg[2])[i];
    if (window ? found <= size : found == size)
        return true;
    return infer_fail(x,
                      "expected %s%" PRId64
                      " in dimension %u of the updates, found %" PRId64,
                      window ? "at most " : "", size, i, found);
}

static bool check_updates(const struct shape_rule *x, const struct scatter_attr *a,
                          const struct gather_shape *in)
{
    uint32_t n = batch_rank(x, in) + a->n_window;
    uint32_t rank = type_rank(x->p, x->arg[2]);
    const int64_t *operand = type_dims(x->p, x->arg[0]);
    const int64_t *indices = type_dims(x->p, x->arg[1]);
    if (n != rank)
        return infer_fail(x, "expected updates of rank %u, found %u", n, rank);
    if (!infer_check_ascending(x, a->n_window, a->window, n))
        return false;
    for (uint32_t i = 0, w = 0, d = 0, b = 0; i < n; i++) {
        bool window = w < a->n_window && a->window[w] == (int64_t)i;
        if (window) {
            while (is_dropped(in, d))
                d++;
            w++;
        } else {
            b += b == a->index_vector_dim;
        }
        if (!check_update(x, i, window ? operand[d++] : indices[b++], window))
            return false;
    }
    return true;
}

bool infer_scatter(struct shape_rule *x)
{
    struct scatter_attr a;
    uint32_t rank = type_rank(x->p, x->arg[0]);
    if (!scatter_attr_read(x->n_attr, x->attr, &a))
        return infer_fail(x, "expected counts, flags and lists of these "
                             "lengths");
    struct gather_shape in = {a.n_inserted,       a.n_batching, a.n_map,
                         a.index_vector_dim, a.inserted,   a.batching,
                         a.indices_batching, a.map};
    if ((a.reducer != N_OPS && !infer_check_reducer(x, a.reducer)) ||
        !infer_check_elem(x, 2) || !check_flag(x, a.sorted) ||
        !check_flag(x, a.unique) || !check_indexed(x, &in))
        return false;
    if (a.n_window + a.n_inserted + a.n_batching != rank)
        return infer_fail(x, "expected %u dimensions of a window, found %u",
                          rank, a.n_window + a.n_inserted + a.n_batching);
    if (!check_updates(x, &a, &in))
        return false;
    x->out = x->arg[0];
    return true;
}
