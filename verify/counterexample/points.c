// SPDX-License-Identifier: Apache-2.0
// The points of a rank family: values of its maps on one axis that meet the preconditions
// and make the left side well-defined.  Points come by growing total weight (distance from
// the least value), then as a random sample of larger ones.  Maps are assigned one after the
// other.  Every check runs as soon as all its maps have values.  A map that an equality
// fixes is computed, not guessed.
#include "base/hash.h"
#include "verify/counterexample/maps.h"
#include "verify/counterexample/order.h"
#include "verify/limits.h"

static void compute_lets(struct cex_maps *maps, uint64_t lets)
{
    for (uint32_t s = 0; s < maps->n_slots; s++) {
        if (!(lets >> s & 1))
            continue;
        uint32_t m = maps->map_of[s];
        uint64_t bit = UINT64_C(1) << s;
        const struct iexp *def = maps->rule->maps[m].def;
        bool ok = (cex_iexp_uses(maps, def) & maps->undefined) == 0 &&
                  iexp_eval(def, maps->at, 0, &maps->now[m]);
        maps->undefined = ok ? maps->undefined & ~bit : maps->undefined | bit;
        if (!ok)
            maps->now[m] = 0;
    }
}

static bool assign(struct cex_maps *maps, const struct cex_level *level, int64_t v)
{
    maps->visits++;
    maps->now[maps->map_of[level->slot]] = v;
    compute_lets(maps, level->lets);
    for (uint32_t i = 0; i < level->n_checks; i++)
        if (!cex_check_holds(maps, &maps->ordered.at[level->first_check + i]))
            return false;
    return true;
}

static bool empty_along(const struct cex_maps *maps, uint32_t n, const struct axis_size *sizes)
{
    int64_t size;
    for (uint32_t i = 0; i < n; i++)
        if (cex_in_family(maps, sizes[i].cls) &&
            (!iexp_eval(sizes[i].size, maps->at, 0, &size) || size == 0))
            return true;
    return false;
}

static enum cex_lack lack_of(const struct cex_maps *maps)
{
    const struct rule *rule = maps->rule;
    const struct pat *lhs = &rule->pats[rule->lhs];
    enum cex_lack lack = CEX_LACKS_NOTHING;
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        if (empty_along(maps, rule->tensors[i].n_sizes, rule->tensors[i].sizes))
            lack = CEX_LACKS_OPERANDS;
    return empty_along(maps, lhs->n_sizes, lhs->sizes) ? CEX_LACKS_RESULT : lack;
}

static bool same_as_now(const struct cex_maps *maps, const int64_t *v)
{
    for (uint32_t s = 0; s < maps->n_slots; s++)
        if (v[maps->map_of[s]] != maps->now[maps->map_of[s]])
            return false;
    return true;
}

// The place of the current point in the table of kept points: its own or a free one.
static const int64_t **kept_place(const struct cex_maps *maps)
{
    uint64_t hash = 0;
    for (uint32_t s = 0; s < maps->n_slots; s++)
        hash = hash_u64((uint64_t)maps->now[maps->map_of[s]], hash);
    for (uint32_t i = (uint32_t)hash & maps->kept_mask;; i = (i + 1) & maps->kept_mask)
        if (maps->kept[i] == NULL || same_as_now(maps, maps->kept[i]))
            return &maps->kept[i];
}

// Keeps the current point, if it is new.  All maps have values, and every check holds.
static void keep_point(struct cex_maps *maps)
{
    const int64_t **place = kept_place(maps);
    if (*place != NULL) {
        maps->repeated++;
        return;
    }
    maps->repeated = 0;
    struct cex_point point = {NULL, false, lack_of(maps)};
    for (uint32_t i = 0; !point.fails && i < maps->post.len; i++)
        point.fails = !cex_check_holds(maps, &maps->post.at[i]);
    uint32_t *fails = &maps->n_fails[point.lack];
    bool empty = point.lack == CEX_LACKS_RESULT;
    if (point.fails ? *fails == VERIFY_CEX_FAILING_POINTS
                    : empty && maps->empty.len >= VERIFY_CEX_EMPTY_POINTS)
        return;
    if (!empty && maps->points.len >= maps->most_points)
        return;
    *fails += point.fails;
    int64_t *v = ARENA_NEW(maps->mem, int64_t, maps->rule->n_maps);
    for (uint32_t m = 0; m < maps->rule->n_maps; m++)
        v[m] = maps->slot_of[m] == NONE ? 0 : maps->now[m];
    *place = v;
    point.v = v;
    if (empty)
        vec_push(&maps->empty, point);
    else
        vec_push(&maps->points, point);
}

