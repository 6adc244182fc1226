// SPDX-License-Identifier: Apache-2.0
// The law LIFT against the interpreter, and where it must not apply.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "tensor/eval/eval.h"
#include "tensor/fold/layout.h"

enum { X, Y, P, C, V, N_PARAMETERS }; // 2x3x4, 2x3x4 of f32, the same of i1, i1, f32

struct world {
    struct pool pool;
    struct terms terms;
    struct arena mem;
    term_id parameter[N_PARAMETERS];
};

static const int64_t sizes[3] = {2, 3, 4}, turn[3] = {1, 2, 0}, other[3] = {2, 0, 1};

static term_id build(struct world *world, struct operation operation, const term_id *args)
{
    term_id out;
    struct err err = {0};
    if (!term_build(&world->terms, operation, args, &out, &err))
        fail_msg("%s", err.msg);
    return out;
}

static term_id plain(struct world *world, enum op op, uint32_t n, const term_id *args)
{
    return build(world, (struct operation){op, NO_ATTR, NO_TYPE, n}, args);
}

static term_id turned(struct world *world, term_id term, const int64_t *by)
{
    return build(
        world, (struct operation){OP_TRANSPOSE, attr_make(&world->pool, 3, by), NO_TYPE, 1}, &term);
}

static void world_init(struct world *world)
{
    static const struct {
        enum elem elem;
        uint32_t rank;
    } of[N_PARAMETERS] = {{ELEM_F32, 3}, {ELEM_F32, 3}, {ELEM_I1, 3}, {ELEM_I1, 0}, {ELEM_F32, 0}};
    memset(world, 0, sizeof *world);
    pool_init(&world->pool);
    terms_init(&world->terms, &world->pool);
    for (int64_t i = 0; i < N_PARAMETERS; i++) {
        int64_t number[2] = {0, i};
        type_id type;
        struct err err = {0};
        assert_true(type_tensor(&world->pool, of[i].elem, of[i].rank, sizes, &type, &err));
        world->parameter[i] = build(
            world, (struct operation){OP_PARAMETER, attr_make(&world->pool, 2, number), type, 0},
            NULL);
    }
}

static void world_release(struct world *world)
{
    arena_release(&world->mem);
    terms_release(&world->terms);
    pool_release(&world->pool);
}

// The law applies, gives a transpose by `by`, and no element differs.
static void lifts(struct world *world, term_id term, const int64_t *by)
{
    struct value argument[N_PARAMETERS], value[2];
    struct rng rng;
    struct err err = {0};
    int64_t where;
    term_id root[2] = {term, NO_TERM};
    assert_true(layout_rewrite(&world->terms, term, LAYOUT_LIFT, &root[1]));
    assert_int_equal(term_op(&world->terms, root[1]), OP_TRANSPOSE);
    assert_int_equal(term_at(&world->terms, root[1])->attr.v, attr_make(&world->pool, 3, by).v);
    assert_int_equal(term_op(&world->terms, term_args(&world->terms, root[1])[0]),
                     term_op(&world->terms, term));
    assert_int_equal(term_type(&world->terms, root[1]).v, term_type(&world->terms, term).v);
    assert_true(terms_check(&world->terms, &err));
    rng_seed(&rng, term.v);
    for (uint32_t i = 0; i < N_PARAMETERS; i++)
        argument[i] = value_random(&world->pool, term_type(&world->terms, world->parameter[i]),
                                   &rng, false, &world->mem);
    struct eval_input input = {&world->terms, N_PARAMETERS, argument, &world->mem};
    if (!eval_terms(&input, 2, root, value, &err))
        fail_msg("%s", err.msg);
    assert_true(value_same(&world->pool, &value[0], &value[1], 0, &where));
}

static void refuses(struct world *world, term_id term)
{
    term_id out;
    assert_false(layout_rewrite(&world->terms, term, LAYOUT_LIFT, &out));
}

static void transposed_operands(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    const term_id *p = world.parameter;
    lit_id half = literal_splat(&world.pool, ELEM_F32, scalar_of_int(ELEM_F32, 1));
    for (int k = 0; k < 2; k++) {
        const int64_t *by = k == 0 ? turn : other;
        term_id x = turned(&world, p[X], by), y = turned(&world, p[Y], by);
        term_id one = term_constant(&world.terms, half, term_type(&world.terms, x));
        lifts(&world, plain(&world, OP_NEGATE, 1, &x), by);
        lifts(&world, plain(&world, OP_SUBTRACT, 2, (term_id[]){x, y}), by);
        lifts(&world, plain(&world, OP_DIVIDE, 2, (term_id[]){one, y}), by);
        lifts(&world, plain(&world, OP_DIVIDE, 2, (term_id[]){y, one}), by);
        lifts(&world, plain(&world, OP_SELECT, 3, (term_id[]){p[C], x, y}), by);
        lifts(&world, plain(&world, OP_SELECT, 3, (term_id[]){turned(&world, p[P], by), one, y}),
              by);
        lifts(&world, plain(&world, OP_CLAMP, 3, (term_id[]){p[V], x, p[V]}), by);
        lifts(&world, plain(&world, OP_CLAMP, 3, (term_id[]){one, x, y}), by);
    }
    world_release(&world);
}

static void other_operands(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    const term_id *p = world.parameter;
    term_id x = turned(&world, p[X], turn);
    // Of the same type as x, but not the transpose that x is.
    int64_t moved[3] = {3, 4, 2};
    type_id type;
    struct err err = {0};
    assert_true(type_tensor(&world.pool, ELEM_F32, 3, moved, &type, &err));
    term_id z = build(&world, (struct operation){OP_RESHAPE, NO_ATTR, type, 1}, (term_id[]){p[Y]});
    lit_id one = literal_splat(&world.pool, ELEM_F32, scalar_of_int(ELEM_F32, 1));
    term_id splat = term_constant(&world.terms, one, type);
    refuses(&world, plain(&world, OP_ADD, 2, (term_id[]){x, z}));
    refuses(&world, plain(&world, OP_ADD, 2, (term_id[]){splat, z}));
    refuses(&world, plain(&world, OP_ADD, 2, (term_id[]){splat, splat}));
    refuses(&world, plain(&world, OP_NEGATE, 1, (term_id[]){p[X]}));
    refuses(&world, plain(&world, OP_NEGATE, 1, (term_id[]){p[V]}));
    refuses(&world, plain(&world, OP_SELECT, 3, (term_id[]){p[C], z, x}));
    refuses(&world, x);
    // A cube has transposes of one type by different permutations.
    int64_t cube[3] = {2, 2, 2}, number[2] = {0, N_PARAMETERS};
    assert_true(type_tensor(&world.pool, ELEM_F32, 3, cube, &type, &err));
    term_id a = build(
        &world, (struct operation){OP_PARAMETER, attr_make(&world.pool, 2, number), type, 0}, NULL);
    term_id by_turn = turned(&world, a, turn), by_other = turned(&world, a, other);
    refuses(&world, plain(&world, OP_ADD, 2, (term_id[]){by_turn, by_other}));
    refuses(&world, plain(&world, OP_ADD, 2, (term_id[]){by_turn, a}));
    world_release(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transposed_operands),
        cmocka_unit_test(other_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
