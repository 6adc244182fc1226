// SPDX-License-Identifier: Apache-2.0
// Random graphs: what a search of every place finds was there before, or a
// search of the news finds it too.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/hash.h"
#include "base/rng.h"
#include "egraph/program/constants.h"
#include "egraph/program/orbit.h"
#include "egraph/saturate.h"
#include "tests/unit/support/egraph_rules.h"

static uint64_t seed = 1;

static const char text[] =
    "rule nested { axes x; map n on x; tensor A[x: n] : num;"
    " negate(negate(A)) => A; }"
    "rule left { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num,"
    " C[x: n] : num; A + (B + C) => A + B + C; }"
    "rule both { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num,"
    " C[x: n] : num; (A + B) * (B + C) => (B + C) * (A + B); }"
    "rule same { axes x; map n on x; tensor A[x: n] : num; A - A => A - A + A; "
    "}"
    "rule again { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num;"
    " (A + B) - B => A; }"
    "rule deep { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num;"
    " negate(A + negate(B)) => B - A; }"
    "rule one { axes x; map n on x; tensor A[x: n] : num; A * 1 => A; }"
    "rule spread { axes x; map n on x; tensor A[x: n] : T;"
    " scalar c : T; negate(A) + c => A; }"
    "rule total { axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : "
    "num;"
    " reduce(+, negate(A), {y}) => negate(reduce(+, A, {y})); }"
    "rule zero { axes x; map n on x; tensor A[x: n] : num;"
    " negate(A + 0) => A; }";

static struct ruleset rules;

struct world {
    struct pool pool;
    struct terms terms;
    struct egraph graph;
    struct saturation saturation;
    VEC(term_id) all;
    struct rng rng;
    bool bounded; // searches leave out matches over the slack
};

static term_id make(struct world *world, enum op op, attr_id attr, type_id want, uint32_t n,
                    const term_id *args)
{
    struct err err = {0};
    term_id term;
    if (!egraph_add(&world->graph, (struct operation){op, attr, want, n}, args, &term, &err))
        fail_msg("%s: %s", op_name(op), err.msg);
    vec_push(&world->all, term);
    return term;
}

static type_id tensor(struct world *world, uint32_t rank, const int64_t *dims)
{
    struct err err = {0};
    type_id type;
    assert_true(type_tensor(&world->pool, ELEM_F64, rank, dims, &type, &err));
    return type;
}

static void start(struct world *world, uint64_t s)
{
    static const int64_t dims[3] = {2, 3, 2};
    *world = (struct world){0};
    pool_init(&world->pool);
    terms_init(&world->terms, &world->pool);
    struct egraph_options options = egraph_defaults();
    options.fold = false; // arbitrary merges would make constants equal
    egraph_init(&world->graph, &world->terms, options);
    saturation_init(&world->saturation, &world->graph, saturate_defaults());
    struct rule_status all = {0xff, 0xff, 0};
    for (uint32_t i = 0; i < rules.rules.len; i++)
        saturation_add(&world->saturation, (struct rule_use){rules.rules.at[i], false, all});
    for (uint32_t i = 0; i < rules.rules.len; i++)
        if (world->saturation.rules.at[i].pattern.refused != NULL)
            fail_msg("%s", world->saturation.rules.at[i].pattern.refused);
    rng_seed(&world->rng, s);
    for (int64_t i = 0; i < 4; i++) {
        int64_t at[2] = {0, i};
        make(world, OP_PARAMETER, attr_make(&world->pool, 2, at),
             tensor(world, i == 3 ? 0 : 2, dims + i % 2), 0, NULL);
    }
    for (int64_t i = 0; i < 2; i++) {
        lit_id literal = literal_splat(&world->pool, ELEM_F64, scalar_of_int(ELEM_F64, i));
        int64_t v = literal.v;
        term_id term = make(world, OP_CONSTANT, attr_make(&world->pool, 1, &v),
                            tensor(world, 0, NULL), 0, NULL);
        make(world, OP_BROADCAST_IN_DIM, NO_ATTR, tensor(world, 2, dims), 1, &term);
    }
}

static void finish(struct world *world)
{
    saturation_release(&world->saturation);
    egraph_release(&world->graph);
    vec_release(&world->all);
    terms_release(&world->terms);
    pool_release(&world->pool);
}

static term_id any(struct world *world)
{
    return world->all.at[rng_below(&world->rng, world->all.len)];
}

static bool same_type(const struct world *world, term_id a, term_id b)
{
    return term_type(&world->terms, a).v == term_type(&world->terms, b).v;
}

