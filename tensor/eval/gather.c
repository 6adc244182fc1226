// SPDX-License-Identifier: Apache-2.0
// gather and scatter, element by element.  The result of gather and the updates of
// scatter are called the slices.  Both are indexed alike.  Each dimension of the slices
// is a batch dimension, which goes along the index tensor, or a window dimension, which
// goes along the operand.
#include "tensor/language/attr.h"
#include "tensor/eval/parts.h"

int64_t scalar_index(enum elem elem, struct scalar scalar)
{
    if (elem == ELEM_INT)
        return scalar.den ? scalar.num : scalar.num < 0 ? INT64_MIN : INT64_MAX;
    if (elem_kind(elem) == KIND_UINT && scalar.bits > INT64_MAX)
        return INT64_MAX;
    return (int64_t)scalar.bits;
}

// The lists that both have, under gather's names.
struct gather_lists {
    uint32_t n_offset, n_collapsed, n_batching, n_map;
    int64_t vector_dim;
    const int64_t *offset, *collapsed, *batching, *indices_batching, *map;
};

struct gather_paths {
    uint32_t rank; // of the slices
    const int64_t *dims;
    int64_t indices_step[TENSOR_MAX_RANK]; // by slices dimension
    int64_t operand_dim[TENSOR_MAX_RANK];  // -1: none
    int64_t vector_step;
    uint32_t n_map;
    const int64_t *map;
    const struct value *indices;
    enum elem index_elem;
};

static bool in_list(uint32_t n, const int64_t *list, int64_t x)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == x)
            return true;
    return false;
}

// The operand dimension that goes along dimension k of the indices, or -1.
static int64_t batching_of(const struct gather_lists *lists, int64_t k)
{
    for (uint32_t i = 0; i < lists->n_batching; i++)
        if (lists->indices_batching[i] == k)
            return lists->batching[i];
    return -1;
}

static void paths_init(struct gather_paths *paths, const struct pool *pool,
                       const struct gather_lists *lists, type_id slices,
                       const struct value *indices)
{
    int64_t strides[TENSOR_MAX_RANK] = {0}, d = 0, k = 0;
    uint32_t o = 0;
    if (type_count(pool, indices->type) > 0)
        row_strides(pool, indices->type, strides);
    *paths = (struct gather_paths){.rank = type_rank(pool, slices),
                                   .dims = type_dims(pool, slices),
                                   .n_map = lists->n_map,
                                   .map = lists->map,
                                   .indices = indices,
                                   .index_elem = type_elem(pool, indices->type)};
    if (lists->vector_dim < (int64_t)type_rank(pool, indices->type))
        paths->vector_step = strides[lists->vector_dim];
    for (uint32_t i = 0; i < paths->rank; i++) {
        if (o < lists->n_offset && lists->offset[o] == (int64_t)i) {
            while (in_list(lists->n_collapsed, lists->collapsed, d) ||
                   in_list(lists->n_batching, lists->batching, d))
                d++;
            paths->operand_dim[i] = d++;
            o++;
            continue;
        }
        k += k == lists->vector_dim;
        paths->operand_dim[i] = batching_of(lists, k);
        paths->indices_step[i] = strides[k++];
    }
}

// The starts for one place of the slices, by operand dimension; 0 for a dimension
// without a start.
static void read_starts(const struct gather_paths *paths, const int64_t *place, uint32_t rank,
                        int64_t *start)
{
    int64_t at = 0;
    memset(start, 0, rank * sizeof *start);
    for (uint32_t i = 0; i < paths->rank; i++)
        at += place[i] * paths->indices_step[i];
    for (uint32_t m = 0; m < paths->n_map; m++) {
        size_t index = (size_t)(at + (int64_t)m * paths->vector_step);
        start[paths->map[m]] = scalar_index(
            paths->index_elem, scalar_load(paths->index_elem, paths->indices->data, index));
    }
}

static int64_t clamp_start(int64_t start, int64_t most)
{
    return start < 0 ? 0 : start > most ? most : start;
}

