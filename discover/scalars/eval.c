// SPDX-License-Identifier: Apache-2.0
// Inputs, and the values of terms at them.
#include "discover/scalars/core.h"
#include "discover/limits.h"

#include "base/hash.h"
#include "tensor/eval/eval.h"

static struct scalar as_scalar(enum elem elem, struct cell cell)
{
    if (elem_is_ideal(elem))
        return (struct scalar){.num = cell.num, .den = cell.den};
    return (struct scalar){.bits = (uint64_t)cell.num};
}

static struct cell as_cell(enum elem elem, struct scalar scalar)
{
    if (elem_is_ideal(elem))
        return (struct cell){scalar.num, scalar.den};
    return (struct cell){(int64_t)scalar.bits, 1};
}

static struct cell number(enum elem elem, int64_t x)
{
    return as_cell(elem, scalar_of_int(elem, x));
}

// Types of few bits: a cell holds the bits.

static uint8_t bits_of(const struct inputs *in, struct scalar scalar)
{
    return (uint8_t)(scalar.bits & ((1u << in->bits) - 1));
}

static struct scalar of_bits(const struct inputs *in, enum elem elem, unsigned x)
{
    bool high = elem_kind(elem) == KIND_SINT && x >> (in->bits - 1) & 1;
    return scalar_of_int(elem, (int64_t)x - (high ? 1 << in->bits : 0));
}

static bool tabulate(struct scalar_discovery *discovery, enum elem elem)
{
    struct inputs *in = &discovery->in;
    unsigned n = 1u << in->bits;
    struct err err = {0};
    for (uint32_t k = 0; k < discovery->options->n_ops; k++)
        for (unsigned a = 0; a < n; a++)
            for (unsigned b = 0; b < n; b++) {
                struct scalar scalar = of_bits(in, elem, a), y = of_bits(in, elem, b), z;
                enum op op = discovery->options->ops[k];
                if (!(sym_arity(discovery, k) == 1 ? eval_unary(op, elem, scalar, &z, &err)
                                                   : eval_binary(op, elem, scalar, y, &z, &err)))
                    return false;
                in->table[k][a << 4 | b] = bits_of(in, z);
            }
    return true;
}

static void small_inputs(struct scalar_discovery *discovery, enum elem elem, struct rng *rng)
{
    uint32_t each = discovery->in.bits, n_vars = discovery->options->n_vars;
    uint64_t total = UINT64_C(1) << (each * n_vars);
    uint64_t few =
        discovery->options->samples > 0 ? discovery->options->samples : SCALAR_FEW_INPUTS;
    uint64_t n = total < few ? total : few;
    // An odd stride modulo a power of two makes all inputs distinct.
    uint64_t stride = rng_u64(rng) | 1, at = rng_u64(rng);
    for (uint64_t i = 0; i < n; i++, at += stride) {
        struct input input = {.type = elem, .generic = true};
        for (uint32_t v = 0; v < n_vars; v++)
            input.var[v].num = (int64_t)(at >> (each * v) & ((UINT64_C(1) << each) - 1));
        vec_push(&discovery->in.at, input);
    }
}

static struct cell word(enum elem elem, struct rng *rng)
{
    unsigned bits = elem_bits(elem);
    int64_t top = (int64_t)(UINT64_C(1) << (bits - 1));
    switch (rng_below(rng, 8)) {
    case 0:
        return number(elem, rng_range(rng, -2, 2));
    case 1:
    case 2: // near the width and beyond it
        return number(elem, rng_range(rng, 0, bits + 1));
    case 3:
        return number(elem, (int64_t)((uint64_t)top + (uint64_t)rng_range(rng, -1, 1)));
    default:
        return number(elem, (int64_t)rng_u64(rng));
    }
}

static struct cell real(bool generic, struct rng *rng)
{
    if (!generic)
        return (struct cell){rng_range(rng, -2, 2), 1};
    static const int64_t nums[] = {3, 5, 7, 11, 13, 17, 19, 23, 29, 31};
    static const int64_t dens[] = {1, 1, 1, 2, 4};
    int64_t num = nums[rng_below(rng, 10)];
    return (struct cell){rng_below(rng, 2) ? num : -num, dens[rng_below(rng, 5)]};
}

