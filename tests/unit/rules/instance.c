// SPDX-License-Identifier: Apache-2.0
// Ground instances of rules, the forms of their terms, and the gate that the
// proof checker relies on.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"

struct world {
    struct pool pool;
    struct terms terms;
    struct arena mem;
    struct ruleset rules;
};

static const struct rule *world_init(struct world *world, const char *text)
{
    struct err_list errs = {0};
    *world = (struct world){0};
    pool_init(&world->pool);
    terms_init(&world->terms, &world->pool);
    ruleset_init(&world->rules);
    if (!ruleset_parse(&world->rules, text, strlen(text), "t.rw", &errs))
        fail_msg("%u:%u: %s", errs.at.at[0].line, errs.at.at[0].col, errs.at.at[0].msg);
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

struct grounded {
    struct instance *in;
    term_id lhs, rhs, cond[8];
    struct err err;
};

// All classes of one rank; map m has value v[m] on every axis; one type.
static enum ground_status ground(struct world *world, const struct rule *rule, uint32_t rank,
                                 const int64_t *v, enum elem t, struct rng *rng,
                                 struct grounded *grounded)
{
    uint32_t ranks[8];
    int64_t *map[16], value[16][4];
    enum elem elem[8];
    struct op_binding op[8];
    for (uint32_t c = 0; c < rule->n_classes; c++)
        ranks[c] = rule->classes[c].single ? 1 : rank;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        map[m] = value[m];
        for (uint32_t i = 0; i < 4; i++)
            value[m][i] = v[m];
    }
    for (uint32_t i = 0; i < rule->n_types; i++)
        elem[i] = rule->types[i].kinds == KIND_BOOL ? ELEM_I1 : t;
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        op[i] = (struct op_binding){OP_ADD, NO_ATTR};
    struct ground at = {ranks, map, elem, op, ELEM_I32};
    *grounded = (struct grounded){0};
    return rule_ground(
        rule, &at, (struct ground_place){&world->terms, rng, &world->mem},
        (struct ground_out){&grounded->in, &grounded->lhs, &grounded->rhs, grounded->cond},
        &grounded->err);
}

static void check_text(const struct world *world, term_id term, const char *want)
{
    struct buf buf = {0};
    term_print(&world->terms, term, 20, &buf);
    assert_string_equal(buf_text(&buf), want);
    buf_release(&buf);
}

