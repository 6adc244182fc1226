// SPDX-License-Identifier: Apache-2.0
#include "formula/terms/names.h"

#include <stddef.h>
#include <string.h>

#define CALL(s, op, n)                                                                             \
    {                                                                                              \
        s, op, n, FNAME_CALL, LEVEL_ATOM, false                                                    \
    }
#define REDUCE(s, op)                                                                              \
    {                                                                                              \
        s, op, 1, FNAME_REDUCE, LEVEL_ATOM, false                                                  \
    }
#define INFIX(s, op, level)                                                                        \
    {                                                                                              \
        s, op, 2, FNAME_INFIX, level, false                                                        \
    }
#define SWAPPED(s, op, level)                                                                      \
    {                                                                                              \
        s, op, 2, FNAME_INFIX, level, true                                                         \
    }
#define PREFIX(s, op, level)                                                                       \
    {                                                                                              \
        s, op, 1, FNAME_PREFIX, level, false                                                       \
    }

static const struct fname table[] = {
    INFIX("+", "add", LEVEL_SUM),
    INFIX("-", "subtract", LEVEL_SUM),
    INFIX("*", "multiply", LEVEL_PRODUCT),
    INFIX("/", "divide", LEVEL_PRODUCT),
    INFIX("^", "power", LEVEL_POWER),
    CALL("pow", "power", 2),
    PREFIX("-", "negate", LEVEL_MINUS),
    INFIX("<", "lt", LEVEL_COMPARE),
    INFIX("<=", "le", LEVEL_COMPARE),
    SWAPPED(">", "lt", LEVEL_COMPARE),
    SWAPPED(">=", "le", LEVEL_COMPARE),
    INFIX("==", "eq", LEVEL_COMPARE),
    INFIX("!=", "ne", LEVEL_COMPARE),
    INFIX("or", "or", LEVEL_OR),
    INFIX("and", "and", LEVEL_AND),
    PREFIX("not", "not", LEVEL_NOT),
    CALL("exp", "exponential", 1),
    CALL("expm1", "exponential_minus_one", 1),
    CALL("log", "log", 1),
    CALL("log1p", "log_plus_one", 1),
    CALL("sqrt", "sqrt", 1),
    CALL("rsqrt", "rsqrt", 1),
    CALL("cbrt", "cbrt", 1),
    CALL("sin", "sine", 1),
    CALL("cos", "cosine", 1),
    CALL("tan", "tan", 1),
    CALL("tanh", "tanh", 1),
    CALL("erf", "erf", 1),
    CALL("sigmoid", "logistic", 1),
    CALL("abs", "abs", 1),
    CALL("sign", "sign", 1),
    CALL("floor", "floor", 1),
    CALL("ceil", "ceil", 1),
    CALL("max", "maximum", 2),
    CALL("min", "minimum", 2),
    CALL("where", "select", 3),
    // As C and NumPy spell them.
    CALL("expf", "exponential", 1),
    CALL("expm1f", "exponential_minus_one", 1),
    CALL("ln", "log", 1),
    CALL("logf", "log", 1),
    CALL("log1pf", "log_plus_one", 1),
    CALL("sqrtf", "sqrt", 1),
    CALL("rsqrtf", "rsqrt", 1),
    CALL("cbrtf", "cbrt", 1),
    CALL("sinf", "sine", 1),
    CALL("cosf", "cosine", 1),
    CALL("tanf", "tan", 1),
    CALL("tanhf", "tanh", 1),
    CALL("erff", "erf", 1),
    CALL("logistic", "logistic", 1),
    CALL("fabs", "abs", 1),
    CALL("fabsf", "abs", 1),
    CALL("floorf", "floor", 1),
    CALL("ceilf", "ceil", 1),
    CALL("powf", "power", 2),
    CALL("power", "power", 2),
    CALL("fmax", "maximum", 2),
    CALL("fmaxf", "maximum", 2),
    CALL("maximum", "maximum", 2),
    CALL("fmin", "minimum", 2),
    CALL("fminf", "minimum", 2),
    CALL("minimum", "minimum", 2),
    REDUCE("sum", "reduce_add"),
    REDUCE("prod", "reduce_multiply"),
    REDUCE("max", "reduce_maximum"),
    REDUCE("min", "reduce_minimum"),
    REDUCE("any", "reduce_or"),
    REDUCE("all", "reduce_and"),
};
enum { N_NAMES = sizeof table / sizeof *table };

const struct fname *fname_at(uint32_t i)
{
    return i < N_NAMES ? &table[i] : NULL;
}

const struct fname *fname_of_surface(const char *text, uint32_t len, uint32_t n,
                                     enum fname_kind kind)
{
    for (uint32_t i = 0; i < N_NAMES; i++) {
        const struct fname *name = &table[i];
        if (name->kind == kind && name->n == n && strlen(name->surface) == len &&
            memcmp(name->surface, text, len) == 0)
            return name;
    }
    return NULL;
}

const struct fname *fname_of_op(const char *op, uint32_t n)
{
    for (uint32_t i = 0; i < N_NAMES; i++) {
        const struct fname *name = &table[i];
        if (name->n + (name->kind == FNAME_REDUCE) == n && strcmp(name->op, op) == 0)
            return name;
    }
    return NULL;
}
