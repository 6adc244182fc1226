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

static double random_cost(struct rng *r, enum cost_kind kind)
{
    switch (kind) {
    case COST_ONE:
        return 1;
    case COST_SMALL:
        return (double)rng_range(r, 1, 6);
    case COST_ZERO:
        return (double)rng_range(r, 0, 2);
    case COST_NEGATIVE:
        return (double)rng_range(r, -3, 3);
    case COST_LESS:
        return -1;
    case COST_TENTHS:
        return (double)rng_range(r, 0, 30) * 0.1 + rng_unit(r) * 1e-3;
    case COST_NEAR:
        return 1 + (double)rng_range(r, -3, 9) * 1e-6;
    case COST_DUST:
        return rng_below(r, 8) ? (double)rng_range(r, 1, 9) * 1e-13 : 1;
    case COST_SPECKS:
        return (double)rng_range(r, 1, 9) * 1e-25;
    case COST_GIANTS:
        return (double)rng_range(r, 1, 9) * 1e300;
    }
    return 0;
}

// Cyclic where `forward` is false: children are any classes.
static void random_problem(struct rng *r, struct problem *p,
                           enum cost_kind kind)
{
    bool forward = rng_below(r, 3) == 0;
    uint32_t n = 2 + (uint32_t)rng_below(r, 8);
    *p = (struct problem){.n_classes = n};
    for (uint32_t c = 0; c < n; c++) {
        vec_push(&p->node_at, p->n_nodes);
        uint32_t nodes = 1 + (uint32_t)rng_below(r, 3);
        for (uint32_t k = 0; k < nodes; k++) {
            vec_push(&p->child_at, p->child.len);
            vec_push(&p->cost, random_cost(r, kind));
            p->n_nodes++;
            uint32_t arity = (uint32_t)rng_below(r, 4);
            if (forward && c + 1 == n)
                arity = 0;
            while (arity--) {
                uint32_t from = forward ? c + 1 : 0;
                vec_push(&p->child, from + (uint32_t)rng_below(r, n - from));
            }
        }
    }
    vec_push(&p->node_at, p->n_nodes);
    vec_push(&p->child_at, p->child.len);
    uint32_t roots = 1 + (uint32_t)rng_below(r, 2);
    while (roots--)
        vec_push(&p->root, (uint32_t)rng_below(r, n));
}

static uint32_t mean_of(struct rng *r, uint32_t demand, uint32_t means,
                        bool apart)
{
    uint32_t half = means / 2;
    if (!apart)
        return (uint32_t)rng_below(r, means);
    return (uint32_t)rng_below(r, half) + (demand % 2 ? half : 0);
}

// Little can be taken away here: demands that share what meets them.
static void random_cover(struct rng *r, struct problem *p, enum cost_kind kind)
{
    uint32_t demands = 3 + (uint32_t)rng_below(r, 6);
    uint32_t means = 4 + (uint32_t)rng_below(r, 5);
    bool apart = rng_below(r, 2); // two problems that share nothing
    *p = (struct problem){.n_classes = demands + means};
    for (uint32_t c = 0; c < demands + means; c++) {
        vec_push(&p->node_at, p->n_nodes);
        uint32_t nodes = c < demands ? 2 + (uint32_t)rng_below(r, 2) : 1;
        if (c < demands)
            vec_push(&p->root, c);
        for (uint32_t k = 0; k < nodes; k++) {
            vec_push(&p->child_at, p->child.len);
            vec_push(&p->cost, c < demands ? 0 : random_cost(r, kind));
            p->n_nodes++;
            for (uint32_t i = 0; c < demands && i < 2; i++)
                vec_push(&p->child, demands + mean_of(r, c, means, apart));
            if (!apart && rng_below(r, 4) == 0) // a way back: loops
                vec_push(&p->child, (uint32_t)rng_below(r, demands));
        }
    }
    vec_push(&p->node_at, p->n_nodes);
    vec_push(&p->child_at, p->child.len);
}

