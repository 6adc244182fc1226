// SPDX-License-Identifier: Apache-2.0
// The operators of tensor/language/op.h as terms.
//
// An instruction whose attributes or element types say more than a term can hold (a
// sharding, a precision, a widening dot, anything unknown) is no term: it stays opaque, so
// that nothing is lost and no rule moves it.
#include "io/hlo/element.h"
#include "io/hlo/read/op_reader.h"
#include "tensor/shape/infer.h"

static type_id operand_type(const struct hlo_op_reader *reading, uint32_t k)
{
    return term_type(&reading->reader->program->terms, reading->reader->operand.at[k].term);
}

// A wrong number of operands fails; more than a term has are opaque.
static bool check_count(struct hlo_op_reader *reading)
{
    uint32_t n = reading->reader->operand.len;
    int arity = op_arity(reading->op);
    bool several =
        reading->op == OP_REDUCE || reading->op == OP_REDUCE_WINDOW || reading->op == OP_SCATTER;
    if (arity < 0 && n > 0)
        return true;
    if (several && n > (uint32_t)arity)
        reading->opaque = true;
    else if (n != (uint32_t)(arity < 0 ? 1 : arity))
        return hlo_fail(reading->reader, reading->instruction->opcode,
                        "expected %d operands, found %u", arity < 0 ? 1 : arity, n);
    return true;
}

// Do the operands in the bits of `which` and the result have one element type?
static bool one_element(const struct hlo_op_reader *reading, uint32_t which, type_id result)
{
    const struct pool *pool = reading->reader->pool;
    enum elem elem = type_elem(pool, result);
    for (uint32_t k = 0; k < reading->reader->operand.len; k++)
        if ((k > 31 || which >> k & 1) && type_elem(pool, operand_type(reading, k)) != elem)
            return false;
    return true;
}

// The starts of dynamic_slice and dynamic_update_slice, from operand k on: rank 0, one type.
static bool scalar_starts(const struct hlo_op_reader *reading, uint32_t k)
{
    const struct pool *pool = reading->reader->pool;
    uint32_t n = reading->reader->operand.len;
    for (uint32_t i = k; i < n; i++)
        if (type_rank(pool, operand_type(reading, i)) != 0 ||
            operand_type(reading, i).v != operand_type(reading, k).v)
            return false;
    return n == k + type_rank(pool, operand_type(reading, 0));
}

// Are the element types those of a term?
static bool elements_fit(const struct hlo_op_reader *reading, type_id result)
{
    switch (reading->op) {
    case OP_COMPARE:
        return operand_type(reading, 0).v == operand_type(reading, 1).v;
    case OP_CONVERT:
    case OP_BITCAST_CONVERT:
    case OP_IS_FINITE:
        return true;
    case OP_SELECT:
        return type_elem(reading->reader->pool, operand_type(reading, 0)) == ELEM_I1 &&
               one_element(reading, 6, result);
    case OP_GATHER:
        return one_element(reading, 1, result);
    case OP_SCATTER:
        return one_element(reading, 5, result);
    case OP_DYNAMIC_SLICE:
        return one_element(reading, 1, result) && scalar_starts(reading, 1);
    case OP_DYNAMIC_UPDATE_SLICE:
        return reading->reader->operand.len > 1 && one_element(reading, 3, result) &&
               scalar_starts(reading, 2);
    case OP_CLAMP:
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_RESHAPE:
        LEAF_CASES
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        break;
    }
    return one_element(reading, UINT32_MAX, result);
}

static bool types_fit(const struct hlo_op_reader *reading, type_id result)
{
    const struct pool *pool = reading->reader->pool;
    uint32_t n = reading->reader->operand.len;
    bool fit = type_is_tensor(pool, result);
    for (uint32_t k = 0; k < n; k++)
        fit = fit && type_is_tensor(pool, operand_type(reading, k));
    if (!fit)
        return false;
    // The operator's kinds are those of its first operand, of `select` those of its result.
    bool own = n > 0 && reading->op != OP_SELECT;
    enum elem elem = type_elem(pool, own ? operand_type(reading, 0) : result);
    return (op_kinds(reading->op) & elem_kind(elem)) != 0 && elements_fit(reading, result);
}

