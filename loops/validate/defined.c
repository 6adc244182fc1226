// SPDX-License-Identifier: Apache-2.0
#include "loops/validate/defined.h"
#include <float.h>
#include <math.h>

// A value, and how far it may be from the true one.  NAN: there is none.
struct near {
    double value, error;
};

static const struct near nothing = {NAN, 0};

static struct near near_value(struct numbers *numbers, lterm term);

static bool has_value(struct near a)
{
    return isfinite(a.value) && isfinite(a.error);
}

static struct near rounded(double value, double error)
{
    return (struct near){value, error + 4 * DBL_EPSILON * fabs(value)};
}

// ---- operators

static struct near divide(struct near a, struct near b)
{
    double least = fabs(b.value) - b.error;
    if (!(least > 0))
        return nothing;
    return rounded(a.value / b.value, (a.error + fabs(a.value / b.value) * b.error) / least);
}

static struct near root(struct near a)
{
    if (a.value < -a.error)
        return nothing;
    double value = sqrt(a.value > 0 ? a.value : 0);
    return rounded(value,
                   a.value > a.error ? a.error / sqrt(a.value - a.error) : sqrt(2 * a.error));
}

static struct near logarithm(struct near a, double value)
{
    return a.value > a.error ? rounded(value, a.error / (a.value - a.error)) : nothing;
}

static struct near apply_one(struct numbers *numbers, enum code_op op, struct near a)
{
    static const struct near one = {1, 0};
    double x = a.value;
    switch (op) {
    case CODE_CONVERT:
        return a;
    case CODE_NEGATE:
        return (struct near){-x, a.error};
    case CODE_ABS:
        return (struct near){fabs(x), a.error};
    case CODE_NOT:
        return (struct near){!(x != 0), 0};
    case CODE_EXP:
        return rounded(exp(x), exp(x) * expm1(a.error));
    case CODE_EXP2:
        return rounded(exp2(x), exp2(x) * expm1(a.error));
    case CODE_EXPM1:
        return rounded(expm1(x), exp(x) * expm1(a.error));
    case CODE_LOG:
        return logarithm(a, log(x));
    case CODE_LOG2:
        return logarithm(a, log2(x));
    case CODE_LOG1P:
        return logarithm((struct near){x + 1, a.error}, log1p(x));
    case CODE_SQRT:
        return root(a);
    case CODE_RSQRT:
        return divide(one, root(a));
    case CODE_CBRT:
        return rounded(cbrt(x), cbrt(a.error));
    case CODE_SIN:
        return rounded(sin(x), a.error);
    case CODE_COS:
        return rounded(cos(x), a.error);
    case CODE_TAN:
        return divide(rounded(sin(x), a.error), rounded(cos(x), a.error));
    case CODE_TANH:
        return rounded(tanh(x), a.error);
    case CODE_ERF:
        return rounded(erf(x), 2 * a.error);
    case CODE_FLOOR:
        return (struct near){floor(x), 0};
    case CODE_CEIL:
        return (struct near){ceil(x), 0};
    default:
        numbers->problem = "an operator without a value";
        return nothing;
    }
}

static struct near power(struct near a, struct near b)
{
    double value = pow(a.value, b.value), least = fabs(a.value) - a.error;
    if (!(least > 0)) // 0^b
        return b.value > b.error || (b.value == 0 && b.error == 0) ? rounded(value, a.error)
                                                                   : nothing;
    return rounded(value, fabs(value) * (fabs(b.value) * a.error / least +
                                         fabs(log(fabs(a.value))) * b.error));
}

