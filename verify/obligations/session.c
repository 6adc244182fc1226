// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/session.h"
#include "base/clock.h"
#include "verify/symbolic/eval.h"
#include "verify/limits.h"
#include <stdarg.h>

void session_init(struct session *session, const struct rule *rule,
                  const struct decide_options *options, struct arena *mem)
{
    *session = (struct session){.rule = rule, .mem = mem, .options = *options, .reason = ""};
    if (session->options.rlimit == 0)
        session->options.rlimit = VERIFY_QUERY_STEPS;
    if (session->options.steps == 0)
        session->options.steps = (uint64_t)VERIFY_RULE_STEPS * 1000000;
    exprs_init(&session->exprs);
    polys_init(&session->polys, &session->exprs);
    smt_init(&session->smt, &(struct smt_limits){.query_steps = session->options.rlimit,
                                                 .steps = session->options.steps,
                                                 .seconds = session->options.seconds_per_rule,
                                                 .late = session->options.late});
    session->smt.work = &session->exprs.work;
    session->smt.keep_text = session->options.smt2 != NULL || session->options.solver != SOLVER_Z3;
    linear_init(&session->linear, &session->exprs, &session->polys, &session->smt, rule);
    linear_init(&session->swap, &session->exprs, &session->polys, &session->smt, rule);
    linear_init(&session->ideal, &session->exprs, &session->polys, &session->smt, rule);
    session->swap.commutative = true;
    session->ideal.integers = true;
    session->goal = GRADE_EXACT;
    for (uint32_t i = 0; i < rule->n_pats; i++)
        session->exprs.keep_picks |= denote_is_sum(&rule->pats[i]);
}

void session_release(struct session *session)
{
    linear_release(&session->linear);
    linear_release(&session->swap);
    linear_release(&session->ideal);
    smt_release(&session->smt);
    polys_release(&session->polys);
    exprs_release(&session->exprs);
    vec_release(&session->pairs);
    vec_release(&session->leaves);
    vec_release(&session->done);
    script_release(&session->script);
}

const char *session_text(struct session *session, const char *fmt, ...)
{
    char text[VERIFY_REASON_BYTES];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return arena_strdup(session->mem, text);
}

struct stopwatch session_start(struct session *session)
{
    return (struct stopwatch){clock_wall(), session->smt.effort, smt_mark(&session->smt)};
}

static void record_section(struct session *session, uint32_t mark,
                           const struct obligation *obligation)
{
    struct buf title = {0};
    buf_printf(&title, "%s: %s", obligation_kind_text(obligation->kind), obligation->detail);
    if (obligation->ranks[0] != '\0')
        buf_printf(&title, ", at ranks %s", obligation->ranks);
    const char *remark = "";
    if (obligation->verdict != VERDICT_PROVED) {
        smt_forget(&session->smt, mark);
        remark = session_text(session, "not proved: %s", obligation->reason);
    } else if (smt_mark(&session->smt) == mark) {
        remark = obligation->kind == OBLIGATION_NONEMPTY ? "by evaluation, without the solver"
                                                         : "by normal forms, without the solver";
    }
    script_end(session, mark, buf_text(&title), remark);
    buf_release(&title);
}

void session_record(struct session *session, struct stopwatch watch,
                    struct obligation_outcome outcome)
{
    struct obligation obligation = {
        .kind = outcome.kind,
        .ranks = arena_strdup(session->mem, outcome.ranks),
        .detail = arena_strdup(session->mem, outcome.detail),
        .verdict = outcome.proved ? VERDICT_PROVED : VERDICT_UNKNOWN,
        .reason = outcome.proved ? "" : arena_strdup(session->mem, outcome.reason),
        .seconds = clock_wall() - watch.wall,
        .effort = session->smt.effort - watch.effort,
    };
    vec_push(&session->done, obligation);
    if (session->options.step != NULL)
        session->options.step(session->options.step_ctx);
    if (session->smt.keep_text)
        record_section(session, watch.mark, &obligation);
}

