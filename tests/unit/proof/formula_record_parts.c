// SPDX-License-Identifier: Apache-2.0
// Parts of records of formulas: names that are captured, joins, constants, equations; the file and
// its limits.
#include "tests/unit/support/formula_record_example.h"

// Nothing that depends on the axis may leave the sum.
static void capture(void **state)
{
    (void)state;
    struct formula_record record;
    formula_record_init(&record);
    record.input = "tensor x[j], c[j]; sum[j](x[j]*c[j])";
    record.output = "tensor x[j], c[j]; sum[j](x[j]*c[j])";
    add_rule(&record, TAKE_OUT, false);
    record.proof = "term 0 x{j}\nterm 1 c{j}\nterm 2 multiply 0 1\nterm 3 {j}\n"
                   "term 4 reduce_add 3 2\nterm 5 reduce_add 3 0\n"
                   "term 6 multiply 1 5\nrule 0 4 6 by take_out\n"
                   "trans 1 4 4 0 -0\n";
    refused(&record, "not a use");
    // A sum over it does not depend on it.
    record.input = record.output = "tensor x[j], c[j]; sum[j](x[j]*sum[j](c[j]))";
    record.proof = "term 0 x{j}\nterm 1 c{j}\nterm 2 {j}\n"
                   "term 3 reduce_add 2 1\nterm 4 multiply 0 3\n"
                   "term 5 reduce_add 2 4\nterm 6 reduce_add 2 0\n"
                   "term 7 multiply 3 6\nrule 0 5 7 by take_out\n"
                   "trans 1 5 5 0 -0\n";
    accepted(&record);
    formula_record_release(&record);
}

