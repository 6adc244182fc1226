// SPDX-License-Identifier: Apache-2.0
// Branch and bound, depth first: reduce, split into parts that share nothing,
// bound by the relaxation, take away what its reduced costs rule out, branch.
#include "egraph/extract/exact/branch.h"
#include "egraph/limits.h"

#include <math.h>

#define INT_EPS 1e-6

// Are all costs multiples of the step, as exactly as doubles can tell?  And so
// small that any sum of them is one, too, within 1e-4 of the step.
static bool steps_of(const struct problem *problem, double step, uint64_t *gcd)
{
    double off = 0;
    *gcd = 0;
    for (uint32_t n = 0; n < problem->n_nodes; n++) {
        double times = fabs(problem->cost.at[n]) / step, whole = round(times);
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
void branch_measure(struct branch_search *search, const struct problem *problem)
{
    double sum = 0, step = 1;
    bool negative = false;
    uint64_t gcd;
    search->step = 0;
    for (int digits = 0; digits <= 9 && search->step == 0; digits++, step /= 10)
        if (steps_of(problem, step, &gcd))
            search->step = step * (double)gcd;
    for (uint32_t n = 0; n < problem->n_nodes; n++) {
        negative = negative || problem->cost.at[n] < 0;
        sum += fabs(problem->cost.at[n]);
    }
    negative = negative && search->step == 0;
    search->slack = negative ? 1e-12 : 1e-9;
    search->noise = negative ? 1e-11 * sum : 0;
}

double branch_slack(const struct branch_search *search, double cutoff)
{
    return search->step > 0 ? search->step * (1 - 1e-3) : search->slack * fabs(cutoff);
}

// Returns true if no solution with this bound can be better than the cutoff.
static bool beaten(const struct branch_search *search, double bound, double cutoff)
{
    if (cutoff == INFINITY)
        return bound == INFINITY;
    return bound >= cutoff - branch_slack(search, cutoff);
}

static bool better(const struct branch_search *search, double value, double cutoff)
{
    return cutoff == INFINITY ? value < cutoff
                              : value < cutoff - fmax(search->step / 2, 1e-12 * fabs(cutoff));
}

static void write_choice(struct exact_core *exact_core, const uint32_t *node)
{
    for (uint32_t c = 0; c < exact_core->problem.n_classes; c++)
        if (node[c] != NO_CHOICE)
            exact_core->choice[exact_core->class_name.at[c]] = exact_core->node_name.at[node[c]];
}

// ---- parts

static uint32_t find(uint32_t *up, uint32_t c)
{
    while (up[c] != c)
        c = up[c] = up[up[c]];
    return c;
}

static uint32_t *parts_of(const struct problem *problem, uint32_t *n_parts)
{
    size_t size = sizeof(uint32_t) * ((size_t)problem->n_classes + 1);
    uint32_t *up = mem_alloc(size), *part = mem_alloc(size);
    for (uint32_t c = 0; c < problem->n_classes; c++)
        up[c] = c;
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        uint32_t i = problem->child_at.at[problem->node_at.at[c]];
        uint32_t end = problem->child_at.at[problem->node_at.at[c + 1]];
        for (; i < end; i++)
            up[find(up, problem->child.at[i])] = find(up, c);
    }
    *n_parts = 0;
    for (uint32_t c = 0; c < problem->n_classes; c++)
        if (find(up, c) == c)
            part[c] = (*n_parts)++;
    for (uint32_t c = 0; c < problem->n_classes; c++)
        part[c] = part[find(up, c)];
    mem_free(up);
    return part;
}

// No choice for the core costs less: every root has a node.
double branch_least(const struct exact_core *exact_core)
{
    const struct problem *problem = &exact_core->problem;
    double sum = 0; // base is added last
    bool *root = mem_alloc((size_t)problem->n_classes + 1);
    for (uint32_t i = 0; i < problem->root.len; i++)
        root[problem->root.at[i]] = true;
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        double least = root[c] ? INFINITY : 0;
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++)
            least = fmin(least, problem->cost.at[n]);
        sum += least;
    }
    mem_free(root);
    return exact_core->base + sum;
}

