// SPDX-License-Identifier: Apache-2.0
#include "base/text/utf8.h"

#include "base/text/cursor.h"
#include "base/text/excerpt.h"
#include <stdint.h>

// Length of the character at s, 0 if it is not well-formed.
static size_t character(const unsigned char *bytes, size_t n)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t len = bytes[0] < 0x80         ? 1
                 : bytes[0] >> 5 == 0x06 ? 2
                 : bytes[0] >> 4 == 0x0e ? 3
                 : bytes[0] >> 3 == 0x1e ? 4
                                         : 0;
    if (len == 0 || len > n)
        return 0;
    uint32_t code = len == 1 ? bytes[0] : bytes[0] & (0x7fu >> len);
    for (size_t i = 1; i < len; i++) {
        if (bytes[i] >> 6 != 2)
            return 0;
        code = code << 6 | (bytes[i] & 0x3fu);
    }
    bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < least[len] || code > 0x10ffff || surrogate ? 0 : len;
}

bool utf8_check(const char *text, size_t n, size_t *bad)
{
    const unsigned char *s = (const unsigned char *)text;
    for (size_t i = 0; i < n;) {
        size_t len = character(s + i, n - i);
        if (len == 0) {
            *bad = i;
            return false;
        }
        i += len;
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

void utf8_printable(const char *text, struct buf *out)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t n = strlen(text);
    for (size_t i = 0; i < n;) {
        size_t len = character(s + i, n - i);
        if (len == 0 || s[i] < 0x20 || s[i] == 0x7f)
            buf_putc(out, '?');
        else
            buf_write(out, text + i, len);
        i += len ? len : 1;
    }
}
