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

static const struct rule *world_init(struct world *w, const char *text)
{
    struct err_list errs = {0};
    *w = (struct world){0};
    pool_init(&w->pool);
    terms_init(&w->terms, &w->pool);
    ruleset_init(&w->rules);
    if (!ruleset_parse(&w->rules, text, strlen(text), "t.rw", &errs))
        fail_msg("%u:%u: %s", errs.at.at[0].line, errs.at.at[0].col,
                 errs.at.at[0].msg);
    vec_release(&errs.at);
    return w->rules.rules.at[0];
}

static void world_release(struct world *w)
{
    ruleset_release(&w->rules);
    terms_release(&w->terms);
    pool_release(&w->pool);
    arena_release(&w->mem);
}

struct grounded {
    struct instance *in;
    term_id lhs, rhs, cond[8];
    struct err e;
};

// All classes of one rank; map m has value v[m] on every axis; one type.
static enum ground_status ground(struct world *w, const struct rule *r,
                                 uint32_t rank, const int64_t *v, enum elem t,
                                 struct rng *rng, struct grounded *g)
{
    uint32_t ranks[8];
    int64_t *map[16], value[16][4];
    enum elem elem[8];
    struct op_binding op[8];
    for (uint32_t c = 0; c < r->n_classes; c++)
        ranks[c] = r->classes[c].single ? 1 : rank;
    for (uint32_t m = 0; m < r->n_maps; m++) {
        map[m] = value[m];
        for (uint32_t i = 0; i < 4; i++)
            value[m][i] = v[m];
    }
    for (uint32_t i = 0; i < r->n_types; i++)
        elem[i] = r->types[i].kinds == KIND_BOOL ? ELEM_I1 : t;
    for (uint32_t i = 0; i < r->n_opvars; i++)
        op[i] = (struct op_binding){OP_ADD, NO_ATTR};
    struct ground at = {ranks, map, elem, op, ELEM_I32};
    *g = (struct grounded){0};
    return rule_ground(r, &at, &w->terms, rng, &w->mem, &g->in, &g->lhs,
                       &g->rhs, g->cond, &g->e);
}

static void check_text(const struct world *w, term_id t, const char *want)
{
    struct buf b = {0};
    term_print(&w->terms, t, 20, &b);
    assert_string_equal(buf_text(&b), want);
    buf_release(&b);
}

static void test_statuses(void **state)
{
    (void)state;
    struct world w;
    struct grounded g;
    const struct rule *r =
        world_init(&w, "rule r { axes x; map n, s, d on x; let q = div(s, d);"
                       " tensor A[x: n] : any; where s <= 3;"
                       " slice(A, start=s, limit=n, stride=1)"
                       " => slice(A, start=d * q, limit=n, stride=1); }");
#define N(...) ((const int64_t[]){__VA_ARGS__, 0})
    assert_int_equal(ground(&w, r, 1, N(4, 2, 1), ELEM_I8, NULL, &g),
                     GROUND_OK);
    assert_int_equal(g.lhs.v, g.rhs.v);
    assert_int_equal(ground(&w, r, 1, N(4, 3, 2), ELEM_I8, NULL, &g),
                     GROUND_TYPE_DIFFERS);
    assert_int_equal(ground(&w, r, 1, N(9, 4, 2), ELEM_I8, NULL, &g),
                     GROUND_PRE_FALSE);
    assert_int_equal(ground(&w, r, 1, N(-1, 0, 1), ELEM_I8, NULL, &g),
                     GROUND_PRE_FALSE);
    assert_int_equal(ground(&w, r, 1, N(2, 3, 1), ELEM_I8, NULL, &g),
                     GROUND_LHS_INVALID);
    // The let divides by zero: only the right side uses it.
    assert_int_equal(ground(&w, r, 1, N(4, 2, 0), ELEM_I8, NULL, &g),
                     GROUND_RHS_INVALID);
    assert_int_equal(ground(&w, r, 1, N(2, 3, 0), ELEM_I8, NULL, &g),
                     GROUND_LHS_INVALID);
    assert_int_equal(ground(&w, r, 0, N(4, 2, 0), ELEM_I8, NULL, &g),
                     GROUND_OK); // no axis, no division
    world_release(&w);
    r = world_init(&w, "rule r { axes x; map n, k on x; let q = k * k;"
                       " tensor A[x: n] : any;"
                       " slice(A, start=0, limit=n - k, stride=1)"
                       " => slice(A, start=0, limit=n - q, stride=1); }");
    assert_int_equal(ground(&w, r, 1, N(4, INT64_MAX), ELEM_I8, NULL, &g),
                     GROUND_PRE_FALSE);
    world_release(&w);
    r = world_init(&w, "rule r { axes x; map n on x; tensor A[x: n] : num;"
                       " A * 300 => A * 100 + A * 200; }");
    assert_int_equal(ground(&w, r, 1, N(4), ELEM_I8, NULL, &g),
                     GROUND_PRE_FALSE);
    assert_int_equal(ground(&w, r, 1, N(4), ELEM_I16, NULL, &g), GROUND_OK);
    world_release(&w);
}

