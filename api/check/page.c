// SPDX-License-Identifier: Apache-2.0
#include "api/check/page.h"

#include "simplify/page/html.h"
#include "proof/formula/texts.h"
#include "rules/describe/describe.h"

#include <stdlib.h>

enum { MAX_STEPS = 200 };

struct page {
    struct arena mem;
    struct formula_texts texts;
    struct fsteps steps;
    VEC(struct html_rule) rules;
    VEC(const char *) hashes; // of rules
    VEC(struct html_use) uses;
    VEC(struct html_condition) conditions;
    VEC(struct html_constant) constants;
};

static const char *keep(struct page *page, struct buf *buf)
{
    const char *text = arena_strdup(&page->mem, buf_text(buf));
    buf_release(buf);
    return text;
}

// The doc comment stands by itself.
static void without_comments(const char *text, struct buf *out)
{
    while (*text != 0) {
        size_t n = strcspn(text, "\n");
        n += text[n] == '\n';
        if (strncmp(text, "///", 3) != 0)
            buf_write(out, text, n);
        text += n;
    }
}

// Verdicts in one line: "real: proved; float: refuted".
static void verdict_of(const struct stored_rule *stored, struct buf *out)
{
    for (uint32_t i = 0; i < stored->verdicts.len; i++) {
        const struct stored_verdict *verdict = &stored->verdicts.at[i];
        buf_printf(out, "%s%s: %s", i ? "; " : "", domain_text(verdict->domain),
                   verdict_text(verdict->verdict));
        if (verdict->verdict == VERDICT_PROVED && verdict->rung[0] != 0)
            buf_printf(out, " (%s)", verdict->rung);
        if (verdict->stale)
            buf_puts(out, " [stale]");
    }
    if (stored->verdicts.len == 0)
        buf_puts(out, "never proved");
}

static void method_of(const struct stored_rule *stored, struct buf *out)
{
    for (uint32_t i = 0; i < stored->verdicts.len; i++) {
        const struct stored_verdict *verdict = &stored->verdicts.at[i];
        if (verdict->verdict != VERDICT_PROVED || verdict->method[0] == 0)
            continue;
        buf_puts(out, verdict->method);
        if (verdict->solver[0] != 0)
            buf_printf(out, ", %s", verdict->solver);
        if (verdict->bound_why[0] != 0)
            buf_printf(out, ". %s", verdict->bound_why);
        return;
    }
}

// Those of the domain with most of them: the one that was proved in full.
static void obligations_of(struct page *page, const struct report *rep, struct html_rule *rule)
{
    const struct domain_report *most = NULL;
    for (uint32_t i = 0; i < rep->domains.len; i++)
        if (most == NULL || rep->domains.at[i].obligations.len > most->obligations.len)
            most = &rep->domains.at[i];
    if (most == NULL || most->obligations.len == 0)
        return;
    uint32_t n = most->obligations.len;
    struct html_obligation *at = ARENA_NEW(&page->mem, struct html_obligation, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct obligation *obligation = &most->obligations.at[i];
        at[i].kind = obligation_kind_text(obligation->kind);
        at[i].verdict = verdict_text(obligation->verdict);
        at[i].ranks = arena_strdup(&page->mem, obligation->ranks);
        at[i].detail = arena_strdup(&page->mem, obligation->detail);
    }
    rule->n_obligations = n;
    rule->obligation = at;
}

static bool from_database(struct page *page, struct db *db, const char *hash,
                          struct html_rule *rule, struct err *err)
{
    struct db_filter filter;
    struct stored_rules found = {0};
    struct report rep = {0};
    struct buf text = {0};
    db_filter_init(&filter);
    filter.name = hash;
    filter.superseded = true;
    bool ok = db_find(db, &filter, &found, err);
    if (ok && found.rules.len == 1) {
        const struct stored_rule *stored = &found.rules.at[0];
        rule->name = arena_strdup(&page->mem, stored->name);
        rule->doc = arena_strdup(&page->mem, stored->doc);
        without_comments(stored->source, &text);
        rule->text = keep(page, &text);
        text = (struct buf){0};
        verdict_of(stored, &text);
        rule->verdict = keep(page, &text);
        text = (struct buf){0};
        method_of(stored, &text);
        rule->method = keep(page, &text);
        text = (struct buf){0};
        for (uint32_t i = 0; i < stored->preconditions.len; i++)
            buf_printf(&text, "%s%s", i ? ", " : "", stored->preconditions.at[i]);
        rule->precondition = keep(page, &text);
        ok = db_obligations(db, hash, &rep, err);
        if (ok)
            obligations_of(page, &rep, rule);
    }
    report_release(&rep);
    stored_rules_release(&found);
    db_filter_release(&filter);
    return ok;
}

