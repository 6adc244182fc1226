// SPDX-License-Identifier: Apache-2.0
// What the structure of a program says: a call is what its function computes, a loop may hand a
// value on unchanged, a branch may always be taken (proof/program/structure.h has why).
#include "api/simplify/simplify.h"

#include "tensor/program/call.h"
#include "tensor/program/region.h"
#include "tensor/program/twins.h"

// A function is copied while the program grows by no more than it was long; a small one, and one
// that is called once, while it grows by no more than eight times that.  Copies have calls, too, so
// without a limit a few lines could become any number.
#define CALL_SMALL 16
#define CALL_GROWTH 8

static void copy_call(struct simplification *run, term_id call, uint32_t function)
{
    struct program *program = &run->in->at;
    uint32_t n = program->functions.at[function].results.len;
    struct copied_call copied = {call, function, program->terms.region.len, run->copied.len};
    struct inlining inlining = {program, &program->terms, call, function, copied.first_region};
    term_id *results = mem_alloc(sizeof *results * (n + 1u));
    uint32_t n_regions = inline_call(&inlining, results);
    if (n_regions != UINT32_MAX) {
        for (uint32_t k = 0; k < n; k++) {
            vec_push(&run->copied, results[k]);
            vec_push(&run->copied_plain, n_regions == 0 || call_is_plain(program, function, k));
        }
        vec_push(&run->calls, copied);
    }
    mem_free(results);
}

static void count_calls(struct simplification *run)
{
    const struct program *program = &run->in->at;
    for (uint32_t f = 0; f < program->functions.len; f++) {
        vec_push(&run->n_calls, 0);
        vec_push(&run->function_size, function_size(program, &program->functions.at[f]));
        vec_push(&run->function_cost, 0);
    }
    for (uint32_t i = 0; i < program->terms.term.len; i++) {
        uint32_t f = term_op(&program->terms, (term_id){i}) == OP_OPAQUE
                         ? called_function(program, program->terms.term.at[i].attr)
                         : NO_FUNCTION;
        if (f != NO_FUNCTION)
            run->n_calls.at[f]++;
    }
}

void simplify_copy_calls(struct simplification *run)
{
    struct program *program = &run->in->at;
    uint64_t length = program->terms.term.len + UINT64_C(64);
    if (program->callees.len == 0)
        return;
    count_calls(run);
    for (uint32_t i = 0; i < program->terms.term.len; i++) { // grows: copies have calls, too
        term_id call = {i};
        if (term_op(&program->terms, call) != OP_OPAQUE)
            continue;
        uint32_t f = called_function(program, term_at(&program->terms, call)->attr);
        if (f == NO_FUNCTION || program->functions.at[f].results.len == 0)
            continue;
        uint32_t size = run->function_size.at[f];
        bool likely = size <= CALL_SMALL || run->n_calls.at[f] == 1;
        if (program->terms.term.len + size <= length + (likely ? CALL_GROWTH : 1) * length)
            copy_call(run, call, f);
    }
}

uint32_t simplify_count(const struct simplification *run, uint32_t n, const term_id *roots)
{
    const struct terms *terms = &run->in->at.terms;
    struct u32_vec reach = {0};
    uint32_t count = 0;
    terms_reach(terms, n, roots, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        enum op op = term_op(terms, (term_id){reach.at[i]});
        count += op != OP_PARAMETER && op != OP_RESULT && op != OP_CONSTANT;
    }
    vec_release(&reach);
    return count;
}

bool simplify_state(struct simplification *run, term_id a, term_id b, struct reason why)
{
    struct err err = {0};
    // A branch may give a tensor of known sizes where the operation gives one of unknown ones.
    const struct terms *terms = &run->in->at.terms;
    if (a.v == b.v || term_type(terms, a).v != term_type(terms, b).v)
        return false;
    egraph_add_term(&run->graph, a);
    egraph_add_term(&run->graph, b);
    if (egraph_same(&run->graph, a, b))
        return false;
    if (!egraph_merge(&run->graph, a, b, why, &err))
        BUG("an equality that is none: %s", err.msg);
    return true;
}

static bool state_calls(struct simplification *run)
{
    bool news = false;
    for (uint32_t i = 0; i < run->calls.len; i++) {
        struct copied_call copied = run->calls.at[i];
        uint32_t n = run->in->at.functions.at[copied.function].results.len;
        for (uint32_t k = 0; k < n; k++)
            news |= simplify_state(run, call_result(&run->in->at.terms, copied.call, k),
                                   run->copied.at[copied.results_at + k],
                                   (struct reason){REASON_CALL, copied.first_region, 0});
    }
    return news;
}

// The parameter of the region with this number.
static term_id region_parameter(struct terms *terms, uint32_t region, uint32_t k, type_id type)
{
    int64_t v[2] = {PARAMETER_OF_REGION(region), k};
    return term_make(terms, OP_PARAMETER, attr_make(terms->pool, 2, v), type, 0, NULL);
}

