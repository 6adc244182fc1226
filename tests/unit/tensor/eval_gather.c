// SPDX-License-Identifier: Apache-2.0
// Slices at run-time starts, gather and scatter against the definitions of the
// specification, written with its names; reshape and bitcast_convert against
// the bytes.
#include "tests/unit/support/tensor_values.h"

static enum elem some_elem(struct fixture *fixture)
{
    return (enum elem)(1 + rng_below(&fixture->rng, N_ELEMS - 1));
}

static enum elem index_elem(struct fixture *fixture)
{
    static const enum elem elem[] = {ELEM_I4,  ELEM_I8,   ELEM_I64, ELEM_UI8,
                                     ELEM_UI2, ELEM_UI64, ELEM_INT};
    return elem[rng_below(&fixture->rng, sizeof elem / sizeof *elem)];
}

static struct value some(struct fixture *fixture, enum elem elem, uint32_t rank,
                         const int64_t *dims)
{
    return value_random(&fixture->pool, type_of(fixture, elem, rank, dims), &fixture->rng, true,
                        &fixture->mem);
}

// Indices around the sizes of tensors, some far away.
static struct value some_indices(struct fixture *fixture, enum elem elem, uint32_t rank,
                                 const int64_t *dims)
{
    struct value value = some(fixture, elem, rank, dims);
    for (int64_t i = 0; i < type_count(&fixture->pool, value.type); i++) {
        int64_t k = rng_range(&fixture->rng, -2, 5);
        if (rng_below(&fixture->rng, 12) == 0)
            k = rng_below(&fixture->rng, 2) ? INT64_MIN : INT64_MAX;
        if (elem == ELEM_INT || rng_below(&fixture->rng, 12))
            scalar_store(elem, value.data, (size_t)i, scalar_of_int(elem, k));
    }
    return value;
}

// The number that an index is, cut to 62 bits and a sign.
static int64_t index_of(enum elem elem, struct scalar scalar)
{
    const int64_t far = INT64_C(1) << 62;
    if (elem == ELEM_INT)
        return scalar.num > far ? far : scalar.num < -far ? -far : scalar.num;
    if (elem_kind(elem) == KIND_UINT)
        return scalar.bits > (uint64_t)far ? far : (int64_t)scalar.bits;
    int64_t x = (int64_t)scalar.bits;
    return x > far ? far : x < -far ? -far : x;
}

