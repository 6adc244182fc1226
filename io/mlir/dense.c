// SPDX-License-Identifier: Apache-2.0
// dense<...> and dense_resource<...>: the data of constants.  Memory follows
// the text, never the type: a splat of any size is one element.
#include "io/mlir/carried.h"
#include "base/text/hex.h"
#include <errno.h>
#include <inttypes.h>

struct dense_reader {
    struct mlir *mlir;
    enum elem elem;
    size_t size; // bytes of one element
    type_id type;
    uint32_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    int64_t count;
    struct buf data;
    const struct carried *carried; // of elements that are carried as text; else NULL
};

// Elements i2 and i4 (ui2, ui4) are stored as scalar_of_int returns them.
static void put(struct dense_reader *dense_reader, struct scalar scalar)
{
    unsigned char raw[16] = {0};
    scalar_store(dense_reader->elem, raw, 0, scalar);
    buf_write(&dense_reader->data, raw, dense_reader->size);
}

// A number of up to 64 bits from its digits.
static bool magnitude(struct dense_reader *dense_reader, uint32_t from, uint64_t *out)
{
    const struct mlir_token *token = &dense_reader->mlir->tok.at[from];
    char digits[72];
    if (token->len >= sizeof digits)
        return mlir_fail(dense_reader->mlir, from, "the number does not fit in 64 bits");
    memcpy(digits, dense_reader->mlir->text + token->at, token->len);
    digits[token->len] = '\0';
    bool hex = token->len > 2 && digits[1] == 'x';
    errno = 0;
    *out = strtoull(digits, NULL, hex ? 16 : 10);
    if (errno == ERANGE)
        return mlir_fail(dense_reader->mlir, from, "the number does not fit in 64 bits");
    return true;
}

static bool put_int(struct dense_reader *dense_reader, uint32_t at, bool negative)
{
    unsigned bits = elem_bits(dense_reader->elem);
    uint64_t x, most = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    if (!magnitude(dense_reader, at, &x))
        return false;
    uint64_t half = 1ull << (bits - 1);
    if (negative && elem_kind(dense_reader->elem) == KIND_UINT && x != 0)
        return mlir_fail(dense_reader->mlir, at,
                         "expected an element of %s, found a negative "
                         "number",
                         elem_text(dense_reader->elem));
    if (x > (negative ? half : most))
        return mlir_fail(dense_reader->mlir, at, "the number does not fit in %s",
                         elem_text(dense_reader->elem));
    if (negative)
        x = 0 - x;
    put(dense_reader, scalar_of_int(dense_reader->elem, (int64_t)(x & most)));
    return true;
}

static bool put_float(struct dense_reader *dense_reader, uint32_t from, bool negative)
{
    const struct mlir_token *token = &dense_reader->mlir->tok.at[from];
    if (token->kind == T_INT) {
        uint64_t x;
        unsigned bits = elem_bits(dense_reader->elem);
        if (token->len < 3 || dense_reader->mlir->text[token->at + 1] != 'x')
            return mlir_expected(dense_reader->mlir, from, "a float such as 1.0") ||
                   err_hint(dense_reader->mlir->err, "write '%.*s.0'", (int)token->len,
                            dense_reader->mlir->text + token->at);
        if (negative)
            return mlir_fail(dense_reader->mlir, from,
                             "expected no sign in front of the bits "
                             "of a float");
        if (!magnitude(dense_reader, from, &x))
            return false;
        if (bits < 64 && x >> bits != 0)
            return mlir_fail(dense_reader->mlir, from, "the bits do not fit in %s",
                             elem_text(dense_reader->elem));
        put(dense_reader, (struct scalar){.bits = x});
        return true;
    }
    char stack[128], *text = stack;
    if (token->len >= sizeof stack)
        text = mem_alloc(token->len + 1u);
    memcpy(text, dense_reader->mlir->text + token->at, token->len);
    text[token->len] = '\0';
    double x = strtod(text, NULL);
    if (text != stack)
        mem_free(text);
    put(dense_reader, scalar_of_double(dense_reader->elem, negative ? -x : x));
    return true;
}

