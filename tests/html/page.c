// SPDX-License-Identifier: Apache-2.0
// Pages for the browser: page FORMULA AFTER [PROOF] writes one, with the
// formulas and the proof as they are told, and every other part of a page.
#include "proof/emit/emit.h"
#include "proof/formula/steps.h"

#include "formula/print/print.h"

#include <stdio.h>
#include <stdlib.h>

static const struct emit_obligation obligation[] = {
    {"sizes", "proved", "x: 1", "the shapes agree"},
    {"elements", "proved", "x: 1", "exp(A[i]) / exp(B[i]) = exp(A[i] - B[i])"},
};
static const struct emit_rule rules[] = {
    {.shown = &rules[0],
     .number = 0,
     .name = "exp_sub",
     .hash = "8f3c2a55d2c44d67a3ab0d6d0d37aa52f0c1ef7a6e3a6d6fe4b5a1a2b3c4d5e6",
     .text = "rule exp_sub {\n  axes x; map n on x;\n  tensor A[x: n] : float, "
             "B[x: n] : float;\n  exp(A - B) => exp(A)/exp(B);\n} claims real;",
     .meaning = "left[i_x] = exponential(A[i_x] - B[i_x])\n"
                "right[i_x] = exponential(A[i_x]) / exponential(B[i_x])",
     .notes = {.doc = "An exponential of a difference is a quotient & no <b>tag</b>.",
               .verdict = "proved over the reals",
               .precondition = "",
               .method = "all ranks at once; z3, congruence of exp",
               .n_obligations = 2,
               .obligation = obligation}},
    {.shown = &rules[1],
     .number = 1,
     .name = "comm",
     .text = "rule comm { tensor A[], B[]; A + B => B + A; }",
     .notes = {.verdict = "proved", .precondition = "all(A < B)", .method = "linear arithmetic"}},
};

static struct fterms terms;
static struct formula formula;

static void print(const struct emit_terms *source, const struct emit_value *value,
                  enum notation notation, bool lets, struct buf *out)
{
    struct print_options options = {.lets = lets, .path = value->path, .n_path = value->n_path};
    (void)source;
    if (value->path != NULL)
        formula_print_marked(&formula, NULL, value->term, notation, &options, out);
    else
        formula_print(&formula, NULL, value->term, notation, lets, out);
}

static bool read_term(struct emit_terms *source, const char *text, uint32_t *term, struct err *err)
{
    (void)source;
    return fterm_read(&terms, text, term, err);
}

static struct emit_terms source = {.notations = true, .print = print, .read = read_term};

static struct emit_value value(fterm term)
{
    return (struct emit_value){.source = &source, .term = term};
}

static fterm read_after(const char *text)
{
    struct formula g;
    struct err err = {0};
    struct buf buf = {0};
    formula_print_head(&formula, &buf);
    buf_puts(&buf, text);
    if (!formula_read(&g, &terms, NULL, "after", buf_text(&buf), &err)) {
        fprintf(stderr, "%s\n", err.msg);
        exit(65);
    }
    fterm term = g.term;
    formula_release(&g);
    buf_release(&buf);
    return term;
}

static void emit_conditions(struct emission *emission)
{
    html_emitter.open(emission, PART_CONDITIONS, "givens", formula.givens.len);
    for (uint32_t i = 0; i < formula.givens.len && i < 8; i++) {
        struct buf text = {0};
        fterm_print(&terms, formula.givens.at[i].cond, &text);
        struct emit_condition condition = {
            .number = i, .text = buf_text(&text), .by = "defined", .used = true};
        html_emitter.condition(emission, &condition);
        buf_release(&text);
    }
    html_emitter.close(emission, PART_CONDITIONS, formula.givens.len);
}

static void emit_constants(struct emission *emission)
{
    static const struct emit_constant constant = {"0.79788456", "(sqrt (divide 2 pi))",
                                                  "digits of the text", "8.0e-10"};
    html_emitter.open(emission, PART_CONSTANTS, "constants", 1);
    html_emitter.constant(emission, &constant);
    html_emitter.close(emission, PART_CONSTANTS, 1);
}

