// SPDX-License-Identifier: Apache-2.0
// Ground instances of the forms that stand for one operator with attributes:
// what is built has the value computed by hand, in whatever order of dimensions
// it is built, and passes the gate.
#include "tests/unit/support/rule_world.h"

static const struct form forms[] = {
    {"axes b, m, k, n; map nb on b; map nm on m; map nk on k; map nn on n;"
     " tensor A[b: nb, m: nm, k: nk] : int, B[b: nb, k: nk, n: nn] : int;"
     " dot(A, B, contract={k}, batch={b})",
     {1, 1, 1, 1},
     {{2}, {2}, {3}, {2}},
     .n = 8,
     .want = {22, 28, 49, 64, 220, 244, 301, 334}},
    {"axes k; map nk on k; tensor A[k: nk] : int, B[k: nk] : int;"
     " dot(A, B, contract={k})",
     {2},
     {{2, 3}},
     .n = 1,
     .want = {91}},
    {"scalar a : int, b : int; dot(a, b)", .n = 1, .want = {1}},
    {"axis b, f, o; axes s; map nb on b; map nf on f; map no on o;"
     " map n, w on s; tensor A[b: nb, f: nf, s: n] : int,"
     " K[f: nf, o: no, s: w] : int; conv(A, K, feature={f}, spatial={s})",
     {1, 1, 1, 1},
     {{1}, {2}, {2}, {4}, {2}},
     .n = 6,
     .want = {66, 80, 94, 94, 116, 138}},
    {"axis b, f, o; axes s; map nb on b; map nf on f; map no on o;"
     " map n, w on s; tensor A[b: nb, f: nf, s: n] : int,"
     " K[f: nf, o: no, s: w] : int; conv(A, K, feature={f}, spatial={s},"
     " stride=2, low=1, high={s: -1}, dilation=2, flip={s})",
     {1, 1, 1, 1},
     {{2}, {1}, {2}, {3}, {2}},
     .n = 8,
     .want = {1, 2, 3, 6, 4, 5, 12, 15}},
    {"axes s, f; map n, w on s; map c on f;"
     " tensor A[s: n, f: c] : int, K[s: w, f: c] : int;"
     " conv(A, K, feature={f}, spatial={s}, low={s: -1}, high={s: 2},"
     " kernel_dilation=2)",
     {1, 0},
     {{5}, {2}},
     .n = 4,
     .want = {10, 13, 4, 5}},
    {"axes s, f; map n, w on s; map c on f;"
     " tensor A[s: n, f: c] : int, K[s: w, f: c] : int;"
     " conv(A, K, feature={f}, spatial={s})",
     {2, 1},
     {{3, 3}, {2, 2}, {1}},
     .n = 4,
     .want = {37, 47, 67, 77}},
    {"axis b, f, o; axes s; map nb on b; map nf, c, g on f; map no on o;"
     " map n, w on s; tensor A[b: nb, f: nf, s: n] : int,"
     " K[f: c, o: no, s: w] : int;"
     " conv(A, K, feature={f}, spatial={s}, feature_groups=g)",
     {1, 1, 1, 1},
     {{1}, {2}, {1}, {2}, {2}, {3}, {2}},
     .n = 4,
     .want = {5, 8, 32, 39}},
    {"axes x; map n on x; tensor A[x: n] : int;"
     " reduce_window(+, A, size=2, stride=2, low=1)",
     {1},
     {{5}},
     .n = 3,
     .want = {1, 5, 9}},
    {"axes x; map n on x; tensor A[x: n] : int;"
     " reduce_window(+, A, size=3, low=1, high=1, dilation=2,"
     " window_dilation=2, init=1)",
     {1},
     {{5}},
     .n = 7,
     .want = {4, 7, 4, 10, 4, 13, 4}},
    // The initial value is used even over no axis.
    {"axes x; map n on x; tensor A[x: n] : int; scalar v : int;"
     " reduce_window(+, A, size=2, init=v)",
     {0},
     .data = {L(5), L(30)},
     .n = 1,
     .want = {35}},
    {"axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : int;"
     " scalar v : int; reduce(+, A, {x}, init=v)",
     {0, 1},
     {{0}, {3}},
     .data = {NULL, L(30)},
     .n = 3,
     .want = {31, 32, 33}},
    {"axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : int;"
     " scalar v : int; reduce(+, A, {x}, init=v)",
     {1, 1},
     {{2}, {3}},
     .data = {NULL, L(30)},
     .n = 3,
     .want = {35, 37, 39}},
    // Starts are clamped.
    {"axes x; map n, m on x; index i on x; tensor A[x: n] : int;"
     " dynamic_slice(A, start=i, size=m)",
     {2},
     {{4, 3}, {2, 2}, {-3, 7}},
     .n = 4,
     .want = {2, 3, 5, 6}},
    {"axes x, y; map n, m, s on x; map k on y; tensor A[x: n, y: k] : int;"
     " dynamic_slice(A, start={x: s}, size={x: m})",
     {1, 1},
     {{4}, {2}, {1}, {2}},
     .index_elem = ELEM_UI8,
     .n = 4,
     .want = {3, 4, 5, 6}},
    {"axes x; map n, m on x; index i, j on x; tensor A[x: n] : int;"
     " let k = clamp(i, 0, n - m) + clamp(j, 0, m - 1);"
     " dynamic_slice(A, start=i, size=1) - dynamic_slice(A, start=j, size=1)"
     " + dynamic_slice(A, start=k, size=1)",
     {1},
     {{10}, {4}, {9}, {5}},
     .index_elem = ELEM_I8,
     .n = 1,
     .want = {10 - 6 + 10}},
    {"axes x; map n, m on x; index i on x; tensor A[x: n] : int, U[x: m] : int;"
     " dynamic_update_slice(A, U, start=i)",
     {1},
     {{5}, {2}, {9}},
     .data = {NULL, L(70, 80)},
     .n = 5,
     .want = {1, 2, 3, 70, 80}},
    {"axes x; map n, m on x; index i on x; tensor A[x: n] : int, U[x: m] : int;"
     " dynamic_update_slice(A, U, start=i)",
     {0},
     .data = {L(1), L(2)},
     .n = 1,
     .want = {2}},
    {"axis a; axes b, i, x; map na on a; map nb on b; map ni on i;"
     " map nx on x; tensor A[b: nb, a: na, x: nx] : int, I[b: nb, i: ni] : int;"
     " gather(A, I, axis=a, batch={b})",
     {1, 1, 1, 1},
     {{3}, {2}, {2}, {2}},
     // A in the order a, b, x of the declared classes.
     .data = {L(1, 2, 7, 8, 3, 4, 9, 10, 5, 6, 11, 12), L(2, -1, 7, 0)},
     .n = 8,
     .want = {5, 6, 1, 2, 11, 12, 7, 8}},
    {"axis a; axes i, x; map na on a; map ni on i; map nx on x;"
     " tensor A[a: na, x: nx] : int, I[i: ni] : int;"
     " gather(A, I, axis=a, size=2)",
     {1, 1, 1},
     {{5}, {3}, {2}},
     .data = {NULL, L(0, 4, 2)},
     .n = 12,
     .want = {1, 2, 7, 8, 5, 6, 3, 4, 9, 10, 7, 8}},
    {"axis a; axes i, x; map na on a; map ni on i; map nx on x;"
     " tensor A[a: na, x: nx] : int, I[i: ni] : int, U[i: ni, x: nx] : int;"
     " scatter(+, A, I, U, axis=a)",
     {1, 1, 1},
     {{3}, {4}, {2}},
     .data = {NULL, L(2, 0, 2, 5)},
     .n = 6,
     .want = {4, 6, 3, 4, 11, 14}},
    {"axis a; axes b, i; map na on a; map nb on b; map ni on i;"
     " tensor A[b: nb, a: na] : int, I[b: nb, i: ni] : int,"
     " U[b: nb, i: ni] : int; scatter(max, A, I, U, axis=a, batch={b})",
     {1, 1, 1},
     {{2}, {2}, {1}},
     .data = {L(1, 2, 3, 4), L(1, 0), L(9, 1)},
     // a, b: (0,0) (0,1) (1,0) (1,1); b 0 puts 9 at a 1, b 1 puts 1 at a 0.
     .n = 4,
     .want = {1, 2, 9, 4}},
    {"axes x, y, r; axis z; map n on x; map m on y; map o on r;"
     " tensor A[x: n, y: m, r: o] : int; merge(A, [x, y] -> z)",
     {1, 1, 1, 1},
     {{2}, {3}, {2}},
     .n = 12,
     .want = {1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12}},
    // A block of two axes, of none; then split again.
    {"axes x, y, r; axis z; map n on x; map m on y; map o on r;"
     " tensor A[x: n, y: m, r: o] : int; merge(A, [y, x] -> z)",
     {2, 0, 1, 1},
     {{2, 3}, {1}, {2}},
     .n = 12,
     .want = {1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12}},
    {"axes x; axis y, z; map n on x; map m on y; map k on z;"
     " tensor A[z: k] : int; split(A, z -> [y: m, x: n])",
     {2, 1, 1},
     {{2, 2}, {3}, {12}},
     .n = 12, // x0, x1, y
     .want = {1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12}},
    {"axes x, u, v; axis z; map n on x; map k on u;"
     " tensor A[u: k, x: n] : int;"
     " reshape(A, [x] -> [z], [u] -> [], [] -> [v: 1])",
     {2, 2, 1, 1},
     {{2, 2}, {1, 1}},
     .n = 4,
     .want = {1, 2, 3, 4}},
    {"axis a; map n on a; index i on a;"
     " broadcast(value(clamp(i, 0, n - 1) + n), {a: n})",
     {1},
     {{3}, {8}},
     .n = 3,
     .want = {5, 5, 5}},
    {"axes x; axis z; map n on x; map k on z; tensor A[z: k] : int,"
     " B[x: n] : int; (merge(B, [x] -> z) + A) * value(n*k - 1)",
     {2, 1},
     {{2, 2}, {4}},
     .n = 4,
     .want = {30, 60, 90, 120}},
    {"axes x; map n on x; tensor A[x: n] : int; type U : int;"
     " convert(bitcast_convert(A, U), int)",
     {1},
     {{3}},
     .data = {L(-1, 0, 5)},
     .n = 3,
     .want = {-1, 0, 5}},
};

