// SPDX-License-Identifier: Apache-2.0
// Makes a counterexample small: fewer axes, smaller map values, then simpler
// elements.  Greedy; every step is tried in full.
#include "verify/counterexample/parts.h"
#include <math.h>

#define MAX_STEPS 300  // changes of structure tried
#define MAX_VALUES 400 // changes of elements tried
#define FILLINGS 14    // after a change of structure

struct cex_minimiser {
    const struct rule *r;
    struct cex_evaluator *lab;
    struct rng *rng;
    struct arena *mem;
    struct cex_case *best;
    int64_t index; // of the element that differs in `best`
    uint32_t steps;
};

static bool fails(struct cex_minimiser *w, const struct cex_case *c)
{
    struct cex_outcome o;
    enum cex_failure f = cex_evaluator_run(w->lab, c, &o);
    if (f == CEX_NONE || f == CEX_DISCARD)
        return false;
    w->index = o.index;
    return true;
}

// The values that made the difference, everywhere: right where operators act
// element by element.
static void spread(const struct cex_minimiser *w, struct cex_case *c, uint64_t index)
{
    for (uint32_t i = 0; i < w->lab->n_params; i++) {
        const struct cex_values *old = &w->best->param[i];
        for (uint64_t k = 0; k < c->param[i].count && old->count > 0; k++)
            c->param[i].at[k] = old->at[index % old->count];
    }
}

// Does the changed structure still fail, with old or new elements?
static bool accept(struct cex_minimiser *w, struct cex_case *c)
{
    w->steps++;
    uint32_t n = w->lab->n_params;
    uint64_t before = 0, after = 0;
    for (uint32_t i = 0; i < n; i++)
        before += c->param[i].count;
    if (!cex_evaluator_ground(w->lab, c, w->mem))
        return false;
    for (uint32_t i = 0; i < n; i++)
        after += c->param[i].count;
    // Unequal counts, also when the caller marked the values as stale.
    bool ok = after == before && fails(w, c);
    if (!ok && after != before && before < UINT32_MAX) {
        spread(w, c, (uint64_t)w->index);
        ok = fails(w, c);
    }
    for (uint32_t i = 0; !ok && i < FILLINGS; i++) {
        cex_fill(w->r, c, i % cex_styles(w->r, c), w->rng);
        ok = fails(w, c);
    }
    if (ok)
        w->best = c;
    return ok;
}

// A block's two last axes become one.
static bool try_merge(struct cex_minimiser *w, uint32_t root)
{
    struct cex_case *c = cex_case_copy(w->r, w->best, w->mem);
    const struct rule *r = w->r;
    for (uint32_t k = 0; k < r->n_classes; k++)
        if (r->classes[k].like == root && --c->rank[k] == 0)
            return false;
    for (uint32_t m = 0; m < r->n_maps; m++) {
        uint32_t last = c->rank[r->maps[m].cls];
        if (r->classes[r->maps[m].cls].like == root &&
            __builtin_mul_overflow(c->map[m][last - 1], c->map[m][last],
                                   &c->map[m][last - 1]))
            return false;
    }
    return accept(w, c);
}

static bool try_drop(struct cex_minimiser *w, uint32_t root, uint32_t axis)
{
    if (w->r->classes[root].block)
        return w->best->rank[root] > 1 && try_merge(w, root);
    struct cex_case *c = cex_case_copy(w->r, w->best, w->mem);
    for (uint32_t k = 0; k < w->r->n_classes; k++)
        if (w->r->classes[k].like == root) {
            if (w->r->classes[k].single ||
                c->rank[k] <= w->r->classes[k].least_rank)
                return false;
            c->rank[k]--;
        }
    for (uint32_t m = 0; m < w->r->n_maps; m++)
        if (w->r->classes[w->r->maps[m].cls].like == root)
            for (uint32_t i = axis; i < c->rank[w->r->maps[m].cls]; i++)
                c->map[m][i] = c->map[m][i + 1];
    return accept(w, c);
}

static bool drop_axes(struct cex_minimiser *w)
{
    bool any = false;
    for (uint32_t k = 0; k < w->r->n_classes; k++) {
        if (w->r->classes[k].like != k)
            continue;
        for (uint32_t i = w->best->rank[k]; i-- > 0 && w->steps < MAX_STEPS;)
            any |= try_drop(w, k, i);
    }
    return any;
}

static int64_t size_of(int64_t v)
{
    return v < 0 ? -v : v;
}

