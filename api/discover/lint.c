// SPDX-License-Identifier: Apache-2.0
#include "api/discover/findings.h"
#include "api/rules/json.h"
#include "api/rules/rules.h"
#include "discover/lint/lint.h"

static bool read_options(const struct rw_lint_options *options, struct lint_options *out,
                         struct err *err)
{
    struct rw_lint_options from;
    *out = lint_defaults();
    if (!options_copy(options, &from, sizeof from, err))
        return false;
    if (from.domains >> N_DOMAINS != 0)
        return err_at(err, ERR_USAGE, "domains", 0, 0, "no such domain");
    out->domains = from.domains ? from.domains : out->domains;
    out->instances = from.instances ? from.instances : out->instances;
    out->max_states = from.terms ? from.terms : out->max_states;
    out->seed = from.seed;
    out->seconds = from.seconds;
    return true;
}

static void put_json(const struct lint_finding *finding, struct buf *out)
{
    json_t *rules = json_array();
    for (uint32_t i = 0; i < finding->n_rules; i++)
        json_array_append_new(rules, json_string(finding->rules[i]->name));
    json_line(json_pack("{s:s, s:o, s:s, s:s}", "kind", lint_kind_text(finding->kind), "rules",
                        rules, "method", finding->method, "witness", finding->witness),
              out);
}

static void put_text(const struct lint_finding *finding, struct buf *out)
{
    buf_printf(out, "%s:", lint_kind_text(finding->kind));
    for (uint32_t i = 0; i < finding->n_rules; i++)
        buf_printf(out, "%s %s", i ? "," : "", finding->rules[i]->name);
    buf_printf(out, " (%s)\n", finding->method);
    text_indent(finding->witness, out);
}

static void give(const struct lint *lint, struct rw_findings *findings)
{
    struct buf json = {0}, text = {0};
    for (uint32_t i = 0; i < lint->found.len; i++) {
        const struct lint_finding *finding = &lint->found.at[i];
        for (uint32_t k = 0; k < finding->n_rules; k++)
            findings_name(findings, finding->rules[k]->name);
        put_json(finding, &json);
        put_text(finding, &text);
        findings_add(findings, lint_kind_text(finding->kind), &json, &text, NULL);
    }
    buf_release(&json);
    buf_release(&text);
}

static void count(const struct lint *lint, struct rw_findings *findings)
{
    uint32_t undecided = 0;
    for (uint32_t i = 0; i < lint->found.len; i++)
        undecided += lint->found.at[i].kind == LINT_UNDECIDED;
    findings->effort.rules = lint->n_rules;
    findings->effort.ended = lint->out_of_time;
    findings->effort.limited = lint->n_cut > 0;
    json_line(json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "rules", (int)lint->n_rules,
                        "findings", (int)(lint->found.len - undecided), "undecided", (int)undecided,
                        "terms", (int)lint->n_states, "starts", (int)lint->n_starts, "cut",
                        (int)lint->n_cut, "alone", (int)lint->n_alone, "unasked",
                        (int)lint->n_unasked),
              &findings->counts);
    context_note(findings->context,
                 "%u rules: %u findings, %u undecided; %u terms from %u starts, %u "
                 "of them with more; %u rules that loop alone left out of longer "
                 "sequences; %u preconditions on elements not asked%s",
                 lint->n_rules, lint->found.len - undecided, undecided, lint->n_states,
                 lint->n_starts, lint->n_cut, lint->n_alone, lint->n_unasked,
                 lint->out_of_time ? "; out of time" : "");
}

struct rw_findings *rw_lint(const struct rw_rules *rules, const struct rw_lint_options *options,
                            struct rw_error *error)
{
    struct err err = {0};
    struct lint lint;
    struct lint_options own;
    struct rw_findings *findings = findings_new(rules->context, "lint");
    lint_init(&lint);
    bool ok = read_options(options, &own, &err);
    if (ok) {
        own.stop = findings_stop(findings);
        lint_rules(&lint, rules->set.rules.len, (const struct rule *const *)rules->set.rules.at,
                   &own);
        give(&lint, findings);
        count(&lint, findings);
    }
    lint_release(&lint);
    return findings_end(findings, ok, &err, error);
}
