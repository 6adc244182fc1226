// SPDX-License-Identifier: Apache-2.0
// Slices at run-time starts, gather and scatter against the definitions of the
// specification, written with its names; reshape and bitcast_convert against
// the bytes.
#include "tests/unit/support/tensor_values.h"

static enum elem some_elem(struct fixture *x)
{
    return (enum elem)(1 + rng_below(&x->r, N_ELEMS - 1));
}

static enum elem index_elem(struct fixture *x)
{
    static const enum elem t[] = {ELEM_I4,  ELEM_I8,   ELEM_I64, ELEM_UI8,
                                  ELEM_UI2, ELEM_UI64, ELEM_INT};
    return t[rng_below(&x->r, sizeof t / sizeof *t)];
}

static struct value some(struct fixture *x, enum elem t, uint32_t rank,
                         const int64_t *dims)
{
    return value_random(&x->p, type_of(x, t, rank, dims), &x->r, true, &x->mem);
}

// Indices around the sizes of tensors, some far away.
static struct value some_indices(struct fixture *x, enum elem t, uint32_t rank,
                                 const int64_t *dims)
{
    struct value v = some(x, t, rank, dims);
    for (int64_t i = 0; i < type_count(&x->p, v.type); i++) {
        int64_t k = rng_range(&x->r, -2, 5);
        if (rng_below(&x->r, 12) == 0)
            k = rng_below(&x->r, 2) ? INT64_MIN : INT64_MAX;
        if (t == ELEM_INT || rng_below(&x->r, 12))
            scalar_store(t, v.data, (size_t)i, scalar_of_int(t, k));
    }
    return v;
}

// The number that an index is, cut to 62 bits and a sign.
static int64_t index_of(enum elem t, struct scalar s)
{
    const int64_t far = INT64_C(1) << 62;
    if (t == ELEM_INT)
        return s.num > far ? far : s.num < -far ? -far : s.num;
    if (elem_kind(t) == KIND_UINT)
        return s.bits > (uint64_t)far ? far : (int64_t)s.bits;
    int64_t x = (int64_t)s.bits;
    return x > far ? far : x < -far ? -far : x;
}

static int64_t clamped(int64_t low, int64_t v, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

static void test_dynamic(void **state)
{
    struct fixture *x = *state;
    for (int round = 0; round < 2000; round++) {
        uint32_t rank = (uint32_t)rng_below(&x->r, 4);
        enum elem t = some_elem(x), ti = index_elem(x);
        int64_t dims[3], size[3], start[3], index[MAX_RANK], from[3];
        struct value args[5];
        for (uint32_t i = 0; i < rank; i++) {
            dims[i] = rng_range(&x->r, 0, 4);
            size[i] = rng_range(&x->r, 0, dims[i]);
            args[2 + i] = some_indices(x, ti, 0, NULL);
            start[i] = clamped(0, index_of(ti, at(x, &args[2 + i], NULL)),
                               dims[i] - size[i]);
        }
        args[0] = some(x, t, rank, dims);
        args[1] = some(x, t, rank, size);
        struct value updated =
            run(x, OP_DYNAMIC_UPDATE_SLICE, 0, NULL, NO_TYPE, 2 + rank, args);
        assert_int_equal(updated.type.v, args[0].type.v);
        EACH_INDEX(x, updated.type, index)
        {
            bool inside = true;
            for (uint32_t i = 0; i < rank; i++) {
                from[i] = index[i] - start[i];
                inside &= from[i] >= 0 && from[i] < size[i];
            }
            assert_same(x, &updated, index,
                        inside ? at(x, &args[1], from)
                               : at(x, &args[0], index));
        }
        args[1] = args[0];
        struct value slice =
            run(x, OP_DYNAMIC_SLICE, rank, size, NO_TYPE, 1 + rank, args + 1);
        EACH_INDEX(x, slice.type, index)
        {
            for (uint32_t i = 0; i < rank; i++)
                from[i] = start[i] + index[i];
            assert_same(x, &slice, index, at(x, &args[0], from));
        }
    }
}

// One draw of the dimension numbers that gather and scatter share; scatter has
// other names for them.
struct numbers {
    uint32_t rank, n_offset, n_collapsed, n_batching, n_map, n_batch;
    int64_t index_vector_dim;
    int64_t offset_dims[4], collapsed[4], batching[4], indices_batching[4];
    int64_t map[4], dims[4], indices_dims[6], size[4];
    uint32_t indices_rank;
};

static bool in_list(uint32_t n, const int64_t *list, int64_t x)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == x)
            return true;
    return false;
}

