// SPDX-License-Identifier: Apache-2.0
// A graph of layouts: parameters, transposes, and the checks of a closed graph.
#ifndef TESTS_UNIT_SUPPORT_LAYOUT_WORLD_H
#define TESTS_UNIT_SUPPORT_LAYOUT_WORLD_H

#include "base/rng.h"
#include "egraph/program/egraph.h"
#include "egraph/program/orbit.h"
#include "tests/unit/support/egraph_proof.h"

static uint64_t seed = 1;

struct world {
    struct pool pool;
    struct terms terms;
    struct egraph graph;
    struct stated stated;
    struct rng rng;
    VEC(term_id) all;
};

static inline void world_init(struct world *world, uint64_t salt)
{
    memset(world, 0, sizeof *world);
    pool_init(&world->pool);
    terms_init(&world->terms, &world->pool);
    egraph_init(&world->graph, &world->terms, egraph_defaults());
    rng_seed(&world->rng, seed * 1000 + salt);
}

static inline void world_release(struct world *world)
{
    egraph_release(&world->graph);
    stated_release(&world->stated);
    vec_release(&world->all);
    terms_release(&world->terms);
    pool_release(&world->pool);
}

static inline term_id parameter(struct world *world, int64_t i, uint32_t rank, const int64_t *dims)
{
    type_id type;
    term_id out;
    struct err err = {0};
    int64_t v[2] = {0, i};
    assert_true(type_tensor(&world->pool, ELEM_I32, rank, dims, &type, &err));
    assert_true(egraph_add(&world->graph,
                           (struct operation){OP_PARAMETER, attr_make(&world->pool, 2, v), type, 0},
                           NULL, &out, &err));
    return out;
}

static inline void closed(struct world *world)
{
    struct err err = {0};
    egraph_rebuild(&world->graph);
    if (!egraph_check(&world->graph, &err) || !orbit_check(&world->graph, &err))
        fail_msg("%s (seed %lu)", err.msg, (unsigned long)seed);
}

static inline term_id transpose(struct world *world, term_id term, uint32_t n, const int64_t *p)
{
    term_id out;
    struct err err = {0};
    assert_true(egraph_add(
        &world->graph, (struct operation){OP_TRANSPOSE, attr_make(&world->pool, n, p), NO_TYPE, 1},
        &term, &out, &err));
    return out;
}

#endif
