// SPDX-License-Identifier: Apache-2.0
// The arithmetic rung: cases, merged reads, leaves.
#include "verify/element.h"

#define MAX_CASES 14 // nested choices decided one after another

struct cases {
    const struct ask *k;
    struct u32_vec hyps;
};

// The condition of a choice between elements, one that has no other below it.
static expr_id find_pick(const struct exprs *x, expr_id e)
{
    expr_id found = NO_EXPR;
    struct u32_vec reach = {0};
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len && found == NO_EXPR; i++)
        if (expr_at(x, reach.at[i])->kind == X_PICK)
            found = expr_arg(x, reach.at[i], 0);
    vec_release(&reach);
    return found;
}

static bool same_place(struct session *s, const struct u32_vec *hyps, expr_id a,
                       expr_id b)
{
    struct exprs *x = &s->x;
    const struct expr p = *expr_at(x, a), q = *expr_at(x, b);
    if (p.kind != q.kind || p.sym != q.sym || p.type != q.type || p.n != q.n)
        return false;
    struct u32_vec eq = {0};
    for (uint32_t i = 0; i < p.n; i++)
        vec_push(&eq, expr_eq(x, expr_arg(x, a, i), expr_arg(x, b, i)));
    bool same =
        linear_proves(&s->l, hyps->len, hyps->at, expr_and(x, eq.len, eq.at));
    vec_release(&eq);
    return same;
}

static void collect(const struct exprs *x, expr_id e, struct u32_vec *out)
{
    struct u32_vec reach = {0};
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        enum expr_kind kind = (enum expr_kind)expr_at(x, reach.at[i])->kind;
        bool known = kind != X_ACCESS && kind != X_INJECT && kind != X_ATOM;
        for (uint32_t j = 0; j < out->len && !known; j++)
            known = out->at[j] == reach.at[i];
        if (!known)
            vec_push(out, reach.at[i]);
    }
    vec_release(&reach);
}

// Reads become unknowns; those of one place the same one.  Unknowns are
// numbered in order of occurrence, so that equal leaves look equal.  An iota
// is left as it is where injection is a homomorphism.
static void name_unknowns(const struct ask *k, const struct u32_vec *hyps,
                          struct leaf *f)
{
    struct session *s = k->s;
    struct exprs *x = &s->x;
    struct u32_vec from = {0}, to = {0};
    collect(x, f->lhs, &from);
    collect(x, f->rhs, &from);
    for (uint32_t i = 0; i < f->holds.len; i++)
        collect(x, f->holds.at[i], &from);
    for (uint32_t i = 0; i < from.len; i++) {
        const struct expr n = *expr_at(x, from.at[i]);
        expr_id t = NO_EXPR;
        for (uint32_t j = 0; j < i && t == NO_EXPR; j++)
            if (n.kind != X_ATOM && to.at[j] != NO_EXPR &&
                same_place(s, hyps, from.at[j], from.at[i]))
                t = to.at[j];
        if (t == NO_EXPR && n.kind == X_INJECT &&
            linear_proves(
                &s->l, hyps->len, hyps->at,
                expr_eq(x, expr_arg(x, from.at[i], 0), expr_int(x, 0)))) {
            t = expr_literal(x, LIT_INT, 0, 0, n.type);
        } else if (t == NO_EXPR && n.kind == X_INJECT &&
                   k->domain != DOMAIN_FLOAT) {
            t = from.at[i];
        } else if (t == NO_EXPR) {
            int64_t infinite = element_may_be_infinite(s, from.at[i]);
            t = expr_atom(x, -2 * (int64_t)(i + 1) - infinite, n.type);
        }
        vec_push(&to, t);
    }
    f->lhs = expr_subst(x, f->lhs, from.len, from.at, to.at);
    f->rhs = expr_subst(x, f->rhs, from.len, from.at, to.at);
    for (uint32_t i = 0; i < f->holds.len; i++)
        f->holds.at[i] =
            expr_subst(x, f->holds.at[i], from.len, from.at, to.at);
    vec_release(&from);
    vec_release(&to);
}

static bool mentions_index(const struct exprs *x, expr_id e)
{
    struct u32_vec reach = {0};
    bool found = false;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len && !found; i++)
        found = expr_at(x, reach.at[i])->kind == X_VAR;
    vec_release(&reach);
    return found;
}