static bool full(const struct cex_maps *maps, uint64_t visits)
{
    return maps->visits >= visits ||
           maps->n_fails[CEX_LACKS_NOTHING] == VERIFY_CEX_FAILING_POINTS ||
           maps->points.len >= maps->most_points;
}

// Visits all assignments of the levels from `depth` on whose weights sum up to `weight`.
static void enumerate(struct cex_maps *maps, uint32_t depth, uint32_t weight, uint64_t visits)
{
    if (full(maps, visits))
        return;
    if (depth == maps->n_levels) {
        keep_point(maps);
        return;
    }
    const struct cex_level *level = &maps->level[depth];
    int64_t v;
    if (level->forced != NULL) {
        if (iexp_eval(level->forced, maps->at, 0, &v) && assign(maps, level, v))
            enumerate(maps, depth + 1, weight, visits);
        return;
    }
    for (uint32_t i = 0; i < level->n_values && level->weight[i] <= weight; i++) {
        if (depth == maps->last_free && level->weight[i] != weight)
            continue;
        if (assign(maps, level, level->value[i]))
            enumerate(maps, depth + 1, weight - level->weight[i], visits);
    }
}

static int64_t random_value(const struct cex_level *level, struct rng *rng)
{
    if (level->n_values == 0 || rng_below(rng, 8) == 0)
        return rng_range(rng, VERIFY_CEX_SAMPLE_LOWEST, VERIFY_CEX_SAMPLE_HIGHEST);
    double u = rng_unit(rng);
    return level->value[(uint32_t)(u * (rng_below(rng, 2) ? u : 1) * level->n_values)];
}

static bool sample(struct cex_maps *maps, struct rng *rng)
{
    maps->visits++;
    for (uint32_t d = 0; d < maps->n_levels; d++) {
        const struct cex_level *level = &maps->level[d];
        int64_t v;
        bool ok = false;
        if (level->forced != NULL)
            ok = iexp_eval(level->forced, maps->at, 0, &v) && assign(maps, level, v);
        for (int tries = 0; level->forced == NULL && !ok && tries < VERIFY_CEX_SAMPLE_TRIES;
             tries++)
            ok = assign(maps, level, random_value(level, rng));
        if (!ok)
            return false;
    }
    return true;
}

// Keeps the given point if all checks hold.
static bool try_values(struct cex_maps *maps, const int64_t *v)
{
    for (uint32_t d = 0; d < maps->n_levels; d++)
        if (!assign(maps, &maps->level[d], v[maps->level[d].slot]))
            return false;
    keep_point(maps);
    return true;
}

// The hint's value at a place.  For a block: the product over its axes.
static int64_t hint_value(const struct cex_maps *maps, const struct cex_hint *hint, uint32_t slot,
                          uint32_t place)
{
    uint32_t m = maps->map_of[slot];
    int64_t v = 1;
    if (!maps->family->joint)
        return hint->map[m][place];
    for (uint32_t i = 0; i < hint->rank[maps->rule->maps[m].cls]; i++)
        if (__builtin_mul_overflow(v, hint->map[m][i], &v))
            return 0;
    return v;
}

