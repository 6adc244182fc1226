// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/formula/page.h"
#include "cli/records/records.h"

#include "simplify/page/steps.h"
#include "proof/formula/texts.h"

enum { MAX_STEPS = 2000 };

// A rule with operator variables stands in proofs as `name.operator`.
static bool is_assumed(const struct formula_record *r, const char *rule)
{
    for (uint32_t i = 0; i < r->rules.len; i++) {
        size_t n = strlen(r->rules.at[i].name);
        if (r->rules.at[i].assumed &&
            strncmp(r->rules.at[i].name, rule, n) == 0 &&
            (rule[n] == 0 || rule[n] == '.'))
            return true;
    }
    return false;
}

static void put_step(const struct formula_texts *x, const struct fsteps *s,
                     uint32_t i, struct buf *out)
{
    const struct fstep *k = &s->step.at[i];
    buf_printf(out, "%5u  = ", i + 1);
    formula_print(&x->in, &x->defs, k->after, NOTATION_TEXT, false, out);
    buf_puts(out, "\n         ");
    switch (k->kind) {
    case FSTEP_RULE:
        buf_printf(out, "by %s%s%s", k->rule, k->flip ? ", right to left" : "",
                   is_assumed(x->r, k->rule) ? " (ASSUMED)" : "");
        break;
    case FSTEP_FOLD:
        buf_puts(out, "by computing");
        break;
    case FSTEP_GIVEN:
        buf_printf(out, "by given %u", k->number);
        break;
    case FSTEP_ORDER:
        buf_puts(out, "by order and brackets");
        break;
    case FSTEP_MANY:
        buf_printf(out, "by %u steps that are not shown", k->number);
        break;
    }
    for (uint32_t c = 0; c < k->cond_n; c++) {
        buf_puts(out, c == 0 ? ", where " : ", ");
        formula_print(&x->in, &x->defs, s->cond.at[k->cond_at + c],
                      NOTATION_TEXT, false, out);
    }
    buf_putc(out, '\n');
}

// The proof as formulas one behind the other; the record may be wrong.
static bool put_steps(const struct formula_record *r, struct buf *out,
                      struct err *e)
{
    struct formula_texts x;
    struct fsteps s = {0};
    bool ok = formula_texts_read(&x, r, e);
    bool any = ok && r->proof[0] != 0;
    if (ok && !any)
        buf_puts(out, "\nThe output is the input.\n");
    if (any)
        ok = fsteps_of(&s, &x.t, r->proof, x.left, MAX_STEPS, e);
    if (any && ok) {
        buf_puts(out, "\nSteps\n         ");
        formula_print(&x.in, &x.defs, s.first, NOTATION_TEXT, false, out);
        buf_putc(out, '\n');
        for (uint32_t i = 0; i < s.step.len; i++)
            put_step(&x, &s, i, out);
    }
    if (any)
        fsteps_release(&s);
    formula_texts_release(&x);
    return ok;
}

// The page instead of the text.
static bool write_html(const struct command_line *c,
                       const struct any_record *record, struct err *e)
{
    struct buf page = {0};
    struct db *db = NULL;
    const char *path = c->value[OPTION_html];
    bool ok = record->is_formula ||
              err_set(e, ERR_USAGE, "explain: --html is for formulas");
    ok = ok && open_database(c, DB_READ, &db, e) &&
         formula_page(&record->formula, db, "A simplified formula", "", &page,
                      e) &&
         file_write(path, buf_text(&page), page.len, e);
    db_close(db);
    buf_release(&page);
    return ok;
}

int cmd_explain(struct command_line *c)
{
    struct err e = {0};
    struct pool pool;
    struct any_record record;
    struct buf out = {0};
    if (c->words.len != 1) {
        err_set(&e, ERR_USAGE, "explain: expected one proof record");
        return report_error(&e);
    }
    pool_init(&pool);
    bool ok = read_any_record(c->words.at[0], &pool, &record, &e);
    if (ok) {
        if (c->value[OPTION_html]) {
            ok = write_html(c, &record, &e);
        } else if (record.is_formula) {
            formula_record_explain(&record.formula, &out);
            ok = put_steps(&record.formula, &out, &e);
        } else {
            record_explain(&record.program, &out);
        }
        ok = ok && print_all(&out, &e);
        any_record_release(&record);
    }
    buf_release(&out);
    pool_release(&pool);
    return ok ? EXIT_YES : report_error(&e);
}
