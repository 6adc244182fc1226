// SPDX-License-Identifier: Apache-2.0
// Rules near a rule, its uses and its history.
#include "explorer/pages/rule.h"

static void put_item(const struct rule_page *page, const char *what,
                     const struct library_rule *rule)
{
    markup_in("<dt>", what, "</dt><dd>", page->out);
    frame_anchor(page->frame, rule->path, rule->rule->name, page->out);
    markup_in(" <span class=\"quiet\">", rule->rule->doc, "</span></dd>\n", page->out);
}

// The rule's left side, as text.
static size_t left_length(const struct library_rule *rule)
{
    const char *arrow = strstr(rule->statement, " => ");
    return arrow ? (size_t)(arrow - rule->statement) : 0;
}

static bool same_left(const struct library_rule *a, const struct library_rule *b)
{
    size_t n = left_length(a);
    return n > 0 && n == left_length(b) && strncmp(a->statement, b->statement, n) == 0;
}

static bool shared_origin(const struct rw_rule *a, const struct rw_rule *b)
{
    for (size_t i = 0; i < a->n_origins; i++)
        for (size_t k = 0; k < b->n_origins; k++)
            if (strcmp(a->origins[i], b->origins[k]) == 0)
                return true;
    return false;
}

enum { MOST_NEIGHBOURS = 12 };

static void put_near(const struct rule_page *page)
{
    const struct library *library = &page->pages->library;
    unsigned n = 0;
    for (uint32_t i = 0; i < library->rules.len && n < MOST_NEIGHBOURS; i++) {
        const struct library_rule *other = &library->rules.at[i];
        bool left = other != page->entry && same_left(page->entry, other);
        bool row = other != page->entry && shared_origin(page->rule, other->rule);
        if (left || row) {
            put_item(page, left ? "The same left side" : "States the same row", other);
            n++;
        }
    }
}

// More general rules and special cases are searched for, which takes seconds: a job.
static void put_ask(const struct rule_page *page)
{
    buf_puts(page->out, "<form class=\"no-print\" method=\"post\" action=\"");
    frame_link(page->frame, "play/rules", page->out);
    markup_in("#answer\"><input type=\"hidden\" name=\"text\" value=\"", page->rule->source,
              "\"><button class=\"plain\" name=\"task\" value=\"relatives\">Search for more "
              "general rules and special cases</button></form>\n",
              page->out);
}

void put_neighbours(const struct rule_page *page)
{
    const struct library *library = &page->pages->library;
    const struct rule *reversed = rule_reversed(page->parsed, page->set);
    const struct library_rule *inverse = reversed ? library_by_hash(library, reversed->hash) : NULL;
    uint32_t place = (uint32_t)(page->entry - library->rules.at);
    const struct library_rule *before = place > 0 ? page->entry - 1 : NULL;
    const struct library_rule *after = place + 1 < library->rules.len ? page->entry + 1 : NULL;
    buf_puts(page->out, "<h2 id=\"neighbours\">Neighbours</h2>\n<dl class=\"facts\">\n");
    if (inverse)
        put_item(page, inverse == page->entry ? "Own inverse" : "Inverse", inverse);
    put_near(page);
    if (before && strcmp(before->rule->family, page->rule->family) == 0)
        put_item(page, "Before it in the family", before);
    if (after && strcmp(after->rule->family, page->rule->family) == 0)
        put_item(page, "After it in the family", after);
    buf_puts(page->out, "</dl>\n");
    if (page->frame->mode == EXPLORER_SERVED)
        put_ask(page);
}

// ---- rows of the database

static void put_row(void *user, int n, const char *const *names, const char *const *texts)
{
    struct buf *out = user;
    (void)names;
    buf_puts(out, "<tr>");
    for (int i = 0; i < n; i++)
        markup_in("<td>", texts[i] ? texts[i] : "", "</td>", out);
    buf_puts(out, "</tr>\n");
}

// A section with the rows of a query about the rule as a table; nothing without rows.
static bool put_table(const struct rule_page *page, const char *head, const char *select,
                      const char *order, struct rw_error *error)
{
    struct buf sql = {0}, rows = {0};
    // A hash has no quotes: the rule was found by it.
    buf_printf(&sql, "%s'%s'%s", select, page->rule->hash, order);
    bool ok = rw_query_sql(page->pages->database, buf_text(&sql), put_row, &rows, error);
    if (ok && rows.len > 0)
        buf_printf(page->out, "%s<tbody>\n%s</tbody></table></div>\n", head, buf_text(&rows));
    buf_release(&sql);
    buf_release(&rows);
    return ok;
}

bool put_history(const struct rule_page *page, struct rw_error *error)
{
    static const char uses[] =
        "<h2 id=\"uses\">Uses in records</h2>\n<div class=\"scroll\" "
        "tabindex=\"0\"><table>\n<thead><tr>"
        "<th scope=\"col\">Record</th><th scope=\"col\">Of</th><th scope=\"col\">Domain</th>"
        "<th scope=\"col\">Steps</th><th scope=\"col\">Uses</th></tr></thead>\n";
    static const char verdicts[] =
        "<h2 id=\"history\">History of the verdicts</h2>\n<p class=\"quiet\">The database "
        "keeps the last verdict of each domain.</p>\n<div class=\"scroll\" "
        "tabindex=\"0\"><table>\n<thead><tr>"
        "<th scope=\"col\">Domain</th><th scope=\"col\">Verdict</th><th scope=\"col\">Run</th>"
        "<th scope=\"col\">Command</th><th scope=\"col\">Verifier</th><th scope=\"col\">"
        "Semantics</th><th scope=\"col\">Solver</th></tr></thead>\n";
    if (page->rule->uses == 0)
        buf_puts(page->out, "<h2 id=\"uses\">Uses in records</h2>\n<p>No record that this "
                            "database knows uses the rule.</p>\n");
    return put_table(page, uses,
                     "SELECT r.id, r.created, r.domain, r.steps, u.count FROM use u JOIN record r "
                     "ON r.id = u.record WHERE u.rule = ",
                     " ORDER BY r.created DESC, r.id LIMIT 100", error) &&
           put_table(page, verdicts,
                     "SELECT v.domain, v.verdict, r.started, r.command, v.verifier, v.semantics, "
                     "v.solver FROM verdict v JOIN run r ON r.id = v.run AND r.layer = v.layer "
                     "WHERE v.rule = ",
                     " ORDER BY v.domain", error);
}
