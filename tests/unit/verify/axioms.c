// SPDX-License-Identifier: Apache-2.0
// Every axiom of verify/arithmetic/axioms.h at many points, in long double: where the
// guard holds all operators are defined and the claim is true.  The list in
// docs/axioms.md has every one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/rng.h"
#include "verify/arithmetic/axioms.h"
#include <math.h>
#include <stdio.h>

#define POINTS 200
#define TRIES 400000
#define NEAR 1e-15L

static long double apply(enum op op, long double a, long double b)
{
    switch (op) {
    case OP_ADD:
        return a + b;
    case OP_SUBTRACT:
        return a - b;
    case OP_MULTIPLY:
        return a * b;
    case OP_DIVIDE:
        return a / b;
    case OP_ABS:
        return fabsl(a);
    case OP_NEGATE:
        return -a;
    case OP_ERF:
        return erfl(a);
    case OP_EXPONENTIAL:
        return expl(a);
    case OP_EXPONENTIAL_MINUS_ONE:
        return expm1l(a);
    case OP_LOG:
        return logl(a);
    case OP_LOG_PLUS_ONE:
        return log1pl(a);
    case OP_LOGISTIC:
        return 1 / (1 + expl(-a));
    case OP_TANH:
        return tanhl(a);
    case OP_SQRT:
        return sqrtl(a);
    case OP_RSQRT:
        return a > 0 ? 1 / sqrtl(a) : NAN;
    case OP_CBRT:
        return cbrtl(a);
    case OP_SINE:
        return sinl(a);
    case OP_COSINE:
        return cosl(a);
    case OP_TAN:
        return tanl(a);
    case OP_POWER:
        return powl(a, b);
    default:
        fail_msg("%s has no meaning here", op_name(op));
        return 0;
    }
}

// `scale` grows to the greatest magnitude on the way.
static long double value(const struct aterm *term, const long double *var, long double *scale)
{
    long double v;
    if (term->kind == AT_VAR)
        v = var[term->k];
    else if (term->kind == AT_INT)
        v = term->k;
    else
        v = apply(term->op, value(term->a, var, scale),
                  term->b == NULL ? 0 : value(term->b, var, scale));
    if (!(fabsl(v) <= *scale))
        *scale = fabsl(v); // NaN, too
    return v;
}

enum answer { NO, YES, UNDEFINED, CLOSE }; // CLOSE: rounding decides

static enum answer holds(const struct aterm *term, const long double *var)
{
    long double scale = 1;
    if (term->kind == AT_AND || term->kind == AT_OR || term->kind == AT_IFF) {
        enum answer answer = holds(term->a, var), q = holds(term->b, var);
        if (answer == UNDEFINED || q == UNDEFINED)
            return UNDEFINED;
        if (term->kind == AT_AND && (answer == NO || q == NO))
            return NO;
        if (term->kind == AT_OR && (answer == YES || q == YES))
            return YES;
        if (answer == CLOSE || q == CLOSE)
            return CLOSE;
        return term->kind == AT_AND ? YES : term->kind == AT_OR ? NO : answer == q ? YES : NO;
    }
    long double a = value(term->a, var, &scale), b = value(term->b, var, &scale);
    if (!isfinite(a) || !isfinite(b) || !isfinite(scale))
        return UNDEFINED;
    bool near = fabsl(a - b) <= NEAR * scale;
    if (term->kind == AT_EQ || term->kind == AT_NE)
        return near == (term->kind == AT_EQ) ? YES : NO;
    if (near && a != b)
        return CLOSE;
    return term->kind == AT_LT ? (a < b ? YES : NO) : (a <= b ? YES : NO);
}

static long double pick(struct rng *rng)
{
    static const long double edge[] = {-3, -2, -1, -0.5L, -1e-5L, 0, 1e-5L, 0.5L, 1, 1.5L, 2, 3};
    if (rng_below(rng, 2) == 0)
        return edge[rng_below(rng, sizeof edge / sizeof *edge)];
    return (long double)rng_range(rng, -4000000, 4000000) / 1000000;
}

// Points at which the guard holds; false as soon as the claim does not.
static bool survives(const struct axiom *axiom, unsigned *points)
{
    struct rng rng;
    rng_seed(&rng, 7);
    *points = 0;
    for (unsigned i = 0; i < TRIES && *points < 5 * POINTS; i++) {
        long double var[AXIOM_VARS] = {pick(&rng), pick(&rng), pick(&rng)};
        if (axiom->guard != NULL && holds(axiom->guard, var) != YES)
            continue;
        enum answer answer = holds(axiom->claim, var);
        if (answer == NO || answer == UNDEFINED)
            return false;
        *points += answer == YES;
    }
    return true;
}

static void every_axiom_holds(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < n_axioms; i++) {
        unsigned points;
        if (!survives(&axioms[i], &points))
            fail_msg("%s is false", axioms[i].name);
        if (points < POINTS)
            fail_msg("%s: only %u points", axioms[i].name, points);
    }
}

// The same axiom without its guard, or said the other way round, is noticed.
// (No number in binary is a pole of the tangent.)
static void false_axioms_are_noticed(void **state)
{
    (void)state;
    unsigned caught = 0, guarded = 0, points;
    for (uint32_t i = 0; i < n_axioms; i++) {
        struct axiom axiom = axioms[i];
        axiom.guard = NULL;
        guarded += axioms[i].guard != NULL;
        caught += axioms[i].guard != NULL && !survives(&axiom, &points);
        struct aterm not_equal = *axioms[i].claim;
        if (not_equal.kind != AT_EQ)
            continue;
        not_equal.kind = AT_NE;
        axiom = axioms[i];
        axiom.claim = &not_equal;
        assert_false(survives(&axiom, &points));
    }
    assert_int_equal(caught, guarded - 1);
}

static void the_list_is_complete(void **state)
{
    (void)state;
    struct buf doc = {0}, line = {0};
    char part[4096];
    FILE *f = fopen("docs/axioms.md", "r");
    assert_non_null(f);
    while (fgets(part, sizeof part, f) != NULL)
        buf_puts(&doc, part);
    fclose(f);
    for (uint32_t i = 0; i < n_axioms; i++) {
        buf_clear(&line);
        buf_printf(&line, "| `%s` | `", axioms[i].name);
        axiom_print(&axioms[i], &line);
        buf_puts(&line, "` |\n");
        if (strstr(buf_text(&doc), buf_text(&line)) == NULL)
            fail_msg("docs/axioms.md lacks: %s", buf_text(&line));
    }
    buf_release(&doc);
    buf_release(&line);
}

static bool speaks_of(const struct aterm *term, enum op op)
{
    return term != NULL && ((term->kind == AT_OP && term->op == op) || speaks_of(term->a, op) ||
                            speaks_of(term->b, op));
}

// The operator table says of which operators the axioms speak.
static void the_column_is_right(void **state)
{
    (void)state;
    for (int op = 0; op < N_OPS; op++) {
        bool found = false;
        for (uint32_t i = 0; i < n_axioms; i++)
            for (uint32_t k = 0; k < AXIOM_VARS; k++)
                found = found || (op_is_transcendental((enum op)op) &&
                                  speaks_of(axioms[i].trigger[k], (enum op)op));
        if (found != op_has((enum op)op, LAW_AXIOMS))
            fail_msg("axioms of %s: %d", op_name((enum op)op), found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_axiom_holds),
        cmocka_unit_test(false_axioms_are_noticed),
        cmocka_unit_test(the_list_is_complete),
        cmocka_unit_test(the_column_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
