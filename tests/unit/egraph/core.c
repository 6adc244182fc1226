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
    struct egraph g;
    struct stated stated;
    VEC(term_id) all;
};

static void world_init(struct world *w)
{
    memset(w, 0, sizeof *w);
    pool_init(&w->pool);
    terms_init(&w->terms, &w->pool);
    egraph_init(&w->g, &w->terms, egraph_defaults());
}

static void world_release(struct world *w)
{
    egraph_release(&w->g);
    stated_release(&w->stated);
    vec_release(&w->all);
    terms_release(&w->terms);
    pool_release(&w->pool);
}

static type_id tensor(struct world *w, enum elem t, uint32_t rank,
                      const int64_t *dims)
{
    type_id out;
    struct err e = {0};
    assert_true(type_tensor(&w->pool, t, rank, dims, &out, &e));
    return out;
}

static term_id add(struct world *w, enum op op, attr_id attr, type_id want,
                   uint32_t n, const term_id *args)
{
    term_id out;
    struct err e = {0};
    if (!egraph_add(&w->g, op, attr, want, n, args, &out, &e))
        fail_msg("%s: %s", op_name(op), e.msg);
    return out;
}

static term_id parameter(struct world *w, int64_t i, type_id type)
{
    int64_t v[2] = {0, i};
    return add(w, OP_PARAMETER, attr_make(&w->pool, 2, v), type, 0, NULL);
}

static term_id constant(struct world *w, type_id type, int64_t x)
{
    enum elem t = type_elem(&w->pool, type);
    lit_id l = literal_splat(&w->pool, t, scalar_of_int(t, x));
    int64_t v = l.v;
    return add(w, OP_CONSTANT, attr_make(&w->pool, 1, &v), type, 0, NULL);
}

static void closed(struct world *w)
{
    struct err e = {0};
    egraph_rebuild(&w->g);
    if (!egraph_check(&w->g, &e) || !orbit_check(&w->g, &e))
        fail_msg("%s (seed %lu)", e.msg, (unsigned long)seed);
}

// The naive model: a label for each term, closed by comparing all pairs.

static void relabel(uint32_t *label, uint32_t n, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < n; i++)
        if (label[i] == b)
            label[i] = a;
}

static bool same_by_labels(const struct terms *t, const uint32_t *label,
                           uint32_t a, uint32_t b)
{
    term_id x = {a}, y = {b};
    if (!proof_same_node(t, x, y))
        return false;
    for (uint32_t k = 0; k < term_at(t, x)->n_args; k++)
        if (label[term_args(t, x)[k].v] != label[term_args(t, y)[k].v])
            return false;
    return true;
}

static void close_naively(const struct terms *t, uint32_t *label)
{
    uint32_t n = t->term.len;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < i; k++)
                if (label[i] != label[k] && same_by_labels(t, label, i, k)) {
                    relabel(label, n, label[k], label[i]);
                    again = true;
                }
    }
}

static void compare(struct world *w, const uint32_t *label)
{
    for (uint32_t i = 0; i < w->terms.term.len; i++)
        for (uint32_t k = 0; k < i; k++) {
            bool same = egraph_same(&w->g, (term_id){i}, (term_id){k});
            if (same != (label[i] == label[k]))
                fail_msg("terms %u, %u: seed %lu", i, k, (unsigned long)seed);
        }
}

static void random_term(struct world *w, struct rng *r)
{
    static const enum op ops[] = {OP_NEGATE, OP_NOT, OP_ADD, OP_SUBTRACT,
                                  OP_MULTIPLY};
    enum op op = ops[rng_below(r, 5)];
    term_id args[2] = {w->all.at[rng_below(r, w->all.len)],
                       w->all.at[rng_below(r, w->all.len)]};
    uint32_t n = op_arity(op) == 1 ? 1 : 2;
    vec_push(&w->all, add(w, op, NO_ATTR, NO_TYPE, n, args));
}

