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

static void tensor(struct sketch *sketch, unsigned what, unsigned classes)
{
    sketch->node[sketch->n++] = (struct sketch_node){
        .kind = SKETCH_TENSOR, .what = (uint8_t)what, .classes = (uint8_t)classes};
    sketch->shape[what] = (uint8_t)classes;
    if (sketch->n_tensors <= what)
        sketch->n_tensors = (uint8_t)(what + 1);
}

static void scalar(struct sketch *sketch, unsigned what)
{
    sketch->node[sketch->n++] = (struct sketch_node){.kind = SKETCH_SCALAR, .what = (uint8_t)what};
    if (sketch->n_scalars <= what)
        sketch->n_scalars = (uint8_t)(what + 1);
}

static void op(struct sketch *sketch, unsigned kind, unsigned what, unsigned acts, unsigned classes,
               unsigned a, unsigned b)
{
    sketch->node[sketch->n++] = (struct sketch_node){.kind = (uint8_t)kind,
                                                     .what = (uint8_t)what,
                                                     .acts = (uint8_t)acts,
                                                     .classes = (uint8_t)classes,
                                                     .arg = {(uint8_t)a, (uint8_t)b}};
    sketch_finish(sketch);
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
    struct sketch sketch = {0};
    tensor(&sketch, 0, 1);
    scalar(&sketch, 0);
    op(&sketch, SKETCH_PAD, 0, 1, 1, 0, 1);
    op(&sketch, SKETCH_SLICE, 0, 1, 1, 2, 0);
    return sketch;
}

static void values_of_slices_and_paddings(void **state)
{
    (void)state;
    struct sketch sketch = slice_of_pad(), a = {0};
    struct sketch_world w = world(3, 3);
    struct sketch_values *values = mem_alloc(sizeof *values), *u = mem_alloc(sizeof *u);
    const struct sketch_array *array, *t;
    tensor(&a, 0, 1);
    sketch_finish(&a);
    assert_true(sketch_eval(&a, &w, NULL, u, &t));
    // low 1, high 2, interior 1: v a v b v c v v; then 1, 6, 2: a b c.
    int16_t slots[SKETCH_SLOTS] = {1, 2, 1, 1, 6, 2};
    assert_true(sketch_eval(&sketch, &w, slots, values, &array));
    assert_int_equal(array->n, 3);
    assert_memory_equal(array->at, t->at, 3 * sizeof *array->at);
    assert_int_equal(values->node[2].n, 8);
    assert_int_equal(values->node[2].at[0], values->node[1].at[0]);
    assert_int_equal(values->node[2].at[3], t->at[1]);
    // Cut by negative edges; an end behind the padding is not well-defined.
    int16_t cut[SKETCH_SLOTS] = {-1, -1, 0, 0, 1, 1};
    assert_true(sketch_eval(&sketch, &w, cut, values, &array));
    assert_int_equal(array->n, 1);
    assert_int_equal(array->at[0], t->at[1]);
    cut[4] = 2;
    assert_false(sketch_eval(&sketch, &w, cut, values, &array));
    mem_free(values);
    mem_free(u);
}

static void operands_must_fit(void **state)
{
    (void)state;
    struct sketch sketch = {0};
    struct sketch_values *values = mem_alloc(sizeof *values);
    const struct sketch_array *array;
    tensor(&sketch, 0, 1);
    tensor(&sketch, 1, 1);
    op(&sketch, SKETCH_BINARY, BINARY_ADD, 0, 1, 0, 1);
    struct sketch_world same = world(3, 3), other = world(3, 2);
    assert_true(sketch_eval(&sketch, &same, NULL, values, &array));
    assert_int_equal(array->at[2], values->node[0].at[2] + values->node[1].at[2]);
    assert_false(sketch_eval(&sketch, &other, NULL, values, &array));
    struct sketch_sizes sizes;
    sketch_unify(&sketch, &sizes);
    assert_int_equal(sizes.tensor[0][0], sizes.tensor[1][0]);
    sketch.node[2].kind = SKETCH_CONCAT;
    sketch.node[2].acts = 1;
    sketch_unify(&sketch, &sizes);
    assert_int_not_equal(sizes.tensor[0][0], sizes.tensor[1][0]);
    assert_true(sketch_eval(&sketch, &other, NULL, values, &array));
    assert_int_equal(array->n, 5);
    mem_free(values);
}

