// SPDX-License-Identifier: Apache-2.0
// Congruence closure against a naive one, explanations against a checker of
// their own, the integrity check against planted faults.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "egraph/program/constants.h"
#include "egraph/apply.h"
#include "egraph/program/egraph.h"
#include "egraph/program/orbit.h"
#include "tests/unit/support/egraph_proof.h"

static uint64_t seed = 1;

struct world {
    struct pool pool;
    struct terms terms;
    struct egraph graph;
    struct stated stated;
    VEC(term_id) all;
};

static void world_init(struct world *world)
{
    memset(world, 0, sizeof *world);
    pool_init(&world->pool);
    terms_init(&world->terms, &world->pool);
    egraph_init(&world->graph, &world->terms, egraph_defaults());
}

static void world_release(struct world *world)
{
    egraph_release(&world->graph);
    stated_release(&world->stated);
    vec_release(&world->all);
    terms_release(&world->terms);
    pool_release(&world->pool);
}

static type_id tensor(struct world *world, enum elem elem, uint32_t rank, const int64_t *dims)
{
    type_id out;
    struct err err = {0};
    assert_true(type_tensor(&world->pool, elem, rank, dims, &out, &err));
    return out;
}

static term_id add(struct world *world, enum op op, attr_id attr, type_id want, uint32_t n,
                   const term_id *args)
{
    term_id out;
    struct err err = {0};
    if (!egraph_add(&world->graph, (struct operation){op, attr, want, n}, args, &out, &err))
        fail_msg("%s: %s", op_name(op), err.msg);
    return out;
}

static term_id parameter(struct world *world, int64_t i, type_id type)
{
    int64_t v[2] = {0, i};
    return add(world, OP_PARAMETER, attr_make(&world->pool, 2, v), type, 0, NULL);
}

static term_id constant(struct world *world, type_id type, int64_t x)
{
    enum elem elem = type_elem(&world->pool, type);
    lit_id literal = literal_splat(&world->pool, elem, scalar_of_int(elem, x));
    int64_t v = literal.v;
    return add(world, OP_CONSTANT, attr_make(&world->pool, 1, &v), type, 0, NULL);
}

static void closed(struct world *world)
{
    struct err err = {0};
    egraph_rebuild(&world->graph);
    if (!egraph_check(&world->graph, &err) || !orbit_check(&world->graph, &err))
        fail_msg("%s (seed %lu)", err.msg, (unsigned long)seed);
}

// The naive model: a label for each term, closed by comparing all pairs.

static void relabel(uint32_t *label, uint32_t n, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < n; i++)
        if (label[i] == b)
            label[i] = a;
}

static bool same_by_labels(const struct terms *terms, const uint32_t *label, uint32_t a, uint32_t b)
{
    term_id term = {a}, y = {b};
    if (!proof_same_node(terms, term, y))
        return false;
    for (uint32_t k = 0; k < term_at(terms, term)->n_args; k++)
        if (label[term_args(terms, term)[k].v] != label[term_args(terms, y)[k].v])
            return false;
    return true;
}

static void close_naively(const struct terms *terms, uint32_t *label)
{
    uint32_t n = terms->term.len;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < i; k++)
                if (label[i] != label[k] && same_by_labels(terms, label, i, k)) {
                    relabel(label, n, label[k], label[i]);
                    again = true;
                }
    }
}

static void compare(struct world *world, const uint32_t *label)
{
    for (uint32_t i = 0; i < world->terms.term.len; i++)
        for (uint32_t k = 0; k < i; k++) {
            bool same = egraph_same(&world->graph, (term_id){i}, (term_id){k});
            if (same != (label[i] == label[k]))
                fail_msg("terms %u, %u: seed %lu", i, k, (unsigned long)seed);
        }
}

static void random_term(struct world *world, struct rng *rng)
{
    static const enum op ops[] = {OP_NEGATE, OP_NOT, OP_ADD, OP_SUBTRACT, OP_MULTIPLY};
    enum op op = ops[rng_below(rng, 5)];
    term_id args[2] = {world->all.at[rng_below(rng, world->all.len)],
                       world->all.at[rng_below(rng, world->all.len)]};
    uint32_t n = op_arity(op) == 1 ? 1 : 2;
    vec_push(&world->all, add(world, op, NO_ATTR, NO_TYPE, n, args));
}