// An axis that joins two others is as long as they are together, everywhere.
static void joins(void **state)
{
    (void)state;
    static const char *const list[][2] = {
        // the same axis, joined of others
        {"term 20 {a}\nterm 21 {b}\nterm 22 {c}\nterm 23 {d}\n"
         "term 24 concatenate 20 21 22 0 0\nterm 25 concatenate 20 21 23 0 0\n",
         "joins others elsewhere"},
        // an axis of the formula
        {"term 20 {j}\nterm 21 {b}\nterm 22 {c}\n"
         "term 23 concatenate 20 21 22 0 0\n",
         "joins nothing there"},
        // in a circle
        {"term 20 {a}\nterm 21 {b}\nterm 22 {c}\n"
         "term 23 concatenate 20 21 22 0 0\nterm 24 concatenate 21 22 20 0 0\n",
         "joined from itself"},
        {"term 20 {a}\nterm 21 {b}\nterm 22 concatenate 20 20 21 0 0\n", "joined from itself"},
        // sets of two
        {"term 20 {a,b}\nterm 21 {b}\nterm 22 concatenate 20 21 21 0 0\n", "wrong sorts"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct formula_record record;
        struct buf buf = {0};
        example(&record);
        buf_puts(&buf, record.proof);
        for (uint32_t k = 7; k < 20; k++)
            buf_printf(&buf, "term %u %u\n", k, k);
        record.proof = arena_strdup(&record.mem, buf_text(&buf));
        accepted(&record);
        buf_puts(&buf, list[i][0]);
        record.proof = buf_text(&buf);
        refused(&record, list[i][1]);
        buf_release(&buf);
        formula_record_release(&record);
    }
}

static void constants(void **state)
{
    (void)state;
    static const struct {
        struct formula_record_constant constant;
        const char *says; // NULL: right
    } list[] = {
        {{"3.14159265", "pi", "decimal", "3.5897932384626434e-09"}, NULL},
        {{"3.14159265", "pi", "decimal", "3.6e-09"}, "another difference"},
        {{"3.14159265", "pi", "decimal", "3.5897932384626434e-09x"}, "malformed"},
        {{"3.14159265", "pi", "f128", "3.5897932384626434e-09"}, "malformed"},
        {{"3.14159265", "pi", "f64", "3.5897932384626434e-09"}, "does not agree"},
        {{"3.14159265", "(divide 22 7)", "decimal", "3.5897932384626434e-09"}, "does not agree"},
        {{"3.14159265", "x", "decimal", "3.5897932384626434e-09"}, "malformed"},
        {{"3.14159265", "(multiply pi", "decimal", "0"}, "malformed"},
        {{"3.141592650", "pi", "decimal", "3.5897932384626434e-09"}, "not in the input"},
        {{"2", "2", "decimal", "0"}, "whole number"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct formula_record record;
        formula_record_init(&record);
        // 62831853/20000000 is no constant, but the same number.
        record.input = "scalar x; x*3.14159265 + 2 + 62831853/20000000";
        record.output = "scalar x; x*pi + 2 + 62831853/20000000";
        record.proof = "";
        vec_push(&record.constants, list[i].constant);
        if (list[i].says == NULL)
            accepted(&record);
        else
            refused(&record, list[i].says);
        // Without it they are two formulas.
        record.constants.len = 0;
        refused(&record, "no proof");
        formula_record_release(&record);
    }
}

static void json(void **state)
{
    (void)state;
    struct formula_record record, s;
    struct buf buf = {0}, b = {0};
    struct err err = {0};
    example(&record);
    struct formula_record_constant constant = {"3.14", "pi", "decimal", "0.0016"};
    vec_push(&record.constants, constant);
    vec_push(&record.defines, "rule \"x\"\n");
    assert_true(formula_record_write(&record, &buf, &err));
    assert_true(formula_record_is(buf_text(&buf), buf.len));
    formula_record_init(&s);
    assert_true(formula_record_read(&s, buf_text(&buf), buf.len, "r", &err));
    assert_string_equal(record.proof, s.proof);
    assert_string_equal(record.input, s.input);
    assert_int_equal(s.rules.len, 2);
    uint32_t lines, uses;
    formula_record_count(&s, &lines, &uses);
    assert_int_equal(lines, 2);
    assert_int_equal(uses, 1);
    assert_true(formula_record_write(&s, &b, &err));
    assert_string_equal(buf_text(&buf), buf_text(&b));
    formula_record_release(&s);
    formula_record_release(&record);
    // Bytes changed, and texts cut short.
    struct rng rng;
    rng_seed(&rng, 7);
    for (uint32_t i = 0; i < 3000; i++) {
        struct buf t = {0};
        size_t n = i % 2 ? buf.len : (size_t)rng_below(&rng, buf.len);
        buf_write(&t, buf.at, n);
        for (uint32_t k = 0; k < 1 + i % 3 && n > 0; k++)
            t.at[rng_below(&rng, n)] = (char)rng_below(&rng, 256);
        formula_record_init(&s);
        err = (struct err){0};
        if (formula_record_read(&s, buf_text(&t), t.len, "r", &err)) {
            struct err why = {0};
            (void)formula_record_check(&s, &options, &why);
        } else {
            assert_int_equal(err.kind, ERR_INPUT);
            assert_string_equal(err.file, "r");
        }
        formula_record_release(&s);
        buf_release(&t);
    }
    buf_release(&buf);
    buf_release(&b);
}

// Huge or deep input is refused; to write the huge one out would never end.
static void sizes(void **state)
{
    (void)state;
    struct formula_record record;
    struct buf buf = {0};
    formula_record_init(&record);
    buf_puts(&buf, "scalar x; let a0 = x + 1; ");
    for (uint32_t i = 0; i < 180; i++)
        buf_printf(&buf, "let a%u = a%u*a%u; ", i + 1, i, i);
    buf_puts(&buf, "a180");
    record.input = record.output = buf_text(&buf);
    refused(&record, "too long");
    buf_clear(&buf);
    buf_puts(&buf, "scalar x; ");
    for (uint32_t i = 0; i < 300000; i++)
        buf_puts(&buf, "(");
    record.input = buf_text(&buf);
    refused(&record, "the input");
    // Many terms and lines.
    record.input = "scalar x; x";
    record.output = "scalar x; exp(x)";
    buf_clear(&buf);
    buf_puts(&buf, "term 0 x\n");
    for (uint32_t i = 1; i < 100000; i++)
        buf_printf(&buf, "term %u exponential %u\n", i, i - 1);
    for (uint32_t i = 0; i < 20000; i++)
        buf_printf(&buf, "cong %u 5 5\n", i);
    record.proof = buf_text(&buf);
    refused(&record, "other terms");
    // Too many axes.
    buf_clear(&buf);
    for (uint32_t i = 0; i < 600; i++)
        buf_printf(&buf, "term %u {a%u}\n", i, i);
    record.proof = buf_text(&buf);
    refused(&record, "too many");
    buf_release(&buf);
    formula_record_release(&record);
}

// Of an equation that is given the sides are equal; of nothing else.
static void equations(void **state)
{
    static const struct {
        const char *input, *cond;
        bool ok;
    } cases[] = {{"given x == y; x + z", "(eq x y)", true},
                 {"given y == x; x + z", "(eq y x)", true},
                 {"given x != y; x + z", "(ne x y)", false},
                 {"given x <= y; x + z", "(le x y)", false},
                 {"given x == z; x + y", "(eq x z)", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct formula_record record;
        formula_record_init(&record);
        record.input = cases[i].input;
        record.output = "y + z";
        if (strstr(record.input, "+ y") != NULL)
            record.output = "y + y";
        add_given(&record, cases[i].cond, "declared");
        record.proof = record.output[4] == 'z' ? "term 0 x\nterm 1 y\nterm 2 z\n"
                                                 "term 3 add 0 2\nterm 4 add 1 2\n"
                                                 "given 0 0 1 0\ncong 1 3 4 0:0\n"
                                               : "term 0 x\nterm 1 y\n"
                                                 "term 2 add 0 1\nterm 3 add 1 1\n"
                                                 "given 0 0 1 0\ncong 1 2 3 0:0\n";
        if (cases[i].ok)
            accepted(&record);
        else
            refused(&record, "not a given equality");
        formula_record_release(&record);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capture), cmocka_unit_test(joins), cmocka_unit_test(constants),
        cmocka_unit_test(json),    cmocka_unit_test(sizes), cmocka_unit_test(equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
