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
#include "egraph/extract/tree/tree.h"
#include "tests/unit/support/problem_random.h"

static uint64_t seed = 1;
enum { PROBLEMS = 20000 };

static enum costs costs_of(uint32_t i)
{
    return (enum costs)(i % N_COSTS);
}

// The costs of a checked solution are those of the enumeration's own count.
static void same_costs(const struct problem *p, struct solution *s)
{
    struct err e = {0};
    double tree, dag;
    uint32_t needed;
    assert_true(solution_check(p, s, &e));
    assert_true(brute_cost(p, s->node, &tree, &dag, &needed));
    assert_true(s->tree_cost == tree && s->dag_cost == dag);
}

static void methods_by_enumeration(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, seed);
    uint32_t none = 0, proved = 0, dag_least = 0, solved = 0, negative = 0;
    for (uint32_t i = 0; i < PROBLEMS; i++) {
        struct problem p;
        struct solution s = {0};
        struct err e = {0};
        bool late;
        double tree, dag;
        problem_random(&r, 1 + (uint32_t)rng_below(&r, 8), costs_of(i), &p);
        assert_true(problem_check(&p, &e));
        brute_force(&p, &tree, &dag);
        solution_init(&s, &p);
        if (isinf(tree)) {
            none++;
            assert_false(tree_solve(&p, &s, &e));
            assert_true(e.kind == ERR_CHECK && strstr(e.msg, "no finite term"));
            err_clear(&e);
            assert_false(dag_solve(&p, INFINITY, &s, &late, &e));
            assert_true(e.kind == ERR_CHECK && strstr(e.msg, "no finite term"));
        } else {
            solved++;
            assert_true(tree_solve(&p, &s, &e));
            same_costs(&p, &s);
            assert_true(s.tree_cost >= tree);
            assert_true(!s.optimal || s.tree_cost == tree);
            assert_true(s.bound <= tree);
            assert_true(s.optimal || costs_of(i) == COSTS_ANY);
            proved += s.optimal;
            negative += !s.optimal && s.tree_cost == tree;
            solution_release(&s);
            solution_init(&s, &p);
            assert_true(dag_solve(&p, INFINITY, &s, &late, &e));
            same_costs(&p, &s);
            assert_true(s.dag_cost >= dag && !late);
            assert_true(!s.optimal || s.dag_cost == dag);
            dag_least += s.dag_cost == dag;
        }
        solution_release(&s);
        problem_release(&p);
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
    struct rng r;
    rng_seed(&r, seed + 1);
    uint32_t refused[5] = {0}, accepted = 0;
    static const char *const why[] = {"has no node", "does not belong",
                                      "beneath itself", "without need", ""};
    for (uint32_t i = 0; i < 4 * PROBLEMS; i++) {
        struct problem p;
        struct solution s = {0};
        struct err e = {0};
        problem_random(&r, 1 + (uint32_t)rng_below(&r, 8), costs_of(i), &p);
        solution_init(&s, &p);
        if (!tree_solve(&p, &s, &e)) {
            solution_release(&s);
            problem_release(&p);
            continue;
        }
        for (int k = 0; k < 4; k++) {
            uint32_t c = (uint32_t)rng_below(&r, p.n_classes);
            uint32_t was = s.node[c], needed, any = 0;
            double tree, dag;
            uint32_t inside = p.node_at.at[c] +
                              (uint32_t)rng_below(&r, p.node_at.at[c + 1] -
                                                          p.node_at.at[c] + 1);
            s.node[c] = k == 0   ? NO_CHOICE
                        : k == 1 ? (uint32_t)rng_below(&r, p.n_nodes + 1)
                                 : inside;
            bool valid = brute_cost(&p, s.node, &tree, &dag, &needed);
            for (uint32_t d = 0; d < p.n_classes; d++)
                any |= (uint32_t)(s.node[d] != NO_CHOICE) << d;
            struct err wrong = {0};
            bool ok = solution_check(&p, &s, &wrong);
            assert_true(ok == (valid && any == needed));
            for (int w = 0; !ok && w < 4; w++)
                refused[w] += strstr(wrong.msg, why[w]) != NULL;
            accepted += ok;
            s.node[c] = was;
        }
        solution_release(&s);
        problem_release(&p);
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
    struct rng r;
    rng_seed(&r, seed + 2);
    for (uint32_t i = 0; i < PROBLEMS; i++) {
        struct problem p;
        struct space s;
        struct err e = {0};
        problem_random(&r, 1 + (uint32_t)rng_below(&r, 12), COSTS_ANY, &p);
        if (space_init(&s, &p, &e)) {
            assert_true(problem_check(&s.p, &e));
            for (uint32_t n = 0; n < s.p.n_nodes; n++) {
                uint32_t c = s.owner.at[n], was = s.node_of.at[n];
                assert_true(n >= s.p.node_at.at[c] &&
                            n < s.p.node_at.at[c + 1]);
                assert_true(was >= p.node_at.at[s.class_of.at[c]] &&
                            was < p.node_at.at[s.class_of.at[c] + 1]);
                assert_true(s.p.cost.at[n] == p.cost.at[was]);
                FOR_CHILDREN(&s, n, k)
                {
                    uint32_t d = s.p.child.at[k];
                    assert_true(d != c && s.part.at[d] <= s.part.at[c]);
                }
            }
            for (uint32_t c = 0; c < s.p.n_classes; c++)
                assert_true(c >= s.part_at.at[s.part.at[c]] &&
                            c < s.part_at.at[s.part.at[c] + 1] &&
                            s.p.node_at.at[c] < s.p.node_at.at[c + 1]);
            space_release(&s);
        }
        problem_release(&p);
    }
}

// However early a search ends, it leaves a solution, and one no worse than
// where it began.
static void any_time(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, seed + 3);
    for (uint32_t i = 0; i < 200; i++) {
        struct problem p;
        struct space s;
        struct err e = {0};
        problem_random(&r, 20 + (uint32_t)rng_below(&r, 12), costs_of(i), &p);
        if (!space_init(&s, &p, &e)) {
            problem_release(&p);
            continue;
        }
        uint32_t choice[32];
        struct price price[32];
        struct solution at, start;
        solution_init(&start, &p);
        assert_true(tree_solve(&p, &start, &e));
        assert_true(solution_check(&p, &start, &e));
        for (uint64_t most = 0; most < 5000; most = most * 2 + 1) {
            struct effort f = {.most = most, .deadline = INFINITY};
            tree_choose(&s, NULL, choice, price);
            if (most % 3 == 0)
                dag_greedy(&s, &f, choice);
            struct price got = dag_improve(&s, &f, most % 2, choice);
            solution_init(&at, &p);
            space_solution(&s, &p, choice, &at);
            assert_true(solution_check(&p, &at, &e));
            assert_true(at.dag_cost == got.cost);
            assert_true(most % 3 == 0 || at.dag_cost <= start.dag_cost);
            solution_release(&at);
        }
        bool late = false;
        solution_init(&at, &p);
        assert_true(dag_solve(&p, 0, &at, &late, &e) && late);
        assert_true(solution_check(&p, &at, &e));
        assert_true(at.dag_cost <= start.dag_cost);
        solution_release(&at);
        solution_release(&start);
        space_release(&s);
        problem_release(&p);
    }
}

