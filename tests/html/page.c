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

static fterm read(struct fterms *terms, const struct formula *formula, const char *text)
{
    struct formula g;
    struct err err = {0};
    struct buf buf = {0};
    formula_print_head(formula, &buf);
    buf_puts(&buf, text);
    if (!formula_read(&g, terms, NULL, "after", buf_text(&buf), &err)) {
        fprintf(stderr, "%s\n", err.msg);
        exit(65);
    }
    fterm term = g.term;
    formula_release(&g);
    buf_release(&buf);
    return term;
}

int main(int argc, char **argv)
{
    struct fterms terms;
    struct formula formula;
    struct err err = {0};
    struct fsteps steps;
    struct buf out = {0}, proof = {0};
    if (argc < 3)
        return 64;
    fterms_init(&terms);
    if (!formula_read(&formula, &terms, NULL, "before", argv[1], &err)) {
        fprintf(stderr, "%s\n", err.msg);
        return 65;
    }
    fterm after = read(&terms, &formula, argv[2]);
    if (argc > 3 && (!file_read(argv[3], 1 << 24, &proof, &err) ||
                     !fsteps_of(&steps, &terms, buf_text(&proof), formula.term, 40, &err))) {
        fprintf(stderr, "%s\n", err.msg);
        return 65;
    }
    formula_defined(&formula);
    struct html_condition condition[8];
    struct html_page page = {.title = "A formula <simplified>",
                             .formula = &formula,
                             .before = formula.term,
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
    for (uint32_t i = 0; i < formula.givens.len && page.n_conditions < 8; i++)
        condition[page.n_conditions++] =
            (struct html_condition){formula.givens.at[i].cond, "the formula has no "
                                                               "value elsewhere"};
    fterm two = fterm_make(&terms, "2", 0, NULL);
    struct html_constant constant = {
        .text = "0.79788456",
        .value =
            fterm_make(&terms, "sqrt", 1,
                       (fterm[]){fterm_make(&terms, "divide", 2,
                                            (fterm[]){two, fterm_make(&terms, "pi", 0, NULL)})}),
        .precision = "digits of the text",
        .difference = "8.0e-10"};
    page.constant = &constant;
    page.n_constants = 1;
    html_page(&page, &out);
    fputs(buf_text(&out), stdout);
    buf_release(&out);
    buf_release(&proof);
    if (argc > 3)
        fsteps_release(&steps);
    formula_release(&formula);
    fterms_release(&terms);
    return 0;
}
