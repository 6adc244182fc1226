// SPDX-License-Identifier: Apache-2.0
// Matching modulo axes: the cases that are easily done wrong, one by one; then
// saturation with its limits and domains.
#include "tests/unit/support/egraph_match.h"

static const struct rule *rule_named(const char *name)
{
    for (uint32_t i = 0; i < rules.rules.len; i++)
        if (strcmp(rules.rules.at[i]->name, name) == 0)
            return rules.rules.at[i];
    fail_msg("no rule %s", name);
    return NULL;
}

// --- single cases

static type_id tensor_type(struct world *world, enum elem elem, const char *dims)
{
    int64_t d[8];
    uint32_t n = 0;
    struct err err = {0};
    type_id type;
    for (; dims[n] != '\0'; n++)
        d[n] = dims[n] - '0';
    assert_true(type_tensor(&world->pool, elem, n, d, &type, &err));
    return type;
}

static term_id param(struct world *world, int64_t k, enum elem elem, const char *dims)
{
    int64_t v[2] = {0, k};
    term_id out;
    struct err err = {0};
    assert_true(term_build(&world->terms,
                           (struct operation){OP_PARAMETER, attr_make(&world->pool, 2, v),
                                              tensor_type(world, elem, dims), 0},
                           NULL, &out, &err));
    return out;
}

// Attributes as one digit each.
static term_id node(struct world *world, enum op op, const char *attr, type_id want, uint32_t n,
                    const term_id *args)
{
    int64_t v[32];
    uint32_t len = 0;
    struct err err = {0};
    term_id out;
    for (; attr[len] != '\0'; len++)
        v[len] = attr[len] - '0';
    if (op == OP_REDUCE)
        v[0] = OP_ADD;
    if (!term_build(&world->terms, (struct operation){op, attr_make(&world->pool, len, v), want, n},
                    args, &out, &err))
        fail_msg("%s", err.msg);
    return out;
}

static term_id unary(struct world *world, enum op op, const char *attr, term_id term)
{
    return node(world, op, attr, NO_TYPE, 1, &term);
}

static term_id binary(struct world *world, enum op op, const char *attr, term_id a, term_id b)
{
    term_id args[2] = {a, b};
    return node(world, op, attr, NO_TYPE, 2, args);
}

static term_id spread(struct world *world, term_id term, const char *dims, enum elem elem,
                      const char *shape)
{
    return node(world, OP_BROADCAST_IN_DIM, dims, tensor_type(world, elem, shape), 1, &term);
}

static term_id splat(struct world *world, enum elem elem, int64_t k, const char *dims)
{
    return term_constant(&world->terms, literal_splat(&world->pool, elem, scalar_of_int(elem, k)),
                         tensor_type(world, elem, dims));
}

static term_id sum(struct world *world, enum elem elem, term_id term, const char *dims)
{
    char attr[16] = "0";
    for (size_t i = 0; i <= strlen(dims); i++)
        attr[i + 1] = dims[i];
    return binary(world, OP_REDUCE, attr, term, splat(world, elem, 0, ""));
}

// Is `to` equal to `from` after one use of the rule, soundly?
static bool rewrites(struct world *world, const char *rule, term_id from, term_id to)
{
    struct rng rng;
    rng_seed(&rng, seed);
    egraph_add_term(&world->graph, to);
    run_rule(world, rule_named(rule), false, from);
    check_values(world, &rng, rule);
    return egraph_same(&world->graph, from, to);
}

static uint32_t n_matches(struct world *world, const char *rule, term_id from)
{
    struct rng rng;
    rng_seed(&rng, seed);
    struct outcome outcome = run_rule(world, rule_named(rule), false, from);
    check_values(world, &rng, rule);
    assert_int_equal(outcome.missed, 0);
    return outcome.matches;
}

#define I ELEM_I32

static void test_symmetric_sums(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = param(&world, 0, I, "33"), b = param(&world, 1, I, "33");
    term_id at = unary(&world, OP_TRANSPOSE, "10", term);
    assert_true(n_matches(&world, "symmetric", binary(&world, OP_ADD, "", term, at)) > 0);
    world_release(&world);
    world_init(&world);
    term = param(&world, 0, I, "33"), b = param(&world, 1, I, "33");
    at = unary(&world, OP_TRANSPOSE, "10", term);
    assert_true(n_matches(&world, "symmetric", binary(&world, OP_ADD, "", at, term)) > 0);
    world_release(&world);
    world_init(&world);
    term = param(&world, 0, I, "33"), b = param(&world, 1, I, "33");
    assert_int_equal(n_matches(&world, "symmetric", binary(&world, OP_ADD, "", term, b)), 0);
    at = unary(&world, OP_TRANSPOSE, "10", term);
    assert_int_equal(n_matches(&world, "symmetric", binary(&world, OP_ADD, "", b, at)), 0);
    world_release(&world);
}

