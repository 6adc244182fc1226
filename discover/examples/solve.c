// SPDX-License-Identifier: Apache-2.0
// Solves for the attributes of the right side along one class: expressions over the left
// side's integers that have the pair's own values, and under which both sides agree at most
// points.
#include "discover/examples/consistent.h"
#include "discover/examples/expressions.h"
#include "discover/examples/search.h"
#include "discover/learn/columns.h"
#include <stdio.h>
#include <stdlib.h>

struct candidates {
    struct candidate *at;
    uint32_t len, cap;
};
struct point {
    uint32_t *rank;
    int64_t *map; // EXPERIMENT_PLACES for each map
    uint32_t n_tuples, weight;
    int64_t *tuple; // under which the sides agree
};
struct solver {
    struct search *search;
    struct pair *pair;
    struct arena *mem;
    const struct rule *rule;
    struct experiment *lab;
    uint32_t cls;            // of the pair
    uint32_t root;           // of the rule
    uint32_t n, *slot, *map; // unknowns: slots of the pair, maps of the rule
    struct columns columns;
    uint32_t n_ordered;          // points whose values are ordered as the pair's
    uint32_t n_points, n_values; // n_values: points and axes
    struct point *point;
    const int64_t *wanted[EXAMPLE_UNKNOWNS]; // by unknown: its values in the pair
    struct expressions expressions;
    struct candidates of[EXAMPLE_UNKNOWNS]; // by unknown
    struct consistency consistency;
};

static uint32_t class_by_name(const struct rule *rule, const char *name)
{
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (strcmp(rule->classes[c].name, name) == 0)
            return c;
    return NONE;
}

static bool is_unknown(const struct solver *solver, uint32_t map)
{
    for (uint32_t u = 0; u < solver->n; u++)
        if (solver->map[u] == map)
            return true;
    return false;
}

static void find_columns(struct solver *solver)
{
    const struct rule *rule = solver->rule;
    struct columns *columns = &solver->columns;
    for (uint32_t m = 0; m < rule->n_maps && columns->n < LEARN_COLUMNS - LEARN_SIZE_COLUMNS; m++) {
        if (rule->maps[m].index || class_root(rule, rule->maps[m].cls) != solver->root ||
            is_unknown(solver, m))
            continue;
        struct iexp *expr = ARENA_NEW(solver->mem, struct iexp, 1);
        *expr = (struct iexp){.op = IE_MAP, .map = m, .nodes = 1};
        columns->name[columns->n] = rule->maps[m].name;
        columns->at[columns->n++] = (struct column){rule->maps[m].name, expr};
    }
    columns_sizes(solver->search->learner, rule, solver->root, LEARN_SIZE_COLUMNS, columns);
}

// ---- points

static void keep_point(struct solver *solver)
{
    const struct rule *rule = solver->rule;
    struct point *point = &solver->point[solver->n_points++];
    point->rank = ARENA_NEW(solver->mem, uint32_t, rule->n_classes + 1);
    point->map = ARENA_NEW(solver->mem, int64_t, EXPERIMENT_PLACES * rule->n_maps + 1);
    memcpy(point->rank, experiment_rank(solver->lab), rule->n_classes * sizeof *point->rank);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        memcpy(&point->map[EXPERIMENT_PLACES * m], experiment_map(solver->lab, m),
               EXPERIMENT_PLACES * sizeof(int64_t));
}

static void go_to(struct solver *solver, const struct point *point)
{
    memcpy(experiment_rank(solver->lab), point->rank,
           solver->rule->n_classes * sizeof *point->rank);
    for (uint32_t m = 0; m < solver->rule->n_maps; m++)
        memcpy(experiment_map(solver->lab, m), &point->map[EXPERIMENT_PLACES * m],
               EXPERIMENT_PLACES * sizeof(int64_t));
}

