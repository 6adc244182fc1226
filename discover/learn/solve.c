// SPDX-License-Identifier: Apache-2.0
#include "discover/learn/solve.h"
#include "discover/limits.h"
#include <string.h>

// Does the right side have the sizes `left` along the family's axes?
static bool sizes_agree(const struct rule *rule, int64_t *const *map, uint32_t root,
                        const int64_t *left)
{
    const struct pat *pattern = &rule->pats[rule->lhs], *b = &rule->pats[rule->rhs];
    for (uint32_t i = 0; i < pattern->n_sizes; i++) {
        int64_t y;
        if (class_root(rule, pattern->sizes[i].cls) != root)
            continue;
        if (i >= b->n_sizes || b->sizes[i].cls != pattern->sizes[i].cls ||
            !iexp_eval(b->sizes[i].size, map, 0, &y) || y != left[i])
            return false;
    }
    return true;
}

static bool left_sizes(const struct rule *rule, int64_t *const *map, uint32_t root, int64_t *left)
{
    const struct pat *pattern = &rule->pats[rule->lhs];
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        if (class_root(rule, pattern->sizes[i].cls) == root &&
            !iexp_eval(pattern->sizes[i].size, map, 0, &left[i]))
            return false;
    return true;
}

// Finds all tuples under which both sides agree at the current case.  False:
// there are too many.
static bool solve_point(struct solving *solving, struct fit_sample *out, bool *empty)
{
    uint32_t n = solving->problem->n_unknown, found = 0;
    int64_t **map = mem_alloc((solving->rule->n_maps + 1) * sizeof *map);
    int64_t *solutions = ARENA_NEW(&solving->learner->set.mem, int64_t, LEARN_SOLUTIONS * (n + 1));
    bool few = true, more = true;
    for (uint32_t m = 0; m < solving->rule->n_maps; m++)
        map[m] = experiment_map(solving->lab, m);
    for (uint32_t u = 0; u < n; u++)
        map[solving->unknown[u]][0] = solving->range[u].lo;
    int64_t left[LEARN_CLASSES] = {0}; // size of the left side, by class
    more = left_sizes(solving->rule, map, solving->root, left);
    while (more && few) {
        enum experiment_answer a = sizes_agree(solving->rule, map, solving->root, left)
                                       ? experiment_try(solving->lab, 1)
                                       : EXPERIMENT_DIFFER;
        if (a == EXPERIMENT_AGREE || a == EXPERIMENT_EMPTY) {
            *empty = a == EXPERIMENT_EMPTY;
            few = found < LEARN_SOLUTIONS;
            for (uint32_t u = 0; u < n && few; u++)
                solutions[found * n + u] = map[solving->unknown[u]][0];
            found += few;
        }
        more = false;
        for (uint32_t u = 0; u < n && !more; u++) {
            int64_t *v = map[solving->unknown[u]];
            more = ++v[0] <= solving->range[u].hi;
            if (!more)
                v[0] = solving->range[u].lo;
        }
    }
    mem_free(map);
    out->n_solutions = found;
    out->solutions = solutions;
    return few;
}

static void solve_points(struct solving *solving)
{
    bool good = false;
    uint32_t solved = 0, n_empty = 0;
    uint64_t work = 1;
    for (uint32_t u = 0; u < solving->problem->n_unknown; u++)
        work *= (uint64_t)(solving->range[u].hi - solving->range[u].lo + 1);
    uint32_t points = LEARN_SOLVED_POINTS;
    if (work * points > LEARN_SOLVE_WORK)
        points = LEARN_SOLVED_POINTS_SLOW;
    solving->samples = ARENA_NEW(&solving->learner->set.mem, struct fit_sample,
                                 LEARN_UNSOLVED * points + LEARN_WRONG_POINTS + 4);
    for (uint32_t tries = 0; tries < LEARN_SOLVE_TRIES * points && solved < points &&
                             solving->n_samples < LEARN_UNSOLVED * points;
         tries++) {
        int64_t *known = ARENA_NEW(&solving->learner->set.mem, int64_t, solving->columns.n + 1);
        struct fit_sample *out = &solving->samples[solving->n_samples];
        bool empty = false;
        if (!learner_next(solving->lab, solving->root, &good) ||
            (experiment_left_size(solving->lab) < 2 &&
             rng_below(experiment_rng(solving->lab), 12)) ||
            !columns_read(&solving->columns, solving->rule, solving->lab, known) ||
            !solve_point(solving, out, &empty) || (empty && 8 * n_empty > points))
            continue;
        n_empty += empty;
        out->known = known;
        solving->n_samples++;
        solved += out->n_solutions > 0;
    }
    solving->learner->n_instances += experiment_count(solving->lab);
}

bool solving_start(struct learner *learner, const struct learn_problem *problem,
                   const struct rule *rule, uint32_t root, struct solving *solving)
{
    uint32_t n = problem->n_unknown;
    *solving = (struct solving){.learner = learner, .problem = problem, .rule = rule, .root = root};
    solving->range = ARENA_NEW(&learner->set.mem, struct range, n + 1);
    solving->unknown = ARENA_NEW(&learner->set.mem, uint32_t, n + 1);
    for (uint32_t u = 0; u < n; u++) {
        solving->unknown[u] = map_by_name(rule, problem->draft->maps[problem->unknown[u]].name);
        if (solving->unknown[u] == NONE)
            return false;
        solving->range[u] = problem->positive[u] ? (struct range){1, 9}
                                                 : (struct range){n > 2 ? -5 : -7, n > 2 ? 12 : 15};
    }
    columns_known(learner, problem, rule, root, &solving->columns);
    if (solving->columns.n == 0)
        return false;
    solving->lab = experiment_new(rule, problem->domains, learner->seed + 3);
    solve_points(solving);
    return true;
}

uint32_t solving_fit(struct solving *solving, uint32_t size, struct fit_answer *out)
{
    struct fit_problem problem = {.n_known = solving->columns.n,
                                  .n_unknown = solving->problem->n_unknown,
                                  .n_samples = solving->n_samples,
                                  .known = solving->columns.name,
                                  .samples = solving->samples,
                                  .max_size = size};
    return fit_expressions(&problem, LEARN_ANSWERS, &solving->learner->set.mem, out);
}

uint32_t solving_wrong(struct solving *solving, const struct labels *labels)
{
    uint32_t added = 0;
    const struct columns *columns = &solving->columns;
    for (uint32_t i = 0; i < labels->at.len && added < LEARN_WRONG_POINTS; i++) {
        struct fit_sample *out = &solving->samples[solving->n_samples];
        const int64_t *v = labels->at.at[i].known; // known columns come first
        bool empty;
        if (labels->is_good.at[i])
            continue;
        experiment_random(solving->lab, solving->root);
        for (uint32_t k = 0; k < columns->n; k++)
            experiment_map(solving->lab, columns->at[k].expr->map)[0] = v[k];
        if (!experiment_left(solving->lab) || !solve_point(solving, out, &empty) ||
            out->n_solutions == 0)
            continue;
        out->known = v;
        solving->n_samples++;
        added++;
    }
    return added;
}
