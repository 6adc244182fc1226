// SPDX-License-Identifier: Apache-2.0
// Expressions are enumerated by size with their values over some samples (the
// probes); those with equal values are one.  The greatest size is not kept,
// only compared with what is wanted.
#include "discover/fit.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

#define UNDEFINED INT64_MIN
#define LIMIT_VALUE (INT64_C(1) << 40) // larger values count as undefined
#define MAX_PROBES 64
#define MAX_KEPT 4000 // expressions of one size that larger ones are made of
#define PER_SIZE 6    // of each size, the best for one unknown
#define MAX_SIZES 8
#define BEAM 48

enum fit_op {
    FIT_KNOWN,
    FIT_CONST,
    FIT_ADD,
    FIT_SUB,
    FIT_MUL,
    FIT_MIN,
    FIT_MAX,
    FIT_CDIV,
    N_FIT_OPS,
};

struct node {
    enum fit_op op;
    uint32_t a, b; // nodes; a known's index
    int64_t k;
    uint32_t size;
};

struct candidate {
    struct node node;
    uint32_t hits; // probes
};

struct target { // one unknown
    uint32_t n[MAX_PROBES];
    const int64_t *value[MAX_PROBES];
    uint32_t n_best[MAX_SIZES];
    struct candidate best[MAX_SIZES][PER_SIZE];
};

struct fit {
    const struct fit_problem *p;
    struct arena *mem;
    uint32_t n_probes;
    uint32_t probe[MAX_PROBES]; // samples, few solutions first
    VEC(struct node) nodes;
    VEC(int64_t) values;           // n_probes a node
    VEC(uint32_t) table;           // node + 1
    uint32_t first[MAX_SIZES + 1]; // nodes of size 2k+1 start at first[k]
    struct target *target;
};

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

static int64_t leaf_value(const struct fit *f, const struct node *n,
                          uint32_t sample)
{
    return n->op == FIT_CONST ? n->k : f->p->samples[sample].known[n->a];
}

// The value at any sample.
static int64_t value_at(const struct fit *f, const struct node *n,
                        uint32_t sample)
{
    if (n->op <= FIT_CONST)
        return leaf_value(f, n, sample);
    return apply(n->op, value_at(f, &f->nodes.at[n->a], sample),
                 value_at(f, &f->nodes.at[n->b], sample));
}

static bool wanted(const struct target *t, uint32_t probe, int64_t v)
{
    for (uint32_t i = 0; i < t->n[probe]; i++)
        if (t->value[probe][i] == v)
            return true;
    return false;
}

// Puts a candidate behind those as good as it: found earlier is simpler.
static void keep(struct target *t, const struct node *n, uint32_t hits)
{
    uint32_t k = n->size / 2, i = t->n_best[k];
    struct candidate *best = t->best[k];
    if (i == PER_SIZE && best[i - 1].hits >= hits)
        return;
    if (i < PER_SIZE)
        t->n_best[k]++;
    else
        i--;
    for (; i > 0 && best[i - 1].hits < hits; i--)
        best[i] = best[i - 1];
    best[i] = (struct candidate){*n, hits};
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

// A node of the values `v`.  Without them it is an operator on two nodes, and no
// more values are computed than are needed.
static void offer(struct fit *f, const struct node *n, const int64_t *v)
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

static void add_node(struct fit *f, const struct node *n, const int64_t *v)
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
        struct node n = {.op = FIT_KNOWN, .a = i, .size = 1};
        for (uint32_t s = 0; s < f->n_probes; s++)
            v[s] = leaf_value(f, &n, f->probe[s]);
        add_node(f, &n, v);
    }
    for (uint32_t i = 0; i < 4; i++) {
        struct node n = {.op = FIT_CONST, .k = constants[i], .size = 1};
        for (uint32_t s = 0; s < f->n_probes; s++)
            v[s] = n.k;
        add_node(f, &n, v);
    }
    f->first[1] = f->nodes.len;
}

