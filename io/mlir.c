// SPDX-License-Identifier: Apache-2.0
#include "io/mlir.h"
#include "io/mlir_alias.h"
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
    const struct token *t = &m->tok.at[i];
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
    const struct token *t = &m->tok.at[i];
    size_t n = strlen(text);
    return t->len == n && memcmp(m->text + t->at, text, n) == 0;
}

bool mlir_word(const struct mlir *m, uint32_t i, const char *word)
{
    return mlir_kind(m, i) == T_BARE && mlir_text_is(m, i, word);
}

uint32_t mlir_name(struct mlir *m, uint32_t i)
{
    const struct token *t = &m->tok.at[i];
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

bool mlir_is_type(const struct mlir *m, uint32_t i)
{
    static const char *const words[] = {"tensor",  "vector", "memref", "tuple",
                                        "complex", "index",  "none"};
    uint16_t k = mlir_kind(m, i);
    if (k == T_TYPE || k == '(')
        return true;
    if (k != T_BARE)
        return false;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (mlir_text_is(m, i, words[w]))
            return true;
    // i32, ui8, si4, f32, f8E4M3FN, bf16, tf32
    const char *s = m->text + m->tok.at[i].at;
    uint32_t n = m->tok.at[i].len, at = 0;
    if (n > 1 && s[0] != 'i' && s[0] != 'f')
        at = 1;
    return at + 1 < n && strchr("usbt", at ? s[0] : 'u') != NULL &&
           (s[at] == 'i' || s[at] == 'f') && s[at + 1] >= '1' &&
           s[at + 1] <= '9';
}

bool mlir_skip_type(struct mlir *m, uint32_t *i)
{
    if (!mlir_is_type(m, *i))
        return mlir_expected(m, *i, "a type");
    // A chain of function types is a loop, not a recursion.
    for (;;) {
        if (mlir_kind(m, *i) == '(') {
            *i = m->tok.at[*i].match + 1;
            if (!mlir_expect(m, i, T_ARROW, "'->'"))
                return false;
            if (mlir_kind(m, *i) == '(') {
                uint32_t after = m->tok.at[*i].match + 1;
                if (mlir_kind(m, after) != T_ARROW) {
                    *i = after;
                    return true;
                }
            } else if (!mlir_is_type(m, *i)) {
                return mlir_expected(m, *i, "a type");
            }
            continue;
        }
        ++*i;
        if (mlir_kind(m, *i) == '<' && mlir_touches(m, *i))
            *i = m->tok.at[*i].match + 1;
        return true;
    }
}

static bool skip_typed_tail(struct mlir *m, uint32_t *i)
{
    if (mlir_kind(m, *i) != ':')
        return true;
    ++*i;
    return mlir_skip_type(m, i);
}

bool mlir_skip_attr(struct mlir *m, uint32_t *i)
{
    uint16_t k = mlir_kind(m, *i);
    switch (k) {
    case T_SYMBOL:
        ++*i;
        while (mlir_kind(m, *i) == T_COLONS && mlir_kind(m, *i + 1) == T_SYMBOL)
            *i += 2;
        return true;
    case '-':
        ++*i;
        k = mlir_kind(m, *i);
        if (k != T_INT && k != T_FLOAT)
            return mlir_expected(m, *i, "a number");
        ++*i;
        return skip_typed_tail(m, i);
    case T_INT:
    case T_FLOAT:
    case T_STRING:
        ++*i;
        return skip_typed_tail(m, i);
    case '[':
    case '{':
        *i = m->tok.at[*i].match + 1;
        return true;
    case T_ATTR:
        ++*i;
        if (mlir_kind(m, *i) == '<' && mlir_touches(m, *i))
            *i = m->tok.at[*i].match + 1;
        return skip_typed_tail(m, i);
    default:
        break;
    }
    if (mlir_is_type(m, *i))
        return mlir_skip_type(m, i);
    if (k != T_BARE)
        return mlir_expected(m, *i, "an attribute");
    bool loc = mlir_text_is(m, *i, "loc");
    ++*i;
    if (mlir_kind(m, *i) == '<' || (loc && mlir_kind(m, *i) == '('))
        *i = m->tok.at[*i].match + 1;
    return skip_typed_tail(m, i);
}

static bool is_wordy(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' ||
           c == '-';
}

bool mlir_sticks(const struct mlir *m, const struct token *a,
                 const struct token *b)
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
        const struct token *t = &m->tok.at[i];
        bool line = spacing == SPACE_LINE && (t->flags & TOKEN_LINE);
        bool blank = spacing == SPACE_TYPE && i > from ? type_blank(m, i - 1, i)
                                                       : !mlir_touches(m, i);
        if (blank && (i > from || lead))
            buf_putc(out, line ? '\n' : ' ');
        buf_write(out, m->text + t->at, t->len);
    }
}

