// SPDX-License-Identifier: Apache-2.0
// Types of MLIR: read, or passed over as attributes are.
#include "io/mlir/mlir.h"

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

static bool read_dims(struct mlir *m, uint32_t i, uint32_t *rank, int64_t *dims,
                      bool *dynamic)
{
    const struct mlir_token *t = &m->tok.at[i];
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
    const struct mlir_token *t = &m->tok.at[j];
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
