// SPDX-License-Identifier: Apache-2.0
#include "loops/program/typing.h"

struct typing {
    const struct code_program *program;
    enum code_op op;
    const struct code_type *type; // of the result
    int64_t number;
    uint32_t n;
    const code_value *operands;
};

static const struct code_type *type_of(const struct typing *t, uint32_t which)
{
    return &t->program->node.at[t->operands[which]].type;
}

static bool kind_is(const struct code_type *type, enum code_kind kind)
{
    return type->kind == kind;
}

static bool element_same(const struct code_type *a, const struct code_type *b)
{
    return a->kind == b->kind && a->bits == b->bits;
}

// All operands and the result have one type of this kind, or of one of two kinds.
static bool all_same(const struct typing *t, enum code_kind a, enum code_kind b)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (!code_type_same(type_of(t, i), t->type))
            return false;
    return kind_is(t->type, a) || kind_is(t->type, b);
}

static bool comparison(const struct typing *t)
{
    const struct code_type *a = type_of(t, 0);
    bool is_unsigned = t->op == CODE_UNSIGNED_LESS || t->op == CODE_UNSIGNED_LESS_EQUAL;
    bool order = t->op == CODE_LESS || t->op == CODE_LESS_EQUAL;
    return code_type_same(a, type_of(t, 1)) && kind_is(t->type, CODE_BOOL) &&
           code_shape_same(a, t->type) && !(is_unsigned && !kind_is(a, CODE_INT)) &&
           !(order && kind_is(a, CODE_BOOL));
}

static bool select_fits(const struct typing *t)
{
    return kind_is(type_of(t, 0), CODE_BOOL) && code_shape_same(type_of(t, 0), t->type) &&
           code_type_same(type_of(t, 1), t->type) && code_type_same(type_of(t, 2), t->type);
}

static bool conversion(const struct typing *t)
{
    const struct code_type *a = type_of(t, 0);
    if (!code_shape_same(a, t->type))
        return false;
    switch (t->op) {
    case CODE_CONVERT:
        return !kind_is(t->type, CODE_BOOL);
    case CODE_UNSIGNED_CONVERT:
        return kind_is(a, CODE_INT) && !kind_is(t->type, CODE_BOOL);
    case CODE_TRUNCATE:
        return kind_is(a, CODE_INT) && !kind_is(t->type, CODE_REAL) && t->type->bits < a->bits;
    default: // CODE_BITCAST
        return a->bits == t->type->bits;
    }
}

static bool power_fits(const struct typing *t)
{
    const struct code_type *a = type_of(t, 0), *b = type_of(t, 1);
    return kind_is(a, CODE_REAL) && code_type_same(a, t->type) && code_shape_same(a, b) &&
           (kind_is(b, CODE_INT) || code_type_same(a, b));
}

static bool call_fits(const struct typing *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (!code_shape_same(type_of(t, i), t->type))
            return false;
    return true;
}

static bool lane_fits(const struct typing *t)
{
    switch (t->op) {
    case CODE_ADD:
    case CODE_SUBTRACT:
    case CODE_MULTIPLY:
    case CODE_DIVIDE:
    case CODE_REMAINDER:
    case CODE_MINIMUM:
    case CODE_MAXIMUM:
    case CODE_NEGATE:
    case CODE_ABS:
        return all_same(t, CODE_INT, CODE_REAL);
    case CODE_AND:
    case CODE_OR:
    case CODE_XOR:
        return all_same(t, CODE_INT, CODE_BOOL);
    case CODE_NOT:
        return all_same(t, CODE_BOOL, CODE_BOOL);
    case CODE_SELECT:
        return select_fits(t);
    case CODE_POWER:
        return power_fits(t);
    case CODE_CALL:
        return call_fits(t);
    default:
        break;
    }
    if (t->op >= CODE_EQUAL && t->op <= CODE_UNSIGNED_LESS_EQUAL)
        return comparison(t);
    if (t->op >= CODE_CONVERT && t->op <= CODE_BITCAST)
        return conversion(t);
    bool integers = t->op >= CODE_SHIFT_LEFT && t->op <= CODE_UNSIGNED_HIGH;
    return all_same(t, integers ? CODE_INT : CODE_REAL, integers ? CODE_INT : CODE_REAL);
}

// ---- lanes in other places

static bool stretch_fits(const struct typing *t)
{
    const struct code_type *a = type_of(t, 0);
    for (uint32_t d = 0; d < a->rank; d++)
        if (a->extent[d] != 1 && a->extent[d] != t->type->extent[d])
            return false;
    return a->rank == t->type->rank;
}

static bool expand_fits(const struct typing *t)
{
    struct code_type a = *type_of(t, 0);
    if (t->number < 0 || t->number > a.rank || a.rank == CODE_RANK)
        return false;
    uint32_t axis = (uint32_t)t->number;
    for (uint32_t d = a.rank; d > axis; d--)
        a.extent[d] = a.extent[d - 1];
    a.extent[axis] = 1;
    a.rank++;
    return code_shape_same(&a, t->type);
}

static bool transpose_fits(const struct typing *t)
{
    const struct code_type *a = type_of(t, 0);
    uint32_t seen = 0;
    if (a->rank != t->type->rank)
        return false;
    for (uint32_t d = 0; d < a->rank; d++) {
        uint32_t from = (uint32_t)(t->number >> (4 * d)) & 15;
        if (from >= a->rank || (seen >> from & 1) || t->type->extent[d] != a->extent[from])
            return false;
        seen |= 1u << from;
    }
    return true;
}

