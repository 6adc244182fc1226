// SPDX-License-Identifier: Apache-2.0
// Branch and bound, depth first: reduce, split into parts that share nothing,
// bound by the relaxation, take away what its reduced costs rule out, branch.
#include "egraph/extract/exact/branch.h"
#include "base/clock.h"

#include <math.h>

#define INT_EPS 1e-6

// Are all costs multiples of the step, as exactly as doubles can tell?  And so
// small that any sum of them is one, too, within 1e-4 of the step.
static bool steps_of(const struct problem *p, double step, uint64_t *gcd)
{
    double off = 0;
    *gcd = 0;
    for (uint32_t n = 0; n < p->n_nodes; n++) {
        double times = fabs(p->cost.at[n]) / step, whole = round(times);
        off += 1e-14 * whole;
        if (!(off <= 1e-4) || fabs(times - whole) > 1e-14 * whole)
            return false;
        uint64_t a = (uint64_t)whole; // less than 1e10
        while (a) {
            uint64_t rest = *gcd % a;
            *gcd = a;
            a = rest;
        }
    }
    return true;
}

// The parts of a core may cost far more than their sum if some costs are
// negative, and what counts as rounding is measured at each.
void branch_measure(struct branch_search *s, const struct problem *p)
{
    double sum = 0, step = 1;
    bool negative = false;
    uint64_t gcd;
    s->step = 0;
    for (int digits = 0; digits <= 9 && s->step == 0; digits++, step /= 10)
        if (steps_of(p, step, &gcd))
            s->step = step * (double)gcd;
    for (uint32_t n = 0; n < p->n_nodes; n++) {
        negative = negative || p->cost.at[n] < 0;
        sum += fabs(p->cost.at[n]);
    }
    negative = negative && s->step == 0;
    s->slack = negative ? 1e-12 : 1e-9;
    s->noise = negative ? 1e-11 * sum : 0;
}

double branch_slack(const struct branch_search *s, double cutoff)
{
    return s->step > 0 ? s->step * (1 - 1e-3) : s->slack * fabs(cutoff);
}

// Can nothing of that bound be better than the cutoff?
static bool beaten(const struct branch_search *s, double bound, double cutoff)
{
    if (cutoff == INFINITY)
        return bound == INFINITY;
    return bound >= cutoff - branch_slack(s, cutoff);
}

static bool better(const struct branch_search *s, double value, double cutoff)
{
    return cutoff == INFINITY
               ? value < cutoff
               : value < cutoff - fmax(s->step / 2, 1e-12 * fabs(cutoff));
}

static void write_choice(struct exact_core *x, const uint32_t *node)
{
    for (uint32_t c = 0; c < x->q.n_classes; c++)
        if (node[c] != NO_CHOICE)
            x->choice[x->class_name.at[c]] = x->node_name.at[node[c]];
}

// ---- parts

static uint32_t find(uint32_t *up, uint32_t c)
{
    while (up[c] != c)
        c = up[c] = up[up[c]];
    return c;
}

static uint32_t *parts_of(const struct problem *q, uint32_t *n_parts)
{
    size_t size = sizeof(uint32_t) * ((size_t)q->n_classes + 1);
    uint32_t *up = mem_alloc(size), *part = mem_alloc(size);
    for (uint32_t c = 0; c < q->n_classes; c++)
        up[c] = c;
    for (uint32_t c = 0; c < q->n_classes; c++) {
        uint32_t i = q->child_at.at[q->node_at.at[c]];
        uint32_t end = q->child_at.at[q->node_at.at[c + 1]];
        for (; i < end; i++)
            up[find(up, q->child.at[i])] = find(up, c);
    }
    *n_parts = 0;
    for (uint32_t c = 0; c < q->n_classes; c++)
        if (find(up, c) == c)
            part[c] = (*n_parts)++;
    for (uint32_t c = 0; c < q->n_classes; c++)
        part[c] = part[find(up, c)];
    mem_free(up);
    return part;
}

// No choice for the core costs less: every root has a node.
double branch_least(const struct exact_core *x)
{
    const struct problem *q = &x->q;
    double sum = 0; // base is added last
    bool *root = mem_alloc((size_t)q->n_classes + 1);
    for (uint32_t i = 0; i < q->root.len; i++)
        root[q->root.at[i]] = true;
    for (uint32_t c = 0; c < q->n_classes; c++) {
        double least = root[c] ? INFINITY : 0;
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++)
            least = fmin(least, q->cost.at[n]);
        sum += least;
    }
    mem_free(root);
    return x->base + sum;
}

