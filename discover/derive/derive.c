// SPDX-License-Identifier: Apache-2.0
#include "discover/derive/derive.h"
#include "base/clock.h"
#include "discover/derive/core.h"
#include "verify/counterexample/search.h"

#include <jansson.h>

const char *derive_status_text(enum derive_status s)
{
    static const char *const text[] = {[DERIVE_YES] = "derived",
                                       [DERIVE_NO] = "not derived",
                                       [DERIVE_LIMIT] = "limit",
                                       [DERIVE_UNKNOWN] = "unknown"};
    return text[s];
}

const char *derive_method_text(enum derive_method m)
{
    static const char *const text[] = {[DERIVE_AUTO] = "none",
                                       [DERIVE_TERMS] = "terms",
                                       [DERIVE_INSTANCES] = "instances"};
    return text[m];
}

struct derive_options derive_defaults(void)
{
    return (struct derive_options){
        .max_nodes = 5000, .max_rounds = 10, .seconds = 10, .instances = 4};
}

struct derive_base *derive_base_new(enum domain d, struct arena *mem)
{
    struct derive_base *b = ARENA_NEW(mem, struct derive_base, 1);
    b->domain = d;
    b->mem = mem;
    return b;
}

void derive_base_free(struct derive_base *b)
{
    vec_release(&b->rule);
}

uint32_t derive_add(struct derive_base *b, const struct rule *r,
                    struct rule_status s)
{
    struct base_rule one = {.rule = r, .status = s};
    plain_compile(&one, b->rule.len, b->domain, b->mem);
    vec_push(&b->rule, one);
    return b->rule.len - 1;
}

uint32_t derive_count(const struct derive_base *b)
{
    return b->rule.len;
}

const struct rule *derive_rule(const struct derive_base *b, uint32_t i)
{
    return b->rule.at[i].rule;
}

bool derive_is_plain(const struct derive_base *b, uint32_t i)
{
    return b->rule.at[i].plain != NULL;
}

static void list_used(const struct derive_run *w)
{
    uint32_t *list = ARENA_NEW(w->mem, uint32_t, w->b->rule.len + 1);
    w->out->used = list;
    for (uint32_t i = 0; i < w->b->rule.len; i++)
        if (w->used[i])
            list[w->out->n_used++] = i;
}

static void forget_used(struct derive_run *w)
{
    memset(w->used, 0, w->b->rule.len + 1u);
}

// Instances are derived one by one; others may be false.
static void try_goal(struct derive_run *w)
{
    struct cex_budget budget = cex_budget_deep();
    struct rng rng;
    const char *json;
    rng_seed(&rng, w->o->seed);
    if (!cex_search(w->goal, w->b->domain, NULL, 0, &budget, &rng, w->mem,
                    &json))
        return;
    json_t *j = json_loads(json, 0, NULL);
    const char *text = json_string_value(json_object_get(j, "text"));
    w->out->status = DERIVE_UNKNOWN;
    w->out->reason = "the goal is false";
    w->out->at = arena_strdup(w->mem, text != NULL ? text : "an instance");
    json_decref(j);
}

// Texts say nothing of domains: the same one may be proved in others only.
static bool says_it(const struct base_rule *b, const struct rule *goal,
                    enum domain d)
{
    return strcmp(b->rule->hash, goal->hash) == 0 &&
           (b->status.proved >> d & 1);
}

void derive_goal(const struct derive_base *b, const struct rule *goal,
                 const struct derive_options *o, struct arena *mem,
                 struct derive_answer *out)
{
    double start = clock_wall();
    struct derive_run w = {
        .b = b, .goal = goal, .o = o, .mem = mem, .out = out};
    *out = (struct derive_answer){.status = DERIVE_UNKNOWN};
    w.deadline = o->seconds > 0 ? start + o->seconds : 0;
    w.used = ARENA_NEW(mem, bool, b->rule.len + 1);
    for (uint32_t i = 0; i < b->rule.len; i++)
        out->same = out->same || says_it(&b->rule.at[i], goal, b->domain);
    bool domain = rule_domains(goal) >> b->domain & 1;
    if (!domain)
        out->reason = "the goal says nothing in this domain";
    bool asked = domain && o->method != DERIVE_INSTANCES && derive_terms(&w);
    // What the terms do not say folding of constants may.
    if (domain && o->method != DERIVE_TERMS &&
        (!asked || out->status != DERIVE_YES)) {
        struct derive_answer terms = *out;
        forget_used(&w);
        out->status = DERIVE_UNKNOWN;
        derive_instances(&w);
        if (o->try_goal && out->status == DERIVE_YES)
            try_goal(&w);
        if (asked && out->status != DERIVE_YES)
            *out = terms;
    }
    list_used(&w);
    out->seconds = clock_wall() - start;
}

// Is the same rule there once more, and proved wherever this one is?
static bool has_twin(const struct derive_base *b, uint32_t i,
                     const bool *without)
{
    const struct base_rule *r = &b->rule.at[i];
    for (uint32_t k = 0; k < b->rule.len; k++) {
        const struct base_rule *s = &b->rule.at[k];
        if (k != i && !without[k] &&
            strcmp(s->rule->hash, r->rule->hash) == 0 &&
            (r->status.proved & ~s->status.proved) == 0)
            return true;
    }
    return false;
}

// Do the rules that are not left out derive this one?
static bool follows(const struct derive_base *b, uint32_t i,
                    const struct derive_options *o, struct arena *mem)
{
    struct arena_mark mark = arena_mark(mem);
    struct derive_answer a;
    if (has_twin(b, i, o->without))
        return true;
    derive_goal(b, b->rule.at[i].rule, o, mem, &a);
    arena_reset(mem, mark);
    return a.status == DERIVE_YES;
}

void derive_minimal(const struct derive_base *b, const struct derive_options *o,
                    bool *needed)
{
    uint32_t n = b->rule.len;
    struct arena mem = {0};
    bool *without = ARENA_NEW(&mem, bool, n + 1);
    struct derive_options one = *o;
    one.without = without;
    one.no_used = true;
    one.try_goal = false;
    one.proved = NULL;
    memset(without, 0, n + 1u);
    for (uint32_t i = n; i-- > 0;) {
        without[i] = true;
        without[i] = follows(b, i, &one, &mem);
    }
    // What was derived by a rule that was left out after it may be too far for
    // the limits now.
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = n; i-- > 0;)
            if (without[i] && !follows(b, i, &one, &mem)) {
                without[i] = false;
                changed = true;
            }
    }
    for (uint32_t i = 0; i < n; i++)
        needed[i] = !without[i];
    arena_release(&mem);
}
