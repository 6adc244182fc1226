// SPDX-License-Identifier: Apache-2.0
// The exact extraction against all choices there are, on small problems.
#include "base/clock.h"
#include "base/rng.h"
#include "egraph/extract/exact/exact.h"
#include "egraph/extract/exact/branch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct clp clp;

enum cost_kind {
    COST_ONE,
    COST_SMALL,
    COST_ZERO,
    COST_NEGATIVE,
    COST_LESS,
    COST_TENTHS,
    COST_NEAR, // nearly whole
    COST_DUST, // nothing beside the others
    COST_SPECKS,
    COST_GIANTS
};

static double random_cost(struct rng *rng, enum cost_kind kind)
{
    switch (kind) {
    case COST_ONE:
        return 1;
    case COST_SMALL:
        return (double)rng_range(rng, 1, 6);
    case COST_ZERO:
        return (double)rng_range(rng, 0, 2);
    case COST_NEGATIVE:
        return (double)rng_range(rng, -3, 3);
    case COST_LESS:
        return -1;
    case COST_TENTHS:
        return (double)rng_range(rng, 0, 30) * 0.1 + rng_unit(rng) * 1e-3;
    case COST_NEAR:
        return 1 + (double)rng_range(rng, -3, 9) * 1e-6;
    case COST_DUST:
        return rng_below(rng, 8) ? (double)rng_range(rng, 1, 9) * 1e-13 : 1;
    case COST_SPECKS:
        return (double)rng_range(rng, 1, 9) * 1e-25;
    case COST_GIANTS:
        return (double)rng_range(rng, 1, 9) * 1e300;
    }
    return 0;
}

// Cyclic where `forward` is false: children are any classes.
static void random_problem(struct rng *rng, struct problem *problem, enum cost_kind kind)
{
    bool forward = rng_below(rng, 3) == 0;
    uint32_t n = 2 + (uint32_t)rng_below(rng, 8);
    *problem = (struct problem){.n_classes = n};
    for (uint32_t c = 0; c < n; c++) {
        vec_push(&problem->node_at, problem->n_nodes);
        uint32_t nodes = 1 + (uint32_t)rng_below(rng, 3);
        for (uint32_t k = 0; k < nodes; k++) {
            vec_push(&problem->child_at, problem->child.len);
            vec_push(&problem->cost, random_cost(rng, kind));
            problem->n_nodes++;
            uint32_t arity = (uint32_t)rng_below(rng, 4);
            if (forward && c + 1 == n)
                arity = 0;
            while (arity--) {
                uint32_t from = forward ? c + 1 : 0;
                vec_push(&problem->child, from + (uint32_t)rng_below(rng, n - from));
            }
        }
    }
    vec_push(&problem->node_at, problem->n_nodes);
    vec_push(&problem->child_at, problem->child.len);
    uint32_t roots = 1 + (uint32_t)rng_below(rng, 2);
    while (roots--)
        vec_push(&problem->root, (uint32_t)rng_below(rng, n));
}

static uint32_t mean_of(struct rng *rng, uint32_t demand, uint32_t means, bool apart)
{
    uint32_t half = means / 2;
    if (!apart)
        return (uint32_t)rng_below(rng, means);
    return (uint32_t)rng_below(rng, half) + (demand % 2 ? half : 0);
}

