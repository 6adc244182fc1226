// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/exact/lp.h"
#include "egraph/limits.h"
#include "base/clock.h"

#include <limits.h>
#include <math.h>

#define EPS 1e-6

void lp_row(struct lp *lp, double least)
{
    vec_push(&lp->row_at, lp->row_col.len);
    vec_push(&lp->row_least, least);
}

void lp_term(struct lp *lp, uint32_t col, double value)
{
    vec_push(&lp->row_col, col);
    vec_push(&lp->row_value, value);
}

void lp_drop_row(struct lp *lp)
{
    lp->row_col.len = lp->row_value.len = vec_pop(&lp->row_at);
    (void)vec_pop(&lp->row_least);
}

static uint32_t row_end(const struct lp *lp, uint32_t r)
{
    return r + 1 < lp->row_at.len ? lp->row_at.at[r + 1] : lp->row_col.len;
}

static void class_rows(struct lp *lp)
{
    const struct problem *problem = &lp->exact_core->problem;
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        lp_row(lp, 0);
        lp_term(lp, lp_class(lp, c), -1);
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++)
            lp_term(lp, n, 1);
    }
    lp->n_equal = lp->row_at.len;
}

static void need_row(struct lp *lp, const struct exact_needs *sets, uint32_t c, uint32_t f)
{
    const struct problem *problem = &lp->exact_core->problem;
    lp_row(lp, 0);
    lp_term(lp, lp_class(lp, f), 1);
    for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++) {
        bool needs = false;
        uint32_t i = problem->child_at.at[n], end = problem->child_at.at[n + 1];
        for (; i < end && !needs; i++)
            needs =
                problem->child.at[i] == f ||
                (sets->bit && bit_get(sets->bit + (size_t)problem->child.at[i] * sets->words, f));
        if (needs)
            lp_term(lp, n, -1);
    }
}

static void need_rows(struct lp *lp, const struct exact_needs *needs)
{
    const struct problem *problem = &lp->exact_core->problem;
    uint32_t *mark = mem_alloc(sizeof *mark * ((size_t)problem->n_classes + 1));
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        uint32_t i = problem->child_at.at[problem->node_at.at[c]];
        uint32_t end = problem->child_at.at[problem->node_at.at[c + 1]];
        for (; i < end; i++) {
            uint32_t f = problem->child.at[i];
            if (mark[f] == c + 1 || lp->root[f])
                continue;
            mark[f] = c + 1;
            need_row(lp, needs, c, f);
        }
    }
    mem_free(mark);
}

static void support_rows(struct lp *lp)
{
    const struct problem *problem = &lp->exact_core->problem;
    struct u32_vec at = {0}, user = {0};
    problem_users(problem, &at, &user);
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        if (lp->root[c])
            continue;
        lp_row(lp, 0);
        lp_term(lp, lp_class(lp, c), -1);
        for (uint32_t i = at.at[c]; i < at.at[c + 1]; i++)
            lp_term(lp, user.at[i], 1);
    }
    vec_release(&at);
    vec_release(&user);
}

// Clp's tolerances are absolute: costs of other sizes are told in other units.
// A power of two, so that nothing is rounded.
static double unit_of(const struct problem *problem)
{
    double most = 0;
    int exponent = 0;
    for (uint32_t n = 0; n < problem->n_nodes; n++)
        most = fmax(most, fabs(problem->cost.at[n]));
    if (most == 0 || (most > 1e-4 && most < 1e7))
        return 1;
    frexp(most, &exponent);
    return ldexp(1, exponent > -1000 ? exponent - 1 : -1000);
}

void lp_init(struct lp *lp, const struct exact_core *exact_core, const struct clp *clp)
{
    const struct problem *problem = &exact_core->problem;
    *lp = (struct lp){
        .exact_core = exact_core, .clp = clp, .n_cols = problem->n_nodes + problem->n_classes};
    lp->root = mem_alloc((size_t)problem->n_classes + 1);
    for (uint32_t i = 0; i < problem->root.len; i++)
        lp->root[problem->root.at[i]] = true;
    lp->take = mem_alloc(sizeof(double) * ((size_t)lp->n_cols + 1));
    lp->reduced = mem_alloc(sizeof(double) * ((size_t)lp->n_cols + 1));
    lp->bound = -INFINITY;
    lp->unit = unit_of(problem);
    class_rows(lp);
    struct exact_needs needs;
    if (!exact_needs_init(&needs, exact_core))
        needs = (struct exact_needs){0};
    need_rows(lp, &needs);
    exact_needs_release(&needs);
    if (exact_core->negative)
        support_rows(lp);

    lp->n_first = lp->row_at.len;
    lp->low = mem_alloc(sizeof(double) * ((size_t)lp->n_cols + 1));
    lp->high = mem_alloc(sizeof(double) * ((size_t)lp->n_cols + 1));
    double *cost = mem_alloc(sizeof(double) * ((size_t)lp->n_cols + 1));
    int *start = mem_alloc(sizeof(int) * ((size_t)lp->n_cols + 2));
    for (uint32_t j = 0; j < lp->n_cols; j++) {
        lp->high[j] = 1;
        cost[j] = j < problem->n_nodes ? problem->cost.at[j] / lp->unit : 0;
        lp->low[j] = j >= problem->n_nodes && lp->root[j - problem->n_nodes];
    }
    lp->model = lp->clp->newModel();
    lp->clp->setLogLevel(lp->model, 0);
    lp->clp->loadProblem(lp->model, (int)lp->n_cols, 0, start, NULL, NULL, lp->low, lp->high, cost,
                         NULL, NULL);
    mem_free(cost);
    mem_free(start);
}

