// SPDX-License-Identifier: Apache-2.0
// Records of formulas, made by hand: right ones are accepted, and each thing
// that could be wrong with one is refused; formula_record_value.c has what it
// must say of operators that have no value everywhere.
#include "base/rng.h"
#include "tests/unit/support/formula_records.h"

#define CANCEL                                                                                     \
    "rule cancel { axes i; map n on i; tensor A[i: n] : float, B[i: n] : "                         \
    "float; claims real; where all(B != 0); A * B / B => A; }"
#define TAKE_OUT                                                                                   \
    "rule take_out { axes i, y; map n on i; map m on y; claims real;"                              \
    " tensor A[i: n, y: m] : float, B[i: n] : float;"                                              \
    " reduce(+, A * broadcast(B, {y: m}), {y}) => B * reduce(+, A, {y}); }"
#define COMMUTE                                                                                    \
    "rule commute { axes i; map n on i; tensor A[i: n] : float, B[i: n] : "                        \
    "float; claims real; A * B => B * A; }"

// x*y/y = x where y != 0, which is given since the input has a value.
static void example(struct formula_record *record)
{
    formula_record_init(record);
    record->input = "tensor x[j], y[j]; given x > 0; x*y/y";
    record->output = "tensor x[j], y[j]; given x > 0; x";
    add_rule(record, CANCEL, false);
    add_rule(record, COMMUTE, false);
    add_given(record, "(lt 0 x{j})", "declared");
    add_given(record, "(ne y{j} 0)", "defined");
    add_given(record, "(le 1 (count {j}))", "extent");
    record->proof = "term 0 x{j}\n"
                    "term 1 y{j}\n"
                    "term 2 multiply 0 1\n"
                    "term 3 divide 2 1\n"
                    "term 4 0\n"
                    "term 5 ne 1 4\n"
                    "term 6 true\n"
                    "given 0 5 6 1\n"
                    "rule 1 3 0 and:0 by cancel\n";
}

// The example with one of its texts replaced by another.
static const char *changed(struct formula_record *record, const char *text, const char *from,
                           const char *to)
{
    const char *at = strstr(text, from);
    struct buf buf = {0};
    if (at == NULL)
        fail_msg("no %s", from);
    else {
        buf_write(&buf, text, (size_t)(at - text));
        buf_puts(&buf, to);
        buf_puts(&buf, at + strlen(from));
    }
    const char *out = arena_strdup(&record->mem, buf_text(&buf));
    buf_release(&buf);
    return out;
}

static void right_ones(void **state)
{
    (void)state;
    struct formula_record record;
    example(&record);
    accepted(&record);
    // Nothing to prove.
    record.output = record.input;
    record.proof = "";
    accepted(&record);
    formula_record_release(&record);
    // What is the same along an axis.
    formula_record_init(&record);
    record.input = "tensor x[i, j]; sqrt(4) + 0*size(i)*size(j) + 0*x";
    record.proof = "";
    record.output = "tensor x[j, i]; sqrt(4) + 0*size(i)*size(j) + 0*x";
    refused(&record, "");
    record.output = "tensor x[i, j]; sqrt(4) + 0*size(i)*size(j) + 0*tr(x)";
    refused(&record, "");
    record.output = "tensor x[i, j]; sum(x)";
    refused(&record, "no proof");
    record.input = "tensor x[i, j]; sum(x)";
    record.output = "tensor x[i, j]; x";
    refused(&record, "not the shape");
    record.output = "tensor x[i, j]; sum[j](x[i,j])";
    refused(&record, "not the shape");
    formula_record_release(&record);
    formula_record_init(&record);
    record.input = "tensor x[j]; where(true, sqrt(4), x)";
    record.output = "tensor x[j]; 2";
    add_rule(&record,
             "rule choose { axes i; map n on i; claims real; tensor A[i: n] : "
             "float, B[i: n] : float; select(broadcast(true, {i: n}), A, B) => A; }",
             false);
    record.proof = "term 0 true\nterm 1 4\nterm 2 sqrt 1\nterm 3 x{j}\n"
                   "term 4 select 0 2 3\nterm 5 2\nrule 0 4 2 by choose\n"
                   "fold 1 2 5\ntrans 2 4 5 0 1\n";
    accepted(&record);
    formula_record_release(&record);
    // A sum, and what may be taken out of it.
    formula_record_init(&record);
    record.input = "tensor x[j]; scalar c; sum[j](x[j]*c)";
    record.output = "tensor x[j]; scalar c; c*sum[j](x[j])";
    add_rule(&record, TAKE_OUT, false);
    record.proof = "term 0 x{j}\nterm 1 c\nterm 2 multiply 0 1\nterm 3 {j}\n"
                   "term 4 reduce_add 3 2\nterm 5 reduce_add 3 0\n"
                   "term 6 multiply 1 5\nrule 0 4 6 by take_out\n";
    accepted(&record);
    formula_record_release(&record);
    // Numbers.
    formula_record_init(&record);
    record.input = "scalar x; x + (sqrt(4) + 0.25)";
    record.output = "scalar x; x + 2.25";
    record.proof = "term 0 4\nterm 1 sqrt 0\nterm 2 1/4\nterm 3 add 1 2\n"
                   "term 4 2\nterm 5 add 4 2\nterm 6 9/4\nterm 7 x\n"
                   "term 8 add 7 3\nterm 9 add 7 6\n"
                   "fold 0 1 4\ncong 1 3 5 0:0\nfold 2 5 6\ntrans 3 3 6 1 2\n"
                   "cong 4 8 9 1:3\n";
    accepted(&record);
    record.proof = changed(&record, record.proof, "term 6 9/4", "term 6 7/4");
    refused(&record, "not the value of the first");
    formula_record_release(&record);
}

