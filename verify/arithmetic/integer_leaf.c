// SPDX-License-Identifier: Apache-2.0
// Leaves in the mathematical integers: elements become integer expressions, and
// integers/linear.h decides.  Division truncates, x / 0 = -1, x rem 0 = x.
//
// lowest and highest are -infinity and infinity: two integers below and above every
// finite element that is compared.  They must not be operands of arithmetic.
#include "rules/reasons.h"
#include "verify/arithmetic/leaf.h"
#include "verify/integers/translate.h"

struct integer_goals {
    struct session *session;
    bool refused;           // an infinity under arithmetic
    uint32_t type;          // for lowest and highest
    bool infinities;        // lowest or highest occurs
    struct u32_vec bounded; // finite integers that are compared
    struct u32_vec loose;   // integers that may be infinite
};

static expr_id int_of(struct integer_goals *integer_goals, expr_id e);
static expr_id truth_of(struct integer_goals *integer_goals, expr_id e);

static expr_id finite(struct integer_goals *integer_goals, expr_id e)
{
    if (element_may_be_infinite(integer_goals->session, e))
        integer_goals->refused = true;
    return int_of(integer_goals, e);
}

// An operand of a comparison.
static expr_id compared(struct integer_goals *integer_goals, expr_id e)
{
    expr_id i = int_of(integer_goals, e);
    if (element_may_be_infinite(integer_goals->session, e))
        vec_push(&integer_goals->loose, i);
    else
        vec_push(&integer_goals->bounded, i);
    return i;
}

expr_id integer_truncated(struct exprs *exprs, enum op op, expr_id a, expr_id b)
{
    expr_id zero = expr_int(exprs, 0);
    expr_id q = expr_div(exprs, expr_abs(exprs, a), expr_abs(exprs, b));
    expr_id same =
        expr_or2(exprs, expr_and2(exprs, expr_le(exprs, zero, a), expr_le(exprs, zero, b)),
                 expr_and2(exprs, expr_lt(exprs, a, zero), expr_lt(exprs, b, zero)));
    q = expr_if(exprs, same, q, expr_neg(exprs, q));
    expr_id by_zero = expr_eq(exprs, b, zero);
    if (op == OP_DIVIDE)
        return expr_if(exprs, by_zero, expr_int(exprs, -1), q);
    return expr_if(exprs, by_zero, a, expr_sub(exprs, a, expr_mul(exprs, b, q)));
}

expr_id integer_sign(struct exprs *exprs, expr_id a)
{
    expr_id zero = expr_int(exprs, 0);
    return expr_if(exprs, expr_lt(exprs, a, zero), expr_int(exprs, -1),
                   expr_if(exprs, expr_eq(exprs, a, zero), zero, expr_int(exprs, 1)));
}

// An operator of which nothing is known, over integers.  An operator variable or a
// conversion may return anything for an infinity, and its result counts as a possible
// infinity.  Other operators take no infinity.
static expr_id opaque(struct integer_goals *integer_goals, expr_id e)
{
    struct exprs *exprs = &integer_goals->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    bool open = node.kind == X_OPVAR || node.op == OP_CONVERT;
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < node.n; i++) {
        expr_id a = expr_arg(exprs, e, i);
        uint32_t type = expr_at(exprs, a)->type;
        if (type_in_domain(integer_goals->session->rule, type, DOMAIN_INT))
            a = expr_inject(exprs, open ? int_of(integer_goals, a) : finite(integer_goals, a),
                            type);
        vec_push(&args, a);
    }
    expr_id out = args.len == 0 ? e : expr_with_args(exprs, e, args.at);
    vec_release(&args);
    return expr_value(exprs, out);
}

