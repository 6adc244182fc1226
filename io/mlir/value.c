// SPDX-License-Identifier: Apache-2.0
// Integers, strings and the entries of dictionaries.
#include "io/mlir/mlir.h"

bool mlir_int(struct mlir *m, uint32_t *i, int64_t *out)
{
    uint32_t at = *i;
    bool negative = mlir_accept(m, i, '-');
    if (mlir_kind(m, *i) != T_INT)
        return mlir_expected(m, *i, "an integer");
    const struct mlir_token *t = &m->tok.at[*i];
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
    const struct mlir_token *t = &m->tok.at[i];
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
    const struct mlir_token *t = &m->tok.at[x->key];
    size_t n = strlen(key);
    if (t->kind == T_STRING)
        return t->len == n + 2 && memcmp(m->text + t->at + 1, key, n) == 0;
    return t->len == n && memcmp(m->text + t->at, key, n) == 0;
}
