// SPDX-License-Identifier: Apache-2.0
// Extraction problems: methods against the enumeration of all choices, and the
// check of solutions against one that was written without looking at it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "egraph/extract/dag/dag.h"
#include "egraph/extract/tree/needed.h"
#include "egraph/extract/tree/tree.h"
#include "tests/unit/support/problem_random.h"

static uint64_t seed = 1;
enum { PROBLEMS = 20000 };

static enum costs costs_of(uint32_t i)
{
    return (enum costs)(i % N_COSTS);
}

// The costs of a checked solution are those of the enumeration's own count.
static void same_costs(const struct problem *problem, struct solution *solution)
{
    struct err err = {0};
    double tree, dag;
    uint32_t needed;
    assert_true(solution_check(problem, solution, &err));
    assert_true(brute_cost(problem, solution->node, &tree, &dag, &needed));
    assert_true(solution->tree_cost == tree && solution->dag_cost == dag);
}

static void methods_by_enumeration(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, seed);
    uint32_t none = 0, proved = 0, dag_least = 0, solved = 0, negative = 0;
    for (uint32_t i = 0; i < PROBLEMS; i++) {
        struct problem problem;
        struct solution solution = {0};
        struct err err = {0};
        bool late;
        double tree, dag;
        problem_random(&rng, 1 + (uint32_t)rng_below(&rng, 8), costs_of(i), &problem);
        assert_true(problem_check(&problem, &err));
        brute_force(&problem, &tree, &dag);
        solution_init(&solution, &problem);
        if (isinf(tree)) {
            none++;
            assert_false(tree_solve(&problem, &solution, &err));
            assert_true(err.kind == ERR_CHECK && strstr(err.msg, "no finite term"));
            err_clear(&err);
            assert_false(dag_solve(&problem, INFINITY, &solution, &late, &err));
            assert_true(err.kind == ERR_CHECK && strstr(err.msg, "no finite term"));
        } else {
            solved++;
            assert_true(tree_solve(&problem, &solution, &err));
            same_costs(&problem, &solution);
            assert_true(solution.tree_cost >= tree);
            assert_true(!solution.optimal || solution.tree_cost == tree);
            assert_true(solution.bound <= tree);
            assert_true(solution.optimal || costs_of(i) == COSTS_ANY);
            proved += solution.optimal;
            negative += !solution.optimal && solution.tree_cost == tree;
            solution_release(&solution);
            solution_init(&solution, &problem);
            assert_true(dag_solve(&problem, INFINITY, &solution, &late, &err));
            same_costs(&problem, &solution);
            assert_true(solution.dag_cost >= dag && !late);
            assert_true(!solution.optimal || solution.dag_cost == dag);
            dag_least += solution.dag_cost == dag;
        }
        solution_release(&solution);
        problem_release(&problem);
    }
    print_message("%u problems, %u without a term; tree proved %u, least "
                  "without proof %u; dag least in %u\n",
                  solved + none, none, proved, negative, dag_least);
    assert_true(none > 100 && solved > 1000);
    assert_true(proved < solved); // some are beyond the proof
    assert_true(dag_least >= solved - solved / 50);
}

// Whatever one changes in a solution: the check accepts what the enumeration's
// own code calls a solution without choices that nobody needs.
static void check_by_second_opinion(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, seed + 1);
    uint32_t refused[5] = {0}, accepted = 0;
    static const char *const why[] = {"has no node", "does not belong", "needs itself",
                                      "is not needed", ""};
    for (uint32_t i = 0; i < 4 * PROBLEMS; i++) {
        struct problem problem;
        struct solution solution = {0};
        struct err err = {0};
        problem_random(&rng, 1 + (uint32_t)rng_below(&rng, 8), costs_of(i), &problem);
        solution_init(&solution, &problem);
        if (!tree_solve(&problem, &solution, &err)) {
            solution_release(&solution);
            problem_release(&problem);
            continue;
        }
        for (int k = 0; k < 4; k++) {
            uint32_t c = (uint32_t)rng_below(&rng, problem.n_classes);
            uint32_t was = solution.node[c], needed, any = 0;
            double tree, dag;
            uint32_t inside =
                problem.node_at.at[c] +
                (uint32_t)rng_below(&rng, problem.node_at.at[c + 1] - problem.node_at.at[c] + 1);
            solution.node[c] = k == 0   ? NO_CHOICE
                               : k == 1 ? (uint32_t)rng_below(&rng, problem.n_nodes + 1)
                                        : inside;
            bool valid = brute_cost(&problem, solution.node, &tree, &dag, &needed);
            for (uint32_t d = 0; d < problem.n_classes; d++)
                any |= (uint32_t)(solution.node[d] != NO_CHOICE) << d;
            struct err wrong = {0};
            bool ok = solution_check(&problem, &solution, &wrong);
            assert_true(ok == (valid && any == needed));
            for (int w = 0; !ok && w < 4; w++)
                refused[w] += strstr(wrong.msg, why[w]) != NULL;
            accepted += ok;
            solution.node[c] = was;
        }
        solution_release(&solution);
        problem_release(&problem);
    }
    for (int w = 0; w < 4; w++)
        print_message("%s: %u  ", why[w], refused[w]);
    print_message("accepted %u\n", accepted);
    for (int w = 0; w < 4; w++)
        assert_true(refused[w] > 20);
    assert_true(accepted > 100);
}

