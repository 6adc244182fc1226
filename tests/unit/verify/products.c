// SPDX-License-Identifier: Apache-2.0
// Systems of equations and inequalities of reals: those that have a solution, by the way they are
// made, are never called contradictory; some that have none are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/rng.h"
#include "verify/products/products.h"
#include <math.h>

#define SYSTEMS 60
#define UNKNOWNS 12
#define CLEAR 1e-6 // values that differ by more are different

// A system with its solution.
struct system {
    Z3_context context;
    struct smt *smt;
    struct rng rng;
    Z3_ast unknown[UNKNOWNS];
    double value[UNKNOWNS];
    unsigned n;
};
struct valued {
    Z3_ast term;
    double value;
};

static Z3_ast number(struct system *system, int64_t k)
{
    return Z3_mk_int64(system->context, k, Z3_mk_real_sort(system->context));
}

static void add_unknown(struct system *system, double value)
{
    char name[16];
    snprintf(name, sizeof name, "x%u", system->n);
    system->unknown[system->n] = smt_const(system->smt, name, Z3_mk_real_sort(system->context));
    system->value[system->n++] = value;
}

static struct valued polynomial(struct system *system)
{
    struct valued out = {number(system, 0), 0};
    for (uint64_t terms = 1 + rng_below(&system->rng, 3); terms > 0; terms--) {
        int64_t c = rng_range(&system->rng, -2, 3);
        struct valued term = {number(system, c), (double)c};
        for (uint64_t degree = rng_below(&system->rng, 3); degree > 0; degree--) {
            uint64_t i = rng_below(&system->rng, system->n);
            Z3_ast both[] = {term.term, system->unknown[i]};
            term.term = Z3_mk_mul(system->context, 2, both);
            term.value *= system->value[i];
        }
        out.term = Z3_mk_add(system->context, 2, (Z3_ast[]){out.term, term.term});
        out.value += term.value;
    }
    return out;
}

// x * x = p + c, for one root or both.
static void add_root(struct system *system)
{
    struct valued p = polynomial(system);
    int64_t c = rng_range(&system->rng, 1, 6);
    double square = p.value + (double)c;
    unsigned roots = rng_below(&system->rng, 2) ? 2 : 1;
    double sign = rng_below(&system->rng, 2) ? 1 : -1;
    for (unsigned i = 0; i < roots && square > CLEAR && system->n < UNKNOWNS; i++) {
        add_unknown(system, i == 0 ? sign * sqrt(square) : -sign * sqrt(square));
        Z3_ast x = system->unknown[system->n - 1], both[] = {x, x},
               sum[] = {p.term, number(system, c)};
        smt_assert(system->smt, Z3_mk_eq(system->context, Z3_mk_mul(system->context, 2, both),
                                         Z3_mk_add(system->context, 2, sum)));
    }
}

// x = c / p, in one of two spellings.
static void add_quotient(struct system *system)
{
    struct valued p = polynomial(system);
    int64_t c = rng_range(&system->rng, 1, 3);
    if (fabs(p.value) < CLEAR || system->n == UNKNOWNS)
        return;
    add_unknown(system, (double)c / p.value);
    Z3_ast x = system->unknown[system->n - 1], both[] = {x, p.term};
    smt_assert(
        system->smt,
        rng_below(&system->rng, 2)
            ? Z3_mk_eq(system->context, Z3_mk_mul(system->context, 2, both), number(system, c))
            : Z3_mk_eq(system->context, x, Z3_mk_div(system->context, number(system, c), p.term)));
}

// The greater of two unknowns, as a choice.
static void add_choice(struct system *system)
{
    uint64_t a = rng_below(&system->rng, system->n), b = rng_below(&system->rng, system->n);
    if (fabs(system->value[a] - system->value[b]) < CLEAR || system->n == UNKNOWNS)
        return;
    Z3_ast x = system->unknown[a], y = system->unknown[b];
    add_unknown(system, fmax(system->value[a], system->value[b]));
    Z3_ast greater = Z3_mk_ite(system->context, Z3_mk_le(system->context, x, y), y, x);
    smt_assert(system->smt, Z3_mk_eq(system->context, system->unknown[system->n - 1], greater));
}

static void assert_sign(struct system *system, struct valued v)
{
    Z3_ast zero = number(system, 0);
    if (fabs(v.value) > CLEAR)
        smt_assert(system->smt, v.value > 0 ? Z3_mk_gt(system->context, v.term, zero)
                                            : Z3_mk_lt(system->context, v.term, zero));
}

