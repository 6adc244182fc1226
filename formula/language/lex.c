// SPDX-License-Identifier: Apache-2.0
#include "formula/language/lex.h"
#include "formula/limits.h"

#include "base/text/cursor.h"
#include "base/text/utf8.h"

struct formula_lexer {
    struct cursor cursor;
    const char *file;
    struct ftokens *out;
    struct err *err;
};

static void skip_blank(struct cursor *cursor)
{
    for (;;) {
        char text = cursor_peek(cursor, 0);
        bool comment = text == '#' || (text == '/' && cursor_peek(cursor, 1) == '/');
        if (comment)
            cursor_skip_line(cursor);
        else if (text == ' ' || text == '\t' || text == '\r' || text == '\n')
            cursor_advance(cursor);
        else
            return;
    }
}

static bool wrong(const struct formula_lexer *lexer, const struct ftoken *token, const char *what)
{
    return err_at(lexer->err, ERR_INPUT, lexer->file, token->line, token->col, "%s", what);
}

static bool cut_number(struct formula_lexer *lexer, struct ftoken *token)
{
    token->kind = FTOK_INTEGER;
    cursor_skip_digits(&lexer->cursor);
    if (cursor_peek(&lexer->cursor, 0) == '.') {
        token->kind = FTOK_DECIMAL;
        cursor_advance(&lexer->cursor);
        cursor_skip_digits(&lexer->cursor);
    }
    char text = cursor_peek(&lexer->cursor, 0), sign = cursor_peek(&lexer->cursor, 1);
    bool signed_exponent = sign == '+' || sign == '-';
    if ((text == 'e' || text == 'E') &&
        is_digit(cursor_peek(&lexer->cursor, signed_exponent ? 2 : 1))) {
        token->kind = FTOK_DECIMAL;
        cursor_advance(&lexer->cursor);
        cursor_advance(&lexer->cursor);
        cursor_skip_digits(&lexer->cursor);
    }
    if (is_letter(cursor_peek(&lexer->cursor, 0)) || cursor_peek(&lexer->cursor, 0) == '.')
        return wrong(lexer, token,
                     "a number is followed by a name or another number (a "
                     "product is written 2*x)");
    return true;
}

static void cut_punctuation(struct cursor *cursor, struct ftoken *token)
{
    static const struct {
        char text[3];
        int kind;
    } longer[] = {{"<=", FTOK_LE}, {">=", FTOK_GE}, {"==", FTOK_EQ}, {"!=", FTOK_NE}};
    token->kind = *cursor->at;
    cursor_advance(cursor);
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (token->kind == longer[i].text[0] && cursor_peek(cursor, 0) == longer[i].text[1]) {
            token->kind = longer[i].kind;
            cursor_advance(cursor);
            return;
        }
}

// The whole character as in the text, which may have several bytes.
static bool wrong_character(struct formula_lexer *lexer, const struct ftoken *token)
{
    char shown[8] = {0};
    unsigned char c = (unsigned char)*lexer->cursor.at;
    size_t n = 0;
    do
        shown[n++] = *lexer->cursor.at++;
    while (n < 4 && ((unsigned char)cursor_peek(&lexer->cursor, 0) & 0xC0) == 0x80);
    if (c < ' ' || c == 127)
        return err_at(lexer->err, ERR_INPUT, lexer->file, token->line, token->col,
                      "unexpected character: byte %u", c);
    return err_at(lexer->err, ERR_INPUT, lexer->file, token->line, token->col,
                  "unexpected character: %s%s", shown,
                  c >= 128 ? " (names are of ASCII letters, digits and _)" : "");
}

static bool cut_token(struct formula_lexer *lexer, struct ftoken *token)
{
    const char *before = lexer->cursor.at;
    skip_blank(&lexer->cursor);
    *token = (struct ftoken){.kind = FTOK_END,
                             .at = lexer->cursor.at,
                             .line = lexer->cursor.line,
                             .col = lexer->cursor.col,
                             .space = lexer->cursor.at > before};
    char text = cursor_peek(&lexer->cursor, 0);
    if (lexer->cursor.at == lexer->cursor.end)
        return true;
    if (is_letter(text)) {
        token->kind = FTOK_NAME;
        cursor_skip_name(&lexer->cursor);
        if (lexer->cursor.at - token->at > FORMULA_NAME)
            return err_at(lexer->err, ERR_INPUT, lexer->file, token->line, token->col,
                          "the name is longer than %d characters", FORMULA_NAME);
    } else if (is_digit(text) || (text == '.' && is_digit(cursor_peek(&lexer->cursor, 1)))) {
        if (!cut_number(lexer, token))
            return false;
    } else if (text != '\0' && strchr("()[],;=<>+-*/^!", text)) {
        cut_punctuation(&lexer->cursor, token);
    } else {
        return wrong_character(lexer, token);
    }
    token->len = (uint32_t)(lexer->cursor.at - token->at);
    return true;
}

bool ftokens_cut(struct ftokens *out, const char *file, const char *text, struct err *err)
{
    size_t n = strlen(text);
    struct formula_lexer lexer = {
        .cursor = {text, text + n, 1, 1}, .file = file, .out = out, .err = err};
    if (n > FORMULA_TEXT)
        return err_at(err, ERR_INPUT, file, 1, 1, "the text is too long: %zu bytes, at most %d", n,
                      FORMULA_TEXT);
    if (!utf8_expect(text, n, file, err))
        return false;
    struct ftoken token;
    do {
        if (!cut_token(&lexer, &token))
            return false;
        if (out->at.len >= FORMULA_TOKENS && token.kind != FTOK_END)
            return wrong(&lexer, &token, "the formula is too long");
        vec_push(&out->at, token);
    } while (token.kind != FTOK_END);
    return true;
}

void ftokens_release(struct ftokens *tokens)
{
    vec_release(&tokens->at);
}
