// SPDX-License-Identifier: Apache-2.0
#include "io/mlir/lex.h"

#include "base/text/cursor.h"
#include "base/text/hex.h"

struct mlir_lexer {
    const char *text, *file;
    size_t n, at;
    struct mlir_tokens *out;
    struct u32_vec *splits;
    uint32_t open[IO_MLIR_DEPTH];
    uint32_t depth;
    struct err *err;
};

void mlir_place(const char *text, size_t at, uint32_t *line, uint32_t *col)
{
    struct cursor cursor = {text, text + at, 1, 1};
    while (cursor.at < cursor.end)
        cursor_advance(&cursor);
    *line = cursor.line;
    *col = cursor.col;
}

static bool fail(struct mlir_lexer *lexer, size_t at, const char *msg)
{
    uint32_t line, col;
    mlir_place(lexer->text, at, &line, &col);
    return err_at(lexer->err, ERR_INPUT, lexer->file, line, col, "%s", msg);
}

static char peek(const struct mlir_lexer *lexer, size_t k)
{
    return lexer->at + k < lexer->n ? lexer->text[lexer->at + k] : '\0';
}

// Skips blanks and comments; the flags say what was skipped.
static uint16_t skip_blank(struct mlir_lexer *lexer)
{
    static const char split[] = "// -----";
    uint16_t flags = 0;
    while (lexer->at < lexer->n) {
        char text = lexer->text[lexer->at];
        if (text == '\n' || text == '\r') {
            flags |= TOKEN_SPACE | TOKEN_LINE;
            lexer->at++;
        } else if (text == ' ' || text == '\t') {
            flags |= TOKEN_SPACE;
            lexer->at++;
        } else if (text == '/' && peek(lexer, 1) == '/') {
            size_t start = lexer->at;
            while (lexer->at < lexer->n && lexer->text[lexer->at] != '\n')
                lexer->at++;
            size_t len = lexer->at - start;
            if (len > 0 && lexer->text[start + len - 1] == '\r')
                len--;
            if (len == sizeof split - 1 && memcmp(lexer->text + start, split, len) == 0 &&
                (start == 0 || lexer->text[start - 1] == '\n'))
                vec_push(lexer->splits, (uint32_t)start);
            flags |= TOKEN_SPACE;
        } else {
            break;
        }
    }
    return flags;
}

// Length of a name behind '%', '#', '!' or '^': digits, or a word.
static size_t suffix_len(const struct mlir_lexer *lexer, size_t k)
{
    size_t start = k;
    if (is_digit(peek(lexer, k))) {
        while (is_digit(peek(lexer, k)))
            k++;
        return k - start;
    }
    for (;; k++) {
        char text = peek(lexer, k);
        bool ok = is_letter(text) || text == '$' || text == '.' || text == '-' ||
                  (k > start && is_digit(text));
        // "->" behind a name is an arrow.
        if (!ok || (text == '-' && peek(lexer, k + 1) == '>'))
            return k - start;
    }
}

static size_t word_len(const struct mlir_lexer *lexer, size_t k)
{
    size_t start = k;
    if (!is_letter(peek(lexer, k)))
        return 0;
    for (;; k++) {
        char text = peek(lexer, k);
        if (!is_letter(text) && !is_digit(text) && text != '$' && text != '.')
            return k - start;
    }
}

// Length of the string at offset k, 0 after an error.
static size_t string_len(struct mlir_lexer *lexer, size_t k)
{
    size_t start = k++;
    for (;; k++) {
        if (lexer->at + k >= lexer->n)
            return fail(lexer, lexer->at + start, "string is not closed"), 0;
        unsigned char c = (unsigned char)lexer->text[lexer->at + k];
        if (c == '"')
            return k + 1 - start;
        if (c == '\n' || c == '\r')
            return fail(lexer, lexer->at + start, "string is not closed on its line"), 0;
        if ((c < ' ' && c != '\t') || c == 0x7F)
            return fail(lexer, lexer->at + k, "control character in a string"), 0;
        if (c != '\\')
            continue;
        char text = peek(lexer, k + 1);
        if (text == '"' || text == '\\' || text == 'n' || text == 't')
            k++;
        else if (hex_digit(text) >= 0 && hex_digit(peek(lexer, k + 2)) >= 0)
            k += 2;
        else
            return fail(lexer, lexer->at + k,
                        "expected \\\", \\\\, \\n, \\t or two hex digits "
                        "behind a backslash"),
                   0;
    }
}

