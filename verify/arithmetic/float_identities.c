// SPDX-License-Identifier: Apache-2.0
#include "verify/arithmetic/float_identities.h"
#include "tensor/eval/eval.h"
#include <math.h>

// The literals that every format has: these magnitudes and these many bits.
#define LITERAL_MOST 256
#define LITERAL_SCALE 6

static expr_id make(struct exprs *exprs, enum op op, uint32_t type, expr_id a, expr_id b)
{
    if (b == NO_EXPR)
        return expr_op(exprs, op, 0, type, 1, &a);
    expr_id args[] = {a, b};
    if (op_is_commutative(op) && a > b) {
        args[0] = b;
        args[1] = a;
    }
    return expr_op(exprs, op, 0, type, 2, args);
}

static bool is_negation(const struct exprs *exprs, expr_id e)
{
    return expr_at(exprs, e)->kind == X_OP && expr_at(exprs, e)->op == OP_NEGATE;
}

// -(-x) = x
static expr_id negate(struct exprs *exprs, expr_id e)
{
    if (is_negation(exprs, e))
        return expr_arg(exprs, e, 0);
    return make(exprs, OP_NEGATE, expr_at(exprs, e)->type, e, NO_EXPR);
}

// Literals without sign: -3 is -(3), -0.0 is -(0), lowest is -(highest).
static expr_id literal(struct exprs *exprs, expr_id e)
{
    const struct expr node = *expr_at(exprs, e);
    enum literal_kind lit = (enum literal_kind)node.op;
    if (lit == LIT_LOWEST)
        return negate(exprs, expr_literal(exprs, LIT_HIGHEST, 0, 0, node.type));
    if (lit == LIT_DECIMAL && node.k == 0)
        return negate(exprs, expr_literal(exprs, LIT_INT, 0, 0, node.type));
    if ((lit == LIT_INT || lit == LIT_DECIMAL) && node.k < 0 && node.k > INT64_MIN)
        return negate(exprs, expr_literal(exprs, lit, -node.k, node.sym, node.type));
    return e;
}

static bool is_number(const struct exprs *exprs, expr_id e, int64_t k)
{
    const struct expr *node = expr_at(exprs, e);
    return node->kind == X_LITERAL && node->op == LIT_INT && node->k == k;
}

static bool dyadic(const struct expr *node)
{
    uint64_t k = node->k < 0 ? 0 - (uint64_t)node->k : (uint64_t)node->k;
    for (uint32_t i = 0; node->op == LIT_DECIMAL && i < node->sym; i++) {
        if (k % 5 != 0)
            return false; // k / 10^sym is no multiple of a power of 2
        k /= 5;
    }
    while (k != 0 && k % 2 == 0)
        k /= 2;
    return k < LITERAL_MOST;
}

bool literal_in_every_format(const struct expr *node)
{
    if (node->op != LIT_INT && node->op != LIT_DECIMAL)
        return true;
    return node->k >= -LITERAL_MOST * 100 && node->k <= LITERAL_MOST * 100 &&
           (node->op != LIT_INT || (node->k >= -LITERAL_MOST && node->k <= LITERAL_MOST)) &&
           dyadic(node) && (node->op != LIT_DECIMAL || node->sym <= LITERAL_SCALE);
}

double literal_number(const struct expr *node)
{
    static const double ten[LITERAL_SCALE + 1] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    if (node->op == LIT_LOWEST || node->op == LIT_HIGHEST)
        return node->op == LIT_LOWEST ? -INFINITY : INFINITY;
    if (node->op == LIT_DECIMAL && node->k == 0)
        return -0.0;
    return (double)node->k / (node->op == LIT_DECIMAL ? ten[node->sym] : 1);
}

static bool is_minus_zero(const struct exprs *exprs, expr_id e)
{
    return is_negation(exprs, e) && is_number(exprs, expr_arg(exprs, e, 0), 0);
}

static bool is_op(const struct exprs *exprs, expr_id e, enum op op)
{
    return expr_at(exprs, e)->kind == X_OP && expr_at(exprs, e)->op == op;
}

// Are these max(a, b) and min(a, b)?  If neither operand is NaN, they are a and b in some
// order.
static bool is_pair(const struct exprs *exprs, expr_id high, expr_id low, expr_id *a, expr_id *b)
{
    if (!is_op(exprs, high, OP_MAXIMUM) || !is_op(exprs, low, OP_MINIMUM))
        return false;
    *a = expr_arg(exprs, high, 0);
    *b = expr_arg(exprs, high, 1);
    expr_id c = expr_arg(exprs, low, 0), d = expr_arg(exprs, low, 1);
    return (*a == c && *b == d) || (*a == d && *b == c);
}

