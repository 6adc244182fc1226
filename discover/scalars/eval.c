// SPDX-License-Identifier: Apache-2.0
// Inputs, and the values of terms there.
#include "discover/scalars/core.h"

#include "base/hash.h"
#include "tensor/eval/eval.h"

enum {
    FEW_INPUTS = 256, // of small types
    PER_TYPE = 24,    // of machine types
    OF_REALS = 64
};

static struct scalar as_scalar(enum elem t, struct cell c)
{
    if (elem_is_ideal(t))
        return (struct scalar){.num = c.num, .den = c.den};
    return (struct scalar){.bits = (uint64_t)c.num};
}

static struct cell as_cell(enum elem t, struct scalar x)
{
    if (elem_is_ideal(t))
        return (struct cell){x.num, x.den};
    return (struct cell){(int64_t)x.bits, 1};
}

static struct cell number(enum elem t, int64_t x)
{
    return as_cell(t, scalar_of_int(t, x));
}

// Types of few bits: cells are their bits.

static uint8_t bits_of(const struct inputs *in, struct scalar x)
{
    return (uint8_t)(x.bits & ((1u << in->bits) - 1));
}

static struct scalar of_bits(const struct inputs *in, enum elem t, unsigned x)
{
    bool high = elem_kind(t) == KIND_SINT && x >> (in->bits - 1) & 1;
    return scalar_of_int(t, (int64_t)x - (high ? 1 << in->bits : 0));
}

static bool tabulate(struct scalar_discovery *s, enum elem t)
{
    struct inputs *in = &s->in;
    unsigned n = 1u << in->bits;
    struct err e = {0};
    for (uint32_t k = 0; k < s->o->n_ops; k++)
        for (unsigned a = 0; a < n; a++)
            for (unsigned b = 0; b < n; b++) {
                struct scalar x = of_bits(in, t, a), y = of_bits(in, t, b), z;
                enum op op = s->o->ops[k];
                if (!(sym_arity(s, k) == 1 ? eval_unary(op, t, x, &z, &e)
                                           : eval_binary(op, t, x, y, &z, &e)))
                    return false;
                in->table[k][a << 4 | b] = bits_of(in, z);
            }
    return true;
}

static void small_inputs(struct scalar_discovery *s, enum elem t, struct rng *rng)
{
    uint32_t each = s->in.bits, n_vars = s->o->n_vars;
    uint64_t total = UINT64_C(1) << (each * n_vars);
    uint64_t few = s->o->samples > 0 ? s->o->samples : FEW_INPUTS;
    uint64_t n = total < few ? total : few;
    // All distinct.
    uint64_t stride = rng_u64(rng) | 1, at = rng_u64(rng);
    for (uint64_t i = 0; i < n; i++, at += stride) {
        struct input x = {.type = t, .generic = true};
        for (uint32_t v = 0; v < n_vars; v++)
            x.var[v].num =
                (int64_t)(at >> (each * v) & ((UINT64_C(1) << each) - 1));
        vec_push(&s->in.at, x);
    }
}

static struct cell word(enum elem t, struct rng *rng)
{
    unsigned bits = elem_bits(t);
    int64_t top = (int64_t)(UINT64_C(1) << (bits - 1));
    switch (rng_below(rng, 8)) {
    case 0:
        return number(t, rng_range(rng, -2, 2));
    case 1:
    case 2: // near and beyond the width
        return number(t, rng_range(rng, 0, bits + 1));
    case 3:
        return number(
            t, (int64_t)((uint64_t)top + (uint64_t)rng_range(rng, -1, 1)));
    default:
        return number(t, (int64_t)rng_u64(rng));
    }
}

static struct cell real(bool generic, struct rng *rng)
{
    if (!generic)
        return (struct cell){rng_range(rng, -2, 2), 1};
    static const int64_t nums[] = {3, 5, 7, 11, 13, 17, 19, 23, 29, 31};
    static const int64_t dens[] = {1, 1, 1, 2, 4};
    int64_t num = nums[rng_below(rng, 10)];
    return (struct cell){rng_below(rng, 2) ? num : -num,
                         dens[rng_below(rng, 5)]};
}

