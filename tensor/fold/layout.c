// SPDX-License-Identifier: Apache-2.0
#include "tensor/fold/layout.h"

#include "tensor/language/attr.h"
#include "tensor/eval/eval.h"

enum { SINGLE_MAX = 8 + 6 * MAX_RANK }; // attributes of gather and scatter

static const char *const texts[N_LAYOUTS] = {
    [LAYOUT_COMPOSE] = "compose", [LAYOUT_IDENTITY] = "identity",
    [LAYOUT_NOOP] = "noop",       [LAYOUT_PERMUTE] = "permute",
    [LAYOUT_FUSE] = "fuse",       [LAYOUT_SINGLE] = "single",
};

const char *layout_text(enum layout_kind k)
{
    return k >= LAYOUT_COMPOSE && k < N_LAYOUTS ? texts[k] : "?";
}

bool layout_by_text(const char *s, enum layout_kind *out)
{
    for (int k = LAYOUT_COMPOSE; k < N_LAYOUTS; k++)
        if (strcmp(s, texts[k]) == 0) {
            *out = (enum layout_kind)k;
            return true;
        }
    return false;
}

// A small vector of dimensions, copied out of the pool: interning moves it.
struct dims {
    uint32_t n;
    int64_t at[MAX_RANK];
};

static bool dims_read(const struct pool *p, attr_id a, struct dims *d)
{
    d->n = attr_len(p, a);
    if (d->n > MAX_RANK)
        return false;
    if (d->n > 0)
        memcpy(d->at, attr_at(p, a), d->n * sizeof d->at[0]);
    return true;
}

static bool dims_identity(const struct dims *d)
{
    for (uint32_t i = 0; i < d->n; i++)
        if (d->at[i] != (int64_t)i)
            return false;
    return true;
}

static bool dims_permutation(const struct dims *d)
{
    uint64_t seen = 0;
    for (uint32_t i = 0; i < d->n; i++) {
        if (d->at[i] < 0 || d->at[i] >= (int64_t)d->n ||
            (seen >> d->at[i] & 1) != 0)
            return false;
        seen |= (uint64_t)1 << d->at[i];
    }
    return true;
}

// out[i] = over[in[i]]; false when an entry of `in` is out of range.
static bool dims_through(const struct dims *in, const struct dims *over,
                         struct dims *out)
{
    out->n = in->n;
    for (uint32_t i = 0; i < in->n; i++) {
        if (in->at[i] < 0 || in->at[i] >= (int64_t)over->n)
            return false;
        out->at[i] = over->at[in->at[i]];
    }
    return true;
}

static void dims_inverse(const struct dims *p, struct dims *out)
{
    out->n = p->n;
    for (uint32_t i = 0; i < p->n; i++)
        out->at[p->at[i]] = (int64_t)i;
}

attr_id perm_normal(const struct pool *pool, attr_id p)
{
    struct dims d;
    return dims_read(pool, p, &d) && dims_identity(&d) ? NO_ATTR : p;
}

attr_id perm_full(struct pool *pool, attr_id p, uint32_t rank)
{
    if (attr_len(pool, p) != 0 || rank == 0)
        return p;
    int64_t d[MAX_RANK];
    for (uint32_t i = 0; i < rank; i++)
        d[i] = (int64_t)i;
    return attr_make(pool, rank, d);
}

attr_id perm_compose(struct pool *pool, attr_id p, attr_id q)
{
    struct dims a, b, r;
    p = perm_normal(pool, p);
    q = perm_normal(pool, q);
    if (p.v == NO_ATTR.v)
        return q;
    if (q.v == NO_ATTR.v)
        return p;
    if (!dims_read(pool, p, &a) || !dims_read(pool, q, &b) || a.n != b.n ||
        !dims_through(&b, &a, &r))
        BUG("perm_compose: attributes %u and %u do not compose", p.v, q.v);
    return dims_identity(&r) ? NO_ATTR : attr_make(pool, r.n, r.at);
}

