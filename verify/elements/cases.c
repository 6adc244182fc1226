// SPDX-License-Identifier: Apache-2.0
// The arithmetic rung: cases, merged reads, leaves.
#include "verify/elements/same.h"
#include "verify/integers/translate.h"

#define MAX_CASES 14 // nested choices decided one after another

struct leaf_cases {
    const struct element_query *k;
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

// The number of the leaf that an injected index must be, or 0; else NO_EXPR.
static expr_id constant_of(const struct element_query *k, const struct u32_vec *hyps,
                           const struct leaf *f, expr_id inject)
{
    struct session *s = k->s;
    struct exprs *x = &s->x;
    uint32_t type = expr_at(x, inject)->type;
    struct u32_vec reach = {0};
    expr_id found = NO_EXPR;
    vec_push(&reach, expr_literal(x, LIT_INT, 0, 0, type));
    expr_reach(x, f->lhs, &reach);
    expr_reach(x, f->rhs, &reach);
    for (uint32_t i = 0; i < reach.len && found == NO_EXPR; i++) {
        const struct expr n = *expr_at(x, reach.at[i]);
        bool number = n.kind == X_LITERAL && n.op == LIT_INT && n.sym == 0 &&
                      n.type == type;
        for (uint32_t j = 0; j < i && number; j++)
            number = reach.at[j] != reach.at[i];
        if (number &&
            linear_proves(&s->l, hyps->len, hyps->at,
                          expr_eq(x, expr_arg(x, inject, 0), expr_int(x, n.k))))
            found = reach.at[i];
    }
    vec_release(&reach);
    return found;
}

// Reads become unknowns; those of one place the same one.  Unknowns are
// numbered in order of occurrence, so that equal leaves look equal.  An iota
// is left as it is where injection is a homomorphism.
static void name_unknowns(const struct element_query *k, const struct u32_vec *hyps,
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
        if (t == NO_EXPR && n.kind == X_INJECT)
            t = constant_of(k, hyps, f, from.at[i]);
        if (t == NO_EXPR && n.kind == X_INJECT && k->domain != DOMAIN_FLOAT) {
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

static bool solve_leaf(const struct element_query *k, struct leaf *f)
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
        proved = integer_leaf(s, f);
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

static bool prove_leaf(const struct element_query *k, const struct u32_vec *hyps,
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

static bool decide_cases(const struct element_query *k, const struct u32_vec *hyps,
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

// The integer that an element of int or real is converted from, or, given the
// type of one, that a literal is.
static expr_id integer_below(const struct element_query *k, expr_id e, uint32_t type)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    if (n.kind == X_LITERAL && n.op == LIT_INT && n.sym == 0 && type != NONE)
        return expr_literal(x, LIT_INT, n.k, 0, type);
    if (n.kind != X_OP || n.op != OP_CONVERT)
        return NO_EXPR;
    expr_id a = expr_arg(x, e, 0);
    uint32_t from = expr_at(x, a)->type;
    bool integer = (k->s->r->types[from].kinds &
                    ~(unsigned)(KIND_SINT | KIND_UINT)) == 0 &&
                   !emit_type_is_bool(k->s->r, n.type) &&
                   !element_may_be_infinite(k->s, a);
    return integer && (type == NONE || type == from) ? a : NO_EXPR;
}

// Integers compare as the numbers that they are converted to.
static bool below_conversions(const struct element_query *k, expr_id e, expr_id *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    expr_id pair[2] = {NO_EXPR, NO_EXPR};
    if ((k->domain != DOMAIN_INT && k->domain != DOMAIN_REAL) ||
        n.kind != X_OP || n.op != OP_COMPARE)
        return false;
    for (uint32_t i = 0; i < 2 && pair[0] == NO_EXPR; i++) {
        expr_id a = integer_below(k, expr_arg(x, e, i), NONE);
        if (a == NO_EXPR)
            continue;
        pair[i] = a;
        pair[1 - i] =
            integer_below(k, expr_arg(x, e, 1 - i), expr_at(x, a)->type);
        if (pair[1 - i] == NO_EXPR)
            return false;
    }
    if (pair[0] == NO_EXPR)
        return false;
    *out = expr_op(x, OP_COMPARE, n.sym, n.type, 2, pair);
    return true;
}

// Comparisons of indices become choices, where they are conditions.
static expr_id choices_by_index(const struct element_query *k, expr_id e)
{
    struct exprs *x = &k->s->x;
    struct u32_vec reach = {0}, from = {0}, to = {0};
    expr_id c;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        if (below_conversions(k, reach.at[i], &c)) {
            vec_push(&from, reach.at[i]);
            vec_push(&to, c);
        }
        if (!index_comparison(k->s, k->domain, reach.at[i], &c))
            continue;
        uint32_t type = expr_at(x, reach.at[i])->type;
        vec_push(&from, reach.at[i]);
        vec_push(&to, expr_pick(x, c, expr_literal(x, LIT_BOOL, 1, 0, type),
                                expr_literal(x, LIT_BOOL, 0, 0, type)));
    }
    e = expr_subst(x, e, from.len, from.at, to.at);
    vec_release(&reach);
    vec_release(&from);
    vec_release(&to);
    return e;
}

bool leaf_same(const struct element_query *k, const struct u32_vec *hyps,
               const struct givens *g, expr_id a, expr_id b)
{
    struct session *s = k->s;
    // Reduces are unknowns by now, so choices may be simplified.
    bool keep = s->x.keep_picks;
    s->x.keep_picks = false;
    bool same = decide_cases(k, hyps, g, choices_by_index(k, a),
                             choices_by_index(k, b), MAX_CASES);
    s->x.keep_picks = keep;
    return same;
}
