// SPDX-License-Identifier: Apache-2.0
// Sketches: values, sizes that must be equal, instances, enumeration, and what
// is solved for two of them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "discover/sketch/enumerate.h"
#include "discover/tensors/solve.h"

static void tensor(struct sketch *s, unsigned what, unsigned classes)
{
    s->node[s->n++] = (struct sketch_node){.kind = SKETCH_TENSOR,
                                           .what = (uint8_t)what,
                                           .classes = (uint8_t)classes};
    s->shape[what] = (uint8_t)classes;
    if (s->n_tensors <= what)
        s->n_tensors = (uint8_t)(what + 1);
}

static void scalar(struct sketch *s, unsigned what)
{
    s->node[s->n++] =
        (struct sketch_node){.kind = SKETCH_SCALAR, .what = (uint8_t)what};
    if (s->n_scalars <= what)
        s->n_scalars = (uint8_t)(what + 1);
}

static void op(struct sketch *s, unsigned kind, unsigned what, unsigned acts,
               unsigned classes, unsigned a, unsigned b)
{
    s->node[s->n++] = (struct sketch_node){.kind = (uint8_t)kind,
                                           .what = (uint8_t)what,
                                           .acts = (uint8_t)acts,
                                           .classes = (uint8_t)classes,
                                           .arg = {(uint8_t)a, (uint8_t)b}};
    sketch_finish(s);
}

static struct sketch_world world(int16_t a, int16_t b)
{
    struct sketch_world w = {.seed = 5};
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        w.size[0][c] = a;
        w.size[1][c] = b;
        w.size[2][c] = b;
        w.size[3][c] = b;
    }
    return w;
}

static struct sketch slice_of_pad(void)
{
    struct sketch s = {0};
    tensor(&s, 0, 1);
    scalar(&s, 0);
    op(&s, SKETCH_PAD, 0, 1, 1, 0, 1);
    op(&s, SKETCH_SLICE, 0, 1, 1, 2, 0);
    return s;
}

static void values_of_slices_and_paddings(void **state)
{
    (void)state;
    struct sketch s = slice_of_pad(), a = {0};
    struct sketch_world w = world(3, 3);
    struct sketch_values *v = mem_alloc(sizeof *v), *u = mem_alloc(sizeof *u);
    const struct sketch_array *r, *t;
    tensor(&a, 0, 1);
    sketch_finish(&a);
    assert_true(sketch_eval(&a, &w, NULL, u, &t));
    // low 1, high 2, interior 1: v a v b v c v v; then 1, 6, 2: a b c.
    int16_t slots[SKETCH_SLOTS] = {1, 2, 1, 1, 6, 2};
    assert_true(sketch_eval(&s, &w, slots, v, &r));
    assert_int_equal(r->n, 3);
    assert_memory_equal(r->at, t->at, 3 * sizeof *r->at);
    assert_int_equal(v->node[2].n, 8);
    assert_int_equal(v->node[2].at[0], v->node[1].at[0]);
    assert_int_equal(v->node[2].at[3], t->at[1]);
    // Cut by negative edges; an end behind the padding is not well-defined.
    int16_t cut[SKETCH_SLOTS] = {-1, -1, 0, 0, 1, 1};
    assert_true(sketch_eval(&s, &w, cut, v, &r));
    assert_int_equal(r->n, 1);
    assert_int_equal(r->at[0], t->at[1]);
    cut[4] = 2;
    assert_false(sketch_eval(&s, &w, cut, v, &r));
    mem_free(v);
    mem_free(u);
}

static void operands_must_fit(void **state)
{
    (void)state;
    struct sketch s = {0};
    struct sketch_values *v = mem_alloc(sizeof *v);
    const struct sketch_array *r;
    tensor(&s, 0, 1);
    tensor(&s, 1, 1);
    op(&s, SKETCH_BINARY, BINARY_ADD, 0, 1, 0, 1);
    struct sketch_world same = world(3, 3), other = world(3, 2);
    assert_true(sketch_eval(&s, &same, NULL, v, &r));
    assert_int_equal(r->at[2], v->node[0].at[2] + v->node[1].at[2]);
    assert_false(sketch_eval(&s, &other, NULL, v, &r));
    struct sketch_sizes z;
    sketch_unify(&s, &z);
    assert_int_equal(z.tensor[0][0], z.tensor[1][0]);
    s.node[2].kind = SKETCH_CONCAT;
    s.node[2].acts = 1;
    sketch_unify(&s, &z);
    assert_int_not_equal(z.tensor[0][0], z.tensor[1][0]);
    assert_true(sketch_eval(&s, &other, NULL, v, &r));
    assert_int_equal(r->n, 5);
    mem_free(v);
}

