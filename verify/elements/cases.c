// SPDX-License-Identifier: Apache-2.0
// The arithmetic rung: cases, merged reads, leaves.
#include "rules/reasons.h"
#include "verify/arithmetic/float_identities.h"
#include "verify/elements/same.h"
#include "verify/integers/translate.h"
#include "verify/limits.h"

struct leaf_cases {
    const struct element_query *element_query;
    struct u32_vec hyps;
};

// The condition of a choice between elements that contains no other choice.
static expr_id find_pick(const struct exprs *exprs, expr_id e)
{
    expr_id found = NO_EXPR;
    struct u32_vec reach = {0};
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len && found == NO_EXPR; i++)
        if (expr_at(exprs, reach.at[i])->kind == X_PICK)
            found = expr_arg(exprs, reach.at[i], 0);
    vec_release(&reach);
    return found;
}

static bool same_place(struct session *session, const struct u32_vec *hyps, expr_id a, expr_id b)
{
    struct exprs *exprs = &session->exprs;
    const struct expr node = *expr_at(exprs, a), q = *expr_at(exprs, b);
    if (node.kind != q.kind || node.sym != q.sym || node.type != q.type || node.n != q.n)
        return false;
    struct u32_vec eq = {0};
    for (uint32_t i = 0; i < node.n; i++)
        vec_push(&eq, expr_eq(exprs, expr_arg(exprs, a, i), expr_arg(exprs, b, i)));
    bool same =
        linear_proves(&session->linear, hyps->len, hyps->at, expr_and(exprs, eq.len, eq.at));
    vec_release(&eq);
    return same;
}

static void collect(const struct exprs *exprs, expr_id e, struct u32_vec *out)
{
    struct u32_vec reach = {0};
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        enum expr_kind kind = (enum expr_kind)expr_at(exprs, reach.at[i])->kind;
        bool known = kind != X_ACCESS && kind != X_INJECT && kind != X_ATOM;
        for (uint32_t j = 0; j < out->len && !known; j++)
            known = out->at[j] == reach.at[i];
        if (!known)
            vec_push(out, reach.at[i]);
    }
    vec_release(&reach);
}

// The number that an injected index or a literal must be: a number of the leaf, or 0.
// NO_EXPR if there is none.
static expr_id constant_of(const struct element_query *element_query, const struct u32_vec *hyps,
                           const struct leaf *leaf, expr_id inject)
{
    struct session *session = element_query->session;
    struct exprs *exprs = &session->exprs;
    uint32_t type = expr_at(exprs, inject)->type;
    struct u32_vec reach = {0};
    expr_id found = NO_EXPR;
    vec_push(&reach, expr_literal(exprs, LIT_INT, 0, 0, type));
    expr_reach(exprs, leaf->lhs, &reach);
    expr_reach(exprs, leaf->rhs, &reach);
    for (uint32_t i = 0; i < reach.len && found == NO_EXPR; i++) {
        const struct expr node = *expr_at(exprs, reach.at[i]);
        bool number =
            node.kind == X_LITERAL && node.op == LIT_INT && node.sym == 0 && node.type == type;
        for (uint32_t j = 0; j < i && number; j++)
            number = reach.at[j] != reach.at[i];
        if (number &&
            linear_proves(&session->linear, hyps->len, hyps->at,
                          expr_eq(exprs, expr_arg(exprs, inject, 0), expr_int(exprs, node.k))))
            found = reach.at[i];
    }
    vec_release(&reach);
    return found;
}

// Reads become unknowns.  Reads of one place become the same unknown.  Unknowns are numbered
// in order of occurrence, so that equal leaves look equal.  An iota stays where injection is
// a homomorphism.
static void name_unknowns(const struct element_query *element_query, const struct u32_vec *hyps,
                          struct leaf *leaf)
{
    struct session *session = element_query->session;
    struct exprs *exprs = &session->exprs;
    struct u32_vec from = {0}, to = {0};
    collect(exprs, leaf->lhs, &from);
    collect(exprs, leaf->rhs, &from);
    for (uint32_t i = 0; i < leaf->holds.len; i++)
        collect(exprs, leaf->holds.at[i], &from);
    for (uint32_t i = 0; i < from.len; i++) {
        const struct expr node = *expr_at(exprs, from.at[i]);
        expr_id t = NO_EXPR;
        for (uint32_t j = 0; j < i && t == NO_EXPR; j++)
            if (node.kind != X_ATOM && to.at[j] != NO_EXPR &&
                same_place(session, hyps, from.at[j], from.at[i]))
                t = to.at[j];
        if (t == NO_EXPR && node.kind == X_INJECT)
            t = constant_of(element_query, hyps, leaf, from.at[i]);
        if (t == NO_EXPR && node.kind == X_INJECT && element_query->domain != DOMAIN_FLOAT) {
            t = from.at[i];
        } else if (t == NO_EXPR) {
            int64_t infinite = element_may_be_infinite(session, from.at[i]);
            t = expr_atom(exprs, -2 * (int64_t)(i + 1) - infinite, node.type);
        }
        vec_push(&to, t);
    }
    leaf->lhs = expr_subst(exprs, leaf->lhs, from.len, from.at, to.at);
    leaf->rhs = expr_subst(exprs, leaf->rhs, from.len, from.at, to.at);
    for (uint32_t i = 0; i < leaf->holds.len; i++)
        leaf->holds.at[i] = expr_subst(exprs, leaf->holds.at[i], from.len, from.at, to.at);
    vec_release(&from);
    vec_release(&to);
}

