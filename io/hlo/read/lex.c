// SPDX-License-Identifier: Apache-2.0
#include "io/hlo/read/lex.h"

#include "base/text/cursor.h"

struct hlo_lexer {
    const char *text, *file;
    size_t n, at;
    struct hlo_tokens *out;
    uint32_t open[IO_HLO_DEPTH];
    uint32_t depth;
    struct err *err;
};

bool hlo_fail_at(const char *text, size_t at, const char *file, struct err *err, const char *msg)
{
    struct cursor cursor = {text, text + at, 1, 1};
    while (cursor.at < cursor.end)
        cursor_advance(&cursor);
    return err_at(err, ERR_INPUT, file, cursor.line, cursor.col, "%s", msg);
}

static bool fail(struct hlo_lexer *lexer, size_t at, const char *msg)
{
    return hlo_fail_at(lexer->text, at, lexer->file, lexer->err, msg);
}

static char peek(const struct hlo_lexer *lexer, size_t k)
{
    return lexer->at + k < lexer->n ? lexer->text[lexer->at + k] : '\0';
}

static bool skip_comment(struct hlo_lexer *lexer)
{
    size_t start = lexer->at;
    for (lexer->at += 2; lexer->at < lexer->n; lexer->at++)
        if (lexer->text[lexer->at] == '*' && peek(lexer, 1) == '/') {
            lexer->at += 2;
            return true;
        }
    return fail(lexer, start, "comment is not closed");
}

// Skips blanks and comments; the flags say what was skipped.
static bool skip_blank(struct hlo_lexer *lexer, uint16_t *flags)
{
    for (*flags = 0; lexer->at < lexer->n; *flags |= HLO_SPACE) {
        char c = lexer->text[lexer->at];
        if (c == '\n' || c == '\r') {
            *flags |= HLO_LINE;
            lexer->at++;
        } else if (c == ' ' || c == '\t') {
            lexer->at++;
        } else if (c == '/' && peek(lexer, 1) == '/') {
            while (lexer->at < lexer->n && lexer->text[lexer->at] != '\n')
                lexer->at++;
        } else if (c == '/' && peek(lexer, 1) == '*') {
            if (!skip_comment(lexer))
                return false;
        } else {
            break;
        }
    }
    return true;
}

// Of a name, a number or sizes.
static bool in_word(char c)
{
    return is_letter(c) || is_digit(c) || (c != '\0' && strchr(".-+$?#@!", c) != NULL);
}

static size_t word_len(const struct hlo_lexer *lexer, size_t from)
{
    size_t k = from;
    // "->" behind a word is an arrow.
    while (in_word(peek(lexer, k)) && !(peek(lexer, k) == '-' && peek(lexer, k + 1) == '>'))
        k++;
    return k - from;
}

// The length of the string here, 0 after an error.
static size_t string_len(struct hlo_lexer *lexer)
{
    char quote = peek(lexer, 0);
    for (size_t k = 1; lexer->at + k < lexer->n; k++) {
        char c = peek(lexer, k);
        if (c == quote)
            return k + 1;
        if (c == '\\')
            k++;
        else if (c == '\n' || c == '\0')
            break;
    }
    return fail(lexer, lexer->at, "string is not closed"), 0;
}

static size_t token_len(struct hlo_lexer *lexer, uint16_t *kind)
{
    char c = peek(lexer, 0);
    size_t n = word_len(lexer, 0);
    *kind = H_WORD;
    if (n > 0)
        return n;
    *kind = H_NAME;
    if (c == '%' && (n = word_len(lexer, 1)) > 0)
        return n + 1;
    *kind = H_STRING;
    if (c == '"' || c == '\'')
        return string_len(lexer);
    *kind = H_ARROW;
    if (c == '-')
        return 2;
    *kind = H_UP_TO;
    if (c == '<' && peek(lexer, 1) == '=')
        return 2;
    *kind = (unsigned char)c;
    if ((unsigned char)c >= 128 || c < ' ' || c == '%')
        return fail(lexer, lexer->at, "unexpected character"), 0;
    return 1;
}

static char closing(uint16_t open)
{
    return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : '\0';
}

// Brackets of L1.
static bool match_bracket(struct hlo_lexer *lexer, struct hlo_token *token)
{
    uint32_t self = lexer->out->len;
    if (closing(token->kind) != '\0') {
        if (lexer->depth == IO_HLO_DEPTH)
            return fail(lexer, token->at, "too many brackets inside one another");
        lexer->open[lexer->depth++] = self;
        return true;
    }
    if (token->kind != ')' && token->kind != ']' && token->kind != '}')
        return true;
    if (lexer->depth == 0)
        return fail(lexer, token->at, "this bracket was never opened");
    struct hlo_token *open = &lexer->out->at[lexer->open[--lexer->depth]];
    if (closing(open->kind) != (char)token->kind)
        return fail(lexer, token->at, "this bracket closes another kind of bracket");
    token->match = lexer->open[lexer->depth];
    open->match = self;
    return true;
}

bool hlo_lex(const char *text, size_t n, const char *file, struct hlo_tokens *out, struct err *err)
{
    struct hlo_lexer lexer = {.text = text, .file = file, .n = n, .out = out, .err = err};
    struct hlo_token token = {0};
    if (n >= UINT32_MAX)
        return err_at(err, ERR_INPUT, file, 1, 1, "a text of 4 GiB or more");
    for (;;) {
        if (!skip_blank(&lexer, &token.flags))
            return false;
        token.at = (uint32_t)lexer.at;
        if (lexer.at == n)
            break;
        token.len = (uint32_t)token_len(&lexer, &token.kind);
        token.match = 0;
        if (token.len == 0 || !match_bracket(&lexer, &token))
            return false;
        vec_push(out, token);
        lexer.at += token.len;
    }
    if (lexer.depth > 0)
        return fail(&lexer, out->at[lexer.open[lexer.depth - 1]].at, "bracket is not closed");
    token.kind = H_EOF;
    token.len = token.match = 0;
    vec_push(out, token);
    return true;
}
