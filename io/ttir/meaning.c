// SPDX-License-Identifier: Apache-2.0
// Plain values, pointers, block pointers and descriptors.
#include "io/ttir/reader.h"

struct ttir_meaning ttir_of(const struct ttir_reader *reader, code_value value)
{
    return (struct ttir_meaning){
        .type = {.kind = TTIR_PLAIN, .type = code_node(reader->out, value)->type},
        .value = value,
        .offset = NO_CODE,
        .choice = NO_CODE,
    };
}

struct ttir_meaning ttir_unknown(struct ttir_reader *reader, struct ttir_type type,
                                 const char *reason, struct code_place place)
{
    struct ttir_meaning meaning = {
        .type = type, .value = NO_CODE, .offset = NO_CODE, .choice = NO_CODE};
    if (type.kind == TTIR_PLAIN) {
        meaning.value = code_opaque(reader->out, type.type, reason, place);
        return meaning;
    }
    meaning.type.kind = TTIR_UNKNOWN;
    meaning.reason = intern_str(&reader->out->names, reason);
    return meaning;
}

void ttir_declared(const struct ttir_operation *operation, uint32_t n, struct ttir_type *out)
{
    // Without an arrow the types of several operands end with that of the result.
    uint32_t first = operation->arrow                    ? operation->n_types
                     : n == 1 && operation->type.len > 0 ? operation->type.len - 1
                                                         : 0;
    uint32_t there = operation->type.len - first;
    for (uint32_t i = 0; i < n; i++) {
        out[i] = (struct ttir_type){.kind = TTIR_UNKNOWN};
        if (i < there)
            out[i] = operation->type.at[first + i];
        else if (there > 0)
            out[i] = operation->type.at[first + there - 1];
    }
}

static code_value zero(struct ttir_reader *reader, const struct code_type *shape)
{
    struct code_type type = code_shaped(code_scalar(CODE_INT, 64), shape);
    return code_integer(reader->out, type, 0);
}

uint32_t ttir_moving(struct ttir_reader *reader, struct ttir_meaning *meaning, code_value *out[])
{
    uint32_t rank = meaning->type.type.rank;
    switch (meaning->type.kind) {
    case TTIR_PLAIN:
        out[0] = &meaning->value;
        return 1;
    case TTIR_POINTER:
        if (meaning->offset == NO_CODE)
            meaning->offset = zero(reader, &meaning->type.type);
        out[0] = &meaning->offset;
        return 1;
    case TTIR_BLOCK:
        for (uint32_t d = 0; d < rank; d++)
            out[d] = &meaning->part[2 * rank + d];
        return rank;
    default:
        return 0;
    }
}

bool ttir_fixed_same(const struct ttir_meaning *a, const struct ttir_meaning *b)
{
    if (a->type.kind != b->type.kind || !code_type_same(&a->type.type, &b->type.type))
        return false;
    if (a->type.kind == TTIR_PLAIN || a->type.kind == TTIR_UNKNOWN)
        return true;
    if (a->n != b->n || memcmp(a->array, b->array, a->n * sizeof *a->array) != 0 ||
        a->choice != b->choice)
        return false;
    if (a->type.kind == TTIR_POINTER)
        return true;
    return a->offset == b->offset &&
           memcmp(a->part, b->part, 2 * a->type.type.rank * sizeof *a->part) == 0;
}

// Adds the arrays of b to those of a, ascending.
static bool add_arrays(struct ttir_meaning *a, const struct ttir_meaning *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t k = 0;
        while (k < a->n && a->array[k] < b->array[i])
            k++;
        if (k < a->n && a->array[k] == b->array[i])
            continue;
        if (a->n == TTIR_ARRAYS)
            return false;
        memmove(a->array + k + 1, a->array + k, (a->n - k) * sizeof *a->array);
        a->array[k] = b->array[i];
        a->n++;
    }
    return true;
}

static void choose(struct ttir_reader *reader, struct ttir_meaning *a)
{
    struct code_type type = code_shaped(code_scalar(CODE_INT, 32), &a->type.type);
    if (a->choice == NO_CODE)
        a->choice = code_integer(reader->out, type, a->array[0]);
}

bool ttir_unite(struct ttir_reader *reader, struct ttir_meaning *a, struct ttir_meaning *b)
{
    if (a->type.kind != b->type.kind || !code_type_same(&a->type.type, &b->type.type))
        return false;
    if (a->type.kind != TTIR_POINTER || ttir_fixed_same(a, b))
        return ttir_fixed_same(a, b);
    choose(reader, a);
    choose(reader, b);
    struct ttir_meaning united = *a;
    if (!add_arrays(&united, b))
        return false;
    memcpy(a->array, united.array, sizeof a->array);
    memcpy(b->array, united.array, sizeof b->array);
    a->n = b->n = united.n;
    return true;
}
