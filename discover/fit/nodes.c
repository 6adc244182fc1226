// SPDX-License-Identifier: Apache-2.0
// Expressions are enumerated by size with their values over some samples (the
// probes); those with equal values are one.  The greatest size is not kept,
// only compared with what is wanted.
#include "discover/fit/core.h"
#include "base/hash.h"
#include <stdlib.h>
#include <string.h>

#define UNDEFINED INT64_MIN
#define LIMIT_VALUE (INT64_C(1) << 40) // larger values count as undefined
#define MAX_KEPT 4000 // expressions of one size that larger ones are made of

static int64_t apply(enum fit_op op, int64_t a, int64_t b)
{
    int64_t v = 0;
    if (a == UNDEFINED || b == UNDEFINED)
        return UNDEFINED;
    switch (op) {
    case FIT_ADD:
        v = a + b;
        break;
    case FIT_SUB:
        v = a - b;
        break;
    case FIT_MUL:
        if (a != 0 && (b > LIMIT_VALUE / (a < 0 ? -a : a) ||
                       b < -LIMIT_VALUE / (a < 0 ? -a : a)))
            return UNDEFINED;
        v = a * b;
        break;
    case FIT_MIN:
        v = a < b ? a : b;
        break;
    case FIT_MAX:
        v = a > b ? a : b;
        break;
    case FIT_CDIV:
        if (b == 0)
            return UNDEFINED;
        v = a / b + (a % b != 0 && (a < 0) == (b < 0));
        break;
    case FIT_KNOWN:
    case FIT_CONST:
    case N_FIT_OPS:
        break;
    }
    return v > LIMIT_VALUE || v < -LIMIT_VALUE ? UNDEFINED : v;
}

static bool commutes(enum fit_op op)
{
    return op != FIT_SUB && op != FIT_CDIV;
}

static const int64_t *values_of(const struct fit *f, uint32_t node)
{
    return f->values.at + (size_t)node * f->n_probes;
}

static int64_t leaf_value(const struct fit *f, const struct fit_node *n,
                          uint32_t sample)
{
    return n->op == FIT_CONST ? n->k : f->p->samples[sample].known[n->a];
}

int64_t fit_value(const struct fit *f, const struct fit_node *n, uint32_t sample)
{
    if (n->op <= FIT_CONST)
        return leaf_value(f, n, sample);
    return apply(n->op, fit_value(f, &f->nodes.at[n->a], sample),
                 fit_value(f, &f->nodes.at[n->b], sample));
}

static bool wanted(const struct target *t, uint32_t probe, int64_t v)
{
    for (uint32_t i = 0; i < t->n[probe]; i++)
        if (t->value[probe][i] == v)
            return true;
    return false;
}

// Puts a candidate behind those as good as it: found earlier is simpler.
static void keep(struct target *t, const struct fit_node *n, uint32_t hits)
{
    uint32_t k = n->size / 2, i = t->n_best[k];
    struct fit_candidate *best = t->best[k];
    if (i == PER_SIZE && best[i - 1].hits >= hits)
        return;
    if (i < PER_SIZE)
        t->n_best[k]++;
    else
        i--;
    for (; i > 0 && best[i - 1].hits < hits; i--)
        best[i] = best[i - 1];
    best[i] = (struct fit_candidate){*n, hits};
}

// How many probes may be missed by what is still worth keeping.
static uint32_t misses_allowed(const struct fit *f, const struct target *t,
                               uint32_t size)
{
    uint32_t k = size / 2, least = f->n_probes / 3;
    for (uint32_t i = 0; i < k; i++) // larger ones must be better
        if (t->n_best[i] && t->best[i][0].hits + 1 > least)
            least = t->best[i][0].hits + 1;
    if (t->n_best[k] == PER_SIZE && t->best[k][PER_SIZE - 1].hits + 1 > least)
        least = t->best[k][PER_SIZE - 1].hits + 1;
    return least > f->n_probes ? UINT32_MAX : f->n_probes - least;
}

// A node of the values `v`.  Without them it is an operator on two nodes, and
// no more values are computed than are needed.
static void offer(struct fit *f, const struct fit_node *n, const int64_t *v)
{
    const int64_t *a = v ? NULL : values_of(f, n->a);
    const int64_t *b = v ? NULL : values_of(f, n->b);
    for (uint32_t u = 0; u < f->p->n_unknown; u++) {
        struct target *t = &f->target[u];
        uint32_t allowed = misses_allowed(f, t, n->size), misses = 0;
        if (allowed == UINT32_MAX)
            continue;
        for (uint32_t i = 0; i < f->n_probes && misses <= allowed; i++)
            misses += !wanted(t, i, v ? v[i] : apply(n->op, a[i], b[i]));
        if (misses <= allowed)
            keep(t, n, f->n_probes - misses);
    }
}

static uint64_t hash_values(const int64_t *v, uint32_t n)
{
    uint64_t h = n;
    for (uint32_t i = 0; i < n; i++)
        h = hash_u64((uint64_t)v[i], h);
    return h;
}

static void table_put(struct fit *f, uint32_t node)
{
    uint32_t mask = f->table.len - 1;
    uint64_t h = hash_values(values_of(f, node), f->n_probes);
    while (f->table.at[h & mask])
        h++;
    f->table.at[h & mask] = node + 1;
}