static void explain_some(struct world *world, struct rng *rng)
{
    for (int i = 0; i < 40; i++) {
        term_id term = {(uint32_t)rng_below(rng, world->terms.term.len)};
        term_id b = {(uint32_t)rng_below(rng, world->terms.term.len)};
        if (egraph_same(&world->graph, term, b))
            assert_true(proved(&world->graph, term, b, &world->stated));
    }
}

static void random_run(struct rng *rng)
{
    struct world world;
    uint32_t label[256], n_labels = 0;
    world_init(&world);
    type_id i32 = tensor(&world, ELEM_I32, 0, NULL);
    for (int64_t i = 0; i < 5; i++)
        vec_push(&world.all, parameter(&world, i, i32));
    uint32_t steps = 60 + (uint32_t)rng_below(rng, 120);
    for (uint32_t step = 0; step < steps; step++) {
        if (rng_below(rng, 4) != 0) {
            random_term(&world, rng);
        } else {
            uint32_t a = world.all.at[rng_below(rng, world.all.len)].v;
            uint32_t b = world.all.at[rng_below(rng, world.all.len)].v;
            while (n_labels < world.terms.term.len) {
                label[n_labels] = n_labels;
                n_labels++;
            }
            relabel(label, n_labels, label[a], label[b]);
            assert_true(state(&world.graph, &world.stated, (term_id){a}, (term_id){b}));
        }
        if (rng_below(rng, 12) != 0 && step + 1 < steps)
            continue;
        while (n_labels < world.terms.term.len) {
            label[n_labels] = n_labels;
            n_labels++;
        }
        closed(&world);
        close_naively(&world.terms, label);
        compare(&world, label);
        explain_some(&world, rng);
    }
    world_release(&world);
}

static void congruence_is_naive_closure(void **unused)
{
    (void)unused;
    struct rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < 60; i++)
        random_run(&rng);
}

// f^a(x) = x and f^b(x) = x give f^gcd(a, b)(x) = x, by many congruences.
static void powers_fold_to_gcd(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    term_id term = parameter(&world, 0, tensor(&world, ELEM_I32, 0, NULL)), p[400];
    p[0] = term;
    for (int i = 1; i < 400; i++)
        p[i] = add(&world, OP_NOT, NO_ATTR, NO_TYPE, 1, &p[i - 1]);
    assert_true(state(&world.graph, &world.stated, p[399], term));
    assert_true(state(&world.graph, &world.stated, p[210], term));
    closed(&world);
    for (int i = 0; i < 400; i++)
        assert_int_equal(egraph_same(&world.graph, p[i], term), i % 21 == 0);
    assert_int_equal(world.graph.cc.n_classes, 21);
    assert_int_equal(egraph_nodes(&world.graph), 22); // x and one `not` for each class
    assert_true(proved(&world.graph, p[21], term, &world.stated));
    assert_true(proved(&world.graph, p[398], p[20], &world.stated));
    world_release(&world);
}

static void cyclic_classes(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    term_id term = parameter(&world, 0, tensor(&world, ELEM_I32, 0, NULL));
    term_id f = add(&world, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &term);
    assert_true(state(&world.graph, &world.stated, f, term));
    closed(&world);
    term_id at = term;
    for (int i = 0; i < 2000; i++)
        at = add(&world, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &at);
    assert_true(egraph_same(&world.graph, at, term));
    closed(&world);
    assert_int_equal(egraph_nodes(&world.graph), 2);
    assert_true(proved(&world.graph, at, term, &world.stated)); // deep, without recursion
    world_release(&world);
}

