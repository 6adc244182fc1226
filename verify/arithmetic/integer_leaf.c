// SPDX-License-Identifier: Apache-2.0
// Leaves in the mathematical integers: elements become integer expressions,
// and linear.h decides.  Division truncates, x / 0 = -1, x rem 0 = x.
//
// lowest and highest are -infinity and infinity: two integers below and above
// every finite element that is compared.  They may not enter arithmetic.
#include "verify/arithmetic/leaf.h"
#include "verify/integers/translate.h"

struct integer_goals {
    struct session *s;
    bool refused;           // an infinity under arithmetic
    uint32_t type;          // for lowest and highest
    bool infinities;        // lowest or highest occurs
    struct u32_vec bounded; // finite integers that are compared
    struct u32_vec loose;   // integers that may be infinite
};

static expr_id int_of(struct integer_goals *m, expr_id e);
static expr_id truth_of(struct integer_goals *m, expr_id e);

static expr_id finite(struct integer_goals *m, expr_id e)
{
    if (element_may_be_infinite(m->s, e))
        m->refused = true;
    return int_of(m, e);
}

// An operand of a comparison.
static expr_id compared(struct integer_goals *m, expr_id e)
{
    expr_id i = int_of(m, e);
    if (element_may_be_infinite(m->s, e))
        vec_push(&m->loose, i);
    else
        vec_push(&m->bounded, i);
    return i;
}

expr_id integer_truncated(struct exprs *x, enum op op, expr_id a, expr_id b)
{
    expr_id zero = expr_int(x, 0);
    expr_id q = expr_div(x, expr_abs(x, a), expr_abs(x, b));
    expr_id same =
        expr_or2(x, expr_and2(x, expr_le(x, zero, a), expr_le(x, zero, b)),
                 expr_and2(x, expr_lt(x, a, zero), expr_lt(x, b, zero)));
    q = expr_if(x, same, q, expr_neg(x, q));
    expr_id by_zero = expr_eq(x, b, zero);
    if (op == OP_DIVIDE)
        return expr_if(x, by_zero, expr_int(x, -1), q);
    return expr_if(x, by_zero, a, expr_sub(x, a, expr_mul(x, b, q)));
}

expr_id integer_sign(struct exprs *x, expr_id a)
{
    expr_id zero = expr_int(x, 0);
    return expr_if(x, expr_lt(x, a, zero), expr_int(x, -1),
                   expr_if(x, expr_eq(x, a, zero), zero, expr_int(x, 1)));
}

// An operator of which nothing is known, over integers.  What operator
// variables and conversions make of an infinity is left open, and counts as a
// possible infinity; other operators take none.
static expr_id opaque(struct integer_goals *m, expr_id e)
{
    struct exprs *x = &m->s->x;
    const struct expr n = *expr_at(x, e);
    bool open = n.kind == X_OPVAR || n.op == OP_CONVERT;
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < n.n; i++) {
        expr_id a = expr_arg(x, e, i);
        uint32_t type = expr_at(x, a)->type;
        if (type_in_domain(m->s->r, type, DOMAIN_INT))
            a = expr_inject(x, open ? int_of(m, a) : finite(m, a), type);
        vec_push(&args, a);
    }
    expr_id out = args.len == 0 ? e : expr_with_args(x, e, args.at);
    vec_release(&args);
    return expr_value(x, out);
}

static expr_id int_of_op(struct integer_goals *m, expr_id e)
{
    struct exprs *x = &m->s->x;
    const struct expr n = *expr_at(x, e);
    expr_id p = expr_arg(x, e, 0), q = n.n > 1 ? expr_arg(x, e, 1) : p, a, b;
    switch ((enum op)n.op) {
    case OP_ADD:
        a = finite(m, p);
        return expr_add(x, a, finite(m, q));
    case OP_SUBTRACT:
        a = finite(m, p);
        return expr_sub(x, a, finite(m, q));
    case OP_MULTIPLY:
        a = finite(m, p);
        return expr_mul(x, a, finite(m, q));
    case OP_NEGATE:
        return expr_neg(x, finite(m, p));
    case OP_ABS:
        return expr_abs(x, finite(m, p));
    case OP_SIGN:
        return integer_sign(x, finite(m, p));
    case OP_DIVIDE:
    case OP_REMAINDER:
        a = finite(m, p);
        b = finite(m, q);
        return integer_truncated(x, (enum op)n.op, a, b);
    case OP_MAXIMUM:
        a = compared(m, p);
        return expr_max(x, a, compared(m, q));
    case OP_MINIMUM:
        a = compared(m, p);
        return expr_min(x, a, compared(m, q));
    case OP_SELECT:
        a = truth_of(m, p);
        b = int_of(m, q);
        return expr_if(x, a, b, int_of(m, expr_arg(x, e, 2)));
    case OP_CONVERT:
        if (type_in_domain(m->s->r, expr_at(x, p)->type, DOMAIN_INT))
            return int_of(m, p); // integers stay what they are
        return opaque(m, e);
    default:
        return opaque(m, e);
    }
}

static expr_id int_of(struct integer_goals *m, expr_id e)
{
    struct exprs *x = &m->s->x;
    const struct expr n = *expr_at(x, e);
    switch ((enum expr_kind)n.kind) {
    case X_LITERAL:
        if (n.op == LIT_INT)
            return expr_int(x, n.k);
        m->infinities |= n.op == LIT_LOWEST || n.op == LIT_HIGHEST;
        m->type = n.type;
        return expr_value(x, e);
    case X_INJECT:
        return expr_arg(x, e, 0);
    case X_OP:
        return int_of_op(m, e);
    case X_OPVAR:
        return opaque(m, e);
    default:
        return expr_value(x, e);
    }
}