// Points that are ordered as a pair whose result has no element say nothing.
static bool is_empty(const struct solver *solver)
{
    const struct pair *pair = solver->pair;
    const struct node *node = &pair->nodes.at[pair->before];
    for (uint32_t i = 0; i < node->rank; i++)
        if (pair->class_of.at[node->dim + i] == solver->cls &&
            pair->dims.at[node->dim + i].size == 0)
            return true;
    return false;
}

// Points at which rules with other right sides were refuted.
static void find_wrong(struct solver *solver)
{
    const struct search *search = solver->search;
    for (uint32_t i = 0; i < search->wrong.len; i++) {
        const struct wrong_point *wrong = &search->wrong.at[i];
        if (wrong->cls != solver->cls)
            continue;
        experiment_random(solver->lab, solver->root);
        example_pin_others(solver->search, solver->rule, solver->lab, solver->cls);
        for (uint32_t k = 0; k < wrong->n; k++) {
            uint32_t m = map_by_name(solver->rule, wrong->map[k]);
            if (m != NONE && !is_unknown(solver, m))
                experiment_map(solver->lab, m)[0] = wrong->value[k];
        }
        if (!experiment_left(solver->lab))
            continue;
        keep_point(solver);
        solver->point[solver->n_points - 1].weight = 1;
    }
}

static void find_points(struct solver *solver)
{
    bool good = false, empty = is_empty(solver);
    uint32_t small = 0;
    solver->point = ARENA_NEW(solver->mem, struct point, EXAMPLE_POINTS);
    experiment_alone(solver->lab);
    find_wrong(solver);
    for (uint32_t i = 0; i < EXAMPLE_POINT_TRIES && solver->n_points < EXAMPLE_POINTS; i++) {
        if (!good || rng_below(experiment_rng(solver->lab), 3) == 0)
            experiment_random(solver->lab, solver->root);
        else
            experiment_mutate(solver->lab, solver->root);
        bool ordered =
            i % 2 == 0 && !empty && solver->n_ordered < EXAMPLE_ORDERED && !solver->search->near;
        if (ordered)
            example_ordered(solver->pair, solver->rule, solver->lab, solver->cls);
        example_pin_others(solver->search, solver->rule, solver->lab, solver->cls);
        good = experiment_left(solver->lab);
        if (!good)
            continue;
        if (experiment_left_size(solver->lab) < 2 && 3 * ++small > EXAMPLE_POINTS)
            continue;
        keep_point(solver);
        solver->point[solver->n_points - 1].weight = ordered ? EXAMPLE_WEIGHT : 1;
        solver->n_ordered += ordered;
    }
}

// ---- expressions

static bool column_value(struct solver *solver, const struct column *column, uint32_t v,
                         int64_t *out)
{
    const struct rule *rule = solver->rule;
    int64_t **map = ARENA_NEW(solver->mem, int64_t *, rule->n_maps + 1);
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        map[m] = ARENA_NEW(solver->mem, int64_t, 1);
        if (v < solver->n_points)
            map[m][0] = solver->point[v].map[EXPERIMENT_PLACES * m];
        else
            (void)pair_map_value(solver->pair, solver->cls, rule->maps[m].name,
                                 v - solver->n_points, map[m]);
    }
    return iexp_eval(column->expr, map, 0, out);
}

static void make_leaves(struct solver *solver)
{
    int64_t *value = ARENA_NEW(solver->mem, int64_t, solver->n_values + 1);
    static const struct {
        const char *text;
        int64_t k;
    } numbers[] = {{"0", 0}, {"1", 1}, {"-1", -1}};
    for (uint32_t c = 0; c < solver->columns.n; c++) {
        bool ok = true;
        for (uint32_t v = 0; v < solver->n_values && ok; v++)
            ok = column_value(solver, &solver->columns.at[c], v, &value[v]);
        if (ok)
            expressions_add(&solver->expressions, solver->columns.name[c], value, 1);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        for (uint32_t v = 0; v < solver->n_values; v++)
            value[v] = numbers[i].k;
        expressions_add(&solver->expressions, numbers[i].text, value, 1);
    }
    for (uint32_t k = 2; k <= solver->search->longest_list; k++) {
        for (uint32_t v = 0; v < solver->n_values; v++)
            value[v] = k;
        expressions_add(&solver->expressions, pair_text(solver->pair, "%u", k), value, 2);
    }
}