static void check_built(struct world *world, const struct form *form, const struct instance *in,
                        term_id root)
{
    const struct rule *rule = in->rule;
    struct value params[8], value;
    struct err err = {0};
    struct order none = {0, NULL};
    uint32_t n = 0;
    for (uint32_t i = 0; i < rule->n_tensors; i++, n++)
        params[n] = parameter(world, in->tensor[i], &in->order[i], n < 3 ? form->data[n] : NULL);
    for (uint32_t i = 0; i < rule->n_scalars; i++, n++)
        params[n] = parameter(world, in->scalar[i], &none, n < 3 ? form->data[n] : NULL);
    if (!eval_terms(&(struct eval_input){&world->terms, n, params, &world->mem}, 1, &root, &value,
                    &err))
        fail_msg("%s: %s", form->text, err.msg);
    const struct order *order = &in->pat[rule->lhs].out;
    assert_int_equal(type_count(&world->pool, value.type), form->n);
    for (uint32_t i = 0; i < form->n; i++) {
        struct scalar scalar = scalar_load(type_elem(&world->pool, value.type), value.data, i);
        int64_t want = form->want[logical(world, value.type, order, i)];
        if ((int64_t)scalar.bits != want)
            fail_msg("%s: element %u is %lld, not %lld", form->text, i, (long long)scalar.bits,
                     (long long)want);
    }
}

