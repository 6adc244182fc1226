// SPDX-License-Identifier: Apache-2.0
#include "api/discover/findings.h"
#include "api/discover/widening.h"
#include "api/rules/json.h"
#include "api/rules/rules.h"

static void give(struct widening_run *run, const struct rule *rule, bool repair,
                 struct rw_findings *findings)
{
    struct err why = {0};
    const char *kind = repair ? widening_repair(run, rule) : widening_generalize(run, rule, &why);
    findings_name(findings, rule->name);
    findings_add(findings, kind, &run->json, &run->text, buf_text(&run->found));
}

static void count(const struct widening_run *run, bool repair, struct rw_findings *findings)
{
    const struct learner *learner = &run->learner;
    struct rw_effort *effort = &findings->effort;
    effort->rules = run->n_rules;
    effort->changed = run->n_wider;
    effort->candidates = learner->n_rules;
    effort->proofs = learner->n_proofs;
    effort->instances = learner->n_instances;
    effort->proof_seconds = learner->proof_seconds;
    json_line(json_pack("{s:i, s:i, s:i, s:i, s:I, s:f}", "rules", (int)effort->rules, "changed",
                        (int)effort->changed, "candidates", (int)effort->candidates, "proofs",
                        (int)effort->proofs, "instances", (json_int_t)effort->instances,
                        "proof_seconds", effort->proof_seconds),
              &findings->counts);
    if (repair)
        context_note(findings->context, "%u rules, %u repaired; %.1f s", run->n_rules, run->n_wider,
                     run->spent);
    else
        context_note(findings->context, "%u of %u rules changed in %.1f s", run->n_wider,
                     run->n_rules, run->spent);
}

// Works on all rules, one by one, by one learner.
static void widen(const struct rw_rules *rules, bool repair, const struct rw_widen_options *options,
                  struct rw_findings *findings)
{
    struct widening_run run;
    widening_init(&run, options->seed, options->seconds);
    run.learner.stop = findings_stop(findings);
    findings->progress.total = rules->set.rules.len;
    for (uint32_t i = 0; i < rules->set.rules.len && findings_step(findings); i++)
        if (!rule_defines(rules->set.rules.at[i]))
            give(&run, rules->set.rules.at[i], repair, findings);
    buf_puts(&findings->rules, buf_text(&run.rules));
    count(&run, repair, findings);
    widening_release(&run);
}

static struct rw_findings *work(const struct rw_rules *rules, bool repair,
                                const struct rw_widen_options *options, struct rw_error *error)
{
    struct err err = {0};
    struct rw_widen_options own;
    struct rw_findings *findings = findings_new(rules->context, repair ? "repair" : "generalize");
    findings->file = "generalized.rw";
    bool ok = options_copy(options, &own, sizeof own, &err);
    if (ok)
        widen(rules, repair, &own, findings);
    return findings_end(findings, ok, &err, error);
}

struct rw_findings *rw_generalize(const struct rw_rules *rules,
                                  const struct rw_widen_options *options, struct rw_error *error)
{
    return work(rules, false, options, error);
}

struct rw_findings *rw_repair(const struct rw_rules *rules, const struct rw_widen_options *options,
                              struct rw_error *error)
{
    return work(rules, true, options, error);
}
