// SPDX-License-Identifier: Apache-2.0
// Ground instances of the forms that stand for one operator with attributes:
// what is built has the value computed by hand, in whatever order of dimensions
// it is built, and passes the gate.
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

struct world {
    struct pool pool;
    struct terms terms;
    struct arena mem;
    struct ruleset rules;
};

// The left side is the right side, too.
static const struct rule *world_init(struct world *world, const char *text)
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

static void world_release(struct world *world)
{
    ruleset_release(&world->rules);
    terms_release(&world->terms);
    pool_release(&world->pool);
    arena_release(&world->mem);
}

// Position, in the order of axis numbers, of the element at row-major place
// `at` of a tensor whose dimensions are the axes in `order`.
static uint64_t logical(const struct world *world, type_id type, const struct order *order,
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

static struct value parameter(struct world *world, term_id term, const struct order *order,
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

static struct instance *instance_of(struct world *world, const struct form *form, struct rng *rng,
                                    term_id *lhs)
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

// A random use of a rule with small values; classes of a reshape have one axis
// or, blocks, up to two.
static enum ground_status random_ground(const struct rule *rule, struct rng *rng,
                                        struct world *world, struct instance **in)
{
    uint32_t *rank = ARENA_NEW(&world->mem, uint32_t, rule->n_classes);
    int64_t **map = ARENA_NEW(&world->mem, int64_t *, rule->n_maps);
    enum elem *elem = ARENA_NEW(&world->mem, enum elem, rule->n_types);
    struct op_binding *op = ARENA_NEW(&world->mem, struct op_binding, rule->n_opvars);
    term_id lhs, rhs;
    struct err err = {0};
    for (uint32_t c = 0; c < rule->n_classes; c++)
        rank[c] = rule->classes[c].single      ? 1
                  : rule->classes[c].like != c ? rank[rule->classes[c].like]
                                               : (uint32_t)rng_below(rng, 3);
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        map[m] = ARENA_NEW(&world->mem, int64_t, rank[rule->maps[m].cls]);
        for (uint32_t i = 0; i < rank[rule->maps[m].cls]; i++)
            map[m][i] = rng_range(rng, 0, 3);
    }
    for (uint32_t i = 0; i < rule->n_types; i++)
        elem[i] = rule->types[i].kinds & KIND_SINT    ? ELEM_I32
                  : rule->types[i].kinds & KIND_FLOAT ? ELEM_F32
                                                      : ELEM_I1;
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        op[i].op = rule->opvars[i].kind == OPVAR_MONOTONE ? OP_SIGN
                   : rule->opvars[i].n_args == 1          ? OP_NEGATE
                                                          : OP_ADD;
    struct ground ground = {rank, map, elem, op, ELEM_I32};
    return rule_ground(rule, &ground, (struct ground_place){&world->terms, rng, &world->mem},
                       (struct ground_out){in, &lhs, &rhs, NULL}, &err);
}

// Whatever rule_ground arranges is what instance_check demands.
static void check_rules(const char *path, uint32_t rounds, uint32_t least)
{
    struct world world = {0};
    struct err_list errs = {0};
    struct rng rng;
    uint32_t grounds = 0;
    rng_seed(&rng, 5);
    ruleset_init(&world.rules);
    assert_true(ruleset_load(&world.rules, path, &errs));
    for (uint32_t i = 0; i < world.rules.rules.len; i++) {
        const struct rule *rule = world.rules.rules.at[i];
        pool_init(&world.pool);
        terms_init(&world.terms, &world.pool);
        for (uint32_t k = 0; k < rounds; k++) {
            struct instance *in;
            struct err err = {0};
            if (random_ground(rule, &rng, &world, &in) != GROUND_OK)
                continue;
            grounds++;
            if (!instance_check(in, &world.terms, &err))
                fail_msg("%s: %s", rule->name, err.msg);
        }
        terms_release(&world.terms);
        pool_release(&world.pool);
        arena_release(&world.mem);
    }
    assert_true(grounds > least);
    vec_release(&errs.at);
    ruleset_release(&world.rules);
}

static void test_grounds_pass_the_gate(void **state)
{
    (void)state;
    check_rules("tests/rules/forms.rw", 200, 500);
    check_rules("rules/library", 20, 500);
}

static const struct form sliced = {"axes x; map n, m on x; index i on x; tensor A[x: n] : int;"
                                   " dynamic_slice(A, start=i, size=m)",
                                   {2},
                                   {{4, 3}, {2, 2}, {-3, 7}},
                                   .n = 4,
                                   .want = {2, 3, 5, 6}};

static void test_index_gate(void **state)
{
    (void)state;
    for (int how = 0; how < 6; how++) {
        struct world world;
        struct err err = {0};
        term_id lhs;
        struct instance *in = instance_of(&world, &sliced, NULL, &lhs);
        term_id half = term_constant(
            &world.terms, literal_splat(&world.pool, ELEM_I32, scalar_of_int(ELEM_I32, 1)),
            term_type(&world.terms, in->index[2][0]));
        if (how == 0)
            in->index[2][1] = NO_TERM;
        else if (how == 1)
            in->index[2][1] = in->tensor[0]; // no rank 0
        else if (how == 2)
            in->index_elem = ELEM_I64; // another type
        else if (how == 3)
            in->index_elem = ELEM_F32;
        else if (how == 4)
            in->index[2][1] = half; // another value is right
        assert_int_equal(instance_check(in, &world.terms, &err), how >= 4);
        world_release(&world);
    }
}

// N6: 4 is no value of i2 or ui2; neither is an index beyond the type.
static void test_index_types(void **state)
{
    (void)state;
    static const struct {
        enum elem elem;
        int64_t n, i;
        bool ok;
    } at[] = {{ELEM_I4, 7, 7, true},    {ELEM_I4, 8, 7, false},   {ELEM_I4, 7, 8, false},
              {ELEM_UI4, 15, 15, true}, {ELEM_UI4, 16, 1, false}, {ELEM_UI4, 3, -1, false},
              {ELEM_I8, 127, -9, true}, {ELEM_I8, 128, 0, false}};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        struct world world;
        struct err err = {0};
        const struct rule *rule = world_init(&world, sliced.text);
        int64_t n[2] = {at[k].n, 1}, m[2] = {1, 1}, i[2] = {at[k].i, 0};
        int64_t *map[] = {n, m, i};
        uint32_t rank[] = {2};
        enum elem elem[] = {ELEM_I32};
        term_id lhs, rhs;
        struct ground ground = {rank, map, elem, NULL, at[k].elem};
        enum ground_status status =
            rule_ground(rule, &ground, (struct ground_place){&world.terms, NULL, &world.mem},
                        (struct ground_out){NULL, &lhs, &rhs, NULL}, &err);
        if (status != (at[k].ok ? GROUND_OK : GROUND_PRE_FALSE))
            fail_msg("%s, size %d: %d %s", elem_text(at[k].elem), (int)at[k].n, status, err.msg);
        world_release(&world);
    }
}

