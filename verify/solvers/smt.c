// SPDX-License-Identifier: Apache-2.0
#include "rules/reasons.h"
#include "verify/solvers/smt.h"
#include "base/clock.h"
#include "base/err.h"
#include "rules/verdict.h"
#include "verify/limits.h"

static void on_error(Z3_context context, Z3_error_code error)
{
    (void)context;
    if (error == Z3_MEMOUT_FAIL)
        out_of_memory("of the solver");
}

static Z3_context context_new(void)
{
    Z3_config cfg = Z3_mk_config();
    Z3_context context = cfg == NULL ? NULL : Z3_mk_context(cfg);
    if (context == NULL)
        out_of_memory("of the solver");
    Z3_del_config(cfg);
    Z3_set_error_handler(context, on_error);
    return context;
}

void smt_init(struct smt *smt, const struct smt_limits *limits)
{
    *smt = (struct smt){.limits = *limits, .ctx = context_new(), .note = "", .why = ""};
    if (limits->seconds > 0)
        smt->deadline = clock_wall() + limits->seconds;
    if (limits->late == NULL)
        smt->limits.late = REASON_TIME;
}

void smt_release(struct smt *smt)
{
    smt_close(smt);
    Z3_del_context(smt->ctx);
    for (uint32_t i = 0; i < smt->query.len; i++)
        buf_release(&smt->query.at[i].text);
    vec_release(&smt->query);
    vec_release(&smt->trail);
    vec_release(&smt->saved);
    vec_release(&smt->asserted);
    buf_release(&smt->z3_reason);
}

static void set_limit(Z3_context context, Z3_params params, const char *name, unsigned value)
{
    Z3_params_set_uint(context, params, Z3_mk_string_symbol(context, name), value);
}

// Milliseconds until the deadline, at least 1.
static unsigned time_left(const struct smt *smt)
{
    double left = (smt->deadline - clock_wall()) * 1000;
    return left < 1 ? 1 : left > INT32_MAX ? INT32_MAX : (unsigned)left;
}

static void limit(const struct smt *smt, Z3_context context, Z3_solver solver, unsigned steps)
{
    Z3_params p = Z3_mk_params(context);
    Z3_params_inc_ref(context, p);
    set_limit(context, p, "rlimit", steps);
    if (smt->deadline != 0)
        set_limit(context, p, "timeout", time_left(smt));
    if (!smt->bits) // S5
        Z3_params_set_bool(context, p, Z3_mk_string_symbol(context, "arith.nl.nra"), false);
    Z3_solver_set_params(context, solver, p);
    Z3_params_dec_ref(context, p);
}

static unsigned shared_steps(const struct smt *smt)
{
    unsigned most = smt->limits.query_steps;
    return most < VERIFY_SHARED_STEPS || !smt->bits ? most : VERIFY_SHARED_STEPS;
}

// Drops the references to both.
static Z3_tactic then(Z3_context context, Z3_tactic first, Z3_tactic next)
{
    Z3_tactic both = Z3_tactic_and_then(context, first, next);
    Z3_tactic_inc_ref(context, both);
    Z3_tactic_dec_ref(context, first);
    Z3_tactic_dec_ref(context, next);
    return both;
}

static Z3_tactic tactic(Z3_context context, const char *name)
{
    Z3_tactic made = Z3_mk_tactic(context, name);
    Z3_tactic_inc_ref(context, made);
    return made;
}

// The SAT solver, unless the passes before it have the answer: its start takes longer than they do,
// for it copies a table of the context (compact_memory of Z3 4.8.12).
static Z3_tactic sat_if_open(Z3_context context)
{
    Z3_tactic decided = Z3_tactic_fail_if_not_decided(context);
    Z3_tactic_inc_ref(context, decided);
    Z3_tactic sat = tactic(context, "sat");
    Z3_tactic either = Z3_tactic_or_else(context, decided, sat);
    Z3_tactic_inc_ref(context, either);
    Z3_tactic_dec_ref(context, decided);
    Z3_tactic_dec_ref(context, sat);
    return either;
}