static void start_expressions(struct solver *solver)
{
    expressions_start(&solver->expressions, solver->mem, solver->n_points, solver->n_values);
    solver->expressions.wanted = solver->wanted;
    solver->expressions.n_wanted = solver->n;
    make_leaves(solver);
}

static bool is_target(const struct solver *solver, uint32_t u, const struct candidate *one)
{
    for (uint32_t k = solver->n_points; k < solver->n_values; k++)
        if (one->value[k] != solver->wanted[u][k - solver->n_points])
            return false;
    return true;
}

static int by_size(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return strcmp(x->text, y->text);
}

// The simplest expressions with the value of the pair.  False: an unknown has none.
static bool choose_candidates(struct solver *solver, uint32_t most)
{
    const struct expressions *all = &solver->expressions;
    for (uint32_t u = 0; u < solver->n; u++) {
        vec_clear(&solver->of[u]);
        for (uint32_t i = 0; i < all->made.len; i++)
            if (is_target(solver, u, &all->made.at[i]))
                vec_push(&solver->of[u], all->made.at[i]);
        if (solver->of[u].len == 0)
            return false;
        qsort(solver->of[u].at, solver->of[u].len, sizeof *solver->of[u].at, by_size);
        if (solver->of[u].len > most)
            solver->of[u].len = most;
    }
    return true;
}

// ---- values at the points

// Attributes are not much larger than what the point has, unless they are plain products.
static int64_t largest(const struct solver *solver, uint32_t p)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < solver->expressions.n_leaves; i++) {
        int64_t value = solver->expressions.made.at[i].value[p];
        most = value > most ? value : -value > most ? -value : most;
    }
    return 2 * most + 1;
}

static uint32_t distinct(const struct solver *solver, uint32_t u, uint32_t p, int64_t *out)
{
    uint32_t n = 0;
    int64_t most = largest(solver, p);
    for (uint32_t i = 0; i < solver->of[u].len; i++) {
        int64_t value = solver->of[u].at[i].value[p];
        bool far = value > most || value < -most;
        bool known = far && solver->of[u].at[i].size > EXAMPLE_PLAIN_SIZE;
        for (uint32_t k = 0; k < n && !known; k++)
            known = out[k] == solver->of[u].at[i].value[p];
        if (!known)
            out[n++] = solver->of[u].at[i].value[p];
    }
    return n;
}

// Keeps the tuple if the sides agree at it.
static void try_tuple(struct solver *solver, struct point *point, int64_t *const *map,
                      uint64_t *work)
{
    *work -= *work < EXAMPLE_TRY_WORK ? *work : EXAMPLE_TRY_WORK;
    enum experiment_answer a = experiment_try(solver->lab, 2);
    if (a != EXPERIMENT_AGREE && a != EXPERIMENT_EMPTY)
        return;
    for (uint32_t u = 0; u < solver->n; u++)
        point->tuple[point->n_tuples * solver->n + u] = map[solver->map[u]][0];
    point->n_tuples++;
}

