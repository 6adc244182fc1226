// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "discover/repair/core.h"
#include "verify/prove.h"
#include <jansson.h>
#include <string.h>

#define MOST 6
#define PROOFS 200
#define ELEMENT_PROOFS 60 // of them, for preconditions on elements
#define SECONDS 900.0     // a net; counts end it long before
#define FINALISTS 14      // that are proved again, in full
#define NEAR 6            // changed right sides that get preconditions
#define ONE_OPERAND 7.5
#define COMPLETED 2 // changes that lose a domain and get preconditions for it

// ---- kinds of repairs that need no file of their own

static void offer_types(struct repair_run *s)
{
    s->kind = "types";
    static const struct {
        unsigned kinds;
        const char *text;
    } to[] = {{KIND_BOOL, "bool"},
              {KIND_SINT, "sint"},
              {KIND_UINT, "uint"},
              {KIND_SINT | KIND_UINT, "int"},
              {KIND_FLOAT, "float"}};
    for (uint32_t t = 0; t < s->base.r.n_types; t++)
        for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
            unsigned old = s->base.types[t].kinds;
            if ((old & to[k].kinds) != to[k].kinds || old == to[k].kinds)
                continue;
            struct draft d;
            draft_copy(&d, &s->base);
            d.types[t].kinds = to[k].kinds;
            d.r.claims = rule_domains(&d.r);
            repair_offer(
                s, &d, 3,
                repair_words(s, "type %s only %s", d.types[t].name, to[k].text));
            draft_release(&d);
        }
    for (uint32_t a = 0; a < s->base.r.n_types; a++)
        for (uint32_t b = 0; b < s->base.r.n_types; b++) {
            const char *x = s->base.types[a].name, *y = s->base.types[b].name;
            if (a == b || x == NULL || y == NULL || !*x || !*y)
                continue;
            struct draft d;
            draft_copy(&d, &s->base);
            buf_printf(&d.extra, "  wider %s of %s;\n", x, y);
            repair_offer(s, &d, 3, repair_words(s, "wider %s of %s", x, y));
            draft_release(&d);
        }
}

// A non-linear pattern: one variable in both places.
static void offer_one_operand(struct repair_run *s)
{
    const struct rule *r = &s->base.r;
    uint32_t n = r->n_tensors + r->n_scalars;
    s->kind = "one operand";
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            bool tensor = a < r->n_tensors;
            if (a == b || tensor != (b < r->n_tensors))
                continue;
            struct draft d;
            draft_copy(&d, &s->base);
            const char *x =
                tensor ? r->tensors[a].name : r->scalars[a - r->n_tensors].name;
            const char *y =
                tensor ? r->tensors[b].name : r->scalars[b - r->n_tensors].name;
            uint32_t from = tensor ? b : b - r->n_tensors;
            uint32_t to = tensor ? a : a - r->n_tensors;
            uint32_t last = (tensor ? r->n_tensors : r->n_scalars) - 1;
            // The last one moves into the place of the one that goes.
            for (uint32_t i = 0; i < d.r.n_pats; i++) {
                struct pat *p = &d.pats[i];
                if (p->kind != (tensor ? PAT_TENSOR : PAT_SCALAR))
                    continue;
                if (p->var == from)
                    p->var = to;
                if (p->var == last)
                    p->var = from;
            }
            if (tensor)
                d.tensors[from] = d.tensors[last];
            else
                d.scalars[from] = d.scalars[last];
            repair_offer(s, &d, ONE_OPERAND,
                       repair_words(s, "%s in place of %s", x, y));
            draft_release(&d);
        }
}

static void offer_claims(struct repair_run *s)
{
    s->kind = "claims";
    repair_keep(s, s->rule, s->was, 2, "claims only what is proved");
}

static int by_cost(const void *a, const void *b)
{
    const struct repair_candidate *x = a, *y = b;
    size_t n = strlen(x->rule->canonical), m = strlen(y->rule->canonical);
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (n != m) // of equals the shorter one
        return n < m ? -1 : 1;
    return strcmp(x->rule->hash, y->rule->hash);
}

static int by_share(const void *a, const void *b)
{
    const struct near_rule *x = a, *y = b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return strcmp(x->rule->hash, y->rule->hash);
}

