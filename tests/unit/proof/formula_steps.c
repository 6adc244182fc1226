// SPDX-License-Identifier: Apache-2.0
// A proof as a sequence of formulas: each is the one before with one place
// rewritten, and the last one is the proof's other end.
#include "proof/formula/steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const char proof[] = "term 0 a\n"
                            "term 1 b\n"
                            "term 2 add 0 1\n"
                            "term 3 add 1 0\n"
                            "term 4 add 2 3\n"
                            "term 5 add 3 3\n"
                            "term 6 2\n"
                            "term 7 multiply 6 3\n"
                            "term 8 true\n"
                            "term 9 lt 0 1\n"
                            "given 0 9 8 7\n"
                            "rule 1 2 3 if:0 by comm\n"
                            "cong 2 4 5 0:1\n"
                            "rule 3 5 7 by twice\n"
                            "trans 4 4 7 2 3\n";

// Steps as lines: the formula, what led to it, where.
static void written(const char *text, const char *from, uint32_t limit, struct buf *out)
{
    struct fterms terms;
    struct fsteps steps;
    struct err err = {0};
    fterm first;
    fterms_init(&terms);
    assert_true(fterm_read(&terms, from, &first, &err));
    if (!fsteps_of(&steps, &terms, text, first, limit, &err)) {
        buf_puts(out, err.msg);
    } else {
        for (uint32_t i = 0; i < steps.step.len; i++) {
            const struct fstep *step = &steps.step.at[i];
            fterm_print(&terms, step->after, out);
            buf_printf(out, " kind %d %s%s at", (int)step->kind, step->flip ? "-" : "", step->rule);
            for (uint32_t k = 0; k < step->n; k++)
                buf_printf(out, " %u", steps.path.at[step->at + k]);
            for (uint32_t k = 0; k < step->cond_n; k++) {
                buf_puts(out, " if ");
                fterm_print(&terms, steps.cond.at[step->cond_at + k], out);
            }
            buf_puts(out, "\n");
        }
    }
    fsteps_release(&steps);
    fterms_release(&terms);
}

static void is(const char *text, const char *from, uint32_t limit, const char *want)
{
    struct buf have = {0};
    written(text, from, limit, &have);
    assert_string_equal(buf_text(&have), want);
    buf_release(&have);
}

static void forward_and_backward(void **state)
{
    (void)state;
    is(proof, "(add (add a b) (add b a))", 100,
       "(add (add b a) (add b a)) kind 0 comm at 0 if (lt a b)\n"
       "(multiply 2 (add b a)) kind 0 twice at\n");
    is(proof, "(multiply 2 (add b a))", 100,
       "(add (add b a) (add b a)) kind 0 -twice at\n"
       "(add (add a b) (add b a)) kind 0 -comm at 0 if (lt a b)\n");
}

// a = b = c = b = d: c is left out; a = b = a = c: so is b.
static void circles(void **state)
{
    (void)state;
    static const char terms[] = "term 0 a\nterm 1 b\nterm 2 c\nterm 3 d\n"
                                "rule 0 0 1 by ab\nrule 1 1 2 by bc\n"
                                "rule 2 1 3 by bd\nrule 3 0 2 by ac\n";
    struct buf text = {0};
    buf_printf(&text, "%strans 4 0 3 0 1 -1 2\n", terms);
    is(buf_text(&text), "a", 9, "b kind 0 ab at\nd kind 0 bd at\n");
    is(buf_text(&text), "d", 9, "b kind 0 -bd at\na kind 0 -ab at\n");
    buf_clear(&text);
    buf_printf(&text, "%strans 4 0 2 0 -0 3\n", terms);
    is(buf_text(&text), "a", 9, "c kind 0 ac at\n");
    buf_release(&text);
}

// 2^20 steps when nothing is shared.
static void long_proofs_are_cut(void **state)
{
    (void)state;
    struct buf text = {0}, from = {0}, to = {0}, have = {0};
    buf_puts(&text, "term 0 a\nterm 1 b\nrule 0 0 1 by r\n");
    for (uint32_t i = 1; i <= 20; i++)
        buf_printf(&text,
                   "term %u f %u %u\nterm %u f %u %u\n"
                   "cong %u %u %u 0:%u 1:%u\n",
                   2 * i, 2 * i - 2, 2 * i - 2, 2 * i + 1, 2 * i - 1, 2 * i - 1, i, 2 * i,
                   2 * i + 1, i - 1, i - 1);
    struct fterms terms;
    struct fsteps steps;
    struct err err = {0};
    fterms_init(&terms);
    fterm term = fterm_make(&terms, "a", 0, NULL), b = fterm_make(&terms, "b", 0, NULL);
    for (uint32_t i = 0; i < 20; i++) {
        term = fterm_make(&terms, "f", 2, (fterm[]){term, term});
        b = fterm_make(&terms, "f", 2, (fterm[]){b, b});
    }
    for (uint32_t limit = 1; limit <= 60; limit++) {
        assert_true(fsteps_of(&steps, &terms, buf_text(&text), term, limit, &err));
        assert_true(steps.step.len <= limit && steps.step.len > 0);
        assert_int_equal(vec_last(&steps.step).after, b);
        uint64_t all = 0;
        for (uint32_t i = 0; i < steps.step.len; i++)
            all += steps.step.at[i].number;
        assert_int_equal(all, 1 << 20);
        fsteps_release(&steps);
    }
    fterms_release(&terms);
    buf_release(&text);
    buf_release(&from);
    buf_release(&to);
    buf_release(&have);
}

static void malformed(void **state)
{
    (void)state;
    is("", "a", 9, "proof: the proof has no lines");
    is(proof, "a", 9, "proof: the proof is about other terms");
    is("term 1 a\n", "a", 9, "proof, line 1: expected terms numbered from 0");
    is("term 0 a\nrule 0 0 1 by x\n", "a", 9,
       "proof, line 2: expected the number of an earlier term or line");
    is("term 0 a\nterm 1 b\ntrans 0 0 1 0\n", "a", 9,
       "proof, line 3: expected the number of an earlier term or line");
    is("term 0 a\nterm 1 b\ngiven 0 1 0 1\ntrans 1 0 1 0\n", "a", 9,
       "proof: a line does not fit the place of its use");
    is("term 0 a\nguess 0 0 0\n", "a", 9, "proof, line 2: unknown kind of line");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_and_backward),
        cmocka_unit_test(circles),
        cmocka_unit_test(long_proofs_are_cut),
        cmocka_unit_test(malformed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
