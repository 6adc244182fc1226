// SPDX-License-Identifier: Apache-2.0
#include "formula/language/lex.h"
#include "formula/language/hints.h"
#include "formula/limits.h"

#include "base/text/cursor.h"
#include "base/text/division.h"
#include "base/text/utf8.h"

struct formula_lexer {
    struct cursor cursor;
    const char *file;
    struct ftokens *out;
    struct err *err;
    bool one_line; // the text has one line
};

static bool is_cut_already(void *user, const char *name, size_t n)
{
    const struct ftokens *tokens = user;
    for (uint32_t i = 0; i < tokens->at.len; i++)
        if (tokens->at.at[i].kind == FTOK_NAME && tokens->at.at[i].len == n &&
            memcmp(tokens->at.at[i].at, name, n) == 0)
            return true;
    return false;
}

// A comment behind an operand that may be a divisor. In a text of more lines, where comments are
// usual, a name of a divisor has been seen before.
static bool may_divide(const struct formula_lexer *lexer)
{
    const struct cursor *cursor = &lexer->cursor;
    uint32_t n = lexer->out->at.len;
    const struct ftoken *last = n > 0 ? &lexer->out->at.at[n - 1] : NULL;
    bool operand = last != NULL && last->line == cursor->line &&
                   (last->kind == FTOK_NAME || last->kind == FTOK_INTEGER ||
                    last->kind == FTOK_DECIMAL || last->kind == ')' || last->kind == ']');
    return operand && comment_is_divisor(cursor->at + 2, cursor->end,
                                         lexer->one_line ? NULL : is_cut_already, lexer->out);
}

// Stops at a `//` that may be meant as a floor division.
static void skip_blank(struct formula_lexer *lexer)
{
    struct cursor *cursor = &lexer->cursor;
    for (;;) {
        char text = cursor_peek(cursor, 0);
        bool slashes = text == '/' && cursor_peek(cursor, 1) == '/';
        if (text == '#' || (slashes && !may_divide(lexer)))
            cursor_skip_line(cursor);
        else if (text == ' ' || text == '\t' || text == '\r' || text == '\n')
            cursor_advance(cursor);
        else
            return;
    }
}

static bool fail(const struct formula_lexer *lexer, const struct ftoken *token, const char *what)
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
    token->len = (uint32_t)(lexer->cursor.at - token->at);
    text = cursor_peek(&lexer->cursor, 0);
    char behind = cursor_peek(&lexer->cursor, 1);
    if (token->kind == FTOK_DECIMAL && (text == 'f' || text == 'F') && !is_letter(behind) &&
        !is_digit(behind) && behind != '.') { // of a float in C
        cursor_advance(&lexer->cursor);
        return true;
    }
    if (!is_letter(text) && text != '.')
        return true;
    fail(lexer, token,
         "a number is followed by a name or another number (a product is written 2*x)");
    if (text == 'x' && token->len == 1 && is_digit(behind))
        err_hint(lexer->err, "numbers are decimal");
    else if (text == 'f' || text == 'F')
        err_hint(lexer->err, "write `%.*s`", (int)token->len, token->at);
    else if (text == 'j')
        err_hint(lexer->err, "formulas are about real numbers");
    else if (text == '_')
        err_hint(lexer->err, "write the digits without `_`");
    return false;
}

struct spelling {
    const char *written;
    int kind;
    const char *text; // what it stands for
};

