// SPDX-License-Identifier: Apache-2.0
// Lines about calls that no explanation has, and others rest on.
#include "api/simplify/simplify.h"

#include "tensor/program/call.h"
#include "tensor/program/region.h"
#include "tensor/program/twins.h"

static void record_call(const struct simplification *run, struct recorder *recorder,
                        struct copied_call copied)
{
    struct program *program = &run->in->at;
    for (uint32_t k = 0; k < program->functions.at[copied.function].results.len; k++)
        recorder_call(recorder, call_result(&program->terms, copied.call, k),
                      run->copied.at[copied.results_at + k], copied.first_region);
}

struct term_list {
    term_id *at;
    uint32_t len, cap;
};

// Does more follow about the loop's values from what its calls give?
static bool needs_calls(const struct terms *terms, term_id loop, const struct u32_vec *values)
{
    struct u32_vec with = {0}, without = {0};
    struct opaque_view view = opaque_view(terms, loop);
    (void)loop_twins(terms, loop, values, &with);
    (void)loop_twins(terms, loop, NULL, &without);
    bool needs = with.len != without.len;
    for (uint32_t k = 0; k < with.len && !needs; k++)
        needs = with.at[k] != without.at[k];
    for (uint32_t k = 0; k < view.n_results && !needs; k++) {
        term_id back = term_args(terms, loop)[opaque_block(&view, 1).first + k];
        term_id value = value_of_term(values, back);
        needs = value.v != back.v && term_op(terms, value) == OP_PARAMETER;
    }
    vec_release(&with);
    vec_release(&without);
    return needs;
}

// The loops of which lines of the record speak, if their calls matter.
static void calling_loops(struct simplification *run, const struct recorder *recorder,
                          struct term_list *out)
{
    const struct terms *terms = &run->in->at.terms;
    struct u32_vec values = {0}, seen = {0};
    simplify_find_values(run, &values);
    vec_zero(&seen, terms->term.len);
    for (uint32_t i = 0; i < recorder->loops.len; i++) {
        term_id loop = recorder->loops.at[i];
        if (seen.at[loop.v] == 0 && needs_calls(terms, loop, &values))
            vec_push(out, loop);
        seen.at[loop.v] = 1;
    }
    vec_release(&values);
    vec_release(&seen);
}

// Calls below such loops, and below the copies of these.
static void record_calls_below(struct simplification *run, struct recorder *recorder)
{
    struct program *program = &run->in->at;
    struct u32_vec reach = {0}, recorded = {0};
    struct term_list roots = {0};
    calling_loops(run, recorder, &roots);
    vec_zero(&recorded, run->calls.len);
    while (roots.len > 0) {
        struct u32_vec below = {0};
        terms_reach(&program->terms, roots.len, roots.at, &reach);
        vec_zero(&below, program->terms.term.len);
        for (uint32_t i = 0; i < reach.len; i++)
            below.at[reach.at[i]] = 1;
        roots.len = 0;
        for (uint32_t i = 0; i < run->calls.len; i++) {
            struct copied_call copied = run->calls.at[i];
            if (recorded.at[i] != 0 || below.at[copied.call.v] == 0)
                continue;
            recorded.at[i] = 1;
            record_call(run, recorder, copied);
            for (uint32_t k = 0; k < program->functions.at[copied.function].results.len; k++)
                vec_push(&roots, run->copied.at[copied.results_at + k]);
        }
        vec_release(&below);
    }
    vec_release(&roots);
    vec_release(&reach);
    vec_release(&recorded);
}

void simplify_record_calls(struct simplification *run, struct recorder *recorder)
{
    bool sliced = false;
    for (uint32_t i = 0; i < recorder->record->lines.len && !sliced; i++)
        sliced = recorder->record->lines.at[i].kind == LINE_SLICES;
    for (uint32_t i = 0; i < run->calls.len && sliced; i++)
        record_call(run, recorder, run->calls.at[i]);
    if (!sliced && run->calls.len > 0)
        record_calls_below(run, recorder);
}
