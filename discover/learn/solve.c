// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/solve.h"
#include <string.h>

#define SOLVED_POINTS 44  // with which expressions are fitted
#define MAX_SOLUTIONS 128 // of a point; those with more say little

// Is the right side as long along the family's axes as `left` says?
static bool sizes_agree(const struct rule *r, int64_t *const *map,
                        uint32_t root, const int64_t *left)
{
    const struct pat *a = &r->pats[r->lhs], *b = &r->pats[r->rhs];
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        int64_t y;
        if (class_root(r, a->sizes[i].cls) != root)
            continue;
        if (i >= b->n_sizes || b->sizes[i].cls != a->sizes[i].cls ||
            !iexp_eval(b->sizes[i].size, map, 0, &y) || y != left[i])
            return false;
    }
    return true;
}

static bool left_sizes(const struct rule *r, int64_t *const *map, uint32_t root,
                       int64_t *left)
{
    const struct pat *a = &r->pats[r->lhs];
    for (uint32_t i = 0; i < a->n_sizes; i++)
        if (class_root(r, a->sizes[i].cls) == root &&
            !iexp_eval(a->sizes[i].size, map, 0, &left[i]))
            return false;
    return true;
}

// All tuples under which both sides agree at the lab's case.  False: too many.
static bool solve_point(struct solving *s, struct fit_sample *out, bool *empty)
{
    uint32_t n = s->k->n_unknown, found = 0;
    int64_t **map = mem_alloc((s->r->n_maps + 1) * sizeof *map);
    int64_t *solutions =
        ARENA_NEW(&s->l->set.mem, int64_t, MAX_SOLUTIONS * (n + 1));
    bool few = true, more = true;
    for (uint32_t m = 0; m < s->r->n_maps; m++)
        map[m] = experiment_map(s->lab, m);
    for (uint32_t u = 0; u < n; u++)
        map[s->unknown[u]][0] = s->range[u].lo;
    int64_t left[64] = {0}; // of each class
    more = left_sizes(s->r, map, s->root, left);
    while (more && few) {
        enum experiment_answer a = sizes_agree(s->r, map, s->root, left)
                                ? experiment_try(s->lab, 1)
                                : EXPERIMENT_DIFFER;
        if (a == EXPERIMENT_AGREE || a == EXPERIMENT_EMPTY) {
            *empty = a == EXPERIMENT_EMPTY;
            few = found < MAX_SOLUTIONS;
            for (uint32_t u = 0; u < n && few; u++)
                solutions[found * n + u] = map[s->unknown[u]][0];
            found += few;
        }
        more = false;
        for (uint32_t u = 0; u < n && !more; u++) {
            int64_t *v = map[s->unknown[u]];
            more = ++v[0] <= s->range[u].hi;
            if (!more)
                v[0] = s->range[u].lo;
        }
    }
    mem_free(map);
    out->n_solutions = found;
    out->solutions = solutions;
    return few;
}

static void solve_points(struct solving *s)
{
    bool good = false;
    uint32_t solved = 0, n_empty = 0;
    uint64_t work = 1;
    for (uint32_t u = 0; u < s->k->n_unknown; u++)
        work *= (uint64_t)(s->range[u].hi - s->range[u].lo + 1);
    uint32_t points = SOLVED_POINTS;
    if (work * points > 1500000)
        points = 30;
    s->samples = ARENA_NEW(&s->l->set.mem, struct fit_sample, 4 * points + 20);
    for (uint32_t tries = 0;
         tries < 2000 * points && solved < points && s->n_samples < 4 * points;
         tries++) {
        int64_t *known = ARENA_NEW(&s->l->set.mem, int64_t, s->columns.n + 1);
        struct fit_sample *out = &s->samples[s->n_samples];
        bool empty = false;
        if (!learner_next(s->lab, s->root, &good) ||
            (experiment_left_size(s->lab) < 2 && rng_below(experiment_rng(s->lab), 12)) ||
            !columns_read(&s->columns, s->r, s->lab, known) ||
            !solve_point(s, out, &empty) || (empty && 8 * n_empty > points))
            continue;
        n_empty += empty;
        out->known = known;
        s->n_samples++;
        solved += out->n_solutions > 0;
    }
    s->l->n_instances += experiment_count(s->lab);
}

bool solving_start(struct learner *l, const struct learn_problem *k,
                   const struct rule *r, uint32_t root, struct solving *s)
{
    uint32_t n = k->n_unknown;
    *s = (struct solving){.l = l, .k = k, .r = r, .root = root};
    s->range = ARENA_NEW(&l->set.mem, struct range, n + 1);
    s->unknown = ARENA_NEW(&l->set.mem, uint32_t, n + 1);
    for (uint32_t u = 0; u < n; u++) {
        s->unknown[u] = map_by_name(r, k->draft->maps[k->unknown[u]].name);
        if (s->unknown[u] == NONE)
            return false;
        s->range[u] = k->positive[u]
                          ? (struct range){1, 9}
                          : (struct range){n > 2 ? -5 : -7, n > 2 ? 12 : 15};
    }
    columns_known(l, k, r, root, &s->columns);
    if (s->columns.n == 0)
        return false;
    s->lab = experiment_new(r, k->domains, l->seed + 3);
    solve_points(s);
    return true;
}

uint32_t solving_fit(struct solving *s, uint32_t size, struct fit_answer *out)
{
    struct fit_problem p = {.n_known = s->columns.n,
                            .n_unknown = s->k->n_unknown,
                            .n_samples = s->n_samples,
                            .known = s->columns.name,
                            .samples = s->samples,
                            .max_size = size};
    return fit_expressions(&p, ANSWERS, &s->l->set.mem, out);
}

uint32_t solving_wrong(struct solving *s, const struct labels *b)
{
    uint32_t added = 0;
    const struct columns *c = &s->columns;
    for (uint32_t i = 0; i < b->at.len && added < 16; i++) {
        struct fit_sample *out = &s->samples[s->n_samples];
        const int64_t *v = b->at.at[i].known; // known columns come first
        bool empty;
        if (b->is_good.at[i])
            continue;
        experiment_random(s->lab, s->root);
        for (uint32_t k = 0; k < c->n; k++)
            experiment_map(s->lab, c->at[k].x->map)[0] = v[k];
        if (!experiment_left(s->lab) || !solve_point(s, out, &empty) ||
            out->n_solutions == 0)
            continue;
        out->known = v;
        s->n_samples++;
        added++;
    }
    return added;
}
