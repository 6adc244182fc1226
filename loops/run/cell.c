// SPDX-License-Identifier: Apache-2.0
// One lane of an elementwise operator.
#include "loops/run/run.h"
#include <math.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 wide_unsigned;

struct apply {
    struct execution *run;
    const struct code_node *node;
    const struct exec_cell *a; // operands
    struct code_type from;     // of the first operand
    uint32_t lane;
};

static struct exec_cell real_of(double real)
{
    return (struct exec_cell){.real = real};
}

static struct exec_cell whole_of(int64_t whole)
{
    return (struct exec_cell){.whole = whole};
}

static struct exec_cell undefined(void)
{
    return (struct exec_cell){.undefined = true};
}

static void fault(const struct apply *apply, enum exec_fault_kind kind)
{
    exec_fault(apply->run, kind, apply->node->place, apply->lane, NO_CODE, 0);
}

// ---- integers

static uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static int64_t signed_bits(uint64_t value, unsigned bits)
{
    value = low_bits(value, bits);
    if (bits < 64 && value >> (bits - 1))
        value |= ~((UINT64_C(1) << bits) - 1);
    return (int64_t)value;
}

// The value at its width; a fault if it does not fit.
static struct exec_cell fitted(const struct apply *apply, wide value)
{
    int64_t wrapped = signed_bits((uint64_t)value, apply->node->type.bits);
    if (wrapped != value)
        fault(apply, EXEC_OVERFLOW);
    return whole_of(wrapped);
}

int64_t exec_sum_of_products(struct execution *run, const struct code_node *node, uint32_t lane,
                             const struct exec_cell *sum, const struct exec_cell *a,
                             const struct exec_cell *b)
{
    struct apply apply = {.run = run, .node = node, .lane = lane};
    return fitted(&apply, (wide)a->whole * b->whole + sum->whole).whole;
}

static struct exec_cell divided(const struct apply *apply, bool remainder)
{
    int64_t a = apply->a[0].whole, b = apply->a[1].whole;
    if (b == 0) {
        fault(apply, EXEC_DIVISION);
        return undefined();
    }
    if (b == -1)
        return remainder ? whole_of(0) : fitted(apply, -(wide)a);
    return whole_of(remainder ? a % b : a / b);
}

static struct exec_cell unsigned_whole(const struct apply *apply)
{
    unsigned bits = apply->node->type.bits;
    uint64_t a = low_bits((uint64_t)apply->a[0].whole, bits);
    uint64_t b = low_bits((uint64_t)apply->a[1].whole, bits), out = 0;
    switch (apply->node->op) {
    case CODE_UNSIGNED_DIVIDE:
    case CODE_UNSIGNED_REMAINDER:
        if (b == 0) {
            fault(apply, EXEC_DIVISION);
            return undefined();
        }
        out = apply->node->op == CODE_UNSIGNED_DIVIDE ? a / b : a % b;
        break;
    case CODE_UNSIGNED_MINIMUM:
        out = a < b ? a : b;
        break;
    case CODE_UNSIGNED_MAXIMUM:
        out = a > b ? a : b;
        break;
    case CODE_UNSIGNED_SHIFT_RIGHT:
        out = b < bits ? a >> b : 0;
        break;
    default: // CODE_UNSIGNED_HIGH
        out = (uint64_t)(((wide_unsigned)a * b) >> bits);
        break;
    }
    return whole_of(signed_bits(out, bits));
}

static struct exec_cell shifted(const struct apply *apply)
{
    int64_t a = apply->a[0].whole, b = apply->a[1].whole;
    unsigned bits = apply->node->type.bits;
    if (b < 0 || b >= bits)
        return undefined();
    if (apply->node->op == CODE_SHIFT_LEFT)
        return whole_of(signed_bits((uint64_t)a << b, bits));
    return whole_of(a >> b);
}

static struct exec_cell whole_operator(const struct apply *apply)
{
    int64_t a = apply->a[0].whole, b = apply->node->n > 1 ? apply->a[1].whole : 0;
    switch (apply->node->op) {
    case CODE_ADD:
        return fitted(apply, (wide)a + b);
    case CODE_SUBTRACT:
        return fitted(apply, (wide)a - b);
    case CODE_MULTIPLY:
        return fitted(apply, (wide)a * b);
    case CODE_NEGATE:
        return fitted(apply, -(wide)a);
    case CODE_ABS:
        return fitted(apply, a < 0 ? -(wide)a : a);
    case CODE_DIVIDE:
    case CODE_REMAINDER:
        return divided(apply, apply->node->op == CODE_REMAINDER);
    case CODE_MINIMUM:
        return whole_of(a < b ? a : b);
    case CODE_MAXIMUM:
        return whole_of(a > b ? a : b);
    case CODE_AND:
        return whole_of(a & b);
    case CODE_OR:
        return whole_of(a | b);
    case CODE_XOR:
        return whole_of(a ^ b);
    case CODE_NOT:
        return whole_of(!a);
    case CODE_SHIFT_LEFT:
    case CODE_SHIFT_RIGHT:
        return shifted(apply);
    default:
        return unsigned_whole(apply);
    }
}

// ---- reals

