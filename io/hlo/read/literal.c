// SPDX-License-Identifier: Apache-2.0
// Constants: constant(1), constant({ {1, 2}, {3, 4} }), with inf, nan and payloads of NaN.
#include "io/hlo/read/reader.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct elements {
    struct hlo_reader *reader;
    enum elem elem;
    char *data;
    uint64_t count, n; // read so far, in the type
};

static bool word_text(struct hlo_reader *reader, uint32_t at, char *text, size_t size)
{
    const struct hlo_token *token = &reader->tok.at[at];
    if (token->kind != H_WORD || token->len >= size)
        return hlo_expected(reader, at, "an element");
    memcpy(text, reader->text + token->at, token->len);
    text[token->len] = '\0';
    return true;
}

static bool read_integer(struct elements *elements, uint32_t *at, struct scalar *out)
{
    struct hlo_reader *reader = elements->reader;
    char text[64], *end;
    if (!word_text(reader, *at, text, sizeof text))
        return false;
    bool is_unsigned = elem_kind(elements->elem) == KIND_UINT;
    errno = 0;
    out->bits =
        is_unsigned ? (uint64_t)strtoull(text, &end, 10) : (uint64_t)strtoll(text, &end, 10);
    if (end == text || *end != '\0' || text[0] == '+')
        return hlo_expected(reader, *at, "an integer");
    bool wide = elem_bits(elements->elem) == 64;
    bool fits = is_unsigned
                    ? text[0] != '-' && (wide || elem_has_int(elements->elem, (int64_t)out->bits))
                    : elem_has_int(elements->elem, (int64_t)out->bits);
    if (errno != 0 || !fits)
        return hlo_fail(reader, *at, "the number is no value of %s", elem_text(elements->elem));
    ++*at;
    return true;
}

static bool read_truth(struct elements *elements, uint32_t *at, struct scalar *out)
{
    struct hlo_reader *reader = elements->reader;
    bool yes = hlo_is(reader, *at, "true") || hlo_is(reader, *at, "1");
    if (!yes && !hlo_is(reader, *at, "false") && !hlo_is(reader, *at, "0"))
        return hlo_expected(reader, *at, "true or false");
    out->bits = yes;
    ++*at;
    return true;
}

// Bits of the mantissa.
static unsigned mantissa(enum elem elem)
{
    return elem == ELEM_F64 ? 52 : elem == ELEM_F32 ? 23 : elem == ELEM_F16 ? 10 : 7;
}

// nan, -nan, nan(0x12)
static bool read_nan(struct elements *elements, uint32_t *at, struct scalar *out)
{
    struct hlo_reader *reader = elements->reader;
    unsigned bits = elem_bits(elements->elem), low = mantissa(elements->elem);
    uint64_t payload = UINT64_C(1) << (low - 1);
    bool negative = hlo_is(reader, *at, "-nan");
    ++*at;
    if (hlo_kind(reader, *at) == '(') {
        char text[64], *end;
        if (!word_text(reader, *at + 1, text, sizeof text))
            return false;
        payload = strtoull(text, &end, 16);
        if (*end != '\0' || payload == 0 || payload >> low != 0)
            return hlo_fail(reader, *at + 1, "expected the payload of a NaN");
        *at += 2;
        if (!hlo_expect(reader, at, ')', "')'"))
            return false;
    }
    uint64_t exponent = ((UINT64_C(1) << (bits - 1 - low)) - 1) << low;
    out->bits = (uint64_t)negative << (bits - 1) | exponent | payload;
    return true;
}

static bool read_float(struct elements *elements, uint32_t *at, struct scalar *out)
{
    struct hlo_reader *reader = elements->reader;
    char text[64], *end;
    if (hlo_is(reader, *at, "nan") || hlo_is(reader, *at, "-nan"))
        return read_nan(elements, at, out);
    bool infinite = hlo_is(reader, *at, "inf") || hlo_is(reader, *at, "-inf");
    if (!word_text(reader, *at, text, sizeof text))
        return false;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || text[0] == '+' || (!infinite && strpbrk(text, "nN")))
        return hlo_expected(reader, *at, "a number");
    // To XLA's parser -0 is an integer, so there is no sign: -0.0 has one.
    if (text[0] == '-' && text[1 + strspn(text + 1, "0")] == '\0')
        value = 0;
    *out = scalar_of_double(elements->elem, value);
    if (!infinite && isinf(scalar_to_double(elements->elem, *out)))
        return hlo_fail(reader, *at, "the number is no value of %s", elem_text(elements->elem));
    ++*at;
    return true;
}

