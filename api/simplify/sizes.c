// SPDX-License-Identifier: Apache-2.0
// Programs with sizes "?": what sizes are made of stays in operations that StableHLO's own shape
// refinement evaluates (populateStablehloShapeFolderPatterns).  Else a program that JAX refines to
// known sizes, before it compiles it, would be one that it cannot refine.
#include "api/simplify/simplify.h"

#include "tensor/program/form.h"

// More than the operations that another one saves, and less than an operation on sizes "?".
#define SIZE_COST 1e8

bool simplify_has_sizes(const struct program *program)
{
    for (uint32_t i = 0; i < program->terms.term.len; i++)
        if (program->terms.term.at[i].op == OP_OPAQUE &&
            type_is_dynamic(program->pool, program->terms.term.at[i].type))
            return true;
    return false;
}

static bool is_refined(enum op op)
{
    static const enum op list[] = {
        OP_PARAMETER,        OP_RESULT,  OP_CONSTANT, OP_OPAQUE,      OP_ADD,     OP_AND,
        OP_BROADCAST_IN_DIM, OP_CLAMP,   OP_COMPARE,  OP_CONCATENATE, OP_CONVERT, OP_DIVIDE,
        OP_DYNAMIC_SLICE,    OP_MAXIMUM, OP_MINIMUM,  OP_MULTIPLY,    OP_OR,      OP_REMAINDER,
        OP_RESHAPE,          OP_SELECT,  OP_SIGN,     OP_SLICE,       OP_SUBTRACT};
    bool refined = false;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        refined |= list[i] == op;
    return refined;
}

// Sizes, and what is asked of them, are whole numbers and truth values: single ones, or a few.
static bool may_be_size(const struct pool *pool, type_id type)
{
    if (!type_is_tensor(pool, type) || type_rank(pool, type) > 1 ||
        type_count(pool, type) > 2 * TENSOR_MAX_RANK)
        return false;
    enum elem_kind kind = elem_kind(type_elem(pool, type));
    return kind == KIND_SINT || kind == KIND_UINT || kind == KIND_BOOL;
}

double simplify_size_cost(const struct terms *terms, term_id id)
{
    bool spoils = may_be_size(terms->pool, term_type(terms, id)) && !is_refined(term_op(terms, id));
    return spoils ? SIZE_COST : 0;
}
