// SPDX-License-Identifier: Apache-2.0
// Block pointers and tensor descriptors, as offsets and masks of lanes.
//
// Lane (i_0, ..) of the tile stands at base + sum of (offset_d + i_d) * stride_d.
#include "io/ttir/reader.h"

struct tile_maker {
    struct ttir_reader *reader;
    struct code_type shape; // of the tile, INT of 64 bits
    struct code_place place;
};

static code_value integer64(struct tile_maker *maker, code_value value)
{
    return ttir_widen(maker->reader, value, 64, maker->place);
}

// The value, which has extent 1 on all axes but one, in the shape of the tile.
static code_value stretched(struct tile_maker *maker, code_value value)
{
    struct code_program *program = maker->reader->out;
    struct code_type type = code_node(program, value)->type;
    if (code_shape_same(&type, &maker->shape))
        return value;
    return code_make(program, CODE_STRETCH, code_shaped(type, &maker->shape), 0, 1, &value,
                     maker->place);
}

// offset + lane on one axis, of extent 1 on the others.
static code_value coordinate(struct tile_maker *maker, code_value offset, uint32_t axis)
{
    struct code_program *program = maker->reader->out;
    struct code_type type = code_scalar(CODE_INT, 32);
    type.rank = 1;
    type.extent[0] = maker->shape.extent[axis];
    code_value lane = code_make(program, CODE_RANGE, type, 0, 0, NULL, maker->place);
    lane = integer64(maker, lane);
    type = code_node(program, lane)->type;
    for (uint32_t d = 0; d < maker->shape.rank; d++) {
        if (d == axis)
            continue;
        uint32_t at = d < axis ? 0 : type.rank;
        memmove(type.extent + at + 1, type.extent + at, (type.rank - at) * sizeof *type.extent);
        type.extent[at] = 1;
        type.rank++;
        lane = code_make(program, CODE_EXPAND, type, at, 1, &lane, maker->place);
    }
    code_value start = code_splat(program, integer64(maker, offset), &type, maker->place);
    return code_binary(program, CODE_ADD, start, lane, maker->place);
}

// 0 <= coordinate and coordinate < size
static code_value inside(struct tile_maker *maker, code_value at, code_value size)
{
    struct code_program *program = maker->reader->out;
    struct code_type type = code_node(program, at)->type;
    code_value zero = code_integer(program, type, 0);
    code_value low = code_binary(program, CODE_LESS_EQUAL, zero, at, maker->place);
    code_value most = code_splat(program, integer64(maker, size), &type, maker->place);
    code_value high = code_binary(program, CODE_LESS, at, most, maker->place);
    return stretched(maker, code_binary(program, CODE_AND, low, high, maker->place));
}

// The pointers of a tile, and its mask: axes with a bit in `checked`.
static struct ttir_access lanes_of(struct ttir_reader *reader,
                                   const struct ttir_operation *operation,
                                   const struct ttir_meaning *block, const code_value *offsets,
                                   uint32_t checked)
{
    struct code_program *program = reader->out;
    uint32_t rank = block->type.type.rank;
    struct tile_maker maker = {reader, code_shaped(code_scalar(CODE_INT, 64), &block->type.type),
                               ttir_here(reader, operation)};
    struct ttir_access access = {.pointer = *block, .mask = NO_CODE};
    code_value sum = NO_CODE;
    if (block->offset != NO_CODE)
        sum = code_splat(program, integer64(&maker, block->offset), &maker.shape, maker.place);
    for (uint32_t d = 0; d < rank; d++) {
        code_value at = coordinate(&maker, offsets[d], d);
        struct code_type type = code_node(program, at)->type;
        code_value stride =
            code_splat(program, integer64(&maker, block->part[rank + d]), &type, maker.place);
        code_value term =
            stretched(&maker, code_binary(program, CODE_MULTIPLY, at, stride, maker.place));
        sum = sum == NO_CODE ? term : code_binary(program, CODE_ADD, sum, term, maker.place);
        if (checked >> d & 1)
            access.mask =
                ttir_both(reader, access.mask, inside(&maker, at, block->part[d]), maker.place);
    }
    access.pointer.type.kind = TTIR_POINTER;
    access.pointer.offset = sum;
    if (block->choice != NO_CODE)
        access.pointer.choice = code_splat(program, block->choice, &block->type.type, maker.place);
    return access;
}

