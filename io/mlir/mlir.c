// SPDX-License-Identifier: Apache-2.0
#include "io/mlir/mlir.h"
#include "base/text/utf8.h"
#include "io/mlir/alias.h"
#include <stdarg.h>

bool mlir_fail(struct mlir *mlir, uint32_t i, const char *fmt, ...)
{
    char msg[600];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    uint32_t line, col;
    mlir_place(mlir->text, mlir->tok.at[i].at, &line, &col);
    return err_at(mlir->err, ERR_INPUT, mlir->file, line, col, "%s", msg);
}

bool mlir_expected(struct mlir *mlir, uint32_t i, const char *what)
{
    const struct mlir_token *token = &mlir->tok.at[i];
    if (token->kind == T_EOF)
        return mlir_fail(mlir, i, "expected %s, found the end of the file", what);
    int n = token->len > IO_FOUND_SHOWN ? IO_FOUND_SHOWN : (int)token->len;
    return mlir_fail(mlir, i, "expected %s, found '%.*s%s'", what, n, mlir->text + token->at,
                     token->len > IO_FOUND_SHOWN ? "..." : "");
}

uint16_t mlir_kind(const struct mlir *mlir, uint32_t from)
{
    return from < mlir->tok.len ? mlir->tok.at[from].kind : (uint16_t)T_EOF;
}

bool mlir_text_is(const struct mlir *mlir, uint32_t i, const char *text)
{
    if (i >= mlir->tok.len)
        return false;
    const struct mlir_token *token = &mlir->tok.at[i];
    size_t n = strlen(text);
    return token->len == n && memcmp(mlir->text + token->at, text, n) == 0;
}

bool mlir_word(const struct mlir *mlir, uint32_t i, const char *word)
{
    return mlir_kind(mlir, i) == T_BARE && mlir_text_is(mlir, i, word);
}

uint32_t mlir_name(struct mlir *mlir, uint32_t from)
{
    const struct mlir_token *token = &mlir->tok.at[from];
    return intern_bytes(&mlir->names, mlir->text + token->at, token->len);
}

bool mlir_touches(const struct mlir *mlir, uint32_t i)
{
    return !(mlir->tok.at[i].flags & TOKEN_SPACE);
}

bool mlir_accept(struct mlir *mlir, uint32_t *i, uint16_t kind)
{
    if (mlir_kind(mlir, *i) != kind)
        return false;
    ++*i;
    return true;
}

bool mlir_accept_word(struct mlir *mlir, uint32_t *i, const char *word)
{
    if (!mlir_word(mlir, *i, word))
        return false;
    ++*i;
    return true;
}

bool mlir_expect(struct mlir *mlir, uint32_t *i, uint16_t kind, const char *what)
{
    return mlir_accept(mlir, i, kind) || mlir_expected(mlir, *i, what);
}

bool mlir_expect_word(struct mlir *mlir, uint32_t *i, const char *word)
{
    char what[64];
    if (mlir_accept_word(mlir, i, word))
        return true;
    snprintf(what, sizeof what, "'%s'", word);
    return mlir_expected(mlir, *i, what);
}

static bool is_wordy(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '.' || c == '-';
}

bool mlir_sticks(const struct mlir *mlir, const struct mlir_token *a, const struct mlir_token *b)
{
    char text = mlir->text[a->at + a->len - 1], string = mlir->text[b->at];
    if ((is_wordy(text) || strchr("#!%^@", text) != NULL) && (is_wordy(string) || string == '"'))
        return true;
    return (text == ':' && string == ':') || (text == '-' && string == '>') ||
           (text == '/' && string == '/') || (text == '{' && string == '-') ||
           (text == '#' && string == '-') || ((text == '<' || text == '>') && string == '=');
}

// A blank between tokens `a` and `b` of a type.
static bool type_blank(const struct mlir *mlir, uint32_t a, uint32_t b)
{
    uint16_t x = mlir_kind(mlir, a), y = mlir_kind(mlir, b);
    if (x == ',' || x == T_ARROW || y == T_ARROW || x == T_COMPARE || y == T_COMPARE)
        return true;
    return !mlir_touches(mlir, b) && mlir_sticks(mlir, &mlir->tok.at[a], &mlir->tok.at[b]);
}

void mlir_emit(const struct mlir *mlir, uint32_t from, uint32_t to, bool lead,
               enum mlir_spacing spacing, struct buf *out)
{
    for (uint32_t i = from; i < to; i++) {
        const struct mlir_token *token = &mlir->tok.at[i];
        bool line = spacing == SPACE_LINE && (token->flags & TOKEN_LINE);
        bool blank =
            spacing == SPACE_TYPE && i > from ? type_blank(mlir, i - 1, i) : !mlir_touches(mlir, i);
        if (blank && (i > from || lead))
            buf_putc(out, line ? '\n' : ' ');
        // Only strings hold more than ASCII.
        utf8_bytes(mlir->text + token->at, token->len, out);
    }
}

bool mlir_enter(struct mlir *mlir, uint32_t part, uint32_t *from, uint32_t *end)
{
    *from = mlir->parts.at[part];
    *end = part + 1 < mlir->parts.len ? mlir->parts.at[part + 1] : mlir->tok.len - 1;
    return mlir_read_resources(mlir, *from, *end);
}

bool mlir_open(struct mlir *mlir, struct pool *pool, const char *text, size_t n, const char *file,
               struct err *err)
{
    memset(mlir, 0, sizeof *mlir);
    mlir->text = text;
    mlir->n = n;
    mlir->file = file;
    mlir->pool = pool;
    mlir->err = err;
    intern_init(&mlir->names);
    if (!mlir_lex(text, n, file, &mlir->tok, &mlir->splits, err))
        return false;
    if (!mlir_expand(mlir))
        return false;
    mlir->resource_budget = ((uint64_t)IO_RESOURCES << 20) + IO_RESOURCE_FACTOR * (uint64_t)n;
    return true;
}

void mlir_release(struct mlir *mlir)
{
    vec_release(&mlir->tok);
    vec_release(&mlir->splits);
    vec_release(&mlir->parts);
    vec_release(&mlir->resource_names);
    vec_release(&mlir->resource_of);
    intern_release(&mlir->names);
}
