// SPDX-License-Identifier: Apache-2.0
// Tests whether a float result is the real one, by error-free transformations
// (Knuth's two-sum, products with the residual from fma) on scaled operands.
// The answer no may be wrong (near overflow); the answer yes never is.
#include "tensor/eval/parts.h"
#include <math.h>

static bool sum_is(double a, double b, double result)
{
    double s = a + b, b_seen = s - a, a_seen = s - b_seen;
    double error = (a - a_seen) + (b - b_seen);
    return s == result && error == 0;
}

// On mantissas in [1/2, 1) neither the product nor its residual underflows.
static bool product_is(double a, double b, double result)
{
    int ea, eb, ep, er;
    double ma = frexp(a, &ea), mb = frexp(b, &eb), mr = frexp(result, &er);
    double product = ma * mb;
    if (product == 0)
        return result == 0;
    if (fma(ma, mb, -product) != 0)
        return false;
    return frexp(product, &ep) == mr && ea + eb + ep == er;
}

static bool quotient_is(double a, double b, double result)
{
    return b != 0 && product_is(result, b, a);
}

bool power_exact(double x, unsigned n, double *mantissa, long *exponent)
{
    int e1, e2;
    double m = frexp(x, &e1), product = 1;
    long e = 0;
    for (unsigned i = 0; i < n; i++) {
        double next = product * m;
        if (fma(product, m, -next) != 0)
            return false;
        product = frexp(next, &e2);
        e += e1 + e2;
    }
    *mantissa = product;
    *exponent = e;
    return true;
}

static bool power_is(double x, double y, double result)
{
    double m;
    long ex;
    int er;
    if (y == 0)
        return result == 1;
    if (x == 0)
        return y > 0 && result == 0;
    if (y != floor(y) || (fabs(y) > 1100 && fabs(x) != 1))
        return false;
    if (fabs(x) == 1)
        return result == (fmod(y, 2) == 0 ? 1 : x);
    if (!power_exact(x, (unsigned)fabs(y), &m, &ex))
        return false;
    double mr = frexp(result, &er);
    // A negative power is exact only for a power of two: then m = 1/2 = mr.
    return y > 0 ? m == mr && ex == er : product_is(m, mr, 0.25) && ex + er == 2;
}

// Points where a transcendental operator has an obvious rational value.
static bool obvious(enum op op, double a, double result)
{
    switch (op_facts(op)->point) {
    case POINT_AT_0_IS_0:
        return a == 0 && result == 0;
    case POINT_AT_0_IS_1:
        return a == 0 && result == 1;
    case POINT_AT_0_IS_HALF:
        return a == 0 && result == 0.5;
    case POINT_AT_1_IS_0:
        return a == 1 && result == 0;
    case POINT_NONE:
        return false;
    }
    return false;
}

bool exact_unary(enum op op, double a, double r)
{
    switch (op) {
    case OP_ABS:
    case OP_CEIL:
    case OP_FLOOR:
    case OP_IMAG:
    case OP_NEGATE:
    case OP_REAL:
    case OP_ROUND_NEAREST_AFZ:
    case OP_ROUND_NEAREST_EVEN:
    case OP_SIGN:
        return true;
    case OP_SQRT:
        return product_is(r, r, a);
    case OP_CBRT:
        return power_is(r, 3, a);
    case OP_RSQRT: // r * r * a = 1
        return a > 0 && power_is(r, -2, a);
    case OP_COSINE:
    case OP_ERF:
    case OP_EXPONENTIAL:
    case OP_EXPONENTIAL_MINUS_ONE:
    case OP_LOG:
    case OP_LOG_PLUS_ONE:
    case OP_LOGISTIC:
    case OP_SINE:
    case OP_TAN:
    case OP_TANH:
        LEAF_CASES
        BINARY_CASES
        POINT_CASES
        BITS_UNARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return obvious(op, a, r);
}

bool exact_binary(enum op op, double a, double b, double r)
{
    switch (op) {
    case OP_ADD:
        return sum_is(a, b, r);
    case OP_SUBTRACT:
        return sum_is(a, -b, r);
    case OP_MULTIPLY:
        return product_is(a, b, r);
    case OP_DIVIDE:
        return quotient_is(a, b, r);
    case OP_REMAINDER: // fmod never rounds
        return b != 0;
    case OP_MAXIMUM:
    case OP_MINIMUM:
        return true;
    case OP_POWER:
        return power_is(a, b, r);
    case OP_ATAN2:
        return a == 0 && b > 0 && r == 0;
        LEAF_CASES
        UNARY_CASES
        POINT_CASES
        BITS_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return false;
}
