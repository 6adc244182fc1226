// SPDX-License-Identifier: Apache-2.0
// The operators of tensor/language/op.h, in pretty and generic form, as terms.
//
// An operation whose attributes say more than a term can hold (an accuracy,
// anything unknown) is no term: it stays opaque, so that nothing is lost and no
// rule moves it.  Attributes that say nothing about values are kept beside the term.
#include "io/stablehlo/read/op_reader.h"

bool stablehlo_check_operand(struct stablehlo_reader *reader, uint32_t at, uint32_t k, term_id have,
                             type_id want)
{
    type_id type = term_type(&reader->program->terms, have);
    if (type.v == want.v)
        return true;
    struct buf buf = {0}, b = {0};
    type_print(reader->program->pool, type, &buf);
    type_print(reader->program->pool, want, &b);
    mlir_fail(&reader->mlir, at,
              "expected the type of operand %u, %.200s, found "
              "%.200s",
              k, buf_text(&buf), buf_text(&b));
    buf_release(&buf);
    buf_release(&b);
    return false;
}

bool stablehlo_signature(struct stablehlo_reader *reader, uint32_t *i, uint32_t *n_operands)
{
    struct mlir *mlir = &reader->mlir;
    vec_clear(&reader->types);
    for (int part = 0; part < 2; part++) {
        bool list = mlir_accept(mlir, i, '(');
        if (part == 0 && !list)
            return mlir_expected(mlir, *i, "'(' and the operand types");
        while (!list || mlir_kind(mlir, *i) != ')') {
            type_id type;
            if (!mlir_type(mlir, i, &type))
                return false;
            vec_push(&reader->types, type);
            if (!list || !mlir_accept(mlir, i, ','))
                break;
            if (mlir_kind(mlir, *i) == ')')
                return mlir_expected(mlir, *i, "a type");
        }
        if (list && !mlir_expect(mlir, i, ')', "',' or ')'"))
            return false;
        if (part == 0) {
            *n_operands = reader->types.len;
            if (!mlir_expect(mlir, i, T_ARROW, "'->'"))
                return false;
        }
    }
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void push_list(struct op_reader *reading, int list)
{
    for (uint32_t n = 0; n < reading->reader->ints[list].len; n++)
        vec_push(&reading->reader->attr, reading->reader->ints[list].at[n]);
}

static void push_sorted(struct op_reader *reading)
{
    struct i64_vec *list = &reading->reader->ints[INTS_FIRST];
    if (list->len > 1)
        qsort(list->at, list->len, sizeof *list->at, compare_ints);
    push_list(reading, INTS_FIRST);
}

bool op_reader_missing(struct op_reader *reading, const char *what)
{
    return mlir_fail(reading->mlir, reading->at, "'%s' lacks %s", op_name(reading->op), what);
}

static bool push_three(struct op_reader *reading)
{
    const struct i64_vec *list = reading->reader->ints;
    if (!reading->has[INTS_FIRST] || !reading->has[INTS_SECOND] || !reading->has[INTS_THIRD])
        return op_reader_missing(reading, "one of its three lists");
    uint32_t rank = type_rank(reading->reader->program->pool, reading->reader->types.at[0]);
    for (int n = 0; n < 3; n++)
        if (list[n].len != rank)
            return mlir_fail(reading->mlir, reading->at,
                             "'%s': expected %u numbers, one for "
                             "each dimension, found %u",
                             op_name(reading->op), rank, list[n].len);
    push_list(reading, INTS_FIRST);
    push_list(reading, INTS_SECOND);
    push_list(reading, INTS_THIRD);
    return true;
}

static enum compare_type default_compare(enum elem elem)
{
    switch (elem_kind(elem)) {
    case KIND_FLOAT:
        return CMPT_FLOAT;
    case KIND_SINT:
        return CMPT_SIGNED;
    default:
        return CMPT_UNSIGNED;
    }
}

bool op_reader_attr(struct op_reader *reading)
{
    struct stablehlo_reader *reader = reading->reader;
    vec_clear(&reader->attr);
    if (dims_is(reading->op))
        return dims_attr(reading);
    switch (reading->op) {
    case OP_COMPARE:
        if (!reading->has_dir)
            return op_reader_missing(reading, "a direction");
        if (!reading->has_type)
            reading->type = default_compare(type_elem(reader->program->pool, reader->types.at[0]));
        vec_push(&reader->attr, reading->dir);
        vec_push(&reader->attr, reading->type);
        return true;
    case OP_IOTA:
    case OP_CONCATENATE:
        if (!reading->has_dim)
            return op_reader_missing(reading, "its dimension");
        vec_push(&reader->attr, reading->dim);
        return true;
    case OP_TRANSPOSE:
    case OP_BROADCAST_IN_DIM:
        if (!reading->has[INTS_FIRST])
            return op_reader_missing(reading, "its dimensions");
        push_list(reading, INTS_FIRST);
        return true;
    case OP_REDUCE:
    case OP_REVERSE:
        if (reading->op == OP_REDUCE)
            vec_push(&reader->attr, reading->reducer);
        if (!reading->has[INTS_FIRST])
            return op_reader_missing(reading, "its dimensions");
        push_sorted(reading);
        return true;
    case OP_SLICE:
    case OP_PAD:
        return push_three(reading);
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        break;
    }
    return true;
}

static bool result_mismatch(struct op_reader *reading, type_id have, type_id want)
{
    struct buf buf = {0}, b = {0};
    type_print(reading->reader->program->pool, have, &buf);
    type_print(reading->reader->program->pool, want, &b);
    mlir_fail(reading->mlir, reading->types,
              "%s: expected the result type %.200s, found "
              "%.200s",
              op_name(reading->op), buf_text(&buf), buf_text(&b));
    buf_release(&buf);
    buf_release(&b);
    return false;
}

static bool build(struct op_reader *reading, term_id *out)
{
    struct stablehlo_reader *reader = reading->reader;
    uint32_t n = reader->args.len;
    type_id want = reader->types.at[n];
    bool given = reading->op == OP_IOTA || reading->op == OP_CONVERT ||
                 reading->op == OP_BROADCAST_IN_DIM || reading->op == OP_RESHAPE ||
                 reading->op == OP_BITCAST_CONVERT;
    if (!op_reader_attr(reading))
        return false;
    attr_id attr = attr_make(reader->program->pool, reader->attr.len, reader->attr.at);
    struct err why = {0};
    if (!term_build(&reader->program->terms,
                    (struct operation){reading->op, attr, given ? want : NO_TYPE, n},
                    reader->args.at, out, &why))
        return mlir_fail(reading->mlir, reading->at, "%s", why.msg);
    type_id have = term_type(&reader->program->terms, *out);
    return have.v == want.v || result_mismatch(reading, have, want);
}

static bool build_constant(struct op_reader *reading, type_id want, term_id *out)
{
    struct stablehlo_reader *reader = reading->reader;
    if (!type_is_tensor(reader->program->pool, want)) { // quantized
        reading->opaque = true;
        return true;
    }
    if (want.v != reading->literal_type.v)
        return result_mismatch(reading, reading->literal_type, want);
    *out = term_constant(&reader->program->terms, reading->literal, want);
    return true;
}

// True if a compare names a type that its elements do not have.  The
// specification forbids this, but stablehlo-opt accepts it, and readers disagree
// about what is meant.
static bool odd_compare(const struct op_reader *reading)
{
    enum elem elem = type_elem(reading->reader->program->pool, reading->reader->types.at[0]);
    if (reading->op != OP_COMPARE || !reading->has_type)
        return false;
    return elem_kind(elem) == KIND_FLOAT
               ? reading->type == CMPT_SIGNED || reading->type == CMPT_UNSIGNED
               : reading->type != default_compare(elem);
}

// Checks arity and operand types; notes a type that is more than a term can
// hold.
static bool check_operands(struct op_reader *reading)
{
    struct stablehlo_reader *reader = reading->reader;
    uint32_t n = reader->args.len;
    for (uint32_t j = 0; j < n; j++)
        if (!stablehlo_check_operand(reader, reading->types, j, reader->args.at[j],
                                     reader->types.at[j]))
            return false;
    for (uint32_t j = 0; j <= n; j++)
        reading->opaque |= !type_is_tensor(reader->program->pool, reader->types.at[j]);
    reading->opaque |= !reading->opaque && odd_compare(reading);
    return true;
}

static bool check_arity(struct op_reader *reading)
{
    uint32_t n = reading->reader->args.len;
    int arity = op_arity(reading->op);
    if (arity >= 0 && n != (uint32_t)arity)
        return mlir_fail(reading->mlir, reading->at, "'%s': expected %d operands, found %u",
                         op_name(reading->op), arity, n);
    return true;
}

// Is the written region, which is a reducer, part of the term?  The record of an output says so.
static bool takes_reducer(struct stablehlo_reader *reader)
{
    uint32_t k = reader->program->terms.region.len + reader->n_reducers;
    if (reader->regions == NULL) {
        reader->n_reducers++;
        return true;
    }
    if (k >= reader->regions->len || reader->regions->at[k] != NO_REGION)
        return false;
    reader->n_reducers++;
    return true;
}

// The region of a reduce, behind the types in pretty form.
static bool reduce_region(struct op_reader *reading, uint32_t *next, bool generic)
{
    struct mlir *mlir = reading->mlir;
    const struct pool *pool = reading->reader->program->pool;
    type_id elem = reading->reader->types.at[1];
    // StableHLO may widen elements while it reduces; a term may not.
    if (type_elem(pool, reading->reader->types.at[0]) != type_elem(pool, elem) ||
        type_elem(pool, reading->reader->types.at[2]) != type_elem(pool, elem)) {
        reading->opaque = true;
        return true;
    }
    if (generic) {
        if (reading->region == 0)
            return op_reader_missing(reading, "its region");
        reading->has_reducer =
            stablehlo_is_reducer(reading->reader, reading->region, elem, &reading->reducer) &&
            takes_reducer(reading->reader);
    } else if (!reading->has_reducer) {
        uint32_t name[2];
        if (!mlir_expect_word(mlir, next, "reducer") || !mlir_expect(mlir, next, '(', "'('"))
            return false;
        if (stablehlo_reducer_args(mlir, next, elem, name) && mlir_kind(mlir, *next) == '{') {
            uint32_t close = mlir->tok.at[*next].match;
            reading->has_reducer = stablehlo_reducer_body(reading->reader, *next + 1, close, elem,
                                                          name, &reading->reducer) &&
                                   takes_reducer(reading->reader);
            *next = close + 1;
        }
    }
    reading->opaque |= !reading->has_reducer;
    return true;
}

// The region of reduce_window or scatter, which are read in generic form only.
static bool dims_region(struct op_reader *reading)
{
    struct err none = {0};
    type_id elem;
    if (reading->region == 0)
        return op_reader_missing(reading, "its region");
    if (!type_tensor(reading->reader->program->pool,
                     type_elem(reading->reader->program->pool, reading->reader->types.at[0]), 0,
                     NULL, &elem, &none))
        return op_reader_missing(reading, "elements");
    reading->has_reducer =
        stablehlo_is_reducer(reading->reader, reading->region, elem, &reading->reducer);
    if (!reading->has_reducer && reading->op == OP_SCATTER) {
        reading->reducer = N_OPS;
        reading->has_reducer = stablehlo_is_replacement(reading->reader, reading->region, elem);
    }
    reading->opaque |= !reading->has_reducer || !takes_reducer(reading->reader);
    return true;
}

static bool constant_term(struct op_reader *reading, uint32_t *next, bool generic, term_id *out)
{
    struct stablehlo_reader *reader = reading->reader;
    bool typed = generic || mlir_kind(reading->mlir, *next) == '(';
    if (!(generic ? op_reader_generic(reading, next) : op_reader_constant(reading, next)))
        return false;
    if (reading->opaque)
        return true;
    if (!reading->has_literal)
        return op_reader_missing(reading, "its value");
    reading->types = reading->at;
    if (!typed)
        return build_constant(reading, reading->literal_type, out);
    if (!check_arity(reading) || !op_reader_types(reading, next, true))
        return false;
    return build_constant(reading, reader->types.at[0], out);
}

static bool operator_term(struct op_reader *reading, uint32_t *at, bool generic, term_id *out)
{
    if (!(generic ? op_reader_generic(reading, at) : op_reader_pretty(reading, at)))
        return false;
    // A reduce of several inputs is no term.
    if (op_reader_has_region(reading->op) &&
        reading->reader->args.len > (uint32_t)op_arity(reading->op))
        reading->opaque = true;
    if (reading->opaque)
        return true;
    if (!check_arity(reading) || !op_reader_types(reading, at, generic) || !check_operands(reading))
        return false;
    if (reading->op == OP_REDUCE && !reading->opaque && !reduce_region(reading, at, generic))
        return false;
    reading->opaque |= !reading->opaque && dims_is(reading->op) && dims_mixed(reading);
    if ((reading->op == OP_REDUCE_WINDOW || reading->op == OP_SCATTER) && !reading->opaque &&
        !dims_region(reading))
        return false;
    return reading->opaque || build(reading, out);
}

void op_reader_start(struct stablehlo_reader *reader)
{
    vec_clear(&reader->args);
    vec_clear(&reader->operand_at);
    buf_clear(&reader->kept);
    reader->body = (struct reducer_body){0};
    for (int n = 0; n < 3; n++)
        vec_clear(&reader->ints[n]);
    for (int n = 0; n < 8; n++)
        vec_clear(&reader->list[n]);
}

bool op_reader_term(struct op_reader *reading, term_id *out)
{
    reading->opaque |= dims_is(reading->op) && dims_mixed(reading);
    return !reading->opaque && build(reading, out);
}

enum ops_answer stablehlo_known_op(struct stablehlo_reader *reader, uint32_t *next, enum op op,
                                   term_id *out)
{
    struct op_reader reading = {.reader = reader, .mlir = &reader->mlir, .op = op, .at = *next};
    uint32_t j = *next + 1;
    bool generic = mlir_kind(reading.mlir, *next) == T_STRING;
    reading.foreign = mlir_text_is(reading.mlir, *next, "arith.constant") ||
                      mlir_text_is(reading.mlir, *next, "\"arith.constant\"");
    op_reader_start(reader);
    if (!(op == OP_CONSTANT ? constant_term(&reading, &j, generic, out)
                            : operator_term(&reading, &j, generic, out)))
        return OPS_FAILED;
    if (reading.opaque)
        return OPS_OPAQUE;
    // Only now is the region no text, in which the statements would be read again.
    if (reading.has_reducer && !stablehlo_read_unused(reader))
        return OPS_FAILED;
    op_reader_attach(&reading, *out);
    *next = j;
    return OPS_TERM;
}
