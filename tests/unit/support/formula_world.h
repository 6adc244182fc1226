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
    struct fterms terms;
    struct formula formula;
    struct err err;
    struct buf text;
};

static inline bool open(struct world *world, const char *text)
{
    struct err_list errs = {0};
    memset(world, 0, sizeof *world);
    ruleset_init(&world->rules);
    if (!ruleset_parse(&world->rules, definitions, strlen(definitions), "d.rw", &errs))
        fail_msg("%u: %s", errs.at.at[0].col, errs.at.at[0].msg);
    assert_true(fdefines_of(&world->defs, world->rules.rules.len,
                            (const struct rule *const *)world->rules.rules.at, &world->err));
    fterms_init(&world->terms);
    return formula_read(&world->formula, &world->terms, &world->defs, "in", text, &world->err);
}

static inline void close(struct world *world)
{
    formula_release(&world->formula);
    fterms_release(&world->terms);
    fdefines_release(&world->defs);
    ruleset_release(&world->rules);
    buf_release(&world->text);
}

static inline const char *term_text(struct world *world, fterm term)
{
    buf_clear(&world->text);
    fterm_print(&world->terms, term, &world->text);
    return buf_text(&world->text);
}

#endif