static bool element(struct dense_reader *dense_reader, uint32_t *at)
{
    struct mlir *mlir = dense_reader->mlir;
    if (dense_reader->carried != NULL)
        return carried_element(mlir, at, dense_reader->carried);
    enum elem_kind kind = elem_kind(dense_reader->elem);
    if (kind == KIND_BOOL && (mlir_word(mlir, *at, "true") || mlir_word(mlir, *at, "false"))) {
        put(dense_reader, scalar_of_int(dense_reader->elem, mlir_word(mlir, *at, "true")));
        ++*at;
        return true;
    }
    bool negative = mlir_accept(mlir, at, '-');
    uint16_t k = mlir_kind(mlir, *at);
    bool ok;
    if (kind == KIND_FLOAT) {
        if (k != T_FLOAT && k != T_INT)
            return mlir_expected(mlir, *at, "a float such as 1.0");
        ok = put_float(dense_reader, *at, negative);
    } else {
        if (k != T_INT)
            return mlir_expected(mlir, *at, kind == KIND_BOOL ? "true or false" : "an integer");
        ok = put_int(dense_reader, *at, negative);
    }
    ++*at;
    return ok;
}

// The list at *i, of dimension `dim`.
static bool list(struct dense_reader *dense_reader, uint32_t *next, uint32_t dim)
{
    struct mlir *mlir = dense_reader->mlir;
    uint32_t open = *next, close = mlir->tok.at[open].match;
    if (dim == dense_reader->rank)
        return mlir_fail(mlir, open,
                         "the lists are nested deeper than the rank "
                         "%u",
                         dense_reader->rank);
    int64_t n = 0;
    for (++*next; *next != close; n++) {
        if (n > 0 && !mlir_expect(mlir, next, ',', "',' or ']'"))
            return false;
        if (n == dense_reader->dims[dim])
            break;
        if (dim + 1 == dense_reader->rank) {
            if (mlir_kind(mlir, *next) == '[')
                return mlir_fail(mlir, *next,
                                 "the lists are nested deeper than the rank "
                                 "%u",
                                 dense_reader->rank);
            if (!element(dense_reader, next))
                return false;
        } else {
            if (mlir_kind(mlir, *next) != '[')
                return mlir_expected(mlir, *next, "'[', as the rank demands");
            if (!list(dense_reader, next, dim + 1))
                return false;
        }
    }
    if (*next != close || n != dense_reader->dims[dim])
        return mlir_fail(mlir, *next,
                         "expected %" PRId64 " elements along dimension %u, "
                         "found %s",
                         dense_reader->dims[dim], dim, *next == close ? "fewer" : "more");
    ++*next;
    return true;
}

static void put_raw(struct dense_reader *dense_reader, const unsigned char *raw)
{
    struct scalar scalar = scalar_load(dense_reader->elem, raw, 0);
    unsigned bits = elem_bits(dense_reader->elem);
    if (elem_kind(dense_reader->elem) == KIND_BOOL)
        scalar.bits = raw[0] != 0;
    else if (bits < 8)
        scalar = scalar_of_int(dense_reader->elem, raw[0] & ((1 << bits) - 1));
    put(dense_reader, scalar);
}

// i1: bits packed, 8 per byte, or one byte per element: the length decides.
static bool raw_bools(struct dense_reader *dense_reader, uint32_t from, const struct buf *raw)
{
    const unsigned char *b = (const unsigned char *)raw->at;
    uint64_t count = (uint64_t)dense_reader->count, packed = count / 8 + (count % 8 != 0);
    bool uniform = raw->len == 1 && (b[0] == 0 || b[0] == 0xFF);
    if (raw->len == 1 && (uniform || (b[0] == 1 && count > 8))) {
        put_raw(dense_reader, b);
        return true;
    }
    if (raw->len == count) {
        for (uint64_t k = 0; k < count; k++)
            put_raw(dense_reader, b + k);
        return true;
    }
    if (raw->len == 1 && b[0] == 1)
        return mlir_fail(dense_reader->mlir, from,
                         "one byte for several elements of i1 can be "
                         "a splat or packed bits: write a list");
    if (raw->len != packed)
        return mlir_fail(dense_reader->mlir, from,
                         "expected %" PRIu64 " or %" PRIu64 " bytes of data, found %zu", count,
                         packed, raw->len);
    for (uint64_t k = 0; k < count; k++) {
        unsigned char bit = (unsigned char)(b[k / 8] >> (k % 8) & 1);
        put_raw(dense_reader, &bit);
    }
    return true;
}

