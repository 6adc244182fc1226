// SPDX-License-Identifier: Apache-2.0
// The AND-closure against the rank-bounded method, against concrete values,
// and on rules that first fail at a known rank.
#include "verify/ranks/closure.h"
#include "base/rng.h"
#include "verify/decide.h"
#include "verify/counterexample/search.h"
#include "verify/symbolic/eval.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void load(struct ruleset *set, const char *path, const char *text)
{
    struct err_list errs = {0};
    bool ok = path != NULL ? ruleset_load(set, path, &errs)
                           : ruleset_parse(set, text, strlen(text), "test.rw", &errs);
    if (!ok)
        fail_msg("%s:%u: %s", errs.at.at[0].file, errs.at.at[0].line, errs.at.at[0].msg);
    vec_release(&errs.at);
}

static void decide(const struct rule *rule, enum rank_method how, unsigned domains,
                   struct hints *hints, struct report *rep)
{
    struct decide_options options = {.lifting = how, .domains = domains, .hints = hints};
    decide_rule(rule, &options, rep);
}

// ---- the two methods

// The closure takes seconds here: its truth vectors are hard to refute.
static bool is_slow(const struct rule *rule)
{
    return strcmp(rule->name, "pad_of_pad") == 0;
}

// Rules proved by both; fails where they contradict each other.
static uint32_t compare(const char *path)
{
    const unsigned some = 1U << DOMAIN_BOOL | 1U << DOMAIN_INT;
    struct ruleset set;
    uint32_t both = 0;
    ruleset_init(&set);
    load(&set, path, NULL);
    for (uint32_t i = 0; i < set.rules.len; i++) {
        struct report rep = {0};
        unsigned mask = rule_domains(set.rules.at[i]) & some;
        bool proved = false;
        if (mask == 0)
            mask = rule_domains(set.rules.at[i]) & 1U << DOMAIN_FLOAT;
        if (mask != 0 && !is_slow(set.rules.at[i]))
            decide(set.rules.at[i], RANK_METHOD_BOTH, mask, NULL, &rep);
        for (uint32_t k = 0; k < rep.domains.len; k++) {
            const struct domain_report *report = &rep.domains.at[k];
            if (strcmp(report->reason, REASON_METHODS) == 0)
                fail_msg("%s: %s", set.rules.at[i]->name, report->reason);
            proved |= report->verdict == VERDICT_PROVED &&
                      strcmp(report->method, "rank-bounded, and-closure") == 0;
        }
        both += proved;
        report_release(&rep);
    }
    ruleset_release(&set);
    return both;
}

static void test_methods_agree(void **state)
{
    (void)state;
    static const char *const path[] = {
        "rules/library/movement/broadcast.rw",     "rules/library/movement/concat.rw",
        "rules/library/movement/dynamic_slice.rw", "rules/library/movement/reshape.rw",
        "rules/library/movement/iota.rw",          "rules/library/elementwise/max.rw",
        "rules/library/movement/pad.rw",           "rules/library/movement/relabel.rw",
        "rules/library/movement/reverse.rw",       "rules/library/elementwise/select.rw",
        "rules/library/movement/slice.rw"};
    uint32_t n = 0;
    for (size_t i = 0; i < sizeof path / sizeof path[0]; i++)
        n += compare(path[i]);
    print_message("%u rules of the library proved by both methods\n", n);
    assert_true(n >= 120);
    (void)compare("tests/rules/small.rw");
}

// Neither method proves a false rule.
static void test_wrong_rules(void **state)
{
    (void)state;
    struct ruleset set;
    ruleset_init(&set);
    load(&set, "tests/wrong", NULL);
    for (uint32_t i = 0; i < set.rules.len; i++) {
        const struct rule *rule = set.rules.at[i];
        struct report rep = {0};
        unsigned mask = rule->claims & ~(1U << DOMAIN_FLOAT); // slow
        // Proofs of false rules about windows fail after a long time.
        struct decide_options options = {.lifting = RANK_METHOD_CLOSURE,
                                         .domains = mask,
                                         .rlimit = cex_is_wide(rule) ? 50000 : 300000};
        if (mask != 0)
            decide_rule(rule, &options, &rep);
        for (uint32_t k = 0; k < rep.domains.len; k++)
            if (rep.domains.at[k].verdict == VERDICT_PROVED)
                fail_msg("%s is proved in %s", rule->name, domain_text(rep.domains.at[k].domain));
        report_release(&rep);
    }
    ruleset_release(&set);
}

