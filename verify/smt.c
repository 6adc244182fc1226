// SPDX-License-Identifier: Apache-2.0
#include "verify/smt.h"
#include "base/clock.h"

void smt_init(struct smt *s, unsigned rlimit, unsigned timeout_ms)
{
    *s = (struct smt){.rlimit = rlimit, .timeout_ms = timeout_ms, .why = ""};
    Z3_config cfg = Z3_mk_config();
    s->ctx = Z3_mk_context(cfg);
    Z3_del_config(cfg);
    Z3_set_error_handler(s->ctx, NULL);
}

void smt_release(struct smt *s)
{
    smt_close(s);
    Z3_del_context(s->ctx);
}

static void set_limits(struct smt *s)
{
    Z3_params p = Z3_mk_params(s->ctx);
    Z3_params_inc_ref(s->ctx, p);
    Z3_params_set_uint(s->ctx, p, Z3_mk_string_symbol(s->ctx, "rlimit"),
                       s->rlimit);
    Z3_params_set_uint(s->ctx, p, Z3_mk_string_symbol(s->ctx, "timeout"),
                       s->timeout_ms);
    Z3_solver_set_params(s->ctx, s->solver, p);
    Z3_params_dec_ref(s->ctx, p);
}

void smt_open(struct smt *s)
{
    smt_close(s);
    s->broken = false;
    s->solver = Z3_mk_simple_solver(s->ctx);
    Z3_solver_inc_ref(s->ctx, s->solver);
    set_limits(s);
}

void smt_open_bits(struct smt *s)
{
    static const char *const pass[] = {"fpa2bv", "simplify", "propagate-values",
                                       "bit-blast", "sat"};
    smt_close(s);
    s->broken = false;
    Z3_tactic t = Z3_mk_tactic(s->ctx, "simplify");
    Z3_tactic_inc_ref(s->ctx, t);
    for (size_t i = 0; i < sizeof pass / sizeof pass[0]; i++) {
        Z3_tactic next = Z3_mk_tactic(s->ctx, pass[i]);
        Z3_tactic_inc_ref(s->ctx, next);
        Z3_tactic both = Z3_tactic_and_then(s->ctx, t, next);
        Z3_tactic_inc_ref(s->ctx, both);
        Z3_tactic_dec_ref(s->ctx, t);
        Z3_tactic_dec_ref(s->ctx, next);
        t = both;
    }
    s->solver = Z3_mk_solver_from_tactic(s->ctx, t);
    Z3_solver_inc_ref(s->ctx, s->solver);
    Z3_tactic_dec_ref(s->ctx, t);
    set_limits(s);
}

void smt_close(struct smt *s)
{
    if (s->model != NULL)
        Z3_model_dec_ref(s->ctx, s->model);
    if (s->solver != NULL)
        Z3_solver_dec_ref(s->ctx, s->solver);
    s->model = NULL;
    s->solver = NULL;
}

void smt_assert(struct smt *s, Z3_ast a)
{
    // An assertion that could not be built is missing, which is sound; but the
    // answer would be about something else.
    if (a == NULL || Z3_get_error_code(s->ctx) != Z3_OK) {
        s->broken = true;
        return;
    }
    Z3_solver_assert(s->ctx, s->solver, a);
    if (Z3_get_error_code(s->ctx) != Z3_OK)
        s->broken = true;
}

// Z3 counts the steps of a context, not of a check.
static uint64_t steps(struct smt *s)
{
    Z3_stats st = Z3_solver_get_statistics(s->ctx, s->solver);
    Z3_stats_inc_ref(s->ctx, st);
    uint64_t n = 0;
    unsigned size = Z3_stats_size(s->ctx, st);
    for (unsigned i = 0; i < size; i++)
        if (strcmp(Z3_stats_get_key(s->ctx, st, i), "rlimit count") == 0)
            n = Z3_stats_is_uint(s->ctx, st, i)
                    ? Z3_stats_get_uint_value(s->ctx, st, i)
                    : (uint64_t)Z3_stats_get_double_value(s->ctx, st, i);
    Z3_stats_dec_ref(s->ctx, st);
    return n;
}

static void dump(struct smt *s)
{
    buf_printf(s->dump, "; %s\n%s(check-sat)\n(reset)\n\n",
               s->title == NULL ? "" : s->title,
               Z3_solver_to_string(s->ctx, s->solver));
}

bool smt_out_of_time(const struct smt *s)
{
    return s->deadline != 0 && clock_wall() > s->deadline;
}

// Z3 says "canceled" for every limit.
static const char *plain_reason(const char *z3)
{
    if (strcmp(z3, "canceled") == 0 || strcmp(z3, "timeout") == 0 ||
        strncmp(z3, "max. resource limit", 19) == 0)
        return "the solver reached its limit";
    if (strcmp(z3, "incomplete") == 0)
        return "the solver has no answer";
    return z3;
}

enum smt_answer smt_check(struct smt *s)
{
    if (s->dump != NULL)
        dump(s);
    if (s->model != NULL)
        Z3_model_dec_ref(s->ctx, s->model);
    s->model = NULL;
    if (s->broken) {
        s->why = "a term that the solver rejects";
        return SMT_UNKNOWN;
    }
    if (smt_out_of_time(s)) {
        s->why = "time";
        return SMT_UNKNOWN;
    }
    Z3_lbool r = Z3_solver_check(s->ctx, s->solver);
    uint64_t after = steps(s);
    if (after > s->effort)
        s->effort = after;
    if (Z3_get_error_code(s->ctx) != Z3_OK) {
        s->why = Z3_get_error_msg(s->ctx, Z3_get_error_code(s->ctx));
        return SMT_UNKNOWN;
    }
    if (r == Z3_L_FALSE)
        return SMT_UNSAT;
    if (r == Z3_L_UNDEF) {
        s->why = plain_reason(Z3_solver_get_reason_unknown(s->ctx, s->solver));
        return SMT_UNKNOWN;
    }
    s->model = Z3_solver_get_model(s->ctx, s->solver);
    if (s->model == NULL) {
        s->why = "no model";
        return SMT_UNKNOWN;
    }
    Z3_model_inc_ref(s->ctx, s->model);
    return SMT_SAT;
}

bool smt_value(struct smt *s, Z3_ast term, int64_t *out)
{
    Z3_ast v = NULL;
    *out = 0;
    return s->model != NULL &&
           Z3_model_eval(s->ctx, s->model, term, true, &v) && v != NULL &&
           Z3_get_ast_kind(s->ctx, v) == Z3_NUMERAL_AST &&
           Z3_get_numeral_int64(s->ctx, v, out);
}

Z3_ast smt_int(struct smt *s, int64_t k)
{
    return Z3_mk_int64(s->ctx, k, Z3_mk_int_sort(s->ctx));
}

Z3_ast smt_const(struct smt *s, const char *name, Z3_sort sort)
{
    return Z3_mk_const(s->ctx, Z3_mk_string_symbol(s->ctx, name), sort);
}

Z3_ast smt_and(struct smt *s, unsigned n, const Z3_ast *a)
{
    return n == 0   ? Z3_mk_true(s->ctx)
           : n == 1 ? a[0]
                    : Z3_mk_and(s->ctx, n, a);
}

Z3_ast smt_or(struct smt *s, unsigned n, const Z3_ast *a)
{
    return n == 0   ? Z3_mk_false(s->ctx)
           : n == 1 ? a[0]
                    : Z3_mk_or(s->ctx, n, a);
}
