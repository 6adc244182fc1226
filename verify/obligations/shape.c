// SPDX-License-Identifier: Apache-2.0
// The obligations about sizes.  Hypotheses and goals are conjunctions over the
// places of rank classes, and different places share no variable, so one place
// of each rank class decides them for every rank (docs/proving.md).
#include "verify/symbolic/eval.h"
#include "verify/obligations/session.h"

static uint32_t *ones(struct session *s)
{
    uint32_t *rank = ARENA_NEW(s->mem, uint32_t, s->r->n_classes + 1);
    for (uint32_t c = 0; c < s->r->n_classes; c++)
        rank[c] = 1;
    return rank;
}

// "x=1 y=1": the classes of a family, one place each.
static const char *family_ranks(struct session *s, uint32_t family)
{
    struct buf b = {0};
    for (uint32_t c = 0; c < s->r->n_classes; c++)
        if (denote_family(s->r, c) == family)
            buf_printf(&b, "%s%s=1", b.len == 0 ? "" : " ",
                       s->r->classes[c].name);
    const char *out = arena_strdup(s->mem, buf_text(&b));
    buf_release(&b);
    return out;
}

// A failing goal in one family: the other families at their least rank.
static void leave_hint(struct session *s, enum obligation_kind kind,
                       uint32_t family, const struct linear_model *m)
{
    struct denote d;
    uint32_t *rank = ones(s);
    for (uint32_t c = 0; c < s->r->n_classes; c++)
        if (denote_family(s->r, c) != family && !denote_one_axis(s->r, c))
            rank[c] = s->r->classes[denote_rank_class(s->r, c)].least_rank;
    if (denote_init(&d, &s->x, s->r, rank))
        session_hint(s, kind, ~0U, &d, m);
    denote_release(&d);
}

static bool prove_goal(struct session *s, const struct clauses *hyps,
                       const struct clause *goal, enum obligation_kind kind)
{
    struct u32_vec all = {0};
    struct linear_model m = {.genuine = false};
    struct buf detail = {0};
    clauses_append(hyps, goal->family, &all);
    vec_push(&all, expr_not(&s->x, goal->cond));
    buf_printf(&detail, "%s (class %s)", goal->what,
               s->r->classes[goal->cls].name);
    struct stopwatch t = session_start(s);
    enum smt_answer a = linear_refute(&s->l, all.len, all.at, &m);
    bool proved = a == SMT_UNSAT;
    const char *why = a == SMT_SAT ? "not provable" : s->smt.why;
    session_record(s, t, kind, family_ranks(s, goal->family), buf_text(&detail),
                   proved, why);
    if (!proved) {
        s->reason = session_text(s, "%s: %s: %s", obligation_kind_text(kind),
                                 buf_text(&detail), why);
        leave_hint(s, kind, goal->family, a == SMT_SAT ? &m : NULL);
    }
    buf_release(&detail);
    linear_model_release(&m);
    vec_release(&all);
    return proved;
}

// Goals that are among the hypotheses need no solver.
static bool assumed(struct session *s, const struct clauses *hyps,
                    const struct clause *goal)
{
    expr_id g = canon(&s->p, goal->cond);
    for (uint32_t i = 0; i < hyps->at.len; i++) {
        const struct clause *h = &hyps->at.at[i];
        if (canon(&s->p, h->cond) == g &&
            (!goal->each_axis || (h->each_axis && h->cls == goal->cls)))
            return !s->p.overflow;
    }
    return false;
}

// Of the axes of a block nothing is known but what is assumed of them.
static bool refuse_goal(struct session *s, const struct clause *goal,
                        enum obligation_kind kind)
{
    struct buf detail = {0};
    const char *why = "not known of each axis of a block";
    struct stopwatch t = session_start(s);
    buf_printf(&detail, "%s (class %s)", goal->what,
               s->r->classes[goal->cls].name);
    session_record(s, t, kind, family_ranks(s, goal->family), buf_text(&detail),
                   false, why);
    s->reason = session_text(s, "%s: %s: %s", obligation_kind_text(kind),
                             buf_text(&detail), why);
    buf_release(&detail);
    return false;
}

static bool prove_goals(struct session *s, const struct clauses *hyps,
                        const struct clauses *goals, enum obligation_kind kind)
{
    bool all = true;
    uint32_t trivial = 0;
    struct stopwatch t = session_start(s);
    for (uint32_t i = 0; i < goals->at.len; i++) {
        if (assumed(s, hyps, &goals->at.at[i]))
            trivial++;
        else if (goals->at.at[i].each_axis)
            all &= refuse_goal(s, &goals->at.at[i], kind);
        else
            all &= prove_goal(s, hyps, &goals->at.at[i], kind);
    }
    if (trivial > 0 || goals->at.len == 0) {
        const char *what =
            goals->at.len == 0 ? "nothing to prove" : "among the hypotheses";
        session_record(s, t, kind, "", what, true, "");
    }
    return all;
}

static void shape_goals(struct denote *d, struct clauses *out)
{
    const struct rule *r = d->r;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        if (!denote_has_class(d, r->lhs, c))
            continue;
        expr_id a = denote_size(d, r->lhs, c, 0);
        expr_id b = denote_size(d, r->rhs, c, 0);
        struct clause q = {expr_eq(d->x, a, b),
                           denote_family(r, c),
                           0,
                           c,
                           "both sides have one size",
                           r->rhs,
                           r->classes[c].block && !r->classes[c].single};
        if (expr_at(d->x, q.cond)->kind != X_TRUE || !q.each_axis)
            vec_push(&out->at, q);
    }
}