static void merge_choice(struct exact_core *x, const uint32_t *choice)
{
    for (uint32_t c = 0; c < x->n_whole; c++)
        if (choice[c] != NO_CHOICE)
            x->choice[c] = choice[c];
}

static uint32_t *no_choice(uint32_t n)
{
    uint32_t *choice = mem_alloc(sizeof *choice * ((size_t)n + 1));
    memset(choice, 0xff, sizeof *choice * ((size_t)n + 1));
    return choice;
}

static int by_size(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0])
                        : (x[1] > y[1]) - (x[1] < y[1]);
}

// What is told of a part is told of the whole: with the best that is known of
// the others.
struct part_message {
    struct branch_search *s;
    struct exact_core *x;
    double others; // bound of the other parts and the base
};

static void tell_part(void *arg, const uint32_t *choice, double bound)
{
    struct part_message *news = arg;
    if (choice)
        merge_choice(news->x, choice);
    news->s->tell(news->s->arg, choice ? news->x->choice : NULL,
                  bound + news->others);
}

// So that there is something to be told early.
static void round_part(struct exact_core *x, struct exact_core *part)
{
    uint32_t *node = mem_alloc(sizeof *node * ((size_t)part->q.n_classes + 1));
    branch_take(part, NULL, node);
    write_choice(part, node);
    merge_choice(x, part->choice);
    mem_free(node);
}

// Smallest first: each leaves the others as little as it can.
static struct branch_outcome run_parts(struct branch_search *s, struct exact_core *x,
                                const uint32_t *part, uint32_t n_parts,
                                double cutoff)
{
    struct branch_search inner = *s;
    struct part_message news = {.s = s, .x = x};
    inner.tell = s->tell && s->depth == 0 ? tell_part : NULL;
    inner.arg = &news;
    uint32_t *order = mem_alloc(sizeof(uint32_t) * 2 * n_parts);
    struct exact_core *sub = mem_alloc(sizeof *sub * n_parts);
    double *least = mem_alloc(sizeof *least * n_parts);
    struct branch_outcome all = {.found = true, .value = x->base, .bound = x->base};
    double open = 0;
    for (uint32_t k = 0; k < n_parts; k++) {
        exact_core_part(&sub[k], x, part, k, no_choice(x->n_whole));
        order[2 * k] = sub[k].q.n_nodes;
        order[2 * k + 1] = k;
        open += least[k] = branch_least(&sub[k]);
        if (inner.tell)
            round_part(x, &sub[k]);
    }
    qsort(order, n_parts, 2 * sizeof *order, by_size);
    for (uint32_t i = 0; i < n_parts; i++) {
        uint32_t k = order[2 * i + 1];
        uint32_t *choice = sub[k].choice;
        open -= least[k];
        if (all.found && all.bound < INFINITY) {
            news.others = all.bound + open;
            struct branch_outcome o =
                branch_run(&inner, &sub[k], cutoff - all.bound - open);
            if (o.found)
                merge_choice(x, choice);
            all.found = o.found;
            all.value += o.value;
            all.bound += fmax(o.bound, least[k]); // of what is below the cutoff
        } else {
            all.bound += least[k];
            exact_core_release(&sub[k]);
        }
        mem_free(choice);
    }
    s->n_cores = inner.n_cores;
    all.found = all.found && better(s, all.value, cutoff);
    mem_free(order);
    mem_free(sub);
    mem_free(least);
    return all;
}

// ---- what reduced costs rule out

static void only_node(const struct problem *q, struct exact_edit *d, uint32_t c,
                      uint32_t n)
{
    for (uint32_t m = q->node_at.at[c]; m < q->node_at.at[c + 1]; m++)
        d->gone[m] = d->gone[m] || m != n;
}

static void add_root(struct problem *q, uint32_t c)
{
    for (uint32_t i = 0; i < q->root.len; i++)
        if (q->root.at[i] == c)
            return;
    vec_push(&q->root, c);
}

