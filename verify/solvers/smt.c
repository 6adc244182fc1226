// SPDX-License-Identifier: Apache-2.0
#include "rules/reasons.h"
#include "verify/solvers/smt.h"
#include "base/clock.h"

void smt_init(struct smt *smt, unsigned rlimit, unsigned timeout_ms)
{
    *smt = (struct smt){.rlimit = rlimit, .timeout_ms = timeout_ms, .note = "", .why = ""};
    Z3_config cfg = Z3_mk_config();
    smt->ctx = Z3_mk_context(cfg);
    Z3_del_config(cfg);
    Z3_set_error_handler(smt->ctx, NULL);
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
}

static void limit(struct smt *smt, Z3_solver solver)
{
    Z3_params p = Z3_mk_params(smt->ctx);
    Z3_params_inc_ref(smt->ctx, p);
    Z3_params_set_uint(smt->ctx, p, Z3_mk_string_symbol(smt->ctx, "rlimit"), smt->rlimit);
    Z3_params_set_uint(smt->ctx, p, Z3_mk_string_symbol(smt->ctx, "timeout"), smt->timeout_ms);
    Z3_solver_set_params(smt->ctx, solver, p);
    Z3_params_dec_ref(smt->ctx, p);
}

void smt_open(struct smt *smt)
{
    smt_close(smt);
    smt->broken = false;
    smt->bits = false;
    smt->solver = Z3_mk_simple_solver(smt->ctx);
    Z3_solver_inc_ref(smt->ctx, smt->solver);
    limit(smt, smt->solver);
}

void smt_open_bits(struct smt *smt)
{
    static const char *const pass[] = {"fpa2bv", "simplify", "propagate-values", "bit-blast",
                                       "sat"};
    smt_close(smt);
    smt->broken = false;
    Z3_tactic t = Z3_mk_tactic(smt->ctx, "simplify");
    Z3_tactic_inc_ref(smt->ctx, t);
    for (size_t i = 0; i < sizeof pass / sizeof pass[0]; i++) {
        Z3_tactic next = Z3_mk_tactic(smt->ctx, pass[i]);
        Z3_tactic_inc_ref(smt->ctx, next);
        Z3_tactic both = Z3_tactic_and_then(smt->ctx, t, next);
        Z3_tactic_inc_ref(smt->ctx, both);
        Z3_tactic_dec_ref(smt->ctx, t);
        Z3_tactic_dec_ref(smt->ctx, next);
        t = both;
    }
    smt->solver = Z3_mk_solver_from_tactic(smt->ctx, t);
    Z3_solver_inc_ref(smt->ctx, smt->solver);
    Z3_tactic_dec_ref(smt->ctx, t);
    smt->bits = true;
    limit(smt, smt->solver);
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
}

// Z3 counts the steps of a context, not those of a check.
static uint64_t steps(struct smt *smt)
{
    Z3_stats st = Z3_solver_get_statistics(smt->ctx, smt->solver);
    Z3_stats_inc_ref(smt->ctx, st);
    uint64_t n = 0;
    unsigned size = Z3_stats_size(smt->ctx, st);
    for (unsigned i = 0; i < size; i++)
        if (strcmp(Z3_stats_get_key(smt->ctx, st, i), "rlimit count") == 0)
            n = Z3_stats_is_uint(smt->ctx, st, i)
                    ? Z3_stats_get_uint_value(smt->ctx, st, i)
                    : (uint64_t)Z3_stats_get_double_value(smt->ctx, st, i);
    Z3_stats_dec_ref(smt->ctx, st);
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
    limit(smt, look);
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

bool smt_out_of_time(const struct smt *smt)
{
    return smt->deadline != 0 && clock_wall() > smt->deadline;
}

// Z3 returns "canceled" for every limit.
static const char *plain_reason(const char *z3)
{
    if (strcmp(z3, "canceled") == 0 || strcmp(z3, "timeout") == 0 ||
        strncmp(z3, "max. resource limit", 19) == 0)
        return reason_STEPS;
    if (strstr(z3, "incomplete") != NULL)
        return reason_NO_ANSWER;
    return z3;
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
    if (smt_out_of_time(smt)) {
        smt->why = "time";
        return SMT_UNKNOWN;
    }
    Z3_lbool r = Z3_solver_check(smt->ctx, smt->solver);
    uint64_t after = steps(smt);
    if (after > smt->effort)
        smt->effort = after;
    if (Z3_get_error_code(smt->ctx) != Z3_OK) {
        smt->why = Z3_get_error_msg(smt->ctx, Z3_get_error_code(smt->ctx));
        return SMT_UNKNOWN;
    }
    if (r == Z3_L_FALSE) {
        keep(smt, true, text);
        return SMT_UNSAT;
    }
    if (r == Z3_L_UNDEF) {
        smt->why = plain_reason(Z3_solver_get_reason_unknown(smt->ctx, smt->solver));
        return SMT_UNKNOWN;
    }
    smt->model = Z3_solver_get_model(smt->ctx, smt->solver);
    if (smt->model == NULL) {
        smt->why = "no model";
        return SMT_UNKNOWN;
    }
    Z3_model_inc_ref(smt->ctx, smt->model);
    keep(smt, false, text);
    return SMT_SAT;
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