static double real_function(enum code_op op, double a)
{
    switch (op) {
    case CODE_NEGATE:
        return -a;
    case CODE_ABS:
        return fabs(a);
    case CODE_EXP:
        return exp(a);
    case CODE_EXP2:
        return exp2(a);
    case CODE_EXPM1:
        return expm1(a);
    case CODE_LOG:
        return log(a);
    case CODE_LOG2:
        return log2(a);
    case CODE_LOG1P:
        return log1p(a);
    case CODE_SQRT:
        return sqrt(a);
    case CODE_RSQRT:
        return 1 / sqrt(a);
    case CODE_CBRT:
        return cbrt(a);
    case CODE_SIN:
        return sin(a);
    case CODE_COS:
        return cos(a);
    case CODE_TAN:
        return tan(a);
    case CODE_TANH:
        return tanh(a);
    case CODE_ERF:
        return erf(a);
    case CODE_FLOOR:
        return floor(a);
    default: // CODE_CEIL
        return ceil(a);
    }
}

static struct exec_cell real_operator(const struct apply *apply)
{
    double a = apply->a[0].real;
    if (apply->node->n == 1)
        return real_of(real_function((enum code_op)apply->node->op, a));
    double b = apply->a[1].real;
    switch (apply->node->op) {
    case CODE_ADD:
        return real_of(a + b);
    case CODE_SUBTRACT:
        return real_of(a - b);
    case CODE_MULTIPLY:
        return real_of(a * b);
    case CODE_DIVIDE:
        return real_of(a / b);
    case CODE_REMAINDER:
        return real_of(fmod(a, b));
    case CODE_MINIMUM:
        return real_of(fmin(a, b));
    default: // CODE_MAXIMUM
        return real_of(fmax(a, b));
    }
}

// ---- comparisons, conversions

static struct exec_cell compared(const struct apply *apply)
{
    const struct exec_cell *a = apply->a;
    enum code_op op = (enum code_op)apply->node->op;
    if (apply->from.kind == CODE_REAL) {
        double x = a[0].real, y = a[1].real;
        return whole_of(op == CODE_EQUAL     ? x == y
                        : op == CODE_UNEQUAL ? x != y
                        : op == CODE_LESS    ? x < y
                                             : x <= y);
    }
    int64_t x = a[0].whole, y = a[1].whole;
    uint64_t u = low_bits((uint64_t)x, apply->from.bits),
             v = low_bits((uint64_t)y, apply->from.bits);
    switch (op) {
    case CODE_EQUAL:
        return whole_of(x == y);
    case CODE_UNEQUAL:
        return whole_of(x != y);
    case CODE_LESS:
        return whole_of(x < y);
    case CODE_LESS_EQUAL:
        return whole_of(x <= y);
    case CODE_UNSIGNED_LESS:
        return whole_of(u < v);
    default: // CODE_UNSIGNED_LESS_EQUAL
        return whole_of(u <= v);
    }
}

static struct exec_cell converted(const struct apply *apply)
{
    const struct code_type *type = &apply->node->type;
    struct exec_cell a = apply->a[0];
    bool low = apply->node->op == CODE_UNSIGNED_CONVERT;
    if (apply->from.kind == CODE_REAL && type->kind == CODE_REAL)
        return a;
    if (apply->from.kind == CODE_REAL) {
        if (!(fabs(a.real) < 0x1p62))
            return undefined();
        return fitted(apply, (wide)trunc(a.real));
    }
    uint64_t bits = low_bits((uint64_t)a.whole, apply->from.bits);
    if (type->kind == CODE_REAL)
        return real_of(low ? (double)bits : (double)a.whole);
    return low ? fitted(apply, (wide)bits) : fitted(apply, a.whole);
}

static struct exec_cell truncated(const struct apply *apply)
{
    uint64_t a = (uint64_t)apply->a[0].whole;
    if (apply->node->type.kind == CODE_BOOL)
        return whole_of((int64_t)(a & 1));
    int64_t low = signed_bits(a, apply->node->type.bits);
    if (low != apply->a[0].whole)
        fault(apply, EXEC_OVERFLOW);
    return whole_of(low);
}

static struct exec_cell power(const struct apply *apply, const struct code_type *exponent)
{
    double b = exponent->kind == CODE_INT ? (double)apply->a[1].whole : apply->a[1].real;
    return real_of(pow(apply->a[0].real, b));
}

struct exec_cell exec_apply(struct execution *run, const struct code_node *node,
                            const struct exec_cell *operands, uint32_t lane)
{
    const struct code_program *program = run->program;
    const code_value *of = program->operand.at + node->at;
    struct apply apply = {run, node, operands, code_node(program, of[0])->type, lane};
    if (node->op == CODE_SELECT)
        return operands[0].undefined ? undefined() : operands[operands[0].whole ? 1 : 2];
    for (uint32_t i = 0; i < node->n; i++)
        if (operands[i].undefined)
            return undefined();
    if (node->op >= CODE_EQUAL && node->op <= CODE_UNSIGNED_LESS_EQUAL)
        return compared(&apply);
    switch (node->op) {
    case CODE_CONVERT:
    case CODE_UNSIGNED_CONVERT:
        return converted(&apply);
    case CODE_TRUNCATE:
        return truncated(&apply);
    case CODE_POWER:
        return power(&apply, &code_node(program, of[1])->type);
    case CODE_BITCAST:
    case CODE_CALL:
        return undefined();
    default:
        return node->type.kind == CODE_REAL ? real_operator(&apply) : whole_operator(&apply);
    }
}
