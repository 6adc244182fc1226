// SPDX-License-Identifier: Apache-2.0
#include "verify/arithmetic/float_identities.h"

static expr_id make(struct exprs *x, enum op op, uint32_t type, expr_id a,
                    expr_id b)
{
    if (b == NO_EXPR)
        return expr_op(x, op, 0, type, 1, &a);
    expr_id args[] = {a, b};
    if (op_is_commutative(op) && a > b) {
        args[0] = b;
        args[1] = a;
    }
    return expr_op(x, op, 0, type, 2, args);
}

static bool is_negation(const struct exprs *x, expr_id e)
{
    return expr_at(x, e)->kind == X_OP && expr_at(x, e)->op == OP_NEGATE;
}

// -(-x) = x
static expr_id negate(struct exprs *x, expr_id e)
{
    if (is_negation(x, e))
        return expr_arg(x, e, 0);
    return make(x, OP_NEGATE, expr_at(x, e)->type, e, NO_EXPR);
}

// Literals without sign: -3 is -(3), -0.0 is -(0), lowest is -(highest).
static expr_id literal(struct exprs *x, expr_id e)
{
    const struct expr n = *expr_at(x, e);
    enum literal_kind lit = (enum literal_kind)n.op;
    if (lit == LIT_LOWEST)
        return negate(x, expr_literal(x, LIT_HIGHEST, 0, 0, n.type));
    if (lit == LIT_DECIMAL && n.k == 0)
        return negate(x, expr_literal(x, LIT_INT, 0, 0, n.type));
    if ((lit == LIT_INT || lit == LIT_DECIMAL) && n.k < 0 && n.k > INT64_MIN)
        return negate(x, expr_literal(x, lit, -n.k, n.sym, n.type));
    return e;
}

static bool is_number(const struct exprs *x, expr_id e, int64_t k)
{
    const struct expr *n = expr_at(x, e);
    return n->kind == X_LITERAL && n->op == LIT_INT && n->k == k;
}

static bool is_minus_zero(const struct exprs *x, expr_id e)
{
    return is_negation(x, e) && is_number(x, expr_arg(x, e, 0), 0);
}

static bool is_op(const struct exprs *x, expr_id e, enum op op)
{
    return expr_at(x, e)->kind == X_OP && expr_at(x, e)->op == op;
}

// Are these max(a, b) and min(a, b)?  Then, as long as neither is NaN, they are
// a and b in some order.
static bool is_pair(const struct exprs *x, expr_id high, expr_id low,
                    expr_id *a, expr_id *b)
{
    if (!is_op(x, high, OP_MAXIMUM) || !is_op(x, low, OP_MINIMUM))
        return false;
    *a = expr_arg(x, high, 0);
    *b = expr_arg(x, high, 1);
    expr_id c = expr_arg(x, low, 0), d = expr_arg(x, low, 1);
    return (*a == c && *b == d) || (*a == d && *b == c);
}

static expr_id magnitude(struct exprs *x, uint32_t type, expr_id a);

// x + -0 = x    x + x = x * 2    max(a, b) + min(a, b) = a + b
// max(a, b) - min(a, b) = |a - b|
static expr_id sum(struct exprs *x, uint32_t type, expr_id a, expr_id b)
{
    if (is_minus_zero(x, a))
        return b;
    if (is_minus_zero(x, b))
        return a;
    if (a == b)
        return make(x, OP_MULTIPLY, type, a,
                    expr_literal(x, LIT_INT, 2, 0, type));
    expr_id u, v;
    if (is_pair(x, a, b, &u, &v) || is_pair(x, b, a, &u, &v))
        return sum(x, type, u, v);
    if ((is_negation(x, b) && is_pair(x, a, expr_arg(x, b, 0), &u, &v)) ||
        (is_negation(x, a) && is_pair(x, b, expr_arg(x, a, 0), &u, &v)))
        return magnitude(x, type, sum(x, type, u, negate(x, v)));
    return make(x, OP_ADD, type, a, b);
}

// The operand without its negation, which is counted.
static expr_id stripped(struct exprs *x, expr_id e, bool *negative)
{
    if (!is_negation(x, e))
        return e;
    *negative = !*negative;
    return expr_arg(x, e, 0);
}

static bool is_magnitude(const struct exprs *x, expr_id e)
{
    return expr_at(x, e)->kind == X_OP && expr_at(x, e)->op == OP_ABS;
}

// (-a) * b = a * (-b) = -(a * b)    a * 1 = a    |a| * |a| = a * a
// max(a, b) * min(a, b) = a * b
static expr_id product(struct exprs *x, uint32_t type, expr_id a, expr_id b)
{
    bool negative = false;
    expr_id u, v;
    a = stripped(x, a, &negative);
    b = stripped(x, b, &negative);
    if (is_pair(x, a, b, &u, &v) || is_pair(x, b, a, &u, &v)) {
        expr_id e = product(x, type, u, v);
        return negative ? negate(x, e) : e;
    }
    if (a == b && is_magnitude(x, a))
        a = b = expr_arg(x, a, 0);
    expr_id e = is_number(x, a, 1)   ? b
                : is_number(x, b, 1) ? a
                                     : make(x, OP_MULTIPLY, type, a, b);
    return negative ? negate(x, e) : e;
}

