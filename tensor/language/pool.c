// SPDX-License-Identifier: Apache-2.0
// Each of the three tables is a flat array of id + 1, a power of two long, at
// most half full, probed linearly; hashes are recomputed from the contents,
// which are small, when a table grows.
#include "tensor/language/pool.h"
#include "base/text/buf.h"
#include "base/hash.h"
#include <assert.h>
#include <inttypes.h>

static uint64_t hash_ints(uint32_t n, const int64_t *values, uint64_t hash)
{
    for (uint32_t i = 0; i < n; i++)
        hash = hash_u64((uint64_t)values[i], hash);
    return hash_u64(n, hash);
}

// A type's contents lie in the ints, but for TYPE_OTHER: there `at` is all.
static uint64_t hash_type(enum type_form form, enum elem elem, uint32_t n, const int64_t *values)
{
    return hash_ints(n, values, hash_u64((uint64_t)form << 32 | elem, 1));
}

static uint64_t hash_literal(const struct literal *literal)
{
    uint64_t h = hash_u64((uint64_t)literal->elem << 1 | literal->splat, 3);
    return hash_u64(literal->bytes, hash_u64(literal->count, h));
}

// These tables are the pool's own: each node that a rule builds looks up its type and
// attributes here.  The keys are parts of one array of integers, which moves.
// Makes a table ready for one more entry; true if it was made anew, empty.
static bool slots_grow(struct u32_vec *slot, uint32_t n_entries)
{
    if (2 * (n_entries + 1) <= slot->len)
        return false;
    if (n_entries >= UINT32_MAX / 8)
        out_of_memory("a pool of %u entries", n_entries);
    uint32_t n = slot->len ? 2 * slot->len : 16;
    vec_reserve(slot, n);
    memset(slot->at, 0, n * sizeof *slot->at);
    slot->len = n;
    return true;
}

static void slots_put(struct u32_vec *slot, uint64_t hash, uint32_t id)
{
    uint32_t mask = slot->len - 1, i = (uint32_t)hash & mask;
    while (slot->at[i])
        i = (i + 1) & mask;
    slot->at[i] = id + 1;
}

// Walks the entries that may have the hash: the next id, false at the end.
static bool slots_next(const struct u32_vec *slot, uint32_t *i, uint32_t *id)
{
    uint32_t entry = slot->at[*i];
    *i = (*i + 1) & (slot->len - 1);
    *id = entry - 1;
    return entry != 0;
}

// Appends n integers, which may themselves be a part of the ints.
static uint32_t push_ints(struct pool *pool, uint32_t n, const int64_t *values)
{
    uint32_t at = pool->ints.len;
    if (!n)
        return at;
    uintptr_t base = (uintptr_t)pool->ints.at, from = (uintptr_t)values;
    bool inside = pool->ints.at && from >= base && from < base + (uintptr_t)at * sizeof *values;
    size_t offset = inside ? (from - base) / sizeof *values : 0;
    if (n > UINT32_MAX - at)
        out_of_memory("%u integers in a pool of %u", n, at);
    vec_reserve(&pool->ints, at + n);
    memmove(pool->ints.at + at, inside ? pool->ints.at + offset : values, n * sizeof *values);
    pool->ints.len += n;
    return at;
}

void pool_init(struct pool *pool)
{
    *pool = (struct pool){0};
    intern_init(&pool->symbols);
    vec_reserve(&pool->ints, 64); // never NULL, so that empty ranges have a place
    attr_make(pool, 0, NULL);
}

void pool_release(struct pool *pool)
{
    intern_release(&pool->symbols);
    vec_release(&pool->type);
    vec_release(&pool->attr);
    vec_release(&pool->literal);
    vec_release(&pool->ints);
    vec_release(&pool->type_slot);
    vec_release(&pool->attr_slot);
    vec_release(&pool->lit_slot);
}

// The contents of a type: dimensions, type ids, or the symbol of an OTHER.
static const int64_t *type_ints(const struct pool *pool, const struct type *type, int64_t *symbol)
{
    if (type->form != TYPE_OTHER)
        return pool->ints.at + type->at;
    *symbol = type->at;
    return symbol;
}

static uint32_t type_n_ints(const struct type *type)
{
    return type->form == TYPE_OTHER ? 1 : type->n;
}

