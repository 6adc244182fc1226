// SPDX-License-Identifier: Apache-2.0
#include "verify/integers/lemma_pool.h"
#include "verify/integers/translate.h"
#include "verify/limits.h"

// The parts of a lemma: for d >= 1, for d <= -1, for d = 0.
enum part { PART_UP = 1, PART_DOWN = 2, PART_ZERO = 4 };
#define PARTS (PART_UP | PART_DOWN | PART_ZERO)

enum state { UNREAD, VALUE, TOO_LARGE };

// For q = l * d:  d >= 1 =>  (l >= 0 => q >= 0)  (l <= 0 => q <= 0)
//                            (l >= 1 => q >= d)  (l <= -1 => q <= -d)
static void assert_half(struct linear *linear, struct poly l, struct poly d, struct poly q)
{
    struct polys *polys = linear->polys;
    Z3_context context = linear->smt->ctx;
    struct poly nl = poly_negated(polys, l), nq = poly_negated(polys, q);
    Z3_ast parts[] = {
        Z3_mk_implies(context, emit_at_least(linear, l, 0), emit_at_least(linear, q, 0)),
        Z3_mk_implies(context, emit_at_least(linear, nl, 0), emit_at_least(linear, nq, 0)),
        Z3_mk_implies(context, emit_at_least(linear, l, 1),
                      emit_at_least(linear, poly_add(polys, q, d, -1), 0)),
        Z3_mk_implies(context, emit_at_least(linear, nl, 1),
                      emit_at_least(linear, poly_add(polys, nq, d, -1), 0)),
    };
    smt_assert(linear->smt,
               Z3_mk_implies(context, emit_at_least(linear, d, 1), smt_and(linear->smt, 4, parts)));
}

static void know(struct lemma_pool *pool, uint32_t mono)
{
    while (pool->known.len <= mono)
        vec_push(&pool->known, 0);
    pool->known.at[mono] = 1;
}

static void know_poly(struct lemma_pool *pool, struct poly poly)
{
    for (uint32_t i = 0; i < poly.n; i++)
        know(pool, poly.term[i].mono);
}

static void assert_parts(struct lemma_pool *pool, uint32_t at, unsigned parts)
{
    struct linear *linear = pool->linear;
    Z3_context context = linear->smt->ctx;
    const struct lemma *lemma = &pool->lemmas.at.at[at];
    if (parts & PART_UP)
        assert_half(linear, lemma->l, lemma->d, lemma->q);
    if (parts & PART_DOWN)
        assert_half(linear, lemma->l, poly_negated(linear->polys, lemma->d),
                    poly_negated(linear->polys, lemma->q));
    Z3_ast zero = smt_int(linear->smt, 0);
    if (parts & PART_ZERO)
        smt_assert(linear->smt,
                   Z3_mk_implies(context, Z3_mk_eq(context, emit_poly(linear, lemma->d), zero),
                                 Z3_mk_eq(context, emit_poly(linear, lemma->q), zero)));
    know_poly(pool, lemma->l);
    know_poly(pool, lemma->d);
    know_poly(pool, lemma->q);
    pool->asserted.at[at] |= (uint8_t)parts;
}

// The value in the model.  A product that no assertion has may have any: its true one is taken.
static bool value_of_mono(struct lemma_pool *pool, uint32_t mono, int64_t *out)
{
    struct polys *polys = pool->linear->polys;
    struct mono factors = polys->mono.at[mono];
    if (pool->state.at[mono] == UNREAD) {
        int64_t product = 1, v;
        bool ok = true;
        if (factors.n == 1 || (mono < pool->known.len && pool->known.at[mono]))
            ok = smt_value(pool->linear->smt, emit_mono(pool->linear, mono), &product);
        else
            for (uint32_t k = 0; k < factors.n && ok; k++) {
                struct poly atom = poly_atom(polys, polys->atoms.at[factors.at + k]);
                ok = value_of_mono(pool, atom.term[0].mono, &v) &&
                     !__builtin_mul_overflow(product, v, &product);
            }
        pool->value.at[mono] = product;
        pool->state.at[mono] = ok ? VALUE : TOO_LARGE;
    }
    *out = pool->value.at[mono];
    return pool->state.at[mono] == VALUE;
}

static bool value_of(struct lemma_pool *pool, struct poly poly, int64_t *out)
{
    *out = 0;
    for (uint32_t i = 0; i < poly.n; i++) {
        int64_t v = 1;
        if ((poly.term[i].mono != 0 && !value_of_mono(pool, poly.term[i].mono, &v)) ||
            __builtin_mul_overflow(v, poly.term[i].c, &v) || __builtin_add_overflow(*out, v, out))
            return false;
    }
    return true;
}

static bool half_holds(int64_t l, int64_t d, int64_t q)
{
    return (l < 0 || q >= 0) && (l > 0 || q <= 0) && (l < 1 || q >= d) && (l > -1 || q <= -d);
}

// The parts that the model violates.
static unsigned violated(struct lemma_pool *pool, const struct lemma *lemma)
{
    int64_t l, d, q;
    if (!value_of(pool, lemma->l, &l) || !value_of(pool, lemma->d, &d) ||
        !value_of(pool, lemma->q, &q) || d == INT64_MIN || q == INT64_MIN)
        return PARTS;
    if (d == 0)
        return q == 0 ? 0 : PART_ZERO;
    if (d > 0)
        return half_holds(l, d, q) ? 0 : PART_UP;
    return half_holds(l, -d, -q) ? 0 : PART_DOWN;
}

void lemma_pool_init(struct lemma_pool *pool, struct linear *linear, const struct gather *gather)
{
    *pool = (struct lemma_pool){.linear = linear};
    for (uint32_t i = 0; i < gather->monos.len; i++)
        know(pool, gather->monos.at[i]);
}

void lemma_pool_release(struct lemma_pool *pool)
{
    lemmas_release(&pool->lemmas);
    vec_release(&pool->asserted);
    vec_release(&pool->known);
    vec_release(&pool->value);
    vec_release(&pool->state);
}

bool lemma_pool_add(struct lemma_pool *pool, struct gather *gather, unsigned slack)
{
    struct lemmas more = {{0}};
    gather_lemmas(gather, slack, &more);
    for (uint32_t i = 0; i < more.at.len; i++) {
        vec_push(&pool->lemmas.at, more.at.at[i]);
        vec_push(&pool->asserted, 0);
    }
    bool any = more.at.len > 0;
    lemmas_release(&more);
    return any;
}

bool lemma_pool_assert_violated(struct lemma_pool *pool)
{
    uint32_t n = 0;
    vec_release(&pool->value);
    vec_release(&pool->state);
    vec_zero(&pool->value, pool->linear->polys->mono.len);
    vec_zero(&pool->state, pool->linear->polys->mono.len);
    for (uint32_t i = 0; i < pool->lemmas.at.len && n < VERIFY_LEMMAS_AT_ONCE; i++) {
        if (pool->asserted.at[i] == PARTS)
            continue;
        unsigned parts = violated(pool, &pool->lemmas.at.at[i]) & (unsigned)~pool->asserted.at[i];
        if (parts == 0)
            continue;
        assert_parts(pool, i, parts);
        n++;
    }
    return n > 0;
}

void lemma_pool_assert_all(struct lemma_pool *pool)
{
    pool->whole = true;
    for (uint32_t i = 0; i < pool->lemmas.at.len; i++)
        assert_parts(pool, i, PARTS & (unsigned)~pool->asserted.at[i]);
}