// A reducer of these elements, or of scatter also the update itself.
static bool reducer_fits(struct hlo_op_reader *reading, type_id result)
{
    const struct hlo_computation *reducer = reading->reducer;
    if (!op_has_reducer(reading->op))
        return true;
    return reducer != NULL && reducer->elem != ELEM_OTHER &&
           reducer->elem == type_elem(reading->reader->pool, result) &&
           (reducer->reducer != N_OPS || reading->op == OP_SCATTER);
}

// broadcast of a constant scalar: the constant.
static term_id splat(struct hlo_op_reader *reading, type_id type)
{
    struct terms *terms = &reading->reader->program->terms;
    lit_id literal = term_literal(terms, reading->reader->operand.at[0].term);
    enum elem elem = type_elem(terms->pool, type);
    struct scalar scalar = literal_get(terms->pool, literal, 0);
    return term_constant(terms, literal_splat(terms->pool, elem, scalar), type);
}

// The dimensions that the mark of a helper names, into reader.attr; false: none or not so.
static bool helper_dims(struct hlo_reader *reader, uint32_t mark)
{
    const struct hlo_token *token = &reader->tok.at[mark];
    const char *at = reader->text + token->at + strlen("\"" HLO_HELPER);
    const char *end = reader->text + token->at + token->len - 1;
    vec_clear(&reader->attr);
    while (at < end) {
        int64_t dim = 0;
        for (at++; at < end && *at >= '0' && *at <= '9' && dim < 1000; at++)
            dim = dim * 10 + (*at - '0');
        vec_push(&reader->attr, dim);
        if (at < end && *at != ',')
            return false;
    }
    return true;
}

// Is `narrow` the shape without some axes of size 1?  The others are those of
// `dimensions`, in order.
static bool drops_ones(const struct hlo_reader *reader, type_id shape, type_id narrow)
{
    const struct i64_vec *dims = &reader->list[LIST_DIMS];
    const int64_t *sizes = type_dims(reader->pool, shape);
    const int64_t *kept_sizes = type_dims(reader->pool, narrow);
    uint32_t k = 0;
    for (uint32_t d = 0; d < reader->attr.len; d++) {
        bool kept = k < dims->len && dims->at[k] == reader->attr.at[d];
        if (kept ? k >= type_rank(reader->pool, narrow) || kept_sizes[k] != sizes[d]
                 : sizes[d] != 1)
            return false;
        k += kept;
    }
    return k == dims->len && k == type_rank(reader->pool, narrow);
}

// broadcast of a marked reshape of x is broadcast_in_dim(x, dims), if it repeats nothing but
// axes of size 1 that the reshape dropped.
static bool widening(struct hlo_op_reader *reading, type_id type, term_id *out)
{
    struct hlo_reader *reader = reading->reader;
    const struct hlo_value *value = &reader->operand.at[0];
    term_id from = value->helped;
    struct err why = {0};
    if (value->helper == 0 || !value->reshapes || !helper_dims(reader, value->helper) ||
        !type_is_tensor(reader->pool, term_type(&reader->program->terms, from)))
        return false;
    struct operation operation = {
        OP_BROADCAST_IN_DIM, attr_make(reader->pool, reader->attr.len, reader->attr.at), type, 1};
    if (!infer_type(reader->pool, operation, &(type_id){term_type(&reader->program->terms, from).v},
                    &type, &why))
        return false;
    return drops_ones(reader, term_type(&reader->program->terms, from), operand_type(reading, 0)) &&
           term_build(&reader->program->terms, operation, &from, out, &why);
}

// The scalar that a marked broadcast repeats, as predicate of select and bound of clamp.
static void take_scalars(struct hlo_op_reader *reading, term_id *args)
{
    for (uint32_t k = 0; k < reading->reader->operand.len; k++) {
        const struct hlo_value *value = &reading->reader->operand.at[k];
        bool may = (reading->op == OP_SELECT && k == 0) || (reading->op == OP_CLAMP && k != 1);
        if (may && value->helper != 0 && !value->reshapes &&
            type_rank(reading->reader->pool,
                      term_type(&reading->reader->program->terms, value->helped)) == 0)
            args[k] = value->helped;
    }
}

