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

static type_id tensor_type(struct world *w, enum elem t, const char *dims)
{
    int64_t d[8];
    uint32_t n = 0;
    struct err e = {0};
    type_id type;
    for (; dims[n] != '\0'; n++)
        d[n] = dims[n] - '0';
    assert_true(type_tensor(&w->pool, t, n, d, &type, &e));
    return type;
}

static term_id param(struct world *w, int64_t k, enum elem t, const char *dims)
{
    int64_t v[2] = {0, k};
    term_id out;
    struct err e = {0};
    assert_true(term_build(&w->terms, OP_PARAMETER, attr_make(&w->pool, 2, v),
                           tensor_type(w, t, dims), 0, NULL, &out, &e));
    return out;
}

// Attributes as one digit each.
static term_id node(struct world *w, enum op op, const char *attr, type_id want,
                    uint32_t n, const term_id *args)
{
    int64_t v[32];
    uint32_t len = 0;
    struct err e = {0};
    term_id out;
    for (; attr[len] != '\0'; len++)
        v[len] = attr[len] - '0';
    if (op == OP_REDUCE)
        v[0] = OP_ADD;
    if (!term_build(&w->terms, op, attr_make(&w->pool, len, v), want, n, args,
                    &out, &e))
        fail_msg("%s", e.msg);
    return out;
}

static term_id unary(struct world *w, enum op op, const char *attr, term_id a)
{
    return node(w, op, attr, NO_TYPE, 1, &a);
}

static term_id binary(struct world *w, enum op op, const char *attr, term_id a,
                      term_id b)
{
    term_id args[2] = {a, b};
    return node(w, op, attr, NO_TYPE, 2, args);
}

static term_id spread(struct world *w, term_id a, const char *dims, enum elem t,
                      const char *shape)
{
    return node(w, OP_BROADCAST_IN_DIM, dims, tensor_type(w, t, shape), 1, &a);
}

static term_id splat(struct world *w, enum elem t, int64_t k, const char *dims)
{
    return term_constant(&w->terms,
                         literal_splat(&w->pool, t, scalar_of_int(t, k)),
                         tensor_type(w, t, dims));
}

static term_id sum(struct world *w, enum elem t, term_id a, const char *dims)
{
    char attr[16] = "0";
    for (size_t i = 0; i <= strlen(dims); i++)
        attr[i + 1] = dims[i];
    return binary(w, OP_REDUCE, attr, a, splat(w, t, 0, ""));
}

// Is `to` equal to `from` after one use of the rule, soundly?
static bool rewrites(struct world *w, const char *rule, term_id from,
                     term_id to)
{
    struct rng rng;
    rng_seed(&rng, seed);
    egraph_add_term(&w->g, to);
    run_rule(w, rule_named(rule), false, from);
    check_values(w, &rng, rule);
    return egraph_same(&w->g, from, to);
}

static uint32_t n_matches(struct world *w, const char *rule, term_id from)
{
    struct rng rng;
    rng_seed(&rng, seed);
    struct outcome o = run_rule(w, rule_named(rule), false, from);
    check_values(w, &rng, rule);
    assert_int_equal(o.missed, 0);
    return o.matches;
}

#define I ELEM_I32

static void test_symmetric_sums(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = param(&w, 0, I, "33"), b = param(&w, 1, I, "33");
    term_id at = unary(&w, OP_TRANSPOSE, "10", a);
    assert_true(n_matches(&w, "symmetric", binary(&w, OP_ADD, "", a, at)) > 0);
    world_release(&w);
    world_init(&w);
    a = param(&w, 0, I, "33"), b = param(&w, 1, I, "33");
    at = unary(&w, OP_TRANSPOSE, "10", a);
    assert_true(n_matches(&w, "symmetric", binary(&w, OP_ADD, "", at, a)) > 0);
    world_release(&w);
    world_init(&w);
    a = param(&w, 0, I, "33"), b = param(&w, 1, I, "33");
    assert_int_equal(n_matches(&w, "symmetric", binary(&w, OP_ADD, "", a, b)),
                     0);
    at = unary(&w, OP_TRANSPOSE, "10", a);
    assert_int_equal(n_matches(&w, "symmetric", binary(&w, OP_ADD, "", b, at)),
                     0);
    world_release(&w);
}

