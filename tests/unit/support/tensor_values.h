// SPDX-License-Identifier: Apache-2.0
// What the tests of the interpreter share: a world of types and values, one
// node run on given operands, indices one after the other.
#ifndef TESTS_UNIT_SUPPORT_TENSOR_VALUES_H
#define TESTS_UNIT_SUPPORT_TENSOR_VALUES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tensor/eval/eval.h"
#include "tensor/shape/infer.h"

static uint64_t test_seed = 1;

struct fixture {
    struct pool pool;
    struct terms terms;
    struct arena mem;
    struct rng rng;
};

static inline int set_up(void **state)
{
    struct fixture *fixture = mem_alloc(sizeof *fixture);
    pool_init(&fixture->pool);
    terms_init(&fixture->terms, &fixture->pool);
    rng_seed(&fixture->rng, test_seed);
    *state = fixture;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *fixture = *state;
    terms_release(&fixture->terms);
    pool_release(&fixture->pool);
    arena_release(&fixture->mem);
    mem_free(fixture);
    return 0;
}

static inline type_id type_of(struct fixture *fixture, enum elem elem, uint32_t rank,
                              const int64_t *dims)
{
    struct err err = {0};
    type_id id;
    assert_true(type_tensor(&fixture->pool, elem, rank, dims, &id, &err));
    return id;
}

static inline struct value run(struct fixture *fixture, enum op op, uint32_t n_attr,
                               const int64_t *attr, type_id want, uint32_t n,
                               const struct value *args)
{
    struct err err = {0};
    struct value out = {0};
    type_id types[8], type;
    attr_id a = attr_make(&fixture->pool, n_attr, attr);
    for (uint32_t i = 0; i < n; i++)
        types[i] = args[i].type;
    if (!infer_type(&fixture->pool, (struct operation){op, a, want, n}, types, &type, &err) ||
        !eval_node(&fixture->pool, (struct operation){op, a, type, n}, args, &fixture->mem, &out,
                   &err))
        fail_msg("%s: %s", op_name(op), err.msg);
    return out;
}

static inline struct scalar at(struct fixture *fixture, const struct value *value,
                               const int64_t *index)
{
    int64_t flat = 0;
    for (uint32_t i = 0; i < type_rank(&fixture->pool, value->type); i++) {
        int64_t size = type_dims(&fixture->pool, value->type)[i];
        assert_true(index[i] >= 0 && index[i] < size);
        flat = flat * size + index[i];
    }
    return scalar_load(type_elem(&fixture->pool, value->type), value->data, (size_t)flat);
}

// Calls of the test body for every index of a type.
static inline bool first_index(struct fixture *fixture, type_id type, int64_t *index)
{
    memset(index, 0, sizeof(int64_t) * TENSOR_MAX_RANK);
    return type_count(&fixture->pool, type) > 0;
}

static inline bool next_index(struct fixture *fixture, type_id type, int64_t *index)
{
    for (uint32_t i = type_rank(&fixture->pool, type); i-- > 0;) {
        if (++index[i] < type_dims(&fixture->pool, type)[i])
            return true;
        index[i] = 0;
    }
    return false;
}

#define EACH_INDEX(x, t, index)                                                                    \
    for (bool index##_more = first_index(x, t, index); index##_more;                               \
         index##_more = next_index(x, t, index))

static inline void assert_same(struct fixture *fixture, const struct value *value,
                               const int64_t *index, struct scalar want)
{
    assert_true(
        scalar_same(type_elem(&fixture->pool, value->type), at(fixture, value, index), want));
}

static inline struct value ints(struct fixture *fixture, enum elem elem, uint32_t n,
                                const int64_t *data)
{
    int64_t dims = n;
    struct value value = {.type = type_of(fixture, elem, 1, &dims)};
    value.data = arena_alloc(&fixture->mem, n * elem_bytes(elem) + 1);
    for (uint32_t i = 0; i < n; i++)
        scalar_store(elem, value.data, i, scalar_of_int(elem, data[i]));
    return value;
}

static inline struct value rank0(struct fixture *fixture, enum elem elem, int64_t value)
{
    struct value v = ints(fixture, elem, 1, &value);
    v.type = type_of(fixture, elem, 0, NULL);
    return v;
}

static inline void expect_text(struct fixture *fixture, struct value value, const char *want)
{
    struct buf buf = {0};
    value_print(&fixture->pool, &value, &buf);
    assert_string_equal(buf_text(&buf), want);
    buf_release(&buf);
}

#endif