// What the relaxation has decided; false: nothing.  A root is paid for, needed
// or not: where costs are negative no class may become one that is not needed.
static bool fix_columns(const struct lp *l, struct problem *q, struct exact_edit *d)
{
    bool found = false;
    for (uint32_t c = 0; c < q->n_classes; c++) {
        bool root = l->root[c];
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++) {
            if (l->high[n] == 0) {
                d->gone[n] = found = true;
            } else if (l->low[n] == 1 && !l->x->negative) {
                found = found || q->node_at.at[c + 1] - q->node_at.at[c] > 1;
                only_node(q, d, c, n);
                root = true;
            }
        }
        root = root || (l->low[lp_class(l, c)] == 1 && !l->x->negative);
        if (root && !l->root[c]) {
            add_root(q, c);
            found = true;
        }
    }
    return found;
}

// ---- branching

struct branch_choice {
    uint32_t c, n; // n == NO_CHOICE: is class c needed?
    bool yes;      // what is tried first
};

static double openness(double take)
{
    return fmin(take, 1 - take);
}

static struct branch_choice pick(const struct lp *l)
{
    const struct problem *q = &l->x->q;
    struct branch_choice b = {.c = NO_CHOICE, .n = NO_CHOICE};
    double best = INT_EPS;
    for (uint32_t c = 0; c < q->n_classes; c++) {
        double take = l->take[lp_class(l, c)];
        if (!l->x->negative && !l->root[c] && openness(take) > best) {
            best = openness(take);
            b = (struct branch_choice){c, NO_CHOICE, take >= 0.5};
        }
    }
    if (b.c != NO_CHOICE)
        return b;
    for (uint32_t c = 0; c < q->n_classes; c++)
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++)
            if (q->node_at.at[c + 1] - q->node_at.at[c] > 1 &&
                openness(l->take[n]) > best) {
                best = openness(l->take[n]);
                b = (struct branch_choice){c, n, true};
            }
    // All whole, but a loop is left: any choice will do.
    for (uint32_t c = 0; b.c == NO_CHOICE && c < q->n_classes; c++)
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++)
            if (q->node_at.at[c + 1] - q->node_at.at[c] > 1 && l->take[n] > 0.5)
                b = (struct branch_choice){c, n, false};
    if (b.c == NO_CHOICE)
        for (uint32_t c = 0; b.c == NO_CHOICE && c < q->n_classes; c++)
            if (q->node_at.at[c + 1] - q->node_at.at[c] > 1)
                b = (struct branch_choice){c, q->node_at.at[c], false};
    return b;
}

static void take_side(struct exact_core *x, struct branch_choice b, bool yes)
{
    struct exact_edit d;
    exact_edit_init(&d, x);
    if (b.n == NO_CHOICE && yes)
        add_root(&x->q, b.c);
    else if (b.n == NO_CHOICE)
        only_node(&x->q, &d, b.c, NO_CHOICE);
    else if (yes)
        only_node(&x->q, &d, b.c, b.n);
    else
        d.gone[b.n] = true;
    exact_core_apply(x, &d);
}

static struct branch_outcome run_branch(struct branch_search *s, struct exact_core *x,
                                 struct branch_choice b, double bound, double cutoff)
{
    struct branch_outcome all = {.bound = INFINITY};
    s->depth++;
    for (int side = 0; side < 2; side++) {
        struct exact_core sub;
        uint32_t *choice = mem_alloc(sizeof *choice * ((size_t)x->n_whole + 1));
        exact_core_copy(&sub, x, choice);
        take_side(&sub, b, side == 0 ? b.yes : !b.yes);
        struct branch_outcome o = branch_run(s, &sub, cutoff);
        all.bound = fmin(all.bound, fmax(o.bound, bound));
        if (o.found) {
            all.found = true;
            all.value = cutoff = o.value;
            memcpy(x->choice, choice, sizeof *choice * x->n_whole);
        }
        mem_free(choice);
    }
    s->depth--;
    return all;
}

// ----

// The core goes on changing its choices: a copy.
static void keep(const struct branch_search *s, const struct exact_core *x,
                 struct branch_outcome *best, double *cutoff, double value)
{
    size_t size = sizeof *best->choice * ((size_t)x->n_whole + 1);
    if (!best->choice)
        best->choice = mem_alloc(size);
    memcpy(best->choice, x->choice, size - sizeof *best->choice);
    best->found = true;
    best->value = *cutoff = value;
    if (s->tell)
        s->tell(s->arg, x->choice, -INFINITY);
}

