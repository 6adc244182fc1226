// SPDX-License-Identifier: Apache-2.0
// Ground instances of rules: types, indices, sums of floats.
#include "tests/unit/support/rule_world.h"

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

// Bit for bit there is one sum of floats, or (float-sums) there are several over one axis.
static void test_float_sums(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t bits, list; // the most ranks of class 0 that float, float-sums allow
    } at[] = {
#define DOT "axes k; map n on k; tensor A[k: n] : float, B[k: n] : float;"
        {DOT " dot(A, B, contract={k})", 9, 9},
        {DOT " dot(A, B, contract={k}) * dot(A, B, contract={k})", 9, 9},
        {DOT " dot(A, B, contract={k}) * dot(A, A, contract={k})", 0, 1},
        {DOT " reduce(+, A, {k}) * reduce(*, B, {k})", 0, 1},
        {DOT " reduce(max, A, {k}) * reduce(+, B, {k})", 9, 9},
        {"axes s; axis f; map n, w on s; map c on f;"
         " tensor A[s: n, f: c] : float, K[s: w, f: c] : float;"
         " conv(A, K, feature={f}, spatial={s})",
         9, 9},
        {"axes s; map n on s; tensor A[s: n] : float, B[s: n] : float;"
         " reduce_window(+, A, size=2, high=1) + reduce_window(+, B, size=2, high=1)",
         0, 1},
        {"axes s; map n on s; tensor A[s: n] : float, B[s: n] : float;"
         " reduce_window(+, A, size=2, high=1) + reduce_window(+, B, size=3, high=2)",
         0, 1},
        {"axes i; axis a; map n on i; map m on a; tensor A[a: m] : float,"
         " I[i: n] : int, U[i: n] : float, V[i: n] : float;"
         " scatter(+, A, I, U, axis=a) + scatter(+, A, I, V, axis=a)",
         0, 1},
        {"axes s; map n on s; tensor A[s: n] : float;"
         " reduce_window(max, A, size=2, high=1) + reduce_window(max, A, size=3, high=2)",
         9, 9},
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
            for (uint32_t i = 0; i < rule->n_pats; i++) {
                struct pat_place *place = &in->pat[i];
                place->in = ARENA_NEW(&world.mem, struct order, rule->pats[i].n_args + 1u);
            }
            assert_true(instance_monoids(in, READ_REAL, &err));
            if (instance_monoids(in, READ_FLOAT, &err) != (rank <= at[k].bits) ||
                instance_monoids(in, READ_FLOAT_SUMS, &err) != (rank <= at[k].list))
                fail_msg("%s at rank %u", at[k].text, rank);
            world_release(&world);
        }
}

// One sum, but its operands have their dimensions in two orders: two operations.
static void test_orders_of_one_sum(void **state)
{
    (void)state;
    struct world world;
    struct err err = {0};
    const struct rule *rule =
        world_init(&world, DOT " dot(A, B, contract={k}) * dot(A, B, contract={k})");
    struct instance *in = instance_new(rule, (uint32_t[]){2}, &world.mem);
    uint32_t one[] = {0, 1}, other[] = {1, 0};
    for (uint32_t i = 0; i < rule->n_types; i++)
        in->elem[i] = ELEM_F32;
    for (uint32_t last = 0; last < 2; last++) {
        uint32_t seen = 0;
        for (uint32_t i = 0; i < rule->n_pats; i++) {
            struct order *orders = ARENA_NEW(&world.mem, struct order, rule->pats[i].n_args + 1u);
            seen += rule->pats[i].op == OP_DOT_GENERAL;
            for (uint32_t k = 0; rule->pats[i].op == OP_DOT_GENERAL && k < 2; k++)
                orders[k] = (struct order){2, last && seen == 2 ? other : one};
            in->pat[i].in = orders;
        }
        assert_int_equal(instance_monoids(in, READ_FLOAT, &err), last == 0);
    }
    world_release(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_gate),        cmocka_unit_test(test_grounds_pass_the_gate),
        cmocka_unit_test(test_index_types),       cmocka_unit_test(test_float_sums),
        cmocka_unit_test(test_orders_of_one_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
