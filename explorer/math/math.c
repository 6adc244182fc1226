// SPDX-License-Identifier: Apache-2.0
#include "explorer/math/math.h"
#include "base/text/markup.h"
#include <ctype.h>

enum { MOST_DEPTH = 60 }; // deeper parentheses are signs like others

struct reader {
    const char *at;
    unsigned depth;
};

static void put_row(struct reader *reader, const char *stops, struct buf *out);

static bool starts_word(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static size_t word_length(const char *at)
{
    size_t n = 0;
    while (starts_word(*at) && (starts_word(at[n]) || isdigit((unsigned char)at[n])))
        n++;
    return n;
}

static size_t number_length(const char *at)
{
    size_t n = strspn(at, "0123456789");
    if (n > 0 && at[n] == '.' && isdigit((unsigned char)at[n + 1]))
        n += 1 + strspn(at + n + 1, "0123456789");
    size_t sign = n > 0 && at[n] == 'e' && (at[n + 1] == '+' || at[n + 1] == '-');
    if (n > 0 && at[n] == 'e' && isdigit((unsigned char)at[n + 1 + sign]))
        n += 1 + sign + strspn(at + n + 1 + sign, "0123456789");
    return n;
}

static bool is(const char *word, size_t n, const char *text)
{
    return strlen(text) == n && strncmp(word, text, n) == 0;
}

static void put_element(const char *name, const char *text, size_t n, struct buf *out)
{
    struct buf part = {0};
    buf_write(&part, text, n);
    buf_printf(out, "<%s>", name);
    markup_text(buf_text(&part), out);
    buf_printf(out, "</%s>", name);
    buf_release(&part);
}

static const char *const plain_words[] = {"if",   "then",  "else",  "is",  "in",
                                          "over", "of",    "from",  "and", "or",
                                          "not",  "where", "whole", "all", "define"};

static bool is_plain(const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof plain_words / sizeof *plain_words; i++)
        if (is(word, n, plain_words[i]))
            return true;
    return false;
}

// "i_x" is an index along class x.
static void put_word(const char *word, size_t n, struct buf *out)
{
    const char *bar = memchr(word, '_', n);
    size_t head = bar ? (size_t)(bar - word) : n;
    bool index = bar && head > 0 && head + 1 < n && (*word == 'i' || *word == 'j') &&
                 strspn(word + 1, "0123456789") + 1 >= head;
    if (is(word, n, "inf")) {
        buf_puts(out, "<mi>∞</mi>");
    } else if (is(word, n, "pi")) {
        buf_puts(out, "<mi>π</mi>");
    } else if (is_plain(word, n)) {
        buf_puts(out, "<mtext>\xc2\xa0");
        buf_write(out, word, n);
        buf_puts(out, "\xc2\xa0</mtext>");
    } else if (index) {
        buf_puts(out, "<msub>");
        put_element("mi", word, head, out);
        put_element("mi", word + head + 1, n - head - 1, out);
        buf_puts(out, "</msub>");
    } else {
        put_element("mi", word, n, out);
    }
}

struct sign {
    const char *text, *as;
};
static const struct sign signs[] = {
    {"<=>", "⟺"}, {"=>", "⟹"}, {"==", "="}, {"!=", "≠"},   {"<=", "≤"},   {">=", "≥"}, {"<->", "↔"},
    {"<-", "←"},  {"->", "→"}, {"..", "‥"}, {"*", "·"},    {"%", "mod"},  {"!", "¬"},  {"&", "∧"},
    {"|", "∨"},   {"^", "⊕"},  {"-", "−"},  {"<", "&lt;"}, {">", "&gt;"},
};

static void put_sign(struct reader *reader, struct buf *out)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t n = strlen(signs[i].text);
        if (strncmp(reader->at, signs[i].text, n) == 0) {
            buf_printf(out, "<mo>%s</mo>", signs[i].as);
            reader->at += n;
            return;
        }
    }
    size_t n = 1; // a whole character
    while (((unsigned char)reader->at[n] & 0xc0) == 0x80)
        n++;
    put_element("mo", reader->at, n, out);
    reader->at += n;
}

// An argument `key={..}`, `{..}` or `[..] -> [..]` is an attribute.
static bool is_attribute(const char *at)
{
    size_t word = word_length(at);
    if (*at == '{' || *at == '[')
        return true;
    return word > 0 && at[word] == '=' && at[word + 1] != '=' && at[word + 1] != '>';
}

static void put_attribute(struct reader *reader, struct buf *out)
{
    size_t word = word_length(reader->at);
    buf_puts(out, "<mtr><mtd>");
    if (word > 0) {
        put_element("mi", reader->at, word, out);
        reader->at += word + 1;
        buf_puts(out, "<mspace width=\"0.3em\"/>");
    }
    if (*reader->at == '{') {
        reader->at++;
        put_row(reader, "}", out);
        reader->at += *reader->at == '}';
    }
    put_row(reader, ",)", out);
    buf_puts(out, "</mtd></mtr>");
}

struct call {
    struct buf arguments, attributes, first;
    unsigned n;
};