static bool read_dims(struct mlir *m, uint32_t i, uint32_t *rank, int64_t *dims,
                      bool *dynamic)
{
    const struct token *t = &m->tok.at[i];
    const char *s = m->text + t->at, *end = s + t->len;
    *rank = 0;
    while (s < end) {
        if (*rank == MAX_RANK)
            return mlir_fail(m, i, "the rank is over %d", MAX_RANK);
        int64_t x = 0;
        if (*s == '?')
            *dynamic = true;
        else
            for (; *s != 'x'; s++) {
                if (x > (INT64_MAX - 9) / 10)
                    return mlir_fail(m, i, "a size does not fit in 63 bits");
                x = 10 * x + (*s - '0');
            }
        dims[(*rank)++] = x;
        s += *s == '?' ? 2 : 1;
    }
    return true;
}

static void other_type(struct mlir *m, uint32_t from, uint32_t to, type_id *out)
{
    struct buf text = {0};
    mlir_emit(m, from, to, false, SPACE_TYPE, &text);
    *out = type_other(m->pool, buf_text(&text));
    buf_release(&text);
}

static bool tensor_type(struct mlir *m, uint32_t *i, type_id *out)
{
    uint32_t start = *i, j = start + 2, close = m->tok.at[start + 1].match;
    uint32_t rank = 0;
    int64_t dims[MAX_RANK];
    bool other = false;
    if (mlir_kind(m, j) == T_DIMS) {
        if (!read_dims(m, j, &rank, dims, &other))
            return false;
        j++;
    } else if (mlir_kind(m, j) == '*' && mlir_kind(m, j + 1) == T_BARE) {
        // "*xf32": the word behind the star is "xf32"
        other = true;
        j++;
    }
    enum elem elem = ELEM_OTHER;
    const struct token *t = &m->tok.at[j];
    if (t->kind != T_BARE || !elem_by_text(m->text + t->at, t->len, &elem) ||
        elem_is_ideal(elem)) {
        if (mlir_kind(m, j - 1) != '*' && !mlir_is_type(m, j))
            return mlir_expected(m, j, "an element type");
        other = true;
        j++;
        if (mlir_kind(m, j) == '<')
            j = m->tok.at[j].match + 1;
    } else {
        j++;
    }
    if (mlir_kind(m, j) == ',')
        return mlir_fail(m, j + 1, "tensor encodings are not supported");
    if (j != close)
        return mlir_expected(m, j, "'>'");
    *i = close + 1;
    if (other) {
        other_type(m, start, *i, out);
        return true;
    }
    struct err why = {0};
    if (type_tensor(m->pool, elem, rank, dims, out, &why))
        return true;
    return mlir_fail(m, start, "%s", why.msg);
}

bool mlir_type(struct mlir *m, uint32_t *i, type_id *out)
{
    uint32_t start = *i;
    if (mlir_word(m, start, "tensor") && mlir_kind(m, start + 1) == '<')
        return tensor_type(m, i, out);
    if (!mlir_skip_type(m, i))
        return false;
    other_type(m, start, *i, out);
    return true;
}

bool mlir_int(struct mlir *m, uint32_t *i, int64_t *out)
{
    uint32_t at = *i;
    bool negative = mlir_accept(m, i, '-');
    if (mlir_kind(m, *i) != T_INT)
        return mlir_expected(m, *i, "an integer");
    const struct token *t = &m->tok.at[*i];
    const char *s = m->text + t->at;
    uint32_t k = 0;
    uint64_t base = 10, x = 0;
    if (t->len > 2 && s[1] == 'x') {
        base = 16;
        k = 2;
    }
    uint64_t limit = (uint64_t)INT64_MAX + (negative ? 1 : 0);
    for (; k < t->len; k++) {
        char c = s[k];
        uint64_t d = (uint64_t)(c <= '9'   ? c - '0'
                                : c <= 'F' ? c - 'A' + 10
                                           : c - 'a' + 10);
        if (x > (limit - d) / base)
            return mlir_fail(m, at, "the integer does not fit in 64 bits");
        x = x * base + d;
    }
    ++*i;
    *out = negative ? (int64_t)(0 - x) : (int64_t)x;
    return true;
}

