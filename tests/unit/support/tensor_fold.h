// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of folding: one node, and what folds from it.
#ifndef TESTS_UNIT_SUPPORT_TENSOR_FOLD_H
#define TESTS_UNIT_SUPPORT_TENSOR_FOLD_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tensor/eval/eval.h"
#include "tensor/fold/fold.h"
#include "tensor/shape/infer.h"

static uint64_t seed = 1;

struct fixture {
    struct pool pool;
    struct arena mem;
    struct rng rng;
};

static inline int set_up(void **state)
{
    struct fixture *fixture = mem_alloc(sizeof *fixture);
    pool_init(&fixture->pool);
    rng_seed(&fixture->rng, seed);
    *state = fixture;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *fixture = *state;
    pool_release(&fixture->pool);
    arena_release(&fixture->mem);
    mem_free(fixture);
    return 0;
}

#define MAX_ARGS 3
struct node {
    enum op op;
    attr_id attr;
    type_id type;
    uint32_t n;
    lit_id lit[MAX_ARGS];
    type_id types[MAX_ARGS];
};

static inline type_id type_of(struct fixture *fixture, enum elem elem, uint32_t rank,
                              const int64_t *dims)
{
    struct err err = {0};
    type_id id;
    assert_true(type_tensor(&fixture->pool, elem, rank, dims, &id, &err));
    return id;
}

static inline bool infer(struct fixture *fixture, struct node *node, type_id want)
{
    struct err err = {0};
    return infer_type(&fixture->pool, (struct operation){node->op, node->attr, want, node->n},
                      node->types, &node->type, &err);
}

static inline bool fold_as(struct fixture *fixture, const struct node *node,
                           enum float_reading reading, lit_id *out)
{
    return fold_node(&fixture->pool, (struct operation){node->op, node->attr, node->type, node->n},
                     node->lit, node->types, (struct fold_options){reading, TENSOR_FOLD_ELEMENTS},
                     out);
}

static inline bool fold(struct fixture *fixture, const struct node *node, bool exact, lit_id *out)
{
    return fold_as(fixture, node, exact ? READ_REAL : READ_FLOAT_SUMS, out);
}

static inline lit_id literal_of(struct fixture *fixture, const struct value *value)
{
    return literal_make(&fixture->pool, type_elem(&fixture->pool, value->type),
                        (uint64_t)type_count(&fixture->pool, value->type), value->data);
}

// A node on literals of rank 0.
static inline struct node point_node(struct fixture *fixture, enum op op, enum elem elem,
                                     uint32_t n, const struct scalar *args)
{
    struct node node = {.op = op, .n = n, .attr = NO_ATTR};
    for (uint32_t i = 0; i < n; i++) {
        node.lit[i] = literal_splat(&fixture->pool, elem, args[i]);
        node.types[i] = type_of(fixture, elem, 0, NULL);
    }
    assert_true(infer(fixture, &node, NO_TYPE));
    return node;
}

#endif
