// SPDX-License-Identifier: Apache-2.0
// A goal decided at ground instances of it.
#include "base/clock.h"
#include "discover/derive/core.h"
#include "discover/derive/sample.h"

#define EFFORT 12000 // assignments of maps that are looked at

// One instance: a store, an e-graph, and the rules that may fire.
struct derive_instance {
    struct derive_run *w;
    struct pool pool;
    struct terms terms;
    struct egraph g;
    struct saturation s;
    struct u32_vec rule_of;
    struct sample at;
    bool open; // the e-graph is there
};

static bool equal_now(struct derive_instance *p)
{
    return egraph_known(&p->g, p->at.lhs) && egraph_known(&p->g, p->at.rhs) &&
           egraph_same(&p->g, p->at.lhs, p->at.rhs);
}

static bool go_on(void *ctx, const struct saturation *s)
{
    (void)s;
    return !equal_now(ctx);
}

// With the rules of the base, or with the goal's own.
static void open_graph(struct derive_instance *p, bool own)
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
    if (own)
        saturation_add(
            &p->s,
            (struct rule_use){.rule = w->goal,
                              .status = {.proved = w->goal->claims,
                                         .uninterpreted = w->goal->claims}});
    for (uint32_t i = 0; !own && i < w->b->rule.len; i++) {
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
static bool find_used(struct derive_instance *p, struct err *e)
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

static void fails(struct derive_instance *p, enum derive_status s, const char *why)
{
    struct buf at = {0};
    struct derive_answer *out = p->w->out;
    out->status = s;
    out->reason = why;
    sample_print(p->at.in, &at);
    out->at = arena_strdup(p->w->mem, buf_text(&at));
    buf_release(&at);
}

static void report(struct derive_instance *p, uint32_t number)
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

static bool derive_at(struct derive_instance *p, uint32_t number)
{
    const struct derive_run *w = p->w;
    struct err e = {0};
    open_graph(p, false);
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

static void close_graph(struct derive_instance *p)
{
    if (p->open) {
        saturation_release(&p->s);
        egraph_release(&p->g);
    }
    p->open = false;
}

// Can the engine use the goal itself there?  What it never matches says nothing
// of the base.
static bool goal_fires(struct derive_instance *p)
{
    open_graph(p, true);
    p->s.opt.max_rounds = 1;
    egraph_add_term(&p->g, p->at.lhs);
    egraph_add_term(&p->g, p->at.rhs);
    egraph_rebuild(&p->g);
    saturate(&p->s, go_on, p);
    bool fires = equal_now(p);
    close_graph(p);
    return fires;
}

static void site_release(struct derive_instance *p)
{
    close_graph(p);
    vec_release(&p->rule_of);
    terms_release(&p->terms);
    pool_release(&p->pool);
}

// SAME: the sides are one term, without a rule.  IDLE: nothing was asked.
enum outcome { FAILED, DERIVED, SAME, IDLE };

static enum outcome one_instance(struct derive_run *w, const struct sampler *s,
                                 uint32_t number, struct rng *rng)
{
    struct derive_instance p = {.w = w};
    struct arena mem = {0};
    struct err e = {0};
    enum outcome out = FAILED;
    bool edge = number >= SAMPLE_EDGES;
    pool_init(&p.pool);
    terms_init(&p.terms, &p.pool);
    bool made =
        sample_make(s, w->b->domain, number, &p.terms, rng, &mem, &p.at, &e);
    if (!made && edge) {
        out = IDLE;
    } else if (!made) {
        w->out->status = DERIVE_UNKNOWN;
        w->out->reason = arena_strdup(w->mem, e.msg);
    } else if (p.at.status != GROUND_OK && e.kind == ERR_LIMIT) {
        out = IDLE; // a literal that its type has not
    } else if (p.at.status != GROUND_OK) {
        fails(&p, DERIVE_UNKNOWN,
              "the goal is false: its sides have different shapes, or the "
              "right one is not well-defined");
    } else if (edge && (p.at.lhs.v == p.at.rhs.v || !goal_fires(&p))) {
        out = IDLE;
    } else if (derive_at(&p, number)) {
        out = p.at.lhs.v == p.at.rhs.v ? SAME : DERIVED;
        for (uint32_t c = 0; c < w->goal->n_classes; c++)
            w->met[c] = w->met[c] || p.at.in->rank[c] > 0;
    }
    site_release(&p);
    arena_release(&mem);
    return out;
}

// Without an axis everything is easily equal: of a class that never had one
// nothing was asked.  `n`: instances at which something was.
static void conclude(struct derive_run *w, uint32_t n)
{
    const struct rule *r = w->goal;
    w->out->instances = n;
    w->out->status = n > 0 ? DERIVE_YES : DERIVE_UNKNOWN;
    w->out->reason = n > 0 ? NULL : "no instance was found";
    for (uint32_t c = 0; c < r->n_classes && n > 0; c++)
        if (!w->met[c]) {
            struct buf why = {0};
            buf_printf(&why, "no instance with an axis of %s was found",
                       r->classes[c].name);
            w->out->status = DERIVE_UNKNOWN;
            w->out->reason = arena_strdup(w->mem, buf_text(&why));
            buf_release(&why);
            return;
        }
}

static void ask_instances(struct derive_run *w, const struct sampler *s,
                          struct rng *rng)
{
    uint32_t wanted = w->o->instances, derived = 0, edges = 0, same = 0;
    // Where the sides are one term nothing was derived: a few more.
    for (uint32_t k = 0; derived < wanted && k < 2 * wanted; k++)
        switch (one_instance(w, s, k, rng)) {
        case FAILED:
            w->out->instances = derived;
            return;
        case DERIVED:
            derived++;
            break;
        case SAME:
            same++;
            break;
        case IDLE:
            break;
        }
    if (wanted < 3 * sampler_families(s))
        wanted = 3 * sampler_families(s);
    for (uint32_t k = 0; edges < wanted && k < 2 * wanted; k++)
        switch (one_instance(w, s, SAMPLE_EDGES + k, rng)) {
        case FAILED:
            w->out->instances = derived + edges;
            return;
        case DERIVED:
            edges++;
            break;
        case SAME:
        case IDLE:
            break;
        }
    // One term on both sides: no rule is needed.
    conclude(w, derived == 0 ? same : derived + edges);
}

void derive_instances(struct derive_run *w)
{
    struct rng rng;
    struct arena mem = {0};
    w->out->method = DERIVE_INSTANCES;
    w->out->instances = 0;
    w->met = ARENA_NEW(w->mem, bool, w->goal->n_classes + 1);
    memset(w->met, 0, w->goal->n_classes + 1u);
    for (uint32_t i = 0; i < w->goal->n_wheres; i++)
        if (w->goal->wheres[i].cond == NULL) {
            w->out->status = DERIVE_UNKNOWN;
            w->out->reason = "a precondition on elements cannot be assumed at "
                             "instances";
            return;
        }
    rng_seed(&rng, w->o->seed);
    const struct sampler *s = sampler_new(w->goal, EFFORT, &rng, &mem);
    ask_instances(w, s, &rng);
    arena_release(&mem);
}