static void draw_indices(struct fixture *x, struct numbers *c)
{
    uint32_t free_batches = (uint32_t)rng_below(&x->r, 2);
    c->n_batch = c->n_batching + free_batches;
    int64_t batch[4];
    for (uint32_t i = 0; i < c->n_batch; i++)
        batch[i] = rng_range(&x->r, 0, 3);
    bool vector = c->n_map != 1 || rng_below(&x->r, 2);
    c->indices_rank = c->n_batch + vector;
    c->index_vector_dim =
        vector ? rng_range(&x->r, 0, c->n_batch) : (int64_t)c->indices_rank;
    // Batching dimensions of the indices: the last ones, backwards.
    for (uint32_t i = 0; i < c->n_batching; i++) {
        int64_t b = c->n_batch - 1 - i;
        batch[b] = c->dims[c->batching[i]];
        c->indices_batching[i] = b + (b >= c->index_vector_dim);
    }
    for (uint32_t i = 0, b = 0; i < c->indices_rank; i++)
        c->indices_dims[i] =
            i == c->index_vector_dim ? (int64_t)c->n_map : batch[b++];
}

static void draw_numbers(struct fixture *x, struct numbers *c)
{
    *c = (struct numbers){.rank = (uint32_t)rng_below(&x->r, 4)};
    for (uint32_t d = 0; d < c->rank; d++) {
        uint64_t role = rng_below(&x->r, 4);
        c->dims[d] = rng_range(&x->r, role == 0 ? 1 : 0, 4);
        if (role == 0) {
            c->size[d] = 1;
            c->collapsed[c->n_collapsed++] = d;
        } else if (role == 1) {
            c->size[d] = c->dims[d] > 0;
            c->batching[c->n_batching++] = d;
        } else {
            c->size[d] = rng_range(&x->r, 0, c->dims[d]);
            c->n_offset++;
        }
    }
    for (uint32_t d = c->rank; d-- > 0;)
        if (!in_list(c->n_batching, c->batching, d) && rng_below(&x->r, 3))
            c->map[c->n_map++] = d;
    draw_indices(x, c);
    uint32_t left = c->n_offset;
    for (uint32_t i = 0, o = 0; i < c->n_batch + c->n_offset; i++)
        if (left &&
            (rng_below(&x->r, 2) || left == c->n_batch + c->n_offset - i)) {
            c->offset_dims[o++] = i;
            left--;
        }
}

static uint32_t push(int64_t *v, uint32_t n, uint32_t count,
                     const int64_t *list)
{
    memcpy(v + n, list, count * sizeof *list);
    return n + count;
}

static uint32_t push_lists(const struct numbers *c, int64_t *v, uint32_t n)
{
    n = push(v, n, c->n_offset, c->offset_dims);
    n = push(v, n, c->n_collapsed, c->collapsed);
    n = push(v, n, c->n_batching, c->batching);
    n = push(v, n, c->n_batching, c->indices_batching);
    return push(v, n, c->n_map, c->map);
}

// full_start_index (not clamped) and, added, full_batching_index and
// full_offset_index, of an index of gather's result or scatter's updates.
static void operand_index(struct fixture *x, const struct numbers *c,
                          const struct value *indices, const int64_t *index,
                          int64_t *start, int64_t *rest)
{
    int64_t batch_index[4] = {0}, offset_index[4] = {0}, place[6] = {0};
    uint32_t b = 0, o = 0;
    enum elem t = type_elem(&x->p, indices->type);
    for (uint32_t i = 0; i < c->n_batch + c->n_offset; i++) {
        if (in_list(c->n_offset, c->offset_dims, i))
            offset_index[o++] = index[i];
        else
            batch_index[b++] = index[i];
    }
    for (uint32_t d = 0; d < c->rank; d++)
        start[d] = rest[d] = 0;
    for (uint32_t d_start = 0; d_start < c->n_map; d_start++) {
        for (uint32_t i = 0, k = 0; i < c->indices_rank; i++)
            place[i] =
                i == c->index_vector_dim ? (int64_t)d_start : batch_index[k++];
        start[c->map[d_start]] = index_of(t, at(x, indices, place));
    }
    for (uint32_t i = 0; i < c->n_batching; i++) {
        int64_t d_start = c->indices_batching[i];
        rest[c->batching[i]] =
            batch_index[d_start - (d_start < c->index_vector_dim ? 0 : 1)];
    }
    o = 0;
    for (uint32_t d = 0; d < c->rank; d++)
        if (!in_list(c->n_collapsed, c->collapsed, d) &&
            !in_list(c->n_batching, c->batching, d))
            rest[d] += offset_index[o++];
}

