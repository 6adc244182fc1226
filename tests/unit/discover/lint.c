// SPDX-License-Identifier: Apache-2.0
// The parts that lint rests on: instances, steps of directed rules, what
// preconditions imply.
#include "discover/lint/lint.h"
#include "discover/lint/rewrite.h"
#include "discover/derive/sample.h"
#include "tensor/eval/eval.h"
#include "verify/obligations/implied.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

static void load(struct ruleset *set, const char *path)
{
    struct err_list errs = {0};
    if (!ruleset_load(set, path, &errs))
        fail_msg("%s: %s", path, errs.at.at[0].msg);
    vec_release(&errs.at);
}

static const struct rule *one(struct ruleset *set, const char *body)
{
    struct err err = {0};
    struct buf text = {0};
    buf_printf(&text, "rule _ { %s }", body);
    const struct rule *rule = ruleset_add(set, buf_text(&text), "test", &err);
    if (rule == NULL)
        fail_msg("%s: %s", body, err.msg);
    buf_release(&text);
    return rule;
}

struct site {
    struct pool pool;
    struct terms terms;
    struct arena mem;
    struct sample at;
};

static bool site_make(struct site *site, const struct sampler *from, enum domain domain, uint32_t k,
                      struct rng *rng)
{
    struct err err = {0};
    *site = (struct site){.at = {.in = NULL}};
    pool_init(&site->pool);
    terms_init(&site->terms, &site->pool);
    struct sample_request request = {domain, k, &site->terms, rng, &site->mem};
    return sample_make(from, &request, &site->at, &err);
}

static void site_free(struct site *site)
{
    terms_release(&site->terms);
    pool_release(&site->pool);
    arena_release(&site->mem);
}

// Instances of library rules: what they promise, and that little coincides.
static void samples(void **state)
{
    struct ruleset set;
    struct rng rng;
    uint32_t made = 0, edges = 0, none = 0, degenerate = 0;
    (void)state;
    rng_seed(&rng, 1);
    ruleset_init(&set);
    load(&set, "rules/library/movement/slice.rw");
    load(&set, "rules/library/movement/pad.rw");
    for (uint32_t i = 0; i < set.rules.len; i++) {
        const struct rule *rule = set.rules.at[i];
        struct arena mem = {0};
        const struct sampler *from = sampler_new(rule, 3000, &rng, &mem);
        for (uint32_t k = 0; k < 8; k++) {
            struct site at;
            uint32_t number = k < 4 ? k : SAMPLE_EDGES + k - 4, which;
            if (!(rule->claims >> DOMAIN_WORD & 1))
                continue;
            if (!site_make(&at, from, DOMAIN_WORD, number, &rng)) {
                none += k < 4;
            } else {
                made += k < 4;
                edges += k >= 4;
                assert_true(instance_where(at.at.in, &which));
                assert_int_equal(at.at.status, GROUND_OK); // they are proved
                degenerate += k == 0 && at.at.lhs.v == at.at.rhs.v;
            }
            site_free(&at);
        }
        arena_release(&mem);
    }
    print_message("%u instances, %u edges, %u none, %u degenerate\n", made, edges, none,
                  degenerate);
    assert_true(made > 100 && edges > 60);
    assert_true(none <= made / 50);
    assert_true(degenerate <= set.rules.len / 20);
    ruleset_release(&set);
}

// Steps of a rule that is false at odd attributes only.
static void generic(void **state)
{
    struct ruleset set;
    struct rng rng;
    struct arena mem = {0};
    struct site at;
    (void)state;
    rng_seed(&rng, 3);
    ruleset_init(&set);
    const struct rule *rule = one(&set, "axes x; map n, s, e, t, f on x; tensor A[x: n] : any; "
                                        "slice(slice(A, start=s, limit=e), start=t, limit=f) => "
                                        "slice(A, start=s+t, limit=s+f);");
    const struct sampler *from = sampler_new(rule, 3000, &rng, &mem);
    for (uint32_t k = 0; k < 2; k++) {
        assert_true(site_make(&at, from, DOMAIN_WORD, k, &rng));
        for (uint32_t m = 1; m < 5; m++)
            for (uint32_t j = 0; j < m; j++)
                assert_true(at.at.in->map[m][0] != at.at.in->map[j][0]);
        assert_int_equal(at.at.in->rank[0], k + 1);
        site_free(&at);
    }
    arena_release(&mem);
    ruleset_release(&set);
}

