// SPDX-License-Identifier: Apache-2.0
#include "egraph/exact_lp.h"
#include "base/clock.h"

#include <coin/Clp_C_Interface.h>
#include <math.h>

#define EPS 1e-6
#define MAX_ROUNDS 60

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
    for (int sign = 1; sign >= -1; sign -= 2)
        for (uint32_t c = 0; c < q->n_classes; c++) {
            lp_row(l, 0);
            lp_term(l, lp_class(l, c), -sign);
            for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++)
                lp_term(l, n, sign);
        }
}

static void need_row(struct lp *l, const struct needs *s, uint32_t c,
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

static void need_rows(struct lp *l, const struct needs *s)
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

bool lp_init(struct lp *l, const struct core *x)
{
    const struct problem *q = &x->q;
    *l = (struct lp){.x = x, .n_cols = q->n_nodes + q->n_classes};
    l->root = mem_alloc((size_t)q->n_classes + 1);
    for (uint32_t i = 0; i < q->root.len; i++)
        l->root[q->root.at[i]] = true;
    l->take = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    l->reduced = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    l->bound = -INFINITY;
    class_rows(l);
    struct needs s;
    if (!needs_init(&s, x))
        s = (struct needs){0};
    need_rows(l, &s);
    needs_release(&s);
    if (x->negative)
        support_rows(l);

    double *low = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    double *high = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    double *cost = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    int *start = mem_alloc(sizeof(int) * ((size_t)l->n_cols + 2));
    for (uint32_t j = 0; j < l->n_cols; j++) {
        high[j] = 1;
        cost[j] = j < q->n_nodes ? q->cost.at[j] : 0;
        low[j] = j >= q->n_nodes && l->root[j - q->n_nodes];
    }
    l->model = Clp_newModel();
    Clp_setLogLevel(l->model, 0);
    Clp_loadProblem(l->model, (int)l->n_cols, 0, start, NULL, NULL, low, high,
                    cost, NULL, NULL);
    mem_free(low);
    mem_free(high);
    mem_free(cost);
    mem_free(start);
    return true;
}

void lp_release(struct lp *l)
{
    if (l->model)
        Clp_deleteModel(l->model);
    mem_free(l->root);
    mem_free(l->take);
    mem_free(l->reduced);
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
        high[i] = INFINITY;
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

// For duals d >= 0 and any solution t:  cost t >= cost t - d (A t - least) =
// d least + (cost - d A) t, which the best t within 0 .. 1 makes least.
static double lp_bound(struct lp *l, const double *dual, double *reduced)
{
    const struct problem *q = &l->x->q;
    double bound = 0;
    for (uint32_t j = 0; j < l->n_cols; j++)
        reduced[j] = j < q->n_nodes ? q->cost.at[j] : 0;
    for (uint32_t r = 0; r < l->n_sent; r++) {
        double d = dual[r] > 0 ? dual[r] : 0;
        if (d == 0)
            continue;
        bound += d * l->row_least.at[r];
        for (uint32_t i = l->row_at.at[r]; i < row_end(l, r); i++)
            reduced[l->row_col.at[i]] -= d * l->row_value.at[i];
    }
    for (uint32_t j = 0; j < l->n_cols; j++)
        if (reduced[j] < 0 || (j >= q->n_nodes && l->root[j - q->n_nodes]))
            bound += reduced[j];
    return bound;
}

// ---- loops

struct loop_search {
    struct lp *l;
    uint32_t *scc;
    double *far;    // distance from the start
    uint32_t *from; // class before
    uint32_t *stamp, now;
    struct u32_vec todo;
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
    vec_clear(&s->todo);
    s->now++;
    s->stamp[start] = s->now;
    s->far[start] = 0;
    vec_push(&s->todo, start);
    for (uint32_t k = 0; k < s->todo.len; k++) {
        uint32_t c = s->todo.at[k];
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++) {
            if (s->l->take[n] < EPS)
                continue;
            uint32_t i = q->child_at.at[n], end = q->child_at.at[n + 1];
            for (; i < end; i++) {
                uint32_t d = q->child.at[i];
                if (s->scc[d] != s->scc[start])
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
                    vec_push(&s->todo, d);
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
    uint32_t n_sccs, found = 0;
    struct loop_search s = {.l = l,
                            .scc = core_sccs(q, &n_sccs),
                            .far = mem_alloc(sizeof(double) * n),
                            .from = mem_alloc(sizeof(uint32_t) * n),
                            .stamp = mem_alloc(sizeof(uint32_t) * n)};
    if (n_sccs < q->n_classes)
        for (uint32_t c = 0; c < q->n_classes && found < 200; c++) {
            found += loop_from(&s, c);
            if (s.effort > 20000000)
                break;
        }
    mem_free(s.scc);
    mem_free(s.far);
    mem_free(s.from);
    mem_free(s.stamp);
    vec_release(&s.todo);
    return found;
}

// Simplex; false if there are no duals to be had.
static bool lp_round(struct lp *l, double *reduced)
{
    double left = l->x->until - clock_wall();
    Clp_setMaximumSeconds(l->model, left > 0.01 ? left : 0.01);
    send_rows(l);
    Clp_dual(l->model, 0);
    const double *dual = Clp_dualRowSolution(l->model);
    const double *take = Clp_primalColumnSolution(l->model);
    if (!dual || !take)
        return false;
    double bound = lp_bound(l, dual, reduced);
    if (bound > l->bound) {
        l->bound = bound;
        memcpy(l->reduced, reduced, sizeof *reduced * l->n_cols);
    }
    memcpy(l->take, take, sizeof *take * l->n_cols);
    return Clp_status(l->model) == 0;
}

void lp_solve(struct lp *l, double enough)
{
    double *reduced = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    uint32_t idle = 0;
    for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
        double before = l->bound;
        if (!lp_round(l, reduced) || l->bound > enough)
            break;
        idle = l->bound > before + 1e-4 * fabs(before) ? 0 : idle + 1;
        if (clock_wall() > l->x->until || idle > 8)
            break;
        if (!(add_loops(l) + lp_add_flows(l, 100)))
            break;
    }
    mem_free(reduced);
}