static void test_statuses(void **state)
{
    (void)state;
    struct world world;
    struct grounded grounded;
    const struct rule *rule =
        world_init(&world, "rule r { axes x; map n, s, d on x; let q = div(s, d);"
                           " tensor A[x: n] : any; where s <= 3;"
                           " slice(A, start=s, limit=n, stride=1)"
                           " => slice(A, start=d * q, limit=n, stride=1); }");
#define N(...) ((const int64_t[]){__VA_ARGS__, 0})
    assert_int_equal(ground(&world, rule, 1, N(4, 2, 1), ELEM_I8, NULL, &grounded), GROUND_OK);
    assert_int_equal(grounded.lhs.v, grounded.rhs.v);
    assert_int_equal(ground(&world, rule, 1, N(4, 3, 2), ELEM_I8, NULL, &grounded),
                     GROUND_TYPE_DIFFERS);
    assert_int_equal(ground(&world, rule, 1, N(9, 4, 2), ELEM_I8, NULL, &grounded),
                     GROUND_PRE_FALSE);
    assert_int_equal(ground(&world, rule, 1, N(-1, 0, 1), ELEM_I8, NULL, &grounded),
                     GROUND_PRE_FALSE);
    assert_int_equal(ground(&world, rule, 1, N(2, 3, 1), ELEM_I8, NULL, &grounded),
                     GROUND_LHS_INVALID);
    // The let divides by zero: only the right side uses it.
    assert_int_equal(ground(&world, rule, 1, N(4, 2, 0), ELEM_I8, NULL, &grounded),
                     GROUND_RHS_INVALID);
    assert_int_equal(ground(&world, rule, 1, N(2, 3, 0), ELEM_I8, NULL, &grounded),
                     GROUND_LHS_INVALID);
    assert_int_equal(ground(&world, rule, 0, N(4, 2, 0), ELEM_I8, NULL, &grounded),
                     GROUND_OK); // no axis, no division
    world_release(&world);
    rule = world_init(&world, "rule r { axes x; map n, k on x; let q = k * k;"
                              " tensor A[x: n] : any;"
                              " slice(A, start=0, limit=n - k, stride=1)"
                              " => slice(A, start=0, limit=n - q, stride=1); }");
    assert_int_equal(ground(&world, rule, 1, N(4, INT64_MAX), ELEM_I8, NULL, &grounded),
                     GROUND_PRE_FALSE);
    world_release(&world);
    // The same without a let, in an attribute and in a size.
    rule = world_init(&world, "rule r { axes x; map n, k on x; tensor A[x: n] : any;"
                              " scalar v : any;"
                              " pad(A, v, low=k, high=0, interior=0)"
                              " => pad(A, v, low=div(k * k, k), high=0, interior=0); }");
    assert_int_equal(ground(&world, rule, 1, N(1, 2), ELEM_I8, NULL, &grounded), GROUND_OK);
    assert_int_equal(ground(&world, rule, 1, N(1, 0), ELEM_I8, NULL, &grounded),
                     GROUND_RHS_INVALID);
    assert_int_equal(ground(&world, rule, 1, N(1, INT64_MAX), ELEM_I8, NULL, &grounded),
                     GROUND_LHS_INVALID);
    world_release(&world);
    rule = world_init(&world, "rule r { axes x; map n, k on x; scalar v : any;"
                              " broadcast(v, {x: n}) => broadcast(v, {x: div(n * k, k)}); }");
    assert_int_equal(ground(&world, rule, 1, N(3, 0), ELEM_I8, NULL, &grounded),
                     GROUND_RHS_INVALID);
    assert_int_equal(ground(&world, rule, 1, N(3, 2), ELEM_I8, NULL, &grounded), GROUND_OK);
    world_release(&world);
    rule = world_init(&world, "rule r { axes x; map n on x; tensor A[x: n] : num;"
                              " A * 300 => A * 100 + A * 200; }");
    assert_int_equal(ground(&world, rule, 1, N(4), ELEM_I8, NULL, &grounded), GROUND_PRE_FALSE);
    assert_int_equal(ground(&world, rule, 1, N(4), ELEM_I16, NULL, &grounded), GROUND_OK);
    world_release(&world);
}

static struct scalar literal_of(const char *text, enum elem elem)
{
    char rule[256];
    struct world world;
    struct grounded grounded;
    snprintf(rule, sizeof rule,
             "rule r { axes x; map n on x; tensor A[x: n] : float;"
             " A + %s => A; }",
             text);
    const struct rule *r = world_init(&world, rule);
    assert_int_equal(ground(&world, r, 1, N(2), elem, NULL, &grounded), GROUND_OK);
    lit_id literal = term_literal(&world.terms, term_args(&world.terms, grounded.lhs)[1]);
    struct scalar scalar = literal_get(&world.pool, literal, 0);
    world_release(&world);
    return scalar;
}

static void test_literals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum elem elem;
        uint64_t bits;
    } at[] = {
        {"0.1", ELEM_F16, 0x2e66},
        {"0.1", ELEM_BF16, 0x3dcd},
        {"0.1", ELEM_F32, 0x3dcccccd},
        {"0.1", ELEM_F64, 0x3fb999999999999a},
        {"-0.0", ELEM_F32, 0x80000000},
        {"0", ELEM_F32, 0},
        {"1.5", ELEM_F16, 0x3e00},
        // Between 1 and the next f16, at and a hair over the middle.
        {"1.00048828125", ELEM_F16, 0x3c00},
        {"1.00048828125000000000000000001", ELEM_F16, 0x3c01},
        {"1.00048828124999999999999999999", ELEM_F16, 0x3c00},
        {"inf", ELEM_F32, 0x7f800000},
        {"-inf", ELEM_F16, 0xfc00},
        {"lowest", ELEM_F32, 0xff800000},
        {"highest", ELEM_F64, 0x7ff0000000000000},
        {"unit(max)", ELEM_F32, 0xff800000},
    };
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        if (literal_of(at[i].text, at[i].elem).bits != at[i].bits)
            fail_msg("%s in %s is %llx", at[i].text, elem_text(at[i].elem),
                     (unsigned long long)literal_of(at[i].text, at[i].elem).bits);
    struct scalar scalar = literal_of("0.75", ELEM_REAL);
    assert_true(scalar.num == 3 && scalar.den == 4);
    scalar = literal_of("0.0", ELEM_REAL);
    assert_true(scalar.num == 0 && scalar.den == 1);
}

