// SPDX-License-Identifier: Apache-2.0
// tests/wrong/*.rw: every rule is refuted, by a counterexample that replays,
// in each domain it claims, and in no other; none is ever proved there.
// Run in the root of the repository; argv[1] may name another folder or file.
#include "verify/counterexample/search.h"
#include "verify/prove.h"
#include <setjmp.h>
#include <stdarg.h>
#include <jansson.h>
#include <cmocka.h>

#define LEAST_RULES 48
#define WIDE_STEPS 50000
#define FALSE_STEPS 300000

static const char *path = "tests/wrong";

static void check_refuted(const struct rule *rule, const struct domain_report *report)
{
    struct err err = {0};
    if (report->verdict != VERDICT_REFUTED)
        fail_msg("%s: %s is %s in %s: %s", rule->file, rule->name, verdict_text(report->verdict),
                 domain_text(report->domain), report->reason != NULL ? report->reason : "");
    assert_non_null(report->counterexample);
    if (!cex_replay(rule, report->domain, report->counterexample, &err))
        fail_msg("%s in %s: %s\n%s", rule->name, domain_text(report->domain), err.msg,
                 report->counterexample);
    json_t *j = json_loads(report->counterexample, 0, NULL);
    const char *text = json_string_value(json_object_get(j, "text"));
    assert_non_null(text);
    assert_null(strchr(text, '\n'));
    json_decref(j);
}

static void check_rule(const struct rule *rule)
{
    struct prove_options options = {.domains = rule->claims, .seed = 1, .cross_check = true};
    // Their proofs would fail after a long time.
    options.rlimit = cex_is_wide(rule) ? WIDE_STEPS : FALSE_STEPS;
    struct report rep = {0};
    unsigned seen = 0;
    if (!prove_rule(rule, &options, &rep))
        fail_msg("%s: %s", rule->name, REASON_DISAGREE);
    for (uint32_t i = 0; i < rep.domains.len; i++) {
        check_refuted(rule, &rep.domains.at[i]);
        assert_true(rep.domains.at[i].claimed);
        seen |= 1u << rep.domains.at[i].domain;
    }
    assert_int_equal(seen, rule->claims);
    report_release(&rep);
}

// The claim lists are exact: in other domains a search finds nothing.
static void check_unclaimed(const struct rule *rule)
{
    unsigned other = rule_domains(rule) & ~rule->claims;
    for (unsigned d = 0; d < N_DOMAINS; d++) {
        struct arena mem = {0};
        struct rng rng;
        struct cex_budget budget = cex_budget_quick();
        const char *json;
        if (!(other >> d & 1))
            continue;
        rng_seed(&rng, 1);
        if (cex_search(
                &(struct cex_request){rule, (enum domain)d, NULL, 0, &budget, &rng, &mem, false},
                &json))
            fail_msg("%s is false in %s too: %s", rule->name, domain_text((enum domain)d), json);
        arena_release(&mem);
    }
}

static void test_wrong_rules(void **state)
{
    (void)state;
    struct ruleset set;
    struct err_list errs = {0};
    ruleset_init(&set);
    if (!ruleset_load(&set, path, &errs))
        fail_msg("%s:%u:%u: %s", errs.at.at[0].file, errs.at.at[0].line, errs.at.at[0].col,
                 errs.at.at[0].msg);
    assert_true(set.rules.len >= LEAST_RULES);
    for (uint32_t i = 0; i < set.rules.len; i++) {
        const struct rule *rule = set.rules.at[i];
        assert_true(rule->claims != 0);
        assert_true(rule->doc[0] != '\0');
        check_rule(rule);
        check_unclaimed(rule);
    }
    vec_release(&errs.at);
    ruleset_release(&set);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong_rules)};
    if (argc > 1)
        path = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
