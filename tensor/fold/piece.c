// SPDX-License-Identifier: Apache-2.0
#include "tensor/fold/piece.h"
#include "tensor/language/attr.h"

struct piece {
    uint32_t rank;
    int64_t size[TENSOR_MAX_RANK];
    uint32_t number[TENSOR_MAX_RANK]; // place of the start in the index vector + 1; 0: starts at 0
};

// The gather reads one piece: its indices are a vector along their only dimension, or one number.
static bool piece_read(const struct terms *terms, term_id term, struct piece *out)
{
    const struct pool *pool = terms->pool;
    const struct term *node = term_at(terms, term);
    const term_id *args = term_args(terms, term);
    uint32_t by = type_rank(pool, term_type(terms, args[1]));
    struct gather_attr gather;
    out->rank = type_rank(pool, term_type(terms, args[0]));
    if (!gather_attr_read(attr_len(pool, node->attr), attr_at(pool, node->attr), out->rank,
                          &gather) ||
        gather.n_batching > 0 || by > 1 || gather.index_vector_dim != 0)
        return false;
    for (uint32_t d = 0; d < out->rank; d++) {
        out->size[d] = gather.size[d];
        out->number[d] = 0;
    }
    for (uint32_t i = 0; i < gather.n_map; i++)
        out->number[gather.map[i]] = i + 1;
    return true;
}

// The starts along all dimensions, as constants.
static void piece_starts(struct terms *terms, const struct piece *piece, lit_id starts,
                         type_id number, term_id *out)
{
    struct pool *pool = terms->pool;
    enum elem elem = type_elem(pool, number);
    for (uint32_t d = 0; d < piece->rank; d++) {
        struct scalar start = scalar_of_int(elem, 0);
        if (piece->number[d] > 0)
            start = literal_get(pool, starts, piece->number[d] - 1);
        out[d] = term_constant(terms, literal_splat(pool, elem, start), number);
    }
}

bool piece_rewrite(struct terms *terms, term_id term, term_id *out)
{
    struct piece piece;
    struct pool *pool = terms->pool;
    term_id args[1 + TENSOR_MAX_RANK];
    type_id type = term_type(terms, term), number, whole;
    struct err err = {0};
    if (term_op(terms, term) != OP_GATHER || !piece_read(terms, term, &piece))
        return false;
    term_id by = term_args(terms, term)[1];
    lit_id starts = term_literal(terms, by);
    if (starts.v == NO_LIT.v ||
        !type_tensor(pool, type_elem(pool, term_type(terms, by)), 0, NULL, &number, &err) ||
        !type_tensor(pool, type_elem(pool, type), piece.rank, piece.size, &whole, &err))
        return false;
    args[0] = term_args(terms, term)[0];
    piece_starts(terms, &piece, starts, number, args + 1);
    attr_id attr = attr_make(pool, piece.rank, piece.size);
    term_id slice = term_make(terms, OP_DYNAMIC_SLICE, attr, whole, 1 + piece.rank, args);
    *out = whole.v == type.v ? slice : term_make(terms, OP_RESHAPE, NO_ATTR, type, 1, &slice);
    return true;
}
