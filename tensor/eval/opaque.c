// SPDX-License-Identifier: Apache-2.0
// Opaque nodes as fixed pseudo-random functions.  Two programs that differ by
// a correct rewrite hand an opaque node nearly equal floats and must get nearly
// equal results; a wrong rewrite should show.  So floats enter only through
//
//   sin(asinh(x)), cos(asinh(x))   bounded; a relative change of x by r moves
//                                  them by at most r, at any magnitude of x;
//                                  together they hide no change of x
//
// summed with random weights: over each whole operand (its digest) and at two
// random places of each operand for every result element.  Discrete operands
// are hashed and choose the weights.  The mixing is this file's own and
// never seeded, because these numbers reach the output.
#include "tensor/eval/parts.h"
#include <math.h>

#define LOCAL_PLACES 2

static uint64_t mix(uint64_t hash, uint64_t x) // splitmix64's finalizer
{
    hash += x + UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
    return hash ^ hash >> 31;
}

static uint64_t mix_text(uint64_t hash, const char *text, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
    return mix(hash, n);
}

static double weight(uint64_t hash) // in [-1, 1)
{
    return (double)(hash >> 11) * 0x1p-52 - 1;
}

struct squashed_float {
    double sine, cosine;
};

static struct squashed_float squash(double x)
{
    if (!isfinite(x)) // any fixed points will do
        return (struct squashed_float){isnan(x) ? 0.5 : copysign(1, x), 0.5};
    double a = asinh(x);
    return (struct squashed_float){sin(a), cos(a)};
}

static double project(struct squashed_float squashed_float, uint64_t hash)
{
    return squashed_float.sine * weight(hash) + squashed_float.cosine * weight(mix(hash, 1));
}

static bool is_float(enum elem elem)
{
    return elem_kind(elem) == KIND_FLOAT;
}

// An operand ready for use: its digest and, if float, its squashed elements.
struct opaque_operand {
    struct digest digest;
    uint64_t count;
    struct squashed_float *squashed; // NULL: none
};

static void digest_floats(enum elem elem, const void *data, struct opaque_operand *operand)
{
    operand->squashed = mem_alloc(sizeof *operand->squashed * (operand->count + 1));
    double scale = 1 / sqrt((double)operand->count + 1);
    for (uint64_t i = 0; i < operand->count; i++) {
        struct scalar scalar = scalar_load(elem, data, i);
        operand->squashed[i] = squash(scalar_to_double(elem, scalar));
        for (uint64_t k = 0; k < DIGEST_SUMS; k++)
            operand->digest.sum[k] += scale * project(operand->squashed[i], mix(k, i));
    }
}

static uint64_t mix_discrete(uint64_t hash, enum elem elem, const void *data, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        struct scalar scalar = scalar_load(elem, data, i);
        hash = mix(hash, elem_is_ideal(elem) ? (uint64_t)scalar.num : scalar.bits);
        if (elem_is_ideal(elem))
            hash = mix(hash, (uint64_t)scalar.den);
    }
    return hash;
}

static uint64_t mix_type(const struct pool *pool, uint64_t hash, type_id t)
{
    const struct type *type = pool_type(pool, t);
    const char *name = elem_text(type->elem);
    hash = mix(mix_text(hash, name, (uint32_t)strlen(name)), type->form);
    if (type->form == TYPE_OTHER) {
        const char *text = sym_text(pool, (sym_id){type->at});
        return mix_text(hash, text, (uint32_t)strlen(text));
    }
    for (uint32_t i = 0; type->form == TYPE_TENSOR && i < type->n; i++)
        hash = mix(hash, (uint64_t)type_dims(pool, t)[i]);
    return hash;
}

static void add_digest(struct digest *d, uint64_t salt, const struct digest *x)
{
    d->hash = mix(d->hash, x->hash);
    for (uint64_t k = 0; k < DIGEST_SUMS; k++)
        for (uint64_t s = 0; s < DIGEST_SUMS; s++)
            d->sum[k] += 0.5 * x->sum[s] * weight(mix(mix(salt, k), s));
}

static void read_operand(const struct pool *pool, const struct opaque_value *arg,
                         struct opaque_operand *operand)
{
    const struct value *value = &arg->value;
    operand->digest.hash = mix_type(pool, 0, value->type);
    if (value->data == NULL && type_is_tensor(pool, value->type))
        return; // of a side effect in a region
    if (type_is_tensor(pool, value->type)) {
        enum elem elem = type_elem(pool, value->type);
        operand->count = (uint64_t)type_count(pool, value->type);
        if (is_float(elem))
            digest_floats(elem, value->data, operand);
        else
            operand->digest.hash =
                mix_discrete(operand->digest.hash, elem, value->data, operand->count);
        return;
    }
    const struct type *type = pool_type(pool, value->type);
    uint32_t n = type->form == TYPE_TUPLE ? type->n : 1;
    for (uint32_t i = 0; arg->digest && i < n; i++)
        add_digest(&operand->digest, i, &arg->digest[i]);
}

struct opaque_call {
    const struct pool *pool;
    struct arena *arena;
    uint64_t hash; // text, number of results, everything discrete
    uint32_t n;
    struct opaque_operand *operand;
};