void lp_release(struct lp *lp)
{
    if (lp->model)
        lp->clp->deleteModel(lp->model);
    mem_free(lp->root);
    mem_free(lp->take);
    mem_free(lp->reduced);
    mem_free(lp->low);
    mem_free(lp->high);
    vec_release(&lp->row_at);
    vec_release(&lp->row_col);
    vec_release(&lp->row_value);
    vec_release(&lp->row_least);
    *lp = (struct lp){0};
}

static void send_rows(struct lp *lp)
{
    uint32_t first = lp->n_sent, n = lp->row_at.len - first;
    if (!n)
        return;
    double *high = mem_alloc(sizeof(double) * n);
    int *start = mem_alloc(sizeof(int) * ((size_t)n + 1));
    uint32_t from = lp->row_at.at[first], len = lp->row_col.len - from;
    int *col = mem_alloc(sizeof(int) * ((size_t)len + 1));
    for (uint32_t i = 0; i < n; i++) {
        high[i] = first + i < lp->n_equal ? 0 : INFINITY;
        start[i] = (int)(lp->row_at.at[first + i] - from);
    }
    start[n] = (int)len;
    for (uint32_t i = 0; i < len; i++)
        col[i] = (int)lp->row_col.at[from + i];
    lp->clp->addRows(lp->model, (int)n, lp->row_least.at + first, high, start, col,
                     lp->row_value.at + from);
    lp->n_sent = lp->row_at.len;
    mem_free(high);
    mem_free(start);
    mem_free(col);
}

// For duals d (>= 0 unless the row is an equation) and any solution t:
// cost t >= cost t - d (A t - least) = d least + (cost - d A) t, which the best
// t within low .. high makes least.
static double lp_bound(const struct lp *lp, const double *dual, double scale, const double *cost,
                       double *reduced)
{
    double bound = 0;
    for (uint32_t j = 0; j < lp->n_cols; j++)
        reduced[j] = cost && j < lp->exact_core->problem.n_nodes ? cost[j] : 0;
    for (uint32_t r = 0; r < lp->n_sent; r++) {
        double d = dual[r] * scale;
        if (d == 0 || (d < 0 && r >= lp->n_equal))
            continue;
        bound += d * lp->row_least.at[r];
        for (uint32_t i = lp->row_at.at[r]; i < row_end(lp, r); i++)
            reduced[lp->row_col.at[i]] -= d * lp->row_value.at[i];
    }
    for (uint32_t j = 0; j < lp->n_cols; j++)
        bound += reduced[j] * (reduced[j] < 0 ? lp->high[j] : lp->low[j]);
    return bound;
}

// ---- loops

struct loop_search {
    struct lp *lp;
    const uint32_t *part; // components
    double *far;          // distance from the start
    uint32_t *from;       // class before
    uint32_t *stamp, now;
    struct u32_vec waiting;
    uint64_t effort;
};

// Part of class c that does not go through child d, the shorter the stronger
// does c lean on d.
static double arc_length(const struct loop_search *search, uint32_t c, uint32_t d)
{
    const struct problem *problem = &search->lp->exact_core->problem;
    double length = search->lp->take[lp_class(search->lp, c)];
    for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++)
        for (uint32_t i = problem->child_at.at[n]; i < problem->child_at.at[n + 1]; i++)
            if (problem->child.at[i] == d)
                length -= search->lp->take[n];
    return length < 0 ? 0 : length;
}