// ---- the end

static void drop_repeated_conditions(struct draft *d)
{
    for (uint32_t w = d->r.n_wheres; w-- > 1;)
        for (uint32_t v = 0; v < w; v++) {
            struct buf a = {0}, b = {0};
            if (d->wheres[v].cond != NULL || d->wheres[w].cond != NULL)
                continue;
            pat_print(&d->r, d->wheres[v].pat, &a);
            pat_print(&d->r, d->wheres[w].pat, &b);
            bool same = strcmp(buf_text(&a), buf_text(&b)) == 0;
            buf_release(&a);
            buf_release(&b);
            if (same) {
                draft_drop_where(d, w);
                break;
            }
        }
}

// In full, from the rule's text with its claims; what the full proof does not
// confirm does not count.
static bool finish(struct repair_run *s, const struct repair_candidate *c)
{
    struct draft d;
    struct err e = {0};
    draft_init(&d, c->rule);
    d.r.claims = c->is.proved;
    drop_repeated_conditions(&d);
    const struct rule *r = draft_rule(&d, &s->l->set, &e);
    draft_release(&d);
    if (r == NULL || !repair_has_instance(s, r, c->is.proved))
        return false;
    struct prove_options o = {.domains = c->is.proved,
                              .seed = s->l->seed + 1,
                              .timeout_ms = QUERY_MS,
                              .seconds_per_rule = 120};
    struct report rep = {0};
    unsigned proved = 0;
    if (prove_rule(r, &o, &rep))
        for (uint32_t i = 0; i < rep.domains.len; i++)
            if (rep.domains.at[i].verdict == VERDICT_PROVED)
                proved |= 1u << rep.domains.at[i].domain;
    report_release(&rep);
    if (proved != c->is.proved)
        return false;
    struct repair done = {r,       c->kind, c->what,
                          c->cost, proved,  c->is.refuted & s->claims};
    vec_push(&s->out->at, done);
    return true;
}

static void where_text(const struct rule *r, uint32_t w, struct buf *out)
{
    if (r->wheres[w].cond != NULL)
        cond_print(r, r->wheres[w].cond, out);
    else
        pat_print(r, r->wheres[w].pat, out);
}

static bool has_where(const struct rule *r, const char *text)
{
    bool has = false;
    for (uint32_t w = 0; w < r->n_wheres && !has; w++) {
        struct buf b = {0};
        where_text(r, w, &b);
        has = strcmp(buf_text(&b), text) == 0;
        buf_release(&b);
    }
    return has;
}

// Has `b` the left side of `a`, and every precondition?
static bool asks_as_much(const struct rule *b, const struct rule *a)
{
    struct buf x = {0}, y = {0};
    pat_print(a, a->lhs, &x);
    pat_print(b, b->lhs, &y);
    bool all = strcmp(buf_text(&x), buf_text(&y)) == 0 &&
               a->n_types == b->n_types && a->n_wider == b->n_wider;
    for (uint32_t t = 0; all && t < a->n_types; t++)
        all = a->types[t].kinds == b->types[t].kinds;
    buf_release(&x);
    buf_release(&y);
    for (uint32_t w = 0; all && w < a->n_wheres; w++) {
        struct buf t = {0};
        where_text(a, w, &t);
        all = has_where(b, buf_text(&t));
        buf_release(&t);
    }
    return all;
}

// What a proposal above it has said: the same left side, under no more
// preconditions, is equal to something else.
static bool restates(const struct repair_run *s, const struct repair_candidate *c)
{
    for (uint32_t i = 0; i < s->out->at.len; i++) {
        const struct repair *d = &s->out->at.at[i];
        if (!(c->is.proved & ~d->proved) && asks_as_much(c->rule, d->rule))
            return true;
    }
    return false;
}

static void choose(struct repair_run *s, uint32_t most)
{
    uint32_t looked = 0;
    if (s->found.len > 0)
        qsort(s->found.at, s->found.len, sizeof *s->found.at, by_cost);
    for (uint32_t i = 0;
         i < s->found.len && looked < FINALISTS && s->out->at.len < most; i++) {
        struct repair_candidate c = s->found.at[i];
        repair_shorten(s, &c);
        if (restates(s, &c))
            continue;
        finish(s, &c);
        looked++;
    }
}