static void check_form(const struct form *form, struct rng *rng)
{
    struct world world;
    term_id lhs;
    const struct instance *in = instance_of(&world, form, rng, &lhs);
    check_built(&world, form, in, lhs);
    world_release(&world);
}

// Two neighbours in one order of one node change places.  What still passes the
// gate has the same value; false: it does not pass.
static bool turn(struct world *world, const struct form *form, const struct instance *of,
                 uint32_t node, uint32_t arg, uint32_t at)
{
    struct instance *in = instance_copy(of, &world->mem);
    struct order *order = arg == 0 ? &in->pat[node].out : &in->pat[node].in[arg - 1];
    struct builder builder = builder_plain(&world->terms);
    struct err err = {0};
    term_id term;
    uint32_t swap = order->axis[at];
    order->axis[at] = order->axis[at + 1];
    order->axis[at + 1] = swap;
    if (!instance_check(in, &world->terms, &err)) {
        assert_int_equal(err.kind, ERR_CHECK);
        return false;
    }
    err = (struct err){0};
    if (!instance_build(in, in->rule->lhs, &builder, &term, &err))
        fail_msg("%s: node %u: %s", form->text, node, err.msg);
    check_built(world, form, in, term);
    return true;
}

static void test_turned_orders(void **state)
{
    (void)state;
    uint32_t passed = 0, refused = 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct world world;
        term_id lhs;
        const struct instance *in = instance_of(&world, &forms[i], NULL, &lhs);
        for (uint32_t p = 0; p <= in->rule->lhs; p++)
            for (uint32_t k = 0; k <= in->rule->pats[p].n_args; k++) {
                const struct order *order = k == 0 ? &in->pat[p].out : &in->pat[p].in[k - 1];
                for (uint32_t at = 0; at + 1 < order->n; at++) {
                    bool ok = turn(&world, &forms[i], in, p, k, at);
                    passed += ok;
                    refused += !ok;
                }
            }
        world_release(&world);
    }
    assert_true(passed > 20);
    assert_true(refused > 60);
}

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        check_form(&forms[i], NULL);
}

static void test_shuffled(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 7);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (int k = 0; k < 30; k++)
            check_form(&forms[i], &rng);
}

