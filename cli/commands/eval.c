// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/formula/program.h"

#include "base/rng.h"
#include "io/stablehlo/stablehlo.h"
#include "tensor/eval/eval.h"

static const struct function *find_function(const struct program *program, const char *name,
                                            struct err *err)
{
    for (uint32_t i = 0; i < program->functions.len; i++) {
        const struct function *function = &program->functions.at[i];
        bool named = strcmp(sym_text(program->pool, function->name), name) == 0;
        if (named && !function->declaration)
            return function;
    }
    err_set(err, ERR_INPUT, "the program has no function @%s with a body", name);
    return NULL;
}

struct eval_results {
    VEC(struct value) at;
};

static bool evaluate(const struct program *program, const struct function *function,
                     const struct value *params, struct arena *mem, struct eval_results *out,
                     struct err *err)
{
    struct u32_vec roots = {0};
    for (uint32_t i = 0; i < function->results.len; i++)
        vec_push(&roots, function->results.at[i].term.v);
    term_id *terms = ARENA_NEW(mem, term_id, roots.len + 1);
    for (uint32_t i = 0; i < roots.len; i++)
        terms[i].v = roots.at[i];
    vec_reserve(&out->at, roots.len + 1);
    out->at.len = roots.len;
    bool ok = eval_terms(&program->terms, roots.len, terms, function->params.len, params, mem,
                         out->at.at, err);
    vec_release(&roots);
    return ok;
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

// Evaluates the second program on the same arguments; *same and a line say how
// it went.
static bool compare(struct command_line *command, struct pool *pool, const char *name,
                    const struct function *function, const struct value *params, double tolerance,
                    const struct eval_results *first, struct arena *mem, struct buf *out,
                    bool *same, struct err *err)
{
    struct program program;
    struct eval_results second = {0};
    if (!read_formula_program(command, command->value[OPTION_compare], pool, &program, err))
        return false;
    const struct function *g = find_function(&program, name, err);
    bool ok = g != NULL;
    bool formulas =
        is_formula_file(command->words.at[0]) && is_formula_file(command->value[OPTION_compare]);
    if (ok && !same_signature(function, g, formulas))
        ok = err_set(err, ERR_INPUT, "@%s has other parameters or results in %s", name,
                     command->value[OPTION_compare]);
    ok = ok && evaluate(&program, g, params, mem, &second, err);
    *same = true;
    for (uint32_t i = 0; ok && *same && i < second.at.len; i++) {
        int64_t index = 0;
        *same = value_same(pool, &first->at.at[i], &second.at.at[i], tolerance, &index);
        if (!*same)
            buf_printf(out, "result %u differs, first at element %lld\n", i, (long long)index);
    }
    if (ok && *same)
        buf_printf(out, "same %u results\n", second.at.len);
    vec_release(&second.at);
    program_release(&program);
    return ok;
}

static bool eval(struct command_line *command, struct pool *pool, const struct program *program,
                 struct buf *out, bool *same, struct err *err)
{
    const char *name = command->value[OPTION_function] ? command->value[OPTION_function] : "main";
    double seed = 0, tolerance = 0;
    if (!option_count(command, OPTION_seed, 0, 1e15, &seed, err) ||
        !option_number(command, OPTION_tolerance, 0, 1, &tolerance, err))
        return false;
    const struct function *function = find_function(program, name, err);
    if (!function)
        return false;
    struct arena mem = {0};
    struct rng rng;
    rng_seed(&rng, (uint64_t)seed);
    struct value *params = ARENA_NEW(&mem, struct value, function->params.len + 1);
    for (uint32_t i = 0; i < function->params.len; i++)
        params[i] = value_random(pool, function->params.at[i].type, &rng, false, &mem);
    struct eval_results eval_results = {0};
    bool ok = evaluate(program, function, params, &mem, &eval_results, err);
    if (ok && command->value[OPTION_compare])
        ok = compare(command, pool, name, function, params, tolerance, &eval_results, &mem, out,
                     same, err);
    else
        for (uint32_t i = 0; ok && i < eval_results.at.len; i++)
            print_value(pool, &eval_results.at.at[i], out);
    vec_release(&eval_results.at);
    arena_release(&mem);
    return ok;
}

int cmd_eval(struct command_line *command)
{
    struct err err = {0};
    struct pool pool;
    struct program program;
    struct buf out = {0};
    bool same = true;
    if (command->words.len != 1) {
        err_set(&err, ERR_USAGE, "eval: expected one program");
        return report_error(&err);
    }
    pool_init(&pool);
    bool ok = read_formula_program(command, command->words.at[0], &pool, &program, &err);
    if (ok) {
        ok = eval(command, &pool, &program, &out, &same, &err) && print_all(&out, &err);
        program_release(&program);
    }
    buf_release(&out);
    pool_release(&pool);
    return !ok ? report_error(&err) : same ? EXIT_YES : EXIT_NO;
}
