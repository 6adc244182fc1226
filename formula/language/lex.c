// SPDX-License-Identifier: Apache-2.0
#include "formula/language/lex.h"

#include "base/text/cursor.h"
#include "base/text/utf8.h"

enum { MAX_TEXT = 1 << 18, MAX_TOKENS = 40000, MAX_NAME = 64 };

struct formula_lexer {
    struct cursor c;
    const char *file;
    struct ftokens *out;
    struct err *e;
};

static void skip_blank(struct cursor *x)
{
    for (;;) {
        char c = cursor_peek(x, 0);
        bool comment = c == '#' || (c == '/' && cursor_peek(x, 1) == '/');
        if (comment)
            cursor_skip_line(x);
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            cursor_advance(x);
        else
            return;
    }
}

static bool wrong(const struct formula_lexer *l, const struct ftoken *t,
                  const char *what)
{
    return err_at(l->e, ERR_INPUT, l->file, t->line, t->col, "%s", what);
}

static bool cut_number(struct formula_lexer *l, struct ftoken *t)
{
    t->kind = FTOK_INTEGER;
    cursor_skip_digits(&l->c);
    if (cursor_peek(&l->c, 0) == '.') {
        t->kind = FTOK_DECIMAL;
        cursor_advance(&l->c);
        cursor_skip_digits(&l->c);
    }
    char c = cursor_peek(&l->c, 0), sign = cursor_peek(&l->c, 1);
    bool signed_exponent = sign == '+' || sign == '-';
    if ((c == 'e' || c == 'E') &&
        is_digit(cursor_peek(&l->c, signed_exponent ? 2 : 1))) {
        t->kind = FTOK_DECIMAL;
        cursor_advance(&l->c);
        cursor_advance(&l->c);
        cursor_skip_digits(&l->c);
    }
    if (is_letter(cursor_peek(&l->c, 0)) || cursor_peek(&l->c, 0) == '.')
        return wrong(l, t,
                     "a number runs into a name or another number (a "
                     "product is written 2*x)");
    return true;
}

static void cut_punctuation(struct cursor *x, struct ftoken *t)
{
    static const struct {
        char text[3];
        int kind;
    } longer[] = {
        {"<=", FTOK_LE}, {">=", FTOK_GE}, {"==", FTOK_EQ}, {"!=", FTOK_NE}};
    t->kind = *x->at;
    cursor_advance(x);
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (t->kind == longer[i].text[0] &&
            cursor_peek(x, 0) == longer[i].text[1]) {
            t->kind = longer[i].kind;
            cursor_advance(x);
            return;
        }
}

// The whole character, as it stands in the text.
static bool wrong_character(struct formula_lexer *l, const struct ftoken *t)
{
    char shown[8] = {0};
    unsigned char c = (unsigned char)*l->c.at;
    size_t n = 0;
    do
        shown[n++] = *l->c.at++;
    while (n < 4 && ((unsigned char)cursor_peek(&l->c, 0) & 0xC0) == 0x80);
    if (c < ' ' || c == 127)
        return err_at(l->e, ERR_INPUT, l->file, t->line, t->col,
                      "formulas have no such character: byte %u", c);
    return err_at(l->e, ERR_INPUT, l->file, t->line, t->col,
                  "formulas have no such character: %s%s", shown,
                  c >= 128 ? " (names are of ASCII letters, digits and _)"
                           : "");
}

static bool cut_token(struct formula_lexer *l, struct ftoken *t)
{
    const char *before = l->c.at;
    skip_blank(&l->c);
    *t = (struct ftoken){.kind = FTOK_END,
                         .at = l->c.at,
                         .line = l->c.line,
                         .col = l->c.col,
                         .space = l->c.at > before};
    char c = cursor_peek(&l->c, 0);
    if (l->c.at == l->c.end)
        return true;
    if (is_letter(c)) {
        t->kind = FTOK_NAME;
        cursor_skip_name(&l->c);
        if (l->c.at - t->at > MAX_NAME)
            return wrong(l, t, "the name is longer than 64 characters");
    } else if (is_digit(c) || (c == '.' && is_digit(cursor_peek(&l->c, 1)))) {
        if (!cut_number(l, t))
            return false;
    } else if (c != '\0' && strchr("()[],;=<>+-*/^!", c)) {
        cut_punctuation(&l->c, t);
    } else {
        return wrong_character(l, t);
    }
    t->len = (uint32_t)(l->c.at - t->at);
    return true;
}

bool ftokens_cut(struct ftokens *out, const char *file, const char *text,
                 struct err *e)
{
    size_t n = strlen(text), bad;
    struct formula_lexer l = {
        .c = {text, text + n, 1, 1}, .file = file, .out = out, .e = e};
    if (n > MAX_TEXT)
        return err_at(e, ERR_INPUT, file, 1, 1,
                      "the text is too long: %zu bytes, at most %d", n,
                      MAX_TEXT);
    if (!utf8_check(text, n, &bad)) {
        while (l.c.at < text + bad)
            cursor_advance(&l.c);
        return err_at(e, ERR_INPUT, file, l.c.line, l.c.col,
                      "the text is not UTF-8");
    }
    struct ftoken t;
    do {
        if (!cut_token(&l, &t))
            return false;
        if (out->at.len >= MAX_TOKENS && t.kind != FTOK_END)
            return wrong(&l, &t, "the formula is too long");
        vec_push(&out->at, t);
    } while (t.kind != FTOK_END);
    return true;
}

void ftokens_release(struct ftokens *t)
{
    vec_release(&t->at);
}