static void instances_are_recognised(void **state)
{
    (void)state;
    struct sketch sketch = {0}, s = {0}, t = {0};
    // A + B; reverse(A) + A has it, reverse(A) has not.
    tensor(&sketch, 0, 1);
    tensor(&sketch, 1, 1);
    op(&sketch, SKETCH_BINARY, BINARY_ADD, 0, 1, 0, 1);
    tensor(&s, 0, 1);
    op(&s, SKETCH_REVERSE, 0, 1, 1, 0, 0);
    op(&s, SKETCH_BINARY, BINARY_ADD, 0, 1, 1, 0);
    assert_true(sketch_matches(&sketch, true, false, false, &s, 2));
    assert_true(sketch_matches(&sketch, true, false, true, &s, 2));
    assert_false(sketch_matches(&sketch, true, false, false, &s, 1));
    s.node[2].what = BINARY_MAX;
    assert_false(sketch_matches(&sketch, true, false, false, &s, 2));
    assert_true(sketch_matches(&sketch, true, true, false, &s, 2));
    // A + A is an instance, but not with different terms for A and B.
    tensor(&t, 0, 1);
    op(&t, SKETCH_BINARY, BINARY_ADD, 0, 1, 0, 0);
    assert_true(sketch_matches(&sketch, true, false, false, &t, 1));
    assert_false(sketch_matches(&sketch, true, false, true, &t, 1));
}

static void enumeration_has_no_renamings(void **state)
{
    (void)state;
    struct enumerate_options options = {.kinds = 1u << SKETCH_BINARY | 1u << SKETCH_REVERSE,
                                        .binaries = 1u << BINARY_ADD,
                                        .tensors = 2,
                                        .classes = 1};
    struct enumeration sketches;
    struct sketch_vec of[3] = {{0}};
    enumeration_init(&sketches, &options);
    for (unsigned size = 0; size < 3; size++)
        enumerate(&sketches, of, size, &of[size]);
    // A[], A[x]; A+A, A+B of both, reverse(A).
    assert_int_equal(of[0].len, 2);
    assert_int_equal(of[1].len, 5);
    for (unsigned size = 1; size < 3; size++)
        for (uint32_t i = 0; i < of[size].len; i++) {
            assert_int_equal(of[size].at[i].n_ops, size);
            for (uint32_t k = 0; k < i; k++)
                assert_true(sketch_signature(&of[size].at[i]) != sketch_signature(&of[size].at[k]));
        }
    for (unsigned size = 0; size < 3; size++)
        vec_release(&of[size]);
    enumeration_release(&sketches);
}

static void slots_are_solved(void **state)
{
    (void)state;
    // reverse(pad(A, v)) and pad(reverse(A), v): low and high change places.
    struct rule_sketch pair;
    struct agreement agreement;
    struct arena mem = {0};
    struct rng rng;
    struct solve_counts counts = {0};
    struct solve_result result = {.whole = false};
    struct solve_context context = {&rng, &mem, &counts};
    memset(&pair, 0, sizeof pair);
    memset(&agreement, 0, sizeof agreement);
    tensor(&pair.lhs, 0, 1);
    scalar(&pair.lhs, 0);
    op(&pair.lhs, SKETCH_PAD, 0, 1, 1, 0, 1);
    op(&pair.lhs, SKETCH_REVERSE, 0, 1, 1, 2, 0);
    tensor(&pair.rhs, 0, 1);
    op(&pair.rhs, SKETCH_REVERSE, 0, 1, 1, 0, 0);
    scalar(&pair.rhs, 0);
    op(&pair.rhs, SKETCH_PAD, 0, 1, 1, 1, 2);
    agreement.world = world(3, 3);
    rng_seed(&rng, 1);
    assert_true(solve_slots(&pair, ~0u, &agreement, &context, &result));
    assert_true(result.whole);
    assert_string_equal(pair.slot[0], "h");
    assert_string_equal(pair.slot[1], "l");
    assert_string_equal(pair.slot[2], "i");
    // With another value there is nothing but empty tensors.
    memset(pair.slot, 0, sizeof pair.slot);
    pair.lhs.node[1].kind = SKETCH_LITERAL;
    pair.lhs.node[1].what = LITERAL_ZERO;
    pair.lhs.n_scalars = 0;
    if (solve_slots(&pair, ~0u, &agreement, &context, &result))
        assert_false(result.whole);
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
