// SPDX-License-Identifier: Apache-2.0
// What the regions of while, case and if return must be what the operation gives, as StableHLO asks:
// equalities of branches and loops (proof/program/structure.h) rest on it.  Those of sort, map and
// reduce take and return single elements.  Types with sizes that are not known are not compared.
#include "io/stablehlo/read/scan.h"
#include "tensor/program/region.h"

struct returning {
    struct stablehlo_reader *reader;
    uint32_t at; // the operation's name
    const char *name;
    term_id term;
    struct opaque_view view;
    const struct opaque_scan *scan;
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

// Is parameter k of the block of this type?
static bool takes(const struct returning *returning, struct opaque_block block, uint32_t k,
                  type_id want)
{
    uint32_t number = (uint32_t)block.first_parameter + k;
    type_id found =
        number < returning->scan->parameters.len ? returning->scan->parameters.at[number] : NO_TYPE;
    return found.v == NO_TYPE.v || same_type(returning, "parameter", k, want, found);
}

// One element of a type; the type itself if its sizes are not known.
static type_id element_type(const struct returning *returning, type_id type)
{
    struct pool *pool = returning->reader->program->pool;
    struct err why = {0};
    type_id out;
    return type_is_tensor(pool, type) &&
                   type_tensor(pool, type_elem(pool, type), 0, NULL, &out, &why)
               ? out
               : type;
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
    for (uint32_t k = 0; k < go.first; k++) {
        type_id type = argument_type(returning, k);
        if (!same_type(returning, "operand", k, reader->types.at[k], type) ||
            !takes(returning, go, k, type) || !takes(returning, body, k, type))
            return false;
    }
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

// Is the comparison one of two elements of each operand?
static bool check_sort(const struct returning *returning)
{
    struct opaque_block block = opaque_block(&returning->view, 0);
    if (!same_count(returning, "arguments of the comparison", 2 * block.first,
                    block.n_parameters) ||
        !same_count(returning, "values that the comparison returns", 1, block.n_returns))
        return false;
    for (uint32_t k = 0; k < block.n_parameters; k++)
        if (!takes(returning, block, k, element_type(returning, argument_type(returning, k / 2))))
            return false;
    return decides(returning, argument_type(returning, block.first));
}

static bool check_map(const struct returning *returning)
{
    struct opaque_block block = opaque_block(&returning->view, 0);
    if (!same_count(returning, "arguments of the region", block.first, block.n_parameters) ||
        !same_count(returning, "values that the region returns", 1, block.n_returns))
        return false;
    for (uint32_t k = 0; k < block.n_parameters; k++)
        if (!takes(returning, block, k, element_type(returning, argument_type(returning, k))))
            return false;
    return returning->view.n_results != 1 ||
           same_type(returning, "the returned value", 0,
                     element_type(returning, returning->reader->types.at[0]),
                     argument_type(returning, block.first));
}

// Operands may be of narrower types than the region.
static bool is_promotable(const struct returning *returning, uint32_t k, type_id to)
{
    const struct pool *pool = returning->reader->program->pool;
    type_id from = element_type(returning, argument_type(returning, k));
    if (!type_is_tensor(pool, from) || !type_is_tensor(pool, to))
        return true;
    enum elem a = type_elem(pool, from), b = type_elem(pool, to);
    return (elem_kind(a) == elem_kind(b) && elem_bits(a) <= elem_bits(b)) ||
           same_type(returning, "an element of operand", k, to, from);
}

static bool check_reduce(const struct returning *returning)
{
    struct opaque_block block = opaque_block(&returning->view, 0);
    uint32_t n = returning->view.n_results;
    if (n == 0)
        return true;
    if (!same_count(returning, "operands", 2 * n, block.first) ||
        !same_count(returning, "arguments of the region", 2 * n, block.n_parameters) ||
        !same_count(returning, "values that the region returns", n, block.n_returns))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        type_id type = element_type(returning, returning->reader->types.at[k]);
        if (!same_type(returning, "the returned value", k, type,
                       argument_type(returning, block.first + k)))
            return false;
        // Of several operands, the pretty form has pairs.
        if (n == 1 && (!takes(returning, block, 0, type) || !takes(returning, block, 1, type) ||
                       !is_promotable(returning, 0, type) || !is_promotable(returning, 1, type)))
            return false;
    }
    return true;
}

bool stablehlo_check_returns(struct opaque_scan *opaque_scan, const struct scanned_op *scanned_op,
                             term_id term)
{
    const char *name = scanned_op->name;
    struct returning returning = {opaque_scan->reader,
                                  scanned_op->at,
                                  name,
                                  term,
                                  opaque_view(&opaque_scan->reader->program->terms, term),
                                  opaque_scan};
    if (strcmp(name, "stablehlo.while") == 0)
        return check_loop(&returning);
    if (strcmp(name, "stablehlo.case") == 0 || strcmp(name, "stablehlo.if") == 0)
        return check_branches(&returning);
    if (returning.view.n_blocks != 1)
        return true;
    return strcmp(name, "stablehlo.sort") == 0     ? check_sort(&returning)
           : strcmp(name, "stablehlo.map") == 0    ? check_map(&returning)
           : strcmp(name, "stablehlo.reduce") == 0 ? check_reduce(&returning)
                                                   : true;
}
