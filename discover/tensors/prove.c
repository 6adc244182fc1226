// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/core.h"
#include "base/hash.h"
#include "verify/workers/pool.h"
#include <stdlib.h>

static bool proved_one(void *ctx, uint32_t i, struct report *rep)
{
    struct rule_search *w = ctx;
    struct rule_candidate *c = &w->wave.at[w->asked.at[i]];
    for (uint32_t k = 0; k < rep->domains.len; k++) {
        const struct domain_report *d = &rep->domains.at[k];
        if (d->verdict == VERDICT_PROVED) {
            c->proved |= 1u << d->domain;
            if (d->rung == RUNG_UNINTERPRETED)
                c->uninterpreted |= 1u << d->domain;
        }
        c->refuted |= d->verdict == VERDICT_REFUTED;
    }
    report_release(rep);
    return true;
}

static char *fresh_name(struct rule_search *w, const struct rule_sketch *r)
{
    struct buf b = {0}, n = {0};
    rule_sketch_name(r, &b);
    for (unsigned k = 1;; k++) {
        uint32_t before = w->names.entry.len;
        buf_clear(&n);
        buf_puts(&n, buf_text(&b));
        if (k > 1)
            buf_printf(&n, "_%u", k);
        if (intern_str(&w->names, buf_text(&n)) >= before)
            break;
    }
    char *name = arena_strdup(&w->mem, buf_text(&n));
    buf_release(&b);
    buf_release(&n);
    return name;
}

// Do the kept rules derive it, at some ground instances?  Only what was proved
// of integers is asked; all else is kept.
static bool derived(struct rule_search *w, const struct rule_candidate *c,
                    const struct rule *r)
{
    struct derive_options o = derive_defaults();
    struct derive_answer a = {0};
    struct arena mem = {0};
    if (!(c->proved >> DOMAIN_INT & 1) || derive_count(w->base) == 0)
        return false;
    o.max_nodes = 1500;
    o.max_rounds = 4;
    o.seconds = 5;
    o.instances = 3;
    o.no_used = true;
    o.seed = w->o->seed;
    derive_goal(w->base, r, &o, &mem, &a);
    arena_release(&mem);
    return a.status == DERIVE_YES || a.same;
}

static const char *given_name(struct rule_search *w, const struct rule *r)
{
    struct buf n = {0};
    buf_printf(&n, "%s", r->name);
    for (unsigned k = 2;; k++) {
        uint32_t before = w->names.entry.len;
        if (intern_str(&w->names, buf_text(&n)) >= before)
            break;
        buf_clear(&n);
        buf_printf(&n, "%s_%u", r->name, k);
    }
    const char *name = arena_strdup(&w->mem, buf_text(&n));
    buf_release(&n);
    return name;
}

static void given_text(const struct rule *r, const char *name, unsigned proved,
                       struct buf *out)
{
    struct rule one = *r;
    one.name = name;
    one.claims = proved;
    rule_print(&one, out);
}

static void keep(struct rule_search *w, struct rule_candidate *c)
{
    struct buf text = {0}, doc = {0}, origin = {0};
    struct err e = {0};
    struct kept_rule k = {.r = c->r, .whole = c->whole, .permutes = c->permutes};
    const char *name =
        c->given != NULL ? given_name(w, c->given) : fresh_name(w, &c->r);
    buf_printf(&doc, "%s",
               c->undirected ? "Neither side costs less."
               : c->whole    ? "Holds wherever the left side does."
                             : "Holds under a precondition.");
    buf_printf(&origin, "discovered seed=%llu size=%u",
               (unsigned long long)w->o->seed, w->o->size);
    if (c->given != NULL)
        given_text(c->given, name, c->proved, &text);
    else
        rule_sketch_text(&c->r, name, buf_text(&doc), buf_text(&origin),
                         c->proved, &text);
    const struct rule *rule = ruleset_add(w->set, buf_text(&text), name, &e);
    bool follows = rule != NULL && derived(w, c, rule);
    if (follows) {
        w->p->derived++;
        // Its left sides need not be looked at again.
        if (c->given == NULL) {
            vec_push(&w->kept, k);
            search_keep_pair(w, &c->r);
        }
    } else if (rule != NULL) {
        struct rule_status s = {.proved = c->proved,
                                .uninterpreted = c->uninterpreted};
        (void)derive_add(w->base, rule, s);
        struct found_rule f = {.text = arena_strdup(&w->mem, buf_text(&text)),
                               .name = name,
                               .rule = rule,
                               .proved = c->proved,
                               .conditional = !c->whole,
                               .undirected = c->undirected};
        vec_push(&w->out->at, f);
        if (c->given == NULL) {
            vec_push(&w->kept, k);
            search_keep_pair(w, &c->r);
        }
    }
    buf_release(&text);
    buf_release(&doc);
    buf_release(&origin);
}