static Z3_solver bits_solver(Z3_context context)
{
    static const char *const pass[] = {"fpa2bv", "simplify", "propagate-values", "bit-blast"};
    Z3_tactic all = tactic(context, "simplify");
    for (size_t i = 0; i < sizeof pass / sizeof pass[0]; i++)
        all = then(context, all, tactic(context, pass[i]));
    all = then(context, all, sat_if_open(context));
    Z3_solver solver = Z3_mk_solver_from_tactic(context, all);
    Z3_tactic_dec_ref(context, all);
    return solver;
}

// The caller drops the reference.
static Z3_solver solver_new(const struct smt *smt, Z3_context context, unsigned steps)
{
    Z3_solver solver = smt->bits ? bits_solver(context) : Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, solver);
    limit(smt, context, solver, steps);
    return solver;
}

static void open_query(struct smt *smt, bool bits)
{
    smt_close(smt);
    smt->broken = false;
    smt->bits = bits;
    vec_clear(&smt->asserted);
    smt->solver = solver_new(smt, smt->ctx, shared_steps(smt));
}

void smt_open(struct smt *smt)
{
    open_query(smt, false);
}

void smt_open_bits(struct smt *smt)
{
    open_query(smt, true);
}

void smt_close(struct smt *smt)
{
    if (smt->model != NULL)
        Z3_model_dec_ref(smt->ctx, smt->model);
    if (smt->solver != NULL)
        Z3_solver_dec_ref(smt->ctx, smt->solver);
    smt->model = NULL;
    smt->solver = NULL;
}

void smt_assert(struct smt *smt, Z3_ast a)
{
    // An assertion that could not be built would be missing.  That is sound, but the answer
    // would belong to another query.
    if (a == NULL || Z3_get_error_code(smt->ctx) != Z3_OK) {
        smt->broken = true;
        return;
    }
    Z3_solver_assert(smt->ctx, smt->solver, a);
    if (Z3_get_error_code(smt->ctx) != Z3_OK)
        smt->broken = true;
    vec_push(&smt->asserted, a);
}

// Z3 counts the steps of a context, not those of a check.
static uint64_t steps(Z3_context context, Z3_solver solver)
{
    Z3_stats st = Z3_solver_get_statistics(context, solver);
    Z3_stats_inc_ref(context, st);
    uint64_t n = 0;
    unsigned size = Z3_stats_size(context, st);
    for (unsigned i = 0; i < size; i++)
        if (strcmp(Z3_stats_get_key(context, st, i), "rlimit count") == 0)
            n = Z3_stats_is_uint(context, st, i)
                    ? Z3_stats_get_uint_value(context, st, i)
                    : (uint64_t)Z3_stats_get_double_value(context, st, i);
    Z3_stats_dec_ref(context, st);
    return n;
}

static void put_text(struct smt *smt, Z3_solver solver, struct buf *out)
{
    buf_clear(out);
    buf_puts(out, Z3_solver_to_string(smt->ctx, solver));
}

// Replaces the assertions by far fewer ones that a second check finds contradictory.  No
// change if it finds none.
static void put_core(struct smt *smt, struct buf *out)
{
    Z3_context context = smt->ctx;
    Z3_ast_vector all = Z3_solver_get_assertions(context, smt->solver);
    Z3_ast_vector_inc_ref(context, all);
    // A new object lives until the next one is made, unless it is held.
    Z3_solver look = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, look);
    Z3_solver few = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, few);
    limit(smt, context, look, smt->limits.query_steps);
    unsigned n = Z3_ast_vector_size(context, all);
    Z3_ast *mark = mem_alloc((n + 1) * sizeof(Z3_ast));
    for (unsigned i = 0; i < n; i++) {
        mark[i] = Z3_mk_fresh_const(context, "part", Z3_mk_bool_sort(context));
        Z3_solver_assert_and_track(context, look, Z3_ast_vector_get(context, all, i), mark[i]);
    }
    if (Z3_solver_check(context, look) == Z3_L_FALSE) {
        Z3_ast_vector core = Z3_solver_get_unsat_core(context, look);
        Z3_ast_vector_inc_ref(context, core);
        unsigned size = Z3_ast_vector_size(context, core);
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < size; k++)
                if (Z3_is_eq_ast(context, Z3_ast_vector_get(context, core, k), mark[i]))
                    Z3_solver_assert(context, few, Z3_ast_vector_get(context, all, i));
        if (size > 0 && Z3_get_error_code(context) == Z3_OK)
            put_text(smt, few, out);
        Z3_ast_vector_dec_ref(context, core);
    }
    mem_free(mark);
    Z3_solver_dec_ref(context, few);
    Z3_solver_dec_ref(context, look);
    Z3_ast_vector_dec_ref(context, all);
}