// All tuples of the candidates' values under which the sides agree at the point.
static void solve_at(struct solver *solver, uint32_t p, uint64_t *work)
{
    struct point *point = &solver->point[p];
    int64_t *value[EXAMPLE_UNKNOWNS], **map;
    uint32_t n[EXAMPLE_UNKNOWNS], at[EXAMPLE_UNKNOWNS] = {0};
    map = ARENA_NEW(solver->mem, int64_t *, solver->rule->n_maps + 1);
    point->n_tuples = 0;
    point->tuple = ARENA_NEW(solver->mem, int64_t, EXAMPLE_TUPLES * solver->n + 1);
    go_to(solver, point);
    for (uint32_t m = 0; m < solver->rule->n_maps; m++)
        map[m] = experiment_map(solver->lab, m);
    for (uint32_t u = 0; u < solver->n; u++) {
        value[u] = ARENA_NEW(solver->mem, int64_t, solver->of[u].len);
        n[u] = distinct(solver, u, p, value[u]);
        if (n[u] == 0)
            return;
    }
    uint32_t u = 0;
    for (bool down = true; point->n_tuples < EXAMPLE_TUPLES;) {
        if (!down && u-- == 0)
            return;
        at[u] = down ? 0 : at[u] + 1;
        for (; at[u] < n[u]; at[u]++) {
            if (*work == 0)
                return;
            --*work;
            map[solver->map[u]][0] = value[u][at[u]];
            if (consistency_holds(&solver->consistency, u, map))
                break;
        }
        down = at[u] < n[u];
        if (down && ++u == solver->n) {
            try_tuple(solver, point, map, work);
            down = false;
        }
    }
}

// ---- the best expressions

struct beam {
    uint32_t pick[EXAMPLE_UNKNOWNS];
    uint32_t score, size;
};

static uint32_t score(const struct solver *solver, const uint32_t *pick, uint32_t n)
{
    uint32_t points = 0;
    for (uint32_t p = 0; p < solver->n_points; p++) {
        const struct point *point = &solver->point[p];
        bool found = false;
        for (uint32_t t = 0; t < point->n_tuples && !found; t++) {
            found = true;
            for (uint32_t u = 0; u < n && found; u++)
                found = point->tuple[t * solver->n + u] == solver->of[u].at[pick[u]].value[p];
        }
        points += found ? point->weight : 0;
    }
    return points;
}

static int by_score(const void *a, const void *b)
{
    const struct beam *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    // Unknowns of operands come before those of what is done to them, which is to be simple.
    for (uint32_t u = EXAMPLE_UNKNOWNS; u-- > 0;)
        if (x->pick[u] != y->pick[u])
            return x->pick[u] < y->pick[u] ? -1 : 1;
    return 0;
}

static uint32_t extend(struct solver *solver, struct beam *out)
{
    VEC(struct beam) next = {0};
    uint32_t n = 1;
    out[0] = (struct beam){.score = 0};
    for (uint32_t u = 0; u < solver->n; u++) {
        vec_clear(&next);
        for (uint32_t b = 0; b < n; b++)
            for (uint32_t i = 0; i < solver->of[u].len; i++) {
                struct beam one = out[b];
                one.pick[u] = i;
                one.size += solver->of[u].at[i].size;
                one.score = score(solver, one.pick, u + 1);
                if (one.score > 0)
                    vec_push(&next, one);
            }
        if (next.len > 0)
            qsort(next.at, next.len, sizeof *next.at, by_score);
        n = next.len < EXAMPLE_BEAM ? next.len : EXAMPLE_BEAM;
        if (n > 0)
            memcpy(out, next.at, n * sizeof *out);
    }
    vec_release(&next);
    return n;
}

static int by_alone(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return x->alone != y->alone ? (x->alone > y->alone ? -1 : 1) : by_size(a, b);
}

// Keeps the candidates that are right at most points, each with whatever values of the others.
static void keep_likely(struct solver *solver)
{
    for (uint32_t u = 0; u < solver->n; u++) {
        for (uint32_t i = 0; i < solver->of[u].len; i++) {
            struct candidate *one = &solver->of[u].at[i];
            one->alone = 0;
            for (uint32_t p = 0; p < solver->n_points; p++) {
                const struct point *point = &solver->point[p];
                uint32_t t = 0;
                while (t < point->n_tuples && point->tuple[t * solver->n + u] != one->value[p])
                    t++;
                one->alone += t < point->n_tuples ? point->weight : 0;
            }
        }
        qsort(solver->of[u].at, solver->of[u].len, sizeof *solver->of[u].at, by_alone);
        if (solver->of[u].len > EXAMPLE_CANDIDATES)
            solver->of[u].len = EXAMPLE_CANDIDATES;
    }
}

