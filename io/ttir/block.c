// SPDX-License-Identifier: Apache-2.0
// Blocks of operations, one after the other.
#include "io/ttir/reader.h"

bool ttir_is_terminator(const struct ttir_operation *operation)
{
    static const char *const names[] = {"scf.yield", "tt.return", "tt.reduce.return",
                                        "tt.scan.return"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(operation->name, names[i]))
            return true;
    return false;
}

bool ttir_enter(struct ttir_reader *reader, uint32_t at)
{
    if (++reader->depth <= CODE_DEPTH)
        return true;
    return mlir_fail(&reader->mlir, at,
                     "blocks are nested too deeply, or jumps go round in a circle");
}

bool ttir_operands(struct ttir_reader *reader, const struct ttir_operation *operation,
                   struct ttir_meanings *out)
{
    for (uint32_t i = 0; i < operation->operand.len; i++) {
        struct ttir_meaning meaning;
        if (!ttir_operand(reader, operation, i, &meaning))
            return false;
        vec_push(out, meaning);
    }
    return true;
}

bool ttir_one(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    bool (*const families[])(struct ttir_reader *, const struct ttir_operation *, bool *) = {
        ttir_arithmetic, ttir_constant,      ttir_function, ttir_tile,    ttir_memory,
        ttir_fold,       ttir_block_pointer, ttir_update,   ttir_control, ttir_call,
    };
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        bool known;
        if (!families[i](reader, operation, &known))
            return false;
        if (known)
            return true;
    }
    return ttir_refuse(reader, operation, "is not supported");
}

static bool read_operations(struct ttir_reader *reader, uint32_t at, uint32_t end,
                            struct ttir_meanings *results)
{
    bool ok = true, done = false;
    while (ok && at < end) {
        struct ttir_operation operation;
        if (done)
            return mlir_expected(&reader->mlir, at, "'}' behind the last operation of the region");
        ok = ttir_operation(reader, at, end, &operation);
        done = ok && ttir_is_terminator(&operation);
        if (done)
            ok = ttir_operands(reader, &operation, results);
        else if (ok)
            ok = ttir_one(reader, &operation);
        at = operation.end;
        ttir_operation_release(&operation);
    }
    return ok;
}

bool ttir_region(struct ttir_reader *reader, uint32_t open, struct ttir_meanings *results)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t at = open + 1, end = mlir->tok.at[open].match, scope = ttir_scope(reader);
    vec_clear(results);
    if (mlir_kind(mlir, at) == T_BLOCK) {
        at++;
        if (mlir_kind(mlir, at) == '(')
            at = mlir->tok.at[at].match + 1;
        if (!mlir_expect(mlir, &at, ':', "':'"))
            return false;
    }
    bool ok = ttir_enter(reader, open) && read_operations(reader, at, end, results);
    reader->depth--;
    ttir_scope_end(reader, scope);
    return ok;
}