static struct input wide_input(const struct scalar_discovery *discovery, enum elem elem, uint32_t i,
                               struct rng *rng)
{
    struct input input = {.type = elem, .part = i, .generic = true};
    if (elem == ELEM_REAL)
        input.generic = i % 2 == 1;
    for (uint32_t v = 0; v < discovery->options->n_vars; v++)
        input.var[v] = elem == ELEM_REAL  ? real(input.generic, rng)
                       : elem == ELEM_INT ? number(elem, rng_range(rng, -9, 9))
                                          : word(elem, rng);
    return input;
}

static void wide_inputs(struct scalar_discovery *discovery, enum elem elem, uint32_t n,
                        struct rng *rng)
{
    for (uint32_t i = 0; i < n; i++) {
        struct input input = wide_input(discovery, elem, i, rng);
        vec_push(&discovery->in.at, input);
    }
}

static const enum elem words[] = {ELEM_I2,  ELEM_UI2, ELEM_I4,   ELEM_UI4,  ELEM_I8,
                                  ELEM_UI8, ELEM_I32, ELEM_UI32, ELEM_UI64, ELEM_I64};
enum { N_WORDS = sizeof words / sizeof *words };

void scalar_inputs_make(struct scalar_discovery *discovery)
{
    const struct scalar_options *options = discovery->options;
    struct rng rng;
    rng_seed(&rng, options->seed ^ UINT64_C(0x5ca1a));
    enum elem elem = options->domain == DOMAIN_BOOL   ? ELEM_I1
                     : options->width == 2            ? ELEM_I2
                     : options->width == 4            ? ELEM_I4
                     : options->domain == DOMAIN_REAL ? ELEM_REAL
                                                      : ELEM_INT;
    discovery->in.bits = elem_bits(elem);
    discovery->in.small = discovery->in.bits > 0 &&
                          discovery->in.bits * options->n_vars <= SCALAR_TABLE_BITS &&
                          tabulate(discovery, elem);
    if (discovery->in.small) {
        small_inputs(discovery, elem, &rng);
    } else if (options->domain == DOMAIN_WORD && options->width == 0) {
        for (uint32_t i = 0; i < N_WORDS; i++)
            wide_inputs(discovery, words[i],
                        options->samples > 0 ? options->samples : SCALAR_INPUTS, &rng);
    } else {
        wide_inputs(discovery, elem, options->samples > 0 ? options->samples : SCALAR_REAL_INPUTS,
                    &rng);
    }
}

void scalar_inputs_release(struct scalar_discovery *discovery)
{
    vec_release(&discovery->in.at);
}

// cell / 0: a number that depends on the cell and the input.  It is often 0, 1
// or -1, because a false equation may fail only at such values.
static struct cell by_zero(struct cell cell, uint32_t part)
{
    uint64_t h = hash_u64((uint64_t)cell.num, hash_u64((uint64_t)cell.den, part));
    static const int64_t dens[] = {1, 1, 3, 5};
    int64_t num = (int64_t)(h >> 8 & 31) - 15, den = dens[h & 3];
    if ((h >> 16 & 1) != 0)
        return (struct cell){(int64_t)(h >> 20 & 3) % 3 - 1, 1};
    return num % den == 0 ? (struct cell){num / den, 1} : (struct cell){num, den};
}

// Applies an operator at one input.  False: the value does not fit a cell.
static bool apply(const struct scalar_discovery *discovery, uint32_t sym, const struct input *in,
                  const struct cell *arg, struct cell *out, bool *zero)
{
    enum elem elem = in->type;
    enum op op = discovery->options->ops[sym];
    struct err err = {0};
    struct scalar scalar = as_scalar(elem, arg[0]), z;
    if (elem == ELEM_REAL && op == OP_DIVIDE && arg[1].num == 0) {
        *zero = true;
        *out = by_zero(arg[0], in->part);
        return true;
    }
    bool ok = sym_arity(discovery, sym) == 1
                  ? eval_unary(op, elem, scalar, &z, &err)
                  : eval_binary(op, elem, scalar, as_scalar(elem, arg[1]), &z, &err);
    if (ok)
        *out = as_cell(elem, z);
    return ok;
}

