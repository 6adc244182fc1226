// SPDX-License-Identifier: Apache-2.0
// Terms with values: a graph is evaluated in the order of ids, so operands come first and depth
// costs nothing.  What a region computes has a list of its own (tensor/program/region.h): it is
// evaluated each time the region runs.
#include "tensor/eval/parts.h"

#include "tensor/limits.h"
#include "tensor/program/call.h"
#include "tensor/program/form.h"
#include "tensor/program/region.h"

#include <fenv.h>
#include <stdlib.h>

// The terms that a block computes from the parameters of its region, in order; behind them the
// parameters that only regions in it use.
struct block_list {
    uint32_t term, block; // of the operation
    struct u32_vec at;
};

// What an evaluation has done so far.
struct effort {
    uint32_t steps;       // of loops and calls
    uint32_t bodies;      // runs of the body of a reduce, sort or map
    uint32_t calls;       // inside one another, now
    const char *unknown;  // text of the first operation whose value was invented; NULL: none
    struct rng *rounding; // chooses how each operation rounds f64; NULL: to the nearest
};

struct evaluator {
    const struct eval_input *given;
    const struct program *program; // whose calls are known, or NULL
    struct effort *effort;
    struct opaque_value *slot; // by term id
    struct u32_vec scope;      // by term id; empty until an operation has a region
    VEC(struct block_list) lists;
    uint32_t *list_of; // term id -> first of its block lists, + 1
    bool met;          // a parameter was met, of this function
    int64_t function;
};

static bool eval_list(struct evaluator *evaluator, uint32_t n, const uint32_t *list,
                      struct err *err);

static bool eval_parameter(struct evaluator *evaluator, const struct term *node,
                           struct opaque_value *out, struct err *err)
{
    const int64_t *v = attr_at(evaluator->given->terms->pool, node->attr);
    if (v[0] < 0)
        return err_set(err, ERR_INPUT, "a parameter of a region outside of it");
    if (evaluator->met && v[0] != evaluator->function)
        return err_set(err, ERR_INPUT, "parameters of two functions");
    evaluator->met = true;
    evaluator->function = v[0];
    if (v[1] < 0 || v[1] >= (int64_t)evaluator->given->n_params)
        return err_set(err, ERR_INPUT, "no value was given for parameter %lld", (long long)v[1]);
    type_id type = evaluator->given->params[v[1]].type;
    if (type.v != node->type.v && !type_allows(evaluator->given->terms->pool, node->type, type))
        return err_set(err, ERR_INPUT, "the value for parameter %lld has another type",
                       (long long)v[1]);
    out->value = evaluator->given->params[v[1]];
    return true;
}