static void random_term(struct world *world)
{
    static const enum op two[] = {OP_ADD, OP_ADD, OP_SUBTRACT, OP_MULTIPLY};
    term_id term = any(world), b = any(world);
    uint32_t rank = type_rank(&world->pool, term_type(&world->terms, term));
    switch (rng_below(&world->rng, 8)) {
    case 0:
    case 1:
        make(world, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &term);
        return;
    case 2:
        if (rank == 2)
            make(world, OP_TRANSPOSE, attr_make(&world->pool, 2, (int64_t[]){1, 0}), NO_TYPE, 1,
                 &term);
        return;
    case 3:
        if (rank == 0)
            make(world, OP_BROADCAST_IN_DIM, NO_ATTR, tensor(world, 2, (int64_t[]){2, 3}), 1,
                 &term);
        return;
    case 4: {
        term_id args[2] = {term, world->all.at[3 + rng_below(&world->rng, 2)]};
        int64_t attr[2] = {OP_ADD, (int64_t)rng_below(&world->rng, 2)};
        if (rank == 2)
            make(world, OP_REDUCE, attr_make(&world->pool, 2, attr), NO_TYPE, 2, args);
        return;
    }
    default:
        if (same_type(world, term, b))
            make(world, two[rng_below(&world->rng, 4)], NO_ATTR, NO_TYPE, 2, (term_id[]){term, b});
    }
}

static void random_merge(struct world *world, uint32_t number)
{
    bool zero = rng_below(&world->rng, 8) == 0;
    term_id term = zero ? world->all.at[3] : any(world);
    term_id b = zero ? world->all.at[4] : any(world);
    struct err err = {0};
    bool constants =
        class_constant(&world->graph, egraph_find(&world->graph, term)).v != NO_LIT.v &&
        class_constant(&world->graph, egraph_find(&world->graph, b)).v != NO_LIT.v;
    if (same_type(world, term, b) && !constants)
        assert_true(
            egraph_merge(&world->graph, term, b, (struct reason){REASON_RULE, 0, number}, &err));
}

struct found {
    uint32_t rule;
    struct match match;
};
struct all_found {
    struct arena mem;
    VEC(struct found) at;
};

static void search(struct world *world, uint32_t since, struct all_found *out)
{
    *out = (struct all_found){0};
    match_index_build(&world->graph, &world->saturation.index);
    for (uint32_t i = 0; i < world->saturation.rules.len; i++) {
        struct running_rule *running = &world->saturation.rules.at[i];
        struct match_cursor cursor = {0};
        struct match_result result = {0};
        struct match_request request = {
            .pattern = &running->pattern,
            .status = running->use.status,
            .finite = &world->saturation.finite,
            .reading = READ_FLOAT_SUMS,
            .max_matches = UINT32_MAX,
            .max_steps = UINT64_MAX / 2,
            .cursor = &cursor,
            .index = &world->saturation.index,
            .since = since,
            .bounded = world->bounded,
            .slack = 1,
        };
        if (match_possible(&running->pattern, &world->saturation.index, since)) {
            match_all(&world->graph, &request, &out->mem, &result);
            assert_true(result.complete);
        }
        for (uint32_t k = 0; k < result.found.len; k++)
            vec_push(&out->at, ((struct found){i, result.found.at[k]}));
        match_result_release(&result);
    }
}

static void release(struct all_found *all_found)
{
    vec_release(&all_found->at);
    arena_release(&all_found->mem);
}

static uint64_t scalar_sign(struct world *world, term_id term)
{
    lit_id literal = egraph_known(&world->graph, term)
                         ? class_constant(&world->graph, egraph_find(&world->graph, term))
                         : term_literal(&world->terms, term);
    return literal.v != NO_LIT.v ? literal.v
                                 : egraph_find(&world->graph, term).v + (UINT64_C(1) << 40);
}

// The same for one match before and after merges.
static uint64_t sign_of(struct world *world, const struct found *found)
{
    const struct instance *in = found->match.in;
    uint64_t h = hash_u64(found->rule, class_find(&world->graph, found->match.root).v);
    for (uint32_t i = 0; i < in->rule->n_tensors; i++)
        h = hash_u64(orbit_find(&world->graph, egraph_find(&world->graph, in->tensor[i])).leader.v,
                     h);
    for (uint32_t i = 0; i < in->rule->n_scalars; i++)
        h = hash_u64(scalar_sign(world, in->scalar[i]), h);
    return h;
}

static void add_signs(struct world *world, struct match_set *set, const struct all_found *all_found)
{
    for (uint32_t i = 0; i < all_found->at.len; i++)
        match_set_add(set, sign_of(world, &all_found->at.at[i]));
}

struct count {
    uint32_t old, news, lost;
    uint32_t of_rule[32]; // news
};

// Compares the searches; those not found by any search but the whole one are
// missed.
static uint32_t compare(struct world *world, const struct all_found *before, uint32_t since,
                        struct count *count)
{
    struct all_found now, part;
    struct match_set old = {0}, late = {0};
    uint32_t missed = 0;
    search(world, 0, &now);
    search(world, since, &part);
    add_signs(world, &old, before);
    add_signs(world, &late, &part);
    for (uint32_t i = 0; i < now.at.len; i++) {
        uint64_t sign = sign_of(world, &now.at.at[i]);
        bool is_new = match_set_add(&old, sign);
        bool is_late = !match_set_add(&late, sign);
        count->old += !is_late;
        count->news += is_new;
        count->of_rule[now.at.at[i].rule] += is_new;
        missed += is_new && !is_late;
    }
    match_set_release(&old);
    match_set_release(&late);
    release(&now);
    release(&part);
    return missed;
}

