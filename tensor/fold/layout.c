// SPDX-License-Identifier: Apache-2.0
#include "tensor/fold/layout.h"

#include "tensor/language/attr.h"
#include "tensor/eval/eval.h"
#include "tensor/fold/lift.h"
#include "tensor/fold/piece.h"
#include "tensor/fold/units.h"

enum { SINGLE_MAX = 8 + 6 * TENSOR_MAX_RANK }; // attributes of gather and scatter

static const char *const texts[N_LAYOUTS] = {
    [LAYOUT_COMPOSE] = "compose", [LAYOUT_IDENTITY] = "identity", [LAYOUT_NOOP] = "noop",
    [LAYOUT_PERMUTE] = "permute", [LAYOUT_FUSE] = "fuse",         [LAYOUT_REGROUP] = "regroup",
    [LAYOUT_UNITS] = "units",     [LAYOUT_STRETCH] = "stretch",   [LAYOUT_SPREAD] = "spread",
    [LAYOUT_SINGLE] = "single",   [LAYOUT_LIFT] = "lift",         [LAYOUT_SCALARS] = "scalars",
    [LAYOUT_PIECE] = "piece",
};

const char *layout_text(enum layout_kind kind)
{
    return kind >= LAYOUT_COMPOSE && kind < N_LAYOUTS ? texts[kind] : "?";
}

bool layout_by_text(const char *text, enum layout_kind *out)
{
    for (int k = LAYOUT_COMPOSE; k < N_LAYOUTS; k++)
        if (strcmp(text, texts[k]) == 0) {
            *out = (enum layout_kind)k;
            return true;
        }
    return false;
}

// A small vector of dimensions, copied out of the pool: interning moves it.
struct dims {
    uint32_t n;
    int64_t at[TENSOR_MAX_RANK];
};

static bool dims_read(const struct pool *pool, attr_id attr, struct dims *dims)
{
    dims->n = attr_len(pool, attr);
    if (dims->n > TENSOR_MAX_RANK)
        return false;
    if (dims->n > 0)
        memcpy(dims->at, attr_at(pool, attr), dims->n * sizeof dims->at[0]);
    return true;
}

static bool dims_identity(const struct dims *dims)
{
    for (uint32_t i = 0; i < dims->n; i++)
        if (dims->at[i] != (int64_t)i)
            return false;
    return true;
}

static bool dims_permutation(const struct dims *dims)
{
    uint64_t seen = 0;
    for (uint32_t i = 0; i < dims->n; i++) {
        if (dims->at[i] < 0 || dims->at[i] >= (int64_t)dims->n || (seen >> dims->at[i] & 1) != 0)
            return false;
        seen |= (uint64_t)1 << dims->at[i];
    }
    return true;
}

// out[i] = over[in[i]]; false when an entry of `in` is out of range.
static bool dims_through(const struct dims *in, const struct dims *over, struct dims *out)
{
    out->n = in->n;
    for (uint32_t i = 0; i < in->n; i++) {
        if (in->at[i] < 0 || in->at[i] >= (int64_t)over->n)
            return false;
        out->at[i] = over->at[in->at[i]];
    }
    return true;
}

static void dims_inverse(const struct dims *dims, struct dims *out)
{
    out->n = dims->n;
    for (uint32_t i = 0; i < dims->n; i++)
        out->at[dims->at[i]] = (int64_t)i;
}

attr_id perm_normal(const struct pool *pool, attr_id attr)
{
    struct dims dims;
    return dims_read(pool, attr, &dims) && dims_identity(&dims) ? NO_ATTR : attr;
}

attr_id perm_full(struct pool *pool, attr_id attr, uint32_t rank)
{
    if (attr_len(pool, attr) != 0 || rank == 0)
        return attr;
    int64_t d[TENSOR_MAX_RANK];
    for (uint32_t i = 0; i < rank; i++)
        d[i] = (int64_t)i;
    return attr_make(pool, rank, d);
}

attr_id perm_compose(struct pool *pool, attr_id p, attr_id q)
{
    struct dims dims, b, r;
    p = perm_normal(pool, p);
    q = perm_normal(pool, q);
    if (p.v == NO_ATTR.v)
        return q;
    if (q.v == NO_ATTR.v)
        return p;
    if (!dims_read(pool, p, &dims) || !dims_read(pool, q, &b) || dims.n != b.n ||
        !dims_through(&b, &dims, &r))
        BUG("perm_compose: attributes %u and %u do not compose", p.v, q.v);
    return dims_identity(&r) ? NO_ATTR : attr_make(pool, r.n, r.at);
}

attr_id perm_inverse(struct pool *pool, attr_id attr)
{
    struct dims dims, r;
    attr = perm_normal(pool, attr);
    if (attr.v == NO_ATTR.v)
        return attr;
    if (!dims_read(pool, attr, &dims) || !dims_permutation(&dims))
        BUG("perm_inverse: not a permutation");
    dims_inverse(&dims, &r);
    return attr_make(pool, r.n, r.at);
}

