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

static void load(struct ruleset *s, const char *path)
{
    struct err_list errs = {0};
    if (!ruleset_load(s, path, &errs))
        fail_msg("%s: %s", path, errs.at.at[0].msg);
    vec_release(&errs.at);
}

static const struct rule *one(struct ruleset *s, const char *body)
{
    struct err e = {0};
    struct buf text = {0};
    buf_printf(&text, "rule _ { %s }", body);
    const struct rule *r = ruleset_add(s, buf_text(&text), "test", &e);
    if (r == NULL)
        fail_msg("%s: %s", body, e.msg);
    buf_release(&text);
    return r;
}

struct site {
    struct pool pool;
    struct terms terms;
    struct arena mem;
    struct sample at;
};

static bool site_make(struct site *s, const struct sampler *from, enum domain d,
                      uint32_t k, struct rng *rng)
{
    struct err e = {0};
    *s = (struct site){.at = {.in = NULL}};
    pool_init(&s->pool);
    terms_init(&s->terms, &s->pool);
    return sample_make(from, d, k, &s->terms, rng, &s->mem, &s->at, &e);
}

static void site_free(struct site *s)
{
    terms_release(&s->terms);
    pool_release(&s->pool);
    arena_release(&s->mem);
}

// Instances of library rules: what they promise, and that little coincides.
static void samples(void **state)
{
    struct ruleset s;
    struct rng rng;
    uint32_t made = 0, edges = 0, none = 0, degenerate = 0;
    (void)state;
    rng_seed(&rng, 1);
    ruleset_init(&s);
    load(&s, "rules/library/slice.rw");
    load(&s, "rules/library/pad.rw");
    for (uint32_t i = 0; i < s.rules.len; i++) {
        const struct rule *r = s.rules.at[i];
        struct arena mem = {0};
        const struct sampler *from = sampler_new(r, 3000, &rng, &mem);
        for (uint32_t k = 0; k < 8; k++) {
            struct site at;
            uint32_t number = k < 4 ? k : SAMPLE_EDGES + k - 4, which;
            if (!(r->claims >> DOMAIN_WORD & 1))
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
    print_message("%u instances, %u edges, %u none, %u degenerate\n", made,
                  edges, none, degenerate);
    assert_true(made > 100 && edges > 60);
    assert_true(none <= made / 50);
    assert_true(degenerate <= s.rules.len / 20);
    ruleset_release(&s);
}

// Steps of a rule that is false at odd attributes only.
static void generic(void **state)
{
    struct ruleset s;
    struct rng rng;
    struct arena mem = {0};
    struct site at;
    (void)state;
    rng_seed(&rng, 3);
    ruleset_init(&s);
    const struct rule *r =
        one(&s, "axes x; map n, s, e, t, f on x; tensor A[x: n] : any; "
                "slice(slice(A, start=s, limit=e), start=t, limit=f) => "
                "slice(A, start=s+t, limit=s+f);");
    const struct sampler *from = sampler_new(r, 3000, &rng, &mem);
    for (uint32_t k = 0; k < 2; k++) {
        assert_true(site_make(&at, from, DOMAIN_WORD, k, &rng));
        for (uint32_t m = 1; m < 5; m++)
            for (uint32_t j = 0; j < m; j++)
                assert_true(at.at.in->map[m][0] != at.at.in->map[j][0]);
        assert_int_equal(at.at.in->rank[0], k + 1);
        site_free(&at);
    }
    arena_release(&mem);
    ruleset_release(&s);
}

static bool evaluate(struct site *s, const term_id *two, struct rng *rng,
                     bool *same)
{
    struct value params[32] = {{{0}, NULL}}, v[2];
    struct err e = {0};
    int64_t at;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->terms.term.len; i++) {
        const struct term *x = term_at(&s->terms, (term_id){i});
        if (x->op != OP_PARAMETER)
            continue;
        uint32_t k = (uint32_t)attr_at(&s->pool, x->attr)[1];
        assert_true(k < 32);
        params[k] = value_random(&s->pool, x->type, rng, false, &s->mem);
        n = k + 1 > n ? k + 1 : n;
    }
    if (!eval_terms(&s->terms, 2, two, n, params, &s->mem, v, &e))
        return false;
    *same = value_same(&s->pool, &v[0], &v[1], 0, &at);
    return true;
}

static bool small(const struct site *s, term_id t)
{
    struct u32_vec ids = {0};
    bool ok = true;
    terms_reach(&s->terms, 1, &t, &ids);
    for (uint32_t i = 0; i < ids.len; i++)
        ok = ok &&
             type_count(&s->pool, term_type(&s->terms, (term_id){ids.at[i]})) <
                 20000;
    vec_release(&ids);
    return ok;
}

// Steps by proved rules change no value.
static void steps(void **state)
{
    static const char *const files[] = {
        "rules/library/slice.rw",   "rules/library/pad.rw",
        "rules/library/reverse.rw", "rules/library/broadcast.rw",
        "rules/library/concat.rw",  "rules/library/relabel.rw",
        "rules/library/reshape.rw", "rules/library/select.rw",
        "rules/library/mul.rw",     "rules/library/max.rw",
        "rules/library/compare.rw"};
    struct ruleset s;
    struct rewriter w;
    struct rng rng;
    uint32_t compared = 0, whole = 0;
    step_vec out = {0};
    (void)state;
    rng_seed(&rng, 2);
    ruleset_init(&s);
    rewriter_init(&w);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        load(&s, files[i]);
    for (uint32_t i = 0; i < s.rules.len; i++)
        rewriter_add(
            &w, s.rules.at[i],
            (struct rule_status){.proved = s.rules.at[i]->claims,
                                 .uninterpreted = rule_only_moves(s.rules.at[i])
                                                      ? s.rules.at[i]->claims
                                                      : 0});
    for (uint32_t i = 0; i < s.rules.len; i++) {
        const struct rule *r = s.rules.at[i];
        struct arena mem = {0};
        struct site at;
        if (!(r->claims >> DOMAIN_WORD & 1))
            continue;
        const struct sampler *from = sampler_new(r, 1000, &rng, &mem);
        w.whole = i % 2;
        bool made = site_make(&at, from, DOMAIN_WORD, i % 3, &rng);
        if (made && at.at.status == GROUND_OK && small(&at, at.at.lhs)) {
            rewrite_steps(&w, &at.terms, at.at.lhs, DOMAIN_REAL, UINT32_MAX,
                          &out);
            for (uint32_t k = 0; k < out.len; k++) {
                term_id two[] = {at.at.lhs, out.at[k].term};
                bool same = false;
                assert_true(two[0].v != two[1].v);
                if (!small(&at, two[1]) || !evaluate(&at, two, &rng, &same))
                    continue;
                if (!same)
                    fail_msg("%s at %s", s.rules.at[out.at[k].rule]->name,
                             r->name);
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
    rewriter_release(&w);
    ruleset_release(&s);
}

// A step inside replaces all uses, and `only` is kept.
static void places(void **state)
{
    struct ruleset s;
    struct rewriter w;
    struct rng rng;
    struct arena mem = {0};
    struct site at;
    step_vec out = {0};
    (void)state;
    rng_seed(&rng, 5);
    ruleset_init(&s);
    rewriter_init(&w);
    const struct rule *twice =
        one(&s, "axes x; map n on x; tensor A[x: n] : num; -(-A) => A;");
    const struct rule *comm =
        one(&s, "axes x; map n on x; tensor A[x: n] : num,"
                " B[x: n] : num; A + B => B + A;");
    const struct rule *big =
        one(&s, "axes x; map n on x; tensor A[x: n] : num, B[x: n] : num; "
                "-(-A) * (-(-A) + B) => A * (A + B);");
    struct rule_status all = {.proved = comm->claims};
    rewriter_add(&w, twice, all);
    rewriter_add(&w, comm, all);
    const struct sampler *from = sampler_new(big, 1000, &rng, &mem);
    assert_true(site_make(&at, from, DOMAIN_WORD, 0, &rng));
    rewrite_steps(&w, &at.terms, at.at.lhs, DOMAIN_REAL, 0, &out);
    assert_int_equal(out.len, 1);
    assert_int_equal(out.at[0].term.v, at.at.rhs.v);
    assert_false(out.at[0].root);
    rewrite_steps(&w, &at.terms, at.at.lhs, DOMAIN_REAL, UINT32_MAX, &out);
    assert_int_equal(out.len, 2);
    w.rule.at[0].off = true;
    rewrite_steps(&w, &at.terms, at.at.lhs, DOMAIN_REAL, UINT32_MAX, &out);
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
    rewriter_release(&w);
    arena_release(&mem);
    ruleset_release(&s);
}

// Is there an axis, of small values, where all but precondition `w` hold, the
// left side is well-defined, and w does not hold?
static bool exception(const struct rule *r, uint32_t w, struct rng *rng)
{
    struct rule rest = *r;
    struct where *wheres = calloc(r->n_wheres + 1, sizeof *wheres);
    bool found = false;
    rest.n_wheres = 0;
    for (uint32_t i = 0; i < r->n_wheres; i++)
        if (i != w)
            wheres[rest.n_wheres++] = r->wheres[i];
    rest.wheres = wheres;
    for (uint32_t k = 0; k < 30000 && !found; k++) {
        struct pool pool;
        struct terms terms;
        struct arena mem = {0};
        struct err e = {0};
        uint32_t rank[8];
        int64_t value[16], *map[16];
        enum elem elem[8];
        term_id lhs, rhs;
        bool holds = true;
        for (uint32_t c = 0; c < r->n_classes; c++)
            rank[c] = 1;
        for (uint32_t m = 0; m < r->n_maps; m++) {
            value[m] = rng_range(rng, -2, 6);
            map[m] = &value[m];
        }
        for (uint32_t t = 0; t < r->n_types; t++)
            elem[t] = ELEM_I32;
        pool_init(&pool);
        terms_init(&terms, &pool);
        struct ground g = {.rank = rank, .map = map, .elem = elem};
        enum ground_status s = rule_ground(&rest, &g, &terms, NULL, &mem, NULL,
                                           &lhs, &rhs, NULL, &e);
        if (s != GROUND_PRE_FALSE && s != GROUND_LHS_INVALID)
            found = !cond_eval(r->wheres[w].cond, map, 0, &holds) || !holds;
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
        {"0 <= s", true},          {"0 < s", false},
        {"s <= e", true},          {"s < e", false},
        {"e <= n", true},          {"e < n", false},
        {"0 <= n", true},          {"p >= 1", true},
        {"p != 0", true},          {"p >= 2", false},
        {"e - s <= n", true},      {"e - s <= n - 1", false},
        {"s*s >= 0", true},        {"s*p >= s", true},
        {"s*p <= e", false},       {"mod(s, p) < p", true},
        {"mod(e, p) == 0", false}, {"s <= e or e == 7", true},
        {"max(s, e) == e", true},  {"div(s, p) <= s", true},
    };
    struct ruleset s;
    struct rng rng;
    (void)state;
    rng_seed(&rng, 4);
    ruleset_init(&s);
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
        const struct rule *r = one(&s, body);
        enum implied a = implied_where(r, 0, &mem, &why);
        bool wrong = exception(r, 0, &rng);
        if (wrong == cases[i].all)
            fail_msg("the case itself: %s", cases[i].where);
        if (a == IMPLIED_YES && wrong)
            fail_msg("not implied: %s", cases[i].where);
        if (a == IMPLIED_NO && cases[i].all)
            fail_msg("implied: %s", cases[i].where);
        if (a == IMPLIED_UNKNOWN)
            fail_msg("no answer: %s: %s", cases[i].where, why);
        assert_int_equal(implied_nothing(r, 0, &mem, &why), IMPLIED_NO);
        arena_release(&mem);
    }
    ruleset_release(&s);
}

static void nothing(void **state)
{
    static const char *const never[] = {"n < 0",  "e < s",   "s > 3, e <= 3",
                                        "p == 0", "p*p < p", "s*s == 2"};
    static const char *const some[] = {"n <= 0", "e <= s",   "s > 3, e <= 4",
                                       "p == 1", "p*p <= p", "s*s == 4"};
    struct ruleset s;
    (void)state;
    ruleset_init(&s);
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
            enum implied a = implied_nothing(one(&s, body), 0, &mem, &why);
            // That 2 is no square it need not know; but never the opposite.
            if (yes ? a == IMPLIED_NO || (a != IMPLIED_YES && i < 5)
                    : a != IMPLIED_NO)
                fail_msg("%s: %d %s", yes ? never[i] : some[i], (int)a, why);
            arena_release(&mem);
        }
    ruleset_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples), cmocka_unit_test(generic),
        cmocka_unit_test(steps),   cmocka_unit_test(places),
        cmocka_unit_test(implied), cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