// Little can be taken away here: demands that share what meets them.
static void random_cover(struct rng *rng, struct problem *problem, enum cost_kind kind)
{
    uint32_t demands = 3 + (uint32_t)rng_below(rng, 6);
    uint32_t means = 4 + (uint32_t)rng_below(rng, 5);
    bool apart = rng_below(rng, 2); // two problems that share nothing
    *problem = (struct problem){.n_classes = demands + means};
    for (uint32_t c = 0; c < demands + means; c++) {
        vec_push(&problem->node_at, problem->n_nodes);
        uint32_t nodes = c < demands ? 2 + (uint32_t)rng_below(rng, 2) : 1;
        if (c < demands)
            vec_push(&problem->root, c);
        for (uint32_t k = 0; k < nodes; k++) {
            vec_push(&problem->child_at, problem->child.len);
            vec_push(&problem->cost, c < demands ? 0 : random_cost(rng, kind));
            problem->n_nodes++;
            for (uint32_t i = 0; c < demands && i < 2; i++)
                vec_push(&problem->child, demands + mean_of(rng, c, means, apart));
            if (!apart && rng_below(rng, 4) == 0) // a way back: loops
                vec_push(&problem->child, (uint32_t)rng_below(rng, demands));
        }
    }
    vec_push(&problem->node_at, problem->n_nodes);
    vec_push(&problem->child_at, problem->child.len);
}

// Calls `each` with every solution; the least DAG cost, INFINITY: none.
static double least_of_all(const struct problem *problem,
                           void (*each)(void *, const struct solution *), void *arg)
{
    struct solution solution;
    struct err err;
    solution_init(&solution, problem);
    uint32_t *node = mem_alloc(sizeof *node * problem->n_classes);
    for (uint32_t c = 0; c < problem->n_classes; c++)
        node[c] = problem->node_at.at[c];
    double least = INFINITY;
    for (uint32_t c = 0; c < problem->n_classes;) {
        memcpy(solution.node, node, sizeof *node * problem->n_classes);
        solution_trim(problem, &solution);
        err = (struct err){0};
        if (solution_check(problem, &solution, &err)) {
            least = solution.dag_cost < least ? solution.dag_cost : least;
            if (each)
                each(arg, &solution);
        }
        for (c = 0; c < problem->n_classes; c++) {
            if (++node[c] < problem->node_at.at[c + 1])
                break;
            node[c] = problem->node_at.at[c];
        }
    }
    mem_free(node);
    solution_release(&solution);
    return least;
}

static void problem_of(struct problem *problem, uint64_t seed, enum cost_kind kind)
{
    struct rng rng;
    rng_seed(&rng, seed);
    if (seed % 2)
        random_cover(&rng, problem, kind);
    else
        random_problem(&rng, problem, kind);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static void expect(const struct problem *problem, const struct solution *solution, double least,
                   uint64_t seed, enum cost_kind kind)
{
    if (!near(solution->dag_cost, least))
        fail_msg("seed %u, costs %d: %g instead of %g", (unsigned)seed, kind, solution->dag_cost,
                 least);
    if (!solution->optimal || !near(solution->bound, least))
        fail_msg("seed %u, costs %d: bound %g of %g", (unsigned)seed, kind, solution->bound, least);
    struct solution copy = {0};
    struct err err = {0};
    solution_copy(&copy, solution);
    assert_true(solution_check(problem, &copy, &err));
    solution_release(&copy);
}

// With all that belongs to it.
static void compare_whole(uint64_t seed, enum cost_kind kind)
{
    struct problem problem;
    problem_of(&problem, seed, kind);
    struct solution solution = {0};
    struct err err = {0};
    double least = least_of_all(&problem, NULL, NULL);
    bool ok = solve_exact(&problem, INFINITY, NULL, &solution, &err);
    if (ok != (least < INFINITY))
        fail_msg("seed %u, costs %d: a term or none", (unsigned)seed, kind);
    if (ok)
        expect(&problem, &solution, least, seed, kind);
    else
        assert_int_equal(err.kind, ERR_CHECK);
    solution_release(&solution);
    problem_release(&problem);
}

// The search alone, which has to find everything itself.
static void compare_search(uint64_t seed, enum cost_kind kind)
{
    struct problem problem;
    problem_of(&problem, seed, kind);
    struct solution solution;
    struct err err = {0};
    solution_init(&solution, &problem);
    double least = least_of_all(&problem, NULL, NULL);
    struct exact_core exact_core;
    struct branch_search search = {.clp = &clp};
    struct exact_effort effort = {.most = UINT64_MAX, .until = INFINITY};
    branch_measure(&search, &problem);
    exact_core_init(&exact_core, &problem, solution.node, &effort);
    struct branch_outcome best = branch_run(&search, &exact_core, INFINITY);
    assert_int_equal(best.found, least < INFINITY);
    if (best.found) {
        solution_trim(&problem, &solution);
        assert_true(solution_check(&problem, &solution, &err));
        solution.bound = best.bound;
        solution.optimal = near(best.value, best.bound);
        expect(&problem, &solution, least, seed, kind);
    }
    solution_release(&solution);
    problem_release(&problem);
}

static void all_choices(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 800; seed++)
        for (int kind = COST_ONE; kind <= COST_GIANTS; kind++) {
            if (seed < 100)
                compare_whole(seed, (enum cost_kind)kind);
            compare_search(seed, (enum cost_kind)kind);
        }
}

