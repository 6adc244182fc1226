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
    struct pool p;
    struct terms t;
    struct arena mem;
    struct rng r;
};

static inline int set_up(void **state)
{
    struct fixture *x = mem_alloc(sizeof *x);
    pool_init(&x->p);
    terms_init(&x->t, &x->p);
    rng_seed(&x->r, test_seed);
    *state = x;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *x = *state;
    terms_release(&x->t);
    pool_release(&x->p);
    arena_release(&x->mem);
    mem_free(x);
    return 0;
}

static inline type_id type_of(struct fixture *x, enum elem t, uint32_t rank,
                              const int64_t *dims)
{
    struct err e = {0};
    type_id id;
    assert_true(type_tensor(&x->p, t, rank, dims, &id, &e));
    return id;
}

static inline struct value run(struct fixture *x, enum op op, uint32_t n_attr,
                               const int64_t *attr, type_id want, uint32_t n,
                               const struct value *args)
{
    struct err e = {0};
    struct value out = {0};
    type_id types[8], type;
    attr_id a = attr_make(&x->p, n_attr, attr);
    for (uint32_t i = 0; i < n; i++)
        types[i] = args[i].type;
    if (!infer_type(&x->p, op, a, want, n, types, &type, &e) ||
        !eval_node(&x->p, op, a, type, n, args, &x->mem, &out, &e))
        fail_msg("%s: %s", op_name(op), e.msg);
    return out;
}

static inline struct scalar at(struct fixture *x, const struct value *v,
                               const int64_t *index)
{
    int64_t flat = 0;
    for (uint32_t i = 0; i < type_rank(&x->p, v->type); i++) {
        int64_t size = type_dims(&x->p, v->type)[i];
        assert_true(index[i] >= 0 && index[i] < size);
        flat = flat * size + index[i];
    }
    return scalar_load(type_elem(&x->p, v->type), v->data, (size_t)flat);
}

// Calls of the test body for every index of a type.
static inline bool first_index(struct fixture *x, type_id t, int64_t *index)
{
    memset(index, 0, sizeof(int64_t) * MAX_RANK);
    return type_count(&x->p, t) > 0;
}

static inline bool next_index(struct fixture *x, type_id t, int64_t *index)
{
    for (uint32_t i = type_rank(&x->p, t); i-- > 0;) {
        if (++index[i] < type_dims(&x->p, t)[i])
            return true;
        index[i] = 0;
    }
    return false;
}

#define EACH_INDEX(x, t, index)                                                \
    for (bool index##_more = first_index(x, t, index); index##_more;           \
         index##_more = next_index(x, t, index))

static inline void assert_same(struct fixture *x, const struct value *v,
                               const int64_t *index, struct scalar want)
{
    assert_true(scalar_same(type_elem(&x->p, v->type), at(x, v, index), want));
}

static inline struct value ints(struct fixture *x, enum elem t, uint32_t n,
                                const int64_t *data)
{
    int64_t dims = n;
    struct value v = {.type = type_of(x, t, 1, &dims)};
    v.data = arena_alloc(&x->mem, n * elem_bytes(t) + 1);
    for (uint32_t i = 0; i < n; i++)
        scalar_store(t, v.data, i, scalar_of_int(t, data[i]));
    return v;
}

static inline struct value rank0(struct fixture *x, enum elem t, int64_t value)
{
    struct value v = ints(x, t, 1, &value);
    v.type = type_of(x, t, 0, NULL);
    return v;
}

static inline void expect_text(struct fixture *x, struct value v,
                               const char *want)
{
    struct buf b = {0};
    value_print(&x->p, &v, &b);
    assert_string_equal(buf_text(&b), want);
    buf_release(&b);
}

#endif