// ---- the smallest rank at which a rule fails

static const char ranks_text[] =
    "/// True at ranks 0 and 1.\n"
    "rule two_boxes { axes x; map a, b on x; scalar u : num, v : num;\n"
    "  where 0 <= a, 0 <= b, all(v <= u);\n"
    "  max(pad(broadcast(u, {x: a}), v, high=b),\n"
    "      pad(broadcast(u, {x: b}), v, low=a)) => broadcast(u, {x: a+b}); }\n"
    "/// True at rank 1, false at 2 (and at 0, which it does not speak of).\n"
    "rule corner { axes x rank >= 1; map a, b on x; scalar u : num, v : num;\n"
    "  where 0 <= b, all(u > v);\n"
    "  pad(broadcast(u, {x: a}), v, high=b)\n"
    "    => u + v - pad(broadcast(u, {x: b}), v, low=a); }\n"
    "/// False at rank 0 only.\n"
    "rule cut { axes x; map n, l on x; tensor A[x: n] : T; scalar v : T;\n"
    "  where l >= 1;\n"
    "  slice(pad(A, v, low=l), limit=l) => broadcast(v, {x: l}); }\n"
    "/// One element, where it always stands.\n"
    "rule two_reads { axes x; map n, k on x; tensor A[x: n] : T;\n"
    "  scalar v : T; where n == 1, k == 0;\n"
    "  pad(A, v, low=k) => pad(A, v, high=k, interior=1); }\n"
    "/// Two reads at one place or at two.\n"
    "rule apart { axes x; map n, k on x; tensor A[x: n] : num;\n"
    "  scalar v : num; where n == 1, 0 <= k, k <= 1;\n"
    "  pad(A, v, low=k, high=1-k) * pad(A, v, low=1-k, high=k)\n"
    "    => pad(A * v, v * v, low=k, high=1-k); }\n"
    "/// True at every rank from 1.\n"
    "rule cut_some { axes x rank >= 1; map n, l on x; tensor A[x: n] : T;\n"
    "  scalar v : T; where l >= 1;\n"
    "  slice(pad(A, v, low=l), limit=l) => broadcast(v, {x: l}); }\n"
    "/// y is not what decides.\n"
    "rule cut_two { axes x, y; map n, l on x; map m on y;\n"
    "  tensor A[x: n, y: m] : T; scalar v : T; where l >= 1;\n"
    "  slice(pad(A, v, low={x: l}), limit={x: l})\n"
    "    => broadcast(v, {x: l, y: m}); }\n";

static void expect_rank(const struct rule *rule, int rank)
{
    struct report rep = {0};
    struct hints hints = {{0}};
    decide(rule, RANK_METHOD_CLOSURE, 1U << DOMAIN_INT, &hints, &rep);
    const struct domain_report *report = &rep.domains.at[0];
    assert_int_equal(rep.domains.len, 1);
    if (rank < 0) {
        if (report->verdict != VERDICT_PROVED)
            fail_msg("%s: %s", rule->name, report->reason);
        assert_string_equal(report->method, "and-closure");
    } else {
        assert_int_equal(report->verdict, VERDICT_UNKNOWN);
        assert_true(hints.at.len > 0);
        if (vec_last(&hints.at).rank[0] != (uint32_t)rank)
            fail_msg("%s: rank %u, not %d: %s", rule->name, vec_last(&hints.at).rank[0], rank,
                     report->reason);
    }
    hints_release(&hints);
    report_release(&rep);
}

static void test_smallest_rank(void **state)
{
    (void)state;
    static const int rank[] = {2, 2, 0, -1, 0, -1, 0};
    struct ruleset set;
    ruleset_init(&set);
    load(&set, NULL, ranks_text);
    assert_int_equal(set.rules.len, sizeof rank / sizeof rank[0]);
    for (uint32_t i = 0; i < set.rules.len; i++)
        expect_rank(set.rules.at[i], rank[i]);
    ruleset_release(&set);
}