static void read_call(struct reader *reader, struct call *call)
{
    reader->at++; // (
    while (*reader->at && *reader->at != ')') {
        reader->at += strspn(reader->at, " \n");
        const char *from = reader->at;
        if (is_attribute(from)) {
            put_attribute(reader, &call->attributes);
        } else {
            if (call->n++ > 0)
                buf_puts(&call->arguments, "<mo separator=\"true\">,</mo>");
            size_t before = call->arguments.len;
            put_row(reader, ",)", &call->arguments);
            if (call->n == 1) {
                buf_write(&call->first, from, (size_t)(reader->at - from));
                if (before == call->arguments.len)
                    buf_puts(&call->arguments, "<mrow></mrow>");
            }
        }
        reader->at += *reader->at == ',';
    }
    reader->at += *reader->at == ')';
}

static void put_attributes(const struct call *call, struct buf *out)
{
    buf_puts(out, "<mtable>");
    buf_puts(out, buf_text(&call->attributes));
    buf_puts(out, "</mtable>");
}

// A reduction by a reducer that has a sign.  The sign takes the place of the first argument.
static bool put_big_sign(const struct call *call, struct buf *out)
{
    const char *sign = strcmp(buf_text(&call->first), "add") == 0        ? "∑"
                       : strcmp(buf_text(&call->first), "multiply") == 0 ? "∏"
                                                                         : NULL;
    const char *rest = strstr(buf_text(&call->arguments), "<mo separator=\"true\">,</mo>");
    if (sign == NULL || rest == NULL || call->n != 2 || call->attributes.len == 0)
        return false;
    buf_printf(out, "<munder><mo movablelimits=\"false\">%s</mo>", sign);
    put_attributes(call, out);
    buf_printf(out, "</munder><mrow><mo>(</mo>%s<mo>)</mo></mrow>",
               rest + strlen("<mo separator=\"true\">,</mo>"));
    return true;
}

static void put_call(struct reader *reader, size_t n, struct buf *out)
{
    const char *name = reader->at;
    struct call call = {0};
    reader->at += n;
    reader->depth++;
    read_call(reader, &call);
    reader->depth--;
    if (is(name, n, "sqrt") && call.n == 1 && call.attributes.len == 0) {
        buf_printf(out, "<msqrt>%s</msqrt>", buf_text(&call.arguments));
    } else if (is(name, n, "abs") && call.n == 1 && call.attributes.len == 0) {
        buf_printf(out, "<mrow><mo>|</mo>%s<mo>|</mo></mrow>", buf_text(&call.arguments));
    } else if (!is(name, n, "reduce") || !put_big_sign(&call, out)) {
        if (call.attributes.len > 0)
            buf_puts(out, "<msub>");
        put_word(name, n, out);
        if (call.attributes.len > 0) {
            put_attributes(&call, out);
            buf_puts(out, "</msub>");
        }
        buf_printf(out, "<mrow><mo>(</mo>%s<mo>)</mo></mrow>", buf_text(&call.arguments));
    }
    buf_release(&call.arguments);
    buf_release(&call.attributes);
    buf_release(&call.first);
}

static void put_group(struct reader *reader, struct buf *out)
{
    static const char open[] = "([{", close[] = ")]}";
    char end[2] = {close[strchr(open, *reader->at) - open], 0};
    buf_printf(out, "<mrow><mo>%c</mo>", *reader->at++);
    reader->depth++;
    put_row(reader, end, out);
    reader->depth--;
    if (*reader->at == end[0])
        reader->at++;
    buf_printf(out, "<mo>%c</mo></mrow>", end[0]);
}

// A word between two formulas, where a line may break.
static void put_break(const char *word, size_t n, struct buf *out)
{
    static const char open[] = "<math>";
    size_t length = sizeof open - 1;
    if (out->len >= length && strcmp(out->at + out->len - length, open) == 0)
        out->at[out->len -= length] = 0; // nothing stands before the word
    else
        buf_puts(out, "</math> ");
    buf_write(out, word, n);
    buf_puts(out, " <math>");
}

// Up to a sign of `stops`, which stays.
static void put_row(struct reader *reader, const char *stops, struct buf *out)
{
    while (*reader->at && strchr(stops, *reader->at) == NULL) {
        size_t word = word_length(reader->at), number = number_length(reader->at);
        bool deep = reader->depth >= MOST_DEPTH;
        if (isspace((unsigned char)*reader->at)) {
            reader->at++;
        } else if (word > 0 && reader->at[word] == '(' && !deep && !is_plain(reader->at, word)) {
            put_call(reader, word, out);
        } else if (word > 0) {
            if (reader->depth == 0 && is_plain(reader->at, word))
                put_break(reader->at, word, out);
            else
                put_word(reader->at, word, out);
            reader->at += word;
        } else if (number > 0) {
            put_element("mn", reader->at, number, out);
            reader->at += number;
        } else if (!deep && strchr("([{", *reader->at)) {
            put_group(reader, out);
        } else {
            put_sign(reader, out);
        }
    }
}

void math_line(const char *text, struct buf *out)
{
    struct reader reader = {text, 0};
    buf_puts(out, "<math>");
    put_row(&reader, "", out);
    buf_puts(out, "</math>");
}