static struct input wide_input(const struct scalar_discovery *s, enum elem t,
                               uint32_t i, struct rng *rng)
{
    struct input x = {.type = t, .part = i, .generic = true};
    if (t == ELEM_REAL)
        x.generic = i % 2 == 1;
    for (uint32_t v = 0; v < s->o->n_vars; v++)
        x.var[v] = t == ELEM_REAL  ? real(x.generic, rng)
                   : t == ELEM_INT ? number(t, rng_range(rng, -9, 9))
                                   : word(t, rng);
    return x;
}

static void wide_inputs(struct scalar_discovery *s, enum elem t, uint32_t n,
                        struct rng *rng)
{
    for (uint32_t i = 0; i < n; i++) {
        struct input x = wide_input(s, t, i, rng);
        vec_push(&s->in.at, x);
    }
}

static const enum elem words[] = {ELEM_I2,   ELEM_UI2, ELEM_I4,  ELEM_UI4,
                                  ELEM_I8,   ELEM_UI8, ELEM_I32, ELEM_UI32,
                                  ELEM_UI64, ELEM_I64};
enum { N_WORDS = sizeof words / sizeof *words };

void scalar_inputs_make(struct scalar_discovery *s)
{
    const struct scalar_options *o = s->o;
    struct rng rng;
    rng_seed(&rng, o->seed ^ UINT64_C(0x5ca1a));
    enum elem t = o->domain == DOMAIN_BOOL   ? ELEM_I1
                  : o->width == 2            ? ELEM_I2
                  : o->width == 4            ? ELEM_I4
                  : o->domain == DOMAIN_REAL ? ELEM_REAL
                                             : ELEM_INT;
    s->in.bits = elem_bits(t);
    s->in.small =
        s->in.bits > 0 && s->in.bits * o->n_vars <= 20 && tabulate(s, t);
    if (s->in.small) {
        small_inputs(s, t, &rng);
    } else if (o->domain == DOMAIN_WORD && o->width == 0) {
        for (uint32_t i = 0; i < N_WORDS; i++)
            wide_inputs(s, words[i], o->samples > 0 ? o->samples : PER_TYPE,
                        &rng);
    } else {
        wide_inputs(s, t, o->samples > 0 ? o->samples : OF_REALS, &rng);
    }
}

void scalar_inputs_release(struct scalar_discovery *s)
{
    vec_release(&s->in.at);
}

// x / 0: some number, another for each x and each input; often 0, 1 or -1, for
// what fails may do so only there.
static struct cell by_zero(struct cell x, uint32_t part)
{
    uint64_t h = hash_u64((uint64_t)x.num, hash_u64((uint64_t)x.den, part));
    static const int64_t dens[] = {1, 1, 3, 5};
    int64_t num = (int64_t)(h >> 8 & 31) - 15, den = dens[h & 3];
    if ((h >> 16 & 1) != 0)
        return (struct cell){(int64_t)(h >> 20 & 3) % 3 - 1, 1};
    return num % den == 0 ? (struct cell){num / den, 1}
                          : (struct cell){num, den};
}

// One operator at one input; false: no value that could be held.
static bool apply(const struct scalar_discovery *s, uint32_t sym,
                  const struct input *in, const struct cell *arg,
                  struct cell *out, bool *zero)
{
    enum elem t = in->type;
    enum op op = s->o->ops[sym];
    struct err e = {0};
    struct scalar x = as_scalar(t, arg[0]), z;
    if (t == ELEM_REAL && op == OP_DIVIDE && arg[1].num == 0) {
        *zero = true;
        *out = by_zero(arg[0], in->part);
        return true;
    }
    bool ok = sym_arity(s, sym) == 1
                  ? eval_unary(op, t, x, &z, &e)
                  : eval_binary(op, t, x, as_scalar(t, arg[1]), &z, &e);
    if (ok)
        *out = as_cell(t, z);
    return ok;
}