static struct near apply_two(struct numbers *numbers, enum code_op op, struct near a, struct near b)
{
    double x = a.value, y = b.value, most = a.error > b.error ? a.error : b.error;
    switch (op) {
    case CODE_ADD:
        return rounded(x + y, a.error + b.error + DBL_EPSILON * (fabs(x) + fabs(y)));
    case CODE_SUBTRACT:
        return rounded(x - y, a.error + b.error + DBL_EPSILON * (fabs(x) + fabs(y)));
    case CODE_MULTIPLY:
        return rounded(x * y, fabs(x) * b.error + fabs(y) * a.error + a.error * b.error);
    case CODE_DIVIDE:
        return divide(a, b);
    case CODE_MINIMUM:
        return (struct near){x < y ? x : y, most};
    case CODE_MAXIMUM:
        return (struct near){x > y ? x : y, most};
    case CODE_POWER:
        return power(a, b);
    case CODE_AND:
        return (struct near){x != 0 && y != 0, 0};
    case CODE_OR:
        return (struct near){x != 0 || y != 0, 0};
    case CODE_XOR:
    case CODE_UNEQUAL:
        return (struct near){x != y, 0};
    case CODE_EQUAL:
        return (struct near){x == y, 0};
    case CODE_LESS:
        return (struct near){x < y, 0};
    case CODE_LESS_EQUAL:
        return (struct near){x <= y, 0};
    default:
        numbers->problem = "an operator without a value";
        return nothing;
    }
}

static struct near apply(struct numbers *numbers, lterm term)
{
    const struct lterms *terms = numbers->terms;
    enum code_op op = (enum code_op)lterm_number(terms, term);
    struct near a = near_value(numbers, lterm_arg(terms, term, 0)), b;
    if (!has_value(a))
        return nothing;
    if (op == CODE_SELECT) // the other side need not have a value
        return near_value(numbers, lterm_arg(terms, term, a.value != 0 ? 1 : 2));
    if (lterm_n(terms, term) == 1)
        return apply_one(numbers, op, a);
    b = near_value(numbers, lterm_arg(terms, term, 1));
    return has_value(b) ? apply_two(numbers, op, a, b) : nothing;
}

// ---- folds

static bool has_unit(enum code_op op)
{
    return op == CODE_ADD || op == CODE_MULTIPLY || op == CODE_AND || op == CODE_OR;
}

static struct near fold(struct numbers *numbers, lterm term)
{
    struct lterms *terms = numbers->terms;
    uint32_t number = lterm_number(terms, term);
    enum code_op op = (enum code_op)(number >> 16);
    struct buf name = {0};
    buf_printf(&name, "#%u", number & 0xffff);
    ipoly index = int_symbol(terms->in, buf_text(&name));
    buf_release(&name);
    int64_t end = numbers_poly(numbers, lterm_arg(terms, term, 0));
    struct near sum = {op == CODE_MULTIPLY || op == CODE_AND, 0};
    bool any = has_unit(op); // a maximum of nothing has no value
    for (int64_t i = 0; i < end && numbers->problem == NULL && has_value(sum); i++) {
        bool on = true;
        numbers_set(numbers, index, i);
        for (uint32_t g = 2; on && g < lterm_n(terms, term); g++)
            on = numbers_poly(numbers, lterm_arg(terms, term, g)) >= 0;
        if (!on)
            continue;
        struct near next = near_value(numbers, lterm_arg(terms, term, 1));
        if (!has_value(next))
            return nothing;
        sum = any ? apply_two(numbers, op, sum, next) : next;
        any = true;
    }
    return any ? sum : nothing;
}

// ---- terms

static struct near near_value(struct numbers *numbers, lterm term)
{
    struct lterms *terms = numbers->terms;
    if (numbers->problem != NULL)
        return nothing;
    if (lterm_kind(terms, term) == LT_APPLY || lterm_kind(terms, term) == LT_REDUCE) {
        if (numbers->steps == 0) {
            numbers->problem = "the formula takes too many steps";
            return nothing;
        }
        numbers->steps--;
        return lterm_kind(terms, term) == LT_APPLY ? apply(numbers, term) : fold(numbers, term);
    }
    if (lterm_kind(terms, term) == LT_CHOOSE) {
        bool yes = numbers_poly(numbers, lterm_arg(terms, term, 0)) >= 0;
        return near_value(numbers, lterm_arg(terms, term, yes ? 1 : 2));
    }
    bool exact = lterm_kind(terms, term) != LT_NUMBER;
    double value = numbers_term(numbers, term);
    return exact ? (struct near){value, 0} : rounded(value, 0);
}

enum defined numbers_defined(struct numbers *numbers, lterm term)
{
    numbers->problem = NULL;
    bool value = has_value(near_value(numbers, term));
    return numbers->problem != NULL ? DEFINED_UNKNOWN : value ? DEFINED_VALUE : DEFINED_NOT;
}
