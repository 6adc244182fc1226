// SPDX-License-Identifier: Apache-2.0
#include "rules/language/tokens/lex.h"

#include "base/text/cursor.h"
#include "base/text/division.h"
#include "rules/limits.h"

enum { FIRST_TOKENS = 128 }; // most rules have fewer

struct lexer {
    struct cursor cursor;
    const char *doc, *doc_end; // the doc comment of the next token
    struct lexed *out;
};

static bool is_cut(void *user, const char *name, size_t n)
{
    const struct lexed *out = user;
    for (uint32_t i = 0; i < out->tokens.len; i++)
        if (out->tokens.at[i].kind == T_NAME && out->tokens.at[i].len == n &&
            memcmp(out->tokens.at[i].at, name, n) == 0)
            return true;
    return false;
}

// A comment behind an operand, which the text below could go on as if nothing had stood there.
// The comma at the end of its line is no part of a divisor.
static bool could_divide(const struct lexer *lexer)
{
    const struct token *before = &vec_last(&lexer->out->tokens);
    if (before->kind != T_NAME && before->kind != T_INT && before->kind != ')')
        return false;
    const char *at = lexer->cursor.at + 2, *end = at;
    while (end < lexer->cursor.end && *end != '\n')
        end++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    if (end > at && end[-1] == ',')
        end--;
    return end > at && *at != '/' && comment_is_divisor(at, end, is_cut, lexer->out);
}

// Blanks and comments.  A run of /// lines is remembered until a token comes,
// unless a blank line or another comment stands between.  False: at a comment that is an error.
static bool skip_blank(struct lexer *lexer)
{
    unsigned breaks = 0;
    lexer->doc = lexer->doc_end = NULL;
    while (lexer->cursor.at < lexer->cursor.end) {
        char text = *lexer->cursor.at;
        if (text == '\n' && ++breaks > 1)
            lexer->doc = NULL;
        if (text == ' ' || text == '\t' || text == '\r' || text == '\n') {
            cursor_advance(&lexer->cursor);
        } else if (text == '/' && cursor_peek(&lexer->cursor, 1) == '/') {
            if (breaks == 0 && lexer->out->tokens.len > 0 && could_divide(lexer))
                return false;
            bool doc =
                cursor_peek(&lexer->cursor, 2) == '/' && cursor_peek(&lexer->cursor, 3) != '/';
            if (!doc)
                lexer->doc = NULL;
            else if (!lexer->doc)
                lexer->doc = lexer->cursor.at;
            cursor_skip_line(&lexer->cursor);
            lexer->doc_end = lexer->cursor.at;
            breaks = 0;
        } else {
            break;
        }
    }
    return true;
}

static void bad(struct token *token, const char *why)
{
    token->kind = T_ERROR;
    token->error = why;
}

static void lex_number(struct cursor *cursor, struct token *token)
{
    bool too_large = false;
    token->kind = T_INT;
    while (is_digit(cursor_peek(cursor, 0))) {
        int digit = *cursor->at - '0';
        if (token->value > (INT64_MAX - digit) / 10)
            too_large = true;
        else
            token->value = token->value * 10 + digit;
        cursor_advance(cursor);
    }
    if (cursor_peek(cursor, 0) == '.') {
        token->kind = T_DECIMAL;
        cursor_advance(cursor);
        if (!is_digit(cursor_peek(cursor, 0)))
            bad(token, "a decimal number needs digits behind the point");
        cursor_skip_digits(cursor);
        if (cursor->at - token->at > RULES_DIGITS)
            bad(token, "the number has too many digits");
    } else if (too_large) {
        bad(token, "the number does not fit in 63 bits");
    }
    if (!is_letter(cursor_peek(cursor, 0)))
        return;
    bad(token, "a number runs into a name");
    char exponent = cursor_peek(cursor, 0), sign = cursor_peek(cursor, 1);
    bool has_sign = sign == '-' || sign == '+';
    if ((exponent == 'e' || exponent == 'E') && is_digit(cursor_peek(cursor, has_sign ? 2 : 1))) {
        bad(token, "expected a number without exponent");
        cursor_advance(cursor);
        cursor_advance(cursor);
    }
    cursor_skip_name(cursor);
}