static void loop_row(struct loop_search *search, const struct u32_vec *set)
{
    struct lp *lp = search->lp;
    const struct problem *problem = &lp->exact_core->problem;
    uint32_t most = set->at[0];
    search->now++;
    for (uint32_t i = 0; i < set->len; i++) {
        search->stamp[set->at[i]] = search->now;
        if (lp->take[lp_class(lp, set->at[i])] > lp->take[lp_class(lp, most)])
            most = set->at[i];
    }
    lp_row(lp, 0);
    lp_term(lp, lp_class(lp, most), -1);
    for (uint32_t i = 0; i < set->len; i++) {
        uint32_t c = set->at[i];
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++) {
            bool inside = false;
            uint32_t k = problem->child_at.at[n], end = problem->child_at.at[n + 1];
            for (; k < end; k++)
                inside = inside || search->stamp[problem->child.at[k]] == search->now;
            if (!inside)
                lp_term(lp, n, 1);
        }
    }
}

// Shortest way from c back to c through its component, if shorter than what c
// takes: relaxation in rounds, the ways are short.
static bool loop_from(struct loop_search *search, uint32_t start)
{
    const struct problem *problem = &search->lp->exact_core->problem;
    double limit = search->lp->take[lp_class(search->lp, start)] - 1e-3;
    if (limit <= 0)
        return false;
    uint32_t end_from = UINT32_MAX;
    vec_clear(&search->waiting);
    search->now++;
    search->stamp[start] = search->now;
    search->far[start] = 0;
    vec_push(&search->waiting, start);
    for (uint32_t k = 0; k < search->waiting.len; k++) {
        uint32_t c = search->waiting.at[k];
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++) {
            if (search->lp->take[n] < EPS)
                continue;
            uint32_t i = problem->child_at.at[n], end = problem->child_at.at[n + 1];
            for (; i < end; i++) {
                uint32_t d = problem->child.at[i];
                if (search->part[d] != search->part[start])
                    continue;
                search->effort++;
                double far = search->far[c] + arc_length(search, c, d);
                if (far >= limit)
                    continue;
                if (d == start) {
                    limit = far;
                    end_from = c;
                } else if (search->stamp[d] != search->now || far < search->far[d] - 1e-9) {
                    search->stamp[d] = search->now;
                    search->far[d] = far;
                    search->from[d] = c;
                    vec_push(&search->waiting, d);
                }
            }
        }
    }
    if (end_from == UINT32_MAX)
        return false;
    struct u32_vec set = {0};
    vec_push(&set, start);
    for (uint32_t c = end_from; c != start; c = search->from[c])
        vec_push(&set, c);
    loop_row(search, &set);
    vec_release(&set);
    return true;
}

static uint32_t add_loops(struct lp *lp)
{
    const struct problem *problem = &lp->exact_core->problem;
    size_t n = (size_t)problem->n_classes + 1;
    uint32_t found = 0;
    struct sccs scc;
    sccs_find(&scc, problem, NULL, 0, NULL);
    struct loop_search search = {.lp = lp,
                                 .part = scc.part,
                                 .far = mem_alloc(sizeof(double) * n),
                                 .from = mem_alloc(sizeof(uint32_t) * n),
                                 .stamp = mem_alloc(sizeof(uint32_t) * n)};
    if (scc.part_at.len - 1 < problem->n_classes)
        for (uint32_t c = 0; c < problem->n_classes && found < EGRAPH_EXACT_LOOPS; c++) {
            found += loop_from(&search, c);
            if (search.effort > EGRAPH_EXACT_LOOP_EFFORT)
                break;
        }
    exact_spend(lp->exact_core->effort, exact_core_places(lp->exact_core) + search.effort);
    sccs_release(&scc);
    mem_free(search.far);
    mem_free(search.from);
    mem_free(search.stamp);
    vec_release(&search.waiting);
    return found;
}

// Rows that say that there is nothing: any multiple of them is a bound.
static bool is_empty(struct lp *lp, double *reduced)
{
    double *ray = lp->clp->infeasibilityRay(lp->model);
    bool empty = false;
    double size = 0;
    for (uint32_t r = 0; ray && r < lp->n_sent; r++)
        size = fmax(size, fabs(ray[r]));
    for (int sign = -1; size > 0 && sign <= 1; sign += 2)
        empty = empty || lp_bound(lp, ray, sign / size, NULL, reduced) > 1e-5;
    lp->clp->freeRay(lp->model, ray);
    return empty;
}

