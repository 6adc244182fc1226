// SPDX-License-Identifier: Apache-2.0
#include "io/egraph/json_scan.h"

#include "base/text/utf8.h"
#include <math.h>
#include <stdlib.h>

enum { MAX_DEPTH = 2048 };

bool json_scan_wrong(struct json_scan *s, const char *what, struct err *e)
{
    uint32_t line = 1, col = 1;
    for (const char *p = s->text; p < s->at; p++) {
        col = *p == '\n' ? 1 : col + 1;
        line += *p == '\n';
    }
    return err_at(e, ERR_INPUT, s->file, line, col, "%s", what);
}

bool json_scan_init(struct json_scan *s, const char *text, size_t n,
               const char *file, struct err *e)
{
    size_t bad = 0;
    *s = (struct json_scan){.file = file, .text = text, .at = text};
    s->end = text + n;
    if (utf8_check(text, n, &bad))
        return true;
    s->at = text + bad;
    return json_scan_wrong(s, "expected UTF-8", e);
}

void json_scan_release(struct json_scan *s)
{
    buf_release(&s->string);
}

static void skip_space(struct json_scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' ||
                              *s->at == '\r' || *s->at == '\t'))
        s->at++;
}

char json_scan_peek(struct json_scan *s)
{
    skip_space(s);
    char c = s->at < s->end ? *s->at : '\0';
    return c == '-' || (c >= '0' && c <= '9') ? '0' : c;
}

bool json_scan_open(struct json_scan *s, char bracket, struct err *e)
{
    if (json_scan_peek(s) != bracket)
        return json_scan_wrong(
            s, bracket == '{' ? "expected an object" : "expected a list", e);
    s->at++;
    s->first = true;
    return true;
}

bool json_scan_more(struct json_scan *s, char bracket, bool *more, struct err *e)
{
    char c = json_scan_peek(s);
    bool first = s->first;
    s->first = false;
    *more = c != bracket;
    if (c == bracket) {
        s->at++;
        return true;
    }
    if (first)
        return true;
    if (c != ',')
        return json_scan_wrong(
            s, bracket == '}' ? "expected , or }" : "expected , or ]", e);
    s->at++;
    return true;
}

// ---- strings

static bool hex4(struct json_scan *s, uint32_t *out, struct err *e)
{
    *out = 0;
    for (int i = 0; i < 4; i++, s->at++) {
        char c = s->at < s->end ? *s->at : '\0';
        uint32_t d = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                     : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                     : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                            : 16;
        if (d == 16)
            return json_scan_wrong(s, "expected four hexadecimal digits", e);
        *out = *out * 16 + d;
    }
    return true;
}

static void put_utf8(struct buf *b, uint32_t c)
{
    if (c < 0x80) {
        buf_putc(b, (char)c);
        return;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint32_t lead[] = {0, 0xc0, 0xe0, 0xf0};
    buf_putc(b, (char)(lead[more] | c >> (6 * more)));
    while (more-- > 0)
        buf_putc(b, (char)(0x80 | ((c >> (6 * more)) & 0x3f)));
}

// Behind \u.
static bool unicode(struct json_scan *s, struct err *e)
{
    uint32_t c, low;
    if (!hex4(s, &c, e))
        return false;
    if (c >= 0xd800 && c <= 0xdbff) {
        if (s->end - s->at < 2 || s->at[0] != '\\' || s->at[1] != 'u')
            return json_scan_wrong(s, "half a surrogate pair", e);
        s->at += 2;
        if (!hex4(s, &low, e))
            return false;
        if (low < 0xdc00 || low > 0xdfff)
            return json_scan_wrong(s, "half a surrogate pair", e);
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    } else if (c >= 0xdc00 && c <= 0xdfff) {
        return json_scan_wrong(s, "half a surrogate pair", e);
    }
    if (c == 0)
        return json_scan_wrong(s, "a NUL in a string", e);
    put_utf8(&s->string, c);
    return true;
}

static bool escape(struct json_scan *s, struct err *e)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = s->at < s->end ? *s->at : '\0';
    const char *known = c ? strchr(from, c) : NULL;
    if (c == 'u') {
        s->at++;
        return unicode(s, e);
    }
    if (!known)
        return json_scan_wrong(s, "unknown escape", e);
    s->at++;
    buf_putc(&s->string, to[known - from]);
    return true;
}

