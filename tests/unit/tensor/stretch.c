// SPDX-License-Identifier: Apache-2.0
// The law STRETCH against the interpreter, on random broadcasts, and where it must not apply.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "tensor/eval/eval.h"
#include "tensor/fold/layout.h"

enum { TRIES = 600, RANK = 4 };

struct world {
    struct pool pool;
    struct terms terms;
    struct arena mem;
    struct rng rng;
};

static type_id tensor(struct world *world, uint32_t n, const int64_t *dims)
{
    type_id type;
    struct err err = {0};
    assert_true(type_tensor(&world->pool, ELEM_I32, n, dims, &type, &err));
    return type;
}

// A parameter of random sizes, broadcast to other ones: each dimension goes anywhere, and a size 1
// may be stretched.  Returns how many are.
static uint32_t random_broadcast(struct world *world, term_id *parameter, term_id *out)
{
    int64_t from[RANK], to[RANK], place[RANK], number[2] = {0, 0};
    uint32_t rank = (uint32_t)rng_below(&world->rng, RANK + 1), n = 0, stretched = 0;
    struct err err = {0};
    for (uint32_t d = 0; d < rank; d++)
        to[d] = (int64_t)rng_below(&world->rng, 4);
    uint64_t taken = 0;
    for (uint32_t k = 0; k < rank; k++) {
        uint32_t d = (uint32_t)rng_below(&world->rng, rank);
        if (taken >> d & 1)
            continue;
        taken |= UINT64_C(1) << d;
        bool stretch = rng_below(&world->rng, 2) == 0;
        from[n] = stretch ? 1 : to[d];
        stretched += stretch && to[d] != 1;
        place[n++] = d;
    }
    struct operation operand = {OP_PARAMETER, attr_make(&world->pool, 2, number),
                                tensor(world, n, from), 0};
    assert_true(term_build(&world->terms, operand, NULL, parameter, &err));
    struct operation operation = {OP_BROADCAST_IN_DIM, attr_make(&world->pool, n, place),
                                  tensor(world, rank, to), 1};
    assert_true(term_build(&world->terms, operation, parameter, out, &err));
    return stretched;
}

static void random_broadcasts(void **unused)
{
    (void)unused;
    uint32_t applied = 0, left = 0;
    for (uint32_t i = 0; i < TRIES; i++) {
        struct world world = {0};
        struct value argument, value[2];
        struct err err = {0};
        term_id parameter, root[2];
        int64_t where;
        pool_init(&world.pool);
        terms_init(&world.terms, &world.pool);
        rng_seed(&world.rng, i);
        uint32_t stretched = random_broadcast(&world, &parameter, &root[0]);
        bool applies = layout_rewrite(&world.terms, root[0], LAYOUT_STRETCH, &root[1]);
        assert_int_equal(applies, stretched > 0);
        applied += applies;
        left += !applies;
        if (applies) {
            assert_true(terms_check(&world.terms, &err));
            assert_int_equal(term_type(&world.terms, root[0]).v,
                             term_type(&world.terms, root[1]).v);
            argument = value_random(&world.pool, term_type(&world.terms, parameter), &world.rng,
                                    false, &world.mem);
            struct eval_input input = {&world.terms, 1, &argument, &world.mem};
            assert_true(eval_terms(&input, 2, root, value, &err));
            assert_true(value_same(&world.pool, &value[0], &value[1], 0, &where));
        }
        arena_release(&world.mem);
        terms_release(&world.terms);
        pool_release(&world.pool);
    }
    assert_true(applied > TRIES / 4 && left > TRIES / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_broadcasts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