// ---- making and moving

static bool read_parts(struct ttir_reader *reader, const struct ttir_operation *operation,
                       uint32_t first, uint32_t n, code_value *out)
{
    for (uint32_t i = 0; i < n; i++)
        if (!ttir_plain_scalar(reader, operation, first + i, CODE_INT, &out[i]))
            return false;
    return true;
}

static bool read_make(struct ttir_reader *reader, const struct ttir_operation *operation,
                      enum ttir_kind kind, uint32_t parts)
{
    struct ttir_meaning base;
    struct ttir_type type;
    ttir_declared(operation, 1, &type);
    uint32_t rank = type.type.rank;
    if (type.kind != TTIR_BLOCK && type.kind != TTIR_DESCRIPTOR)
        return ttir_malformed(reader, operation, "a type of a tile");
    type.kind = (uint8_t)kind;
    if (!ttir_expect_operands(reader, operation, 1 + parts * rank, 1 + parts * rank) ||
        !ttir_operand(reader, operation, 0, &base))
        return false;
    if (base.type.kind != TTIR_POINTER || base.type.type.rank != 0) {
        base = ttir_unknown(reader, type, "a block of an unknown pointer",
                            ttir_here(reader, operation));
        return ttir_results(reader, operation, 1, &base);
    }
    base.type = type;
    if (!read_parts(reader, operation, 1, parts * rank, base.part))
        return false;
    for (uint32_t i = 2 * rank; i < parts * rank; i++)
        base.part[i] = ttir_widen(reader, base.part[i], 64, ttir_here(reader, operation));
    return ttir_results(reader, operation, 1, &base);
}

static bool read_advance(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct ttir_meaning block;
    if (operation->operand.len < 1)
        return ttir_malformed(reader, operation, "a block pointer");
    if (!ttir_operand(reader, operation, 0, &block))
        return false;
    uint32_t rank = block.type.type.rank;
    if (block.type.kind == TTIR_UNKNOWN)
        return ttir_results(reader, operation, 1, &block);
    if (block.type.kind != TTIR_BLOCK || operation->operand.len != 1 + rank)
        return ttir_malformed(reader, operation, "a block pointer and an offset for each axis");
    code_value by[CODE_RANK];
    struct code_place place = ttir_here(reader, operation);
    if (!read_parts(reader, operation, 1, rank, by))
        return false;
    for (uint32_t d = 0; d < rank; d++) {
        code_value *at = &block.part[2 * rank + d];
        *at = code_binary(reader->out, CODE_ADD, ttir_widen(reader, *at, 64, place),
                          ttir_widen(reader, by[d], 64, place), place);
    }
    return ttir_results(reader, operation, 1, &block);
}

// ---- reads and writes

static bool checked_axes(struct ttir_reader *reader, const struct ttir_operation *operation,
                         uint32_t *out)
{
    struct i64_vec axes = {0};
    *out = 0;
    bool ok = ttir_integers(reader, operation, "boundaryCheck", &axes);
    for (uint32_t i = 0; ok && i < axes.len; i++)
        if (axes.at[i] >= 0 && axes.at[i] < CODE_RANK)
            *out |= 1u << axes.at[i];
    vec_release(&axes);
    return ok;
}

static code_value padding_value(struct ttir_reader *reader, struct code_type type, int64_t padding)
{
    if (type.kind != CODE_REAL)
        return code_integer(reader->out, type, 0);
    return code_real(reader->out, type, padding == 2 ? "nan" : "0");
}

bool ttir_load_block(struct ttir_reader *reader, const struct ttir_operation *operation,
                     const struct ttir_meaning *block)
{
    uint32_t checked;
    int64_t padding = 0;
    code_value other = NO_CODE, value;
    if (!checked_axes(reader, operation, &checked) ||
        !ttir_integer(reader, operation, "padding", &padding))
        return false;
    const code_value *offsets = &block->part[2 * block->type.type.rank];
    struct ttir_access access = lanes_of(reader, operation, block, offsets, checked);
    if (padding != 0 && access.mask != NO_CODE)
        other = padding_value(reader, block->type.type, padding);
    return ttir_load(reader, operation, &access, other, &value) &&
           ttir_result(reader, operation, value);
}