// Product of two matrices as broadcast, multiply, sum.
static term_id matmul(struct world *w, term_id a, const char *da, term_id b,
                      const char *db)
{
    term_id wide = binary(w, OP_MULTIPLY, "", spread(w, a, da, I, "323"),
                          spread(w, b, db, I, "323"));
    return sum(w, I, wide, "1");
}

static void test_products_of_one_matrix(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = param(&w, 0, I, "32"), b = param(&w, 1, I, "32");
    assert_true(n_matches(&w, "gram", matmul(&w, a, "01", a, "21")) > 0);
    assert_true(n_matches(&w, "product_rule", matmul(&w, a, "01", b, "21")) >
                0);
    world_release(&w);
    world_init(&w);
    a = param(&w, 0, I, "32"), b = param(&w, 1, I, "32");
    assert_int_equal(n_matches(&w, "gram", matmul(&w, a, "01", b, "21")), 0);
    term_id v = param(&w, 2, I, "3");
    term_id outer = binary(&w, OP_MULTIPLY, "", spread(&w, v, "0", I, "33"),
                           spread(&w, v, "1", I, "33"));
    assert_true(n_matches(&w, "outer_square", outer) > 0);
    // v * v index by index is no outer product.
    term_id inner = binary(&w, OP_MULTIPLY, "", spread(&w, v, "0", I, "33"),
                           spread(&w, v, "0", I, "33"));
    uint32_t before = n_matches(&w, "outer_square", outer);
    assert_int_equal(n_matches(&w, "outer_square", inner), before);
    world_release(&w);
}

static void test_stretched_unit_axes_do_not_match(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = param(&w, 0, I, "1"), b = param(&w, 1, I, "1");
    term_id no = binary(&w, OP_ADD, "", spread(&w, a, "0", I, "32"),
                        spread(&w, b, "0", I, "32"));
    assert_int_equal(n_matches(&w, "elementwise_of_broadcasts", no), 0);
    term_id yes = binary(&w, OP_ADD, "", spread(&w, a, "1", I, "31"),
                         spread(&w, b, "1", I, "31"));
    assert_int_equal(n_matches(&w, "elementwise_of_broadcasts", yes), 1);
    assert_true(
        rewrites(&w, "elementwise_of_broadcasts", yes,
                 spread(&w, binary(&w, OP_ADD, "", a, b), "1", I, "31")));
    // The two sides broadcast along different axes.
    term_id c = param(&w, 2, I, "3"), d = param(&w, 3, I, "3");
    term_id cross = binary(&w, OP_ADD, "", spread(&w, c, "0", I, "33"),
                           spread(&w, d, "1", I, "33"));
    uint32_t n = n_matches(&w, "elementwise_of_broadcasts", yes);
    assert_int_equal(n_matches(&w, "elementwise_of_broadcasts", cross), n);
    world_release(&w);
}

static void test_concat_along_a_broadcast_axis(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = param(&w, 0, I, "3");
    term_id yes = binary(&w, OP_CONCATENATE, "0", spread(&w, a, "1", I, "23"),
                         spread(&w, a, "1", I, "53"));
    assert_true(
        rewrites(&w, "concat_of_broadcasts", yes, spread(&w, a, "1", I, "73")));
    term_id no = binary(&w, OP_CONCATENATE, "1", spread(&w, a, "1", I, "23"),
                        spread(&w, a, "1", I, "23"));
    assert_int_equal(n_matches(&w, "concat_of_broadcasts", no), 1); // yes's
    world_release(&w);
}

static void test_worked_case(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id p = param(&w, 0, I, "35"), q = param(&w, 1, I, "32");
    term_id lhs = sum(&w, I, binary(&w, OP_CONCATENATE, "1", p, q), "1");
    term_id rhs =
        binary(&w, OP_ADD, "", sum(&w, I, p, "1"), sum(&w, I, q, "1"));
    assert_true(rewrites(&w, "reduce_of_concat", lhs, rhs));
    // Concatenated along the other axis: nothing to do.
    term_id r = param(&w, 2, I, "25");
    term_id no = sum(&w, I, binary(&w, OP_CONCATENATE, "0", p, r), "1");
    assert_int_equal(n_matches(&w, "reduce_of_concat", no), 1);
    world_release(&w);
}

