// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/exact/lp.h"
#include "base/clock.h"

#include <coin/Clp_C_Interface.h>
#include <math.h>

#define EPS 1e-6
#define MAX_ROUNDS 200
#define MAX_IDLE 12

void lp_row(struct lp *l, double least)
{
    vec_push(&l->row_at, l->row_col.len);
    vec_push(&l->row_least, least);
}

void lp_term(struct lp *l, uint32_t col, double value)
{
    vec_push(&l->row_col, col);
    vec_push(&l->row_value, value);
}

void lp_drop_row(struct lp *l)
{
    l->row_col.len = l->row_value.len = vec_pop(&l->row_at);
    (void)vec_pop(&l->row_least);
}

static uint32_t row_end(const struct lp *l, uint32_t r)
{
    return r + 1 < l->row_at.len ? l->row_at.at[r + 1] : l->row_col.len;
}

static void class_rows(struct lp *l)
{
    const struct problem *q = &l->x->q;
    for (uint32_t c = 0; c < q->n_classes; c++) {
        lp_row(l, 0);
        lp_term(l, lp_class(l, c), -1);
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++)
            lp_term(l, n, 1);
    }
    l->n_equal = l->row_at.len;
}

static void need_row(struct lp *l, const struct exact_needs *s, uint32_t c,
                     uint32_t f)
{
    const struct problem *q = &l->x->q;
    lp_row(l, 0);
    lp_term(l, lp_class(l, f), 1);
    for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++) {
        bool needs = false;
        uint32_t i = q->child_at.at[n], end = q->child_at.at[n + 1];
        for (; i < end && !needs; i++)
            needs = q->child.at[i] == f ||
                    (s->bit &&
                     bit_get(s->bit + (size_t)q->child.at[i] * s->words, f));
        if (needs)
            lp_term(l, n, -1);
    }
}

static void need_rows(struct lp *l, const struct exact_needs *s)
{
    const struct problem *q = &l->x->q;
    uint32_t *mark = mem_alloc(sizeof *mark * ((size_t)q->n_classes + 1));
    for (uint32_t c = 0; c < q->n_classes; c++) {
        uint32_t i = q->child_at.at[q->node_at.at[c]];
        uint32_t end = q->child_at.at[q->node_at.at[c + 1]];
        for (; i < end; i++) {
            uint32_t f = q->child.at[i];
            if (mark[f] == c + 1 || l->root[f])
                continue;
            mark[f] = c + 1;
            need_row(l, s, c, f);
        }
    }
    mem_free(mark);
}

static void support_rows(struct lp *l)
{
    const struct problem *q = &l->x->q;
    struct u32_vec at = {0}, user = {0};
    problem_users(q, &at, &user);
    for (uint32_t c = 0; c < q->n_classes; c++) {
        if (l->root[c])
            continue;
        lp_row(l, 0);
        lp_term(l, lp_class(l, c), -1);
        for (uint32_t i = at.at[c]; i < at.at[c + 1]; i++)
            lp_term(l, user.at[i], 1);
    }
    vec_release(&at);
    vec_release(&user);
}

// Clp's tolerances are absolute: costs of other sizes are told in other units.
// A power of two, so that nothing is rounded.
static double unit_of(const struct problem *q)
{
    double most = 0;
    int exponent = 0;
    for (uint32_t n = 0; n < q->n_nodes; n++)
        most = fmax(most, fabs(q->cost.at[n]));
    if (most == 0 || (most > 1e-4 && most < 1e7))
        return 1;
    frexp(most, &exponent);
    return ldexp(1, exponent > -1000 ? exponent - 1 : -1000);
}