static void make(struct system *system)
{
    static const double simple[] = {0, 1, 2, -1, 0.5, 3, -2};
    system->n = 0;
    for (unsigned i = 0; i < 2; i++)
        add_unknown(system, simple[rng_below(&system->rng, sizeof simple / sizeof *simple)]);
    for (uint64_t steps = 2 + rng_below(&system->rng, 3); steps > 0; steps--) {
        uint64_t kind = rng_below(&system->rng, 6);
        if (kind < 3)
            add_root(system);
        else if (kind < 5)
            add_quotient(system);
        else
            add_choice(system);
    }
    for (uint64_t steps = 1 + rng_below(&system->rng, 4); steps > 0; steps--) {
        uint64_t a = rng_below(&system->rng, system->n), b = rng_below(&system->rng, system->n);
        Z3_ast both[] = {system->unknown[a], system->unknown[b]};
        assert_sign(system, (struct valued){Z3_mk_sub(system->context, 2, both),
                                            system->value[a] - system->value[b]});
        assert_sign(system, (struct valued){system->unknown[a], system->value[a]});
        assert_sign(system, polynomial(system));
    }
}

static void with_solutions(void **state)
{
    struct session *session = *state;
    struct system system = {.context = session->smt.ctx, .smt = &session->smt};
    for (unsigned i = 0; i < SYSTEMS; i++) {
        rng_seed(&system.rng, i);
        smt_open(&session->smt);
        make(&system);
        if (products_refute(session, ""))
            fail_msg("system %u has a solution", i);
        smt_close(&session->smt);
    }
}

struct text {
    const char *smt2;
    bool contradictory;
};

static void texts(void **state)
{
    static const struct text of[] = {
        {"(assert (< (* x x) 0.0))", true},
        {"(assert (= (* x y) 1.0)) (assert (> x 0.0)) (assert (< y 0.0))", true},
        {"(assert (= (* x x) 2.0)) (assert (= (* y y) 2.0)) (assert (> x 0.0)) (assert (> y 0.0))"
         "(assert (not (= x y)))",
         true},
        {"(assert (= (* x x) 2.0)) (assert (= (* y y) 2.0)) (assert (> x y))", false},
        {"(assert (= (* x x x) (* y y y))) (assert (not (= x y)))", true},
        {"(assert (= (* x x x x) (* y y y y))) (assert (not (= x y)))", false},
        {"(assert (> (* 4.0 x y) (* (+ x y) (+ x y))))", true},
        {"(assert (>= (* 4.0 x y) (* (+ x y) (+ x y))))", false},
        {"(assert (not (= y 0.0))) (assert (not (= (* y (/ x y)) x)))", true},
        {"(assert (not (= (* y (/ x y)) x)))", false},
        {"(assert (= z (ite (<= x y) y x))) (assert (> (* x x) (* z z))) (assert (> x 0.0))", true},
        {"(assert (= z (ite (<= x y) y x))) (assert (> (* x x) (* z z)))", false},
        // Coefficients of more than 64 bits: in an argument, and in the negative of an equation.
        {"(assert (< (* x x) 1.0)) (assert (not (= (f (* 4294967296.0 4294967296.0 x y)) (f "
         "0.0))))",
         false},
        {"(assert (> y 0.0)) (assert (= (* x x) z))"
         "(assert (= (+ (* x x) (* 2.0 (- 4611686018427387904.0) y)) 0.0))",
         false},
        // Solved by x = -sqrt(5), y = 1, and Z3 4.8.12 calls it contradictory.
        {"(assert (= (* z z) (+ x y 3.0))) (assert (= (* u u) (+ x y 3.0))) (assert (< z u))"
         "(assert (= (* x x) (- 6.0 (* y y)))) (assert (> y x))",
         false},
    };
    struct session *session = *state;
    Z3_context context = session->smt.ctx;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "(declare-const x Real)(declare-const y Real)(declare-const z Real)"
                 "(declare-const u Real)(declare-fun f (Real) Real)%s",
                 of[i].smt2);
        Z3_ast_vector all = Z3_parse_smtlib2_string(context, text, 0, NULL, NULL, 0, NULL, NULL);
        Z3_ast_vector_inc_ref(context, all);
        smt_open(&session->smt);
        for (unsigned k = 0; k < Z3_ast_vector_size(context, all); k++)
            smt_assert(&session->smt, Z3_ast_vector_get(context, all, k));
        if (products_refute(session, "") != of[i].contradictory)
            fail_msg("%s", of[i].smt2);
        smt_close(&session->smt);
        Z3_ast_vector_dec_ref(context, all);
    }
}

int main(void)
{
    static const char text[] = "rule r { axes x; map n on x; tensor A[x: n] : any; A => A; }";
    struct ruleset rs;
    struct err_list errs = {{0}};
    struct arena mem = {0};
    struct session session;
    struct decide_options options = {.domains = 0};
    ruleset_init(&rs);
    if (!ruleset_parse(&rs, text, sizeof text - 1, "r", &errs))
        return 1;
    session_init(&session, rs.rules.at[0], &options, &mem);
    session.smt.limits.steps = 0; // many proofs in one session
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(texts, &session),
        cmocka_unit_test_prestate(with_solutions, &session),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    session_release(&session);
    arena_release(&mem);
    ruleset_release(&rs);
    return failed;
}