static struct scalar literal_of(const char *text, enum elem t)
{
    char rule[256];
    struct world w;
    struct grounded g;
    snprintf(rule, sizeof rule,
             "rule r { axes x; map n on x; tensor A[x: n] : float;"
             " A + %s => A; }",
             text);
    const struct rule *r = world_init(&w, rule);
    assert_int_equal(ground(&w, r, 1, N(2), t, NULL, &g), GROUND_OK);
    lit_id l = term_literal(&w.terms, term_args(&w.terms, g.lhs)[1]);
    struct scalar s = literal_get(&w.pool, l, 0);
    world_release(&w);
    return s;
}

static void test_literals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum elem t;
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
        if (literal_of(at[i].text, at[i].t).bits != at[i].bits)
            fail_msg("%s in %s is %llx", at[i].text, elem_text(at[i].t),
                     (unsigned long long)literal_of(at[i].text, at[i].t).bits);
    struct scalar s = literal_of("0.75", ELEM_REAL);
    assert_true(s.num == 3 && s.den == 4);
    s = literal_of("0.0", ELEM_REAL);
    assert_true(s.num == 0 && s.den == 1);
}

static void test_forms(void **state)
{
    (void)state;
    struct world w;
    struct grounded g;
    const struct rule *r = world_init(
        &w, "rule r { axis a; axes x; map n, m on a; map o on x;"
            " tensor A[a: n, x: o] : T, B[a: m, x: o] : T; op g : monoid(T);"
            " reduce(g, concat(A, B, axis=a), {a})"
            " => g(reduce(g, A, {a}), reduce(g, B, {a})); }");
    assert_int_equal(ground(&w, r, 1, N(4, 2, 3), ELEM_I32, NULL, &g),
                     GROUND_OK);
    check_text(&w, g.lhs, "reduce(concatenate(%0, %1, [0]), 0, add, [0])");
    check_text(&w, g.rhs,
               "add(reduce(%0, 0, add, [0]), "
               "reduce(%1, 0, add, [0]))");
    world_release(&w);
    r = world_init(&w, "rule r { axes x, y; map n on x; map m on y;"
                       " tensor A[x: n] : int; scalar v : int, u : int;"
                       " reduce(+, broadcast(A * v + 1, {y: m}), {y})"
                       " => reduce(+, broadcast(A * v + (u + v) + 1, {y: m}),"
                       " {y}); }");
    assert_int_equal(ground(&w, r, 0, N(2, 3), ELEM_I32, NULL, &g), GROUND_OK);
    check_text(&w, g.lhs, "add(multiply(%0, %1), 1)");
    assert_int_equal(ground(&w, r, 1, N(2, 3), ELEM_I32, NULL, &g), GROUND_OK);
    // A constant scalar is a splat constant, any other a broadcast.
    g.in->scalar[0] = term_constant(
        &w.terms, literal_splat(&w.pool, ELEM_I32, scalar_of_int(ELEM_I32, 7)),
        term_type(&w.terms, g.in->scalar[0]));
    struct builder b = builder_plain(&w.terms);
    term_id out;
    struct err e = {0};
    assert_true(instance_build(g.in, r->rhs, &b, &out, &e));
    struct u32_vec reach = {0};
    terms_reach(&w.terms, 1, &out, &reach);
    uint32_t constants = 0, spreads = 0;
    for (uint32_t i = 0; i < reach.len; i++) {
        constants += term_op(&w.terms, (term_id){reach.at[i]}) == OP_CONSTANT;
        spreads +=
            term_op(&w.terms, (term_id){reach.at[i]}) == OP_BROADCAST_IN_DIM;
    }
    // 7 at rank 1 and, below u + v, at rank 0; 1; the unit of the sum.
    assert_int_equal(constants, 4);
    assert_int_equal(spreads, 2); // of u + v, and along y
    vec_release(&reach);
    world_release(&w);
}

