// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include "base/text/excerpt.h"
#include "base/text/utf8.h"
#include "api/rules/json.h"

#include <stdlib.h>
#include <unistd.h>

#define TERMINAL_WIDTH 79

// A part of a text that has a colour.
struct span {
    const struct buf *text;
    size_t from, to;
    enum style style;
};

static struct {
    bool quiet, json;
    bool colours[3]; // by descriptor
    bool line;       // a line of progress stands on standard error
    VEC(struct span) spans;
} manner;

static const char *const codes[] = {
    [STYLE_YES] = "\033[32m", [STYLE_NO] = "\033[31m", [STYLE_UNKNOWN] = "\033[33m"};
static const char plain[] = "\033[0m", strong_red[] = "\033[1;31m";

static bool is_colour_terminal(int fd)
{
    const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
    return isatty(fd) == 1 && !(no && no[0]) && term && term[0] && strcmp(term, "dumb") != 0;
}

bool terminal_choose(const struct command_line *command, struct err *err)
{
    static const char *const choices[] = {"auto", "always", "never"};
    uint32_t choice = 0;
    if (!option_choice(command, OPTION_color, 3, choices, &choice, err))
        return false;
    manner.quiet = command->value[OPTION_quiet] != NULL;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        manner.colours[fd] = choice == 0 ? is_colour_terminal(fd) : choice == 1;
    return true;
}

void terminal_json(void)
{
    manner.json = true;
}

bool terminal_quiet(void)
{
    return manner.quiet;
}

void put_styled(enum style style, const char *text, struct buf *out)
{
    struct span span = {out, out->len, out->len + strlen(text), style};
    buf_puts(out, text);
    if (manner.colours[STDOUT_FILENO])
        vec_push(&manner.spans, span);
}

void terminal_paint(const struct buf *text, struct buf *out)
{
    const char *at = buf_text(text);
    size_t from = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < manner.spans.len; i++) {
        struct span span = manner.spans.at[i];
        if (span.text != text) {
            manner.spans.at[kept++] = span;
            continue;
        }
        utf8_lines(at + from, span.from - from, out);
        buf_puts(out, codes[span.style]);
        utf8_lines(at + span.from, span.to - span.from, out);
        buf_puts(out, plain);
        from = span.to;
    }
    utf8_lines(at + from, text->len - from, out);
    manner.spans.len = kept;
    if (kept == 0)
        vec_release(&manner.spans);
}

static void clear_line(void)
{
    if (manner.line)
        fprintf(stderr, "\r%*s\r", TERMINAL_WIDTH, "");
    manner.line = false;
}

void terminal_progress(const char *line)
{
    if (line == NULL) {
        clear_line();
        return;
    }
    fprintf(stderr, "\r%-*s", TERMINAL_WIDTH, line);
    manner.line = true;
}

void terminal_say(const char *text)
{
    struct buf line = {0};
    utf8_printable(text, &line);
    clear_line();
    fprintf(stderr, "rankwright: %s\n", buf_text(&line));
    buf_release(&line);
}

static json_t *text_or_null(const char *text)
{
    return text[0] ? json_string(text) : json_null();
}

static json_t *place_or_null(uint32_t place)
{
    return place ? json_integer(place) : json_null();
}

void terminal_error(const struct err *err, int status)
{
    bool colours = manner.colours[STDERR_FILENO];
    struct buf text = {0};
    clear_line();
    if (manner.json) {
        json_line(json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:o}", "error", err->msg, "status",
                            status, "file", text_or_null(err->file), "line",
                            place_or_null(err->line), "column", place_or_null(err->col), "excerpt",
                            text_or_null(err->excerpt), "hint", text_or_null(err->hint)),
                  &text);
        fputs(buf_text(&text), stderr);
    } else {
        excerpt_error(err, &text);
        fprintf(stderr, "%srankwright:%s %s\n", colours ? strong_red : "", colours ? plain : "",
                buf_text(&text));
    }
    buf_release(&text);
}
