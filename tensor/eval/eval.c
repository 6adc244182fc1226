// SPDX-License-Identifier: Apache-2.0
#include "tensor/eval/parts.h"
#include "tensor/shape/infer.h"

bool value_new(const struct pool *p, type_id type, struct arena *a,
               struct value *out, struct err *e)
{
    int64_t size = (int64_t)elem_bytes(type_elem(p, type));
    int64_t count = type_count(p, type);
    if (size != 0 && count > EVAL_MAX_BYTES / size)
        return err_set(e, ERR_LIMIT,
                       "a tensor of %lld elements is too large to evaluate",
                       (long long)count);
    *out = (struct value){.type = type};
    out->data = arena_alloc(a, (size_t)(count * size) + 1);
    return true;
}

bool value_of_literal(const struct pool *p, lit_id l, type_id type,
                      struct arena *a, struct value *out, struct err *e)
{
    const struct literal *lit = pool_literal(p, l);
    size_t size = elem_bytes(lit->elem);
    int64_t count = type_count(p, type);
    if (lit->elem != type_elem(p, type) ||
        (!lit->splat && lit->count != (uint64_t)count))
        return err_set(e, ERR_INPUT, "the literal does not fit its type");
    if (!lit->splat) {
        // Values are only read once made, so the pool's bytes can be lent.
        *out = (struct value){.type = type};
        out->data = (void *)(uintptr_t)literal_data(p, l);
        return true;
    }
    if (!value_new(p, type, a, out, e))
        return false;
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)out->data + (size_t)i * size, literal_data(p, l), size);
    return true;
}

static bool iota_eval(const struct pool *p, int64_t dim, bool exact,
                      struct value *out, struct err *e)
{
    int64_t count = type_count(p, out->type), strides[MAX_RANK];
    int64_t size = type_dims(p, out->type)[dim];
    enum elem t = type_elem(p, out->type);
    struct scalar_step to_elem = {
        .op = OP_CONVERT, .in = ELEM_I64, .out = t, .exact = exact};
    struct scalar s;
    if (count == 0)
        return true;
    row_strides(p, out->type, strides);
    for (int64_t i = 0; i < count; i++) {
        int64_t index = i / strides[dim] % size;
        struct scalar at = {.bits = (uint64_t)index};
        if (!scalar_step_eval(&to_elem, &at, &s, e))
            return false;
        scalar_store(t, out->data, (size_t)i, s);
    }
    return true;
}

// Operands of rank 0 (predicate of select, bounds of clamp) stand for all.
static bool point_tensor(const struct pool *p, const struct scalar_step *f,
                         uint32_t n, const struct value *args,
                         struct value *out, struct err *e)
{
    enum elem t[3];
    bool scalar[3];
    struct scalar x[3], r;
    int64_t count = type_count(p, out->type);
    for (uint32_t i = 0; i < n; i++) {
        t[i] = type_elem(p, args[i].type);
        scalar[i] = type_rank(p, args[i].type) == 0;
    }
    for (int64_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < n; k++)
            x[k] = scalar_load(t[k], args[k].data, scalar[k] ? 0 : (size_t)i);
        if (!scalar_step_eval(f, x, &r, e))
            return false;
        scalar_store(f->out, out->data, (size_t)i, r);
    }
    return true;
}

// Offset of the result element that input element `index` is added to.
static int64_t reduced_offset(uint32_t rank, const int64_t *index,
                              const int64_t *strides)
{
    int64_t at = 0;
    for (uint32_t i = 0; i < rank; i++)
        at += index[i] * strides[i];
    return at;
}

// Strides of the result by input axis, 0 for the reduced ones.
static void reduce_strides(const struct pool *p, uint32_t n_dims,
                           const int64_t *dims, type_id in, type_id out,
                           int64_t *strides)
{
    int64_t row[MAX_RANK];
    uint32_t k = 0, d = 0;
    row_strides(p, out, row);
    for (uint32_t i = 0; i < type_rank(p, in); i++) {
        bool reduced = d < n_dims && dims[d] == (int64_t)i;
        strides[i] = reduced ? 0 : row[k];
        d += reduced;
        k += !reduced;
    }
}

