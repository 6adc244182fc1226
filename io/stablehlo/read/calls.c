// SPDX-License-Identifier: Apache-2.0
// What a call takes and gives is what its function takes and gives.  A call may stand in front of
// the function, so calls are noted, and compared once all functions of the module are there.
#include "io/stablehlo/read/scan.h"
#include "tensor/program/complex.h"
#include "tensor/program/region.h"

void stablehlo_note_call(struct stablehlo_reader *reader, const struct scanned_op *scanned_op,
                         uint32_t callee, term_id call)
{
    bool typed = scanned_op->types != 0 && mlir_kind(&reader->mlir, scanned_op->types) == '(';
    if (strcmp(scanned_op->name, "func.call") == 0 && callee != NOBODY && typed)
        vec_push(&reader->calls, ((struct written_call){scanned_op->types, callee, call}));
}

struct comparing {
    struct stablehlo_reader *reader;
    const struct function *function;
};

static const char *name_of(const struct comparing *comparing)
{
    return sym_text(comparing->reader->program->pool, comparing->function->name);
}

static bool same_count(const struct comparing *comparing, uint32_t at, const char *what,
                       uint32_t want, uint32_t found)
{
    return want == found ||
           mlir_fail(&comparing->reader->mlir, at, "call of @%.200s: expected %u %s%s, found %u",
                     name_of(comparing), want, what, want == 1 ? "" : "s", found);
}

static bool same_type(const struct comparing *comparing, uint32_t at, const char *what, uint32_t k,
                      type_id want, type_id found)
{
    struct pool *pool = comparing->reader->program->pool;
    if (types_meet(pool, want, found))
        return true;
    struct buf a = {0}, b = {0};
    type_print(pool, want, &a);
    type_print(pool, found, &b);
    mlir_fail(&comparing->reader->mlir, at,
              "call of @%.200s: expected %.200s for %s %u, found %.200s", name_of(comparing),
              buf_text(&a), what, k, buf_text(&b));
    buf_release(&a);
    buf_release(&b);
    return false;
}

// The types of the call begin at the token `from`: "(T, U) -> V".
static bool takes(const struct comparing *comparing, uint32_t from, term_id call)
{
    const struct terms *terms = &comparing->reader->program->terms;
    const struct function *function = comparing->function;
    uint32_t n = term_at(terms, call)->n_args;
    if (!same_count(comparing, from, "operand", function->params.len, n))
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (!same_type(comparing, from, "operand", k, function->params.at[k].type,
                       term_type(terms, term_args(terms, call)[k])))
            return false;
    return true;
}

static bool gives(const struct comparing *comparing, uint32_t from, term_id call)
{
    const struct terms *terms = &comparing->reader->program->terms;
    const struct function *function = comparing->function;
    uint32_t at = comparing->reader->mlir.tok.at[from].match + 2;
    uint32_t n = opaque_view(terms, call).n_results;
    type_id type = term_type(terms, call);
    if (!same_count(comparing, at, "result", function->results.len, n))
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (!same_type(comparing, at, "result", k, function->results.at[k].type,
                       n == 1 ? type : tuple_type(terms->pool, type, k)))
            return false;
    return true;
}

bool stablehlo_check_calls(struct stablehlo_reader *reader)
{
    for (uint32_t i = 0; i < reader->calls.len; i++) {
        const struct written_call *call = &reader->calls.at[i];
        const struct callable *callee = &reader->callable.at[call->callee];
        if (callee->text)
            continue; // of several blocks
        struct comparing comparing = {reader, &reader->program->functions.at[callee->function]};
        if (!takes(&comparing, call->types, call->term) ||
            !gives(&comparing, call->types, call->term))
            return false;
    }
    return true;
}
