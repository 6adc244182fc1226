// SPDX-License-Identifier: Apache-2.0
// The points of a rank family: values of its maps on one axis that meet the
// preconditions and make the left side well-defined, by growing total weight
// (distance from the least value), then a random sample of larger ones.  Maps
// are assigned one after the other; every check runs as soon as all maps in it
// have values, and a map that an equality fixes is computed, not guessed.
#include "verify/counterexample/maps.h"

#define MAX_FAILS 8
#define MAX_EMPTY 24
#define MAX_WEIGHT 48

static void compute_lets(struct cex_maps *w, uint64_t lets)
{
    for (uint32_t s = 0; s < w->n_slots; s++) {
        if (!(lets >> s & 1))
            continue;
        uint32_t m = w->map_of[s];
        uint64_t bit = UINT64_C(1) << s;
        const struct iexp *def = w->r->maps[m].def;
        bool ok = (cex_iexp_uses(w, def) & w->undefined) == 0 &&
                  iexp_eval(def, w->at, 0, &w->now[m]);
        w->undefined = ok ? w->undefined & ~bit : w->undefined | bit;
        if (!ok)
            w->now[m] = 0;
    }
}

static bool assign(struct cex_maps *w, const struct cex_level *l, int64_t v)
{
    w->visits++;
    w->now[w->map_of[l->slot]] = v;
    compute_lets(w, l->lets);
    for (uint32_t i = 0; i < l->n_checks; i++)
        if (!cex_check_holds(w, &w->ordered.at[l->first_check + i]))
            return false;
    return true;
}

// All maps have values and every check cex_check_holds.
static void keep_point(struct cex_maps *w)
{
    struct cex_point p = {NULL, false, false};
    const struct pat *lhs = &w->r->pats[w->r->lhs];
    int64_t size;
    for (uint32_t i = 0; !p.fails && i < w->post.len; i++)
        p.fails = !cex_check_holds(w, &w->post.at[i]);
    for (uint32_t i = 0; i < lhs->n_sizes; i++)
        if (cex_in_family(w, lhs->sizes[i].cls))
            p.empty |=
                !iexp_eval(lhs->sizes[i].size, w->at, 0, &size) || size == 0;
    if (p.fails ? w->n_fails == MAX_FAILS
                : p.empty && w->empty.len >= MAX_EMPTY)
        return;
    if (!p.empty && w->points.len >= w->budget->points)
        return;
    w->n_fails += p.fails;
    int64_t *v = ARENA_NEW(w->mem, int64_t, w->r->n_maps);
    for (uint32_t m = 0; m < w->r->n_maps; m++)
        v[m] = w->slot_of[m] == NONE ? 0 : w->now[m];
    p.v = v;
    if (p.empty)
        vec_push(&w->empty, p);
    else
        vec_push(&w->points, p);
}

static bool full(const struct cex_maps *w, uint64_t visits)
{
    return w->visits >= visits || w->n_fails == MAX_FAILS ||
           w->points.len >= w->budget->points;
}

// All assignments of the levels from `depth` on whose weights sum up to
// `weight`.
static void enumerate(struct cex_maps *w, uint32_t depth, uint32_t weight,
                      uint64_t visits)
{
    if (full(w, visits))
        return;
    if (depth == w->n_levels) {
        keep_point(w);
        return;
    }
    const struct cex_level *l = &w->level[depth];
    int64_t v;
    if (l->forced != NULL) {
        if (iexp_eval(l->forced, w->at, 0, &v) && assign(w, l, v))
            enumerate(w, depth + 1, weight, visits);
        return;
    }
    for (uint32_t i = 0; i < l->n_values && l->weight[i] <= weight; i++) {
        if (depth == w->last_free && l->weight[i] != weight)
            continue;
        if (assign(w, l, l->value[i]))
            enumerate(w, depth + 1, weight - l->weight[i], visits);
    }
}

static int64_t random_value(const struct cex_level *l, struct rng *rng)
{
    if (l->n_values == 0 || rng_below(rng, 8) == 0)
        return rng_range(rng, -6, 12);
    double u = rng_unit(rng);
    return l->value[(uint32_t)(u * (rng_below(rng, 2) ? u : 1) * l->n_values)];
}