// Takes the text, which was written before the check: some solvers add to it afterwards.
static void keep(struct smt *smt, bool unsat, struct buf *text)
{
    struct smt_query smt_query = {.note = smt->note, .unsat = unsat};
    if (!smt->keep_text)
        return;
    if (unsat && !smt->bits)
        put_core(smt, text);
    smt_query.text = *text;
    *text = (struct buf){0};
    vec_push(&smt->trail, smt->query.len);
    vec_push(&smt->query, smt_query);
}

uint32_t smt_mark(const struct smt *smt)
{
    return smt->trail.len;
}

void smt_forget(struct smt *smt, uint32_t mark)
{
    if (smt->trail.len > mark)
        smt->trail.len = mark;
}

void smt_keep_last_sat(struct smt *smt, uint32_t mark)
{
    if (smt->trail.len <= mark)
        return;
    uint32_t last = vec_last(&smt->trail);
    smt->trail.len = mark;
    if (!smt->query.at[last].unsat)
        vec_push(&smt->trail, last);
}

struct smt_slice smt_save(struct smt *smt, uint32_t mark)
{
    struct smt_slice slice = {smt->saved.len, 0};
    for (uint32_t i = mark; i < smt->trail.len; i++, slice.n++)
        vec_push(&smt->saved, smt->trail.at[i]);
    return slice;
}

void smt_reuse(struct smt *smt, struct smt_slice slice)
{
    for (uint32_t i = 0; i < slice.n; i++)
        vec_push(&smt->trail, smt->saved.at[slice.at + i]);
}

bool smt_spent(struct smt *smt)
{
    uint64_t steps = smt->effort + (smt->work == NULL ? 0 : *smt->work);
    if (smt->limits.steps != 0 && steps > smt->limits.steps)
        smt->spent = "the steps of the rule are used up";
    else if (smt->deadline != 0 && clock_wall() > smt->deadline)
        smt->spent = smt->limits.late;
    return smt->spent != NULL;
}

// Z3 returns "canceled" for every limit.
static const char *plain_reason(struct smt *smt, const char *z3)
{
    if (strcmp(z3, "canceled") == 0 || strcmp(z3, "timeout") == 0 ||
        strncmp(z3, "max. resource limit", 19) == 0)
        return smt_spent(smt) ? smt->spent : reason_STEPS;
    if (strstr(z3, "incomplete") != NULL)
        return reason_NO_ANSWER;
    buf_clear(&smt->z3_reason);
    buf_puts(&smt->z3_reason, z3);
    return buf_text(&smt->z3_reason);
}

// Checks, and takes the model into smt->ctx.
static enum smt_answer check_in(struct smt *smt, Z3_context context, Z3_solver solver)
{
    uint64_t before = steps(context, solver);
    Z3_lbool r = Z3_solver_check(context, solver);
    Z3_error_code error = Z3_get_error_code(context);
    if (error != Z3_OK) {
        smt->no_memory |= error == Z3_MEMOUT_FAIL;
        smt->why = plain_reason(smt, Z3_get_error_msg(context, error));
    }
    smt->effort += steps(context, solver) - before;
    if (error != Z3_OK)
        return SMT_UNKNOWN;
    if (r == Z3_L_FALSE)
        return SMT_UNSAT;
    if (r == Z3_L_UNDEF) {
        const char *why = Z3_solver_get_reason_unknown(context, solver);
        smt->no_memory |= strstr(why, "memory") != NULL || strstr(why, "memout") != NULL;
        smt->why = plain_reason(smt, why);
        return SMT_UNKNOWN;
    }
    Z3_model model = Z3_solver_get_model(context, solver);
    if (model != NULL && context != smt->ctx)
        model = Z3_model_translate(context, model, smt->ctx);
    if (model == NULL) {
        smt->why = "no model";
        return SMT_UNKNOWN;
    }
    Z3_model_inc_ref(smt->ctx, model);
    smt->model = model;
    return SMT_SAT;
}

