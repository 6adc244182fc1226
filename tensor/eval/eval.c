// SPDX-License-Identifier: Apache-2.0
#include "tensor/eval/parts.h"
#include "tensor/shape/infer.h"

bool value_new(const struct pool *pool, type_id type, struct arena *arena, struct value *out,
               struct err *err)
{
    int64_t size = (int64_t)elem_bytes(type_elem(pool, type));
    int64_t count = type_count(pool, type);
    if (size != 0 && count > EVAL_MAX_BYTES / size)
        return err_set(err, ERR_LIMIT, "a tensor of %lld elements is too large to evaluate",
                       (long long)count);
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
        // Values are only read once made, so the pool's bytes can be lent.
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
    int64_t count = type_count(pool, out->type), strides[MAX_RANK];
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

// Operands of rank 0 (predicate of select, bounds of clamp) stand for all.
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
    int64_t row[MAX_RANK];
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
    int64_t index[MAX_RANK] = {0}, strides[MAX_RANK];
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

static bool check_steps(const struct pool *pool, enum op op, attr_id attr, type_id type, uint32_t n,
                        const struct value *args, struct err *err)
{
    type_id types[3];
    for (uint32_t i = 0; i < n && i < 3; i++)
        types[i] = args[i].type;
    int64_t steps = eval_steps(pool, op, attr, type, types);
    return steps <= EVAL_MAX_STEPS ||
           err_set(err, ERR_LIMIT, "%s takes too many steps to evaluate", op_name(op));
}

static bool combine_eval(const struct pool *pool, enum op op, attr_id attr, bool exact,
                         const struct value *args, struct value *out, struct err *err)
{
    switch (op) {
    case OP_DOT_GENERAL:
        return dot_eval(pool, attr, exact, args, out, err);
    case OP_CONVOLUTION:
        return conv_eval(pool, attr, exact, args, out, err);
    case OP_REDUCE_WINDOW:
        return window_eval(pool, attr, exact, args, out, err);
    case OP_GATHER:
        return gather_eval(pool, attr, args, out, err);
    case OP_SCATTER:
        return scatter_eval(pool, attr, exact, args, out, err);
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

bool eval_plain(const struct pool *pool, enum op op, attr_id attr, type_id type, uint32_t n,
                const struct value *args, bool exact, struct arena *arena, struct value *out,
                struct err *err)
{
    struct scalar_step step;
    switch (op) {
    case OP_CONSTANT:
        return value_of_literal(pool, (lit_id){(uint32_t)attr_at(pool, attr)[0]}, type, arena, out,
                                err);
    case OP_IOTA:
        return value_new(pool, type, arena, out, err) &&
               iota_eval(pool, attr_at(pool, attr)[0], exact, out, err);
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_RESHAPE:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
        return move_eval(pool, op, attr, type, n, args, arena, out, err);
    case OP_REDUCE:
        return value_new(pool, type, arena, out, err) &&
               reduce_eval(pool, attr, exact, args, out, err);
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_BITCAST_CONVERT:
        return check_steps(pool, op, attr, type, n, args, err) &&
               value_new(pool, type, arena, out, err) &&
               combine_eval(pool, op, attr, exact, args, out, err);
    case OP_PARAMETER:
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    step = scalar_step_make(pool, op, attr, type_elem(pool, args[n > 1].type),
                            type_elem(pool, type), exact);
    return value_new(pool, type, arena, out, err) && point_tensor(pool, &step, n, args, out, err);
}

static bool eval_slot(const struct pool *pool, enum op op, attr_id attr, type_id type, uint32_t n,
                      const struct opaque_value *args, struct arena *arena,
                      struct opaque_value *out, struct err *err)
{
    *out = (struct opaque_value){.value.type = type};
    if (op == OP_PARAMETER)
        return err_set(err, ERR_INPUT, "a parameter has no value of its own");
    if (op == OP_OPAQUE)
        return opaque_eval(pool, attr, type, n, args, arena, out, err);
    if (op == OP_RESULT)
        return result_eval(pool, attr, type, &args[0], out, err);
    struct value *value = ARENA_NEW(arena, struct value, n + 1);
    if (!type_is_tensor(pool, type))
        return err_set(err, ERR_INPUT, "%s has no tensor type", op_name(op));
    for (uint32_t i = 0; i < n; i++) {
        value[i] = args[i].value;
        if (!type_is_tensor(pool, value[i].type))
            return err_set(err, ERR_INPUT, "operand %u of %s has no data", i, op_name(op));
    }
    return eval_plain(pool, op, attr, type, n, value, false, arena, &out->value, err);
}

bool eval_node(struct pool *pool, enum op op, attr_id attr, type_id type, uint32_t n,
               const struct value *args, struct arena *arena, struct value *out, struct err *err)
{
    type_id *types = ARENA_NEW(arena, type_id, n + 1), got;
    struct opaque_value *slots = ARENA_NEW(arena, struct opaque_value, n + 1), result;
    for (uint32_t i = 0; i < n; i++) {
        types[i] = args[i].type;
        slots[i] = (struct opaque_value){.value = args[i]};
    }
    if (!infer_type(pool, op, attr, type, n, types, &got, err) ||
        !eval_slot(pool, op, attr, got, n, slots, arena, &result, err))
        return false;
    *out = result.value;
    return true;
}

struct evaluation {
    const struct terms *terms;
    uint32_t n_params;
    const struct value *params;
    struct arena *mem;
    struct opaque_value *slot; // by position in the list of reachable nodes
    uint32_t *position;        // by term id
    bool met;                  // a parameter was met, of this function
    int64_t function;
};

static bool eval_parameter(struct evaluation *ev, const struct term *node, struct opaque_value *out,
                           struct err *err)
{
    const int64_t *v = attr_at(ev->terms->pool, node->attr);
    if (ev->met && v[0] != ev->function)
        return err_set(err, ERR_INPUT, "parameters of two functions");
    ev->met = true;
    ev->function = v[0];
    if (v[1] < 0 || v[1] >= (int64_t)ev->n_params)
        return err_set(err, ERR_INPUT, "no value was given for parameter %lld", (long long)v[1]);
    if (ev->params[v[1]].type.v != node->type.v)
        return err_set(err, ERR_INPUT, "the value for parameter %lld has another type",
                       (long long)v[1]);
    out->value = ev->params[v[1]];
    return true;
}

static bool eval_term(struct evaluation *ev, term_id id, struct opaque_value *out, struct err *err)
{
    const struct terms *terms = ev->terms;
    const struct term *node = term_at(terms, id);
    const term_id *args = term_args(terms, id);
    struct opaque_value *operands = ARENA_NEW(ev->mem, struct opaque_value, node->n_args + 1);
    for (uint32_t i = 0; i < node->n_args; i++)
        operands[i] = ev->slot[ev->position[args[i].v]];
    if (node->op == OP_PARAMETER)
        return eval_parameter(ev, node, out, err);
    return eval_slot(terms->pool, (enum op)node->op, node->attr, node->type, node->n_args, operands,
                     ev->mem, out, err);
}

// The list is in order of ids, so operands come first and depth costs nothing.
bool eval_terms(const struct terms *terms, uint32_t n_roots, const term_id *roots,
                uint32_t n_params, const struct value *params, struct arena *arena,
                struct value *out, struct err *err)
{
    struct u32_vec list = {0};
    struct evaluation ev = {.terms = terms, .n_params = n_params, .params = params, .mem = arena};
    bool ok = true;
    terms_reach(terms, n_roots, roots, &list);
    ev.slot = mem_alloc(sizeof *ev.slot * ((size_t)list.len + 1));
    ev.position = mem_alloc(sizeof *ev.position * ((size_t)terms->term.len + 1));
    for (uint32_t i = 0; ok && i < list.len; i++) {
        ev.position[list.at[i]] = i;
        ok = eval_term(&ev, (term_id){list.at[i]}, &ev.slot[i], err);
    }
    for (uint32_t i = 0; ok && i < n_roots; i++)
        out[i] = ev.slot[ev.position[roots[i].v]].value;
    mem_free(ev.slot);
    mem_free(ev.position);
    vec_release(&list);
    return ok;
}