static void combine(struct fit *f, uint32_t a, uint32_t b, bool last)
{
    int64_t v[MAX_PROBES];
    const struct node *x = &f->nodes.at[a], *y = &f->nodes.at[b];
    if (x->op == FIT_CONST && y->op == FIT_CONST)
        return;
    for (int op = FIT_ADD; op < N_FIT_OPS; op++) {
        struct node n = {.op = (enum fit_op)op,
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

static void choose_probes(struct fit *f)
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

static void make_targets(struct fit *f)
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

// ---- tuples

struct tuple {
    const struct candidate **c; // n_unknown
    uint32_t hits, size;
};

static uint32_t tuple_hits(const struct fit *f, const struct tuple *t,
                           uint32_t n, bool all, bool *meets)
{
    const struct fit_problem *p = f->p;
    uint32_t hits = 0, n_samples = all ? p->n_samples : f->n_probes;
    int64_t v[16];
    for (uint32_t i = 0; i < n_samples; i++) {
        uint32_t at = all ? i : f->probe[i];
        const struct fit_sample *s = &p->samples[at];
        bool found = false;
        for (uint32_t u = 0; u < n && s->n_solutions; u++)
            v[u] = value_at(f, &t->c[u]->node, at);
        for (uint32_t k = 0; k < s->n_solutions && !found; k++)
            found = memcmp(s->solutions + k * p->n_unknown, v,
                           n * sizeof(int64_t)) == 0;
        hits += found;
        if (meets != NULL)
            meets[at] = found;
    }
    return hits;
}

static bool better(const struct tuple *a, const struct tuple *b)
{
    return a->hits != b->hits ? a->hits > b->hits : a->size < b->size;
}

static uint32_t insert(struct tuple *list, uint32_t n, uint32_t max,
                       const struct tuple *t)
{
    uint32_t i = n < max ? n : max - 1;
    if (n == max && !better(t, &list[i]))
        return n;
    for (; i > 0 && better(t, &list[i - 1]); i--)
        list[i] = list[i - 1];
    list[i] = *t;
    return n < max ? n + 1 : n;
}

// The best tuples, unknown by unknown.
static uint32_t tuples(const struct fit *f, struct tuple *out)
{
    uint32_t n = 1, n_unknown = f->p->n_unknown;
    out[0] = (struct tuple){
        .c = ARENA_NEW(f->mem, const struct candidate *, n_unknown + 1)};
    for (uint32_t u = 0; u < n_unknown; u++) {
        struct tuple *next = ARENA_NEW(f->mem, struct tuple, BEAM);
        const struct target *t = &f->target[u];
        uint32_t m = 0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < MAX_SIZES; k++)
                for (uint32_t j = 0; j < t->n_best[k]; j++) {
                    struct tuple one = {
                        .c = ARENA_NEW(f->mem, const struct candidate *,
                                       n_unknown + 1),
                        .size = out[i].size + t->best[k][j].node.size};
                    memcpy(one.c, out[i].c, u * sizeof *one.c);
                    one.c[u] = &t->best[k][j];
                    one.hits = tuple_hits(f, &one, u + 1, false, NULL);
                    m = insert(next, m, BEAM, &one);
                }
        memcpy(out, next, m * sizeof *out);
        n = m;
    }
    return n;
}

// ---- text

static int level_of(enum fit_op op)
{
    return op == FIT_ADD || op == FIT_SUB ? 1 : op == FIT_MUL ? 2 : 3;
}

static void print_node(const struct fit *f, const struct node *n, int level,
                       struct buf *out)
{
    static const char *const sign[] = {"",    "",    " + ", " - ",
                                       " * ", "min", "max", "ceildiv"};
    const struct node *a = &f->nodes.at[n->a], *b = &f->nodes.at[n->b];
    if (n->op == FIT_KNOWN) {
        buf_puts(out, f->p->known[n->a]);
        return;
    }
    if (n->op == FIT_CONST) {
        buf_printf(out, n->k < 0 && level > 1 ? "(%lld)" : "%lld",
                   (long long)n->k);
        return;
    }
    int own = level_of(n->op);
    bool call = own == 3, brackets = !call && own < level;
    buf_puts(out, call ? sign[n->op] : "");
    buf_puts(out, call || brackets ? "(" : "");
    print_node(f, a, call ? 0 : own, out);
    buf_puts(out, call ? ", " : sign[n->op]);
    print_node(f, b, call ? 0 : own + 1, out);
    buf_puts(out, call || brackets ? ")" : "");
}

static const char *text_of(const struct fit *f, const struct node *n)
{
    struct buf b = {0};
    print_node(f, n, 0, &b);
    const char *s = arena_strdup(f->mem, buf_text(&b));
    buf_release(&b);
    return s;
}

// `where` is learned only if asked for.
static bool answer(const struct fit *f, const struct tuple *t, bool where,
                   struct fit_answer *out)
{
    const struct fit_problem *p = f->p;
    bool *good = ARENA_NEW(f->mem, bool, p->n_samples + 1);
    struct fit_where w = {.where = ""};
    w.covered = tuple_hits(f, t, p->n_unknown, true, good);
    if (w.covered == 0 || (where && !fit_where(p, good, f->mem, &w)))
        return false;
    *out = (struct fit_answer){
        .where = w.where,
        .covered = w.covered,
        .size = t->size,
        .expr = ARENA_NEW(f->mem, const char *, p->n_unknown + 1)};
    for (uint32_t u = 0; u < p->n_unknown; u++)
        out->expr[u] = text_of(f, &t->c[u]->node);
    return true;
}

static bool answer_better(const struct fit_answer *a,
                          const struct fit_answer *b)
{
    return a->covered != b->covered ? a->covered > b->covered
                                    : a->size < b->size;
}

static void solve(struct fit *f)
{
    uint32_t size = f->p->max_size ? f->p->max_size : 5;
    uint32_t levels = size < 2 * MAX_SIZES ? (size + 1) / 2 : MAX_SIZES;
    add_leaves(f);
    for (uint32_t k = 1; k < levels; k++) {
        add_size(f, k, k + 1 == levels);
        f->first[k + 1] = f->nodes.len;
    }
}

static uint32_t answers(const struct fit_problem *p, uint32_t max, bool where,
                        struct arena *mem, struct fit_answer *out)
{
    struct fit f = {.p = p, .mem = mem};
    struct tuple list[BEAM];
    uint32_t n = 0;
    if (p->n_unknown > 16 || max == 0)
        return 0;
    choose_probes(&f);
    if (f.n_probes == 0)
        return 0;
    make_targets(&f);
    table_grow(&f);
    solve(&f);
    uint32_t m = tuples(&f, list);
    for (uint32_t i = 0; i < m && i < 4 * max; i++) {
        struct fit_answer one;
        if (!answer(&f, &list[i], where, &one))
            continue;
        uint32_t k = n < max ? n : max - 1;
        if (n == max && !answer_better(&one, &out[k]))
            continue;
        for (; k > 0 && answer_better(&one, &out[k - 1]); k--)
            out[k] = out[k - 1];
        out[k] = one;
        n += n < max;
    }
    vec_release(&f.nodes);
    vec_release(&f.values);
    vec_release(&f.table);
    return n;
}

uint32_t fit_solve(const struct fit_problem *p, uint32_t max, struct arena *mem,
                   struct fit_answer *out)
{
    return answers(p, max, true, mem, out);
}

uint32_t fit_expressions(const struct fit_problem *p, uint32_t max,
                         struct arena *mem, struct fit_answer *out)
{
    return answers(p, max, false, mem, out);
}