// In domain float no sum of floats runs over two axes.
static void test_float_sums(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t one, two; // ranks of class 0 with one order, with several
    } at[] = {
        {"axes k; map n on k; tensor A[k: n] : float, B[k: n] : float;"
         " dot(A, B, contract={k})",
         1, 2},
        {"axes s; axis f; map n, w on s; map c on f;"
         " tensor A[s: n, f: c] : float, K[s: w, f: c] : float;"
         " conv(A, K, feature={f}, spatial={s})",
         0, 1},
        {"axes s; map n on s; tensor A[s: n] : float;"
         " reduce_window(+, A, size=2, high=1)",
         1, 2},
        {"axes i; axis a; map n on i; map m on a; tensor A[a: m] : float,"
         " I[i: n] : int, U[i: n] : float; scatter(+, A, I, U, axis=a)",
         1, 2},
        {"axes s; map n on s; tensor A[s: n] : float;"
         " reduce_window(max, A, size=2, high=1)",
         2, 9},
    };
    for (size_t k = 0; k < sizeof at / sizeof *at; k++)
        for (uint32_t rank = 0; rank < 3; rank++) {
            struct world world;
            struct err err = {0};
            const struct rule *rule = world_init(&world, at[k].text);
            uint32_t ranks[2] = {rank, 1};
            struct instance *in = instance_new(rule, ranks, &world.mem);
            for (uint32_t i = 0; i < rule->n_types; i++)
                in->elem[i] = rule->types[i].kinds & KIND_FLOAT ? ELEM_F32 : ELEM_I32;
            assert_true(instance_monoids(in, DOMAIN_REAL, &err));
            bool ok = instance_monoids(in, DOMAIN_FLOAT, &err);
            if (rank <= at[k].one || rank >= at[k].two)
                assert_int_equal(ok, rank <= at[k].one);
            world_release(&world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_shuffled),
        cmocka_unit_test(test_turned_orders),
        cmocka_unit_test(test_elem_holds),
        cmocka_unit_test(test_monotone_holds),
        cmocka_unit_test(test_index_gate),
        cmocka_unit_test(test_grounds_pass_the_gate),
        cmocka_unit_test(test_index_types),
        cmocka_unit_test(test_float_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
