// SPDX-License-Identifier: Apache-2.0
#include "io/mlir/carried.h"

#include "base/text/cursor.h"
#include <errno.h>
#include <stdlib.h>

#define MOST_BITS 10000

// "8E4M3FN" behind the letters of a type.
static unsigned leading_number(const char *text, size_t n)
{
    unsigned value = 0;
    for (size_t i = 0; i < n && is_digit(text[i]) && value < MOST_BITS; i++)
        value = value * 10 + (unsigned)(text[i] - '0');
    return value;
}

// i3, ui128, si4, index, f8E4M3FN, bf16, tf32
static bool number_type(const struct mlir *mlir, uint32_t at, struct carried *out)
{
    static const struct {
        const char *letters;
        enum carried_kind kind;
    } forms[] = {{"i", CARRIED_SIGNLESS}, {"si", CARRIED_SIGNED}, {"ui", CARRIED_UNSIGNED},
                 {"f", CARRIED_FLOAT},    {"bf", CARRIED_FLOAT},  {"tf", CARRIED_FLOAT}};
    const struct mlir_token *token = &mlir->tok.at[at];
    const char *text = mlir->text + token->at;
    if (token->kind != T_BARE)
        return false;
    if (mlir_word(mlir, at, "index") || mlir_word(mlir, at, "i1")) {
        out->kind = mlir_word(mlir, at, "i1") ? CARRIED_TRUTH : CARRIED_SIGNLESS;
        out->bits = out->kind == CARRIED_TRUTH ? 1 : 64;
        return true;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t n = strlen(forms[i].letters);
        if (token->len <= n || memcmp(text, forms[i].letters, n) != 0 || !is_digit(text[n]))
            continue;
        out->kind = forms[i].kind;
        out->bits = mlir_word(mlir, at, "tf32") ? 19 : leading_number(text + n, token->len - n);
        return true;
    }
    return false;
}

bool carried_type(struct mlir *mlir, uint32_t at, struct carried *out)
{
    bool open = false;
    *out = (struct carried){.count = 1};
    if (!mlir_word(mlir, at, "tensor") || mlir_kind(mlir, at + 1) != '<')
        return false;
    at += 2;
    if (mlir_kind(mlir, at) == T_DIMS && !mlir_dims(mlir, at++, &out->rank, out->dims, &open))
        return false;
    for (uint32_t k = 0; k < out->rank; k++)
        if (__builtin_mul_overflow(out->count, out->dims[k], &out->count))
            out->count = INT64_MAX;
    out->pairs = mlir_word(mlir, at, "complex") && mlir_kind(mlir, at + 1) == '<';
    return !open && number_type(mlir, at + (out->pairs ? 2 : 0), out);
}

static bool is_hexadecimal(const struct mlir *mlir, uint32_t at)
{
    const struct mlir_token *token = &mlir->tok.at[at];
    return token->len > 2 && mlir->text[token->at + 1] == 'x';
}

// Do the digits of the token fit in so many bits?  True if the number is too long to be compared.
static bool fits(const struct mlir *mlir, uint32_t at, bool negative, const struct carried *carried)
{
    const struct mlir_token *token = &mlir->tok.at[at];
    char digits[72];
    if (carried->bits > 64 || carried->bits == 0)
        return true;
    if (token->len >= sizeof digits)
        return false;
    memcpy(digits, mlir->text + token->at, token->len);
    digits[token->len] = '\0';
    errno = 0;
    uint64_t value = strtoull(digits, NULL, is_hexadecimal(mlir, at) ? 16 : 10);
    uint64_t half = UINT64_C(1) << (carried->bits - 1), most = half - 1 + half;
    if (negative)
        most = carried->kind == CARRIED_UNSIGNED ? 0 : half;
    else if (carried->kind == CARRIED_SIGNED)
        most = half - 1;
    return errno == 0 && value <= most;
}

static bool number(struct mlir *mlir, uint32_t *at, const struct carried *carried)
{
    if (carried->kind == CARRIED_TRUTH &&
        (mlir_accept_word(mlir, at, "true") || mlir_accept_word(mlir, at, "false")))
        return true;
    bool negative = mlir_accept(mlir, at, '-'), is_float = carried->kind == CARRIED_FLOAT;
    uint16_t kind = mlir_kind(mlir, *at);
    if (is_float && kind != T_FLOAT && (kind != T_INT || !is_hexadecimal(mlir, *at)))
        return mlir_expected(mlir, *at, "a float such as 1.0");
    if (!is_float && kind != T_INT)
        return mlir_expected(mlir, *at,
                             carried->kind == CARRIED_TRUTH ? "true or false" : "an integer");
    if (is_float && kind == T_INT && negative)
        return mlir_fail(mlir, *at, "expected no sign in front of the bits of a float");
    if (kind == T_INT && !fits(mlir, *at, negative, carried))
        return mlir_fail(mlir, *at, "the number does not fit in %u bits", carried->bits);
    ++*at;
    return true;
}

bool carried_element(struct mlir *mlir, uint32_t *at, const struct carried *carried)
{
    // MLIR takes a pair for an element of any type.
    bool pair = mlir_kind(mlir, *at) == '(';
    if (carried->pairs && !pair && carried->count != 0)
        return mlir_expected(mlir, *at, "a complex number such as (1.0, 2.0)");
    if (!pair)
        return number(mlir, at, carried);
    ++*at;
    return number(mlir, at, carried) && mlir_expect(mlir, at, ',', "',' and the imaginary part") &&
           number(mlir, at, carried) && mlir_expect(mlir, at, ')', "')'");
}

size_t carried_bytes(const struct carried *carried)
{
    size_t one = (carried->bits + 7) / 8;
    bool known =
        carried->bits != 19 && carried->kind != CARRIED_TRUTH && (one & (one - 1)) == 0 && one <= 8;
    return known ? one << carried->pairs : 0;
}