// A sum of rows that are not summed along their axis becomes a sum over both.
static void merged_sums(void **state)
{
    (void)state;
    static const char *const list[][3] = {
        {"term 2 {i}", "term 2 {j}", "not the value of the first"},
        {"term 2 {i}", "term 2 {i,j}", "not the value of the first"},
        {"term 5 {i,j}", "term 5 {i}", "not the value of the first"},
        {"term 5 {i,j}", "term 5 {i,j,k}", "not the value of the first"},
        {"term 3 reduce_add", "term 3 reduce_maximum", "not the value of the first"},
        {"term 6 reduce_add", "term 6 reduce_maximum", "not the value of the first"},
        {"term 4 reduce_add 2 3", "term 4 reduce_add 2 0", "not the value of the first"},
        {"term 6 reduce_add 5 0", "term 6 reduce_add 5 3", "not the value of the first"},
        {"fold 0 4 6", "fold 0 6 4", "not the value of the first"},
        {"fold 0 4 6", "fold 0 4 3", "not the value of the first"},
    };
    for (size_t i = 0; i <= sizeof list / sizeof *list; i++) {
        struct formula_record record;
        formula_record_init(&record);
        record.input = "tensor x[i, j, k]; sum[i](1*sum[j](x[i, j, k]))";
        record.output = "tensor x[i, j, k]; sum[i, j](x[i, j, k])";
        add_rule(&record,
                 "rule one { axes i; map n on i; claims real; tensor A[i: n] "
                 ": float; 1 * A => A; }",
                 false);
        record.proof = "term 0 x{i,j,k}\nterm 1 {j}\nterm 2 {i}\n"
                       "term 3 reduce_add 1 0\nterm 4 reduce_add 2 3\n"
                       "term 5 {i,j}\nterm 6 reduce_add 5 0\nterm 7 1\n"
                       "term 8 multiply 7 3\nterm 9 reduce_add 2 8\n"
                       "fold 0 4 6\nrule 1 8 3 by one\ncong 2 9 4 1:1\n"
                       "trans 3 9 6 2 0\n";
        if (i > 0)
            record.proof = changed(&record, record.proof, list[i - 1][0], list[i - 1][1]);
        if (i > 0)
            refused(&record, list[i - 1][2]);
        else
            accepted(&record);
        formula_record_release(&record);
    }
}

