// SPDX-License-Identifier: Apache-2.0
// Normal forms of elements keep their values: random elements and their normal
// forms (ring_normal) are evaluated in machine types, special values included.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tensor/eval/eval.h"
#include "verify/elements/same.h"
#include "verify/symbolic/eval.h"

#define N_ELEMENTS 4000
#define N_VALUES 12
#define N_SCALARS 3

static uint64_t seed = 1;

static const char text[] = "rule floats { scalar a : float, b : float, c : float;"
                           " a + b * c => a * b + c; }"
                           "rule words { scalar a : int, b : int, c : int;"
                           " select(a == b, a + b * c, c) => a * b + c; }";

struct scalars {
    struct scalar value[N_SCALARS];
};

static struct scalar read_scalar(void *ctx, uint32_t scalar)
{
    return ((struct scalars *)ctx)->value[scalar];
}

static expr_id random_literal(struct exprs *exprs, struct rng *rng, uint32_t type, bool floats)
{
    switch (rng_below(rng, floats ? 6 : 1)) {
    case 1:
        return expr_literal(exprs, LIT_DECIMAL, 0, 1, type); // -0.0
    case 2:
        return expr_literal(exprs, LIT_DECIMAL, rng_range(rng, -3, 3) * 2 + 1, 1, type);
    case 3:
        return expr_literal(exprs, LIT_LOWEST, 0, 0, type);
    case 4:
        return expr_literal(exprs, LIT_HIGHEST, 0, 0, type);
    default:
        return expr_literal(exprs, LIT_INT, rng_range(rng, -2, 4) * (int64_t)rng_below(rng, 3), 0,
                            type);
    }
}

static expr_id random_element(struct exprs *exprs, struct rng *rng, uint32_t type, bool floats,
                              unsigned depth)
{
    static const enum op ops[] = {OP_ADD,
                                  OP_SUBTRACT,
                                  OP_MULTIPLY,
                                  OP_DIVIDE,
                                  OP_MAXIMUM,
                                  OP_MINIMUM,
                                  OP_NEGATE,
                                  OP_NEGATE,
                                  OP_ABS,
                                  OP_ADD,
                                  OP_FLOOR,
                                  OP_CEIL,
                                  OP_ABS,
                                  OP_ROUND_NEAREST_EVEN,
                                  OP_ROUND_NEAREST_AFZ,
                                  OP_SIGN};
    uint64_t k = rng_below(rng, 5);
    if (depth == 0 || k == 0)
        return k == 1 ? random_literal(exprs, rng, type, floats)
                      : expr_scalar(exprs, (uint32_t)rng_below(rng, N_SCALARS), type);
    enum op op = ops[rng_below(rng, sizeof ops / sizeof ops[0])];
    expr_id a[] = {random_element(exprs, rng, type, floats, depth - 1),
                   random_element(exprs, rng, type, floats, depth - 1)};
    if (rng_below(rng, 8) == 0)
        a[1] = a[0];
    if (rng_below(rng, 8) == 0) { // the greater and the lesser of two
        expr_id high = expr_op(exprs, OP_MAXIMUM, 0, type, 2, a);
        expr_id low = expr_op(exprs, OP_MINIMUM, 0, type, 2, a);
        bool turned = rng_below(rng, 2) == 0;
        a[0] = turned ? low : high;
        a[1] = turned ? high : low;
    }
    static const enum op of_words[] = {OP_NOT,
                                       OP_NEGATE,
                                       OP_SHIFT_LEFT,
                                       OP_SHIFT_LEFT,
                                       OP_SHIFT_RIGHT_LOGICAL,
                                       OP_SHIFT_RIGHT_ARITHMETIC};
    if (!floats && op_arity(op) == 1) // unsigned types have no absolute value
        op = of_words[rng_below(rng, sizeof of_words / sizeof *of_words)];
    // An amount that is a literal is one of every type, as in a rule.
    if (op == OP_SHIFT_LEFT && expr_at(exprs, a[1])->kind == X_LITERAL)
        a[1] = expr_literal(exprs, LIT_INT, rng_range(rng, 0, 1), 0, type);
    if (op == OP_SHIFT_RIGHT_LOGICAL && rng_below(rng, 2) == 0) // a chain
        a[0] = expr_op(exprs, op, 0, type, 2, (expr_id[]){a[0], a[1]});
    return expr_op(exprs, op, 0, type, op_arity(op) == 1 ? 1 : 2, a);
}