static uint32_t best(struct solver *solver, uint32_t most, uint64_t work, struct beam *out)
{
    if (!choose_candidates(solver, most))
        return 0;
    for (uint32_t p = 0; p < solver->n_points; p++)
        solve_at(solver, p, &work);
    keep_likely(solver);
    return extend(solver, out);
}

static uint32_t full_score(const struct solver *solver)
{
    uint32_t points = 0;
    for (uint32_t p = 0; p < solver->n_points; p++)
        points += solver->point[p].weight;
    return points;
}

// The best, as texts: at most `most` of them.
static uint32_t put_solutions(const struct solver *solver, const struct beam *beam, uint32_t n,
                              struct solution *out, uint32_t most)
{
    struct arena *mem = &solver->pair->mem;
    struct solution all[EXAMPLE_TIED];
    struct tie_points points = {solver->cls, solver->root, solver->rule, solver->lab};
    n = n < EXAMPLE_TIED ? n : EXAMPLE_TIED;
    for (uint32_t i = 0; i < n; i++) {
        all[i] =
            (struct solution){.n = solver->n, .score = beam[i].score, .points = solver->n_points};
        all[i].slot = ARENA_NEW(mem, uint32_t, solver->n);
        all[i].text = ARENA_NEW(mem, const char *, solver->n);
        for (uint32_t u = 0; u < solver->n; u++) {
            all[i].slot[u] = solver->slot[u];
            all[i].text[u] = arena_strdup(mem, solver->of[u].at[beam[i].pick[u]].text);
        }
    }
    solutions_order(solver->search, &points, all, n);
    n = n < most ? n : most;
    memcpy(out, all, n * sizeof *out);
    return n;
}

// Clamps are longer than what is tried first, and come before it only if they are right at all
// points: a short expression and a precondition say more than a long one.
static uint32_t solve_attributes(struct solver *solver, struct solution *out)
{
    struct solution few[EXAMPLE_SOLUTIONS];
    struct beam *beam = ARENA_NEW(solver->mem, struct beam, EXAMPLE_BEAM);
    uint32_t n, n_few, n_out = 0;
    n = best(solver, EXAMPLE_CANDIDATES, EXAMPLE_WORK, beam);
    n_few = put_solutions(solver, beam, n, few, EXAMPLE_SOLUTIONS);
    if (solver->n <= EXAMPLE_WIDE_UNKNOWNS && (n_few == 0 || few[0].score < full_score(solver))) {
        expressions_clamp(&solver->expressions);
        n = best(solver, EXAMPLE_WIDE_CANDIDATES, EXAMPLE_WIDE_WORK, beam);
        if (n > 0 && (n_few == 0 || beam[0].score == full_score(solver)))
            n_out = put_solutions(solver, beam, n, out, EXAMPLE_CLAMPED);
    }
    for (uint32_t i = 0; i < n_few && n_out < EXAMPLE_SOLUTIONS; i++)
        out[n_out++] = few[i];
    return n_out;
}

// ---- a class

static void list_unknowns(struct solver *solver)
{
    solver->slot = ARENA_NEW(solver->mem, uint32_t, EXAMPLE_UNKNOWNS);
    solver->map = ARENA_NEW(solver->mem, uint32_t, EXAMPLE_UNKNOWNS);
    for (uint32_t i = 0; i < solver->pair->slots.len; i++) {
        const struct int_slot *slot = &solver->pair->slots.at[i];
        if (!example_is_unknown(solver->search, i) || slot->cls != solver->cls)
            continue;
        uint32_t m = map_by_name(solver->rule, slot->map);
        if (m == NONE)
            continue; // it is not written
        if (solver->n == EXAMPLE_UNKNOWNS) {
            solver->n = UINT32_MAX;
            return;
        }
        solver->slot[solver->n] = i;
        solver->map[solver->n++] = m;
    }
}

