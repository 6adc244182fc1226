// SPDX-License-Identifier: Apache-2.0
#include "api/evaluate/evaluate.h"

#include "api/rules/rules.h"
#include "base/rng.h"
#include "io/stablehlo/stablehlo.h"
#include "tensor/eval/eval.h"
#include "tensor/program/region.h"

// Has the function this name?  In HLO, "main" is also the entry, whatever its name.
static bool is_called(const struct program *program, const struct function *function,
                      const char *name)
{
    bool entry = program->format == PROGRAM_HLO &&
                 strcmp(sym_text(program->pool, function->visibility), "public") == 0;
    return strcmp(sym_text(program->pool, function->name), name) == 0 ||
           (entry && strcmp(name, "main") == 0);
}

const struct function *evaluated_function(const struct program *program, const char *name,
                                          struct err *err)
{
    for (uint32_t i = 0; i < program->functions.len; i++) {
        const struct function *function = &program->functions.at[i];
        if (is_called(program, function, name) && !function->declaration)
            return function;
    }
    err_set(err, ERR_INPUT, "the program has no function @%s with a body", name);
    return NULL;
}

struct results {
    VEC(struct value) at;
};
// A function on its arguments, and what it gave.
struct call {
    const struct function *function;
    const struct value *params;
    struct arena *mem; // of the values
    struct results results;
    const char *unknown; // the first operation whose value was invented; NULL: none
};

static bool evaluate(const struct program *program, struct call *call, struct err *err)
{
    uint32_t n = call->function->results.len;
    vec_reserve(&call->results.at, n + 1);
    call->results.at.len = n;
    return eval_function(program, (uint32_t)(call->function - program->functions.at), call->params,
                         call->mem, call->results.at.at, &call->unknown, err);
}

static void print_value(struct pool *pool, const struct value *value, struct buf *out)
{
    if (!type_is_tensor(pool, value->type)) {
        buf_puts(out, "opaque : ");
        type_print(pool, value->type, out);
    } else {
        lit_id literal = literal_make(pool, type_elem(pool, value->type),
                                      (uint64_t)type_count(pool, value->type), value->data);
        stablehlo_print_literal(pool, literal, value->type, out);
    }
    buf_putc(out, '\n');
}

// Of formulas the parameters must have the same names, too: their order is that
// in which the text names them.
static bool same_signature(const struct function *f, const struct function *g, bool names)
{
    if (f->params.len != g->params.len || f->results.len != g->results.len)
        return false;
    for (uint32_t i = 0; i < f->params.len; i++)
        if (f->params.at[i].type.v != g->params.at[i].type.v)
            return false;
    for (uint32_t i = 0; names && i < f->params.len; i++)
        if (f->params.at[i].name.v != g->params.at[i].name.v)
            return false;
    for (uint32_t i = 0; i < f->results.len; i++)
        if (f->results.at[i].type.v != g->results.at[i].type.v)
            return false;
    return true;
}

static enum rw_decision compare_results(struct pool *pool, const struct call *first,
                                        const struct call *second, double tolerance,
                                        struct buf *out)
{
    const char *unknown = first->unknown != NULL ? first->unknown : second->unknown;
    uint32_t n = second->results.at.len;
    for (uint32_t i = 0; i < n; i++) {
        int64_t index = 0;
        if (value_same(pool, &first->results.at.at[i], &second->results.at.at[i], tolerance,
                       &index))
            continue;
        buf_printf(out, "result %u %s, first at element %lld", i,
                   unknown != NULL ? "may differ" : "differs", (long long)index);
        size_t n_name;
        const char *name = unknown != NULL ? opaque_name(unknown, &n_name) : NULL;
        if (name != NULL)
            buf_printf(out, ": the interpreter does not know %.*s", (int)n_name, name);
        buf_putc(out, '\n');
        return unknown != NULL ? RW_UNKNOWN : RW_REFUTED;
    }
    buf_printf(out, "same %u results\n", n);
    return RW_PROVED;
}

static void remark_on(const struct evaluation *eval, const char *unknown)
{
    size_t n;
    if (unknown == NULL || eval->remark->len > 0)
        return;
    const char *name = opaque_name(unknown, &n);
    buf_printf(eval->remark,
               "the interpreter does not know %.*s: what depends on it has values that are made up",
               (int)n, name);
}

// Evaluates the second program on the same arguments.
static bool compare(const struct evaluation *eval, struct pool *pool, const struct call *first,
                    struct buf *out, enum rw_decision *same, struct err *err)
{
    struct program other;
    struct call second = {.params = first->params, .mem = first->mem};
    if (!read_formula_program(&eval->setting, eval->other, pool, &other, err))
        return false;
    bool ok = given_sizes_check(eval->setting.sizes, err);
    if (ok)
        second.function = evaluated_function(&other, eval->function, err);
    ok = second.function != NULL;
    bool formulas = eval->program.formula && eval->other->formula;
    if (ok && !same_signature(first->function, second.function, formulas))
        ok = err_set(err, ERR_INPUT, "@%s has other parameters or results in %s", eval->function,
                     eval->other->file);
    ok = ok && evaluate(&other, &second, err);
    remark_on(eval, second.unknown);
    if (ok)
        *same = compare_results(pool, first, &second, eval->tolerance, out);
    vec_release(&second.results.at);
    program_release(&other);
    return ok;
}

