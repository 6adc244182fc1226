// SPDX-License-Identifier: Apache-2.0
#include "discover/generalize/widen.h"
#include "base/clock.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ATTACKS 600

const char *widening_text(struct widening *w, const char *fmt, ...)
{
    char line[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    return arena_strdup(&w->l->set.mem, line);
}

const char *widening_where(struct widening *w, const struct rule *r, uint32_t i)
{
    struct buf b = {0};
    if (r->wheres[i].cond != NULL)
        cond_print(r, r->wheres[i].cond, &b);
    else {
        buf_puts(&b, "all(");
        pat_print(r, r->wheres[i].pat, &b);
        buf_puts(&b, ")");
    }
    const char *s = arena_strdup(&w->l->set.mem, buf_text(&b));
    buf_release(&b);
    return s;
}

bool widening_over(const struct widening *w)
{
    return clock_wall() > w->end;
}

void widening_refuse(struct widening *w, const char *what, const char *why)
{
    for (uint32_t i = 0; i < w->g->refused.len; i++)
        if (strcmp(w->g->refused.at[i].what, what) == 0) {
            w->g->refused.at[i] = (struct refusal){w->at, what, why};
            return;
        }
    struct refusal r = {w->at, what, why};
    vec_push(&w->g->refused, r);
}

bool widening_refused(const struct widening *w, const char *what)
{
    for (uint32_t i = 0; i < w->g->refused.len; i++)
        if (w->g->refused.at[i].of == w->at &&
            strcmp(w->g->refused.at[i].what, what) == 0)
            return true;
    return false;
}

void widening_accept(struct widening *w, const struct rule *r, unsigned proved,
                     const char *what, const char *wider)
{
    struct rule_variant v = {r, w->at, what, wider, proved};
    vec_push(&w->g->variants, v);
    w->at = w->g->variants.len - 1;
    w->cur = r;
    uint32_t n = 0; // what was refused here may be accepted now
    for (uint32_t i = 0; i < w->g->refused.len; i++)
        if (strcmp(w->g->refused.at[i].what, what) != 0)
            w->g->refused.at[n++] = w->g->refused.at[i];
    w->g->refused.len = n;
}

bool widening_try(struct widening *w, const struct draft *d, const char *what)
{
    struct err e = {0};
    const struct learn_memo *memo;
    const struct rule *r = draft_rule(d, &w->l->set, &e);
    w->l->n_rules++;
    if (r == NULL) {
        widening_refuse(w, what, widening_text(w, "no rule: %s", e.msg));
        return false;
    }
    for (uint32_t i = 0; i < w->g->variants.len; i++)
        if (strcmp(w->g->variants.at[i].rule->hash, r->hash) == 0)
            return false;
    const char *broken = learner_attack(w->l, r, w->claims, ATTACKS);
    if (broken != NULL) {
        widening_refuse(w, what, widening_text(w, "false at %s", broken));
        return false;
    }
    unsigned proved = learner_prove(w->l, r, w->claims, true, &memo);
    if (proved != w->claims) {
        widening_refuse(
            w, what,
            memo->counterexample
                ? widening_text(w, "false: %s", memo->counterexample)
                : "not decided");
        return false;
    }
    widening_accept(w, r, proved, what, "");
    return true;
}