// Values that a loop of the program returns as it got them, or as it got one that is always equal.
static bool state_carried(struct simplification *run, const struct u32_vec *values,
                          const struct u32_vec *twin, term_id loop, struct opaque_view view)
{
    struct terms *terms = &run->in->at.terms;
    struct opaque_block go = opaque_block(&view, 0), body = opaque_block(&view, 1);
    bool news = false;
    if (go.first != view.n_results || go.n_parameters != go.first ||
        body.n_parameters != go.first || body.n_returns != go.first)
        return false;
    for (uint32_t k = 0; k < go.first; k++) {
        term_id start = term_args(terms, loop)[k];
        term_id back = value_of_term(values, term_args(terms, loop)[body.first + k]);
        type_id type = term_type(terms, start);
        uint32_t from = loop_body_value(terms, &view, back);
        if (from == UINT32_MAX || (from != k && !loop_are_twins(twin, from, k)))
            continue;
        struct reason why = {REASON_CARRIED, loop.v, k};
        term_id inside = region_parameter(terms, view.region, body.first_parameter + k, type);
        news |= simplify_state(run, inside, start, why);
        news |= simplify_state(
            run, region_parameter(terms, view.region, go.first_parameter + k, type), start, why);
        if (!program_is_pinned(&run->in->at, loop))
            news |= simplify_state(run, call_result(terms, loop, k), start, why);
    }
    return news;
}

// Values of a loop of the program that are equal at every step.
static bool state_twins(struct simplification *run, const struct u32_vec *twin, term_id loop,
                        struct opaque_view view)
{
    struct terms *terms = &run->in->at.terms;
    struct reason why = {REASON_TWIN, loop.v, 0};
    bool news = false;
    for (uint32_t k = 0; k < twin->len; k++) {
        type_id type = term_type(terms, term_args(terms, loop)[k]);
        for (uint32_t b = 0; b < 2 && twin->at[k] < k; b++) {
            uint32_t first = opaque_block(&view, b).first_parameter;
            term_id one = region_parameter(terms, view.region, first + k, type);
            term_id other = region_parameter(terms, view.region, first + twin->at[k], type);
            news |= simplify_state(run, one, other, why);
        }
        if (twin->at[k] < k && !program_is_pinned(&run->in->at, loop))
            news |= simplify_state(run, call_result(terms, loop, k),
                                   call_result(terms, loop, twin->at[k]), why);
    }
    return news;
}

static bool state_loop(struct simplification *run, const struct u32_vec *values, term_id loop,
                       struct opaque_view view)
{
    struct terms *terms = &run->in->at.terms;
    struct u32_vec twin = {0};
    bool news = false;
    for (uint32_t called = 0; called < (values->len > 0 ? 2u : 1u); called++) {
        (void)loop_twins(terms, loop, called > 0 ? values : NULL, &twin);
        news |= state_carried(run, values, &twin, loop, view);
        news |= state_twins(run, &twin, loop, view);
    }
    vec_release(&twin);
    return news;
}

static term_id constant_of(struct simplification *run, term_id term)
{
    return egraph_class(&run->graph, egraph_find(&run->graph, term))->constant;
}

// The same operation with another argument, which is equal.
static term_id with_argument(struct terms *terms, term_id id, uint32_t k, term_id arg)
{
    struct term node = *term_at(terms, id);
    term_id *args = mem_alloc(sizeof *args * (node.n_args + 1u));
    memcpy(args, term_args(terms, id), sizeof *args * node.n_args);
    args[k] = arg;
    term_id out = term_make(terms, OP_OPAQUE, node.attr, node.type, node.n_args, args);
    mem_free(args);
    return out;
}

// Marks the regions that have others inside.  Terms of these are computed there and nowhere else, so
// what such a branch gives cannot be taken out of the branch.
static void find_outer_regions(const struct terms *terms, struct u32_vec *outer)
{
    vec_zero(outer, terms->region.len);
    for (uint32_t r = 0; r < terms->region.len; r++) {
        uint32_t around = scope_region(terms->region.at[r].parent);
        if (around != NO_REGION)
            outer->at[around] = 1;
    }
}