static void merge_choice(struct exact_core *exact_core, const uint32_t *choice)
{
    for (uint32_t c = 0; c < exact_core->n_whole; c++)
        if (choice[c] != NO_CHOICE)
            exact_core->choice[c] = choice[c];
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
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

// Reports on a part are reports on the whole problem: with the best solutions
// known for the other parts.
struct part_message {
    struct branch_search *search;
    struct exact_core *exact_core;
    double others; // bound of the other parts and the base
};

static void tell_part(void *arg, const uint32_t *choice, double bound)
{
    struct part_message *news = arg;
    if (choice)
        merge_choice(news->exact_core, choice);
    news->search->tell(news->search->arg, choice ? news->exact_core->choice : NULL,
                       bound + news->others);
}

// Gives an early result to report.
static void round_part(struct exact_core *exact_core, struct exact_core *part)
{
    uint32_t *node = mem_alloc(sizeof *node * ((size_t)part->problem.n_classes + 1));
    branch_take(part, NULL, node);
    write_choice(part, node);
    merge_choice(exact_core, part->choice);
    mem_free(node);
}

// Smallest first: each leaves the others as little as it can.
static struct branch_outcome run_parts(struct branch_search *search, struct exact_core *exact_core,
                                       const uint32_t *part, uint32_t n_parts, double cutoff)
{
    struct branch_search inner = *search;
    struct part_message news = {.search = search, .exact_core = exact_core};
    inner.tell = search->tell && search->depth == 0 ? tell_part : NULL;
    inner.arg = &news;
    uint32_t *order = mem_alloc(sizeof(uint32_t) * 2 * n_parts);
    struct exact_core *sub = mem_alloc(sizeof *sub * n_parts);
    double *least = mem_alloc(sizeof *least * n_parts);
    struct branch_outcome all = {
        .found = true, .value = exact_core->base, .bound = exact_core->base};
    double open = 0;
    for (uint32_t k = 0; k < n_parts; k++) {
        exact_core_part(&sub[k], exact_core, part, k, no_choice(exact_core->n_whole));
        order[2 * k] = sub[k].problem.n_nodes;
        order[2 * k + 1] = k;
        open += least[k] = branch_least(&sub[k]);
        if (inner.tell)
            round_part(exact_core, &sub[k]);
    }
    qsort(order, n_parts, 2 * sizeof *order, by_size);
    for (uint32_t i = 0; i < n_parts; i++) {
        uint32_t k = order[2 * i + 1];
        uint32_t *choice = sub[k].choice;
        open -= least[k];
        if (all.found && all.bound < INFINITY) {
            news.others = all.bound + open;
            struct branch_outcome best = branch_run(&inner, &sub[k], cutoff - all.bound - open);
            if (best.found)
                merge_choice(exact_core, choice);
            all.found = best.found;
            all.value += best.value;
            all.bound += fmax(best.bound, least[k]); // of what is below the cutoff
        } else {
            all.bound += least[k];
            exact_core_release(&sub[k]);
        }
        mem_free(choice);
    }
    search->n_cores = inner.n_cores;
    all.found = all.found && better(search, all.value, cutoff);
    mem_free(order);
    mem_free(sub);
    mem_free(least);
    return all;
}

// ---- what reduced costs rule out

static void only_node(const struct problem *problem, struct exact_edit *edit, uint32_t c,
                      uint32_t n)
{
    for (uint32_t m = problem->node_at.at[c]; m < problem->node_at.at[c + 1]; m++)
        edit->gone[m] = edit->gone[m] || m != n;
}

static void add_root(struct problem *problem, uint32_t c)
{
    for (uint32_t i = 0; i < problem->root.len; i++)
        if (problem->root.at[i] == c)
            return;
    vec_push(&problem->root, c);
}

// Takes over the decisions of the relaxation.  Returns false if there are none.  A
// root is paid for in any case: if costs are negative, no class that is not needed
// may become a root.
static bool fix_columns(const struct lp *lp, struct problem *problem, struct exact_edit *edit)
{
    bool found = false;
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        bool root = lp->root[c];
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++) {
            if (lp->high[n] == 0) {
                edit->gone[n] = found = true;
            } else if (lp->low[n] == 1 && !lp->exact_core->negative) {
                found = found || problem->node_at.at[c + 1] - problem->node_at.at[c] > 1;
                only_node(problem, edit, c, n);
                root = true;
            }
        }
        root = root || (lp->low[lp_class(lp, c)] == 1 && !lp->exact_core->negative);
        if (root && !lp->root[c]) {
            add_root(problem, c);
            found = true;
        }
    }
    return found;
}

// ---- branching

struct branch_choice {
    uint32_t class, node; // n == NO_CHOICE: is class c needed?
    bool yes;             // what is tried first
};

static double openness(double take)
{
    return fmin(take, 1 - take);
}