static expr_id int_of_op(struct integer_goals *integer_goals, expr_id e)
{
    struct exprs *exprs = &integer_goals->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    expr_id p = expr_arg(exprs, e, 0), q = node.n > 1 ? expr_arg(exprs, e, 1) : p, a, b;
    switch ((enum op)node.op) {
    case OP_ADD:
        a = finite(integer_goals, p);
        return expr_add(exprs, a, finite(integer_goals, q));
    case OP_SUBTRACT:
        a = finite(integer_goals, p);
        return expr_sub(exprs, a, finite(integer_goals, q));
    case OP_MULTIPLY:
        a = finite(integer_goals, p);
        return expr_mul(exprs, a, finite(integer_goals, q));
    case OP_NEGATE:
        return expr_neg(exprs, finite(integer_goals, p));
    case OP_ABS:
        return expr_abs(exprs, finite(integer_goals, p));
    case OP_SIGN:
        return integer_sign(exprs, finite(integer_goals, p));
    case OP_DIVIDE:
    case OP_REMAINDER:
        a = finite(integer_goals, p);
        b = finite(integer_goals, q);
        return integer_truncated(exprs, (enum op)node.op, a, b);
    case OP_MAXIMUM:
        a = compared(integer_goals, p);
        return expr_max(exprs, a, compared(integer_goals, q));
    case OP_MINIMUM:
        a = compared(integer_goals, p);
        return expr_min(exprs, a, compared(integer_goals, q));
    case OP_SELECT:
        a = truth_of(integer_goals, p);
        b = int_of(integer_goals, q);
        return expr_if(exprs, a, b, int_of(integer_goals, expr_arg(exprs, e, 2)));
    case OP_CONVERT:
        if (type_in_domain(integer_goals->session->rule, expr_at(exprs, p)->type, DOMAIN_INT))
            return int_of(integer_goals, p); // integers stay what they are
        return opaque(integer_goals, e);
    case OP_IS_FINITE:
    case OP_COMPARE:
    case OP_CLAMP:
        LEAF_CASES
        FLOAT_UNARY_CASES
        BITS_UNARY_CASES
        BITS_BINARY_CASES
        TRANSCENDENTAL_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return opaque(integer_goals, e);
}

static expr_id int_of(struct integer_goals *integer_goals, expr_id e)
{
    struct exprs *exprs = &integer_goals->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    switch ((enum expr_kind)node.kind) {
    case X_LITERAL:
        if (node.op == LIT_INT)
            return expr_int(exprs, node.k);
        integer_goals->infinities |= node.op == LIT_LOWEST || node.op == LIT_HIGHEST;
        integer_goals->type = node.type;
        return expr_value(exprs, e);
    case X_INJECT:
        return expr_arg(exprs, e, 0);
    case X_OP:
        return int_of_op(integer_goals, e);
    case X_OPVAR:
        return opaque(integer_goals, e);
    default:
        return expr_value(exprs, e);
    }
}

static expr_id truth_of_compare(struct integer_goals *integer_goals, const struct expr *node,
                                expr_id p, expr_id q)
{
    struct exprs *exprs = &integer_goals->session->exprs;
    expr_id a = compared(integer_goals, p), b = compared(integer_goals, q);
    switch ((enum compare_dir)node->sym) {
    case CMP_EQ:
        return expr_eq(exprs, a, b);
    case CMP_LT:
        return expr_lt(exprs, a, b);
    default:
        return expr_le(exprs, a, b);
    }
}

static expr_id truth_of(struct integer_goals *integer_goals, expr_id e)
{
    struct exprs *exprs = &integer_goals->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (node.kind != X_OP)
        return expr_holds(exprs, e);
    expr_id p = expr_arg(exprs, e, 0), q = node.n > 1 ? expr_arg(exprs, e, 1) : p, a;
    bool ints = type_in_domain(integer_goals->session->rule, expr_at(exprs, p)->type, DOMAIN_INT);
    switch ((enum op)node.op) {
    case OP_COMPARE:
        if (ints)
            return truth_of_compare(integer_goals, &node, p, q);
        return expr_holds(exprs, e);
    case OP_NOT:
        return expr_not(exprs, truth_of(integer_goals, p));
    case OP_AND:
        a = truth_of(integer_goals, p);
        return expr_and2(exprs, a, truth_of(integer_goals, q));
    case OP_OR:
        a = truth_of(integer_goals, p);
        return expr_or2(exprs, a, truth_of(integer_goals, q));
    case OP_SELECT: {
        a = truth_of(integer_goals, p);
        expr_id b = truth_of(integer_goals, q), c = truth_of(integer_goals, expr_arg(exprs, e, 2));
        return expr_or2(exprs, expr_and2(exprs, a, b), expr_and2(exprs, expr_not(exprs, a), c));
    }
    case OP_ABS:
    case OP_COUNT_LEADING_ZEROS:
    case OP_NEGATE:
    case OP_POPCNT:
    case OP_SIGN:
    case OP_ADD:
    case OP_DIVIDE:
    case OP_MAXIMUM:
    case OP_MINIMUM:
    case OP_MULTIPLY:
    case OP_REMAINDER:
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT_ARITHMETIC:
    case OP_SHIFT_RIGHT_LOGICAL:
    case OP_SUBTRACT:
    case OP_XOR:
    case OP_IS_FINITE:
    case OP_CLAMP:
    case OP_CONVERT:
        LEAF_CASES
        FLOAT_UNARY_CASES
        TRANSCENDENTAL_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return expr_holds(exprs, e);
}

static void infinity_facts(struct integer_goals *integer_goals, struct u32_vec *out)
{
    struct exprs *exprs = &integer_goals->session->exprs;
    expr_id lo = expr_value(exprs, expr_literal(exprs, LIT_LOWEST, 0, 0, integer_goals->type));
    expr_id hi = expr_value(exprs, expr_literal(exprs, LIT_HIGHEST, 0, 0, integer_goals->type));
    vec_push(out, expr_lt(exprs, lo, hi));
    for (uint32_t i = 0; i < integer_goals->bounded.len; i++) {
        vec_push(out, expr_lt(exprs, lo, integer_goals->bounded.at[i]));
        vec_push(out, expr_lt(exprs, integer_goals->bounded.at[i], hi));
    }
    for (uint32_t i = 0; i < integer_goals->loose.len; i++) {
        vec_push(out, expr_le(exprs, lo, integer_goals->loose.at[i]));
        vec_push(out, expr_le(exprs, integer_goals->loose.at[i], hi));
    }
}

// If a <= b then f(a) <= f(b).
static void monotone_facts(struct integer_goals *integer_goals, const struct leaf *leaf,
                           struct u32_vec *out)
{
    struct session *session = integer_goals->session;
    struct exprs *exprs = &session->exprs;
    struct u32_vec all = {0}, pairs = {0};
    expr_reach(exprs, leaf->lhs, &all);
    expr_reach(exprs, leaf->rhs, &all);
    monotone_pairs(session, &all, &pairs);
    for (uint32_t i = 0; i < pairs.len; i += 4) {
        expr_id v[4];
        bool ints = true;
        for (uint32_t k = 0; k < 4; k++)
            ints &=
                type_in_domain(session->rule, expr_at(exprs, pairs.at[i + k])->type, DOMAIN_INT);
        for (uint32_t k = 0; k < 4 && ints; k++)
            v[k] = compared(integer_goals, pairs.at[i + k]);
        if (ints)
            vec_push(out, expr_or2(exprs, expr_lt(exprs, v[1], v[0]), expr_le(exprs, v[2], v[3])));
    }
    vec_release(&all);
    vec_release(&pairs);
}

bool integer_leaf(struct session *session, const struct leaf *leaf)
{
    struct exprs *exprs = &session->exprs;
    struct integer_goals integer_goals = {.session = session};
    struct u32_vec all = {0};
    bool proved = false;
    expr_id goal;
    for (uint32_t i = 0; i < leaf->hyps->len; i++)
        vec_push(&all, leaf->hyps->at[i]);
    for (uint32_t i = 0; i < leaf->holds.len; i++)
        if (expr_at(exprs, leaf->holds.at[i])->kind == X_HOLDS)
            vec_push(&all, truth_of(&integer_goals, expr_arg(exprs, leaf->holds.at[i], 0)));
    if (emit_type_is_bool(session->rule, expr_at(exprs, leaf->lhs)->type)) {
        expr_id a = truth_of(&integer_goals, leaf->lhs), b = truth_of(&integer_goals, leaf->rhs);
        goal = expr_or2(exprs, expr_and2(exprs, a, b),
                        expr_and2(exprs, expr_not(exprs, a), expr_not(exprs, b)));
    } else if (type_in_domain(session->rule, expr_at(exprs, leaf->lhs)->type, DOMAIN_INT)) {
        expr_id a = compared(&integer_goals, leaf->lhs);
        goal = expr_eq(exprs, a, compared(&integer_goals, leaf->rhs));
    } else {
        session->reason = reason_FLOATS; // why.c names them
        vec_release(&all);
        return false;
    }
    monotone_facts(&integer_goals, leaf, &all);
    if (integer_goals.infinities)
        infinity_facts(&integer_goals, &all);
    if (integer_goals.refused) {
        session->reason = reason_INFINITY;
    } else {
        vec_push(&all, expr_not(exprs, goal));
        enum smt_answer answer = linear_refute(&session->ideal, all.len, all.at, NULL);
        proved = answer == SMT_UNSAT;
        session->reason =
            answer == SMT_SAT ? reason_DIFFER : session_text(session, "%s", session->smt.why);
    }
    vec_release(&all);
    vec_release(&integer_goals.bounded);
    vec_release(&integer_goals.loose);
    return proved;
}