static bool mentions_index(const struct exprs *exprs, expr_id e)
{
    struct u32_vec reach = {0};
    bool found = false;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len && !found; i++)
        found = expr_at(exprs, reach.at[i])->kind == X_VAR;
    vec_release(&reach);
    return found;
}

static bool is_not_negative(const struct expr *node)
{
    return node->kind == X_LITERAL && (node->op == LIT_INT || node->op == LIT_DECIMAL) &&
           node->k >= 0;
}

// Appends what a known truth value says to be above or below zero.  A number that a format
// rounds is rounded to one that is not negative, so only `<` says that.
static void add_signed(struct exprs *exprs, expr_id holds, struct u32_vec *above,
                       struct u32_vec *below)
{
    const struct expr node = *expr_at(exprs, holds);
    if (node.kind == X_HOLDS || (node.kind == X_OP && node.op == OP_AND))
        for (uint32_t i = 0; i < node.n; i++)
            add_signed(exprs, expr_arg(exprs, holds, i), above, below);
    if (node.kind != X_OP || node.op != OP_COMPARE || node.sym != CMP_LT)
        return;
    expr_id low = expr_arg(exprs, holds, 0), high = expr_arg(exprs, holds, 1);
    if (is_not_negative(expr_at(exprs, low)))
        vec_push(above, high);
    else if (is_not_negative(expr_at(exprs, high)) && expr_at(exprs, high)->k == 0)
        vec_push(below, low);
}

// In both sides of a leaf of floats, which are in normal form: |x| is x where x is above zero,
// and -x where it is below.
static void resolve_magnitudes(struct session *session, const struct leaf *leaf, expr_id *a,
                               expr_id *b)
{
    struct exprs *exprs = &session->exprs;
    struct u32_vec above = {0}, below = {0};
    for (uint32_t i = 0; i < leaf->holds.len; i++)
        add_signed(exprs, leaf->holds.at[i], &above, &below);
    for (uint32_t i = 0; i < above.len + below.len; i++) {
        expr_id x = i < above.len ? above.at[i] : below.at[i - above.len];
        uint32_t type = expr_at(exprs, x)->type;
        if (!type_in_domain(session->rule, type, DOMAIN_FLOAT))
            continue;
        expr_id magnitude = expr_op(exprs, OP_ABS, 0, type, 1, &x), minus = x;
        if (i >= above.len)
            minus = expr_op(exprs, OP_NEGATE, 0, type, 1, &x);
        uint32_t from = ring_normal(session, DOMAIN_FLOAT, magnitude);
        uint32_t to = ring_normal(session, DOMAIN_FLOAT, minus);
        *a = ring_normal(session, DOMAIN_FLOAT, expr_subst(exprs, *a, 1, &from, &to));
        *b = ring_normal(session, DOMAIN_FLOAT, expr_subst(exprs, *b, 1, &from, &to));
    }
    vec_release(&above);
    vec_release(&below);
}

// The grade that a leaf is asked for.  Truth values have no zeros, so that the grades with and
// without their sign are one question.
static enum grade goal_of(const struct session *session, uint32_t type)
{
    bool truth = emit_type_is_bool(session->rule, type);
    return truth && session->goal == GRADE_ZERO_SIGN          ? GRADE_EXACT
           : truth && session->goal == GRADE_FINITE_ZERO_SIGN ? GRADE_FINITE
                                                              : session->goal;
}

