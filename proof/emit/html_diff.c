// SPDX-License-Identifier: Apache-2.0
// Two programs side by side, line by line: equal lines stand beside each other, changed words
// are marked, long equal stretches are folded.
#include "proof/emit/html_page.h"

#include "base/memory/intern.h"
#include "base/text/diff.h"
#include "base/text/markup.h"
#include "proof/limits.h"

#define NO_LINE UINT32_MAX
#define CONTEXT 3u // equal lines that are shown beside a change
#define FOLDED 12u // equal lines that are folded, at least

struct slice {
    const char *at;
    uint32_t n;
};
struct slices {
    struct slice *at;
    uint32_t len, cap;
};
struct line_row {
    uint32_t a, b; // NO_LINE: none
    bool equal;
};
struct comparison {
    struct buf *out;
    struct slices a, b;
    VEC(struct line_row) rows;
    uint64_t steps; // for the words of changed lines
    const struct emit_places *places;
};

static void split_lines(const char *text, struct slices *out)
{
    while (*text != '\0') {
        uint32_t n = (uint32_t)strcspn(text, "\n");
        vec_push(out, ((struct slice){text, n}));
        text += n + (text[n] == '\n');
    }
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '%' || c == '#' || (unsigned char)c >= 0x80;
}

static void split_words(const struct slice *line, struct slices *out)
{
    vec_clear(out);
    for (uint32_t i = 0, end; i < line->n; i = end) {
        end = i + 1;
        while (is_word(line->at[i]) && end < line->n && is_word(line->at[end]))
            end++;
        vec_push(out, ((struct slice){line->at + i, end - i}));
    }
}

// What a line defines: its first word.
static struct slice first_word(const struct slice *line)
{
    uint32_t i = 0, end;
    while (i < line->n && line->at[i] == ' ')
        i++;
    for (end = i; end < line->n && line->at[end] != ' ';)
        end++;
    return (struct slice){line->at + i, end - i};
}

static void put(struct buf *out, const struct slice *text)
{
    struct buf copy = {0};
    buf_write(&copy, text->at, text->n);
    markup_text(buf_text(&copy), out);
    buf_release(&copy);
}

static void number_slices(struct intern *names, const struct slices *slices, struct u32_vec *out)
{
    vec_clear(out);
    for (uint32_t i = 0; i < slices->len; i++)
        vec_push(out, intern_bytes(names, slices->at[i].at, slices->at[i].n));
}

static void find_common(const struct slices *a, const struct slices *b, uint64_t steps,
                        struct diff *out)
{
    struct intern names;
    struct u32_vec x = {0}, y = {0};
    intern_init(&names);
    number_slices(&names, a, &x);
    number_slices(&names, b, &y);
    diff_find(x.at, x.len, y.at, y.len, steps, out);
    vec_release(&x);
    vec_release(&y);
    intern_release(&names);
}

// Lines of two gaps: those with one first word are versions of one line.
static void pair_gap(struct comparison *comparison, struct diff_match from, struct diff_match to)
{
    struct slices a = {0}, b = {0};
    struct diff pairs = {0};
    uint32_t i = from.a, k = from.b;
    for (uint32_t n = from.a; n < to.a; n++)
        vec_push(&a, first_word(&comparison->a.at[n]));
    for (uint32_t n = from.b; n < to.b; n++)
        vec_push(&b, first_word(&comparison->b.at[n]));
    if (a.len > 0 && b.len > 0)
        find_common(&a, &b, PROOF_PAGE_DIFF, &pairs);
    for (uint32_t p = 0; p <= pairs.len; p++) {
        uint32_t x = p < pairs.len ? from.a + pairs.at[p].a : to.a;
        uint32_t y = p < pairs.len ? from.b + pairs.at[p].b : to.b;
        while (i < x)
            vec_push(&comparison->rows, ((struct line_row){i++, NO_LINE, false}));
        while (k < y)
            vec_push(&comparison->rows, ((struct line_row){NO_LINE, k++, false}));
        if (p < pairs.len)
            vec_push(&comparison->rows, ((struct line_row){i++, k++, false}));
    }
    vec_release(&a);
    vec_release(&b);
    vec_release(&pairs);
}

static void find_rows(struct comparison *comparison)
{
    struct diff equal = {0};
    struct diff_match at = {0, 0};
    find_common(&comparison->a, &comparison->b, PROOF_PAGE_DIFF, &equal);
    for (uint32_t i = 0; i <= equal.len; i++) {
        struct diff_match next =
            i < equal.len ? equal.at[i] : (struct diff_match){comparison->a.len, comparison->b.len};
        pair_gap(comparison, at, next);
        if (i < equal.len)
            vec_push(&comparison->rows, ((struct line_row){next.a, next.b, true}));
        at = (struct diff_match){next.a + 1, next.b + 1};
    }
    vec_release(&equal);
}

// The words of one side; those without a match are marked.
static void put_words(struct buf *out, const struct slices *words, const struct diff *common,
                      bool second)
{
    bool marked = false;
    for (uint32_t i = 0, k = 0; i < words->len; i++) {
        bool same = k < common->len && (second ? common->at[k].b : common->at[k].a) == i;
        k += same;
        if (marked == same)
            buf_puts(out, same ? "</mark>" : "<mark>");
        marked = !same;
        put(out, &words->at[i]);
    }
    if (marked)
        buf_puts(out, "</mark>");
}

