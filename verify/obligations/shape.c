// SPDX-License-Identifier: Apache-2.0
// The obligations about sizes.  Hypotheses and goals are conjunctions over the places of
// rank classes, and different places share no variable.  So one place of each rank class
// decides them for every rank (docs/proving.md).
#include "rules/reasons.h"
#include "verify/symbolic/eval.h"
#include "verify/obligations/session.h"
#include "verify/limits.h"

static uint32_t *ones(struct session *session)
{
    uint32_t *rank = ARENA_NEW(session->mem, uint32_t, session->rule->n_classes + 1);
    for (uint32_t c = 0; c < session->rule->n_classes; c++)
        rank[c] = 1;
    return rank;
}

// "x=1 y=1": the classes of a family, one place each.
static const char *family_ranks(struct session *session, uint32_t family)
{
    struct buf buf = {0};
    for (uint32_t c = 0; c < session->rule->n_classes; c++)
        if (denote_family(session->rule, c) == family)
            buf_printf(&buf, "%s%s=1", buf.len == 0 ? "" : " ", session->rule->classes[c].name);
    const char *out = arena_strdup(session->mem, buf_text(&buf));
    buf_release(&buf);
    return out;
}

// Leaves a hint for a goal that failed in one family; the other families have their least
// rank.
static void leave_hint(struct session *session, enum obligation_kind kind, uint32_t family,
                       const struct linear_model *model)
{
    struct denote denote;
    uint32_t *rank = ones(session);
    for (uint32_t c = 0; c < session->rule->n_classes; c++)
        if (denote_family(session->rule, c) != family && !denote_one_axis(session->rule, c))
            rank[c] = session->rule->classes[denote_rank_class(session->rule, c)].least_rank;
    if (denote_init(&denote, &session->exprs, session->rule, rank))
        session_hint(session, kind, ~0U, &denote, model);
    denote_release(&denote);
}

static bool prove_goal(struct session *session, const struct clauses *hyps,
                       const struct clause *goal, enum obligation_kind kind)
{
    struct u32_vec all = {0};
    struct linear_model model = {.genuine = false};
    struct buf detail = {0};
    clauses_append(hyps, goal->family, &all);
    vec_push(&all, expr_not(&session->exprs, goal->cond));
    buf_printf(&detail, "%s (axis class %s)", goal->what, session->rule->classes[goal->cls].name);
    struct stopwatch watch = session_start(session);
    enum smt_answer answer = linear_refute(&session->linear, all.len, all.at, &model);
    bool proved = answer == SMT_UNSAT;
    const char *why = answer == SMT_SAT ? "not provable" : session->smt.why;
    session_record(session, watch,
                   (struct obligation_outcome){kind, family_ranks(session, goal->family),
                                               buf_text(&detail), proved, why});
    if (!proved) {
        session->reason = session_text(
            session, "%s%s%s%s", kind == OBLIGATION_VALID ? reason_VALID : reason_SHAPE,
            buf_text(&detail), answer == SMT_SAT ? "" : ", ", answer == SMT_SAT ? "" : why);
        leave_hint(session, kind, goal->family, answer == SMT_SAT ? &model : NULL);
    }
    buf_release(&detail);
    linear_model_release(&model);
    vec_release(&all);
    return proved;
}

// Goals that are among the hypotheses need no solver.
static bool assumed(struct session *session, const struct clauses *hyps, const struct clause *goal)
{
    expr_id g = canon(&session->polys, goal->cond);
    for (uint32_t i = 0; i < hyps->at.len; i++) {
        const struct clause *clause = &hyps->at.at[i];
        if (canon(&session->polys, clause->cond) == g &&
            (!goal->each_axis || (clause->each_axis && clause->cls == goal->cls)))
            return !session->polys.overflow;
    }
    return false;
}

// Records that a goal about each axis of a block cannot be proved: only the assumptions
// about the axes are known.
static bool refuse_goal(struct session *session, const struct clause *goal,
                        enum obligation_kind kind)
{
    struct buf detail = {0};
    const char *why = "not known of each axis of a block";
    struct stopwatch watch = session_start(session);
    buf_printf(&detail, "%s (axis class %s)", goal->what, session->rule->classes[goal->cls].name);
    session_record(session, watch,
                   (struct obligation_outcome){kind, family_ranks(session, goal->family),
                                               buf_text(&detail), false, why});
    session->reason = session_text(session, "%s%s", reason_BLOCK, buf_text(&detail));
    buf_release(&detail);
    return false;
}

