// SPDX-License-Identifier: Apache-2.0
// Constants: numbers, and tiles of one number.
#include "io/ttir/reader.h"
#include "base/text/hex.h"
#include <math.h>

// A real number of 16, 32 or 64 bits as its text.
static bool bits_text(uint64_t bits, unsigned width, bool brain, struct buf *out)
{
    unsigned mantissa = width == 64 ? 52 : width == 32 ? 23 : brain ? 7 : 10;
    unsigned exponents = width - 1 - mantissa;
    uint64_t exponent = (bits >> mantissa) & ((1u << exponents) - 1);
    uint64_t fraction = bits & ((UINT64_C(1) << mantissa) - 1);
    bool negative = (bits >> (width - 1)) & 1;
    if (width < 64 && bits >> width)
        return false;
    if (exponent == (1u << exponents) - 1) {
        buf_puts(out, fraction ? "nan" : negative ? "-inf" : "inf");
        return true;
    }
    int bias = (1 << (exponents - 1)) - 1;
    uint64_t whole = exponent ? fraction | UINT64_C(1) << mantissa : fraction;
    int scale = (exponent ? (int)exponent : 1) - bias - (int)mantissa;
    double value = ldexp((double)whole, scale);
    buf_double(out, negative ? -value : value);
    return true;
}

static bool read_real(struct ttir_reader *reader, uint32_t at, struct code_type type, bool brain,
                      code_value *out)
{
    struct mlir *mlir = &reader->mlir;
    struct buf text = {0};
    bool negative = mlir_accept(mlir, &at, '-'), ok = true;
    const struct mlir_token *token = &mlir->tok.at[at];
    bool hexadecimal =
        mlir_kind(mlir, at) == T_INT && token->len > 2 && mlir->text[token->at + 1] == 'x';
    if (hexadecimal && !negative && type.bits >= 16) {
        // All 64 bits may be set.
        uint64_t wide = 0;
        ok = token->len <= 18;
        for (uint32_t i = 2; ok && i < token->len; i++)
            wide = wide * 16 + (uint64_t)hex_digit(mlir->text[token->at + i]);
        ok = ok && bits_text(wide, type.bits, brain, &text);
    } else if (mlir_kind(mlir, at) == T_FLOAT || (mlir_kind(mlir, at) == T_INT && !hexadecimal)) {
        if (negative)
            buf_putc(&text, '-');
        buf_write(&text, mlir->text + token->at, token->len);
    } else {
        ok = false;
    }
    if (ok)
        *out = code_real(reader->out, type, buf_text(&text));
    else
        mlir_expected(mlir, at, "a real number");
    buf_release(&text);
    return ok;
}

static bool read_number(struct ttir_reader *reader, uint32_t at, struct code_type type, bool brain,
                        code_value *out)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t from = at;
    int64_t number = 0;
    if (mlir_word(mlir, at, "true") || mlir_word(mlir, at, "false"))
        number = mlir_word(mlir, at, "true");
    else if (type.kind == CODE_REAL)
        return read_real(reader, at, type, brain, out);
    else if (!mlir_int(mlir, &at, &number))
        return false;
    if (type.kind == CODE_BOOL)
        number = number != 0;
    // The text may give the bits without a sign; values are signed.
    int64_t words = type.kind == CODE_INT && type.bits < 64 ? INT64_C(1) << type.bits : 0;
    if (words && (number < -words / 2 || number >= words))
        return mlir_expected(mlir, from, "an integer of its type");
    if (words && number >= words / 2)
        number -= words;
    if (type.kind == CODE_REAL)
        return mlir_expected(mlir, at, "a real number");
    *out = code_integer(reader->out, type, number);
    return true;
}

// NUMBER or dense<NUMBER>; *known is false for dense<[..]>.
static bool read_value(struct ttir_reader *reader, uint32_t at, struct code_type type, bool brain,
                       bool *known, code_value *out)
{
    struct mlir *mlir = &reader->mlir;
    *known = true;
    if (mlir_word(mlir, at, "dense")) {
        if (mlir_kind(mlir, at + 1) != '<')
            return mlir_expected(mlir, at + 1, "'<'");
        at += 2;
        *known = mlir_kind(mlir, at) != '[' && mlir_kind(mlir, at) != T_STRING;
    }
    return !*known || read_number(reader, at, type, brain, out);
}

static bool is_brain(const struct ttir_reader *reader, uint32_t at, uint32_t end)
{
    for (; at < end; at++)
        if (mlir_word(&reader->mlir, at, "bf16"))
            return true;
    return false;
}

// The type behind the colon; that of true and false may be missing.
static bool read_constant_type(struct ttir_reader *reader, const struct ttir_operation *operation,
                               uint32_t *at, uint32_t *end, struct ttir_type *out)
{
    struct mlir *mlir = &reader->mlir;
    bool boolean = mlir_word(mlir, *at, "true") || mlir_word(mlir, *at, "false");
    *out = (struct ttir_type){.kind = TTIR_PLAIN, .type = code_scalar(CODE_BOOL, 1)};
    while (*at < operation->end && mlir_kind(mlir, *at) != ':')
        *at = mlir_kind(mlir, *at) == '<' ? mlir->tok.at[*at].match + 1 : *at + 1;
    *end = *at;
    if (boolean)
        return true;
    if (*at >= operation->end)
        return mlir_expected(mlir, *at, "':' and a type");
    ++*end;
    return ttir_type(reader, end, out);
}

// arith.constant [{..}] VALUE [: type], or the attribute `value` of the generic form.
bool ttir_constant(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known)
{
    struct mlir *mlir = &reader->mlir;
    *known = !strcmp(operation->name, "arith.constant");
    if (!*known)
        return true;
    uint32_t at = operation->at + 1;
    if (operation->generic)
        at = ttir_attribute(reader, operation, "value");
    else if (mlir_kind(mlir, at) == '{')
        at = mlir->tok.at[at].match + 1;
    if (at == 0 || at >= operation->end)
        return ttir_malformed(reader, operation, "a value");
    struct ttir_type type;
    uint32_t type_at = at, type_end;
    if (!read_constant_type(reader, operation, &type_at, &type_end, &type))
        return false;
    if (type.kind != TTIR_PLAIN)
        return ttir_refuse(reader, operation, "is a constant of another type");
    code_value value = NO_CODE;
    bool simple;
    if (!read_value(reader, at, type.type, is_brain(reader, type_at, type_end), &simple, &value))
        return false;
    if (simple) {
        reader->out->node.at[value].place = ttir_here(reader, operation);
        return ttir_result(reader, operation, value);
    }
    value = code_opaque(reader->out, type.type, "a constant of several numbers",
                        ttir_here(reader, operation));
    return ttir_result(reader, operation, value);
}