// The number of the first step about the line's value; NO_LINE: none.
static uint32_t step_of(const struct comparison *comparison, uint32_t line, bool second)
{
    const struct emit_places *places = comparison->places;
    if (places == NULL || line >= (second ? places->n_after : places->n_before))
        return NO_LINE;
    return second ? places->step_after[line] : places->step_before[line];
}

// The line's number leads to its first step.
static void open_cell(const struct comparison *comparison, const char *kind, uint32_t line,
                      bool second)
{
    struct buf *out = comparison->out;
    uint32_t step = step_of(comparison, line, second);
    buf_printf(out, "<code class=\"%s\" id=\"%s-%u\"><i>", kind, second ? "after" : "before",
               line + 1);
    if (step != NO_LINE)
        buf_printf(out, "<a href=\"#line-%u\" title=\"its first step\">%u</a></i>", step, line + 1);
    else
        buf_printf(out, "%u</i>", line + 1);
}

static void put_changed(struct comparison *comparison, const struct line_row *row)
{
    struct buf *out = comparison->out;
    struct slices a = {0}, b = {0};
    struct diff common = {0};
    split_words(&comparison->a.at[row->a], &a);
    split_words(&comparison->b.at[row->b], &b);
    uint64_t steps = (uint64_t)a.len * b.len;
    if (steps > comparison->steps)
        steps = comparison->steps;
    comparison->steps -= steps;
    find_common(&a, &b, steps, &common);
    open_cell(comparison, "old", row->a, false);
    put_words(out, &a, &common, false);
    buf_puts(out, "</code>\n");
    open_cell(comparison, "new", row->b, true);
    put_words(out, &b, &common, true);
    buf_puts(out, "</code>\n");
    vec_release(&a);
    vec_release(&b);
    vec_release(&common);
}

static void put_cell(const struct comparison *comparison, const char *kind, uint32_t at,
                     bool second)
{
    struct buf *out = comparison->out;
    if (at == NO_LINE) {
        buf_puts(out, "<code class=\"none\"></code>\n");
        return;
    }
    open_cell(comparison, kind, at, second);
    put(out, second ? &comparison->b.at[at] : &comparison->a.at[at]);
    buf_puts(out, "</code>\n");
}

static void put_row(struct comparison *comparison, const struct line_row *row)
{
    if (!row->equal && row->a != NO_LINE && row->b != NO_LINE) {
        put_changed(comparison, row);
        return;
    }
    put_cell(comparison, row->equal ? "both" : "old", row->a, false);
    put_cell(comparison, row->equal ? "same" : "new", row->b, true);
}

// Rows [from, to), which are equal.
static void put_folded(struct comparison *comparison, uint32_t from, uint32_t to)
{
    struct buf *out = comparison->out;
    buf_printf(out, "<details class=\"fold\"><summary>%u equal lines</summary>\n<pre>", to - from);
    for (uint32_t i = from; i < to; i++) {
        const struct line_row *row = &comparison->rows.at[i];
        buf_printf(out, "<span id=\"before-%u\"></span><span id=\"after-%u\">", row->a + 1,
                   row->b + 1);
        put(out, &comparison->b.at[row->b]);
        buf_puts(out, "</span>\n");
    }
    buf_puts(out, "</pre></details>\n");
}

static void put_rows(struct comparison *comparison)
{
    uint32_t n = comparison->rows.len;
    for (uint32_t i = 0, end = 0; i < n;) {
        if (!comparison->rows.at[i].equal) {
            put_row(comparison, &comparison->rows.at[i++]);
            continue;
        }
        for (end = i; end < n && comparison->rows.at[end].equal;)
            end++;
        uint32_t head = i > 0 ? CONTEXT : 0, tail = end < n ? CONTEXT : 0;
        uint32_t from = i + head, to = end - tail;
        bool folded = end - i >= head + tail + FOLDED;
        for (; i < (folded ? from : end); i++)
            put_row(comparison, &comparison->rows.at[i]);
        if (folded)
            put_folded(comparison, from, to);
        for (i = folded ? to : end; i < end; i++)
            put_row(comparison, &comparison->rows.at[i]);
    }
}

static void put_counts(struct comparison *comparison)
{
    uint32_t changed = 0, gone = 0, new = 0, equal = 0;
    for (uint32_t i = 0; i < comparison->rows.len; i++) {
        const struct line_row *row = &comparison->rows.at[i];
        equal += row->equal;
        changed += !row->equal && row->a != NO_LINE && row->b != NO_LINE;
        gone += row->b == NO_LINE;
        new += row->a == NO_LINE;
    }
    buf_printf(comparison->out,
               "<p class=\"soft\">Lines: %u equal, %u changed, %u gone, %u new. Marks show the "
               "words that are different.</p>\n",
               equal, changed, gone, new);
}

void html_diff(const struct emit_head *head, struct buf *out)
{
    struct comparison comparison = {.out = out, .steps = PROOF_PAGE_DIFF, .places = head->places};
    split_lines(head->before.text, &comparison.a);
    split_lines(head->after.text, &comparison.b);
    find_rows(&comparison);
    put_counts(&comparison);
    buf_puts(out, "<section class=\"diff\" aria-label=\"Before and after\">\n");
    markup_in("<h2>Before <span class=\"soft\">", head->size_before, "</span></h2>\n", out);
    markup_in("<h2>After <span class=\"soft\">", head->size_after, "</span></h2>\n", out);
    put_rows(&comparison);
    buf_puts(out, "</section>\n");
    vec_release(&comparison.a);
    vec_release(&comparison.b);
    vec_release(&comparison.rows);
}