static bool sample(struct cex_maps *w, struct rng *rng)
{
    w->visits++;
    for (uint32_t d = 0; d < w->n_levels; d++) {
        const struct cex_level *l = &w->level[d];
        int64_t v;
        bool ok = false;
        if (l->forced != NULL)
            ok = iexp_eval(l->forced, w->at, 0, &v) && assign(w, l, v);
        for (int tries = 0; l->forced == NULL && !ok && tries < 6; tries++)
            ok = assign(w, l, random_value(l, rng));
        if (!ok)
            return false;
    }
    return true;
}

// A given point and its neighbours.
static bool try_values(struct cex_maps *w, const int64_t *v)
{
    for (uint32_t d = 0; d < w->n_levels; d++)
        if (!assign(w, &w->level[d], v[w->level[d].slot]))
            return false;
    keep_point(w);
    return true;
}

// Of a block: the product over its axes.
static int64_t hint_value(const struct cex_maps *w, const struct cex_hint *hint,
                          uint32_t slot, uint32_t place)
{
    uint32_t m = w->map_of[slot];
    int64_t v = 1;
    if (!w->f->joint)
        return hint->map[m][place];
    for (uint32_t i = 0; i < hint->rank[w->r->maps[m].cls]; i++)
        if (__builtin_mul_overflow(v, hint->map[m][i], &v))
            return 0;
    return v;
}

static void hint_points(struct cex_maps *w, const struct cex_space *s)
{
    int64_t v[MAX_SLOTS];
    for (uint32_t h = 0; h < s->n_hints; h++) {
        const struct cex_hint *hint = &s->hints[h];
        uint32_t places = w->f->joint ? 1 : hint->rank[w->f->root];
        for (uint32_t i = 0; i < places; i++) {
            for (uint32_t k = 0; k < w->n_slots; k++)
                v[k] = w->is_let[k] ? 0 : hint_value(w, hint, k, i);
            try_values(w, v);
            for (uint32_t k = 0; k < w->n_slots; k++)
                for (int64_t d = -1; d <= 1 && !w->is_let[k]; d += 2) {
                    if (v[k] > INT64_MAX - 2 || v[k] < INT64_MIN + 2)
                        continue;
                    v[k] += d;
                    try_values(w, v);
                    v[k] -= d;
                }
        }
    }
}

static void search_points(struct cex_maps *w, struct rng *rng)
{
    uint64_t visits = w->budget->visits;
    uint32_t most = 0;
    for (uint32_t d = 0; d < w->n_levels; d++)
        if (w->level[d].forced == NULL && w->level[d].n_values > 0)
            most += w->level[d].weight[w->level[d].n_values - 1];
    for (uint32_t s = 0; s <= most && s <= MAX_WEIGHT; s++)
        enumerate(w, 0, s, visits - visits / 4);
    while (w->n_levels > 0 && !full(w, visits))
        if (sample(w, rng))
            keep_point(w);
}

void cex_family_fill(const struct cex_space *s, struct cex_family *f,
                     const struct cex_budget *b, struct rng *rng)
{
    struct cex_maps *w = ARENA_NEW(s->mem, struct cex_maps, 1);
    uint32_t n = 0;
    *w = (struct cex_maps){.r = s->r, .f = f, .budget = b, .mem = s->mem};
    for (uint32_t m = 0; m < s->r->n_maps; m++)
        n += !s->r->maps[m].index &&
             cex_root(s->r, s->r->maps[m].cls) == f->root;
    cex_slots_init(w);
    if (n <= MAX_SLOTS) {
        cex_collect_checks(w);
        cex_order_levels(w);
        if (w->n_levels == 0) {
            compute_lets(w, UINT64_MAX);
            bool ok = true;
            for (uint32_t i = 0; i < w->pre.len; i++)
                ok = ok && cex_check_holds(w, &w->pre.at[i]);
            if (ok)
                keep_point(w);
        } else {
            hint_points(w, s);
            search_points(w, rng);
        }
    }
    f->n_full = w->points.len;
    for (uint32_t i = 0; i < w->empty.len; i++)
        vec_push(&w->points, w->empty.at[i]);
    f->n_points = w->points.len;
    struct cex_point *at = ARENA_NEW(s->mem, struct cex_point, f->n_points);
    for (uint32_t i = 0; i < f->n_points; i++)
        at[i] = w->points.at[i];
    f->point = at;
    vec_release(&w->points);
    vec_release(&w->empty);
    vec_release(&w->pre);
    vec_release(&w->post);
    vec_release(&w->ordered);
    vec_release(&w->constants);
}
