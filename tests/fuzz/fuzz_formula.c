// SPDX-License-Identifier: Apache-2.0
// Any bytes as a formula.  What is read must be printed so that it reads back
// to the same term, with functions written out it must still be a term, and
// at sizes of 2 a program that passes its check.
#include "formula/rules/expand.h"
#include "formula/language/formula.h"
#include "formula/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char definitions[] =
    "rule sq { axes x; map n on x; claims real; tensor A[x: n] : float;"
    " A * A => define sq(A); }"
    "rule mean { axes x, y; map n on x; map m on y; claims real;"
    " tensor A[x: n, y: m] : float;"
    " reduce(+, A, {y}) / count({y: m}) => define mean(A, {y}); }"
    "rule softmax { axes x, y; map n on x; map m on y; claims real;"
    " tensor A[x: n, y: m] : float;"
    " exp(A) / broadcast(reduce(+, exp(A), {y}), {y: m})"
    " => define softmax(A, {y}); }"
    "rule scaled { axes x, y; map n on x; map m on y; claims real;"
    " tensor A[x: n, y: m] : float; scalar e : float;"
    " reduce(+, A, {y}) * e => define scaled(A, e, {y}); }";

static void print_and_read(struct formula *formula, const struct fdefines *defs, bool lets)
{
    struct buf text = {0};
    struct formula again;
    struct err err = {0};
    formula_print_head(formula, &text);
    formula_print(formula, defs, formula->term, NOTATION_TEXT, lets, &text);
    if (!formula_read(&again, formula->terms, defs, "again", buf_text(&text), &err)) {
        // Brackets and declarations may make it too long or too deep.
        if (strstr(err.msg, "too long") == NULL && strstr(err.msg, "too deep") == NULL)
            BUG("%u:%u: %s\n%s", err.line, err.col, err.msg, buf_text(&text));
    } else if (again.term != formula->term) {
        BUG("reads back to another term\n%s", buf_text(&text));
    }
    formula_release(&again);
    buf_release(&text);
}

static void make_program(struct formula *formula, const struct fdefines *defs)
{
    struct fsize sizes[64];
    struct pool pool;
    struct program program;
    struct err err = {0};
    fterm term;
    uint32_t n = 0;
    bool all;
    formula_expand(formula->terms, defs, formula->term, &term, &all);
    for (uint32_t i = 0; i < formula->axes.len && n < 64; i++)
        sizes[n++] = (struct fsize){formula->axes.at[i], 2};
    pool_init(&pool);
    program_init(&program, &pool);
    struct program_request request = {formula, term, ELEM_F64, n, sizes};
    if (formula_program(&request, &program, &err)) {
        if (!all || !program_check(&program, &err))
            BUG("%s", err.msg);
    }
    program_release(&program);
    pool_release(&pool);
}

// Read once.
static const struct fdefines *functions(void)
{
    static struct ruleset rules;
    static struct fdefines defs;
    static bool known;
    struct err_list errs = {0};
    struct err err = {0};
    if (known)
        return &defs;
    known = true;
    ruleset_init(&rules);
    if (!ruleset_parse(&rules, definitions, strlen(definitions), "d", &errs) ||
        !fdefines_of(&defs, rules.rules.len, (const struct rule *const *)rules.rules.at, &err))
        BUG("the definitions are wrong");
    vec_release(&errs.at);
    return &defs;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct fdefines *defs = functions();
    struct buf text = {0};
    struct fterms terms;
    struct formula formula;
    struct err err = {0};
    buf_write(&text, data, size);
    fterms_init(&terms);
    if (formula_read(&formula, &terms, defs, "in", buf_text(&text), &err)) {
        formula_defined(&formula);
        print_and_read(&formula, defs, false);
        print_and_read(&formula, defs, true);
        make_program(&formula, defs);
    } else if (err.kind != ERR_INPUT || err.line == 0 || err.msg[0] == 0) {
        BUG("an error without place or text: %s", err.msg);
    }
    formula_release(&formula);
    fterms_release(&terms);
    buf_release(&text);
    return 0;
}