static struct cell leaf(const struct scalar_discovery *discovery, uint32_t sym,
                        const struct input *in)
{
    if (sym_is_var(discovery, sym))
        return in->var[sym - discovery->options->n_ops];
    int64_t k =
        discovery->options->constants[sym - discovery->options->n_ops - discovery->options->n_vars];
    if (discovery->in.small)
        return (struct cell){k & ((1 << discovery->in.bits) - 1), 1};
    return number(in->type, k);
}

static bool small_eval(struct scalar_discovery *discovery, uint32_t sym, const uint32_t *node,
                       bool keep, struct known_values *out)
{
    uint32_t n = discovery->in.at.len, arity = sym_arity(discovery, sym);
    uint8_t few[SCALAR_FEW_INPUTS], *to = few;
    vec_reserve(&discovery->small, discovery->small.len + n);
    if (keep || n > SCALAR_FEW_INPUTS)
        to = discovery->small.at + discovery->small.len;
    const uint8_t *a = NULL, *b = NULL;
    if (arity > 0)
        a = b = discovery->small.at + discovery->known.at[node[0]].vector - 1;
    if (arity > 1)
        b = discovery->small.at + discovery->known.at[node[1]].vector - 1;
    const uint8_t *table = discovery->in.table[sym < discovery->options->n_ops ? sym : 0];
    for (uint32_t i = 0; i < n; i++)
        to[i] = arity == 0 ? (uint8_t)leaf(discovery, sym, &discovery->in.at.at[i]).num
                           : table[a[i] << 4 | b[i]];
    out->hash = hash_bytes(to, n, 1);
    out->generic = out->hash;
    if (keep) {
        out->vector = discovery->small.len + 1;
        discovery->small.len += n;
    }
    return true;
}

bool scalar_eval(struct scalar_discovery *discovery, uint32_t sym, const uint32_t *node, bool keep,
                 struct known_values *out)
{
    if (discovery->in.small)
        return small_eval(discovery, sym, node, keep, out);
    uint32_t n = discovery->in.at.len, arity = sym_arity(discovery, sym);
    vec_reserve(&discovery->wide, discovery->wide.len + n);
    struct cell *to = discovery->wide.at + discovery->wide.len;
    const struct known_values *arg[2] = {NULL, NULL};
    bool zero = false;
    for (uint32_t k = 0; k < arity; k++) {
        arg[k] = &discovery->known.at[node[k]];
        zero |= arg[k]->generic == 0;
    }
    uint64_t hash = 2, generic = 3;
    bool everywhere = n > 0, nonzero = true;
    for (uint32_t i = 0; i < n; i++) {
        const struct input *in = &discovery->in.at.at[i];
        struct cell cell[2];
        bool here = false;
        for (uint32_t k = 0; k < arity; k++)
            cell[k] = discovery->wide.at[arg[k]->vector - 1 + i];
        if (arity == 0)
            to[i] = leaf(discovery, sym, in);
        else if (!apply(discovery, sym, in, cell, &to[i], &here))
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
        out->vector = discovery->wide.len + 1;
        discovery->wide.len += n;
    }
    return true;
}

// Trees

enum { BLOCK = 256 };

static void small_tree(const struct scalar_discovery *discovery, const struct scalar_tree *tree,
                       uint64_t from, uint32_t n, uint8_t (*to)[BLOCK])
{
    unsigned bits = discovery->in.bits, mask = (1u << bits) - 1;
    for (uint32_t k = 0; k < tree->n; k++) {
        const struct scalar_tree_node *scalar_tree_node = &tree->at[k];
        uint32_t arity = sym_arity(discovery, scalar_tree_node->sym);
        if (sym_is_var(discovery, scalar_tree_node->sym)) {
            unsigned shift = bits * (scalar_tree_node->sym - discovery->options->n_ops);
            for (uint32_t i = 0; i < n; i++)
                to[k][i] = (uint8_t)((from + i) >> shift & mask);
        } else if (arity == 0) {
            memset(to[k], (int)leaf(discovery, scalar_tree_node->sym, NULL).num, n);
        } else {
            const uint8_t *a = to[scalar_tree_node->a],
                          *b = to[arity > 1 ? scalar_tree_node->b : scalar_tree_node->a];
            for (uint32_t i = 0; i < n; i++)
                to[k][i] = discovery->in.table[scalar_tree_node->sym][a[i] << 4 | b[i]];
        }
    }
}