static bool int_items(struct mlir *m, uint32_t *i, uint32_t close,
                      struct i64_vec *out)
{
    while (*i != close) {
        int64_t x;
        if (!mlir_int(m, i, &x))
            return false;
        vec_push(out, x);
        if (*i == close)
            break;
        if (!mlir_expect(m, i, ',', "',' or the end of the list"))
            return false;
        if (*i == close)
            return mlir_expected(m, *i, "an integer");
    }
    *i = close + 1;
    return true;
}

bool mlir_int_list(struct mlir *m, uint32_t *i, struct i64_vec *out)
{
    uint32_t open = *i;
    if (!mlir_expect(m, i, '[', "a list such as [0, 1]"))
        return false;
    return int_items(m, i, m->tok.at[open].match, out);
}

bool mlir_int_array(struct mlir *m, uint32_t *i, struct i64_vec *out)
{
    uint32_t at = *i;
    if (mlir_word(m, at, "dense"))
        return mlir_fail(m, at,
                         "expected array<i64: ...>, found dense<...>: "
                         "the attribute encoding of an old version");
    if (!mlir_word(m, at, "array") || mlir_kind(m, at + 1) != '<')
        return mlir_expected(m, at, "array<i64: ...>");
    uint32_t close = m->tok.at[at + 1].match, j = at + 2;
    if (!mlir_expect_word(m, &j, "i64"))
        return false;
    if (j != close && !mlir_expect(m, &j, ':', "':'"))
        return false;
    if (!int_items(m, &j, close, out))
        return false;
    *i = j;
    return true;
}

static unsigned hex_digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
}

bool mlir_unquote(struct mlir *m, uint32_t i, struct buf *out)
{
    const struct token *t = &m->tok.at[i];
    const char *s = m->text + t->at, *end = s + t->len;
    if (t->kind == T_SYMBOL)
        s++;
    if (*s != '"') {
        buf_write(out, s, (size_t)(end - s));
        return true;
    }
    for (s++; s < end - 1; s++) {
        char c = *s;
        if (c == '\\') {
            c = *++s;
            if (c == 'n')
                c = '\n';
            else if (c == 't')
                c = '\t';
            else if (c != '"' && c != '\\') {
                c = (char)(hex_digit(s[0]) * 16 + hex_digit(s[1]));
                s++;
            }
        }
        if (c == '\0')
            return mlir_fail(m, i, "expected a name without NUL bytes");
        buf_putc(out, c);
    }
    return true;
}

bool mlir_next_entry(struct mlir *m, uint32_t *i, struct mlir_entry *out,
                     bool *ok)
{
    *ok = true;
    if (mlir_kind(m, *i) == '}')
        return false;
    *ok = false;
    uint16_t k = mlir_kind(m, *i);
    if (k != T_BARE && k != T_STRING)
        return mlir_expected(m, *i, "an attribute name");
    out->key = (*i)++;
    out->value = out->end = *i;
    if (mlir_accept(m, i, '=')) {
        out->value = *i;
        if (!mlir_skip_attr(m, i))
            return false;
        out->end = *i;
    }
    if (mlir_kind(m, *i) != '}') {
        if (!mlir_expect(m, i, ',', "',' or '}'"))
            return false;
        if (mlir_kind(m, *i) == '}')
            return mlir_expected(m, *i, "an attribute name");
    }
    return *ok = true;
}

bool mlir_key_is(const struct mlir *m, const struct mlir_entry *x,
                 const char *key)
{
    const struct token *t = &m->tok.at[x->key];
    size_t n = strlen(key);
    if (t->kind == T_STRING)
        return t->len == n + 2 && memcmp(m->text + t->at + 1, key, n) == 0;
    return t->len == n && memcmp(m->text + t->at, key, n) == 0;
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