static const char *structure(struct denote *d)
{
    const struct rule *r = d->r;
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (denote_has_class(d, r->lhs, c) != denote_has_class(d, r->rhs, c))
            return "the sides have different axis classes";
    if (r->pats[r->lhs].type != r->pats[r->rhs].type)
        return "the sides have different element types";
    if (!denote_widths_agree(r))
        return "the right side converts bits between types that may have "
               "different widths";
    return NULL;
}

bool prove_valid_and_shape(struct session *s)
{
    struct denote d;
    struct clauses hyps = {{0}}, goals = {{0}}, shape = {{0}};
    bool ok = denote_init(&d, &s->x, s->r, ones(s));
    if (!ok) {
        s->reason = "more than 64 axis classes";
        return false;
    }
    hypotheses(&d, &hyps);
    denote_valid(&d, s->r->rhs, &goals);
    const char *wrong = d.failure != NULL ? d.failure : structure(&d);
    if (wrong != NULL) {
        s->reason = wrong;
        ok = false;
    } else {
        shape_goals(&d, &shape);
        ok = prove_goals(s, &hyps, &goals, OBLIGATION_VALID);
        // What was just proved may help; if it was not, the answer is no.
        for (uint32_t i = 0; i < goals.at.len; i++)
            vec_push(&hyps.at, goals.at.at[i]);
        ok = prove_goals(s, &hyps, &shape, OBLIGATION_SHAPE) && ok;
    }
    vec_release(&hyps.at);
    vec_release(&goals.at);
    vec_release(&shape.at);
    denote_release(&d);
    return ok;
}

// A model of the conjuncts that eval_truth confirms, from ever larger boxes:
// the solver's model may be spurious where products occur.
static bool find_model(struct session *s, const struct u32_vec *conj,
                       struct linear_model *m)
{
    static const int64_t box[] = {2, 4, 9, INT64_MAX};
    struct u32_vec vars = {0}, reach = {0};
    bool found = false;
    for (uint32_t i = 0; i < conj->len; i++) {
        vec_clear(&reach);
        expr_reach(&s->x, conj->at[i], &reach);
        for (uint32_t k = 0; k < reach.len; k++)
            if (expr_at(&s->x, reach.at[k])->kind == X_VAR)
                vec_push(&vars, reach.at[k]);
    }
    uint32_t mark = smt_mark(&s->smt);
    for (uint32_t i = 0; i < sizeof box / sizeof box[0] && !found; i++) {
        struct u32_vec all = {0};
        smt_forget(&s->smt, mark);
        for (uint32_t k = 0; k < conj->len; k++)
            vec_push(&all, conj->at[k]);
        for (uint32_t k = 0; k < vars.len && box[i] != INT64_MAX; k++) {
            vec_push(&all, expr_le(&s->x, vars.at[k], expr_int(&s->x, box[i])));
            vec_push(&all,
                     expr_le(&s->x, expr_int(&s->x, -box[i]), vars.at[k]));
        }
        found = linear_refute(&s->l, all.len, all.at, m) == SMT_SAT;
        for (uint32_t k = 0; k < conj->len && found; k++) {
            struct eval_env env = {
                .x = &s->x, .value = m->value.at, .n_values = m->value.len};
            bool truth = false;
            found = eval_truth(&env, conj->at[k], &truth) && truth;
        }
        vec_release(&all);
    }
    if (!found)
        smt_forget(&s->smt, mark);
    vec_release(&vars);
    vec_release(&reach);
    return found;
}

// Small random values, where the solver's models are spurious.
static bool search_model(struct session *s, const struct u32_vec *conj)
{
    struct i64_vec value = {0};
    struct rng rng;
    bool found = false;
    rng_seed(&rng, 1);
    for (uint32_t i = 0; i < s->x.var.len; i++)
        vec_push(&value, 0);
    for (uint32_t round = 0; round < 20000 && !found; round++) {
        for (uint32_t i = 0; i < value.len; i++)
            value.at[i] = rng_range(&rng, -1, 2 + (int64_t)(round / 2500));
        struct eval_env env = {
            .x = &s->x, .value = value.at, .n_values = value.len};
        found = true;
        for (uint32_t k = 0; k < conj->len && found; k++) {
            bool truth = false;
            found = eval_truth(&env, conj->at[k], &truth) && truth;
        }
    }
    vec_release(&value);
    return found;
}

void check_nonempty(struct session *s, bool *vacuous)
{
    struct denote d;
    *vacuous = false;
    if (!denote_init(&d, &s->x, s->r, ones(s)))
        return;
    struct clauses hyps = {{0}};
    struct stopwatch t = session_start(s);
    hypotheses(&d, &hyps);
    for (uint32_t f = 0; f < s->r->n_classes; f++) {
        struct u32_vec conj = {0};
        struct linear_model m = {.genuine = false};
        if (denote_family(s->r, f) != f)
            continue;
        clauses_append(&hyps, f, &conj);
        for (uint32_t c = 0; c < s->r->n_classes; c++)
            if (denote_family(s->r, c) == f &&
                denote_has_class(&d, s->r->lhs, c))
                vec_push(&conj, expr_le(&s->x, expr_int(&s->x, 1),
                                        denote_size(&d, s->r->lhs, c, 0)));
        bool found = find_model(s, &conj, &m) || search_model(s, &conj);
        session_record(s, t, OBLIGATION_NONEMPTY, family_ranks(s, f),
                       "the left side can have an element", found,
                       "no model of the preconditions found");
        *vacuous |= !found;
        linear_model_release(&m);
        vec_release(&conj);
    }
    if (s->r->n_classes == 0)
        session_record(s, t, OBLIGATION_NONEMPTY, "",
                       "the left side has an element", true, "");
    vec_release(&hyps.at);
    denote_release(&d);
}