// The space of a problem: components in order, nothing that cannot be chosen.
static void spaces_are_ordered(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, seed + 2);
    for (uint32_t i = 0; i < PROBLEMS; i++) {
        struct problem problem;
        struct space space;
        struct err err = {0};
        problem_random(&rng, 1 + (uint32_t)rng_below(&rng, 12), COSTS_ANY, &problem);
        if (space_init(&space, &problem, &err)) {
            assert_true(problem_check(&space.problem, &err));
            for (uint32_t n = 0; n < space.problem.n_nodes; n++) {
                uint32_t c = space.owner.at[n], was = space.node_of.at[n];
                assert_true(n >= space.problem.node_at.at[c] &&
                            n < space.problem.node_at.at[c + 1]);
                assert_true(was >= problem.node_at.at[space.class_of.at[c]] &&
                            was < problem.node_at.at[space.class_of.at[c] + 1]);
                assert_true(space.problem.cost.at[n] == problem.cost.at[was]);
                FOR_CHILDREN (&space, n, k) {
                    uint32_t d = space.problem.child.at[k];
                    assert_true(d != c && space.part.at[d] <= space.part.at[c]);
                }
            }
            for (uint32_t c = 0; c < space.problem.n_classes; c++)
                assert_true(c >= space.part_at.at[space.part.at[c]] &&
                            c < space.part_at.at[space.part.at[c] + 1] &&
                            space.problem.node_at.at[c] < space.problem.node_at.at[c + 1]);
            space_release(&space);
        }
        problem_release(&problem);
    }
}

// However early a search ends, it leaves a solution, and one no worse than
// where it began.
// Have the roots a term if class `c` has no node?
static bool without(const struct space *space, uint32_t c)
{
    struct problem cut = {.n_classes = space->problem.n_classes};
    for (uint32_t k = 0; k < space->problem.n_classes; k++) {
        vec_push(&cut.node_at, cut.cost.len);
        FOR_NODES (space, k, n) {
            if (k == c)
                continue;
            vec_push(&cut.child_at, cut.child.len);
            vec_push(&cut.cost, 1);
            FOR_CHILDREN (space, n, i)
                vec_push(&cut.child, space->problem.child.at[i]);
        }
    }
    cut.n_nodes = cut.cost.len;
    vec_push(&cut.node_at, cut.n_nodes);
    vec_push(&cut.child_at, cut.child.len);
    bool *has = problem_terms(&cut), all = true;
    for (uint32_t i = 0; i < space->problem.root.len; i++)
        all = all && has[space->problem.root.at[i]];
    mem_free(has);
    problem_release(&cut);
    return all;
}

// What is said to be needed is: without it some root has no term.
static void needed_by_removal(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, seed);
    uint32_t found = 0, all = 0;
    for (uint32_t i = 0; i < PROBLEMS / 4; i++) {
        struct problem problem;
        struct space space;
        struct err err = {0};
        problem_random(&rng, 1 + (uint32_t)rng_below(&rng, 12), costs_of(i), &problem);
        if (space_init(&space, &problem, &err)) {
            bool *needed = mem_alloc((size_t)space.problem.n_classes + 1);
            classes_needed(&space, needed);
            for (uint32_t c = 0; c < space.problem.n_classes; c++) {
                bool is = !without(&space, c);
                assert_true(is || !needed[c]);
                found += needed[c];
                all += is;
            }
            mem_free(needed);
            space_release(&space);
        }
        problem_release(&problem);
    }
    print_message("%u of %u needed classes found\n", found, all);
    assert_true(found > all / 2);
}