// Calls `each` with every solution; the least DAG cost, INFINITY: none.
static double least_of_all(const struct problem *p,
                           void (*each)(void *, const struct solution *),
                           void *arg)
{
    struct solution s;
    struct err e;
    solution_init(&s, p);
    uint32_t *node = mem_alloc(sizeof *node * p->n_classes);
    for (uint32_t c = 0; c < p->n_classes; c++)
        node[c] = p->node_at.at[c];
    double least = INFINITY;
    for (uint32_t c = 0; c < p->n_classes;) {
        memcpy(s.node, node, sizeof *node * p->n_classes);
        solution_trim(p, &s);
        e = (struct err){0};
        if (solution_check(p, &s, &e)) {
            least = s.dag_cost < least ? s.dag_cost : least;
            if (each)
                each(arg, &s);
        }
        for (c = 0; c < p->n_classes; c++) {
            if (++node[c] < p->node_at.at[c + 1])
                break;
            node[c] = p->node_at.at[c];
        }
    }
    mem_free(node);
    solution_release(&s);
    return least;
}

static void problem_of(struct problem *p, uint64_t seed, enum cost_kind kind)
{
    struct rng r;
    rng_seed(&r, seed);
    if (seed % 2)
        random_cover(&r, p, kind);
    else
        random_problem(&r, p, kind);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static void expect(const struct problem *p, const struct solution *s,
                   double least, uint64_t seed, enum cost_kind kind)
{
    if (!near(s->dag_cost, least))
        fail_msg("seed %u, costs %d: %g instead of %g", (unsigned)seed, kind,
                 s->dag_cost, least);
    if (!s->optimal || !near(s->bound, least))
        fail_msg("seed %u, costs %d: bound %g of %g", (unsigned)seed, kind,
                 s->bound, least);
    struct solution copy = {0};
    struct err e = {0};
    solution_copy(&copy, s);
    assert_true(solution_check(p, &copy, &e));
    solution_release(&copy);
}

// With all that belongs to it.
static void compare_whole(uint64_t seed, enum cost_kind kind)
{
    struct problem p;
    problem_of(&p, seed, kind);
    struct solution s = {0};
    struct err e = {0};
    double least = least_of_all(&p, NULL, NULL);
    bool ok = solve_exact(&p, 600, NULL, &s, &e);
    if (ok != (least < INFINITY))
        fail_msg("seed %u, costs %d: a term or none", (unsigned)seed, kind);
    if (ok)
        expect(&p, &s, least, seed, kind);
    else
        assert_int_equal(e.kind, ERR_CHECK);
    solution_release(&s);
    problem_release(&p);
}

// The search alone, which has to find everything itself.
static void compare_search(uint64_t seed, enum cost_kind kind)
{
    struct problem p;
    problem_of(&p, seed, kind);
    struct solution s;
    struct err e = {0};
    solution_init(&s, &p);
    double least = least_of_all(&p, NULL, NULL);
    struct exact_core x;
    struct branch_search search = {.until = clock_wall() + 600};
    branch_measure(&search, &p);
    exact_core_init(&x, &p, s.node, search.until);
    struct branch_outcome o = branch_run(&search, &x, INFINITY);
    assert_int_equal(o.found, least < INFINITY);
    if (o.found) {
        solution_trim(&p, &s);
        assert_true(solution_check(&p, &s, &e));
        s.bound = o.bound;
        s.optimal = near(o.value, o.bound);
        expect(&p, &s, least, seed, kind);
    }
    solution_release(&s);
    problem_release(&p);
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
        struct problem p;
        struct rng r;
        double size = seed % 3 ? 1e9 : 1;
        rng_seed(&r, seed);
        random_cover(&r, &p, COST_ONE);
        for (uint32_t n = 0; n < p.n_nodes; n++)
            p.cost.at[n] = (rng_below(&r, 2) ? size : -size) + rng_unit(&r);
        double least = least_of_all(&p, NULL, NULL);
        struct solution s = {0};
        struct err e = {0};
        if (solve_exact(&p, 600, NULL, &s, &e)) {
            proved += s.optimal;
            open += !s.optimal;
            assert_true(!s.optimal || near(s.dag_cost, least));
            assert_true(s.bound <= least + 1e-9 * fabs(least));
            // What is lost in sums is much of a small result.
            assert_true(!s.optimal || fabs(s.dag_cost) > size / 100);
        }
        solution_release(&s);
        problem_release(&p);
    }
    assert_true(proved > 20 && open > 5);
}

// ---- the relaxation holds for every solution

struct relaxed {
    const struct exact_core *x;
    const struct lp *l;
    uint64_t seed;
    uint32_t n_met; // rows met as equations: they could not be sharper
};

