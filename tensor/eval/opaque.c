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

static uint64_t mix(uint64_t h, uint64_t x) // splitmix64's finalizer
{
    h += x + UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ h >> 27) * UINT64_C(0x94D049BB133111EB);
    return h ^ h >> 31;
}

static uint64_t mix_text(uint64_t h, const char *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001B3);
    return mix(h, n);
}

static double weight(uint64_t h) // in [-1, 1)
{
    return (double)(h >> 11) * 0x1p-52 - 1;
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

static double project(struct squashed_float a, uint64_t h)
{
    return a.sine * weight(h) + a.cosine * weight(mix(h, 1));
}

static bool is_float(enum elem t)
{
    return elem_kind(t) == KIND_FLOAT;
}

// An operand ready for use: its digest and, if float, its squashed elements.
struct opaque_operand {
    struct digest digest;
    uint64_t count;
    struct squashed_float *squashed; // NULL: none
};

static void digest_floats(enum elem t, const void *data, struct opaque_operand *o)
{
    o->squashed = mem_alloc(sizeof *o->squashed * (o->count + 1));
    double scale = 1 / sqrt((double)o->count + 1);
    for (uint64_t i = 0; i < o->count; i++) {
        struct scalar s = scalar_load(t, data, i);
        o->squashed[i] = squash(scalar_to_double(t, s));
        for (uint64_t k = 0; k < DIGEST_SUMS; k++)
            o->digest.sum[k] += scale * project(o->squashed[i], mix(k, i));
    }
}

static uint64_t mix_discrete(uint64_t h, enum elem t, const void *data,
                             uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        struct scalar s = scalar_load(t, data, i);
        h = mix(h, elem_is_ideal(t) ? (uint64_t)s.num : s.bits);
        if (elem_is_ideal(t))
            h = mix(h, (uint64_t)s.den);
    }
    return h;
}

static uint64_t mix_type(const struct pool *p, uint64_t h, type_id t)
{
    const struct type *type = pool_type(p, t);
    const char *name = elem_text(type->elem);
    h = mix(mix_text(h, name, (uint32_t)strlen(name)), type->form);
    if (type->form == TYPE_OTHER) {
        const char *text = sym_text(p, (sym_id){type->at});
        return mix_text(h, text, (uint32_t)strlen(text));
    }
    for (uint32_t i = 0; type->form == TYPE_TENSOR && i < type->n; i++)
        h = mix(h, (uint64_t)type_dims(p, t)[i]);
    return h;
}

static void add_digest(struct digest *d, uint64_t salt, const struct digest *x)
{
    d->hash = mix(d->hash, x->hash);
    for (uint64_t k = 0; k < DIGEST_SUMS; k++)
        for (uint64_t s = 0; s < DIGEST_SUMS; s++)
            d->sum[k] += 0.5 * x->sum[s] * weight(mix(mix(salt, k), s));
}

static void read_operand(const struct pool *p, const struct opaque_value *arg,
                         struct opaque_operand *o)
{
    const struct value *v = &arg->v;
    o->digest.hash = mix_type(p, 0, v->type);
    if (type_is_tensor(p, v->type)) {
        enum elem t = type_elem(p, v->type);
        o->count = (uint64_t)type_count(p, v->type);
        if (is_float(t))
            digest_floats(t, v->data, o);
        else
            o->digest.hash = mix_discrete(o->digest.hash, t, v->data, o->count);
        return;
    }
    const struct type *type = pool_type(p, v->type);
    uint32_t n = type->form == TYPE_TUPLE ? type->n : 1;
    for (uint32_t i = 0; arg->digest && i < n; i++)
        add_digest(&o->digest, i, &arg->digest[i]);
}

struct opaque_call {
    const struct pool *p;
    uint64_t hash; // text, number of results, everything discrete
    uint32_t n;
    struct opaque_operand *operand;
};

// The float of result element `h`: between about -2 and 2.
static double float_at(const struct opaque_call *c, uint64_t h)
{
    double sum = weight(mix(h, c->n));
    for (uint32_t i = 0; i < c->n; i++) {
        const struct opaque_operand *o = &c->operand[i];
        uint64_t salt = mix(h, i);
        for (uint64_t k = 0; k < DIGEST_SUMS; k++)
            sum += o->digest.sum[k] * weight(mix(salt, k));
        for (uint64_t k = 0; o->squashed && o->count && k < LOCAL_PLACES; k++) {
            uint64_t place = mix(salt, DIGEST_SUMS + k);
            sum += project(o->squashed[place % o->count], mix(place, k));
        }
    }
    return sum / sqrt((double)c->n + 1);
}

