// SPDX-License-Identifier: Apache-2.0
#include "discover/generalize/generalize.h"
#include "base/clock.h"
#include "discover/learn/experiment.h"
#include "discover/generalize/widen.h"
#include <string.h>

#define PASSES 2
#define POINTS 12000 // at which agreement outside is looked for

// ---- the order of changes

// Every condition that is there now, equations first: what they fix is what
// others depend on.  An accepted change has other conditions at other places.
static void weaken_all(struct widening *w)
{
    struct draft d;
    draft_init(&d, w->cur);
    uint32_t n = d.r.n_wheres, k = 0;
    const char **cond = ARENA_NEW(&w->l->set.mem, const char *, n + 1);
    for (int eq = 1; eq >= 0; eq--)
        for (uint32_t i = 0; i < n; i++)
            if ((d.wheres[i].cond != NULL && d.wheres[i].cond->op == COND_EQ) ==
                (eq == 1))
                cond[k++] = widening_where(w, &d.r, i);
    draft_release(&d);
    for (k = 0; k < n && !widening_over(w); k++) {
        uint32_t at = NONE;
        draft_init(&d, w->cur);
        for (uint32_t i = 0; i < d.r.n_wheres; i++)
            if (strcmp(widening_where(w, &d.r, i), cond[k]) == 0)
                at = i;
        draft_release(&d);
        if (at != NONE && !widen_where(w, at))
            widen_element(w, at);
    }
}

static bool pass(struct widening *w)
{
    uint32_t before = w->g->variants.len;
    for (uint32_t i = 0; i < widen_n_slots(w) && !widening_over(w); i++)
        widen_slot(w, i);
    weaken_all(w);
    for (uint32_t i = 0; i < w->cur->n_pats && !widening_over(w); i++)
        if (widen_literal(w, i))
            i = (uint32_t)-1;
    for (uint32_t i = 0; i < w->cur->n_scalars && !widening_over(w); i++)
        if (widen_scalar(w, i))
            i = (uint32_t)-1;
    while (!widening_over(w) && widen_ops(w))
        ;
    for (uint32_t c = 0; c < w->cur->n_classes && !widening_over(w); c++)
        widen_class(w, c);
    if (!widening_over(w))
        widen_add_class(w);
    while (!widening_over(w) && widen_types(w))
        ;
    return w->g->variants.len > before;
}

// Preconditions that follow from the others go: the rule says the same.
static void drop_implied(struct widening *w)
{
    for (uint32_t i = 0; i < w->cur->n_wheres && w->cur->n_wheres > 1;) {
        struct draft d;
        draft_init(&d, w->cur);
        const char *cond = widening_where(w, &d.r, i);
        draft_drop_where(&d, i);
        if (!widening_try(w, &d,
                          widening_text(w, "without %s, not needed", cond)))
            i++;
        draft_release(&d);
    }
}

// ---- what the last variant needs and lacks

// What each precondition is for.
static void find_needs(struct widening *w, const struct draft *d)
{
    for (uint32_t i = 0; i < d->r.n_wheres; i++) {
        struct draft own;
        struct err e = {0};
        const struct learn_memo *memo;
        struct condition_need n = {.condition = widening_where(w, &d->r, i)};
        draft_copy(&own, d);
        draft_drop_where(&own, i);
        const struct rule *r = draft_rule(&own, &w->l->set, &e);
        if (r != NULL) {
            n.breaks = learner_attack(w->l, r, w->claims, 4000);
            if (n.breaks == NULL &&
                learner_prove(w->l, r, w->claims, true, &memo) != w->claims)
                n.breaks = memo->counterexample;
        }
        vec_push(&w->g->needs, n);
        draft_release(&own);
    }
}

struct outside {
    const struct rule *r;        // without preconditions on maps
    struct experiment *open, *own;      // of it, of the rule
    uint64_t least, least_empty; // sizes of the points that were found
};

