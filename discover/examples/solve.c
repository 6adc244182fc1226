// SPDX-License-Identifier: Apache-2.0
// Solves for the attributes of the right side along one class: expressions over the left
// side's integers that have the pair's own values, and under which both sides agree at most
// points.
#include "discover/examples/search.h"
#include "discover/learn/columns.h"
#include <stdio.h>
#include <stdlib.h>

enum { EXAMPLE_HASH = 4 * EXAMPLE_EXPRESSIONS };

struct candidate {
    const char *text;
    int64_t *value; // at the points, then at the pair's axes
    uint32_t size;
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
    VEC(struct candidate) made;
    uint32_t *hashed;                           // hash table over made, by value: index + 1
    VEC(struct candidate) of[EXAMPLE_UNKNOWNS]; // by unknown
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

// Classes whose own attributes are not solved for yet stay at the pair's values.
static void pin_others(struct solver *solver)
{
    const struct rule *rule = solver->rule;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        uint32_t cls = example_class(solver->pair, rule->classes[rule->maps[m].cls].name);
        int64_t value;
        if (cls != solver->cls && cls != NONE && solver->search->open[cls] &&
            solver->pair->classes.at[cls].n > 0 &&
            pair_map_value(solver->pair, cls, rule->maps[m].name, 0, &value))
            for (uint32_t i = 0; i < EXPERIMENT_PLACES; i++)
                experiment_map(solver->lab, m)[i] = value;
    }
}