static void test_gather(void **state)
{
    struct fixture *x = *state;
    unsigned checked = 0;
    for (int round = 0; round < 3000; round++) {
        struct numbers c;
        int64_t v[40], index[MAX_RANK], start[4], rest[4];
        draw_numbers(x, &c);
        int64_t head[] = {c.n_offset, c.n_collapsed,     c.n_batching, c.n_map,
                          0,          c.index_vector_dim};
        uint32_t n = push_lists(&c, v, push(v, 0, 6, head));
        n = push(v, n, c.rank, c.size);
        struct value args[2] = {
            some(x, some_elem(x), c.rank, c.dims),
            some_indices(x, index_elem(x), c.indices_rank, c.indices_dims)};
        struct value out = run(x, OP_GATHER, n, v, NO_TYPE, 2, args);
        EACH_INDEX(x, out.type, index)
        {
            operand_index(x, &c, &args[1], index, start, rest);
            for (uint32_t d = 0; d < c.rank; d++)
                rest[d] += clamped(0, start[d], c.dims[d] - c.size[d]);
            assert_same(x, &out, index, at(x, &args[0], rest));
            checked++;
        }
    }
    assert_true(checked > 1000);
}

static struct value copy(struct fixture *x, const struct value *v)
{
    struct value out = {.type = v->type};
    size_t n = (size_t)type_count(&x->p, v->type) *
               elem_bytes(type_elem(&x->p, v->type));
    out.data = arena_alloc(&x->mem, n + 1);
    memcpy(out.data, v->data, n);
    return out;
}

static void set(struct fixture *x, struct value *v, const int64_t *index,
                struct scalar s)
{
    int64_t flat = 0;
    for (uint32_t i = 0; i < type_rank(&x->p, v->type); i++)
        flat = flat * type_dims(&x->p, v->type)[i] + index[i];
    scalar_store(type_elem(&x->p, v->type), v->data, (size_t)flat, s);
}

// The updates have the sizes of the slices, or less.
static struct value some_updates(struct fixture *x, const struct numbers *c,
                                 enum elem t)
{
    int64_t dims[8];
    uint32_t n = c->n_batch + c->n_offset, d = 0, b = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (in_list(c->n_offset, c->offset_dims, i)) {
            while (in_list(c->n_collapsed, c->collapsed, d) ||
                   in_list(c->n_batching, c->batching, d))
                d++;
            dims[i] = c->size[d++];
        } else {
            b += b == c->index_vector_dim;
            dims[i] = c->indices_dims[b++];
        }
    }
    return some(x, t, n, dims);
}

static void scatter_by_element(struct fixture *x, const struct numbers *c,
                               enum op op, const struct value *args,
                               struct value *results, unsigned *dropped)
{
    enum elem t = type_elem(&x->p, args[0].type);
    int64_t index[MAX_RANK], start[4], rest[4];
    EACH_INDEX(x, args[2].type, index)
    {
        struct scalar update = at(x, &args[2], index);
        struct err e = {0};
        bool inside = true;
        operand_index(x, c, &args[1], index, start, rest);
        for (uint32_t d = 0; d < c->rank; d++) {
            rest[d] += start[d];
            inside &= rest[d] >= 0 && rest[d] < c->dims[d];
        }
        *dropped += !inside;
        if (!inside)
            continue;
        if (op != N_OPS)
            assert_true(
                eval_binary(op, t, at(x, results, rest), update, &update, &e));
        set(x, results, rest, update);
    }
}