attr_id perm_inverse(struct pool *pool, attr_id p)
{
    struct dims a, r;
    p = perm_normal(pool, p);
    if (p.v == NO_ATTR.v)
        return p;
    if (!dims_read(pool, p, &a) || !dims_permutation(&a))
        BUG("perm_inverse: not a permutation");
    dims_inverse(&a, &r);
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

static struct term_view view_of(const struct terms *t, term_id id)
{
    const struct term *m = term_at(t, id);
    struct term_view v = {(enum op)m->op, m->attr, m->type, m->n_args, NO_TERM};
    if (v.n > 0)
        v.arg = term_args(t, id)[0];
    return v;
}

static bool is_tensor(const struct terms *t, term_id id)
{
    return type_is_tensor(t->pool, term_type(t, id));
}

static bool rewrite_compose(struct terms *t, const struct term_view *v, term_id *out)
{
    if (v->op != OP_TRANSPOSE || term_op(t, v->arg) != OP_TRANSPOSE)
        return false;
    struct term_view in = view_of(t, v->arg);
    struct dims p, q, r;
    if (!dims_read(t->pool, in.attr, &p) || !dims_read(t->pool, v->attr, &q) ||
        p.n != q.n || !dims_through(&q, &p, &r))
        return false;
    if (dims_identity(&r))
        *out = in.arg;
    else
        *out = term_make(t, OP_TRANSPOSE, attr_make(t->pool, r.n, r.at),
                         v->type, 1, &in.arg);
    return true;
}

static bool rewrite_identity(struct terms *t, const struct term_view *v,
                             term_id *out)
{
    struct dims p;
    if (v->op != OP_TRANSPOSE || !dims_read(t->pool, v->attr, &p) ||
        !dims_identity(&p))
        return false;
    *out = v->arg;
    return true;
}

// reduce over no dims is init op x for every element.
static bool reduces_nothing(const struct terms *t, term_id id)
{
    const struct pool *p = t->pool;
    const struct term *m = term_at(t, id);
    if (attr_len(p, m->attr) != 1 || m->n_args != 2)
        return false;
    enum op reducer = (enum op)attr_at(p, m->attr)[0];
    enum elem elem = type_elem(p, m->type);
    lit_id init = term_literal(t, term_args(t, id)[1]);
    if (init.v == NO_LIT.v || !op_is_reducer(reducer))
        return false;
    const struct literal *l = pool_literal(p, init);
    if (l->elem != elem || l->count != 1)
        return false;
    if (reducer == OP_ADD && elem_kind(elem) == KIND_FLOAT &&
        !elem_is_ideal(elem))
        return false;
    return scalar_same(elem, literal_get(p, init, 0),
                       reducer_unit(reducer, elem));
}

static bool rewrite_noop(struct terms *t, term_id id, const struct term_view *v,
                         term_id *out)
{
    bool same = false;
    struct dims d;
    switch (v->op) {
    case OP_BROADCAST_IN_DIM:
        same = dims_read(t->pool, v->attr, &d) && dims_identity(&d);
        break;
    case OP_REVERSE:
        same = attr_len(t->pool, v->attr) == 0;
        break;
    case OP_SLICE:
    case OP_PAD:
        same = type_rank(t->pool, v->type) == 0;
        break;
    case OP_CONCATENATE:
        same = v->n == 1;
        break;
    case OP_CONVERT:
        same = true;
        break;
    case OP_REDUCE:
        same = reduces_nothing(t, id);
        break;
    default:
        break;
    }
    if (!same || term_type(t, v->arg).v != v->type.v)
        return false;
    *out = v->arg;
    return true;
}

static bool rewrite_permute(struct terms *t, const struct term_view *v, term_id *out)
{
    struct dims d, p;
    if (v->op != OP_BROADCAST_IN_DIM || !dims_read(t->pool, v->attr, &d) ||
        d.n != type_rank(t->pool, v->type) || !dims_permutation(&d) ||
        dims_identity(&d))
        return false;
    const int64_t *from = type_dims(t->pool, term_type(t, v->arg));
    const int64_t *to = type_dims(t->pool, v->type);
    for (uint32_t i = 0; i < d.n; i++)
        if (from[i] != to[d.at[i]])
            return false;
    dims_inverse(&d, &p);
    *out = term_make(t, OP_TRANSPOSE, attr_make(t->pool, p.n, p.at), v->type, 1,
                     &v->arg);
    return true;
}

// Where each operand dimension of a broadcast or transpose goes.
static bool dims_forward(const struct terms *t, const struct term_view *v,
                         struct dims *out)
{
    struct dims p;
    if (v->op == OP_BROADCAST_IN_DIM)
        return dims_read(t->pool, v->attr, out);
    if (v->op != OP_TRANSPOSE || !dims_read(t->pool, v->attr, &p) ||
        !dims_permutation(&p))
        return false;
    dims_inverse(&p, out);
    return true;
}

static bool rewrite_fuse(struct terms *t, const struct term_view *v, term_id *out)
{
    struct dims inner, outer, both;
    if (v->op != OP_BROADCAST_IN_DIM && v->op != OP_TRANSPOSE)
        return false;
    struct term_view in = view_of(t, v->arg);
    if (in.op == OP_TRANSPOSE && v->op == OP_TRANSPOSE)
        return false; // COMPOSE
    if (!dims_forward(t, v, &outer) || !dims_forward(t, &in, &inner) ||
        !is_tensor(t, in.arg) || !dims_through(&inner, &outer, &both))
        return false;
    *out = term_make(t, OP_BROADCAST_IN_DIM,
                     attr_make(t->pool, both.n, both.at), v->type, 1, &in.arg);
    return true;
}

// The attributes of a gather or scatter of an operand of rank `of` without the
// dimension *dim of the indices along which vectors of one element stand.
static bool single_attr(const struct pool *p, const struct term_view *v, uint32_t of,
                        uint32_t rank, uint32_t *dim, uint32_t *n, int64_t *at)
{
    struct gather_attr g;
    struct scatter_attr s;
    const int64_t *attr = attr_at(p, v->attr), *batching;
    uint32_t n_batching, vector;
    *n = attr_len(p, v->attr);
    if (*n > SINGLE_MAX)
        return false;
    if (v->op == OP_GATHER) {
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

static bool rewrite_single(struct terms *t, term_id id, const struct term_view *v,
                           term_id *out)
{
    if (v->op != OP_GATHER && v->op != OP_SCATTER)
        return false;
    uint32_t dim, n, rank, len = 0;
    int64_t attr[SINGLE_MAX], dims[MAX_RANK];
    term_id args[3] = {NO_TERM, NO_TERM, NO_TERM};
    for (uint32_t k = 0; k < v->n && k < 3; k++)
        args[k] = term_args(t, id)[k];
    type_id by = term_type(t, args[1]), type;
    struct err e = {0};
    rank = type_rank(t->pool, by);
    if (!single_attr(t->pool, v, type_rank(t->pool, term_type(t, v->arg)), rank,
                     &dim, &n, attr) ||
        type_dims(t->pool, by)[dim] != 1)
        return false;
    for (uint32_t d = 0; d < rank; d++)
        if (d != dim)
            dims[len++] = type_dims(t->pool, by)[d];
    if (!type_tensor(t->pool, type_elem(t->pool, by), len, dims, &type, &e))
        return false;
    args[1] = term_make(t, OP_RESHAPE, NO_ATTR, type, 1, &args[1]);
    *out =
        term_make(t, v->op, attr_make(t->pool, n, attr), v->type, v->n, args);
    return true;
}

bool layout_rewrite(struct terms *t, term_id term, enum layout_kind kind,
                    term_id *out)
{
    struct term_view v = view_of(t, term);
    if (v.arg.v == NO_TERM.v || !type_is_tensor(t->pool, v.type) ||
        !is_tensor(t, v.arg))
        return false;
    switch (kind) {
    case LAYOUT_COMPOSE:
        return rewrite_compose(t, &v, out);
    case LAYOUT_IDENTITY:
        return rewrite_identity(t, &v, out);
    case LAYOUT_NOOP:
        return rewrite_noop(t, term, &v, out);
    case LAYOUT_PERMUTE:
        return rewrite_permute(t, &v, out);
    case LAYOUT_FUSE:
        return rewrite_fuse(t, &v, out);
    case LAYOUT_SINGLE:
        return rewrite_single(t, term, &v, out);
    case N_LAYOUTS:
        break;
    }
    return false;
}