// S4
static enum smt_answer check_alone(struct smt *smt)
{
    Z3_context context = context_new();
    Z3_solver solver = solver_new(smt, context, smt->limits.query_steps);
    for (uint32_t i = 0; i < smt->asserted.len; i++)
        Z3_solver_assert(context, solver, Z3_translate(smt->ctx, smt->asserted.at[i], context));
    enum smt_answer answer = check_in(smt, context, solver);
    Z3_solver_dec_ref(context, solver);
    Z3_del_context(context);
    return answer;
}

static enum smt_answer check(struct smt *smt, struct buf *text)
{
    if (smt->model != NULL)
        Z3_model_dec_ref(smt->ctx, smt->model);
    smt->model = NULL;
    if (smt->broken) {
        smt->why = "a term that the solver rejects";
        return SMT_UNKNOWN;
    }
    if (smt_spent(smt)) {
        smt->why = smt->spent;
        return SMT_UNKNOWN;
    }
    bool alone = smt->bits && smt->alone;
    enum smt_answer answer = alone ? SMT_UNKNOWN : check_in(smt, smt->ctx, smt->solver);
    if (answer == SMT_UNKNOWN && smt->bits && !smt->no_memory && !smt_spent(smt))
        answer = check_alone(smt);
    if (answer != SMT_UNKNOWN)
        keep(smt, answer == SMT_UNSAT, text);
    return answer;
}

enum smt_answer smt_check(struct smt *smt)
{
    struct buf text = {0};
    if (smt->keep_text)
        put_text(smt, smt->solver, &text);
    enum smt_answer answer = check(smt, &text);
    buf_release(&text);
    return answer;
}

bool smt_value(struct smt *smt, Z3_ast term, int64_t *out)
{
    Z3_ast v = NULL;
    *out = 0;
    return smt->model != NULL && Z3_model_eval(smt->ctx, smt->model, term, true, &v) && v != NULL &&
           Z3_get_ast_kind(smt->ctx, v) == Z3_NUMERAL_AST && Z3_get_numeral_int64(smt->ctx, v, out);
}

bool smt_is_false(struct smt *smt, Z3_ast statement)
{
    Z3_ast v = NULL;
    return smt->model != NULL && Z3_model_eval(smt->ctx, smt->model, statement, true, &v) &&
           v != NULL && Z3_get_bool_value(smt->ctx, v) == Z3_L_FALSE;
}

Z3_ast smt_int(struct smt *smt, int64_t k)
{
    return Z3_mk_int64(smt->ctx, k, Z3_mk_int_sort(smt->ctx));
}

Z3_ast smt_const(struct smt *smt, const char *name, Z3_sort sort)
{
    return Z3_mk_const(smt->ctx, Z3_mk_string_symbol(smt->ctx, name), sort);
}

Z3_ast smt_and(struct smt *smt, unsigned n, const Z3_ast *a)
{
    return n == 0 ? Z3_mk_true(smt->ctx) : n == 1 ? a[0] : Z3_mk_and(smt->ctx, n, a);
}

Z3_ast smt_or(struct smt *smt, unsigned n, const Z3_ast *a)
{
    return n == 0 ? Z3_mk_false(smt->ctx) : n == 1 ? a[0] : Z3_mk_or(smt->ctx, n, a);
}

Z3_ast smt_both(Z3_context context, Z3_ast a, Z3_ast b)
{
    return Z3_mk_and(context, 2, (Z3_ast[]){a, b});
}

Z3_ast smt_either(Z3_context context, Z3_ast a, Z3_ast b)
{
    return Z3_mk_or(context, 2, (Z3_ast[]){a, b});
}