// A better solution than the cutoff into the core's choice, from `take`.
static bool try_rounding(const struct branch_search *s, struct exact_core *x,
                         const double *take, struct branch_outcome *best,
                         double *cutoff)
{
    uint32_t *node = mem_alloc(sizeof *node * ((size_t)x->q.n_classes + 1));
    double value = x->base + branch_take(x, take, node);
    bool good = better(s, value, *cutoff);
    if (good) {
        write_choice(x, node);
        keep(s, x, best, cutoff, value);
    }
    mem_free(node);
    return good;
}

struct bound_watcher {
    struct branch_search *s;
    struct exact_core *x;
    struct branch_outcome *best;
    double *cutoff;
    uint32_t round;
};

// What a bound of a core must be above to be beaten; without base.
static double lp_limit(const struct branch_search *s, const struct exact_core *x,
                       double cutoff)
{
    return cutoff == INFINITY ? INFINITY
                              : cutoff - branch_slack(s, cutoff) - x->base;
}

static double look(void *arg, const struct lp *l)
{
    struct bound_watcher *k = arg;
    // Columns are decided with the cutoff in mind: a bound above it says only
    // that nothing is below it.
    k->best->bound = fmax(k->best->bound, k->x->base + l->bound);
    if (k->s->tell && k->s->depth == 0 && l->bound < INFINITY)
        k->s->tell(k->s->arg, NULL, fmin(k->best->bound, *k->cutoff));
    if (l->bound < INFINITY && (k->round++ < 8 || k->round % 4 == 0))
        try_rounding(k->s, k->x, l->take, k->best, k->cutoff);
    return lp_limit(k->s, k->x, *k->cutoff);
}

// The relaxation, and what follows from it; true when the core was made
// smaller, else *b is where to branch, NO_CHOICE when there is no need to.
static bool relax(struct branch_search *s, struct exact_core *x, struct branch_outcome *best,
                  double *cutoff, struct branch_choice *b)
{
    *b = (struct branch_choice){.c = NO_CHOICE};
    struct lp l;
    struct bound_watcher k = {s, x, best, cutoff, 0};
    lp_init(&l, x);
    lp_solve(&l, look, &k);
    if (l.bound < INFINITY)
        try_rounding(s, x, l.take, best, cutoff);
    if (beaten(s, best->bound, *cutoff) || clock_wall() > s->until) {
        lp_release(&l);
        return false;
    }
    struct exact_edit d;
    exact_edit_init(&d, x);
    (void)lp_decide(&l, lp_limit(s, x, *cutoff));
    bool fixed = fix_columns(&l, &x->q, &d);
    *b = pick(&l);
    lp_release(&l);
    if (fixed)
        exact_core_apply(x, &d);
    else
        exact_edit_release(&d);
    return fixed;
}

// Reduces until there is something to decide; then the parts, or two sides.
static void run_core(struct branch_search *s, struct exact_core *x, struct branch_outcome *best,
                     double *cutoff)
{
    struct branch_choice b;
    struct branch_outcome o;
    do {
        exact_core_reduce(x);
        best->bound = x->dead ? INFINITY : fmax(best->bound, branch_least(x));
        if (beaten(s, best->bound, *cutoff))
            return;
        if (clock_wall() > s->until || !x->q.n_classes) {
            try_rounding(s, x, NULL, best, cutoff);
            return;
        }
        uint32_t n_parts;
        uint32_t *part = parts_of(&x->q, &n_parts);
        if (n_parts > 1)
            o = run_parts(s, x, part, n_parts, *cutoff);
        mem_free(part);
        if (n_parts > 1)
            goto out;
    } while (relax(s, x, best, cutoff, &b));
    if (b.c == NO_CHOICE)
        return;
    o = run_branch(s, x, b, best->bound, *cutoff);
out:
    best->bound = fmax(best->bound, o.bound);
    if (o.found)
        keep(s, x, best, cutoff, o.value);
}

struct branch_outcome branch_run(struct branch_search *s, struct exact_core *x, double cutoff)
{
    s->n_cores++;
    struct branch_outcome o = {.bound = -INFINITY};
    run_core(s, x, &o, &cutoff);
    if (beaten(s, o.bound, cutoff))
        o.bound = o.found ? o.value : INFINITY;
    if (o.found)
        memcpy(x->choice, o.choice, sizeof *o.choice * x->n_whole);
    mem_free(o.choice);
    o.choice = NULL;
    exact_core_release(x);
    return o;
}
