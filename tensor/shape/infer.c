// SPDX-License-Identifier: Apache-2.0
// The entry: arity, leaves, elementwise operators, opaque nodes and the
// comparison with the wanted type.  The operators that move or combine elements
// are in infer_shape.c, infer_contract.c, infer_window.c, infer_dynamic.c and
// infer_gather.c.
#include "tensor/shape/infer.h"
#include "base/text/buf.h"
#include "tensor/shape/rules.h"
#include <inttypes.h>

bool infer_fail(const struct shape_rule *x, const char *fmt, ...)
{
    char msg[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return err_set(x->e, ERR_INPUT, "%s: %s", op_name(x->op), msg);
}

bool infer_fail_type(const struct shape_rule *x, const char *expected, type_id found)
{
    struct buf b = {0};
    type_print(x->p, found, &b);
    infer_fail(x, "expected %s, found %s", expected, buf_text(&b));
    buf_release(&b);
    return false;
}

bool infer_fail_types(const struct shape_rule *x, const char *what, type_id expected,
                      type_id found)
{
    struct buf b = {0}, c = {0};
    type_print(x->p, expected, &b);
    type_print(x->p, found, &c);
    infer_fail(x, "expected %s of type %s, found %s", what, buf_text(&b),
               buf_text(&c));
    buf_release(&b);
    buf_release(&c);
    return false;
}

static bool want_given(const struct shape_rule *x)
{
    if (x->want.v == NO_TYPE.v)
        return infer_fail(x, "expected a result type, found none");
    return true;
}

static bool want_tensor(const struct shape_rule *x)
{
    if (!want_given(x))
        return false;
    if (!type_is_tensor(x->p, x->want))
        return infer_fail_type(x, "a static tensor as the result", x->want);
    return true;
}

static bool n_attrs(const struct shape_rule *x, uint32_t n)
{
    if (x->n_attr != n)
        return infer_fail(x, "expected %u attribute values, found %u", n,
                          x->n_attr);
    return true;
}

static bool kind_ok(const struct shape_rule *x, enum elem t)
{
    return (op_kinds(x->op) & (unsigned)elem_kind(t)) != 0;
}

static bool check_kind(const struct shape_rule *x, type_id t)
{
    if (!kind_ok(x, type_elem(x->p, t)))
        return infer_fail_type(x, "an element type that the operator takes", t);
    return true;
}

static bool check_same(const struct shape_rule *x, const char *what, type_id a,
                       type_id b)
{
    return a.v == b.v || infer_fail_types(x, what, a, b);
}

static bool infer_parameter(struct shape_rule *x)
{
    if (!n_attrs(x, 2) || !want_given(x))
        return false;
    if (x->attr[0] < 0 || x->attr[1] < 0)
        return infer_fail(
            x, "expected [function, index], found [%" PRId64 ", %" PRId64 "]",
            x->attr[0], x->attr[1]);
    if (pool_type(x->p, x->want)->form == TYPE_TUPLE)
        return infer_fail_type(x, "one value", x->want);
    x->out = x->want;
    return true;
}

// One literal for each value: a type without elements takes the literal with
// none, a type whose elements are all alike the splat.
static bool infer_constant(struct shape_rule *x)
{
    if (!n_attrs(x, 1) || !want_tensor(x))
        return false;
    if (x->attr[0] < 0 || x->attr[0] >= x->p->literal.len)
        return infer_fail(x, "expected a literal, found %" PRId64, x->attr[0]);
    const struct literal *l =
        pool_literal(x->p, (lit_id){(uint32_t)x->attr[0]});
    if (l->elem != type_elem(x->p, x->want))
        return infer_fail(x, "expected elements of type %s, found %s",
                          elem_text(type_elem(x->p, x->want)),
                          elem_text(l->elem));
    uint64_t count = (uint64_t)type_count(x->p, x->want);
    if (l->splat ? count == 0 : l->count != count)
        return infer_fail(x,
                          "expected %" PRIu64 " elements, found %" PRIu64 "%s",
                          count, l->count, l->splat ? " (a splat)" : "");
    x->out = x->want;
    return true;
}

static bool infer_iota(struct shape_rule *x)
{
    if (!n_attrs(x, 1) || !want_tensor(x) || !check_kind(x, x->want))
        return false;
    if (x->attr[0] < 0 || x->attr[0] >= type_rank(x->p, x->want))
        return infer_fail(x, "expected a dimension below %u, found %" PRId64,
                          type_rank(x->p, x->want), x->attr[0]);
    x->out = x->want;
    return true;
}

static bool infer_elementwise(struct shape_rule *x)
{
    if (!n_attrs(x, 0) || !check_kind(x, x->arg[0]))
        return false;
    for (uint32_t i = 1; i < x->n; i++)
        if (!check_same(x, "an operand", x->arg[0], x->arg[i]))
            return false;
    x->out = x->arg[0];
    return true;
}

// The tensor type with the dimensions of t and another element type.
static bool with_elem(struct shape_rule *x, type_id t, enum elem elem)
{
    return infer_result(x, elem, type_rank(x->p, t), type_dims(x->p, t));
}

static bool infer_is_finite(struct shape_rule *x)
{
    return n_attrs(x, 0) && check_kind(x, x->arg[0]) &&
           with_elem(x, x->arg[0], ELEM_I1);
}

static bool compare_type_ok(enum compare_type ct, enum elem_kind kind)
{
    switch (ct) {
    case CMPT_FLOAT:
    case CMPT_TOTALORDER:
        return kind == KIND_FLOAT;
    case CMPT_SIGNED:
        return kind == KIND_SINT;
    case CMPT_UNSIGNED:
        return kind == KIND_UINT || kind == KIND_BOOL;
    }
    return false;
}

static bool infer_compare(struct shape_rule *x)
{
    if (!n_attrs(x, 2) || !check_kind(x, x->arg[0]) ||
        !check_same(x, "an operand", x->arg[0], x->arg[1]))
        return false;
    if (x->attr[0] < CMP_EQ || x->attr[0] > CMP_LT)
        return infer_fail(x, "expected a direction, found %" PRId64,
                          x->attr[0]);
    if (x->attr[1] < CMPT_FLOAT || x->attr[1] > CMPT_UNSIGNED)
        return infer_fail(x, "expected a comparison type, found %" PRId64,
                          x->attr[1]);
    enum compare_type ct = (enum compare_type)x->attr[1];
    enum elem t = type_elem(x->p, x->arg[0]);
    if (!compare_type_ok(ct, elem_kind(t)))
        return infer_fail(x, "expected a comparison type for %s, found %s",
                          elem_text(t), compare_type_text(ct));
    return with_elem(x, x->arg[0], ELEM_I1);
}

static bool infer_select(struct shape_rule *x)
{
    if (!n_attrs(x, 0) ||
        !check_same(x, "the last operand", x->arg[1], x->arg[2]))
        return false;
    if (type_elem(x->p, x->arg[0]) != ELEM_I1)
        return infer_fail_type(x, "a predicate of i1", x->arg[0]);
    if (type_rank(x->p, x->arg[0]) != 0 &&
        !type_same_shape(x->p, x->arg[0], x->arg[1]))
        return infer_fail_types(x, "a predicate of rank 0 or the shape",
                                x->arg[1], x->arg[0]);
    x->out = x->arg[1];
    return true;
}

static bool check_bound(const struct shape_rule *x, type_id bound)
{
    if (type_elem(x->p, bound) != type_elem(x->p, x->arg[1]) ||
        (type_rank(x->p, bound) != 0 && bound.v != x->arg[1].v))
        return infer_fail_types(x, "a bound of rank 0 or", x->arg[1], bound);
    return true;
}

static bool infer_clamp(struct shape_rule *x)
{
    x->out = x->arg[1];
    return n_attrs(x, 0) && check_bound(x, x->arg[0]) &&
           check_bound(x, x->arg[2]);
}

static bool infer_convert(struct shape_rule *x)
{
    if (!n_attrs(x, 0) || !want_tensor(x))
        return false;
    if (!type_same_shape(x->p, x->want, x->arg[0]))
        return infer_fail_types(x, "an operand with the shape", x->want,
                                x->arg[0]);
    x->out = x->want;
    return true;
}

static bool infer_opaque(struct shape_rule *x)
{
    if (!n_attrs(x, 3) || !want_given(x))
        return false;
    if (x->attr[0] < 0 || x->attr[0] >= x->p->symbols.entry.len)
        return infer_fail(x, "expected a symbol, found %" PRId64, x->attr[0]);
    if (x->attr[2] < 0)
        return infer_fail(x, "expected a serial, found %" PRId64, x->attr[2]);
    const struct type *t = pool_type(x->p, x->want);
    int64_t results = t->form == TYPE_TUPLE ? (int64_t)t->n : 1;
    if (results != x->attr[1] || (t->form == TYPE_TUPLE && results == 1))
        return infer_fail(x,
                          "expected a type of %" PRId64
                          " results, found one of %" PRId64 "%s",
                          x->attr[1], results,
                          t->form == TYPE_TUPLE ? " (a tuple)" : "");
    for (uint32_t i = 0; i < x->n; i++)
        if (pool_type(x->p, x->arg[i])->form == TYPE_TUPLE)
            return infer_fail_type(x, "operands of one value", x->arg[i]);
    x->out = x->want;
    return true;
}

static bool infer_of_result(struct shape_rule *x)
{
    if (!n_attrs(x, 1))
        return false;
    const struct type *t = pool_type(x->p, x->arg[0]);
    if (t->form != TYPE_TUPLE)
        return infer_fail_type(x, "an operand with several results", x->arg[0]);
    if (x->attr[0] < 0 || x->attr[0] >= t->n)
        return infer_fail(x, "expected a result below %u, found %" PRId64, t->n,
                          x->attr[0]);
    x->out = tuple_type(x->p, x->arg[0], (uint32_t)x->attr[0]);
    return true;
}

static bool infer_op(struct shape_rule *x)
{
    switch (x->op) {
    case OP_PARAMETER:
        return infer_parameter(x);
    case OP_CONSTANT:
        return infer_constant(x);
    case OP_IOTA:
        return infer_iota(x);
    case OP_IS_FINITE:
        return infer_is_finite(x);
    case OP_COMPARE:
        return infer_compare(x);
    case OP_SELECT:
        return infer_select(x);
    case OP_CLAMP:
        return infer_clamp(x);
    case OP_CONVERT:
        return infer_convert(x);
    case OP_BROADCAST_IN_DIM:
        return want_tensor(x) && infer_broadcast(x);
    case OP_TRANSPOSE:
        return infer_transpose(x);
    case OP_REVERSE:
        return infer_reverse(x);
    case OP_SLICE:
        return infer_slice(x);
    case OP_PAD:
        return infer_pad(x);
    case OP_CONCATENATE:
        return infer_concatenate(x);
    case OP_REDUCE:
        return infer_reduce(x);
    case OP_DOT_GENERAL:
        return infer_dot(x);
    case OP_CONVOLUTION:
        return infer_convolution(x);
    case OP_REDUCE_WINDOW:
        return infer_reduce_window(x);
    case OP_DYNAMIC_SLICE:
        return infer_dynamic_slice(x);
    case OP_DYNAMIC_UPDATE_SLICE:
        return infer_dynamic_update_slice(x);
    case OP_GATHER:
        return infer_gather(x);
    case OP_SCATTER:
        return infer_scatter(x);
    case OP_RESHAPE:
        return want_tensor(x) && infer_reshape(x);
    case OP_BITCAST_CONVERT:
        return want_tensor(x) && infer_bitcast(x);
    case OP_OPAQUE:
        return infer_opaque(x);
    case OP_RESULT:
        return infer_of_result(x);
    default:
        return infer_elementwise(x);
    }
}

// Types and operands that exist; static tensors for all but opaque nodes.
static bool check_args(const struct shape_rule *x)
{
    int arity = op_arity(x->op);
    if (arity >= 0 && x->n != (uint32_t)arity)
        return infer_fail(x, "expected %d operands, found %u", arity, x->n);
    if (x->op == OP_OPAQUE || x->op == OP_RESULT)
        return true;
    for (uint32_t i = 0; i < x->n; i++)
        if (!type_is_tensor(x->p, x->arg[i]))
            return infer_fail_type(x, "a static tensor as operand", x->arg[i]);
    return true;
}

bool infer_type(struct pool *p, enum op op, attr_id attr, type_id want,
                uint32_t n, const type_id *args, type_id *out, struct err *e)
{
    struct shape_rule x = {
        p, op, attr_len(p, attr), attr_at(p, attr), want, n, args, NO_TYPE, e};
    if (!check_args(&x) || !infer_op(&x))
        return false;
    if (want.v != NO_TYPE.v && want.v != x.out.v)
        return infer_fail_types(&x, "a result", x.out, want);
    *out = x.out;
    return true;
}
