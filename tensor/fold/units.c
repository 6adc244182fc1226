// SPDX-License-Identifier: Apache-2.0
#include "tensor/fold/units.h"

enum { NOWHERE = -1 }; // of a size 1: it may go to any dimension

// Where each dimension of x goes.  Those of other sizes than 1 have a place, and the
// element at an index is x's at the numbers that stand there.
struct places {
    uint32_t n;
    int64_t at[TENSOR_MAX_RANK];
};

static enum op op_of(const struct terms *terms, term_id term)
{
    return (enum op)term_at(terms, term)->op;
}

static term_id operand_of(const struct terms *terms, term_id term)
{
    return term_args(terms, term)[0];
}

static uint32_t rank_of(const struct terms *terms, term_id term)
{
    return type_rank(terms->pool, term_type(terms, term));
}

static int64_t size_of(const struct terms *terms, term_id term, uint32_t d)
{
    return type_dims(terms->pool, term_type(terms, term))[d];
}

// The next dimension from d on whose size is not 1; the rank if there is none.
static uint32_t next_wide(const struct terms *terms, term_id term, uint32_t d)
{
    uint32_t rank = rank_of(terms, term);
    while (d < rank && size_of(terms, term, d) == 1)
        d++;
    return d;
}

// The first dimension from d on that has this size and `elements` elements before it, or the
// rank, with as many.
static bool behind(const struct terms *terms, term_id term, uint32_t d, int64_t elements,
                   int64_t size, uint32_t *out)
{
    uint32_t rank = rank_of(terms, term);
    int64_t n = 1;
    for (d = next_wide(terms, term, d); d < rank; d = next_wide(terms, term, d + 1)) {
        if (n == elements)
            break;
        n *= size_of(terms, term, d);
    }
    *out = d;
    return n == elements && (d == rank || size_of(terms, term, d) == size);
}

// A reshape that leaves the dimensions of the set `kept` as they are, but for sizes 1, which
// may come and go.  Between two of them the elements are as many as before.
static bool reshape_places(const struct terms *terms, term_id term, uint64_t kept,
                           struct places *out)
{
    term_id x = operand_of(terms, term);
    uint32_t rank = rank_of(terms, term), next = 0, to;
    int64_t between = 1;
    out->n = rank_of(terms, x);
    for (uint32_t d = 0; d < out->n; d++) {
        out->at[d] = NOWHERE;
        if ((kept >> d & 1) == 0) {
            between *= size_of(terms, x, d);
            continue;
        }
        if (!behind(terms, term, next, between, size_of(terms, x, d), &to) || to == rank)
            return false;
        out->at[d] = to;
        next = to + 1;
        between = 1;
    }
    return behind(terms, term, next, between, NOWHERE, &to) && to == rank;
}

static bool is_mover(enum op op)
{
    return op == OP_BROADCAST_IN_DIM || op == OP_TRANSPOSE;
}

// Of a broadcast or transpose.
static void mover_places(const struct terms *terms, term_id term, struct places *out)
{
    const struct term *node = term_at(terms, term);
    const int64_t *dims = attr_at(terms->pool, node->attr);
    term_id x = operand_of(terms, term);
    out->n = rank_of(terms, x);
    for (uint32_t d = 0; d < out->n; d++)
        if (node->op == OP_TRANSPOSE)
            out->at[dims[d]] = d;
        else
            out->at[d] = dims[d];
    for (uint32_t d = 0; d < out->n; d++)
        if (size_of(terms, x, d) == 1)
            out->at[d] = NOWHERE;
}

// The dimensions of x that have a place, as a set of the dimensions of the result.
static uint64_t places_set(const struct places *places)
{
    uint64_t set = 0;
    for (uint32_t d = 0; d < places->n; d++)
        if (places->at[d] != NOWHERE)
            set |= (uint64_t)1 << places->at[d];
    return set;
}

// All dimensions whose size is not 1.
static uint64_t wide_set(const struct terms *terms, term_id term)
{
    uint64_t set = 0;
    for (uint32_t d = next_wide(terms, term, 0); d < rank_of(terms, term);
         d = next_wide(terms, term, d + 1))
        set |= (uint64_t)1 << d;
    return set;
}

// Sizes 1 go to free dimensions of the result, in order if they can.
static bool places_fill(struct places *places, uint32_t rank)
{
    uint64_t used = places_set(places);
    int64_t last = -1;
    for (uint32_t d = 0; d < places->n; d++) {
        if (places->at[d] == NOWHERE) {
            uint32_t to = (uint32_t)(last + 1);
            while (to < rank && (used >> to & 1) != 0)
                to++;
            for (uint32_t k = 0; to == rank && k < rank; k++)
                if ((used >> k & 1) == 0)
                    to = k;
            if (to == rank)
                return false;
            places->at[d] = to;
            used |= (uint64_t)1 << to;
        }
        last = places->at[d];
    }
    return true;
}