static bool try_map(struct cex_minimiser *w, uint32_t m, uint32_t i, int64_t v)
{
    int64_t old = w->best->map[m][i];
    if (size_of(v) >= size_of(old) && !(v == -old && v > 0))
        return false;
    struct cex_case *c = cex_case_copy(w->r, w->best, w->mem);
    c->map[m][i] = v;
    if (accept(w, c))
        return true;
    // Maps that must be equal change together.
    c = cex_case_copy(w->r, w->best, w->mem);
    bool more = false;
    uint32_t root = cex_root(w->r, w->r->maps[m].cls);
    for (uint32_t k = 0; k < w->r->n_maps; k++)
        if (w->r->maps[k].def == NULL &&
            cex_root(w->r, w->r->maps[k].cls) == root &&
            i < c->rank[w->r->maps[k].cls] && c->map[k][i] == old) {
            c->map[k][i] = v;
            more |= k != m;
        }
    return more && accept(w, c);
}

static bool shrink_maps(struct cex_minimiser *w)
{
    bool any = false;
    for (uint32_t m = 0; m < w->r->n_maps; m++) {
        if (w->r->maps[m].def != NULL)
            continue;
        for (uint32_t i = 0; i < w->best->rank[w->r->maps[m].cls]; i++) {
            int64_t v = w->best->map[m][i];
            int64_t next[4] = {0, 1, -v, v > 0 ? v - 1 : v + 1};
            for (int k = 0; k < 4 && w->steps < MAX_STEPS; k++)
                if (w->best->map[m][i] == v && v != 0 &&
                    try_map(w, m, i, next[k]))
                    any = true;
        }
    }
    return any;
}

// How hard a value is to look at; 0 is the simplest.
static double complexity(enum elem t, struct scalar s)
{
    double x = scalar_to_double(t, s);
    if (isnan(x))
        return HUGE_VAL;
    if (elem_kind(t) == KIND_FLOAT && signbit(x))
        x = -x + 0.5;
    if (x < 0)
        x = -x + 0.25;
    return floor(x) == x || x > 1e6 ? x : x + 100;
}

static bool try_value(struct cex_minimiser *w, enum elem t, struct scalar *at,
                      struct scalar s, uint32_t *tries)
{
    struct scalar old = *at;
    if (complexity(t, s) >= complexity(t, old) || ++*tries > MAX_VALUES)
        return false;
    *at = s;
    if (fails(w, w->best))
        return true;
    *at = old;
    return false;
}

static void shrink_value(struct cex_minimiser *w, enum elem t, struct scalar *at,
                         uint32_t *tries)
{
    static const int64_t simple[] = {0, 1, 2, -1, 3, 4, -2, 12, 100};
    for (uint32_t k = 0; k < sizeof simple / sizeof *simple; k++)
        if (try_value(w, t, at, scalar_of_int(t, simple[k]), tries))
            return;
    // Then by half, as long as that goes.
    double x = scalar_to_double(t, *at);
    for (int k = 0; k < 64 && fabs(x) < 0x1p62 && fabs(x) > 4; k++) {
        x = trunc(x / 2);
        if (!try_value(w, t, at, scalar_of_int(t, (int64_t)x), tries))
            break;
    }
}

// Other element types than the commonest are shown only where they matter.
static void plain_types(struct cex_minimiser *w)
{
    if (w->best->index_elem != ELEM_I32) {
        struct cex_case *c = cex_case_copy(w->r, w->best, w->mem);
        c->index_elem = ELEM_I32;
        accept(w, c);
    }
    for (uint32_t round = 0; round < 2; round++) {
        struct cex_case *c = cex_case_copy(w->r, w->best, w->mem);
        bool same = true;
        if (!cex_choose_types(w->r, c, round, w->rng))
            continue;
        for (uint32_t i = 0; i < w->r->n_types; i++)
            same = same && c->elem[i] == w->best->elem[i];
        for (uint32_t i = 0; i < w->r->n_opvars; i++)
            if (!cex_op_fits(w->r, w->lab, c, i, &c->op[i]))
                same = true;
        for (uint32_t i = 0; i < w->lab->n_params; i++)
            c->param[i].count = UINT64_MAX; // values of the old types
        if (same || accept(w, c))
            return;
    }
}

static void shrink_values(struct cex_minimiser *w)
{
    uint32_t tries = 0;
    if (!cex_evaluator_ground(w->lab, w->best, w->mem))
        return;
    for (uint32_t i = 0; i < w->lab->n_params; i++) {
        enum elem t = type_elem(&w->lab->pool, w->lab->types[i]);
        for (uint64_t k = 0; k < w->best->param[i].count; k++)
            shrink_value(w, t, &w->best->param[i].at[k], &tries);
    }
}

struct cex_case *cex_minimise(struct cex_evaluator *l, const struct cex_case *c,
                              struct rng *rng, struct arena *mem)
{
    struct cex_minimiser w = {.r = l->r, .lab = l, .rng = rng, .mem = mem};
    w.best = cex_case_copy(l->r, c, mem);
    bool more = cex_evaluator_ground(l, w.best, mem) && fails(&w, w.best);
    while (more && w.steps < MAX_STEPS) {
        more = drop_axes(&w);
        more |= shrink_maps(&w);
    }
    plain_types(&w);
    shrink_values(&w);
    return w.best;
}