// Costs of both signs that no step divides and that may cancel out: what is
// lost in the sums is no proof, and no bug.
static void cancelling(void **state)
{
    (void)state;
    uint32_t proved = 0, open = 0;
    for (uint64_t seed = 1; seed < 400; seed += 2) {
        struct problem problem;
        struct rng rng;
        double size = seed % 3 ? 1e9 : 1;
        rng_seed(&rng, seed);
        random_cover(&rng, &problem, COST_ONE);
        for (uint32_t n = 0; n < problem.n_nodes; n++)
            problem.cost.at[n] = (rng_below(&rng, 2) ? size : -size) + rng_unit(&rng);
        double least = least_of_all(&problem, NULL, NULL);
        struct solution solution = {0};
        struct err err = {0};
        if (solve_exact(&problem, INFINITY, NULL, &solution, &err)) {
            proved += solution.optimal;
            open += !solution.optimal;
            assert_true(!solution.optimal || near(solution.dag_cost, least));
            assert_true(solution.bound <= least + 1e-9 * fabs(least));
            // What is lost in sums is much of a small result.
            assert_true(!solution.optimal || fabs(solution.dag_cost) > size / 100);
        }
        solution_release(&solution);
        problem_release(&problem);
    }
    assert_true(proved > 20 && open > 5);
}

// ---- the relaxation holds for every solution

struct relaxed {
    const struct exact_core *exact_core;
    const struct lp *lp;
    uint64_t seed;
    uint32_t n_met; // rows met as equations: they could not be sharper
};

static void meet_rows(void *arg, const struct solution *solution)
{
    struct relaxed *relaxed = arg;
    const struct lp *lp = relaxed->lp;
    const struct problem *problem = &relaxed->exact_core->problem;
    double *value = mem_alloc(sizeof(double) * ((size_t)lp->n_cols + 1));
    for (uint32_t c = 0; c < problem->n_classes; c++) {
        uint32_t chosen = solution->node[relaxed->exact_core->class_name.at[c]];
        for (uint32_t n = problem->node_at.at[c]; n < problem->node_at.at[c + 1]; n++)
            if (relaxed->exact_core->node_name.at[n] == chosen)
                value[n] = value[lp_class(lp, c)] = 1;
    }
    for (uint32_t r = 0; r < lp->row_at.len; r++) {
        uint32_t i = lp->row_at.at[r];
        uint32_t end = r + 1 < lp->row_at.len ? lp->row_at.at[r + 1] : lp->row_col.len;
        double sum = -lp->row_least.at[r];
        for (; i < end; i++)
            sum += lp->row_value.at[i] * value[lp->row_col.at[i]];
        if (sum < -1e-9 || (r < lp->n_equal && sum > 1e-9))
            fail_msg("seed %u: a solution breaks row %u", (unsigned)relaxed->seed, r);
        relaxed->n_met += r >= lp->n_first && sum < 1e-9;
    }
    if (lp->bound > solution->dag_cost + 1e-7 * lp->unit)
        fail_msg("seed %u: bound %g above %g", (unsigned)relaxed->seed, lp->bound,
                 solution->dag_cost);
    mem_free(value);
}