static void instances_are_recognised(void **state)
{
    (void)state;
    struct sketch p = {0}, s = {0}, t = {0};
    // A + B; reverse(A) + A has it, reverse(A) has not.
    tensor(&p, 0, 1);
    tensor(&p, 1, 1);
    op(&p, SKETCH_BINARY, BINARY_ADD, 0, 1, 0, 1);
    tensor(&s, 0, 1);
    op(&s, SKETCH_REVERSE, 0, 1, 1, 0, 0);
    op(&s, SKETCH_BINARY, BINARY_ADD, 0, 1, 1, 0);
    assert_true(sketch_matches(&p, true, false, false, &s, 2));
    assert_true(sketch_matches(&p, true, false, true, &s, 2));
    assert_false(sketch_matches(&p, true, false, false, &s, 1));
    s.node[2].what = BINARY_MAX;
    assert_false(sketch_matches(&p, true, false, false, &s, 2));
    assert_true(sketch_matches(&p, true, true, false, &s, 2));
    // A + A is an instance, but not with different terms for A and B.
    tensor(&t, 0, 1);
    op(&t, SKETCH_BINARY, BINARY_ADD, 0, 1, 0, 0);
    assert_true(sketch_matches(&p, true, false, false, &t, 1));
    assert_false(sketch_matches(&p, true, false, true, &t, 1));
}

static void enumeration_has_no_renamings(void **state)
{
    (void)state;
    struct enumerate_options o = {.kinds = 1u << SKETCH_BINARY |
                                           1u << SKETCH_REVERSE,
                                  .binaries = 1u << BINARY_ADD,
                                  .tensors = 2,
                                  .classes = 1};
    struct enumeration e;
    struct sketch_vec of[3] = {{0}};
    enumeration_init(&e, &o);
    for (unsigned size = 0; size < 3; size++)
        enumerate(&e, of, size, &of[size]);
    // A[], A[x]; A+A, A+B of both, reverse(A).
    assert_int_equal(of[0].len, 2);
    assert_int_equal(of[1].len, 5);
    for (unsigned size = 1; size < 3; size++)
        for (uint32_t i = 0; i < of[size].len; i++) {
            assert_int_equal(of[size].at[i].n_ops, size);
            for (uint32_t k = 0; k < i; k++)
                assert_true(sketch_signature(&of[size].at[i]) !=
                            sketch_signature(&of[size].at[k]));
        }
    for (unsigned size = 0; size < 3; size++)
        vec_release(&of[size]);
    enumeration_release(&e);
}

static void slots_are_solved(void **state)
{
    (void)state;
    // reverse(pad(A, v)) and pad(reverse(A), v): low and high change places.
    struct rule_sketch r;
    struct agreement a;
    struct arena mem = {0};
    struct rng rng;
    struct solve_counts counts = {0};
    struct other_wheres others;
    bool whole = false;
    memset(&r, 0, sizeof r);
    memset(&a, 0, sizeof a);
    tensor(&r.lhs, 0, 1);
    scalar(&r.lhs, 0);
    op(&r.lhs, SKETCH_PAD, 0, 1, 1, 0, 1);
    op(&r.lhs, SKETCH_REVERSE, 0, 1, 1, 2, 0);
    tensor(&r.rhs, 0, 1);
    op(&r.rhs, SKETCH_REVERSE, 0, 1, 1, 0, 0);
    scalar(&r.rhs, 0);
    op(&r.rhs, SKETCH_PAD, 0, 1, 1, 1, 2);
    a.world = world(3, 3);
    rng_seed(&rng, 1);
    assert_true(solve_slots(&r, ~0u, &a, &rng, &mem, &whole, &others, &counts));
    assert_true(whole);
    assert_string_equal(r.slot[0], "h");
    assert_string_equal(r.slot[1], "l");
    assert_string_equal(r.slot[2], "i");
    // With another value there is nothing but empty tensors.
    memset(r.slot, 0, sizeof r.slot);
    r.lhs.node[1].kind = SKETCH_LITERAL;
    r.lhs.node[1].what = LITERAL_ZERO;
    r.lhs.n_scalars = 0;
    if (solve_slots(&r, ~0u, &a, &rng, &mem, &whole, &others, &counts))
        assert_false(whole);
    arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_slices_and_paddings),
        cmocka_unit_test(operands_must_fit),
        cmocka_unit_test(instances_are_recognised),
        cmocka_unit_test(enumeration_has_no_renamings),
        cmocka_unit_test(slots_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