static void any_time(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, seed + 3);
    for (uint32_t i = 0; i < 200; i++) {
        struct problem problem;
        struct space space;
        struct err err = {0};
        problem_random(&rng, 20 + (uint32_t)rng_below(&rng, 12), costs_of(i), &problem);
        if (!space_init(&space, &problem, &err)) {
            problem_release(&problem);
            continue;
        }
        uint32_t choice[32];
        struct price price[32];
        struct solution at, start;
        solution_init(&start, &problem);
        assert_true(tree_solve(&problem, &start, &err));
        assert_true(solution_check(&problem, &start, &err));
        for (uint64_t most = 0; most < 5000; most = most * 2 + 1) {
            struct effort effort = {.most = most, .deadline = INFINITY};
            tree_choose(&space, NULL, choice, price);
            if (most % 3 == 0)
                dag_greedy(&space, &effort, choice);
            struct price got = dag_improve(&space, &effort, most % 2, choice);
            solution_init(&at, &problem);
            space_solution(&space, &problem, choice, &at);
            assert_true(solution_check(&problem, &at, &err));
            assert_true(at.dag_cost == got.cost);
            assert_true(most % 3 == 0 || at.dag_cost <= start.dag_cost);
            solution_release(&at);
        }
        bool late = false;
        solution_init(&at, &problem);
        assert_true(dag_solve(&problem, 0, &at, &late, &err) && late);
        assert_true(solution_check(&problem, &at, &err));
        assert_true(at.dag_cost <= start.dag_cost);
        solution_release(&at);
        solution_release(&start);
        space_release(&space);
        problem_release(&problem);
    }
}

// k classes of a private node (cost 2) or one over a shared pair: each alone
// keeps its own, together they share.
static void pairs_are_shared(void **state)
{
    (void)state;
    for (uint32_t k = 2; k < 12; k++) {
        struct problem problem = {.n_classes = k + 2, .n_nodes = 2 * k + 2};
        struct solution solution = {0};
        struct err err = {0};
        bool late;
        for (uint32_t c = 0; c < k; c++) {
            vec_push(&problem.node_at, 2 * c);
            vec_push(&problem.child_at, problem.child.len);
            vec_push(&problem.cost, 2);
            vec_push(&problem.child_at, problem.child.len);
            vec_push(&problem.cost, 1);
            vec_push(&problem.child, k);
            vec_push(&problem.child, k + 1);
            vec_push(&problem.root, c);
        }
        for (uint32_t c = 0; c < 2; c++) {
            vec_push(&problem.node_at, 2 * k + c);
            vec_push(&problem.child_at, problem.child.len);
            vec_push(&problem.cost, 2.5);
        }
        vec_push(&problem.node_at, problem.n_nodes);
        vec_push(&problem.child_at, problem.child.len);
        assert_true(problem_check(&problem, &err));
        solution_init(&solution, &problem);
        assert_true(dag_solve(&problem, INFINITY, &solution, &late, &err));
        same_costs(&problem, &solution);
        assert_true(solution.dag_cost == (k > 5 ? k + 5 : 2 * k));
        solution_release(&solution);
        problem_release(&problem);
    }
}

static void malformed_problems(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, seed + 4);
    for (uint32_t i = 0; i < 400; i++) {
        struct problem problem;
        struct err err = {0};
        problem_random(&rng, 4, COSTS_ANY, &problem);
        if (problem.child.len > 0 && problem.n_nodes > 0) {
            assert_true(problem_check(&problem, &err));
            switch (i % 7) {
            case 0:
                problem.child.at[rng_below(&rng, problem.child.len)] = 4;
                break;
            case 1:
                problem.root.at[0] = 4;
                break;
            case 2:
                problem.cost.at[0] = NAN;
                break;
            case 3:
                problem.cost.at[0] = -INFINITY;
                break;
            case 4:
                problem.node_at.at[4]++;
                break;
            case 5:
                problem.child_at.len--;
                break;
            default:
                problem.node_at.at[1] = problem.n_nodes + 1;
            }
            assert_false(problem_check(&problem, &err));
            assert_true(err.kind == ERR_INPUT);
        }
        problem_release(&problem);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %lu\n", (unsigned long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_by_enumeration),
        cmocka_unit_test(check_by_second_opinion),
        cmocka_unit_test(spaces_are_ordered),
        cmocka_unit_test(needed_by_removal),
        cmocka_unit_test(any_time),
        cmocka_unit_test(pairs_are_shared),
        cmocka_unit_test(malformed_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