static void explain_some(struct world *w, struct rng *r)
{
    for (int i = 0; i < 40; i++) {
        term_id a = {(uint32_t)rng_below(r, w->terms.term.len)};
        term_id b = {(uint32_t)rng_below(r, w->terms.term.len)};
        if (egraph_same(&w->g, a, b))
            assert_true(proved(&w->g, a, b, &w->stated));
    }
}

static void random_run(struct rng *r)
{
    struct world w;
    uint32_t label[256], n_labels = 0;
    world_init(&w);
    type_id i32 = tensor(&w, ELEM_I32, 0, NULL);
    for (int64_t i = 0; i < 5; i++)
        vec_push(&w.all, parameter(&w, i, i32));
    uint32_t steps = 60 + (uint32_t)rng_below(r, 120);
    for (uint32_t step = 0; step < steps; step++) {
        if (rng_below(r, 4) != 0) {
            random_term(&w, r);
        } else {
            uint32_t a = w.all.at[rng_below(r, w.all.len)].v;
            uint32_t b = w.all.at[rng_below(r, w.all.len)].v;
            while (n_labels < w.terms.term.len) {
                label[n_labels] = n_labels;
                n_labels++;
            }
            relabel(label, n_labels, label[a], label[b]);
            assert_true(state(&w.g, &w.stated, (term_id){a}, (term_id){b}));
        }
        if (rng_below(r, 12) != 0 && step + 1 < steps)
            continue;
        while (n_labels < w.terms.term.len) {
            label[n_labels] = n_labels;
            n_labels++;
        }
        closed(&w);
        close_naively(&w.terms, label);
        compare(&w, label);
        explain_some(&w, r);
    }
    world_release(&w);
}

static void congruence_is_naive_closure(void **unused)
{
    (void)unused;
    struct rng r;
    rng_seed(&r, seed);
    for (int i = 0; i < 60; i++)
        random_run(&r);
}

// f^a(x) = x and f^b(x) = x give f^gcd(a, b)(x) = x, by many congruences.
static void powers_fold_to_gcd(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w);
    term_id x = parameter(&w, 0, tensor(&w, ELEM_I32, 0, NULL)), p[400];
    p[0] = x;
    for (int i = 1; i < 400; i++)
        p[i] = add(&w, OP_NOT, NO_ATTR, NO_TYPE, 1, &p[i - 1]);
    assert_true(state(&w.g, &w.stated, p[399], x));
    assert_true(state(&w.g, &w.stated, p[210], x));
    closed(&w);
    for (int i = 0; i < 400; i++)
        assert_int_equal(egraph_same(&w.g, p[i], x), i % 21 == 0);
    assert_int_equal(w.g.cc.n_classes, 21);
    assert_int_equal(egraph_nodes(&w.g), 22); // x and one `not` for each class
    assert_true(proved(&w.g, p[21], x, &w.stated));
    assert_true(proved(&w.g, p[398], p[20], &w.stated));
    world_release(&w);
}

static void cyclic_classes(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w);
    term_id x = parameter(&w, 0, tensor(&w, ELEM_I32, 0, NULL));
    term_id f = add(&w, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &x);
    assert_true(state(&w.g, &w.stated, f, x));
    closed(&w);
    term_id at = x;
    for (int i = 0; i < 2000; i++)
        at = add(&w, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &at);
    assert_true(egraph_same(&w.g, at, x));
    closed(&w);
    assert_int_equal(egraph_nodes(&w.g), 2);
    assert_true(proved(&w.g, at, x, &w.stated)); // deep, without recursion
    world_release(&w);
}