// The order in which rules are kept, so that the strong ones derive the others.
static int whole_first(const void *a, const void *b)
{
    const struct rule_candidate *x = a, *y = b;
    if (x->whole != y->whole)
        return x->whole ? -1 : 1;
    if (x->r.lhs.n_ops != y->r.lhs.n_ops)
        return x->r.lhs.n_ops - y->r.lhs.n_ops;
    int p = (x->r.general == GENERAL_NOT) - (y->r.general == GENERAL_NOT);
    if (p != 0)
        return p;
    return x->number < y->number ? -1 : x->number > y->number;
}

struct proof_outcome {
    unsigned proved, uninterpreted;
    bool refuted;
};

static uint64_t verdict_key(const struct rule *r)
{
    return hash_bytes(r->hash, sizeof r->hash, 0x7e2d);
}

// Verdicts of wave[first ..], from the journal or by proof.
static void prove_some(struct rule_search *w, uint32_t first)
{
    struct worker_options o = {
        .jobs = w->o->jobs,
        .seconds_per_rule = 20,
        .prove = {.domains = w->o->domains,
                  .seed = w->o->seed,
                  .seconds_per_rule = w->o->rule_seconds}};
    struct workers_result res = {0};
    const struct rule **rules;
    rules = mem_alloc((w->wave.len - first + 1) * sizeof *rules);
    vec_clear(&w->asked);
    for (uint32_t i = first; i < w->wave.len; i++) {
        struct rule_candidate *c = &w->wave.at[i];
        const struct answer *old =
            answers_find(&w->journal, verdict_key(c->rule));
        struct proof_outcome v;
        if (old != NULL && old->n == sizeof v) {
            memcpy(&v, old->at, sizeof v);
            c->proved = v.proved;
            c->uninterpreted = v.uninterpreted;
            c->refuted = v.refuted;
            w->p->known++;
            continue;
        }
        rules[w->asked.len] = c->rule;
        vec_push(&w->asked, i);
    }
    if (w->asked.len > 0 &&
        !workers_run(rules, w->asked.len, &o, proved_one, w, &res, w->e))
        w->failed = true;
    w->ended |= res.interrupted;
    for (uint32_t i = 0; i < w->asked.len && !w->ended && !w->failed; i++) {
        const struct rule_candidate *c = &w->wave.at[w->asked.at[i]];
        struct proof_outcome v;
        memset(&v, 0, sizeof v);
        v.proved = c->proved;
        v.uninterpreted = c->uninterpreted;
        v.refuted = c->refuted;
        answers_put(&w->journal, verdict_key(c->rule), &v, sizeof v);
    }
    w->failed |= !answers_flush(&w->journal, w->e);
    mem_free(rules);
}

static void judge(struct rule_search *w, uint32_t i)
{
    struct rule_candidate c = w->wave.at[i];
    if (c.proved != 0) {
        w->p->proved++;
        if (c.given != NULL ||
            (!search_reducible(w, &c.r.lhs) &&
             (c.whole || !search_congruent(w, &c.r.lhs, &c.r.rhs))))
            keep(w, &c);
        return;
    }
    if (c.refuted)
        w->p->refuted++;
    else
        w->p->unknown++;
    if (c.r.general == GENERAL_NOT || c.given != NULL)
        return;
    // The operators as they were: appended, for the next turn.
    c.fallback = true;
    c.refuted = false;
    if (!search_offer(w, &c))
        return;
    if (search_is_new(w, &vec_last(&w->wave)))
        vec_last(&w->wave).number = w->p->candidates++;
    else
        (void)vec_pop(&w->wave);
}

void search_prove_wave(struct rule_search *w)
{
    uint32_t first = 0, before = w->out->at.len;
    if (w->wave.len > 0)
        qsort(w->wave.at, w->wave.len, sizeof *w->wave.at, whole_first);
    while (first < w->wave.len && !w->failed && !w->ended) {
        uint32_t n = w->wave.len;
        prove_some(w, first);
        for (uint32_t i = first; i < n && !w->failed && !w->ended; i++)
            judge(w, i);
        first = n;
        search_show(w, true);
    }
    vec_clear(&w->wave);
    if (w->out->at.len > before && w->o->kept != NULL && !w->failed)
        w->failed |= !w->o->kept(w->o->ctx, w->out, w->e);
}
