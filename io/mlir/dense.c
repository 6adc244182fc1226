// SPDX-License-Identifier: Apache-2.0
// dense<...> and dense_resource<...>: the data of constants.  Memory follows
// the text, never the type: a splat of any size is one element.
#include "io/mlir/mlir.h"
#include <errno.h>
#include <inttypes.h>

struct dense_reader {
    struct mlir *m;
    enum elem elem;
    size_t size; // bytes of one element
    type_id type;
    uint32_t rank;
    int64_t dims[MAX_RANK];
    int64_t count;
    struct buf data;
};

// The elements i2 and i4 (ui2, ui4) are stored like scalar_of_int gives them.
static void put(struct dense_reader *d, struct scalar s)
{
    unsigned char raw[16] = {0};
    scalar_store(d->elem, raw, 0, s);
    buf_write(&d->data, raw, d->size);
}

// A number of up to 64 bits from its digits.
static bool magnitude(struct dense_reader *d, uint32_t i, uint64_t *out)
{
    const struct mlir_token *t = &d->m->tok.at[i];
    char digits[72];
    if (t->len >= sizeof digits)
        return mlir_fail(d->m, i, "the number does not fit in 64 bits");
    memcpy(digits, d->m->text + t->at, t->len);
    digits[t->len] = '\0';
    bool hex = t->len > 2 && digits[1] == 'x';
    errno = 0;
    *out = strtoull(digits, NULL, hex ? 16 : 10);
    if (errno == ERANGE)
        return mlir_fail(d->m, i, "the number does not fit in 64 bits");
    return true;
}

static bool put_int(struct dense_reader *d, uint32_t i, bool negative)
{
    unsigned bits = elem_bits(d->elem);
    uint64_t x, most = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    if (!magnitude(d, i, &x))
        return false;
    uint64_t half = 1ull << (bits - 1);
    if (negative && elem_kind(d->elem) == KIND_UINT && x != 0)
        return mlir_fail(d->m, i,
                         "expected an element of %s, found a negative "
                         "number",
                         elem_text(d->elem));
    if (x > (negative ? half : most))
        return mlir_fail(d->m, i, "the number does not fit in %s",
                         elem_text(d->elem));
    if (negative)
        x = 0 - x;
    put(d, scalar_of_int(d->elem, (int64_t)(x & most)));
    return true;
}

static bool put_float(struct dense_reader *d, uint32_t i, bool negative)
{
    const struct mlir_token *t = &d->m->tok.at[i];
    if (t->kind == T_INT) {
        uint64_t x;
        unsigned bits = elem_bits(d->elem);
        if (t->len < 3 || d->m->text[t->at + 1] != 'x')
            return mlir_expected(d->m, i, "a float such as 1.0");
        if (negative)
            return mlir_fail(d->m, i,
                             "expected no sign in front of the bits "
                             "of a float");
        if (!magnitude(d, i, &x))
            return false;
        if (bits < 64 && x >> bits != 0)
            return mlir_fail(d->m, i, "the bits do not fit in %s",
                             elem_text(d->elem));
        put(d, (struct scalar){.bits = x});
        return true;
    }
    char stack[128], *text = stack;
    if (t->len >= sizeof stack)
        text = mem_alloc(t->len + 1u);
    memcpy(text, d->m->text + t->at, t->len);
    text[t->len] = '\0';
    double x = strtod(text, NULL);
    if (text != stack)
        mem_free(text);
    put(d, scalar_of_double(d->elem, negative ? -x : x));
    return true;
}

static bool element(struct dense_reader *d, uint32_t *i)
{
    struct mlir *m = d->m;
    enum elem_kind kind = elem_kind(d->elem);
    if (kind == KIND_BOOL &&
        (mlir_word(m, *i, "true") || mlir_word(m, *i, "false"))) {
        put(d, scalar_of_int(d->elem, mlir_word(m, *i, "true")));
        ++*i;
        return true;
    }
    bool negative = mlir_accept(m, i, '-');
    uint16_t k = mlir_kind(m, *i);
    bool ok;
    if (kind == KIND_FLOAT) {
        if (k != T_FLOAT && k != T_INT)
            return mlir_expected(m, *i, "a float such as 1.0");
        ok = put_float(d, *i, negative);
    } else {
        if (k != T_INT)
            return mlir_expected(
                m, *i, kind == KIND_BOOL ? "true or false" : "an integer");
        ok = put_int(d, *i, negative);
    }
    ++*i;
    return ok;
}