// Merging with everything in one big class from either side is cheap, and the
// oldest term stands for it.
static void long_chain_of_merges(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w);
    type_id t = tensor(&w, ELEM_I32, 0, NULL);
    enum { N = 20000 };
    term_id *p = mem_alloc(N * sizeof *p);
    for (int i = 0; i < N; i++) {
        p[i] = parameter(&w, i, t);
        add(&w, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &p[i]);
    }
    for (int i = N - 1; i > 0; i--)
        assert_true(state(&w.g, &w.stated, p[i - 1], p[i]));
    closed(&w);
    assert_int_equal(w.g.cc.n_classes, 2);
    assert_int_equal(class_term(&w.g, egraph_find(&w.g, p[N - 1])).v, p[0].v);
    assert_int_equal(egraph_nodes(&w.g), N + 1);
    assert_true(proved(&w.g, (term_id){p[N - 1].v + 1}, (term_id){p[0].v + 1},
                       &w.stated));
    mem_free(p);
    world_release(&w);
}

static void wrong_merges_fail(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w);
    struct err e = {0};
    term_id a = parameter(&w, 0, tensor(&w, ELEM_I32, 0, NULL));
    term_id b = parameter(&w, 1, tensor(&w, ELEM_F32, 0, NULL));
    struct reason why = {REASON_RULE, 7, 0};
    assert_false(egraph_merge(&w.g, a, b, why, &e));
    assert_int_equal(e.kind, ERR_CHECK);
    err_clear(&e);
    assert_false(egraph_merge(&w.g, a, (term_id){99}, why, &e));
    err_clear(&e);
    assert_false(
        egraph_merge(&w.g, a, a, (struct reason){REASON_FOLD, 0, 0}, &e));
    err_clear(&e);
    term_id out, args[2] = {a, b};
    assert_false(egraph_add(&w.g, OP_ADD, NO_ATTR, NO_TYPE, 2, args, &out, &e));
    assert_int_equal(e.kind, ERR_INPUT);
    err_clear(&e);
    struct explanation x = {0};
    uint32_t line;
    bool flip;
    closed(&w);
    assert_false(explain(&w.g, a, b, &x, &line, &flip, &e));
    explanation_release(&x);
    assert_int_equal(egraph_merges(&w.g), 0);
    world_release(&w);
}

static void constants_fold(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w);
    int64_t dims[2] = {2, 3};
    type_id scalar = tensor(&w, ELEM_I32, 0, NULL);
    type_id matrix = tensor(&w, ELEM_I32, 2, dims);
    term_id x = parameter(&w, 0, scalar);
    term_id two = constant(&w, scalar, 2), three = constant(&w, scalar, 3);
    term_id sum = add(&w, OP_ADD, NO_ATTR, NO_TYPE, 2, (term_id[]){x, three});
    term_id spread = add(&w, OP_BROADCAST_IN_DIM, NO_ATTR, matrix, 1, &sum);
    term_id twice =
        add(&w, OP_ADD, NO_ATTR, NO_TYPE, 2, (term_id[]){spread, spread});
    closed(&w);
    class_id s;
    assert_int_equal(class_constant(&w.g, egraph_find(&w.g, twice)).v,
                     NO_LIT.v);
    assert_true(class_splat_source(&w.g, egraph_find(&w.g, spread), &s));
    assert_int_equal(s.v, egraph_find(&w.g, sum).v);
    assert_false(class_splat_source(&w.g, egraph_find(&w.g, twice), &s));
    assert_true(state(&w.g, &w.stated, x, two)); // now all is constant
    closed(&w);
    lit_id l = class_splat(&w.g, egraph_find(&w.g, twice));
    assert_int_not_equal(l.v, NO_LIT.v);
    assert_int_equal(literal_get(&w.pool, l, 0).bits, 10);
    assert_true(proved(&w.g, twice,
                       class_constant_term(&w.g, egraph_find(&w.g, twice)),
                       &w.stated));
    assert_int_equal(w.g.n_conflicts, 0);
    assert_true(state(&w.g, &w.stated, two, three));
    closed(&w);
    assert_true(w.g.n_conflicts > 0);
    world_release(&w);
}

