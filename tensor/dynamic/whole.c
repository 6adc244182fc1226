// SPDX-License-Identifier: Apache-2.0
#include "tensor/dynamic/whole.h"

#include "tensor/dynamic/operation.h"
#include "tensor/language/attr.h"
#include "tensor/shape/infer.h"

// A whole type: its dimensions of known size, and those of size "?".
struct split {
    struct sized sized;
    uint32_t n_known;
    int64_t known[TENSOR_MAX_RANK], open[TENSOR_MAX_RANK];
    int64_t at[TENSOR_MAX_RANK]; // of each dimension, which of these it is
};

struct wholes {
    struct pool *pool;
    struct operation operation;
    struct split operand[WHOLE_OPERANDS], result;
    int64_t out[4 * TENSOR_MAX_RANK + 2];
    uint32_t n; // of out
};

static bool split_type(const struct pool *pool, type_id type, struct split *out)
{
    uint32_t n_open = 0;
    out->n_known = 0;
    if (!sized_of(pool, type, &out->sized))
        return false;
    for (uint32_t k = 0; k < out->sized.rank; k++) {
        bool open = out->sized.dims[k] < 0;
        out->at[k] = open ? n_open : out->n_known;
        if (open)
            out->open[n_open++] = k;
        else
            out->known[out->n_known++] = k;
    }
    return true;
}

// As many sizes "?", with the same bounds: what one type allows, the other does.
static bool same_open(const struct split *a, const struct split *b)
{
    if (a->sized.n_open != b->sized.n_open)
        return false;
    for (uint32_t k = 0; k < a->sized.n_open; k++)
        if (a->sized.bounds[a->open[k]] != b->sized.bounds[b->open[k]])
            return false;
    return true;
}

static bool split_all(struct wholes *wholes, const type_id *types)
{
    uint32_t n = wholes->operation.n;
    bool open = false;
    if (n > WHOLE_OPERANDS || !split_type(wholes->pool, wholes->operation.type, &wholes->result))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        if (!split_type(wholes->pool, types[k], &wholes->operand[k]))
            return false;
        uint32_t n_open = wholes->operand[k].sized.n_open;
        open |= n_open > 0;
        if (n_open != 0 && !same_open(&wholes->operand[k], &wholes->result))
            return false;
    }
    return open && wholes->result.sized.n_open > 0;
}

static bool is_open(const struct split *split, int64_t dim)
{
    return split->sized.dims[dim] < 0;
}

static void put(struct wholes *wholes, int64_t value)
{
    wholes->out[wholes->n++] = value;
}

// A dimension of a slice of the tensor, in the whole; false: there is none.
static bool put_known(struct wholes *wholes, const struct split *split, int64_t dim)
{
    if (dim < 0 || dim >= split->n_known)
        return false;
    put(wholes, split->known[dim]);
    return true;
}

static bool put_known_list(struct wholes *wholes, const struct split *split, uint32_t n,
                           const int64_t *dims)
{
    for (uint32_t k = 0; k < n; k++)
        if (!put_known(wholes, split, dims[k]))
            return false;
    return true;
}

// Where the result has a size "?", the transpose takes the operand's in the same place of the order.
static bool whole_transpose(struct wholes *wholes, uint32_t n, const int64_t *v)
{
    const struct split *in = &wholes->operand[0], *out = &wholes->result;
    if (n != in->n_known || n != out->n_known)
        return false;
    for (uint32_t k = 0; k < out->sized.rank; k++)
        if (is_open(out, k))
            put(wholes, in->open[out->at[k]]);
        else if (!put_known(wholes, in, v[out->at[k]]))
            return false;
    return true;
}

static bool whole_broadcast(struct wholes *wholes, uint32_t n, const int64_t *v)
{
    const struct split *in = &wholes->operand[0], *out = &wholes->result;
    if (n != in->n_known)
        return false;
    for (uint32_t k = 0; k < in->sized.rank; k++)
        if (is_open(in, k))
            put(wholes, out->open[in->at[k]]);
        else if (!put_known(wholes, out, v[in->at[k]]))
            return false;
    return true;
}