static struct cell leaf(const struct scalar_discovery *s, uint32_t sym,
                        const struct input *in)
{
    if (sym_is_var(s, sym))
        return in->var[sym - s->o->n_ops];
    int64_t k = s->o->constants[sym - s->o->n_ops - s->o->n_vars];
    if (s->in.small)
        return (struct cell){k & ((1 << s->in.bits) - 1), 1};
    return number(in->type, k);
}

static bool small_eval(struct scalar_discovery *s, uint32_t sym, const uint32_t *node,
                       bool keep, struct known_values *out)
{
    uint32_t n = s->in.at.len, arity = sym_arity(s, sym);
    uint8_t few[FEW_INPUTS], *to = few;
    vec_reserve(&s->small, s->small.len + n);
    if (keep || n > FEW_INPUTS)
        to = s->small.at + s->small.len;
    const uint8_t *a = NULL, *b = NULL;
    if (arity > 0)
        a = b = s->small.at + s->known.at[node[0]].vector - 1;
    if (arity > 1)
        b = s->small.at + s->known.at[node[1]].vector - 1;
    const uint8_t *table = s->in.table[sym < s->o->n_ops ? sym : 0];
    for (uint32_t i = 0; i < n; i++)
        to[i] = arity == 0 ? (uint8_t)leaf(s, sym, &s->in.at.at[i]).num
                           : table[a[i] << 4 | b[i]];
    out->hash = hash_bytes(to, n, 1);
    out->generic = out->hash;
    if (keep) {
        out->vector = s->small.len + 1;
        s->small.len += n;
    }
    return true;
}

bool scalar_eval(struct scalar_discovery *s, uint32_t sym, const uint32_t *node,
                 bool keep, struct known_values *out)
{
    if (s->in.small)
        return small_eval(s, sym, node, keep, out);
    uint32_t n = s->in.at.len, arity = sym_arity(s, sym);
    vec_reserve(&s->wide, s->wide.len + n);
    struct cell *to = s->wide.at + s->wide.len;
    const struct known_values *arg[2] = {NULL, NULL};
    bool zero = false;
    for (uint32_t k = 0; k < arity; k++) {
        arg[k] = &s->known.at[node[k]];
        zero |= arg[k]->generic == 0;
    }
    uint64_t hash = 2, generic = 3;
    bool everywhere = n > 0, nonzero = true;
    for (uint32_t i = 0; i < n; i++) {
        const struct input *in = &s->in.at.at[i];
        struct cell x[2];
        bool here = false;
        for (uint32_t k = 0; k < arity; k++)
            x[k] = s->wide.at[arg[k]->vector - 1 + i];
        if (arity == 0)
            to[i] = leaf(s, sym, in);
        else if (!apply(s, sym, in, x, &to[i], &here))
            return false;
        hash = hash_u64((uint64_t)to[i].num, hash);
        hash = hash_u64((uint64_t)to[i].den, hash);
        everywhere &= here;
        if (in->generic) {
            nonzero &= to[i].num != 0;
            generic = hash_u64((uint64_t)to[i].num, generic);
            generic = hash_u64((uint64_t)to[i].den, generic);
            zero |= here;
        }
    }
    out->hash = hash;
    out->generic = zero ? 0 : generic;
    out->nonzero = nonzero && !zero;
    if (everywhere)
        return false;
    if (keep) {
        out->vector = s->wide.len + 1;
        s->wide.len += n;
    }
    return true;
}

// Trees

enum { BLOCK = 256 };