// The float of result element `h`: between about -2 and 2.
static double float_at(const struct opaque_call *opaque_call, uint64_t hash)
{
    double sum = weight(mix(hash, opaque_call->n));
    for (uint32_t i = 0; i < opaque_call->n; i++) {
        const struct opaque_operand *operand = &opaque_call->operand[i];
        uint64_t salt = mix(hash, i);
        for (uint64_t k = 0; k < DIGEST_SUMS; k++)
            sum += operand->digest.sum[k] * weight(mix(salt, k));
        for (uint64_t k = 0; operand->squashed && operand->count && k < LOCAL_PLACES; k++) {
            uint64_t place = mix(salt, DIGEST_SUMS + k);
            sum += project(operand->squashed[place % operand->count], mix(place, k));
        }
    }
    return sum / sqrt((double)opaque_call->n + 1);
}

static struct scalar discrete_at(enum elem elem, uint64_t hash)
{
    if (elem_kind(elem) == KIND_BOOL)
        return scalar_of_int(elem, hash & 1);
    int64_t x = (int64_t)(hash % 9);
    return scalar_of_int(elem, elem_kind(elem) == KIND_UINT ? x : x - 4);
}

// Result k, without or with data.
static bool make_result(const struct opaque_call *opaque_call, uint64_t k, type_id type,
                        struct value *out, struct digest *digest, struct err *err)
{
    uint64_t h = mix_type(opaque_call->pool, mix(opaque_call->hash, k), type);
    *out = (struct value){.type = type};
    if (!type_is_tensor(opaque_call->pool, type)) {
        digest->hash = h;
        for (uint32_t i = 0; i < opaque_call->n; i++)
            add_digest(digest, mix(h, i), &opaque_call->operand[i].digest);
        return true;
    }
    if (!value_new(opaque_call->pool, type, opaque_call->arena, out, err))
        return false;
    enum elem elem = type_elem(opaque_call->pool, type);
    int64_t count = type_count(opaque_call->pool, type);
    for (int64_t i = 0; i < count; i++) {
        uint64_t at = mix(h, (uint64_t)i);
        struct scalar scalar = is_float(elem) && !elem_is_ideal(elem)
                                   ? scalar_of_double(elem, float_at(opaque_call, at))
                                   : discrete_at(elem, at);
        scalar_store(elem, out->data, (size_t)i, scalar);
    }
    return true;
}

static bool make_results(const struct opaque_call *opaque_call, type_id type,
                         struct opaque_value *out, struct err *err)
{
    struct arena *arena = opaque_call->arena;
    const struct type *tuple = pool_type(opaque_call->pool, type);
    bool is_tuple = tuple->form == TYPE_TUPLE;
    uint32_t n = is_tuple ? tuple->n : 1;
    struct digest *digest = ARENA_NEW(arena, struct digest, n + 1);
    struct value *value = ARENA_NEW(arena, struct value, n + 1);
    for (uint32_t k = 0; k < n; k++)
        if (!make_result(opaque_call, k, is_tuple ? tuple_type(opaque_call->pool, type, k) : type,
                         &value[k], &digest[k], err))
            return false;
    out->value = is_tuple ? (struct value){.type = type, .data = value} : value[0];
    out->digest = digest;
    return true;
}

bool opaque_eval(const struct pool *pool, struct operation operation,
                 const struct opaque_value *args, struct arena *arena, struct opaque_value *out,
                 struct err *err)
{
    const int64_t *v = attr_at(pool, operation.attr);
    uint32_t n = operation.n;
    sym_id text = {(uint32_t)v[0]};
    struct opaque_call opaque_call = {.pool = pool, .arena = arena, .n = n};
    opaque_call.operand = mem_alloc(sizeof *opaque_call.operand * ((size_t)n + 1));
    opaque_call.hash = mix_text(0, sym_text(pool, text), intern_len(&pool->symbols, text.v));
    opaque_call.hash = mix(opaque_call.hash, (uint64_t)v[1]);
    for (uint32_t i = 0; i < n; i++) {
        read_operand(pool, &args[i], &opaque_call.operand[i]);
        opaque_call.hash = mix(opaque_call.hash, opaque_call.operand[i].digest.hash);
    }
    bool ok = make_results(&opaque_call, operation.type, out, err);
    for (uint32_t i = 0; i < n; i++)
        mem_free(opaque_call.operand[i].squashed);
    mem_free(opaque_call.operand);
    return ok;
}

bool result_eval(const struct pool *pool, attr_id attr, type_id type,
                 const struct opaque_value *arg, struct opaque_value *out, struct err *err)
{
    const struct type *tuple = pool_type(pool, arg->value.type);
    int64_t k = attr_at(pool, attr)[0];
    if (tuple->form != TYPE_TUPLE || k < 0 || k >= (int64_t)tuple->n || !arg->value.data ||
        tuple_type(pool, arg->value.type, (uint32_t)k).v != type.v)
        return err_set(err, ERR_INPUT, "there is no result %lld of this type", (long long)k);
    out->value = ((const struct value *)arg->value.data)[k];
    out->digest = arg->digest ? &arg->digest[k] : NULL;
    return true;
}
