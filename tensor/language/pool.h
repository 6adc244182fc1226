// SPDX-License-Identifier: Apache-2.0
// The pool: the interned objects that terms name by id.  These are types, attribute
// vectors, literals (the data of constants) and symbols.  Equal contents have equal ids.
// Pointers returned by pool_* are borrowed until the next call that interns.
#ifndef TENSOR_LANGUAGE_POOL_H
#define TENSOR_LANGUAGE_POOL_H

#include "base/err.h"
#include "base/memory/intern.h"
#include "base/memory/vec.h"
#include "tensor/language/elem.h"
#include "tensor/limits.h"
#include <assert.h>

typedef struct {
    uint32_t v;
} type_id;
typedef struct {
    uint32_t v;
} attr_id;
typedef struct {
    uint32_t v;
} lit_id;
typedef struct {
    uint32_t v;
} sym_id;

#define NO_TYPE ((type_id){UINT32_MAX})
#define NO_ATTR ((attr_id){0}) // the empty vector, always id 0
#define NO_LIT ((lit_id){UINT32_MAX})

enum type_form {
    TYPE_TENSOR, // elem, dims, all static
    TYPE_OTHER,  // kept as text; elem = ELEM_OTHER
    TYPE_TUPLE,  // the results of an opaque node with several results
};

struct type {
    enum type_form form;
    enum elem elem;
    uint32_t n;  // TENSOR: rank; TUPLE: number of types
    uint32_t at; // first dimension / first type id in the pool; OTHER: symbol
};

struct literal {
    enum elem elem;
    bool splat;     // one element stands for all
    uint64_t count; // elements stored (1 for a splat; 0: an empty tensor)
    uint32_t bytes; // id of the bytes, elem_bytes each
};

struct attr {
    uint32_t at, n;
};

struct pool {
    struct intern symbols; // also the bytes of literals, OTHER types, templates
    VEC(struct type) type;
    VEC(struct attr) attr;
    VEC(struct literal) literal;
    struct i64_vec ints;                           // dims and attribute values
    struct u32_vec type_slot, attr_slot, lit_slot; // hash tables: id + 1
};

void pool_init(struct pool *pool);
void pool_release(struct pool *pool);

// Types.  Dimensions are >= 0 and rank <= TENSOR_MAX_RANK.  type_tensor fails if the
// number of elements or bytes does not fit in 62 bits.
bool type_tensor(struct pool *pool, enum elem elem, uint32_t rank, const int64_t *dims,
                 type_id *out, struct err *err);
type_id type_other(struct pool *pool, const char *text);
type_id type_tuple(struct pool *pool, uint32_t n, const type_id *types);
static inline const struct type *pool_type(const struct pool *pool, type_id type)
{
    assert(type.v < pool->type.len);
    return &pool->type.at[type.v];
}
static inline enum elem type_elem(const struct pool *pool, type_id type)
{
    return pool_type(pool, type)->elem;
}
static inline bool type_is_tensor(const struct pool *pool, type_id type)
{
    return pool_type(pool, type)->form == TYPE_TENSOR;
}
// Of tensors only.
static inline uint32_t type_rank(const struct pool *pool, type_id type)
{
    assert(type_is_tensor(pool, type));
    return pool_type(pool, type)->n;
}
static inline const int64_t *type_dims(const struct pool *pool, type_id type)
{
    assert(type_is_tensor(pool, type));
    return pool->ints.at + pool_type(pool, type)->at;
}
int64_t type_count(const struct pool *pool, type_id type); // number of elements
bool type_same_shape(const struct pool *pool, type_id a, type_id b);
type_id tuple_type(const struct pool *pool, type_id type, uint32_t k);
struct buf;
void type_print(const struct pool *pool, type_id type, struct buf *out); // MLIR text

attr_id attr_make(struct pool *pool, uint32_t n, const int64_t *values);
uint32_t attr_len(const struct pool *pool, attr_id attr);
const int64_t *attr_at(const struct pool *pool, attr_id attr);

// A literal of `count` elements of elem_bytes each.  If all elements are bit-equal, then
// the literal is a splat: so one element is a splat.  No element: a literal of count 0.
lit_id literal_make(struct pool *pool, enum elem elem, uint64_t count, const void *data);
lit_id literal_splat(struct pool *pool, enum elem elem, struct scalar scalar);
const struct literal *pool_literal(const struct pool *pool, lit_id literal);
const void *literal_data(const struct pool *pool, lit_id literal);
struct scalar literal_get(const struct pool *pool, lit_id literal, uint64_t index);

sym_id sym_make(struct pool *pool, const char *text);
const char *sym_text(const struct pool *pool, sym_id symbol);

#endif
