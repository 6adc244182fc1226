// SPDX-License-Identifier: Apache-2.0
// Operators on single elements: checks the kinds and picks the arithmetic.
#include "tensor/eval/parts.h"
#include <math.h>

static bool wrong_type(enum op op, enum elem t, struct err *e)
{
    return err_set(e, ERR_INPUT, "%s is not defined on %s", op_name(op),
                   elem_text(t));
}

static bool defined_on(enum op op, enum elem t)
{
    return (op_kinds(op) & (unsigned)elem_kind(t)) != 0;
}

bool eval_unary(enum op op, enum elem t, struct scalar a, struct scalar *out,
                struct err *e)
{
    if (op_class(op) != OPC_UNARY || !defined_on(op, t))
        return wrong_type(op, t, e);
    if (elem_is_ideal(t))
        return ideal_unary(op, t, a, out, e);
    if (elem_kind(t) == KIND_FLOAT)
        *out = float_unary(op, t, a);
    else if (elem_kind(t) == KIND_BOOL)
        *out = (struct scalar){.bits = !a.bits}; // not is the only one
    else
        *out = int_unary(op, t, a);
    return true;
}

bool eval_binary(enum op op, enum elem t, struct scalar a, struct scalar b,
                 struct scalar *out, struct err *e)
{
    if (op_class(op) != OPC_BINARY || !defined_on(op, t))
        return wrong_type(op, t, e);
    if (elem_is_ideal(t))
        return ideal_binary(op, t, a, b, out, e);
    *out = elem_kind(t) == KIND_FLOAT ? float_binary(op, t, a, b)
                                      : int_binary(op, t, a, b);
    return true;
}