bool json_scan_string(struct json_scan *s, const char **out, struct err *e)
{
    if (json_scan_peek(s) != '"')
        return json_scan_wrong(s, "expected a string", e);
    s->at++;
    buf_clear(&s->string);
    for (;;) {
        const char *from = s->at;
        while ((unsigned char)*s->at >= 0x20 && *s->at != '"' &&
               *s->at != '\\') // *end is NUL
            s->at++;
        buf_write(&s->string, from, (size_t)(s->at - from));
        if (s->at == s->end)
            return json_scan_wrong(s, "the string has no end", e);
        if (*s->at == '"')
            break;
        if (*s->at != '\\')
            return json_scan_wrong(s, "a control character in a string", e);
        s->at++;
        if (!escape(s, e))
            return false;
    }
    s->at++;
    *out = buf_text(&s->string);
    return true;
}

bool json_scan_key(struct json_scan *s, const char **out, struct err *e)
{
    if (!json_scan_string(s, out, e))
        return false;
    if (json_scan_peek(s) != ':')
        return json_scan_wrong(s, "expected :", e);
    s->at++;
    return true;
}

// ---- other values

static const char *digits(const char *p)
{
    while (*p >= '0' && *p <= '9')
        p++;
    return p;
}

bool json_scan_number(struct json_scan *s, double *out, struct err *e)
{
    const char *p, *q;
    if (json_scan_peek(s) != '0')
        return json_scan_wrong(s, "expected a number", e);
    p = s->at + (*s->at == '-');
    q = *p == '0' ? p + 1 : digits(p);
    bool ok = q > p;
    if (ok && *q == '.') {
        p = q + 1;
        q = digits(p);
        ok = q > p;
    }
    if (ok && (*q == 'e' || *q == 'E')) {
        p = q + 1;
        p += *p == '+' || *p == '-';
        q = digits(p);
        ok = q > p;
    }
    if (!ok)
        return json_scan_wrong(s, "not a number", e);
    char *end;
    *out = strtod(s->at, &end); // hexadecimal ones would be longer
    if (end != q)
        return json_scan_wrong(s, "not a number", e);
    if (!isfinite(*out))
        return json_scan_wrong(s, "a number that is too large", e);
    s->at = q;
    return true;
}

static bool word(struct json_scan *s, const char *text)
{
    size_t n = strlen(text);
    if ((size_t)(s->end - s->at) < n || memcmp(s->at, text, n) != 0)
        return false;
    s->at += n;
    return true;
}

bool json_scan_bool(struct json_scan *s, bool *out, struct err *e)
{
    skip_space(s);
    *out = word(s, "true");
    return *out || word(s, "false") ||
           json_scan_wrong(s, "expected true or false", e);
}

// A value that holds no others; `e` stays as it is where one does.
static bool skip_plain(struct json_scan *s, struct err *e)
{
    const char *text;
    double number;
    switch (json_scan_peek(s)) {
    case '"':
        return json_scan_string(s, &text, e);
    case '0':
        return json_scan_number(s, &number, e);
    default:
        return word(s, "true") || word(s, "false") || word(s, "null") ||
               json_scan_wrong(s, "expected a value", e);
    }
}

bool json_scan_skip(struct json_scan *s, struct err *e)
{
    char close[MAX_DEPTH];
    uint32_t depth = 0;
    const char *key;
    do {
        char c = json_scan_peek(s);
        bool more = true;
        if (c == '{' || c == '[') {
            if (depth == MAX_DEPTH)
                return json_scan_wrong(s, "nested too deeply", e);
            close[depth++] = c == '{' ? '}' : ']';
            s->at++;
            s->first = true;
        } else if (!skip_plain(s, e)) {
            return false;
        }
        while (depth > 0) {
            if (!json_scan_more(s, close[depth - 1], &more, e))
                return false;
            if (more)
                break;
            depth--;
        }
        if (depth > 0 && close[depth - 1] == '}' && !json_scan_key(s, &key, e))
            return false;
    } while (depth > 0);
    s->first = false;
    return true;
}

bool json_scan_finish(struct json_scan *s, struct err *e)
{
    return (json_scan_peek(s) == '\0' && s->at == s->end) ||
           json_scan_wrong(s, "expected the end of the text", e);
}