static void limits_and_stamps(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w);
    w.g.opt.max_nodes = 3;
    type_id t = tensor(&w, ELEM_I32, 0, NULL);
    term_id a = parameter(&w, 0, t), b = parameter(&w, 1, t);
    closed(&w);
    assert_false(egraph_full(&w.g));
    uint32_t round = w.g.round;
    term_id c = add(&w, OP_ADD, NO_ATTR, NO_TYPE, 2, (term_id[]){a, b});
    assert_true(egraph_full(&w.g));
    assert_true(egraph_class(&w.g, egraph_find(&w.g, c))->changed >= round);
    assert_true(egraph_class(&w.g, egraph_find(&w.g, a))->changed < round);
    w.g.opt.max_nodes = 0;
    w.g.opt.max_bytes = 16;
    assert_true(egraph_full(&w.g));
    w.g.opt.max_bytes = 0;
    w.g.opt.deadline = 1e-9;
    assert_true(egraph_full(&w.g));
    w.g.opt.deadline = 0;
    closed(&w);
    uint32_t place = parent_first(&w.g, egraph_find(&w.g, a));
    assert_int_equal(cc_place_node(&w.g.cc, place), egraph_node(&w.g, c));
    assert_int_equal(parent_next(&w.g, place), CC_NONE);
    world_release(&w);
}

// Each fault breaks one word of a sound graph and must be seen.
static void faults_are_found(void **unused)
{
    (void)unused;
    struct world w;
    struct rng r;
    world_init(&w);
    rng_seed(&r, seed + 5);
    type_id i32 = tensor(&w, ELEM_I32, 0, NULL);
    for (int64_t i = 0; i < 4; i++)
        vec_push(&w.all, parameter(&w, i, i32));
    // Two nodes that become congruent; the first one stays.
    add(&w, OP_NOT, NO_ATTR, NO_TYPE, 1, &w.all.at[0]);
    add(&w, OP_NOT, NO_ATTR, NO_TYPE, 1, &w.all.at[1]);
    term_id two = constant(&w, i32, 2);
    for (int i = 0; i < 60; i++)
        random_term(&w, &r);
    assert_true(state(&w.g, &w.stated, w.all.at[0], w.all.at[1]));
    assert_true(state(&w.g, &w.stated, w.all.at[2], w.all.at[9]));
    assert_true(state(&w.g, &w.stated, w.all.at[12], w.all.at[30]));
    closed(&w);
    struct egraph *g = &w.g;
    uint32_t dead = 0, joined = 0, above = 0;
    for (uint32_t i = 0; i < g->node.len; i++) {
        if (!node_live(g, i))
            dead = i;
        if (g->cc.up.at[i] != i && node_live(g, i))
            joined = i;
        if (node_live(g, i) && cc_arity(&g->cc, i) == 2)
            above = i;
    }
    assert_true(dead != 0 && joined != 0 && above != 0);
    uint32_t root = cc_find(&g->cc, joined), c = egraph_find(g, two).v;
    struct {
        const char *name;
        uint32_t *word, value;
    } faults[] = {
        {"I1", &g->cc.up.at[root], joined},
        {"I2: dead flag", &g->cc.node.at[joined].op,
         g->cc.node.at[joined].op | CC_DEAD},
        {"I2: live flag", &g->cc.node.at[dead].op,
         g->cc.node.at[dead].op & CC_OP},
        {"I4: count", &g->cc.n_classes, 2},
        {"I4: ring", &g->cc.next.at[joined], joined},
        {"I5: list lost", &g->cc.class_.at[g->cc.node.at[above].a].parents,
         CC_NONE},
        {"E1: term of a node", &g->node.at[joined].term, two.v},
        {"E1: node of a term", &g->node_of.at[two.v], joined},
        {"E1: no node", &g->node_of.at[two.v], NO_NODE},
        {"E1: operator", &g->key.at[g->cc.node.at[above].op].attr.v, 77},
        {"E1: arity", &g->key.at[g->cc.node.at[above].op].n, 3},
        {"E1: founder", &g->cc.class_.at[dead].founder, joined},
        {"E1: count", &g->class_.len, g->class_.len - 1},
        {"E2", &g->cc.node.at[above].a, dead},
        {"E3: oldest", &g->class_.at[root].oldest, joined},
        {"E3: oldest elsewhere", &g->class_.at[root].oldest,
         egraph_node(g, two)},
        {"E3: constant", &g->class_.at[c].constant.v, w.all.at[0].v},
        {"E3: no constant", &g->class_.at[root].constant.v, two.v},
        {"O3: size", &g->class_.at[g->class_.at[root].leader].orbit_size, 5},
        {"O3: ring", &g->class_.at[root].orbit_next, c},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct err e = {0};
        uint32_t was = *faults[i].word;
        if (was == faults[i].value)
            fail_msg("no fault: %s", faults[i].name);
        *faults[i].word = faults[i].value;
        if (egraph_check(g, &e) && orbit_check(g, &e))
            fail_msg("fault not found: %s", faults[i].name);
        *faults[i].word = was;
        err_clear(&e);
        assert_true(egraph_check(g, &e) && orbit_check(g, &e));
    }
    world_release(&w);
}