static size_t number_len(const struct mlir_lexer *lexer, uint16_t *kind)
{
    size_t k = 0;
    *kind = T_INT;
    if (peek(lexer, 0) == '0' && peek(lexer, 1) == 'x' && hex_digit(peek(lexer, 2)) >= 0) {
        for (k = 2; hex_digit(peek(lexer, k)) >= 0;)
            k++;
        return k;
    }
    while (is_digit(peek(lexer, k)))
        k++;
    if (peek(lexer, k) != '.')
        return k;
    *kind = T_FLOAT;
    k++;
    while (is_digit(peek(lexer, k)))
        k++;
    if (peek(lexer, k) == 'e' || peek(lexer, k) == 'E') {
        size_t m = k + 1;
        if (peek(lexer, m) == '+' || peek(lexer, m) == '-')
            m++;
        if (is_digit(peek(lexer, m))) {
            while (is_digit(peek(lexer, m)))
                m++;
            k = m;
        }
    }
    return k;
}

static bool token_is(const struct mlir_lexer *lexer, const struct mlir_token *token,
                     const char *word)
{
    size_t n = strlen(word);
    return token->len == n && memcmp(lexer->text + token->at, word, n) == 0;
}

// Length of "2x?x" behind "tensor<".
static size_t dims_len(const struct mlir_lexer *lexer)
{
    const struct mlir_tokens *mlir_tokens = lexer->out;
    if (mlir_tokens->len < 2 || mlir_tokens->at[mlir_tokens->len - 1].kind != '<')
        return 0;
    const struct mlir_token *token = &mlir_tokens->at[mlir_tokens->len - 2];
    if (token->kind != T_BARE ||
        (!token_is(lexer, token, "tensor") && !token_is(lexer, token, "vector") &&
         !token_is(lexer, token, "memref")))
        return 0;
    size_t done = 0;
    for (;;) {
        size_t k = done;
        if (peek(lexer, k) == '?')
            k++;
        else
            while (is_digit(peek(lexer, k)))
                k++;
        if (k == done || peek(lexer, k) != 'x')
            return done;
        done = k + 1;
    }
}

static size_t sigil_len(struct mlir_lexer *lexer, uint16_t *kind)
{
    static const char sigil[] = "%#!^";
    static const uint16_t kinds[] = {T_VALUE, T_ATTR, T_TYPE, T_BLOCK};
    char text = peek(lexer, 0);
    size_t n;
    if (text == '@') {
        n = peek(lexer, 1) == '"' ? string_len(lexer, 1) : word_len(lexer, 1);
        if (n == 0)
            return fail(lexer, lexer->at, "expected a symbol name behind '@'"), 0;
        *kind = T_SYMBOL;
        return n + 1;
    }
    const char *string = strchr(sigil, text);
    n = suffix_len(lexer, 1);
    if (n == 0) {
        if (text == '%' || text == '^')
            return fail(lexer, lexer->at, "expected a name behind '%' or '^'"), 0;
        *kind = (unsigned char)text;
        return 1;
    }
    *kind = kinds[string - sigil];
    return n + 1;
}

static size_t punct_len(struct mlir_lexer *lexer, uint16_t flags, uint16_t *kind)
{
    char text = peek(lexer, 0), string = peek(lexer, 1);
    unsigned char u = (unsigned char)text;
    if (u <= ' ' || u >= 0x7F) {
        char msg[64];
        snprintf(msg, sizeof msg, "unexpected byte 0x%02X", u);
        return fail(lexer, lexer->at, msg), 0;
    }
    if (text == '-' && string == '>')
        return *kind = T_ARROW, 2;
    if (text == ':' && string == ':')
        return *kind = T_COLONS, 2;
    if ((text == '<' || text == '>') && string == '=' && (flags & TOKEN_SPACE) &&
        peek(lexer, 2) != '\0' && strchr(" \t\r\n", peek(lexer, 2)) != NULL)
        return *kind = T_COMPARE, 2;
    if (text == '{' && string == '-' && peek(lexer, 2) == '#')
        return *kind = T_RES_OPEN, 3;
    *kind = u;
    return 1;
}

