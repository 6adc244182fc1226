// SPDX-License-Identifier: Apache-2.0
#include "api/check/notes.h"

#include "db/db.h"

static const char *keep(struct arena *mem, struct buf *buf)
{
    const char *text = arena_strdup(mem, buf_text(buf));
    buf_release(buf);
    *buf = (struct buf){0};
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

static void preconditions_of(const struct stored_rule *stored, struct buf *out)
{
    for (uint32_t i = 0; i < stored->preconditions.len; i++)
        buf_printf(out, "%s%s", i ? ", " : "", stored->preconditions.at[i]);
}

// The obligations of the domain with the most: the domain that was proved in
// full.
static void obligations_of(const struct report *report, struct arena *mem, struct rule_notes *out)
{
    const struct domain_report *most = NULL;
    for (uint32_t i = 0; i < report->domains.len; i++)
        if (most == NULL || report->domains.at[i].obligations.len > most->obligations.len)
            most = &report->domains.at[i];
    if (most == NULL || most->obligations.len == 0)
        return;
    uint32_t n = most->obligations.len;
    struct emit_obligation *at = ARENA_NEW(mem, struct emit_obligation, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct obligation *obligation = &most->obligations.at[i];
        at[i].kind = obligation_kind_text(obligation->kind);
        at[i].verdict = verdict_text(obligation->verdict);
        at[i].ranks = arena_strdup(mem, obligation->ranks);
        at[i].detail = arena_strdup(mem, obligation->detail);
    }
    out->n_obligations = n;
    out->obligation = at;
}

static void texts_of(const struct stored_rule *stored, struct arena *mem, struct rule_notes *out)
{
    struct buf text = {0};
    out->name = arena_strdup(mem, stored->name);
    out->doc = arena_strdup(mem, stored->doc);
    without_comments(stored->source, &text);
    out->text = keep(mem, &text);
    verdict_of(stored, &text);
    out->verdict = keep(mem, &text);
    method_of(stored, &text);
    out->method = keep(mem, &text);
    preconditions_of(stored, &text);
    out->precondition = keep(mem, &text);
}

bool notes_of_rule(void *db, const char *hash, struct arena *mem, struct rule_notes *out,
                   struct err *err)
{
    struct db_filter filter;
    struct stored_rules found = {0};
    struct report report = {0};
    db_filter_init(&filter);
    filter.hash = hash;
    filter.superseded = true;
    bool ok = db_find(db, &filter, &found, err);
    if (ok && found.rules.len == 1) {
        texts_of(&found.rules.at[0], mem, out);
        ok = db_obligations(db, hash, &report, err);
        if (ok)
            obligations_of(&report, mem, out);
    }
    report_release(&report);
    stored_rules_release(&found);
    db_filter_release(&filter);
    return ok;
}
