// SPDX-License-Identifier: Apache-2.0
// The answer of a simplification of a formula, for people and as JSON.
#include "api/simplify/formula.h"

#include <jansson.h>

uint32_t formula_steps(const struct formula_simplification *run)
{
    uint32_t n = 0;
    for (const char *text = run->record.proof; *text != 0; text += *text == '\n') {
        n += strncmp(text, "rule ", 5) == 0;
        text += strcspn(text, "\n");
    }
    return n;
}

static void put_term(struct formula_simplification *run, fterm term, struct buf *out)
{
    formula_print(&run->input, &run->rewriter->formulas.defs, term, run->notation, false, out);
}

static fterm condition(struct formula_simplification *run, uint32_t i)
{
    const char *text = run->record.givens.at[run->result.conditions.at[i]].cond;
    struct err err = {0};
    fterm term;
    if (!fterm_read(&run->terms, text, &term, &err))
        BUG("a condition that cannot be read: %s", text);
    return term;
}

static fterm value_of(struct formula_simplification *run, uint32_t i)
{
    struct err err = {0};
    fterm term;
    if (!fterm_read(&run->terms, run->record.constants.at[i].value, &term, &err))
        BUG("a constant that cannot be read");
    return term;
}

void formula_put_lines(struct formula_simplification *run, struct buf *out)
{
    put_term(run, run->result.term, out);
    buf_puts(out, "\n");
    for (uint32_t i = 0; i < run->result.conditions.len; i++) {
        buf_puts(out, i == 0 ? "where " : ", ");
        put_term(run, condition(run, i), out);
    }
    if (run->result.conditions.len > 0)
        buf_puts(out, "\n");
    for (uint32_t i = 0; i < run->record.constants.len; i++) {
        const struct formula_record_constant *constant = &run->record.constants.at[i];
        buf_printf(out, "recovered %s as ", constant->text);
        put_term(run, value_of(run, i), out);
        buf_printf(out, " (%s), difference %s\n", constant->precision, constant->difference);
    }
}

void formula_put_output(struct formula_simplification *run, struct buf *out)
{
    if (run->notation == NOTATION_TEXT)
        buf_puts(out, run->record.output);
    else
        put_term(run, run->result.term, out);
}

json_t *formula_object(struct formula_simplification *run, const struct rw_summary *summary)
{
    struct buf text = {0};
    json_t *conditions = json_array(), *constants = json_array();
    put_term(run, run->result.term, &text);
    for (uint32_t i = 0; i < run->result.conditions.len; i++) {
        struct buf cond = {0};
        put_term(run, condition(run, i), &cond);
        json_array_append_new(conditions, json_string(buf_text(&cond)));
        buf_release(&cond);
    }
    for (uint32_t i = 0; i < run->record.constants.len; i++) {
        const struct formula_record_constant *constant = &run->record.constants.at[i];
        struct buf value = {0};
        put_term(run, value_of(run, i), &value);
        json_array_append_new(constants,
                              json_pack("{s:s, s:s, s:s, s:s}", "text", constant->text, "value",
                                        buf_text(&value), "precision", constant->precision,
                                        "difference", constant->difference));
        buf_release(&value);
    }
    json_t *object =
        json_pack("{s:s, s:o, s:o, s:I, s:I, s:f, s:f, s:s, s:I, s:f}", "formula", buf_text(&text),
                  "conditions", conditions, "constants", constants, "nodes",
                  (json_int_t)summary->nodes, "iterations", (json_int_t)summary->rounds,
                  "cost_before", summary->cost_before, "cost_after", summary->cost_after, "stop",
                  summary->stop, "steps", (json_int_t)summary->steps, "seconds", summary->seconds);
    buf_release(&text);
    return object;
}