// Kind and length of the token at lexer->at; 0 after an error.
static size_t next_token(struct mlir_lexer *lexer, uint16_t flags, uint16_t *kind)
{
    char text = peek(lexer, 0);
    size_t n = dims_len(lexer);
    if (n > 0)
        return *kind = T_DIMS, n;
    if (is_digit(text))
        return number_len(lexer, kind);
    if (is_letter(text))
        return *kind = T_BARE, word_len(lexer, 0);
    if (text == '"')
        return *kind = T_STRING, string_len(lexer, 0);
    if (text == '#' && peek(lexer, 1) == '-' && peek(lexer, 2) == '}')
        return *kind = T_RES_CLOSE, 3;
    if (text == '%' || text == '#' || text == '!' || text == '^' || text == '@')
        return sigil_len(lexer, kind);
    return punct_len(lexer, flags, kind);
}

static uint16_t closer_of(uint16_t open)
{
    switch (open) {
    case '(':
        return ')';
    case '[':
        return ']';
    case '{':
        return '}';
    case '<':
        return '>';
    case T_RES_OPEN:
        return T_RES_CLOSE;
    default:
        return 0;
    }
}

static bool match_bracket(struct mlir_lexer *lexer, uint32_t from)
{
    struct mlir_token *token = &lexer->out->at[from];
    if (closer_of(token->kind) != 0) {
        if (lexer->depth == IO_MLIR_DEPTH)
            return fail(lexer, token->at, "brackets are nested too deeply");
        lexer->open[lexer->depth++] = from;
        return true;
    }
    if (token->kind != ')' && token->kind != ']' && token->kind != '}' && token->kind != '>' &&
        token->kind != T_RES_CLOSE)
        return true;
    char msg[96];
    if (lexer->depth == 0) {
        snprintf(msg, sizeof msg, "'%.*s' closes nothing", (int)token->len,
                 lexer->text + token->at);
        return fail(lexer, token->at, msg);
    }
    uint32_t o = lexer->open[--lexer->depth];
    struct mlir_token *open = &lexer->out->at[o];
    if (closer_of(open->kind) != token->kind) {
        uint32_t line, col;
        mlir_place(lexer->text, open->at, &line, &col);
        snprintf(msg, sizeof msg,
                 "expected the bracket that closes the '%.*s' of %u:%u, "
                 "found '%.*s'",
                 (int)open->len, lexer->text + open->at, line, col, (int)token->len,
                 lexer->text + token->at);
        return fail(lexer, token->at, msg);
    }
    open->match = from;
    token->match = o;
    return true;
}

static bool lex_all(struct mlir_lexer *lexer)
{
    for (;;) {
        uint16_t flags = skip_blank(lexer), kind = T_EOF;
        size_t len = 0;
        if (lexer->at < lexer->n) {
            len = next_token(lexer, flags, &kind);
            if (len == 0)
                return false;
        }
        struct mlir_token token = {(uint32_t)lexer->at, (uint32_t)len, kind, flags, 0};
        vec_push(lexer->out, token);
        if (kind == T_EOF)
            break;
        if (!match_bracket(lexer, lexer->out->len - 1))
            return false;
        lexer->at += len;
    }
    if (lexer->depth == 0)
        return true;
    const struct mlir_token *open = &lexer->out->at[lexer->open[lexer->depth - 1]];
    char msg[96];
    uint32_t line, col;
    mlir_place(lexer->text, open->at, &line, &col);
    snprintf(msg, sizeof msg,
             "expected the bracket that closes the '%.*s' of %u:%u, found the "
             "end of the file",
             (int)open->len, lexer->text + open->at, line, col);
    return fail(lexer, lexer->n, msg);
}

bool mlir_lex(const char *text, size_t n, const char *file, struct mlir_tokens *out,
              struct u32_vec *splits, struct err *err)
{
    struct mlir_lexer lexer = {
        .text = text, .file = file, .n = n, .out = out, .splits = splits, .err = err};
    if (n > INT32_MAX)
        return err_at(err, ERR_INPUT, file, 1, 1, "the file is larger than 2 GiB");
    return lex_all(&lexer);
}