const char *session_ranks(struct session *session, const uint32_t *rank)
{
    struct buf buf = {0};
    for (uint32_t c = 0; c < session->rule->n_classes; c++)
        buf_printf(&buf, "%s%s=%u", c == 0 ? "" : " ", session->rule->classes[c].name,
                   (unsigned)rank[c]);
    const char *out = arena_strdup(session->mem, buf_text(&buf));
    buf_release(&buf);
    return out;
}

int64_t session_model_value(struct session *session, struct denote *denote,
                            const struct linear_model *model, uint32_t map, uint32_t place)
{
    int64_t v = 0;
    const struct iexp expr = {.op = IE_MAP, .map = map};
    if (model == NULL)
        return 0;
    struct eval_env env = {
        .exprs = &session->exprs, .value = model->value.at, .n_values = model->value.len};
    return eval_int(&env, denote_iexp(denote, &expr, place), &v) ? v : 0;
}

// Do the integers satisfy every hypothesis?
static bool satisfies(struct session *session, struct denote *denote,
                      const struct linear_model *model)
{
    struct clauses clauses = {{0}};
    bool ok = model != NULL;
    hypotheses(denote, &clauses);
    for (uint32_t i = 0; i < clauses.at.len && ok; i++) {
        struct eval_env env = {
            .exprs = &session->exprs, .value = model->value.at, .n_values = model->value.len};
        bool truth = false;
        ok = eval_truth(&env, clauses.at.at[i].cond, &truth) && truth;
    }
    vec_release(&clauses.at);
    return ok;
}

void session_hint(struct session *session, enum obligation_kind kind, unsigned domains,
                  struct denote *denote, const struct linear_model *model)
{
    const struct rule *rule = session->rule;
    if (session->options.hints == NULL || session->options.hints->at.len >= VERIFY_HINTS_KEPT)
        return;
    struct hint hint = {.kind = kind, .domains = domains};
    hint.rank = ARENA_NEW(session->mem, uint32_t, rule->n_classes + 1);
    memcpy(hint.rank, denote->rank, rule->n_classes * sizeof *hint.rank);
    hint.map = ARENA_NEW(session->mem, int64_t *, rule->n_maps + 1);
    for (uint32_t i = 0; i < rule->n_maps; i++) {
        uint32_t rank = denote->rank[rule->maps[i].cls];
        hint.map[i] = ARENA_NEW(session->mem, int64_t, rank + 1);
        for (uint32_t k = 0; k < rank; k++)
            hint.map[i][k] = session_model_value(session, denote, model, i, k);
    }
    hint.exact = satisfies(session, denote, model);
    vec_push(&session->options.hints->at, hint);
}

void clauses_append(const struct clauses *clauses, uint32_t family, struct u32_vec *out)
{
    for (uint32_t i = 0; i < clauses->at.len; i++)
        if (family == NONE || clauses->at.at[i].family == family)
            vec_push(out, clauses->at.at[i].cond);
}

void hypotheses(struct denote *denote, struct clauses *out)
{
    denote_where(denote, out);
    denote_valid(denote, denote->rule->lhs, out);
    for (uint32_t w = 0; w < denote->rule->n_wheres; w++)
        if (denote->rule->wheres[w].cond == NULL)
            denote_valid(denote, denote->rule->wheres[w].pat, out);
}

void hypotheses_nonempty(struct denote *denote, struct u32_vec *out)
{
    const struct rule *rule = denote->rule;
    struct clauses hyps = {{0}};
    hypotheses(denote, &hyps);
    clauses_append(&hyps, NONE, out);
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (denote_has_class(denote, rule->lhs, c))
            vec_push(out, expr_le(denote->exprs, expr_int(denote->exprs, 1),
                                  denote_size(denote, rule->lhs, c, 0)));
    vec_release(&hyps.at);
}
