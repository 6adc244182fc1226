// SPDX-License-Identifier: Apache-2.0
#include "cli/formula/page.h"

#include "simplify/page/html.h"
#include "proof/formula/texts.h"
#include "rules/describe/describe.h"

#include <stdlib.h>

enum { MAX_STEPS = 200 };

struct formula_page {
    struct arena mem;
    struct formula_texts x;
    struct fsteps steps;
    VEC(struct html_rule) rules;
    VEC(const char *) hashes; // of rules
    VEC(struct html_use) uses;
    VEC(struct html_condition) conditions;
    VEC(struct html_constant) constants;
};

static const char *keep(struct formula_page *p, struct buf *b)
{
    const char *text = arena_strdup(&p->mem, buf_text(b));
    buf_release(b);
    return text;
}

// The doc comment stands by itself.
static void without_comments(const char *s, struct buf *out)
{
    while (*s != 0) {
        size_t n = strcspn(s, "\n");
        n += s[n] == '\n';
        if (strncmp(s, "///", 3) != 0)
            buf_write(out, s, n);
        s += n;
    }
}

// Verdicts in one line: "real: proved; float: refuted".
static void verdict_of(const struct stored_rule *s, struct buf *out)
{
    for (uint32_t i = 0; i < s->verdicts.len; i++) {
        const struct stored_verdict *v = &s->verdicts.at[i];
        buf_printf(out, "%s%s: %s", i ? "; " : "", domain_text(v->domain),
                   verdict_text(v->verdict));
        if (v->verdict == VERDICT_PROVED && v->rung[0] != 0)
            buf_printf(out, " (%s)", v->rung);
        if (v->stale)
            buf_puts(out, " [stale]");
    }
    if (s->verdicts.len == 0)
        buf_puts(out, "never proved");
}

static void method_of(const struct stored_rule *s, struct buf *out)
{
    for (uint32_t i = 0; i < s->verdicts.len; i++) {
        const struct stored_verdict *v = &s->verdicts.at[i];
        if (v->verdict != VERDICT_PROVED || v->method[0] == 0)
            continue;
        buf_puts(out, v->method);
        if (v->solver[0] != 0)
            buf_printf(out, ", %s", v->solver);
        if (v->bound_why[0] != 0)
            buf_printf(out, ". %s", v->bound_why);
        return;
    }
}

// Those of the domain with most of them: the one that was proved in full.
static void obligations_of(struct formula_page *p, const struct report *rep,
                           struct html_rule *h)
{
    const struct domain_report *most = NULL;
    for (uint32_t i = 0; i < rep->domains.len; i++)
        if (most == NULL ||
            rep->domains.at[i].obligations.len > most->obligations.len)
            most = &rep->domains.at[i];
    if (most == NULL || most->obligations.len == 0)
        return;
    uint32_t n = most->obligations.len;
    struct html_obligation *at = ARENA_NEW(&p->mem, struct html_obligation, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct obligation *o = &most->obligations.at[i];
        at[i].kind = obligation_kind_text(o->kind);
        at[i].verdict = verdict_text(o->verdict);
        at[i].ranks = arena_strdup(&p->mem, o->ranks);
        at[i].detail = arena_strdup(&p->mem, o->detail);
    }
    h->n_obligations = n;
    h->obligation = at;
}

static bool from_database(struct formula_page *p, struct db *db, const char *hash,
                          struct html_rule *h, struct err *e)
{
    struct db_filter f;
    struct stored_rules found = {0};
    struct report rep = {0};
    struct buf text = {0};
    db_filter_init(&f);
    f.name = hash;
    f.superseded = true;
    bool ok = db_find(db, &f, &found, e);
    if (ok && found.rules.len == 1) {
        const struct stored_rule *s = &found.rules.at[0];
        h->name = arena_strdup(&p->mem, s->name);
        h->doc = arena_strdup(&p->mem, s->doc);
        without_comments(s->source, &text);
        h->text = keep(p, &text);
        text = (struct buf){0};
        verdict_of(s, &text);
        h->verdict = keep(p, &text);
        text = (struct buf){0};
        method_of(s, &text);
        h->method = keep(p, &text);
        text = (struct buf){0};
        for (uint32_t i = 0; i < s->preconditions.len; i++)
            buf_printf(&text, "%s%s", i ? ", " : "", s->preconditions.at[i]);
        h->precondition = keep(p, &text);
        ok = db_obligations(db, hash, &rep, e);
        if (ok)
            obligations_of(p, &rep, h);
    }
    report_release(&rep);
    stored_rules_release(&found);
    db_filter_release(&f);
    return ok;
}