// Merging with everything in one big class from either side is cheap, and the
// oldest term stands for it.
static void long_chain_of_merges(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    type_id type = tensor(&world, ELEM_I32, 0, NULL);
    enum { N = 20000 };
    term_id *term = mem_alloc(N * sizeof *term);
    for (int i = 0; i < N; i++) {
        term[i] = parameter(&world, i, type);
        add(&world, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &term[i]);
    }
    for (int i = N - 1; i > 0; i--)
        assert_true(state(&world.graph, &world.stated, term[i - 1], term[i]));
    closed(&world);
    assert_int_equal(world.graph.cc.n_classes, 2);
    assert_int_equal(class_term(&world.graph, egraph_find(&world.graph, term[N - 1])).v, term[0].v);
    assert_int_equal(egraph_nodes(&world.graph), N + 1);
    assert_true(proved(&world.graph, (term_id){term[N - 1].v + 1}, (term_id){term[0].v + 1},
                       &world.stated));
    mem_free(term);
    world_release(&world);
}

static void wrong_merges_fail(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    struct err err = {0};
    term_id term = parameter(&world, 0, tensor(&world, ELEM_I32, 0, NULL));
    term_id b = parameter(&world, 1, tensor(&world, ELEM_F32, 0, NULL));
    struct reason why = {REASON_RULE, 7, 0};
    assert_false(egraph_merge(&world.graph, term, b, why, &err));
    assert_int_equal(err.kind, ERR_CHECK);
    err_clear(&err);
    assert_false(egraph_merge(&world.graph, term, (term_id){99}, why, &err));
    err_clear(&err);
    assert_false(egraph_merge(&world.graph, term, term, (struct reason){REASON_FOLD, 0, 0}, &err));
    err_clear(&err);
    term_id out, args[2] = {term, b};
    assert_false(egraph_add(&world.graph, (struct operation){OP_ADD, NO_ATTR, NO_TYPE, 2}, args,
                            &out, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    err_clear(&err);
    struct explanation proof = {0};
    struct proof_part part;
    closed(&world);
    assert_false(explain(&world.graph, term, b, &proof, &part, &err));
    explanation_release(&proof);
    assert_int_equal(egraph_merges(&world.graph), 0);
    world_release(&world);
}

static void constants_fold(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    int64_t dims[2] = {2, 3};
    type_id scalar = tensor(&world, ELEM_I32, 0, NULL);
    type_id matrix = tensor(&world, ELEM_I32, 2, dims);
    term_id term = parameter(&world, 0, scalar);
    term_id two = constant(&world, scalar, 2), three = constant(&world, scalar, 3);
    term_id sum = add(&world, OP_ADD, NO_ATTR, NO_TYPE, 2, (term_id[]){term, three});
    term_id spread = add(&world, OP_BROADCAST_IN_DIM, NO_ATTR, matrix, 1, &sum);
    term_id twice = add(&world, OP_ADD, NO_ATTR, NO_TYPE, 2, (term_id[]){spread, spread});
    closed(&world);
    class_id class;
    assert_int_equal(class_constant(&world.graph, egraph_find(&world.graph, twice)).v, NO_LIT.v);
    assert_true(class_splat_source(&world.graph, egraph_find(&world.graph, spread), &class));
    assert_int_equal(class.v, egraph_find(&world.graph, sum).v);
    assert_false(class_splat_source(&world.graph, egraph_find(&world.graph, twice), &class));
    assert_true(state(&world.graph, &world.stated, term, two)); // now all is constant
    closed(&world);
    lit_id literal = class_splat(&world.graph, egraph_find(&world.graph, twice));
    assert_int_not_equal(literal.v, NO_LIT.v);
    assert_int_equal(literal_get(&world.pool, literal, 0).bits, 10);
    assert_true(proved(&world.graph, twice,
                       class_constant_term(&world.graph, egraph_find(&world.graph, twice)),
                       &world.stated));
    assert_int_equal(world.graph.n_conflicts, 0);
    assert_true(state(&world.graph, &world.stated, two, three));
    closed(&world);
    assert_true(world.graph.n_conflicts > 0);
    world_release(&world);
}

static void limits_and_stamps(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    world.graph.opt.max_nodes = 3;
    type_id type = tensor(&world, ELEM_I32, 0, NULL);
    term_id term = parameter(&world, 0, type), b = parameter(&world, 1, type);
    closed(&world);
    assert_false(egraph_full(&world.graph));
    uint32_t round = world.graph.round;
    term_id c = add(&world, OP_ADD, NO_ATTR, NO_TYPE, 2, (term_id[]){term, b});
    assert_true(egraph_full(&world.graph));
    assert_true(egraph_class(&world.graph, egraph_find(&world.graph, c))->changed >= round);
    assert_true(egraph_class(&world.graph, egraph_find(&world.graph, term))->changed < round);
    world.graph.opt.max_nodes = 0;
    world.graph.opt.max_bytes = 16;
    assert_true(egraph_full(&world.graph));
    world.graph.opt.max_bytes = 0;
    world.graph.opt.deadline = 1e-9;
    assert_true(egraph_full(&world.graph));
    world.graph.opt.deadline = 0;
    closed(&world);
    uint32_t place = parent_first(&world.graph, egraph_find(&world.graph, term));
    assert_int_equal(cc_place_node(&world.graph.cc, place), egraph_node(&world.graph, c));
    assert_int_equal(parent_next(&world.graph, place), CC_NONE);
    world_release(&world);
}

// Each fault breaks one word of a sound graph and must be seen.
static void faults_are_found(void **unused)
{
    (void)unused;
    struct world world;
    struct rng rng;
    world_init(&world);
    rng_seed(&rng, seed + 5);
    type_id i32 = tensor(&world, ELEM_I32, 0, NULL);
    for (int64_t i = 0; i < 4; i++)
        vec_push(&world.all, parameter(&world, i, i32));
    // Two nodes that become congruent; the first one stays.
    add(&world, OP_NOT, NO_ATTR, NO_TYPE, 1, &world.all.at[0]);
    add(&world, OP_NOT, NO_ATTR, NO_TYPE, 1, &world.all.at[1]);
    term_id two = constant(&world, i32, 2);
    for (int i = 0; i < 60; i++)
        random_term(&world, &rng);
    assert_true(state(&world.graph, &world.stated, world.all.at[0], world.all.at[1]));
    assert_true(state(&world.graph, &world.stated, world.all.at[2], world.all.at[9]));
    assert_true(state(&world.graph, &world.stated, world.all.at[12], world.all.at[30]));
    closed(&world);
    struct egraph *graph = &world.graph;
    uint32_t dead = 0, joined = 0, above = 0;
    for (uint32_t i = 0; i < graph->node.len; i++) {
        if (!node_live(graph, i))
            dead = i;
        if (graph->cc.up.at[i] != i && node_live(graph, i))
            joined = i;
        if (node_live(graph, i) && cc_arity(&graph->cc, i) == 2)
            above = i;
    }
    assert_true(dead != 0 && joined != 0 && above != 0);
    uint32_t root = cc_find(&graph->cc, joined), c = egraph_find(graph, two).v;
    struct {
        const char *name;
        uint32_t *word, value;
    } faults[] = {
        {"I1", &graph->cc.up.at[root], joined},
        {"I2: dead flag", &graph->cc.node.at[joined].op, graph->cc.node.at[joined].op | CC_DEAD},
        {"I2: live flag", &graph->cc.node.at[dead].op, graph->cc.node.at[dead].op & CC_OP},
        {"I4: count", &graph->cc.n_classes, 2},
        {"I4: ring", &graph->cc.next.at[joined], joined},
        {"I5: list lost", &graph->cc.class_.at[graph->cc.node.at[above].a].parents, CC_NONE},
        {"E1: term of a node", &graph->node.at[joined].term, two.v},
        {"E1: node of a term", &graph->node_of.at[two.v], joined},
        {"E1: no node", &graph->node_of.at[two.v], NO_NODE},
        {"E1: operator", &graph->key.at[graph->cc.node.at[above].op].attr.v, 77},
        {"E1: arity", &graph->key.at[graph->cc.node.at[above].op].n, 3},
        {"E1: founder", &graph->cc.class_.at[dead].founder, joined},
        {"E1: count", &graph->class_.len, graph->class_.len - 1},
        {"E2", &graph->cc.node.at[above].a, dead},
        {"E3: oldest", &graph->class_.at[root].oldest, joined},
        {"E3: oldest elsewhere", &graph->class_.at[root].oldest, egraph_node(graph, two)},
        {"E3: constant", &graph->class_.at[c].constant.v, world.all.at[0].v},
        {"E3: no constant", &graph->class_.at[root].constant.v, two.v},
        {"O3: size", &graph->class_.at[graph->class_.at[root].leader].orbit_size, 5},
        {"O3: ring", &graph->class_.at[root].orbit_next, c},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct err err = {0};
        uint32_t was = *faults[i].word;
        if (was == faults[i].value)
            fail_msg("no fault: %s", faults[i].name);
        *faults[i].word = faults[i].value;
        if (egraph_check(graph, &err) && orbit_check(graph, &err))
            fail_msg("fault not found: %s", faults[i].name);
        *faults[i].word = was;
        err_clear(&err);
        assert_true(egraph_check(graph, &err) && orbit_check(graph, &err));
    }
    world_release(&world);
}

// A proof with one wrong word must be rejected by the checker of this test.
static void checker_can_fail(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    type_id type = tensor(&world, ELEM_I32, 0, NULL);
    term_id term = parameter(&world, 0, type), b = parameter(&world, 1, type);
    term_id c = parameter(&world, 2, type);
    term_id fa = add(&world, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &term);
    term_id fc = add(&world, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &c);
    assert_true(state(&world.graph, &world.stated, term, b));
    assert_true(state(&world.graph, &world.stated, c, b));
    closed(&world);
    struct explanation proof = {0};
    struct err err = {0};
    struct proof_part part;
    assert_true(explain(&world.graph, fa, fc, &proof, &part, &err));
    assert_int_equal(proof.line.len, 4); // two rules, their chain, congruence
    assert_true(proof_ok(&world.terms, &proof, &world.stated));
    for (uint32_t i = 0; i < proof.line.len; i++) {
        term_id was = proof.line.at[i].b;
        proof.line.at[i].b = proof.line.at[i].a;
        assert_false(proof_ok(&world.terms, &proof, &world.stated));
        proof.line.at[i].b = was;
    }
    for (uint32_t i = 0; i < proof.part.len; i++) {
        proof.part.at[i].flip = !proof.part.at[i].flip;
        assert_false(proof_ok(&world.terms, &proof, &world.stated));
        proof.part.at[i].flip = !proof.part.at[i].flip;
    }
    explanation_release(&proof);
    world_release(&world);
}

// Rules may make a convolution of any rank class; a program gets none that it
// could not be written with.
static void convolutions_of_programs(void **state)
{
    (void)state;
    struct world world;
    world_init(&world);
    int64_t one[] = {2, 3}, flat[] = {0, 1, 1, 0, 1, 1, 0, 0, 1, 0};
    int64_t plain[] = {1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1};
    type_id in = tensor(&world, ELEM_F32, 2, one);
    type_id row = tensor(&world, ELEM_F32, 1, one + 1);
    type_id kernel = tensor(&world, ELEM_F32, 2, (int64_t[]){3, 4});
    term_id args[2] = {parameter(&world, 0, in), parameter(&world, 1, kernel)}, out;
    term_id no_batch[2] = {parameter(&world, 2, row), args[1]};
    struct builder builder = builder_egraph(&world.graph);
    struct err err = {0};
    attr_id good = attr_make(&world.pool, 12, plain);
    attr_id bad = attr_make(&world.pool, 10, flat);
    assert_true(builder.make(builder.ctx, (struct operation){OP_CONVOLUTION, good, NO_TYPE, 2},
                             args, &out, &err));
    assert_false(builder.make(builder.ctx, (struct operation){OP_CONVOLUTION, bad, NO_TYPE, 2},
                              no_batch, &out, &err));
    assert_non_null(strstr(err.msg, "cannot express the convolution"));
    // The shape rule itself takes it.
    add(&world, OP_CONVOLUTION, bad, NO_TYPE, 2, no_batch);
    world_release(&world);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %lu\n", (unsigned long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(congruence_is_naive_closure),
        cmocka_unit_test(powers_fold_to_gcd),
        cmocka_unit_test(cyclic_classes),
        cmocka_unit_test(long_chain_of_merges),
        cmocka_unit_test(wrong_merges_fail),
        cmocka_unit_test(constants_fold),
        cmocka_unit_test(limits_and_stamps),
        cmocka_unit_test(convolutions_of_programs),
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(checker_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
