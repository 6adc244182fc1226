// SPDX-License-Identifier: Apache-2.0
// Nodes that the text asks for: their types are tested.
#include "io/ttir/reader.h"
#include "loops/program/typing.h"

bool ttir_node(struct ttir_reader *reader, const struct ttir_operation *operation, enum code_op op,
               struct code_type type, int64_t number, uint32_t n, const code_value *operands,
               code_value *out)
{
    if (!code_fits(reader->out, op, &type, number, n, operands))
        return ttir_malformed(reader, operation, "operands and results of types that fit");
    if (reader->out->node.len >= CODE_NODES)
        return mlir_fail(&reader->mlir, operation->at, "the kernel has over %d values", CODE_NODES);
    *out = code_make(reader->out, op, type, number, n, operands, ttir_here(reader, operation));
    return true;
}

code_value ttir_widen(struct ttir_reader *reader, code_value value, unsigned bits,
                      struct code_place place)
{
    struct code_type type = code_node(reader->out, value)->type;
    if (type.bits == bits)
        return value;
    type.bits = (uint8_t)bits;
    return code_make(reader->out, CODE_CONVERT, type, 0, 1, &value, place);
}

code_value ttir_both(struct ttir_reader *reader, code_value mask, code_value other,
                     struct code_place place)
{
    if (mask == NO_CODE)
        return other;
    if (other == NO_CODE)
        return mask;
    return code_binary(reader->out, CODE_AND, mask, other, place);
}