static void find_points(struct solver *solver)
{
    bool good = false;
    uint32_t small = 0;
    solver->point = ARENA_NEW(solver->mem, struct point, EXAMPLE_POINTS);
    experiment_alone(solver->lab);
    for (uint32_t i = 0; i < EXAMPLE_POINT_TRIES && solver->n_points < EXAMPLE_POINTS; i++) {
        if (!good || rng_below(experiment_rng(solver->lab), 3) == 0)
            experiment_random(solver->lab, solver->root);
        else
            experiment_mutate(solver->lab, solver->root);
        bool ordered = i % 2 == 0 && solver->n_ordered < EXAMPLE_ORDERED && !solver->search->near;
        if (ordered)
            example_ordered(solver->pair, solver->rule, solver->lab, solver->cls);
        pin_others(solver);
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

static bool offer(struct solver *solver, const char *text, const int64_t *value, uint32_t size)
{
    size_t bytes = solver->n_values * sizeof *value;
    if (solver->made.len >= EXAMPLE_EXPRESSIONS)
        return false;
    uint32_t hash = 2166136261u, at;
    for (uint32_t v = 0; v < solver->n_values; v++)
        hash = (hash ^ (uint32_t)value[v]) * 16777619u;
    for (at = hash % EXAMPLE_HASH; solver->hashed[at] != 0; at = (at + 1) % EXAMPLE_HASH)
        if (memcmp(solver->made.at[solver->hashed[at] - 1].value, value, bytes) == 0)
            return false;
    solver->hashed[at] = solver->made.len + 1;
    struct candidate one = {arena_strdup(solver->mem, text),
                            ARENA_NEW(solver->mem, int64_t, solver->n_values + 1), size};
    memcpy(one.value, value, bytes);
    vec_push(&solver->made, one);
    return true;
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
            offer(solver, solver->columns.name[c], value, 1);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        for (uint32_t v = 0; v < solver->n_values; v++)
            value[v] = numbers[i].k;
        offer(solver, numbers[i].text, value, 1);
    }
    for (uint32_t k = 2; k <= solver->search->longest_list; k++) {
        for (uint32_t v = 0; v < solver->n_values; v++)
            value[v] = k;
        offer(solver, pair_text(solver->pair, "%u", k), value, 2);
    }
}

static int64_t combine(int how, int64_t a, int64_t b)
{
    switch (how) {
    case 0:
        return a + b;
    case 1:
        return a - b;
    case 2:
        return a < b ? a : b;
    case 3:
        return a > b ? a : b;
    default:
        return a * b;
    }
}

static void join(struct solver *solver, uint32_t i, uint32_t k, int64_t *value)
{
    static const struct {
        const char *before, *between, *behind;
    } forms[] = {{"", " + ", ""},
                 {"", " - (", ")"},
                 {"min(", ", ", ")"},
                 {"max(", ", ", ")"},
                 {"(", ")*(", ")"}};
    for (int how = 0; how < 5; how++) {
        const struct candidate a = solver->made.at[i], b = solver->made.at[k];
        bool fits = true;
        char text[512];
        if (how != 1 && k > i && a.size == b.size)
            continue; // the other order
        for (uint32_t v = 0; v < solver->n_values; v++) {
            value[v] = combine(how, a.value[v], b.value[v]);
            fits = fits && value[v] < 1 << 28 && value[v] > -(1 << 28);
        }
        bool bare = how == 1 && b.size == 1;
        if (!fits || strlen(a.text) + strlen(b.text) > 200)
            continue;
        snprintf(text, sizeof text, "%s%s%s%s%s", forms[how].before, a.text,
                 bare ? " - " : forms[how].between, b.text, bare ? "" : forms[how].behind);
        offer(solver, text, value, a.size + b.size + 1 + (how > 1));
    }
}

static void make_expressions(struct solver *solver)
{
    int64_t *value = ARENA_NEW(solver->mem, int64_t, solver->n_values + 1);
    solver->hashed = ARENA_NEW(solver->mem, uint32_t, EXAMPLE_HASH);
    make_leaves(solver);
    uint32_t leaves = solver->made.len;
    for (uint32_t i = 0; i < leaves; i++)
        for (uint32_t k = 0; k < leaves; k++)
            join(solver, i, k, value);
    uint32_t pairs = solver->made.len;
    for (uint32_t i = leaves; i < pairs; i++)
        for (uint32_t k = 0; k < leaves; k++) {
            join(solver, i, k, value);
            join(solver, k, i, value);
        }
}

static bool is_target(const struct solver *solver, uint32_t u, const struct candidate *one)
{
    const struct int_slot *slot = &solver->pair->slots.at[solver->slot[u]];
    for (uint32_t k = solver->n_points; k < solver->n_values; k++)
        if (one->value[k] != slot->value[k - solver->n_points])
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

static bool choose_candidates(struct solver *solver)
{
    if (solver->made.len > 0)
        qsort(solver->made.at, solver->made.len, sizeof *solver->made.at, by_size);
    for (uint32_t u = 0; u < solver->n; u++) {
        for (uint32_t i = 0; i < solver->made.len && solver->of[u].len < EXAMPLE_CANDIDATES; i++)
            if (is_target(solver, u, &solver->made.at[i]))
                vec_push(&solver->of[u], solver->made.at[i]);
        if (solver->of[u].len == 0)
            return false;
    }
    return true;
}

// ---- values at the points

static bool sizes_agree(const struct solver *solver, int64_t *const *map)
{
    const struct rule *rule = solver->rule;
    const struct pat *left = &rule->pats[rule->lhs], *right = &rule->pats[rule->rhs];
    for (uint32_t i = 0; i < left->n_sizes; i++) {
        int64_t a, b;
        if (class_root(rule, left->sizes[i].cls) != solver->root)
            continue;
        if (i >= right->n_sizes || right->sizes[i].cls != left->sizes[i].cls)
            return false;
        if (!iexp_eval(left->sizes[i].size, map, 0, &a) ||
            !iexp_eval(right->sizes[i].size, map, 0, &b) || a != b)
            return false;
    }
    return true;
}

static uint32_t distinct(const struct solver *solver, uint32_t u, uint32_t p, int64_t *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < solver->of[u].len; i++) {
        bool known = false;
        for (uint32_t k = 0; k < n && !known; k++)
            known = out[k] == solver->of[u].at[i].value[p];
        if (!known)
            out[n++] = solver->of[u].at[i].value[p];
    }
    return n;
}

// All tuples of the candidates' values under which the sides agree at the point.
static void solve_at(struct solver *solver, uint32_t p, uint64_t *work)
{
    struct point *point = &solver->point[p];
    int64_t *value[EXAMPLE_UNKNOWNS], **map;
    uint32_t n[EXAMPLE_UNKNOWNS], at[EXAMPLE_UNKNOWNS] = {0};
    map = ARENA_NEW(solver->mem, int64_t *, solver->rule->n_maps + 1);
    point->tuple = ARENA_NEW(solver->mem, int64_t, EXAMPLE_TUPLES * solver->n + 1);
    go_to(solver, point);
    for (uint32_t m = 0; m < solver->rule->n_maps; m++)
        map[m] = experiment_map(solver->lab, m);
    for (uint32_t u = 0; u < solver->n; u++) {
        value[u] = ARENA_NEW(solver->mem, int64_t, EXAMPLE_CANDIDATES);
        n[u] = distinct(solver, u, p, value[u]);
    }
    for (bool more = true; more && point->n_tuples < EXAMPLE_TUPLES;) {
        if (++*work > EXAMPLE_WORK)
            return;
        for (uint32_t u = 0; u < solver->n; u++)
            map[solver->map[u]][0] = value[u][at[u]];
        if (sizes_agree(solver, map)) {
            *work += 200;
            enum experiment_answer a = experiment_try(solver->lab, 2);
            if (a == EXPERIMENT_AGREE || a == EXPERIMENT_EMPTY) {
                for (uint32_t u = 0; u < solver->n; u++)
                    point->tuple[point->n_tuples * solver->n + u] = value[u][at[u]];
                point->n_tuples++;
            }
        }
        more = false;
        for (uint32_t u = 0; u < solver->n && !more; u++) {
            more = ++at[u] < n[u];
            if (!more)
                at[u] = 0;
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
    return memcmp(x->pick, y->pick, sizeof x->pick);
}

static uint32_t best(struct solver *solver, struct beam *out)
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

uint32_t solve_class(struct search *search, uint32_t cls, struct solution *out)
{
    struct arena mem = {0};
    struct solver solver = {.search = search, .pair = search->pair, .mem = &mem, .cls = cls};
    struct beam *beam = ARENA_NEW(&mem, struct beam, EXAMPLE_BEAM);
    uint32_t n = 0;
    uint64_t work = 0;
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
    find_columns(&solver);
    find_points(&solver);
    solver.n_values = solver.n_points + search->pair->classes.at[cls].n;
    make_expressions(&solver);
    if (choose_candidates(&solver)) {
        for (uint32_t p = 0; p < solver.n_points; p++)
            solve_at(&solver, p, &work);
        n = best(&solver, beam);
    }
    n = n < EXAMPLE_SOLUTIONS ? n : EXAMPLE_SOLUTIONS;
    for (uint32_t i = 0; i < n; i++) {
        out[i] =
            (struct solution){.n = solver.n, .score = beam[i].score, .points = solver.n_points};
        out[i].slot = ARENA_NEW(&search->pair->mem, uint32_t, solver.n);
        out[i].text = ARENA_NEW(&search->pair->mem, const char *, solver.n);
        for (uint32_t u = 0; u < solver.n; u++) {
            out[i].slot[u] = solver.slot[u];
            out[i].text[u] =
                arena_strdup(&search->pair->mem, solver.of[u].at[beam[i].pick[u]].text);
        }
    }
    search->learner->n_instances += experiment_count(solver.lab);
    experiment_free(solver.lab);
    vec_release(&solver.made);
    for (uint32_t u = 0; u < EXAMPLE_UNKNOWNS; u++)
        vec_release(&solver.of[u]);
    arena_release(&mem);
    return n;
}