// A choice by an equation of words.
static expr_id chosen_by_equation(struct session *session, struct rng *rng, uint32_t type)
{
    struct exprs *exprs = &session->exprs;
    uint32_t truth = 0;
    while (session->rule->types[truth].kinds != KIND_BOOL)
        truth++;
    expr_id of[2], a[3];
    for (int i = 0; i < 2; i++)
        of[i] = random_element(exprs, rng, type, false, 2);
    if (rng_below(rng, 2) == 0) { // which is often true
        expr_id sum[] = {of[0], of[1]};
        of[1] = expr_op(exprs, OP_SUBTRACT, 0, type, 2,
                        (expr_id[]){expr_op(exprs, OP_ADD, 0, type, 2, sum), sum[1]});
    }
    a[0] = expr_op(exprs, OP_COMPARE, CMP_EQ, truth, 2, of);
    a[1] = random_element(exprs, rng, type, false, 1);
    a[2] = random_element(exprs, rng, type, false, 1);
    return expr_op(exprs, OP_SELECT, 0, type, 3, a);
}

static struct scalar random_scalar(struct pool *pool, struct rng *rng, enum elem elem,
                                   struct arena *mem)
{
    type_id type;
    struct err err = {0};
    assert_true(type_tensor(pool, elem, 0, NULL, &type, &err));
    struct value value = value_random(pool, type, rng, true, mem);
    return scalar_load(elem, value.data, 0);
}

static void check_element(struct session *session, struct pool *pool, struct rng *rng,
                          enum domain domain, const enum elem *elems, size_t n, uint32_t *changed,
                          uint32_t *evaluated)
{
    uint32_t type = session->rule->scalars[0].type;
    expr_id e = domain == DOMAIN_WORD && rng_below(rng, 4) == 0
                    ? chosen_by_equation(session, rng, type)
                    : random_element(&session->exprs, rng, type, domain == DOMAIN_FLOAT, 3);
    expr_id f = ring_normal(session, domain, e);
    *changed += e != f;
    for (int k = 0; k < N_VALUES; k++) {
        enum elem elem[8];
        struct scalars values;
        struct arena mem = {0};
        for (uint32_t i = 0; i < session->rule->n_types; i++)
            elem[i] = session->rule->types[i].kinds == KIND_BOOL ? ELEM_I1 : elems[(size_t)k % n];
        for (int i = 0; i < N_SCALARS; i++)
            values.value[i] = random_scalar(pool, rng, elem[type], &mem);
        struct eval_env env = {.exprs = &session->exprs,
                               .rule = session->rule,
                               .elem = elem,
                               .scalar = read_scalar,
                               .ctx = &values};
        struct scalar scalar, v;
        assert_true(eval_elem(&env, e, &scalar));
        // A polynomial is evaluated in 64 bits, which it may overflow.
        bool defined = eval_elem(&env, f, &v);
        assert_true(defined || domain == DOMAIN_WORD);
        arena_release(&mem);
        if (!defined)
            continue;
        ++*evaluated;
        bool nans = scalar_is_nan(elem[type], scalar) && scalar_is_nan(elem[type], v);
        if (!nans && !scalar_same(elem[type], scalar, v)) {
            struct buf buf = {0};
            expr_print(&session->exprs, session->rule, e, &buf);
            buf_puts(&buf, "  became  ");
            expr_print(&session->exprs, session->rule, f, &buf);
            fail_msg("%s: %s", elem_text(elem[type]), buf_text(&buf));
        }
    }
}

