// SPDX-License-Identifier: Apache-2.0
#include "verify/symbolic/rounding.h"

static bool jumps(enum op op)
{
    return op == OP_BITCAST_CONVERT || op_has(op, LAW_JUMPS);
}

bool rounding_step_is_safe(enum op op, double a, double b, double r)
{
    if (jumps(op))
        return false;
    switch (op) {
    case OP_ADD:
        return !isfinite(a) || !isfinite(b) || fabs(r) >= ROUNDING_NEAR * fmax(fabs(a), fabs(b));
    case OP_SUBTRACT:
        return !isfinite(a) || !isfinite(b) || fabs(r) >= ROUNDING_NEAR * fmax(fabs(a), fabs(b));
    case OP_DIVIDE:
        return fabs(b) >= ROUNDING_TINY;
    case OP_COMPARE:
        return rounding_apart(a, b);
    case OP_LOG:
    case OP_LOG_PLUS_ONE:
        return fabs(r) >= ROUNDING_NEAR && fabs(a) >= ROUNDING_TINY;
    case OP_SINE:
    case OP_COSINE:
        return fabs(a) <= 1e3 && fabs(r) >= ROUNDING_NEAR;
    case OP_SQRT:
    case OP_RSQRT:
    case OP_CBRT:
    case OP_EXPONENTIAL_MINUS_ONE:
    case OP_POWER:
        return fabs(a) >= ROUNDING_TINY;
    case OP_ABS:
    case OP_CEIL:
    case OP_ERF:
    case OP_EXPONENTIAL:
    case OP_FLOOR:
    case OP_IMAG:
    case OP_LOGISTIC:
    case OP_NEGATE:
    case OP_REAL:
    case OP_ROUND_NEAREST_AFZ:
    case OP_ROUND_NEAREST_EVEN:
    case OP_SIGN:
    case OP_TAN:
    case OP_TANH:
    case OP_ATAN2:
    case OP_MAXIMUM:
    case OP_MINIMUM:
    case OP_MULTIPLY:
    case OP_REMAINDER:
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
        LEAF_CASES
        BITS_UNARY_CASES
        BITS_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return true;
}