static bool takes_type(enum op op)
{
    return op == OP_IOTA || op == OP_CONVERT || op == OP_BROADCAST_IN_DIM || op == OP_RESHAPE ||
           op == OP_BITCAST_CONVERT;
}

static bool build(struct hlo_op_reader *reading, type_id type, term_id *out)
{
    struct hlo_reader *reader = reading->reader;
    struct err why = {0};
    uint32_t n = reader->operand.len;
    if (!hlo_make_vector(reading))
        return false;
    term_id *args = mem_alloc(sizeof *args * (n + 1u));
    for (uint32_t k = 0; k < n; k++)
        args[k] = reader->operand.at[k].term;
    take_scalars(reading, args);
    struct operation operation = {reading->op,
                                  attr_make(reader->pool, reader->attr.len, reader->attr.at),
                                  takes_type(reading->op) ? type : NO_TYPE, n};
    bool ok = term_build(&reader->program->terms, operation, args, out, &why) ||
              hlo_fail(reader, reading->instruction->opcode, "%s", why.msg);
    mem_free(args);
    if (!ok || term_type(&reader->program->terms, *out).v == type.v)
        return ok;
    struct buf want = {0};
    hlo_put_type(reader->pool, term_type(&reader->program->terms, *out), "", &want);
    hlo_fail(reader, reading->instruction->shape, "expected the shape %.200s", buf_text(&want));
    buf_release(&want);
    return false;
}

static bool is_splat(const struct hlo_op_reader *reading)
{
    const struct hlo_reader *reader = reading->reader;
    return reader->operand.at[0].constant &&
           type_rank(reader->pool, operand_type(reading, 0)) == 0 &&
           term_literal(&reader->program->terms, reader->operand.at[0].term).v != NO_LIT.v &&
           reader->list[LIST_DIMS].len == 0;
}

bool hlo_result_type(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                     enum op op, type_id *out)
{
    struct hlo_op_reader reading = {.reader = reader, .instruction = instruction, .op = op};
    type_id types[3] = {{0}, {0}, {0}}, *all = types;
    struct err why = {0};
    if (!hlo_operands(reader, instruction) || !hlo_read_attributes(&reading) ||
        !check_count(&reading))
        return false;
    uint32_t n = reader->operand.len;
    bool tensors =
        !reading.opaque && !takes_type(op) && (!op_has_reducer(op) || reading.reducer != NULL);
    for (uint32_t k = 0; tensors && k < n; k++)
        tensors = type_is_tensor(reader->pool, operand_type(&reading, k));
    if (tensors && op_has_reducer(op))
        tensors = reading.reducer->elem == type_elem(reader->pool, operand_type(&reading, 0)) &&
                  hlo_is_operator(reading.reducer, op == OP_SCATTER);
    if (!tensors)
        return hlo_expected(reader, instruction->opcode, "the shape of this operation");
    if (!hlo_make_vector(&reading))
        return false;
    if (n > 3)
        all = mem_alloc(n * sizeof *all);
    for (uint32_t k = 0; k < n; k++)
        all[k] = operand_type(&reading, k);
    struct operation operation = {op, attr_make(reader->pool, reader->attr.len, reader->attr.at),
                                  NO_TYPE, n};
    bool ok = infer_type(reader->pool, operation, all, out, &why) ||
              hlo_fail(reader, instruction->opcode, "%s", why.msg);
    if (all != types)
        mem_free(all);
    return ok;
}

enum hlo_answer hlo_operator(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                             enum op op, struct hlo_stated stated, term_id *out)
{
    struct hlo_op_reader reading = {.reader = reader, .instruction = instruction, .op = op};
    if (!hlo_operands(reader, instruction) || !hlo_read_attributes(&reading) ||
        !check_count(&reading))
        return HLO_FAILED;
    if (reading.opaque || !types_fit(&reading, stated.type) || !reducer_fits(&reading, stated.type))
        return HLO_OPAQUE;
    if (op == OP_BROADCAST_IN_DIM && widening(&reading, stated.type, out))
        return HLO_TERM;
    if (op == OP_BROADCAST_IN_DIM && is_splat(&reading)) {
        *out = splat(&reading, stated.type);
        return HLO_TERM;
    }
    return build(&reading, stated.type, out) ? HLO_TERM : HLO_FAILED;
}