static type_id intern_type(struct pool *pool, enum type_form form, enum elem elem, uint32_t n,
                           const int64_t *values)
{
    int64_t symbol;
    uint64_t hash = hash_type(form, elem, n, values);
    if (slots_grow(&pool->type_slot, pool->type.len)) {
        for (uint32_t id = 0; id < pool->type.len; id++) {
            const struct type *type = &pool->type.at[id];
            uint64_t h = hash_type(type->form, type->elem, type_n_ints(type),
                                   type_ints(pool, type, &symbol));
            slots_put(&pool->type_slot, h, id);
        }
    }
    uint32_t i = (uint32_t)hash & (pool->type_slot.len - 1), id;
    while (slots_next(&pool->type_slot, &i, &id)) {
        const struct type *t = &pool->type.at[id];
        if (t->form == form && t->elem == elem && type_n_ints(t) == n &&
            (!n || !memcmp(type_ints(pool, t, &symbol), values, n * sizeof *values)))
            return (type_id){id};
    }
    struct type t = {form, elem, n, 0};
    if (form == TYPE_OTHER) {
        t.n = 0;
        t.at = (uint32_t)values[0];
    } else {
        t.at = push_ints(pool, n, values);
    }
    vec_push(&pool->type, t);
    slots_put(&pool->type_slot, hash, pool->type.len - 1);
    return (type_id){pool->type.len - 1};
}

// The product of the sizes other than 0 must fit, too: strides are products of some of
// the sizes, and must not overflow in an empty tensor.
static bool check_dims(enum elem elem, uint32_t rank, const int64_t *dims, struct err *err)
{
    if (elem == ELEM_OTHER)
        return err_set(err, ERR_INPUT,
                       "expected an element type, found one that is kept as "
                       "text");
    if (rank > TENSOR_MAX_RANK)
        return err_set(err, ERR_INPUT, "expected a rank of at most %d, found %u", TENSOR_MAX_RANK,
                       rank);
    int64_t bytes = (int64_t)elem_bytes(elem);
    for (uint32_t i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return err_set(err, ERR_INPUT, "expected a dimension of 0 or more, found %" PRId64,
                           dims[i]);
        if (dims[i] > 0 && (__builtin_mul_overflow(bytes, dims[i], &bytes) ||
                            bytes >= INT64_C(1) << TENSOR_SIZE_BITS))
            return err_set(err, ERR_INPUT,
                           "expected a tensor of less than 2^62 bytes, found "
                           "more");
    }
    return true;
}

bool type_tensor(struct pool *pool, enum elem elem, uint32_t rank, const int64_t *dims,
                 type_id *out, struct err *err)
{
    if (!check_dims(elem, rank, dims, err))
        return false;
    *out = intern_type(pool, TYPE_TENSOR, elem, rank, dims);
    return true;
}

type_id type_other(struct pool *pool, const char *text)
{
    int64_t symbol = sym_make(pool, text).v;
    return intern_type(pool, TYPE_OTHER, ELEM_OTHER, 1, &symbol);
}

type_id type_tuple(struct pool *pool, uint32_t n, const type_id *types)
{
    struct i64_vec list = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&list, types[i].v);
    type_id type = intern_type(pool, TYPE_TUPLE, ELEM_OTHER, n, list.at);
    vec_release(&list);
    return type;
}

int64_t type_count(const struct pool *pool, type_id type)
{
    const int64_t *dims = type_dims(pool, type);
    int64_t n = 1;
    for (uint32_t i = 0; i < type_rank(pool, type); i++)
        n *= dims[i];
    return n;
}

bool type_same_shape(const struct pool *pool, type_id a, type_id b)
{
    if (!type_is_tensor(pool, a) || !type_is_tensor(pool, b))
        return false;
    uint32_t n = type_rank(pool, a);
    return n == type_rank(pool, b) &&
           (!n || !memcmp(type_dims(pool, a), type_dims(pool, b), n * sizeof(int64_t)));
}

type_id tuple_type(const struct pool *pool, type_id type, uint32_t k)
{
    const struct type *tuple = pool_type(pool, type);
    assert(tuple->form == TYPE_TUPLE && k < tuple->n);
    return (type_id){(uint32_t)pool->ints.at[tuple->at + k]};
}

void type_print(const struct pool *pool, type_id type, struct buf *out)
{
    const struct type *ty = pool_type(pool, type);
    switch (ty->form) {
    case TYPE_OTHER:
        buf_puts(out, intern_text(&pool->symbols, ty->at));
        break;
    case TYPE_TUPLE:
        buf_putc(out, '(');
        for (uint32_t k = 0; k < ty->n; k++) {
            if (k)
                buf_puts(out, ", ");
            type_print(pool, tuple_type(pool, type, k), out);
        }
        buf_putc(out, ')');
        break;
    case TYPE_TENSOR:
        buf_puts(out, "tensor<");
        for (uint32_t i = 0; i < ty->n; i++)
            buf_printf(out, "%" PRId64 "x", pool->ints.at[ty->at + i]);
        buf_printf(out, "%s>", elem_text(ty->elem));
        break;
    }
}