// One term, taken apart.  The laws read nothing else.
struct term_view {
    enum op op;
    attr_id attr;
    type_id type;
    uint32_t n;
    term_id arg; // the first one, NO_TERM if there is none
};

static struct term_view view_of(const struct terms *terms, term_id id)
{
    const struct term *node = term_at(terms, id);
    struct term_view view = {(enum op)node->op, node->attr, node->type, node->n_args, NO_TERM};
    if (view.n > 0)
        view.arg = term_args(terms, id)[0];
    return view;
}

static bool is_tensor(const struct terms *terms, term_id id)
{
    return type_is_tensor(terms->pool, term_type(terms, id));
}

static bool rewrite_compose(struct terms *terms, const struct term_view *view, term_id *out)
{
    if (view->op != OP_TRANSPOSE || term_op(terms, view->arg) != OP_TRANSPOSE)
        return false;
    struct term_view in = view_of(terms, view->arg);
    struct dims dims, q, r;
    if (!dims_read(terms->pool, in.attr, &dims) || !dims_read(terms->pool, view->attr, &q) ||
        dims.n != q.n || !dims_through(&q, &dims, &r))
        return false;
    if (dims_identity(&r))
        *out = in.arg;
    else
        *out = term_make(terms, OP_TRANSPOSE, attr_make(terms->pool, r.n, r.at), view->type, 1,
                         &in.arg);
    return true;
}

static bool rewrite_identity(struct terms *terms, const struct term_view *view, term_id *out)
{
    struct dims dims;
    if (view->op != OP_TRANSPOSE || !dims_read(terms->pool, view->attr, &dims) ||
        !dims_identity(&dims))
        return false;
    *out = view->arg;
    return true;
}

// reduce over no dims is init op x for every element.
static bool reduces_nothing(const struct terms *terms, term_id id)
{
    const struct pool *pool = terms->pool;
    const struct term *node = term_at(terms, id);
    if (attr_len(pool, node->attr) != 1 || node->n_args != 2)
        return false;
    enum op reducer = (enum op)attr_at(pool, node->attr)[0];
    enum elem elem = type_elem(pool, node->type);
    lit_id init = term_literal(terms, term_args(terms, id)[1]);
    if (init.v == NO_LIT.v || !op_is_reducer(reducer))
        return false;
    const struct literal *literal = pool_literal(pool, init);
    if (literal->elem != elem || literal->count != 1)
        return false;
    if (reducer == OP_ADD && elem_kind(elem) == KIND_FLOAT && !elem_is_ideal(elem))
        return false;
    return scalar_same(elem, literal_get(pool, init, 0), reducer_unit(reducer, elem));
}

static bool rewrite_noop(struct terms *terms, term_id id, const struct term_view *view,
                         term_id *out)
{
    bool same = false;
    struct dims dims;
    switch (view->op) {
    case OP_BROADCAST_IN_DIM:
        same = dims_read(terms->pool, view->attr, &dims) && dims_identity(&dims);
        break;
    case OP_REVERSE:
        same = attr_len(terms->pool, view->attr) == 0;
        break;
    case OP_SLICE:
    case OP_PAD:
        same = type_rank(terms->pool, view->type) == 0;
        break;
    case OP_CONCATENATE:
        same = view->n == 1;
        break;
    case OP_CONVERT:
    case OP_RESHAPE:
        same = true;
        break;
    case OP_REDUCE:
        same = reduces_nothing(terms, id);
        break;
    case OP_IS_FINITE:
    case OP_COMPARE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_TRANSPOSE:
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        break;
    }
    if (!same || term_type(terms, view->arg).v != view->type.v)
        return false;
    *out = view->arg;
    return true;
}

static bool rewrite_permute(struct terms *terms, const struct term_view *view, term_id *out)
{
    struct dims dims, p;
    if (view->op != OP_BROADCAST_IN_DIM || !dims_read(terms->pool, view->attr, &dims) ||
        dims.n != type_rank(terms->pool, view->type) || !dims_permutation(&dims) ||
        dims_identity(&dims))
        return false;
    const int64_t *from = type_dims(terms->pool, term_type(terms, view->arg));
    const int64_t *to = type_dims(terms->pool, view->type);
    for (uint32_t i = 0; i < dims.n; i++)
        if (from[i] != to[dims.at[i]])
            return false;
    dims_inverse(&dims, &p);
    *out = term_make(terms, OP_TRANSPOSE, attr_make(terms->pool, p.n, p.at), view->type, 1,
                     &view->arg);
    return true;
}

// Where each operand dimension of a broadcast or transpose goes.
static bool dims_forward(const struct terms *terms, const struct term_view *view, struct dims *out)
{
    struct dims dims;
    if (view->op == OP_BROADCAST_IN_DIM)
        return dims_read(terms->pool, view->attr, out);
    if (view->op != OP_TRANSPOSE || !dims_read(terms->pool, view->attr, &dims) ||
        !dims_permutation(&dims))
        return false;
    dims_inverse(&dims, out);
    return true;
}

