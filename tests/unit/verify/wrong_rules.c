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

static const char *path = "tests/wrong";

static void check_refuted(const struct rule *r, const struct domain_report *d)
{
    struct err e = {0};
    if (d->verdict != VERDICT_REFUTED)
        fail_msg("%s: %s is %s in %s: %s", r->file, r->name,
                 verdict_text(d->verdict), domain_text(d->domain),
                 d->reason != NULL ? d->reason : "");
    assert_non_null(d->counterexample);
    if (!cex_replay(r, d->domain, d->counterexample, &e))
        fail_msg("%s in %s: %s\n%s", r->name, domain_text(d->domain), e.msg,
                 d->counterexample);
    json_t *j = json_loads(d->counterexample, 0, NULL);
    const char *text = json_string_value(json_object_get(j, "text"));
    assert_non_null(text);
    assert_null(strchr(text, '\n'));
    json_decref(j);
}

static void check_rule(const struct rule *r)
{
    struct prove_options o = {
        .domains = r->claims, .seed = 1, .cross_check = true};
    struct report rep = {0};
    unsigned seen = 0;
    if (!prove_rule(r, &o, &rep))
        fail_msg("%s: %s", r->name, REASON_DISAGREE);
    for (uint32_t i = 0; i < rep.domains.len; i++) {
        check_refuted(r, &rep.domains.at[i]);
        assert_true(rep.domains.at[i].claimed);
        seen |= 1u << rep.domains.at[i].domain;
    }
    assert_int_equal(seen, r->claims);
    report_release(&rep);
}

// The claim lists are exact: elsewhere a search finds nothing.
static void check_unclaimed(const struct rule *r)
{
    unsigned other = rule_domains(r) & ~r->claims;
    for (unsigned d = 0; d < N_DOMAINS; d++) {
        struct arena mem = {0};
        struct rng rng;
        struct cex_budget b = cex_budget_quick();
        b.seconds = 600; // a busy machine
        const char *json;
        if (!(other >> d & 1))
            continue;
        rng_seed(&rng, 1);
        if (cex_search(r, (enum domain)d, NULL, 0, &b, &rng, &mem, &json))
            fail_msg("%s is false in %s too: %s", r->name,
                     domain_text((enum domain)d), json);
        arena_release(&mem);
    }
}

static void test_wrong_rules(void **state)
{
    (void)state;
    struct ruleset s;
    struct err_list errs = {0};
    ruleset_init(&s);
    if (!ruleset_load(&s, path, &errs))
        fail_msg("%s:%u:%u: %s", errs.at.at[0].file, errs.at.at[0].line,
                 errs.at.at[0].col, errs.at.at[0].msg);
    assert_true(s.rules.len >= LEAST_RULES);
    for (uint32_t i = 0; i < s.rules.len; i++) {
        const struct rule *r = s.rules.at[i];
        assert_true(r->claims != 0);
        assert_true(r->doc[0] != '\0');
        check_rule(r);
        check_unclaimed(r);
    }
    vec_release(&errs.at);
    ruleset_release(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong_rules)};
    if (argc > 1)
        path = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