static bool evaluate(struct site *site, const term_id *two, struct rng *rng, bool *same)
{
    struct value params[32] = {{{0}, NULL}}, value[2];
    struct err err = {0};
    int64_t at;
    uint32_t n = 0;
    for (uint32_t i = 0; i < site->terms.term.len; i++) {
        const struct term *node = term_at(&site->terms, (term_id){i});
        if (node->op != OP_PARAMETER)
            continue;
        uint32_t k = (uint32_t)attr_at(&site->pool, node->attr)[1];
        assert_true(k < 32);
        params[k] = value_random(&site->pool, node->type, rng, false, &site->mem);
        n = k + 1 > n ? k + 1 : n;
    }
    if (!eval_terms(&(struct eval_input){&site->terms, n, params, &site->mem}, 2, two, value, &err))
        return false;
    *same = value_same(&site->pool, &value[0], &value[1], 0, &at);
    return true;
}

static bool small(const struct site *site, term_id term)
{
    struct u32_vec ids = {0};
    bool ok = true;
    terms_reach(&site->terms, 1, &term, &ids);
    for (uint32_t i = 0; i < ids.len; i++)
        ok = ok && type_count(&site->pool, term_type(&site->terms, (term_id){ids.at[i]})) < 20000;
    vec_release(&ids);
    return ok;
}

// Steps by proved rules change no value.
static void steps(void **state)
{
    static const char *const files[] = {
        "rules/library/movement/slice.rw",     "rules/library/movement/pad.rw",
        "rules/library/movement/reverse.rw",   "rules/library/movement/broadcast.rw",
        "rules/library/movement/concat.rw",    "rules/library/movement/relabel.rw",
        "rules/library/movement/reshape.rw",   "rules/library/elementwise/select.rw",
        "rules/library/elementwise/mul.rw",    "rules/library/elementwise/max.rw",
        "rules/library/elementwise/compare.rw"};
    struct ruleset set;
    struct rewriter rewriter;
    struct rng rng;
    uint32_t compared = 0, whole = 0;
    step_vec out = {0};
    (void)state;
    rng_seed(&rng, 2);
    ruleset_init(&set);
    rewriter_init(&rewriter);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        load(&set, files[i]);
    for (uint32_t i = 0; i < set.rules.len; i++)
        rewriter_add(&rewriter, set.rules.at[i],
                     (struct rule_status){.proved = set.rules.at[i]->claims,
                                          .uninterpreted = rule_only_moves(set.rules.at[i])
                                                               ? set.rules.at[i]->claims
                                                               : 0});
    for (uint32_t i = 0; i < set.rules.len; i++) {
        const struct rule *rule = set.rules.at[i];
        struct arena mem = {0};
        struct site at;
        if (!(rule->claims >> DOMAIN_WORD & 1))
            continue;
        const struct sampler *from = sampler_new(rule, 1000, &rng, &mem);
        rewriter.whole = i % 2;
        bool made = site_make(&at, from, DOMAIN_WORD, i % 3, &rng);
        if (made && at.at.status == GROUND_OK && small(&at, at.at.lhs)) {
            rewrite_steps(&rewriter, &at.terms, at.at.lhs, READ_REAL, UINT32_MAX, &out);
            for (uint32_t k = 0; k < out.len; k++) {
                term_id two[] = {at.at.lhs, out.at[k].term};
                bool same = false;
                assert_true(two[0].v != two[1].v);
                if (!small(&at, two[1]) || !evaluate(&at, two, &rng, &same))
                    continue;
                if (!same)
                    fail_msg("%s at %s", set.rules.at[out.at[k].rule]->name, rule->name);
                compared++;
                whole += out.at[k].root;
            }
        }
        site_free(&at);
        arena_release(&mem);
    }
    print_message("%u steps, %u of the whole term\n", compared, whole);
    assert_true(compared > 200 && whole > 100 && whole < compared);
    vec_release(&out);
    rewriter_release(&rewriter);
    ruleset_release(&set);
}

