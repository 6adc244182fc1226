// SPDX-License-Identifier: Apache-2.0
#include "base/text/excerpt.h"

#include "base/character.h"
#include "base/limits.h"
#include "base/text/cursor.h"

// A character of the line as it is shown.
struct glyph {
    const char *at; // in the text
    uint32_t len;   // bytes; 0: `cells` blanks or one `?` stand for it
    uint32_t cells;
    char instead; // ' ' or '?', if it is not shown as it is
};

struct line {
    const char *at, *end;
    uint32_t number;
};

struct range {
    uint32_t first, last;
};

static bool within(uint32_t code, const struct range *range, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (code >= range[i].first && code <= range[i].last)
            return true;
    return false;
}
#define WITHIN(code, ranges) within(code, ranges, sizeof(ranges) / sizeof *(ranges))

static const struct range combining[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
static const struct range wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},  {0x3041, 0xa4cf},
                                    {0xac00, 0xd7a3},   {0xf900, 0xfaff},  {0xfe30, 0xfe6f},
                                    {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f},
                                    {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

// The character at `at`, which `cells` cells of the line stand before.
static struct glyph glyph_at(const char *at, const char *end, uint32_t cells)
{
    struct glyph glyph = {.at = at, .cells = 1};
    struct character next = character_next(at, (size_t)(end - at));
    uint32_t code = next.code;
    glyph.len = (uint32_t)next.len;
    if (code == '\t') {
        glyph.instead = ' ';
        glyph.cells = BASE_TAB - cells % BASE_TAB;
    } else if (next.hidden) {
        glyph.instead = '?';
    } else if (WITHIN(code, combining)) {
        glyph.cells = 0;
    } else if (WITHIN(code, wide)) {
        glyph.cells = 2;
    }
    return glyph;
}

static struct line line_of(const char *text, const char *end, uint32_t number)
{
    struct line line = {text, text, 1};
    while (line.number < number) {
        const char *feed = memchr(line.at, '\n', (size_t)(end - line.at));
        if (feed == NULL)
            break;
        line.at = feed + 1;
        line.number++;
    }
    const char *feed = memchr(line.at, '\n', (size_t)(end - line.at));
    line.end = feed == NULL ? end : feed;
    while (line.end > line.at && (line.end[-1] == '\r' || line.end[-1] == ' '))
        line.end--;
    return line;
}

static bool in_word(char byte)
{
    return is_letter(byte) || is_digit(byte) || byte == '$' || (unsigned char)byte >= 0x80;
}

// The end of the token that starts at `at`: a name or number, with its sigil and its
// points; a string; an operator of several characters; else one character.
static const char *token_end(const char *at, const char *end)
{
    static const char *const signs[] = {
        "<->", "=>", "->", "<=", ">=", "==", "!=", ":=", "&&", "||", "**", "::", "+=", "-="};
    const char *from = at;
    if (at == end)
        return at;
    if (*at == '"') {
        for (at++; at < end && *at != '"'; at++)
            at += *at == '\\' && at + 1 < end;
        return at < end ? at + 1 : end;
    }
    if (strchr("%@#", *at) != NULL && at + 1 < end && in_word(at[1]))
        at++;
    while (at < end &&
           (in_word(*at) || (*at == '.' && at > from && at + 1 < end && in_word(at[1]))))
        at++;
    bool exponent = is_digit(*from) && at < end && (at[-1] == 'e' || at[-1] == 'E') &&
                    (*at == '-' || *at == '+') && at + 1 < end && is_digit(at[1]);
    for (at += exponent; exponent && at < end && is_digit(*at);)
        at++;
    if (at > from && in_word(at[-1]))
        return at;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if ((size_t)(end - from) >= strlen(signs[i]) &&
            memcmp(from, signs[i], strlen(signs[i])) == 0)
            return from + strlen(signs[i]);
    return from + 1;
}

// The part of the line that is shown.
struct window {
    uint32_t from, to; // cells
    uint32_t mark, mark_end;
};

static struct window window_of(const struct line *line, const char *place)
{
    struct window window = {0};
    const char *behind = token_end(place, line->end);
    uint32_t cells = 0;
    for (const char *at = line->at; at < line->end;) {
        struct glyph glyph = glyph_at(at, line->end, cells);
        if (at <= place)
            window.mark = cells;
        cells += glyph.cells;
        at += glyph.len;
        if (at <= behind)
            window.mark_end = cells;
    }
    if (place >= line->end)
        window.mark = window.mark_end = cells;
    if (window.mark_end <= window.mark)
        window.mark_end = window.mark + 1;
    window.to = cells;
    if (cells > BASE_EXCERPT) {
        uint32_t before = BASE_EXCERPT / 3;
        window.from = window.mark > before ? window.mark - before : 0;
        window.to = window.from + BASE_EXCERPT < cells ? window.from + BASE_EXCERPT : cells;
    }
    uint32_t most = window.to > window.mark ? window.to : window.mark + 1;
    if (window.mark_end > most)
        window.mark_end = most;
    return window;
}

static void put_line(const struct line *line, const struct window *window, struct buf *out)
{
    uint32_t cells = 0;
    for (const char *at = line->at; at < line->end;) {
        struct glyph glyph = glyph_at(at, line->end, cells);
        at += glyph.len;
        cells += glyph.cells;
        if (cells <= window->from || cells > window->to)
            continue;
        // A wide character or a tab that the window's edge cuts becomes blanks.
        uint32_t shown = cells - window->from < glyph.cells ? cells - window->from : glyph.cells;
        if (glyph.instead != 0 || shown < glyph.cells)
            for (uint32_t i = 0; i < shown; i++)
                buf_putc(out, glyph.instead != 0 ? glyph.instead : ' ');
        else
            buf_write(out, glyph.at, glyph.len);
    }
}

static void write_excerpt(const struct line *line, const char *place, struct buf *out)
{
    struct window window = window_of(line, place);
    char number[16];
    int width = snprintf(number, sizeof number, "%u", line->number);
    bool more = window.from > 0;
    buf_printf(out, "  %s | %s", number, more ? "..." : "");
    put_line(line, &window, out);
    uint32_t cells = 0;
    for (const char *at = line->at; at < line->end;) {
        struct glyph glyph = glyph_at(at, line->end, cells);
        cells += glyph.cells;
        at += glyph.len;
    }
    buf_printf(out, "%s\n  %*s | ", window.to < cells ? "..." : "", width, "");
    buf_indent(out, (more ? 3 : 0) + window.mark - window.from);
    buf_putc(out, '^');
    for (uint32_t i = window.mark + 1; i < window.mark_end; i++)
        buf_putc(out, '~');
}

void excerpt_attach(struct err *err, const char *text, size_t n)
{
    if (err->kind == ERR_NONE || err->line == 0 || err->col == 0 || err->excerpt[0] != 0)
        return;
    const char *end = text + n;
    struct line line = line_of(text, end, err->line);
    const char *place = line.at;
    if (line.number != err->line)
        return;
    for (uint32_t col = 1; col < err->col && place < line.end; col++)
        place += character_next(place, (size_t)(line.end - place)).len;
    // At the end of the text, the place is behind the last line that says something.
    while (line.at == line.end && line.number > 1 &&
           memchr(line.end, '\n', (size_t)(end - line.end)) == NULL) {
        end = line.at - 1;
        line = line_of(text, end, line.number - 1);
        place = line.end;
    }
    if (line.at == line.end)
        return;
    struct buf buf = {0};
    write_excerpt(&line, place, &buf);
    if (buf.len < sizeof err->excerpt)
        memcpy(err->excerpt, buf_text(&buf), buf.len + 1);
    buf_release(&buf);
}

void excerpt_error(const struct err *err, struct buf *out)
{
    if (err->file[0])
        buf_printf(out, "%s:", err->file);
    if (err->line)
        buf_printf(out, "%u:%u:", err->line, err->col);
    buf_printf(out, "%s%s", err->file[0] || err->line ? " " : "", err->msg);
    if (err->excerpt[0])
        buf_printf(out, "\n%s", err->excerpt);
    if (err->hint[0])
        buf_printf(out, "\n  hint: %s", err->hint);
}
