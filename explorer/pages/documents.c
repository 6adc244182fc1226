// SPDX-License-Identifier: Apache-2.0
// Documents with tables of rules as pages: docs/coverage.md, docs/discovered.md.  They have headings,
// paragraphs and tables, which get links to the rules.
#include "explorer/files/files.h"
#include "explorer/pages/parts.h"

// "sub_of_sum" and *marks* in a line of text.
static void put_text(const char *text, size_t n, struct buf *out)
{
    struct buf part = {0};
    bool marked = false;
    for (size_t i = 0; i < n; i++) {
        if (text[i] != '*' && text[i] != '`') {
            buf_putc(&part, text[i]);
            continue;
        }
        markup_in("", buf_text(&part), marked ? "</em>" : "<em>", out);
        buf_clear(&part);
        marked = !marked;
    }
    markup_in("", buf_text(&part), marked ? "</em>" : "", out);
    buf_release(&part);
}

// "family/name (repaired)": a link, if the library has the rule.
static bool put_rule(const struct explorer_pages *pages, const struct frame *frame,
                     const char *text, size_t n, struct buf *out)
{
    struct buf family = {0}, name = {0};
    const char *slash = memchr(text, '/', n);
    size_t end = slash ? (size_t)(slash - text) : 0;
    if (slash) {
        buf_write(&family, text, end);
        while (++end < n && text[end] != ' ')
            buf_putc(&name, text[end]);
    }
    const struct library_rule *rule =
        slash ? library_by_name(&pages->library, buf_text(&family), buf_text(&name)) : NULL;
    if (rule) {
        struct buf link = {0};
        buf_write(&link, text, end);
        frame_anchor(frame, rule->path, buf_text(&link), out);
        put_text(text + end, n - end, out);
        buf_release(&link);
    }
    buf_release(&family);
    buf_release(&name);
    return rule != NULL;
}

static void put_cell(const struct explorer_pages *pages, const struct frame *frame,
                     const char *text, size_t n, struct buf *out)
{
    static const char *const decisions[] = {"proved", "refuted", "unknown"};
    for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++)
        if (n >= strlen(decisions[i]) && strncmp(text, decisions[i], strlen(decisions[i])) == 0) {
            put_badge(decisions[i], decisions[i], out);
            put_text(text + strlen(decisions[i]), n - strlen(decisions[i]), out);
            return;
        }
    if (!put_rule(pages, frame, text, n, out))
        put_text(text, n, out);
}

static void put_row(const struct explorer_pages *pages, const struct frame *frame, const char *line,
                    size_t n, bool head, struct buf *out)
{
    const char *end = line + n;
    buf_puts(out, "<tr>");
    for (const char *at = line + 1; at < end;) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        if (bar == NULL)
            break;
        const char *from = at + (*at == ' '), *to = bar;
        while (to > from && to[-1] == ' ')
            to--;
        buf_puts(out, head ? "<th scope=\"col\">" : "<td>");
        put_cell(pages, frame, from, (size_t)(to - from), out);
        buf_puts(out, head ? "</th>" : "</td>");
        at = bar + 1;
    }
    buf_puts(out, "</tr>\n");
}

enum block { NOTHING, PARAGRAPH, TABLE };

static enum block put_end(enum block open, struct buf *out)
{
    static const char *const ends[] = {"", "</p>\n", "</tbody></table></div>\n"};
    buf_puts(out, ends[open]);
    return NOTHING;
}

static void put_document(const struct explorer_pages *pages, const struct frame *frame,
                         const char *text, size_t size, struct buf *out)
{
    enum block open = NOTHING;
    for (const char *at = text, *end = text + size; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t n = stop ? (size_t)(stop - at) : (size_t)(end - at), level = 0;
        while (level < n && at[level] == '#')
            level++;
        bool row = n > 0 && *at == '|';
        if (n == 0 || level > 0 || (row && open != TABLE) || (!row && open == TABLE))
            open = put_end(open, out);
        if (level > 0) {
            buf_printf(out, "<h%zu>", level);
            put_text(at + level + 1, n - level - 1, out);
            buf_printf(out, "</h%zu>\n", level);
        } else if (row && open != TABLE) {
            buf_puts(out, "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>");
            put_row(pages, frame, at, n, true, out);
            buf_puts(out, "</thead><tbody>\n");
            open = TABLE;
        } else if (row && at[1] != '-') {
            put_row(pages, frame, at, n, false, out);
        } else if (n > 0 && !row) {
            buf_puts(out, open == PARAGRAPH ? "\n" : "<p>");
            put_text(at, n, out);
            open = PARAGRAPH;
        }
        at += n + 1;
    }
    put_end(open, out);
}

// A sentence for those who edit the document ends so.
static const char of_editors[] = "do not edit it. ";

static void put_file(const struct explorer_pages *pages, const struct frame *frame,
                     const char *name, struct buf *out)
{
    const struct explorer_file *file = explorer_file_find(name);
    const char *text = (const char *)file->bytes, *end = text + file->size;
    const char *found = strstr(text, of_editors), *line = found;
    while (line > text && line[-1] != '\n')
        line--;
    if (found)
        put_document(pages, frame, text, (size_t)(line - text), out);
    text = found ? found + strlen(of_editors) : text;
    put_document(pages, frame, text, (size_t)(end - text), out);
}

bool page_coverage(struct explorer_pages *pages, const char *path, const char *query,
                   struct explorer_body *out, struct rw_error *error)
{
    struct frame frame = {.mode = pages->mode,
                          .path = path,
                          .title = "Coverage",
                          .description = "Published lists of rules, row by row.",
                          .entry = FRAME_COVERAGE,
                          .wide = "yes"};
    (void)query;
    (void)error;
    frame_begin(&frame, &out->bytes);
    put_file(pages, &frame, "coverage.md", &out->bytes);
    buf_puts(&out->bytes, "<p>");
    frame_anchor(&frame, "discovered", "Rules that nobody wrote", &out->bytes);
    buf_puts(&out->bytes, "</p>\n");
    frame_end(&frame, &out->bytes);
    return true;
}

bool page_discovered(struct explorer_pages *pages, const char *path, const char *query,
                     struct explorer_body *out, struct rw_error *error)
{
    const struct explorer_file *rules = explorer_file_find("tensors.rw");
    struct frame frame = {.mode = pages->mode,
                          .path = path,
                          .title = "Discovered rules",
                          .description = "Rules that were found by enumeration, and what follows "
                                         "from them.",
                          .entry = FRAME_COVERAGE,
                          .wide = "yes"};
    (void)query;
    (void)error;
    frame_begin(&frame, &out->bytes);
    put_file(pages, &frame, "discovered.md", &out->bytes);
    markup_in("<h2 id=\"rules\">The rules</h2>\n<pre>", (const char *)rules->bytes, "</pre>\n",
              &out->bytes);
    frame_end(&frame, &out->bytes);
    return true;
}