bool scalar_agree_always(struct scalar_discovery *discovery, const struct scalar_tree *l,
                         const struct scalar_tree *r)
{
    uint8_t x[SCALAR_TREE_NODES][BLOCK], y[SCALAR_TREE_NODES][BLOCK];
    uint64_t total = UINT64_C(1) << (discovery->in.bits * discovery->options->n_vars);
    for (uint64_t from = 0; from < total; from += BLOCK) {
        uint32_t n = total - from < BLOCK ? (uint32_t)(total - from) : BLOCK;
        small_tree(discovery, l, from, n, x);
        small_tree(discovery, r, from, n, y);
        if (memcmp(x[l->n - 1], y[r->n - 1], n) != 0)
            return false;
    }
    return true;
}

static bool wide_tree(const struct scalar_discovery *discovery, const struct scalar_tree *tree,
                      const struct input *in, struct cell *out, bool *zero)
{
    struct cell cell[SCALAR_TREE_NODES];
    for (uint32_t k = 0; k < tree->n; k++) {
        const struct scalar_tree_node *scalar_tree_node = &tree->at[k];
        struct cell arg[2] = {{0, 1}, {0, 1}};
        if (sym_arity(discovery, scalar_tree_node->sym) == 0) {
            cell[k] = leaf(discovery, scalar_tree_node->sym, in);
            continue;
        }
        arg[0] = cell[scalar_tree_node->a];
        if (sym_arity(discovery, scalar_tree_node->sym) > 1)
            arg[1] = cell[scalar_tree_node->b];
        if (!apply(discovery, scalar_tree_node->sym, in, arg, &cell[k], zero))
            return false;
    }
    *out = cell[tree->n - 1];
    return true;
}

static bool agree_at(const struct scalar_discovery *discovery, const struct input *in,
                     const struct scalar_tree *l, const struct scalar_tree *r, uint32_t n,
                     const struct scalar_tree *nonzero)
{
    struct cell cell, b;
    bool zero = false;
    for (uint32_t k = 0; k < n; k++)
        if (!wide_tree(discovery, &nonzero[k], in, &cell, &zero) || cell.num == 0)
            return true;
    return !wide_tree(discovery, l, in, &cell, &zero) || !wide_tree(discovery, r, in, &b, &zero) ||
           (cell.num == b.num && cell.den == b.den);
}

bool scalar_agree_where(struct scalar_discovery *discovery, const struct scalar_tree *l,
                        const struct scalar_tree *r, uint32_t n, const struct scalar_tree *nonzero)
{
    for (uint32_t i = 0; i < discovery->in.at.len; i++)
        if (!agree_at(discovery, &discovery->in.at.at[i], l, r, n, nonzero))
            return false;
    return true;
}

bool scalar_agree_elsewhere(struct scalar_discovery *discovery, const struct scalar_tree *l,
                            const struct scalar_tree *r, uint32_t n,
                            const struct scalar_tree *nonzero, uint32_t each)
{
    struct rng rng;
    rng_seed(&rng, discovery->options->seed ^ UINT64_C(0xe15e));
    enum elem one = discovery->in.at.at[0].type;
    uint32_t types = discovery->options->domain == DOMAIN_WORD ? N_WORDS : 1;
    for (uint32_t k = 0; k < types; k++)
        for (uint32_t i = 0; i < each; i++) {
            struct input in = wide_input(discovery, types > 1 ? words[k] : one, i, &rng);
            if (!agree_at(discovery, &in, l, r, n, nonzero))
                return false;
        }
    return true;
}