static void run(uint64_t s, bool bounded, struct count *count)
{
    struct world world;
    start(&world, s);
    world.saturation.index.depth = 4;
    world.bounded = bounded;
    for (int i = 0; i < 14; i++)
        random_term(&world);
    egraph_rebuild(&world.graph);
    for (int i = 0; bounded && i < 3; i++)
        vec_push(&world.saturation.index.roots, any(&world).v);
    for (uint32_t round = 0; round < 6; round++) {
        struct all_found before;
        uint32_t since = world.graph.round;
        search(&world, 0, &before);
        for (uint32_t k = 0; k < 3; k++)
            random_term(&world);
        for (uint32_t k = 0; k < 2; k++)
            random_merge(&world, round);
        egraph_rebuild(&world.graph);
        struct err err = {0};
        if (!egraph_check(&world.graph, &err) || !orbit_check(&world.graph, &err))
            fail_msg("seed %lu, round %u: %s", (unsigned long)s, round, err.msg);
        match_index_build(&world.graph, &world.saturation.index);
        match_index_ease(&world.graph, &world.saturation.index);
        uint32_t missed = compare(&world, &before, since, count);
        if (missed > 0)
            fail_msg("seed %lu, round %u: %u missed", (unsigned long)s, round, missed);
        struct count none = {0};
        count->lost += compare(&world, &before, world.graph.round, &none); // no news at all
        release(&before);
    }
    finish(&world);
}

static void news_are_enough(void **state)
{
    (void)state;
    struct count count = {0};
    for (uint32_t i = 0; i < 300; i++)
        run(seed + i, false, &count);
    print_message("%u old, %u new, %u of them lost without news\n", count.old, count.news,
                  count.lost);
    assert_true(count.old > 2 * count.news && count.lost > 100);
    for (uint32_t i = 0; i < rules.rules.len; i++)
        if (count.of_rule[i] < 3)
            fail_msg("rule %s: %u new matches", rules.rules.at[i]->name, count.of_rule[i]);
}

// What gets nearer to the roots, or into less excess, is news as well.
static void eased_is_news(void **state)
{
    (void)state;
    struct count count = {0};
    for (uint32_t i = 0; i < 1000; i++)
        run(seed + i, true, &count);
    print_message("%u old, %u new\n", count.old, count.news);
    assert_true(count.news > 500 && count.old > 500);
}

static term_id chain(struct world *world, enum op op, uint32_t n, term_id term)
{
    for (uint32_t i = 0; i < n; i++)
        term = make(world, op, NO_ATTR, NO_TYPE, 1, &term);
    return term;
}

// (x + b) - b, where x + b equals a and x is large until something deep in it becomes small.  What
// is within the slack then stands above the depth that the rule looks at.
static void less_excess_is_news(void **state)
{
    (void)state;
    enum { AGAIN = 4 };
    struct world world;
    struct all_found found;
    start(&world, 1);
    world.saturation.index.depth = 4;
    world.bounded = true;
    term_id a = world.all.at[0], b = world.all.at[2];
    term_id c = make(&world, OP_PARAMETER, attr_make(&world.pool, 2, (int64_t[]){0, 9}),
                     term_type(&world.terms, a), 0, NULL);
    term_id z = chain(&world, OP_ABS, 8, b), x = chain(&world, OP_SINE, 2, z);
    term_id sum = make(&world, OP_ADD, NO_ATTR, NO_TYPE, 2, (term_id[]){x, b});
    term_id root = make(&world, OP_SUBTRACT, NO_ATTR, NO_TYPE, 2, (term_id[]){sum, b});
    struct err err = {0};
    struct reason why = {REASON_RULE, 0, 0};
    assert_true(egraph_merge(&world.graph, sum, a, why, &err));
    vec_push(&world.saturation.index.roots, root.v);
    uint32_t n = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        uint32_t since = pass == 0 ? 0 : world.graph.round;
        if (pass == 1)
            assert_true(egraph_merge(&world.graph, z, c, why, &err));
        egraph_rebuild(&world.graph);
        match_index_build(&world.graph, &world.saturation.index);
        assert_true(match_index_ease(&world.graph, &world.saturation.index) == (pass == 1));
        search(&world, since, &found);
        for (uint32_t i = 0; i < found.at.len; i++)
            n += found.at.at[i].rule == AGAIN;
        release(&found);
        assert_int_equal(n, pass);
    }
    finish(&world);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %lu\n", (unsigned long)seed);
    const struct CMUnitTest tests[] = {cmocka_unit_test(news_are_enough),
                                       cmocka_unit_test(eased_is_news),
                                       cmocka_unit_test(less_excess_is_news)};
    if (!rules_read(&rules, text))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ruleset_release(&rules);
    return failed;
}
