// SPDX-License-Identifier: Apache-2.0
// Expressions are enumerated by size, with their values at some samples (the
// probes).  Expressions with equal values are one node.  Expressions of the
// greatest size are only compared with the targets, not kept.
#include "discover/fit/core.h"
#include "discover/limits.h"
#include "base/hash.h"
#include <stdlib.h>
#include <string.h>

#define UNDEFINED INT64_MIN
#define LIMIT_VALUE (INT64_C(1) << FIT_VALUE_BITS) // larger values count as undefined

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
        if (a != 0 && (b > LIMIT_VALUE / (a < 0 ? -a : a) || b < -LIMIT_VALUE / (a < 0 ? -a : a)))
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

static const int64_t *values_of(const struct fit *fit, uint32_t node)
{
    return fit->values.at + (size_t)node * fit->n_probes;
}

static int64_t leaf_value(const struct fit *fit, const struct fit_node *node, uint32_t sample)
{
    return node->op == FIT_CONST ? node->k : fit->problem->samples[sample].known[node->a];
}

int64_t fit_value(const struct fit *fit, const struct fit_node *node, uint32_t sample)
{
    if (node->op <= FIT_CONST)
        return leaf_value(fit, node, sample);
    return apply(node->op, fit_value(fit, &fit->nodes.at[node->a], sample),
                 fit_value(fit, &fit->nodes.at[node->b], sample));
}

static bool wanted(const struct target *target, uint32_t probe, int64_t v)
{
    for (uint32_t i = 0; i < target->n[probe]; i++)
        if (target->value[probe][i] == v)
            return true;
    return false;
}

// Inserts a candidate after those that are as good: earlier candidates are
// simpler.
static void keep(struct target *target, const struct fit_node *node, uint32_t hits)
{
    uint32_t k = node->size / 2, i = target->n_best[k];
    struct fit_candidate *best = target->best[k];
    if (i == FIT_PER_SIZE && best[i - 1].hits >= hits)
        return;
    if (i < FIT_PER_SIZE)
        target->n_best[k]++;
    else
        i--;
    for (; i > 0 && best[i - 1].hits < hits; i--)
        best[i] = best[i - 1];
    best[i] = (struct fit_candidate){*node, hits};
}

// The number of probes that a candidate may miss and still be kept.
static uint32_t misses_allowed(const struct fit *fit, const struct target *target, uint32_t size)
{
    uint32_t k = size / 2, least = fit->n_probes / 3;
    for (uint32_t i = 0; i < k; i++) // larger expressions must hit more probes
        if (target->n_best[i] && target->best[i][0].hits + 1 > least)
            least = target->best[i][0].hits + 1;
    if (target->n_best[k] == FIT_PER_SIZE && target->best[k][FIT_PER_SIZE - 1].hits + 1 > least)
        least = target->best[k][FIT_PER_SIZE - 1].hits + 1;
    return least > fit->n_probes ? UINT32_MAX : fit->n_probes - least;
}

// Adds a node with the values `v`.  If v is NULL, the node is an operator on
// two nodes, and values are computed only as far as needed.
static void offer(struct fit *fit, const struct fit_node *node, const int64_t *v)
{
    const int64_t *a = v ? NULL : values_of(fit, node->a);
    const int64_t *b = v ? NULL : values_of(fit, node->b);
    for (uint32_t u = 0; u < fit->problem->n_unknown; u++) {
        struct target *target = &fit->target[u];
        uint32_t allowed = misses_allowed(fit, target, node->size), misses = 0;
        if (allowed == UINT32_MAX)
            continue;
        for (uint32_t i = 0; i < fit->n_probes && misses <= allowed; i++)
            misses += !wanted(target, i, v ? v[i] : apply(node->op, a[i], b[i]));
        if (misses <= allowed)
            keep(target, node, fit->n_probes - misses);
    }
}

static uint64_t hash_values(const int64_t *v, uint32_t n)
{
    uint64_t h = n;
    for (uint32_t i = 0; i < n; i++)
        h = hash_u64((uint64_t)v[i], h);
    return h;
}

// Own table: asked for every expression that is enumerated, with the values in
// an array that the expressions share.
static void table_put(struct fit *fit, uint32_t node)
{
    uint32_t mask = fit->table.len - 1;
    uint64_t h = hash_values(values_of(fit, node), fit->n_probes);
    while (fit->table.at[h & mask])
        h++;
    fit->table.at[h & mask] = node + 1;
}

static void table_grow(struct fit *fit)
{
    uint32_t n = fit->table.len ? 2 * fit->table.len : 1024;
    vec_release(&fit->table);
    vec_zero(&fit->table, n);
    for (uint32_t i = 0; i < fit->nodes.len; i++)
        table_put(fit, i);
}

static bool table_has(const struct fit *fit, const int64_t *v)
{
    uint32_t mask = fit->table.len - 1;
    for (uint64_t h = hash_values(v, fit->n_probes);; h++) {
        uint32_t n = fit->table.at[h & mask];
        if (n == 0)
            return false;
        if (memcmp(values_of(fit, n - 1), v, fit->n_probes * sizeof(int64_t)) == 0)
            return true;
    }
}