bool gather_eval(const struct pool *pool, attr_id attr, const struct value *args, struct value *out,
                 struct err *err)
{
    struct gather_attr a;
    struct gather_paths paths;
    uint32_t rank = type_rank(pool, args[0].type);
    const int64_t *dims = type_dims(pool, args[0].type);
    int64_t count = type_count(pool, out->type);
    int64_t place[TENSOR_MAX_RANK] = {0}, start[TENSOR_MAX_RANK], strides[TENSOR_MAX_RANK];
    size_t size = elem_bytes(type_elem(pool, out->type));
    if (!gather_attr_read(attr_len(pool, attr), attr_at(pool, attr), rank, &a))
        return err_set(err, ERR_INPUT, "gather without its attributes");
    if (count == 0)
        return true;
    struct gather_lists lists = {a.n_offset,         a.n_collapsed, a.n_batching, a.n_map,
                                 a.index_vector_dim, a.offset,      a.collapsed,  a.batching,
                                 a.indices_batching, a.map};
    paths_init(&paths, pool, &lists, out->type, &args[1]);
    row_strides(pool, args[0].type, strides);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = 0;
        read_starts(&paths, place, rank, start);
        for (uint32_t d = 0; d < rank; d++)
            at += clamp_start(start[d], dims[d] - a.size[d]) * strides[d];
        for (uint32_t k = 0; k < paths.rank; k++)
            if (paths.operand_dim[k] >= 0)
                at += place[k] * strides[paths.operand_dim[k]];
        memcpy((char *)out->data + (size_t)i * size, (const char *)args[0].data + (size_t)at * size,
               size);
        index_next(paths.rank, paths.dims, place);
    }
    return true;
}

// The offset in the operand of the place `start` plus the place in the slice; -1 if that
// place is outside the operand.
static int64_t scatter_at(const struct gather_paths *paths, const int64_t *place, uint32_t rank,
                          const int64_t *dims, const int64_t *strides, const int64_t *start)
{
    int64_t at = 0;
    i128 index[TENSOR_MAX_RANK];
    for (uint32_t d = 0; d < rank; d++)
        index[d] = start[d];
    for (uint32_t k = 0; k < paths->rank; k++)
        if (paths->operand_dim[k] >= 0)
            index[paths->operand_dim[k]] += place[k];
    for (uint32_t d = 0; d < rank; d++) {
        if (index[d] < 0 || index[d] >= dims[d])
            return -1;
        at += (int64_t)index[d] * strides[d];
    }
    return at;
}

static bool scatter_one(const struct scalar_step *step, bool replace, struct value *out, int64_t at,
                        struct scalar update, struct err *err)
{
    struct scalar pair[2] = {scalar_load(step->in, out->data, (size_t)at), update};
    if (!replace && !scalar_step_eval(step, pair, &update, err))
        return false;
    scalar_store(step->in, out->data, (size_t)at, update);
    return true;
}

// Applies the updates in row-major order, with the earlier element on the left.  Updates
// outside the operand are dropped.
bool scatter_eval(const struct pool *pool, attr_id attr, bool exact, const struct value *args,
                  struct value *out, struct err *err)
{
    struct scatter_attr a;
    struct gather_paths paths;
    enum elem elem = type_elem(pool, out->type);
    uint32_t rank = type_rank(pool, out->type);
    const int64_t *dims = type_dims(pool, out->type);
    int64_t count = type_count(pool, args[2].type);
    int64_t place[TENSOR_MAX_RANK] = {0}, start[TENSOR_MAX_RANK], strides[TENSOR_MAX_RANK];
    if (!scatter_attr_read(attr_len(pool, attr), attr_at(pool, attr), &a))
        return err_set(err, ERR_INPUT, "scatter without its attributes");
    bool replace = a.reducer == N_OPS;
    struct scalar_step step = {
        .op = replace ? OP_SELECT : (enum op)a.reducer, .in = elem, .out = elem, .exact = exact};
    int64_t elements = type_count(pool, out->type);
    memcpy(out->data, args[0].data, (size_t)elements * elem_bytes(elem));
    if (count == 0 || elements == 0)
        return true;
    struct gather_lists lists = {a.n_window,         a.n_inserted, a.n_batching, a.n_map,
                                 a.index_vector_dim, a.window,     a.inserted,   a.batching,
                                 a.indices_batching, a.map};
    paths_init(&paths, pool, &lists, args[2].type, &args[1]);
    row_strides(pool, out->type, strides);
    for (int64_t i = 0; i < count; i++) {
        read_starts(&paths, place, rank, start);
        int64_t at = scatter_at(&paths, place, rank, dims, strides, start);
        if (at >= 0 &&
            !scatter_one(&step, replace, out, at, scalar_load(elem, args[2].data, (size_t)i), err))
            return false;
        index_next(paths.rank, paths.dims, place);
    }
    return true;
}