static bool raw_data(struct dense_reader *dense_reader, uint32_t from, const struct buf *raw,
                     bool splat)
{
    const unsigned char *b = (const unsigned char *)raw->at;
    uint64_t count = (uint64_t)dense_reader->count;
    if (count > 1 && splat && raw->len == dense_reader->size &&
        elem_kind(dense_reader->elem) != KIND_BOOL) {
        put_raw(dense_reader, b);
        return true;
    }
    if (elem_kind(dense_reader->elem) == KIND_BOOL && count > 0 && splat)
        return raw_bools(dense_reader, from, raw);
    if (raw->len % dense_reader->size != 0 || raw->len / dense_reader->size != count)
        return mlir_fail(dense_reader->mlir, from,
                         "expected %" PRIu64 " elements of %zu bytes, "
                         "found %zu bytes",
                         count, dense_reader->size, raw->len);
    for (size_t k = 0; k < raw->len; k += dense_reader->size)
        put_raw(dense_reader, b + k);
    return true;
}

// The bytes of a string "0x...".
static bool hex_bytes(struct mlir *mlir, uint32_t from, struct buf *out)
{
    const struct mlir_token *token = &mlir->tok.at[from];
    const char *text = mlir->text + token->at + 1;
    size_t n = token->len - 2;
    if (n < 2 || text[0] != '0' || text[1] != 'x' || n % 2 != 0)
        return mlir_fail(mlir, from, "expected \"0x\" and pairs of hex digits");
    for (size_t k = 2; k < n; k += 2) {
        int hi = hex_digit(text[k]), lo = hex_digit(text[k + 1]);
        if (hi < 0 || lo < 0)
            return mlir_fail(mlir, from, "expected \"0x\" and pairs of hex digits");
        buf_putc(out, (char)(hi * 16 + lo));
    }
    return true;
}

// ": type" behind the '>' at `close`.
static bool dense_type(struct mlir *mlir, uint32_t close, uint32_t *end,
                       struct dense_reader *dense_reader)
{
    *end = close + 1;
    if (!mlir_expect(mlir, end, ':', "':' and the type"))
        return false;
    uint32_t at = *end;
    if (!mlir_type(mlir, end, &dense_reader->type))
        return false;
    dense_reader->mlir = mlir;
    dense_reader->elem = type_elem(mlir->pool, dense_reader->type);
    if (!type_is_tensor(mlir->pool, dense_reader->type)) {
        if (mlir_word(mlir, at, "tensor") || mlir_word(mlir, at, "vector"))
            return true;
        return mlir_expected(mlir, at, "a tensor type");
    }
    dense_reader->size = elem_bytes(dense_reader->elem);
    dense_reader->rank = type_rank(mlir->pool, dense_reader->type);
    if (dense_reader->rank > 0)
        memcpy(dense_reader->dims, type_dims(mlir->pool, dense_reader->type),
               dense_reader->rank * sizeof *dense_reader->dims);
    dense_reader->count = type_count(mlir->pool, dense_reader->type);
    return true;
}

// Data of elements that are carried as text: one, or as many as there are.
static bool carried_data(struct dense_reader *dense_reader, uint32_t from, const struct buf *raw)
{
    size_t size = carried_bytes(dense_reader->carried);
    uint64_t count = (uint64_t)dense_reader->count;
    return size == 0 || raw->len == size || (raw->len % size == 0 && raw->len / size == count) ||
           mlir_fail(dense_reader->mlir, from,
                     "expected %" PRIu64 " elements of %zu bytes, found %zu bytes", count, size,
                     raw->len);
}

static bool body(struct dense_reader *dense_reader, uint32_t at, uint32_t close)
{
    struct mlir *mlir = dense_reader->mlir;
    if (at == close) {
        if (dense_reader->count != 0)
            return mlir_fail(mlir, at, "expected %" PRId64 " elements, found none",
                             dense_reader->count);
        return true;
    }
    if (mlir_kind(mlir, at) == T_STRING) {
        struct buf raw = {0};
        bool ok = hex_bytes(mlir, at, &raw) &&
                  (dense_reader->carried != NULL ? carried_data(dense_reader, at, &raw)
                                                 : raw_data(dense_reader, at, &raw, true));
        buf_release(&raw);
        at++;
        return ok && (at == close || mlir_expected(mlir, at, "'>'"));
    }
    bool ok = mlir_kind(mlir, at) == '[' ? list(dense_reader, &at, 0) : element(dense_reader, &at);
    return ok && (at == close || mlir_expected(mlir, at, "'>'"));
}