static bool solve_leaf(const struct element_query *element_query, struct leaf *leaf)
{
    struct session *session = element_query->session;
    struct exprs *exprs = &session->exprs;
    enum domain domain = (enum domain)element_query->domain;
    uint32_t leaf_type = expr_at(exprs, leaf->lhs)->type;
    expr_id a = ring_normal(session, domain, leaf->lhs),
            b = ring_normal(session, domain, leaf->rhs);
    if (domain == DOMAIN_FLOAT)
        resolve_magnitudes(session, leaf, &a, &b);
    if (a == b && !session->polys.overflow)
        return true;
    enum grade goal = goal_of(session, leaf_type);
    bool zeros = session->goal == GRADE_ZERO_SIGN || session->goal == GRADE_FINITE_ZERO_SIGN;
    if (zeros && domain == DOMAIN_FLOAT && type_in_domain(session->rule, leaf_type, domain) &&
        float_up_to_zero_sign(exprs, a) == float_up_to_zero_sign(exprs, b) &&
        !session->polys.overflow)
        return true;
    if (extrema_same(session, domain, &leaf->holds, a, b))
        return true;
    expr_id holds = expr_and(exprs, leaf->holds.len, leaf->holds.at);
    // Leaves that still mention indices depend on the hypotheses.
    bool closed =
        !mentions_index(exprs, a) && !mentions_index(exprs, b) && !mentions_index(exprs, holds);
    for (uint32_t i = 0; closed && i < session->leaves.len; i++) {
        const struct leaf_entry *leaf_entry = &session->leaves.at[i];
        if (leaf_entry->lhs == leaf->lhs && leaf_entry->rhs == leaf->rhs &&
            leaf_entry->hyps == holds && leaf_entry->domain == domain && leaf_entry->goal == goal) {
            session->reason = leaf_entry->reason;
            smt_reuse(&session->smt, leaf_entry->rests_on);
            return leaf_entry->proved;
        }
    }
    session->reason = reason_DIFFER;
    uint32_t mark = smt_mark(&session->smt);
    enum fractions quotients =
        domain == DOMAIN_REAL ? fractions_compare(session, leaf) : FRACTIONS_UNKNOWN;
    bool proved = quotients == FRACTIONS_SAME;
    if (quotients == FRACTIONS_UNKNOWN && domain == DOMAIN_REAL && leaf_differs(session, leaf))
        quotients = FRACTIONS_DIFFER;
    if (quotients == FRACTIONS_DIFFER)
        session->reason = reason_DIFFER;
    if (domain == DOMAIN_INT) {
        proved = integer_leaf(session, leaf);
    } else if (quotients == FRACTIONS_UNKNOWN) {
        struct leaf g = *leaf;
        if (domain == DOMAIN_FLOAT) { // the solver knows the other normal forms not
            g.lhs = a;
            g.rhs = b;
        }
        smt_forget(&session->smt, mark); // divisors
        proved = machine_leaf(session, domain, &g);
    }
    if (!proved)
        smt_forget(&session->smt, mark);
    if (closed)
        vec_push(&session->leaves,
                 ((struct leaf_entry){leaf->lhs, leaf->rhs, holds, domain, goal, proved,
                                      session->reason, smt_save(&session->smt, mark)}));
    return proved;
}

static bool prove_leaf(const struct element_query *element_query, const struct u32_vec *hyps,
                       const struct givens *givens, expr_id a, expr_id b)
{
    struct session *session = element_query->session;
    struct leaf leaf = {.lhs = a, .rhs = b, .hyps = hyps, .denote = element_query->denote};
    for (uint32_t i = 0; i < givens->at.len; i++)
        if (linear_proves(&session->linear, hyps->len, hyps->at, givens->at.at[i].range))
            vec_push(&leaf.holds, givens->at.at[i].holds);
    name_unknowns(element_query, hyps, &leaf);
    bool same =
        (leaf.lhs == leaf.rhs && !session->polys.overflow) || solve_leaf(element_query, &leaf);
    vec_release(&leaf.holds);
    return same;
}