static void test_axis_known_by_an_attribute_only(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = param(&w, 0, I, "342");
    term_id whole = unary(&w, OP_SLICE, "000342111", a);
    assert_true(rewrites(&w, "whole_axis", whole, a));
    assert_int_equal(
        n_matches(&w, "whole_axis", unary(&w, OP_SLICE, "000332111", a)), 1);
    world_release(&w);
}

static void test_reduce_over_everything(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = param(&w, 0, I, "342");
    assert_true(rewrites(&w, "reduce_in_two_steps",
                         sum(&w, I, sum(&w, I, a, "02"), "0"),
                         sum(&w, I, a, "012")));
    // Unit axes and a scalar factor.
    term_id b = param(&w, 1, I, "11"), v = param(&w, 2, I, "");
    term_id lhs =
        sum(&w, I, binary(&w, OP_MULTIPLY, "", b, spread(&w, v, "", I, "11")),
            "01");
    term_id rhs = binary(&w, OP_MULTIPLY, "", sum(&w, I, b, "01"), v);
    assert_true(rewrites(&w, "scalar_out", lhs, rhs));
    world_release(&w);
}

static void test_unlinked_reductions(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = param(&w, 0, I, "243"), b = param(&w, 1, I, "342");
    // The reduced axes pair by size: 4 with 4, 3 with 3.
    term_id lhs =
        binary(&w, OP_ADD, "", sum(&w, I, a, "12"), sum(&w, I, b, "01"));
    term_id rhs =
        sum(&w, I, binary(&w, OP_ADD, "", a, unary(&w, OP_TRANSPOSE, "210", b)),
            "12");
    assert_true(rewrites(&w, "sum_of_sums", lhs, rhs));
    term_id c = param(&w, 2, I, "253");
    term_id no =
        binary(&w, OP_ADD, "", sum(&w, I, a, "12"), sum(&w, I, c, "12"));
    assert_int_equal(n_matches(&w, "sum_of_sums", no), 1);
    world_release(&w);
}

static void test_matrix_times_vector(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = param(&w, 0, I, "32"), v = param(&w, 1, I, "2");
    term_id wide = spread(&w, v, "1", I, "32");
    term_id lhs = sum(&w, I, binary(&w, OP_MULTIPLY, "", a, wide), "1");
    term_id rhs = sum(&w, I, binary(&w, OP_MULTIPLY, "", wide, a), "1");
    assert_true(rewrites(&w, "product_rule", lhs, rhs));
    world_release(&w);
}

static void test_interleaved_batch(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = param(&w, 0, I, "2345"), b = param(&w, 1, I, "5246");
    // a[b0 i b1 k], b[k b0 b1 j] -> [b0, k, i, b1, j], sum over k.
    term_id wide =
        binary(&w, OP_MULTIPLY, "", spread(&w, a, "0231", I, "25346"),
               spread(&w, b, "1034", I, "25346"));
    assert_true(n_matches(&w, "batch_product", sum(&w, I, wide, "1")) > 0);
    world_release(&w);
}

static void test_element_conditions(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    term_id a = param(&w, 0, I, "32");
    for (int64_t k = -1; k <= 1; k++) {
        term_id s = splat(&w, I, k, "32");
        term_id max = binary(&w, OP_MAXIMUM, "", a, s);
        assert_int_equal(
            n_matches(&w, "positive", binary(&w, OP_MULTIPLY, "", max, s)),
            k > 0);
    }
    // Nothing is known of a parameter.
    term_id s = spread(&w, param(&w, 1, I, ""), "", I, "32");
    term_id max = binary(&w, OP_MAXIMUM, "", a, s);
    assert_int_equal(
        n_matches(&w, "positive", binary(&w, OP_MULTIPLY, "", max, s)), 1);
    world_release(&w);
}

// --- saturation

static enum stop_reason run(struct world *w, struct saturation *s,
                            struct saturate_options o, struct rule_status st)
{
    saturation_init(s, &w->g, o);
    for (uint32_t i = 0; i < rules.rules.len; i++)
        saturation_add(s, (struct rule_use){rules.rules.at[i], false, st});
    return saturate(s, NULL, NULL);
}