// Signs of several bytes.  False: there is none here.
static bool cut_sign(struct cursor *cursor, struct ftoken *token)
{
    static const struct spelling signs[] = {
        {"<=", FTOK_LE, "<="},
        {">=", FTOK_GE, ">="},
        {"==", FTOK_EQ, "=="},
        {"!=", FTOK_NE, "!="},
        {"**", '^', "^"},
        {"&&", FTOK_NAME, "and"},
        {"||", FTOK_NAME, "or"},
        {"\xc2\xb7", '*', "*"},     // a middle dot
        {"\xc3\x97", '*', "*"},     // a cross
        {"\xe2\x8b\x85", '*', "*"}, // a dot operator
        {"\xc3\xb7", '/', "/"},     // a division sign
        {"\xe2\x88\x95", '/', "/"}, // a division slash
        {"\xe2\x88\x92", '-', "-"}, // a minus sign
        {"\xe2\x89\xa4", FTOK_LE, "<="},
        {"\xe2\x89\xa5", FTOK_GE, ">="},
        {"\xe2\x89\xa0", FTOK_NE, "!="},
        {"\xe2\x88\xa7", FTOK_NAME, "and"},
        {"\xe2\x88\xa8", FTOK_NAME, "or"},
        {"\xc2\xac", '!', "!"},
        {"\xe2\x88\x9a", FTOK_NAME, "sqrt"},
        {"\xcf\x80", FTOK_NAME, "pi"},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t n = strlen(signs[i].written);
        if ((size_t)(cursor->end - cursor->at) < n || memcmp(cursor->at, signs[i].written, n) != 0)
            continue;
        token->kind = signs[i].kind;
        token->at = signs[i].text;
        token->len = (uint32_t)strlen(signs[i].text);
        while (n-- > 0)
            cursor_advance(cursor);
        return true;
    }
    return false;
}

// A raised 2 or 3 is a power: the sign here, the digit next.
static bool cut_raised(struct formula_lexer *lexer, struct ftoken *token)
{
    struct cursor *cursor = &lexer->cursor;
    char next = cursor_peek(cursor, 1);
    if (cursor_peek(cursor, 0) != '\xc2' || (next != '\xb2' && next != '\xb3'))
        return false;
    struct ftoken sign = *token;
    sign.kind = '^';
    sign.at = "^";
    sign.len = 1;
    vec_push(&lexer->out->at, sign);
    token->kind = FTOK_INTEGER;
    token->at = next == '\xb2' ? "2" : "3";
    token->len = 1;
    cursor_advance(cursor);
    cursor_advance(cursor);
    return true;
}

// The whole character as in the text, which may have several bytes.
static bool wrong_character(struct formula_lexer *lexer, const struct ftoken *token)
{
    const char *at = lexer->cursor.at;
    char shown[8] = {0};
    unsigned char c = (unsigned char)*lexer->cursor.at;
    size_t n = 0;
    do
        shown[n++] = *lexer->cursor.at++;
    while (n < 4 && ((unsigned char)cursor_peek(&lexer->cursor, 0) & 0xC0) == 0x80);
    if (c < ' ' || c == 127)
        return err_at(lexer->err, ERR_INPUT, lexer->file, token->line, token->col,
                      "unexpected character: byte %u", c);
    err_at(lexer->err, ERR_INPUT, lexer->file, token->line, token->col,
           "unexpected character: %s%s", shown,
           c >= 128 ? " (names are of ASCII letters, digits and _)" : "");
    formula_hint_character(lexer->out, at, lexer->err);
    return false;
}

static bool cut_token(struct formula_lexer *lexer, struct ftoken *token)
{
    const char *before = lexer->cursor.at;
    skip_blank(lexer);
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
        return cut_number(lexer, token);
    } else if (text == '/' && cursor_peek(&lexer->cursor, 1) == '/') {
        fail(lexer, token, "`//` starts a comment, but what follows could be a divisor");
        return err_hint(lexer->err, "floor division is `floor(a/b)`; a comment behind a formula "
                                    "starts with `#`");
    } else if (cut_sign(&lexer->cursor, token) || cut_raised(lexer, token)) {
        return true;
    } else if (text != '\0' && strchr("()[],;=<>+-*/^!?:", text)) {
        token->kind = text;
        cursor_advance(&lexer->cursor);
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
    const char *behind = text + strcspn(text, "\n");
    lexer.one_line = behind[strspn(behind, " \t\r\n")] == '\0';
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
            return fail(&lexer, &token, "the formula is too long");
        vec_push(&out->at, token);
    } while (token.kind != FTOK_END);
    return true;
}

void ftokens_release(struct ftokens *tokens)
{
    vec_release(&tokens->at);
}