static void test_forms(void **state)
{
    (void)state;
    struct world world;
    struct grounded grounded;
    const struct rule *rule =
        world_init(&world, "rule r { axis a; axes x; map n, m on a; map o on x;"
                           " tensor A[a: n, x: o] : T, B[a: m, x: o] : T; op g : monoid(T);"
                           " reduce(g, concat(A, B, axis=a), {a})"
                           " => g(reduce(g, A, {a}), reduce(g, B, {a})); }");
    assert_int_equal(ground(&world, rule, 1, N(4, 2, 3), ELEM_I32, NULL, &grounded), GROUND_OK);
    check_text(&world, grounded.lhs, "reduce(concatenate(%0, %1, [0]), 0, add, [0])");
    check_text(&world, grounded.rhs,
               "add(reduce(%0, 0, add, [0]), "
               "reduce(%1, 0, add, [0]))");
    world_release(&world);
    rule = world_init(&world, "rule r { axes x, y; map n on x; map m on y;"
                              " tensor A[x: n] : int; scalar v : int, u : int;"
                              " reduce(+, broadcast(A * v + 1, {y: m}), {y})"
                              " => reduce(+, broadcast(A * v + (u + v) + 1, {y: m}),"
                              " {y}); }");
    assert_int_equal(ground(&world, rule, 0, N(2, 3), ELEM_I32, NULL, &grounded), GROUND_OK);
    check_text(&world, grounded.lhs, "add(multiply(%0, %1), 1)");
    assert_int_equal(ground(&world, rule, 1, N(2, 3), ELEM_I32, NULL, &grounded), GROUND_OK);
    // A constant scalar is a splat constant, any other a broadcast.
    grounded.in->scalar[0] = term_constant(
        &world.terms, literal_splat(&world.pool, ELEM_I32, scalar_of_int(ELEM_I32, 7)),
        term_type(&world.terms, grounded.in->scalar[0]));
    struct builder builder = builder_plain(&world.terms);
    term_id out;
    struct err err = {0};
    assert_true(instance_build(grounded.in, rule->rhs, &builder, &out, &err));
    struct u32_vec reach = {0};
    terms_reach(&world.terms, 1, &out, &reach);
    uint32_t constants = 0, spreads = 0;
    for (uint32_t i = 0; i < reach.len; i++) {
        constants += term_op(&world.terms, (term_id){reach.at[i]}) == OP_CONSTANT;
        spreads += term_op(&world.terms, (term_id){reach.at[i]}) == OP_BROADCAST_IN_DIM;
    }
    // 7 at rank 1 and, below u + v, at rank 0; 1; the unit of the sum.
    assert_int_equal(constants, 4);
    assert_int_equal(spreads, 2); // of u + v, and along y
    vec_release(&reach);
    world_release(&world);
}

static void test_orders(void **state)
{
    (void)state;
    struct world world;
    struct grounded grounded;
    const struct rule *rule =
        world_init(&world, "rule r { axes x, y; map n on x; map m on y;"
                           " tensor A[x: n, y: m] : num, B[y: m] : num;"
                           " A + broadcast(B, {x: n}) => broadcast(B, {x: n}) + A; }");
    assert_int_equal(ground(&world, rule, 1, N(2, 3), ELEM_I32, NULL, &grounded), GROUND_OK);
    uint32_t swapped[] = {1, 0};
    struct order wanted = {2, swapped};
    instance_orient(grounded.in, rule->rhs, &wanted);
    struct builder builder = builder_plain(&world.terms);
    term_id out;
    struct err err = {0};
    assert_true(instance_build(grounded.in, rule->rhs, &builder, &out, &err));
    // The broadcast takes the order asked for, the variable is turned.
    check_text(&world, out,
               "add(broadcast_in_dim(%1, [0]) : tensor<3x2xi32>, "
               "transpose(%0, [1, 0]))");
    world_release(&world);
}