static term_id program(struct world *w)
{
    term_id a = param(w, 0, ELEM_F64, "35"), b = param(w, 1, ELEM_F64, "32");
    term_id c = binary(w, OP_CONCATENATE, "1", a, b);
    term_id z = binary(w, OP_ADD, "", c, splat(w, ELEM_F64, 0, "37"));
    term_id s = sum(w, ELEM_F64, z, "1");
    term_id back = unary(w, OP_REVERSE, "0", unary(w, OP_REVERSE, "0", s));
    return sum(w, ELEM_F64, back, "0");
}

static void test_saturation(void **state)
{
    (void)state;
    struct world w;
    struct saturation s;
    struct rng rng;
    struct rule_status all = {0xff, 0xff, 0};
    for (int backoff = 0; backoff < 2; backoff++) {
        struct saturate_options o = saturate_defaults();
        o.float_mode = DOMAIN_REAL;
        o.scheduler = backoff ? SCHEDULE_BACKOFF : SCHEDULE_SIMPLE;
        o.match_limit = backoff ? 2 : 3; // so that pauses and cursors work
        o.max_rounds = 100;
        world_init(&w);
        term_id root = program(&w);
        egraph_add_term(&w.g, root);
        assert_int_equal(run(&w, &s, o, all), STOP_SATURATED);
        assert_true(s.instances.len > 3);
        struct err e = {0};
        assert_true(egraph_check(&w.g, &e));
        for (uint32_t i = 0; i < s.instances.len; i++)
            assert_true(instance_check(s.instances.at[i].in, &w.terms, &e));
        rng_seed(&rng, seed);
        check_values(&w, &rng, "saturation");
        saturation_release(&s);
        world_release(&w);
    }
}

static void test_limits_hold(void **state)
{
    (void)state;
    struct world w;
    struct saturation s;
    struct rule_status all = {0xff, 0xff, 0};
    struct saturate_options o = saturate_defaults();
    o.float_mode = DOMAIN_REAL;
    world_init(&w);
    egraph_add_term(&w.g, program(&w));
    egraph_rebuild(&w.g);
    uint32_t limit = w.g.opt.max_nodes = egraph_nodes(&w.g) + 2;
    assert_int_equal(run(&w, &s, o, all), STOP_NODES);
    assert_true(w.g.closed && egraph_nodes(&w.g) < limit + 5);
    saturation_release(&s);
    world_release(&w);
    world_init(&w);
    egraph_add_term(&w.g, program(&w));
    o.max_rounds = 1;
    assert_int_equal(run(&w, &s, o, all), STOP_ROUNDS);
    saturation_release(&s);
    world_release(&w);
    world_init(&w);
    w.g.opt.deadline = 1e-9;
    egraph_add_term(&w.g, program(&w));
    assert_int_equal(run(&w, &s, o, all), STOP_TIME);
    saturation_release(&s);
    world_release(&w);
}

// A rule fires only where it is proved; sums of floats are no monoid.
static void test_domains(void **state)
{
    (void)state;
    struct world w;
    struct saturation s;
    struct saturate_options o = saturate_defaults();
    world_init(&w);
    egraph_add_term(&w.g, program(&w));
    run(&w, &s, o, (struct rule_status){1u << DOMAIN_WORD, 0xff, 0});
    assert_int_equal(s.instances.len, 0);
    saturation_release(&s);
    o.float_mode = DOMAIN_FLOAT;
    run(&w, &s, o, (struct rule_status){1u << DOMAIN_FLOAT, 0, 0});
    for (uint32_t i = 0; i < s.instances.len; i++)
        assert_int_equal(s.instances.at[i].in->rule->n_opvars, 0);
    assert_true(s.instances.len > 0);
    saturation_release(&s);
    world_release(&w);
}

static void test_what_cannot_run(void **state)
{
    (void)state;
    struct arena mem = {0};
    struct pattern p;
    pattern_compile(&p, rule_named("add_zero"), false, &mem);
    assert_null(p.refused);
    pattern_compile(&p, rule_named("add_zero"), true, &mem);
    assert_string_equal(p.refused,
                        "backward: the side to match is a bare variable");
    assert_int_equal(p.n_variants, 0);
    pattern_compile(&p, rule_named("slice_of_slice"), true, &mem);
    assert_non_null(strstr(p.refused, "is not bound by the side"));
    pattern_compile(&p, rule_named("sum_of_sums"), true, &mem);
    assert_null(p.refused);
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
        cmocka_unit_test(test_stretched_unit_axes_do_not_match),
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
