// SPDX-License-Identifier: Apache-2.0
#include "api/proving/merge_accept.h"

#include "verify/counterexample/search.h"
#include <jansson.h>

#define SEARCH_SEED UINT64_C(0x51)

bool merge_replays(void *ctx, const struct rule *rule, const struct domain_report *report)
{
    struct merge_command *merge_command = ctx;
    struct err why = {0};
    if (report->counterexample && cex_replay(rule, report->domain, report->counterexample, &why))
        return true;
    context_note(merge_command->context,
                 "%s: expected a counterexample to rule %s in %s, found one that does "
                 "not refute the rule%s%s",
                 merge_command->path, rule->name, domain_text(report->domain),
                 why.msg[0] ? ": " : "", why.msg);
    merge_command->merge_counts.bad++;
    return false;
}

static bool is_object(const char *text)
{
    json_t *j = json_loads(text ? text : "", 0, NULL);
    bool yes = json_is_object(j);
    json_decref(j);
    return yes;
}

// The reason why no prover of these versions can have given this verdict; NULL:
// a prover can.
static const char *implausible(const struct rule *rule, const struct domain_report *report)
{
    bool proved = report->verdict == VERDICT_PROVED;
    if (!(rule_domains(rule) >> report->domain & 1))
        return "the rule says nothing there";
    if (proved != (report->rung != RUNG_NONE))
        return "verdict and rung contradict each other";
    if (report->domain == DOMAIN_FLOAT ? proved != (report->grade == GRADE_EXACT)
                                       : report->grade != GRADE_NONE)
        return "verdict and grade contradict each other";
    if (report->counterexample && report->verdict != VERDICT_REFUTED)
        return "it has a counterexample";
    if (proved && (strcmp(report->method, "definition") == 0 ? !rule_defines(rule)
                                                             : report->obligations.len == 0))
        return "it is proved without obligations";
    for (uint32_t i = 0; proved && i < report->obligations.len; i++)
        if (report->obligations.at[i].verdict == VERDICT_REFUTED)
            return "it is proved, and an obligation refuted";
    if (!is_object(report->bound))
        return "the bound is no JSON object";
    if (report->instances > INT32_MAX || !(report->seconds >= 0))
        return "its counts are none";
    return NULL;
}

bool merge_trial_begin(struct merge_trial *trial, struct merge_command *merge_command,
                       const struct rule *rule, struct err *err)
{
    unsigned uninterpreted;
    bool known;
    *trial = (struct merge_trial){.merge_command = merge_command, .rule = rule};
    return db_proved(merge_command->db, rule->hash, &trial->proved, &uninterpreted, &known, err);
}

void merge_trial_end(struct merge_trial *trial)
{
    arena_release(&trial->mem);
}

// The seeds do not depend on the source: every order of merges searches alike.
static bool finds_counterexample(struct merge_trial *trial, enum domain domain, const char **json)
{
    struct cex_budget quick = cex_budget_quick();
    struct rng rng;
    if (rule_defines(trial->rule)) // a name says nothing that could be false
        return false;
    if (trial->space == NULL) {
        rng_seed(&rng, SEARCH_SEED);
        trial->space = cex_space_new(trial->rule, NULL, 0, &quick, &rng, &trial->mem);
    }
    rng_seed(&rng, SEARCH_SEED + 1 + (uint64_t)domain);
    return cex_space_search(trial->space, domain, &quick, &rng, &trial->mem, json);
}

static bool survives(struct merge_trial *trial, const struct domain_report *report)
{
    const char *json = NULL;
    if (report->verdict != VERDICT_PROVED || (trial->proved >> report->domain & 1) ||
        !finds_counterexample(trial, report->domain, &json))
        return true;
    json_t *object = json_loads(json, 0, NULL);
    const char *text = json_string_value(json_object_get(object, "text"));
    struct buf why = {0};
    buf_printf(&why, "proved, says the source; refuted here: %s", text ? text : json);
    merge_contradiction(trial->merge_command, trial->rule, report->domain, buf_text(&why));
    buf_release(&why);
    json_decref(object);
    return false;
}

bool merge_accepts(struct merge_trial *trial, const struct domain_report *report)
{
    struct merge_command *merge_command = trial->merge_command;
    if (report->verdict == VERDICT_REFUTED && !merge_replays(merge_command, trial->rule, report))
        return false;
    const char *why = implausible(trial->rule, report);
    if (why == NULL)
        return survives(trial, report);
    context_note(merge_command->context, "%s: rule %s: the verdict in %s is refused: %s",
                 merge_command->path, trial->rule->name, domain_text(report->domain), why);
    merge_command->merge_counts.bad++;
    return false;
}