static double no_limit(void *arg, const struct lp *lp)
{
    (void)arg;
    (void)lp;
    return INFINITY;
}

// On problems as they are, where there is more to relax than in reduced ones.
static void relaxation(void **state)
{
    (void)state;
    uint32_t n_added = 0, n_met = 0;
    for (uint64_t seed = 0; seed < 400; seed++)
        for (int kind = COST_ONE; kind <= COST_GIANTS; kind++) {
            struct problem problem;
            problem_of(&problem, seed, (enum cost_kind)kind);
            uint32_t *choice = mem_alloc(sizeof *choice * problem.n_classes);
            struct exact_core exact_core;
            struct exact_effort effort = {.most = UINT64_MAX, .until = INFINITY};
            exact_core_init(&exact_core, &problem, choice, &effort);
            if (!exact_core.dead) {
                struct lp lp;
                lp_init(&lp, &exact_core, &clp);
                lp_solve(&lp, no_limit, NULL);
                struct relaxed relaxed = {&exact_core, &lp, seed, 0};
                least_of_all(&problem, meet_rows, &relaxed);
                n_added += lp.row_at.len - lp.n_first;
                n_met += relaxed.n_met;
                lp_release(&lp);
            }
            exact_core_release(&exact_core);
            mem_free(choice);
            problem_release(&problem);
        }
    assert_true(n_added > 500); // else the test has lost its object
    assert_true(n_met > n_added);
}

// ---- limits

// Demands of three ways each over means of random cost: hard enough to take a
// while.
static void wide_cover(struct rng *rng, struct problem *problem, uint32_t demands, uint32_t means)
{
    *problem = (struct problem){.n_classes = demands + means};
    for (uint32_t c = 0; c < demands + means; c++) {
        vec_push(&problem->node_at, problem->n_nodes);
        if (c < demands)
            vec_push(&problem->root, c);
        for (uint32_t k = 0; k < (c < demands ? 3 : 1); k++) {
            vec_push(&problem->child_at, problem->child.len);
            vec_push(&problem->cost, c < demands ? 0 : random_cost(rng, COST_SMALL));
            problem->n_nodes++;
            for (uint32_t i = 0; c < demands && i < 2; i++)
                vec_push(&problem->child, demands + (uint32_t)rng_below(rng, means));
        }
    }
    vec_push(&problem->node_at, problem->n_nodes);
    vec_push(&problem->child_at, problem->child.len);
}

static void little_time(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 7);
    struct problem problem;
    wide_cover(&rng, &problem, 300, 120);
    struct solution solution = {0}, better = {0}, again = {0};
    struct err err = {0};
    assert_true(solve_exact(&problem, 0.01, NULL, &solution, &err));
    assert_false(solution.optimal);
    assert_true(solution_check(&problem, &solution, &err));
    assert_true(solution.bound < solution.dag_cost);
    // More time helps; on a busy machine much more is needed.
    for (double time = 1; time < 1000; time *= 4) {
        solution_release(&better);
        assert_true(solve_exact(&problem, time, NULL, &better, &err));
        if (better.dag_cost < solution.dag_cost)
            break;
    }
    assert_true(better.dag_cost < solution.dag_cost);
    assert_true(better.bound <= better.dag_cost);
    assert_true(solution.bound <= better.dag_cost);
    // What is given is not lost.
    assert_true(solve_exact(&problem, 0.01, &better, &again, &err));
    assert_true(again.dag_cost <= better.dag_cost);
    solution_release(&solution);
    solution_release(&better);
    solution_release(&again);
    problem_release(&problem);
}