static expr_id magnitude(struct exprs *exprs, uint32_t type, expr_id a);

// x + -0 = x    x + x = x * 2    max(a, b) + min(a, b) = a + b
// max(a, b) - min(a, b) = |a - b|
static expr_id sum(struct exprs *exprs, uint32_t type, expr_id a, expr_id b)
{
    if (is_minus_zero(exprs, a))
        return b;
    if (is_minus_zero(exprs, b))
        return a;
    if (a == b)
        return make(exprs, OP_MULTIPLY, type, a, expr_literal(exprs, LIT_INT, 2, 0, type));
    expr_id u, v;
    if (is_pair(exprs, a, b, &u, &v) || is_pair(exprs, b, a, &u, &v))
        return sum(exprs, type, u, v);
    if ((is_negation(exprs, b) && is_pair(exprs, a, expr_arg(exprs, b, 0), &u, &v)) ||
        (is_negation(exprs, a) && is_pair(exprs, b, expr_arg(exprs, a, 0), &u, &v)))
        return magnitude(exprs, type, sum(exprs, type, u, negate(exprs, v)));
    return make(exprs, OP_ADD, type, a, b);
}

// The operand without its negation; counts the negation in *negative.
static expr_id stripped(struct exprs *exprs, expr_id e, bool *negative)
{
    if (!is_negation(exprs, e))
        return e;
    *negative = !*negative;
    return expr_arg(exprs, e, 0);
}

static bool is_magnitude(const struct exprs *exprs, expr_id e)
{
    return expr_at(exprs, e)->kind == X_OP && expr_at(exprs, e)->op == OP_ABS;
}

// (-a) * b = a * (-b) = -(a * b)    a * 1 = a    |a| * |a| = a * a
// max(a, b) * min(a, b) = a * b
static expr_id product(struct exprs *exprs, uint32_t type, expr_id a, expr_id b)
{
    bool negative = false;
    expr_id u, v;
    a = stripped(exprs, a, &negative);
    b = stripped(exprs, b, &negative);
    if (is_pair(exprs, a, b, &u, &v) || is_pair(exprs, b, a, &u, &v)) {
        expr_id e = product(exprs, type, u, v);
        return negative ? negate(exprs, e) : e;
    }
    if (a == b && is_magnitude(exprs, a))
        a = b = expr_arg(exprs, a, 0);
    expr_id e = is_number(exprs, a, 1)   ? b
                : is_number(exprs, b, 1) ? a
                                         : make(exprs, OP_MULTIPLY, type, a, b);
    return negative ? negate(exprs, e) : e;
}

// (-a) / b = a / (-b) = -(a / b)    a / 1 = a    a / 2^k = a * 2^-k
static expr_id quotient(struct exprs *exprs, uint32_t type, expr_id a, expr_id b)
{
    static const int64_t five[] = {1, 5, 25, 125, 625};
    bool negative = false;
    a = stripped(exprs, a, &negative);
    b = stripped(exprs, b, &negative);
    expr_id e = NO_EXPR;
    for (uint32_t k = 0; k < 5 && e == NO_EXPR; k++) {
        if (!is_number(exprs, b, (int64_t)1 << k))
            continue;
        e = k == 0 ? a
                   : make(exprs, OP_MULTIPLY, type, a,
                          expr_literal(exprs, LIT_DECIMAL, five[k], k, type));
    }
    if (e == NO_EXPR)
        e = make(exprs, OP_DIVIDE, type, a, b);
    return negative ? negate(exprs, e) : e;
}

// |-x| = |x|    ||x|| = |x|    |a * b| = |a| * |b|    |a / b| = |a| / |b|
// |a + b| = |-a + -b|
static expr_id magnitude(struct exprs *exprs, uint32_t type, expr_id a)
{
    bool ignored = false;
    a = stripped(exprs, a, &ignored);
    const struct expr node = *expr_at(exprs, a);
    bool number =
        node.kind == X_LITERAL && node.k >= 0 && (node.op == LIT_INT || node.op == LIT_DECIMAL);
    if (number || is_magnitude(exprs, a))
        return a;
    if (node.kind == X_OP && (node.op == OP_MULTIPLY || node.op == OP_DIVIDE)) {
        expr_id u = magnitude(exprs, type, expr_arg(exprs, a, 0));
        expr_id v = magnitude(exprs, type, expr_arg(exprs, a, 1));
        return node.op == OP_MULTIPLY ? product(exprs, type, u, v) : quotient(exprs, type, u, v);
    }
    if (node.kind == X_OP && node.op == OP_ADD) {
        expr_id u = negate(exprs, expr_arg(exprs, a, 0));
        expr_id v = negate(exprs, expr_arg(exprs, a, 1));
        expr_id other = sum(exprs, type, u, v);
        if (!is_op(exprs, other, OP_ADD))
            return magnitude(exprs, type, other);
        a = other < a ? other : a;
    }
    return make(exprs, OP_ABS, type, a, NO_EXPR);
}