static struct branch_choice pick(const struct lp *lp)
{
    const struct problem *problem = &lp->exact_core->problem;
    struct branch_choice branch_choice = {.class = NO_CHOICE, .node = NO_CHOICE};
    double best = INT_EPS;
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        double take = lp->take[lp_class(lp, c)];
        if (!lp->exact_core->negative && !lp->root[c] && openness(take) > best) {
            best = openness(take);
            branch_choice = (struct branch_choice){c, NO_CHOICE, take >= 0.5};
        }
    }
    if (branch_choice.class != NO_CHOICE)
        return branch_choice;
    for (uint32_t c = 0; c < problem->n_classes; c++)
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++)
            if (problem->node_at.at[c + 1] - problem->node_at.at[c] > 1 &&
                openness(lp->take[n]) > best) {
                best = openness(lp->take[n]);
                branch_choice = (struct branch_choice){c, n, true};
            }
    // All whole, but a loop is left: any choice will do.
    for (uint32_t c = 0; branch_choice.class == NO_CHOICE && c < problem->n_classes; c++)
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++)
            if (problem->node_at.at[c + 1] - problem->node_at.at[c] > 1 && lp->take[n] > 0.5)
                branch_choice = (struct branch_choice){c, n, false};
    if (branch_choice.class == NO_CHOICE)
        for (uint32_t c = 0; branch_choice.class == NO_CHOICE && c < problem->n_classes; c++)
            if (problem->node_at.at[c + 1] - problem->node_at.at[c] > 1)
                branch_choice = (struct branch_choice){c, problem->node_at.at[c], false};
    return branch_choice;
}

static void take_side(struct exact_core *exact_core, struct branch_choice branch_choice, bool yes)
{
    struct exact_edit edit;
    exact_edit_init(&edit, exact_core);
    if (branch_choice.node == NO_CHOICE && yes)
        add_root(&exact_core->problem, branch_choice.class);
    else if (branch_choice.node == NO_CHOICE)
        only_node(&exact_core->problem, &edit, branch_choice.class, NO_CHOICE);
    else if (yes)
        only_node(&exact_core->problem, &edit, branch_choice.class, branch_choice.node);
    else
        edit.gone[branch_choice.node] = true;
    exact_core_apply(exact_core, &edit);
}

static struct branch_outcome run_branch(struct branch_search *search, struct exact_core *exact_core,
                                        struct branch_choice branch_choice, double bound,
                                        double cutoff)
{
    struct branch_outcome all = {.bound = INFINITY};
    search->depth++;
    for (int side = 0; side < 2; side++) {
        struct exact_core sub;
        uint32_t *choice = mem_alloc(sizeof *choice * ((size_t)exact_core->n_whole + 1));
        exact_core_copy(&sub, exact_core, choice);
        take_side(&sub, branch_choice, side == 0 ? branch_choice.yes : !branch_choice.yes);
        struct branch_outcome best = branch_run(search, &sub, cutoff);
        all.bound = fmin(all.bound, fmax(best.bound, bound));
        if (best.found) {
            all.found = true;
            all.value = cutoff = best.value;
            memcpy(exact_core->choice, choice, sizeof *choice * exact_core->n_whole);
        }
        mem_free(choice);
    }
    search->depth--;
    return all;
}

// ----

// The core goes on changing its choices: a copy.
static void keep(const struct branch_search *search, const struct exact_core *exact_core,
                 struct branch_outcome *best, double *cutoff, double value)
{
    size_t size = sizeof *best->choice * ((size_t)exact_core->n_whole + 1);
    if (!best->choice)
        best->choice = mem_alloc(size);
    memcpy(best->choice, exact_core->choice, size - sizeof *best->choice);
    best->found = true;
    best->value = *cutoff = value;
    if (search->tell)
        search->tell(search->arg, exact_core->choice, -INFINITY);
}

// A better solution than the cutoff into the core's choice, from `take`.
static bool try_rounding(const struct branch_search *search, struct exact_core *exact_core,
                         const double *take, struct branch_outcome *best, double *cutoff)
{
    uint32_t *node = mem_alloc(sizeof *node * ((size_t)exact_core->problem.n_classes + 1));
    double value = exact_core->base + branch_take(exact_core, take, node);
    bool good = better(search, value, *cutoff);
    if (good) {
        write_choice(exact_core, node);
        keep(search, exact_core, best, cutoff, value);
    }
    mem_free(node);
    return good;
}

struct bound_watcher {
    struct branch_search *search;
    struct exact_core *exact_core;
    struct branch_outcome *best;
    double *cutoff;
    uint32_t round;
};

