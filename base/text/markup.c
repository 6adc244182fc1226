// SPDX-License-Identifier: Apache-2.0
#include "base/text/markup.h"

void markup_text(const char *s, struct buf *out)
{
    for (; *s != 0; s++)
        if (*s == '<')
            buf_puts(out, "&lt;");
        else if (*s == '>')
            buf_puts(out, "&gt;");
        else if (*s == '&')
            buf_puts(out, "&amp;");
        else if (*s == '"')
            buf_puts(out, "&quot;");
        else
            buf_putc(out, *s);
}

void markup_in(const char *open, const char *s, const char *close,
               struct buf *out)
{
    buf_puts(out, open);
    markup_text(s, out);
    buf_puts(out, close);
}
