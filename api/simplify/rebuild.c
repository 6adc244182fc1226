// SPDX-License-Identifier: Apache-2.0
// From the saturated e-graph to the output program and its record.
#include "api/simplify/simplify.h"

#include "tensor/program/call.h"
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
    struct cost cost = simplify_cost(run);
    return run->method == EXTRACT_TREE ? terms_cost_tree(&run->in->at.terms, &cost, n, roots)
                                       : terms_cost_dag(&run->in->at.terms, &cost, n, roots);
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
// cheaper.  *cost is theirs.
static bool extract_function(struct simplification *run, const struct extract_request *request,
                             term_id *out, double *cost, struct err *err)
{
    const term_id *roots = request->roots;
    uint32_t n = request->n_roots;
    double before = cost_of(run, roots, n);
    if (!extract_roots(run, request, out, err))
        return false;
    *cost = cost_of(run, out, n);
    if (*cost >= before) {
        memcpy(out, roots, n * sizeof *out);
        *cost = before;
    }
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

// Functions of a program, and their roots before and after.
struct rebuilding {
    struct simplification *run;
    struct class_scopes scopes;
    struct arena mem;
    struct u32_vec *ids;    // by function
    term_id **root, **best; // by function; best: NULL until it is extracted
    struct u32_vec order;   // functions, called ones first
    struct u32_vec seen;    // by function
};

// The functions that function f calls, those that were not seen, behind `waiting`.
static void push_called(const struct rebuilding *rebuilding, uint32_t f, struct u32_vec *waiting)
{
    const struct program *program = &rebuilding->run->in->at;
    struct u32_vec reach = {0};
    if (program->callees.len == 0)
        return;
    terms_reach(&program->terms, rebuilding->ids[f].len, rebuilding->root[f], &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        const struct term *term = &program->terms.term.at[reach.at[i]];
        uint32_t g = term->op == OP_OPAQUE ? called_function(program, term->attr) : NO_FUNCTION;
        if (g != NO_FUNCTION && rebuilding->seen.at[g] == 0)
            vec_push(waiting, g);
    }
    vec_release(&reach);
}

// Puts the function behind those that it calls.  No function calls itself in any number of steps.
static void put_behind_called(struct rebuilding *rebuilding, uint32_t f)
{
    struct u32_vec waiting = {0};
    vec_push(&waiting, f);
    while (waiting.len > 0) {
        uint32_t g = vec_last(&waiting);
        uint32_t *seen = &rebuilding->seen.at[g];
        if (*seen == 0) {
            *seen = 1;
            push_called(rebuilding, g, &waiting);
            continue;
        }
        if (*seen == 1)
            vec_push(&rebuilding->order, g);
        *seen = 2;
        waiting.len--;
    }
    vec_release(&waiting);
}

static void start_rebuilding(struct rebuilding *rebuilding)
{
    const struct program *program = &rebuilding->run->in->at;
    uint32_t n = program->functions.len;
    rebuilding->ids = ARENA_NEW(&rebuilding->mem, struct u32_vec, n + 1u);
    rebuilding->root = ARENA_NEW(&rebuilding->mem, term_id *, n + 1u);
    rebuilding->best = ARENA_NEW(&rebuilding->mem, term_id *, n + 1u);
    for (uint32_t f = 0; f < n; f++) {
        struct u32_vec *ids = &rebuilding->ids[f];
        *ids = (struct u32_vec){0};
        function_roots(&program->functions.at[f], ids);
        rebuilding->root[f] = ARENA_NEW(&rebuilding->mem, term_id, ids->len + 1u);
        rebuilding->best[f] = ARENA_NEW(&rebuilding->mem, term_id, ids->len + 1u);
        for (uint32_t i = 0; i < ids->len; i++)
            rebuilding->root[f][i] = rebuilding->best[f][i] = (term_id){ids->at[i]};
        vec_push(&rebuilding->seen, 0);
    }
    for (uint32_t f = 0; f < n; f++)
        put_behind_called(rebuilding, f);
}

static void end_rebuilding(struct rebuilding *rebuilding)
{
    for (uint32_t f = 0; f < rebuilding->run->in->at.functions.len; f++)
        vec_release(&rebuilding->ids[f]);
    vec_release(&rebuilding->order);
    vec_release(&rebuilding->seen);
    arena_release(&rebuilding->mem);
}

static bool is_called(const struct simplification *run, uint32_t f)
{
    return f < run->n_calls.len && run->n_calls.at[f] > 0;
}

// What the cost of roots has of parameters: a call has arguments in their place.
static double cost_of_parameters(const struct simplification *run, uint32_t n, const term_id *roots)
{
    const struct terms *terms = &run->in->at.terms;
    struct u32_vec reach = {0};
    double sum = 0;
    terms_reach(terms, n, roots, &reach);
    for (uint32_t i = 0; i < reach.len; i++)
        if (term_op(terms, (term_id){reach.at[i]}) == OP_PARAMETER)
            sum += run->cost.node(&run->cost, terms, (term_id){reach.at[i]});
    vec_release(&reach);
    return sum;
}

// From now on a call of function f has the cost of these roots.
static void price_calls(struct simplification *run, uint32_t f, double cost, uint32_t n,
                        const term_id *roots)
{
    if (f >= run->function_cost.len)
        return;
    run->function_cost.at[f] = cost - cost_of_parameters(run, n, roots);
    run->function_size.at[f] = simplify_count(run, n, roots);
}

// The cost of a call is that of the function: before for all, then after for all.
static void costs_before(struct rebuilding *rebuilding)
{
    struct simplification *run = rebuilding->run;
    for (uint32_t i = 0; i < rebuilding->order.len; i++) {
        uint32_t f = rebuilding->order.at[i], n = rebuilding->ids[f].len;
        double cost = cost_of(run, rebuilding->root[f], n);
        price_calls(run, f, cost, n, rebuilding->root[f]);
        run->cost_before += is_called(run, f) ? 0 : cost;
    }
}

static bool extract_functions(struct rebuilding *rebuilding, struct err *err)
{
    struct simplification *run = rebuilding->run;
    struct cost cost = simplify_cost(run);
    for (uint32_t i = 0; i < rebuilding->order.len; i++) {
        uint32_t f = rebuilding->order.at[i];
        const struct function *function = &run->in->at.functions.at[f];
        struct extract_request request = {.model = &cost,
                                          .method = run->method,
                                          .n_roots = rebuilding->ids[f].len,
                                          .roots = rebuilding->root[f],
                                          .n_effects = function->effects.len,
                                          .scopes = &rebuilding->scopes,
                                          .scope = scope_of_function(f)};
        double after = 0;
        if (request.n_roots > 0 &&
            !extract_function(run, &request, rebuilding->best[f], &after, err))
            return false;
        price_calls(run, f, after, request.n_roots, rebuilding->best[f]);
        run->cost_after += is_called(run, f) ? 0 : after;
    }
    return true;
}

// Counts the calls that are left in functions that stay.  True if there are fewer of some function:
// one that is called once now is better copied.
static bool recount_calls(struct rebuilding *rebuilding)
{
    struct simplification *run = rebuilding->run;
    const struct program *program = &run->in->at;
    struct u32_vec left = {0}, waiting = {0};
    bool fewer = false;
    vec_zero(&left, run->n_calls.len);
    for (uint32_t f = 0; f < run->n_calls.len; f++)
        if (strcmp(sym_text(program->pool, program->functions.at[f].visibility), "private") != 0)
            vec_push(&waiting, f);
    for (uint32_t i = 0; i < waiting.len; i++) { // grows: a function comes with its first call
        struct u32_vec reach = {0};
        terms_reach(&program->terms, rebuilding->ids[waiting.at[i]].len,
                    rebuilding->best[waiting.at[i]], &reach);
        for (uint32_t k = 0; k < reach.len; k++) {
            const struct term *term = &program->terms.term.at[reach.at[k]];
            uint32_t g = term->op == OP_OPAQUE ? called_function(program, term->attr) : NO_FUNCTION;
            if (g != NO_FUNCTION && left.at[g]++ == 0 &&
                strcmp(sym_text(program->pool, program->functions.at[g].visibility), "private") ==
                    0)
                vec_push(&waiting, g);
        }
        vec_release(&reach);
    }
    for (uint32_t f = 0; f < run->n_calls.len; f++) {
        fewer |= left.at[f] > 0 && left.at[f] < run->n_calls.at[f];
        if (left.at[f] > 0)
            run->n_calls.at[f] = left.at[f];
    }
    vec_release(&left);
    vec_release(&waiting);
    return fewer;
}

// Function f with its new roots.
static void rebuild_function(const struct rebuilding *rebuilding, uint32_t f, struct function *to)
{
    copy_function(&rebuilding->run->in->at.functions.at[f], to);
    for (uint32_t i = 0; i < rebuilding->ids[f].len; i++) {
        term_id best = rebuilding->best[f][i];
        if (i < to->results.len)
            to->results.at[i].term = best;
        else
            to->effects.at[i - to->results.len] = best;
    }
}

static bool record_function(const struct rebuilding *rebuilding, uint32_t f,
                            struct recorder *recorder, struct err *err)
{
    uint32_t n_results = rebuilding->run->in->at.functions.at[f].results.len;
    for (uint32_t i = 0; i < rebuilding->ids[f].len; i++) {
        struct root_change change = {f, i, rebuilding->root[f][i], rebuilding->best[f][i]};
        if (!(i < n_results ? recorder_goal(recorder, &change, err)
                            : recorder_effect(recorder, &change, err)))
            return false;
    }
    return true;
}

// Functions that nothing names any more go.
static bool keep_functions(struct rebuilding *rebuilding, struct recorder *recorder,
                           struct err *err)
{
    struct simplification *run = rebuilding->run;
    struct program all = run->out;
    struct u32_vec keep = {0};
    bool ok = true;
    memset(&run->out.functions, 0, sizeof run->out.functions);
    functions_needed(&all, &run->in->at.terms, &keep);
    uint32_t module = 0;
    for (uint32_t f = 0; f < all.functions.len; f++) {
        struct function *function = &all.functions.at[f];
        for (; module < all.modules.len && run->in->at.modules.at[module].functions_end <= f;
             module++)
            run->out.modules.at[module].functions_end = run->out.functions.len;
        if (keep.at[f] == 0) {
            vec_release(&function->params);
            vec_release(&function->results);
            vec_release(&function->effects);
            continue;
        }
        vec_push(&run->out.functions, *function);
        ok = ok && record_function(rebuilding, f, recorder, err);
    }
    for (; module < all.modules.len; module++)
        run->out.modules.at[module].functions_end = run->out.functions.len;
    vec_release(&all.functions);
    vec_release(&keep);
    return ok;
}

static void keep_notes(const struct rebuilding *rebuilding)
{
    VEC(term_id) all = {0};
    for (uint32_t f = 0; f < rebuilding->run->in->at.functions.len; f++)
        for (uint32_t i = 0; i < rebuilding->ids[f].len; i++)
            vec_push(&all, rebuilding->best[f][i]);
    simplify_keep(rebuilding->run, all.len, all.at);
    simplify_note(rebuilding->run, all.len, all.at);
    vec_release(&all);
}

// Extracts every function, states its goals, and fills `out`.
bool simplify_rebuild(struct simplification *run, struct recorder *recorder, struct err *err)
{
    struct program *out = &run->out;
    struct rebuilding rebuilding = {.run = run};
    program_init(out, &run->in->pool);
    run->has_out = true;
    out->format = run->in->at.format;
    for (uint32_t i = 0; i < run->in->at.modules.len; i++)
        vec_push(&out->modules, run->in->at.modules.at[i]);
    for (uint32_t i = 0; i < run->in->at.extras.len; i++)
        vec_push(&out->extras, run->in->at.extras.at[i]);
    class_scopes_init(&rebuilding.scopes, &run->graph);
    start_rebuilding(&rebuilding);
    costs_before(&rebuilding);
    bool ok = extract_functions(&rebuilding, err);
    while (ok && recount_calls(&rebuilding)) {
        run->cost_after = 0;
        ok = extract_functions(&rebuilding, err);
    }
    for (uint32_t f = 0; ok && f < run->in->at.functions.len; f++) {
        struct function to;
        rebuild_function(&rebuilding, f, &to);
        vec_push(&out->functions, to);
    }
    ok = ok && keep_functions(&rebuilding, recorder, err);
    if (ok)
        simplify_record_calls(run, recorder);
    if (ok)
        keep_notes(&rebuilding);
    class_scopes_release(&rebuilding.scopes);
    end_rebuilding(&rebuilding);
    return ok;
}
