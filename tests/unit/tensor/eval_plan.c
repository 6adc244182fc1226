// SPDX-License-Identifier: Apache-2.0
// Plans of evaluation against eval_terms: random graphs, planned in several parts and run on
// several parameters, by one plan whose memory is used for all of them.
#include "tests/unit/support/tensor_values.h"

#define PARAMETERS 3u
#define NODES 40u
#define ROOTS 4u

struct graph {
    type_id vector, scalar;
    struct value params[PARAMETERS];
    term_id node[NODES];
    uint32_t n;
};

static term_id build(struct fixture *fixture, enum op op, uint32_t n_attr, const int64_t *attr,
                     type_id want, uint32_t n, const term_id *args)
{
    struct err err = {0};
    term_id out;
    struct operation operation = {op, attr_make(&fixture->pool, n_attr, attr), want, n};
    if (!term_build(&fixture->terms, operation, args, &out, &err))
        fail_msg("%s: %s", op_name(op), err.msg);
    return out;
}

static term_id some(struct fixture *fixture, const struct graph *graph)
{
    return graph->node[rng_below(&fixture->rng, graph->n)];
}

// Every node is a vector of six elements.  Over the reals quotients may fail.
static void grow(struct fixture *fixture, struct graph *graph, enum elem elem)
{
    static const enum op ops[] = {OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE, OP_MAXIMUM};
    term_id a = some(fixture, graph), b = some(fixture, graph), out;
    term_id zero =
        term_constant(&fixture->terms, literal_splat(&fixture->pool, elem, scalar_of_int(elem, 0)),
                      graph->scalar);
    switch (rng_below(&fixture->rng, 8)) {
    case 0:
        out = build(fixture, OP_REVERSE, 1, (int64_t[]){0}, NO_TYPE, 1, &a);
        break;
    case 1: // the sum, at every place
        out =
            build(fixture, OP_REDUCE, 2, (int64_t[]){OP_ADD, 0}, NO_TYPE, 2, (term_id[]){a, zero});
        out = build(fixture, OP_BROADCAST_IN_DIM, 0, NULL, graph->vector, 1, &out);
        break;
    case 2:
        out = build(fixture, OP_IOTA, 1, (int64_t[]){0}, graph->vector, 0, NULL);
        break;
    default:
        out = build(fixture, ops[rng_below(&fixture->rng, sizeof ops / sizeof *ops)], 0, NULL,
                    NO_TYPE, 2, (term_id[]){a, b});
        break;
    }
    graph->node[graph->n++] = out;
}

static struct graph some_graph(struct fixture *fixture, enum elem elem)
{
    int64_t six = 6;
    struct graph graph = {.vector = type_of(fixture, elem, 1, &six),
                          .scalar = type_of(fixture, elem, 0, NULL)};
    for (uint32_t i = 0; i < PARAMETERS; i++)
        graph.node[graph.n++] =
            build(fixture, OP_PARAMETER, 2, (int64_t[]){0, i}, graph.vector, 0, NULL);
    uint32_t n = PARAMETERS + 1 + (uint32_t)rng_below(&fixture->rng, NODES - PARAMETERS - 1);
    while (graph.n < n)
        grow(fixture, &graph, elem);
    return graph;
}

static void fill(struct fixture *fixture, struct graph *graph)
{
    for (uint32_t i = 0; i < PARAMETERS; i++)
        graph->params[i] =
            value_random(&fixture->pool, graph->vector, &fixture->rng, true, &fixture->mem);
}

// Returns how many roots had values.
static uint32_t compare(struct fixture *fixture, struct eval_plan *plan, const struct graph *graph,
                        const term_id *root, const uint32_t *end)
{
    struct eval_input input = {&fixture->terms, PARAMETERS, graph->params, &fixture->mem};
    uint32_t known = 0;
    bool still = true, all = true;
    eval_plan_restart(plan);
    for (uint32_t i = 0; i < ROOTS; i++) {
        struct err err = {0}, other = {0};
        struct value want;
        int64_t at;
        bool ok = eval_terms(&input, 1, &root[i], &want, &err);
        // A node that failed has no value later, either.
        still = still && eval_plan_run(plan, &input, end[i], &other);
        all = all && ok;
        assert_int_equal(still, all);
        if (!still)
            continue;
        assert_true(value_same(&fixture->pool, &plan->value.at[eval_plan_place(plan, root[i])],
                               &want, 0, &at));
        known++;
    }
    return known;
}