// `whole` and `part` side by side.
static void beside(struct problem *whole, const struct problem *part)
{
    uint32_t classes = whole->n_classes;
    for (uint32_t n = 0; n < part->n_nodes; n++) {
        vec_push(&whole->cost, part->cost.at[n]);
        vec_push(&whole->child_at,
                 whole->child.len + part->child_at.at[n + 1] - part->child_at.at[n]);
        for (uint32_t i = part->child_at.at[n]; i < part->child_at.at[n + 1]; i++)
            vec_push(&whole->child, classes + part->child.at[i]);
    }
    for (uint32_t c = 1; c <= part->n_classes; c++)
        vec_push(&whole->node_at, whole->n_nodes + part->node_at.at[c]);
    for (uint32_t i = 0; i < part->root.len; i++)
        vec_push(&whole->root, classes + part->root.at[i]);
    whole->n_classes += part->n_classes;
    whole->n_nodes += part->n_nodes;
}

// With so many steps at most.
static struct branch_outcome search_for(const struct problem *problem, uint64_t most,
                                        struct branch_search *search, uint64_t *spent)
{
    uint32_t *choice = mem_alloc(sizeof *choice * problem->n_classes);
    struct exact_core exact_core;
    struct exact_effort effort = {.most = most, .until = INFINITY};
    *search = (struct branch_search){.clp = &clp};
    branch_measure(search, problem);
    exact_core_init(&exact_core, problem, choice, &effort);
    struct branch_outcome best = branch_run(search, &exact_core, INFINITY);
    *spent = effort.spent;
    mem_free(choice);
    return best;
}

// Ended anywhere, also between the sides of a branch and the parts of a core,
// the bound holds and nothing is called found that is not.
static void cut_short(void **state)
{
    (void)state;
    uint32_t n_open = 0, n_branched = 0;
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct problem problem, q;
        struct branch_search search;
        struct rng rng;
        rng_seed(&rng, seed);
        wide_cover(&rng, &problem, 48, 28);
        if (seed % 2) {
            wide_cover(&rng, &q, 42, 25);
            beside(&problem, &q);
            problem_release(&q);
        }
        uint64_t all, spent, again;
        struct branch_outcome whole = search_for(&problem, UINT64_MAX, &search, &all);
        assert_true(whole.found && near(whole.value, whole.bound));
        n_branched += search.n_cores > 3;
        for (int i = 0; i < 20; i++) {
            uint64_t most = (uint64_t)((double)all * pow(i / 20.0, 4));
            struct branch_outcome best = search_for(&problem, most, &search, &spent);
            struct branch_outcome same = search_for(&problem, most, &search, &again);
            assert_true(spent == again && best.found == same.found && best.bound == same.bound);
            assert_true(!best.found || best.value == same.value);
            if (best.bound > whole.value + 1e-6)
                fail_msg("seed %u, %d: bound %g of %g", (unsigned)seed, i, best.bound, whole.value);
            assert_true(!best.found || best.value > whole.value - 1e-6);
            n_open += best.bound < whole.value - 0.5;
        }
        problem_release(&problem);
    }
    print_message("%u problems with branches, %u ends before the proof\n", n_branched, n_open);
    assert_true(n_branched > 2 && n_open > 10);
}

static void no_term(void **state)
{
    (void)state;
    struct problem problem = {.n_classes = 1, .n_nodes = 1};
    vec_push(&problem.node_at, 0);
    vec_push(&problem.node_at, 1);
    vec_push(&problem.child_at, 0);
    vec_push(&problem.child_at, 1);
    vec_push(&problem.child, 0);
    vec_push(&problem.cost, 1.0);
    vec_push(&problem.root, 0);
    struct solution solution = {0};
    struct err err = {0};
    assert_false(solve_exact(&problem, INFINITY, NULL, &solution, &err));
    assert_int_equal(err.kind, ERR_CHECK);
    solution_release(&solution);
    problem_release(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_choices), cmocka_unit_test(cancelling), cmocka_unit_test(relaxation),
        cmocka_unit_test(little_time), cmocka_unit_test(cut_short),  cmocka_unit_test(no_term),
    };
    struct err err = {0};
    if (!clp_load(&clp, &err))
        BUG("%s", err.msg);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
