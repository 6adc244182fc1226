// SPDX-License-Identifier: Apache-2.0
#include "api/rules/report.h"

#include "rules/describe/describe.h"
#include "verify/counterexample/search.h"
#include "verify/prove.h"

struct rw_report *report_new(void)
{
    return mem_alloc(sizeof(struct rw_report));
}

void rw_report_free(struct rw_report *report)
{
    if (report == NULL)
        return;
    for (uint32_t i = 0; i < report->stored.len; i++)
        stored_rules_release(&report->stored.at[i]);
    for (uint32_t i = 0; i < report->reports.len; i++)
        report_release(&report->reports.at[i]);
    vec_release(&report->stored);
    vec_release(&report->reports);
    vec_release(&report->rules);
    arena_release(&report->mem);
    mem_free(report);
}

size_t rw_report_count(const struct rw_report *report)
{
    return report->rules.len;
}

const struct rw_rule *rw_report_rule(const struct rw_report *report, size_t index)
{
    return report->rules.at[index];
}

const struct rw_proving *rw_report_proving(const struct rw_report *report)
{
    return &report->proving;
}

void report_add_stored(struct rw_report *report, struct stored_rules *rows)
{
    vec_push(&report->stored, *rows);
    for (uint32_t i = 0; i < rows->rules.len; i++)
        vec_push(&report->rules, view_of_stored(&rows->rules.at[i], &report->mem));
    *rows = (struct stored_rules){0};
}

void report_add_proof(struct rw_report *report, const struct rule *rule, struct report *proof)
{
    struct rw_rule *view = view_of_rule(rule, &report->mem);
    vec_push(&report->reports, *proof);
    view_add_report(view, &vec_last(&report->reports), &report->mem);
    vec_push(&report->rules, view);
    *proof = (struct report){0};
}

// ---- facts from a rule's text

typedef void describe(const struct rule *rule, struct buf *out);

static char *described(const struct rw_rule *rule, describe *put, struct rw_error *error)
{
    struct ruleset set;
    struct err err = {0};
    struct buf text = {0};
    ruleset_init(&set);
    const struct rule *parsed = ruleset_add(&set, rule->source, rule->name, &err);
    if (parsed != NULL)
        put(parsed, &text);
    else
        error_give(&err, error);
    ruleset_release(&set);
    return parsed != NULL ? text_give(&text) : NULL;
}

char *rw_rule_meaning(const struct rw_rule *rule, struct rw_error *error)
{
    return described(rule, rule_meaning, error);
}

char *rw_rule_not_judged(const struct rw_rule *rule, struct rw_error *error)
{
    return described(rule, rule_not_judged, error);
}

static void put_smt2(const struct rule *rule, struct buf *out)
{
    struct report report = {0};
    struct prove_options options = {.no_search = true, .smt2 = out};
    (void)prove_rule(rule, &options, &report);
    report_release(&report);
}

char *rw_rule_smt2(const struct rw_rule *rule, struct rw_error *error)
{
    return described(rule, put_smt2, error);
}

char *rw_counterexample_sides(const struct rw_rule *rule, const struct rw_verdict *verdict,
                              struct rw_error *error)
{
    struct ruleset set;
    struct err err = {0};
    struct buf text = {0};
    ruleset_init(&set);
    const struct rule *parsed = ruleset_add(&set, rule->source, rule->name, &err);
    bool ok = parsed != NULL &&
              (verdict->counterexample != NULL ||
               err_set(&err, ERR_USAGE, "the verdict has no counterexample")) &&
              cex_sides(parsed, verdict->counterexample, &text, &err);
    ruleset_release(&set);
    if (ok)
        return text_give(&text);
    buf_release(&text);
    error_give(&err, error);
    return NULL;
}