static bool prove_goals(struct session *session, const struct clauses *hyps,
                        const struct clauses *goals, enum obligation_kind kind)
{
    bool all = true;
    uint32_t trivial = 0;
    struct stopwatch watch = session_start(session);
    for (uint32_t i = 0; i < goals->at.len; i++) {
        if (assumed(session, hyps, &goals->at.at[i]))
            trivial++;
        else if (goals->at.at[i].each_axis)
            all &= refuse_goal(session, &goals->at.at[i], kind);
        else
            all &= prove_goal(session, hyps, &goals->at.at[i], kind);
    }
    if (trivial > 0 || goals->at.len == 0) {
        const char *what = goals->at.len == 0 ? "nothing to prove" : "among the hypotheses";
        session_record(session, watch, (struct obligation_outcome){kind, "", what, true, ""});
    }
    return all;
}

static void shape_goals(struct denote *denote, struct clauses *out)
{
    const struct rule *rule = denote->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        if (!denote_has_class(denote, rule->lhs, c))
            continue;
        expr_id a = denote_size(denote, rule->lhs, c, 0);
        expr_id b = denote_size(denote, rule->rhs, c, 0);
        struct clause clause = {expr_eq(denote->exprs, a, b),
                                denote_family(rule, c),
                                0,
                                c,
                                "equal sizes",
                                rule->rhs,
                                rule->classes[c].block && !rule->classes[c].single};
        if (expr_at(denote->exprs, clause.cond)->kind != X_TRUE || !clause.each_axis)
            vec_push(&out->at, clause);
    }
}

static const char *structure(struct denote *denote)
{
    const struct rule *rule = denote->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (denote_has_class(denote, rule->lhs, c) != denote_has_class(denote, rule->rhs, c))
            return "the sides have different axis classes";
    if (rule->pats[rule->lhs].type != rule->pats[rule->rhs].type)
        return "the sides have different element types";
    if (!denote_widths_agree(rule))
        return "the right side converts bits between types that may have "
               "different widths";
    return NULL;
}

bool prove_valid_and_shape(struct session *session)
{
    struct denote denote;
    struct clauses hyps = {{0}}, goals = {{0}}, shape = {{0}};
    bool ok = denote_init(&denote, &session->exprs, session->rule, ones(session));
    if (!ok) {
        session->reason = "more than 64 axis classes";
        return false;
    }
    hypotheses(&denote, &hyps);
    denote_valid(&denote, session->rule->rhs, &goals);
    const char *wrong = denote.failure != NULL ? denote.failure : structure(&denote);
    if (wrong != NULL) {
        session->reason = wrong;
        ok = false;
    } else {
        shape_goals(&denote, &shape);
        ok = prove_goals(session, &hyps, &goals, OBLIGATION_VALID);
        // A goal that was just proved may help the next ones.  If it was not proved, the
        // answer is false anyway.
        for (uint32_t i = 0; i < goals.at.len; i++)
            vec_push(&hyps.at, goals.at.at[i]);
        ok = prove_goals(session, &hyps, &shape, OBLIGATION_SHAPE) && ok;
    }
    vec_release(&hyps.at);
    vec_release(&goals.at);
    vec_release(&shape.at);
    denote_release(&denote);
    return ok;
}