static bool reduce_step(const struct scalar_step *f, struct value *acc, int64_t at,
                        struct scalar x, struct err *e)
{
    struct scalar pair[2] = {scalar_load(f->in, acc->data, (size_t)at), x};
    struct scalar r;
    if (!scalar_step_eval(f, pair, &r, e))
        return false;
    scalar_store(f->in, acc->data, (size_t)at, r);
    return true;
}

// Sequential in row-major order of the input, the accumulator on the left,
// beginning with init.
static bool reduce_eval(const struct pool *p, attr_id attr, bool exact,
                        const struct value *args, struct value *out,
                        struct err *e)
{
    const int64_t *v = attr_at(p, attr);
    enum elem t = type_elem(p, out->type);
    struct scalar_step f = {.op = (enum op)v[0], .in = t, .out = t, .exact = exact};
    const struct value *in = &args[0];
    uint32_t rank = type_rank(p, in->type);
    int64_t index[MAX_RANK] = {0}, strides[MAX_RANK];
    int64_t count = type_count(p, in->type), results = type_count(p, out->type);
    struct scalar init = scalar_load(t, args[1].data, 0);
    for (int64_t i = 0; i < results; i++)
        scalar_store(t, out->data, (size_t)i, init);
    if (count == 0)
        return true;
    reduce_strides(p, attr_len(p, attr) - 1, v + 1, in->type, out->type,
                   strides);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = reduced_offset(rank, index, strides);
        struct scalar x = scalar_load(t, in->data, (size_t)i);
        if (!reduce_step(&f, out, at, x, e))
            return false;
        index_next(rank, type_dims(p, in->type), index);
    }
    return true;
}

static bool check_steps(const struct pool *p, enum op op, attr_id attr,
                        type_id type, uint32_t n, const struct value *args,
                        struct err *e)
{
    type_id types[3];
    for (uint32_t i = 0; i < n && i < 3; i++)
        types[i] = args[i].type;
    int64_t steps = eval_steps(p, op, attr, type, types);
    return steps <= EVAL_MAX_STEPS ||
           err_set(e, ERR_LIMIT, "%s takes too many steps to evaluate",
                   op_name(op));
}

static bool combine_eval(const struct pool *p, enum op op, attr_id attr,
                         bool exact, const struct value *args,
                         struct value *out, struct err *e)
{
    switch (op) {
    case OP_DOT_GENERAL:
        return dot_eval(p, attr, exact, args, out, e);
    case OP_CONVOLUTION:
        return conv_eval(p, attr, exact, args, out, e);
    case OP_REDUCE_WINDOW:
        return window_eval(p, attr, exact, args, out, e);
    case OP_GATHER:
        return gather_eval(p, attr, args, out, e);
    case OP_SCATTER:
        return scatter_eval(p, attr, exact, args, out, e);
    default: // OP_BITCAST_CONVERT
        bitcast_eval(p, &args[0], out);
        return true;
    }
}

bool eval_plain(const struct pool *p, enum op op, attr_id attr, type_id type,
                uint32_t n, const struct value *args, bool exact,
                struct arena *a, struct value *out, struct err *e)
{
    struct scalar_step f;
    switch (op) {
    case OP_CONSTANT:
        return value_of_literal(p, (lit_id){(uint32_t)attr_at(p, attr)[0]},
                                type, a, out, e);
    case OP_IOTA:
        return value_new(p, type, a, out, e) &&
               iota_eval(p, attr_at(p, attr)[0], exact, out, e);
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_RESHAPE:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
        return move_eval(p, op, attr, type, n, args, a, out, e);
    case OP_REDUCE:
        return value_new(p, type, a, out, e) &&
               reduce_eval(p, attr, exact, args, out, e);
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_BITCAST_CONVERT:
        return check_steps(p, op, attr, type, n, args, e) &&
               value_new(p, type, a, out, e) &&
               combine_eval(p, op, attr, exact, args, out, e);
    default:
        f = scalar_step_make(p, op, attr, type_elem(p, args[n > 1].type),
                       type_elem(p, type), exact);
        return value_new(p, type, a, out, e) &&
               point_tensor(p, &f, n, args, out, e);
    }
}

