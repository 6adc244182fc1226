// SPDX-License-Identifier: Apache-2.0
// The page of a rule.
#include "explorer/pages/rule.h"
#include "api/error.h"
#include "api/proving/lines.h"
#include "explorer/math/math.h"

// Each line of the text as a formula of its own.
static void put_math_lines(const char *text, struct buf *out)
{
    while (*text) {
        struct buf line = {0};
        size_t n = strcspn(text, "\n");
        buf_write(&line, text, n);
        if (line.len > 0) {
            buf_puts(out, "<div class=\"formula\" tabindex=\"0\">");
            math_line(buf_text(&line), out);
            buf_puts(out, "</div>\n");
        }
        buf_release(&line);
        text += n + (text[n] == '\n');
    }
}

static void put_sides(const struct rule_page *page)
{
    const char *statement = page->entry->statement, *arrow = strstr(statement, " => ");
    struct buf left = {0};
    if (arrow == NULL)
        return;
    buf_write(&left, statement, (size_t)(arrow - statement));
    buf_puts(page->out, "<div class=\"sides\"><div class=\"formula\" tabindex=\"0\">");
    math_line(buf_text(&left), page->out);
    buf_puts(page->out, "</div>\n<div class=\"formula\" tabindex=\"0\">");
    math_line(arrow + 1, page->out);
    buf_puts(page->out, "</div></div>\n");
    buf_release(&left);
}

void put_statement(const struct rule_page *page)
{
    struct rw_error error;
    put_sides(page);
    for (size_t i = 0; i < page->rule->n_preconditions; i++) {
        buf_puts(page->out, i ? "<div class=\"formula\" tabindex=\"0\">and "
                              : "<div class=\"formula\" tabindex=\"0\">where ");
        math_line(page->rule->preconditions[i], page->out);
        buf_puts(page->out, "</div>\n");
    }
    markup_in("<details open><summary>As text</summary>\n<pre>", page->rule->source,
              "</pre></details>\n", page->out);
    char *meaning = rw_rule_meaning(page->rule, &error);
    if (meaning) {
        buf_puts(page->out, "<h2 id=\"meaning\">Meaning</h2>\n<p class=\"quiet\">The element at an "
                            "index. <i>i<sub>x</sub></i> is the index along the axes of x.</p>\n");
        put_math_lines(meaning, page->out);
        markup_in("<details><summary>As text</summary>\n<pre>", meaning, "</pre></details>\n",
                  page->out);
    }
    rw_free(meaning);
}

static void put_head(const struct rule_page *page)
{
    const struct rw_rule *rule = page->rule;
    buf_puts(page->out, "<p class=\"crumbs\">");
    frame_anchor(page->frame, "rules", "Rules", page->out);
    buf_puts(page->out, " / ");
    put_filter_link(page->frame, "family", rule->family, rule->family, page->out);
    markup_in("</p>\n<h1>", rule->name, "</h1>\n", page->out);
    if (rule->doc[0])
        markup_in("<p class=\"lead\">", rule->doc, "</p>\n", page->out);
    buf_puts(page->out, "<p>");
    put_badges(page->entry, page->out);
    if (page->frame->mode == EXPLORER_SERVED) {
        struct buf path = {0};
        buf_puts(&path, "play/rules?rule=");
        frame_part(rule->hash, &path);
        buf_puts(page->out, " ");
        frame_anchor(page->frame, buf_text(&path), "Open in the playground", page->out);
        buf_release(&path);
    }
    buf_puts(page->out, "</p>\n");
}

