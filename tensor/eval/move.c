// SPDX-License-Identifier: Apache-2.0
// Data movement.  Every operator here copies a box of elements between two
// row-major tensors: per axis a number of steps, and for each side an offset
// per step.  (0 repeats, a negative one reverses, one over the row stride
// skips.)  The offsets of all boxes stay inside their tensors.
#include "tensor/eval/parts.h"

struct index_box {
    uint32_t rank;
    int64_t from, to; // offsets of the first element
    int64_t count[TENSOR_MAX_RANK], from_step[TENSOR_MAX_RANK], to_step[TENSOR_MAX_RANK];
};

// Fixed sizes let the compiler turn the copies into moves.
static void copy_element(char *to, const char *from, size_t size)
{
    switch (size) {
    case 1:
        *to = *from;
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, size);
    }
}

static void copy_row(const struct index_box *box, size_t size, const char *from, char *to)
{
    uint32_t last = box->rank - 1;
    int64_t n = box->count[last];
    ptrdiff_t from_step = (ptrdiff_t)box->from_step[last] * (ptrdiff_t)size;
    ptrdiff_t to_step = (ptrdiff_t)box->to_step[last] * (ptrdiff_t)size;
    if (from_step == (ptrdiff_t)size && to_step == (ptrdiff_t)size) {
        memcpy(to, from, (size_t)n * size);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        copy_element(to + i * to_step, from + i * from_step, size);
}

static void copy_box(const struct index_box *box, size_t size, const void *source, void *target)
{
    const char *from = (const char *)source + box->from * (int64_t)size;
    char *to = (char *)target + box->to * (int64_t)size;
    int64_t index[TENSOR_MAX_RANK] = {0}, s = (int64_t)size;
    if (box->rank == 0) {
        copy_element(to, from, size);
        return;
    }
    for (uint32_t i = 0; i < box->rank; i++)
        if (box->count[i] <= 0)
            return;
    for (;;) {
        copy_row(box, size, from, to);
        uint32_t i = box->rank - 1;
        while (i-- > 0) {
            if (++index[i] < box->count[i]) {
                from += box->from_step[i] * s;
                to += box->to_step[i] * s;
                break;
            }
            index[i] = 0;
            from -= (box->count[i] - 1) * box->from_step[i] * s;
            to -= (box->count[i] - 1) * box->to_step[i] * s;
        }
        if (i == UINT32_MAX)
            return;
    }
}

void row_strides(const struct pool *pool, type_id type, int64_t *strides)
{
    const int64_t *dims = type_dims(pool, type);
    int64_t stride = 1;
    for (uint32_t i = type_rank(pool, type); i-- > 0; stride *= dims[i])
        strides[i] = stride;
}

// The box of the whole of `to`, with no offsets on the other side yet.
static void whole(const struct pool *pool, type_id to, struct index_box *box)
{
    *box = (struct index_box){.rank = type_rank(pool, to)};
    row_strides(pool, to, box->to_step);
    for (uint32_t i = 0; i < box->rank; i++)
        box->count[i] = type_dims(pool, to)[i];
}

static void box_broadcast(const struct pool *pool, const int64_t *dims, type_id from,
                          struct index_box *box)
{
    int64_t strides[TENSOR_MAX_RANK];
    row_strides(pool, from, strides);
    for (uint32_t i = 0; i < type_rank(pool, from); i++)
        if (type_dims(pool, from)[i] != 1)
            box->from_step[dims[i]] = strides[i];
}

static void box_transpose(const struct pool *pool, const int64_t *permutation, type_id from,
                          struct index_box *box)
{
    int64_t strides[TENSOR_MAX_RANK];
    row_strides(pool, from, strides);
    for (uint32_t i = 0; i < box->rank; i++)
        box->from_step[i] = strides[permutation[i]];
}

static void box_reverse(const struct pool *pool, uint32_t n, const int64_t *dims, type_id from,
                        struct index_box *box)
{
    row_strides(pool, from, box->from_step);
    for (uint32_t i = 0; i < n; i++) {
        int64_t d = dims[i], stride = box->from_step[d];
        box->from += (box->count[d] - 1) * stride;
        box->from_step[d] = -stride;
    }
}

static void box_slice(const struct pool *pool, const int64_t *values, type_id from,
                      struct index_box *box)
{
    const int64_t *start = values, *stride = values + 2 * box->rank;
    int64_t strides[TENSOR_MAX_RANK];
    row_strides(pool, from, strides);
    for (uint32_t i = 0; i < box->rank; i++) {
        box->from += start[i] * strides[i];
        // A single step may name a stride that nothing bounds.
        box->from_step[i] = box->count[i] > 1 ? stride[i] * strides[i] : 0;
    }
}

static void move_by_box(const struct pool *pool, enum op op, attr_id attr, const struct value *arg,
                        struct value *out)
{
    struct index_box box;
    const int64_t *v = attr_at(pool, attr);
    whole(pool, out->type, &box);
    if (op == OP_BROADCAST_IN_DIM)
        box_broadcast(pool, v, arg->type, &box);
    else if (op == OP_TRANSPOSE)
        box_transpose(pool, v, arg->type, &box);
    else if (op == OP_REVERSE)
        box_reverse(pool, attr_len(pool, attr), v, arg->type, &box);
    else
        box_slice(pool, v, arg->type, &box);
    copy_box(&box, elem_bytes(type_elem(pool, out->type)), arg->data, out->data);
}

static void fill(size_t size, int64_t count, const void *element, void *out)
{
    for (int64_t i = 0; i < count; i++)
        copy_element((char *)out + (size_t)i * size, element, size);
}

// Operand indices i with 0 <= low + i * step < size: first and how many.
static int64_t kept(int64_t n, int64_t size, int64_t low, i128 step, int64_t *first)
{
    i128 begin = low < 0 ? (-(i128)low + step - 1) / step : 0;
    i128 room = (i128)size - 1 - low;
    i128 end = room < 0 ? 0 : room / step + 1;
    if (end > n)
        end = n;
    *first = (int64_t)(begin < n ? begin : n);
    return end > begin ? (int64_t)(end - begin) : 0;
}

static void move_pad(const struct pool *pool, const int64_t *values, const struct value *args,
                     struct value *out)
{
    size_t size = elem_bytes(type_elem(pool, out->type));
    int64_t strides[TENSOR_MAX_RANK], first;
    struct index_box box;
    fill(size, type_count(pool, out->type), args[1].data, out->data);
    if (type_count(pool, args[0].type) == 0)
        return;
    whole(pool, out->type, &box);
    row_strides(pool, args[0].type, strides);
    const int64_t *low = values, *interior = values + 2 * box.rank;
    for (uint32_t i = 0; i < box.rank; i++) {
        i128 step = (i128)interior[i] + 1;
        int64_t n = type_dims(pool, args[0].type)[i], stride = box.to_step[i];
        box.count[i] = kept(n, box.count[i], low[i], step, &first);
        if (box.count[i] == 0)
            return;
        box.from += first * strides[i];
        box.from_step[i] = strides[i];
        box.to += (int64_t)(low[i] + first * step) * stride;
        box.to_step[i] = box.count[i] > 1 ? (int64_t)step * stride : 0;
    }
    copy_box(&box, size, args[0].data, out->data);
}

static void move_concatenate(const struct pool *pool, int64_t dim, uint32_t n,
                             const struct value *args, struct value *out)
{
    size_t size = elem_bytes(type_elem(pool, out->type));
    struct index_box box;
    int64_t at = 0;
    whole(pool, out->type, &box);
    for (uint32_t i = 0; i < n; i++) {
        int64_t length = type_dims(pool, args[i].type)[dim];
        if (type_count(pool, args[i].type) == 0)
            continue;
        box.count[dim] = length;
        box.to = at * box.to_step[dim];
        row_strides(pool, args[i].type, box.from_step);
        copy_box(&box, size, args[i].data, out->data);
        at += length;
    }
}

// The offset in a tensor of the type at which a slice of `size` starts.  The operands
// `starts` are clamped, so that the slice lies inside the tensor.
static int64_t clamped_offset(const struct pool *pool, type_id type, const int64_t *size,
                              const struct value *starts)
{
    int64_t strides[TENSOR_MAX_RANK], at = 0;
    row_strides(pool, type, strides);
    for (uint32_t i = 0; i < type_rank(pool, type); i++) {
        enum elem index = type_elem(pool, starts[i].type);
        int64_t start = scalar_index(index, scalar_load(index, starts[i].data, 0));
        int64_t most = type_dims(pool, type)[i] - size[i];
        start = start > most ? most : start;
        at += (start < 0 ? 0 : start) * strides[i];
    }
    return at;
}

static void move_dynamic_slice(const struct pool *pool, const struct value *args, struct value *out)
{
    struct index_box box;
    whole(pool, out->type, &box);
    row_strides(pool, args[0].type, box.from_step);
    box.from = clamped_offset(pool, args[0].type, box.count, args + 1);
    copy_box(&box, elem_bytes(type_elem(pool, out->type)), args[0].data, out->data);
}

static void move_update(const struct pool *pool, const struct value *args, struct value *out)
{
    size_t size = elem_bytes(type_elem(pool, out->type));
    struct index_box box;
    memcpy(out->data, args[0].data, (size_t)type_count(pool, out->type) * size);
    if (type_count(pool, args[1].type) == 0)
        return;
    whole(pool, args[1].type, &box);
    memcpy(box.from_step, box.to_step, sizeof box.from_step);
    row_strides(pool, out->type, box.to_step);
    box.to = clamped_offset(pool, out->type, box.count, args + 2);
    copy_box(&box, size, args[1].data, out->data);
}

bool move_eval(const struct pool *pool, struct operation operation, const struct value *args,
               struct arena *arena, struct value *out, struct err *err)
{
    enum op op = operation.op;
    attr_id attr = operation.attr;
    type_id type = operation.type;
    if (!value_new(pool, type, arena, out, err))
        return false;
    if (type_count(pool, type) == 0)
        return true; // strides of empty tensors may overflow
    if (op == OP_PAD)
        move_pad(pool, attr_at(pool, attr), args, out);
    else if (op == OP_CONCATENATE)
        move_concatenate(pool, attr_at(pool, attr)[0], operation.n, args, out);
    else if (op == OP_DYNAMIC_SLICE)
        move_dynamic_slice(pool, args, out);
    else if (op == OP_DYNAMIC_UPDATE_SLICE)
        move_update(pool, args, out);
    else if (op == OP_RESHAPE)
        memcpy(out->data, args[0].data,
               (size_t)type_count(pool, type) * elem_bytes(type_elem(pool, type)));
    else
        move_by_box(pool, op, attr, args, out);
    return true;
}