// Product of two matrices as broadcast, multiply, sum.
static term_id matmul(struct world *world, term_id a, const char *da, term_id b, const char *db)
{
    term_id wide = binary(world, OP_MULTIPLY, "", spread(world, a, da, I, "323"),
                          spread(world, b, db, I, "323"));
    return sum(world, I, wide, "1");
}

static void test_products_of_one_matrix(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = param(&world, 0, I, "32"), b = param(&world, 1, I, "32");
    assert_true(n_matches(&world, "gram", matmul(&world, term, "01", term, "21")) > 0);
    assert_true(n_matches(&world, "product_rule", matmul(&world, term, "01", b, "21")) > 0);
    world_release(&world);
    world_init(&world);
    term = param(&world, 0, I, "32"), b = param(&world, 1, I, "32");
    assert_int_equal(n_matches(&world, "gram", matmul(&world, term, "01", b, "21")), 0);
    term_id v = param(&world, 2, I, "3");
    term_id outer = binary(&world, OP_MULTIPLY, "", spread(&world, v, "0", I, "33"),
                           spread(&world, v, "1", I, "33"));
    assert_true(n_matches(&world, "outer_square", outer) > 0);
    // v * v index by index is no outer product.
    term_id inner = binary(&world, OP_MULTIPLY, "", spread(&world, v, "0", I, "33"),
                           spread(&world, v, "0", I, "33"));
    uint32_t before = n_matches(&world, "outer_square", outer);
    assert_int_equal(n_matches(&world, "outer_square", inner), before);
    world_release(&world);
}

static term_id without_axes(struct world *world, term_id term)
{
    return node(world, OP_RESHAPE, "", tensor_type(world, I, ""), 1, &term);
}

// A stretched size 1 is an axis that a reshape drops, and another one that is new.
static void test_stretched_unit_axes_match_by_a_reshape(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = param(&world, 0, I, "1"), b = param(&world, 1, I, "1");
    term_id wide = binary(&world, OP_ADD, "", spread(&world, term, "0", I, "32"),
                          spread(&world, b, "0", I, "32"));
    assert_int_equal(n_matches(&world, "elementwise_of_broadcasts", wide), 1);
    term_id less = binary(&world, OP_ADD, "", without_axes(&world, term), without_axes(&world, b));
    assert_true(
        rewrites(&world, "elementwise_of_broadcasts", wide, spread(&world, less, "", I, "32")));
    term_id yes = binary(&world, OP_ADD, "", spread(&world, term, "1", I, "31"),
                         spread(&world, b, "1", I, "31"));
    assert_int_equal(n_matches(&world, "elementwise_of_broadcasts", yes), 2);
    assert_true(rewrites(&world, "elementwise_of_broadcasts", yes,
                         spread(&world, binary(&world, OP_ADD, "", term, b), "1", I, "31")));
    // The two sides broadcast along different axes.
    term_id c = param(&world, 2, I, "3"), d = param(&world, 3, I, "3");
    term_id cross = binary(&world, OP_ADD, "", spread(&world, c, "0", I, "33"),
                           spread(&world, d, "1", I, "33"));
    uint32_t n = n_matches(&world, "elementwise_of_broadcasts", yes);
    assert_int_equal(n_matches(&world, "elementwise_of_broadcasts", cross), n);
    world_release(&world);
}

static void test_concat_along_a_broadcast_axis(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = param(&world, 0, I, "3");
    term_id yes = binary(&world, OP_CONCATENATE, "0", spread(&world, term, "1", I, "23"),
                         spread(&world, term, "1", I, "53"));
    assert_true(rewrites(&world, "concat_of_broadcasts", yes, spread(&world, term, "1", I, "73")));
    term_id no = binary(&world, OP_CONCATENATE, "1", spread(&world, term, "1", I, "23"),
                        spread(&world, term, "1", I, "23"));
    assert_int_equal(n_matches(&world, "concat_of_broadcasts", no), 1); // yes's
    world_release(&world);
}

static void test_worked_case(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = param(&world, 0, I, "35"), q = param(&world, 1, I, "32");
    term_id lhs = sum(&world, I, binary(&world, OP_CONCATENATE, "1", term, q), "1");
    term_id rhs = binary(&world, OP_ADD, "", sum(&world, I, term, "1"), sum(&world, I, q, "1"));
    assert_true(rewrites(&world, "reduce_of_concat", lhs, rhs));
    // Concatenated along the other axis: nothing to do.
    term_id r = param(&world, 2, I, "25");
    term_id no = sum(&world, I, binary(&world, OP_CONCATENATE, "0", term, r), "1");
    assert_int_equal(n_matches(&world, "reduce_of_concat", no), 1);
    world_release(&world);
}