static void proofs(void **state)
{
    (void)state;
    static const char *const list[][3] = {
        {"given 0 5 6 1", "given 0 5 6 0", "not a given"},
        {"given 0 5 6 1", "given 0 5 6 2", "not a given"},
        {"given 0 5 6 1", "given 0 5 6 3", "not a given"},
        {"given 0 5 6 1", "given 0 5 6 4294967295", ""},
        {"given 0 5 6 1", "given 0 5 5 1", "not a given"},
        {"term 5 ne 1 4", "term 5 ne 0 4", "not a given"},
        {"term 4 0", "term 4 1", "not a given"},
        {"and:0 by", "by", "not a use"},
        {"by cancel", "by commute", "not a use"},
        {"by cancel", "by unknown", "not a use"},
        {"rule 1 3 0", "rule 1 0 3", "not a use"},
        {"rule 1 3 0", "rule 1 3 1", "not a use"},
        {"rule 1 3 0 and:0 by cancel\n", "", "other terms"},
        {"rule 1 3 0 and:0 by cancel\n", "fold 1 3 0\n", "not the value of the first"},
        {"rule 1 3 0 and:0 by cancel\n", "cong 1 3 0\n", "different operators"},
        // What is no term.
        {"term 4 0", "term 4 z", "expected a variable"},
        {"term 4 0", "term 4 x{j,k}", "expected a variable"},
        {"term 4 0", "term 4 x", "expected a variable"},
        {"term 4 0", "term 4 2/4", "expected a number"},
        {"term 4 0", "term 4 1/0", "expected a number"},
        {"term 4 0", "term 4 {}", "expected a set"},
        {"term 4 0", "term 4 {j,j}", "expected a set"},
        {"term 4 0", "term 4 {j,}", "expected axes"},
        {"term 4 0", "term 4 {j}", "no operator"},
        {"term 5 ne 1 4", "term 5 ne 1", "no operator"},
        {"term 5 ne 1 4", "term 5 nand 1 4", "no operator"},
        {"term 6 true", "term 6 true\nterm 7 add 6 4", "no operator"},
        {"term 6 true", "term 6 true\nterm 7 and 6 4", "no operator"},
        {"term 6 true", "term 6 true\nterm 7 lt 6 6", "no operator"},
        {"term 6 true", "term 6 true\nterm 7 select 4 6 6", "no operator"},
        {"term 6 true", "term 6 true\nterm 7 count 6", "no operator"},
        {"term 6 true", "term 6 true\nterm 7 reduce_add 4 4", "no operator"},
        {"term 6 true", "term 6 true\nterm 7 {j}\nterm 8 reduce_and 7 4", "no operator"},
        {"term 6 true", "term 6 true\nterm 7 {j}\nterm 8 reduce_power 7 4", "no operator"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct formula_record record;
        example(&record);
        record.proof = changed(&record, record.proof, list[i][0], list[i][1]);
        refused(&record, list[i][2]);
        formula_record_release(&record);
    }
}

static void texts(void **state)
{
    (void)state;
    static const struct {
        bool output;
        const char *from, *to, *says;
    } list[] = {
        {false, "x*y/y", "x*y/x", "not given by the input"},
        {false, "x*y/y", "where(x > 1, x*y/y, x)", ""},
        {false, "x > 0", "x > 1", "declares what the input does not"},
        {false, "given x > 0; ", "", "declares what the input does not"},
        {false, "x*y/y", "x*y/", "the input, line 1"},
        {false, "x*y/y", "x*y/nothing(y)", "the input, line 1"},
        {true, "; x", "; y", "other terms"},
        {true, "; x", "; x + z", ""},
        {true, "; x", "; sum(x)", "other terms"},
        {true, "; x", "; x + tr(x*tr(y))", ""},
        {true, "x > 0", "x > 0, y > 0", "declares what the input does not"},
        {true, "tensor x[j], y[j]", "tensor x[k], y[k]", ""},
        {true, "tensor x[j], y[j]", "tensor x[j], y[k]", "not the variable"},
        {true, "tensor x[j], y[j]", "tensor x[j], z[j]", "not the variable"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct formula_record record;
        example(&record);
        const char **text = list[i].output ? &record.output : &record.input;
        *text = changed(&record, *text, list[i].from, list[i].to);
        refused(&record, list[i].says);
        formula_record_release(&record);
    }
}

static void givens(void **state)
{
    (void)state;
    static const struct formula_record_given list[] = {
        {"(lt 0 x{j})", "defined"},
        {"(lt 0 y{j})", "declared"},
        {"(ne y{j} 0)", "declared"},
        {"(ne x{j} 0)", "defined"},
        {"(ne y{j} 0)", "extent"},
        {"(lt 0 y{j})", "defined"},
        {"(le 2 (count {j}))", "extent"},
        {"(le 1 (count {k}))", "extent"},
        {"(ne y{j} 0)", "obvious"},
        {"(ne y{j} 0", "defined"},
        {"true", "number"},
        {"(lt 4 pi)", "number"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct formula_record record;
        example(&record);
        vec_push(&record.givens, list[i]);
        refused(&record, i < 8 ? "by the input" : "given");
        formula_record_release(&record);
    }
    // Behind the branch of a choice nothing is certain.
    struct formula_record r;
    example(&r);
    r.input = "tensor x[j], y[j]; given x > 0; where(x > 1, x*y/y, x)";
    refused(&r, "given");
    formula_record_release(&r);
}

static void rules(void **state)
{
    (void)state;
    static const char *const names[] = {"",    "ac", "analysis", "a b", "a: (f ?x) => ?x\nb",
                                        "a\n", "\t", "#",        "?x",  "commute"};
    struct formula_record record;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        example(&record);
        record.rules.at[0].name = names[i];
        refused(&record, "no name of its own");
        formula_record_release(&record);
    }
    example(&record);
    unproved = "cancel";
    refused(&record, "not proved over the reals");
    unproved = NULL;
    formula_record_release(&record);
    example(&record);
    record.rules.at[0].assumed = true;
    refused(&record, "assumed");
    formula_record_release(&record);
    example(&record);
    record.rules.at[0].backward = true;
    refused(&record, "rule cancel");
    formula_record_release(&record);
    example(&record);
    record.rules.at[0].hash = record.rules.at[1].hash;
    refused(&record, "another hash");
    formula_record_release(&record);
    example(&record);
    record.rules.at[0].text = record.rules.at[1].text;
    refused(&record, "another hash");
    formula_record_release(&record);
    example(&record);
    record.rules.at[0].text = "rule";
    refused(&record, "no rule");
    record.rules.at[0].text = CANCEL;
    refused(&record, "canonical");
    formula_record_release(&record);
}

#define SHARE                                                                                      \
    "rule share { axes i, y; map n on i; map m on y; claims real;"                                 \
    " tensor A[i: n, y: m] : float;"                                                               \
    " A / broadcast(reduce(+, A, {y}), {y: m}) => define share(A, {y}); }"
#define DOUBLE                                                                                     \
    "rule double { axes i; map n on i; claims real; tensor A[i: n] : float;"                       \
    " A + A => define double(A); }"
#define NOT_DOUBLE                                                                                 \
    "rule not_double { axes i; map n on i; claims real; tensor A[i: n] : "                         \
    "float; A + A + A => define double(A); }"

static void definitions(void **state)
{
    (void)state;
    struct formula_record record;
    formula_record_init(&record);
    define(&record, SHARE);
    add_rule(&record, SHARE, false);
    record.input = "tensor x[j]; x/sum(x)";
    record.output = "tensor x[j]; share(x)";
    record.proof = "term 0 x{j}\nterm 1 {j}\nterm 2 reduce_add 1 0\n"
                   "term 3 divide 0 2\nterm 4 share 1 0\nrule 0 3 4 by share\n";
    accepted(&record);
    record.defines.len = 0;
    accepted(&record); // the rule that is used defines it, too
    record.rules.len = 0;
    refused(&record, "unknown function share");
    formula_record_release(&record);
    // The other way.
    formula_record_init(&record);
    define(&record, DOUBLE);
    add_rule(&record, DOUBLE, true);
    record.input = "scalar x; double(x)";
    record.output = "scalar x; x + x";
    record.proof = "term 0 x\nterm 1 double 0\nterm 2 add 0 0\n"
                   "rule 0 1 2 by double\n";
    accepted(&record);
    // Two meanings of a name would make them equal.
    define(&record, NOT_DOUBLE);
    refused(&record, "twice");
    record.defines.len = 1;
    add_rule(&record, NOT_DOUBLE, true);
    refused(&record, "twice");
    record.rules.len = 1;
    unproved = "_";
    refused(&record, "not proved");
    unproved = NULL;
    // Arguments are numbers.
    record.proof = "term 0 x\nterm 1 double 0\nterm 2 add 0 0\n"
                   "rule 0 1 2 by double\nterm 3 lt 0 0\nterm 4 double 3\n";
    refused(&record, "wrong sorts");
    record.proof = "term 0 x\nterm 1 double 0\nterm 2 add 0 0\n"
                   "rule 0 1 2 by double\nterm 3 double 0 0\n";
    refused(&record, "no operator");
    formula_record_release(&record);
}

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
    for (uint32_t i = 0; i < 60; i++)
        buf_printf(&buf, "let a%u = a%u*a%u; ", i + 1, i, i);
    buf_puts(&buf, "a60");
    record.input = record.output = buf_text(&buf);
    refused(&record, "");
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
    for (uint32_t i = 0; i < 200; i++)
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
        cmocka_unit_test(right_ones), cmocka_unit_test(merged_sums), cmocka_unit_test(proofs),
        cmocka_unit_test(texts),      cmocka_unit_test(givens),      cmocka_unit_test(rules),
        cmocka_unit_test(capture),    cmocka_unit_test(joins),       cmocka_unit_test(constants),
        cmocka_unit_test(json),       cmocka_unit_test(sizes),       cmocka_unit_test(definitions),
        cmocka_unit_test(equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