static void meet_rows(void *arg, const struct solution *s)
{
    struct relaxed *t = arg;
    const struct lp *l = t->l;
    const struct problem *q = &t->x->q;
    double *value = mem_alloc(sizeof(double) * ((size_t)l->n_cols + 1));
    for (uint32_t c = 0; c < q->n_classes; c++) {
        uint32_t chosen = s->node[t->x->class_name.at[c]];
        for (uint32_t n = q->node_at.at[c]; n < q->node_at.at[c + 1]; n++)
            if (t->x->node_name.at[n] == chosen)
                value[n] = value[lp_class(l, c)] = 1;
    }
    for (uint32_t r = 0; r < l->row_at.len; r++) {
        uint32_t i = l->row_at.at[r];
        uint32_t end =
            r + 1 < l->row_at.len ? l->row_at.at[r + 1] : l->row_col.len;
        double sum = -l->row_least.at[r];
        for (; i < end; i++)
            sum += l->row_value.at[i] * value[l->row_col.at[i]];
        if (sum < -1e-9 || (r < l->n_equal && sum > 1e-9))
            fail_msg("seed %u: a solution breaks row %u", (unsigned)t->seed, r);
        t->n_met += r >= l->n_first && sum < 1e-9;
    }
    if (l->bound > s->dag_cost + 1e-7 * l->unit)
        fail_msg("seed %u: bound %g above %g", (unsigned)t->seed, l->bound,
                 s->dag_cost);
    mem_free(value);
}

static double no_limit(void *arg, const struct lp *l)
{
    (void)arg;
    (void)l;
    return INFINITY;
}

// On problems as they are, where there is more to relax than in reduced ones.
static void relaxation(void **state)
{
    (void)state;
    uint32_t n_added = 0, n_met = 0;
    for (uint64_t seed = 0; seed < 400; seed++)
        for (int kind = COST_ONE; kind <= COST_GIANTS; kind++) {
            struct problem p;
            problem_of(&p, seed, (enum cost_kind)kind);
            uint32_t *choice = mem_alloc(sizeof *choice * p.n_classes);
            struct exact_core x;
            exact_core_init(&x, &p, choice, clock_wall() + 600);
            if (!x.dead) {
                struct lp l;
                lp_init(&l, &x);
                lp_solve(&l, no_limit, NULL);
                struct relaxed t = {&x, &l, seed, 0};
                least_of_all(&p, meet_rows, &t);
                n_added += l.row_at.len - l.n_first;
                n_met += t.n_met;
                lp_release(&l);
            }
            exact_core_release(&x);
            mem_free(choice);
            problem_release(&p);
        }
    assert_true(n_added > 500); // else the test has lost its object
    assert_true(n_met > n_added);
}

// ---- limits

// Demands of three ways each over means of random cost: hard enough to take a
// while.
static void wide_cover(struct rng *r, struct problem *p, uint32_t demands,
                       uint32_t means)
{
    *p = (struct problem){.n_classes = demands + means};
    for (uint32_t c = 0; c < demands + means; c++) {
        vec_push(&p->node_at, p->n_nodes);
        if (c < demands)
            vec_push(&p->root, c);
        for (uint32_t k = 0; k < (c < demands ? 3 : 1); k++) {
            vec_push(&p->child_at, p->child.len);
            vec_push(&p->cost, c < demands ? 0 : random_cost(r, COST_SMALL));
            p->n_nodes++;
            for (uint32_t i = 0; c < demands && i < 2; i++)
                vec_push(&p->child, demands + (uint32_t)rng_below(r, means));
        }
    }
    vec_push(&p->node_at, p->n_nodes);
    vec_push(&p->child_at, p->child.len);
}

static void little_time(void **state)
{
    (void)state;
    struct rng r;
    rng_seed(&r, 7);
    struct problem p;
    wide_cover(&r, &p, 300, 120);
    struct solution s = {0}, better = {0}, again = {0};
    struct err e = {0};
    assert_true(solve_exact(&p, 0.01, NULL, &s, &e));
    assert_false(s.optimal);
    assert_true(solution_check(&p, &s, &e));
    assert_true(s.bound < s.dag_cost);
    // More time helps; on a busy machine much more is needed.
    for (double time = 1; time < 1000; time *= 4) {
        solution_release(&better);
        assert_true(solve_exact(&p, time, NULL, &better, &e));
        if (better.dag_cost < s.dag_cost)
            break;
    }
    assert_true(better.dag_cost < s.dag_cost);
    assert_true(better.bound <= better.dag_cost);
    assert_true(s.bound <= better.dag_cost);
    // What is given is not lost.
    assert_true(solve_exact(&p, 0.01, &better, &again, &e));
    assert_true(again.dag_cost <= better.dag_cost);
    solution_release(&s);
    solution_release(&better);
    solution_release(&again);
    problem_release(&p);
}