static bool add_rule(struct page *page, struct db *db, uint32_t i, struct err *err)
{
    const struct formula_record_rule *rule = &page->texts.record->rules.at[i];
    struct html_use use = {.name = rule->name, .backward = rule->backward};
    while (use.rule < page->hashes.len && strcmp(page->hashes.at[use.rule], rule->hash) != 0)
        use.rule++;
    vec_push(&page->uses, use);
    if (use.rule < page->hashes.len)
        return true;
    struct html_rule h = {.name = rule->name, .text = rule->text, .hash = rule->hash};
    struct buf meaning = {0};
    rule_meaning(page->texts.rules.at[i], &meaning);
    h.meaning = keep(page, &meaning);
    if (rule->assumed)
        h.verdict = "assumed, not proved";
    else if (db != NULL && !from_database(page, db, rule->hash, &h, err))
        return false;
    vec_push(&page->rules, h);
    vec_push(&page->hashes, rule->hash);
    return true;
}

// Is given number i used by the proof?
static bool given_is_used(const char *proof, uint32_t i)
{
    for (const char *at = proof; at != NULL && *at != 0; at = strchr(at, '\n'), at += at != NULL) {
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
static bool add_conditions(struct page *page, struct err *err)
{
    const struct formula_record *record = page->texts.record;
    for (uint32_t i = 0; i < record->givens.len; i++) {
        const struct formula_record_given *given = &record->givens.at[i];
        bool declared = strcmp(given->by, "declared") == 0;
        struct html_condition condition = {
            .why = declared ? "(as declared)" : "(elsewhere the formula has no value)"};
        if ((!declared && strcmp(given->by, "defined") != 0) || !given_is_used(record->proof, i))
            continue;
        if (!fterm_read(&page->texts.terms, given->cond, &condition.cond, err))
            return false;
        vec_push(&page->conditions, condition);
    }
    return true;
}

static bool add_constants(struct page *page, struct err *err)
{
    for (uint32_t i = 0; i < page->texts.record->constants.len; i++) {
        const struct formula_record_constant *constant = &page->texts.record->constants.at[i];
        struct html_constant c = {.text = constant->text,
                                  .precision = constant->precision,
                                  .difference = constant->difference};
        if (!fterm_read(&page->texts.terms, constant->value, &c.value, err))
            return false;
        vec_push(&page->constants, c);
    }
    return true;
}

static double cost_of(const struct fterms *terms, fterm term)
{
    struct u32_vec all = {0};
    double *cost = mem_alloc((term + 1) * sizeof *cost);
    fterms_reach(terms, 1, &term, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm y = all.at[i];
        cost[y] = formula_cost(terms, y);
        for (uint32_t k = 0; k < fterm_n(terms, y); k++)
            cost[y] += cost[fterm_args(terms, y)[k]];
    }
    double all_cost = cost[term];
    mem_free(cost);
    vec_release(&all);
    return all_cost;
}

static bool fill(struct page *page, struct db *db, struct err *err)
{
    const struct formula_record *record = page->texts.record;
    for (uint32_t i = 0; i < record->rules.len; i++)
        if (!add_rule(page, db, i, err))
            return false;
    if (record->proof[0] == 0)
        page->steps.first = page->texts.left;
    else if (!fsteps_of(&page->steps, &page->texts.terms, record->proof, page->texts.left,
                        MAX_STEPS, err))
        return false;
    return add_conditions(page, err) && add_constants(page, err);
}

static void write_page(const struct page *page, const char *title, const char *remark,
                       struct buf *out)
{
    struct html_page h = {
        .title = title,
        .formula = &page->texts.in,
        .defs = &page->texts.defs,
        .before = page->texts.in.term,
        .after = page->texts.out.term,
        .cost_before = cost_of(&page->texts.terms, page->texts.in.term),
        .cost_after = cost_of(&page->texts.terms, page->texts.out.term),
        .remark = remark,
        .n_conditions = page->conditions.len,
        .n_constants = page->constants.len,
        .n_rules = page->rules.len,
        .n_uses = page->uses.len,
        .condition = page->conditions.at,
        .constant = page->constants.at,
        .rule = page->rules.at,
        .use = page->uses.at,
        .steps = &page->steps,
    };
    html_page(&h, out);
}

bool formula_page(const struct formula_record *record, struct db *db, const char *title,
                  const char *remark, struct buf *out, struct err *err)
{
    struct page page = {.steps = {.first = NO_FTERM}};
    bool ok = formula_texts_read(&page.texts, record, err) && fill(&page, db, err);
    if (ok)
        write_page(&page, title, remark, out);
    if (page.steps.first != NO_FTERM && record->proof[0] != 0)
        fsteps_release(&page.steps);
    formula_texts_release(&page.texts);
    vec_release(&page.rules);
    vec_release(&page.hashes);
    vec_release(&page.uses);
    vec_release(&page.conditions);
    vec_release(&page.constants);
    arena_release(&page.mem);
    return ok;
}
