// SPDX-License-Identifier: Apache-2.0
#include "base/text/markup.h"

void markup_text(const char *text, struct buf *out)
{
    for (; *text != 0; text++)
        if (*text == '<')
            buf_puts(out, "&lt;");
        else if (*text == '>')
            buf_puts(out, "&gt;");
        else if (*text == '&')
            buf_puts(out, "&amp;");
        else if (*text == '"')
            buf_puts(out, "&quot;");
        else
            buf_putc(out, *text);
}

void markup_in(const char *open, const char *text, const char *close, struct buf *out)
{
    buf_puts(out, open);
    markup_text(text, out);
    buf_puts(out, close);
}