attr_id attr_make(struct pool *pool, uint32_t n, const int64_t *values)
{
    uint64_t hash = hash_ints(n, values, 2);
    if (slots_grow(&pool->attr_slot, pool->attr.len)) {
        for (uint32_t id = 0; id < pool->attr.len; id++) {
            const struct attr *attr = &pool->attr.at[id];
            slots_put(&pool->attr_slot, hash_ints(attr->n, pool->ints.at + attr->at, 2), id);
        }
    }
    uint32_t i = (uint32_t)hash & (pool->attr_slot.len - 1), id;
    while (slots_next(&pool->attr_slot, &i, &id)) {
        const struct attr *a = &pool->attr.at[id];
        if (a->n == n && (!n || !memcmp(pool->ints.at + a->at, values, n * sizeof *values)))
            return (attr_id){id};
    }
    struct attr a = {push_ints(pool, n, values), n};
    vec_push(&pool->attr, a);
    slots_put(&pool->attr_slot, hash, pool->attr.len - 1);
    return (attr_id){pool->attr.len - 1};
}

uint32_t attr_len(const struct pool *pool, attr_id attr)
{
    assert(attr.v < pool->attr.len);
    return pool->attr.at[attr.v].n;
}

const int64_t *attr_at(const struct pool *pool, attr_id attr)
{
    assert(attr.v < pool->attr.len);
    return pool->ints.at + pool->attr.at[attr.v].at;
}

static lit_id intern_literal(struct pool *pool, enum elem elem, bool splat, uint64_t count,
                             const void *data)
{
    size_t bytes = (size_t)count * elem_bytes(elem);
    struct literal literal = {elem, splat, count, intern_bytes(&pool->symbols, data, bytes)};
    uint64_t hash = hash_literal(&literal);
    if (slots_grow(&pool->lit_slot, pool->literal.len))
        for (uint32_t id = 0; id < pool->literal.len; id++)
            slots_put(&pool->lit_slot, hash_literal(&pool->literal.at[id]), id);
    uint32_t i = (uint32_t)hash & (pool->lit_slot.len - 1), id;
    while (slots_next(&pool->lit_slot, &i, &id)) {
        const struct literal *k = &pool->literal.at[id];
        if (k->elem == elem && k->splat == splat && k->count == count && k->bytes == literal.bytes)
            return (lit_id){id};
    }
    vec_push(&pool->literal, literal);
    slots_put(&pool->lit_slot, hash, pool->literal.len - 1);
    return (lit_id){pool->literal.len - 1};
}

// Types below a byte have several storages of one value: only the one that
// scalar_store writes is interned.
static lit_id intern_small(struct pool *pool, enum elem elem, uint64_t count, const void *data)
{
    unsigned char *clean = mem_alloc(count);
    for (uint64_t i = 0; i < count; i++)
        scalar_store(elem, clean, i, scalar_load(elem, data, i));
    bool splat = !memcmp(clean, clean + 1, count - 1);
    lit_id literal = intern_literal(pool, elem, splat, splat ? 1 : count, clean);
    mem_free(clean);
    return literal;
}

lit_id literal_make(struct pool *pool, enum elem elem, uint64_t count, const void *data)
{
    size_t n = elem_bytes(elem);
    if (!n || count > SIZE_MAX / n)
        BUG("no literal of %" PRIu64 " elements of type %s", count, elem_text(elem));
    if (count == 0)
        return intern_literal(pool, elem, false, 0, NULL);
    if (elem_bits(elem) > 0 && elem_bits(elem) < 8)
        return intern_small(pool, elem, count, data);
    const char *bytes = data; // all alike: equal to itself moved by one
    bool splat = !memcmp(bytes, bytes + n, (size_t)(count - 1) * n);
    return intern_literal(pool, elem, splat, splat ? 1 : count, data);
}

lit_id literal_splat(struct pool *pool, enum elem elem, struct scalar scalar)
{
    unsigned char data[16];
    scalar_store(elem, data, 0, scalar);
    return intern_literal(pool, elem, true, 1, data);
}

const struct literal *pool_literal(const struct pool *pool, lit_id literal)
{
    assert(literal.v < pool->literal.len);
    return &pool->literal.at[literal.v];
}

const void *literal_data(const struct pool *pool, lit_id literal)
{
    return intern_text(&pool->symbols, pool_literal(pool, literal)->bytes);
}

struct scalar literal_get(const struct pool *pool, lit_id literal, uint64_t index)
{
    const struct literal *k = pool_literal(pool, literal);
    assert(k->splat || index < k->count);
    return scalar_load(k->elem, literal_data(pool, literal), k->splat ? 0 : index);
}

sym_id sym_make(struct pool *pool, const char *text)
{
    return (sym_id){intern_str(&pool->symbols, text)};
}

const char *sym_text(const struct pool *pool, sym_id symbol)
{
    return intern_text(&pool->symbols, symbol.v);
}
