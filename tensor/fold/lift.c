// SPDX-License-Identifier: Apache-2.0
#include "tensor/fold/lift.h"

bool lift_is_scalar(const struct terms *terms, term_id node, term_id operand)
{
    return type_rank(terms->pool, term_type(terms, operand)) == 0 &&
           type_rank(terms->pool, term_type(terms, node)) > 0;
}

bool lift_is_splat(const struct terms *terms, term_id term)
{
    lit_id literal = term_literal(terms, term);
    return literal.v != NO_LIT.v && pool_literal(terms->pool, literal)->splat;
}

// The type whose transpose by the permutation has the dimensions of `type`, and the
// elements of `elem`.
static bool type_before(struct pool *pool, type_id type, attr_id permutation, enum elem elem,
                        type_id *out)
{
    int64_t before[TENSOR_MAX_RANK];
    const int64_t *dims = type_dims(pool, type), *perm = attr_at(pool, permutation);
    uint32_t rank = type_rank(pool, type);
    struct err err = {0};
    for (uint32_t i = 0; i < rank; i++)
        before[perm[i]] = dims[i];
    return type_tensor(pool, elem, rank, before, out, &err);
}

// The one permutation of the operands that are transposes.  False if an operand is
// neither a transpose by it, nor a scalar, nor a splat, or if none is a transpose.
static bool common_permutation(const struct terms *terms, term_id node, attr_id *out)
{
    *out = NO_ATTR;
    for (uint32_t i = 0; i < term_at(terms, node)->n_args; i++) {
        term_id arg = term_args(terms, node)[i];
        if (lift_is_scalar(terms, node, arg) || lift_is_splat(terms, arg))
            continue;
        attr_id perm = term_at(terms, arg)->attr;
        if (term_op(terms, arg) != OP_TRANSPOSE || (out->v != NO_ATTR.v && out->v != perm.v))
            return false;
        *out = perm;
    }
    return out->v != NO_ATTR.v;
}

// The operand without the transpose.
static bool operand_before(struct terms *terms, term_id node, term_id arg, attr_id perm,
                           term_id *out)
{
    *out = arg;
    if (lift_is_scalar(terms, node, arg))
        return true;
    if (term_op(terms, arg) == OP_TRANSPOSE) {
        *out = term_args(terms, arg)[0];
        return true;
    }
    type_id type = term_type(terms, arg);
    if (!type_before(terms->pool, type, perm, type_elem(terms->pool, type), &type))
        return false;
    *out = term_constant(terms, term_literal(terms, arg), type);
    return true;
}

bool layout_lift(struct terms *terms, term_id term, term_id *out)
{
    struct term node = *term_at(terms, term);
    term_id args[3];
    attr_id perm;
    type_id type;
    if (!op_is_elementwise((enum op)node.op) || node.n_args > 3 ||
        !common_permutation(terms, term, &perm) ||
        attr_len(terms->pool, perm) != type_rank(terms->pool, node.type) ||
        !type_before(terms->pool, node.type, perm, type_elem(terms->pool, node.type), &type))
        return false;
    for (uint32_t i = 0; i < node.n_args; i++)
        if (!operand_before(terms, term, term_args(terms, term)[i], perm, &args[i]))
            return false;
    term_id lifted = term_make(terms, (enum op)node.op, node.attr, type, node.n_args, args);
    *out = term_make(terms, OP_TRANSPOSE, perm, node.type, 1, &lifted);
    return true;
}

bool layout_scalars(struct terms *terms, term_id term, term_id *out)
{
    struct term node = *term_at(terms, term);
    bool any = false;
    term_id args[3];
    int64_t dims[TENSOR_MAX_RANK]; // copied: interning moves them
    uint32_t rank = type_rank(terms->pool, node.type);
    if ((node.op != OP_SELECT && node.op != OP_CLAMP) || node.n_args != 3)
        return false;
    memcpy(dims, type_dims(terms->pool, node.type), rank * sizeof *dims);
    for (uint32_t i = 0; i < 3; i++) {
        args[i] = term_args(terms, term)[i];
        if (!lift_is_scalar(terms, term, args[i]))
            continue;
        struct err err = {0};
        type_id type;
        enum elem elem = type_elem(terms->pool, term_type(terms, args[i]));
        if (!type_tensor(terms->pool, elem, rank, dims, &type, &err))
            return false;
        args[i] = term_make(terms, OP_BROADCAST_IN_DIM, attr_make(terms->pool, 0, NULL), type, 1,
                            &args[i]);
        any = true;
    }
    *out = term_make(terms, (enum op)node.op, node.attr, node.type, 3, args);
    return any;
}
