// SPDX-License-Identifier: Apache-2.0
#include "tensor/fold/finite.h"

#include "tensor/program/region.h"
#include "tensor/language/attr.h"
#include "tensor/eval/eval.h"

static bool finite_literal(const struct pool *pool, lit_id literal)
{
    const struct literal *lit = pool_literal(pool, literal);
    for (uint64_t i = 0; i < lit->count; i++) {
        double x = scalar_to_double(lit->elem, literal_get(pool, literal, i));
        if (!(x - x == 0.0)) // infinity or NaN
            return false;
    }
    return true;
}

// Does every element of the result combine at least one element of the input?
static bool reduces_some(const struct terms *terms, const struct term *node)
{
    const int64_t *v = attr_at(terms->pool, node->attr);
    const int64_t *dims =
        type_dims(terms->pool, terms->term.at[terms->args.at[node->args_at].v].type);
    for (uint32_t i = 1; i < attr_len(terms->pool, node->attr); i++)
        if (dims[v[i]] == 0)
            return false;
    return true;
}

// Does every window of a reduce_window hold an element?
static bool windows_some(const struct terms *terms, const struct term *node)
{
    struct window_attr attr;
    type_id in = terms->term.at[terms->args.at[node->args_at].v].type;
    uint32_t rank = type_rank(terms->pool, in);
    if (!window_attr_read(attr_len(terms->pool, node->attr), attr_at(terms->pool, node->attr), rank,
                          &attr))
        return false;
    for (uint32_t i = 0; i < rank; i++) {
        struct window window = {.n = type_dims(terms->pool, in)[i],
                                .size = attr.size[i],
                                .stride = attr.stride[i],
                                .low = attr.low[i],
                                .high = attr.high[i],
                                .base = attr.base[i],
                                .dilation = attr.dilation[i]};
        if (!window_full(&window, type_dims(terms->pool, node->type)[i]))
            return false;
    }
    return true;
}

// A maximum from -inf, or a minimum from inf, over at least one element is an element.
static bool init_is_idle(const struct terms *terms, const struct term *node)
{
    if (node->op != OP_REDUCE && node->op != OP_REDUCE_WINDOW)
        return false;
    int64_t reducer = attr_at(terms->pool, node->attr)[0];
    lit_id init = term_literal(terms, terms->args.at[node->args_at + 1]);
    if ((reducer != OP_MAXIMUM && reducer != OP_MINIMUM) || init.v == NO_LIT.v)
        return false;
    enum elem elem = pool_literal(terms->pool, init)->elem;
    return scalar_same(elem, literal_get(terms->pool, init, 0),
                       reducer_unit((enum op)reducer, elem)) &&
           (node->op == OP_REDUCE ? reduces_some(terms, node) : windows_some(terms, node));
}

// Of a parameter, an opaque operation or its result: has it a region that is not finite?
static bool region_infinite(const struct finite *memo, const struct terms *terms, uint32_t id)
{
    uint32_t region;
    if (term_op(terms, (term_id){id}) == OP_RESULT)
        id = term_args(terms, (term_id){id})[0].v;
    if (term_op(terms, (term_id){id}) == OP_PARAMETER)
        region = scope_region(scope_of_leaf(terms, (term_id){id}));
    else
        region = opaque_view(terms, (term_id){id}).region;
    return region < memo->infinite.len && memo->infinite.at[region] != 0;
}

static bool compute(const struct finite *memo, const struct terms *terms, uint32_t id)
{
    const struct term *node = &terms->term.at[id];
    if (!type_is_tensor(terms->pool, node->type) ||
        elem_kind(type_elem(terms->pool, node->type)) != KIND_FLOAT)
        return true;
    if (node->op == OP_CONSTANT)
        return finite_literal(terms->pool, term_literal(terms, (term_id){id}));
    if (node->op == OP_OPAQUE || node->op == OP_RESULT || node->op == OP_PARAMETER)
        return !region_infinite(memo, terms, id);
    if (node->op == OP_BITCAST_CONVERT) {
        // The bits of another type may be the bits of an infinity.
        type_id in = terms->term.at[terms->args.at[node->args_at].v].type;
        if (type_elem(terms->pool, in) != type_elem(terms->pool, node->type))
            return false;
    }
    uint32_t n = init_is_idle(terms, node) ? 1 : node->n_args;
    // Of predicates and integers every value is finite.
    for (uint32_t i = 0; i < n; i++)
        if (!memo->known.at[terms->args.at[node->args_at + i].v])
            return false;
    return true;
}

bool finite_term(struct finite *memo, const struct terms *terms, term_id id)
{
    while (memo->known.len <= id.v) {
        uint8_t yes = compute(memo, terms, memo->known.len);
        vec_push(&memo->known, yes);
    }
    return memo->known.at[id.v];
}

// Marks the regions that an argument which is not finite reaches.
static bool mark_regions(struct finite *memo, const struct terms *terms)
{
    bool news = false;
    for (uint32_t i = 0; i < terms->term.len; i++) {
        if (term_op(terms, (term_id){i}) != OP_OPAQUE)
            continue;
        uint32_t region = opaque_view(terms, (term_id){i}).region;
        bool all = true;
        for (uint32_t k = 0; region != NO_REGION && k < term_at(terms, (term_id){i})->n_args; k++)
            all &= finite_term(memo, terms, term_args(terms, (term_id){i})[k]);
        if (all)
            continue;
        while (memo->infinite.len <= region)
            vec_push(&memo->infinite, 0);
        news |= memo->infinite.at[region] == 0;
        memo->infinite.at[region] = 1;
    }
    return news;
}

void finite_regions(struct finite *memo, const struct terms *terms)
{
    while (mark_regions(memo, terms))
        vec_clear(&memo->known);
    vec_clear(&memo->known);
}

void finite_release(struct finite *memo)
{
    vec_release(&memo->infinite);
    vec_release(&memo->known);
}
