// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the reader of formulas: some functions, and a text
// that was read with them.
#ifndef TESTS_UNIT_SUPPORT_FORMULA_WORLD_H
#define TESTS_UNIT_SUPPORT_FORMULA_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "formula/rules/expand.h"
#include "formula/language/formula.h"

static const char definitions[] =
    "rule sq { axes x; map n on x; claims real; tensor A[x: n] : float; A *"
    " A => define sq(A); }"
    "rule softplus { axes x; map n on x; claims real; tensor A[x: n] :"
    " float; log(1 + exp(A)) => define softplus(A); }"
    "rule guarded { axes x; map n on x; claims real; tensor A[x: n] :"
    " float; where all(A > 0); 1 / A => define guarded(A); }"
    "rule masked { axes x; map n on x; claims real; tensor A[x: n] : float;"
    " tensor P[x: n] : bool; select(P, A, 0) => define masked(P, A); }"
    "rule mean { axes x, y; map n on x; map m on y; claims real; tensor"
    " A[x: n, y: m] : float; reduce(+, A, {y}) / count({y: m}) => define"
    " mean(A, {y}); }"
    "rule var { axes x, y; map n on x; map m on y; claims real; tensor A[x:"
    " n, y: m] : float; reduce(+, (A - broadcast(reduce(+, A, {y}) /"
    " count({y: m}), {y: m})) * (A - broadcast(reduce(+, A, {y}) / count({y:"
    " m}), {y: m})), {y}) / count({y: m}) => define var(A, {y}); }"
    "rule softmax { axes x, y; map n on x; map m on y; claims real; tensor"
    " A[x: n, y: m] : float; exp(A) / broadcast(reduce(+, exp(A), {y}), {y:"
    " m}) => define softmax(A, {y}); }"
    "rule logsumexp { axes x, y; map n on x; map m on y; claims real;"
    " tensor A[x: n, y: m] : float; log(reduce(+, exp(A), {y})) => define"
    " logsumexp(A, {y}); }"
    "rule scaled { axes x, y; map n on x; map m on y; claims real; tensor"
    " A[x: n, y: m] : float, W[y: m] : float; scalar e : float; A *"
    " broadcast(W, {x: n}) / broadcast(sqrt(reduce(+, A, {y}) / count({y:"
    " m}) + e), {y: m}) => define scaled(A, W, e, {y}); }"
    "rule cross { axes x, y; map n on x; map m on y; claims real; tensor"
    " A[x: n, y: m] : float, B[x: n, y: m] : float; reduce(+, A * log(B),"
    " {y}) => define cross(A, B, {y}); }";

struct world {
    struct ruleset rules;
    struct fdefines defs;
    struct fterms t;
    struct formula f;
    struct err e;
    struct buf text;
};

static inline bool open(struct world *w, const char *text)
{
    struct err_list errs = {0};
    memset(w, 0, sizeof *w);
    ruleset_init(&w->rules);
    if (!ruleset_parse(&w->rules, definitions, strlen(definitions), "d.rw",
                       &errs))
        fail_msg("%u: %s", errs.at.at[0].col, errs.at.at[0].msg);
    assert_true(fdefines_of(&w->defs, w->rules.rules.len,
                            (const struct rule *const *)w->rules.rules.at,
                            &w->e));
    fterms_init(&w->t);
    return formula_read(&w->f, &w->t, &w->defs, "in", text, &w->e);
}

static inline void close(struct world *w)
{
    formula_release(&w->f);
    fterms_release(&w->t);
    fdefines_release(&w->defs);
    ruleset_release(&w->rules);
    buf_release(&w->text);
}

static inline const char *term_text(struct world *w, fterm x)
{
    buf_clear(&w->text);
    fterm_print(&w->t, x, &w->text);
    return buf_text(&w->text);
}

#endif