static void put_provenance(const struct rule_page *page)
{
    const struct rw_rule *rule = page->rule;
    buf_puts(page->out, "<h2 id=\"origin\">Provenance</h2>\n<dl class=\"facts\">\n");
    markup_in("<dt>Family</dt><dd>", rule->family, "</dd>\n", page->out);
    for (size_t i = 0; i < rule->n_origins; i++) {
        buf_puts(page->out, i ? "<dd>" : "<dt>States</dt><dd>");
        put_filter_link(page->frame, "origin", rule->origins[i], rule->origins[i], page->out);
        buf_puts(page->out, "</dd>\n");
    }
    buf_puts(page->out, "<dt>Operators</dt><dd>");
    for (uint32_t i = 0; i < page->entry->operators.len; i++) {
        struct buf path = {0};
        buf_puts(&path, "operator/");
        frame_part(page->entry->operators.at[i], &path);
        buf_puts(page->out, i ? ", " : "");
        frame_anchor(page->frame, buf_text(&path), page->entry->operators.at[i], page->out);
        buf_release(&path);
    }
    buf_puts(page->out, "</dd>\n");
    markup_in("<dt>Layer</dt><dd>", rule->layer, "</dd>\n", page->out);
    markup_in("<dt>Hash</dt><dd><code>", rule->hash, "</code></dd>\n", page->out);
    if (rule->same_as && rule->same_as[0])
        markup_in("<dt>Same as</dt><dd>", rule->same_as, "</dd>\n", page->out);
    for (size_t i = 0; i < rule->n_remarks; i++)
        markup_in("<dt>Remark</dt><dd>", rule->remarks[i], "</dd>\n", page->out);
    buf_puts(page->out, "</dl>\n");
}

static bool put_page(struct rule_page *page, struct rw_error *error)
{
    frame_begin(page->frame, page->out);
    buf_puts(page->out, "<article class=\"rule\">\n");
    put_head(page);
    buf_puts(page->out, "<h2 id=\"statement\">Statement</h2>\n");
    put_statement(page);
    put_picture(page);
    put_verdicts(page);
    put_counterexamples(page);
    put_proofs(page);
    put_provenance(page);
    put_neighbours(page);
    bool ok = put_history(page, error);
    buf_puts(page->out, "</article>\n");
    frame_end(page->frame, page->out);
    return ok;
}

// "rule/FAMILY/NAME", or "rule/HASH" with a whole hash.
static const struct library_rule *find(const struct library *library, const char *path)
{
    const char *family = path + strlen("rule/"), *name = strrchr(family, '/');
    if (name == NULL)
        return library_by_hash(library, family);
    struct buf text = {0};
    buf_write(&text, family, (size_t)(name - family));
    const struct library_rule *rule = library_by_name(library, buf_text(&text), name + 1);
    buf_release(&text);
    return rule;
}

bool page_rule(struct explorer_pages *pages, const char *path, const char *query,
               struct explorer_body *out, struct rw_error *error)
{
    const struct library_rule *entry = find(&pages->library, path);
    (void)query;
    if (entry == NULL)
        return page_absent(pages, path, out);
    struct rw_report *report = rw_query_rule(pages->database, entry->rule->hash, error);
    if (report == NULL)
        return false;
    static const char *const scripts[] = {"picture.js", NULL};
    struct frame frame = {.mode = pages->mode,
                          .path = path,
                          .title = entry->rule->name,
                          .description = entry->rule->doc[0] ? entry->rule->doc : NULL,
                          .entry = FRAME_RULES,
                          .scripts = scripts};
    struct ruleset set;
    struct err err = {0};
    ruleset_init(&set);
    struct rule_page page = {
        .pages = pages,
        .frame = &frame,
        .entry = entry,
        .rule = rw_report_rule(report, 0),
        .set = &set,
        .out = &out->bytes,
    };
    page.parsed =
        rule_of_text(page.rule->source, strlen(page.rule->source), page.rule->family, &set, &err);
    bool ok = page.parsed ? put_page(&page, error) : error_give(&err, error);
    ruleset_release(&set);
    rw_report_free(report);
    return ok;
}

const char *explorer_smt2_rule(struct explorer_pages *pages, const char *path)
{
    static const char begin[] = "smt2/", end[] = ".smt2";
    struct buf of_rule = {0};
    struct rw_error error;
    size_t n = strlen(path), before = strlen(begin), behind = strlen(end);
    if (n <= before + behind || strncmp(path, begin, before) != 0 ||
        strcmp(path + n - behind, end) != 0 || !library_refresh(&pages->library, &error))
        return NULL;
    buf_puts(&of_rule, "rule/");
    buf_write(&of_rule, path + before, n - before - behind);
    const struct library_rule *entry = find(&pages->library, buf_text(&of_rule));
    buf_release(&of_rule);
    return entry ? entry->rule->hash : NULL;
}
