// SPDX-License-Identifier: Apache-2.0
// Named functions of expectations, softmax(x), written out by their definitions.
#include "api/check/meanings.h"
#include "api/kernel/expect.h"
#include "formula/language/formula.h"
#include "formula/rules/expand.h"

// Is every formula one without named functions?
static bool is_plain(const struct expectation *expectation)
{
    bool plain = true;
    for (uint32_t i = 0; i < expectation->at.len && plain; i++) {
        struct formula formula;
        struct fterms terms;
        struct err err = {0};
        fterms_init(&terms);
        plain = formula_read(&formula, &terms, NULL, "expect", expectation->at.at[i].output.formula,
                             &err);
        formula_release(&formula);
        fterms_release(&terms);
    }
    return plain;
}

static bool write_out(const char *text, const struct fdefines *defs, struct buf *out,
                      struct err *err)
{
    struct formula formula;
    struct fterms terms;
    fterm term;
    bool all = true;
    fterms_init(&terms);
    bool ok = formula_read(&formula, &terms, defs, "expect", text, err);
    if (ok) {
        formula_expand(&terms, defs, formula.term, &term, &all);
        formula_print_head(&formula, out);
        formula_print(&formula, NULL, term, NOTATION_TEXT, false, out);
    }
    formula_release(&formula);
    fterms_release(&terms);
    return ok && (all || err_at(err, ERR_INPUT, "expect", 1, 1,
                                "a function's definition does not hold for all arguments"));
}

// The text, with its formulas replaced.
static bool write_all(const char *text, const struct expectation *expectation,
                      const struct fdefines *defs, struct buf *out, struct err *err)
{
    size_t at = 0;
    bool ok = true;
    for (uint32_t i = 0; i < expectation->at.len && ok; i++) {
        const struct expected *one = &expectation->at.at[i];
        struct buf formula = {0};
        ok = write_out(one->output.formula, defs, &formula, err);
        buf_write(out, text + at, one->from - at);
        for (const char *c = buf_text(&formula); *c != '\0'; c++)
            buf_putc(out, *c == '\n' ? ' ' : *c);
        at = one->to;
        buf_release(&formula);
    }
    buf_puts(out, text + at);
    return ok;
}

static bool with_definitions(const char *text, const struct expectation *expectation, struct db *db,
                             struct buf *out, struct err *err)
{
    struct ruleset set;
    struct fdefines defs = {0};
    ruleset_init(&set);
    bool ok = stored_definitions(db, &set, err) &&
              fdefines_of(&defs, set.rules.len, (const struct rule *const *)set.rules.at, err) &&
              write_all(text, expectation, &defs, out, err);
    fdefines_release(&defs);
    ruleset_release(&set);
    return ok;
}

bool kernel_write_out(const struct kernel_job *job, const char *text, const char *array,
                      struct db *db, bool *named, struct buf *out, struct err *err)
{
    struct claim claim;
    struct expectation expectation = {0};
    *named = false;
    bool ok = claim_read(buf_text(&job->claim_text), &claim, err) &&
              expectation_read(text, &job->program, &claim, &expectation, err);
    if (ok) {
        claim_keep_own(&claim, &job->program);
        expectation_place(&expectation, &job->program, &claim,
                          kernel_array_named(&job->program, array));
        *named = !is_plain(&expectation);
    }
    if (ok && *named && db != NULL)
        ok = with_definitions(text, &expectation, db, out, err);
    else if (ok)
        buf_puts(out, text);
    expectation_release(&expectation);
    claim_release(&claim);
    return ok;
}
