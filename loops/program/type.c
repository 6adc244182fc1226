// SPDX-License-Identifier: Apache-2.0
#include "loops/program/type.h"
#include <string.h>

struct code_type code_scalar(enum code_kind kind, unsigned bits)
{
    return (struct code_type){.kind = (uint8_t)kind, .bits = (uint8_t)bits};
}

struct code_type code_shaped(struct code_type element, const struct code_type *shape)
{
    element.rank = shape->rank;
    memcpy(element.extent, shape->extent, sizeof element.extent);
    return element;
}

bool code_shape_same(const struct code_type *a, const struct code_type *b)
{
    return a->rank == b->rank && memcmp(a->extent, b->extent, sizeof a->extent) == 0;
}

bool code_type_same(const struct code_type *a, const struct code_type *b)
{
    return a->kind == b->kind && a->bits == b->bits && code_shape_same(a, b);
}

uint64_t code_elements(const struct code_type *type)
{
    uint64_t n = 1;
    for (uint32_t d = 0; d < type->rank; d++)
        n *= type->extent[d];
    return n;
}

void code_type_print(const struct code_type *type, struct buf *out)
{
    if (type->kind == CODE_BOOL)
        buf_puts(out, "bool");
    else
        buf_printf(out, "%s%u", type->kind == CODE_INT ? "i" : "real", type->bits);
    for (uint32_t d = 0; d < type->rank; d++)
        buf_printf(out, "[%u]", type->extent[d]);
}
