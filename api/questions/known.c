// SPDX-License-Identifier: Apache-2.0
// Is a rule new to a database?
#include "api/database/database.h"
#include "api/discover/derivation.h"
#include "api/questions/rule_base.h"
#include "api/rules/rules.h"
#include "discover/limits.h"

struct rw_knowledge {
    struct arena mem;
    struct rw_report *report;
    VEC(struct rw_known) at;
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

static const struct rw_rule *with_hash(const struct rule_base *base, const char *hash)
{
    const struct rw_report *report = base->report;
    for (uint32_t i = 0; i < report->rules.len; i++)
        if (strcmp(report->rules.at[i]->hash, hash) == 0)
            return report->rules.at[i];
    return NULL;
}

static const char *full_name(struct rule_base *base, const struct rw_rule *rule)
{
    struct buf text = {0};
    buf_printf(&text, "%s/%s", rule->family, rule->name);
    const char *copy = arena_strdup(base->mem, buf_text(&text));
    buf_release(&text);
    return copy;
}

static void known_as(struct rule_base *base, struct rw_known *known, enum rw_novelty novelty,
                     const struct rw_rule *rule)
{
    const char **by = ARENA_NEW(base->mem, const char *, 1);
    by[0] = full_name(base, rule);
    known->novelty = novelty;
    known->by = by;
    known->n_by = 1;
}

static void derive(struct rule_base *base, const struct rule *rule, struct rw_known *known)
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
    derive_goal(rule_base_in(base, domain), rule, &options, base->mem, &answer);
    const char **by = ARENA_NEW(base->mem, const char *, answer.n_used + 1);
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

static void look_up(struct rule_base *base, const struct rule *rule, struct rw_known *known)
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
    struct rule_base base;
    out->report = rw_query(database, options, error);
    rule_base_init(&base, out->report, &out->mem);
    bool ok = out->report != NULL && (rule_base_load(&base, &err) || error_give(&err, error));
    for (uint32_t i = 0; ok && i < rules->set.rules.len; i++) {
        struct rw_known known = {.rule = rw_rules_at(rules, i), .reason = ""};
        look_up(&base, rules->set.rules.at[i], &known);
        vec_push(&out->at, known);
    }
    rule_base_release(&base);
    if (ok)
        return out;
    rw_knowledge_free(out);
    return NULL;
}