// A step inside replaces all uses, and `only` is kept.
static void places(void **state)
{
    struct ruleset set;
    struct rewriter rewriter;
    struct rng rng;
    struct arena mem = {0};
    struct site at;
    step_vec out = {0};
    (void)state;
    rng_seed(&rng, 5);
    ruleset_init(&set);
    rewriter_init(&rewriter);
    const struct rule *twice = one(&set, "axes x; map n on x; tensor A[x: n] : num; -(-A) => A;");
    const struct rule *comm = one(&set, "axes x; map n on x; tensor A[x: n] : num,"
                                        " B[x: n] : num; A + B => B + A;");
    const struct rule *big = one(&set, "axes x; map n on x; tensor A[x: n] : num, B[x: n] : num; "
                                       "-(-A) * (-(-A) + B) => A * (A + B);");
    struct rule_status all = {.proved = comm->claims};
    rewriter_add(&rewriter, twice, all);
    rewriter_add(&rewriter, comm, all);
    const struct sampler *from = sampler_new(big, 1000, &rng, &mem);
    assert_true(site_make(&at, from, DOMAIN_WORD, 0, &rng));
    rewrite_steps(&rewriter, &at.terms, at.at.lhs, READ_REAL, 0, &out);
    assert_int_equal(out.len, 1);
    assert_int_equal(out.at[0].term.v, at.at.rhs.v);
    assert_false(out.at[0].root);
    rewrite_steps(&rewriter, &at.terms, at.at.lhs, READ_REAL, UINT32_MAX, &out);
    assert_int_equal(out.len, 2);
    rewriter.rule.at[0].off = true;
    rewrite_steps(&rewriter, &at.terms, at.at.lhs, READ_REAL, UINT32_MAX, &out);
    assert_int_equal(out.len, 1);
    assert_int_equal(out.at[0].rule, 1);
    struct u32_vec with = {0};
    // (A + B) is a part of the left side, with - -A for A.
    term_id sum = term_args(&at.terms, at.at.rhs)[1];
    assert_true(term_has(&at.terms, at.at.lhs, sum, &with));
    assert_int_equal(with.len, 4);
    assert_int_equal(with.at[0], at.at.in->tensor[0].v);
    assert_int_equal(with.at[1], term_args(&at.terms, at.at.lhs)[0].v);
    assert_int_equal(with.at[3], at.at.in->tensor[1].v);
    assert_false(term_has(&at.terms, at.at.in->tensor[0], at.at.lhs, &with));
    // A * (A + B) is none: two terms for A.
    assert_false(term_has(&at.terms, sum, at.at.rhs, &with));
    vec_release(&with);
    site_free(&at);
    vec_release(&out);
    rewriter_release(&rewriter);
    arena_release(&mem);
    ruleset_release(&set);
}

// Is there an axis, of small values, where all but precondition `w` hold, the
// left side is well-defined, and w does not hold?
static bool exception(const struct rule *rule, uint32_t w, struct rng *rng)
{
    struct rule rest = *rule;
    struct where *wheres = calloc(rule->n_wheres + 1, sizeof *wheres);
    bool found = false;
    rest.n_wheres = 0;
    for (uint32_t i = 0; i < rule->n_wheres; i++)
        if (i != w)
            wheres[rest.n_wheres++] = rule->wheres[i];
    rest.wheres = wheres;
    for (uint32_t k = 0; k < 30000 && !found; k++) {
        struct pool pool;
        struct terms terms;
        struct arena mem = {0};
        struct err err = {0};
        uint32_t rank[8];
        int64_t value[16], *map[16];
        enum elem elem[8];
        term_id lhs, rhs;
        bool holds = true;
        for (uint32_t c = 0; c < rule->n_classes; c++)
            rank[c] = 1;
        for (uint32_t m = 0; m < rule->n_maps; m++) {
            value[m] = rng_range(rng, -2, 6);
            map[m] = &value[m];
        }
        for (uint32_t t = 0; t < rule->n_types; t++)
            elem[t] = ELEM_I32;
        pool_init(&pool);
        terms_init(&terms, &pool);
        struct ground ground = {.rank = rank, .map = map, .elem = elem};
        enum ground_status status =
            rule_ground(&rest, &ground, (struct ground_place){&terms, NULL, &mem},
                        (struct ground_out){NULL, &lhs, &rhs, NULL}, &err);
        if (status != GROUND_PRE_FALSE && status != GROUND_LHS_INVALID)
            found = !cond_eval(rule->wheres[w].cond, map, 0, &holds) || !holds;
        terms_release(&terms);
        pool_release(&pool);
        arena_release(&mem);
    }
    free(wheres);
    return found;
}

