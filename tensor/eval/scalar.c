// SPDX-License-Identifier: Apache-2.0
// Operators on single elements: checks the kinds and picks the arithmetic.
#include "tensor/eval/parts.h"
#include <math.h>

static bool wrong_type(enum op op, enum elem elem, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s is not defined on %s", op_name(op), elem_text(elem));
}

static bool defined_on(enum op op, enum elem elem)
{
    return (op_kinds(op) & (unsigned)elem_kind(elem)) != 0;
}

bool eval_unary(enum op op, enum elem elem, struct scalar scalar, struct scalar *out,
                struct err *err)
{
    if (op_class(op) != OPC_UNARY || !defined_on(op, elem))
        return wrong_type(op, elem, err);
    if (elem_is_ideal(elem))
        return ideal_unary(op, elem, scalar, out, err);
    if (elem_kind(elem) == KIND_FLOAT)
        *out = float_unary(op, elem, scalar);
    else if (elem_kind(elem) == KIND_BOOL)
        *out = (struct scalar){.bits = !scalar.bits}; // the only unary operator on i1 is not
    else
        *out = int_unary(op, elem, scalar);
    return true;
}

bool eval_binary(enum op op, enum elem elem, struct scalar a, struct scalar b, struct scalar *out,
                 struct err *err)
{
    if (op_class(op) != OPC_BINARY || !defined_on(op, elem))
        return wrong_type(op, elem, err);
    if (elem_is_ideal(elem))
        return ideal_binary(op, elem, a, b, out, err);
    *out =
        elem_kind(elem) == KIND_FLOAT ? float_binary(op, elem, a, b) : int_binary(op, elem, a, b);
    return true;
}

bool eval_compare(enum compare_dir direction, enum compare_type ct, enum elem elem, struct scalar a,
                  struct scalar b)
{
    bool ideal = elem_is_ideal(elem);
    if (elem_kind(elem) == KIND_FLOAT && !ideal)
        return float_compare(direction, ct, elem, a, b);
    int order = ideal ? ideal_order(a, b) : int_order(elem, a, b);
    switch (direction) {
    case CMP_EQ:
        return order == 0;
    case CMP_NE:
        return order != 0;
    case CMP_GE:
        return order >= 0;
    case CMP_GT:
        return order > 0;
    case CMP_LE:
        return order <= 0;
    case CMP_LT:
        return order < 0;
    }
    return false;
}

struct scalar reducer_unit(enum op reducer, enum elem elem)
{
    switch (op_facts(reducer)->unit) {
    case UNIT_ONE:
        return scalar_of_int(elem, 1);
    case UNIT_LOWEST:
        return scalar_lowest(elem);
    case UNIT_HIGHEST:
        return scalar_highest(elem);
    case UNIT_ONES: // true for i1
        return elem_kind(elem) == KIND_BOOL ? scalar_of_int(elem, 1)
               : elem_is_ideal(elem)        ? scalar_of_int(elem, -1)
                                            : int_wrap(elem, UINT64_MAX);
    case UNIT_ZERO:
        return scalar_of_int(elem, 0);
    case UNIT_NONE:
    case UNIT_RIGHT_ZERO:
    case UNIT_RIGHT_ONE:
        break;
    }
    BUG("%s has no unit", op_name(reducer));
}

bool scalar_finite(enum elem elem, struct scalar scalar)
{
    if (elem_is_ideal(elem))
        return scalar.den != 0;
    return elem_kind(elem) != KIND_FLOAT || float_finite(elem, scalar);
}

struct scalar_step scalar_step_make(const struct pool *pool, enum op op, attr_id attr, enum elem in,
                                    enum elem out, bool exact)
{
    struct scalar_step step = {.op = op, .in = in, .out = out, .exact = exact};
    if (op == OP_COMPARE) {
        const int64_t *v = attr_at(pool, attr);
        step.dir = (enum compare_dir)v[0];
        step.cmp = (enum compare_type)v[1];
    }
    return step;
}

static bool clamp(enum elem elem, const struct scalar *args, struct scalar *out, struct err *err)
{
    struct scalar low;
    return eval_binary(OP_MAXIMUM, elem, args[1], args[0], &low, err) &&
           eval_binary(OP_MINIMUM, elem, low, args[2], out, err);
}

