// SPDX-License-Identifier: Apache-2.0
#include "verify/solvers/smt.h"
#include "base/clock.h"

void smt_init(struct smt *s, unsigned rlimit, unsigned timeout_ms)
{
    *s = (struct smt){
        .rlimit = rlimit, .timeout_ms = timeout_ms, .note = "", .why = ""};
    Z3_config cfg = Z3_mk_config();
    s->ctx = Z3_mk_context(cfg);
    Z3_del_config(cfg);
    Z3_set_error_handler(s->ctx, NULL);
}

void smt_release(struct smt *s)
{
    smt_close(s);
    Z3_del_context(s->ctx);
    for (uint32_t i = 0; i < s->query.len; i++)
        buf_release(&s->query.at[i].text);
    vec_release(&s->query);
    vec_release(&s->trail);
    vec_release(&s->saved);
}

static void limit(struct smt *s, Z3_solver solver)
{
    Z3_params p = Z3_mk_params(s->ctx);
    Z3_params_inc_ref(s->ctx, p);
    Z3_params_set_uint(s->ctx, p, Z3_mk_string_symbol(s->ctx, "rlimit"),
                       s->rlimit);
    Z3_params_set_uint(s->ctx, p, Z3_mk_string_symbol(s->ctx, "timeout"),
                       s->timeout_ms);
    Z3_solver_set_params(s->ctx, solver, p);
    Z3_params_dec_ref(s->ctx, p);
}

void smt_open(struct smt *s)
{
    smt_close(s);
    s->broken = false;
    s->bits = false;
    s->solver = Z3_mk_simple_solver(s->ctx);
    Z3_solver_inc_ref(s->ctx, s->solver);
    limit(s, s->solver);
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
    s->bits = true;
    limit(s, s->solver);
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

static void put_text(struct smt *s, Z3_solver solver, struct buf *out)
{
    buf_clear(out);
    buf_puts(out, Z3_solver_to_string(s->ctx, solver));
}

// The assertions that a second look finds to contradict each other, by far
// fewer than all; unchanged if it finds none.
static void put_core(struct smt *s, struct buf *out)
{
    Z3_context c = s->ctx;
    Z3_ast_vector all = Z3_solver_get_assertions(c, s->solver);
    Z3_ast_vector_inc_ref(c, all);
    // A new object lives until the next one is made, unless it is held.
    Z3_solver look = Z3_mk_simple_solver(c);
    Z3_solver_inc_ref(c, look);
    Z3_solver few = Z3_mk_simple_solver(c);
    Z3_solver_inc_ref(c, few);
    limit(s, look);
    unsigned n = Z3_ast_vector_size(c, all);
    Z3_ast *mark = mem_alloc((n + 1) * sizeof(Z3_ast));
    for (unsigned i = 0; i < n; i++) {
        mark[i] = Z3_mk_fresh_const(c, "part", Z3_mk_bool_sort(c));
        Z3_solver_assert_and_track(c, look, Z3_ast_vector_get(c, all, i),
                                   mark[i]);
    }
    if (Z3_solver_check(c, look) == Z3_L_FALSE) {
        Z3_ast_vector core = Z3_solver_get_unsat_core(c, look);
        Z3_ast_vector_inc_ref(c, core);
        unsigned size = Z3_ast_vector_size(c, core);
        for (unsigned i = 0; i < n; i++)
            for (unsigned k = 0; k < size; k++)
                if (Z3_is_eq_ast(c, Z3_ast_vector_get(c, core, k), mark[i]))
                    Z3_solver_assert(c, few, Z3_ast_vector_get(c, all, i));
        if (size > 0 && Z3_get_error_code(c) == Z3_OK)
            put_text(s, few, out);
        Z3_ast_vector_dec_ref(c, core);
    }
    mem_free(mark);
    Z3_solver_dec_ref(c, few);
    Z3_solver_dec_ref(c, look);
    Z3_ast_vector_dec_ref(c, all);
}

// Takes the text, which was written before the check: afterwards some solvers
// add to it.
static void keep(struct smt *s, bool unsat, struct buf *text)
{
    struct smt_query q = {.note = s->note, .unsat = unsat};
    if (!s->keep_text)
        return;
    if (unsat && !s->bits)
        put_core(s, text);
    q.text = *text;
    *text = (struct buf){0};
    vec_push(&s->trail, s->query.len);
    vec_push(&s->query, q);
}

uint32_t smt_mark(const struct smt *s)
{
    return s->trail.len;
}

void smt_forget(struct smt *s, uint32_t mark)
{
    if (s->trail.len > mark)
        s->trail.len = mark;
}

void smt_keep_last_sat(struct smt *s, uint32_t mark)
{
    if (s->trail.len <= mark)
        return;
    uint32_t last = vec_last(&s->trail);
    s->trail.len = mark;
    if (!s->query.at[last].unsat)
        vec_push(&s->trail, last);
}

struct smt_slice smt_save(struct smt *s, uint32_t mark)
{
    struct smt_slice q = {s->saved.len, 0};
    for (uint32_t i = mark; i < s->trail.len; i++, q.n++)
        vec_push(&s->saved, s->trail.at[i]);
    return q;
}

void smt_reuse(struct smt *s, struct smt_slice q)
{
    for (uint32_t i = 0; i < q.n; i++)
        vec_push(&s->trail, s->saved.at[q.at + i]);
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

static enum smt_answer check(struct smt *s, struct buf *text)
{
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
    if (r == Z3_L_FALSE) {
        keep(s, true, text);
        return SMT_UNSAT;
    }
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
    keep(s, false, text);
    return SMT_SAT;
}

enum smt_answer smt_check(struct smt *s)
{
    struct buf text = {0};
    if (s->keep_text)
        put_text(s, s->solver, &text);
    enum smt_answer a = check(s, &text);
    buf_release(&text);
    return a;
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
