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
    struct egraph g;
    struct saturation s;
    VEC(term_id) all;
    struct rng r;
};

static term_id make(struct world *w, enum op op, attr_id attr, type_id want,
                    uint32_t n, const term_id *args)
{
    struct err e = {0};
    term_id t;
    if (!egraph_add(&w->g, op, attr, want, n, args, &t, &e))
        fail_msg("%s: %s", op_name(op), e.msg);
    vec_push(&w->all, t);
    return t;
}

static type_id tensor(struct world *w, uint32_t rank, const int64_t *dims)
{
    struct err e = {0};
    type_id type;
    assert_true(type_tensor(&w->pool, ELEM_F64, rank, dims, &type, &e));
    return type;
}

static void start(struct world *w, uint64_t s)
{
    static const int64_t dims[3] = {2, 3, 2};
    *w = (struct world){0};
    pool_init(&w->pool);
    terms_init(&w->terms, &w->pool);
    struct egraph_options o = egraph_defaults();
    o.fold = false; // arbitrary merges would make constants equal
    egraph_init(&w->g, &w->terms, o);
    saturation_init(&w->s, &w->g, saturate_defaults());
    struct rule_status all = {0xff, 0xff, 0};
    for (uint32_t i = 0; i < rules.rules.len; i++)
        saturation_add(&w->s, (struct rule_use){rules.rules.at[i], false, all});
    for (uint32_t i = 0; i < rules.rules.len; i++)
        if (w->s.rules.at[i].pattern.refused != NULL)
            fail_msg("%s", w->s.rules.at[i].pattern.refused);
    rng_seed(&w->r, s);
    for (int64_t i = 0; i < 4; i++) {
        int64_t at[2] = {0, i};
        make(w, OP_PARAMETER, attr_make(&w->pool, 2, at),
             tensor(w, i == 3 ? 0 : 2, dims + i % 2), 0, NULL);
    }
    for (int64_t i = 0; i < 2; i++) {
        lit_id l =
            literal_splat(&w->pool, ELEM_F64, scalar_of_int(ELEM_F64, i));
        int64_t v = l.v;
        term_id c = make(w, OP_CONSTANT, attr_make(&w->pool, 1, &v),
                         tensor(w, 0, NULL), 0, NULL);
        make(w, OP_BROADCAST_IN_DIM, NO_ATTR, tensor(w, 2, dims), 1, &c);
    }
}

static void finish(struct world *w)
{
    saturation_release(&w->s);
    egraph_release(&w->g);
    vec_release(&w->all);
    terms_release(&w->terms);
    pool_release(&w->pool);
}

static term_id any(struct world *w)
{
    return w->all.at[rng_below(&w->r, w->all.len)];
}

static bool same_type(const struct world *w, term_id a, term_id b)
{
    return term_type(&w->terms, a).v == term_type(&w->terms, b).v;
}

static void random_term(struct world *w)
{
    static const enum op two[] = {OP_ADD, OP_ADD, OP_SUBTRACT, OP_MULTIPLY};
    term_id a = any(w), b = any(w);
    uint32_t rank = type_rank(&w->pool, term_type(&w->terms, a));
    switch (rng_below(&w->r, 8)) {
    case 0:
    case 1:
        make(w, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &a);
        return;
    case 2:
        if (rank == 2)
            make(w, OP_TRANSPOSE, attr_make(&w->pool, 2, (int64_t[]){1, 0}),
                 NO_TYPE, 1, &a);
        return;
    case 3:
        if (rank == 0)
            make(w, OP_BROADCAST_IN_DIM, NO_ATTR,
                 tensor(w, 2, (int64_t[]){2, 3}), 1, &a);
        return;
    case 4: {
        term_id args[2] = {a, w->all.at[3 + rng_below(&w->r, 2)]};
        int64_t attr[2] = {OP_ADD, (int64_t)rng_below(&w->r, 2)};
        if (rank == 2)
            make(w, OP_REDUCE, attr_make(&w->pool, 2, attr), NO_TYPE, 2, args);
        return;
    }
    default:
        if (same_type(w, a, b))
            make(w, two[rng_below(&w->r, 4)], NO_ATTR, NO_TYPE, 2,
                 (term_id[]){a, b});
    }
}

static void random_merge(struct world *w, uint32_t number)
{
    bool zero = rng_below(&w->r, 8) == 0;
    term_id a = zero ? w->all.at[3] : any(w);
    term_id b = zero ? w->all.at[4] : any(w);
    struct err e = {0};
    bool constants =
        class_constant(&w->g, egraph_find(&w->g, a)).v != NO_LIT.v &&
        class_constant(&w->g, egraph_find(&w->g, b)).v != NO_LIT.v;
    if (same_type(w, a, b) && !constants)
        assert_true(egraph_merge(&w->g, a, b,
                                 (struct reason){REASON_RULE, 0, number}, &e));
}

struct found {
    uint32_t rule;
    struct match m;
};
struct all_found {
    struct arena mem;
    VEC(struct found) at;
};