// The list at *i, of dimension `dim`.
static bool list(struct dense_reader *d, uint32_t *i, uint32_t dim)
{
    struct mlir *m = d->m;
    uint32_t open = *i, close = m->tok.at[open].match;
    if (dim == d->rank)
        return mlir_fail(m, open,
                         "the lists are nested deeper than the rank "
                         "%u",
                         d->rank);
    int64_t n = 0;
    for (++*i; *i != close; n++) {
        if (n > 0 && !mlir_expect(m, i, ',', "',' or ']'"))
            return false;
        if (n == d->dims[dim])
            break;
        if (dim + 1 == d->rank) {
            if (mlir_kind(m, *i) == '[')
                return mlir_fail(m, *i,
                                 "the lists are nested deeper than the rank "
                                 "%u",
                                 d->rank);
            if (!element(d, i))
                return false;
        } else {
            if (mlir_kind(m, *i) != '[')
                return mlir_expected(m, *i, "'[', as the rank demands");
            if (!list(d, i, dim + 1))
                return false;
        }
    }
    if (*i != close || n != d->dims[dim])
        return mlir_fail(m, *i,
                         "expected %" PRId64 " elements along dimension %u, "
                         "found %s",
                         d->dims[dim], dim, *i == close ? "fewer" : "more");
    ++*i;
    return true;
}

static void put_raw(struct dense_reader *d, const unsigned char *raw)
{
    struct scalar s = scalar_load(d->elem, raw, 0);
    unsigned bits = elem_bits(d->elem);
    if (elem_kind(d->elem) == KIND_BOOL)
        s.bits = raw[0] != 0;
    else if (bits < 8)
        s = scalar_of_int(d->elem, raw[0] & ((1 << bits) - 1));
    put(d, s);
}

// i1: bits packed, 8 per byte, or one byte per element: the length decides.
static bool raw_bools(struct dense_reader *d, uint32_t i, const struct buf *raw)
{
    const unsigned char *b = (const unsigned char *)raw->at;
    uint64_t count = (uint64_t)d->count, packed = count / 8 + (count % 8 != 0);
    bool uniform = raw->len == 1 && (b[0] == 0 || b[0] == 0xFF);
    if (raw->len == 1 && (uniform || (b[0] == 1 && count > 8))) {
        put_raw(d, b);
        return true;
    }
    if (raw->len == count) {
        for (uint64_t k = 0; k < count; k++)
            put_raw(d, b + k);
        return true;
    }
    if (raw->len == 1 && b[0] == 1)
        return mlir_fail(d->m, i,
                         "one byte for several elements of i1 can be "
                         "a splat or packed bits: write a list");
    if (raw->len != packed)
        return mlir_fail(d->m, i,
                         "expected %" PRIu64 " or %" PRIu64
                         " bytes of data, found %zu",
                         count, packed, raw->len);
    for (uint64_t k = 0; k < count; k++) {
        unsigned char bit = (unsigned char)(b[k / 8] >> (k % 8) & 1);
        put_raw(d, &bit);
    }
    return true;
}

