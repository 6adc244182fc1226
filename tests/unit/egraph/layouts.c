// SPDX-License-Identifier: Apache-2.0
// Laws of layout by hand: what each makes of a term, and where it does not apply.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/support/layout_world.h"

static void laws_by_hand(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world, 300);
    int64_t dims[3] = {2, 3, 4}, p[3] = {1, 2, 0}, up[3] = {0, 1, 2};
    term_id term = parameter(&world, 0, 3, dims), r;
    term_id t = transpose(&world, term, 3, p); // 3 x 4 x 2
    term_id tt = transpose(&world, t, 3, p);   // 4 x 2 x 3
    assert_true(layout_rewrite(&world.terms, tt, LAYOUT_COMPOSE, &r));
    int64_t both[3] = {2, 0, 1};
    assert_int_equal(r.v, transpose(&world, term, 3, both).v);
    term_id ttt = transpose(&world, tt, 3, p);
    term_id flat = transpose(&world, r, 3, p);
    assert_false(layout_rewrite(&world.terms, term, LAYOUT_COMPOSE, &r));
    assert_false(layout_rewrite(&world.terms, t, LAYOUT_IDENTITY, &r));
    assert_true(layout_rewrite(&world.terms, flat, LAYOUT_COMPOSE, &r));
    assert_int_equal(r.v, term.v);
    term_id id = transpose(&world, term, 3, up);
    assert_true(layout_rewrite(&world.terms, id, LAYOUT_IDENTITY, &r));
    assert_int_equal(r.v, term.v);
    closed(&world);
    assert_true(egraph_same(&world.graph, ttt, term));
    assert_true(egraph_same(&world.graph, id, term));
    // Operand dim i is result dim d[i]: 2x3x4 by [1, 2, 0] is 4x2x3, which is
    // the transpose by [2, 0, 1].
    struct err err = {0};
    term_id b;
    assert_true(egraph_add(&world.graph,
                           (struct operation){OP_BROADCAST_IN_DIM, attr_make(&world.pool, 3, p),
                                              term_type(&world.terms, tt), 1},
                           &term, &b, &err));
    assert_true(layout_rewrite(&world.terms, b, LAYOUT_PERMUTE, &r));
    assert_int_equal(r.v, transpose(&world, term, 3, both).v);
    enum layout_kind kind;
    assert_true(layout_by_text("fuse", &kind) && kind == LAYOUT_FUSE);
    assert_false(layout_by_text("fuze", &kind));
    world_release(&world);
}

// Reduce over no dims: dropped only where it is bit-exact.
static void empty_reductions(void **unused)
{
    (void)unused;
    static const struct {
        enum elem elem;
        enum op reducer;
        int64_t init;
        bool dropped;
    } cases[] = {
        {ELEM_I32, OP_ADD, 0, true},      {ELEM_I32, OP_ADD, 1, false},
        {ELEM_F32, OP_ADD, 0, false},     {ELEM_F32, OP_MULTIPLY, 1, true},
        {ELEM_REAL, OP_ADD, 0, true},     {ELEM_I32, OP_MULTIPLY, 1, true},
        {ELEM_I32, OP_MAXIMUM, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct world world;
        world_init(&world, 400);
        struct err err = {0};
        type_id matrix, scalar;
        int64_t dims[2] = {2, 3}, par[2] = {0, 0}, att = cases[i].reducer;
        enum elem t = cases[i].elem;
        assert_true(type_tensor(&world.pool, t, 2, dims, &matrix, &err));
        assert_true(type_tensor(&world.pool, t, 0, NULL, &scalar, &err));
        term_id args[2], out;
        assert_true(
            egraph_add(&world.graph,
                       (struct operation){OP_PARAMETER, attr_make(&world.pool, 2, par), matrix, 0},
                       NULL, &args[0], &err));
        args[1] = term_constant(
            &world.terms, literal_splat(&world.pool, t, scalar_of_int(t, cases[i].init)), scalar);
        assert_true(
            egraph_add(&world.graph,
                       (struct operation){OP_REDUCE, attr_make(&world.pool, 1, &att), NO_TYPE, 2},
                       args, &out, &err));
        closed(&world);
        assert_int_equal(egraph_same(&world.graph, out, args[0]), cases[i].dropped);
        world_release(&world);
    }
}

// A chain of broadcasts reaches its scalar, whatever comes between.
static void splats_are_found(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world, 500);
    term_id term = parameter(&world, 0, 0, NULL), row, all;
    int64_t n3[1] = {3}, n23[2] = {2, 3}, one[1] = {1}, swap[2] = {1, 0};
    type_id t3, t23;
    struct err err = {0};
    assert_true(type_tensor(&world.pool, ELEM_I32, 1, n3, &t3, &err));
    assert_true(type_tensor(&world.pool, ELEM_I32, 2, n23, &t23, &err));
    assert_true(egraph_add(&world.graph, (struct operation){OP_BROADCAST_IN_DIM, NO_ATTR, t3, 1},
                           &term, &row, &err));
    assert_true(
        egraph_add(&world.graph,
                   (struct operation){OP_BROADCAST_IN_DIM, attr_make(&world.pool, 1, one), t23, 1},
                   &row, &all, &err));
    term_id turned = transpose(&world, all, 2, swap), direct;
    assert_true(egraph_add(
        &world.graph,
        (struct operation){OP_BROADCAST_IN_DIM, NO_ATTR, term_type(&world.terms, turned), 1}, &term,
        &direct, &err));
    closed(&world);
    assert_true(egraph_same(&world.graph, turned, direct));
    assert_true(proved(&world.graph, turned, direct, &world.stated));
    world_release(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_by_hand),
        cmocka_unit_test(empty_reductions),
        cmocka_unit_test(splats_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
