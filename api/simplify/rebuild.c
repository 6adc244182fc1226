// SPDX-License-Identifier: Apache-2.0
// From the saturated e-graph to the output program and its record.
#include "api/simplify/simplify.h"

#include "tensor/program/region.h"

void simplify_roots(const struct simplification *run, struct u32_vec *roots)
{
    struct u32_vec one = {0};
    for (uint32_t f = 0; f < run->in->at.functions.len; f++) {
        function_roots(&run->in->at.functions.at[f], &one);
        for (uint32_t i = 0; i < one.len; i++)
            vec_push(roots, one.at[i]);
    }
    vec_release(&one);
}

static double cost_of(const struct simplification *run, const term_id *roots, uint32_t n)
{
    return run->method == EXTRACT_TREE ? terms_cost_tree(&run->in->at.terms, &run->cost, n, roots)
                                       : terms_cost_dag(&run->in->at.terms, &run->cost, n, roots);
}

// Extracts the results and the side effects (roots from n_results on); a side effect stays the
// same operation, even if its result is known to equal a cheaper term.
static bool extract_roots(struct simplification *run, const struct extract_request *request,
                          term_id *out, struct err *err)
{
    struct extraction extraction = {0};
    bool ok = extract(&run->graph, request, out, &extraction, err);
    run->unproved |= ok && run->method == EXTRACT_EXACT && !extraction.proved;
    for (uint32_t i = 0; i < extraction.at.len; i++)
        vec_push(&run->picks, extraction.at.at[i].node.v);
    extraction_release(&extraction);
    return ok;
}

// The cheapest roots of one function, or its own roots if no others are
// cheaper.
static bool extract_function(struct simplification *run, const struct extract_request *request,
                             term_id *out, struct err *err)
{
    const term_id *roots = request->roots;
    uint32_t n = request->n_roots;
    double before = cost_of(run, roots, n);
    if (!extract_roots(run, request, out, err))
        return false;
    double after = cost_of(run, out, n);
    if (after >= before)
        memcpy(out, roots, n * sizeof *out);
    run->cost_before += before;
    run->cost_after += after < before ? after : before;
    return true;
}

static void copy_function(const struct function *from, struct function *to)
{
    *to = *from;
    memset(&to->params, 0, sizeof to->params);
    memset(&to->results, 0, sizeof to->results);
    memset(&to->effects, 0, sizeof to->effects);
    for (uint32_t i = 0; i < from->params.len; i++)
        vec_push(&to->params, from->params.at[i]);
    for (uint32_t i = 0; i < from->results.len; i++)
        vec_push(&to->results, from->results.at[i]);
    for (uint32_t i = 0; i < from->effects.len; i++)
        vec_push(&to->effects, from->effects.at[i]);
}

// Extracts every function, states its goals, and fills `out`.
bool simplify_rebuild(struct simplification *run, struct recorder *recorder, struct err *err)
{
    struct program *out = &run->out;
    program_init(out, &run->in->pool);
    run->has_out = true;
    out->module_name = run->in->at.module_name;
    out->module_attrs = run->in->at.module_attrs;
    out->has_module = run->in->at.has_module;
    for (uint32_t i = 0; i < run->in->at.extras.len; i++)
        vec_push(&out->extras, run->in->at.extras.at[i]);
    bool ok = true;
    struct arena mem = {0};
    struct class_scopes scopes;
    class_scopes_init(&scopes, &run->graph);
    for (uint32_t f = 0; ok && f < run->in->at.functions.len; f++) {
        const struct function *from = &run->in->at.functions.at[f];
        struct function to;
        struct u32_vec ids = {0};
        function_roots(from, &ids);
        term_id *roots = ARENA_NEW(&mem, term_id, ids.len + 1);
        term_id *best = ARENA_NEW(&mem, term_id, ids.len + 1);
        for (uint32_t i = 0; i < ids.len; i++)
            roots[i].v = ids.at[i];
        copy_function(from, &to);
        ok = from->declaration || ids.len == 0 ||
             extract_function(run,
                              &(struct extract_request){.model = &run->cost,
                                                        .method = run->method,
                                                        .n_roots = ids.len,
                                                        .roots = roots,
                                                        .n_effects = from->effects.len,
                                                        .scopes = &scopes,
                                                        .scope = scope_of_function(f)},
                              best, err);
        for (uint32_t i = 0; ok && !from->declaration && i < ids.len; i++) {
            if (i < to.results.len)
                to.results.at[i].term = best[i];
            else
                to.effects.at[i - to.results.len] = best[i];
            struct root_change change = {f, i, roots[i], best[i]};
            ok = i < to.results.len ? recorder_goal(recorder, &change, err)
                                    : recorder_effect(recorder, &change, err);
        }
        vec_push(&out->functions, to);
        vec_release(&ids);
    }
    class_scopes_release(&scopes);
    arena_release(&mem);
    return ok;
}