// k classes of a private node (cost 2) or one over a shared pair: each alone
// keeps its own, together they share.
static void pairs_are_shared(void **state)
{
    (void)state;
    for (uint32_t k = 2; k < 12; k++) {
        struct problem p = {.n_classes = k + 2, .n_nodes = 2 * k + 2};
        struct solution s = {0};
        struct err e = {0};
        bool late;
        for (uint32_t c = 0; c < k; c++) {
            vec_push(&p.node_at, 2 * c);
            vec_push(&p.child_at, p.child.len);
            vec_push(&p.cost, 2);
            vec_push(&p.child_at, p.child.len);
            vec_push(&p.cost, 1);
            vec_push(&p.child, k);
            vec_push(&p.child, k + 1);
            vec_push(&p.root, c);
        }
        for (uint32_t c = 0; c < 2; c++) {
            vec_push(&p.node_at, 2 * k + c);
            vec_push(&p.child_at, p.child.len);
            vec_push(&p.cost, 2.5);
        }
        vec_push(&p.node_at, p.n_nodes);
        vec_push(&p.child_at, p.child.len);
        assert_true(problem_check(&p, &e));
        solution_init(&s, &p);
        assert_true(dag_solve(&p, INFINITY, &s, &late, &e));
        same_costs(&p, &s);
        assert_true(s.dag_cost == (k > 5 ? k + 5 : 2 * k));
        solution_release(&s);
        problem_release(&p);
    }
}

static void malformed_problems(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, seed + 4);
    for (uint32_t i = 0; i < 400; i++) {
        struct problem p;
        struct err e = {0};
        problem_random(&r, 4, COSTS_ANY, &p);
        if (p.child.len > 0 && p.n_nodes > 0) {
            assert_true(problem_check(&p, &e));
            switch (i % 7) {
            case 0:
                p.child.at[rng_below(&r, p.child.len)] = 4;
                break;
            case 1:
                p.root.at[0] = 4;
                break;
            case 2:
                p.cost.at[0] = NAN;
                break;
            case 3:
                p.cost.at[0] = -INFINITY;
                break;
            case 4:
                p.node_at.at[4]++;
                break;
            case 5:
                p.child_at.len--;
                break;
            default:
                p.node_at.at[1] = p.n_nodes + 1;
            }
            assert_false(problem_check(&p, &e));
            assert_true(e.kind == ERR_INPUT);
        }
        problem_release(&p);
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
        cmocka_unit_test(any_time),
        cmocka_unit_test(pairs_are_shared),
        cmocka_unit_test(malformed_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
