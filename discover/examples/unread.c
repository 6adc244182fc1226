// SPDX-License-Identifier: Apache-2.0
// Operations that no rule says anything of, as a sort.  What such an operation gives is a tensor
// like an argument, so a rule about the rest of the programs is learned; it must stand in both.
#include "discover/examples/core.h"
#include "tensor/program/region.h"

bool tree_operands(const struct terms *terms, term_id term, uint32_t *n)
{
    enum op op = term_op(terms, term);
    *n = term_at(terms, term)->n_args;
    switch (op) {
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_REDUCE_WINDOW:
    case OP_DOT_GENERAL:
    case OP_RESHAPE:
    case OP_BROADCAST_IN_DIM:
    case OP_IOTA:
        ELEMENTWISE_CASES
        return true;
    case OP_DYNAMIC_SLICE:
        *n = 1;
        return true;
    case OP_DYNAMIC_UPDATE_SLICE:
        *n = 2;
        return true;
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_CONVOLUTION:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_BITCAST_CONVERT:
        OUTSIDE_CASES
        break;
    }
    return false;
}

const char *unread_name(struct pair *pair, term_id term)
{
    enum op op = term_op(pair->terms, term);
    if (op == OP_RESULT)
        return unread_name(pair, term_args(pair->terms, term)[0]);
    if (op != OP_OPAQUE)
        return op_name(op);
    const char *text = sym_text(pair->terms->pool, opaque_view(pair->terms, term).text);
    text += *text == '"';
    return pair_text(pair, "%.*s", (int)strcspn(text, " (<{\""), text);
}

bool unread_fails(struct pair *pair, uint32_t known)
{
    for (uint32_t i = known; i < pair->tensors.len; i++) {
        term_id term = pair->tensors.at[i].term;
        uint32_t n;
        enum op op = term_op(pair->terms, term);
        if (op != OP_PARAMETER && op != OP_CONSTANT && !tree_operands(pair->terms, term, &n))
            return pair_fails(pair,
                              "no rule is learned of %s, and what it gives in the program after "
                              "does not stand in the program before",
                              unread_name(pair, term));
    }
    return pair_fails(pair, "the program after uses a value that the program before does not");
}