// Searches for arguments on which both programs differ.
static bool search(const struct evaluation *eval, struct pool *pool, const struct program *program,
                   struct buf *out, enum rw_decision *same, struct err *err)
{
    struct program other;
    struct comparison found = {0};
    struct compare_options options = {.seed = eval->seed, .runs = eval->runs};
    if (!read_formula_program(&eval->setting, eval->other, pool, &other, err))
        return false;
    bool ok = given_sizes_check(eval->setting.sizes, err);
    const struct function *f = ok ? evaluated_function(program, eval->function, err) : NULL;
    const struct function *g = f != NULL ? evaluated_function(&other, eval->function, err) : NULL;
    ok = g != NULL;
    if (ok) {
        struct compare_side side[2] = {{program, (uint32_t)(f - program->functions.at)},
                                       {&other, (uint32_t)(g - other.functions.at)}};
        ok = compare_functions(side, &options, &found, err);
        *same = comparison_answer(&found);
        if (ok && eval->json)
            comparison_put_json(&found, out);
        else if (ok)
            comparison_print(&found, out);
        ok = ok && (eval->module == NULL || comparison_put_module(&found, eval->module, err));
        comparison_release(&found);
    }
    program_release(&other);
    return ok;
}

static bool run(const struct evaluation *eval, struct pool *pool, const struct program *program,
                struct buf *out, enum rw_decision *same, struct err *err)
{
    struct arena mem = {0};
    struct call call = {.function = evaluated_function(program, eval->function, err), .mem = &mem};
    if (!call.function)
        return false;
    struct rng rng;
    uint32_t n = call.function->params.len;
    rng_seed(&rng, eval->seed);
    struct value *params = ARENA_NEW(&mem, struct value, n + 1);
    uint64_t held = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++)
        ok = value_fits(pool, call.function->params.at[i].type, &held, err);
    for (uint32_t i = 0; ok && i < n; i++)
        params[i] = value_random(pool, call.function->params.at[i].type, &rng, false, &mem);
    call.params = params;
    ok = ok && evaluate(program, &call, err);
    remark_on(eval, call.unknown);
    if (ok && eval->other)
        ok = compare(eval, pool, &call, out, same, err);
    else
        for (uint32_t i = 0; ok && i < call.results.at.len; i++)
            print_value(pool, &call.results.at.at[i], out);
    vec_release(&call.results.at);
    arena_release(&mem);
    return ok;
}

bool evaluate_program(const struct evaluation *eval, struct buf *out, enum rw_decision *same,
                      struct err *err)
{
    struct pool pool;
    struct program program;
    pool_init(&pool);
    *same = RW_PROVED;
    bool ok = read_formula_program(&eval->setting, &eval->program, &pool, &program, err);
    if (ok) {
        ok = (eval->other != NULL || given_sizes_check(eval->setting.sizes, err)) &&
             (eval->runs > 0 ? search : run)(eval, &pool, &program, out, same, err);
        program_release(&program);
    }
    pool_release(&pool);
    return ok;
}

static bool begin(const struct rw_expected *program, const struct rw_evaluate_options *options,
                  struct evaluation *eval, struct err *err)
{
    struct rw_evaluate_options own;
    if (!options_copy(options, &own, sizeof own, err))
        return false;
    if (!(own.tolerance >= 0 && own.tolerance <= 1))
        return err_at(err, ERR_USAGE, "tolerance", 0, 0, "expected a number from 0 to 1");
    eval->program = (struct formula_text){program->text, program->file, program->size, own.formula};
    eval->setting.definitions = own.definitions ? &own.definitions->set : NULL;
    eval->function = own.function ? own.function : "main";
    eval->seed = own.seed;
    eval->tolerance = own.tolerance;
    eval->runs = own.runs;
    eval->json = own.json;
    return given_sizes_read(eval->setting.sizes, own.sizes, err);
}

// Gives the remark to a caller that wants it.
static void give_remark(const struct rw_evaluate_options *options, bool ok, struct buf *remark)
{
    struct rw_evaluate_options own;
    struct err err = {0};
    bool wanted = options_copy(options, &own, sizeof own, &err) && own.remark != NULL;
    if (wanted)
        *own.remark = ok && remark->len > 0 ? text_give(remark) : NULL;
    if (!wanted || *own.remark == NULL)
        buf_release(remark);
}

char *rw_evaluate(struct rw_context *context, const struct rw_expected *program,
                  const struct rw_evaluate_options *options, struct rw_error *error)
{
    struct err err = {0};
    struct buf out = {0}, remark = {0};
    struct given_sizes sizes = {0};
    struct evaluation eval = {.setting = {.sizes = &sizes}, .remark = &remark};
    enum rw_decision same;
    (void)context;
    bool ok = begin(program, options, &eval, &err);
    eval.runs = 0;
    ok = ok && evaluate_program(&eval, &out, &same, &err);
    given_sizes_release(&sizes);
    give_remark(options, ok, &remark);
    if (ok)
        return text_give(&out);
    buf_release(&out);
    error_give(&err, error);
    return NULL;
}

bool rw_evaluate_both(struct rw_context *context, const struct rw_expected *program,
                      const struct rw_expected *other, const struct rw_evaluate_options *options,
                      enum rw_decision *same, char **text, struct rw_error *error)
{
    struct err err = {0};
    struct buf out = {0}, module = {0}, remark = {0};
    struct given_sizes sizes = {0};
    struct rw_evaluate_options own;
    struct evaluation eval = {.setting = {.sizes = &sizes}, .module = &module, .remark = &remark};
    (void)context;
    *same = RW_UNKNOWN;
    bool ok = options_copy(options, &own, sizeof own, &err) && begin(program, options, &eval, &err);
    struct formula_text second = {other->text, other->file, other->size, own.other_formula};
    eval.other = &second;
    ok = ok && evaluate_program(&eval, &out, same, &err);
    given_sizes_release(&sizes);
    give_remark(options, ok, &remark);
    if (ok && own.module != NULL)
        *own.module = text_give(&module);
    else
        buf_release(&module);
    if (text != NULL)
        *text = text_give(&out);
    else
        buf_release(&out);
    return ok || error_give(&err, error);
}
