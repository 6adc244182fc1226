// SPDX-License-Identifier: Apache-2.0
#include "io/mlir/mlir.h"
#include "io/mlir/alias.h"
#include <stdarg.h>

bool mlir_fail(struct mlir *m, uint32_t i, const char *fmt, ...)
{
    char msg[600];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    uint32_t line, col;
    mlir_place(m->text, m->tok.at[i].at, &line, &col);
    return err_at(m->e, ERR_INPUT, m->file, line, col, "%s", msg);
}

bool mlir_expected(struct mlir *m, uint32_t i, const char *what)
{
    const struct mlir_token *t = &m->tok.at[i];
    if (t->kind == T_EOF)
        return mlir_fail(m, i, "expected %s, found the end of the file", what);
    int n = t->len > 40 ? 40 : (int)t->len;
    return mlir_fail(m, i, "expected %s, found '%.*s%s'", what, n,
                     m->text + t->at, t->len > 40 ? "..." : "");
}

uint16_t mlir_kind(const struct mlir *m, uint32_t i)
{
    return i < m->tok.len ? m->tok.at[i].kind : (uint16_t)T_EOF;
}

bool mlir_text_is(const struct mlir *m, uint32_t i, const char *text)
{
    if (i >= m->tok.len)
        return false;
    const struct mlir_token *t = &m->tok.at[i];
    size_t n = strlen(text);
    return t->len == n && memcmp(m->text + t->at, text, n) == 0;
}

bool mlir_word(const struct mlir *m, uint32_t i, const char *word)
{
    return mlir_kind(m, i) == T_BARE && mlir_text_is(m, i, word);
}

uint32_t mlir_name(struct mlir *m, uint32_t i)
{
    const struct mlir_token *t = &m->tok.at[i];
    return intern_bytes(&m->names, m->text + t->at, t->len);
}

bool mlir_touches(const struct mlir *m, uint32_t i)
{
    return !(m->tok.at[i].flags & TOKEN_SPACE);
}

bool mlir_accept(struct mlir *m, uint32_t *i, uint16_t kind)
{
    if (mlir_kind(m, *i) != kind)
        return false;
    ++*i;
    return true;
}

bool mlir_accept_word(struct mlir *m, uint32_t *i, const char *word)
{
    if (!mlir_word(m, *i, word))
        return false;
    ++*i;
    return true;
}

bool mlir_expect(struct mlir *m, uint32_t *i, uint16_t kind, const char *what)
{
    return mlir_accept(m, i, kind) || mlir_expected(m, *i, what);
}

bool mlir_expect_word(struct mlir *m, uint32_t *i, const char *word)
{
    char what[64];
    if (mlir_accept_word(m, i, word))
        return true;
    snprintf(what, sizeof what, "'%s'", word);
    return mlir_expected(m, *i, what);
}

static bool is_wordy(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' ||
           c == '-';
}

bool mlir_sticks(const struct mlir *m, const struct mlir_token *a,
                 const struct mlir_token *b)
{
    char c = m->text[a->at + a->len - 1], d = m->text[b->at];
    if ((is_wordy(c) || strchr("#!%^@", c) != NULL) &&
        (is_wordy(d) || d == '"'))
        return true;
    return (c == ':' && d == ':') || (c == '-' && d == '>') ||
           (c == '/' && d == '/') || (c == '{' && d == '-') ||
           (c == '#' && d == '-') || ((c == '<' || c == '>') && d == '=');
}

// A blank between tokens `a` and `b` of a type.
static bool type_blank(const struct mlir *m, uint32_t a, uint32_t b)
{
    uint16_t x = mlir_kind(m, a), y = mlir_kind(m, b);
    if (x == ',' || x == T_ARROW || y == T_ARROW || x == T_COMPARE ||
        y == T_COMPARE)
        return true;
    return !mlir_touches(m, b) && mlir_sticks(m, &m->tok.at[a], &m->tok.at[b]);
}

void mlir_emit(const struct mlir *m, uint32_t from, uint32_t to, bool lead,
               enum mlir_spacing spacing, struct buf *out)
{
    for (uint32_t i = from; i < to; i++) {
        const struct mlir_token *t = &m->tok.at[i];
        bool line = spacing == SPACE_LINE && (t->flags & TOKEN_LINE);
        bool blank = spacing == SPACE_TYPE && i > from ? type_blank(m, i - 1, i)
                                                       : !mlir_touches(m, i);
        if (blank && (i > from || lead))
            buf_putc(out, line ? '\n' : ' ');
        buf_write(out, m->text + t->at, t->len);
    }
}

static bool find_resources(struct mlir *m)
{
    for (uint32_t i = 0; mlir_kind(m, i) != T_EOF; i++) {
        uint16_t k = mlir_kind(m, i);
        if (k == T_RES_OPEN) {
            if (m->resources != 0)
                return mlir_fail(m, i, "a second resource section");
            m->resources = i + 1;
        }
        if (k == '(' || k == '[' || k == '{' || k == '<' || k == T_RES_OPEN)
            i = m->tok.at[i].match;
    }
    return true;
}

// name: "0x..." anywhere in the resource section.
static void index_resources(struct mlir *m)
{
    if (m->resources == 0)
        return;
    uint32_t end = m->tok.at[m->resources - 1].match;
    for (uint32_t i = m->resources; i + 2 < end; i++) {
        if ((mlir_kind(m, i) != T_BARE && mlir_kind(m, i) != T_STRING) ||
            mlir_kind(m, i + 1) != ':' || mlir_kind(m, i + 2) != T_STRING)
            continue;
        uint32_t name = mlir_name(m, i);
        while (m->resource_of.len <= name)
            vec_push(&m->resource_of, 0);
        m->resource_of.at[name] = i + 2;
    }
}

bool mlir_open(struct mlir *m, struct pool *pool, const char *text, size_t n,
               const char *file, struct err *e)
{
    memset(m, 0, sizeof *m);
    m->text = text;
    m->n = n;
    m->file = file;
    m->pool = pool;
    m->e = e;
    intern_init(&m->names);
    if (!mlir_lex(text, n, file, &m->tok, &m->splits, e))
        return false;
    if (!mlir_expand(m))
        return false;
    m->resource_budget = (64u << 20) + 4 * (uint64_t)n;
    if (!find_resources(m))
        return false;
    index_resources(m);
    return true;
}

void mlir_release(struct mlir *m)
{
    vec_release(&m->tok);
    vec_release(&m->splits);
    vec_release(&m->resource_of);
    intern_release(&m->names);
}
