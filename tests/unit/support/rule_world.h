// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of rules as forms and as ground terms: a pool with rules.
#ifndef TESTS_UNIT_SUPPORT_RULE_WORLD_H
#define TESTS_UNIT_SUPPORT_RULE_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"

#define MAX_N 32

// A rule whose left side is built; axes, values of maps and elements follow the
// order of declaration.  Tensors without elements given have 1, 2, 3, ..
struct form {
    const char *text;
    uint32_t rank[6];
    int64_t map[10][2];
    const int64_t *data[3];
    enum elem index_elem;
    uint32_t n;
    int64_t want[MAX_N];
};

#define L(...) ((const int64_t[]){__VA_ARGS__})

struct world {
    struct pool pool;
    struct terms terms;
    struct arena mem;
    struct ruleset rules;
};

// The left side is the right side, too.
static inline const struct rule *world_init(struct world *world, const char *text)
{
    struct err_list errs = {0};
    struct buf buf = {0};
    const char *pattern = strrchr(text, ';') + 1;
    *world = (struct world){0};
    pool_init(&world->pool);
    terms_init(&world->terms, &world->pool);
    ruleset_init(&world->rules);
    buf_printf(&buf, "rule r { %s =>%s; }", text, pattern);
    if (!ruleset_parse(&world->rules, buf_text(&buf), strlen(buf_text(&buf)), "t.rw", &errs))
        fail_msg("%s\n%u:%u: %s", buf_text(&buf), errs.at.at[0].line, errs.at.at[0].col,
                 errs.at.at[0].msg);
    buf_release(&buf);
    vec_release(&errs.at);
    return world->rules.rules.at[0];
}

static inline void world_release(struct world *world)
{
    ruleset_release(&world->rules);
    terms_release(&world->terms);
    pool_release(&world->pool);
    arena_release(&world->mem);
}

// Position, in the order of axis numbers, of the element at row-major place
// `at` of a tensor whose dimensions are the axes in `order`.
static inline uint64_t logical(const struct world *world, type_id type, const struct order *order,
                               uint64_t at)
{
    int64_t index[TENSOR_MAX_RANK], left = (int64_t)at;
    const int64_t *dims = type_dims(&world->pool, type);
    uint64_t out = 0;
    for (uint32_t i = order->n; i-- > 0;) {
        index[i] = left % dims[i];
        left /= dims[i];
    }
    for (uint32_t axis = 0; axis < 32; axis++) {
        uint32_t i = order_find(order, axis);
        if (i != NONE)
            out = out * (uint64_t)dims[i] + (uint64_t)index[i];
    }
    return out;
}

static inline struct value parameter(struct world *world, term_id term, const struct order *order,
                                     const int64_t *data)
{
    type_id type = term_type(&world->terms, term);
    int64_t n = type_count(&world->pool, type);
    enum elem elem = type_elem(&world->pool, type);
    struct value value = {type, arena_alloc(&world->mem, (size_t)n * 8 + 8)};
    for (int64_t i = 0; i < n; i++) {
        uint64_t at = logical(world, type, order, (uint64_t)i);
        scalar_store(elem, value.data, (size_t)i,
                     scalar_of_int(elem, data != NULL ? data[at] : (int64_t)at + 1));
    }
    return value;
}

static inline struct instance *instance_of(struct world *world, const struct form *form,
                                           struct rng *rng, term_id *lhs)
{
    const struct rule *rule = world_init(world, form->text);
    int64_t value[10][2], *map[10];
    uint32_t rank[6];
    enum elem elem[8];
    struct instance *in;
    term_id rhs;
    struct err err = {0};
    for (uint32_t c = 0; c < rule->n_classes; c++)
        rank[c] = form->rank[c];
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        map[m] = value[m];
        memcpy(value[m], form->map[m], sizeof value[m]);
    }
    for (uint32_t i = 0; i < rule->n_types; i++)
        elem[i] = ELEM_I32;
    struct ground ground = {rank, map, elem, NULL, form->index_elem};
    if (rule_ground(rule, &ground, (struct ground_place){&world->terms, rng, &world->mem},
                    (struct ground_out){&in, lhs, &rhs, NULL}, &err) != GROUND_OK)
        fail_msg("%s: %s", form->text, err.msg);
    if (!instance_check(in, &world->terms, &err))
        fail_msg("%s: %s", form->text, err.msg);
    return in;
}

#endif