// Integers that one element type may have and another has not.
static void test_elem_holds(void **state)
{
    (void)state;
    static const enum elem machine[] = {ELEM_I1,  ELEM_I2,  ELEM_I4,   ELEM_I8,   ELEM_I16,
                                        ELEM_UI2, ELEM_UI4, ELEM_UI8,  ELEM_UI16, ELEM_F16,
                                        ELEM_F32, ELEM_F64, ELEM_BF16, ELEM_I32,  ELEM_UI32};
    enum { N = sizeof machine / sizeof *machine };
    for (uint32_t a = 0; a < N; a++)
        for (uint32_t b = 0; b < N; b++) {
            enum elem wide = machine[a], narrow = machine[b];
            uint64_t all = UINT64_C(1) << (elem_bits(narrow) % 64);
            bool floats = elem_kind(narrow) == KIND_FLOAT, every = true;
            if (elem_bits(narrow) > 16 || (floats && !elem_holds(wide, narrow)))
                continue;
            if ((wide == ELEM_I1) != (narrow == ELEM_I1)) {
                assert_false(elem_holds(wide, narrow));
                continue;
            }
            for (uint64_t bits = 0; every && bits < all; bits++) {
                struct scalar scalar = {.bits = bits};
                if (floats) {
                    double x = scalar_to_double(narrow, scalar);
                    every = x != x || scalar_to_double(wide, scalar_of_double(wide, x)) == x;
                } else {
                    scalar = scalar_of_int(narrow, (int64_t)bits);
                    every = elem_has_int(wide, (int64_t)scalar.bits);
                }
            }
            if (elem_holds(wide, narrow) != every)
                fail_msg("%s of %s", elem_text(wide), elem_text(narrow));
        }
    assert_true(elem_holds(ELEM_F64, ELEM_UI32));
    assert_false(elem_holds(ELEM_F32, ELEM_I32));
    assert_false(elem_holds(ELEM_F64, ELEM_I64));
    assert_false(elem_holds(ELEM_F16, ELEM_BF16));
    assert_false(elem_holds(ELEM_F16, ELEM_F32));
    assert_true(elem_holds(ELEM_INT, ELEM_UI64));
    assert_true(elem_holds(ELEM_REAL, ELEM_INT));
    assert_false(elem_holds(ELEM_REAL, ELEM_F32));
    assert_false(elem_holds(ELEM_INT, ELEM_REAL));
    assert_false(elem_holds(ELEM_I64, ELEM_INT));
}

// What passes as monotone is, on every f16, with -0 before 0.
static void test_monotone_holds(void **state)
{
    (void)state;
    struct err err = {0};
    uint32_t kept = 0;
    for (int k = 0; k < N_OPS; k++) {
        enum op op = (enum op)k;
        if (!monotone_holds(op, ELEM_F16, DOMAIN_FLOAT))
            continue;
        assert_true(monotone_holds(op, ELEM_F16, DOMAIN_REAL));
        struct scalar last = {0}, now;
        kept++;
        for (int64_t i = -0x7c00; i <= 0x7c00; i++) {
            uint64_t at = i < 0 ? 0x8000u | (uint64_t)(-i) : (uint64_t)i;
            assert_true(eval_unary(op, ELEM_F16, (struct scalar){.bits = at}, &now, &err));
            assert_false(scalar_is_nan(ELEM_F16, now));
            if (i > -0x7c00)
                assert_true(eval_compare(CMP_LE, CMPT_TOTALORDER, ELEM_F16, last, now));
            last = now;
            if (i == -1) { // then -0, then 0
                assert_true(eval_unary(op, ELEM_F16, (struct scalar){.bits = 0x8000}, &now, &err));
                assert_true(eval_compare(CMP_LE, CMPT_TOTALORDER, ELEM_F16, last, now));
                last = now;
            }
        }
    }
    assert_int_equal(kept, 5);
    assert_false(monotone_holds(OP_EXPONENTIAL, ELEM_F32, DOMAIN_FLOAT));
    assert_true(monotone_holds(OP_EXPONENTIAL, ELEM_F32, DOMAIN_REAL));
    assert_false(monotone_holds(OP_LOG, ELEM_F32, DOMAIN_REAL));
    assert_false(monotone_holds(OP_NEGATE, ELEM_I32, DOMAIN_REAL));
    assert_false(monotone_holds(OP_ABS, ELEM_F32, DOMAIN_FLOAT));
    assert_true(monotone_holds(OP_SIGN, ELEM_I32, DOMAIN_FLOAT));
    assert_false(monotone_holds(OP_SIGN, ELEM_UI32, DOMAIN_FLOAT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),         cmocka_unit_test(test_shuffled),
        cmocka_unit_test(test_turned_orders),  cmocka_unit_test(test_elem_holds),
        cmocka_unit_test(test_monotone_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