static bool read_element(struct elements *elements, uint32_t *at)
{
    struct scalar scalar = {0};
    bool ok;
    switch (elem_kind(elements->elem)) {
    case KIND_BOOL:
        ok = read_truth(elements, at, &scalar);
        break;
    case KIND_FLOAT:
        ok = read_float(elements, at, &scalar);
        break;
    default:
        ok = read_integer(elements, at, &scalar);
        break;
    }
    if (ok)
        scalar_store(elements->elem, elements->data, (size_t)elements->count++, scalar);
    return ok;
}

// One bracket for each dimension; `rank` at most TENSOR_MAX_RANK.
static bool read_list(struct elements *elements, uint32_t *at, uint32_t rank, const int64_t *dims)
{
    struct hlo_reader *reader = elements->reader;
    if (rank == 0)
        return read_element(elements, at);
    uint32_t open = *at;
    if (!hlo_expect(reader, at, '{', "'{' and the elements"))
        return false;
    uint32_t close = reader->tok.at[open].match;
    for (int64_t k = 0; k < dims[0]; k++)
        if ((k > 0 && !hlo_expect(reader, at, ',', "','")) ||
            !read_list(elements, at, rank - 1, dims + 1))
            return false;
    if (*at != close)
        return hlo_expected(reader, *at, "'}' behind the last element");
    *at = close + 1;
    return true;
}

// {...} in place of elements
static bool is_left_out(const struct hlo_reader *reader, uint32_t open, uint32_t close)
{
    for (uint32_t at = open + 1; at < close; at++)
        if (hlo_is(reader, at, "..."))
            return true;
    return false;
}

static bool read_elements(struct elements *elements, uint32_t open, type_id type)
{
    struct hlo_reader *reader = elements->reader;
    uint32_t rank = type_rank(reader->pool, type), at = open + 1;
    uint32_t close = reader->tok.at[open].match;
    // Each element is a token: a type cannot ask for more memory than its text has.
    if (elements->n > close - open)
        return hlo_fail(reader, open + 1, "expected more elements");
    elements->data = mem_alloc((size_t)elements->n * elem_bytes(elements->elem) + 1);
    int64_t *dims = mem_alloc(sizeof *dims * (rank + 1u));
    if (rank > 0)
        memcpy(dims, type_dims(reader->pool, type), rank * sizeof *dims);
    // Without elements, nothing is read.
    bool ok = elements->n == 0 || read_list(elements, &at, rank, dims);
    if (ok && elements->n > 0 && at != close)
        ok = hlo_expected(reader, at, "')'");
    mem_free(dims);
    return ok;
}

enum hlo_answer hlo_constant(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                             type_id type, term_id *out)
{
    uint32_t open = instruction->open, close = reader->tok.at[open].match;
    if (is_left_out(reader, open, close)) {
        hlo_fail(reader, open + 1,
                 "expected the elements of the constant, which are left out here");
        err_hint(reader->err, "print the module with its large constants: in JAX, "
                              "HloPrintOptions.print_large_constants = True");
        return HLO_FAILED;
    }
    if (!type_is_tensor(reader->pool, type))
        return HLO_OPAQUE;
    struct elements elements = {.reader = reader,
                                .elem = type_elem(reader->pool, type),
                                .n = (uint64_t)type_count(reader->pool, type)};
    bool ok = read_elements(&elements, open, type);
    if (ok) {
        lit_id literal = literal_make(reader->pool, elements.elem, elements.count, elements.data);
        *out = term_constant(&reader->program->terms, literal, type);
    }
    mem_free(elements.data);
    return ok ? HLO_TERM : HLO_FAILED;
}
