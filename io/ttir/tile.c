// SPDX-License-Identifier: Apache-2.0
// Operations on tiles that compute nothing: lanes, shapes, permutations; products of matrices.
#include "io/ttir/reader.h"

// The type of the only result.
static struct code_type declared(const struct ttir_operation *operation)
{
    struct ttir_type type;
    ttir_declared(operation, 1, &type);
    return type.type;
}

static bool read_program_id(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    static const char *const axes[] = {"x", "y", "z"};
    int64_t axis = -1;
    if (operation->generic && !ttir_integer(reader, operation, "axis", &axis))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        if (ttir_has_word(reader, operation, axes[i]))
            axis = i;
    if (axis < 0 || axis > 2)
        return ttir_malformed(reader, operation, "an axis x, y or z");
    bool count = !strcmp(operation->name, "tt.get_num_programs");
    return ttir_result(reader, operation,
                       count ? reader->out->grid[axis] : reader->program_id[axis]);
}

static bool read_range(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    int64_t start = 0, end = 0;
    if (!ttir_integer(reader, operation, "start", &start) ||
        !ttir_integer(reader, operation, "end", &end))
        return false;
    if (start >= end || start < INT32_MIN || end > INT32_MAX || end - start > CODE_ELEMENTS)
        return ttir_malformed(reader, operation, "start < end");
    struct code_type type = code_scalar(CODE_INT, 32);
    code_value value;
    type.rank = 1;
    type.extent[0] = (uint32_t)(end - start);
    return ttir_node(reader, operation, CODE_RANGE, type, start, 0, NULL, &value) &&
           ttir_result(reader, operation, value);
}

// ---- one operand, which may be a tile of pointers

struct move {
    enum code_op op;
    struct code_type shape; // of the result
    int64_t number;
};

static bool moved(struct ttir_reader *reader, const struct ttir_operation *operation,
                  const struct move *move, code_value value, code_value *out)
{
    struct code_type type = code_node(reader->out, value)->type;
    type = code_shaped(type, &move->shape);
    return ttir_node(reader, operation, move->op, type, move->number, 1, &value, out);
}

static bool read_move(struct ttir_reader *reader, const struct ttir_operation *operation,
                      const struct move *move)
{
    struct ttir_meaning a;
    if (!ttir_operand(reader, operation, 0, &a))
        return false;
    if (a.type.kind == TTIR_PLAIN) {
        code_value value;
        return moved(reader, operation, move, a.value, &value) &&
               ttir_result(reader, operation, value);
    }
    if (a.type.kind != TTIR_POINTER) {
        struct ttir_type type;
        ttir_declared(operation, 1, &type);
        a = ttir_unknown(reader, type, "a tile of pointers of an unknown kind",
                         ttir_here(reader, operation));
        return ttir_results(reader, operation, 1, &a);
    }
    if (a.offset != NO_CODE && !moved(reader, operation, move, a.offset, &a.offset))
        return false;
    if (a.choice != NO_CODE && !moved(reader, operation, move, a.choice, &a.choice))
        return false;
    a.type.type = code_shaped(a.type.type, &move->shape);
    return ttir_results(reader, operation, 1, &a);
}

static bool read_expand(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    int64_t axis = 0;
    if (!ttir_integer(reader, operation, "axis", &axis))
        return false;
    struct move move = {CODE_EXPAND, declared(operation), axis};
    return read_move(reader, operation, &move);
}

static bool read_transpose(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct i64_vec order = {0};
    struct code_type type = declared(operation);
    bool ok = ttir_integers(reader, operation, "order", &order);
    if (ok && order.len == 0) { // an old form: of two axes
        vec_push(&order, 1);
        vec_push(&order, 0);
    }
    int64_t number = 0;
    for (uint32_t d = 0; ok && d < order.len && d < CODE_RANK; d++)
        number |= (order.at[d] & 15) << (4 * d);
    ok = ok && (order.len == type.rank || ttir_malformed(reader, operation, "an axis for each"));
    vec_release(&order);
    struct move move = {CODE_TRANSPOSE, type, number};
    return ok && read_move(reader, operation, &move);
}