void lp_init(struct lp *l, const struct exact_core *x)
{
    const struct problem *q = &x->q;
    *l = (struct lp){.x = x, .n_cols = q->n_nodes + q->n_classes};
    l->root = mem_alloc((size_t)q->n_classes + 1);
    for (uint32_t i = 0; i < q->root.len; i++)
        l->root[q->root.at[i]] = true;
    l->take = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    l->reduced = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    l->bound = -INFINITY;
    l->unit = unit_of(q);
    class_rows(l);
    struct exact_needs s;
    if (!exact_needs_init(&s, x))
        s = (struct exact_needs){0};
    need_rows(l, &s);
    exact_needs_release(&s);
    if (x->negative)
        support_rows(l);

    l->n_first = l->row_at.len;
    l->low = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    l->high = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    double *cost = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    int *start = mem_alloc(sizeof(int) * ((size_t)l->n_cols + 2));
    for (uint32_t j = 0; j < l->n_cols; j++) {
        l->high[j] = 1;
        cost[j] = j < q->n_nodes ? q->cost.at[j] / l->unit : 0;
        l->low[j] = j >= q->n_nodes && l->root[j - q->n_nodes];
    }
    l->model = Clp_newModel();
    Clp_setLogLevel(l->model, 0);
    Clp_loadProblem(l->model, (int)l->n_cols, 0, start, NULL, NULL, l->low,
                    l->high, cost, NULL, NULL);
    mem_free(cost);
    mem_free(start);
}

void lp_release(struct lp *l)
{
    if (l->model)
        Clp_deleteModel(l->model);
    mem_free(l->root);
    mem_free(l->take);
    mem_free(l->reduced);
    mem_free(l->low);
    mem_free(l->high);
    vec_release(&l->row_at);
    vec_release(&l->row_col);
    vec_release(&l->row_value);
    vec_release(&l->row_least);
    *l = (struct lp){0};
}

static void send_rows(struct lp *l)
{
    uint32_t first = l->n_sent, n = l->row_at.len - first;
    if (!n)
        return;
    double *high = mem_alloc(sizeof(double) * n);
    int *start = mem_alloc(sizeof(int) * ((size_t)n + 1));
    uint32_t from = l->row_at.at[first], len = l->row_col.len - from;
    int *col = mem_alloc(sizeof(int) * ((size_t)len + 1));
    for (uint32_t i = 0; i < n; i++) {
        high[i] = first + i < l->n_equal ? 0 : INFINITY;
        start[i] = (int)(l->row_at.at[first + i] - from);
    }
    start[n] = (int)len;
    for (uint32_t i = 0; i < len; i++)
        col[i] = (int)l->row_col.at[from + i];
    Clp_addRows(l->model, (int)n, l->row_least.at + first, high, start, col,
                l->row_value.at + from);
    l->n_sent = l->row_at.len;
    mem_free(high);
    mem_free(start);
    mem_free(col);
}

// For duals d (>= 0 unless the row is an equation) and any solution t:
// cost t >= cost t - d (A t - least) = d least + (cost - d A) t, which the best
// t within low .. high makes least.
static double lp_bound(const struct lp *l, const double *dual, double scale,
                       const double *cost, double *reduced)
{
    double bound = 0;
    for (uint32_t j = 0; j < l->n_cols; j++)
        reduced[j] = cost && j < l->x->q.n_nodes ? cost[j] : 0;
    for (uint32_t r = 0; r < l->n_sent; r++) {
        double d = dual[r] * scale;
        if (d == 0 || (d < 0 && r >= l->n_equal))
            continue;
        bound += d * l->row_least.at[r];
        for (uint32_t i = l->row_at.at[r]; i < row_end(l, r); i++)
            reduced[l->row_col.at[i]] -= d * l->row_value.at[i];
    }
    for (uint32_t j = 0; j < l->n_cols; j++)
        bound += reduced[j] * (reduced[j] < 0 ? l->high[j] : l->low[j]);
    return bound;
}

// ---- loops

struct loop_search {
    struct lp *l;
    const uint32_t *part; // components
    double *far;          // distance from the start
    uint32_t *from;       // class before
    uint32_t *stamp, now;
    struct u32_vec waiting;
    uint64_t effort;
};

// Part of class c that does not go through child d, the shorter the stronger
// does c lean on d.
static double arc_length(const struct loop_search *s, uint32_t c, uint32_t d)
{
    const struct problem *q = &s->l->x->q;
    double length = s->l->take[lp_class(s->l, c)];
    for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++)
        for (uint32_t i = q->child_at.at[n]; i < q->child_at.at[n + 1]; i++)
            if (q->child.at[i] == d)
                length -= s->l->take[n];
    return length < 0 ? 0 : length;
}

