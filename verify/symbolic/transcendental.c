// SPDX-License-Identifier: Apache-2.0
#include "verify/symbolic/transcendental.h"

bool op_is_transcendental(enum op op)
{
    switch (op) {
    case OP_CBRT:
    case OP_COSINE:
    case OP_ERF:
    case OP_EXPONENTIAL:
    case OP_EXPONENTIAL_MINUS_ONE:
    case OP_LOG:
    case OP_LOG_PLUS_ONE:
    case OP_LOGISTIC:
    case OP_RSQRT:
    case OP_SINE:
    case OP_SQRT:
    case OP_TAN:
    case OP_TANH:
    case OP_ATAN2:
    case OP_POWER:
        return true;
    default:
        return false;
    }
}
