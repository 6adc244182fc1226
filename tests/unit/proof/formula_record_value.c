// SPDX-License-Identifier: Apache-2.0
// Where there is a value: the output of a record must have one wherever the
// input has, which lines say of its operators or conditions around them do.
#include "formula/terms/term.h"
#include "tests/unit/support/formula_records.h"

#include <stdio.h>
#include <string.h>

// Terms, `given 0 cond true 0` if there is a condition, and a use of `r`.
static void put_proof(const char *left, const char *right, const char *cond, struct buf *out)
{
    struct fterms terms;
    struct err err = {0};
    const char *const text[] = {left, right, cond, "true"};
    uint32_t n = cond != NULL ? 4 : 2;
    fterm end[4];
    struct u32_vec all = {0}, at = {0};
    fterms_init(&terms);
    for (uint32_t i = 0; i < n; i++)
        if (!fterm_read(&terms, text[i], &end[i], &err))
            fail_msg("%s", err.msg);
    fterms_reach(&terms, n, end, &all);
    vec_zero(&at, terms.node.len);
    for (uint32_t i = 0; i < all.len; i++) {
        at.at[all.at[i]] = i;
        buf_printf(out, "term %u %s", i, fterm_name(&terms, all.at[i]));
        for (uint32_t k = 0; k < fterm_n(&terms, all.at[i]); k++)
            buf_printf(out, " %u", at.at[fterm_args(&terms, all.at[i])[k]]);
        buf_puts(out, "\n");
    }
    if (cond != NULL)
        buf_printf(out, "given 0 %u %u 0\n", at.at[end[2]], at.at[end[3]]);
    buf_printf(out, "rule %d %u %u by r\n", cond != NULL, at.at[end[0]], at.at[end[1]]);
    vec_release(&all);
    vec_release(&at);
    fterms_release(&terms);
}

struct step {
    const char *rule; // of A, B, C
    const char *in, *out, *left, *right;
};

// The rule makes the input the output at once.
static void one_step(struct formula_record *record, const struct step *step, const char *cond)
{
    struct buf buf = {0};
    formula_record_init(record);
    record->input = step->in;
    record->output = step->out;
    buf_puts(&buf, "rule r { axes i; map n on i; claims real; tensor");
    for (char text = 'A'; text <= 'C'; text++)
        if (strchr(step->rule, text) != NULL)
            buf_printf(&buf, "%s %c[i: n] : float", text > 'A' ? "," : "", text);
    buf_printf(&buf, "; %s; }", step->rule);
    add_rule(record, buf_text(&buf), false);
    record->rules.at[0].name = "r";
    buf_clear(&buf);
    put_proof(step->left, step->right, cond, &buf);
    record->proof = arena_strdup(&record->mem, buf_text(&buf));
    if (cond != NULL)
        add_given(record, cond, "declared");
    define(record, "rule f { axes i; map n on i; claims real; tensor A[i: n] : "
                   "float; log(A) / 2 => define f(A); }");
    buf_release(&buf);
}

static void guarded_division(void **state)
{
    (void)state;
    // Equal whatever y/0 is, but not where there is a value.
    static const struct step away = {
        "select(A == 0, 0, B / A) * A => B / A * A", "where(x == 0, 0, y/x)*x", "y/x*x",
        "(multiply (select (eq x 0) 0 (divide y x)) x)", "(multiply (divide y x) x)"};
    struct step back = {"B / A * A => select(A == 0, 0, B / A) * A", away.out, away.in, away.right,
                        away.left};
    struct formula_record record;
    one_step(&record, &away, NULL);
    refused(&record, "may have no value where the input has one: nothing says that "
                     "(ne x 0)");
    formula_record_release(&record);
    one_step(&record, &back, NULL);
    accepted(&record);
    formula_record_release(&record);
}