static bool solve_leaf(const struct ask *k, struct leaf *f)
{
    struct session *s = k->s;
    struct exprs *x = &s->x;
    enum domain d = (enum domain)k->domain;
    expr_id a = ring_normal(s, d, f->lhs), b = ring_normal(s, d, f->rhs);
    if (a == b && !s->p.overflow)
        return true;
    expr_id holds = expr_and(x, f->holds.len, f->holds.at);
    // Leaves that still speak of indices depend on the hypotheses.
    bool closed = !mentions_index(x, a) && !mentions_index(x, b) &&
                  !mentions_index(x, holds);
    for (uint32_t i = 0; closed && i < s->leaves.len; i++) {
        const struct leaf_entry *q = &s->leaves.at[i];
        if (q->lhs == f->lhs && q->rhs == f->rhs && q->hyps == holds &&
            q->domain == d && q->goal == s->goal) {
            s->reason = q->reason;
            smt_reuse(&s->smt, q->rests_on);
            return q->proved;
        }
    }
    s->reason = "the elements may differ";
    uint32_t mark = smt_mark(&s->smt);
    bool proved;
    if (d == DOMAIN_INT) {
        proved = ideal_leaf(s, f);
    } else {
        struct leaf g = *f;
        if (d == DOMAIN_FLOAT) { // the solver knows the other normal forms not
            g.lhs = a;
            g.rhs = b;
        }
        proved = machine_leaf(s, d, &g);
    }
    if (!proved)
        smt_forget(&s->smt, mark);
    if (closed)
        vec_push(&s->leaves,
                 ((struct leaf_entry){f->lhs, f->rhs, holds, d, s->goal, proved,
                                      s->reason, smt_save(&s->smt, mark)}));
    return proved;
}

static bool prove_leaf(const struct ask *k, const struct u32_vec *hyps,
                       const struct givens *g, expr_id a, expr_id b)
{
    struct session *s = k->s;
    struct leaf f = {.lhs = a, .rhs = b, .hyps = hyps, .d = k->d};
    for (uint32_t i = 0; i < g->at.len; i++)
        if (linear_proves(&s->l, hyps->len, hyps->at, g->at.at[i].range))
            vec_push(&f.holds, g->at.at[i].holds);
    name_unknowns(k, hyps, &f);
    bool same = (f.lhs == f.rhs && !s->p.overflow) || solve_leaf(k, &f);
    vec_release(&f.holds);
    return same;
}

static bool decide_cases(const struct ask *k, const struct u32_vec *hyps,
                         const struct givens *g, expr_id a, expr_id b,
                         unsigned depth)
{
    struct session *s = k->s;
    struct exprs *x = &s->x;
    a = canon(&s->p, a);
    b = canon(&s->p, b);
    if (a == b && !s->p.overflow)
        return true;
    expr_id c = find_pick(x, a);
    if (c == NO_EXPR)
        c = find_pick(x, b);
    if (c == NO_EXPR)
        return prove_leaf(k, hyps, g, a, b);
    if (depth == 0 || smt_out_of_time(&s->smt)) {
        s->reason = depth == 0 ? "too many cases" : "time";
        return false;
    }
    bool same = true;
    for (int v = 0; v < 2 && same; v++) {
        struct u32_vec more = {0};
        expr_id truth = v == 0 ? expr_true(x) : expr_false(x);
        for (uint32_t i = 0; i < hyps->len; i++)
            vec_push(&more, hyps->at[i]);
        vec_push(&more, v == 0 ? c : expr_not(x, c));
        uint32_t mark = smt_mark(&s->smt);
        if (linear_refute(&s->l, more.len, more.at, NULL) != SMT_UNSAT) {
            smt_forget(&s->smt, mark);
            same = decide_cases(k, &more, g, expr_subst(x, a, 1, &c, &truth),
                                expr_subst(x, b, 1, &c, &truth), depth - 1);
        }
        vec_release(&more);
    }
    return same;
}

bool leaf_same(const struct ask *k, const struct u32_vec *hyps,
               const struct givens *g, expr_id a, expr_id b)
{
    struct session *s = k->s;
    // Reduces are unknowns by now, so choices may be simplified.
    bool keep = s->x.keep_picks;
    s->x.keep_picks = false;
    bool same = decide_cases(k, hyps, g, a, b, MAX_CASES);
    s->x.keep_picks = keep;
    return same;
}
