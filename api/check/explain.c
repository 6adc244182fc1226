// SPDX-License-Identifier: Apache-2.0
// A record as text for people, and as a page.
#include "api/database/database.h"
#include "api/check/page.h"
#include "api/records/records.h"

#include "simplify/page/steps.h"
#include "proof/formula/texts.h"

enum { MAX_STEPS = 2000 };

// A rule with operator variables stands in proofs as `name.operator`.
static bool is_assumed(const struct formula_record *record, const char *rule)
{
    for (uint32_t i = 0; i < record->rules.len; i++) {
        size_t n = strlen(record->rules.at[i].name);
        if (record->rules.at[i].assumed && strncmp(record->rules.at[i].name, rule, n) == 0 &&
            (rule[n] == 0 || rule[n] == '.'))
            return true;
    }
    return false;
}

static void put_step(const struct formula_texts *texts, const struct fsteps *steps, uint32_t i,
                     struct buf *out)
{
    const struct fstep *step = &steps->step.at[i];
    buf_printf(out, "%5u  = ", i + 1);
    formula_print(&texts->in, &texts->defs, step->after, NOTATION_TEXT, false, out);
    buf_puts(out, "\n         ");
    switch (step->kind) {
    case FSTEP_RULE:
        buf_printf(out, "by %s%s%s", step->rule, step->flip ? ", right to left" : "",
                   is_assumed(texts->record, step->rule) ? " (ASSUMED)" : "");
        break;
    case FSTEP_FOLD:
        buf_puts(out, "by computing");
        break;
    case FSTEP_GIVEN:
        buf_printf(out, "by given %u", step->number);
        break;
    case FSTEP_ORDER:
        buf_puts(out, "by order and brackets");
        break;
    case FSTEP_MANY:
        buf_printf(out, "by %u steps that are not shown", step->number);
        break;
    }
    for (uint32_t c = 0; c < step->cond_n; c++) {
        buf_puts(out, c == 0 ? ", where " : ", ");
        formula_print(&texts->in, &texts->defs, steps->cond.at[step->cond_at + c], NOTATION_TEXT,
                      false, out);
    }
    buf_putc(out, '\n');
}

// The proof as formulas one behind the other; the record may be wrong.
static bool put_steps(const struct formula_record *record, struct buf *out, struct err *err)
{
    struct formula_texts texts;
    struct fsteps steps = {0};
    bool ok = formula_texts_read(&texts, record, err);
    bool any = ok && record->proof[0] != 0;
    if (ok && !any)
        buf_puts(out, "\nThe output is the input.\n");
    if (any)
        ok = fsteps_of(&steps, &texts.terms, record->proof, texts.left, MAX_STEPS, err);
    if (any && ok) {
        buf_puts(out, "\nSteps\n         ");
        formula_print(&texts.in, &texts.defs, steps.first, NOTATION_TEXT, false, out);
        buf_putc(out, '\n');
        for (uint32_t i = 0; i < steps.step.len; i++)
            put_step(&texts, &steps, i, out);
    }
    if (any)
        fsteps_release(&steps);
    formula_texts_release(&texts);
    return ok;
}

char *rw_record_explain(const struct rw_record *record, struct rw_error *error)
{
    struct err err = {0};
    struct buf text = {0};
    bool ok = true;
    if (record->is_formula) {
        formula_record_explain(&record->formula, &text);
        ok = put_steps(&record->formula, &text, &err);
    } else {
        record_explain(&record->program, &text);
    }
    if (ok)
        return text_give(&text);
    buf_release(&text);
    error_give(&err, error);
    return NULL;
}

char *rw_record_html(const struct rw_record *record, struct rw_database *database,
                     const char *title, const char *remark, struct rw_error *error)
{
    struct err err = {0};
    struct buf page = {0};
    bool ok = record->is_formula || err_set(&err, ERR_USAGE, "a page is for formulas");
    ok = ok &&
         formula_page(&record->formula, database ? database->db : NULL, title, remark, &page, &err);
    if (ok)
        return text_give(&page);
    buf_release(&page);
    error_give(&err, error);
    return NULL;
}