static bool raw_data(struct dense_reader *d, uint32_t i, const struct buf *raw,
                     bool splat)
{
    const unsigned char *b = (const unsigned char *)raw->at;
    uint64_t count = (uint64_t)d->count;
    if (count > 1 && splat && raw->len == d->size &&
        elem_kind(d->elem) != KIND_BOOL) {
        put_raw(d, b);
        return true;
    }
    if (elem_kind(d->elem) == KIND_BOOL && count > 0 && splat)
        return raw_bools(d, i, raw);
    if (raw->len % d->size != 0 || raw->len / d->size != count)
        return mlir_fail(d->m, i,
                         "expected %" PRIu64 " elements of %zu bytes, "
                         "found %zu bytes",
                         count, d->size, raw->len);
    for (size_t k = 0; k < raw->len; k += d->size)
        put_raw(d, b + k);
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The bytes of a string "0x...".
static bool hex_bytes(struct mlir *m, uint32_t i, struct buf *out)
{
    const struct mlir_token *t = &m->tok.at[i];
    const char *s = m->text + t->at + 1;
    size_t n = t->len - 2;
    if (n < 2 || s[0] != '0' || s[1] != 'x' || n % 2 != 0)
        return mlir_fail(m, i, "expected \"0x\" and pairs of hex digits");
    for (size_t k = 2; k < n; k += 2) {
        int hi = hex_digit(s[k]), lo = hex_digit(s[k + 1]);
        if (hi < 0 || lo < 0)
            return mlir_fail(m, i, "expected \"0x\" and pairs of hex digits");
        buf_putc(out, (char)(hi * 16 + lo));
    }
    return true;
}

// ": type" behind the '>' at `close`.
static bool dense_type(struct mlir *m, uint32_t close, uint32_t *end,
                       struct dense_reader *d)
{
    *end = close + 1;
    if (!mlir_expect(m, end, ':', "':' and the type"))
        return false;
    uint32_t at = *end;
    if (!mlir_type(m, end, &d->type))
        return false;
    d->m = m;
    d->elem = type_elem(m->pool, d->type);
    if (!type_is_tensor(m->pool, d->type)) {
        if (mlir_word(m, at, "tensor") || mlir_word(m, at, "vector"))
            return true;
        return mlir_expected(m, at, "a tensor type");
    }
    d->size = elem_bytes(d->elem);
    d->rank = type_rank(m->pool, d->type);
    if (d->rank > 0)
        memcpy(d->dims, type_dims(m->pool, d->type), d->rank * sizeof *d->dims);
    d->count = type_count(m->pool, d->type);
    return true;
}

static bool body(struct dense_reader *d, uint32_t i, uint32_t close)
{
    struct mlir *m = d->m;
    if (i == close) {
        if (d->count != 0)
            return mlir_fail(m, i, "expected %" PRId64 " elements, found none",
                             d->count);
        return true;
    }
    if (mlir_kind(m, i) == T_STRING) {
        struct buf raw = {0};
        bool ok = hex_bytes(m, i, &raw) && raw_data(d, i, &raw, true);
        buf_release(&raw);
        i++;
        return ok && (i == close || mlir_expected(m, i, "'>'"));
    }
    bool ok = mlir_kind(m, i) == '[' ? list(d, &i, 0) : element(d, &i);
    return ok && (i == close || mlir_expected(m, i, "'>'"));
}

static lit_id make_literal(struct dense_reader *d)
{
    static const char none[1];
    uint64_t n = d->count == 0 ? 0 : d->data.len / d->size;
    return literal_make(d->m->pool, d->elem, n, n ? d->data.at : none);
}

bool mlir_dense(struct mlir *m, uint32_t *i, bool *known, lit_id *lit,
                type_id *type)
{
    struct dense_reader d = {0};
    uint32_t open = *i, end;
    if (!mlir_expect(m, i, '<', "'<'"))
        return false;
    uint32_t close = m->tok.at[open].match;
    if (!dense_type(m, close, &end, &d))
        return false;
    *type = d.type;
    *i = end;
    *known = type_is_tensor(m->pool, d.type);
    if (!*known)
        return true;
    bool ok = body(&d, open + 1, close);
    if (ok)
        *lit = make_literal(&d);
    buf_release(&d.data);
    return ok;
}

// Token of the data of a resource; 0 = not there, or too much was read.
static uint32_t find_resource(struct mlir *m, uint32_t i)
{
    uint32_t name = mlir_name(m, i);
    if (name >= m->resource_of.len || m->resource_of.at[name] == 0)
        return 0;
    uint32_t data = m->resource_of.at[name];
    if (m->tok.at[data].len > m->resource_budget)
        return 0;
    m->resource_budget -= m->tok.at[data].len;
    return data;
}

bool mlir_dense_resource(struct mlir *m, uint32_t *i, bool *known, lit_id *lit,
                         type_id *type)
{
    struct dense_reader d = {0};
    uint32_t open = *i, end;
    *known = false;
    if (!mlir_expect(m, i, '<', "'<'"))
        return false;
    if (mlir_kind(m, *i) != T_BARE && mlir_kind(m, *i) != T_STRING)
        return mlir_expected(m, *i, "the name of a resource");
    if (*i + 1 != m->tok.at[open].match)
        return mlir_expected(m, *i + 1, "'>'");
    uint32_t name = *i;
    if (!dense_type(m, *i + 1, &end, &d))
        return false;
    *i = end;
    *type = d.type;
    uint32_t data = find_resource(m, name);
    if (data == 0 || !type_is_tensor(m->pool, d.type))
        return true;
    struct buf raw = {0};
    bool ok = hex_bytes(m, data, &raw);
    // Four bytes in front say the alignment.
    struct buf tail = {raw.len > 4 ? raw.at + 4 : raw.at,
                       raw.len > 4 ? raw.len - 4 : 0, 0};
    if (ok && raw.len >= 4 && tail.len / d.size == (uint64_t)d.count &&
        tail.len % d.size == 0) {
        ok = raw_data(&d, data, &tail, false);
        *known = ok;
        if (ok)
            *lit = make_literal(&d);
    }
    buf_release(&d.data);
    buf_release(&raw);
    return ok;
}
