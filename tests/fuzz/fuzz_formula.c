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

static void print_and_read(struct formula *f, const struct fdefines *d,
                           bool lets)
{
    struct buf text = {0};
    struct formula again;
    struct err e = {0};
    formula_print_head(f, &text);
    formula_print(f, d, f->term, NOTATION_TEXT, lets, &text);
    if (!formula_read(&again, f->t, d, "again", buf_text(&text), &e)) {
        // Brackets and declarations may make it too long or too deep.
        if (strstr(e.msg, "too long") == NULL &&
            strstr(e.msg, "too deep") == NULL)
            BUG("%u:%u: %s\n%s", e.line, e.col, e.msg, buf_text(&text));
    } else if (again.term != f->term) {
        BUG("reads back to another term\n%s", buf_text(&text));
    }
    formula_release(&again);
    buf_release(&text);
}

static void make_program(struct formula *f, const struct fdefines *d)
{
    struct fsize sizes[64];
    struct pool pool;
    struct program p;
    struct err e = {0};
    fterm x;
    uint32_t n = 0;
    bool all;
    formula_expand(f->t, d, f->term, &x, &all);
    for (uint32_t i = 0; i < f->axes.len && n < 64; i++)
        sizes[n++] = (struct fsize){f->axes.at[i], 2};
    pool_init(&pool);
    program_init(&p, &pool);
    if (formula_program(f, x, ELEM_F64, n, sizes, &p, &e)) {
        if (!all || !program_check(&p, &e))
            BUG("%s", e.msg);
    }
    program_release(&p);
    pool_release(&pool);
}

// Read once.
static const struct fdefines *functions(void)
{
    static struct ruleset rules;
    static struct fdefines d;
    static bool known;
    struct err_list errs = {0};
    struct err e = {0};
    if (known)
        return &d;
    known = true;
    ruleset_init(&rules);
    if (!ruleset_parse(&rules, definitions, strlen(definitions), "d", &errs) ||
        !fdefines_of(&d, rules.rules.len,
                     (const struct rule *const *)rules.rules.at, &e))
        BUG("the definitions are wrong");
    vec_release(&errs.at);
    return &d;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct fdefines *d = functions();
    struct buf text = {0};
    struct fterms t;
    struct formula f;
    struct err e = {0};
    buf_write(&text, data, size);
    fterms_init(&t);
    if (formula_read(&f, &t, d, "in", buf_text(&text), &e)) {
        formula_defined(&f);
        print_and_read(&f, d, false);
        print_and_read(&f, d, true);
        make_program(&f, d);
    } else if (e.kind != ERR_INPUT || e.line == 0 || e.msg[0] == 0) {
        BUG("an error without place or text: %s", e.msg);
    }
    formula_release(&f);
    fterms_release(&t);
    buf_release(&text);
    return 0;
}
