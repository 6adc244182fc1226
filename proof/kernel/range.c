// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/range.h"
#include <math.h>

void ranges_init(struct ranges *ranges, const struct code_program *program)
{
    *ranges = (struct ranges){.program = program};
    vec_zero(&ranges->known, program->node.len);
    vec_zero(&ranges->is_known, program->node.len);
    vec_zero(&ranges->loop, program->node.len);
    for (uint32_t i = 0; i < program->loop.len; i++)
        ranges->loop.at[program->loop.at[i].variable] = 1 + i;
}

void ranges_release(struct ranges *ranges)
{
    vec_release(&ranges->known);
    vec_release(&ranges->is_known);
    vec_release(&ranges->loop);
}

static struct range of_type(const struct code_type *type)
{
    if (type->kind == CODE_BOOL)
        return (struct range){0, 1};
    if (type->kind == CODE_REAL)
        return (struct range){-INFINITY, INFINITY};
    double end = ldexp(1, type->bits - 1);
    // 2^63 - 1 is no double: 2^63 is outwards.
    return (struct range){-end, type->bits == 64 ? end : end - 1};
}

static double outwards(double a, double towards)
{
    return fabs(a) < 0x1p53 ? a : nextafter(a, towards);
}

static struct range hull(double a, double b, double c, double d)
{
    double low = fmin(fmin(a, b), fmin(c, d)), high = fmax(fmax(a, b), fmax(c, d));
    return (struct range){outwards(low, -INFINITY), outwards(high, INFINITY)};
}