// The tokens [from, close) must be elements of the type at `at`, if that has numbers.
static bool check_carried(struct mlir *mlir, uint32_t from, uint32_t close, uint32_t at)
{
    struct carried carried;
    if (!carried_type(mlir, at, &carried))
        return true;
    struct dense_reader dense_reader = {
        .mlir = mlir, .rank = carried.rank, .count = carried.count, .carried = &carried};
    memcpy(dense_reader.dims, carried.dims, sizeof carried.dims);
    return body(&dense_reader, from, close);
}

static lit_id make_literal(struct dense_reader *dense_reader)
{
    static const char none[1];
    uint64_t n = dense_reader->count == 0 ? 0 : dense_reader->data.len / dense_reader->size;
    return literal_make(dense_reader->mlir->pool, dense_reader->elem, n,
                        n ? dense_reader->data.at : none);
}

bool mlir_dense(struct mlir *mlir, uint32_t *i, bool *known, lit_id *lit, type_id *type)
{
    struct dense_reader dense_reader = {0};
    uint32_t open = *i, end;
    if (!mlir_expect(mlir, i, '<', "'<'"))
        return false;
    uint32_t close = mlir->tok.at[open].match;
    if (!dense_type(mlir, close, &end, &dense_reader))
        return false;
    *type = dense_reader.type;
    *i = end;
    *known = type_is_tensor(mlir->pool, dense_reader.type);
    if (!*known)
        return check_carried(mlir, open + 1, close, close + 2);
    bool ok = body(&dense_reader, open + 1, close);
    if (ok)
        *lit = make_literal(&dense_reader);
    buf_release(&dense_reader.data);
    return ok;
}

// Token of the data of a resource; 0 = there is none, or too much was read.
static uint32_t find_resource(struct mlir *mlir, uint32_t name)
{
    if (name >= mlir->resource_of.len || mlir->resource_of.at[name] == 0)
        return 0;
    uint32_t data = mlir->resource_of.at[name];
    if (mlir->tok.at[data].len > mlir->resource_budget)
        return 0;
    mlir->resource_budget -= mlir->tok.at[data].len;
    return data;
}

bool mlir_dense_resource(struct mlir *mlir, uint32_t *i, bool *known, lit_id *lit, type_id *type)
{
    struct dense_reader dense_reader = {0};
    uint32_t open = *i, end;
    *known = false;
    if (!mlir_expect(mlir, i, '<', "'<'"))
        return false;
    if (mlir_kind(mlir, *i) != T_BARE && mlir_kind(mlir, *i) != T_STRING)
        return mlir_expected(mlir, *i, "the name of a resource");
    if (*i + 1 != mlir->tok.at[open].match)
        return mlir_expected(mlir, *i + 1, "'>'");
    uint32_t name;
    if (!mlir_resource_name(mlir, *i, &name) || !dense_type(mlir, *i + 1, &end, &dense_reader))
        return false;
    *i = end;
    *type = dense_reader.type;
    uint32_t data = find_resource(mlir, name);
    if (data == 0 || !type_is_tensor(mlir->pool, dense_reader.type))
        return true;
    struct buf raw = {0};
    bool ok = hex_bytes(mlir, data, &raw);
    // The first four bytes are the alignment.
    struct buf tail = {raw.len > 4 ? raw.at + 4 : raw.at, raw.len > 4 ? raw.len - 4 : 0, 0};
    if (ok && raw.len >= 4 && tail.len / dense_reader.size == (uint64_t)dense_reader.count &&
        tail.len % dense_reader.size == 0) {
        ok = raw_data(&dense_reader, data, &tail, false);
        *known = ok;
        if (ok) {
            *lit = make_literal(&dense_reader);
            mlir->tok.at[open - 1].flags |= TOKEN_DATA;
        }
    }
    buf_release(&dense_reader.data);
    buf_release(&raw);
    return ok;
}
