// SPDX-License-Identifier: Apache-2.0
// Reads and writes through pointers.
#include "io/ttir/reader.h"

static bool refuse_access(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    return ttir_refuse(reader, operation, "goes through a pointer that nothing is known of");
}

// ---- one array

// The elements of the array as the source sees them: booleans in memory are bytes.
static bool elements_fit(const struct code_type *array, const struct code_type *seen)
{
    return (array->kind == seen->kind && array->bits == seen->bits) ||
           (array->kind == CODE_BOOL && seen->kind == CODE_INT && seen->bits == 8);
}

static bool read_array(struct ttir_reader *reader, const struct ttir_operation *operation,
                       uint32_t array, const struct ttir_meaning *pointer, code_value mask,
                       code_value other, code_value *out)
{
    struct code_program *program = reader->out;
    struct code_place place = ttir_here(reader, operation);
    const struct code_type *element = &program->parameter.at[array].type;
    struct code_type type = code_shaped(*element, &pointer->type.type);
    bool bytes = element->kind == CODE_BOOL && pointer->type.type.kind == CODE_INT;
    // A byte in the place of the lanes behind the mask is chosen once the others are bytes, too.
    code_value operands[3] = {pointer->offset, mask,
                              bytes && other != NO_CODE ? code_integer(program, type, 0) : other};
    uint32_t n = mask == NO_CODE ? 1 : other == NO_CODE ? 2 : 3;
    if (!ttir_node(reader, operation, CODE_READ, type, array, n, operands, out))
        return false;
    struct code_statement statement = code_statement(STATEMENT_READ, place);
    statement.array = array;
    statement.offset = pointer->offset;
    statement.mask = mask;
    statement.value = *out;
    code_append(program, reader->block, &statement);
    if (!bytes)
        return true;
    struct code_type byte = code_shaped(pointer->type.type, &type);
    if (!ttir_node(reader, operation, CODE_CONVERT, byte, 0, 1, out, out))
        return false;
    code_value chosen[3] = {mask, *out, other};
    return n < 3 || ttir_node(reader, operation, CODE_SELECT, byte, 0, 3, chosen, out);
}

static bool write_array(struct ttir_reader *reader, const struct ttir_operation *operation,
                        uint32_t array, const struct ttir_meaning *pointer, code_value mask,
                        code_value value)
{
    struct code_program *program = reader->out;
    struct code_type element = program->parameter.at[array].type;
    if (element.kind == CODE_BOOL && pointer->type.type.kind == CODE_INT) {
        struct code_type shape = code_node(program, value)->type;
        code_value sides[2] = {value, code_integer(program, shape, 0)};
        if (!ttir_node(reader, operation, CODE_UNEQUAL, code_shaped(element, &shape), 0, 2, sides,
                       &value))
            return false;
    }
    struct code_statement statement = code_statement(STATEMENT_WRITE, ttir_here(reader, operation));
    statement.array = array;
    statement.offset = pointer->offset;
    statement.mask = mask;
    statement.value = value;
    code_append(program, reader->block, &statement);
    return true;
}

// ---- pointers that may stand for several arrays

// The lanes whose pointer is into array number i; NO_CODE: all.
static code_value chosen(struct ttir_reader *reader, const struct ttir_operation *operation,
                         const struct ttir_meaning *pointer, uint32_t i)
{
    if (pointer->choice == NO_CODE)
        return NO_CODE;
    struct code_type type = code_node(reader->out, pointer->choice)->type;
    code_value array = code_integer(reader->out, type, pointer->array[i]);
    return code_binary(reader->out, CODE_EQUAL, pointer->choice, array,
                       ttir_here(reader, operation));
}

// Materialises the offsets; false if the access cannot be followed.
static bool can_follow(struct ttir_reader *reader, struct ttir_meaning *pointer)
{
    code_value *moving[3 * CODE_RANK];
    if (pointer->type.kind != TTIR_POINTER || pointer->n == 0)
        return false;
    ttir_moving(reader, pointer, moving);
    for (uint32_t i = 0; i < pointer->n; i++)
        if (!elements_fit(&reader->out->parameter.at[pointer->array[i]].type, &pointer->type.type))
            return false;
    return true;
}

static code_value unknown_read(struct ttir_reader *reader, const struct ttir_operation *operation,
                               const struct code_type *element)
{
    struct ttir_type type = {.kind = TTIR_PLAIN, .type = *element};
    struct code_place place = ttir_here(reader, operation);
    return ttir_unknown(reader, type, "a read through a pointer that nothing is known of", place)
        .value;
}

bool ttir_load(struct ttir_reader *reader, const struct ttir_operation *operation,
               const struct ttir_access *access, code_value other, code_value *out)
{
    struct ttir_meaning pointer = access->pointer;
    struct code_place place = ttir_here(reader, operation);
    *out = NO_CODE;
    if (!can_follow(reader, &pointer)) {
        *out = unknown_read(reader, operation, &access->pointer.type.type);
        return true;
    }
    for (uint32_t i = 0; i < pointer.n; i++) {
        code_value lanes = chosen(reader, operation, &pointer, i), value;
        code_value mask = ttir_both(reader, access->mask, lanes, place);
        if (!read_array(reader, operation, pointer.array[i], &pointer, mask, other, &value))
            return false;
        if (*out == NO_CODE) {
            *out = value;
            continue;
        }
        code_value operands[3] = {lanes, value, *out};
        if (!ttir_node(reader, operation, CODE_SELECT, pointer.type.type, 0, 3, operands, out))
            return false;
    }
    return true;
}

