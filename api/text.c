// SPDX-License-Identifier: Apache-2.0
#include "api/text.h"

#include <string.h>

char *text_give(struct buf *text)
{
    if (text->at == NULL)
        buf_puts(text, "");
    return buf_detach(text);
}

char *text_copy(const char *text)
{
    struct buf copy = {0};
    buf_puts(&copy, text);
    return text_give(&copy);
}

void text_indent(const char *text, struct buf *out)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        buf_puts(out, "    ");
        buf_write(out, text, n);
        buf_putc(out, '\n');
        text += n + (text[n] == '\n');
    }
}
