// SPDX-License-Identifier: Apache-2.0
#include "tensor/eval/parts.h"
#include "tensor/shape/infer.h"

bool value_fits(const struct pool *pool, type_id type, uint64_t *held, struct err *err)
{
    const struct type *whole = pool_type(pool, type);
    for (uint32_t k = 0; whole->form == TYPE_TUPLE && k < whole->n; k++)
        if (!value_fits(pool, tuple_type(pool, type, k), held, err))
            return false;
    if (whole->form != TYPE_TENSOR)
        return true;
    int64_t size = (int64_t)elem_bytes(type_elem(pool, type));
    int64_t count = type_count(pool, type);
    if (size != 0 && count > ((int64_t)TENSOR_EVAL_MEMORY << 20) / size)
        return err_set(err, ERR_LIMIT,
                       "a tensor of %lld elements is too large to evaluate: at most %d MiB",
                       (long long)count, TENSOR_EVAL_MEMORY);
    *held += (uint64_t)(count * size);
    if (*held > (uint64_t)TENSOR_EVAL_ALL << 20)
        return err_set(err, ERR_LIMIT, "the values are too large to evaluate: at most %d MiB",
                       TENSOR_EVAL_ALL);
    return true;
}

bool value_new(const struct pool *pool, type_id type, struct arena *arena, struct value *out,
               struct err *err)
{
    int64_t size = (int64_t)elem_bytes(type_elem(pool, type));
    int64_t count = type_count(pool, type);
    uint64_t held = arena->total;
    if (!value_fits(pool, type, &held, err))
        return false;
    *out = (struct value){.type = type};
    out->data = arena_alloc(arena, (size_t)(count * size) + 1);
    return true;
}

bool value_of_literal(const struct pool *pool, lit_id literal, type_id type, struct arena *arena,
                      struct value *out, struct err *err)
{
    const struct literal *lit = pool_literal(pool, literal);
    size_t size = elem_bytes(lit->elem);
    int64_t count = type_count(pool, type);
    if (lit->elem != type_elem(pool, type) || (!lit->splat && lit->count != (uint64_t)count))
        return err_set(err, ERR_INPUT, "the literal does not fit its type");
    if (!lit->splat) {
        // Values do not change once made, so they can borrow the pool's bytes.
        *out = (struct value){.type = type};
        out->data = (void *)(uintptr_t)literal_data(pool, literal);
        return true;
    }
    if (!value_new(pool, type, arena, out, err))
        return false;
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)out->data + (size_t)i * size, literal_data(pool, literal), size);
    return true;
}

static bool iota_eval(const struct pool *pool, int64_t dim, bool exact, struct value *out,
                      struct err *err)
{
    int64_t count = type_count(pool, out->type), strides[TENSOR_MAX_RANK];
    int64_t size = type_dims(pool, out->type)[dim];
    enum elem elem = type_elem(pool, out->type);
    struct scalar_step to_elem = {.op = OP_CONVERT, .in = ELEM_I64, .out = elem, .exact = exact};
    struct scalar scalar;
    if (count == 0)
        return true;
    row_strides(pool, out->type, strides);
    for (int64_t i = 0; i < count; i++) {
        int64_t index = i / strides[dim] % size;
        struct scalar at = {.bits = (uint64_t)index};
        if (!scalar_step_eval(&to_elem, &at, &scalar, err))
            return false;
        scalar_store(elem, out->data, (size_t)i, scalar);
    }
    return true;
}