static void test_orders(void **state)
{
    (void)state;
    struct world w;
    struct grounded g;
    const struct rule *r = world_init(
        &w, "rule r { axes x, y; map n on x; map m on y;"
            " tensor A[x: n, y: m] : num, B[y: m] : num;"
            " A + broadcast(B, {x: n}) => broadcast(B, {x: n}) + A; }");
    assert_int_equal(ground(&w, r, 1, N(2, 3), ELEM_I32, NULL, &g), GROUND_OK);
    uint32_t swapped[] = {1, 0};
    struct order wanted = {2, swapped};
    instance_orient(g.in, r->rhs, &wanted);
    struct builder b = builder_plain(&w.terms);
    term_id out;
    struct err e = {0};
    assert_true(instance_build(g.in, r->rhs, &b, &out, &e));
    // The broadcast takes the order asked for, the variable is turned.
    check_text(&w, out,
               "add(broadcast_in_dim(%1, [0]) : tensor<3x2xi32>, "
               "transpose(%0, [1, 0]))");
    world_release(&w);
}

static void test_element_conditions(void **state)
{
    (void)state;
    struct world w;
    struct grounded g;
    const struct rule *r = world_init(
        &w, "rule r { axes x; map n on x; tensor A[x: n] : int,"
            " B[x: n] : int; where all(B > 0); A / B * B => B * (A / B); }");
    assert_int_equal(ground(&w, r, 1, N(3), ELEM_I32, NULL, &g), GROUND_OK);
    check_text(&w, g.cond[0], "compare(%1, 0, GT, SIGNED)");
    uint32_t p = r->wheres[0].pat;
    assert_false(instance_element_condition(g.in, p, &w.terms)); // unknown
    const int32_t good[] = {1, 2, 3}, bad[] = {1, 0, 3};
    type_id type = term_type(&w.terms, g.in->tensor[1]);
    g.in->tensor[1] =
        term_constant(&w.terms, literal_make(&w.pool, ELEM_I32, 3, good), type);
    assert_true(instance_element_condition(g.in, p, &w.terms));
    g.in->tensor[1] =
        term_constant(&w.terms, literal_make(&w.pool, ELEM_I32, 3, bad), type);
    assert_false(instance_element_condition(g.in, p, &w.terms));
    world_release(&w);
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
static bool spoil(struct instance *in, const struct world *w, int how)
{
    struct order *o = &in->pat[in->rule->lhs].out;
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
        o->axis[0] = o->axis[1]; // no arrangement
        return true;
    case 5:
        o->n--;
        return true;
    case 6:
        o->axis[0] = 99;
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
        in->tensor[0] = (term_id){w->terms.term.len};
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
    struct world w;
    struct grounded g;
    const struct rule *r = world_init(&w, gate_rule);
    assert_int_equal(ground(&w, r, 2, N(3, 0), ELEM_I32, NULL, &g), GROUND_OK);
    struct err e = {0};
    if (!instance_check(g.in, &w.terms, &e))
        fail_msg("%s", e.msg);
    int how = 0;
    for (;; how++) {
        struct instance *in = instance_copy(g.in, &w.mem);
        e = (struct err){0};
        assert_true(instance_check(in, &w.terms, &e));
        if (!spoil(in, &w, how))
            break;
        e = (struct err){0};
        if (instance_check(in, &w.terms, &e))
            fail_msg("spoiled instance %d passes", how);
        assert_int_equal(e.kind, ERR_CHECK);
    }
    assert_int_equal(how, 24);
    // Every order of every node counts (N2, N3): turn each one around.
    uint32_t turned = 0;
    for (uint32_t i = 0; i < r->n_pats; i++)
        for (uint32_t k = 0; k <= r->pats[i].n_args; k++) {
            struct instance *in = instance_copy(g.in, &w.mem);
            struct order *o = k == 0 ? &in->pat[i].out : &in->pat[i].in[k - 1];
            bool reduced = r->pats[i].kind == PAT_OP &&
                           r->pats[i].op == OP_REDUCE && k > 0;
            if (o->n < 2 || r->pats[i].kind == PAT_SPLAT || reduced)
                continue; // any order is right there
            uint32_t swap = o->axis[0];
            o->axis[0] = o->axis[1];
            o->axis[1] = swap;
            e = (struct err){0};
            if (instance_check(in, &w.terms, &e))
                fail_msg("node %u, order %u turned passes", i, k);
            turned++;
        }
    assert_true(turned > 15);
    world_release(&w);
}

static void test_shuffled_grounds_pass_the_gate(void **state)
{
    (void)state;
    struct world w;
    struct grounded g;
    struct rng rng;
    const struct rule *r = world_init(&w, gate_rule);
    rng_seed(&rng, 3);
    term_id first = NO_TERM;
    bool differ = false;
    for (int i = 0; i < 20; i++) {
        assert_int_equal(ground(&w, r, 2, N(3, 0), ELEM_I32, &rng, &g),
                         GROUND_OK);
        struct err e = {0};
        if (!instance_check(g.in, &w.terms, &e))
            fail_msg("%s", e.msg);
        differ = differ || (first.v != NO_TERM.v && first.v != g.lhs.v);
        first = g.lhs;
    }
    assert_true(differ);
    world_release(&w);
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