static bool decide_cases(const struct element_query *element_query, const struct u32_vec *hyps,
                         const struct givens *givens, expr_id a, expr_id b, unsigned depth)
{
    struct session *session = element_query->session;
    struct exprs *exprs = &session->exprs;
    a = canon(&session->polys, a);
    b = canon(&session->polys, b);
    if (a == b && !session->polys.overflow)
        return true;
    expr_id c = find_pick(exprs, a);
    if (c == NO_EXPR)
        c = find_pick(exprs, b);
    if (c == NO_EXPR)
        return prove_leaf(element_query, hyps, givens, a, b);
    if (depth == 0 || smt_spent(&session->smt)) {
        session->reason = depth == 0 ? reason_CASES : session->smt.spent;
        return false;
    }
    bool same = true;
    for (int v = 0; v < 2 && same; v++) {
        struct u32_vec more = {0};
        expr_id truth = v == 0 ? expr_true(exprs) : expr_false(exprs);
        for (uint32_t i = 0; i < hyps->len; i++)
            vec_push(&more, hyps->at[i]);
        vec_push(&more, v == 0 ? c : expr_not(exprs, c));
        uint32_t mark = smt_mark(&session->smt);
        if (linear_refute(&session->linear, more.len, more.at, NULL) != SMT_UNSAT) {
            smt_forget(&session->smt, mark);
            same = decide_cases(element_query, &more, givens, expr_subst(exprs, a, 1, &c, &truth),
                                expr_subst(exprs, b, 1, &c, &truth), depth - 1);
        }
        vec_release(&more);
    }
    return same;
}

// The integer from which an element of int or real is converted; or, given such a type, the
// integer of a literal.
static expr_id integer_below(const struct element_query *element_query, expr_id e, uint32_t type)
{
    struct exprs *exprs = &element_query->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (node.kind == X_LITERAL && node.op == LIT_INT && node.sym == 0 && type != NONE)
        return expr_literal(exprs, LIT_INT, node.k, 0, type);
    if (node.kind != X_OP || node.op != OP_CONVERT)
        return NO_EXPR;
    expr_id a = expr_arg(exprs, e, 0);
    uint32_t from = expr_at(exprs, a)->type;
    bool integer = (element_query->session->rule->types[from].kinds &
                    ~(unsigned)(KIND_SINT | KIND_UINT)) == 0 &&
                   !emit_type_is_bool(element_query->session->rule, node.type) &&
                   !element_may_be_infinite(element_query->session, a);
    return integer && (type == NONE || type == from) ? a : NO_EXPR;
}

// Converted integers compare as the integers do.
static bool below_conversions(const struct element_query *element_query, expr_id e, expr_id *out)
{
    struct exprs *exprs = &element_query->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    expr_id pair[2] = {NO_EXPR, NO_EXPR};
    if ((element_query->domain != DOMAIN_INT && element_query->domain != DOMAIN_REAL) ||
        node.kind != X_OP || node.op != OP_COMPARE)
        return false;
    for (uint32_t i = 0; i < 2 && pair[0] == NO_EXPR; i++) {
        expr_id a = integer_below(element_query, expr_arg(exprs, e, i), NONE);
        if (a == NO_EXPR)
            continue;
        pair[i] = a;
        pair[1 - i] =
            integer_below(element_query, expr_arg(exprs, e, 1 - i), expr_at(exprs, a)->type);
        if (pair[1 - i] == NO_EXPR)
            return false;
    }
    if (pair[0] == NO_EXPR)
        return false;
    *out = expr_op(exprs, OP_COMPARE, node.sym, node.type, 2, pair);
    return true;
}

// Comparisons of indices that are conditions become choices.
static expr_id choices_by_index(const struct element_query *element_query, expr_id e)
{
    struct exprs *exprs = &element_query->session->exprs;
    struct u32_vec reach = {0}, from = {0}, to = {0};
    expr_id c;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        if (below_conversions(element_query, reach.at[i], &c)) {
            vec_push(&from, reach.at[i]);
            vec_push(&to, c);
        }
        if (!index_comparison(element_query->session, element_query->domain, reach.at[i], &c))
            continue;
        uint32_t type = expr_at(exprs, reach.at[i])->type;
        vec_push(&from, reach.at[i]);
        vec_push(&to, expr_pick(exprs, c, expr_literal(exprs, LIT_BOOL, 1, 0, type),
                                expr_literal(exprs, LIT_BOOL, 0, 0, type)));
    }
    e = expr_subst(exprs, e, from.len, from.at, to.at);
    vec_release(&reach);
    vec_release(&from);
    vec_release(&to);
    return e;
}

bool leaf_same(const struct element_query *element_query, const struct u32_vec *hyps,
               const struct givens *givens, expr_id a, expr_id b)
{
    struct session *session = element_query->session;
    // Reduces are unknowns here, so choices may be simplified.
    bool keep = session->exprs.keep_picks;
    session->exprs.keep_picks = false;
    bool same = decide_cases(element_query, hyps, givens, choices_by_index(element_query, a),
                             choices_by_index(element_query, b), VERIFY_ELEMENT_CASES);
    session->exprs.keep_picks = keep;
    return same;
}
