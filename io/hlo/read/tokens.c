// SPDX-License-Identifier: Apache-2.0
// What stands at a token, and what is passed over as a whole: values, shapes, attributes.
#include "base/text/cursor.h"
#include "io/hlo/read/reader.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

bool hlo_fail(struct hlo_reader *reader, uint32_t at, const char *fmt, ...)
{
    char msg[600];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return hlo_fail_at(reader->text, reader->tok.at[at].at, reader->file, reader->err, msg);
}

bool hlo_expected(struct hlo_reader *reader, uint32_t at, const char *what)
{
    const struct hlo_token *token = &reader->tok.at[at];
    if (token->kind == H_EOF)
        return hlo_fail(reader, at, "expected %s, found the end of the file", what);
    int n = token->len > IO_FOUND_SHOWN ? IO_FOUND_SHOWN : (int)token->len;
    return hlo_fail(reader, at, "expected %s, found '%.*s%s'", what, n, reader->text + token->at,
                    token->len > IO_FOUND_SHOWN ? "..." : "");
}

uint16_t hlo_kind(const struct hlo_reader *reader, uint32_t at)
{
    return at < reader->tok.len ? reader->tok.at[at].kind : (uint16_t)H_EOF;
}

bool hlo_is(const struct hlo_reader *reader, uint32_t at, const char *word)
{
    const struct hlo_token *token = &reader->tok.at[at];
    size_t n = strlen(word);
    return token->len == n && memcmp(reader->text + token->at, word, n) == 0;
}

bool hlo_accept(struct hlo_reader *reader, uint32_t *at, uint16_t kind)
{
    if (hlo_kind(reader, *at) != kind)
        return false;
    ++*at;
    return true;
}

bool hlo_expect(struct hlo_reader *reader, uint32_t *at, uint16_t kind, const char *what)
{
    return hlo_accept(reader, at, kind) || hlo_expected(reader, *at, what);
}

bool hlo_is_name(const struct hlo_reader *reader, uint32_t at)
{
    return hlo_kind(reader, at) == H_NAME || hlo_kind(reader, at) == H_WORD;
}

uint32_t hlo_name(struct hlo_reader *reader, uint32_t at)
{
    const struct hlo_token *token = &reader->tok.at[at];
    uint32_t sigil = token->kind == H_NAME;
    return intern_bytes(&reader->names, reader->text + token->at + sigil, token->len - sigil);
}

bool hlo_int(struct hlo_reader *reader, uint32_t *at, int64_t *out)
{
    const struct hlo_token *token = &reader->tok.at[*at];
    char text[24], *end;
    if (token->kind != H_WORD || token->len >= sizeof text)
        return hlo_expected(reader, *at, "an integer");
    memcpy(text, reader->text + token->at, token->len);
    text[token->len] = '\0';
    errno = 0;
    *out = strtoll(text, &end, 10);
    if (*end != '\0' || text[0] == '+')
        return hlo_expected(reader, *at, "an integer");
    if (errno != 0)
        return hlo_fail(reader, *at, "an integer of more than 64 bits");
    ++*at;
    return true;
}

void hlo_emit(const struct hlo_reader *reader, uint32_t from, uint32_t to, struct buf *out)
{
    for (uint32_t at = from; at < to; at++) {
        const struct hlo_token *token = &reader->tok.at[at];
        if (at > from && token->flags != 0)
            buf_putc(out, ' ');
        buf_write(out, reader->text + token->at, token->len);
    }
}

sym_id hlo_keep(struct hlo_reader *reader, uint32_t from, uint32_t to)
{
    struct buf text = {0};
    hlo_emit(reader, from, to, &text);
    sym_id symbol = sym_make(reader->pool, buf_text(&text));
    buf_release(&text);
    return symbol;
}

static bool is_open(uint16_t kind)
{
    return kind == '(' || kind == '[' || kind == '{';
}

static bool starts_value(uint16_t kind)
{
    return is_open(kind) || kind == H_NAME || kind == H_WORD || kind == H_STRING;
}

static bool touches(const struct hlo_reader *reader, uint32_t at)
{
    return reader->tok.at[at].flags == 0;
}

// Does a value that stands in front of the token go on with it?  Nothing else begins with a bracket.
static bool goes_on(const struct hlo_reader *reader, uint32_t at)
{
    uint16_t kind = hlo_kind(reader, at);
    bool sign = kind < 128 && strchr(",=)]}", kind) == NULL;
    return is_open(kind) || (touches(reader, at) && (sign || starts_value(kind)));
}

// Words, texts, signs and brackets without blanks between them.  Blanks may stand around "->" and
// "<=", and in front of a bracket: mesh['x'=2,'y'=4] {'x'}.
bool hlo_skip_value(struct hlo_reader *reader, uint32_t *at)
{
    bool joined = true;
    while (joined || goes_on(reader, *at)) {
        uint16_t kind = hlo_kind(reader, *at);
        if (joined && !starts_value(kind))
            return hlo_expected(reader, *at, "a value");
        *at = is_open(kind) ? reader->tok.at[*at].match + 1 : *at + 1;
        kind = hlo_kind(reader, *at);
        joined = kind == H_ARROW || kind == H_UP_TO;
        *at += joined;
    }
    return true;
}

// Behind a shape: a body begins with a name.
bool hlo_starts_layout(const struct hlo_reader *reader, uint32_t at)
{
    uint32_t next = at + 1;
    if (hlo_kind(reader, at) != '{')
        return false;
    if (touches(reader, at) || hlo_kind(reader, next) == ':')
        return true;
    return hlo_kind(reader, next) == H_WORD && is_digit(reader->text[reader->tok.at[next].at]);
}

bool hlo_skip_shape(struct hlo_reader *reader, uint32_t *at)
{
    if (hlo_kind(reader, *at) == '(') {
        *at = reader->tok.at[*at].match + 1;
        return true;
    }
    if (hlo_kind(reader, *at) != H_WORD || hlo_kind(reader, *at + 1) != '[')
        return hlo_expected(reader, *at, "a shape such as f32[2,3]");
    *at = reader->tok.at[*at + 1].match + 1;
    if (hlo_starts_layout(reader, *at))
        *at = reader->tok.at[*at].match + 1;
    return true;
}

bool hlo_next_attribute(const struct hlo_reader *reader, uint32_t *at, uint32_t end,
                        struct hlo_attribute *out)
{
    if (*at >= end)
        return false;
    // hlo_syntax has seen: , key = value
    out->key = *at + 1;
    out->value = *at + 3;
    out->end = out->value;
    while (out->end < end && hlo_kind(reader, out->end) != ',')
        out->end =
            is_open(hlo_kind(reader, out->end)) ? reader->tok.at[out->end].match + 1 : out->end + 1;
    *at = out->end;
    return true;
}