static void check_domain(uint32_t rule, enum domain domain, const enum elem *elems, size_t n)
{
    struct ruleset rs;
    struct err_list errs = {{0}};
    struct pool pool;
    struct rng rng;
    uint32_t changed = 0, evaluated = 0;
    rng_seed(&rng, seed);
    ruleset_init(&rs);
    pool_init(&pool);
    assert_true(ruleset_parse(&rs, text, sizeof text - 1, "text", &errs));
    for (int i = 0; i < N_ELEMENTS / 100; i++) {
        struct session session;
        struct arena mem = {0};
        struct decide_options options = {.domains = 0};
        session_init(&session, rs.rules.at[rule], &options, &mem);
        for (int k = 0; k < 100; k++)
            check_element(&session, &pool, &rng, domain, elems, n, &changed, &evaluated);
        session_release(&session);
        arena_release(&mem);
    }
    assert_true(changed > N_ELEMENTS / 4);
    assert_true(evaluated > N_ELEMENTS * N_VALUES / 2);
    pool_release(&pool);
    ruleset_release(&rs);
}

static void test_floats(void **state)
{
    static const enum elem elems[] = {ELEM_F16, ELEM_BF16, ELEM_F32, ELEM_F64};
    (void)state;
    check_domain(0, DOMAIN_FLOAT, elems, 4);
}

// Roundings of whole numbers are gone, and those of other numbers are not.
static void test_roundings_of_whole_numbers(void **state)
{
    static const enum op ops[] = {OP_FLOOR, OP_CEIL, OP_ROUND_NEAREST_EVEN, OP_ROUND_NEAREST_AFZ,
                                  OP_SIGN};
    struct ruleset rs;
    struct err_list errs = {{0}};
    struct session session;
    struct arena mem = {0};
    struct decide_options options = {.domains = 0};
    (void)state;
    ruleset_init(&rs);
    assert_true(ruleset_parse(&rs, text, sizeof text - 1, "text", &errs));
    session_init(&session, rs.rules.at[0], &options, &mem);
    struct exprs *exprs = &session.exprs;
    uint32_t type = session.rule->scalars[0].type;
    expr_id x = expr_scalar(exprs, 0, type);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++) {
            expr_id inner = expr_op(exprs, ops[k], 0, type, 1, &x);
            expr_id magnitude = expr_op(exprs, OP_ABS, 0, type, 1, &inner);
            expr_id outer = expr_op(exprs, ops[i], 0, type, 1, &inner);
            bool stays = ops[i] != OP_SIGN || ops[k] == OP_SIGN;
            assert_int_equal(ring_normal(&session, DOMAIN_FLOAT, outer) == inner, stays);
            outer = expr_op(exprs, ops[i], 0, type, 1, &magnitude);
            assert_int_equal(ring_normal(&session, DOMAIN_FLOAT, outer) == magnitude,
                             ops[i] != OP_SIGN);
            expr_id half =
                expr_op(exprs, OP_MULTIPLY, 0, type, 2,
                        (expr_id[]){inner, expr_literal(exprs, LIT_DECIMAL, 5, 1, type)});
            outer = ring_normal(&session, DOMAIN_FLOAT, expr_op(exprs, ops[i], 0, type, 1, &half));
            assert_true(expr_at(exprs, outer)->op == ops[i]);
        }
    session_release(&session);
    arena_release(&mem);
    ruleset_release(&rs);
}