static bool opens_lead(const struct split *split)
{
    for (uint32_t k = 0; k < split->sized.n_open; k++)
        if (!is_open(split, k))
            return false;
    return true;
}

// The batch dimensions of one operand: where the result has a size "?", that of the operand.
static bool put_batch(struct wholes *wholes, const struct split *split, bool both, uint32_t n,
                      const int64_t *dims)
{
    uint32_t at = 0, n_open = both ? split->sized.n_open : 0;
    for (uint32_t k = 0; k < n + n_open; k++)
        if (both && k < wholes->result.sized.rank && is_open(&wholes->result, k))
            put(wholes, split->open[wholes->result.at[k]]);
        else if (at == n || !put_known(wholes, split, dims[at++]))
            return false;
    return at == n;
}

static bool whole_dot(struct wholes *wholes, uint32_t n, const int64_t *v)
{
    const struct split *lhs = &wholes->operand[0], *rhs = &wholes->operand[1];
    bool both = lhs->sized.n_open > 0 && rhs->sized.n_open > 0;
    struct dot_attr dot;
    if (!dot_attr_read(n, v, &dot))
        return false;
    put(wholes, dot.nb + (both ? lhs->sized.n_open : 0));
    put(wholes, dot.nc);
    return put_batch(wholes, lhs, both, dot.nb, dot.lhs_batch) &&
           put_batch(wholes, rhs, both, dot.nb, dot.rhs_batch) &&
           put_known_list(wholes, lhs, dot.nc, dot.lhs_contracting) &&
           put_known_list(wholes, rhs, dot.nc, dot.rhs_contracting);
}

static bool whole_list(struct wholes *wholes)
{
    enum op op = wholes->operation.op;
    uint32_t n = attr_len(wholes->pool, wholes->operation.attr);
    const int64_t *v = attr_at(wholes->pool, wholes->operation.attr);
    const struct split *in = &wholes->operand[0];
    if (op_is_elementwise(op)) {
        for (uint32_t k = 0; k < n; k++)
            put(wholes, v[k]);
        return true;
    }
    if (op == OP_TRANSPOSE)
        return whole_transpose(wholes, n, v);
    if (op == OP_BROADCAST_IN_DIM)
        return whole_broadcast(wholes, n, v);
    if (op == OP_DOT_GENERAL)
        return whole_dot(wholes, n, v);
    if (op == OP_RESHAPE)
        return opens_lead(in) && opens_lead(&wholes->result);
    if (op == OP_REVERSE || op == OP_CONCATENATE)
        return put_known_list(wholes, in, n, v);
    if (op != OP_REDUCE || n == 0)
        return false;
    put(wholes, v[0]);
    return put_known_list(wholes, in, n - 1, v + 1);
}

// The type with numbers for its sizes "?".
static bool numbered(struct pool *pool, const struct split *split, int64_t first, type_id *out)
{
    struct sized sized = split->sized;
    for (uint32_t k = 0; k < sized.n_open; k++)
        sized.dims[split->open[k]] = first + k;
    memset(sized.bounds, 0, sized.rank * sizeof *sized.bounds);
    sized.n_open = 0;
    return sized_type(pool, &sized, out);
}

// Does the operator have the result's type, its sizes "?" those of the operands in their order?  It
// has if that is so for two numbers for each: shape rules compare sizes, add and multiply them.
static bool has_type(const struct wholes *wholes, attr_id attr)
{
    static const int64_t firsts[] = {1009, 20011};
    struct err none = {0};
    for (uint32_t i = 0; i < 2; i++) {
        type_id types[WHOLE_OPERANDS], want, got;
        for (uint32_t k = 0; k < wholes->operation.n; k++)
            if (!numbered(wholes->pool, &wholes->operand[k], firsts[i], &types[k]))
                return false;
        if (!numbered(wholes->pool, &wholes->result, firsts[i], &want) ||
            !infer_type(wholes->pool,
                        (struct operation){wholes->operation.op, attr, want, wholes->operation.n},
                        types, &got, &none) ||
            got.v != want.v)
            return false;
    }
    return true;
}