static void test_axis_known_by_an_attribute_only(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = param(&world, 0, I, "342");
    term_id whole = unary(&world, OP_SLICE, "000342111", term);
    assert_true(rewrites(&world, "whole_axis", whole, term));
    assert_int_equal(n_matches(&world, "whole_axis", unary(&world, OP_SLICE, "000332111", term)),
                     1);
    world_release(&world);
}

static void test_reduce_over_everything(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = param(&world, 0, I, "342");
    assert_true(rewrites(&world, "reduce_in_two_steps",
                         sum(&world, I, sum(&world, I, term, "02"), "0"),
                         sum(&world, I, term, "012")));
    // Unit axes and a scalar factor.
    term_id b = param(&world, 1, I, "11"), v = param(&world, 2, I, "");
    term_id lhs =
        sum(&world, I, binary(&world, OP_MULTIPLY, "", b, spread(&world, v, "", I, "11")), "01");
    term_id rhs = binary(&world, OP_MULTIPLY, "", sum(&world, I, b, "01"), v);
    assert_true(rewrites(&world, "scalar_out", lhs, rhs));
    world_release(&world);
}

static void test_unlinked_reductions(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = param(&world, 0, I, "243"), b = param(&world, 1, I, "342");
    // The reduced axes pair by size: 4 with 4, 3 with 3.
    term_id lhs = binary(&world, OP_ADD, "", sum(&world, I, term, "12"), sum(&world, I, b, "01"));
    term_id rhs = sum(
        &world, I, binary(&world, OP_ADD, "", term, unary(&world, OP_TRANSPOSE, "210", b)), "12");
    assert_true(rewrites(&world, "sum_of_sums", lhs, rhs));
    term_id c = param(&world, 2, I, "253");
    term_id no = binary(&world, OP_ADD, "", sum(&world, I, term, "12"), sum(&world, I, c, "12"));
    assert_int_equal(n_matches(&world, "sum_of_sums", no), 1);
    world_release(&world);
}

static void test_matrix_times_vector(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = param(&world, 0, I, "32"), v = param(&world, 1, I, "2");
    term_id wide = spread(&world, v, "1", I, "32");
    term_id lhs = sum(&world, I, binary(&world, OP_MULTIPLY, "", term, wide), "1");
    term_id rhs = sum(&world, I, binary(&world, OP_MULTIPLY, "", wide, term), "1");
    assert_true(rewrites(&world, "product_rule", lhs, rhs));
    world_release(&world);
}

static void test_interleaved_batch(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = param(&world, 0, I, "2345"), b = param(&world, 1, I, "5246");
    // a[b0 i b1 k], b[k b0 b1 j] -> [b0, k, i, b1, j], sum over k.
    term_id wide = binary(&world, OP_MULTIPLY, "", spread(&world, term, "0231", I, "25346"),
                          spread(&world, b, "1034", I, "25346"));
    assert_true(n_matches(&world, "batch_product", sum(&world, I, wide, "1")) > 0);
    world_release(&world);
}

static void test_element_conditions(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    term_id term = param(&world, 0, I, "32");
    for (int64_t k = -1; k <= 1; k++) {
        term_id s = splat(&world, I, k, "32");
        term_id max = binary(&world, OP_MAXIMUM, "", term, s);
        assert_int_equal(n_matches(&world, "positive", binary(&world, OP_MULTIPLY, "", max, s)),
                         k > 0);
    }
    // Nothing is known of a parameter.
    term_id s = spread(&world, param(&world, 1, I, ""), "", I, "32");
    term_id max = binary(&world, OP_MAXIMUM, "", term, s);
    assert_int_equal(n_matches(&world, "positive", binary(&world, OP_MULTIPLY, "", max, s)), 1);
    world_release(&world);
}

// --- saturation

static enum stop_reason run(struct world *world, struct saturation *saturation,
                            struct saturate_options options, struct rule_status st)
{
    saturation_init(saturation, &world->graph, options);
    for (uint32_t i = 0; i < rules.rules.len; i++)
        saturation_add(saturation, (struct rule_use){rules.rules.at[i], false, st});
    return saturate(saturation, NULL, NULL);
}

static term_id program(struct world *world)
{
    term_id term = param(world, 0, ELEM_F64, "35"), b = param(world, 1, ELEM_F64, "32");
    term_id c = binary(world, OP_CONCATENATE, "1", term, b);
    term_id z = binary(world, OP_ADD, "", c, splat(world, ELEM_F64, 0, "37"));
    term_id s = sum(world, ELEM_F64, z, "1");
    term_id back = unary(world, OP_REVERSE, "0", unary(world, OP_REVERSE, "0", s));
    return sum(world, ELEM_F64, back, "0");
}

