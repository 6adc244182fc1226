// SPDX-License-Identifier: Apache-2.0
#include "api/rules/view.h"

#include <jansson.h>

_Static_assert((int)RW_BOOL == DOMAIN_BOOL && (int)RW_FLOAT == DOMAIN_FLOAT &&
                   (int)RW_INT == DOMAIN_INT && (int)RW_WORD == DOMAIN_WORD &&
                   (int)RW_REAL == DOMAIN_REAL,
               "domains have one order");
_Static_assert((int)RW_UNKNOWN == VERDICT_UNKNOWN && (int)RW_PROVED == VERDICT_PROVED &&
                   (int)RW_REFUTED == VERDICT_REFUTED,
               "verdicts have one order");

const char *rw_domain_name(enum rw_domain domain)
{
    return domain_text((enum domain)domain);
}

const char *rw_decision_name(enum rw_decision decision)
{
    return verdict_text((enum verdict)decision);
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

// The "text" of a counterexample.
static const char *counterexample_text(const char *json, struct arena *mem)
{
    json_t *object = json ? json_loads(json, 0, NULL) : NULL;
    const char *text = json_string_value(json_object_get(object, "text"));
    const char *copy = text ? arena_strdup(mem, text) : "";
    json_decref(object);
    return copy;
}

static const char *grade_words(const char *name)
{
    enum grade grade;
    return grade_by_name(name, &grade) ? grade_text(grade) : "";
}

static struct rw_verdict stored_verdict(const struct stored_verdict *from, struct arena *mem)
{
    return (struct rw_verdict){
        .domain = (enum rw_domain)from->domain,
        .decision = (enum rw_decision)from->verdict,
        .claimed = from->claimed,
        .stale = from->stale,
        .earlier = from->earlier,
        .contradiction = verdict_is_internal(from->reason),
        .reason = from->reason,
        .rung = from->rung,
        .grade = from->grade,
        .grade_text = grade_words(from->grade),
        .method = from->method,
        .solver = from->solver,
        .bound = from->bound,
        .bound_text = from->bound_why,
        .instances = from->instances,
        .obligation_count = from->obligations,
        .seconds = from->seconds,
        .counterexample = from->counterexample,
        .counterexample_text = counterexample_text(from->counterexample, mem),
        .layer = from->layer,
    };
}

struct rw_verdict view_of_domain(const struct domain_report *domain, struct arena *mem)
{
    const char *reason = text_or_empty(domain->reason);
    return (struct rw_verdict){
        .domain = (enum rw_domain)domain->domain,
        .decision = (enum rw_decision)domain->verdict,
        .claimed = domain->claimed,
        .contradiction = verdict_is_internal(reason),
        .reason = reason,
        .rung = rung_text(domain->rung),
        .grade = grade_name(domain->grade),
        .grade_text = grade_text(domain->grade),
        .method = text_or_empty(domain->method),
        .solver = text_or_empty(domain->solver),
        .bound = domain->bound ? domain->bound : "{}",
        .bound_text = text_or_empty(domain->bound_why),
        .instances = domain->instances,
        .obligation_count = domain->obligations.len,
        .seconds = domain->seconds,
        .counterexample = domain->counterexample,
        .counterexample_text = counterexample_text(domain->counterexample, mem),
        .layer = "",
    };
}

static const char *const *copy_texts(uint32_t n, const char *const *from, struct arena *mem)
{
    const char **to = ARENA_NEW(mem, const char *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        to[i] = from[i];
    return to;
}

struct rw_rule *view_of_rule(const struct rule *rule, struct arena *mem)
{
    struct rw_rule *view = ARENA_NEW(mem, struct rw_rule, 1);
    struct buf source = {0};
    rule_print(rule, &source);
    view->name = rule->name;
    view->family = rule->family;
    view->hash = rule->hash;
    view->source = arena_strdup(mem, buf_text(&source));
    view->canonical = rule->canonical;
    view->doc = rule->doc;
    view->claims = rule->claims;
    view->layer = view->same_as = "";
    view->n_origins = rule->n_origins;
    view->origins = copy_texts(rule->n_origins, rule->origins, mem);
    buf_release(&source);
    return view;
}

static void set_verdicts(struct rw_rule *view, uint32_t n, struct rw_verdict *all,
                         struct arena *mem)
{
    const struct rw_verdict **list = ARENA_NEW(mem, const struct rw_verdict *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        list[i] = &all[i];
    view->verdicts = list;
    view->n_verdicts = n;
}

struct rw_rule *view_of_stored(const struct stored_rule *stored, struct arena *mem)
{
    struct rw_rule *view = ARENA_NEW(mem, struct rw_rule, 1);
    uint32_t n = stored->verdicts.len;
    struct rw_verdict *all = ARENA_NEW(mem, struct rw_verdict, n + 1);
    view->name = stored->name;
    view->family = stored->family;
    view->hash = stored->hash;
    view->source = stored->source;
    view->canonical = stored->canonical;
    view->doc = stored->doc;
    view->claims = stored->claims;
    view->layer = stored->layer;
    view->same_as = "";
    view->current = stored->current;
    view->uses = stored->uses;
    view->n_origins = stored->origins.len;
    view->origins = copy_texts(stored->origins.len, stored->origins.at, mem);
    view->n_preconditions = stored->preconditions.len;
    view->preconditions = copy_texts(stored->preconditions.len, stored->preconditions.at, mem);
    view->n_remarks = stored->remarks.len;
    view->remarks = copy_texts(stored->remarks.len, stored->remarks.at, mem);
    for (uint32_t i = 0; i < n; i++)
        all[i] = stored_verdict(&stored->verdicts.at[i], mem);
    set_verdicts(view, n, all, mem);
    return view;
}

static void add_obligations(struct rw_verdict *verdict, const struct domain_report *from,
                            struct arena *mem)
{
    uint32_t n = from->obligations.len;
    struct rw_obligation *all = ARENA_NEW(mem, struct rw_obligation, n + 1);
    const struct rw_obligation **list = ARENA_NEW(mem, const struct rw_obligation *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const struct obligation *one = &from->obligations.at[i];
        all[i] = (struct rw_obligation){.kind = obligation_kind_text(one->kind),
                                        .ranks = arena_strdup(mem, text_or_empty(one->ranks)),
                                        .detail = arena_strdup(mem, text_or_empty(one->detail)),
                                        .reason = arena_strdup(mem, text_or_empty(one->reason)),
                                        .decision = (enum rw_decision)one->verdict,
                                        .seconds = one->seconds};
        list[i] = &all[i];
    }
    verdict->n_obligations = n;
    verdict->obligations = list;
}

void view_add_report(struct rw_rule *rule, const struct report *report, struct arena *mem)
{
    uint32_t n = report->domains.len;
    struct rw_verdict *all = ARENA_NEW(mem, struct rw_verdict, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        all[i] = view_of_domain(&report->domains.at[i], mem);
        add_obligations(&all[i], &report->domains.at[i], mem);
    }
    set_verdicts(rule, n, all, mem);
    rule->n_remarks = report->remarks.len;
    rule->remarks = copy_texts(report->remarks.len, report->remarks.at, mem);
}

void view_add_obligations(struct rw_rule *rule, const struct report *report, struct arena *mem)
{
    uint32_t n = (uint32_t)rule->n_verdicts;
    struct rw_verdict *all = ARENA_NEW(mem, struct rw_verdict, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        all[i] = *rule->verdicts[i];
        for (uint32_t k = 0; k < report->domains.len; k++)
            if ((int)report->domains.at[k].domain == (int)all[i].domain)
                add_obligations(&all[i], &report->domains.at[k], mem);
    }
    set_verdicts(rule, n, all, mem);
}

void view_choose(struct rw_rule *rule, unsigned domains, unsigned asked, struct arena *mem)
{
    uint32_t n = 0;
    struct rw_verdict *all = ARENA_NEW(mem, struct rw_verdict, rule->n_verdicts + 1);
    for (size_t i = 0; i < rule->n_verdicts; i++) {
        unsigned domain = (unsigned)rule->verdicts[i]->domain;
        if (!(domains >> domain & 1))
            continue;
        all[n] = *rule->verdicts[i];
        all[n++].asked = (asked >> domain & 1) != 0;
    }
    set_verdicts(rule, n, all, mem);
}