// (-a) / b = a / (-b) = -(a / b)    a / 1 = a    a / 2^k = a * 2^-k
static expr_id quotient(struct exprs *x, uint32_t type, expr_id a, expr_id b)
{
    static const int64_t five[] = {1, 5, 25, 125, 625};
    bool negative = false;
    a = stripped(x, a, &negative);
    b = stripped(x, b, &negative);
    expr_id e = NO_EXPR;
    for (uint32_t k = 0; k < 5 && e == NO_EXPR; k++) {
        if (!is_number(x, b, (int64_t)1 << k))
            continue;
        e = k == 0 ? a
                   : make(x, OP_MULTIPLY, type, a,
                          expr_literal(x, LIT_DECIMAL, five[k], k, type));
    }
    if (e == NO_EXPR)
        e = make(x, OP_DIVIDE, type, a, b);
    return negative ? negate(x, e) : e;
}

// |-x| = |x|    ||x|| = |x|    |a * b| = |a| * |b|    |a / b| = |a| / |b|
// |a + b| = |-a + -b|
static expr_id magnitude(struct exprs *x, uint32_t type, expr_id a)
{
    bool ignored = false;
    a = stripped(x, a, &ignored);
    const struct expr n = *expr_at(x, a);
    bool number = n.kind == X_LITERAL && n.k >= 0 &&
                  (n.op == LIT_INT || n.op == LIT_DECIMAL);
    if (number || is_magnitude(x, a))
        return a;
    if (n.kind == X_OP && (n.op == OP_MULTIPLY || n.op == OP_DIVIDE)) {
        expr_id u = magnitude(x, type, expr_arg(x, a, 0));
        expr_id v = magnitude(x, type, expr_arg(x, a, 1));
        return n.op == OP_MULTIPLY ? product(x, type, u, v)
                                   : quotient(x, type, u, v);
    }
    if (n.kind == X_OP && n.op == OP_ADD) {
        expr_id u = negate(x, expr_arg(x, a, 0));
        expr_id v = negate(x, expr_arg(x, a, 1));
        expr_id other = sum(x, type, u, v);
        if (!is_op(x, other, OP_ADD))
            return magnitude(x, type, other);
        a = other < a ? other : a;
    }
    return make(x, OP_ABS, type, a, NO_EXPR);
}

// Roundings to integers that a negation exchanges or leaves alone.
static expr_id rounded(struct exprs *x, enum op op, uint32_t type, expr_id a)
{
    bool negative = false;
    a = stripped(x, a, &negative);
    if (negative && (op == OP_FLOOR || op == OP_CEIL))
        op = op == OP_FLOOR ? OP_CEIL : OP_FLOOR;
    expr_id e = make(x, op, type, a, NO_EXPR);
    return negative ? negate(x, e) : e;
}

// x^0 = 1 and 1^y = 1, of NaN, too; x^1 = x    x^2 = x * x    x^-1 = 1 / x
static expr_id power(struct exprs *x, uint32_t type, expr_id a, expr_id b)
{
    expr_id one = expr_literal(x, LIT_INT, 1, 0, type);
    bool negative = false;
    expr_id exponent = stripped(x, b, &negative);
    if (is_number(x, exponent, 0) || is_number(x, a, 1))
        return one;
    if (is_number(x, exponent, 1))
        return negative ? quotient(x, type, one, a) : a;
    if (is_number(x, exponent, 2) && !negative)
        return product(x, type, a, a);
    return make(x, OP_POWER, type, a, b);
}

expr_id float_normal(struct exprs *x, expr_id e, const expr_id *args)
{
    const struct expr n = *expr_at(x, e);
    if (n.kind == X_LITERAL)
        return literal(x, e);
    if (n.n == 0)
        return e;
    if (n.kind != X_OP)
        return expr_with_args(x, e, args);
    switch ((enum op)n.op) {
    case OP_NEGATE:
        return negate(x, args[0]);
    case OP_ABS:
        return magnitude(x, n.type, args[0]);
    case OP_FLOOR:
    case OP_CEIL:
    case OP_ROUND_NEAREST_EVEN:
    case OP_ROUND_NEAREST_AFZ:
        return rounded(x, (enum op)n.op, n.type, args[0]);
    case OP_ADD:
        return sum(x, n.type, args[0], args[1]);
    case OP_SUBTRACT: // a - b = a + (-b)
        return sum(x, n.type, args[0], negate(x, args[1]));
    case OP_MULTIPLY:
        return product(x, n.type, args[0], args[1]);
    case OP_DIVIDE:
        return quotient(x, n.type, args[0], args[1]);
    case OP_POWER:
        return power(x, n.type, args[0], args[1]);
    default:
        return expr_with_args(x, e, args);
    }
}
