// SPDX-License-Identifier: Apache-2.0
// Both programs on random arguments, in the interpreter: a second look at the result that knows
// nothing of rules and records.
#include "api/simplify/arguments.h"

#include "tensor/compare/compare.h"
#include "tensor/program/region.h"
#include "tensor/resize/resize.h"

// Most steps of one run of a function, by eval_steps; loops may take them often.
#define VERIFY_STEPS (UINT64_C(1) << 31)

struct verification {
    struct simplification *run;
    const struct program *out;
    struct arena mem;
    uint32_t n_functions, n_smaller, n_chosen, n_left_out;
    struct buf left_out;         // why, of the first one
    struct argument_types types; // of the run
};

static bool leave_out(struct verification *verification, const struct function *function,
                      const char *why)
{
    if (verification->n_left_out++ == 0)
        buf_printf(&verification->left_out, "@%s: %s",
                   sym_text(verification->out->pool, function->name), why);
    return false;
}

// Can the function be run, in a bounded number of steps?  *why says why not.
static bool can_run(const struct compare_side *side, const type_id *params, const char **why,
                    struct err *full)
{
    const struct function *function = &side->program->functions.at[side->function];
    const struct pool *pool = side->program->pool;
    uint64_t steps, held = 0;
    if (!function_steps(side->program, function, params, &steps, why))
        return false;
    *why = steps > VERIFY_STEPS ? "takes too many steps in the interpreter" : NULL;
    for (uint32_t k = 0; k < function->params.len && *why == NULL; k++)
        if (!value_fits(pool, params[k], &held, full))
            *why = "has arguments that are too large";
    return *why == NULL;
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

// A function of the input and of the output on the arguments of a seed.  *ran is false if the
// interpreter came to a limit, or to an operation that it does not know.
static bool run_once(struct verification *verification, const struct compare_side side[2],
                     uint64_t seed, bool *ran, struct err *err)
{
    const struct program *out = side[1].program;
    const struct function *to = &out->functions.at[side[1].function];
    struct rng rng;
    struct value *params = ARENA_NEW(&verification->mem, struct value, to->params.len + 1u);
    struct value *a = ARENA_NEW(&verification->mem, struct value, to->results.len + 1u);
    struct value *b = ARENA_NEW(&verification->mem, struct value, to->results.len + 1u);
    rng_seed(&rng, seed);
    arguments_random(out->pool, &verification->types, &rng, &verification->mem, params);
    struct err why = {0};
    const char *unknown, *unknown_after = NULL;
    if (!eval_function(side[0].program, side[0].function, params, &verification->mem, a, &unknown,
                       &why) ||
        !eval_function(out, side[1].function, params, &verification->mem, b, &unknown_after,
                       &why)) {
        if (why.kind != ERR_LIMIT) {
            *err = why;
            return false;
        }
        *ran = leave_out(verification, to, why.msg);
        return true;
    }
    unknown = unknown != NULL ? unknown : unknown_after;
    if (unknown != NULL) {
        size_t n;
        const char *name = opaque_name(unknown, &n);
        err_set(&why, ERR_LIMIT, "%sthe interpreter does not know %.*s",
                verification->types.chosen ? "the sizes chosen for ? do not fit, or " : "", (int)n,
                name);
        *ran = leave_out(verification, to, why.msg);
        return true;
    }
    for (uint32_t k = 0; k < to->results.len; k++) {
        int64_t index = -1;
        if (type_is_tensor(out->pool, a[k].type) &&
            !results_agree(verification, &a[k], &b[k], &index))
            return err_set(err, ERR_CHECK,
                           "the result differs from the program on random arguments (seed %llu): "
                           "result %u of @%s, element %lld%s",
                           (unsigned long long)seed, k, sym_text(out->pool, to->name),
                           (long long)index, out == verification->out ? "" : ", at smaller sizes");
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
    if (verification->n_functions > 0 && verification->n_smaller > 0)
        buf_printf(out, " (%u at smaller sizes)", verification->n_smaller);
    if (verification->n_functions > 0 && verification->n_chosen > 0)
        buf_printf(out, " (%u at sizes chosen for ?)", verification->n_chosen);
    if (verification->n_functions == 0)
        buf_puts(out, "nothing was run on random arguments");
    if (verification->n_left_out > 0)
        buf_printf(out, "; not run: %u (%s)", verification->n_left_out,
                   buf_text(&verification->left_out));
}

// side[0] is function f of the input, or one of smaller tensors.
static bool run_seeds(struct verification *verification, const struct compare_side side[2],
                      uint32_t f, bool *ran, struct err *err)
{
    struct arena_mark start = arena_mark(&verification->mem);
    bool ok = true;
    for (uint32_t seed = 1; ok && *ran && seed <= verification->run->verify; seed++) {
        if (verification->types.chosen)
            arguments_choose(verification->run, f, seed, &verification->types);
        ok = run_once(verification, side, seed, ran, err);
        arena_reset(&verification->mem, start);
    }
    verification->n_functions += *ran;
    verification->n_chosen += *ran && verification->types.chosen;
    return ok;
}

// What is too large at its sizes runs at smaller ones.
static bool run_smaller(struct verification *verification, const struct compare_side side[2],
                        const char *why, struct err *err)
{
    struct resize_side from[2] = {{side[0].program, side[0].function},
                                  {side[1].program, side[1].function}};
    struct program small[2];
    struct compare_side to[2] = {{&small[0], 0}, {&small[1], 0}};
    struct err full = {0};
    bool ok = true, smaller = false;
    if (verification->types.chosen) {
        leave_out(verification, &side[1].program->functions.at[side[1].function], why);
        return true;
    }
    if (compare_counts_elements(side)) {
        leave_out(verification, &side[1].program->functions.at[side[1].function],
                  "a number in it may count elements, of which smaller tensors have fewer");
        return true;
    }
    program_init(&small[0], verification->out->pool);
    program_init(&small[1], verification->out->pool);
    bool ran = resize_pair(from, small, &smaller, &full) && smaller;
    struct argument_types *types = &verification->types;
    vec_clear(&types->type);
    for (uint32_t k = 0; ran && k < small[0].functions.at[0].params.len; k++)
        vec_push(&types->type, small[0].functions.at[0].params.at[k].type);
    ran = ran && can_run(&to[0], types->type.at, &why, &full) &&
          can_run(&to[1], types->type.at, &why, &full);
    if (ran) {
        ok = run_seeds(verification, to, 0, &ran, err);
        verification->n_smaller += ran;
    } else
        leave_out(verification, &side[1].program->functions.at[side[1].function], why);
    program_release(&small[0]);
    program_release(&small[1]);
    return ok;
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
        struct compare_side side[2] = {{in, f}, {out, g}};
        const char *why = NULL;
        struct err full = {0};
        if (out->functions.at[g].declaration)
            continue;
        struct argument_types *types = &verification.types;
        arguments_choose(run, f, 1, types);
        bool ran = can_run(&side[0], types->type.at, &why, &full) &&
                   can_run(&side[1], types->type.at, &why, &full);
        ok = ran ? run_seeds(&verification, side, f, &ran, err)
                 : run_smaller(&verification, side, why, err);
    }
    if (ok)
        tell(&verification);
    arguments_release(&verification.types);
    arena_release(&verification.mem);
    buf_release(&verification.left_out);
    return ok;
}