// `whole` and `part` side by side.
static void beside(struct problem *whole, const struct problem *part)
{
    uint32_t classes = whole->n_classes;
    for (uint32_t n = 0; n < part->n_nodes; n++) {
        vec_push(&whole->cost, part->cost.at[n]);
        vec_push(&whole->child_at, whole->child.len + part->child_at.at[n + 1] -
                                       part->child_at.at[n]);
        for (uint32_t i = part->child_at.at[n]; i < part->child_at.at[n + 1];
             i++)
            vec_push(&whole->child, classes + part->child.at[i]);
    }
    for (uint32_t c = 1; c <= part->n_classes; c++)
        vec_push(&whole->node_at, whole->n_nodes + part->node_at.at[c]);
    for (uint32_t i = 0; i < part->root.len; i++)
        vec_push(&whole->root, classes + part->root.at[i]);
    whole->n_classes += part->n_classes;
    whole->n_nodes += part->n_nodes;
}

static struct branch_outcome search_for(const struct problem *p, double seconds,
                                 struct branch_search *s)
{
    uint32_t *choice = mem_alloc(sizeof *choice * p->n_classes);
    struct exact_core x;
    *s = (struct branch_search){.until = clock_wall() + seconds};
    branch_measure(s, p);
    exact_core_init(&x, p, choice, s->until);
    struct branch_outcome o = branch_run(s, &x, INFINITY);
    mem_free(choice);
    return o;
}

// Ended anywhere, also between the sides of a branch and the parts of a core,
// the bound holds and nothing is called found that is not.
static void cut_short(void **state)
{
    (void)state;
    uint32_t n_open = 0, n_branched = 0;
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct problem p, q;
        struct branch_search s;
        struct rng r;
        rng_seed(&r, seed);
        wide_cover(&r, &p, 48, 28);
        if (seed % 2) {
            wide_cover(&r, &q, 42, 25);
            beside(&p, &q);
            problem_release(&q);
        }
        double start = clock_wall();
        struct branch_outcome whole = search_for(&p, 600, &s);
        double all = clock_wall() - start;
        assert_true(whole.found && near(whole.value, whole.bound));
        n_branched += s.n_cores > 3;
        for (int i = 0; i < 20; i++) {
            // Early ends mostly: the next search may be much faster than the
            // first one, where other programs stop.
            double part = pow(i / 20.0, 4);
            struct branch_outcome o = search_for(&p, all * part, &s);
            if (o.bound > whole.value + 1e-6)
                fail_msg("seed %u, %d: bound %g of %g", (unsigned)seed, i,
                         o.bound, whole.value);
            assert_true(!o.found || o.value > whole.value - 1e-6);
            n_open += o.bound < whole.value - 0.5;
        }
        problem_release(&p);
    }
    print_message("%u problems with branches, %u ends before the proof\n",
                  n_branched, n_open);
    assert_true(n_branched > 2 && n_open > 10);
}

static void no_term(void **state)
{
    (void)state;
    struct problem p = {.n_classes = 1, .n_nodes = 1};
    vec_push(&p.node_at, 0);
    vec_push(&p.node_at, 1);
    vec_push(&p.child_at, 0);
    vec_push(&p.child_at, 1);
    vec_push(&p.child, 0);
    vec_push(&p.cost, 1.0);
    vec_push(&p.root, 0);
    struct solution s = {0};
    struct err e = {0};
    assert_false(solve_exact(&p, 1, NULL, &s, &e));
    assert_int_equal(e.kind, ERR_CHECK);
    solution_release(&s);
    problem_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_choices), cmocka_unit_test(cancelling),
        cmocka_unit_test(relaxation),  cmocka_unit_test(little_time),
        cmocka_unit_test(cut_short),   cmocka_unit_test(no_term),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
