// SPDX-License-Identifier: Apache-2.0
// Operations with regions.  What a region computes has a list of its own
// (tensor/program/region.h): it is evaluated each time the region runs.
#include "tensor/eval/evaluator.h"
#include "tensor/limits.h"
#include "tensor/program/region.h"
#include "tensor/program/form.h"

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
        uint32_t scope = eval_scope_of(evaluator, all.at[i]);
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
            eval_needed(evaluator, block.n_returns, term_args(terms, id) + block.first,
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

static bool run_while(struct evaluator *evaluator, term_id id, const struct opaque_view *view,
                      uint32_t n, struct opaque_value *state, struct err *err)
{
    struct opaque_value go;
    struct opaque_value *next = ARENA_NEW(evaluator->given->arena, struct opaque_value, n + 1u);
    for (;;) {
        if (!eval_take_step(evaluator, err))
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
    eval_note_unknown(evaluator, id);
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
    eval_set_results(evaluator, id, view->n_results, results, out);
    return true;
}

bool eval_region_op(struct evaluator *evaluator, term_id id, struct opaque_value *operands,
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
        eval_set_results(evaluator, id, n, operands, out);
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
            eval_set_results(evaluator, id, view.n_results, results, out);
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
    eval_set_results(evaluator, id, view.n_results, results, out);
    return true;
}
