// SPDX-License-Identifier: Apache-2.0
// Types of MLIR, and the parts of attributes that are passed over.
#include "io/mlir/mlir.h"

bool mlir_is_type(const struct mlir *mlir, uint32_t i)
{
    static const char *const words[] = {"tensor",  "vector", "memref", "tuple",
                                        "complex", "index",  "none"};
    uint16_t k = mlir_kind(mlir, i);
    if (k == T_TYPE || k == '(')
        return true;
    if (k != T_BARE)
        return false;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (mlir_text_is(mlir, i, words[w]))
            return true;
    // i32, ui8, si4, f32, f8E4M3FN, bf16, tf32
    const char *text = mlir->text + mlir->tok.at[i].at;
    uint32_t n = mlir->tok.at[i].len, at = 0;
    if (n > 1 && text[0] != 'i' && text[0] != 'f')
        at = 1;
    return at + 1 < n && strchr("usbt", at ? text[0] : 'u') != NULL &&
           (text[at] == 'i' || text[at] == 'f') && text[at + 1] >= '1' && text[at + 1] <= '9';
}

bool mlir_skip_type(struct mlir *mlir, uint32_t *i)
{
    if (!mlir_is_type(mlir, *i))
        return mlir_expected(mlir, *i, "a type");
    // A chain of function types is a loop, not a recursion.
    for (;;) {
        if (mlir_kind(mlir, *i) == '(') {
            *i = mlir->tok.at[*i].match + 1;
            if (!mlir_expect(mlir, i, T_ARROW, "'->'"))
                return false;
            if (mlir_kind(mlir, *i) == '(') {
                uint32_t after = mlir->tok.at[*i].match + 1;
                if (mlir_kind(mlir, after) != T_ARROW) {
                    *i = after;
                    return true;
                }
            } else if (!mlir_is_type(mlir, *i)) {
                return mlir_expected(mlir, *i, "a type");
            }
            continue;
        }
        bool tensor = mlir_text_is(mlir, *i, "tensor");
        ++*i;
        if (mlir_kind(mlir, *i) == '<' && (tensor || mlir_touches(mlir, *i)))
            *i = mlir->tok.at[*i].match + 1;
        return true;
    }
}

static bool skip_typed_tail(struct mlir *mlir, uint32_t *at)
{
    if (mlir_kind(mlir, *at) != ':')
        return true;
    ++*at;
    return mlir_skip_type(mlir, at);
}

bool mlir_skip_attr(struct mlir *mlir, uint32_t *i)
{
    uint16_t k = mlir_kind(mlir, *i);
    switch (k) {
    case T_SYMBOL:
        ++*i;
        while (mlir_kind(mlir, *i) == T_COLONS && mlir_kind(mlir, *i + 1) == T_SYMBOL)
            *i += 2;
        return true;
    case '-':
        ++*i;
        k = mlir_kind(mlir, *i);
        if (k != T_INT && k != T_FLOAT)
            return mlir_expected(mlir, *i, "a number");
        ++*i;
        return skip_typed_tail(mlir, i);
    case T_INT:
    case T_FLOAT:
    case T_STRING:
        ++*i;
        return skip_typed_tail(mlir, i);
    case '[':
    case '{':
        *i = mlir->tok.at[*i].match + 1;
        return true;
    case T_ATTR:
        ++*i;
        if (mlir_kind(mlir, *i) == '<' && mlir_touches(mlir, *i))
            *i = mlir->tok.at[*i].match + 1;
        return skip_typed_tail(mlir, i);
    default:
        break;
    }
    if (mlir_is_type(mlir, *i))
        return mlir_skip_type(mlir, i);
    if (k != T_BARE)
        return mlir_expected(mlir, *i, "an attribute");
    bool loc = mlir_text_is(mlir, *i, "loc");
    ++*i;
    if (mlir_kind(mlir, *i) == '<' || (loc && mlir_kind(mlir, *i) == '('))
        *i = mlir->tok.at[*i].match + 1;
    return skip_typed_tail(mlir, i);
}