// `joined` is `part` with a last axis of extent 2.
static bool has_last_pair(const struct code_type *joined, struct code_type part)
{
    if (part.rank == CODE_RANK)
        return false;
    part.extent[part.rank++] = 2;
    return code_shape_same(joined, &part);
}

static bool gather_fits(const struct typing *t)
{
    const struct code_type *source = type_of(t, 0), *index = type_of(t, 1);
    if (source->rank != index->rank || t->number < 0 || t->number >= source->rank)
        return false;
    for (uint32_t d = 0; d < source->rank; d++)
        if (d != (uint32_t)t->number && source->extent[d] != index->extent[d])
            return false;
    return kind_is(index, CODE_INT) && code_shape_same(index, t->type);
}

static bool move_fits(const struct typing *t)
{
    const struct code_type *a = type_of(t, 0);
    if (!element_same(a, t->type))
        return false;
    switch (t->op) {
    case CODE_SPLAT:
        return a->rank == 0;
    case CODE_STRETCH:
        return stretch_fits(t);
    case CODE_EXPAND:
        return expand_fits(t);
    case CODE_TRANSPOSE:
        return transpose_fits(t);
    case CODE_JOIN:
        return code_type_same(a, type_of(t, 1)) && has_last_pair(t->type, *a);
    case CODE_SPLIT:
        return has_last_pair(a, *t->type) && (t->number == 0 || t->number == 1);
    case CODE_GATHER:
        return gather_fits(t);
    default: // CODE_RESHAPE, CODE_SHUFFLE
        return code_elements(a) == code_elements(t->type);
    }
}

// ---- folds and memory

static bool dot_fits(const struct typing *t)
{
    const struct code_type *a = type_of(t, 0), *b = type_of(t, 1), *c = t->type;
    uint32_t r = a->rank;
    if ((r != 2 && r != 3) || b->rank != r || c->rank != r || !kind_is(a, b->kind) ||
        !kind_is(a, c->kind) || kind_is(a, CODE_BOOL))
        return false;
    if (r == 3 && (a->extent[0] != b->extent[0] || a->extent[0] != c->extent[0]))
        return false;
    return a->extent[r - 1] == b->extent[r - 2] && c->extent[r - 2] == a->extent[r - 2] &&
           c->extent[r - 1] == b->extent[r - 1];
}

static bool fold_fits(const struct typing *t)
{
    uint64_t region = (uint64_t)t->number >> 3;
    uint32_t which = (uint32_t)t->number & 7;
    if (t->number < 0 || region >= t->program->region.len)
        return false;
    const struct code_region *r = &t->program->region.at[region];
    if (r->n != t->n || which >= r->n)
        return false;
    struct code_type shape = *type_of(t, 0);
    for (uint32_t i = 1; i < t->n; i++)
        if (!code_shape_same(&shape, type_of(t, i)))
            return false;
    if (r->axis >= shape.rank || !element_same(type_of(t, which), t->type))
        return false;
    if (t->op == CODE_SCAN)
        return code_shape_same(&shape, t->type);
    for (uint32_t d = r->axis; d + 1 < shape.rank; d++)
        shape.extent[d] = shape.extent[d + 1];
    shape.extent[--shape.rank] = 0;
    return code_shape_same(&shape, t->type);
}

static bool memory_fits(const struct typing *t)
{
    if (t->number < 0 || t->number >= t->program->parameter.len)
        return false;
    const struct code_parameter *array = &t->program->parameter.at[t->number];
    uint32_t mask = t->op == CODE_READ ? 1 : 2;
    if (!array->array || !element_same(&array->type, t->type) ||
        !kind_is(type_of(t, 0), CODE_INT) || !code_shape_same(type_of(t, 0), t->type))
        return false;
    if (t->n > mask &&
        (!kind_is(type_of(t, mask), CODE_BOOL) || !code_shape_same(type_of(t, mask), t->type)))
        return false;
    uint32_t value = t->op == CODE_READ ? 2 : 1;
    return t->n <= value || code_type_same(type_of(t, value), t->type);
}

static bool leaf_fits(const struct typing *t)
{
    switch (t->op) {
    case CODE_PARAMETER:
        return t->number >= 0 && t->number < t->program->parameter.len &&
               !t->program->parameter.at[t->number].array && t->type->rank == 0;
    case CODE_CONSTANT:
        return !kind_is(t->type, CODE_BOOL) || t->number == 0 || t->number == 1;
    case CODE_RANGE:
        return kind_is(t->type, CODE_INT) && t->type->rank == 1;
    default:
        return true;
    }
}

bool code_fits(const struct code_program *program, enum code_op op, const struct code_type *type,
               int64_t number, uint32_t n, const code_value *operands)
{
    struct typing t = {program, op, type, number, n, operands};
    if (!code_op_arity(op, n))
        return false;
    switch (code_op_group(op)) {
    case GROUP_LEAF:
        return leaf_fits(&t);
    case GROUP_LANE:
        return lane_fits(&t);
    case GROUP_MOVE:
        return move_fits(&t);
    case GROUP_FOLD:
        return op == CODE_DOT ? dot_fits(&t) : fold_fits(&t);
    default:
        return memory_fits(&t);
    }
}