static void test_element_conditions(void **state)
{
    (void)state;
    struct world world;
    struct grounded grounded;
    const struct rule *rule =
        world_init(&world, "rule r { axes x; map n on x; tensor A[x: n] : int,"
                           " B[x: n] : int; where all(B > 0); A / B * B => B * (A / B); }");
    assert_int_equal(ground(&world, rule, 1, N(3), ELEM_I32, NULL, &grounded), GROUND_OK);
    check_text(&world, grounded.cond[0], "compare(%1, 0, GT, SIGNED)");
    uint32_t p = rule->wheres[0].pat;
    assert_false(instance_element_condition(grounded.in, p, &world.terms)); // unknown
    const int32_t good[] = {1, 2, 3}, bad[] = {1, 0, 3};
    type_id type = term_type(&world.terms, grounded.in->tensor[1]);
    grounded.in->tensor[1] =
        term_constant(&world.terms, literal_make(&world.pool, ELEM_I32, 3, good), type);
    assert_true(instance_element_condition(grounded.in, p, &world.terms));
    grounded.in->tensor[1] =
        term_constant(&world.terms, literal_make(&world.pool, ELEM_I32, 3, bad), type);
    assert_false(instance_element_condition(grounded.in, p, &world.terms));
    world_release(&world);
}

static void test_monoids(void **state)
{
    (void)state;
    assert_true(monoid_holds(OP_ADD, ELEM_I8, DOMAIN_FLOAT));
    assert_true(monoid_holds(OP_AND, ELEM_I1, DOMAIN_FLOAT));
    assert_true(monoid_holds(OP_ADD, ELEM_F32, DOMAIN_REAL));
    assert_false(monoid_holds(OP_ADD, ELEM_F32, DOMAIN_FLOAT));
    assert_false(monoid_holds(OP_MULTIPLY, ELEM_BF16, DOMAIN_FLOAT));
    assert_true(monoid_holds(OP_MAXIMUM, ELEM_F32, DOMAIN_FLOAT));
    assert_true(monoid_holds(OP_ADD, ELEM_REAL, DOMAIN_FLOAT));
    assert_false(monoid_holds(OP_AND, ELEM_F32, DOMAIN_REAL));
    assert_false(monoid_holds(OP_SUBTRACT, ELEM_I32, DOMAIN_REAL));
    assert_false(monoid_holds(OP_XOR, ELEM_I32, DOMAIN_REAL));
}

// One way to spoil an instance each.
static bool spoil(struct instance *in, const struct world *world, int how)
{
    struct order *order = &in->pat[in->rule->lhs].out;
    switch (how) {
    case 0:
        in->n_axes++;
        return true;
    case 1:
        in->class_axes[0][1] = in->class_axes[0][0]; // repeated
        return true;
    case 2:
        in->class_axes[0][0] = 99;
        return true;
    case 3:
        in->axis_class[0] = 1;
        return true;
    case 4:
        order->axis[0] = order->axis[1]; // no arrangement
        return true;
    case 5:
        order->n--;
        return true;
    case 6:
        order->axis[0] = 99;
        return true;
    case 7:
        in->map[0][0]++; // the size is another
        return true;
    case 8:
        in->elem[0] = ELEM_F32;
        return true;
    case 9:
        in->elem[0] = ELEM_OTHER;
        return true;
    case 10:
        in->tensor[0] = in->scalar[0];
        return true;
    case 11:
        in->tensor[0] = NO_TERM;
        return true;
    case 12:
        in->tensor[0] = (term_id){world->terms.term.len};
        return true;
    case 13:
        in->scalar[0] = in->tensor[0]; // not of rank 0
        return true;
    case 14:
        in->op[0].op = OP_MULTIPLY;
        in->op[0].attr = (attr_id){1u << 30};
        return true;
    case 15:
        in->op[0].op = OP_NEGATE; // arity
        return true;
    case 16:
        in->op[0].op = OP_COMPARE; // result type
        return true;
    case 17:
        in->op[0].op = OP_SLICE; // not elementwise
        return true;
    case 18:
        in->op[0].op = (enum op)1000;
        return true;
    case 19:
        in->op[1].op = OP_SUBTRACT; // no monoid
        return true;
    case 20:
        in->op[1].op = OP_XOR;
        return true;
    case 21:
        in->rank[1] = 1; // ranks of a rank class
        return true;
    case 22:
        in->map[1][0]++; // the let
        return true;
    case 23:
        in->order[0].axis[0] = in->order[0].axis[1];
        return true;
    default:
        return false;
    }
}