static bool read_reshape(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct ttir_meaning a;
    if (!ttir_operand(reader, operation, 0, &a))
        return false;
    struct code_type type = declared(operation);
    bool any = ttir_flag(reader, operation, "allow_reorder");
    // An order that is free need not be that of the operand, even for one shape.
    if (!any && code_shape_same(&a.type.type, &type))
        return ttir_results(reader, operation, 1, &a);
    struct move move = {any ? CODE_SHUFFLE : CODE_RESHAPE, type, 0};
    return read_move(reader, operation, &move);
}

// ---- several operands or results

static bool read_join(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    code_value operands[2], value;
    struct code_type shape = declared(operation);
    return ttir_expect_operands(reader, operation, 2, 2) &&
           ttir_plain(reader, operation, 0, &operands[0]) &&
           ttir_plain(reader, operation, 1, &operands[1]) &&
           ttir_node(reader, operation, CODE_JOIN,
                     code_shaped(code_node(reader->out, operands[0])->type, &shape), 0, 2, operands,
                     &value) &&
           ttir_result(reader, operation, value);
}

static bool read_split(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    code_value a, value;
    struct ttir_meaning out[2];
    if (!ttir_expect_operands(reader, operation, 1, 1) || !ttir_plain(reader, operation, 0, &a))
        return false;
    struct code_type type = code_node(reader->out, a)->type;
    if (type.rank == 0)
        return ttir_malformed(reader, operation, "a tile");
    type.extent[--type.rank] = 0;
    for (uint32_t i = 0; i < 2; i++) {
        if (!ttir_node(reader, operation, CODE_SPLIT, type, i, 1, &a, &value))
            return false;
        out[i] = ttir_of(reader, value);
    }
    return ttir_results(reader, operation, 2, out);
}

static bool read_gather(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    code_value operands[2], value;
    int64_t axis = 0;
    if (!ttir_expect_operands(reader, operation, 2, 2) ||
        !ttir_plain(reader, operation, 0, &operands[0]) ||
        !ttir_plain(reader, operation, 1, &operands[1]) ||
        !ttir_integer(reader, operation, "axis", &axis))
        return false;
    struct code_type type = code_shaped(code_node(reader->out, operands[0])->type,
                                        &code_node(reader->out, operands[1])->type);
    return ttir_node(reader, operation, CODE_GATHER, type, axis, 2, operands, &value) &&
           ttir_result(reader, operation, value);
}

// a*b + c.  The operands may have narrower elements than the result.
static bool read_dot(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    code_value operands[2], sum[2], value;
    if (!ttir_expect_operands(reader, operation, 3, 3) ||
        !ttir_plain(reader, operation, 0, &operands[0]) ||
        !ttir_plain(reader, operation, 1, &operands[1]) ||
        !ttir_plain(reader, operation, 2, &sum[1]))
        return false;
    struct code_type type = code_node(reader->out, sum[1])->type;
    return ttir_node(reader, operation, CODE_DOT, type, 0, 2, operands, &sum[0]) &&
           ttir_node(reader, operation, CODE_ADD, type, 0, 2, sum, &value) &&
           ttir_result(reader, operation, value);
}

bool ttir_tile(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known)
{
    static const struct {
        const char *text;
        bool (*read)(struct ttir_reader *reader, const struct ttir_operation *operation);
    } others[] = {
        {"tt.get_program_id", read_program_id},
        {"tt.get_num_programs", read_program_id},
        {"tt.make_range", read_range},
        {"tt.join", read_join},
        {"tt.split", read_split},
        {"tt.gather", read_gather},
        {"tt.dot", read_dot},
    };
    *known = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(operation->name, others[i].text))
            return others[i].read(reader, operation);
    static const char *const moves[] = {"tt.splat",   "tt.broadcast", "tt.expand_dims",
                                        "tt.reshape", "tt.trans",     "tt.unsplat"};
    size_t which = 0, n = sizeof moves / sizeof *moves;
    while (which < n && strcmp(operation->name, moves[which]) != 0)
        which++;
    *known = which < n;
    if (!*known)
        return true;
    if (!ttir_expect_operands(reader, operation, 1, 1))
        return false;
    if (which == 2)
        return read_expand(reader, operation);
    if (which == 3)
        return read_reshape(reader, operation);
    if (which == 4)
        return read_transpose(reader, operation);
    enum code_op op = which == 0 ? CODE_SPLAT : which == 1 ? CODE_STRETCH : CODE_RESHAPE;
    struct move move = {op, declared(operation), 0};
    return read_move(reader, operation, &move);
}