static bool add_rule(struct formula_page *p, struct db *db, uint32_t i, struct err *e)
{
    const struct formula_record_rule *r = &p->x.r->rules.at[i];
    struct html_use use = {.name = r->name, .backward = r->backward};
    while (use.rule < p->hashes.len &&
           strcmp(p->hashes.at[use.rule], r->hash) != 0)
        use.rule++;
    vec_push(&p->uses, use);
    if (use.rule < p->hashes.len)
        return true;
    struct html_rule h = {.name = r->name, .text = r->text, .hash = r->hash};
    struct buf meaning = {0};
    rule_meaning(p->x.rules.at[i], &meaning);
    h.meaning = keep(p, &meaning);
    if (r->assumed)
        h.verdict = "assumed, not proved";
    else if (db != NULL && !from_database(p, db, r->hash, &h, e))
        return false;
    vec_push(&p->rules, h);
    vec_push(&p->hashes, r->hash);
    return true;
}

// Is given number i used by the proof?
static bool given_is_used(const char *proof, uint32_t i)
{
    for (const char *at = proof; at != NULL && *at != 0;
         at = strchr(at, '\n'), at += at != NULL) {
        if (strncmp(at, "given ", 6) != 0)
            continue;
        const char *end = at + strcspn(at, "\n");
        while (end > at && end[-1] == ' ')
            end--;
        while (end > at && end[-1] >= '0' && end[-1] <= '9')
            end--;
        if (strtoul(end, NULL, 10) == i)
            return true;
    }
    return false;
}

// That axes have indices and pi is more than 3 needs not be said.
static bool add_conditions(struct formula_page *p, struct err *e)
{
    const struct formula_record *r = p->x.r;
    for (uint32_t i = 0; i < r->givens.len; i++) {
        const struct formula_record_given *g = &r->givens.at[i];
        bool declared = strcmp(g->by, "declared") == 0;
        struct html_condition c = {
            .why = declared ? "(as declared)"
                            : "(elsewhere the formula has no value)"};
        if ((!declared && strcmp(g->by, "defined") != 0) ||
            !given_is_used(r->proof, i))
            continue;
        if (!fterm_read(&p->x.t, g->cond, &c.cond, e))
            return false;
        vec_push(&p->conditions, c);
    }
    return true;
}

static bool add_constants(struct formula_page *p, struct err *e)
{
    for (uint32_t i = 0; i < p->x.r->constants.len; i++) {
        const struct formula_record_constant *k = &p->x.r->constants.at[i];
        struct html_constant c = {.text = k->text,
                                  .precision = k->precision,
                                  .difference = k->difference};
        if (!fterm_read(&p->x.t, k->value, &c.value, e))
            return false;
        vec_push(&p->constants, c);
    }
    return true;
}

static double cost_of(const struct fterms *t, fterm x)
{
    struct u32_vec all = {0};
    double *cost = mem_alloc((x + 1) * sizeof *cost);
    fterms_reach(t, 1, &x, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm y = all.at[i];
        cost[y] = formula_cost(t, y);
        for (uint32_t k = 0; k < fterm_n(t, y); k++)
            cost[y] += cost[fterm_args(t, y)[k]];
    }
    double all_cost = cost[x];
    mem_free(cost);
    vec_release(&all);
    return all_cost;
}

static bool fill(struct formula_page *p, struct db *db, struct err *e)
{
    const struct formula_record *r = p->x.r;
    for (uint32_t i = 0; i < r->rules.len; i++)
        if (!add_rule(p, db, i, e))
            return false;
    if (r->proof[0] == 0)
        p->steps.first = p->x.left;
    else if (!fsteps_of(&p->steps, &p->x.t, r->proof, p->x.left, MAX_STEPS, e))
        return false;
    return add_conditions(p, e) && add_constants(p, e);
}

static void write_page(const struct formula_page *p, const char *title,
                       const char *remark, struct buf *out)
{
    struct html_page h = {
        .title = title,
        .f = &p->x.in,
        .defs = &p->x.defs,
        .before = p->x.in.term,
        .after = p->x.out.term,
        .cost_before = cost_of(&p->x.t, p->x.in.term),
        .cost_after = cost_of(&p->x.t, p->x.out.term),
        .remark = remark,
        .n_conditions = p->conditions.len,
        .n_constants = p->constants.len,
        .n_rules = p->rules.len,
        .n_uses = p->uses.len,
        .condition = p->conditions.at,
        .constant = p->constants.at,
        .rule = p->rules.at,
        .use = p->uses.at,
        .steps = &p->steps,
    };
    html_page(&h, out);
}

bool formula_page(const struct formula_record *r, struct db *db,
                  const char *title, const char *remark, struct buf *out,
                  struct err *e)
{
    struct formula_page p = {.steps = {.first = NO_FTERM}};
    bool ok = formula_texts_read(&p.x, r, e) && fill(&p, db, e);
    if (ok)
        write_page(&p, title, remark, out);
    if (p.steps.first != NO_FTERM && r->proof[0] != 0)
        fsteps_release(&p.steps);
    formula_texts_release(&p.x);
    vec_release(&p.rules);
    vec_release(&p.hashes);
    vec_release(&p.uses);
    vec_release(&p.conditions);
    vec_release(&p.constants);
    arena_release(&p.mem);
    return ok;
}
