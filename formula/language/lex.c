// SPDX-License-Identifier: Apache-2.0
#include "formula/language/lex.h"
#include "formula/language/hints.h"
#include "formula/limits.h"

#include "base/character.h"
#include "base/text/cursor.h"
#include "base/text/division.h"
#include "base/text/utf8.h"

struct formula_lexer {
    struct cursor cursor;
    const char *file;
    struct ftokens *out;
    struct err *err;
    VEC(struct cursor) remark; // where a `//` stands behind an operand
    bool ended;                // a `;` stood in a comment behind an operand
};

static bool follows_operand(const struct formula_lexer *lexer)
{
    const struct ftokens *tokens = lexer->out;
    const struct ftoken *last = tokens->at.len > 0 ? &tokens->at.at[tokens->at.len - 1] : NULL;
    return last != NULL && last->line == lexer->cursor.line &&
           (last->kind == FTOK_NAME || last->kind == FTOK_INTEGER || last->kind == FTOK_DECIMAL ||
            last->kind == ')' || last->kind == ']');
}

// Comments behind an operand are looked at once all names of the text are known.
static void skip_comment(struct formula_lexer *lexer)
{
    struct cursor *cursor = &lexer->cursor;
    const char *from = cursor->at;
    bool behind = *from == '/' && follows_operand(lexer);
    if (behind)
        vec_push(&lexer->remark, *cursor);
    cursor_skip_line(cursor);
    lexer->ended |= behind && memchr(from, ';', (size_t)(cursor->at - from)) != NULL;
}

// The bytes of a blank that pages and word processors have: as wide as a letter, not to be broken.
static size_t wide_blank(const char *at)
{
    if (strncmp(at, "\xc2\xa0", 2) == 0)
        return 2;
    bool narrow = strncmp(at, "\xe2\x80", 2) == 0 &&
                  ((unsigned char)at[2] <= 0x8a || strncmp(at + 2, "\xaf", 1) == 0);
    return narrow || strncmp(at, "\xe3\x80\x80", 3) == 0 ? 3 : 0;
}

static void skip_blank(struct formula_lexer *lexer)
{
    struct cursor *cursor = &lexer->cursor;
    for (;;) {
        char text = cursor_peek(cursor, 0);
        if (text == '#' || (text == '/' && cursor_peek(cursor, 1) == '/'))
            skip_comment(lexer);
        else if (text == ' ' || text == '\t' || text == '\r' || text == '\n')
            cursor_advance(cursor);
        else if ((unsigned char)text >= 0x80 && wide_blank(cursor->at) > 0)
            for (size_t n = wide_blank(cursor->at); n > 0; n--)
                cursor_advance(cursor);
        else
            return;
    }
}

static bool fail(const struct formula_lexer *lexer, const struct ftoken *token, const char *what)
{
    return err_at(lexer->err, ERR_INPUT, lexer->file, token->line, token->col, "%s", what);
}