// One type variable for all.
static const char gate_rule[] =
    "rule r { axes x; axes y like x; map n on x; let q = n + 1; type T : int;"
    " tensor A[x: n, y: n] : T; scalar v : T;"
    " op f : elementwise(T, T) -> T; op g : monoid(T);"
    " reduce(g, f(A, relabel(A, {x <-> y}) + v), {x})"
    " => slice(reduce(g, f(A, relabel(A, {x <-> y}) + v), {x}),"
    " start={y: 0}, limit={y: q - 1}, stride={y: 1}); }";

static void test_the_gate(void **state)
{
    (void)state;
    struct world world;
    struct grounded grounded;
    const struct rule *rule = world_init(&world, gate_rule);
    assert_int_equal(ground(&world, rule, 2, N(3, 0), ELEM_I32, NULL, &grounded), GROUND_OK);
    struct err err = {0};
    if (!instance_check(grounded.in, &world.terms, &err))
        fail_msg("%s", err.msg);
    int how = 0;
    for (;; how++) {
        struct instance *in = instance_copy(grounded.in, &world.mem);
        err = (struct err){0};
        assert_true(instance_check(in, &world.terms, &err));
        if (!spoil(in, &world, how))
            break;
        err = (struct err){0};
        if (instance_check(in, &world.terms, &err))
            fail_msg("spoiled instance %d passes", how);
        assert_int_equal(err.kind, ERR_CHECK);
    }
    assert_int_equal(how, 24);
    // Every order of every node counts (N2, N3): turn each one around.
    uint32_t turned = 0;
    for (uint32_t i = 0; i < rule->n_pats; i++)
        for (uint32_t k = 0; k <= rule->pats[i].n_args; k++) {
            struct instance *in = instance_copy(grounded.in, &world.mem);
            struct order *order = k == 0 ? &in->pat[i].out : &in->pat[i].in[k - 1];
            bool reduced = rule->pats[i].kind == PAT_OP && rule->pats[i].op == OP_REDUCE && k > 0;
            if (order->n < 2 || rule->pats[i].kind == PAT_SPLAT || reduced)
                continue; // any order is right there
            uint32_t swap = order->axis[0];
            order->axis[0] = order->axis[1];
            order->axis[1] = swap;
            err = (struct err){0};
            if (instance_check(in, &world.terms, &err))
                fail_msg("node %u, order %u turned passes", i, k);
            turned++;
        }
    assert_true(turned > 15);
    world_release(&world);
}

static void test_shuffled_grounds_pass_the_gate(void **state)
{
    (void)state;
    struct world world;
    struct grounded grounded;
    struct rng rng;
    const struct rule *rule = world_init(&world, gate_rule);
    rng_seed(&rng, 3);
    term_id first = NO_TERM;
    bool differ = false;
    for (int i = 0; i < 20; i++) {
        assert_int_equal(ground(&world, rule, 2, N(3, 0), ELEM_I32, &rng, &grounded), GROUND_OK);
        struct err err = {0};
        if (!instance_check(grounded.in, &world.terms, &err))
            fail_msg("%s", err.msg);
        differ = differ || (first.v != NO_TERM.v && first.v != grounded.lhs.v);
        first = grounded.lhs;
    }
    assert_true(differ);
    world_release(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_literals),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_element_conditions),
        cmocka_unit_test(test_monoids),
        cmocka_unit_test(test_the_gate),
        cmocka_unit_test(test_shuffled_grounds_pass_the_gate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