// The bound above which a core cannot improve the best solution; without base.
static double lp_limit(const struct branch_search *search, const struct exact_core *exact_core,
                       double cutoff)
{
    return cutoff == INFINITY ? INFINITY : cutoff - branch_slack(search, cutoff) - exact_core->base;
}

static double look(void *arg, const struct lp *lp)
{
    struct bound_watcher *bound_watcher = arg;
    // Columns are decided with the cutoff in mind: a bound above it says only
    // that nothing is below it.
    bound_watcher->best->bound =
        fmax(bound_watcher->best->bound, bound_watcher->exact_core->base + lp->bound);
    if (bound_watcher->search->tell && bound_watcher->search->depth == 0 && lp->bound < INFINITY)
        bound_watcher->search->tell(bound_watcher->search->arg, NULL,
                                    fmin(bound_watcher->best->bound, *bound_watcher->cutoff));
    if (lp->bound < INFINITY &&
        (bound_watcher->round++ < EGRAPH_EXACT_ROUNDINGS || bound_watcher->round % 4 == 0))
        try_rounding(bound_watcher->search, bound_watcher->exact_core, lp->take,
                     bound_watcher->best, bound_watcher->cutoff);
    return lp_limit(bound_watcher->search, bound_watcher->exact_core, *bound_watcher->cutoff);
}

// The relaxation, and what follows from it; true when the core was made
// smaller, else *branch_choice is where to branch, NO_CHOICE when there is no need to.
static bool relax(struct branch_search *search, struct exact_core *exact_core,
                  struct branch_outcome *best, double *cutoff, struct branch_choice *branch_choice)
{
    *branch_choice = (struct branch_choice){.class = NO_CHOICE};
    struct lp lp;
    struct bound_watcher bound_watcher = {search, exact_core, best, cutoff, 0};
    lp_init(&lp, exact_core, search->clp);
    lp_solve(&lp, look, &bound_watcher);
    if (lp.bound < INFINITY)
        try_rounding(search, exact_core, lp.take, best, cutoff);
    if (beaten(search, best->bound, *cutoff) || !exact_spend(exact_core->effort, 0)) {
        lp_release(&lp);
        return false;
    }
    struct exact_edit edit;
    exact_edit_init(&edit, exact_core);
    (void)lp_decide(&lp, lp_limit(search, exact_core, *cutoff));
    bool fixed = fix_columns(&lp, &exact_core->problem, &edit);
    *branch_choice = pick(&lp);
    lp_release(&lp);
    if (fixed)
        exact_core_apply(exact_core, &edit);
    else
        exact_edit_release(&edit);
    return fixed;
}

// Reduces until there is something to decide; then the parts, or two sides.
static void run_core(struct branch_search *search, struct exact_core *exact_core,
                     struct branch_outcome *best, double *cutoff)
{
    struct branch_choice branch_choice;
    struct branch_outcome o;
    do {
        exact_core_reduce(exact_core);
        best->bound = exact_core->dead ? INFINITY : fmax(best->bound, branch_least(exact_core));
        if (beaten(search, best->bound, *cutoff))
            return;
        if (!exact_spend(exact_core->effort, exact_core_places(exact_core)) ||
            !exact_core->problem.n_classes) {
            try_rounding(search, exact_core, NULL, best, cutoff);
            return;
        }
        uint32_t n_parts;
        uint32_t *part = parts_of(&exact_core->problem, &n_parts);
        if (n_parts > 1)
            o = run_parts(search, exact_core, part, n_parts, *cutoff);
        mem_free(part);
        if (n_parts > 1)
            goto out;
    } while (relax(search, exact_core, best, cutoff, &branch_choice));
    if (branch_choice.class == NO_CHOICE)
        return;
    o = run_branch(search, exact_core, branch_choice, best->bound, *cutoff);
out:
    best->bound = fmax(best->bound, o.bound);
    if (o.found)
        keep(search, exact_core, best, cutoff, o.value);
}

struct branch_outcome branch_run(struct branch_search *search, struct exact_core *exact_core,
                                 double cutoff)
{
    search->n_cores++;
    struct branch_outcome best = {.bound = -INFINITY};
    run_core(search, exact_core, &best, &cutoff);
    if (beaten(search, best.bound, cutoff))
        best.bound = best.found ? best.value : INFINITY;
    if (best.found)
        memcpy(exact_core->choice, best.choice, sizeof *best.choice * exact_core->n_whole);
    mem_free(best.choice);
    best.choice = NULL;
    exact_core_release(exact_core);
    return best;
}
