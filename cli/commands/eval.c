// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/formula/program.h"

#include "base/rng.h"
#include "io/stablehlo/stablehlo.h"
#include "tensor/eval/eval.h"

static const struct function *find_function(const struct program *p,
                                            const char *name, struct err *e)
{
    for (uint32_t i = 0; i < p->functions.len; i++) {
        const struct function *f = &p->functions.at[i];
        bool named = strcmp(sym_text(p->pool, f->name), name) == 0;
        if (named && !f->declaration)
            return f;
    }
    err_set(e, ERR_INPUT, "the program has no function @%s with a body", name);
    return NULL;
}

struct eval_results {
    VEC(struct value) at;
};

static bool evaluate(const struct program *p, const struct function *f,
                     const struct value *params, struct arena *mem,
                     struct eval_results *out, struct err *e)
{
    struct u32_vec roots = {0};
    for (uint32_t i = 0; i < f->results.len; i++)
        vec_push(&roots, f->results.at[i].term.v);
    term_id *terms = ARENA_NEW(mem, term_id, roots.len + 1);
    for (uint32_t i = 0; i < roots.len; i++)
        terms[i].v = roots.at[i];
    vec_reserve(&out->at, roots.len + 1);
    out->at.len = roots.len;
    bool ok = eval_terms(&p->terms, roots.len, terms, f->params.len, params,
                         mem, out->at.at, e);
    vec_release(&roots);
    return ok;
}

static void print_value(struct pool *pool, const struct value *v,
                        struct buf *out)
{
    if (!type_is_tensor(pool, v->type)) {
        buf_puts(out, "opaque : ");
        type_print(pool, v->type, out);
    } else {
        lit_id l = literal_make(pool, type_elem(pool, v->type),
                                (uint64_t)type_count(pool, v->type), v->data);
        stablehlo_print_literal(pool, l, v->type, out);
    }
    buf_putc(out, '\n');
}

// Of formulas the parameters must have the same names, too: their order is that
// in which the text names them.
static bool same_signature(const struct function *f, const struct function *g,
                           bool names)
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
static bool compare(struct command_line *c, struct pool *pool, const char *name,
                    const struct function *f, const struct value *params,
                    double tolerance, const struct eval_results *first,
                    struct arena *mem, struct buf *out, bool *same,
                    struct err *e)
{
    struct program q;
    struct eval_results second = {0};
    if (!read_formula_program(c, c->value[OPTION_compare], pool, &q, e))
        return false;
    const struct function *g = find_function(&q, name, e);
    bool ok = g != NULL;
    bool formulas = is_formula_file(c->words.at[0]) &&
                    is_formula_file(c->value[OPTION_compare]);
    if (ok && !same_signature(f, g, formulas))
        ok = err_set(e, ERR_INPUT, "@%s has other parameters or results in %s",
                     name, c->value[OPTION_compare]);
    ok = ok && evaluate(&q, g, params, mem, &second, e);
    *same = true;
    for (uint32_t i = 0; ok && *same && i < second.at.len; i++) {
        int64_t index = 0;
        *same = value_same(pool, &first->at.at[i], &second.at.at[i], tolerance,
                           &index);
        if (!*same)
            buf_printf(out, "result %u differs, first at element %lld\n", i,
                       (long long)index);
    }
    if (ok && *same)
        buf_printf(out, "same %u results\n", second.at.len);
    vec_release(&second.at);
    program_release(&q);
    return ok;
}

static bool eval(struct command_line *c, struct pool *pool,
                 const struct program *p, struct buf *out, bool *same,
                 struct err *e)
{
    const char *name =
        c->value[OPTION_function] ? c->value[OPTION_function] : "main";
    double seed = 0, tolerance = 0;
    if (!option_count(c, OPTION_seed, 0, 1e15, &seed, e) ||
        !option_number(c, OPTION_tolerance, 0, 1, &tolerance, e))
        return false;
    const struct function *f = find_function(p, name, e);
    if (!f)
        return false;
    struct arena mem = {0};
    struct rng rng;
    rng_seed(&rng, (uint64_t)seed);
    struct value *params = ARENA_NEW(&mem, struct value, f->params.len + 1);
    for (uint32_t i = 0; i < f->params.len; i++)
        params[i] = value_random(pool, f->params.at[i].type, &rng, false, &mem);
    struct eval_results r = {0};
    bool ok = evaluate(p, f, params, &mem, &r, e);
    if (ok && c->value[OPTION_compare])
        ok = compare(c, pool, name, f, params, tolerance, &r, &mem, out, same,
                     e);
    else
        for (uint32_t i = 0; ok && i < r.at.len; i++)
            print_value(pool, &r.at.at[i], out);
    vec_release(&r.at);
    arena_release(&mem);
    return ok;
}

int cmd_eval(struct command_line *c)
{
    struct err e = {0};
    struct pool pool;
    struct program p;
    struct buf out = {0};
    bool same = true;
    if (c->words.len != 1) {
        err_set(&e, ERR_USAGE, "eval: expected one program");
        return report_error(&e);
    }
    pool_init(&pool);
    bool ok = read_formula_program(c, c->words.at[0], &pool, &p, &e);
    if (ok) {
        ok = eval(c, &pool, &p, &out, &same, &e) && print_all(&out, &e);
        program_release(&p);
    }
    buf_release(&out);
    pool_release(&pool);
    return !ok ? report_error(&e) : same ? EXIT_YES : EXIT_NO;
}