// A proof with one wrong word must be rejected by the checker of this test.
static void checker_can_fail(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w);
    type_id t = tensor(&w, ELEM_I32, 0, NULL);
    term_id a = parameter(&w, 0, t), b = parameter(&w, 1, t);
    term_id c = parameter(&w, 2, t);
    term_id fa = add(&w, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &a);
    term_id fc = add(&w, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &c);
    assert_true(state(&w.g, &w.stated, a, b));
    assert_true(state(&w.g, &w.stated, c, b));
    closed(&w);
    struct explanation x = {0};
    struct err e = {0};
    uint32_t line;
    bool flip;
    assert_true(explain(&w.g, fa, fc, &x, &line, &flip, &e));
    assert_int_equal(x.line.len, 4); // two rules, their chain, congruence
    assert_true(proof_ok(&w.terms, &x, &w.stated));
    for (uint32_t i = 0; i < x.line.len; i++) {
        term_id was = x.line.at[i].b;
        x.line.at[i].b = x.line.at[i].a;
        assert_false(proof_ok(&w.terms, &x, &w.stated));
        x.line.at[i].b = was;
    }
    for (uint32_t i = 0; i < x.part.len; i++) {
        x.part.at[i].flip = !x.part.at[i].flip;
        assert_false(proof_ok(&w.terms, &x, &w.stated));
        x.part.at[i].flip = !x.part.at[i].flip;
    }
    explanation_release(&x);
    world_release(&w);
}

// Rules may make a convolution of any rank class; a program gets none that it
// could not be written with.
static void convolutions_of_programs(void **state)
{
    (void)state;
    struct world w;
    world_init(&w);
    int64_t one[] = {2, 3}, flat[] = {0, 1, 1, 0, 1, 1, 0, 0, 1, 0};
    int64_t plain[] = {1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1};
    type_id in = tensor(&w, ELEM_F32, 2, one);
    type_id row = tensor(&w, ELEM_F32, 1, one + 1);
    type_id kernel = tensor(&w, ELEM_F32, 2, (int64_t[]){3, 4});
    term_id args[2] = {parameter(&w, 0, in), parameter(&w, 1, kernel)}, out;
    term_id no_batch[2] = {parameter(&w, 2, row), args[1]};
    struct builder b = builder_egraph(&w.g);
    struct err e = {0};
    attr_id good = attr_make(&w.pool, 12, plain);
    attr_id bad = attr_make(&w.pool, 10, flat);
    assert_true(
        b.make(b.ctx, OP_CONVOLUTION, good, NO_TYPE, 2, args, &out, &e));
    assert_false(
        b.make(b.ctx, OP_CONVOLUTION, bad, NO_TYPE, 2, no_batch, &out, &e));
    assert_non_null(strstr(e.msg, "no program"));
    // The shape rule itself takes it.
    add(&w, OP_CONVOLUTION, bad, NO_TYPE, 2, no_batch);
    world_release(&w);
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
