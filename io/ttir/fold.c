// SPDX-License-Identifier: Apache-2.0
// Reductions and scans, with regions of one or several results.
#include "io/ttir/reader.h"

enum { FOLD_OPERANDS = 8 };

// Parameters a_0 .. a_n-1, b_0 .. b_n-1 of the region's only block.
static bool bind_parameters(struct ttir_reader *reader, const struct ttir_operation *operation,
                            uint32_t open, uint32_t n, const code_value *operands,
                            code_value *bound)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t at = open + 1, end = mlir->tok.at[open].match;
    if (mlir_kind(mlir, at) != T_BLOCK || mlir_kind(mlir, at + 1) != '(')
        return mlir_expected(mlir, at, "a block with arguments");
    uint32_t i = at + 2, count = 0, close = mlir->tok.at[at + 1].match;
    for (; i < close && i < end; i++) {
        if (mlir_kind(mlir, i) != T_VALUE)
            continue;
        if (count == 2 * n)
            return ttir_malformed(reader, operation, "two arguments for each operand");
        struct code_type type = code_node(reader->out, operands[count % n])->type;
        type = code_scalar((enum code_kind)type.kind, type.bits);
        bound[count] = code_bound(reader->out, type, ttir_place(reader, i));
        struct ttir_meaning meaning = ttir_of(reader, bound[count++]);
        if (!ttir_define(reader, i, 1, &meaning))
            return false;
    }
    return count == 2 * n || ttir_malformed(reader, operation, "two arguments for each operand");
}

// The operator of a region with one result, if it is one of a_0 and b_0.
static uint8_t combine_of(const struct code_program *program, const code_value *bound)
{
    static const uint8_t ops[] = {CODE_ADD, CODE_MULTIPLY, CODE_MINIMUM, CODE_MAXIMUM,
                                  CODE_AND, CODE_OR,       CODE_XOR};
    const struct code_node *node = code_node(program, bound[2]);
    if (node->n != 2)
        return CODE_OPAQUE;
    code_value a = program->operand.at[node->at], b = program->operand.at[node->at + 1];
    if (!(a == bound[0] && b == bound[1]) && !(a == bound[1] && b == bound[0]))
        return CODE_OPAQUE;
    for (size_t i = 0; i < sizeof ops; i++)
        if (node->op == ops[i])
            return node->op;
    return CODE_OPAQUE;
}

static bool read_region(struct ttir_reader *reader, const struct ttir_operation *operation,
                        uint32_t n, const code_value *operands, uint32_t *out)
{
    struct code_program *program = reader->out;
    struct code_region region = {.n = n,
                                 .combine = CODE_OPAQUE,
                                 .from = program->node.len,
                                 .place = ttir_here(reader, operation)};
    int64_t axis = 0;
    code_value bound[3 * FOLD_OPERANDS];
    struct ttir_meanings results = {0};
    uint32_t scope = ttir_scope(reader), open = operation->region.at[0];
    bool pure = reader->pure;
    reader->pure = true;
    bool ok = ttir_integer(reader, operation, "axis", &axis) &&
              bind_parameters(reader, operation, open, n, operands, bound) &&
              ttir_region(reader, open, &results);
    reader->pure = pure;
    ttir_scope_end(reader, scope);
    if (ok && results.len != n)
        ok = ttir_malformed(reader, operation, "a result for each operand");
    for (uint32_t i = 0; ok && i < n; i++) {
        const struct code_type *type = &results.at[i].type.type;
        if (results.at[i].type.kind != TTIR_PLAIN ||
            !code_type_same(type, &code_node(program, bound[i])->type))
            ok = ttir_malformed(reader, operation, "results of the types of the operands");
        bound[2 * n + i] = results.at[i].value;
    }
    vec_release(&results);
    if (!ok)
        return false;
    region.axis = (uint32_t)axis;
    region.reverse = ttir_flag(reader, operation, "reverse");
    region.at = program->bound.len;
    region.end = program->node.len;
    for (uint32_t i = 0; i < 3 * n; i++)
        vec_push(&program->bound, bound[i]);
    if (n == 1)
        region.combine = combine_of(program, bound);
    vec_push(&program->region, region);
    *out = program->region.len - 1;
    return true;
}

static struct code_type without_axis(struct code_type type, uint32_t axis)
{
    for (uint32_t d = axis; d + 1 < type.rank; d++)
        type.extent[d] = type.extent[d + 1];
    type.extent[--type.rank] = 0;
    return type;
}

static bool read_fold(struct ttir_reader *reader, const struct ttir_operation *operation,
                      enum code_op op)
{
    code_value operands[FOLD_OPERANDS];
    struct ttir_meaning results[FOLD_OPERANDS];
    uint32_t n = operation->operand.len, region;
    if (!ttir_expect_operands(reader, operation, 1, FOLD_OPERANDS))
        return false;
    if (operation->region.len != 1)
        return ttir_malformed(reader, operation, "one region");
    for (uint32_t i = 0; i < n; i++)
        if (!ttir_plain(reader, operation, i, &operands[i]))
            return false;
    if (!read_region(reader, operation, n, operands, &region))
        return false;
    uint32_t axis = reader->out->region.at[region].axis;
    for (uint32_t i = 0; i < n; i++) {
        struct code_type type = code_node(reader->out, operands[i])->type;
        code_value value;
        if (axis >= type.rank)
            return ttir_malformed(reader, operation, "an axis of its operands");
        if (op == CODE_REDUCE)
            type = without_axis(type, axis);
        if (!ttir_node(reader, operation, op, type, (int64_t)region * 8 + i, n, operands, &value))
            return false;
        results[i] = ttir_of(reader, value);
    }
    return ttir_results(reader, operation, n, results);
}

bool ttir_fold(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known)
{
    bool reduce = !strcmp(operation->name, "tt.reduce");
    *known = reduce || !strcmp(operation->name, "tt.scan");
    return !*known || read_fold(reader, operation, reduce ? CODE_REDUCE : CODE_SCAN);
}
