// SPDX-License-Identifier: Apache-2.0
// Is a rule new to a database?
#include "api/database/database.h"
#include "api/discover/derivation.h"
#include "api/rules/report.h"
#include "api/rules/rules.h"
#include "api/rules/statuses.h"
#include "discover/limits.h"

struct rw_knowledge {
    struct arena mem;
    struct rw_report *report;
    VEC(struct rw_known) at;
};

struct base {
    struct rw_knowledge *out;
    struct ruleset set; // the rules of the report, where they are proved, and the turned ones
    VEC(const struct rule *) rules;
    VEC(struct rule_status) status;
    VEC(const struct rw_rule *) views;
    struct derive_base *in[N_DOMAINS];
};

const char *rw_novelty_name(enum rw_novelty novelty)
{
    static const char *const names[] = {
        [RW_NOVELTY_SAME] = "same",       [RW_NOVELTY_REVERSED] = "reversed",
        [RW_NOVELTY_FOLLOWS] = "follows", [RW_NOVELTY_NEW] = "new",
        [RW_NOVELTY_UNKNOWN] = "unknown",
    };
    return names[novelty];
}

void rw_knowledge_free(struct rw_knowledge *knowledge)
{
    if (knowledge == NULL)
        return;
    vec_release(&knowledge->at);
    rw_report_free(knowledge->report);
    arena_release(&knowledge->mem);
    mem_free(knowledge);
}

size_t rw_knowledge_count(const struct rw_knowledge *knowledge)
{
    return knowledge->at.len;
}

const struct rw_known *rw_knowledge_at(const struct rw_knowledge *knowledge, size_t index)
{
    return &knowledge->at.at[index];
}

static bool load(struct base *base, struct err *err)
{
    const struct rw_report *report = base->out->report;
    for (uint32_t i = 0; i < report->rules.len; i++) {
        const struct rw_rule *view = report->rules.at[i];
        struct rule_status status = status_of_view(view);
        struct err why = {0};
        if (!status.proved)
            continue;
        const struct rule *rule =
            ruleset_add_canonical(&base->set, view->canonical, NULL, view->name, &why);
        if (rule == NULL)
            return err_set(err, ERR_DB, "rule %s of the database does not parse: %s", view->name,
                           why.msg);
        if (rule_defines(rule))
            continue;
        vec_push(&base->rules, rule);
        vec_push(&base->status, status);
        vec_push(&base->views, view);
    }
    return true;
}

static void release(struct base *base)
{
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        if (base->in[d] != NULL)
            derive_base_free(base->in[d]);
    vec_release(&base->rules);
    vec_release(&base->status);
    vec_release(&base->views);
    ruleset_release(&base->set);
}

static struct derive_base *base_in(struct base *base, enum domain domain)
{
    if (base->in[domain] == NULL) {
        base->in[domain] = derive_base_new(domain, &base->out->mem);
        for (uint32_t i = 0; i < base->rules.len; i++)
            derive_add(base->in[domain], base->rules.at[i], base->status.at[i]);
    }
    return base->in[domain];
}

static const struct rw_rule *with_hash(const struct base *base, const char *hash)
{
    const struct rw_report *report = base->out->report;
    for (uint32_t i = 0; i < report->rules.len; i++)
        if (strcmp(report->rules.at[i]->hash, hash) == 0)
            return report->rules.at[i];
    return NULL;
}

static const char *full_name(struct base *base, const struct rw_rule *rule)
{
    struct buf text = {0};
    buf_printf(&text, "%s/%s", rule->family, rule->name);
    const char *copy = arena_strdup(&base->out->mem, buf_text(&text));
    buf_release(&text);
    return copy;
}

static void known_as(struct base *base, struct rw_known *known, enum rw_novelty novelty,
                     const struct rw_rule *rule)
{
    const char **by = ARENA_NEW(&base->out->mem, const char *, 1);
    by[0] = full_name(base, rule);
    known->novelty = novelty;
    known->by = by;
    known->n_by = 1;
}

static void derive(struct base *base, const struct rule *rule, struct rw_known *known)
{
    static const enum rw_novelty of[] = {
        [DERIVE_YES] = RW_NOVELTY_FOLLOWS,
        [DERIVE_NO] = RW_NOVELTY_NEW,
        [DERIVE_LIMIT] = RW_NOVELTY_UNKNOWN,
        [DERIVE_UNKNOWN] = RW_NOVELTY_UNKNOWN,
    };
    struct derive_options options = derive_defaults();
    struct derive_answer answer;
    enum domain domain;
    known->novelty = RW_NOVELTY_UNKNOWN;
    known->reason = "a definition, or a rule that claims no domain";
    if (rule_defines(rule) || !derivation_domain(rule, &domain))
        return;
    options.seconds = 0; // nodes and rounds end the search
    options.max_nodes = SEARCH_DERIVE_NODES;
    options.max_rounds = SEARCH_DERIVE_ROUNDS;
    options.try_goal = true;
    derive_goal(base_in(base, domain), rule, &options, &base->out->mem, &answer);
    const char **by = ARENA_NEW(&base->out->mem, const char *, answer.n_used + 1);
    for (uint32_t i = 0; i < answer.n_used; i++)
        by[i] = full_name(base, base->views.at[answer.used[i]]);
    known->novelty = of[answer.status];
    known->domain = (enum rw_domain)domain;
    known->base = base->rules.len;
    known->by = by;
    known->n_by = answer.status == DERIVE_YES ? answer.n_used : 0;
    known->instances = answer.method == DERIVE_TERMS ? 0 : answer.instances;
    known->reason = answer.status != DERIVE_YES && answer.reason ? answer.reason : "";
}

static void look_up(struct base *base, const struct rule *rule, struct rw_known *known)
{
    const struct rw_rule *same = with_hash(base, rule->hash);
    const struct rule *back = rule_reversed(rule, &base->set);
    const struct rw_rule *turned = back ? with_hash(base, back->hash) : NULL;
    if (same)
        known_as(base, known, RW_NOVELTY_SAME, same);
    else if (turned)
        known_as(base, known, RW_NOVELTY_REVERSED, turned);
    else
        derive(base, rule, known);
}

struct rw_knowledge *rw_query_known(struct rw_database *database,
                                    const struct rw_query_options *options, struct rw_rules *rules,
                                    struct rw_error *error)
{
    struct err err = {0};
    struct rw_knowledge *out = mem_alloc(sizeof *out);
    struct base base = {.out = out};
    out->report = rw_query(database, options, error);
    ruleset_init(&base.set);
    bool ok = out->report != NULL && (load(&base, &err) || error_give(&err, error));
    for (uint32_t i = 0; ok && i < rules->set.rules.len; i++) {
        struct rw_known known = {.rule = rw_rules_at(rules, i), .reason = ""};
        look_up(&base, rules->set.rules.at[i], &known);
        vec_push(&out->at, known);
    }
    release(&base);
    if (ok)
        return out;
    rw_knowledge_free(out);
    return NULL;
}
