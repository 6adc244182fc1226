// SPDX-License-Identifier: Apache-2.0
// Operations whose shapes are operands: dynamic_reshape, dynamic_iota,
// dynamic_broadcast_in_dim, real_dynamic_slice, dynamic_pad, dynamic_gather,
// dynamic_conv.  Where the types have no unknown size and the operands that stand for
// attributes are constants, such an operation is the operator with those attributes, by
// definition.  Then it is read as that operator's term.
//
// The shape operand of dynamic_reshape, dynamic_iota and dynamic_broadcast_in_dim says
// nothing beside a result type without unknown sizes: a program in which the two differ
// means nothing.  A constant that differs is left alone nevertheless.
#include "io/stablehlo/read/dynamic.h"

static const struct dynamic_op dynamic_ops[] = {
    {"dynamic_reshape", OP_RESHAPE, 1, {NULL}},
    {"dynamic_iota", OP_IOTA, 0, {NULL}},
    {"dynamic_broadcast_in_dim", OP_BROADCAST_IN_DIM, 1, {NULL}},
    {"real_dynamic_slice", OP_SLICE, 1, {"start_indices", "limit_indices", "strides"}},
    {"dynamic_pad", OP_PAD, 2, {"edge_padding_low", "edge_padding_high", "interior_padding"}},
    {"dynamic_gather", OP_GATHER, 2, {"slice_sizes"}},
    {"dynamic_conv", OP_CONVOLUTION, 2, {"padding"}},
};

const struct dynamic_op *stablehlo_find_dynamic(const char *name)
{
    if (strncmp(name, "stablehlo.", 10) != 0)
        return NULL;
    for (size_t n = 0; n < sizeof dynamic_ops / sizeof *dynamic_ops; n++)
        if (strcmp(name + 10, dynamic_ops[n].name) == 0)
            return &dynamic_ops[n];
    return NULL;
}

// The elements of a constant of integers; false: the term is none.
static bool elements(const struct terms *terms, term_id term, struct i64_vec *out)
{
    const struct pool *pool = terms->pool;
    if (term_op(terms, term) != OP_CONSTANT)
        return false;
    enum elem elem = type_elem(pool, term_type(terms, term));
    const struct literal *literal = pool_literal(pool, term_literal(terms, term));
    int64_t count = type_count(pool, term_type(terms, term));
    if ((elem_kind(elem) != KIND_SINT && elem_kind(elem) != KIND_UINT) ||
        count > 2 * TENSOR_MAX_RANK)
        return false;
    vec_clear(out);
    for (int64_t k = 0; k < count; k++)
        vec_push(out, (int64_t)literal_get(pool, term_literal(terms, term),
                                           literal->splat ? 0 : (uint64_t)k)
                          .bits);
    return true;
}

// False if the shape operand is a constant that is not the result's shape.
static bool same_shape(struct op_reader *reading, term_id shape, type_id type)
{
    const struct pool *pool = reading->reader->program->pool;
    struct i64_vec sizes = {0};
    bool same = true;
    if (elements(&reading->reader->program->terms, shape, &sizes)) {
        same = sizes.len == type_rank(pool, type);
        for (uint32_t k = 0; same && k < sizes.len; k++)
            same = sizes.at[k] == type_dims(pool, type)[k];
    }
    vec_release(&sizes);
    return same;
}

// Turns the operands that stand for attributes into these attributes.
static bool take_attributes(struct op_reader *reading, const struct dynamic_op *dynamic)
{
    struct stablehlo_reader *reader = reading->reader;
    uint32_t n = reader->args.len, first = dynamic->operands;
    type_id result = reader->types.at[n];
    if (dynamic->list[0] == NULL)
        return n == first + 1 && same_shape(reading, reader->args.at[first], result);
    for (uint32_t k = 0; k < 3 && dynamic->list[k] != NULL; k++) {
        struct i64_vec *list = op_reader_list(reading, dynamic->list[k]);
        if (first + k >= n || !elements(&reader->program->terms, reader->args.at[first + k], list))
            return false;
    }
    return n == first + (dynamic->list[1] != NULL ? 3 : 1);
}

// The operation as a term; false: it is none, or malformed, which the caller finds again.
static bool read_static(struct op_reader *reading, const struct dynamic_op *dynamic, uint32_t *at,
                        term_id *out)
{
    struct stablehlo_reader *reader = reading->reader;
    const struct pool *pool = reader->program->pool;
    bool generic = mlir_kind(reading->mlir, reading->at) == T_STRING;
    if (!(generic ? op_reader_generic(reading, at) : op_reader_pretty(reading, at)) ||
        reading->opaque || !op_reader_types(reading, at, true))
        return false;
    uint32_t n = reader->args.len;
    for (uint32_t k = 0; k < n; k++)
        if (!stablehlo_check_operand(reader, reading->types, k, reader->args.at[k],
                                     reader->types.at[k]) ||
            (k < dynamic->operands && !type_is_tensor(pool, reader->types.at[k])))
            return false;
    if (!type_is_tensor(pool, reader->types.at[n]) || !take_attributes(reading, dynamic))
        return false;
    reader->types.at[dynamic->operands] = reader->types.at[n];
    reader->types.len = dynamic->operands + 1;
    reader->args.len = dynamic->operands;
    return op_reader_term(reading, out);
}

bool stablehlo_dynamic_op(struct stablehlo_reader *reader, uint32_t *next, term_id *out)
{
    char name[IO_OPERATION_NAME];
    const struct dynamic_op *dynamic =
        stablehlo_op_name(&reader->mlir, *next, name) ? stablehlo_find_dynamic(name) : NULL;
    if (dynamic == NULL)
        return false;
    struct op_reader reading = {
        .reader = reader, .mlir = &reader->mlir, .op = dynamic->op, .at = *next, .dynamic = true};
    uint32_t at = *next + 1;
    struct err *err = reader->mlir.err, none = {0};
    op_reader_start(reader);
    reader->mlir.err = &none;
    bool ok = read_static(&reading, dynamic, &at, out);
    reader->mlir.err = err;
    if (ok) {
        op_reader_attach(&reading, *out);
        *next = at;
    }
    return ok;
}