bool eval_compare(enum compare_dir d, enum compare_type ct, enum elem t,
                  struct scalar a, struct scalar b)
{
    bool ideal = elem_is_ideal(t);
    if (elem_kind(t) == KIND_FLOAT && !ideal)
        return float_compare(d, ct, t, a, b);
    int order = ideal ? ideal_order(a, b) : int_order(t, a, b);
    switch (d) {
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

struct scalar reducer_unit(enum op reducer, enum elem t)
{
    switch (reducer) {
    case OP_MULTIPLY:
        return scalar_of_int(t, 1);
    case OP_MAXIMUM:
        return scalar_lowest(t);
    case OP_MINIMUM:
        return scalar_highest(t);
    case OP_AND: // all ones; true for i1
        return elem_kind(t) == KIND_BOOL ? scalar_of_int(t, 1)
               : elem_is_ideal(t)        ? scalar_of_int(t, -1)
                                         : int_wrap(t, UINT64_MAX);
    default:
        return scalar_of_int(t, 0);
    }
}

bool scalar_finite(enum elem t, struct scalar s)
{
    if (elem_is_ideal(t))
        return s.den != 0;
    return elem_kind(t) != KIND_FLOAT || float_finite(t, s);
}

struct scalar_step scalar_step_make(const struct pool *p, enum op op, attr_id attr,
                        enum elem in, enum elem out, bool exact)
{
    struct scalar_step f = {.op = op, .in = in, .out = out, .exact = exact};
    if (op == OP_COMPARE) {
        const int64_t *v = attr_at(p, attr);
        f.dir = (enum compare_dir)v[0];
        f.cmp = (enum compare_type)v[1];
    }
    return f;
}

static bool clamp(enum elem t, const struct scalar *args, struct scalar *out,
                  struct err *e)
{
    struct scalar low;
    return eval_binary(OP_MAXIMUM, t, args[1], args[0], &low, e) &&
           eval_binary(OP_MINIMUM, t, low, args[2], out, e);
}

static bool is_machine_float(enum elem t)
{
    return elem_kind(t) == KIND_FLOAT && !elem_is_ideal(t);
}

// Whether x lies in the range of machine integers t once truncated.
static bool in_range(enum elem t, double x)
{
    bool with_sign = elem_kind(t) == KIND_SINT;
    double limit = ldexp(1, (int)elem_bits(t) - with_sign);
    x = trunc(x);
    return x < limit && x >= (with_sign ? -limit : 0);
}

// A conversion that loses nothing can be undone; truncation to an integer is
// itself the real operation, but saturation is not.
static bool exact_convert(enum elem from, enum elem to, struct scalar a,
                          struct scalar r)
{
    struct err e = {0};
    struct scalar back;
    if (elem_kind(to) == KIND_BOOL || elem_kind(from) == KIND_BOOL)
        return true;
    if (elem_kind(to) != KIND_FLOAT)
        return elem_is_ideal(to) || in_range(to, scalar_to_double(from, a));
    if (elem_kind(from) != KIND_FLOAT && !elem_is_ideal(from) &&
        !in_range(from, scalar_to_double(to, r)))
        return false;
    return eval_convert(to, from, r, &back, &e) &&
           eval_compare(CMP_EQ, CMPT_FLOAT, from, a, back);
}

// Over the reals -0 and 0 are one number, which TOTALORDER tells apart.
static bool exact_compare(const struct scalar_step *f, struct scalar a,
                          struct scalar b)
{
    return f->cmp != CMPT_TOTALORDER || a.bits == b.bits ||
           !float_compare(CMP_EQ, CMPT_FLOAT, f->in, a, b);
}

static bool is_exact(const struct scalar_step *f, const struct scalar *args,
                     struct scalar r)
{
    enum elem t = f->in;
    if (f->op == OP_CONVERT)
        return (!is_machine_float(t) && !is_machine_float(f->out)) ||
               (scalar_finite(t, args[0]) && scalar_finite(f->out, r) &&
                exact_convert(t, f->out, args[0], r));
    if (!is_machine_float(t))
        return true;
    uint32_t n = (uint32_t)op_arity(f->op);
    for (uint32_t i = f->op == OP_SELECT; i < n; i++)
        if (!float_finite(t, args[i]))
            return false;
    if (!scalar_finite(f->out, r))
        return false;
    if (f->op == OP_COMPARE)
        return exact_compare(f, args[0], args[1]);
    if (op_class(f->op) == OPC_UNARY)
        return exact_unary(f->op, scalar_to_double(t, args[0]),
                           scalar_to_double(t, r));
    if (op_class(f->op) == OPC_BINARY)
        return exact_binary(f->op, scalar_to_double(t, args[0]),
                            scalar_to_double(t, args[1]),
                            scalar_to_double(t, r));
    return true; // is_finite, select, clamp
}

static bool point_value(const struct scalar_step *f, const struct scalar *args,
                        struct scalar *out, struct err *e)
{
    switch (f->op) {
    case OP_IS_FINITE:
        *out = (struct scalar){.bits = scalar_finite(f->in, args[0])};
        return true;
    case OP_COMPARE:
        out->bits = eval_compare(f->dir, f->cmp, f->in, args[0], args[1]);
        out->num = out->den = 0;
        return true;
    case OP_SELECT:
        *out = args[0].bits ? args[1] : args[2];
        return true;
    case OP_CLAMP:
        return clamp(f->in, args, out, e);
    case OP_CONVERT:
        return eval_convert(f->in, f->out, args[0], out, e);
    default:
        return op_class(f->op) == OPC_UNARY
                   ? eval_unary(f->op, f->in, args[0], out, e)
                   : eval_binary(f->op, f->in, args[0], args[1], out, e);
    }
}

bool scalar_step_eval(const struct scalar_step *f, const struct scalar *args,
                struct scalar *out, struct err *e)
{
    if (!point_value(f, args, out, e))
        return false;
    if (f->exact && !is_exact(f, args, *out))
        return err_set(e, ERR_CHECK, "%s is not exact here", op_name(f->op));
    return true;
}