bool ttir_store_block(struct ttir_reader *reader, const struct ttir_operation *operation,
                      const struct ttir_meaning *block, code_value value)
{
    uint32_t checked;
    if (!checked_axes(reader, operation, &checked))
        return false;
    const code_value *offsets = &block->part[2 * block->type.type.rank];
    struct ttir_access access = lanes_of(reader, operation, block, offsets, checked);
    return ttir_store(reader, operation, &access, value);
}

// Elements outside the array are 0 when read and dropped when written.
static bool descriptor_lanes(struct ttir_reader *reader, const struct ttir_operation *operation,
                             uint32_t first, struct ttir_access *out)
{
    struct ttir_meaning descriptor;
    code_value offsets[CODE_RANK];
    if (!ttir_operand(reader, operation, 0, &descriptor))
        return false;
    uint32_t rank = descriptor.type.type.rank;
    *out = (struct ttir_access){.pointer = descriptor, .mask = NO_CODE};
    if (descriptor.type.kind != TTIR_DESCRIPTOR)
        return true;
    if (operation->operand.len < first + rank)
        return ttir_malformed(reader, operation, "an offset for each axis");
    if (!read_parts(reader, operation, first, rank, offsets))
        return false;
    *out = lanes_of(reader, operation, &descriptor, offsets, (1u << rank) - 1);
    return true;
}

static bool read_descriptor_load(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct ttir_access access;
    struct ttir_type type;
    code_value value;
    ttir_declared(operation, 1, &type);
    if (operation->operand.len < 1 || reader->pure)
        return ttir_malformed(reader, operation, "a descriptor");
    if (!descriptor_lanes(reader, operation, 1, &access))
        return false;
    if (access.pointer.type.kind != TTIR_POINTER || type.kind != TTIR_PLAIN)
        return ttir_refuse(reader, operation,
                           "reads through a descriptor that nothing is known of");
    code_value other =
        access.mask == NO_CODE ? NO_CODE : padding_value(reader, access.pointer.type.type, 1);
    if (!ttir_load(reader, operation, &access, other, &value))
        return false;
    if (!code_shape_same(&code_node(reader->out, value)->type, &type.type) &&
        !ttir_node(reader, operation, CODE_RESHAPE, type.type, 0, 1, &value, &value))
        return false;
    return ttir_result(reader, operation, value);
}

// desc[i, j], value; the generic form has the value in front of the offsets.
static bool read_descriptor_store(struct ttir_reader *reader,
                                  const struct ttir_operation *operation)
{
    struct ttir_access access;
    code_value value;
    uint32_t n = operation->operand.len;
    if (n < 2)
        return ttir_malformed(reader, operation, "a descriptor and a value");
    if (!ttir_plain(reader, operation, operation->generic ? 1 : n - 1, &value) ||
        !descriptor_lanes(reader, operation, operation->generic ? 2 : 1, &access))
        return false;
    if (access.pointer.type.kind != TTIR_POINTER)
        return ttir_refuse(reader, operation,
                           "writes through a descriptor that nothing is known of");
    if (!code_shape_same(&code_node(reader->out, value)->type, &access.pointer.type.type) &&
        !ttir_node(reader, operation, CODE_RESHAPE, access.pointer.type.type, 0, 1, &value, &value))
        return false;
    return ttir_store(reader, operation, &access, value);
}

bool ttir_block_pointer(struct ttir_reader *reader, const struct ttir_operation *operation,
                        bool *known)
{
    const char *name = operation->name;
    *known = true;
    if (!strcmp(name, "tt.make_tensor_ptr"))
        return read_make(reader, operation, TTIR_BLOCK, 3);
    if (!strcmp(name, "tt.make_tensor_descriptor"))
        return read_make(reader, operation, TTIR_DESCRIPTOR, 2);
    if (!strcmp(name, "tt.advance"))
        return read_advance(reader, operation);
    if (!strcmp(name, "tt.descriptor_load") || !strcmp(name, "tt.experimental_descriptor_load"))
        return read_descriptor_load(reader, operation);
    if (!strcmp(name, "tt.descriptor_store") || !strcmp(name, "tt.experimental_descriptor_store"))
        return read_descriptor_store(reader, operation);
    *known = false;
    return true;
}