// The countermodel of a false rule is exact, so that a proof of it by the other
// method would be noticed (D3).
static void test_countermodel_is_exact(void **state)
{
    (void)state;
    struct ruleset set;
    uint32_t exact = 0;
    ruleset_init(&set);
    load(&set, NULL, ranks_text);
    for (uint32_t i = 0; i < set.rules.len; i++) {
        struct session one;
        struct arena mem = {0};
        struct closure closure;
        struct decide_options options = {.rlimit = 0};
        bool certain = false;
        session_init(&one, set.rules.at[i], &options, &mem);
        closure_init(&closure, &one);
        assert_null(closure.failure);
        bool proved = closure_prove(&closure, RUNG_UNINTERPRETED, -1, ~0U, &certain);
        assert_false(proved && certain);
        exact += certain;
        closure_release(&closure);
        session_release(&one);
        arena_release(&mem);
    }
    assert_true(exact >= 3);
    ruleset_release(&set);
}

// ---- C1: every vector that occurs is in the closure

// Random values of the integers of one axis that meet its hypotheses.
static bool random_axis(struct closure *closure, uint32_t family, struct rng *rng,
                        struct i64_vec *value)
{
    struct exprs *exprs = &closure->session->exprs;
    vec_clear(value);
    for (uint32_t i = 0; i < exprs->var.len; i++)
        vec_push(value, rng_range(rng, -1, 4));
    struct eval_env env = {.exprs = exprs, .value = value->at, .n_values = value->len};
    const struct u32_vec *list = &closure->template.hyps[family];
    bool ok = true;
    for (uint32_t i = 0; i < list->len && ok; i++) {
        bool truth = false;
        ok = eval_truth(&env, list->at[i], &truth) && truth;
    }
    return ok;
}

static uint64_t bits_of(struct closure *closure, uint32_t family, const struct i64_vec *value)
{
    struct eval_env env = {
        .exprs = &closure->session->exprs, .value = value->at, .n_values = value->len};
    uint64_t bits = 0;
    for (uint32_t i = 0; i < closure->n_bits; i++) {
        bool truth = false;
        assert_true(eval_truth(&env, closure_bit(closure, i, family), &truth));
        bits |= (uint64_t)truth << i;
    }
    return bits;
}

// Returns how many vectors of one axis were tried.
static uint32_t try_rule(const struct rule *rule, struct rng *rng)
{
    struct session session;
    struct arena mem = {0};
    struct closure closure;
    struct decide_options options = {.rlimit = 0};
    struct i64_vec value = {0};
    uint64_t found[64][40];
    uint32_t n[64] = {0}, tried = 0;
    session_init(&session, rule, &options, &mem);
    closure_init(&closure, &session);
    for (uint32_t f = 0; closure.failure == NULL && f < rule->n_classes; f++)
        for (int k = 0; (closure.template.many >> f & 1) && k < 3000 && n[f] < 40; k++)
            if (random_axis(&closure, f, rng, &value))
                found[f][n[f]++] = bits_of(&closure, f, &value);
    for (int k = 0; k < 200 && closure.failure == NULL; k++) {
        uint64_t bits = (UINT64_C(1) << closure.n_bits) - 1;
        bool known = false;
        for (uint32_t f = 0; f < rule->n_classes; f++) {
            uint32_t rank = rule->classes[f].least_rank;
            rank += (uint32_t)rng_range(rng, 0, 3);
            for (uint32_t a = 0; a < rank && n[f] > 0; a++, tried++)
                bits &= found[f][rng_range(rng, 0, n[f] - 1)];
        }
        for (uint32_t i = closure.first; i < closure.all.len && !known; i++)
            known = closure.all.at[i].bits == bits;
        if (!known && rule->classes[0].least_rank == 0)
            fail_msg("%s: a truth vector is missing", rule->name);
    }
    vec_release(&value);
    closure_release(&closure);
    session_release(&session);
    arena_release(&mem);
    return tried;
}

static void test_nothing_missing(void **state)
{
    (void)state;
    struct ruleset set;
    struct rng rng;
    uint32_t tried = 0;
    rng_seed(&rng, 1);
    ruleset_init(&set);
    load(&set, NULL, ranks_text);
    load(&set, "rules/library/movement/pad.rw", NULL);
    load(&set, "rules/library/movement/slice.rw", NULL);
    for (uint32_t i = 0; i < set.rules.len; i++)
        if (!is_slow(set.rules.at[i]))
            tried += try_rule(set.rules.at[i], &rng);
    print_message("%u axes\n", tried);
    assert_true(tried > 5000);
    ruleset_release(&set);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods_agree),   cmocka_unit_test(test_wrong_rules),
        cmocka_unit_test(test_smallest_rank),   cmocka_unit_test(test_countermodel_is_exact),
        cmocka_unit_test(test_nothing_missing),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
