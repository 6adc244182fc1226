// SPDX-License-Identifier: Apache-2.0
#include "tensor/finite.h"

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
    uint32_t n = x->n_args;
    if (x->op == OP_REDUCE) {
        int64_t reducer = attr_at(t->pool, x->attr)[0];
        if ((reducer == OP_MAXIMUM || reducer == OP_MINIMUM) &&
            reduces_some(t, x))
            n = 1; // the initial value does not matter
    }
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
