// SPDX-License-Identifier: Apache-2.0
// The text that a program was read from, by lines.  Comments reach from "//" outside quotes to
// the end of the line.
#include "io/stablehlo/print/printer.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static uint32_t string_end(const char *text, uint32_t at, uint32_t end)
{
    for (at++; at < end && text[at] != '"'; at++)
        at += text[at] == '\\';
    return at < end ? at + 1 : end;
}

static uint32_t comment_end(const char *text, uint32_t at, uint32_t end)
{
    while (at < end && text[at] != '\n')
        at++;
    return at;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '.';
}

uint32_t source_code_end(const char *text, uint32_t at, uint32_t end, uint32_t *loc)
{
    uint32_t code = at, from = at, begin = at;
    int depth = 0;
    *loc = UINT32_MAX;
    while (at < end) {
        char c = text[at];
        if (c == '/' && at + 1 < end && text[at + 1] == '/') {
            at = comment_end(text, at, end);
            continue;
        }
        if (is_blank(c) || c == '\n') {
            at++;
            continue;
        }
        // A location that something follows is no last part.
        if (depth == 0 && c != '(')
            *loc = UINT32_MAX;
        if (depth == 0 && end - at > 4 && strncmp(text + at, "loc", 3) == 0 &&
            (text[at + 3] == '(' || is_blank(text[at + 3])) &&
            (at == begin || !is_word(text[at - 1]))) {
            *loc = from;
            at += 3;
            code = at;
            continue;
        }
        depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
        at = c == '"' ? string_end(text, at, end) : at + 1;
        code = at;
        if (depth == 0 && *loc == UINT32_MAX)
            from = at;
    }
    if (*loc == UINT32_MAX)
        *loc = code;
    return code;
}

uint32_t source_line_end(const char *text, uint32_t at, uint32_t end)
{
    uint32_t i = at;
    while (i < end && is_blank(text[i]))
        i++;
    if (i + 1 < end && text[i] == '/' && text[i + 1] == '/')
        i = comment_end(text, i, end);
    return i < end && text[i] == '\n' ? i + 1 : at;
}

uint32_t source_line_start(const char *text, uint32_t from, uint32_t at)
{
    uint32_t i = at;
    while (i > from && is_blank(text[i - 1]))
        i--;
    return i == from             ? (from == 0 || text[from - 1] == '\n' ? i : at)
           : text[i - 1] == '\n' ? i
                                 : at;
}

// The blanks at the begin of a line, moved.
static uint32_t copy_indent(struct stablehlo_printer *printer, uint32_t at, uint32_t to)
{
    const char *text = printer->spelling.source->text;
    int shift = printer->spelling.shift;
    if (shift > 0 && at < to && text[at] != '\n')
        buf_indent(printer->out, (unsigned)shift);
    for (; shift < 0 && at < to && text[at] == ' '; at++)
        shift++;
    return at;
}

void source_copy(struct stablehlo_printer *printer, uint32_t from, uint32_t to)
{
    const char *text = printer->spelling.source->text;
    if (printer->spelling.shift == 0) {
        buf_write(printer->out, text + from, to - from);
        return;
    }
    while (from < to) {
        uint32_t line = comment_end(text, from, to);
        line += line < to;
        buf_write(printer->out, text + from, line - from);
        from = line;
        if (from < to && text[from - 1] == '\n')
            from = copy_indent(printer, from, to);
    }
}

void source_copy_lines(struct stablehlo_printer *printer, uint32_t from, uint32_t to, bool blank)
{
    const char *text = printer->spelling.source->text;
    while (from < to) {
        uint32_t at = from, line = comment_end(text, from, to);
        line += line < to;
        while (at < line && is_blank(text[at]))
            at++;
        if (blank || (at < line && text[at] == '/')) {
            uint32_t begin = copy_indent(printer, from, line);
            buf_write(printer->out, text + begin, line - begin);
        }
        from = line;
    }
}

// Blanks at the end of a line that was begun go.
void source_start_line(struct buf *out)
{
    while (out->len > 0 && (out->at[out->len - 1] == ' ' || out->at[out->len - 1] == '\t'))
        out->len--;
    if (out->len > 0 && out->at[out->len - 1] != '\n')
        buf_putc(out, '\n');
}
