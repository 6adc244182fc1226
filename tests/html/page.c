// SPDX-License-Identifier: Apache-2.0
// Pages for the browser: page FORMULA AFTER [PROOF] writes one, with the
// formulas and the proof as they are told, and every other part of a page.
#include "simplify/page/html.h"

#include <stdio.h>
#include <stdlib.h>

static const struct html_obligation obligation[] = {
    {"sizes", "proved", "x: 1", "the shapes agree"},
    {"elements", "proved", "x: 1", "exp(A[i]) / exp(B[i]) = exp(A[i] - B[i])"},
};
static struct html_rule rule[] = {
    {.name = "exp_sub",
     .text = "rule exp_sub {\n  axes x; map n on x;\n  tensor A[x: n] : float, "
             "B[x: n] : float;\n  exp(A - B) => exp(A)/exp(B);\n} claims real;",
     .doc = "An exponential of a difference is a quotient & no <b>tag</b>.",
     .meaning = "left[i_x] = exponential(A[i_x] - B[i_x])\n"
                "right[i_x] = exponential(A[i_x]) / exponential(B[i_x])",
     .verdict = "proved over the reals",
     .precondition = "",
     .method = "all ranks at once; z3, congruence of exp",
     .hash = "8f3c2a55d2c44d67a3ab0d6d0d37aa52f0c1ef7a6e3a6d6fe4b5a1a2b3c4d5e6",
     .n_obligations = 2,
     .obligation = obligation},
    {.name = "comm",
     .text = "rule comm { tensor A[], B[]; A + B => B + A; }",
     .verdict = "proved",
     .precondition = "all(A < B)",
     .method = "linear arithmetic"},
};

static const struct html_use use[] = {
    {.name = "exp_sub", .rule = 0},
    {.name = "comm", .rule = 1},
    {.name = "comm-back", .rule = 1, .backward = true},
};

static fterm read(struct fterms *t, const struct formula *f, const char *text)
{
    struct formula g;
    struct err e = {0};
    struct buf b = {0};
    formula_print_head(f, &b);
    buf_puts(&b, text);
    if (!formula_read(&g, t, NULL, "after", buf_text(&b), &e)) {
        fprintf(stderr, "%s\n", e.msg);
        exit(65);
    }
    fterm x = g.term;
    formula_release(&g);
    buf_release(&b);
    return x;
}

int main(int argc, char **argv)
{
    struct fterms t;
    struct formula f;
    struct err e = {0};
    struct fsteps steps;
    struct buf out = {0}, proof = {0};
    if (argc < 3)
        return 64;
    fterms_init(&t);
    if (!formula_read(&f, &t, NULL, "before", argv[1], &e)) {
        fprintf(stderr, "%s\n", e.msg);
        return 65;
    }
    fterm after = read(&t, &f, argv[2]);
    if (argc > 3 &&
        (!file_read(argv[3], 1 << 24, &proof, &e) ||
         !fsteps_of(&steps, &t, buf_text(&proof), f.term, 40, &e))) {
        fprintf(stderr, "%s\n", e.msg);
        return 65;
    }
    formula_defined(&f);
    struct html_condition condition[8];
    struct html_page p = {.title = "A formula <simplified>",
                          .f = &f,
                          .before = f.term,
                          .after = after,
                          .cost_before = 31,
                          .cost_after = 5,
                          .remark = "412 nodes, 6 rounds, saturated",
                          .condition = condition,
                          .rule = rule,
                          .n_rules = 2,
                          .use = use,
                          .n_uses = 3,
                          .steps = argc > 3 ? &steps : NULL};
    for (uint32_t i = 0; i < f.givens.len && p.n_conditions < 8; i++)
        condition[p.n_conditions++] =
            (struct html_condition){f.givens.at[i].cond, "the formula has no "
                                                         "value elsewhere"};
    fterm two = fterm_make(&t, "2", 0, NULL);
    struct html_constant constant = {
        .text = "0.79788456",
        .value =
            fterm_make(&t, "sqrt", 1,
                       (fterm[]){fterm_make(
                           &t, "divide", 2,
                           (fterm[]){two, fterm_make(&t, "pi", 0, NULL)})}),
        .precision = "digits of the text",
        .difference = "8.0e-10"};
    p.constant = &constant;
    p.n_constants = 1;
    html_page(&p, &out);
    fputs(buf_text(&out), stdout);
    buf_release(&out);
    buf_release(&proof);
    if (argc > 3)
        fsteps_release(&steps);
    formula_release(&f);
    fterms_release(&t);
    return 0;
}