static void loop_row(struct loop_search *s, const struct u32_vec *set)
{
    struct lp *l = s->l;
    const struct problem *q = &l->x->q;
    uint32_t most = set->at[0];
    s->now++;
    for (uint32_t i = 0; i < set->len; i++) {
        s->stamp[set->at[i]] = s->now;
        if (l->take[lp_class(l, set->at[i])] > l->take[lp_class(l, most)])
            most = set->at[i];
    }
    lp_row(l, 0);
    lp_term(l, lp_class(l, most), -1);
    for (uint32_t i = 0; i < set->len; i++) {
        uint32_t c = set->at[i];
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++) {
            bool inside = false;
            uint32_t k = q->child_at.at[n], end = q->child_at.at[n + 1];
            for (; k < end; k++)
                inside = inside || s->stamp[q->child.at[k]] == s->now;
            if (!inside)
                lp_term(l, n, 1);
        }
    }
}

// Shortest way from c back to c through its component, if shorter than what c
// takes: relaxation in rounds, the ways are short.
static bool loop_from(struct loop_search *s, uint32_t start)
{
    const struct problem *q = &s->l->x->q;
    double limit = s->l->take[lp_class(s->l, start)] - 1e-3;
    if (limit <= 0)
        return false;
    uint32_t end_from = UINT32_MAX;
    vec_clear(&s->waiting);
    s->now++;
    s->stamp[start] = s->now;
    s->far[start] = 0;
    vec_push(&s->waiting, start);
    for (uint32_t k = 0; k < s->waiting.len; k++) {
        uint32_t c = s->waiting.at[k];
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++) {
            if (s->l->take[n] < EPS)
                continue;
            uint32_t i = q->child_at.at[n], end = q->child_at.at[n + 1];
            for (; i < end; i++) {
                uint32_t d = q->child.at[i];
                if (s->part[d] != s->part[start])
                    continue;
                s->effort++;
                double far = s->far[c] + arc_length(s, c, d);
                if (far >= limit)
                    continue;
                if (d == start) {
                    limit = far;
                    end_from = c;
                } else if (s->stamp[d] != s->now || far < s->far[d] - 1e-9) {
                    s->stamp[d] = s->now;
                    s->far[d] = far;
                    s->from[d] = c;
                    vec_push(&s->waiting, d);
                }
            }
        }
    }
    if (end_from == UINT32_MAX)
        return false;
    struct u32_vec set = {0};
    vec_push(&set, start);
    for (uint32_t c = end_from; c != start; c = s->from[c])
        vec_push(&set, c);
    loop_row(s, &set);
    vec_release(&set);
    return true;
}

static uint32_t add_loops(struct lp *l)
{
    const struct problem *q = &l->x->q;
    size_t n = (size_t)q->n_classes + 1;
    uint32_t found = 0;
    struct sccs scc;
    sccs_find(&scc, q, NULL, 0, NULL);
    struct loop_search s = {.l = l,
                            .part = scc.part,
                            .far = mem_alloc(sizeof(double) * n),
                            .from = mem_alloc(sizeof(uint32_t) * n),
                            .stamp = mem_alloc(sizeof(uint32_t) * n)};
    if (scc.part_at.len - 1 < q->n_classes)
        for (uint32_t c = 0; c < q->n_classes && found < 200; c++) {
            found += loop_from(&s, c);
            if (s.effort > 20000000)
                break;
        }
    sccs_release(&scc);
    mem_free(s.far);
    mem_free(s.from);
    mem_free(s.stamp);
    vec_release(&s.waiting);
    return found;
}

// Rows that say that there is nothing: any multiple of them is a bound.
static bool is_empty(struct lp *l, double *reduced)
{
    double *ray = Clp_infeasibilityRay(l->model);
    bool empty = false;
    double size = 0;
    for (uint32_t r = 0; ray && r < l->n_sent; r++)
        size = fmax(size, fabs(ray[r]));
    for (int sign = -1; size > 0 && sign <= 1; sign += 2)
        empty = empty || lp_bound(l, ray, sign / size, NULL, reduced) > 1e-5;
    Clp_freeRay(l->model, ray);
    return empty;
}

