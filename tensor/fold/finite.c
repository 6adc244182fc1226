// SPDX-License-Identifier: Apache-2.0
#include "tensor/fold/finite.h"
#include "tensor/language/attr.h"
#include "tensor/eval/eval.h"

static bool finite_literal(const struct pool *p, lit_id l)
{
    const struct literal *lit = pool_literal(p, l);
    for (uint64_t i = 0; i < lit->count; i++) {
        double x = scalar_to_double(lit->elem, literal_get(p, l, i));
        if (!(x - x == 0.0)) // infinity or NaN
            return false;
    }
    return true;
}

// Does every element of the result combine at least one element of the input?
static bool reduces_some(const struct terms *t, const struct term *x)
{
    const int64_t *v = attr_at(t->pool, x->attr);
    const int64_t *dims =
        type_dims(t->pool, t->term.at[t->args.at[x->args_at].v].type);
    for (uint32_t i = 1; i < attr_len(t->pool, x->attr); i++)
        if (dims[v[i]] == 0)
            return false;
    return true;
}

// The same of reduce_window: does every window hold an element?
static bool windows_some(const struct terms *t, const struct term *x)
{
    struct window_attr a;
    type_id in = t->term.at[t->args.at[x->args_at].v].type;
    uint32_t rank = type_rank(t->pool, in);
    if (!window_attr_read(attr_len(t->pool, x->attr), attr_at(t->pool, x->attr),
                          rank, &a))
        return false;
    for (uint32_t i = 0; i < rank; i++) {
        struct window w = {.n = type_dims(t->pool, in)[i],
                           .size = a.size[i],
                           .stride = a.stride[i],
                           .low = a.low[i],
                           .high = a.high[i],
                           .base = a.base[i],
                           .dilation = a.dilation[i]};
        if (!window_full(&w, type_dims(t->pool, x->type)[i]))
            return false;
    }
    return true;
}

// A maximum from -inf, or minimum from inf, over some elements is one of them.
static bool init_is_idle(const struct terms *t, const struct term *x)
{
    if (x->op != OP_REDUCE && x->op != OP_REDUCE_WINDOW)
        return false;
    int64_t reducer = attr_at(t->pool, x->attr)[0];
    lit_id init = term_literal(t, t->args.at[x->args_at + 1]);
    if ((reducer != OP_MAXIMUM && reducer != OP_MINIMUM) || init.v == NO_LIT.v)
        return false;
    enum elem e = pool_literal(t->pool, init)->elem;
    return scalar_same(e, literal_get(t->pool, init, 0),
                       reducer_unit((enum op)reducer, e)) &&
           (x->op == OP_REDUCE ? reduces_some(t, x) : windows_some(t, x));
}

static bool compute(const struct finite *f, const struct terms *t, uint32_t id)
{
    const struct term *x = &t->term.at[id];
    if (!type_is_tensor(t->pool, x->type) ||
        elem_kind(type_elem(t->pool, x->type)) != KIND_FLOAT)
        return true;
    if (x->op == OP_CONSTANT)
        return finite_literal(t->pool, term_literal(t, (term_id){id}));
    if (x->op == OP_OPAQUE || x->op == OP_RESULT)
        return true;
    if (x->op == OP_BITCAST_CONVERT) {
        // Any bits may be those of an infinity.
        type_id in = t->term.at[t->args.at[x->args_at].v].type;
        if (type_elem(t->pool, in) != type_elem(t->pool, x->type))
            return false;
    }
    uint32_t n = init_is_idle(t, x) ? 1 : x->n_args;
    // Of predicates and integers every value is finite.
    for (uint32_t i = 0; i < n; i++)
        if (!f->known.at[t->args.at[x->args_at + i].v])
            return false;
    return true;
}

bool finite_term(struct finite *f, const struct terms *t, term_id id)
{
    while (f->known.len <= id.v) {
        uint8_t yes = compute(f, t, f->known.len);
        vec_push(&f->known, yes);
    }
    return f->known.at[id.v];
}

void finite_release(struct finite *f)
{
    vec_release(&f->known);
}