// 1e−3 with the minus sign of pages.
static void hint_exponent(const struct formula_lexer *lexer, const struct ftoken *token)
{
    struct cursor exponent = lexer->cursor;
    cursor_advance(&exponent);
    size_t sign = formula_minus(exponent.at);
    const char *digits = exponent.at + sign;
    size_t n = strspn(digits, "0123456789");
    if (sign > 0 && n > 0 && n < 16)
        err_hint(lexer->err, "write `%.*s%c-%.*s`", (int)token->len, token->at, *lexer->cursor.at,
                 (int)n, digits);
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
    else if (text == 'e' || text == 'E')
        hint_exponent(lexer, token);
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
        {"\xe2\x88\x97", '*', "*"}, // an asterisk operator
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

static const char raised_minus[] = "\xe2\x81\xbb";

// A raised digit of UTF-8, with its bytes in *n; NULL: there is none.
static const char *raised_digit(const char *at, size_t *n)
{
    static const char *const raised[] = {
        "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
        "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9",
    };
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    for (size_t i = 0; i < sizeof raised / sizeof *raised; i++) {
        *n = strlen(raised[i]);
        if (strncmp(at, raised[i], *n) == 0)
            return digits[i];
    }
    return NULL;
}

static void push_sign(struct formula_lexer *lexer, struct ftoken token, const char *sign)
{
    token.kind = *sign;
    token.at = sign;
    token.len = 1;
    vec_push(&lexer->out->at, token);
}

// Goes on with what is raised, or with a power.
static bool power_goes_on(const char *at)
{
    size_t n;
    at += strspn(at, " ");
    return raised_digit(at, &n) != NULL || strncmp(at, raised_minus, strlen(raised_minus)) == 0 ||
           *at == '^' || strncmp(at, "**", 2) == 0;
}

// A raised digit, which may have a raised minus sign, is a power: the signs here, the digit next.
// False: there is none, or more follows than one digit.
static bool cut_raised(struct formula_lexer *lexer, struct ftoken *token)
{
    struct cursor *cursor = &lexer->cursor;
    const char *at = cursor->at;
    bool negative = strncmp(at, raised_minus, strlen(raised_minus)) == 0;
    size_t n;
    at += negative ? strlen(raised_minus) : 0;
    const char *digit = raised_digit(at, &n);
    if (digit == NULL || power_goes_on(at + n))
        return false;
    push_sign(lexer, *token, "^");
    if (negative)
        push_sign(lexer, *token, "-");
    token->kind = FTOK_INTEGER;
    token->at = digit;
    token->len = 1;
    token->space = false;
    while (cursor->at < at + n)
        cursor_advance(cursor);
    return true;
}

// The whole character as in the text, which may have several bytes.
static bool wrong_character(struct formula_lexer *lexer, const struct ftoken *token)
{
    const struct cursor *cursor = &lexer->cursor;
    struct character found = character_next(cursor->at, (size_t)(cursor->end - cursor->at));
    bool code = (unsigned char)*cursor->at < ' ' || *cursor->at == 127;
    if (code)
        return err_at(lexer->err, ERR_INPUT, lexer->file, token->line, token->col,
                      "unexpected character: byte %u", (unsigned)found.code);
    if (found.hidden) {
        err_at(lexer->err, ERR_INPUT, lexer->file, token->line, token->col,
               "unexpected character: U+%04X, which is not seen", (unsigned)found.code);
        return err_hint(lexer->err, "delete it");
    }
    err_at(lexer->err, ERR_INPUT, lexer->file, token->line, token->col,
           "unexpected character: %.*s", (int)found.len, cursor->at);
    formula_hint_character(lexer->out, cursor->at, lexer->err);
    if (found.code >= 128)
        err_hint(lexer->err, "names are of ASCII letters, digits and `_`");
    return false;
}

// The root sign stands before parentheses: it has no bar that says how far it reaches.
static bool is_bare_root(const struct formula_lexer *lexer)
{
    static const char root[] = "\xe2\x88\x9a";
    const char *at = lexer->cursor.at;
    if (strncmp(at, root, strlen(root)) != 0)
        return false;
    at += strlen(root);
    return at[strspn(at, " ")] != '(';
}

static bool cut_token(struct formula_lexer *lexer, struct ftoken *token)
{
    const char *before = lexer->cursor.at;
    lexer->ended = false;
    skip_blank(lexer);
    *token = (struct ftoken){.kind = FTOK_END,
                             .at = lexer->cursor.at,
                             .line = lexer->cursor.line,
                             .col = lexer->cursor.col,
                             .space = lexer->cursor.at > before,
                             .ended = lexer->ended};
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
    } else if (text == '/' && cursor_peek(&lexer->cursor, 1) == '*') {
        fail(lexer, token, "`/*` starts no comment");
        return err_hint(lexer->err, "a comment starts with `#` or `//`, and ends with its line");
    } else if (is_bare_root(lexer)) {
        return wrong_character(lexer, token);
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

static bool is_cut(void *user, const char *name, size_t n)
{
    const struct ftokens *tokens = user;
    for (uint32_t i = 0; i < tokens->at.len; i++)
        if (tokens->at.at[i].kind == FTOK_NAME && tokens->at.at[i].len == n &&
            memcmp(tokens->at.at[i].at, name, n) == 0)
            return true;
    return false;
}

// Do all tokens stand in one line?
static bool is_one_line(const struct ftokens *tokens)
{
    uint32_t n = tokens->at.len;
    return n < 2 || tokens->at.at[0].line == tokens->at.at[n - 2].line;
}

// A comment may be meant as the divisor of a floor division.  In a text of more lines, where
// comments are usual, names of a divisor occur elsewhere, too.
static bool expect_remarks(struct formula_lexer *lexer)
{
    bool one_line = is_one_line(lexer->out);
    for (uint32_t i = 0; i < lexer->remark.len; i++) {
        const struct cursor *remark = &lexer->remark.at[i];
        if (!comment_is_divisor(remark->at + 2, remark->end, one_line ? NULL : is_cut, lexer->out))
            continue;
        err_at(lexer->err, ERR_INPUT, lexer->file, remark->line, remark->col,
               "`//` starts a comment, but what follows could be a divisor");
        return err_hint(lexer->err, "floor division is `floor(a/b)`; a comment behind a formula "
                                    "starts with `#`");
    }
    return true;
}

static bool cut_tokens(struct formula_lexer *lexer)
{
    struct ftoken token;
    do {
        if (!cut_token(lexer, &token))
            return false;
        if (lexer->out->at.len >= FORMULA_TOKENS && token.kind != FTOK_END)
            return fail(lexer, &token, "the formula is too long");
        vec_push(&lexer->out->at, token);
    } while (token.kind != FTOK_END);
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
    bool ok = cut_tokens(&lexer) && expect_remarks(&lexer);
    vec_release(&lexer.remark);
    return ok;
}

void ftokens_release(struct ftokens *tokens)
{
    vec_release(&tokens->at);
}