// Is the normal form a literal?  Then it is the interpreter's value in every format.
static bool is_folded(struct session *session, expr_id e)
{
    static const enum elem elems[] = {ELEM_F16, ELEM_BF16, ELEM_F32, ELEM_F64};
    uint32_t type = session->rule->scalars[0].type;
    expr_id f = ring_normal(session, DOMAIN_FLOAT, e);
    const struct expr *node = expr_at(&session->exprs, f);
    if (node->kind == X_OP && node->op == OP_NEGATE)
        node = expr_at(&session->exprs, expr_arg(&session->exprs, f, 0));
    if (node->kind != X_LITERAL)
        return false;
    for (size_t i = 0; i < sizeof elems / sizeof *elems; i++) {
        enum elem elem[8] = {ELEM_OTHER};
        struct scalar scalar, v;
        struct eval_env env = {.exprs = &session->exprs, .rule = session->rule, .elem = elem};
        elem[type] = elems[i];
        assert_true(eval_elem(&env, e, &scalar) && eval_elem(&env, f, &v));
        if (!scalar_same(elems[i], scalar, v)) {
            struct buf buf = {0};
            expr_print(&session->exprs, session->rule, e, &buf);
            buf_puts(&buf, "  became  ");
            expr_print(&session->exprs, session->rule, f, &buf);
            fail_msg("%s: %s", elem_text(elems[i]), buf_text(&buf));
        }
    }
    return true;
}

// Integers, eighths, zeros and infinities.
static void literals(struct exprs *exprs, uint32_t type, struct u32_vec *out)
{
    for (int64_t k = -300; k <= 300; k++)
        vec_push(out, expr_literal(exprs, LIT_INT, k, 0, type));
    for (int64_t k = -2000; k <= 2000; k += k == -125 ? 250 : 125)
        vec_push(out, expr_literal(exprs, LIT_DECIMAL, k, 3, type));
    vec_push(out, expr_literal(exprs, LIT_DECIMAL, 625, 4, type));
    vec_push(out, expr_literal(exprs, LIT_DECIMAL, 0, 1, type)); // -0.0
    vec_push(out, expr_literal(exprs, LIT_LOWEST, 0, 0, type));
    vec_push(out, expr_literal(exprs, LIT_HIGHEST, 0, 0, type));
}

static void test_functions_at_literals(void **state)
{
    struct ruleset rs;
    struct err_list errs = {{0}};
    struct session session;
    struct arena mem = {0};
    struct decide_options options = {.domains = 0};
    struct u32_vec at = {0};
    uint32_t folded[N_OPS] = {0};
    (void)state;
    ruleset_init(&rs);
    assert_true(ruleset_parse(&rs, text, sizeof text - 1, "text", &errs));
    session_init(&session, rs.rules.at[0], &options, &mem);
    uint32_t type = session.rule->scalars[0].type;
    literals(&session.exprs, type, &at);
    for (int op = 0; op < N_OPS; op++) {
        bool two = op == OP_POWER || op == OP_ATAN2;
        if (!op_is_transcendental((enum op)op) && !two)
            continue;
        for (uint32_t i = 0; i < at.len; i++)
            for (uint32_t k = 0; k < (two ? at.len : 1); k += 7) {
                expr_id args[] = {at.at[i], at.at[k]};
                expr_id e = expr_op(&session.exprs, (enum op)op, 0, type,
                                    op_arity((enum op)op) == 1 ? 1 : 2, args);
                folded[op] += is_folded(&session, e);
            }
        // At 0 or 1, and where there is one at -0 and the infinities.
        assert_true(folded[op] >= 1);
    }
    assert_true(folded[OP_SQRT] >= 17 && folded[OP_CBRT] >= 13 && folded[OP_RSQRT] >= 5);
    assert_true(folded[OP_TANH] >= 4 && folded[OP_EXPONENTIAL] >= 4 && folded[OP_SINE] == 2);
    vec_release(&at);
    session_release(&session);
    arena_release(&mem);
    ruleset_release(&rs);
}

static void test_words(void **state)
{
    static const enum elem elems[] = {ELEM_I2, ELEM_I8, ELEM_I32, ELEM_UI4, ELEM_UI8, ELEM_UI32};
    (void)state;
    check_domain(1, DOMAIN_WORD, elems, 6);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_roundings_of_whole_numbers),
        cmocka_unit_test(test_functions_at_literals),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