static void test_saturation(void **state)
{
    (void)state;
    struct world world;
    struct saturation saturation;
    struct rng rng;
    struct rule_status all = {0xff, 0xff, 0};
    for (int backoff = 0; backoff < 2; backoff++) {
        struct saturate_options options = saturate_defaults();
        options.reading = READ_REAL;
        options.scheduler = backoff ? SCHEDULE_BACKOFF : SCHEDULE_SIMPLE;
        options.match_limit = backoff ? 2 : 3; // so that pauses and cursors work
        options.max_rounds = 100;
        world_init(&world);
        term_id root = program(&world);
        egraph_add_term(&world.graph, root);
        assert_int_equal(run(&world, &saturation, options, all), STOP_SATURATED);
        assert_true(saturation.instances.len > 3);
        struct err err = {0};
        assert_true(egraph_check(&world.graph, &err));
        for (uint32_t i = 0; i < saturation.instances.len; i++)
            assert_true(instance_check(saturation.instances.at[i].in, &world.terms, &err));
        rng_seed(&rng, seed);
        check_values(&world, &rng, "saturation");
        saturation_release(&saturation);
        world_release(&world);
    }
}

static void test_limits_hold(void **state)
{
    (void)state;
    struct world world;
    struct saturation saturation;
    struct rule_status all = {0xff, 0xff, 0};
    struct saturate_options options = saturate_defaults();
    options.reading = READ_REAL;
    world_init(&world);
    egraph_add_term(&world.graph, program(&world));
    egraph_rebuild(&world.graph);
    uint32_t limit = world.graph.opt.max_nodes = egraph_nodes(&world.graph) + 2;
    assert_int_equal(run(&world, &saturation, options, all), STOP_NODES);
    assert_true(world.graph.closed && egraph_nodes(&world.graph) < limit + 5);
    saturation_release(&saturation);
    world_release(&world);
    world_init(&world);
    egraph_add_term(&world.graph, program(&world));
    options.max_rounds = 1;
    assert_int_equal(run(&world, &saturation, options, all), STOP_ROUNDS);
    saturation_release(&saturation);
    world_release(&world);
    world_init(&world);
    world.graph.opt.deadline = 1e-9;
    egraph_add_term(&world.graph, program(&world));
    assert_int_equal(run(&world, &saturation, options, all), STOP_TIME);
    saturation_release(&saturation);
    world_release(&world);
}

// A rule fires only where it is proved; sums of floats are no monoid.
static void test_domains(void **state)
{
    (void)state;
    struct world world;
    struct saturation saturation;
    struct saturate_options options = saturate_defaults();
    world_init(&world);
    egraph_add_term(&world.graph, program(&world));
    run(&world, &saturation, options, (struct rule_status){1u << DOMAIN_WORD, 0xff, 0});
    assert_int_equal(saturation.instances.len, 0);
    saturation_release(&saturation);
    options.reading = READ_FLOAT;
    run(&world, &saturation, options, (struct rule_status){1u << DOMAIN_FLOAT, 0, 0});
    for (uint32_t i = 0; i < saturation.instances.len; i++)
        assert_int_equal(saturation.instances.at[i].in->rule->n_opvars, 0);
    assert_true(saturation.instances.len > 0);
    saturation_release(&saturation);
    world_release(&world);
}

static void test_what_cannot_run(void **state)
{
    (void)state;
    struct arena mem = {0};
    struct pattern pattern;
    pattern_compile(&pattern, rule_named("add_zero"), false, &mem);
    assert_null(pattern.refused);
    pattern_compile(&pattern, rule_named("add_zero"), true, &mem);
    assert_string_equal(pattern.refused, "backward: the side to match is a bare variable");
    assert_int_equal(pattern.n_variants, 0);
    pattern_compile(&pattern, rule_named("slice_of_slice"), true, &mem);
    assert_non_null(strstr(pattern.refused, "is not bound by the side"));
    pattern_compile(&pattern, rule_named("sum_of_sums"), true, &mem);
    assert_null(pattern.refused);
    arena_release(&mem);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    printf("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetric_sums),
        cmocka_unit_test(test_products_of_one_matrix),
        cmocka_unit_test(test_stretched_unit_axes_match_by_a_reshape),
        cmocka_unit_test(test_concat_along_a_broadcast_axis),
        cmocka_unit_test(test_worked_case),
        cmocka_unit_test(test_axis_known_by_an_attribute_only),
        cmocka_unit_test(test_reduce_over_everything),
        cmocka_unit_test(test_unlinked_reductions),
        cmocka_unit_test(test_matrix_times_vector),
        cmocka_unit_test(test_interleaved_batch),
        cmocka_unit_test(test_element_conditions),
        cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_limits_hold),
        cmocka_unit_test(test_domains),
        cmocka_unit_test(test_what_cannot_run),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