static void hint_points(struct cex_maps *maps, const struct cex_space *space)
{
    int64_t v[VERIFY_CEX_SLOTS];
    for (uint32_t h = 0; h < space->n_hints; h++) {
        const struct cex_hint *hint = &space->hints[h];
        uint32_t places = maps->family->joint ? 1 : hint->rank[maps->family->root];
        for (uint32_t i = 0; i < places; i++) {
            for (uint32_t k = 0; k < maps->n_slots; k++)
                v[k] = maps->is_let[k] ? 0 : hint_value(maps, hint, k, i);
            try_values(maps, v);
            for (uint32_t k = 0; k < maps->n_slots; k++)
                for (int64_t d = -1; d <= 1 && !maps->is_let[k]; d += 2) {
                    if (v[k] > INT64_MAX - 2 || v[k] < INT64_MIN + 2)
                        continue;
                    v[k] += d;
                    try_values(maps, v);
                    v[k] -= d;
                }
        }
    }
}

static void search_points(struct cex_maps *maps, struct rng *rng)
{
    uint64_t visits = maps->budget->visits;
    uint32_t most = 0;
    for (uint32_t d = 0; d < maps->n_levels; d++)
        if (maps->level[d].forced == NULL && maps->level[d].n_values > 0)
            most += maps->level[d].weight[maps->level[d].n_values - 1];
    for (uint32_t s = 0; s <= most && s <= VERIFY_CEX_WEIGHT; s++)
        enumerate(maps, 0, s, visits - visits / VERIFY_CEX_SAMPLE_PART);
    maps->repeated = 0;
    while (maps->n_levels > 0 && !full(maps, visits) && maps->repeated < VERIFY_CEX_REPEATED_POINTS)
        if (sample(maps, rng))
            keep_point(maps);
}

// Room for all points that are kept, at most half full.
static void make_kept(struct cex_maps *maps)
{
    uint32_t most = VERIFY_CEX_KEPT_POINTS, size = 2;
    if (maps->budget->points < most)
        most = maps->budget->points;
    if (maps->budget->visits < most)
        most = (uint32_t)maps->budget->visits;
    while (size < 2 * (most + VERIFY_CEX_EMPTY_POINTS + CEX_N_LACKS * VERIFY_CEX_FAILING_POINTS))
        size *= 2;
    maps->kept = ARENA_NEW(maps->mem, const int64_t *, size);
    maps->kept_mask = size - 1;
    maps->most_points = most;
}

void cex_family_fill(const struct cex_space *space, struct cex_family *family,
                     const struct cex_budget *budget, struct rng *rng)
{
    struct cex_maps *maps = ARENA_NEW(space->mem, struct cex_maps, 1);
    uint32_t n = 0;
    *maps = (struct cex_maps){
        .rule = space->rule, .family = family, .budget = budget, .mem = space->mem};
    for (uint32_t m = 0; m < space->rule->n_maps; m++)
        n += !space->rule->maps[m].index &&
             cex_root(space->rule, space->rule->maps[m].cls) == family->root;
    cex_slots_init(maps);
    make_kept(maps);
    if (n <= VERIFY_CEX_SLOTS) {
        cex_collect_checks(maps);
        cex_order_levels(maps);
        if (maps->n_levels == 0) {
            compute_lets(maps, UINT64_MAX);
            bool ok = true;
            for (uint32_t i = 0; i < maps->pre.len; i++)
                ok = ok && cex_check_holds(maps, &maps->pre.at[i]);
            if (ok)
                keep_point(maps);
        } else {
            hint_points(maps, space);
            search_points(maps, rng);
        }
    }
    family->n_full = maps->points.len;
    for (uint32_t i = 0; i < maps->empty.len; i++)
        vec_push(&maps->points, maps->empty.at[i]);
    family->n_points = maps->points.len;
    struct cex_point *at = ARENA_NEW(space->mem, struct cex_point, family->n_points);
    for (uint32_t i = 0; i < family->n_points; i++)
        at[i] = maps->points.at[i];
    family->point = at;
    cex_family_sort(space->rule, family, space->mem);
    vec_release(&maps->points);
    vec_release(&maps->empty);
    vec_release(&maps->pre);
    vec_release(&maps->post);
    vec_release(&maps->ordered);
    vec_release(&maps->constants);
}
