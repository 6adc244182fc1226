// SPDX-License-Identifier: Apache-2.0
// Integers, strings and the entries of dictionaries.
#include "io/mlir/mlir.h"
#include "base/text/hex.h"

bool mlir_int(struct mlir *mlir, uint32_t *i, int64_t *out)
{
    uint32_t at = *i;
    bool negative = mlir_accept(mlir, i, '-');
    if (mlir_kind(mlir, *i) != T_INT)
        return mlir_expected(mlir, *i, "an integer");
    const struct mlir_token *token = &mlir->tok.at[*i];
    const char *text = mlir->text + token->at;
    uint32_t k = 0;
    uint64_t base = 10, x = 0;
    if (token->len > 2 && text[1] == 'x') {
        base = 16;
        k = 2;
    }
    uint64_t limit = (uint64_t)INT64_MAX + (negative ? 1 : 0);
    for (; k < token->len; k++) {
        uint64_t d = (uint64_t)hex_digit(text[k]);
        if (x > (limit - d) / base)
            return mlir_fail(mlir, at, "the integer does not fit in 64 bits");
        x = x * base + d;
    }
    ++*i;
    *out = negative ? (int64_t)(0 - x) : (int64_t)x;
    return true;
}

static bool int_items(struct mlir *mlir, uint32_t *at, uint32_t close, struct i64_vec *out)
{
    while (*at != close) {
        int64_t x;
        if (!mlir_int(mlir, at, &x))
            return false;
        vec_push(out, x);
        if (*at == close)
            break;
        if (!mlir_expect(mlir, at, ',', "',' or the end of the list"))
            return false;
        if (*at == close)
            return mlir_expected(mlir, *at, "an integer");
    }
    *at = close + 1;
    return true;
}

bool mlir_int_list(struct mlir *mlir, uint32_t *i, struct i64_vec *out)
{
    uint32_t open = *i;
    if (!mlir_expect(mlir, i, '[', "a list such as [0, 1]"))
        return false;
    return int_items(mlir, i, mlir->tok.at[open].match, out);
}

bool mlir_int_array(struct mlir *mlir, uint32_t *i, struct i64_vec *out)
{
    uint32_t at = *i;
    if (mlir_word(mlir, at, "dense"))
        return mlir_fail(mlir, at,
                         "expected array<i64: ...>, found dense<...>: "
                         "the attribute encoding of an old version");
    if (!mlir_word(mlir, at, "array") || mlir_kind(mlir, at + 1) != '<')
        return mlir_expected(mlir, at, "array<i64: ...>");
    uint32_t close = mlir->tok.at[at + 1].match, j = at + 2;
    if (!mlir_expect_word(mlir, &j, "i64"))
        return false;
    if (j != close && !mlir_expect(mlir, &j, ':', "':'"))
        return false;
    if (!int_items(mlir, &j, close, out))
        return false;
    *i = j;
    return true;
}

bool mlir_unquote(struct mlir *mlir, uint32_t i, struct buf *out)
{
    const struct mlir_token *token = &mlir->tok.at[i];
    const char *text = mlir->text + token->at, *end = text + token->len;
    if (token->kind == T_SYMBOL)
        text++;
    if (*text != '"') {
        buf_write(out, text, (size_t)(end - text));
        return true;
    }
    for (text++; text < end - 1; text++) {
        char string = *text;
        if (string == '\\') {
            string = *++text;
            if (string == 'n')
                string = '\n';
            else if (string == 't')
                string = '\t';
            else if (string != '"' && string != '\\') {
                string = (char)(hex_digit(text[0]) * 16 + hex_digit(text[1]));
                text++;
            }
        }
        if (string == '\0')
            return mlir_fail(mlir, i, "expected a name without NUL bytes");
        buf_putc(out, string);
    }
    return true;
}

bool mlir_next_entry(struct mlir *mlir, uint32_t *i, struct mlir_entry *out, bool *ok)
{
    *ok = true;
    if (mlir_kind(mlir, *i) == '}')
        return false;
    *ok = false;
    uint16_t k = mlir_kind(mlir, *i);
    if (k != T_BARE && k != T_STRING)
        return mlir_expected(mlir, *i, "an attribute name");
    out->key = (*i)++;
    out->value = out->end = *i;
    if (mlir_accept(mlir, i, '=')) {
        out->value = *i;
        if (!mlir_skip_attr(mlir, i))
            return false;
        out->end = *i;
    }
    if (mlir_kind(mlir, *i) != '}') {
        if (!mlir_expect(mlir, i, ',', "',' or '}'"))
            return false;
        if (mlir_kind(mlir, *i) == '}')
            return mlir_expected(mlir, *i, "an attribute name");
    }
    return *ok = true;
}

bool mlir_key_is(const struct mlir *mlir, const struct mlir_entry *entry, const char *key)
{
    const struct mlir_token *token = &mlir->tok.at[entry->key];
    size_t n = strlen(key);
    if (token->kind == T_STRING)
        return token->len == n + 2 && memcmp(mlir->text + token->at + 1, key, n) == 0;
    return token->len == n && memcmp(mlir->text + token->at, key, n) == 0;
}