// Is the element a whole number, an infinity or NaN in every format?
static bool is_whole(const struct exprs *exprs, expr_id e)
{
    const struct expr *node = expr_at(exprs, e);
    if (node->kind == X_LITERAL)
        return node->op == LIT_INT && node->sym == 0;
    if (is_op(exprs, e, OP_NEGATE) || is_op(exprs, e, OP_ABS))
        return is_whole(exprs, expr_arg(exprs, e, 0));
    return is_op(exprs, e, OP_FLOOR) || is_op(exprs, e, OP_CEIL) ||
           is_op(exprs, e, OP_ROUND_NEAREST_EVEN) || is_op(exprs, e, OP_ROUND_NEAREST_AFZ) ||
           is_op(exprs, e, OP_SIGN);
}

// Roundings to integers and signs, which a negation exchanges or leaves alone.  The rounding of
// a whole number and the sign of a sign are that number.
static expr_id rounded(struct exprs *exprs, enum op op, uint32_t type, expr_id a)
{
    bool negative = false;
    a = stripped(exprs, a, &negative);
    if (negative && (op == OP_FLOOR || op == OP_CEIL))
        op = op == OP_FLOOR ? OP_CEIL : OP_FLOOR;
    bool stays = op == OP_SIGN ? is_op(exprs, a, OP_SIGN) : is_whole(exprs, a);
    expr_id e = stays ? a : make(exprs, op, type, a, NO_EXPR);
    return negative ? negate(exprs, e) : e;
}

// The number that a literal or its negation is in every format.
static bool literal_value(const struct exprs *exprs, expr_id e, double *out)
{
    bool negative = is_negation(exprs, e);
    const struct expr *node = expr_at(exprs, negative ? expr_arg(exprs, e, 0) : e);
    if (node->kind != X_LITERAL || !literal_in_every_format(node) ||
        !(node->op == LIT_HIGHEST || node->op == LIT_DECIMAL ||
          (node->op == LIT_INT && node->sym == 0)))
        return false;
    *out = negative ? -literal_number(node) : literal_number(node);
    return true;
}

// The literal of a number, if every format has the number.
static expr_id literal_of(struct exprs *exprs, uint32_t type, double value)
{
    double magnitude = fabs(value);
    struct expr node = {.kind = X_LITERAL, .op = LIT_INT};
    if (isnan(value))
        return NO_EXPR;
    if (isinf(value)) {
        node.op = LIT_HIGHEST;
    } else {
        while (node.sym < LITERAL_SCALE && magnitude != floor(magnitude)) {
            node.op = LIT_DECIMAL;
            node.sym++;
            magnitude *= 10;
        }
        if (magnitude != floor(magnitude) || magnitude > LITERAL_MOST * 100)
            return NO_EXPR;
        node.k = (int64_t)magnitude;
    }
    if (!literal_in_every_format(&node))
        return NO_EXPR;
    expr_id e = expr_literal(exprs, (enum literal_kind)node.op, node.k, node.sym, type);
    return signbit(value) ? negate(exprs, e) : e;
}

// The value at literals, if the function of the reals has exactly this value there and every
// format has the number; and at infinities, where it is the limit.  NO_EXPR otherwise.
static expr_id at_literals(struct exprs *exprs, enum op op, uint32_t type, uint32_t n,
                           const expr_id *args)
{
    struct err err = {0};
    struct scalar scalar[2], result;
    double value[2];
    for (uint32_t i = 0; i < n; i++) {
        if (!literal_value(exprs, args[i], &value[i]))
            return NO_EXPR;
        scalar[i] = scalar_of_double(ELEM_F64, value[i]);
    }
    if (n == 1 ? !eval_unary(op, ELEM_F64, scalar[0], &result, &err)
               : !eval_binary(op, ELEM_F64, scalar[0], scalar[1], &result, &err))
        return NO_EXPR;
    double r = scalar_to_double(ELEM_F64, result);
    bool limit = n == 1 && isinf(value[0]) && op_facts(op)->order != ORDER_NONE;
    bool exact =
        n == 1 ? exact_unary(op, value[0], r)
               : !isinf(value[0]) && !isinf(value[1]) && exact_binary(op, value[0], value[1], r);
    return limit || exact ? literal_of(exprs, type, r) : NO_EXPR;
}