// Simplex; false if there is nothing to go on with.
static bool lp_round(struct lp *lp, double *reduced)
{
    struct exact_effort *effort = lp->exact_core->effort;
    double left = effort->until - clock_wall();
    if (left < INFINITY)
        lp->clp->setMaximumSeconds(lp->model, left > 0.01 ? left : 0.01);
    uint64_t each =
        1 + ((uint64_t)lp->n_cols + lp->row_at.len + lp->row_col.len) / EGRAPH_EXACT_ITERATION_PART;
    uint64_t iterations = effort->spent < effort->most ? (effort->most - effort->spent) / each : 0;
    lp->clp->setNumberIterations(lp->model, 0);
    lp->clp->setMaximumIterations(lp->model, iterations < INT_MAX ? (int)iterations : INT_MAX);
    send_rows(lp);
    lp->clp->chgColumnLower(lp->model, lp->low);
    lp->clp->chgColumnUpper(lp->model, lp->high);
    lp->clp->dual(lp->model, 0);
    effort->spent += lp->row_col.len + each * (uint64_t)lp->clp->numberIterations(lp->model);
    if (lp->clp->status(lp->model) == 1) {
        if (is_empty(lp, reduced))
            lp->bound = INFINITY;
        return false;
    }
    const double *dual = lp->clp->dualRowSolution(lp->model);
    const double *take = lp->clp->primalColumnSolution(lp->model);
    if (!dual || !take)
        return false;
    double bound = lp_bound(lp, dual, lp->unit, lp->exact_core->problem.cost.at, reduced);
    if (bound > lp->bound) {
        lp->bound = bound;
        memcpy(lp->reduced, reduced, sizeof *reduced * lp->n_cols);
    }
    memcpy(lp->take, take, sizeof *take * lp->n_cols);
    return lp->clp->status(lp->model) == 0;
}

// A column away from where its reduced cost wants it costs that much more.
// Where costs are negative nothing is decided to be taken: see fix_columns.
uint32_t lp_decide(struct lp *lp, double limit)
{
    const struct problem *problem = &lp->exact_core->problem;
    uint32_t decided = 0;
    for (uint32_t j = 0; j < lp->n_cols; j++) {
        if (lp->low[j] == lp->high[j] || lp->bound + fabs(lp->reduced[j]) <= limit)
            continue;
        if (lp->reduced[j] > 0)
            lp->high[j] = 0;
        else if (!lp->exact_core->negative)
            lp->low[j] = 1;
    }
    for (uint32_t c = 0; c < problem->n_classes; c++)
        if (lp->high[lp_class(lp, c)] == 0)
            for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++)
                lp->high[n] = 0;
    for (uint32_t n = 0; n < problem->n_nodes; n++)
        decided += lp->low[n] == lp->high[n];
    return decided;
}

// Added rows that are slack have done their work.
static void purge_rows(struct lp *lp)
{
    const double *dual = lp->clp->dualRowSolution(lp->model);
    VEC(int) gone = {0};
    uint32_t rows = lp->n_first,
             terms = lp->row_at.len > rows ? lp->row_at.at[rows] : lp->row_col.len;
    for (uint32_t r = lp->n_first; r < lp->n_sent; r++) {
        uint32_t first = lp->row_at.at[r], end = row_end(lp, r);
        double slack = -lp->row_least.at[r];
        for (uint32_t i = first; i < end; i++)
            slack += lp->row_value.at[i] * lp->take[lp->row_col.at[i]];
        if (slack > 0.01 && fabs(dual[r]) < 1e-9) {
            vec_push(&gone, (int)r);
            continue;
        }
        lp->row_least.at[rows] = lp->row_least.at[r];
        lp->row_at.at[rows++] = terms;
        for (uint32_t i = first; i < end; i++, terms++) {
            lp->row_col.at[terms] = lp->row_col.at[i];
            lp->row_value.at[terms] = lp->row_value.at[i];
        }
    }
    if (gone.len) {
        lp->clp->deleteRows(lp->model, (int)gone.len, gone.at);
        lp->n_sent = lp->row_at.len = lp->row_least.len = rows;
        lp->row_col.len = lp->row_value.len = terms;
    }
    vec_release(&gone);
}

void lp_solve(struct lp *lp, double (*look)(void *arg, const struct lp *lp), void *arg)
{
    double *reduced = mem_alloc(sizeof(double) * ((size_t)lp->n_cols + 1));
    uint32_t idle = 0;
    for (uint32_t round = 0; round < EGRAPH_EXACT_ROUNDS; round++) {
        double before = lp->bound;
        bool go_on = lp_round(lp, reduced);
        double limit = look(arg, lp);
        if (!go_on || lp->bound > limit)
            break;
        idle = lp->bound > before + 1e-4 * fabs(before) ? 0 : idle + 1;
        if (!exact_spend(lp->exact_core->effort, 0) || idle > EGRAPH_EXACT_IDLE)
            break;
        // A smaller core is worth more than the rows that are lost with this.
        if (lp_decide(lp, limit) > lp->n_cols / 4)
            break;
        if (round % 4 == 3)
            purge_rows(lp);
        // Short loops are cheap to find and give short rows: first these.
        uint32_t found = add_loops(lp);
        if ((!found || idle > 1) && !(found + lp_add_flows(lp, EGRAPH_EXACT_FLOWS)))
            break;
    }
    mem_free(reduced);
}