// A case or an if on a constant; a loop whose condition is false.
static bool state_branch(struct simplification *run, const struct u32_vec *outer, term_id id,
                         struct opaque_view view)
{
    struct terms *terms = &run->in->at.terms;
    struct opaque_block first = opaque_block(&view, 0);
    bool is_loop = opaque_is(terms, &view, "stablehlo.while");
    uint32_t where = is_loop ? first.first : 0;
    bool news = false;
    if (view.serial != 0 || (is_loop ? first.n_returns : first.first) != 1 ||
        (!is_loop && outer->at[view.region] != 0))
        return false;
    term_id constant = constant_of(run, term_args(terms, id)[where]);
    if (constant.v == NO_TERM.v || type_count(terms->pool, term_type(terms, constant)) != 1)
        return false;
    lit_id literal = term_literal(terms, constant);
    enum elem elem = pool_literal(terms->pool, literal)->elem;
    int64_t at = (int64_t)scalar_to_double(elem, literal_get(terms->pool, literal, 0));
    if (is_loop && at != 0)
        return false;
    if (opaque_is(terms, &view, "stablehlo.if"))
        at = at == 0;
    else if (at < 0 || at >= view.n_blocks)
        at = view.n_blocks - 1;
    struct opaque_block taken = opaque_block(&view, (uint32_t)at);
    if (!is_loop && (taken.n_returns != view.n_results || taken.n_parameters != 0))
        return false;
    term_id same = with_argument(terms, id, where, constant);
    egraph_add_term(&run->graph, same);
    egraph_rebuild(&run->graph);
    for (uint32_t k = 0; k < view.n_results; k++) {
        term_id value = term_args(terms, same)[is_loop ? k : taken.first + k];
        news |= simplify_state(run, call_result(terms, same, k), value,
                               (struct reason){REASON_BRANCH, 0, 0});
    }
    return news;
}

void simplify_find_values(struct simplification *run, struct u32_vec *values)
{
    struct program *program = &run->in->at;
    for (uint32_t i = 0; i < run->calls.len; i++) {
        struct copied_call copied = run->calls.at[i];
        for (uint32_t k = 0; k < program->functions.at[copied.function].results.len; k++) {
            uint32_t at = copied.results_at + k;
            term_id result = call_result(&program->terms, copied.call, k);
            while (values->len <= result.v)
                vec_push(values, 0);
            if (run->copied_plain.at[at] != 0)
                values->at[result.v] = run->copied.at[at].v + 1;
        }
    }
}

bool simplify_state_structure(struct simplification *run)
{
    struct terms *terms = &run->in->at.terms;
    bool news = state_calls(run);
    struct u32_vec outer = {0}, values = {0};
    simplify_find_values(run, &values);
    uint32_t n = terms->term.len;
    egraph_rebuild(&run->graph);
    find_outer_regions(terms, &outer);
    for (uint32_t i = 0; i < n; i++) {
        term_id id = {i};
        if (term_op(terms, id) != OP_OPAQUE || !egraph_known(&run->graph, id))
            continue;
        struct opaque_view view = opaque_view(terms, id);
        if (view.n_blocks == 2 && opaque_is(terms, &view, "stablehlo.while")) {
            // Of the program as it was read, or a copy: no other operation has the region.
            news |= i < run->n_terms && state_loop(run, &values, id, view);
            news |= state_branch(run, &outer, id, view);
        } else if (view.n_blocks > 0 && (opaque_is(terms, &view, "stablehlo.case") ||
                                         opaque_is(terms, &view, "stablehlo.if"))) {
            news |= state_branch(run, &outer, id, view);
        }
    }
    news |= simplify_state_complex(run);
    news |= simplify_state_forms(run);
    egraph_rebuild(&run->graph);
    vec_release(&outer);
    vec_release(&values);
    return news;
}

// A call costs what its function costs.  If the function stays for other calls, then most of a copy
// must vanish: the program grows by it, and a compiler that runs the program copies functions and
// shares equal operations itself.
#define CALL_SHARED 0.25

// Would the program have more operations if every call were a copy?
static bool stays_smaller(const struct simplification *run, uint32_t f)
{
    uint64_t calls = run->n_calls.at[f], size = run->function_size.at[f];
    return calls * size > calls + size;
}

static double cost_with_calls(const struct cost *cost, const struct terms *terms, term_id id)
{
    const struct simplification *run = cost->user;
    uint32_t f = NO_FUNCTION;
    if (term_op(terms, id) == OP_OPAQUE && run->function_cost.len > 0)
        f = called_function(&run->in->at, term_at(terms, id)->attr);
    if (f == NO_FUNCTION)
        return run->cost.node(&run->cost, terms, id) +
               (run->has_sizes ? simplify_size_cost(terms, id) : 0);
    if (strcmp(run->cost.name, "nodes") == 0)
        return cost_nodes().node(NULL, terms, id) + run->function_cost.at[f] / run->n_calls.at[f];
    // The call itself is as much as an operation of the function.
    double one = run->function_cost.at[f] / (run->function_size.at[f] + 1);
    return stays_smaller(run, f) ? run->function_cost.at[f] * CALL_SHARED + one
                                 : run->function_cost.at[f] + run->cost.node(&run->cost, terms, id);
}

struct cost simplify_cost(const struct simplification *run)
{
    struct cost cost = run->cost;
    cost.node = cost_with_calls;
    cost.user = run;
    return cost;
}
