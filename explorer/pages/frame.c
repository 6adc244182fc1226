// SPDX-License-Identifier: Apache-2.0
#include "explorer/pages/frame.h"

struct entry {
    const char *path, *text;
    enum frame_entry entry;
    bool computes; // not in a site
};
static const struct entry entries[] = {
    {"rules", "Rules", FRAME_RULES, false},
    {"play/rules", "Playground", FRAME_PLAY, true},
    {"coverage", "Coverage", FRAME_COVERAGE, false},
    {"about", "About", FRAME_ABOUT, false},
};
static const struct entry playgrounds[] = {
    {"play/rules", "Rules", FRAME_PLAY, true},     {"play/programs", "Programs", FRAME_PLAY, true},
    {"play/learn", "Examples", FRAME_PLAY, true},  {"play/formulas", "Formulas", FRAME_PLAY, true},
    {"play/kernels", "Kernels", FRAME_PLAY, true}, {"play/records", "Records", FRAME_PLAY, true},
};

void frame_part(const char *text, struct buf *out)
{
    bool dots = text[strspn(text, ".")] == 0;
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
            (*at >= '0' && *at <= '9') || *at == '-' || *at == '_' || *at == '~' ||
            (*at == '.' && !dots))
            buf_putc(out, (char)*at);
        else
            buf_printf(out, "%%%02X", *at);
}

// From the page to the start.
static void put_root(const struct frame *frame, struct buf *out)
{
    for (const char *at = frame->path; *at; at++)
        if (*at == '/')
            buf_puts(out, "../");
}

void frame_link(const struct frame *frame, const char *path, struct buf *out)
{
    size_t page = strcspn(path, "?#"), before = out->len;
    put_root(frame, out);
    buf_write(out, path, page);
    if (frame->mode == EXPLORER_SITE)
        buf_puts(out, page ? ".html" : "index.html");
    else if (out->len == before)
        buf_puts(out, "./");
    for (const char *at = path + page; *at; at++)
        if (*at == '&')
            buf_puts(out, "&amp;");
        else
            buf_putc(out, *at);
}

void frame_file(const struct frame *frame, const char *name, struct buf *out)
{
    put_root(frame, out);
    buf_puts(out, "static/");
    frame_part(name, out);
}

void frame_anchor(const struct frame *frame, const char *path, const char *text, struct buf *out)
{
    buf_puts(out, "<a href=\"");
    frame_link(frame, path, out);
    markup_in("\">", text, "</a>", out);
}

static void put_script(const struct frame *frame, const char *name, struct buf *out)
{
    buf_puts(out, "<script defer src=\"");
    frame_file(frame, name, out);
    buf_puts(out, "\"></script>\n");
}

static void put_entries(const struct frame *frame, const struct entry *list, size_t n,
                        struct buf *out)
{
    buf_puts(out, "<ul>\n");
    for (size_t i = 0; i < n; i++) {
        const struct entry *entry = &list[i];
        bool here = strcmp(entry->path, frame->path) == 0;
        if (entry->computes && frame->mode == EXPLORER_SITE)
            continue;
        buf_puts(out, "<li><a href=\"");
        frame_link(frame, entry->path, out);
        buf_puts(out, here ? "\" aria-current=\"page\">"
                      : list == entries && entry->entry == frame->entry
                          ? "\" aria-current=\"true\">"
                          : "\">");
        buf_printf(out, "%s</a></li>\n", entry->text);
    }
    buf_puts(out, "</ul>\n");
}

static void put_navigation(const struct frame *frame, struct buf *out)
{
    buf_puts(out,
             "<header class=\"top\">\n<a class=\"skip\" href=\"#content\">Skip to content</a>\n"
             "<nav aria-label=\"Main\">\n<a class=\"brand\" href=\"");
    frame_link(frame, "", out);
    buf_puts(out, "\">Rankwright</a>\n");
    put_entries(frame, entries, sizeof entries / sizeof *entries, out);
    buf_puts(out, "</nav>\n");
    if (frame->entry == FRAME_PLAY) {
        buf_puts(out, "<nav class=\"second\" aria-label=\"Playground\">\n");
        put_entries(frame, playgrounds, sizeof playgrounds / sizeof *playgrounds, out);
        buf_puts(out, "</nav>\n");
    }
    buf_puts(out, "</header>\n");
}

void frame_begin(const struct frame *frame, struct buf *out)
{
    buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n");
    markup_in("<title>", frame->title, " · Rankwright</title>\n", out);
    if (frame->description)
        markup_in("<meta name=\"description\" content=\"", frame->description, "\">\n", out);
    buf_puts(out, "<link rel=\"icon\" href=\"");
    frame_file(frame, "icon.svg", out);
    buf_puts(out, "\" type=\"image/svg+xml\">\n<link rel=\"stylesheet\" href=\"");
    frame_file(frame, "explorer.css", out);
    buf_puts(out, "\">\n");
    if (frame->style) {
        buf_puts(out, "<link rel=\"stylesheet\" href=\"");
        frame_file(frame, frame->style, out);
        buf_puts(out, "\">\n");
    }
    put_script(frame, "explorer.js", out);
    for (const char *const *name = frame->scripts; name && *name; name++)
        put_script(frame, *name, out);
    buf_puts(out, "</head>\n<body>\n");
    put_navigation(frame, out);
    buf_printf(out, "<main id=\"content\"%s>\n", frame->wide ? " class=\"wide\"" : "");
}

void frame_end(const struct frame *frame, struct buf *out)
{
    buf_puts(out, "</main>\n<footer>Rules proved for every rank and every size. ");
    frame_anchor(frame, "about", "About Rankwright", out);
    buf_puts(out, "</footer>\n</body>\n</html>\n");
}