static struct scalar discrete_at(enum elem t, uint64_t h)
{
    if (elem_kind(t) == KIND_BOOL)
        return scalar_of_int(t, h & 1);
    int64_t x = (int64_t)(h % 9);
    return scalar_of_int(t, elem_kind(t) == KIND_UINT ? x : x - 4);
}

// Result k, without or with data.
static bool make_result(const struct opaque_call *c, uint64_t k, type_id type,
                        struct arena *a, struct value *out,
                        struct digest *digest, struct err *e)
{
    uint64_t h = mix_type(c->p, mix(c->hash, k), type);
    *out = (struct value){.type = type};
    if (!type_is_tensor(c->p, type)) {
        digest->hash = h;
        for (uint32_t i = 0; i < c->n; i++)
            add_digest(digest, mix(h, i), &c->operand[i].digest);
        return true;
    }
    if (!value_new(c->p, type, a, out, e))
        return false;
    enum elem t = type_elem(c->p, type);
    int64_t count = type_count(c->p, type);
    for (int64_t i = 0; i < count; i++) {
        uint64_t at = mix(h, (uint64_t)i);
        struct scalar s = is_float(t) && !elem_is_ideal(t)
                              ? scalar_of_double(t, float_at(c, at))
                              : discrete_at(t, at);
        scalar_store(t, out->data, (size_t)i, s);
    }
    return true;
}

static bool make_results(const struct opaque_call *c, type_id type, struct arena *a,
                         struct opaque_value *out, struct err *e)
{
    const struct type *tuple = pool_type(c->p, type);
    bool is_tuple = tuple->form == TYPE_TUPLE;
    uint32_t n = is_tuple ? tuple->n : 1;
    struct digest *digest = ARENA_NEW(a, struct digest, n + 1);
    struct value *v = ARENA_NEW(a, struct value, n + 1);
    for (uint32_t k = 0; k < n; k++)
        if (!make_result(c, k, is_tuple ? tuple_type(c->p, type, k) : type, a,
                         &v[k], &digest[k], e))
            return false;
    out->v = is_tuple ? (struct value){.type = type, .data = v} : v[0];
    out->digest = digest;
    return true;
}

bool opaque_eval(const struct pool *p, attr_id attr, type_id type, uint32_t n,
                 const struct opaque_value *args, struct arena *a, struct opaque_value *out,
                 struct err *e)
{
    const int64_t *v = attr_at(p, attr);
    sym_id text = {(uint32_t)v[0]};
    struct opaque_call c = {.p = p, .n = n};
    c.operand = mem_alloc(sizeof *c.operand * ((size_t)n + 1));
    c.hash = mix_text(0, sym_text(p, text), intern_len(&p->symbols, text.v));
    c.hash = mix(c.hash, (uint64_t)v[1]);
    for (uint32_t i = 0; i < n; i++) {
        read_operand(p, &args[i], &c.operand[i]);
        c.hash = mix(c.hash, c.operand[i].digest.hash);
    }
    bool ok = make_results(&c, type, a, out, e);
    for (uint32_t i = 0; i < n; i++)
        mem_free(c.operand[i].squashed);
    mem_free(c.operand);
    return ok;
}

bool result_eval(const struct pool *p, attr_id attr, type_id type,
                 const struct opaque_value *arg, struct opaque_value *out, struct err *e)
{
    const struct type *tuple = pool_type(p, arg->v.type);
    int64_t k = attr_at(p, attr)[0];
    if (tuple->form != TYPE_TUPLE || k < 0 || k >= (int64_t)tuple->n ||
        !arg->v.data || tuple_type(p, arg->v.type, (uint32_t)k).v != type.v)
        return err_set(e, ERR_INPUT, "there is no result %lld of this type",
                       (long long)k);
    out->v = ((const struct value *)arg->v.data)[k];
    out->digest = arg->digest ? &arg->digest[k] : NULL;
    return true;
}