static struct range both(struct range a, struct range b)
{
    return (struct range){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static struct range within(struct range a, struct range type)
{
    return a.low >= type.low && a.high <= type.high ? a : type;
}

static struct range times(struct range a, struct range b)
{
    return hull(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high);
}

static struct range plus(struct range a, struct range b)
{
    return hull(a.low + b.low, a.high + b.high, a.low + b.low, a.high + b.high);
}

static struct range minus(struct range a)
{
    return (struct range){-a.high, -a.low};
}

static struct range of(struct ranges *ranges, code_value value)
{
    if (!ranges->is_known.at[value]) {
        struct range type = of_type(&code_node(ranges->program, value)->type);
        ranges->is_known.at[value] = 1;
        ranges->known.at[value] = type;
        ranges->known.at[value] = within(range_before(ranges, value), type);
    }
    return ranges->known.at[value];
}

static struct range operand(struct ranges *ranges, code_value value, uint32_t i)
{
    return of(ranges, code_operand(ranges->program, value, i));
}

static bool is_number(struct range a)
{
    return a.low == a.high && fabs(a.low) < 0x1p53;
}

// ---- operators ----

// The least number of a type by -1 is none of the type.
static struct range divided(struct range a, struct range b, struct range type)
{
    if (a.low <= type.low && b.low <= -1 && b.high >= -1)
        return (struct range){type.low, -type.low};
    if (!is_number(b) || b.low < 1)
        return type;
    return (struct range){outwards(trunc(a.low / b.low), -INFINITY),
                          outwards(trunc(a.high / b.low), INFINITY)};
}

static struct range remaining(struct range a, struct range b, struct range type)
{
    if (!is_number(b) || b.low < 1)
        return type;
    return (struct range){a.low < 0 ? 1 - b.low : 0, a.high > 0 ? b.low - 1 : 0};
}

// To the left by an amount without a number: nothing is known to fit.
static struct range shifted(const struct code_node *node, struct range a, struct range b,
                            struct range type)
{
    if (!is_number(b) || b.low < 0 || b.low >= node->type.bits)
        return node->op == CODE_SHIFT_LEFT ? (struct range){-INFINITY, INFINITY} : type;
    double power = ldexp(1, (int)b.low);
    if (node->op == CODE_SHIFT_LEFT)
        return times(a, (struct range){power, power});
    if (node->op == CODE_UNSIGNED_SHIFT_RIGHT && a.low < 0)
        return type;
    return (struct range){floor(outwards(a.low, -INFINITY) / power),
                          floor(outwards(a.high, INFINITY) / power)};
}

// Last bits of an integer.
static struct range masked(struct range a, struct range b, struct range type)
{
    if (is_number(b) && b.low >= 0)
        return (struct range){0, b.low};
    return is_number(a) && a.low >= 0 ? (struct range){0, a.low} : type;
}

static struct range converted(struct ranges *ranges, code_value value, struct range type)
{
    const struct code_node *node = code_node(ranges->program, value);
    struct range a = operand(ranges, value, 0);
    const struct code_type *from =
        &code_node(ranges->program, code_operand(ranges->program, value, 0))->type;
    if (from->kind == CODE_REAL || node->op == CODE_BITCAST)
        return node->op == CODE_BITCAST ? type : (struct range){-INFINITY, INFINITY};
    if (node->op == CODE_UNSIGNED_CONVERT && a.low < 0)
        return (struct range){0, ldexp(1, from->bits)};
    return a;
}

// Of n lanes.
static struct range summed(struct range a, double n)
{
    return times(a, (struct range){n, n});
}

static struct range folded(struct ranges *ranges, code_value value, struct range type)
{
    const struct code_program *program = ranges->program;
    const struct code_node *node = code_node(program, value);
    const struct code_type *from = &code_node(program, code_operand(program, value, 0))->type;
    if (node->op == CODE_DOT)
        return summed(times(operand(ranges, value, 0), operand(ranges, value, 1)),
                      from->extent[from->rank - 1]);
    const struct code_region *region = &program->region.at[node->number / 8];
    struct range a = operand(ranges, value, (uint32_t)(node->number % 8));
    switch (region->combine) {
    case CODE_ADD:
        return both(a, summed(a, from->extent[region->axis]));
    case CODE_MINIMUM:
    case CODE_MAXIMUM:
        return a;
    case CODE_MULTIPLY:
        return (struct range){-INFINITY, INFINITY};
    default: // the operators of the region are asked by themselves
        return type;
    }
}

static struct range absolute(struct range a)
{
    return a.low >= 0 ? a : (struct range){0, fmax(-a.low, a.high)};
}

static struct range of_lanes(struct ranges *ranges, code_value value, struct range type)
{
    const struct code_node *node = code_node(ranges->program, value);
    struct range a = operand(ranges, value, 0);
    struct range b = node->n > 1 ? operand(ranges, value, 1) : a;
    switch (node->op) {
    case CODE_ADD:
        return plus(a, b);
    case CODE_SUBTRACT:
        return plus(a, minus(b));
    case CODE_MULTIPLY:
        return times(a, b);
    case CODE_NEGATE:
        return minus(a);
    case CODE_ABS:
        return absolute(a);
    case CODE_DIVIDE:
        return divided(a, b, type);
    case CODE_REMAINDER:
        return remaining(a, b, type);
    case CODE_MINIMUM:
        return (struct range){fmin(a.low, b.low), fmin(a.high, b.high)};
    case CODE_MAXIMUM:
        return (struct range){fmax(a.low, b.low), fmax(a.high, b.high)};
    case CODE_SELECT:
        return both(b, operand(ranges, value, 2));
    case CODE_AND:
        return masked(a, b, type);
    case CODE_SHIFT_LEFT:
    case CODE_SHIFT_RIGHT:
    case CODE_UNSIGNED_SHIFT_RIGHT:
        return shifted(node, a, b, type);
    case CODE_CONVERT:
    case CODE_UNSIGNED_CONVERT:
    case CODE_TRUNCATE:
    case CODE_BITCAST:
        return converted(ranges, value, type);
    default:
        return type;
    }
}

// Where a loop runs, its variable is at least the lower bound and below the upper one.
static struct range of_variable(struct ranges *ranges, uint32_t which)
{
    const struct code_loop *loop = &ranges->program->loop.at[which];
    struct range lower = of(ranges, loop->lower), upper = of(ranges, loop->upper);
    return (struct range){lower.low, fmax(lower.low, upper.high - (upper.high < 0x1p53))};
}

struct range range_before(struct ranges *ranges, code_value value)
{
    const struct code_node *node = code_node(ranges->program, value);
    struct range type = of_type(&node->type);
    double number = (double)node->number;
    if (node->type.kind != CODE_INT)
        return type;
    switch (code_op_group((enum code_op)node->op)) {
    case GROUP_LANE:
        return of_lanes(ranges, value, type);
    case GROUP_MOVE:
        return node->op == CODE_JOIN ? both(operand(ranges, value, 0), operand(ranges, value, 1))
                                     : operand(ranges, value, 0);
    case GROUP_FOLD:
        return folded(ranges, value, type);
    default:
        break;
    }
    if (ranges->loop.at[value])
        return of_variable(ranges, ranges->loop.at[value] - 1);
    if (node->op == CODE_CONSTANT)
        return hull(number, number, number, number);
    if (node->op == CODE_RANGE)
        return (struct range){number, number + node->type.extent[0] - 1};
    return type;
}

bool range_fits(struct ranges *ranges, code_value value)
{
    const struct code_type *type = &code_node(ranges->program, value)->type;
    struct range before = range_before(ranges, value);
    double end = ldexp(1, type->bits - 1);
    return before.low >= -end && before.high < end;
}