static bool is_machine_float(enum elem elem)
{
    return elem_kind(elem) == KIND_FLOAT && !elem_is_ideal(elem);
}

// Is x, once truncated, in the range of the machine integers of this type?
static bool in_range(enum elem elem, double x)
{
    bool with_sign = elem_kind(elem) == KIND_SINT;
    double limit = ldexp(1, (int)elem_bits(elem) - with_sign);
    x = trunc(x);
    return x < limit && x >= (with_sign ? -limit : 0);
}

// A conversion that loses nothing can be undone; truncation to an integer is
// itself the real operation, but saturation is not.
static bool exact_convert(enum elem from, enum elem to, struct scalar a, struct scalar r)
{
    struct err err = {0};
    struct scalar back;
    if (elem_kind(to) == KIND_BOOL || elem_kind(from) == KIND_BOOL)
        return true;
    if (elem_kind(to) != KIND_FLOAT)
        return elem_is_ideal(to) || in_range(to, scalar_to_double(from, a));
    if (elem_kind(from) != KIND_FLOAT && !elem_is_ideal(from) &&
        !in_range(from, scalar_to_double(to, r)))
        return false;
    return eval_convert(to, from, r, &back, &err) &&
           eval_compare(CMP_EQ, CMPT_FLOAT, from, a, back);
}

// Over the reals -0 and 0 are one number, which TOTALORDER tells apart.
static bool exact_compare(const struct scalar_step *step, struct scalar a, struct scalar b)
{
    return step->cmp != CMPT_TOTALORDER || a.bits == b.bits ||
           !float_compare(CMP_EQ, CMPT_FLOAT, step->in, a, b);
}

static bool is_exact(const struct scalar_step *step, const struct scalar *args,
                     struct scalar scalar)
{
    enum elem elem = step->in;
    if (step->op == OP_CONVERT)
        return (!is_machine_float(elem) && !is_machine_float(step->out)) ||
               (scalar_finite(elem, args[0]) && scalar_finite(step->out, scalar) &&
                exact_convert(elem, step->out, args[0], scalar));
    if (!is_machine_float(elem))
        return true;
    uint32_t n = (uint32_t)op_arity(step->op);
    for (uint32_t i = step->op == OP_SELECT; i < n; i++)
        if (!float_finite(elem, args[i]))
            return false;
    if (!scalar_finite(step->out, scalar))
        return false;
    if (step->op == OP_COMPARE)
        return exact_compare(step, args[0], args[1]);
    if (op_class(step->op) == OPC_UNARY)
        return exact_unary(step->op, scalar_to_double(elem, args[0]),
                           scalar_to_double(elem, scalar));
    if (op_class(step->op) == OPC_BINARY)
        return exact_binary(step->op, scalar_to_double(elem, args[0]),
                            scalar_to_double(elem, args[1]), scalar_to_double(elem, scalar));
    return true; // is_finite, select, clamp
}

static bool point_value(const struct scalar_step *step, const struct scalar *args,
                        struct scalar *out, struct err *err)
{
    switch (step->op) {
    case OP_IS_FINITE:
        *out = (struct scalar){.bits = scalar_finite(step->in, args[0])};
        return true;
    case OP_COMPARE:
        out->bits = eval_compare(step->dir, step->cmp, step->in, args[0], args[1]);
        out->num = out->den = 0;
        return true;
    case OP_SELECT:
        *out = args[0].bits ? args[1] : args[2];
        return true;
    case OP_CLAMP:
        return clamp(step->in, args, out, err);
    case OP_CONVERT:
        return eval_convert(step->in, step->out, args[0], out, err);
        LEAF_CASES
        UNARY_CASES
        BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return op_class(step->op) == OPC_UNARY
               ? eval_unary(step->op, step->in, args[0], out, err)
               : eval_binary(step->op, step->in, args[0], args[1], out, err);
}

bool scalar_step_eval(const struct scalar_step *step, const struct scalar *args, struct scalar *out,
                      struct err *err)
{
    if (!point_value(step, args, out, err))
        return false;
    if (step->exact && !is_exact(step, args, *out))
        return err_set(err, ERR_CHECK, "%s is not exact here", op_name(step->op));
    return true;
}