// x^0 = 1 and 1^y = 1, of NaN, too    x^1 = x    x^2 = x * x    x^-1 = 1 / x
static expr_id power(struct exprs *exprs, uint32_t type, expr_id a, expr_id b)
{
    expr_id one = expr_literal(exprs, LIT_INT, 1, 0, type);
    bool negative = false;
    expr_id exponent = stripped(exprs, b, &negative);
    if (is_number(exprs, exponent, 0) || is_number(exprs, a, 1))
        return one;
    if (is_number(exprs, exponent, 1))
        return negative ? quotient(exprs, type, one, a) : a;
    if (is_number(exprs, exponent, 2) && !negative)
        return product(exprs, type, a, a);
    expr_id e = at_literals(exprs, OP_POWER, type, 2, (expr_id[]){a, b});
    if (e != NO_EXPR)
        return e;
    return make(exprs, OP_POWER, type, a, b);
}

expr_id float_normal(struct exprs *exprs, expr_id e, const expr_id *args)
{
    const struct expr node = *expr_at(exprs, e);
    if (node.kind == X_LITERAL)
        return literal(exprs, e);
    if (node.n == 0)
        return e;
    if (node.kind != X_OP)
        return expr_with_args(exprs, e, args);
    expr_id value;
    switch ((enum op)node.op) {
    case OP_NEGATE:
        return negate(exprs, args[0]);
    case OP_ABS:
        return magnitude(exprs, node.type, args[0]);
    case OP_FLOOR:
    case OP_CEIL:
    case OP_ROUND_NEAREST_EVEN:
    case OP_ROUND_NEAREST_AFZ:
    case OP_SIGN:
        return rounded(exprs, (enum op)node.op, node.type, args[0]);
    case OP_ADD:
        return sum(exprs, node.type, args[0], args[1]);
    case OP_SUBTRACT: // a - b = a + (-b)
        return sum(exprs, node.type, args[0], negate(exprs, args[1]));
    case OP_MULTIPLY:
        return product(exprs, node.type, args[0], args[1]);
    case OP_DIVIDE:
        return quotient(exprs, node.type, args[0], args[1]);
    case OP_POWER:
        return power(exprs, node.type, args[0], args[1]);
    case OP_ATAN2:
        TRANSCENDENTAL_UNARY_CASES
        value = at_literals(exprs, (enum op)node.op, node.type, node.n, args);
        return value != NO_EXPR ? value : expr_with_args(exprs, e, args);
    case OP_IMAG:
    case OP_REAL:
    case OP_MAXIMUM:
    case OP_MINIMUM:
    case OP_REMAINDER:
        LEAF_CASES
        POINT_CASES
        BITS_UNARY_CASES
        BITS_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return expr_with_args(exprs, e, args);
}

// x + y ~ -(-x + -y): of the two, the one that was made first.
static expr_id sum_up_to_zero_sign(struct exprs *exprs, uint32_t type, expr_id a, expr_id b)
{
    expr_id e = sum(exprs, type, a, b);
    if (!is_op(exprs, e, OP_ADD))
        return e;
    expr_id u = negate(exprs, expr_arg(exprs, e, 0)), v = negate(exprs, expr_arg(exprs, e, 1));
    expr_id other = sum(exprs, type, u, v);
    return is_op(exprs, other, OP_ADD) && other < e ? negate(exprs, other) : e;
}

// Operands of sums, products, magnitudes and negations, and numerators, may be exchanged for
// others that are equal up to the sign of zero: the result is equal up to the sign of zero.
//
// x + 0 ~ x
expr_id float_up_to_zero_sign(struct exprs *exprs, expr_id e)
{
    const struct expr node = *expr_at(exprs, e);
    bool one = is_op(exprs, e, OP_NEGATE) || is_op(exprs, e, OP_ABS);
    bool two = is_op(exprs, e, OP_ADD) || is_op(exprs, e, OP_MULTIPLY);
    if (!one && !two && !is_op(exprs, e, OP_DIVIDE))
        return e;
    expr_id a = float_up_to_zero_sign(exprs, expr_arg(exprs, e, 0));
    if (node.op == OP_NEGATE)
        return negate(exprs, a);
    if (node.op == OP_ABS)
        return magnitude(exprs, node.type, a);
    expr_id b = expr_arg(exprs, e, 1);
    if (node.op == OP_DIVIDE)
        return quotient(exprs, node.type, a, b);
    b = float_up_to_zero_sign(exprs, b);
    if (node.op == OP_MULTIPLY)
        return product(exprs, node.type, a, b);
    if (is_number(exprs, a, 0) || is_number(exprs, b, 0))
        return is_number(exprs, a, 0) ? b : a;
    return sum_up_to_zero_sign(exprs, node.type, a, b);
}