bool mlir_dims(struct mlir *mlir, uint32_t from, uint32_t *rank, int64_t *dims, bool *dynamic)
{
    const struct mlir_token *token = &mlir->tok.at[from];
    const char *text = mlir->text + token->at, *end = text + token->len;
    *rank = 0;
    while (text < end) {
        if (*rank == TENSOR_MAX_RANK)
            return mlir_fail(mlir, from, "the rank is over %d", TENSOR_MAX_RANK);
        int64_t x = 0;
        if (*text == '?')
            *dynamic = true;
        else
            for (; *text != 'x'; text++) {
                if (x > (INT64_MAX - 9) / 10)
                    return mlir_fail(mlir, from, "a size does not fit in 63 bits");
                x = 10 * x + (*text - '0');
            }
        dims[(*rank)++] = x;
        text += *text == '?' ? 2 : 1;
    }
    return true;
}

// The encoding of tokens [encoding, to - 1) is another dialect's text and keeps its
// blanks; 0 = there is none.
static void other_type(struct mlir *mlir, uint32_t from, uint32_t encoding, uint32_t to,
                       type_id *out)
{
    struct buf text = {0};
    mlir_emit(mlir, from, encoding ? encoding : to, false, SPACE_TYPE, &text);
    if (encoding != 0) {
        buf_putc(&text, ' ');
        mlir_emit(mlir, encoding, to, false, SPACE_KEEP, &text);
    }
    *out = type_other(mlir->pool, buf_text(&text));
    buf_release(&text);
}

// The element types of other languages.
static bool hint_element(struct mlir *mlir, uint32_t at)
{
    static const char *const words[][2] = {
        {"float", "f32"},     {"float32", "f32"}, {"double", "f64"},  {"float64", "f64"},
        {"half", "f16"},      {"float16", "f16"}, {"fp16", "f16"},    {"fp32", "f32"},
        {"bfloat16", "bf16"}, {"int", "i32"},     {"int32", "i32"},   {"int64", "i64"},
        {"int8", "i8"},       {"s32", "i32"},     {"s64", "i64"},     {"u8", "ui8"},
        {"uint8", "ui8"},     {"u32", "ui32"},    {"uint32", "ui32"}, {"pred", "i1"},
        {"bool", "i1"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (mlir_word(mlir, at, words[i][0]))
            return err_hint(mlir->err, "write '%s'", words[i][1]);
    return err_hint(mlir->err,
                    "element types are i1, i8, .., i64, ui8, .., ui64, f16, bf16, f32 and "
                    "f64; a size stands in front: tensor<2x3xf32>");
}

static bool tensor_type(struct mlir *mlir, uint32_t *next, type_id *out)
{
    uint32_t start = *next, j = start + 2, close = mlir->tok.at[start + 1].match;
    uint32_t rank = 0;
    int64_t dims[TENSOR_MAX_RANK];
    bool other = false;
    if (mlir_kind(mlir, j) == T_DIMS) {
        if (!mlir_dims(mlir, j, &rank, dims, &other))
            return false;
        j++;
    } else if (mlir_kind(mlir, j) == '*' && mlir_kind(mlir, j + 1) == T_BARE) {
        // "*xf32": the word behind the star is "xf32"
        other = true;
        j++;
    }
    enum elem elem = ELEM_OTHER;
    const struct mlir_token *token = &mlir->tok.at[j];
    if (token->kind != T_BARE || !elem_by_text(mlir->text + token->at, token->len, &elem) ||
        elem_is_ideal(elem)) {
        if (mlir_kind(mlir, j - 1) != '*' && !mlir_is_type(mlir, j))
            return mlir_expected(mlir, j, "an element type") || hint_element(mlir, j);
        other = true;
        j++;
        if (mlir_kind(mlir, j) == '<')
            j = mlir->tok.at[j].match + 1;
    } else {
        j++;
    }
    // What an encoding means is its dialect's business.
    uint32_t encoding = 0;
    if (mlir_kind(mlir, j) == ',' && ++j != close) {
        other = true;
        encoding = j;
        if (!mlir_skip_attr(mlir, &j))
            return false;
    }
    if (j != close)
        return mlir_expected(mlir, j, "'>'");
    *next = close + 1;
    if (other) {
        other_type(mlir, start, encoding, *next, out);
        return true;
    }
    struct err why = {0};
    if (type_tensor(mlir->pool, elem, rank, dims, out, &why))
        return true;
    return mlir_fail(mlir, start, "%s", why.msg);
}

bool mlir_type(struct mlir *mlir, uint32_t *i, type_id *out)
{
    uint32_t start = *i;
    if (mlir_word(mlir, start, "tensor") && mlir_kind(mlir, start + 1) == '<')
        return tensor_type(mlir, i, out);
    if (!mlir_skip_type(mlir, i))
        return false;
    other_type(mlir, start, 0, *i, out);
    return true;
}