// A parameter of HLO that comes after other instructions is a text: it is the parameter of that
// number of the function.
static bool late_parameter(const struct evaluator *evaluator, term_id id, uint32_t *k)
{
    static const char opens[] = "parameter(";
    const struct terms *terms = evaluator->given->terms;
    struct opaque_view view = opaque_view(terms, id);
    size_t n;
    char *end;
    if (evaluator->program == NULL || evaluator->program->format != PROGRAM_HLO ||
        view.serial == 0 || view.n_blocks > 0 ||
        scope_region(scope_of_node(terms, id)) != NO_REGION)
        return false;
    const char *name = opaque_name(sym_text(terms->pool, view.text), &n);
    if (strncmp(name, opens, sizeof opens - 1) != 0)
        return false;
    unsigned long number = strtoul(name + sizeof opens - 1, &end, 10);
    *k = (uint32_t)number;
    return *end == ')' && number < evaluator->given->n_params &&
           evaluator->given->params[number].type.v == term_type(terms, id).v;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t scope_of_term(struct evaluator *evaluator, uint32_t id)
{
    scopes_extend(evaluator->given->terms, &evaluator->scope);
    return evaluator->scope.at[id];
}

// The terms that `roots` need, in order; not those inside regions, nor, if `scope` is
// that of a region, those that do not depend on the region.
static void needed(struct evaluator *evaluator, uint32_t n, const term_id *roots, uint32_t scope,
                   struct u32_vec *out)
{
    const struct terms *terms = evaluator->given->terms;
    uint8_t *seen = mem_alloc(terms->term.len + 1u);
    memset(seen, 0, terms->term.len);
    struct u32_vec stack = {0};
    for (uint32_t k = 0; k < n; k++)
        vec_push(&stack, roots[k].v);
    while (stack.len > 0) {
        term_id id = {vec_pop(&stack)};
        if (seen[id.v] ||
            (scope != SCOPE_CLOSED && !scope_has(terms, scope_of_term(evaluator, id.v), scope)))
            continue;
        seen[id.v] = 1;
        vec_push(out, id.v);
        for (uint32_t k = 0; k < term_at(terms, id)->n_args; k++)
            if (argument_role(terms, id, k).place == ARGUMENT_OPERAND)
                vec_push(&stack, term_args(terms, id)[k].v);
    }
    if (out->len > 0)
        qsort(out->at, out->len, sizeof *out->at, by_id);
    vec_release(&stack);
    mem_free(seen);
}

// What stands outside the blocks of an operation and is used in them gets its value once; in a
// region around the operation, each time.
static bool eval_outside(struct evaluator *evaluator, term_id id, const struct opaque_view *view,
                         struct err *err)
{
    const struct terms *terms = evaluator->given->terms;
    uint32_t own = scope_of_region(view->region);
    struct u32_vec all = {0}, outer = {0};
    VEC(term_id) roots = {0};
    for (uint32_t b = 0; b < view->n_blocks; b++) {
        struct opaque_block block = opaque_block(view, b);
        for (uint32_t k = 0; k < block.n_returns; k++)
            vec_push(&roots, term_args(terms, id)[block.first + k]);
    }
    terms_reach(terms, roots.len, roots.at, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        uint32_t scope = scope_of_term(evaluator, all.at[i]);
        // Inner regions are looked at when they run.
        if (!scope_has(terms, scope, own) && scope_has(terms, own, scope) &&
            (evaluator->slot[all.at[i]].value.type.v == NO_TYPE.v ||
             (scope_region(scope) != NO_REGION &&
              term_op(terms, (term_id){all.at[i]}) != OP_PARAMETER)))
            vec_push(&outer, all.at[i]);
    }
    bool ok = eval_list(evaluator, outer.len, outer.at, err);
    vec_release(&roots);
    vec_release(&all);
    vec_release(&outer);
    return ok;
}

// Appends the parameters that the block binds and only regions in it use: these find their values
// where the block leaves them.
static void add_inner_parameters(const struct evaluator *evaluator, term_id id,
                                 const struct opaque_view *view, uint32_t b, struct u32_vec *out)
{
    const struct terms *terms = evaluator->given->terms;
    struct opaque_block block = opaque_block(view, b);
    struct u32_vec reach = {0};
    uint32_t at = 0, n = out->len; // ascending, as reach is
    terms_reach(terms, block.n_returns, term_args(terms, id) + block.first, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        term_id term = {reach.at[i]};
        while (at < n && out->at[at] < term.v)
            at++;
        if ((at < n && out->at[at] == term.v) || term_op(terms, term) != OP_PARAMETER)
            continue;
        const int64_t *v = attr_at(terms->pool, term_at(terms, term)->attr);
        if (v[0] == PARAMETER_OF_REGION(view->region) && v[1] >= block.first_parameter &&
            v[1] < (int64_t)block.first_parameter + block.n_parameters)
            vec_push(out, term.v);
    }
    vec_release(&reach);
}

static const struct block_list *list_of_block(struct evaluator *evaluator, term_id id,
                                              const struct opaque_view *view, uint32_t b)
{
    const struct terms *terms = evaluator->given->terms;
    if (evaluator->list_of[id.v] == 0) {
        evaluator->list_of[id.v] = evaluator->lists.len + 1;
        for (uint32_t k = 0; k < view->n_blocks; k++) {
            struct opaque_block block = opaque_block(view, k);
            struct block_list list = {id.v, k, {0}};
            needed(evaluator, block.n_returns, term_args(terms, id) + block.first,
                   scope_of_region(view->region), &list.at);
            add_inner_parameters(evaluator, id, view, k, &list.at);
            vec_push(&evaluator->lists, list);
        }
    }
    return &evaluator->lists.at[evaluator->list_of[id.v] - 1 + b];
}

// Runs block b on `n` parameter values; out[k] is the k-th value that it returns.
static bool run_block(struct evaluator *evaluator, term_id id, const struct opaque_view *view,
                      uint32_t b, uint32_t n, const struct opaque_value *params,
                      struct opaque_value *out, struct err *err)
{
    const struct terms *terms = evaluator->given->terms;
    struct opaque_block block = opaque_block(view, b);
    struct u32_vec wanted = {0};
    const struct block_list *list = list_of_block(evaluator, id, view, b);
    for (uint32_t i = 0; i < list->at.len; i++) {
        term_id t = {list->at.at[i]};
        if (term_op(terms, t) != OP_PARAMETER) {
            vec_push(&wanted, t.v);
            continue;
        }
        int64_t k = attr_at(terms->pool, term_at(terms, t)->attr)[1] - block.first_parameter;
        if (k < 0 || k >= n ||
            (params[k].value.type.v != term_type(terms, t).v &&
             !type_allows(terms->pool, term_type(terms, t), params[k].value.type))) {
            vec_release(&wanted);
            return err_set(err, ERR_INPUT, "a region has a parameter of another type");
        }
        evaluator->slot[t.v] = params[k];
    }
    bool ok = eval_list(evaluator, wanted.len, wanted.at, err);
    for (uint32_t k = 0; ok && k < block.n_returns; k++)
        out[k] = evaluator->slot[term_args(terms, id)[block.first + k].v];
    vec_release(&wanted);
    return ok;
}

static int64_t truth(const struct terms *terms, const struct opaque_value *value)
{
    enum elem elem = type_elem(terms->pool, value->value.type);
    return (int64_t)scalar_to_double(elem, scalar_load(elem, value->value.data, 0));
}

// A tuple of the results, or the only one.
static void set_results(struct evaluator *evaluator, term_id id, uint32_t n,
                        const struct opaque_value *results, struct opaque_value *out)
{
    struct arena *arena = evaluator->given->arena;
    if (n == 1) {
        *out = results[0];
        return;
    }
    struct value *value = ARENA_NEW(arena, struct value, n + 1u);
    struct digest *digest = ARENA_NEW(arena, struct digest, n + 1u);
    for (uint32_t k = 0; k < n; k++) {
        value[k] = results[k].value;
        digest[k] = results[k].digest != NULL ? results[k].digest[0] : (struct digest){0};
    }
    out->value = (struct value){term_type(evaluator->given->terms, id), value};
    out->digest = digest;
}

static bool take_step(struct evaluator *evaluator, struct err *err)
{
    return ++evaluator->effort->steps <= TENSOR_EVAL_LOOP ||
           err_set(err, ERR_LIMIT, "loops and calls take more than %d steps", TENSOR_EVAL_LOOP);
}

static bool run_while(struct evaluator *evaluator, term_id id, const struct opaque_view *view,
                      uint32_t n, struct opaque_value *state, struct err *err)
{
    struct opaque_value go;
    struct opaque_value *next = ARENA_NEW(evaluator->given->arena, struct opaque_value, n + 1u);
    for (;;) {
        if (!take_step(evaluator, err))
            return false;
        if (!run_block(evaluator, id, view, 0, n, state, &go, err))
            return false;
        if (truth(evaluator->given->terms, &go) == 0)
            return true;
        if (!run_block(evaluator, id, view, 1, n, state, next, err))
            return false;
        memcpy(state, next, sizeof *state * n);
    }
}

static void note_unknown(struct evaluator *evaluator, term_id id)
{
    if (evaluator->effort->unknown == NULL)
        evaluator->effort->unknown =
            sym_text(evaluator->given->terms->pool, opaque_view(evaluator->given->terms, id).text);
}

// What any other region makes of fixed numbers goes to the opaque operation as more operands.
static bool run_unknown(struct evaluator *evaluator, term_id id, const struct opaque_view *view,
                        struct opaque_value *operands, struct opaque_value *out, struct err *err)
{
    const struct terms *terms = evaluator->given->terms;
    struct arena *arena = evaluator->given->arena;
    const struct term *node = term_at(terms, id);
    struct rng rng;
    VEC(struct opaque_value) params = {0};
    bool ok = true;
    note_unknown(evaluator, id);
    // Parameters that a body does not use have no node.
    for (uint32_t t = 0; t < terms->term.len; t++) {
        if (term_op(terms, (term_id){t}) != OP_PARAMETER ||
            scope_of_node(terms, (term_id){t}) != scope_of_region(view->region))
            continue;
        uint32_t k = (uint32_t)attr_at(terms->pool, terms->term.at[t].attr)[1];
        while (params.len <= k)
            vec_push(&params, (struct opaque_value){0});
        rng_seed(&rng, k + 1u);
        if (type_is_tensor(terms->pool, terms->term.at[t].type))
            params.at[k].value =
                value_random(terms->pool, terms->term.at[t].type, &rng, false, arena);
        else
            params.at[k].value.type = terms->term.at[t].type;
    }
    for (uint32_t b = 0; ok && b < view->n_blocks; b++) {
        struct opaque_block block = opaque_block(view, b);
        uint32_t from = block.first_parameter < params.len ? block.first_parameter : params.len;
        ok = run_block(evaluator, id, view, b, params.len - from, params.at + from,
                       operands + block.first, err);
        for (uint32_t k = 0; k < block.n_effects; k++)
            operands[block.first + block.n_returns + k] = (struct opaque_value){
                .value.type =
                    term_type(terms, term_args(terms, id)[block.first + block.n_returns + k])};
    }
    vec_release(&params);
    return ok && eval_slot(terms->pool,
                           (struct operation){OP_OPAQUE, node->attr, node->type, node->n_args},
                           operands, arena, out, err);
}

// Does the block return the results of the operation?
static bool gives_results(const struct terms *terms, term_id id, const struct opaque_view *view,
                          uint32_t b)
{
    struct opaque_block block = opaque_block(view, b);
    type_id type = term_type(terms, id);
    bool ok = block.n_returns == view->n_results;
    for (uint32_t k = 0; ok && k < block.n_returns; k++) {
        type_id want = view->n_results == 1 ? type : tuple_type(terms->pool, type, k);
        ok = term_type(terms, term_args(terms, id)[block.first + k]).v == want.v;
    }
    return ok;
}

// Is the operation a while of StableHLO, and not only named so?
static bool is_while(const struct terms *terms, term_id id, const struct opaque_view *view)
{
    uint32_t n = opaque_block(view, 0).first;
    type_id type = term_type(terms, id), go;
    if (view->n_blocks != 2 || n != view->n_results || opaque_block(view, 0).n_returns != 1 ||
        !gives_results(terms, id, view, 1))
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (term_type(terms, term_args(terms, id)[k]).v !=
            (n == 1 ? type : tuple_type(terms->pool, type, k)).v)
            return false;
    go = term_type(terms, term_args(terms, id)[n]);
    return type_is_tensor(terms->pool, go) && type_count(terms->pool, go) == 1;
}

struct body_of {
    struct evaluator *evaluator;
    term_id id;
    const struct opaque_view *view;
};

static bool run_body(void *ctx, uint32_t n, const struct opaque_value *params,
                     struct opaque_value *out, struct err *err)
{
    const struct body_of *body = ctx;
    if (++body->evaluator->effort->bodies > TENSOR_EVAL_BODIES)
        return err_set(err, ERR_LIMIT,
                       "bodies of reductions and sorts are run for more than %d elements",
                       TENSOR_EVAL_BODIES);
    return run_block(body->evaluator, body->id, body->view, 0, n, params, out, err);
}

// The conditional of HLO: its operands are the index and what each branch gets.
static bool run_conditional(struct evaluator *evaluator, term_id id, const struct opaque_view *view,
                            struct opaque_value *operands, struct opaque_value *out, bool *known,
                            struct err *err)
{
    const struct terms *terms = evaluator->given->terms;
    const struct value *index = &operands[0].value;
    if (!opaque_is(terms, view, "hlo.conditional") || view->n_blocks == 0 ||
        !type_is_tensor(terms->pool, index->type) || index->data == NULL ||
        type_rank(terms->pool, index->type) != 0)
        return true;
    int64_t k = truth(terms, &operands[0]);
    if (type_elem(terms->pool, index->type) == ELEM_I1)
        k = k == 0;
    else if (k < 0 || k >= view->n_blocks)
        k = view->n_blocks - 1;
    *known = k < view->n_blocks && gives_results(terms, id, view, (uint32_t)k);
    if (!*known)
        return true;
    struct opaque_block block = opaque_block(view, (uint32_t)k);
    struct opaque_value *results =
        ARENA_NEW(evaluator->given->arena, struct opaque_value, view->n_results + 1u);
    if (block.first_parameter + block.n_parameters + 1 > opaque_block(view, 0).first)
        return err_set(err, ERR_INPUT, "a conditional has other operands than parameters");
    if (!run_block(evaluator, id, view, (uint32_t)k, block.n_parameters,
                   operands + 1 + block.first_parameter, results, err))
        return false;
    set_results(evaluator, id, view->n_results, results, out);
    return true;
}

static bool eval_region_op(struct evaluator *evaluator, term_id id, struct opaque_value *operands,
                           struct opaque_value *out, struct err *err)
{
    const struct terms *terms = evaluator->given->terms;
    struct opaque_view view = opaque_view(terms, id);
    uint32_t n = opaque_block(&view, 0).first;
    if (!eval_outside(evaluator, id, &view, err))
        return false;
    if (opaque_is(terms, &view, "stablehlo.while") && is_while(terms, id, &view)) {
        if (!run_while(evaluator, id, &view, n, operands, err))
            return false;
        set_results(evaluator, id, n, operands, out);
        return true;
    }
    if ((opaque_is(terms, &view, "stablehlo.case") || opaque_is(terms, &view, "stablehlo.if")) &&
        n == 1 && type_is_tensor(terms->pool, operands[0].value.type) &&
        operands[0].value.data != NULL) {
        int64_t k = truth(terms, &operands[0]);
        if (opaque_is(terms, &view, "stablehlo.if"))
            k = k == 0;
        else if (k < 0 || k >= view.n_blocks)
            k = view.n_blocks - 1;
        if (k < view.n_blocks && gives_results(terms, id, &view, (uint32_t)k)) {
            struct opaque_value *results =
                ARENA_NEW(evaluator->given->arena, struct opaque_value, view.n_results + 1u);
            if (!run_block(evaluator, id, &view, (uint32_t)k, 0, NULL, results, err))
                return false;
            set_results(evaluator, id, view.n_results, results, out);
            return true;
        }
    }
    bool known = false;
    if (!run_conditional(evaluator, id, &view, operands, out, &known, err))
        return false;
    if (known)
        return true;
    struct body_of body = {evaluator, id, &view};
    struct opaque_value *results =
        ARENA_NEW(evaluator->given->arena, struct opaque_value, view.n_results + 1u);
    if (!bodies_eval(terms, id, &view, operands, &(struct region_body){&body, run_body},
                     evaluator->given->arena, results, &known, err))
        return false;
    if (!known)
        return run_unknown(evaluator, id, &view, operands, out, err);
    set_results(evaluator, id, view.n_results, results, out);
    return true;
}

static bool run_function(const struct program *program, uint32_t function,
                         const struct value *params, struct arena *arena, struct effort *effort,
                         struct value *out, struct err *err);

// A call of a pure function runs the function; *known is false if it cannot.
static bool eval_call(struct evaluator *evaluator, term_id id, const struct opaque_value *operands,
                      struct opaque_value *out, bool *known, struct err *err)
{
    const struct program *program = evaluator->program;
    const struct term *node = term_at(evaluator->given->terms, id);
    uint32_t f = program == NULL ? NO_FUNCTION : called_function(program, node->attr);
    *known = f != NO_FUNCTION && program->functions.at[f].params.len == node->n_args;
    for (uint32_t k = 0; *known && k < node->n_args; k++)
        *known = type_is_tensor(program->pool, operands[k].value.type);
    if (!*known)
        return true;
    struct arena *arena = evaluator->given->arena;
    uint32_t n = program->functions.at[f].results.len;
    struct value *params = ARENA_NEW(arena, struct value, node->n_args + 1u);
    struct value *values = ARENA_NEW(arena, struct value, n + 1u);
    struct opaque_value *results = ARENA_NEW(arena, struct opaque_value, n + 1u);
    for (uint32_t k = 0; k < node->n_args; k++)
        params[k] = operands[k].value;
    if (!take_step(evaluator, err))
        return false;
    if (++evaluator->effort->calls > TENSOR_EVAL_CALLS)
        return err_set(err, ERR_LIMIT, "more than %d calls inside one another", TENSOR_EVAL_CALLS);
    if (!run_function(program, f, params, arena, evaluator->effort, values, err))
        return false;
    evaluator->effort->calls--;
    for (uint32_t k = 0; k < n; k++)
        results[k] = (struct opaque_value){.value = values[k]};
    set_results(evaluator, id, n, results, out);
    return true;
}

// An optimization_barrier hands its operands on.
static bool is_barrier(const struct terms *terms, term_id id)
{
    struct opaque_view view = opaque_view(terms, id);
    const term_id *args = term_args(terms, id);
    uint32_t n = term_at(terms, id)->n_args;
    bool ok = opaque_is(terms, &view, "stablehlo.optimization_barrier") && n == view.n_results;
    for (uint32_t k = 0; ok && k < n; k++)
        ok = term_type(terms, args[k]).v ==
             (n == 1 ? term_type(terms, id) : tuple_type(terms->pool, term_type(terms, id), k)).v;
    return ok;
}

static bool eval_term(struct evaluator *evaluator, term_id id, struct opaque_value *out,
                      struct err *err)
{
    const struct terms *terms = evaluator->given->terms;
    const struct term *node = term_at(terms, id);
    const term_id *args = term_args(terms, id);
    struct opaque_value *operands =
        ARENA_NEW(evaluator->given->arena, struct opaque_value, node->n_args + 1);
    for (uint32_t i = 0; i < node->n_args; i++)
        operands[i] = evaluator->slot[args[i].v];
    if (node->op == OP_PARAMETER)
        return eval_parameter(evaluator, node, out, err);
    bool known = false;
    if (node->op == OP_OPAQUE && !eval_call(evaluator, id, operands, out, &known, err))
        return false;
    if (!known && node->op == OP_OPAQUE && evaluator->program != NULL &&
        !form_eval(evaluator->program, node, operands, evaluator->given->arena, out, &known, err))
        return false;
    if (!known && node->op == OP_OPAQUE && evaluator->program != NULL &&
        !complex_eval(evaluator->program, terms, id, operands, evaluator->given->arena, out, &known,
                      err))
        return false;
    if (known)
        return true;
    if (node->op == OP_OPAQUE && opaque_view(terms, id).n_blocks > 0)
        return eval_region_op(evaluator, id, operands, out, err);
    uint32_t k;
    if (node->op == OP_OPAQUE && late_parameter(evaluator, id, &k)) {
        out->value = evaluator->given->params[k];
        return true;
    }
    if (node->op == OP_OPAQUE && is_barrier(terms, id)) {
        set_results(evaluator, id, node->n_args, operands, out);
        return true;
    }
    if (node->op == OP_OPAQUE)
        note_unknown(evaluator, id);
    return eval_slot(terms->pool,
                     (struct operation){(enum op)node->op, node->attr, node->type, node->n_args},
                     operands, evaluator->given->arena, out, err);
}

static bool eval_list(struct evaluator *evaluator, uint32_t n, const uint32_t *list,
                      struct err *err)
{
    struct rng *rounding = evaluator->effort->rounding;
    for (uint32_t i = 0; i < n; i++) {
        struct opaque_value out = {0};
        if (rounding != NULL)
            (void)fesetround(rng_below(rounding, 2) ? FE_UPWARD : FE_DOWNWARD);
        if (!eval_term(evaluator, (term_id){list[i]}, &out, err))
            return false;
        evaluator->slot[list[i]] = out;
    }
    return true;
}

static bool eval_roots(const struct program *program, struct effort *effort,
                       const struct eval_input *input, uint32_t n_roots, const term_id *roots,
                       struct value *out, struct err *err)
{
    const struct terms *terms = input->terms;
    struct u32_vec list = {0};
    struct evaluator evaluator = {.given = input, .program = program, .effort = effort};
    evaluator.slot = mem_alloc(sizeof *evaluator.slot * ((size_t)terms->term.len + 1));
    evaluator.list_of = mem_alloc(sizeof *evaluator.list_of * ((size_t)terms->term.len + 1));
    for (uint32_t i = 0; i < terms->term.len; i++) {
        evaluator.slot[i].value.type = NO_TYPE;
        evaluator.list_of[i] = 0;
    }
    needed(&evaluator, n_roots, roots, SCOPE_CLOSED, &list);
    bool ok = eval_list(&evaluator, list.len, list.at, err);
    for (uint32_t i = 0; ok && i < n_roots; i++)
        out[i] = evaluator.slot[roots[i].v].value;
    for (uint32_t i = 0; i < evaluator.lists.len; i++)
        vec_release(&evaluator.lists.at[i].at);
    vec_release(&evaluator.lists);
    vec_release(&evaluator.scope);
    mem_free(evaluator.slot);
    mem_free(evaluator.list_of);
    vec_release(&list);
    return ok;
}

bool eval_terms(const struct eval_input *input, uint32_t n_roots, const term_id *roots,
                struct value *out, struct err *err)
{
    struct effort effort = {0};
    return eval_roots(NULL, &effort, input, n_roots, roots, out, err);
}

static bool run_function(const struct program *program, uint32_t function,
                         const struct value *params, struct arena *arena, struct effort *effort,
                         struct value *out, struct err *err)
{
    const struct function *f = &program->functions.at[function];
    struct eval_input input = {&program->terms, f->params.len, params, arena};
    term_id *roots = ARENA_NEW(arena, term_id, f->results.len + 1u);
    for (uint32_t k = 0; k < f->results.len; k++)
        roots[k] = f->results.at[k].term;
    return eval_roots(program, effort, &input, f->results.len, roots, out, err);
}

bool eval_function(const struct program *program, uint32_t function, const struct value *params,
                   struct arena *arena, struct value *out, const char **unknown, struct err *err)
{
    struct effort effort = {0};
    bool ok = run_function(program, function, params, arena, &effort, out, err);
    *unknown = effort.unknown;
    return ok;
}

bool eval_function_rounding(const struct program *program, uint32_t function,
                            const struct value *params, struct arena *arena, struct rng *rng,
                            struct value *out, struct err *err)
{
    struct effort effort = {.rounding = rng};
    bool ok = run_function(program, function, params, arena, &effort, out, err);
    (void)fesetround(FE_TONEAREST);
    return ok && (effort.unknown == NULL || err_set(err, ERR_LIMIT, "an unknown operation"));
}