// Goes through larger and larger boxes: with products the solver's model may be spurious.
bool find_model(struct session *session, const struct u32_vec *conj, struct linear_model *model)
{
    static const int64_t box[] = {2, 4, 9, INT64_MAX};
    struct u32_vec vars = {0}, reach = {0};
    bool found = false;
    for (uint32_t i = 0; i < conj->len; i++) {
        vec_clear(&reach);
        expr_reach(&session->exprs, conj->at[i], &reach);
        for (uint32_t k = 0; k < reach.len; k++)
            if (expr_at(&session->exprs, reach.at[k])->kind == X_VAR)
                vec_push(&vars, reach.at[k]);
    }
    uint32_t mark = smt_mark(&session->smt);
    for (uint32_t i = 0; i < sizeof box / sizeof box[0] && !found; i++) {
        struct u32_vec all = {0};
        smt_forget(&session->smt, mark);
        for (uint32_t k = 0; k < conj->len; k++)
            vec_push(&all, conj->at[k]);
        for (uint32_t k = 0; k < vars.len && box[i] != INT64_MAX; k++) {
            vec_push(&all, expr_le(&session->exprs, vars.at[k], expr_int(&session->exprs, box[i])));
            vec_push(&all,
                     expr_le(&session->exprs, expr_int(&session->exprs, -box[i]), vars.at[k]));
        }
        found = linear_refute(&session->linear, all.len, all.at, model) == SMT_SAT;
        for (uint32_t k = 0; k < conj->len && found; k++) {
            struct eval_env env = {
                .exprs = &session->exprs, .value = model->value.at, .n_values = model->value.len};
            bool truth = false;
            found = eval_truth(&env, conj->at[k], &truth) && truth;
        }
        vec_release(&all);
    }
    if (!found)
        smt_forget(&session->smt, mark);
    vec_release(&vars);
    vec_release(&reach);
    return found;
}

// Random values come first, for most preconditions are met by some; unless the solver's queries are
// kept for another one, which is to confirm them.  They also come last, for the solver's models may
// be spurious.
static bool has_model(struct session *session, const struct u32_vec *conj)
{
    struct linear_model model = {.genuine = false};
    uint32_t first = session->smt.keep_text ? 0 : VERIFY_RANDOM_FIRST;
    struct random_values few = {0, first, VERIFY_RANDOM_GROWTH};
    struct random_values more = {first, VERIFY_RANDOM_ROUNDS, VERIFY_RANDOM_GROWTH};
    bool found = eval_meets(&session->exprs, conj->len, conj->at, few) ||
                 find_model(session, conj, &model) ||
                 eval_meets(&session->exprs, conj->len, conj->at, more);
    linear_model_release(&model);
    return found;
}

// NONEMPTY of one family.  If no tensor has an element along its axes, the sizes must have a
// model all the same: a statement about empty tensors is one about some tensors.
static struct obligation_outcome family_nonempty(struct session *session, struct denote *denote,
                                                 const struct clauses *hyps, uint32_t family)
{
    const struct rule *rule = session->rule;
    struct u32_vec conj = {0};
    struct obligation_outcome outcome = {.kind = OBLIGATION_NONEMPTY,
                                         .ranks = family_ranks(session, family),
                                         .detail = "the left side can have an element",
                                         .proved = true,
                                         .reason = "no model of the preconditions found"};
    clauses_append(hyps, family, &conj);
    uint32_t without = conj.len;
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (denote_family(rule, c) == family && denote_has_class(denote, rule->lhs, c))
            vec_push(&conj, expr_le(&session->exprs, expr_int(&session->exprs, 1),
                                    denote_size(denote, rule->lhs, c, 0)));
    if (!has_model(session, &conj)) {
        bool empty = linear_refute(&session->linear, conj.len, conj.at, NULL) == SMT_UNSAT;
        conj.len = without;
        outcome.proved = empty && has_model(session, &conj);
        outcome.detail = empty ? "the left side never has an element" : outcome.detail;
        session->empty |= outcome.proved;
    }
    vec_release(&conj);
    return outcome;
}

void check_nonempty(struct session *session, bool *vacuous)
{
    struct denote denote;
    *vacuous = false;
    if (!denote_init(&denote, &session->exprs, session->rule, ones(session)))
        return;
    struct clauses hyps = {{0}};
    struct stopwatch watch = session_start(session);
    hypotheses(&denote, &hyps);
    for (uint32_t f = 0; f < session->rule->n_classes; f++) {
        if (denote_family(session->rule, f) != f)
            continue;
        struct obligation_outcome outcome = family_nonempty(session, &denote, &hyps, f);
        session_record(session, watch, outcome);
        *vacuous |= !outcome.proved;
    }
    if (session->rule->n_classes == 0)
        session_record(session, watch,
                       (struct obligation_outcome){OBLIGATION_NONEMPTY, "",
                                                   "the left side has an element", true, ""});
    vec_release(&hyps.at);
    denote_release(&denote);
}