// What the prover says of preconditions, against all small values.
static void implied(void **state)
{
    static const struct {
        const char *where;
        bool all; // what stands there is implied
    } cases[] = {
        {"0 <= s", true},         {"0 < s", false},          {"s <= e", true},
        {"s < e", false},         {"e <= n", true},          {"e < n", false},
        {"0 <= n", true},         {"p >= 1", true},          {"p != 0", true},
        {"p >= 2", false},        {"e - s <= n", true},      {"e - s <= n - 1", false},
        {"s*s >= 0", true},       {"s*p >= s", true},        {"s*p <= e", false},
        {"mod(s, p) < p", true},  {"mod(e, p) == 0", false}, {"s <= e or e == 7", true},
        {"max(s, e) == e", true}, {"div(s, p) <= s", true},
    };
    struct ruleset set;
    struct rng rng;
    (void)state;
    rng_seed(&rng, 4);
    ruleset_init(&set);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena mem = {0};
        const char *why;
        char body[512];
        snprintf(body, sizeof body,
                 "axes x; map n, s, e, p on x; tensor A[x: n] : any; where %s; "
                 "slice(A, start=s, limit=e, stride=p) => "
                 "reverse(reverse(slice(A, start=s, limit=e, stride=p), {x}), "
                 "{x});",
                 cases[i].where);
        const struct rule *rule = one(&set, body);
        enum implied a = implied_where(rule, 0, &mem, &why);
        bool wrong = exception(rule, 0, &rng);
        if (wrong == cases[i].all)
            fail_msg("the case itself: %s", cases[i].where);
        if (a == IMPLIED_YES && wrong)
            fail_msg("not implied: %s", cases[i].where);
        if (a == IMPLIED_NO && cases[i].all)
            fail_msg("implied: %s", cases[i].where);
        if (a == IMPLIED_UNKNOWN)
            fail_msg("no answer: %s: %s", cases[i].where, why);
        assert_int_equal(implied_nothing(rule, 0, &mem, &why), IMPLIED_NO);
        arena_release(&mem);
    }
    ruleset_release(&set);
}

static void nothing(void **state)
{
    static const char *const never[] = {"n < 0",  "e < s",   "s > 3, e <= 3",
                                        "p == 0", "p*p < p", "s*s == 2"};
    static const char *const some[] = {"n <= 0", "e <= s",   "s > 3, e <= 4",
                                       "p == 1", "p*p <= p", "s*s == 4"};
    struct ruleset set;
    (void)state;
    ruleset_init(&set);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        for (int yes = 0; yes < 2; yes++) {
            struct arena mem = {0};
            const char *why;
            char body[512];
            snprintf(body, sizeof body,
                     "axes x; map n, s, e, p on x; tensor A[x: n] : any; "
                     "where %s; slice(A, start=s, limit=e, stride=p) => "
                     "reverse(slice(A, start=s, limit=e, stride=p), {x});",
                     yes ? never[i] : some[i]);
            enum implied a = implied_nothing(one(&set, body), 0, &mem, &why);
            // That 2 is no square it need not know; but never the opposite.
            if (yes ? a == IMPLIED_NO || (a != IMPLIED_YES && i < 5) : a != IMPLIED_NO)
                fail_msg("%s: %d %s", yes ? never[i] : some[i], (int)a, why);
            arena_release(&mem);
        }
    ruleset_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples), cmocka_unit_test(generic), cmocka_unit_test(steps),
        cmocka_unit_test(places),  cmocka_unit_test(implied), cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
