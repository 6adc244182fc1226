// SPDX-License-Identifier: Apache-2.0
// What the regions of while, case and if return must be what the operation gives, as StableHLO asks:
// equalities of branches and loops (proof/program/structure.h) rest on it.  Types with sizes that
// are not known are not compared.
#include "io/stablehlo/read/reader.h"
#include "tensor/program/region.h"

struct returning {
    struct stablehlo_reader *reader;
    uint32_t at; // the operation's name
    const char *name;
    term_id term;
    struct opaque_view view;
};

static bool same_count(const struct returning *returning, const char *what, uint32_t want,
                       uint32_t found)
{
    return want == found ||
           mlir_fail(&returning->reader->mlir, returning->at, "'%s': expected %u %s, found %u",
                     returning->name, want, what, found);
}

static bool same_type(const struct returning *returning, const char *what, uint32_t k, type_id want,
                      type_id found)
{
    const struct pool *pool = returning->reader->program->pool;
    if (want.v == found.v || !type_is_tensor(pool, want) || !type_is_tensor(pool, found))
        return true;
    struct buf a = {0}, b = {0};
    type_print(pool, want, &a);
    type_print(pool, found, &b);
    mlir_fail(&returning->reader->mlir, returning->at,
              "'%s': expected %.200s for %s %u, found %.200s", returning->name, buf_text(&a), what,
              k, buf_text(&b));
    buf_release(&a);
    buf_release(&b);
    return false;
}

static type_id argument_type(const struct returning *returning, uint32_t k)
{
    const struct terms *terms = &returning->reader->program->terms;
    return term_type(terms, term_args(terms, returning->term)[k]);
}

// Does the block return the results?
static bool returns_results(const struct returning *returning, struct opaque_block block)
{
    const struct stablehlo_reader *reader = returning->reader;
    if (!same_count(returning, "values that a region returns", returning->view.n_results,
                    block.n_returns))
        return false;
    for (uint32_t k = 0; k < block.n_returns; k++)
        if (!same_type(returning, "the returned value", k, reader->types.at[k],
                       argument_type(returning, block.first + k)))
            return false;
    return true;
}

// A truth value.
static bool decides(const struct returning *returning, type_id found)
{
    type_id want;
    struct err why = {0};
    return !type_tensor(returning->reader->program->pool, ELEM_I1, 0, NULL, &want, &why) ||
           same_type(returning, "the returned value", 0, want, found);
}

// Results that have no names may have been written without types.
static bool check_loop(const struct returning *returning)
{
    struct stablehlo_reader *reader = returning->reader;
    const struct opaque_view *view = &returning->view;
    if (!same_count(returning, "regions", 2, view->n_blocks))
        return false;
    struct opaque_block go = opaque_block(view, 0), body = opaque_block(view, 1);
    if (!same_count(returning, "arguments of the condition", go.first, go.n_parameters) ||
        !same_count(returning, "arguments of the body", go.first, body.n_parameters) ||
        !same_count(returning, "values that the condition returns", 1, go.n_returns) ||
        !decides(returning, argument_type(returning, go.first)))
        return false;
    if (view->n_results == 0)
        return same_count(returning, "values that the body returns", go.first, body.n_returns);
    if (!same_count(returning, "results", go.first, view->n_results))
        return false;
    for (uint32_t k = 0; k < go.first; k++)
        if (!same_type(returning, "operand", k, reader->types.at[k], argument_type(returning, k)))
            return false;
    return returns_results(returning, body);
}

static bool check_branches(const struct returning *returning)
{
    const struct opaque_view *view = &returning->view;
    for (uint32_t b = 0; b < view->n_blocks; b++) {
        struct opaque_block block = opaque_block(view, b);
        if (!same_count(returning, "arguments of a region", 0, block.n_parameters) ||
            !returns_results(returning, block))
            return false;
    }
    return same_count(returning, "operands", 1,
                      view->n_blocks > 0 ? opaque_block(view, 0).first : 1);
}

bool stablehlo_check_returns(struct stablehlo_reader *reader, uint32_t at, const char *name,
                             term_id term)
{
    struct returning returning = {reader, at, name, term,
                                  opaque_view(&reader->program->terms, term)};
    if (strcmp(name, "stablehlo.while") == 0)
        return check_loop(&returning);
    bool branches = strcmp(name, "stablehlo.case") == 0 || strcmp(name, "stablehlo.if") == 0;
    return !branches || check_branches(&returning);
}