static void nearly_right(struct repair_run *s)
{
    for (uint32_t i = 0; i < s->near.len; i++)
        s->near.at[i].share = repair_share(s, s->near.at[i].rule, 60);
    if (s->near.len > 0)
        qsort(s->near.at, s->near.len, sizeof *s->near.at, by_share);
    for (uint32_t i = 0; i < s->near.len && i < NEAR; i++)
        if (s->near.at[i].share >= 0.1 && !repair_over(s))
            repair_elements(s, s->near.at[i].rule, 0, s->near.at[i].cost,
                            s->near.at[i].what, 12);
}

// The cheapest changes that are true in some domains and not in others that
// were claimed, with preconditions for those.
static void complete(struct repair_run *s)
{
    struct repair_candidate at[COMPLETED];
    uint32_t n = 0;
    if (s->found.len > 0)
        qsort(s->found.at, s->found.len, sizeof *s->found.at, by_cost);
    for (uint32_t i = 0; i < s->found.len && n < COMPLETED; i++) {
        const struct repair_candidate *c = &s->found.at[i];
        if (c->rule == s->rule || !(s->claims & ~c->is.proved) ||
            !(s->claims & c->is.proved) || repair_on_elements(c->rule))
            continue;
        at[n++] = *c;
    }
    for (uint32_t i = 0; i < n; i++)
        repair_elements(s, at[i].rule, at[i].is.proved,
                        at[i].cost - repair_lost_bits(s, at[i].is.proved),
                        at[i].what, 8);
}

static const char *words_of(struct repair_run *s, const char *json)
{
    json_t *root = json_loads(json, 0, NULL);
    const char *text = json_string_value(json_object_get(root, "text"));
    const char *words = repair_words(s, "%s", text ? text : "");
    json_decref(root);
    return words;
}

static void work(struct repair_run *s)
{
    s->was = repair_judge(s, s->rule, s->all, true, &s->known);
    s->out->was_proved = s->was.proved;
    s->out->is_true = (s->claims & ~s->was.proved) == 0;
    for (uint32_t i = 0; i < s->known.at.len && !s->out->counterexample; i++)
        if (s->claims >> s->known.at.at[i].domain & 1)
            s->out->counterexample = words_of(s, s->known.at.at[i].json);
    if (s->out->is_true)
        return;
    offer_claims(s);
    offer_types(s);
    offer_one_operand(s);
    repair_maps(s);
    repair_edits(s);
    repair_expressions(s, false);
    repair_elements(s, s->rule, 0, 0, NULL, ELEMENT_PROOFS);
    complete(s);
    if (repair_best(s) > 6)
        repair_lefts(s);
    if (repair_best(s) > 6)
        repair_expressions(s, true);
    if (repair_best(s) > 6)
        nearly_right(s);
}

void repair_rule(struct learner *l, const struct rule *r,
                 const struct repair_options *o, struct repairs *out)
{
    struct err e = {0};
    struct buf lhs = {0};
    double start = clock_wall();
    *out = (struct repairs){0};
    struct repair_run s = {.l = l, .given = r, .out = out, .claims = r->claims};
    s.max_proofs = o->proofs ? o->proofs : PROOFS;
    s.end = start + (o->seconds > 0 ? o->seconds : SECONDS);
    draft_init(&s.base, r);
    s.base.r.claims = s.all = rule_domains(r);
    s.rule = draft_rule(&s.base, &l->set, &e);
    if (s.rule != NULL) {
        vec_push(&s.tried, s.rule->hash);
        repair_normal(s.rule, s.rule->lhs, &lhs);
        s.lhs_norm = buf_text(&lhs);
        work(&s);
        choose(&s, o->most ? o->most : MOST);
    }
    out->seconds = clock_wall() - start;
    draft_release(&s.base);
    buf_release(&lhs);
    vec_release(&s.known.at);
    vec_release(&s.tried);
    vec_release(&s.found);
    vec_release(&s.near);
}

void repairs_release(struct repairs *s)
{
    vec_release(&s->at);
}