// Simplex; false if there is nothing to go on with.
static bool lp_round(struct lp *l, double *reduced)
{
    double left = l->x->until - clock_wall();
    Clp_setMaximumSeconds(l->model, left > 0.01 ? left : 0.01);
    send_rows(l);
    Clp_chgColumnLower(l->model, l->low);
    Clp_chgColumnUpper(l->model, l->high);
    Clp_dual(l->model, 0);
    if (Clp_status(l->model) == 1) {
        if (is_empty(l, reduced))
            l->bound = INFINITY;
        return false;
    }
    const double *dual = Clp_dualRowSolution(l->model);
    const double *take = Clp_primalColumnSolution(l->model);
    if (!dual || !take)
        return false;
    double bound = lp_bound(l, dual, l->unit, l->x->q.cost.at, reduced);
    if (bound > l->bound) {
        l->bound = bound;
        memcpy(l->reduced, reduced, sizeof *reduced * l->n_cols);
    }
    memcpy(l->take, take, sizeof *take * l->n_cols);
    return Clp_status(l->model) == 0;
}

// A column away from where its reduced cost wants it costs that much more.
// Where costs are negative nothing is decided to be taken: see fix_columns.
uint32_t lp_decide(struct lp *l, double limit)
{
    const struct problem *q = &l->x->q;
    uint32_t decided = 0;
    for (uint32_t j = 0; j < l->n_cols; j++) {
        if (l->low[j] == l->high[j] || l->bound + fabs(l->reduced[j]) <= limit)
            continue;
        if (l->reduced[j] > 0)
            l->high[j] = 0;
        else if (!l->x->negative)
            l->low[j] = 1;
    }
    for (uint32_t c = 0; c < q->n_classes; c++)
        if (l->high[lp_class(l, c)] == 0)
            for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++)
                l->high[n] = 0;
    for (uint32_t n = 0; n < q->n_nodes; n++)
        decided += l->low[n] == l->high[n];
    return decided;
}

// Added rows that are slack have done their work.
static void purge_rows(struct lp *l)
{
    const double *dual = Clp_dualRowSolution(l->model);
    VEC(int) gone = {0};
    uint32_t rows = l->n_first,
             terms = l->row_at.len > rows ? l->row_at.at[rows] : l->row_col.len;
    for (uint32_t r = l->n_first; r < l->n_sent; r++) {
        uint32_t first = l->row_at.at[r], end = row_end(l, r);
        double slack = -l->row_least.at[r];
        for (uint32_t i = first; i < end; i++)
            slack += l->row_value.at[i] * l->take[l->row_col.at[i]];
        if (slack > 0.01 && fabs(dual[r]) < 1e-9) {
            vec_push(&gone, (int)r);
            continue;
        }
        l->row_least.at[rows] = l->row_least.at[r];
        l->row_at.at[rows++] = terms;
        for (uint32_t i = first; i < end; i++, terms++) {
            l->row_col.at[terms] = l->row_col.at[i];
            l->row_value.at[terms] = l->row_value.at[i];
        }
    }
    if (gone.len) {
        Clp_deleteRows(l->model, (int)gone.len, gone.at);
        l->n_sent = l->row_at.len = l->row_least.len = rows;
        l->row_col.len = l->row_value.len = terms;
    }
    vec_release(&gone);
}

void lp_solve(struct lp *l, double (*look)(void *arg, const struct lp *l),
              void *arg)
{
    double *reduced = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    uint32_t idle = 0;
    for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
        double before = l->bound;
        bool go_on = lp_round(l, reduced);
        double limit = look(arg, l);
        if (!go_on || l->bound > limit)
            break;
        idle = l->bound > before + 1e-4 * fabs(before) ? 0 : idle + 1;
        if (clock_wall() > l->x->until || idle > MAX_IDLE)
            break;
        // A smaller core is worth more than the rows that are lost with this.
        if (lp_decide(l, limit) > l->n_cols / 4)
            break;
        if (round % 4 == 3)
            purge_rows(l);
        // Short loops are cheap to find and give short rows: first these.
        uint32_t found = add_loops(l);
        if ((!found || idle > 1) && !(found + lp_add_flows(l, 100)))
            break;
    }
    mem_free(reduced);
}
