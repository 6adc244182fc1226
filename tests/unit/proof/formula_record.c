// SPDX-License-Identifier: Apache-2.0
// Records of formulas, made by hand: right ones are accepted, and each thing
// that could be wrong with one is refused; formula_record_value.c has what it
// must say of operators that have no value everywhere.
#include "tests/unit/support/formula_record_example.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ones),  cmocka_unit_test(merged_sums), cmocka_unit_test(proofs),
        cmocka_unit_test(texts),       cmocka_unit_test(givens),      cmocka_unit_test(rules),
        cmocka_unit_test(definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