static void search(struct world *w, uint32_t since, struct all_found *out)
{
    *out = (struct all_found){0};
    match_index_build(&w->g, &w->s.index);
    for (uint32_t i = 0; i < w->s.rules.len; i++) {
        struct running_rule *r = &w->s.rules.at[i];
        struct match_cursor c = {0};
        struct match_result x = {0};
        struct match_request q = {
            .pattern = &r->pattern,
            .status = r->use.status,
            .finite = &w->s.finite,
            .float_mode = DOMAIN_FLOAT,
            .max_matches = UINT32_MAX,
            .max_steps = UINT64_MAX / 2,
            .cursor = &c,
            .index = &w->s.index,
            .since = since,
        };
        if (match_possible(&r->pattern, &w->s.index, since)) {
            match_all(&w->g, &q, &out->mem, &x);
            assert_true(x.complete);
        }
        for (uint32_t k = 0; k < x.found.len; k++)
            vec_push(&out->at, ((struct found){i, x.found.at[k]}));
        match_result_release(&x);
    }
}

static void release(struct all_found *f)
{
    vec_release(&f->at);
    arena_release(&f->mem);
}

static uint64_t scalar_sign(struct world *w, term_id t)
{
    lit_id l = egraph_known(&w->g, t)
                   ? class_constant(&w->g, egraph_find(&w->g, t))
                   : term_literal(&w->terms, t);
    return l.v != NO_LIT.v ? l.v
                           : egraph_find(&w->g, t).v + (UINT64_C(1) << 40);
}

// The same for one match before and after merges.
static uint64_t sign_of(struct world *w, const struct found *f)
{
    const struct instance *in = f->m.in;
    uint64_t h = hash_u64(f->rule, class_find(&w->g, f->m.root).v);
    for (uint32_t i = 0; i < in->rule->n_tensors; i++)
        h = hash_u64(
            orbit_find(&w->g, egraph_find(&w->g, in->tensor[i])).leader.v, h);
    for (uint32_t i = 0; i < in->rule->n_scalars; i++)
        h = hash_u64(scalar_sign(w, in->scalar[i]), h);
    return h;
}

static void add_signs(struct world *w, struct match_set *s,
                      const struct all_found *f)
{
    for (uint32_t i = 0; i < f->at.len; i++)
        match_set_add(s, sign_of(w, &f->at.at[i]));
}

struct count {
    uint32_t old, news, lost;
    uint32_t of_rule[32]; // news
};

// Compares the searches; those not found by any search but the whole one are
// missed.
static uint32_t compare(struct world *w, const struct all_found *before,
                        uint32_t since, struct count *n)
{
    struct all_found now, part;
    struct match_set old = {0}, late = {0};
    uint32_t missed = 0;
    search(w, 0, &now);
    search(w, since, &part);
    add_signs(w, &old, before);
    add_signs(w, &late, &part);
    for (uint32_t i = 0; i < now.at.len; i++) {
        uint64_t sign = sign_of(w, &now.at.at[i]);
        bool is_new = match_set_add(&old, sign);
        bool is_late = !match_set_add(&late, sign);
        n->old += !is_late;
        n->news += is_new;
        n->of_rule[now.at.at[i].rule] += is_new;
        missed += is_new && !is_late;
    }
    match_set_release(&old);
    match_set_release(&late);
    release(&now);
    release(&part);
    return missed;
}

static void run(uint64_t s, struct count *n)
{
    struct world w;
    start(&w, s);
    w.s.index.depth = 4;
    for (int i = 0; i < 14; i++)
        random_term(&w);
    egraph_rebuild(&w.g);
    for (uint32_t round = 0; round < 6; round++) {
        struct all_found before;
        uint32_t since = w.g.round;
        search(&w, 0, &before);
        for (uint32_t k = 0; k < 3; k++)
            random_term(&w);
        for (uint32_t k = 0; k < 2; k++)
            random_merge(&w, round);
        egraph_rebuild(&w.g);
        struct err e = {0};
        if (!egraph_check(&w.g, &e) || !orbit_check(&w.g, &e))
            fail_msg("seed %lu, round %u: %s", (unsigned long)s, round, e.msg);
        uint32_t missed = compare(&w, &before, since, n);
        if (missed > 0)
            fail_msg("seed %lu, round %u: %u missed", (unsigned long)s, round,
                     missed);
        struct count none = {0};
        n->lost += compare(&w, &before, w.g.round, &none); // no news at all
        release(&before);
    }
    finish(&w);
}

static void news_are_enough(void **state)
{
    (void)state;
    struct count n = {0};
    for (uint32_t i = 0; i < 300; i++)
        run(seed + i, &n);
    print_message("%u old, %u new, %u of them lost without news\n", n.old,
                  n.news, n.lost);
    assert_true(n.old > 2 * n.news && n.lost > 100);
    for (uint32_t i = 0; i < rules.rules.len; i++)
        if (n.of_rule[i] < 3)
            fail_msg("rule %s: %u new matches", rules.rules.at[i]->name,
                     n.of_rule[i]);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %lu\n", (unsigned long)seed);
    const struct CMUnitTest tests[] = {cmocka_unit_test(news_are_enough)};
    struct err_list errs = {0};
    ruleset_init(&rules);
    if (!ruleset_parse(&rules, text, strlen(text), "test.rw", &errs)) {
        printf("%s\n", errs.at.at[0].msg);
        return 1;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ruleset_release(&rules);
    vec_release(&errs.at);
    return failed;
}