static void table_grow(struct fit *f)
{
    uint32_t n = f->table.len ? 2 * f->table.len : 1024;
    vec_release(&f->table);
    vec_zero(&f->table, n);
    for (uint32_t i = 0; i < f->nodes.len; i++)
        table_put(f, i);
}

static bool table_has(const struct fit *f, const int64_t *v)
{
    uint32_t mask = f->table.len - 1;
    for (uint64_t h = hash_values(v, f->n_probes);; h++) {
        uint32_t n = f->table.at[h & mask];
        if (n == 0)
            return false;
        if (memcmp(values_of(f, n - 1), v, f->n_probes * sizeof(int64_t)) == 0)
            return true;
    }
}

static void add_node(struct fit *f, const struct fit_node *n, const int64_t *v)
{
    bool defined = false;
    for (uint32_t i = 0; i < f->n_probes && !defined; i++)
        defined = v[i] != UNDEFINED;
    if (!defined || table_has(f, v))
        return;
    offer(f, n, v);
    vec_push(&f->nodes, *n);
    for (uint32_t i = 0; i < f->n_probes; i++)
        vec_push(&f->values, v[i]);
    if (2 * f->nodes.len >= f->table.len)
        table_grow(f);
    else
        table_put(f, f->nodes.len - 1);
}

static void add_leaves(struct fit *f)
{
    static const int64_t constants[] = {0, 1, -1, 2};
    int64_t v[MAX_PROBES];
    f->first[0] = 0;
    for (uint32_t i = 0; i < f->p->n_known; i++) {
        struct fit_node n = {.op = FIT_KNOWN, .a = i, .size = 1};
        for (uint32_t s = 0; s < f->n_probes; s++)
            v[s] = leaf_value(f, &n, f->probe[s]);
        add_node(f, &n, v);
    }
    for (uint32_t i = 0; i < 4; i++) {
        struct fit_node n = {.op = FIT_CONST, .k = constants[i], .size = 1};
        for (uint32_t s = 0; s < f->n_probes; s++)
            v[s] = n.k;
        add_node(f, &n, v);
    }
    f->first[1] = f->nodes.len;
}

static void combine(struct fit *f, uint32_t a, uint32_t b, bool last)
{
    int64_t v[MAX_PROBES];
    const struct fit_node *x = &f->nodes.at[a], *y = &f->nodes.at[b];
    if (x->op == FIT_CONST && y->op == FIT_CONST)
        return;
    for (int op = FIT_ADD; op < N_FIT_OPS; op++) {
        struct fit_node n = {.op = (enum fit_op)op,
                         .a = a,
                         .b = b,
                         .size = f->nodes.at[a].size + f->nodes.at[b].size + 1};
        if (a > b && commutes(n.op))
            continue;
        if (last) {
            offer(f, &n, NULL);
            continue;
        }
        for (uint32_t i = 0; i < f->n_probes; i++)
            v[i] = apply(n.op, values_of(f, a)[i], values_of(f, b)[i]);
        add_node(f, &n, v);
    }
}

// All expressions of 2k+1 nodes.
static void add_size(struct fit *f, uint32_t k, bool last)
{
    for (uint32_t i = 0; i < k; i++) {
        uint32_t j = k - 1 - i;
        for (uint32_t a = f->first[i]; a < f->first[i + 1]; a++)
            for (uint32_t b = f->first[j]; b < f->first[j + 1]; b++) {
                if (!last && f->nodes.len - f->first[k] >= MAX_KEPT)
                    return;
                combine(f, a, b, last);
            }
    }
}

// ---- the samples that are looked at

static int compare_count(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void fit_probes(struct fit *f)
{
    const struct fit_problem *p = f->p;
    uint64_t *order = ARENA_NEW(f->mem, uint64_t, p->n_samples + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_samples; i++)
        if (p->samples[i].n_solutions)
            order[n++] = (uint64_t)p->samples[i].n_solutions << 32 | i;
    if (n > 1)
        qsort(order, n, sizeof *order, compare_count);
    f->n_probes = n < MAX_PROBES ? n : MAX_PROBES;
    for (uint32_t i = 0; i < f->n_probes; i++)
        f->probe[i] = (uint32_t)order[i];
}

void fit_targets(struct fit *f)
{
    const struct fit_problem *p = f->p;
    f->target = ARENA_NEW(f->mem, struct target, p->n_unknown);
    for (uint32_t u = 0; u < p->n_unknown; u++)
        for (uint32_t i = 0; i < f->n_probes; i++) {
            const struct fit_sample *s = &p->samples[f->probe[i]];
            int64_t *set = ARENA_NEW(f->mem, int64_t, s->n_solutions);
            uint32_t n = 0;
            for (uint32_t k = 0; k < s->n_solutions; k++) {
                int64_t v = s->solutions[k * p->n_unknown + u];
                uint32_t j = 0;
                while (j < n && set[j] != v)
                    j++;
                if (j == n)
                    set[n++] = v;
            }
            f->target[u].value[i] = set;
            f->target[u].n[i] = n;
        }
}

void fit_enumerate(struct fit *f)
{
    uint32_t size = f->p->max_size ? f->p->max_size : 5;
    uint32_t levels = size < 2 * MAX_SIZES ? (size + 1) / 2 : MAX_SIZES;
    table_grow(f);
    add_leaves(f);
    for (uint32_t k = 1; k < levels; k++) {
        add_size(f, k, k + 1 == levels);
        f->first[k + 1] = f->nodes.len;
    }
}
