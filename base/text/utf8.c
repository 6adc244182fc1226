// SPDX-License-Identifier: Apache-2.0
#include "base/text/utf8.h"

#include "base/character.h"
#include "base/text/buf.h"
#include "base/text/cursor.h"
#include "base/text/excerpt.h"

bool utf8_check(const char *text, size_t n, size_t *bad)
{
    for (size_t i = 0; i < n;) {
        if (text[i] >= ' ' && text[i] <= '~') {
            i++;
            continue;
        }
        struct character next = character_next(text + i, n - i);
        if (next.wrong) {
            *bad = i;
            return false;
        }
        i += next.len;
    }
    return true;
}

bool utf8_expect(const char *text, size_t n, const char *file, struct err *err)
{
    size_t bad;
    if (utf8_check(text, n, &bad))
        return true;
    struct cursor cursor = {text, text + n, 1, 1};
    while (cursor.at < text + bad)
        cursor_advance(&cursor);
    err_at(err, ERR_INPUT, file, cursor.line, cursor.col,
           "expected UTF-8 text, found the byte 0x%02x", (unsigned)(unsigned char)text[bad]);
    excerpt_attach(err, text, n);
    return err_hint(err, "save the file as UTF-8; iconv -f LATIN1 -t UTF-8 converts an older text");
}

void utf8_lines(const char *text, size_t n, struct buf *out)
{
    size_t from = 0; // what stands before is written
    for (size_t i = 0; i < n;) {
        struct character next = character_next(text + i, n - i);
        if (next.hidden && text[i] != '\n' && text[i] != '\t') {
            buf_write(out, text + from, i - from);
            buf_putc(out, '?');
            from = i + next.len;
        }
        i += next.len;
    }
    buf_write(out, text + from, n - from);
}

void utf8_bytes(const char *text, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n;) {
        struct character next = character_next(text + i, n - i);
        for (size_t k = 0; k < next.len; k++)
            if (next.hidden)
                buf_printf(out, "\\%02X", (unsigned char)text[i + k]);
            else
                buf_putc(out, text[i + k]);
        i += next.len;
    }
}

void utf8_printable(const char *text, struct buf *out)
{
    size_t n = strlen(text), start = out->len;
    buf_write(out, text, n);
    text_clean(out->at + start);
    out->len = start + strlen(out->at + start);
}

// Blanks and ends of lines between the values stay.
void utf8_json(const char *text, struct buf *out)
{
    size_t n = strlen(text), from = 0;
    for (size_t i = 0; i < n;) {
        struct character next = character_next(text + i, n - i);
        uint32_t code = next.code;
        if (next.hidden && !strchr("\t\r\n", text[i])) {
            buf_write(out, text + from, i - from);
            from = i + next.len;
            if (code >= 0x10000)
                buf_printf(out, "\\u%04X\\u%04X", 0xd800 + ((code - 0x10000) >> 10),
                           0xdc00 + ((code - 0x10000) & 0x3ff));
            else
                buf_printf(out, "\\u%04X", code);
        }
        i += next.len;
    }
    buf_write(out, text + from, n - from);
}