bool ttir_store(struct ttir_reader *reader, const struct ttir_operation *operation,
                const struct ttir_access *access, code_value value)
{
    struct ttir_meaning pointer = access->pointer;
    struct code_place place = ttir_here(reader, operation);
    if (reader->pure || !can_follow(reader, &pointer))
        return refuse_access(reader, operation);
    const struct code_type *type = &code_node(reader->out, value)->type;
    if (!code_type_same(type, &pointer.type.type))
        return ttir_malformed(reader, operation, "a value of the type that the pointer has");
    for (uint32_t i = 0; i < pointer.n; i++) {
        code_value lanes = chosen(reader, operation, &pointer, i);
        code_value mask = ttir_both(reader, access->mask, lanes, place);
        if (!write_array(reader, operation, pointer.array[i], &pointer, mask, value))
            return false;
    }
    return true;
}

// ---- the operations

static bool read_mask(struct ttir_reader *reader, const struct ttir_operation *operation,
                      uint32_t which, const struct ttir_meaning *pointer, code_value *out)
{
    *out = NO_CODE;
    if (which >= operation->operand.len)
        return true;
    if (!ttir_plain(reader, operation, which, out))
        return false;
    const struct code_type *type = &code_node(reader->out, *out)->type;
    if (type->kind != CODE_BOOL || !code_shape_same(type, &pointer->type.type))
        return ttir_malformed(reader, operation, "a mask of the shape of the pointers");
    return true;
}

static bool read_load(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct ttir_access access = {.mask = NO_CODE};
    code_value other = NO_CODE, value;
    if (!ttir_expect_operands(reader, operation, 1, 3) ||
        !ttir_operand(reader, operation, 0, &access.pointer))
        return false;
    if (reader->pure)
        return ttir_malformed(reader, operation, "no access to memory here");
    if (access.pointer.type.kind == TTIR_BLOCK)
        return ttir_load_block(reader, operation, &access.pointer);
    struct ttir_type declared;
    ttir_declared(operation, 1, &declared);
    if (access.pointer.type.kind == TTIR_UNKNOWN && declared.kind == TTIR_POINTER)
        return ttir_result(reader, operation, unknown_read(reader, operation, &declared.type));
    if (access.pointer.type.kind != TTIR_POINTER)
        return refuse_access(reader, operation);
    if (!read_mask(reader, operation, 1, &access.pointer, &access.mask))
        return false;
    if (operation->operand.len == 3 && !ttir_plain(reader, operation, 2, &other))
        return false;
    if (other != NO_CODE &&
        !code_type_same(&code_node(reader->out, other)->type, &access.pointer.type.type))
        return ttir_malformed(reader, operation, "a value for masked lanes of the type it reads");
    return ttir_load(reader, operation, &access, other, &value) &&
           ttir_result(reader, operation, value);
}

static bool read_store(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct ttir_access access = {.mask = NO_CODE};
    code_value value;
    if (!ttir_expect_operands(reader, operation, 2, 3) ||
        !ttir_operand(reader, operation, 0, &access.pointer) ||
        !ttir_plain(reader, operation, 1, &value))
        return false;
    if (access.pointer.type.kind == TTIR_BLOCK)
        return ttir_store_block(reader, operation, &access.pointer, value);
    if (access.pointer.type.kind != TTIR_POINTER)
        return refuse_access(reader, operation);
    return read_mask(reader, operation, 2, &access.pointer, &access.mask) &&
           ttir_store(reader, operation, &access, value);
}

static bool read_addptr(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct ttir_meaning pointer;
    code_value offset;
    struct code_place place = ttir_here(reader, operation);
    if (!ttir_expect_operands(reader, operation, 2, 2) ||
        !ttir_operand(reader, operation, 0, &pointer) || !ttir_plain(reader, operation, 1, &offset))
        return false;
    if (pointer.type.kind == TTIR_UNKNOWN)
        return ttir_results(reader, operation, 1, &pointer);
    const struct code_type *type = &code_node(reader->out, offset)->type;
    if (pointer.type.kind != TTIR_POINTER || type->kind != CODE_INT ||
        !code_shape_same(type, &pointer.type.type))
        return ttir_malformed(reader, operation, "pointers and integers of one shape");
    offset = ttir_widen(reader, offset, 64, place);
    pointer.offset = pointer.offset == NO_CODE
                         ? offset
                         : code_binary(reader->out, CODE_ADD, pointer.offset, offset, place);
    return ttir_results(reader, operation, 1, &pointer);
}

static bool read_address(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct ttir_type type;
    ttir_declared(operation, 1, &type);
    struct ttir_meaning out =
        ttir_unknown(reader, type, "an address as a number", ttir_here(reader, operation));
    return ttir_results(reader, operation, 1, &out);
}

bool ttir_memory(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known)
{
    *known = true;
    if (!strcmp(operation->name, "tt.load"))
        return read_load(reader, operation);
    if (!strcmp(operation->name, "tt.store"))
        return read_store(reader, operation);
    if (!strcmp(operation->name, "tt.addptr"))
        return read_addptr(reader, operation);
    if (!strcmp(operation->name, "tt.ptr_to_int"))
        return read_address(reader, operation);
    *known = false;
    return true;
}
