// SPDX-License-Identifier: Apache-2.0
// The entry: arity, leaves, elementwise operators, opaque nodes and the
// comparison with the wanted type.  The operators that move or combine elements are in
// shape.c, contract.c, window.c, dynamic.c and gather.c.
#include "tensor/shape/infer.h"
#include "base/text/buf.h"
#include "tensor/shape/rules.h"
#include <inttypes.h>

bool infer_fail(const struct shape_rule *shape_rule, const char *fmt, ...)
{
    char msg[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return err_set(shape_rule->err, ERR_INPUT, "%s: %s", op_name(shape_rule->op), msg);
}

bool infer_fail_type(const struct shape_rule *shape_rule, const char *expected, type_id found)
{
    struct buf buf = {0};
    type_print(shape_rule->pool, found, &buf);
    infer_fail(shape_rule, "expected %s, found %s", expected, buf_text(&buf));
    buf_release(&buf);
    return false;
}

bool infer_fail_types(const struct shape_rule *shape_rule, const char *what, type_id expected,
                      type_id found)
{
    struct buf buf = {0}, c = {0};
    type_print(shape_rule->pool, expected, &buf);
    type_print(shape_rule->pool, found, &c);
    infer_fail(shape_rule, "expected %s of type %s, found %s", what, buf_text(&buf), buf_text(&c));
    buf_release(&buf);
    buf_release(&c);
    return false;
}

static bool want_given(const struct shape_rule *shape_rule)
{
    if (shape_rule->want.v == NO_TYPE.v)
        return infer_fail(shape_rule, "expected a result type, found none");
    return true;
}

static bool want_tensor(const struct shape_rule *shape_rule)
{
    if (!want_given(shape_rule))
        return false;
    if (!type_is_tensor(shape_rule->pool, shape_rule->want))
        return infer_fail_type(shape_rule, "a static tensor as the result", shape_rule->want);
    return true;
}

static bool n_attrs(const struct shape_rule *shape_rule, uint32_t n)
{
    if (shape_rule->n_attr != n)
        return infer_fail(shape_rule, "expected %u attribute values, found %u", n,
                          shape_rule->n_attr);
    return true;
}

static bool kind_ok(const struct shape_rule *shape_rule, enum elem elem)
{
    return (op_kinds(shape_rule->op) & (unsigned)elem_kind(elem)) != 0;
}

static bool check_kind(const struct shape_rule *shape_rule, type_id type)
{
    if (!kind_ok(shape_rule, type_elem(shape_rule->pool, type)))
        return infer_fail_type(shape_rule, "an element type that the operator takes", type);
    return true;
}

static bool check_same(const struct shape_rule *shape_rule, const char *what, type_id a, type_id b)
{
    return a.v == b.v || infer_fail_types(shape_rule, what, a, b);
}

static bool infer_parameter(struct shape_rule *shape_rule)
{
    if (!n_attrs(shape_rule, 2) || !want_given(shape_rule))
        return false;
    // Below 0: a parameter of a region (tensor/program/region.h).
    if (shape_rule->attr[0] < -(int64_t)INT32_MAX || shape_rule->attr[1] < 0)
        return infer_fail(shape_rule,
                          "expected [function, index], found [%" PRId64 ", %" PRId64 "]",
                          shape_rule->attr[0], shape_rule->attr[1]);
    if (pool_type(shape_rule->pool, shape_rule->want)->form == TYPE_TUPLE)
        return infer_fail_type(shape_rule, "one value", shape_rule->want);
    shape_rule->out = shape_rule->want;
    return true;
}

// One literal for each value: a type without elements takes the literal with
// none, a type whose elements are all alike the splat.
static bool infer_constant(struct shape_rule *shape_rule)
{
    if (!n_attrs(shape_rule, 1) || !want_tensor(shape_rule))
        return false;
    if (shape_rule->attr[0] < 0 || shape_rule->attr[0] >= shape_rule->pool->literal.len)
        return infer_fail(shape_rule, "expected a literal, found %" PRId64, shape_rule->attr[0]);
    const struct literal *literal =
        pool_literal(shape_rule->pool, (lit_id){(uint32_t)shape_rule->attr[0]});
    if (literal->elem != type_elem(shape_rule->pool, shape_rule->want))
        return infer_fail(shape_rule, "expected elements of type %s, found %s",
                          elem_text(type_elem(shape_rule->pool, shape_rule->want)),
                          elem_text(literal->elem));
    uint64_t count = (uint64_t)type_count(shape_rule->pool, shape_rule->want);
    if (literal->splat ? count == 0 : literal->count != count)
        return infer_fail(shape_rule, "expected %" PRIu64 " elements, found %" PRIu64 "%s", count,
                          literal->count, literal->splat ? " (a splat)" : "");
    shape_rule->out = shape_rule->want;
    return true;
}

static bool infer_iota(struct shape_rule *shape_rule)
{
    if (!n_attrs(shape_rule, 1) || !want_tensor(shape_rule) ||
        !check_kind(shape_rule, shape_rule->want))
        return false;
    if (shape_rule->attr[0] < 0 ||
        shape_rule->attr[0] >= type_rank(shape_rule->pool, shape_rule->want))
        return infer_fail(shape_rule, "expected a dimension below %u, found %" PRId64,
                          type_rank(shape_rule->pool, shape_rule->want), shape_rule->attr[0]);
    shape_rule->out = shape_rule->want;
    return true;
}

static bool infer_elementwise(struct shape_rule *shape_rule)
{
    if (!n_attrs(shape_rule, 0) || !check_kind(shape_rule, shape_rule->arg[0]))
        return false;
    for (uint32_t i = 1; i < shape_rule->n; i++)
        if (!check_same(shape_rule, "an operand", shape_rule->arg[0], shape_rule->arg[i]))
            return false;
    shape_rule->out = shape_rule->arg[0];
    return true;
}

// The tensor type with the dimensions of a type and another element type.
static bool with_elem(struct shape_rule *shape_rule, type_id type, enum elem elem)
{
    return infer_result(shape_rule, elem, type_rank(shape_rule->pool, type),
                        type_dims(shape_rule->pool, type));
}

static bool infer_is_finite(struct shape_rule *shape_rule)
{
    return n_attrs(shape_rule, 0) && check_kind(shape_rule, shape_rule->arg[0]) &&
           with_elem(shape_rule, shape_rule->arg[0], ELEM_I1);
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

static bool infer_compare(struct shape_rule *shape_rule)
{
    if (!n_attrs(shape_rule, 2) || !check_kind(shape_rule, shape_rule->arg[0]) ||
        !check_same(shape_rule, "an operand", shape_rule->arg[0], shape_rule->arg[1]))
        return false;
    if (shape_rule->attr[0] < CMP_EQ || shape_rule->attr[0] > CMP_LT)
        return infer_fail(shape_rule, "expected a direction, found %" PRId64, shape_rule->attr[0]);
    if (shape_rule->attr[1] < CMPT_FLOAT || shape_rule->attr[1] > CMPT_UNSIGNED)
        return infer_fail(shape_rule, "expected a comparison type, found %" PRId64,
                          shape_rule->attr[1]);
    enum compare_type ct = (enum compare_type)shape_rule->attr[1];
    enum elem elem = type_elem(shape_rule->pool, shape_rule->arg[0]);
    if (!compare_type_ok(ct, elem_kind(elem)))
        return infer_fail(shape_rule, "expected a comparison type for %s, found %s",
                          elem_text(elem), compare_type_text(ct));
    return with_elem(shape_rule, shape_rule->arg[0], ELEM_I1);
}

static bool infer_select(struct shape_rule *shape_rule)
{
    if (!n_attrs(shape_rule, 0) ||
        !check_same(shape_rule, "the last operand", shape_rule->arg[1], shape_rule->arg[2]))
        return false;
    if (type_elem(shape_rule->pool, shape_rule->arg[0]) != ELEM_I1)
        return infer_fail_type(shape_rule, "a predicate of i1", shape_rule->arg[0]);
    if (type_rank(shape_rule->pool, shape_rule->arg[0]) != 0 &&
        !type_same_shape(shape_rule->pool, shape_rule->arg[0], shape_rule->arg[1]))
        return infer_fail_types(shape_rule, "a predicate of rank 0 or the shape",
                                shape_rule->arg[1], shape_rule->arg[0]);
    shape_rule->out = shape_rule->arg[1];
    return true;
}

static bool check_bound(const struct shape_rule *shape_rule, type_id bound)
{
    if (type_elem(shape_rule->pool, bound) != type_elem(shape_rule->pool, shape_rule->arg[1]) ||
        (type_rank(shape_rule->pool, bound) != 0 && bound.v != shape_rule->arg[1].v))
        return infer_fail_types(shape_rule, "a bound of rank 0 or", shape_rule->arg[1], bound);
    return true;
}

static bool infer_clamp(struct shape_rule *shape_rule)
{
    shape_rule->out = shape_rule->arg[1];
    return n_attrs(shape_rule, 0) && check_bound(shape_rule, shape_rule->arg[0]) &&
           check_bound(shape_rule, shape_rule->arg[2]);
}

static bool infer_convert(struct shape_rule *shape_rule)
{
    if (!n_attrs(shape_rule, 0) || !want_tensor(shape_rule))
        return false;
    if (!type_same_shape(shape_rule->pool, shape_rule->want, shape_rule->arg[0]))
        return infer_fail_types(shape_rule, "an operand with the shape", shape_rule->want,
                                shape_rule->arg[0]);
    shape_rule->out = shape_rule->want;
    return true;
}

enum { BLOCKS_AT = 4, BLOCK_ATTRS = 5 }; // tensor/program/region.h

static bool below(int64_t v, int64_t limit)
{
    return v >= 0 && v <= limit;
}

// [region, (first, returns, effects, parameter, parameters)*]: the blocks stand one behind
// the other among the arguments.
static bool check_blocks(const struct shape_rule *shape_rule)
{
    const int64_t *v = shape_rule->attr + BLOCKS_AT;
    int64_t n_args = shape_rule->n, at = 0, region = shape_rule->attr[BLOCKS_AT - 1];
    uint32_t n = shape_rule->n_attr - BLOCKS_AT;
    bool ok = n > 0 && n % BLOCK_ATTRS == 0 && below(region, INT32_MAX - 1);
    for (uint32_t i = 0; ok && i < n; i += BLOCK_ATTRS) {
        ok = v[i] >= at && below(v[i], n_args) && below(v[i + 1], n_args) &&
             below(v[i + 2], n_args) && below(v[i + 3], INT32_MAX) && below(v[i + 4], INT32_MAX);
        at = v[i] + v[i + 1] + v[i + 2];
        ok = ok && at <= n_args;
    }
    return ok || infer_fail(shape_rule, "expected a region and the places of its blocks");
}

// An operation with a side effect in a block may have any number of results.
static bool is_block_effect(const struct shape_rule *shape_rule, uint32_t k)
{
    for (uint32_t i = BLOCKS_AT; i < shape_rule->n_attr; i += BLOCK_ATTRS) {
        int64_t first = shape_rule->attr[i] + shape_rule->attr[i + 1];
        if (k >= first && k < first + shape_rule->attr[i + 2])
            return true;
    }
    return false;
}

static bool infer_opaque(struct shape_rule *shape_rule)
{
    if (!want_given(shape_rule) ||
        !(shape_rule->n_attr >= BLOCKS_AT ? check_blocks(shape_rule) : n_attrs(shape_rule, 3)))
        return false;
    if (shape_rule->attr[0] < 0 || shape_rule->attr[0] >= shape_rule->pool->symbols.entry.len)
        return infer_fail(shape_rule, "expected a symbol, found %" PRId64, shape_rule->attr[0]);
    if (shape_rule->attr[2] < 0)
        return infer_fail(shape_rule, "expected a serial, found %" PRId64, shape_rule->attr[2]);
    const struct type *type = pool_type(shape_rule->pool, shape_rule->want);
    int64_t results = type->form == TYPE_TUPLE ? (int64_t)type->n : 1;
    if (results != shape_rule->attr[1] || (type->form == TYPE_TUPLE && results == 1))
        return infer_fail(
            shape_rule, "expected a type of %" PRId64 " results, found one of %" PRId64 "%s",
            shape_rule->attr[1], results, type->form == TYPE_TUPLE ? " (a tuple)" : "");
    for (uint32_t i = 0; i < shape_rule->n; i++)
        if (pool_type(shape_rule->pool, shape_rule->arg[i])->form == TYPE_TUPLE &&
            !is_block_effect(shape_rule, i))
            return infer_fail_type(shape_rule, "operands of one value", shape_rule->arg[i]);
    shape_rule->out = shape_rule->want;
    return true;
}

static bool infer_of_result(struct shape_rule *shape_rule)
{
    if (!n_attrs(shape_rule, 1))
        return false;
    const struct type *type = pool_type(shape_rule->pool, shape_rule->arg[0]);
    if (type->form != TYPE_TUPLE)
        return infer_fail_type(shape_rule, "an operand with several results", shape_rule->arg[0]);
    if (shape_rule->attr[0] < 0 || shape_rule->attr[0] >= type->n)
        return infer_fail(shape_rule, "expected a result below %u, found %" PRId64, type->n,
                          shape_rule->attr[0]);
    shape_rule->out =
        tuple_type(shape_rule->pool, shape_rule->arg[0], (uint32_t)shape_rule->attr[0]);
    return true;
}

static bool infer_op(struct shape_rule *shape_rule)
{
    switch (shape_rule->op) {
    case OP_PARAMETER:
        return infer_parameter(shape_rule);
    case OP_CONSTANT:
        return infer_constant(shape_rule);
    case OP_IOTA:
        return infer_iota(shape_rule);
    case OP_IS_FINITE:
        return infer_is_finite(shape_rule);
    case OP_COMPARE:
        return infer_compare(shape_rule);
    case OP_SELECT:
        return infer_select(shape_rule);
    case OP_CLAMP:
        return infer_clamp(shape_rule);
    case OP_CONVERT:
        return infer_convert(shape_rule);
    case OP_BROADCAST_IN_DIM:
        return want_tensor(shape_rule) && infer_broadcast(shape_rule);
    case OP_TRANSPOSE:
        return infer_transpose(shape_rule);
    case OP_REVERSE:
        return infer_reverse(shape_rule);
    case OP_SLICE:
        return infer_slice(shape_rule);
    case OP_PAD:
        return infer_pad(shape_rule);
    case OP_CONCATENATE:
        return infer_concatenate(shape_rule);
    case OP_REDUCE:
        return infer_reduce(shape_rule);
    case OP_DOT_GENERAL:
        return infer_dot(shape_rule);
    case OP_CONVOLUTION:
        return infer_convolution(shape_rule);
    case OP_REDUCE_WINDOW:
        return infer_reduce_window(shape_rule);
    case OP_DYNAMIC_SLICE:
        return infer_dynamic_slice(shape_rule);
    case OP_DYNAMIC_UPDATE_SLICE:
        return infer_dynamic_update_slice(shape_rule);
    case OP_GATHER:
        return infer_gather(shape_rule);
    case OP_SCATTER:
        return infer_scatter(shape_rule);
    case OP_RESHAPE:
        return want_tensor(shape_rule) && infer_reshape(shape_rule);
    case OP_BITCAST_CONVERT:
        return want_tensor(shape_rule) && infer_bitcast(shape_rule);
    case OP_OPAQUE:
        return infer_opaque(shape_rule);
    case OP_RESULT:
        return infer_of_result(shape_rule);
    case N_OPS:
        UNARY_CASES
        BINARY_CASES
        break;
    }
    return infer_elementwise(shape_rule);
}

// Types and operands that exist; static tensors for all but opaque nodes.
static bool check_args(const struct shape_rule *shape_rule)
{
    int arity = op_arity(shape_rule->op);
    if (arity >= 0 && shape_rule->n != (uint32_t)arity)
        return infer_fail(shape_rule, "expected %d operands, found %u", arity, shape_rule->n);
    if (shape_rule->op == OP_OPAQUE || shape_rule->op == OP_RESULT)
        return true;
    for (uint32_t i = 0; i < shape_rule->n; i++)
        if (!type_is_tensor(shape_rule->pool, shape_rule->arg[i]))
            return infer_fail_type(shape_rule, "a static tensor as operand", shape_rule->arg[i]);
    return true;
}

bool infer_type(struct pool *pool, struct operation operation, const type_id *args, type_id *out,
                struct err *err)
{
    type_id want = operation.type;
    struct shape_rule shape_rule = {.pool = pool,
                                    .op = operation.op,
                                    .n_attr = attr_len(pool, operation.attr),
                                    .attr = attr_at(pool, operation.attr),
                                    .want = want,
                                    .n = operation.n,
                                    .arg = args,
                                    .out = NO_TYPE,
                                    .err = err};
    if (!check_args(&shape_rule) || !infer_op(&shape_rule))
        return false;
    if (want.v != NO_TYPE.v && want.v != shape_rule.out.v)
        return infer_fail_types(&shape_rule, "a result", shape_rule.out, want);
    *out = shape_rule.out;
    return true;
}