// Limits become the k-th greatest with the pair's result, or the least one.  False: there are no
// more of them.  *other: one is not the pair's own.
static bool choose_limits(struct solver *solver, int64_t k, bool *other)
{
    bool more = false;
    *other = false;
    for (uint32_t u = 0; u < solver->n; u++) {
        const struct int_slot *slot = &solver->pair->slots.at[solver->slot[u]];
        uint32_t n = solver->n_values - solver->n_points;
        if (slot->least == NULL)
            continue;
        int64_t *value = ARENA_NEW(solver->mem, int64_t, n + 1);
        for (uint32_t i = 0; i < n; i++) {
            value[i] = slot->most[i] - k > slot->least[i] ? slot->most[i] - k : slot->least[i];
            more = more || slot->most[i] - k >= slot->least[i];
            *other = *other || value[i] != slot->value[i];
        }
        solver->wanted[u] = value;
    }
    return more;
}

static uint32_t solve_wanted(struct solver *solver, struct solution *out)
{
    expressions_release(&solver->expressions);
    start_expressions(solver);
    expressions_join(&solver->expressions);
    return solve_attributes(solver, out);
}

// With the pair's own limits of slices; if they are not right at all points, with those of the same
// result that are right at more of them.
static uint32_t solve_limits(struct solver *solver, struct solution *out)
{
    struct solution other[EXAMPLE_SOLUTIONS];
    bool differ;
    for (uint32_t u = 0; u < solver->n; u++)
        solver->wanted[u] = solver->pair->slots.at[solver->slot[u]].value;
    uint32_t n = solve_wanted(solver, out), full = full_score(solver);
    uint32_t score = n > 0 ? out[0].score : 0;
    for (int64_t k = 0; score < full && k < EXAMPLE_LIMITS && choose_limits(solver, k, &differ);
         k++) {
        uint32_t m = differ ? solve_wanted(solver, other) : 0;
        if (m == 0 || other[0].score <= score)
            continue;
        memcpy(out, other, m * sizeof *out);
        n = m;
        score = other[0].score;
    }
    return n;
}

uint32_t solve_class(struct search *search, uint32_t cls, struct solution *out)
{
    struct arena mem = {0};
    struct solver solver = {.search = search, .pair = search->pair, .mem = &mem, .cls = cls};
    uint32_t n = 0;
    solver.rule = example_write(search, cls);
    uint32_t at =
        solver.rule ? class_by_name(solver.rule, search->pair->classes.at[cls].name) : NONE;
    if (at != NONE)
        list_unknowns(&solver);
    if (at == NONE || solver.n == UINT32_MAX || solver.n == 0) {
        arena_release(&mem);
        return 0;
    }
    solver.root = class_root(solver.rule, at);
    solver.lab = experiment_new(solver.rule, rule_domains(solver.rule), search->learner->seed + 3);
    solver.consistency = (struct consistency){
        .rule = solver.rule, .root = solver.root, .n = solver.n, .map = solver.map};
    consistency_find(&solver.consistency);
    find_columns(&solver);
    find_points(&solver);
    solver.n_values = solver.n_points + search->pair->classes.at[cls].n;
    n = solve_limits(&solver, out);
    search->learner->n_instances += experiment_count(solver.lab);
    experiment_free(solver.lab);
    expressions_release(&solver.expressions);
    consistency_release(&solver.consistency);
    for (uint32_t u = 0; u < EXAMPLE_UNKNOWNS; u++)
        vec_release(&solver.of[u]);
    arena_release(&mem);
    return n;
}