static void small_tree(const struct scalar_discovery *s, const struct scalar_tree *t,
                       uint64_t from, uint32_t n, uint8_t (*to)[BLOCK])
{
    unsigned bits = s->in.bits, mask = (1u << bits) - 1;
    for (uint32_t k = 0; k < t->n; k++) {
        const struct scalar_tree_node *x = &t->at[k];
        uint32_t arity = sym_arity(s, x->sym);
        if (sym_is_var(s, x->sym)) {
            unsigned shift = bits * (x->sym - s->o->n_ops);
            for (uint32_t i = 0; i < n; i++)
                to[k][i] = (uint8_t)((from + i) >> shift & mask);
        } else if (arity == 0) {
            memset(to[k], (int)leaf(s, x->sym, NULL).num, n);
        } else {
            const uint8_t *a = to[x->a], *b = to[arity > 1 ? x->b : x->a];
            for (uint32_t i = 0; i < n; i++)
                to[k][i] = s->in.table[x->sym][a[i] << 4 | b[i]];
        }
    }
}

bool scalar_agree_always(struct scalar_discovery *s, const struct scalar_tree *l,
                         const struct scalar_tree *r)
{
    uint8_t x[TREE_MAX][BLOCK], y[TREE_MAX][BLOCK];
    uint64_t total = UINT64_C(1) << (s->in.bits * s->o->n_vars);
    for (uint64_t from = 0; from < total; from += BLOCK) {
        uint32_t n = total - from < BLOCK ? (uint32_t)(total - from) : BLOCK;
        small_tree(s, l, from, n, x);
        small_tree(s, r, from, n, y);
        if (memcmp(x[l->n - 1], y[r->n - 1], n) != 0)
            return false;
    }
    return true;
}

static bool wide_tree(const struct scalar_discovery *s, const struct scalar_tree *t,
                      const struct input *in, struct cell *out, bool *zero)
{
    struct cell x[TREE_MAX];
    for (uint32_t k = 0; k < t->n; k++) {
        const struct scalar_tree_node *n = &t->at[k];
        struct cell arg[2] = {{0, 1}, {0, 1}};
        if (sym_arity(s, n->sym) == 0) {
            x[k] = leaf(s, n->sym, in);
            continue;
        }
        arg[0] = x[n->a];
        if (sym_arity(s, n->sym) > 1)
            arg[1] = x[n->b];
        if (!apply(s, n->sym, in, arg, &x[k], zero))
            return false;
    }
    *out = x[t->n - 1];
    return true;
}

static bool agree_at(const struct scalar_discovery *s, const struct input *in,
                     const struct scalar_tree *l, const struct scalar_tree *r, uint32_t n,
                     const struct scalar_tree *nonzero)
{
    struct cell a, b;
    bool zero = false;
    for (uint32_t k = 0; k < n; k++)
        if (!wide_tree(s, &nonzero[k], in, &a, &zero) || a.num == 0)
            return true;
    return !wide_tree(s, l, in, &a, &zero) || !wide_tree(s, r, in, &b, &zero) ||
           (a.num == b.num && a.den == b.den);
}

bool scalar_agree_where(struct scalar_discovery *s, const struct scalar_tree *l,
                        const struct scalar_tree *r, uint32_t n,
                        const struct scalar_tree *nonzero)
{
    for (uint32_t i = 0; i < s->in.at.len; i++)
        if (!agree_at(s, &s->in.at.at[i], l, r, n, nonzero))
            return false;
    return true;
}

bool scalar_agree_elsewhere(struct scalar_discovery *s, const struct scalar_tree *l,
                            const struct scalar_tree *r, uint32_t n,
                            const struct scalar_tree *nonzero, uint32_t each)
{
    struct rng rng;
    rng_seed(&rng, s->o->seed ^ UINT64_C(0xe15e));
    enum elem one = s->in.at.at[0].type;
    uint32_t types = s->o->domain == DOMAIN_WORD ? N_WORDS : 1;
    for (uint32_t k = 0; k < types; k++)
        for (uint32_t i = 0; i < each; i++) {
            struct input in =
                wide_input(s, types > 1 ? words[k] : one, i, &rng);
            if (!agree_at(s, &in, l, r, n, nonzero))
                return false;
        }
    return true;
}