static expr_id truth_of_compare(struct integer_goals *m, const struct expr *n,
                                expr_id p, expr_id q)
{
    struct exprs *x = &m->s->x;
    expr_id a = compared(m, p), b = compared(m, q);
    switch ((enum compare_dir)n->sym) {
    case CMP_EQ:
        return expr_eq(x, a, b);
    case CMP_LT:
        return expr_lt(x, a, b);
    default:
        return expr_le(x, a, b);
    }
}

static expr_id truth_of(struct integer_goals *m, expr_id e)
{
    struct exprs *x = &m->s->x;
    const struct expr n = *expr_at(x, e);
    if (n.kind != X_OP)
        return expr_holds(x, e);
    expr_id p = expr_arg(x, e, 0), q = n.n > 1 ? expr_arg(x, e, 1) : p, a;
    bool ints = type_in_domain(m->s->r, expr_at(x, p)->type, DOMAIN_INT);
    switch ((enum op)n.op) {
    case OP_COMPARE:
        if (ints)
            return truth_of_compare(m, &n, p, q);
        return expr_holds(x, e);
    case OP_NOT:
        return expr_not(x, truth_of(m, p));
    case OP_AND:
        a = truth_of(m, p);
        return expr_and2(x, a, truth_of(m, q));
    case OP_OR:
        a = truth_of(m, p);
        return expr_or2(x, a, truth_of(m, q));
    case OP_SELECT: {
        a = truth_of(m, p);
        expr_id b = truth_of(m, q), c = truth_of(m, expr_arg(x, e, 2));
        return expr_or2(x, expr_and2(x, a, b), expr_and2(x, expr_not(x, a), c));
    }
    default:
        return expr_holds(x, e);
    }
}

static void infinity_facts(struct integer_goals *m, struct u32_vec *out)
{
    struct exprs *x = &m->s->x;
    expr_id lo = expr_value(x, expr_literal(x, LIT_LOWEST, 0, 0, m->type));
    expr_id hi = expr_value(x, expr_literal(x, LIT_HIGHEST, 0, 0, m->type));
    vec_push(out, expr_lt(x, lo, hi));
    for (uint32_t i = 0; i < m->bounded.len; i++) {
        vec_push(out, expr_lt(x, lo, m->bounded.at[i]));
        vec_push(out, expr_lt(x, m->bounded.at[i], hi));
    }
    for (uint32_t i = 0; i < m->loose.len; i++) {
        vec_push(out, expr_le(x, lo, m->loose.at[i]));
        vec_push(out, expr_le(x, m->loose.at[i], hi));
    }
}

// a <= b gives f(a) <= f(b).
static void monotone_facts(struct integer_goals *m, const struct leaf *f,
                           struct u32_vec *out)
{
    struct session *s = m->s;
    struct exprs *x = &s->x;
    struct u32_vec all = {0}, pairs = {0};
    expr_reach(x, f->lhs, &all);
    expr_reach(x, f->rhs, &all);
    monotone_pairs(s, &all, &pairs);
    for (uint32_t i = 0; i < pairs.len; i += 4) {
        expr_id v[4];
        bool ints = true;
        for (uint32_t k = 0; k < 4; k++)
            ints &= type_in_domain(s->r, expr_at(x, pairs.at[i + k])->type,
                                   DOMAIN_INT);
        for (uint32_t k = 0; k < 4 && ints; k++)
            v[k] = compared(m, pairs.at[i + k]);
        if (ints)
            vec_push(out, expr_or2(x, expr_lt(x, v[1], v[0]),
                                   expr_le(x, v[2], v[3])));
    }
    vec_release(&all);
    vec_release(&pairs);
}

bool integer_leaf(struct session *s, const struct leaf *f)
{
    struct exprs *x = &s->x;
    struct integer_goals m = {.s = s};
    struct u32_vec all = {0};
    bool proved = false;
    expr_id goal;
    for (uint32_t i = 0; i < f->hyps->len; i++)
        vec_push(&all, f->hyps->at[i]);
    for (uint32_t i = 0; i < f->holds.len; i++)
        if (expr_at(x, f->holds.at[i])->kind == X_HOLDS)
            vec_push(&all, truth_of(&m, expr_arg(x, f->holds.at[i], 0)));
    if (emit_type_is_bool(s->r, expr_at(x, f->lhs)->type)) {
        expr_id a = truth_of(&m, f->lhs), b = truth_of(&m, f->rhs);
        goal = expr_or2(x, expr_and2(x, a, b),
                        expr_and2(x, expr_not(x, a), expr_not(x, b)));
    } else if (type_in_domain(s->r, expr_at(x, f->lhs)->type, DOMAIN_INT)) {
        expr_id a = compared(&m, f->lhs);
        goal = expr_eq(x, a, compared(&m, f->rhs));
    } else {
        s->reason = "the elements are no integers";
        vec_release(&all);
        return false;
    }
    monotone_facts(&m, f, &all);
    if (m.infinities)
        infinity_facts(&m, &all);
    if (m.refused) {
        s->reason = "arithmetic on lowest or highest";
    } else {
        vec_push(&all, expr_not(x, goal));
        enum smt_answer a = linear_refute(&s->ideal, all.len, all.at, NULL);
        proved = a == SMT_UNSAT;
        s->reason = a == SMT_SAT ? "the elements may differ"
                                 : session_text(s, "int: %s", s->smt.why);
    }
    vec_release(&all);
    vec_release(&m.bounded);
    vec_release(&m.loose);
    return proved;
}