static void add_node(struct fit *fit, const struct fit_node *node, const int64_t *v)
{
    bool defined = false;
    for (uint32_t i = 0; i < fit->n_probes && !defined; i++)
        defined = v[i] != UNDEFINED;
    if (!defined || table_has(fit, v))
        return;
    offer(fit, node, v);
    vec_push(&fit->nodes, *node);
    for (uint32_t i = 0; i < fit->n_probes; i++)
        vec_push(&fit->values, v[i]);
    if (2 * fit->nodes.len >= fit->table.len)
        table_grow(fit);
    else
        table_put(fit, fit->nodes.len - 1);
}

static void add_leaves(struct fit *fit)
{
    static const int64_t constants[] = {0, 1, -1, 2};
    int64_t v[FIT_PROBES];
    fit->first[0] = 0;
    for (uint32_t i = 0; i < fit->problem->n_known; i++) {
        struct fit_node node = {.op = FIT_KNOWN, .a = i, .size = 1};
        for (uint32_t s = 0; s < fit->n_probes; s++)
            v[s] = leaf_value(fit, &node, fit->probe[s]);
        add_node(fit, &node, v);
    }
    for (uint32_t i = 0; i < 4; i++) {
        struct fit_node n = {.op = FIT_CONST, .k = constants[i], .size = 1};
        for (uint32_t s = 0; s < fit->n_probes; s++)
            v[s] = n.k;
        add_node(fit, &n, v);
    }
    fit->first[1] = fit->nodes.len;
}

static void combine(struct fit *fit, uint32_t a, uint32_t b, bool last)
{
    int64_t v[FIT_PROBES];
    const struct fit_node *node = &fit->nodes.at[a], *y = &fit->nodes.at[b];
    if (node->op == FIT_CONST && y->op == FIT_CONST)
        return;
    for (int op = FIT_ADD; op < N_FIT_OPS; op++) {
        struct fit_node n = {.op = (enum fit_op)op,
                             .a = a,
                             .b = b,
                             .size = fit->nodes.at[a].size + fit->nodes.at[b].size + 1};
        if (a > b && commutes(n.op))
            continue;
        if (last) {
            offer(fit, &n, NULL);
            continue;
        }
        for (uint32_t i = 0; i < fit->n_probes; i++)
            v[i] = apply(n.op, values_of(fit, a)[i], values_of(fit, b)[i]);
        add_node(fit, &n, v);
    }
}

// Adds all expressions of 2k+1 nodes.
static void add_size(struct fit *fit, uint32_t k, bool last)
{
    for (uint32_t i = 0; i < k; i++) {
        uint32_t j = k - 1 - i;
        for (uint32_t a = fit->first[i]; a < fit->first[i + 1]; a++)
            for (uint32_t b = fit->first[j]; b < fit->first[j + 1]; b++) {
                if (!last && fit->nodes.len - fit->first[k] >= FIT_KEPT)
                    return;
                combine(fit, a, b, last);
            }
    }
}

// ---- probes

static int compare_count(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void fit_probes(struct fit *fit)
{
    const struct fit_problem *problem = fit->problem;
    uint64_t *order = ARENA_NEW(fit->mem, uint64_t, problem->n_samples + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < problem->n_samples; i++)
        if (problem->samples[i].n_solutions)
            order[n++] = (uint64_t)problem->samples[i].n_solutions << 32 | i;
    if (n > 1)
        qsort(order, n, sizeof *order, compare_count);
    fit->n_probes = n < FIT_PROBES ? n : FIT_PROBES;
    for (uint32_t i = 0; i < fit->n_probes; i++)
        fit->probe[i] = (uint32_t)order[i];
}

void fit_targets(struct fit *fit)
{
    const struct fit_problem *problem = fit->problem;
    fit->target = ARENA_NEW(fit->mem, struct target, problem->n_unknown);
    for (uint32_t u = 0; u < problem->n_unknown; u++)
        for (uint32_t i = 0; i < fit->n_probes; i++) {
            const struct fit_sample *sample = &problem->samples[fit->probe[i]];
            int64_t *set = ARENA_NEW(fit->mem, int64_t, sample->n_solutions);
            uint32_t n = 0;
            for (uint32_t k = 0; k < sample->n_solutions; k++) {
                int64_t v = sample->solutions[k * problem->n_unknown + u];
                uint32_t j = 0;
                while (j < n && set[j] != v)
                    j++;
                if (j == n)
                    set[n++] = v;
            }
            fit->target[u].value[i] = set;
            fit->target[u].n[i] = n;
        }
}

void fit_enumerate(struct fit *fit)
{
    uint32_t size = fit->problem->max_size ? fit->problem->max_size : FIT_SIZE;
    uint32_t levels = size < 2 * FIT_SIZES ? (size + 1) / 2 : FIT_SIZES;
    table_grow(fit);
    add_leaves(fit);
    for (uint32_t k = 1; k < levels; k++) {
        add_size(fit, k, k + 1 == levels);
        fit->first[k + 1] = fit->nodes.len;
    }
}