static void lex_string(struct cursor *cursor, struct token *token)
{
    token->kind = T_STRING;
    cursor_advance(cursor);
    token->at = cursor->at;
    while (cursor->at < cursor->end && *cursor->at != '"' && *cursor->at != '\n') {
        char text = *cursor->at;
        if (text == '\\') {
            cursor_advance(cursor);
            char next = cursor_peek(cursor, 0);
            if (next != '"' && next != '\\') {
                bad(token, "in a string, \\ stands before \" or \\ only");
                continue;
            }
        } else if ((unsigned char)text < ' ' && text != '\t') {
            bad(token, "a control character in a string");
        }
        cursor_advance(cursor);
    }
    token->len = (uint32_t)(cursor->at - token->at);
    if (cursor_peek(cursor, 0) == '"')
        cursor_advance(cursor);
    else
        bad(token, "the string is not closed on its line");
}

static void lex_punctuation(struct cursor *cursor, struct token *token)
{
    static const struct {
        char text[4];
        int kind;
    } longer[] = {
        {"<->", T_SWAP}, {"=>", T_IMPLIES}, {"->", T_ARROW}, {"<=", T_LE},
        {">=", T_GE},    {"==", T_EQ},      {"!=", T_NE},
    };
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        if (*cursor->at != longer[i].text[0])
            continue;
        size_t n = strlen(longer[i].text);
        if ((size_t)(cursor->end - cursor->at) >= n && memcmp(cursor->at, longer[i].text, n) == 0) {
            token->kind = longer[i].kind;
            while (n--)
                cursor_advance(cursor);
            return;
        }
    }
    char string = *cursor->at;
    if (string != '\0' && strchr("(){}[],;:=<>+-*/%&|^!", string))
        token->kind = string;
    else
        bad(token, "unexpected character");
    cursor_advance(cursor);
    while (token->kind == T_ERROR && ((unsigned char)cursor_peek(cursor, 0) & 0xC0) == 0x80)
        cursor_advance(cursor);
}

static void lex_token(struct lexer *lexer, struct token *token)
{
    token->place = (struct place){lexer->cursor.line, lexer->cursor.col};
    token->at = lexer->cursor.at;
    token->doc = lexer->doc;
    token->doc_end = lexer->doc_end;
    token->match = NONE;
    if (lexer->cursor.at == lexer->cursor.end) {
        token->kind = T_END;
    } else if (is_letter(*lexer->cursor.at)) {
        token->kind = T_NAME;
        cursor_skip_name(&lexer->cursor);
        token->name =
            intern_bytes(&lexer->out->names, token->at, (size_t)(lexer->cursor.at - token->at));
    } else if (is_digit(*lexer->cursor.at)) {
        lex_number(&lexer->cursor, token);
    } else if (*lexer->cursor.at == '"') {
        lex_string(&lexer->cursor, token);
        return; // the length of a string is without the quotes
    } else {
        lex_punctuation(&lexer->cursor, token);
    }
    token->len = (uint32_t)(lexer->cursor.at - token->at);
}

static void lex_division(struct lexer *lexer, struct token *token)
{
    token->place = (struct place){lexer->cursor.line, lexer->cursor.col};
    token->at = lexer->cursor.at;
    token->len = 2;
    token->match = NONE;
    bad(token, "`//` starts a comment, but what follows could be a divisor");
    cursor_skip_line(&lexer->cursor);
}

static void match_parentheses(struct lexed *lexed)
{
    struct u32_vec open = {0};
    for (uint32_t i = 0; i < lexed->tokens.len; i++) {
        int kind = lexed->tokens.at[i].kind;
        if (kind == '(')
            vec_push(&open, i);
        else if (kind == ')' && open.len)
            lexed->tokens.at[vec_pop(&open)].match = i;
        else if (kind == ';')
            vec_clear(&open);
    }
    vec_release(&open);
}

void lex_text(struct lexed *out, const char *text, size_t n)
{
    struct lexer lexer = {.cursor = {text, text + n, 1, 1}};
    memset(out, 0, sizeof *out);
    intern_init(&out->names);
    lexer.out = out;
    vec_reserve(&out->tokens, FIRST_TOKENS);
    for (;;) {
        struct token token = {0};
        if (skip_blank(&lexer))
            lex_token(&lexer, &token);
        else
            lex_division(&lexer, &token);
        vec_push(&out->tokens, token);
        if (token.kind == T_END)
            break;
    }
    match_parentheses(out);
}

void lex_release(struct lexed *lexed)
{
    vec_release(&lexed->tokens);
    intern_release(&lexed->names);
}