// What an operator asks must be said by a line.
static void partial_operators(void **state)
{
    (void)state;
    static const struct {
        const char *text, *term, *given, *cond;
    } list[] = {
        {"1/x", "(divide 1 x)", "x != 0", "(ne x 0)"},
        {"log(x)", "(log x)", "x > 0", "(lt 0 x)"},
        {"sqrt(x)", "(sqrt x)", "x >= 0", "(le 0 x)"},
        {"rsqrt(x)", "(rsqrt x)", "x > 0", "(lt 0 x)"},
        {"log1p(x)", "(log_plus_one x)", "x > -1", "(lt -1 x)"},
        {"tan(x)", "(tan x)", "cos(x) != 0", "(ne (cosine x) 0)"},
        {"x^(-2)", "(power x -2)", "x != 0", "(ne x 0)"},
        {"x^(1/3)", "(power x 1/3)", "x >= 0", "(le 0 x)"},
        {"x^(-1/3)", "(power x -1/3)", "x > 0", "(lt 0 x)"},
        {"x^y", "(power x y)", "x > 0", "(lt 0 x)"},
        {"f(x)", "(f x)", "x > 0", "(lt 0 x)"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char in[200], out[200], left[200], right[200];
        struct step step = {"select(0 < A, B, 0) * 0 => B * 0", in, out, left, right};
        struct formula_record record;
        snprintf(in, sizeof in, "given %s; where(c > 0, %s, 0)*0", list[i].given, list[i].text);
        snprintf(out, sizeof out, "given %s; %s*0", list[i].given, list[i].text);
        snprintf(left, sizeof left, "(multiply (select (lt 0 c) %s 0) 0)", list[i].term);
        snprintf(right, sizeof right, "(multiply %s 0)", list[i].term);
        one_step(&record, &step, NULL);
        refused(&record, list[i].cond);
        formula_record_release(&record);
        one_step(&record, &step, list[i].cond);
        accepted(&record);
        formula_record_release(&record);
    }
}

static void enclosing_conditions(void **state)
{
    (void)state;
    static const struct {
        struct step step;
        bool ok;
    } list[] = {
        // Of a choice: the same, a stronger one, the other branch, none.
        {{"select(0 < A, B, 0) => select(0 < A, B, A - A)", "where(x > 0, log(x), 0)",
          "where(x > 0, log(x), x - x)", "(select (lt 0 x) (log x) 0)",
          "(select (lt 0 x) (log x) (subtract x x))"},
         true},
        {{"select(0 < A, B, 0) * 0 => select(A < 0, A, B) * 0", "where(x > 0, sqrt(x), 0)*0",
          "where(x < 0, x, sqrt(x))*0", "(multiply (select (lt 0 x) (sqrt x) 0) 0)",
          "(multiply (select (lt x 0) x (sqrt x)) 0)"},
         true},
        {{"select(0 < A, B, 0) * 0 => select(A < 0, A, B) * 0", "where(x > 0, log(x), 0)*0",
          "where(x < 0, x, log(x))*0", "(multiply (select (lt 0 x) (log x) 0) 0)",
          "(multiply (select (lt x 0) x (log x)) 0)"},
         false},
        {{"select(0 < A, B, 0) * 0 => select(0 < A, 0, B) * 0", "where(x > 0, log(x), 0)*0",
          "where(x > 0, 0, log(x))*0", "(multiply (select (lt 0 x) (log x) 0) 0)",
          "(multiply (select (lt 0 x) 0 (log x)) 0)"},
         false},
        // One that has no value itself guards nothing.
        {{"select(0 < A, B, 0) * 0 => select(0 < B, B, 0) * 0", "where(x > 0, log(x), 0)*0",
          "where(log(x) > 0, log(x), 0)*0", "(multiply (select (lt 0 x) (log x) 0) 0)",
          "(multiply (select (lt 0 (log x)) (log x) 0) 0)"},
         false},
        // Of `and`, `or`: in either order, but of the same value.
        {{"select(and(0 < A, B < C), 1, 0) => select(and(B < C, 0 < A), 1, 0)",
          "where(x > 0 and log(x) < y, 1, 0)", "where(log(x) < y and x > 0, 1, 0)",
          "(select (and (lt 0 x) (lt (log x) y)) 1 0)",
          "(select (and (lt (log x) y) (lt 0 x)) 1 0)"},
         true},
        {{"select(and(0 < A, B < C), 1, 1) => select(or(0 < A, B < C), 1, 1)",
          "where(x > 0 and log(x) < y, 1, 1)", "where(x > 0 or log(x) < y, 1, 1)",
          "(select (and (lt 0 x) (lt (log x) y)) 1 1)",
          "(select (or (lt 0 x) (lt (log x) y)) 1 1)"},
         false},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct formula_record record;
        one_step(&record, &list[i].step, NULL);
        if (list[i].ok)
            accepted(&record);
        else
            refused(&record, "may have no value");
        formula_record_release(&record);
    }
}

// A condition outside a sum says nothing of the index inside; what holds at all
// indices does.
static void summed_conditions(void **state)
{
    (void)state;
    static const char choice[] =
        "rule r { axes i; map n on i; claims real; tensor A[i: n] : float, "
        "B[i: n] : float; select(0 < A, B, 0) * 0 => B * 0; }";
    static const char *const terms =
        "term 0 x{j}\nterm 1 log 0\nterm 2 {j}\nterm 3 0\nterm 4 lt 3 0\n"
        "term 5 select 4 1 3\nterm 6 multiply 5 3\nterm 7 multiply 1 3\n"
        "term 8 reduce_add 2 6\nterm 9 reduce_add 2 7\n"
        "term 10 select 4 8 3\nterm 11 select 4 9 3\nterm 12 add 8 7\n"
        "term 13 add 9 7\n";
    struct formula_record record;
    formula_record_init(&record);
    add_rule(&record, choice, false);
    record.rules.at[0].name = "r";
    record.input = "tensor x[j]; where(x > 0, sum[j](where(x > 0, log(x), 0)*0), 0)";
    record.output = "tensor x[j]; where(x > 0, sum[j](log(x)*0), 0)";
    struct buf buf = {0};
    buf_puts(&buf, terms);
    buf_puts(&buf, "rule 0 6 7 by r\ncong 1 8 9 1:0\ncong 2 10 11 1:1\n");
    record.proof = buf_text(&buf);
    refused(&record, "nothing says that (lt 0 x{j})");
    buf_clear(&buf);
    buf_puts(&buf, terms);
    buf_puts(&buf, "rule 0 6 7 by r\ncong 1 8 9 1:0\ncong 2 12 13 0:1\n");
    record.proof = buf_text(&buf);
    record.input = "tensor x[j]; sum[j](where(x > 0, log(x), 0)*0) + log(x)*0";
    record.output = "tensor x[j]; sum[j](log(x)*0) + log(x)*0";
    accepted(&record);
    buf_release(&buf);
    formula_record_release(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guarded_division),
        cmocka_unit_test(partial_operators),
        cmocka_unit_test(enclosing_conditions),
        cmocka_unit_test(summed_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