static int64_t clamped(int64_t low, int64_t v, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

static void test_dynamic(void **state)
{
    struct fixture *fixture = *state;
    for (int round = 0; round < 2000; round++) {
        uint32_t rank = (uint32_t)rng_below(&fixture->rng, 4);
        enum elem elem = some_elem(fixture), ti = index_elem(fixture);
        int64_t dims[3], size[3], start[3], index[TENSOR_MAX_RANK], from[3];
        struct value args[5];
        for (uint32_t i = 0; i < rank; i++) {
            dims[i] = rng_range(&fixture->rng, 0, 4);
            size[i] = rng_range(&fixture->rng, 0, dims[i]);
            args[2 + i] = some_indices(fixture, ti, 0, NULL);
            start[i] = clamped(0, index_of(ti, at(fixture, &args[2 + i], NULL)), dims[i] - size[i]);
        }
        args[0] = some(fixture, elem, rank, dims);
        args[1] = some(fixture, elem, rank, size);
        struct value updated =
            run(fixture, OP_DYNAMIC_UPDATE_SLICE, 0, NULL, NO_TYPE, 2 + rank, args);
        assert_int_equal(updated.type.v, args[0].type.v);
        EACH_INDEX(fixture, updated.type, index)
        {
            bool inside = true;
            for (uint32_t i = 0; i < rank; i++) {
                from[i] = index[i] - start[i];
                inside &= from[i] >= 0 && from[i] < size[i];
            }
            assert_same(fixture, &updated, index,
                        inside ? at(fixture, &args[1], from) : at(fixture, &args[0], index));
        }
        args[1] = args[0];
        struct value slice =
            run(fixture, OP_DYNAMIC_SLICE, rank, size, NO_TYPE, 1 + rank, args + 1);
        EACH_INDEX(fixture, slice.type, index)
        {
            for (uint32_t i = 0; i < rank; i++)
                from[i] = start[i] + index[i];
            assert_same(fixture, &slice, index, at(fixture, &args[0], from));
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

static void draw_indices(struct fixture *fixture, struct numbers *numbers)
{
    uint32_t free_batches = (uint32_t)rng_below(&fixture->rng, 2);
    numbers->n_batch = numbers->n_batching + free_batches;
    int64_t batch[4];
    for (uint32_t i = 0; i < numbers->n_batch; i++)
        batch[i] = rng_range(&fixture->rng, 0, 3);
    bool vector = numbers->n_map != 1 || rng_below(&fixture->rng, 2);
    numbers->indices_rank = numbers->n_batch + vector;
    numbers->index_vector_dim =
        vector ? rng_range(&fixture->rng, 0, numbers->n_batch) : (int64_t)numbers->indices_rank;
    // Batching dimensions of the indices: the last ones, backwards.
    for (uint32_t i = 0; i < numbers->n_batching; i++) {
        int64_t b = numbers->n_batch - 1 - i;
        batch[b] = numbers->dims[numbers->batching[i]];
        numbers->indices_batching[i] = b + (b >= numbers->index_vector_dim);
    }
    for (uint32_t i = 0, b = 0; i < numbers->indices_rank; i++)
        numbers->indices_dims[i] =
            i == numbers->index_vector_dim ? (int64_t)numbers->n_map : batch[b++];
}

static void draw_numbers(struct fixture *fixture, struct numbers *numbers)
{
    *numbers = (struct numbers){.rank = (uint32_t)rng_below(&fixture->rng, 4)};
    for (uint32_t d = 0; d < numbers->rank; d++) {
        uint64_t role = rng_below(&fixture->rng, 4);
        numbers->dims[d] = rng_range(&fixture->rng, role == 0 ? 1 : 0, 4);
        if (role == 0) {
            numbers->size[d] = 1;
            numbers->collapsed[numbers->n_collapsed++] = d;
        } else if (role == 1) {
            numbers->size[d] = numbers->dims[d] > 0;
            numbers->batching[numbers->n_batching++] = d;
        } else {
            numbers->size[d] = rng_range(&fixture->rng, 0, numbers->dims[d]);
            numbers->n_offset++;
        }
    }
    for (uint32_t d = numbers->rank; d-- > 0;)
        if (!in_list(numbers->n_batching, numbers->batching, d) && rng_below(&fixture->rng, 3))
            numbers->map[numbers->n_map++] = d;
    draw_indices(fixture, numbers);
    uint32_t left = numbers->n_offset;
    for (uint32_t i = 0, o = 0; i < numbers->n_batch + numbers->n_offset; i++)
        if (left &&
            (rng_below(&fixture->rng, 2) || left == numbers->n_batch + numbers->n_offset - i)) {
            numbers->offset_dims[o++] = i;
            left--;
        }
}

static uint32_t push(int64_t *v, uint32_t n, uint32_t count, const int64_t *list)
{
    memcpy(v + n, list, count * sizeof *list);
    return n + count;
}

static uint32_t push_lists(const struct numbers *numbers, int64_t *v, uint32_t n)
{
    n = push(v, n, numbers->n_offset, numbers->offset_dims);
    n = push(v, n, numbers->n_collapsed, numbers->collapsed);
    n = push(v, n, numbers->n_batching, numbers->batching);
    n = push(v, n, numbers->n_batching, numbers->indices_batching);
    return push(v, n, numbers->n_map, numbers->map);
}

// full_start_index (not clamped) and, added, full_batching_index and
// full_offset_index, of an index of gather's result or scatter's updates.
static void operand_index(struct fixture *fixture, const struct numbers *numbers,
                          const struct value *indices, const int64_t *index, int64_t *start,
                          int64_t *rest)
{
    int64_t batch_index[4] = {0}, offset_index[4] = {0}, place[6] = {0};
    uint32_t b = 0, o = 0;
    enum elem elem = type_elem(&fixture->pool, indices->type);
    for (uint32_t i = 0; i < numbers->n_batch + numbers->n_offset; i++) {
        if (in_list(numbers->n_offset, numbers->offset_dims, i))
            offset_index[o++] = index[i];
        else
            batch_index[b++] = index[i];
    }
    for (uint32_t d = 0; d < numbers->rank; d++)
        start[d] = rest[d] = 0;
    for (uint32_t d_start = 0; d_start < numbers->n_map; d_start++) {
        for (uint32_t i = 0, k = 0; i < numbers->indices_rank; i++)
            place[i] = i == numbers->index_vector_dim ? (int64_t)d_start : batch_index[k++];
        start[numbers->map[d_start]] = index_of(elem, at(fixture, indices, place));
    }
    for (uint32_t i = 0; i < numbers->n_batching; i++) {
        int64_t d_start = numbers->indices_batching[i];
        rest[numbers->batching[i]] =
            batch_index[d_start - (d_start < numbers->index_vector_dim ? 0 : 1)];
    }
    o = 0;
    for (uint32_t d = 0; d < numbers->rank; d++)
        if (!in_list(numbers->n_collapsed, numbers->collapsed, d) &&
            !in_list(numbers->n_batching, numbers->batching, d))
            rest[d] += offset_index[o++];
}

static void test_gather(void **state)
{
    struct fixture *fixture = *state;
    unsigned checked = 0;
    for (int round = 0; round < 3000; round++) {
        struct numbers numbers;
        int64_t v[40], index[TENSOR_MAX_RANK], start[4], rest[4];
        draw_numbers(fixture, &numbers);
        int64_t head[] = {
            numbers.n_offset,        numbers.n_collapsed, numbers.n_batching, numbers.n_map, 0,
            numbers.index_vector_dim};
        uint32_t n = push_lists(&numbers, v, push(v, 0, 6, head));
        n = push(v, n, numbers.rank, numbers.size);
        struct value args[2] = {
            some(fixture, some_elem(fixture), numbers.rank, numbers.dims),
            some_indices(fixture, index_elem(fixture), numbers.indices_rank, numbers.indices_dims)};
        struct value out = run(fixture, OP_GATHER, n, v, NO_TYPE, 2, args);
        EACH_INDEX(fixture, out.type, index)
        {
            operand_index(fixture, &numbers, &args[1], index, start, rest);
            for (uint32_t d = 0; d < numbers.rank; d++)
                rest[d] += clamped(0, start[d], numbers.dims[d] - numbers.size[d]);
            assert_same(fixture, &out, index, at(fixture, &args[0], rest));
            checked++;
        }
    }
    assert_true(checked > 1000);
}

static struct value copy(struct fixture *fixture, const struct value *value)
{
    struct value out = {.type = value->type};
    size_t n = (size_t)type_count(&fixture->pool, value->type) *
               elem_bytes(type_elem(&fixture->pool, value->type));
    out.data = arena_alloc(&fixture->mem, n + 1);
    memcpy(out.data, value->data, n);
    return out;
}

static void set(struct fixture *fixture, struct value *value, const int64_t *index,
                struct scalar scalar)
{
    int64_t flat = 0;
    for (uint32_t i = 0; i < type_rank(&fixture->pool, value->type); i++)
        flat = flat * type_dims(&fixture->pool, value->type)[i] + index[i];
    scalar_store(type_elem(&fixture->pool, value->type), value->data, (size_t)flat, scalar);
}

// The updates have the sizes of the slices, or less.
static struct value some_updates(struct fixture *fixture, const struct numbers *numbers,
                                 enum elem elem)
{
    int64_t dims[8];
    uint32_t n = numbers->n_batch + numbers->n_offset, d = 0, b = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (in_list(numbers->n_offset, numbers->offset_dims, i)) {
            while (in_list(numbers->n_collapsed, numbers->collapsed, d) ||
                   in_list(numbers->n_batching, numbers->batching, d))
                d++;
            dims[i] = numbers->size[d++];
        } else {
            b += b == numbers->index_vector_dim;
            dims[i] = numbers->indices_dims[b++];
        }
    }
    return some(fixture, elem, n, dims);
}

static void scatter_by_element(struct fixture *fixture, const struct numbers *numbers, enum op op,
                               const struct value *args, struct value *results, unsigned *dropped)
{
    enum elem elem = type_elem(&fixture->pool, args[0].type);
    int64_t index[TENSOR_MAX_RANK], start[4], rest[4];
    EACH_INDEX(fixture, args[2].type, index)
    {
        struct scalar update = at(fixture, &args[2], index);
        struct err err = {0};
        bool inside = true;
        operand_index(fixture, numbers, &args[1], index, start, rest);
        for (uint32_t d = 0; d < numbers->rank; d++) {
            rest[d] += start[d];
            inside &= rest[d] >= 0 && rest[d] < numbers->dims[d];
        }
        *dropped += !inside;
        if (!inside)
            continue;
        if (op != N_OPS)
            assert_true(eval_binary(op, elem, at(fixture, results, rest), update, &update, &err));
        set(fixture, results, rest, update);
    }
}

static void test_scatter(void **state)
{
    struct fixture *fixture = *state;
    static const enum op reducers[] = {OP_ADD, OP_MULTIPLY, OP_MAXIMUM, OP_MINIMUM,
                                       OP_AND, OP_OR,       N_OPS};
    unsigned dropped = 0, checked = 0;
    for (int round = 0; round < 3000; round++) {
        struct numbers numbers;
        int64_t v[40], index[TENSOR_MAX_RANK];
        enum op op = reducers[rng_below(&fixture->rng, 7)];
        enum elem elem = (enum elem)(1 + rng_below(&fixture->rng, ELEM_F64));
        if (op != N_OPS && !(op_kinds(op) & (unsigned)elem_kind(elem)))
            continue;
        draw_numbers(fixture, &numbers);
        int64_t head[] = {
            op, numbers.n_offset,        numbers.n_collapsed, numbers.n_batching, numbers.n_map, 0,
            0,  numbers.index_vector_dim};
        uint32_t n = push_lists(&numbers, v, push(v, 0, 8, head));
        struct value args[3] = {
            some(fixture, elem, numbers.rank, numbers.dims),
            some_indices(fixture, index_elem(fixture), numbers.indices_rank, numbers.indices_dims),
            some_updates(fixture, &numbers, elem)};
        struct value want = copy(fixture, &args[0]);
        struct value out = run(fixture, OP_SCATTER, n, v, NO_TYPE, 3, args);
        scatter_by_element(fixture, &numbers, op, args, &want, &dropped);
        EACH_INDEX(fixture, out.type, index)
        {
            assert_same(fixture, &out, index, at(fixture, &want, index));
            checked++;
        }
    }
    assert_true(dropped > 500 && checked > 1000);
}

static void test_reshape(void **state)
{
    struct fixture *fixture = *state;
    struct value in = ints(fixture, ELEM_I8, 6, (int64_t[]){1, 2, 3, 4, 5, 6});
    int64_t dims[3] = {3, 1, 2};
    expect_text(fixture,
                run(fixture, OP_RESHAPE, 0, NULL, type_of(fixture, ELEM_I8, 3, dims), 1, &in),
                "dense<[[[1, 2]], [[3, 4]], [[5, 6]]]> : tensor<3x1x2xi8>");
}

// Whole bytes: the bytes stay as they are on a little-endian machine.
static void test_bitcast_bytes(void **state)
{
    struct fixture *fixture = *state;
    for (int round = 0; round < 1000; round++) {
        enum elem from = (enum elem)(1 + rng_below(&fixture->rng, ELEM_F64));
        enum elem to = (enum elem)(1 + rng_below(&fixture->rng, ELEM_F64));
        unsigned a = elem_bits(from), b = elem_bits(to);
        if (a < 8 || b < 8)
            continue;
        int64_t dims[2] = {3, b > a ? b / a : a / b};
        struct value in = some(fixture, from, b > a ? 2 : 1, dims);
        type_id want = type_of(fixture, to, a > b ? 2 : 1, dims);
        struct value out = run(fixture, OP_BITCAST_CONVERT, 0, NULL, want, 1, &in);
        assert_memory_equal(out.data, in.data, 3 * (a > b ? a : b) / 8);
    }
}

static void test_bitcast(void **state)
{
    struct fixture *fixture = *state;
    int64_t bits[8] = {1, 0, 1, 1, 0, 0, 0, 1}, four[2] = {-3, 5};
    struct value i1 = ints(fixture, ELEM_I1, 8, bits), i4 = ints(fixture, ELEM_I4, 2, four);
    struct value byte = rank0(fixture, ELEM_I8, -115); // 10001101
    type_id i8 = type_of(fixture, ELEM_I8, 0, NULL);
    int64_t eight = 8, two = 2;
    expect_text(fixture, run(fixture, OP_BITCAST_CONVERT, 0, NULL, i8, 1, &i1),
                "dense<-115> : tensor<i8>");
    expect_text(fixture, run(fixture, OP_BITCAST_CONVERT, 0, NULL, i8, 1, &i4),
                "dense<93> : tensor<i8>"); // 0101 1101
    expect_text(
        fixture,
        run(fixture, OP_BITCAST_CONVERT, 0, NULL, type_of(fixture, ELEM_I1, 1, &eight), 1, &byte),
        "dense<[true, false, true, true, false, false, false, true]> "
        ": tensor<8xi1>");
    expect_text(
        fixture,
        run(fixture, OP_BITCAST_CONVERT, 0, NULL, type_of(fixture, ELEM_I4, 1, &two), 1, &byte),
        "dense<[-3, -8]> : tensor<2xi4>");
    struct value one = rank0(fixture, ELEM_F32, 1);
    expect_text(
        fixture,
        run(fixture, OP_BITCAST_CONVERT, 0, NULL, type_of(fixture, ELEM_I32, 0, NULL), 1, &one),
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