// An operand of rank 0 (predicate of select, bounds of clamp) is the same at every index.
static bool point_tensor(const struct pool *pool, const struct scalar_step *step, uint32_t n,
                         const struct value *args, struct value *out, struct err *err)
{
    enum elem elem[3];
    bool scalar[3];
    struct scalar x[3], r;
    int64_t count = type_count(pool, out->type);
    for (uint32_t i = 0; i < n; i++) {
        elem[i] = type_elem(pool, args[i].type);
        scalar[i] = type_rank(pool, args[i].type) == 0;
    }
    for (int64_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < n; k++)
            x[k] = scalar_load(elem[k], args[k].data, scalar[k] ? 0 : (size_t)i);
        if (!scalar_step_eval(step, x, &r, err))
            return false;
        scalar_store(step->out, out->data, (size_t)i, r);
    }
    return true;
}

// Offset of the result element that input element `index` is added to.
static int64_t reduced_offset(uint32_t rank, const int64_t *index, const int64_t *strides)
{
    int64_t at = 0;
    for (uint32_t i = 0; i < rank; i++)
        at += index[i] * strides[i];
    return at;
}

// Strides of the result by input axis, 0 for the reduced ones.
static void reduce_strides(const struct pool *pool, uint32_t n_dims, const int64_t *dims,
                           type_id in, type_id out, int64_t *strides)
{
    int64_t row[TENSOR_MAX_RANK];
    uint32_t k = 0, d = 0;
    row_strides(pool, out, row);
    for (uint32_t i = 0; i < type_rank(pool, in); i++) {
        bool reduced = d < n_dims && dims[d] == (int64_t)i;
        strides[i] = reduced ? 0 : row[k];
        d += reduced;
        k += !reduced;
    }
}

static bool reduce_step(const struct scalar_step *step, struct value *acc, int64_t at,
                        struct scalar scalar, struct err *err)
{
    struct scalar pair[2] = {scalar_load(step->in, acc->data, (size_t)at), scalar};
    struct scalar r;
    if (!scalar_step_eval(step, pair, &r, err))
        return false;
    scalar_store(step->in, acc->data, (size_t)at, r);
    return true;
}

// Sequential in row-major order of the input, the accumulator on the left,
// beginning with init.
static bool reduce_eval(const struct pool *pool, attr_id attr, bool exact, const struct value *args,
                        struct value *out, struct err *err)
{
    const int64_t *v = attr_at(pool, attr);
    enum elem elem = type_elem(pool, out->type);
    struct scalar_step step = {.op = (enum op)v[0], .in = elem, .out = elem, .exact = exact};
    const struct value *in = &args[0];
    uint32_t rank = type_rank(pool, in->type);
    int64_t index[TENSOR_MAX_RANK] = {0}, strides[TENSOR_MAX_RANK];
    int64_t count = type_count(pool, in->type), results = type_count(pool, out->type);
    struct scalar init = scalar_load(elem, args[1].data, 0);
    for (int64_t i = 0; i < results; i++)
        scalar_store(elem, out->data, (size_t)i, init);
    if (count == 0)
        return true;
    reduce_strides(pool, attr_len(pool, attr) - 1, v + 1, in->type, out->type, strides);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = reduced_offset(rank, index, strides);
        struct scalar scalar = scalar_load(elem, in->data, (size_t)i);
        if (!reduce_step(&step, out, at, scalar, err))
            return false;
        index_next(rank, type_dims(pool, in->type), index);
    }
    return true;
}

static bool check_steps(const struct pool *pool, struct operation operation,
                        const struct value *args, struct err *err)
{
    type_id types[3];
    for (uint32_t i = 0; i < operation.n && i < 3; i++)
        types[i] = args[i].type;
    int64_t steps = eval_steps(pool, operation.op, operation.attr, operation.type, types);
    return steps <= (int64_t)TENSOR_EVAL_STEPS << 20 ||
           err_set(err, ERR_LIMIT, "%s takes too many steps to evaluate", op_name(operation.op));
}

