// SPDX-License-Identifier: Apache-2.0
// Both programs on random arguments, in the interpreter: a second look at the result that knows
// nothing of rules and records.
#include "api/simplify/simplify.h"

#include "base/rng.h"
#include "tensor/eval/eval.h"

// Most steps of one run of a function, by eval_steps; loops may take them often.
#define VERIFY_STEPS (UINT64_C(1) << 31)

struct verification {
    struct simplification *run;
    const struct program *out;
    struct arena mem;
    uint32_t n_functions, n_left_out;
    struct buf left_out; // why, of the first one
};

static bool leave_out(struct verification *verification, const struct function *function,
                      const char *why)
{
    if (verification->n_left_out++ == 0)
        buf_printf(&verification->left_out, "@%s: %s",
                   sym_text(verification->out->pool, function->name), why);
    return false;
}

// Can the function be run, in a bounded number of steps?
static bool can_run(struct verification *verification, const struct program *program,
                    const struct function *function)
{
    const struct terms *terms = &program->terms;
    struct u32_vec roots = {0}, reach = {0};
    VEC(term_id) ids = {0};
    uint64_t steps = 0;
    const char *why = NULL;
    function_roots(function, &roots);
    for (uint32_t i = 0; i < function->results.len; i++)
        vec_push(&ids, (term_id){roots.at[i]});
    terms_reach(terms, ids.len, ids.at, &reach);
    for (uint32_t i = 0; i < reach.len && why == NULL; i++) {
        term_id id = {reach.at[i]};
        const struct term *node = term_at(terms, id);
        type_id types[3] = {{0}, {0}, {0}};
        if (node->op != OP_OPAQUE && node->op != OP_RESULT &&
            !type_is_tensor(terms->pool, node->type))
            why = "has values that are no tensors";
        if (node->op == OP_OPAQUE || node->op == OP_RESULT || node->op == OP_PARAMETER)
            continue;
        for (uint32_t k = 0; k < node->n_args && k < 3; k++)
            types[k] = term_type(terms, term_args(terms, id)[k]);
        steps +=
            (uint64_t)eval_steps(terms->pool, (enum op)node->op, node->attr, node->type, types);
        if (steps > VERIFY_STEPS)
            why = "takes too many steps in the interpreter";
    }
    uint64_t held = 0;
    struct err full = {0};
    for (uint32_t k = 0; k < function->params.len && why == NULL; k++)
        if (!type_is_tensor(terms->pool, function->params.at[k].type))
            why = "has arguments that are no tensors";
        else if (!value_fits(terms->pool, function->params.at[k].type, &held, &full))
            why = "has arguments that are too large";
    vec_release(&roots);
    vec_release(&reach);
    vec_release(&ids);
    return why == NULL || leave_out(verification, function, why);
}

// Bit for bit; over the reals up to about half of the digits, where the result is finite.
static bool results_agree(const struct verification *verification, const struct value *a,
                          const struct value *b, int64_t *index)
{
    struct pool *pool = verification->out->pool;
    enum elem elem = type_elem(pool, a->type);
    if (verification->run->reading != READ_REAL || elem_kind(elem) != KIND_FLOAT)
        return value_same(pool, a, b, 0, index);
    for (int64_t i = 0; i < type_count(pool, a->type); i++) {
        double x = scalar_to_double(elem, scalar_load(elem, a->data, (size_t)i));
        if (!(x - x == 0))
            return true;
    }
    return value_same(pool, a, b, elem_bytes(elem) < 4 ? 0.1 : 1e-3, index);
}

// Function f of the input and g of the output on the arguments of a seed.  *ran is false if the
// interpreter came to a limit, or to an operation that it does not know.
static bool run_once(struct verification *verification, uint32_t f, uint32_t g, uint64_t seed,
                     bool *ran, struct err *err)
{
    const struct program *out = verification->out, *in = &verification->run->in->at;
    const struct function *to = &out->functions.at[g];
    struct rng rng;
    struct value *params = ARENA_NEW(&verification->mem, struct value, to->params.len + 1u);
    struct value *a = ARENA_NEW(&verification->mem, struct value, to->results.len + 1u);
    struct value *b = ARENA_NEW(&verification->mem, struct value, to->results.len + 1u);
    rng_seed(&rng, seed);
    for (uint32_t k = 0; k < to->params.len; k++)
        params[k] = value_random(out->pool, to->params.at[k].type, &rng, false, &verification->mem);
    struct err why = {0};
    const char *unknown, *unknown_after = NULL;
    if (!eval_function(in, f, params, &verification->mem, a, &unknown, &why) ||
        !eval_function(out, g, params, &verification->mem, b, &unknown_after, &why)) {
        if (why.kind != ERR_LIMIT) {
            *err = why;
            return false;
        }
        *ran = leave_out(verification, to, why.msg);
        return true;
    }
    unknown = unknown != NULL ? unknown : unknown_after;
    if (unknown != NULL) {
        err_set(&why, ERR_LIMIT, "the interpreter does not know %.*s", (int)strcspn(unknown, "( {"),
                unknown);
        *ran = leave_out(verification, to, why.msg);
        return true;
    }
    for (uint32_t k = 0; k < to->results.len; k++) {
        int64_t index = -1;
        if (type_is_tensor(out->pool, a[k].type) &&
            !results_agree(verification, &a[k], &b[k], &index))
            return err_set(err, ERR_CHECK,
                           "the result differs from the program on random arguments (seed %llu): "
                           "result %u of @%s, element %lld",
                           (unsigned long long)seed, k, sym_text(out->pool, to->name),
                           (long long)index);
    }
    return true;
}

static void tell(struct verification *verification)
{
    struct buf *out = &verification->run->verified;
    if (verification->n_functions > 0)
        buf_printf(out, "%u function%s gave equal results on %u random arguments",
                   verification->n_functions, verification->n_functions == 1 ? "" : "s",
                   verification->run->verify);
    else
        buf_puts(out, "nothing was run on random arguments");
    if (verification->n_left_out > 0)
        buf_printf(out, "; not run: %u (%s)", verification->n_left_out,
                   buf_text(&verification->left_out));
}

bool simplify_verify(struct simplification *run, const struct program *out, struct err *err)
{
    struct verification verification = {.run = run, .out = out};
    const struct program *in = &run->in->at;
    bool ok = true;
    // The functions of the output are those of the input, in order, without some.
    for (uint32_t g = 0, f = 0; ok && g < out->functions.len; g++, f++) {
        while (in->functions.at[f].name.v != out->functions.at[g].name.v)
            f++;
        bool ran = !out->functions.at[g].declaration &&
                   can_run(&verification, in, &in->functions.at[f]) &&
                   can_run(&verification, out, &out->functions.at[g]);
        struct arena_mark start = arena_mark(&verification.mem);
        for (uint32_t seed = 1; ok && ran && seed <= run->verify; seed++) {
            ok = run_once(&verification, f, g, seed, &ran, err);
            arena_reset(&verification.mem, start);
        }
        verification.n_functions += ran;
    }
    if (ok)
        tell(&verification);
    arena_release(&verification.mem);
    buf_release(&verification.left_out);
    return ok;
}