bool whole_attr(struct pool *pool, struct operation on_slices, const type_id *types, attr_id *out)
{
    struct wholes wholes = {.pool = pool, .operation = on_slices};
    if (!split_all(&wholes, types) || !whole_list(&wholes))
        return false;
    *out = attr_make(pool, wholes.n, wholes.out);
    return has_type(&wholes, *out);
}

// ---- to slices

static bool put_slice_list(struct wholes *wholes, const struct split *split, uint32_t n,
                           const int64_t *dims)
{
    for (uint32_t k = 0; k < n; k++) {
        if (dims[k] < 0 || dims[k] >= split->sized.rank || is_open(split, dims[k]))
            return false;
        put(wholes, split->at[dims[k]]);
    }
    return true;
}

// The dimensions of the list that are in a slice; of[k] is in `split`.
static void put_slice_some(struct wholes *wholes, const struct split *split, uint32_t n,
                           const int64_t *dims)
{
    for (uint32_t k = 0; k < n; k++)
        if (dims[k] >= 0 && dims[k] < split->sized.rank && !is_open(split, dims[k]))
            put(wholes, split->at[dims[k]]);
}

static bool slice_dot(struct wholes *wholes, uint32_t n, const int64_t *v)
{
    const struct split *lhs = &wholes->operand[0], *rhs = &wholes->operand[1];
    struct dot_attr dot;
    if (!dot_attr_read(n, v, &dot))
        return false;
    put(wholes, 0); // the batch dimensions are counted below
    put(wholes, dot.nc);
    put_slice_some(wholes, lhs, dot.nb, dot.lhs_batch);
    wholes->out[0] = wholes->n - 2;
    put_slice_some(wholes, rhs, dot.nb, dot.rhs_batch);
    return wholes->n == 2 + 2 * wholes->out[0] &&
           put_slice_list(wholes, lhs, dot.nc, dot.lhs_contracting) &&
           put_slice_list(wholes, rhs, dot.nc, dot.rhs_contracting);
}

static bool slice_list(struct wholes *wholes)
{
    enum op op = wholes->operation.op;
    uint32_t n = attr_len(wholes->pool, wholes->operation.attr);
    const int64_t *v = attr_at(wholes->pool, wholes->operation.attr);
    const struct split *in = &wholes->operand[0];
    if (op == OP_TRANSPOSE) {
        put_slice_some(wholes, in, n, v);
        return true;
    }
    if (op == OP_BROADCAST_IN_DIM) {
        put_slice_some(wholes, &wholes->result, n, v);
        return true;
    }
    if (op == OP_DOT_GENERAL)
        return slice_dot(wholes, n, v);
    if (op == OP_REVERSE || op == OP_CONCATENATE)
        return put_slice_list(wholes, in, n, v);
    if (op != OP_REDUCE)
        return whole_list(wholes);
    put(wholes, v[0]);
    return put_slice_list(wholes, in, n - 1, v + 1);
}

bool slice_attr(struct pool *pool, struct operation on_whole, const type_id *types, attr_id *out)
{
    struct wholes wholes = {.pool = pool, .operation = on_whole};
    attr_id again;
    if (!split_all(&wholes, types) || !slice_list(&wholes))
        return false;
    *out = attr_make(pool, wholes.n, wholes.out);
    struct operation on_slices = on_whole;
    on_slices.attr = *out;
    return whole_attr(pool, on_slices, types, &again) && again.v == on_whole.attr.v;
}
