// SPDX-License-Identifier: Apache-2.0
#include "io/hlo/element.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool starts(const char *name, size_t n, const char *with)
{
    return n >= strlen(with) && memcmp(name, with, strlen(with)) == 0;
}

static bool equals(const char *name, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(name, word, n) == 0;
}

bool hlo_element(const char *name, size_t n, enum elem *out)
{
    static const char *const others[] = {"c64", "c128", "token", "opaque", "s1", "u1", "buffer"};
    char text[16];
    *out = ELEM_OTHER;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (equals(name, n, others[i]))
            return true;
    if (starts(name, n, "f4e") || starts(name, n, "f6e") || starts(name, n, "f8e"))
        return true;
    if (equals(name, n, "pred")) {
        *out = ELEM_I1;
        return true;
    }
    // s32 is i32, u32 is ui32.
    bool is_signed = starts(name, n, "s"), is_unsigned = starts(name, n, "u");
    int length = snprintf(text, sizeof text, "%s%.*s",
                          is_signed     ? "i"
                          : is_unsigned ? "ui"
                                        : "",
                          (int)(n < 8 ? n : 8) - (is_signed || is_unsigned),
                          name + (is_signed || is_unsigned));
    return n < 8 && elem_by_text(text, (size_t)length, out) && !elem_is_ideal(*out) &&
           *out != ELEM_I1 && (is_signed || is_unsigned || elem_kind(*out) == KIND_FLOAT);
}

void hlo_put_element(enum elem elem, struct buf *out)
{
    switch (elem_kind(elem)) {
    case KIND_BOOL:
        buf_puts(out, "pred");
        break;
    case KIND_SINT:
        buf_printf(out, "s%u", elem_bits(elem));
        break;
    case KIND_UINT:
        buf_printf(out, "u%u", elem_bits(elem));
        break;
    default:
        buf_puts(out, elem_text(elem));
        break;
    }
}

void hlo_put_type(const struct pool *pool, type_id type, const char *layout, struct buf *out)
{
    if (type_is_tensor(pool, type)) {
        hlo_put_element(type_elem(pool, type), out);
        buf_putc(out, '[');
        for (uint32_t d = 0; d < type_rank(pool, type); d++)
            buf_printf(out, "%s%" PRId64, d > 0 ? "," : "", type_dims(pool, type)[d]);
        buf_putc(out, ']');
    } else {
        type_print(pool, type, out);
    }
    buf_puts(out, layout);
}

// The length of the brackets at the start of the text, whatever their kind.  Those of strings do
// not count.
static size_t balanced(const char *text)
{
    size_t n = 0;
    int depth = 0;
    char quote = '\0';
    do {
        char c = text[n];
        if (quote != '\0' && c == '\\' && text[n + 1] != '\0')
            n++;
        else if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c != '\0')
            depth += (strchr("{[(", c) != NULL) - (strchr("}])", c) != NULL);
        n += c != '\0';
    } while (depth > 0 && text[n] != '\0');
    return n;
}

size_t hlo_bracket_length(const char *text)
{
    return text[0] == '{' ? balanced(text) : 0;
}

size_t hlo_shape_length(const char *text)
{
    if (text[0] == '(')
        return balanced(text);
    size_t n = strcspn(text, "[");
    n += text[n] == '[' ? balanced(text + n) : 0;
    return n + hlo_bracket_length(text + n);
}

// Operators whose opcode is not their name with '-' for '_'.
static const struct {
    const char *opcode;
    enum op op;
} renamed[] = {{"broadcast", OP_BROADCAST_IN_DIM}, {"dot", OP_DOT_GENERAL}};
enum { N_RENAMED = sizeof renamed / sizeof *renamed };

bool hlo_op(const char *opcode, size_t n, enum op *out)
{
    char name[IO_OPERATION_NAME];
    for (size_t i = 0; i < N_RENAMED; i++)
        if (equals(opcode, n, renamed[i].opcode)) {
            *out = renamed[i].op;
            return true;
        }
    if (n >= sizeof name || memchr(opcode, '_', n) != NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        name[i] = opcode[i] == '-' ? '_' : opcode[i];
    name[n] = '\0';
    if (!op_by_name(name, out) || *out == OP_CONSTANT)
        return false;
    for (size_t i = 0; i < N_RENAMED; i++)
        if (*out == renamed[i].op)
            return false;
    return true;
}

void hlo_put_opcode(enum op op, struct buf *out)
{
    for (size_t i = 0; i < N_RENAMED; i++)
        if (renamed[i].op == op) {
            buf_puts(out, renamed[i].opcode);
            return;
        }
    for (const char *name = op_name(op); *name != '\0'; name++)
        buf_putc(out, *name == '_' ? '-' : *name);
}

// The list leaves out on purpose: rng (its state), opt-barrier (must stay in its place),
// collectives, communication and asynchronous operations, add-dependency and domain.
static const char *const pure_opcodes[] = {
    "acos",
    "acosh",
    "after-all",
    "asin",
    "asinh",
    "atanh",
    "batch-norm-grad",
    "batch-norm-inference",
    "batch-norm-training",
    "bitcast",
    "call",
    "cholesky",
    "complex",
    "conditional",
    "constant",
    "copy",
    "cosh",
    "dynamic-reshape",
    "fft",
    "fusion",
    "get-dimension-size",
    "get-tuple-element",
    "map",
    "mulhi",
    "parameter",
    "partition-id",
    "ragged-dot",
    "reduce-precision",
    "replica-id",
    "rng-bit-generator",
    "scaled-dot",
    "scan",
    "select-and-scatter",
    "set-dimension-size",
    "sinh",
    "sort",
    "stochastic-convert",
    "topk",
    "triangular-solve",
    "tuple",
    "while",
};

bool hlo_is_pure(const char *opcode, size_t n)
{
    enum op op;
    if (hlo_op(opcode, n, &op))
        return true;
    for (size_t i = 0; i < sizeof pure_opcodes / sizeof *pure_opcodes; i++)
        if (equals(opcode, n, pure_opcodes[i]))
            return true;
    return false;
}
