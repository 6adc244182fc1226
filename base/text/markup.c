// SPDX-License-Identifier: Apache-2.0
#include "base/text/markup.h"
#include "base/text/utf8.h"

void markup_text(const char *text, struct buf *out)
{
    struct buf lines = {0};
    utf8_lines(text, strlen(text), &lines);
    for (const char *at = buf_text(&lines); *at != 0; at++)
        if (*at == '<')
            buf_puts(out, "&lt;");
        else if (*at == '>')
            buf_puts(out, "&gt;");
        else if (*at == '&')
            buf_puts(out, "&amp;");
        else if (*at == '"')
            buf_puts(out, "&quot;");
        else
            buf_putc(out, *at);
    buf_release(&lines);
}

void markup_in(const char *open, const char *text, const char *close, struct buf *out)
{
    buf_puts(out, open);
    markup_text(text, out);
    buf_puts(out, close);
}
