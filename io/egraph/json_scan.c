// SPDX-License-Identifier: Apache-2.0
#include "io/egraph/json_scan.h"

#include "base/text/cursor.h"
#include "base/text/utf8.h"
#include "io/limits.h"
#include <math.h>
#include <stdlib.h>

bool json_scan_wrong(struct json_scan *scan, const char *what, struct err *err)
{
    struct cursor cursor = {scan->text, scan->end, 1, 1};
    while (cursor.at < scan->at)
        cursor_advance(&cursor);
    return err_at(err, ERR_INPUT, scan->file, cursor.line, cursor.col, "%s", what);
}

bool json_scan_init(struct json_scan *scan, const char *text, size_t n, const char *file,
                    struct err *err)
{
    *scan = (struct json_scan){.file = file, .text = text, .at = text};
    scan->end = text + n;
    return utf8_expect(text, n, file, err);
}

void json_scan_release(struct json_scan *scan)
{
    buf_release(&scan->string);
}

static void skip_space(struct json_scan *scan)
{
    while (scan->at < scan->end &&
           (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\r' || *scan->at == '\t'))
        scan->at++;
}

char json_scan_peek(struct json_scan *scan)
{
    skip_space(scan);
    char text = scan->at < scan->end ? *scan->at : '\0';
    return text == '-' || (text >= '0' && text <= '9') ? '0' : text;
}

bool json_scan_open(struct json_scan *scan, char bracket, struct err *err)
{
    if (json_scan_peek(scan) != bracket)
        return json_scan_wrong(scan, bracket == '{' ? "expected an object" : "expected a list",
                               err);
    scan->at++;
    scan->first = true;
    return true;
}

bool json_scan_more(struct json_scan *scan, char bracket, bool *more, struct err *err)
{
    char text = json_scan_peek(scan);
    bool first = scan->first;
    scan->first = false;
    *more = text != bracket;
    if (text == bracket) {
        scan->at++;
        return true;
    }
    if (first)
        return true;
    if (text != ',')
        return json_scan_wrong(scan, bracket == '}' ? "expected , or }" : "expected , or ]", err);
    scan->at++;
    return true;
}

// ---- strings

static bool hex4(struct json_scan *scan, uint32_t *out, struct err *err)
{
    *out = 0;
    for (int i = 0; i < 4; i++, scan->at++) {
        char text = scan->at < scan->end ? *scan->at : '\0';
        uint32_t d = text >= '0' && text <= '9'   ? (uint32_t)(text - '0')
                     : text >= 'a' && text <= 'f' ? (uint32_t)(text - 'a') + 10
                     : text >= 'A' && text <= 'F' ? (uint32_t)(text - 'A') + 10
                                                  : 16;
        if (d == 16)
            return json_scan_wrong(scan, "expected four hexadecimal digits", err);
        *out = *out * 16 + d;
    }
    return true;
}

static void put_utf8(struct buf *buf, uint32_t c)
{
    if (c < 0x80) {
        buf_putc(buf, (char)c);
        return;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint32_t lead[] = {0, 0xc0, 0xe0, 0xf0};
    buf_putc(buf, (char)(lead[more] | c >> (6 * more)));
    while (more-- > 0)
        buf_putc(buf, (char)(0x80 | ((c >> (6 * more)) & 0x3f)));
}

// The four digits behind \u.
static bool unicode(struct json_scan *scan, struct err *err)
{
    uint32_t c, low;
    if (!hex4(scan, &c, err))
        return false;
    if (c >= 0xd800 && c <= 0xdbff) {
        if (scan->end - scan->at < 2 || scan->at[0] != '\\' || scan->at[1] != 'u')
            return json_scan_wrong(scan, "expected both halves of a surrogate pair", err);
        scan->at += 2;
        if (!hex4(scan, &low, err))
            return false;
        if (low < 0xdc00 || low > 0xdfff)
            return json_scan_wrong(scan, "expected both halves of a surrogate pair", err);
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    } else if (c >= 0xdc00 && c <= 0xdfff) {
        return json_scan_wrong(scan, "expected both halves of a surrogate pair", err);
    }
    if (c == 0)
        return json_scan_wrong(scan, "a NUL in a string", err);
    put_utf8(&scan->string, c);
    return true;
}

static bool escape(struct json_scan *scan, struct err *err)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char text = scan->at < scan->end ? *scan->at : '\0';
    const char *known = text ? strchr(from, text) : NULL;
    if (text == 'u') {
        scan->at++;
        return unicode(scan, err);
    }
    if (!known)
        return json_scan_wrong(scan, "unknown escape", err);
    scan->at++;
    buf_putc(&scan->string, to[known - from]);
    return true;
}

bool json_scan_string(struct json_scan *scan, const char **out, struct err *err)
{
    if (json_scan_peek(scan) != '"')
        return json_scan_wrong(scan, "expected a string", err);
    scan->at++;
    buf_clear(&scan->string);
    for (;;) {
        const char *from = scan->at;
        while ((unsigned char)*scan->at >= 0x20 && *scan->at != '"' &&
               *scan->at != '\\') // *end is NUL
            scan->at++;
        buf_write(&scan->string, from, (size_t)(scan->at - from));
        if (scan->at == scan->end)
            return json_scan_wrong(scan, "the string has no end", err);
        if (*scan->at == '"')
            break;
        if (*scan->at != '\\')
            return json_scan_wrong(scan, "a control character in a string", err);
        scan->at++;
        if (!escape(scan, err))
            return false;
    }
    scan->at++;
    *out = buf_text(&scan->string);
    return true;
}

bool json_scan_key(struct json_scan *scan, const char **out, struct err *err)
{
    if (!json_scan_string(scan, out, err))
        return false;
    if (json_scan_peek(scan) != ':')
        return json_scan_wrong(scan, "expected :", err);
    scan->at++;
    return true;
}

// ---- other values

static const char *digits(const char *text)
{
    while (*text >= '0' && *text <= '9')
        text++;
    return text;
}

bool json_scan_number(struct json_scan *scan, double *out, struct err *err)
{
    const char *text, *string;
    if (json_scan_peek(scan) != '0')
        return json_scan_wrong(scan, "expected a number", err);
    text = scan->at + (*scan->at == '-');
    string = *text == '0' ? text + 1 : digits(text);
    bool ok = string > text;
    if (ok && *string == '.') {
        text = string + 1;
        string = digits(text);
        ok = string > text;
    }
    if (ok && (*string == 'e' || *string == 'E')) {
        text = string + 1;
        text += *text == '+' || *text == '-';
        string = digits(text);
        ok = string > text;
    }
    if (!ok)
        return json_scan_wrong(scan, "not a number", err);
    char *end;
    *out = strtod(scan->at, &end); // hexadecimal ones would be longer
    if (end != string)
        return json_scan_wrong(scan, "not a number", err);
    if (!isfinite(*out))
        return json_scan_wrong(scan, "a number that is too large", err);
    scan->at = string;
    return true;
}

static bool word(struct json_scan *scan, const char *text)
{
    size_t n = strlen(text);
    if ((size_t)(scan->end - scan->at) < n || memcmp(scan->at, text, n) != 0)
        return false;
    scan->at += n;
    return true;
}

bool json_scan_bool(struct json_scan *scan, bool *out, struct err *err)
{
    skip_space(scan);
    *out = word(scan, "true");
    return *out || word(scan, "false") || json_scan_wrong(scan, "expected true or false", err);
}

// A value that is no list and no object; for a list or an object `err` stays as
// it is.
static bool skip_plain(struct json_scan *scan, struct err *err)
{
    const char *text;
    double number;
    switch (json_scan_peek(scan)) {
    case '"':
        return json_scan_string(scan, &text, err);
    case '0':
        return json_scan_number(scan, &number, err);
    default:
        return word(scan, "true") || word(scan, "false") || word(scan, "null") ||
               json_scan_wrong(scan, "expected a value", err);
    }
}

bool json_scan_skip(struct json_scan *scan, struct err *err)
{
    char close[IO_JSON_DEPTH];
    uint32_t depth = 0;
    const char *key;
    do {
        char text = json_scan_peek(scan);
        bool more = true;
        if (text == '{' || text == '[') {
            if (depth == IO_JSON_DEPTH)
                return json_scan_wrong(scan, "nested too deeply", err);
            close[depth++] = text == '{' ? '}' : ']';
            scan->at++;
            scan->first = true;
        } else if (!skip_plain(scan, err)) {
            return false;
        }
        while (depth > 0) {
            if (!json_scan_more(scan, close[depth - 1], &more, err))
                return false;
            if (more)
                break;
            depth--;
        }
        if (depth > 0 && close[depth - 1] == '}' && !json_scan_key(scan, &key, err))
            return false;
    } while (depth > 0);
    scan->first = false;
    return true;
}

bool json_scan_finish(struct json_scan *scan, struct err *err)
{
    return (json_scan_peek(scan) == '\0' && scan->at == scan->end) ||
           json_scan_wrong(scan, "expected the end of the text", err);
}