static bool combine_eval(const struct interpreter *interpreter, struct operation operation,
                         const struct value *args, struct value *out, struct err *err)
{
    const struct pool *pool = interpreter->pool;
    bool exact = interpreter->exact;
    switch (operation.op) {
    case OP_DOT_GENERAL:
        return dot_eval(pool, operation.attr, exact, args, out, err);
    case OP_CONVOLUTION:
        return conv_eval(pool, operation.attr, exact, args, out, err);
    case OP_REDUCE_WINDOW:
        return window_eval(pool, operation.attr, exact, args, out, err);
    case OP_GATHER:
        return gather_eval(pool, operation.attr, args, out, err);
    case OP_SCATTER:
        return scatter_eval(pool, operation.attr, exact, args, out, err);
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    bitcast_eval(pool, &args[0], out);
    return true;
}

bool eval_plain(const struct interpreter *interpreter, struct operation operation,
                const struct value *args, struct value *out, struct err *err)
{
    const struct pool *pool = interpreter->pool;
    struct arena *arena = interpreter->arena;
    attr_id attr = operation.attr;
    type_id type = operation.type;
    struct scalar_step step;
    switch (operation.op) {
    case OP_CONSTANT:
        return value_of_literal(pool, (lit_id){(uint32_t)attr_at(pool, attr)[0]}, type, arena, out,
                                err);
    case OP_IOTA:
        return value_new(pool, type, arena, out, err) &&
               iota_eval(pool, attr_at(pool, attr)[0], interpreter->exact, out, err);
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_RESHAPE:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
        return move_eval(pool, operation, args, arena, out, err);
    case OP_REDUCE:
        return value_new(pool, type, arena, out, err) &&
               reduce_eval(pool, attr, interpreter->exact, args, out, err);
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_BITCAST_CONVERT:
        return check_steps(pool, operation, args, err) && value_new(pool, type, arena, out, err) &&
               combine_eval(interpreter, operation, args, out, err);
    case OP_PARAMETER:
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    step = scalar_step_make(pool, operation.op, attr, type_elem(pool, args[operation.n > 1].type),
                            type_elem(pool, type), interpreter->exact);
    return value_new(pool, type, arena, out, err) &&
           point_tensor(pool, &step, operation.n, args, out, err);
}

bool eval_slot(const struct pool *pool, struct operation operation, const struct opaque_value *args,
               struct arena *arena, struct opaque_value *out, struct err *err)
{
    const char *name = op_name(operation.op);
    *out = (struct opaque_value){.value.type = operation.type};
    if (operation.op == OP_PARAMETER)
        return err_set(err, ERR_INPUT, "a parameter has no value of its own");
    if (operation.op == OP_OPAQUE)
        return opaque_eval(pool, operation, args, arena, out, err);
    if (operation.op == OP_RESULT)
        return result_eval(pool, operation.attr, operation.type, &args[0], out, err);
    struct value *value = ARENA_NEW(arena, struct value, operation.n + 1);
    if (!type_is_tensor(pool, operation.type))
        return err_set(err, ERR_INPUT, "%s has no tensor type", name);
    for (uint32_t i = 0; i < operation.n; i++) {
        value[i] = args[i].value;
        if (!type_is_tensor(pool, value[i].type))
            return err_set(err, ERR_INPUT, "operand %u of %s has no data", i, name);
    }
    struct interpreter interpreter = {pool, arena, false};
    return eval_plain(&interpreter, operation, value, &out->value, err);
}

bool eval_node(struct pool *pool, struct operation operation, const struct value *args,
               struct arena *arena, struct value *out, struct err *err)
{
    uint32_t n = operation.n;
    type_id *types = ARENA_NEW(arena, type_id, n + 1);
    struct opaque_value *slots = ARENA_NEW(arena, struct opaque_value, n + 1), result;
    for (uint32_t i = 0; i < n; i++) {
        types[i] = args[i].type;
        slots[i] = (struct opaque_value){.value = args[i]};
    }
    if (!infer_type(pool, operation, types, &operation.type, err) ||
        !eval_slot(pool, operation, slots, arena, &result, err))
        return false;
    *out = result.value;
    return true;
}
