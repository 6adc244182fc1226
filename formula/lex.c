// SPDX-License-Identifier: Apache-2.0
#include "formula/lex.h"

#include "base/utf8.h"

enum { MAX_TEXT = 1 << 18, MAX_TOKENS = 40000, MAX_NAME = 64 };

struct lexer {
    const char *file, *at, *end;
    uint32_t line, col;
    struct ftokens *out;
    struct err *e;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char peek(const struct lexer *l, size_t ahead)
{
    return (size_t)(l->end - l->at) > ahead ? l->at[ahead] : '\0';
}

// Columns count characters: continuation bytes of UTF-8 do not advance.
static void advance(struct lexer *l)
{
    char c = *l->at++;
    if (c == '\n') {
        l->line++;
        l->col = 1;
    } else if (((unsigned char)c & 0xC0) != 0x80) {
        l->col++;
    }
}

static void skip_blank(struct lexer *l)
{
    for (;;) {
        char c = peek(l, 0);
        bool comment = c == '#' || (c == '/' && peek(l, 1) == '/');
        if (comment)
            while (l->at < l->end && *l->at != '\n')
                advance(l);
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            advance(l);
        else
            return;
    }
}

static bool wrong(const struct lexer *l, const struct ftoken *t,
                  const char *what)
{
    return err_at(l->e, ERR_INPUT, l->file, t->line, t->col, "%s", what);
}

static void digits(struct lexer *l)
{
    while (is_digit(peek(l, 0)))
        advance(l);
}

static bool cut_number(struct lexer *l, struct ftoken *t)
{
    t->kind = FTOK_INTEGER;
    digits(l);
    if (peek(l, 0) == '.') {
        t->kind = FTOK_DECIMAL;
        advance(l);
        digits(l);
    }
    char c = peek(l, 0), sign = peek(l, 1);
    bool signed_exponent = sign == '+' || sign == '-';
    if ((c == 'e' || c == 'E') && is_digit(peek(l, signed_exponent ? 2 : 1))) {
        t->kind = FTOK_DECIMAL;
        advance(l);
        advance(l);
        digits(l);
    }
    if (is_letter(peek(l, 0)) || peek(l, 0) == '.')
        return wrong(l, t,
                     "a number runs into a name or another number (a "
                     "product is written 2*x)");
    return true;
}

static void cut_punctuation(struct lexer *l, struct ftoken *t)
{
    static const struct {
        char text[3];
        int kind;
    } longer[] = {
        {"<=", FTOK_LE}, {">=", FTOK_GE}, {"==", FTOK_EQ}, {"!=", FTOK_NE}};
    t->kind = *l->at;
    advance(l);
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (t->kind == longer[i].text[0] && peek(l, 0) == longer[i].text[1]) {
            t->kind = longer[i].kind;
            advance(l);
            return;
        }
}

// The whole character, as it stands in the text.
static bool wrong_character(struct lexer *l, const struct ftoken *t)
{
    char shown[8] = {0};
    unsigned char c = (unsigned char)*l->at;
    size_t n = 0;
    do
        shown[n++] = *l->at++;
    while (n < 4 && ((unsigned char)peek(l, 0) & 0xC0) == 0x80);
    if (c < ' ' || c == 127)
        return err_at(l->e, ERR_INPUT, l->file, t->line, t->col,
                      "formulas have no such character: byte %u", c);
    return err_at(l->e, ERR_INPUT, l->file, t->line, t->col,
                  "formulas have no such character: %s%s", shown,
                  c >= 128 ? " (names are of ASCII letters, digits and _)"
                           : "");
}

static bool cut_token(struct lexer *l, struct ftoken *t)
{
    const char *before = l->at;
    skip_blank(l);
    *t = (struct ftoken){.kind = FTOK_END,
                         .at = l->at,
                         .line = l->line,
                         .col = l->col,
                         .space = l->at > before};
    char c = peek(l, 0);
    if (l->at == l->end)
        return true;
    if (is_letter(c)) {
        t->kind = FTOK_NAME;
        while (is_letter(peek(l, 0)) || is_digit(peek(l, 0)))
            advance(l);
        if (l->at - t->at > MAX_NAME)
            return wrong(l, t, "the name is longer than 64 characters");
    } else if (is_digit(c) || (c == '.' && is_digit(peek(l, 1)))) {
        if (!cut_number(l, t))
            return false;
    } else if (c != '\0' && strchr("()[],;=<>+-*/^!", c)) {
        cut_punctuation(l, t);
    } else {
        return wrong_character(l, t);
    }
    t->len = (uint32_t)(l->at - t->at);
    return true;
}

bool ftokens_cut(struct ftokens *out, const char *file, const char *text,
                 struct err *e)
{
    size_t n = strlen(text), bad;
    struct lexer l = {.file = file,
                      .at = text,
                      .end = text + n,
                      .line = 1,
                      .col = 1,
                      .out = out,
                      .e = e};
    if (n > MAX_TEXT)
        return err_at(e, ERR_INPUT, file, 1, 1,
                      "the text is too long: %zu bytes, at most %d", n,
                      MAX_TEXT);
    if (!utf8_check(text, n, &bad)) {
        while (l.at < text + bad)
            advance(&l);
        return err_at(e, ERR_INPUT, file, l.line, l.col,
                      "the text is not UTF-8");
    }
    struct ftoken t;
    do {
        if (!cut_token(&l, &t))
            return false;
        if (out->at.len >= MAX_TOKENS)
            return wrong(&l, &t, "the formula is too long");
        vec_push(&out->at, t);
    } while (t.kind != FTOK_END);
    return true;
}

void ftokens_release(struct ftokens *t)
{
    vec_release(&t->at);
}