static void test_scatter(void **state)
{
    struct fixture *x = *state;
    static const enum op reducers[] = {
        OP_ADD, OP_MULTIPLY, OP_MAXIMUM, OP_MINIMUM, OP_AND, OP_OR, N_OPS};
    unsigned dropped = 0, checked = 0;
    for (int round = 0; round < 3000; round++) {
        struct numbers c;
        int64_t v[40], index[MAX_RANK];
        enum op op = reducers[rng_below(&x->r, 7)];
        enum elem t = (enum elem)(1 + rng_below(&x->r, ELEM_F64));
        if (op != N_OPS && !(op_kinds(op) & (unsigned)elem_kind(t)))
            continue;
        draw_numbers(x, &c);
        int64_t head[] = {
            op, c.n_offset, c.n_collapsed,     c.n_batching, c.n_map,
            0,  0,          c.index_vector_dim};
        uint32_t n = push_lists(&c, v, push(v, 0, 8, head));
        struct value args[3] = {
            some(x, t, c.rank, c.dims),
            some_indices(x, index_elem(x), c.indices_rank, c.indices_dims),
            some_updates(x, &c, t)};
        struct value want = copy(x, &args[0]);
        struct value out = run(x, OP_SCATTER, n, v, NO_TYPE, 3, args);
        scatter_by_element(x, &c, op, args, &want, &dropped);
        EACH_INDEX(x, out.type, index)
        {
            assert_same(x, &out, index, at(x, &want, index));
            checked++;
        }
    }
    assert_true(dropped > 500 && checked > 1000);
}

static void test_reshape(void **state)
{
    struct fixture *x = *state;
    struct value in = ints(x, ELEM_I8, 6, (int64_t[]){1, 2, 3, 4, 5, 6});
    int64_t dims[3] = {3, 1, 2};
    expect_text(
        x, run(x, OP_RESHAPE, 0, NULL, type_of(x, ELEM_I8, 3, dims), 1, &in),
        "dense<[[[1, 2]], [[3, 4]], [[5, 6]]]> : tensor<3x1x2xi8>");
}

// Whole bytes: the bytes stay as they are on a little-endian machine.
static void test_bitcast_bytes(void **state)
{
    struct fixture *x = *state;
    for (int round = 0; round < 1000; round++) {
        enum elem from = (enum elem)(1 + rng_below(&x->r, ELEM_F64));
        enum elem to = (enum elem)(1 + rng_below(&x->r, ELEM_F64));
        unsigned a = elem_bits(from), b = elem_bits(to);
        if (a < 8 || b < 8)
            continue;
        int64_t dims[2] = {3, b > a ? b / a : a / b};
        struct value in = some(x, from, b > a ? 2 : 1, dims);
        type_id want = type_of(x, to, a > b ? 2 : 1, dims);
        struct value out = run(x, OP_BITCAST_CONVERT, 0, NULL, want, 1, &in);
        assert_memory_equal(out.data, in.data, 3 * (a > b ? a : b) / 8);
    }
}

static void test_bitcast(void **state)
{
    struct fixture *x = *state;
    int64_t bits[8] = {1, 0, 1, 1, 0, 0, 0, 1}, four[2] = {-3, 5};
    struct value i1 = ints(x, ELEM_I1, 8, bits), i4 = ints(x, ELEM_I4, 2, four);
    struct value byte = rank0(x, ELEM_I8, -115); // 10001101
    type_id i8 = type_of(x, ELEM_I8, 0, NULL);
    int64_t eight = 8, two = 2;
    expect_text(x, run(x, OP_BITCAST_CONVERT, 0, NULL, i8, 1, &i1),
                "dense<-115> : tensor<i8>");
    expect_text(x, run(x, OP_BITCAST_CONVERT, 0, NULL, i8, 1, &i4),
                "dense<93> : tensor<i8>"); // 0101 1101
    expect_text(x,
                run(x, OP_BITCAST_CONVERT, 0, NULL,
                    type_of(x, ELEM_I1, 1, &eight), 1, &byte),
                "dense<[true, false, true, true, false, false, false, true]> "
                ": tensor<8xi1>");
    expect_text(x,
                run(x, OP_BITCAST_CONVERT, 0, NULL,
                    type_of(x, ELEM_I4, 1, &two), 1, &byte),
                "dense<[-3, -8]> : tensor<2xi4>");
    struct value one = rank0(x, ELEM_F32, 1);
    expect_text(x,
                run(x, OP_BITCAST_CONVERT, 0, NULL,
                    type_of(x, ELEM_I32, 0, NULL), 1, &one),
                "dense<1065353216> : tensor<i32>");
}

int main(int argc, char **argv)
{
    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)test_seed);
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(test_dynamic), CASE(test_gather),        CASE(test_scatter),
        CASE(test_reshape), CASE(test_bitcast_bytes), CASE(test_bitcast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
