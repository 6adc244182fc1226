// SPDX-License-Identifier: Apache-2.0
// Data movement.  Every operator here copies a box of elements between two
// row-major tensors: per axis a number of steps, and for each side an offset
// per step.  (0 repeats, a negative one reverses, one over the row stride
// skips.)  The offsets of all boxes stay inside their tensors.
#include "tensor/eval/parts.h"

struct index_box {
    uint32_t rank;
    int64_t from, to; // offsets of the first element
    int64_t count[MAX_RANK], from_step[MAX_RANK], to_step[MAX_RANK];
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

static void copy_row(const struct index_box *b, size_t size, const char *from,
                     char *to)
{
    uint32_t last = b->rank - 1;
    int64_t n = b->count[last];
    ptrdiff_t from_step = (ptrdiff_t)b->from_step[last] * (ptrdiff_t)size;
    ptrdiff_t to_step = (ptrdiff_t)b->to_step[last] * (ptrdiff_t)size;
    if (from_step == (ptrdiff_t)size && to_step == (ptrdiff_t)size) {
        memcpy(to, from, (size_t)n * size);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        copy_element(to + i * to_step, from + i * from_step, size);
}

static void copy_box(const struct index_box *b, size_t size, const void *source,
                     void *target)
{
    const char *from = (const char *)source + b->from * (int64_t)size;
    char *to = (char *)target + b->to * (int64_t)size;
    int64_t index[MAX_RANK] = {0}, s = (int64_t)size;
    if (b->rank == 0) {
        copy_element(to, from, size);
        return;
    }
    for (uint32_t i = 0; i < b->rank; i++)
        if (b->count[i] <= 0)
            return;
    for (;;) {
        copy_row(b, size, from, to);
        uint32_t i = b->rank - 1;
        while (i-- > 0) {
            if (++index[i] < b->count[i]) {
                from += b->from_step[i] * s;
                to += b->to_step[i] * s;
                break;
            }
            index[i] = 0;
            from -= (b->count[i] - 1) * b->from_step[i] * s;
            to -= (b->count[i] - 1) * b->to_step[i] * s;
        }
        if (i == UINT32_MAX)
            return;
    }
}

void row_strides(const struct pool *p, type_id t, int64_t *strides)
{
    const int64_t *dims = type_dims(p, t);
    int64_t stride = 1;
    for (uint32_t i = type_rank(p, t); i-- > 0; stride *= dims[i])
        strides[i] = stride;
}

// The box of the whole of `to`, with no offsets on the other side yet.
static void whole(const struct pool *p, type_id to, struct index_box *b)
{
    *b = (struct index_box){.rank = type_rank(p, to)};
    row_strides(p, to, b->to_step);
    for (uint32_t i = 0; i < b->rank; i++)
        b->count[i] = type_dims(p, to)[i];
}

static void box_broadcast(const struct pool *p, const int64_t *dims,
                          type_id from, struct index_box *b)
{
    int64_t strides[MAX_RANK];
    row_strides(p, from, strides);
    for (uint32_t i = 0; i < type_rank(p, from); i++)
        if (type_dims(p, from)[i] != 1)
            b->from_step[dims[i]] = strides[i];
}

static void box_transpose(const struct pool *p, const int64_t *permutation,
                          type_id from, struct index_box *b)
{
    int64_t strides[MAX_RANK];
    row_strides(p, from, strides);
    for (uint32_t i = 0; i < b->rank; i++)
        b->from_step[i] = strides[permutation[i]];
}

static void box_reverse(const struct pool *p, uint32_t n, const int64_t *dims,
                        type_id from, struct index_box *b)
{
    row_strides(p, from, b->from_step);
    for (uint32_t i = 0; i < n; i++) {
        int64_t d = dims[i], stride = b->from_step[d];
        b->from += (b->count[d] - 1) * stride;
        b->from_step[d] = -stride;
    }
}

static void box_slice(const struct pool *p, const int64_t *v, type_id from,
                      struct index_box *b)
{
    const int64_t *start = v, *stride = v + 2 * b->rank;
    int64_t strides[MAX_RANK];
    row_strides(p, from, strides);
    for (uint32_t i = 0; i < b->rank; i++) {
        b->from += start[i] * strides[i];
        // A single step may name a stride that nothing bounds.
        b->from_step[i] = b->count[i] > 1 ? stride[i] * strides[i] : 0;
    }
}

static void move_by_box(const struct pool *p, enum op op, attr_id attr,
                        const struct value *arg, struct value *out)
{
    struct index_box b;
    const int64_t *v = attr_at(p, attr);
    whole(p, out->type, &b);
    if (op == OP_BROADCAST_IN_DIM)
        box_broadcast(p, v, arg->type, &b);
    else if (op == OP_TRANSPOSE)
        box_transpose(p, v, arg->type, &b);
    else if (op == OP_REVERSE)
        box_reverse(p, attr_len(p, attr), v, arg->type, &b);
    else
        box_slice(p, v, arg->type, &b);
    copy_box(&b, elem_bytes(type_elem(p, out->type)), arg->data, out->data);
}

static void fill(size_t size, int64_t count, const void *element, void *out)
{
    for (int64_t i = 0; i < count; i++)
        copy_element((char *)out + (size_t)i * size, element, size);
}

// Operand indices i with 0 <= low + i * step < size: first and how many.
static int64_t kept(int64_t n, int64_t size, int64_t low, i128 step,
                    int64_t *first)
{
    i128 begin = low < 0 ? (-(i128)low + step - 1) / step : 0;
    i128 room = (i128)size - 1 - low;
    i128 end = room < 0 ? 0 : room / step + 1;
    if (end > n)
        end = n;
    *first = (int64_t)(begin < n ? begin : n);
    return end > begin ? (int64_t)(end - begin) : 0;
}

static void move_pad(const struct pool *p, const int64_t *v,
                     const struct value *args, struct value *out)
{
    size_t size = elem_bytes(type_elem(p, out->type));
    int64_t strides[MAX_RANK], first;
    struct index_box b;
    fill(size, type_count(p, out->type), args[1].data, out->data);
    if (type_count(p, args[0].type) == 0)
        return;
    whole(p, out->type, &b);
    row_strides(p, args[0].type, strides);
    const int64_t *low = v, *interior = v + 2 * b.rank;
    for (uint32_t i = 0; i < b.rank; i++) {
        i128 step = (i128)interior[i] + 1;
        int64_t n = type_dims(p, args[0].type)[i], stride = b.to_step[i];
        b.count[i] = kept(n, b.count[i], low[i], step, &first);
        if (b.count[i] == 0)
            return;
        b.from += first * strides[i];
        b.from_step[i] = strides[i];
        b.to += (int64_t)(low[i] + first * step) * stride;
        b.to_step[i] = b.count[i] > 1 ? (int64_t)step * stride : 0;
    }
    copy_box(&b, size, args[0].data, out->data);
}

static void move_concatenate(const struct pool *p, int64_t dim, uint32_t n,
                             const struct value *args, struct value *out)
{
    size_t size = elem_bytes(type_elem(p, out->type));
    struct index_box b;
    int64_t at = 0;
    whole(p, out->type, &b);
    for (uint32_t i = 0; i < n; i++) {
        int64_t length = type_dims(p, args[i].type)[dim];
        if (type_count(p, args[i].type) == 0)
            continue;
        b.count[dim] = length;
        b.to = at * b.to_step[dim];
        row_strides(p, args[i].type, b.from_step);
        copy_box(&b, size, args[i].data, out->data);
        at += length;
    }
}

// Where a slice of `size` that should start at the operands `starts` is put:
// inside.  Its offset in a tensor of the type.
static int64_t clamped_offset(const struct pool *p, type_id t,
                              const int64_t *size, const struct value *starts)
{
    int64_t strides[MAX_RANK], at = 0;
    row_strides(p, t, strides);
    for (uint32_t i = 0; i < type_rank(p, t); i++) {
        enum elem index = type_elem(p, starts[i].type);
        int64_t start =
            scalar_index(index, scalar_load(index, starts[i].data, 0));
        int64_t most = type_dims(p, t)[i] - size[i];
        start = start > most ? most : start;
        at += (start < 0 ? 0 : start) * strides[i];
    }
    return at;
}

static void move_dynamic_slice(const struct pool *p, const struct value *args,
                               struct value *out)
{
    struct index_box b;
    whole(p, out->type, &b);
    row_strides(p, args[0].type, b.from_step);
    b.from = clamped_offset(p, args[0].type, b.count, args + 1);
    copy_box(&b, elem_bytes(type_elem(p, out->type)), args[0].data, out->data);
}

static void move_update(const struct pool *p, const struct value *args,
                        struct value *out)
{
    size_t size = elem_bytes(type_elem(p, out->type));
    struct index_box b;
    memcpy(out->data, args[0].data, (size_t)type_count(p, out->type) * size);
    if (type_count(p, args[1].type) == 0)
        return;
    whole(p, args[1].type, &b);
    memcpy(b.from_step, b.to_step, sizeof b.from_step);
    row_strides(p, out->type, b.to_step);
    b.to = clamped_offset(p, out->type, b.count, args + 2);
    copy_box(&b, size, args[1].data, out->data);
}

bool move_eval(const struct pool *p, enum op op, attr_id attr, type_id type,
               uint32_t n, const struct value *args, struct arena *a,
               struct value *out, struct err *e)
{
    if (!value_new(p, type, a, out, e))
        return false;
    if (type_count(p, type) == 0)
        return true; // strides of empty tensors may overflow
    if (op == OP_PAD)
        move_pad(p, attr_at(p, attr), args, out);
    else if (op == OP_CONCATENATE)
        move_concatenate(p, attr_at(p, attr)[0], n, args, out);
    else if (op == OP_DYNAMIC_SLICE)
        move_dynamic_slice(p, args, out);
    else if (op == OP_DYNAMIC_UPDATE_SLICE)
        move_update(p, args, out);
    else if (op == OP_RESHAPE)
        memcpy(out->data, args[0].data,
               (size_t)type_count(p, type) * elem_bytes(type_elem(p, type)));
    else
        move_by_box(p, op, attr, args, out);
    return true;
}
