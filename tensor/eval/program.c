// SPDX-License-Identifier: Apache-2.0
// Terms with values: a graph is evaluated in the order of ids, so operands come first and depth
// costs nothing.  Operations with regions are in regions.c.
#include "tensor/eval/evaluator.h"

#include "tensor/limits.h"
#include "tensor/program/call.h"
#include "tensor/program/form.h"
#include "tensor/program/region.h"

#include <fenv.h>
#include <stdlib.h>

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

uint32_t eval_scope_of(struct evaluator *evaluator, uint32_t id)
{
    scopes_extend(evaluator->given->terms, &evaluator->scope);
    return evaluator->scope.at[id];
}

void eval_needed(struct evaluator *evaluator, uint32_t n, const term_id *roots, uint32_t scope,
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
            (scope != SCOPE_CLOSED && !scope_has(terms, eval_scope_of(evaluator, id.v), scope)))
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

void eval_set_results(struct evaluator *evaluator, term_id id, uint32_t n,
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

bool eval_take_step(struct evaluator *evaluator, struct err *err)
{
    return ++evaluator->effort->steps <= TENSOR_EVAL_LOOP ||
           err_set(err, ERR_LIMIT, "loops and calls take more than %d steps", TENSOR_EVAL_LOOP);
}

void eval_note_unknown(struct evaluator *evaluator, term_id id)
{
    if (evaluator->effort->unknown == NULL)
        evaluator->effort->unknown =
            sym_text(evaluator->given->terms->pool, opaque_view(evaluator->given->terms, id).text);
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
    if (!eval_take_step(evaluator, err))
        return false;
    if (++evaluator->effort->calls > TENSOR_EVAL_CALLS)
        return err_set(err, ERR_LIMIT, "more than %d calls inside one another", TENSOR_EVAL_CALLS);
    if (!run_function(program, f, params, arena, evaluator->effort, values, err))
        return false;
    evaluator->effort->calls--;
    for (uint32_t k = 0; k < n; k++)
        results[k] = (struct opaque_value){.value = values[k]};
    eval_set_results(evaluator, id, n, results, out);
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
        eval_set_results(evaluator, id, node->n_args, operands, out);
        return true;
    }
    if (node->op == OP_OPAQUE)
        eval_note_unknown(evaluator, id);
    return eval_slot(terms->pool,
                     (struct operation){(enum op)node->op, node->attr, node->type, node->n_args},
                     operands, evaluator->given->arena, out, err);
}

bool eval_list(struct evaluator *evaluator, uint32_t n, const uint32_t *list, struct err *err)
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
    eval_needed(&evaluator, n_roots, roots, SCOPE_CLOSED, &list);
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