// Gives the rule the point of the open one; how far it is from zero.
static uint64_t take_point(const struct widening *w, struct outside *o)
{
    uint64_t size = 0;
    memcpy(experiment_rank(o->own), experiment_rank(o->open),
           o->r->n_classes * sizeof(uint32_t));
    for (uint32_t m = 0; m < o->r->n_maps; m++) {
        uint32_t to = map_by_name(w->cur, o->r->maps[m].name);
        int64_t v = experiment_map(o->open, m)[0];
        if (to != NONE)
            memcpy(experiment_map(o->own, to), experiment_map(o->open, m), 4 * sizeof v);
        size += (uint64_t)(v < 0 ? 1 - 2 * v : v);
    }
    return size;
}

// Is it smaller than those found before, outside, and do the sides agree?
static void examine_point(struct widening *w, struct outside *o)
{
    uint64_t size = take_point(w, o);
    w->g->points++;
    if ((size >= o->least && size >= o->least_empty) || experiment_left(o->own))
        return;
    enum experiment_answer a = experiment_run(o->open, 5);
    if (a == EXPERIMENT_AGREE && size < o->least) {
        o->least = size;
        w->g->lost = learner_case(w->l, o->open);
        w->g->maximal = false;
    } else if (a == EXPERIMENT_EMPTY && size < o->least_empty) {
        o->least_empty = size;
        w->g->lost_empty = learner_case(w->l, o->open);
    }
}

static void look_outside(struct widening *w, const struct rule *r)
{
    struct outside o = {r, experiment_new(r, w->claims, w->l->seed + 99),
                        experiment_new(w->cur, w->claims, w->l->seed + 99), UINT64_MAX,
                        UINT64_MAX};
    bool good = false;
    for (uint32_t i = 0; i < POINTS; i++) {
        // Equal strides and the like are rare among random ones.
        if (good && i % 2 == 1)
            experiment_mutate(o.open, NONE);
        else
            experiment_random(o.open, NONE);
        good = experiment_left(o.open);
        if (good)
            examine_point(w, &o);
    }
    experiment_free(o.open);
    experiment_free(o.own);
}

// Is there agreement where the preconditions on maps do not hold?
static void find_lost(struct widening *w, const struct draft *d)
{
    struct draft open;
    struct err e = {0};
    draft_copy(&open, d);
    for (uint32_t i = open.r.n_wheres; i-- > 0;)
        if (open.wheres[i].cond != NULL)
            draft_drop_where(&open, i);
    const struct rule *r = draft_rule(&open, &w->l->set, &e);
    w->g->maximal = true;
    if (r != NULL && open.r.n_wheres < d->r.n_wheres)
        look_outside(w, r);
    draft_release(&open);
}

static void examine(struct widening *w)
{
    struct draft d;
    draft_init(&d, w->cur);
    find_needs(w, &d);
    find_lost(w, &d);
    draft_release(&d);
}

bool generalize(struct learner *l, const struct rule *r,
                const struct generalize_options *o, struct generalization *out,
                struct err *e)
{
    double start = clock_wall();
    struct widening w = {.l = l, .g = out, .claims = r->claims};
    const struct learn_memo *memo;
    *out = (struct generalization){.best = 0};
    w.end = start + (o->seconds > 0 ? o->seconds : 240);
    unsigned proved = learner_prove(l, r, r->claims, true, &memo);
    if (proved != r->claims)
        return err_set(e, ERR_CHECK, "%s is not proved in what it claims: %s",
                       r->name,
                       memo->counterexample ? memo->counterexample
                       : memo->vacuous ? "no instance meets its preconditions"
                                       : "not decided");
    struct rule_variant first = {r, NONE, "as given", "", proved};
    vec_push(&out->variants, first);
    w.cur = r;
    for (int i = 0; i < PASSES && !widening_over(&w) && pass(&w); i++)
        ;
    out->stopped = widening_over(&w);
    drop_implied(&w);
    out->best = w.at;
    examine(&w);
    out->seconds = clock_wall() - start;
    return true;
}

void generalization_release(struct generalization *g)
{
    vec_release(&g->variants);
    vec_release(&g->refused);
    vec_release(&g->needs);
}