static bool eval_slot(const struct pool *p, enum op op, attr_id attr,
                      type_id type, uint32_t n, const struct opaque_value *args,
                      struct arena *a, struct opaque_value *out, struct err *e)
{
    *out = (struct opaque_value){.v.type = type};
    if (op == OP_PARAMETER)
        return err_set(e, ERR_INPUT, "a parameter has no value of its own");
    if (op == OP_OPAQUE)
        return opaque_eval(p, attr, type, n, args, a, out, e);
    if (op == OP_RESULT)
        return result_eval(p, attr, type, &args[0], out, e);
    struct value *v = ARENA_NEW(a, struct value, n + 1);
    if (!type_is_tensor(p, type))
        return err_set(e, ERR_INPUT, "%s has no tensor type", op_name(op));
    for (uint32_t i = 0; i < n; i++) {
        v[i] = args[i].v;
        if (!type_is_tensor(p, v[i].type))
            return err_set(e, ERR_INPUT, "operand %u of %s has no data", i,
                           op_name(op));
    }
    return eval_plain(p, op, attr, type, n, v, false, a, &out->v, e);
}

bool eval_node(struct pool *p, enum op op, attr_id attr, type_id type,
               uint32_t n, const struct value *args, struct arena *a,
               struct value *out, struct err *e)
{
    type_id *types = ARENA_NEW(a, type_id, n + 1), got;
    struct opaque_value *slots = ARENA_NEW(a, struct opaque_value, n + 1), result;
    for (uint32_t i = 0; i < n; i++) {
        types[i] = args[i].type;
        slots[i] = (struct opaque_value){.v = args[i]};
    }
    if (!infer_type(p, op, attr, type, n, types, &got, e) ||
        !eval_slot(p, op, attr, got, n, slots, a, &result, e))
        return false;
    *out = result.v;
    return true;
}

struct evaluation {
    const struct terms *t;
    uint32_t n_params;
    const struct value *params;
    struct arena *mem;
    struct opaque_value *slot;  // by position in the list of reachable nodes
    uint32_t *position; // by term id
    bool met;           // a parameter was met, of this function
    int64_t function;
};

static bool eval_parameter(struct evaluation *ev, const struct term *node,
                           struct opaque_value *out, struct err *e)
{
    const int64_t *v = attr_at(ev->t->pool, node->attr);
    if (ev->met && v[0] != ev->function)
        return err_set(e, ERR_INPUT, "parameters of two functions");
    ev->met = true;
    ev->function = v[0];
    if (v[1] < 0 || v[1] >= (int64_t)ev->n_params)
        return err_set(e, ERR_INPUT, "no value was given for parameter %lld",
                       (long long)v[1]);
    if (ev->params[v[1]].type.v != node->type.v)
        return err_set(e, ERR_INPUT,
                       "the value for parameter %lld has another type",
                       (long long)v[1]);
    out->v = ev->params[v[1]];
    return true;
}

static bool eval_term(struct evaluation *ev, term_id id, struct opaque_value *out,
                      struct err *e)
{
    const struct terms *t = ev->t;
    const struct term *node = term_at(t, id);
    const term_id *args = term_args(t, id);
    struct opaque_value *operands = ARENA_NEW(ev->mem, struct opaque_value, node->n_args + 1);
    for (uint32_t i = 0; i < node->n_args; i++)
        operands[i] = ev->slot[ev->position[args[i].v]];
    if (node->op == OP_PARAMETER)
        return eval_parameter(ev, node, out, e);
    return eval_slot(t->pool, (enum op)node->op, node->attr, node->type,
                     node->n_args, operands, ev->mem, out, e);
}

// The list is in order of ids, so operands come first and depth costs nothing.
bool eval_terms(const struct terms *t, uint32_t n_roots, const term_id *roots,
                uint32_t n_params, const struct value *params, struct arena *a,
                struct value *out, struct err *e)
{
    struct u32_vec list = {0};
    struct evaluation ev = {
        .t = t, .n_params = n_params, .params = params, .mem = a};
    bool ok = true;
    terms_reach(t, n_roots, roots, &list);
    ev.slot = mem_alloc(sizeof *ev.slot * ((size_t)list.len + 1));
    ev.position = mem_alloc(sizeof *ev.position * ((size_t)t->term.len + 1));
    for (uint32_t i = 0; ok && i < list.len; i++) {
        ev.position[list.at[i]] = i;
        ok = eval_term(&ev, (term_id){list.at[i]}, &ev.slot[i], e);
    }
    for (uint32_t i = 0; ok && i < n_roots; i++)
        out[i] = ev.slot[ev.position[roots[i].v]].v;
    mem_free(ev.slot);
    mem_free(ev.position);
    vec_release(&list);
    return ok;
}