static bool rewrite_fuse(struct terms *terms, const struct term_view *view, term_id *out)
{
    struct dims inner, outer, both;
    if (view->op != OP_BROADCAST_IN_DIM && view->op != OP_TRANSPOSE)
        return false;
    struct term_view in = view_of(terms, view->arg);
    if (in.op == OP_TRANSPOSE && view->op == OP_TRANSPOSE)
        return false; // COMPOSE
    if (!dims_forward(terms, view, &outer) || !dims_forward(terms, &in, &inner) ||
        !is_tensor(terms, in.arg) || !dims_through(&inner, &outer, &both))
        return false;
    *out = term_make(terms, OP_BROADCAST_IN_DIM, attr_make(terms->pool, both.n, both.at),
                     view->type, 1, &in.arg);
    return true;
}

// The attributes of a gather or scatter with indices of rank `rank` without the
// dimension *dim of the indices along which vectors of one element stand.
static bool single_attr(const struct terms *terms, const struct term_view *view, uint32_t rank,
                        uint32_t *dim, uint32_t *n, int64_t *at)
{
    const struct pool *pool = terms->pool;
    uint32_t of = type_rank(pool, term_type(terms, view->arg));
    struct gather_attr g;
    struct scatter_attr s;
    const int64_t *attr = attr_at(pool, view->attr), *batching;
    uint32_t n_batching, vector;
    *n = attr_len(pool, view->attr);
    if (*n > SINGLE_MAX)
        return false;
    if (view->op == OP_GATHER) {
        if (!gather_attr_read(*n, attr, of, &g) || g.n_map != 1)
            return false;
        batching = g.indices_batching;
        n_batching = g.n_batching;
        vector = 5;
    } else {
        if (!scatter_attr_read(*n, attr, &s) || s.n_map != 1)
            return false;
        batching = s.indices_batching;
        n_batching = s.n_batching;
        vector = 7;
    }
    memcpy(at, attr, *n * sizeof *at);
    if (at[vector] < 0 || at[vector] >= (int64_t)rank)
        return false; // single numbers already
    *dim = (uint32_t)at[vector];
    at[vector] = (int64_t)rank - 1;
    for (uint32_t k = 0; k < n_batching; k++)
        at[batching - attr + k] -= batching[k] > (int64_t)*dim;
    return true;
}

static bool rewrite_single(struct terms *terms, term_id id, const struct term_view *view,
                           term_id *out)
{
    if (view->op != OP_GATHER && view->op != OP_SCATTER)
        return false;
    uint32_t dim, n, rank, len = 0;
    int64_t attr[SINGLE_MAX], dims[TENSOR_MAX_RANK];
    term_id args[3] = {NO_TERM, NO_TERM, NO_TERM};
    for (uint32_t k = 0; k < view->n && k < 3; k++)
        args[k] = term_args(terms, id)[k];
    type_id by = term_type(terms, args[1]), type;
    struct err err = {0};
    rank = type_rank(terms->pool, by);
    if (!single_attr(terms, view, rank, &dim, &n, attr) || type_dims(terms->pool, by)[dim] != 1)
        return false;
    for (uint32_t d = 0; d < rank; d++)
        if (d != dim)
            dims[len++] = type_dims(terms->pool, by)[d];
    if (!type_tensor(terms->pool, type_elem(terms->pool, by), len, dims, &type, &err))
        return false;
    args[1] = term_make(terms, OP_RESHAPE, NO_ATTR, type, 1, &args[1]);
    *out = term_make(terms, view->op, attr_make(terms->pool, n, attr), view->type, view->n, args);
    return true;
}

bool layout_rewrite(struct terms *terms, term_id term, enum layout_kind kind, term_id *out)
{
    struct term_view view = view_of(terms, term);
    if (view.arg.v == NO_TERM.v || !type_is_tensor(terms->pool, view.type) ||
        !is_tensor(terms, view.arg))
        return false;
    switch (kind) {
    case LAYOUT_COMPOSE:
        return rewrite_compose(terms, &view, out);
    case LAYOUT_IDENTITY:
        return rewrite_identity(terms, &view, out);
    case LAYOUT_NOOP:
        return rewrite_noop(terms, term, &view, out);
    case LAYOUT_PERMUTE:
        return rewrite_permute(terms, &view, out);
    case LAYOUT_FUSE:
        return rewrite_fuse(terms, &view, out);
    case LAYOUT_REGROUP:
        return units_regroup(terms, term, out);
    case LAYOUT_UNITS:
        return units_rewrite(terms, term, out);
    case LAYOUT_STRETCH:
        return units_stretch(terms, term, out);
    case LAYOUT_SPREAD:
        return units_spread(terms, term, out);
    case LAYOUT_SINGLE:
        return rewrite_single(terms, term, &view, out);
    case LAYOUT_LIFT:
        return layout_lift(terms, term, out);
    case LAYOUT_SCALARS:
        return layout_scalars(terms, term, out);
    case LAYOUT_PIECE:
        return piece_rewrite(terms, term, out);
    case N_LAYOUTS:
        break;
    }
    return false;
}