static void test_random(void **state)
{
    static const enum elem elems[] = {ELEM_I8, ELEM_F32, ELEM_INT, ELEM_REAL};
    struct fixture *fixture = *state;
    struct eval_plan plan = {0};
    uint32_t known = 0, asked = 0;
    for (uint32_t round = 0; round < 400; round++) {
        if (round % 16 == 15) { // ids begin again, the plan's memory is that of before
            terms_release(&fixture->terms);
            pool_release(&fixture->pool);
            pool_init(&fixture->pool);
            terms_init(&fixture->terms, &fixture->pool);
        }
        struct graph graph = some_graph(fixture, elems[rng_below(&fixture->rng, 4)]);
        term_id root[ROOTS];
        uint32_t end[ROOTS];
        eval_plan_begin(&plan, &fixture->terms);
        for (uint32_t i = 0; i < ROOTS; i++) {
            root[i] = some(fixture, &graph);
            end[i] = eval_plan_add(&plan, 1, &root[i]);
        }
        assert_int_equal(end[ROOTS - 1], plan.node.len);
        for (uint32_t i = 0; i < plan.node.len; i++) // P1
            for (uint32_t k = 0; k < term_at(&fixture->terms, plan.node.at[i])->n_args; k++)
                assert_true(eval_plan_place(&plan, term_args(&fixture->terms, plan.node.at[i])[k]) <
                            i);
        for (uint32_t times = 0; times < 4; times++, asked += ROOTS) {
            fill(fixture, &graph);
            known += compare(fixture, &plan, &graph, root, end);
        }
    }
    assert_true(known > asked / 2 && known < asked); // some fail
    eval_plan_release(&plan);
}

// The nodes of several roots are those of terms_reach, in its order.
static void test_order(void **state)
{
    struct fixture *fixture = *state;
    struct eval_plan plan = {0};
    struct u32_vec all = {0};
    for (uint32_t round = 0; round < 300; round++) {
        struct graph graph = some_graph(fixture, ELEM_I32);
        term_id root[2] = {some(fixture, &graph), some(fixture, &graph)};
        eval_plan_begin(&plan, &fixture->terms);
        eval_plan_add(&plan, 2, root);
        terms_reach(&fixture->terms, 2, root, &all);
        assert_int_equal(plan.node.len, all.len);
        for (uint32_t i = 0; i < all.len; i++)
            assert_int_equal(plan.node.at[i].v, all.at[i]);
    }
    vec_release(&all);
    eval_plan_release(&plan);
}

static void test_refused(void **state)
{
    struct fixture *fixture = *state;
    struct eval_plan plan = {0};
    struct graph graph = some_graph(fixture, ELEM_I32);
    struct eval_input input = {&fixture->terms, PARAMETERS, graph.params, &fixture->mem};
    struct err err = {0};
    fill(fixture, &graph);
    term_id other[] = {
        build(fixture, OP_PARAMETER, 2, (int64_t[]){0, PARAMETERS}, graph.vector, 0, NULL),
        build(fixture, OP_PARAMETER, 2, (int64_t[]){1, 0}, graph.vector, 0, NULL),
        build(fixture, OP_PARAMETER, 2, (int64_t[]){0, 0}, graph.scalar, 0, NULL),
        term_make(&fixture->terms, OP_OPAQUE, NO_ATTR, graph.vector, 0, NULL)};
    for (uint32_t i = 0; i < sizeof other / sizeof *other; i++) {
        eval_plan_begin(&plan, &fixture->terms);
        uint32_t end = eval_plan_add(&plan, 1, &other[i]);
        assert_false(eval_plan_run(&plan, &input, end, &err));
    }
    eval_plan_release(&plan);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST(test_random), TEST(test_order), TEST(test_refused)};
    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)test_seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
