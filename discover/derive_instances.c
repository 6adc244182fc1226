// SPDX-License-Identifier: Apache-2.0
// A goal decided at ground instances of it.
#include "base/clock.h"
#include "discover/derive_core.h"
#include "discover/sample.h"

#define EFFORT 12000 // assignments of maps that are looked at

// One instance: a store, an e-graph, and the rules that may fire.
struct site {
    struct derive_run *w;
    struct pool pool;
    struct terms terms;
    struct egraph g;
    struct saturation s;
    struct u32_vec rule_of;
    struct sample at;
    bool open; // the e-graph is there
};

static bool equal_now(struct site *p)
{
    return egraph_known(&p->g, p->at.lhs) && egraph_known(&p->g, p->at.rhs) &&
           egraph_same(&p->g, p->at.lhs, p->at.rhs);
}

static bool go_on(void *ctx, const struct saturation *s)
{
    (void)s;
    return !equal_now(ctx);
}

static void open_graph(struct site *p)
{
    const struct derive_run *w = p->w;
    bool real = w->b->domain != DOMAIN_FLOAT;
    struct egraph_options o = egraph_defaults();
    struct saturate_options so = saturate_defaults();
    o.fold = true;
    o.fold_exact = real;
    o.max_nodes = w->o->max_nodes;
    o.deadline = w->deadline;
    so.float_mode = real ? DOMAIN_REAL : DOMAIN_FLOAT;
    so.max_rounds = w->o->max_rounds;
    so.bounded = false;
    egraph_init(&p->g, &p->terms, o);
    saturation_init(&p->s, &p->g, so);
    for (uint32_t i = 0; i < w->b->rule.len; i++) {
        const struct base_rule *b = &w->b->rule.at[i];
        if (derive_left_out(w, i))
            continue;
        for (int back = 0; back <= (int)w->o->backward; back++) {
            saturation_add(&p->s, (struct rule_use){.rule = b->rule,
                                                    .backward = back != 0,
                                                    .status = b->status});
            vec_push(&p->rule_of, i);
        }
    }
    p->open = true;
}

// The rules of the lines that prove it.
static bool find_used(struct site *p, struct err *e)
{
    struct explanation x = {0};
    uint32_t line;
    bool flip;
    bool ok = explain(&p->g, p->at.lhs, p->at.rhs, &x, &line, &flip, e);
    bool *seen = mem_alloc(x.line.len + 1u);
    if (ok && line != UINT32_MAX)
        seen[line] = true;
    for (uint32_t i = x.line.len; ok && i-- > 0;) {
        const struct proof_line *l = &x.line.at[i];
        if (!seen[i])
            continue;
        for (uint32_t k = 0; k < l->n; k++)
            seen[x.part.at[l->at + k].line] = true;
        if (l->kind == PROOF_RULE)
            p->w->used[p->rule_of.at[l->x]] = true;
    }
    mem_free(seen);
    explanation_release(&x);
    return ok;
}

static void fails(struct site *p, enum derive_status s, const char *why)
{
    struct buf at = {0};
    struct derive_answer *out = p->w->out;
    out->status = s;
    out->reason = why;
    sample_print(p->at.in, &at);
    out->at = arena_strdup(p->w->mem, buf_text(&at));
    buf_release(&at);
}

static void report(struct site *p, uint32_t number)
{
    const struct derive_run *w = p->w;
    struct derive_proof d = {.goal = w->goal,
                             .instance = number,
                             .g = &p->g,
                             .s = &p->s,
                             .rule_of = p->rule_of.at,
                             .in = p->at.in,
                             .lhs = p->at.lhs,
                             .rhs = p->at.rhs};
    if (w->o->proved != NULL)
        w->o->proved(w->o->ctx, &d);
}

static bool derive_at(struct site *p, uint32_t number)
{
    const struct derive_run *w = p->w;
    struct err e = {0};
    open_graph(p);
    egraph_add_term(&p->g, p->at.lhs);
    if (!w->o->lhs_only)
        egraph_add_term(&p->g, p->at.rhs);
    egraph_rebuild(&p->g);
    enum stop_reason stop = STOP_SATURATED;
    if (!equal_now(p))
        stop = saturate(&p->s, go_on, p);
    egraph_add_term(&p->g, p->at.rhs);
    egraph_rebuild(&p->g);
    w->out->nodes = egraph_nodes(&p->g);
    w->out->rounds = p->s.rounds;
    if (!equal_now(p)) {
        fails(p, stop == STOP_SATURATED ? DERIVE_NO : DERIVE_LIMIT,
              stop == STOP_SATURATED
                  ? "nothing more follows"
                  : arena_strdup(w->mem,
                                 stop == STOP_NODES    ? "limit on nodes"
                                 : stop == STOP_ROUNDS ? "limit on rounds"
                                 : stop == STOP_TIME   ? "limit on time"
                                                       : "limit on effort"));
        return false;
    }
    if (!w->o->no_used && !find_used(p, &e)) {
        fails(p, DERIVE_UNKNOWN, arena_strdup(w->mem, e.msg));
        return false;
    }
    report(p, number);
    return true;
}

static void site_release(struct site *p)
{
    if (p->open) {
        saturation_release(&p->s);
        egraph_release(&p->g);
    }
    vec_release(&p->rule_of);
    terms_release(&p->terms);
    pool_release(&p->pool);
}

// *same: both sides were one term, so that no rule was asked.
static bool one_instance(struct derive_run *w, const struct sampler *s,
                         uint32_t number, struct rng *rng, bool *same)
{
    struct site p = {.w = w};
    struct arena mem = {0};
    struct err e = {0};
    bool ok = false;
    pool_init(&p.pool);
    terms_init(&p.terms, &p.pool);
    if (!sample_make(s, w->b->domain, number, &p.terms, rng, &mem, &p.at, &e)) {
        w->out->status = DERIVE_UNKNOWN;
        w->out->reason = arena_strdup(w->mem, e.msg);
    } else if (p.at.status != GROUND_OK) {
        fails(&p, DERIVE_UNKNOWN,
              "the goal is false: its sides have different shapes, or the "
              "right one is not well-defined");
    } else {
        *same = p.at.lhs.v == p.at.rhs.v;
        ok = derive_at(&p, number);
    }
    site_release(&p);
    arena_release(&mem);
    return ok;
}

void derive_instances(struct derive_run *w)
{
    struct rng rng;
    struct arena mem = {0};
    w->out->method = DERIVE_INSTANCES;
    w->out->instances = 0;
    for (uint32_t i = 0; i < w->goal->n_wheres; i++)
        if (w->goal->wheres[i].cond == NULL) {
            w->out->status = DERIVE_UNKNOWN;
            w->out->reason = "a precondition on elements cannot be assumed at "
                             "instances";
            return;
        }
    rng_seed(&rng, w->o->seed);
    const struct sampler *s = sampler_new(w->goal, EFFORT, &rng, &mem);
    uint32_t k = 0, wanted = w->o->instances;
    // Where the sides are one term nothing was derived: a few more.
    for (uint32_t tries = 0; k < wanted && tries < 2 * wanted; tries++) {
        bool same = false;
        if (!one_instance(w, s, tries, &rng, &same))
            break;
        k += !same || tries >= wanted;
    }
    w->out->instances = k;
    if (k >= wanted && w->out->status == DERIVE_UNKNOWN)
        w->out->status = DERIVE_YES;
    arena_release(&mem);
}