static const struct emit_rule *rule_named(const char *name, bool *backward)
{
    *backward = strncmp(name, "comm-back", 9) == 0;
    return strncmp(name, "exp_sub", 7) == 0 ? &rules[0]
           : strncmp(name, "comm", 4) == 0  ? &rules[1]
                                            : NULL;
}

static void emit_steps(struct emission *emission, const struct fsteps *steps)
{
    static const enum emit_step_kind kinds[] = {
        [FSTEP_RULE] = STEP_RULE,   [FSTEP_FOLD] = STEP_FOLD, [FSTEP_GIVEN] = STEP_GIVEN,
        [FSTEP_ORDER] = STEP_ORDER, [FSTEP_MANY] = STEP_MANY,
    };
    static const uint32_t root[1];
    html_emitter.open(emission, PART_STEPS, "steps", steps->step.len);
    for (uint32_t i = 0; i < steps->step.len; i++) {
        const struct fstep *from = &steps->step.at[i];
        struct emit_value condition[8];
        struct emit_step step = {.kind = kinds[from->kind],
                                 .number = i + 1,
                                 .name = from->rule,
                                 .count = from->number,
                                 .after = value(from->after),
                                 .condition = condition};
        bool backward;
        step.rule = rule_named(from->rule, &backward);
        step.backward = backward != from->flip;
        step.after.path = from->n > 0 ? steps->path.at + from->at : root;
        step.after.n_path = from->n;
        for (; step.n_conditions < from->cond_n && step.n_conditions < 8; step.n_conditions++)
            condition[step.n_conditions] = value(steps->cond.at[from->cond_at + step.n_conditions]);
        html_emitter.step(emission, &step);
    }
    html_emitter.close(emission, PART_STEPS, steps->step.len);
}

static void emit_page(fterm after, const struct fsteps *steps, struct buf *out)
{
    struct err err = {0};
    struct emit_head head = {.kind = RECORD_FORMULA,
                             .title = "A formula <simplified>",
                             .remark = "412 nodes, 6 rounds, saturated",
                             .fault = "",
                             .before = value(formula.term),
                             .after = value(after),
                             .size_before = "cost 31",
                             .size_after = "cost 5",
                             .chain = true,
                             .first = value(steps ? steps->first : formula.term),
                             .terms = &source};
    struct emission emission = {
        .format = &html_emitter, .kind = RECORD_FORMULA, .head = &head, .out = out, .err = &err};
    html_emitter.begin(&emission);
    emit_conditions(&emission);
    emission.shown = 0;
    emit_constants(&emission);
    if (steps != NULL)
        emit_steps(&emission, steps);
    html_emitter.open(&emission, PART_RULES, "rules", 2);
    html_emitter.rule(&emission, &rules[0]);
    html_emitter.rule(&emission, &rules[1]);
    html_emitter.close(&emission, PART_RULES, 2);
    html_emitter.end(&emission);
    if (err.kind != ERR_NONE) {
        fprintf(stderr, "%s\n", err.msg);
        exit(65);
    }
}

int main(int argc, char **argv)
{
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
    fterm after = read_after(argv[2]);
    if (argc > 3 && (!file_read(argv[3], 1 << 24, &proof, &err) ||
                     !fsteps_of(&steps, &terms, buf_text(&proof), formula.term, 40, &err))) {
        fprintf(stderr, "%s\n", err.msg);
        return 65;
    }
    formula_defined(&formula);
    emit_page(after, argc > 3 ? &steps : NULL, &out);
    fputs(buf_text(&out), stdout);
    buf_release(&out);
    buf_release(&proof);
    if (argc > 3)
        fsteps_release(&steps);
    formula_release(&formula);
    fterms_release(&terms);
    return 0;
}
