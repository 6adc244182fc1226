// SPDX-License-Identifier: Apache-2.0
#include "io/mlir/lex.h"

struct mlir_lexer {
    const char *text, *file;
    size_t n, at;
    struct mlir_tokens *out;
    struct u32_vec *splits;
    uint32_t open[MLIR_DEPTH];
    uint32_t depth;
    struct err *e;
};

void mlir_place(const char *text, size_t at, uint32_t *line, uint32_t *col)
{
    size_t start = 0;
    *line = 1;
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\n') {
            *line += 1;
            start = i + 1;
        }
    }
    *col = (uint32_t)(at - start) + 1;
}

static bool fail(struct mlir_lexer *x, size_t at, const char *msg)
{
    uint32_t line, col;
    mlir_place(x->text, at, &line, &col);
    return err_at(x->e, ERR_INPUT, x->file, line, col, "%s", msg);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char peek(const struct mlir_lexer *x, size_t k)
{
    return x->at + k < x->n ? x->text[x->at + k] : '\0';
}

// Skips blanks and comments; the flags say what was skipped.
static uint16_t skip_blank(struct mlir_lexer *x)
{
    static const char split[] = "// -----";
    uint16_t flags = 0;
    while (x->at < x->n) {
        char c = x->text[x->at];
        if (c == '\n' || c == '\r') {
            flags |= TOKEN_SPACE | TOKEN_LINE;
            x->at++;
        } else if (c == ' ' || c == '\t') {
            flags |= TOKEN_SPACE;
            x->at++;
        } else if (c == '/' && peek(x, 1) == '/') {
            size_t start = x->at;
            while (x->at < x->n && x->text[x->at] != '\n')
                x->at++;
            size_t len = x->at - start;
            if (len > 0 && x->text[start + len - 1] == '\r')
                len--;
            if (len == sizeof split - 1 &&
                memcmp(x->text + start, split, len) == 0 &&
                (start == 0 || x->text[start - 1] == '\n'))
                vec_push(x->splits, (uint32_t)start);
            flags |= TOKEN_SPACE;
        } else {
            break;
        }
    }
    return flags;
}

// Length of a name behind '%', '#', '!' or '^': digits, or a word.
static size_t suffix_len(const struct mlir_lexer *x, size_t k)
{
    size_t start = k;
    if (is_digit(peek(x, k))) {
        while (is_digit(peek(x, k)))
            k++;
        return k - start;
    }
    for (;; k++) {
        char c = peek(x, k);
        bool ok = is_letter(c) || c == '$' || c == '.' || c == '-' ||
                  (k > start && is_digit(c));
        // "->" behind a name is an arrow.
        if (!ok || (c == '-' && peek(x, k + 1) == '>'))
            return k - start;
    }
}

static size_t word_len(const struct mlir_lexer *x, size_t k)
{
    size_t start = k;
    if (!is_letter(peek(x, k)))
        return 0;
    for (;; k++) {
        char c = peek(x, k);
        if (!is_letter(c) && !is_digit(c) && c != '$' && c != '.')
            return k - start;
    }
}

// Length of the string at offset k, 0 after an error.
static size_t string_len(struct mlir_lexer *x, size_t k)
{
    size_t start = k++;
    for (;; k++) {
        if (x->at + k >= x->n)
            return fail(x, x->at + start, "string is not closed"), 0;
        unsigned char c = (unsigned char)x->text[x->at + k];
        if (c == '"')
            return k + 1 - start;
        if (c == '\n' || c == '\r')
            return fail(x, x->at + start, "string is not closed on its line"),
                   0;
        if ((c < ' ' && c != '\t') || c == 0x7F)
            return fail(x, x->at + k, "control character in a string"), 0;
        if (c != '\\')
            continue;
        char d = peek(x, k + 1);
        if (d == '"' || d == '\\' || d == 'n' || d == 't')
            k++;
        else if (is_hex(d) && is_hex(peek(x, k + 2)))
            k += 2;
        else
            return fail(x, x->at + k,
                        "expected \\\", \\\\, \\n, \\t or two hex digits "
                        "behind a backslash"),
                   0;
    }
}

static size_t number_len(const struct mlir_lexer *x, uint16_t *kind)
{
    size_t k = 0;
    *kind = T_INT;
    if (peek(x, 0) == '0' && peek(x, 1) == 'x' && is_hex(peek(x, 2))) {
        for (k = 2; is_hex(peek(x, k));)
            k++;
        return k;
    }
    while (is_digit(peek(x, k)))
        k++;
    if (peek(x, k) != '.')
        return k;
    *kind = T_FLOAT;
    k++;
    while (is_digit(peek(x, k)))
        k++;
    if (peek(x, k) == 'e' || peek(x, k) == 'E') {
        size_t m = k + 1;
        if (peek(x, m) == '+' || peek(x, m) == '-')
            m++;
        if (is_digit(peek(x, m))) {
            while (is_digit(peek(x, m)))
                m++;
            k = m;
        }
    }
    return k;
}

static bool token_is(const struct mlir_lexer *x, const struct mlir_token *t,
                     const char *word)
{
    size_t n = strlen(word);
    return t->len == n && memcmp(x->text + t->at, word, n) == 0;
}

// Length of "2x?x" behind "tensor<".
static size_t dims_len(const struct mlir_lexer *x)
{
    const struct mlir_tokens *v = x->out;
    if (v->len < 2 || v->at[v->len - 1].kind != '<')
        return 0;
    const struct mlir_token *w = &v->at[v->len - 2];
    if (w->kind != T_BARE ||
        (!token_is(x, w, "tensor") && !token_is(x, w, "vector") &&
         !token_is(x, w, "memref")))
        return 0;
    size_t done = 0;
    for (;;) {
        size_t k = done;
        if (peek(x, k) == '?')
            k++;
        else
            while (is_digit(peek(x, k)))
                k++;
        if (k == done || peek(x, k) != 'x')
            return done;
        done = k + 1;
    }
}

static size_t sigil_len(struct mlir_lexer *x, uint16_t *kind)
{
    static const char sigil[] = "%#!^";
    static const uint16_t kinds[] = {T_VALUE, T_ATTR, T_TYPE, T_BLOCK};
    char c = peek(x, 0);
    size_t n;
    if (c == '@') {
        n = peek(x, 1) == '"' ? string_len(x, 1) : word_len(x, 1);
        if (n == 0)
            return fail(x, x->at, "expected a symbol name behind '@'"), 0;
        *kind = T_SYMBOL;
        return n + 1;
    }
    const char *s = strchr(sigil, c);
    n = suffix_len(x, 1);
    if (n == 0) {
        if (c == '%' || c == '^')
            return fail(x, x->at, "expected a name behind '%' or '^'"), 0;
        *kind = (unsigned char)c;
        return 1;
    }
    *kind = kinds[s - sigil];
    return n + 1;
}

static size_t punct_len(struct mlir_lexer *x, uint16_t flags, uint16_t *kind)
{
    char c = peek(x, 0), d = peek(x, 1);
    unsigned char u = (unsigned char)c;
    if (u <= ' ' || u >= 0x7F) {
        char msg[64];
        snprintf(msg, sizeof msg, "unexpected byte 0x%02X", u);
        return fail(x, x->at, msg), 0;
    }
    if (c == '-' && d == '>')
        return *kind = T_ARROW, 2;
    if (c == ':' && d == ':')
        return *kind = T_COLONS, 2;
    if ((c == '<' || c == '>') && d == '=' && (flags & TOKEN_SPACE) &&
        peek(x, 2) != '\0' && strchr(" \t\r\n", peek(x, 2)) != NULL)
        return *kind = T_COMPARE, 2;
    if (c == '{' && d == '-' && peek(x, 2) == '#')
        return *kind = T_RES_OPEN, 3;
    *kind = u;
    return 1;
}

// Kind and length of the token at x->at; 0 after an error.
static size_t next_token(struct mlir_lexer *x, uint16_t flags, uint16_t *kind)
{
    char c = peek(x, 0);
    size_t n = dims_len(x);
    if (n > 0)
        return *kind = T_DIMS, n;
    if (is_digit(c))
        return number_len(x, kind);
    if (is_letter(c))
        return *kind = T_BARE, word_len(x, 0);
    if (c == '"')
        return *kind = T_STRING, string_len(x, 0);
    if (c == '#' && peek(x, 1) == '-' && peek(x, 2) == '}')
        return *kind = T_RES_CLOSE, 3;
    if (c == '%' || c == '#' || c == '!' || c == '^' || c == '@')
        return sigil_len(x, kind);
    return punct_len(x, flags, kind);
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

static bool match_bracket(struct mlir_lexer *x, uint32_t i)
{
    struct mlir_token *t = &x->out->at[i];
    if (closer_of(t->kind) != 0) {
        if (x->depth == MLIR_DEPTH)
            return fail(x, t->at, "brackets are nested too deeply");
        x->open[x->depth++] = i;
        return true;
    }
    if (t->kind != ')' && t->kind != ']' && t->kind != '}' && t->kind != '>' &&
        t->kind != T_RES_CLOSE)
        return true;
    char msg[96];
    if (x->depth == 0) {
        snprintf(msg, sizeof msg, "'%.*s' closes nothing", (int)t->len,
                 x->text + t->at);
        return fail(x, t->at, msg);
    }
    uint32_t o = x->open[--x->depth];
    struct mlir_token *open = &x->out->at[o];
    if (closer_of(open->kind) != t->kind) {
        uint32_t line, col;
        mlir_place(x->text, open->at, &line, &col);
        snprintf(msg, sizeof msg,
                 "expected the bracket that closes the '%.*s' of %u:%u, "
                 "found '%.*s'",
                 (int)open->len, x->text + open->at, line, col, (int)t->len,
                 x->text + t->at);
        return fail(x, t->at, msg);
    }
    open->match = i;
    t->match = o;
    return true;
}

static bool lex_all(struct mlir_lexer *x)
{
    for (;;) {
        uint16_t flags = skip_blank(x), kind = T_EOF;
        size_t len = 0;
        if (x->at < x->n) {
            len = next_token(x, flags, &kind);
            if (len == 0)
                return false;
        }
        struct mlir_token t = {(uint32_t)x->at, (uint32_t)len, kind, flags, 0};
        vec_push(x->out, t);
        if (kind == T_EOF)
            break;
        if (!match_bracket(x, x->out->len - 1))
            return false;
        x->at += len;
    }
    if (x->depth == 0)
        return true;
    const struct mlir_token *open = &x->out->at[x->open[x->depth - 1]];
    char msg[96];
    uint32_t line, col;
    mlir_place(x->text, open->at, &line, &col);
    snprintf(msg, sizeof msg,
             "expected the bracket that closes the '%.*s' of %u:%u, found the "
             "end of the file",
             (int)open->len, x->text + open->at, line, col);
    return fail(x, x->n, msg);
}

bool mlir_lex(const char *text, size_t n, const char *file,
              struct mlir_tokens *out, struct u32_vec *splits, struct err *e)
{
    struct mlir_lexer x = {.text = text,
                      .file = file,
                      .n = n,
                      .out = out,
                      .splits = splits,
                      .e = e};
    if (n > INT32_MAX)
        return err_at(e, ERR_INPUT, file, 1, 1,
                      "the file is larger than 2 GiB");
    return lex_all(&x);
}
