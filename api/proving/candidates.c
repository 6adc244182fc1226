// SPDX-License-Identifier: Apache-2.0
#include "api/proving/candidates.h"

static void worst(struct candidate_prover *prover, enum gravity gravity)
{
    if (gravity > prover->worst)
        prover->worst = gravity;
}

static void judge(struct candidate_prover *prover, const struct report *report)
{
    for (uint32_t i = 0; i < report->domains.len; i++) {
        const struct domain_report *domain = &report->domains.at[i];
        if (verdict_is_internal(domain->reason))
            worst(prover, GRAVITY_BUG);
        if (domain->claimed && domain->verdict != VERDICT_PROVED)
            worst(prover, domain->verdict == VERDICT_REFUTED ? GRAVITY_REFUTED : GRAVITY_UNKNOWN);
    }
}

static bool store(struct candidate_prover *prover, const struct rule *rule,
                  const struct report *report, struct err *err)
{
    if (!prover->db)
        return true;
    if (!prover->run && !db_run_begin(prover->db, "prove", "z3", &prover->run, err))
        return false;
    return db_put_report(prover->db, rule, report, prover->run, err);
}

static bool prove_rule_of_line(struct candidate_prover *prover, const struct rule *rule,
                               struct buf *out, struct err *err)
{
    struct report report = {0};
    prover->rules++;
    bool ok =
        prove_report(&prover->proving, rule, &report, err) && store(prover, rule, &report, err);
    if (ok) {
        judge(prover, &report);
        verdicts_write(rule, &report, prover->times, out);
    }
    report_release(&report);
    return ok;
}

bool candidate_prove(struct candidate_prover *prover, const struct input_line *line,
                     struct buf *out, struct err *err)
{
    struct ruleset set;
    struct err why = {0};
    const struct rule *rule = NULL;
    bool ok = true;
    ruleset_init(&set);
    if (line->fits)
        rule = candidate_read(buf_text(&line->text), line->text.len, &set, &why);
    else
        line_too_long(&why);
    if (rule) {
        ok = prove_rule_of_line(prover, rule, out, err);
    } else {
        prover->bad++;
        worst(prover, GRAVITY_NO_RULE);
        error_write(line->number, &why, out);
    }
    ruleset_release(&set);
    return ok;
}

bool candidates_finish(struct candidate_prover *prover, struct err *err)
{
    return !prover->run || db_run_finish(prover->db, prover->run, err);
}

bool candidates_write(struct db *db, const struct ruleset *set, unsigned domains, struct buf *out,
                      struct err *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < set->rules.len; i++) {
        const struct rule *rule = set->rules.at[i];
        unsigned told = 0;
        ok = !db || db_told(db, rule->hash, &told, err);
        if (ok && domains & rule_domains(rule) & ~told)
            candidate_write(rule, out);
    }
    return ok;
}
