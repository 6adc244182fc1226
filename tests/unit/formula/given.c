// SPDX-License-Identifier: Apache-2.0
// What a formula gives: conditions that are written, and those under which it
// has a value; and functions written out.
#include "tests/unit/support/formula_world.h"

struct gives {
    const char *text;
    enum given_by by;
    const char *conds; // in their order, with a ; behind each
};

static void check_givens(const struct gives *gives)
{
    struct world world;
    struct buf got = {0};
    if (!open(&world, gives->text))
        fail_msg("%s\n%u:%u: %s", gives->text, world.err.line, world.err.col, world.err.msg);
    formula_defined(&world.formula);
    for (uint32_t i = 0; i < world.formula.givens.len; i++)
        if (world.formula.givens.at[i].by == gives->by)
            buf_printf(&got, "%s;", term_text(&world, world.formula.givens.at[i].cond));
    if (strcmp(buf_text(&got), gives->conds) != 0)
        fail_msg("%s\ngives  %s\nnot    %s", gives->text, buf_text(&got), gives->conds);
    buf_release(&got);
    close(&world);
}

static void gives_conditions(void **state)
{
    (void)state;
    static const struct gives list[] = {
        {"given d > 0, 0 <= t <= 1; d*t", GIVEN_DECLARED, "(lt 0 d);(le 0 t);(le t 1);"},
        {"given a > 0 and b != a; a*b", GIVEN_DECLARED, "(lt 0 a);(ne b a);"},
        {"given N > 1; sum(x)/(N - 1)", GIVEN_DECLARED, "(lt 1 (count {j}));"},
        {"given x > 0; sum(x)", GIVEN_DECLARED, "(lt 0 x{j});"},
        {"sum(x) + eps", GIVEN_DECLARED, "(lt 0 eps);"},
        {"scalar eps; sum(x) + eps", GIVEN_DECLARED, ""},
        // Of all rows, so of the rows with either name.
        {"given A > 0; matmul(A, tr(A))", GIVEN_DECLARED, "(lt 0 A{i,j});(lt 0 A{k,j});"},
        {"sum(x)", GIVEN_EXTENT, "(le 1 (count {j}));(lt 0 (count {j}));(ne (count {j}) 0);"},
        {"sum(cat(x, y))", GIVEN_EXTENT,
         "(le 1 (count {j}));(lt 0 (count {j}));(ne (count {j}) 0);"
         "(le 1 (count {k}));(lt 0 (count {k}));(ne (count {k}) 0);"
         "(le 1 (count {l}));(lt 0 (count {l}));(ne (count {l}) 0);"
         "(eq (count {l}) (add (count {j}) (count {k})));"},
        {"x", GIVEN_NUMBER, "(lt 0 pi);(lt 3 pi);"},
        {"a/b + sqrt(c)", GIVEN_DEFINED, "(le 0 c);(ne b 0);"},
        {"log(a) + rsqrt(b) + log1p(c)", GIVEN_DEFINED, "(lt -1 c);(lt 0 b);(lt 0 a);"},
        {"a/2 + log(3) + 1/0 + 4^a + (-4)^a", GIVEN_DEFINED, ""},
        // What has no value anywhere gives nothing: all would follow.
        {"log(2 - 3) + a/(1 - 1) + sqrt(-(2)) + (1 - 2)^0.5", GIVEN_DEFINED, ""},
        {"select + add/divide", GIVEN_DEFINED, "(ne divide 0);"},
        {"sqrt(2/pi) + log(exp(1) - 1)", GIVEN_DEFINED,
         "(lt 0 (subtract (exponential 1) 1));(le 0 (divide 2 pi));(ne pi "
         "0);"},
        {"a^-2 + b^2 + c^0.5 + d^-0.5 + e^f", GIVEN_DEFINED,
         "(lt 0 e);(lt 0 d);(le 0 c);(ne a 0);"},
        // A product that is not 0 has no factor that is 0; neither has what is positive.
        {"x/(a*b)", GIVEN_DEFINED, "(ne (multiply a b) 0);(ne b 0);(ne a 0);"},
        // Nor has a sum, the terms of which may be quotients.
        {"z/(x/a - x/b)", GIVEN_DEFINED,
         "(ne (subtract (divide x a) (divide x b)) 0);"
         "(ne (subtract (divide 1 a) (divide 1 b)) 0);(ne x 0);(ne b 0);(ne a 0);"},
        {"z/(x/2 + y)", GIVEN_DEFINED, "(ne (add (divide x 2) y) 0);"},
        {"z/(-(x*a) + x)", GIVEN_DEFINED,
         "(ne (add (negate (multiply x a)) x) 0);(ne (add (negate a) 1) 0);(ne x 0);"},
        {"log(a*b) - log(b)", GIVEN_DEFINED, "(lt 0 b);(lt 0 (multiply a b));(ne a 0);"},
        {"1/(a^2/(-b)) + 1/(c + d) + 1/(2*e)", GIVEN_DEFINED,
         "(ne (multiply 2 e) 0);(ne e 0);(ne (add c d) 0);(ne (divide (power a 2) (negate b)) 0);"
         "(ne (power a 2) 0);(ne a 0);(ne (negate b) 0);(ne b 0);"},
        {"tan(a)", GIVEN_DEFINED, "(ne (cosine a) 0);"},
        {"where(1/a > 0, log(b), log(c))", GIVEN_DEFINED, "(ne a 0);"},
        {"where(1/a > 0 and b > 0, 1, 0)", GIVEN_DEFINED, ""},
        {"where(any(1/x > 0), 1, 0)", GIVEN_DEFINED, ""},
        {"where(a > 0, log(b), 0) + 1/log(b)", GIVEN_DEFINED, "(ne (log b) 0);(lt 0 b);"},
        {"sum(1/x)", GIVEN_DEFINED, "(ne x{j} 0);"},
        {"softplus(1/a)", GIVEN_DEFINED, "(lt 0 (add 1 (exponential (divide 1 a))));(ne a 0);"},
        {"logsumexp(x)", GIVEN_DEFINED, "(lt 0 (reduce_add {j} (exponential x{j})));"},
        {"mean(1/x)", GIVEN_DEFINED, "(ne x{j} 0);"},
        {"cross(x, y)", GIVEN_DEFINED, "(lt 0 y{j});"},
        {"masked(a > 0, 1/a)", GIVEN_DEFINED, ""},
        {"masked(1/a > 0, 1)", GIVEN_DEFINED, "(ne a 0);"},
        // It is the definition's where a > 0 only.
        {"guarded(1/a)", GIVEN_DEFINED, ""},
        {"cat(1/x, log(y))", GIVEN_DEFINED, "(lt 0 y{k});(ne x{j} 0);"},
        {"let a = 1/b; c", GIVEN_DEFINED, ""},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        check_givens(&list[i]);
}

// Calls written out.
static void writes_out(void **state)
{
    (void)state;
    static const struct {
        const char *text, *term;
        bool all;
    } list[] = {
        {"sq(sq(x) + 1)", "(multiply (add (multiply x x) 1) (add (multiply x x) 1))", true},
        {"x - mean(x)", "(subtract x{j} (divide (reduce_add {j} x{j}) (count {j})))", true},
        {"softmax(x)", "(divide (exponential x{j}) (reduce_add {j} (exponential x{j})))", true},
        {"mean[i](x[i,j]*w[i])", "(divide (reduce_add {i} (multiply x{i,j} w{i})) (count {i}))",
         true},
        {"scaled(x, w, mean(x))",
         "(divide (multiply x{j} w{j}) (sqrt (add (divide (reduce_add {j} "
         "x{j}) (count {j})) (divide (reduce_add {j} x{j}) (count {j})))))",
         true},
        {"sq(guarded(a))", "(multiply (guarded a) (guarded a))", false},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct world world;
        fterm x;
        bool all;
        if (!open(&world, list[i].text))
            fail_msg("%s: %s", list[i].text, world.err.msg);
        formula_expand(&world.terms, &world.defs, world.formula.term, &x, &all);
        if (strcmp(term_text(&world, x), list[i].term) != 0 || all != list[i].all)
            fail_msg("%s\nis   %s\nnot  %s", list[i].text, buf_text(&world.text), list[i].term);
        close(&world);
    }
    // What may not depend on the axis does: written out, it would be captured.
    struct world w;
    fterm x, y;
    bool all;
    assert_true(open(&w, "tensor x[j]; x"));
    assert_true(fterm_read(&w.terms, "(scaled {j} x{j} x{j} x{j})", &x, &w.err));
    formula_expand(&w.terms, &w.defs, x, &y, &all);
    assert_true(x == y && !all);
    close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_conditions),
        cmocka_unit_test(writes_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