bool units_regroup(struct terms *terms, term_id term, term_id *out)
{
    term_id inner = operand_of(terms, term);
    if (op_of(terms, term) != OP_RESHAPE || op_of(terms, inner) != OP_RESHAPE)
        return false;
    term_id x = operand_of(terms, inner);
    *out = term_make(terms, OP_RESHAPE, NO_ATTR, term_type(terms, term), 1, &x);
    return true;
}

static term_id broadcast_by(struct terms *terms, const struct places *places, term_id x,
                            type_id type)
{
    attr_id attr = attr_make(terms->pool, places->n, places->at);
    return term_make(terms, OP_BROADCAST_IN_DIM, attr, type, 1, &x);
}

// A reshape that adds or moves dimensions of size 1.
static bool units_added(struct terms *terms, term_id term, term_id *out)
{
    struct places places;
    term_id x = operand_of(terms, term);
    if (rank_of(terms, x) > rank_of(terms, term) ||
        term_type(terms, x).v == term_type(terms, term).v ||
        !reshape_places(terms, term, wide_set(terms, x), &places) ||
        !places_fill(&places, rank_of(terms, term)))
        return false;
    *out = broadcast_by(terms, &places, x, term_type(terms, term));
    return true;
}

bool units_rewrite(struct terms *terms, term_id term, term_id *out)
{
    struct places places;
    if (op_of(terms, term) == OP_RESHAPE)
        return units_added(terms, term, out);
    if (!is_mover(op_of(terms, term)))
        return false;
    mover_places(terms, term, &places);
    term_id x = operand_of(terms, term);
    uint32_t to = next_wide(terms, term, 0);
    for (uint32_t d = 0; d < places.n; d++) {
        if (places.at[d] == NOWHERE)
            continue;
        if (places.at[d] != to)
            return false;
        to = next_wide(terms, term, to + 1);
    }
    if (to != rank_of(terms, term))
        return false; // copies
    *out = term_make(terms, OP_RESHAPE, NO_ATTR, term_type(terms, term), 1, &x);
    return true;
}

bool units_stretch(struct terms *terms, term_id term, term_id *out)
{
    int64_t kept[TENSOR_MAX_RANK], to[TENSOR_MAX_RANK];
    uint32_t n = 0;
    type_id type;
    struct err err = {0};
    if (op_of(terms, term) != OP_BROADCAST_IN_DIM)
        return false;
    term_id x = operand_of(terms, term);
    const int64_t *dims = attr_at(terms->pool, term_at(terms, term)->attr);
    for (uint32_t d = 0; d < rank_of(terms, x); d++) {
        if (size_of(terms, x, d) == 1 && size_of(terms, term, (uint32_t)dims[d]) != 1)
            continue;
        kept[n] = size_of(terms, x, d);
        to[n++] = dims[d];
    }
    if (n == rank_of(terms, x) ||
        !type_tensor(terms->pool, type_elem(terms->pool, term_type(terms, x)), n, kept, &type,
                     &err))
        return false;
    term_id less = term_make(terms, OP_RESHAPE, NO_ATTR, type, 1, &x);
    *out = term_make(terms, OP_BROADCAST_IN_DIM, attr_make(terms->pool, n, to),
                     term_type(terms, term), 1, &less);
    return true;
}

bool units_spread(struct terms *terms, term_id term, term_id *out)
{
    struct places outer, inner;
    term_id middle = operand_of(terms, term);
    enum op op = op_of(terms, term), under = op_of(terms, middle);
    if (op == OP_RESHAPE && is_mover(under)) {
        mover_places(terms, middle, &inner);
        if (!reshape_places(terms, term, places_set(&inner), &outer))
            return false;
    } else if (is_mover(op) && under == OP_RESHAPE) {
        mover_places(terms, term, &outer);
        if (!reshape_places(terms, middle, wide_set(terms, operand_of(terms, middle)), &inner))
            return false;
    } else {
        return false;
    }
    term_id x = operand_of(terms, middle);
    for (uint32_t d = 0; d < inner.n; d++)
        if (inner.at[d] != NOWHERE)
            inner.at[d] = outer.at[inner.at[d]];
    if (!places_fill(&inner, rank_of(terms, term)))
        return false;
    *out = broadcast_by(terms, &inner, x, term_type(terms, term));
    return true;
}
