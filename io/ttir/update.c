// SPDX-License-Identifier: Apache-2.0
// Atomic updates, assumptions, and operations that are refused.
#include "io/ttir/reader.h"

static const struct {
    const char *text;
    uint8_t number; // in the generic form
    uint8_t op;
} updates[] = {
    {"and", 1, CODE_AND},
    {"or", 2, CODE_OR},
    {"xor", 3, CODE_XOR},
    {"add", 4, CODE_ADD},
    {"fadd", 5, CODE_ADD},
    {"max", 6, CODE_MAXIMUM},
    {"min", 7, CODE_MINIMUM},
    {"umax", 8, CODE_UNSIGNED_MAXIMUM},
    {"umin", 9, CODE_UNSIGNED_MINIMUM},
    {"exch", 10, CODE_OPAQUE},
};

static bool find_update(struct ttir_reader *reader, const struct ttir_operation *operation,
                        enum code_op *out)
{
    int64_t number = -1;
    if (operation->generic && !ttir_integer(reader, operation, "atomic_rmw_op", &number))
        return false;
    for (size_t i = 0; i < sizeof updates / sizeof *updates; i++)
        if (operation->generic ? updates[i].number == number
                               : mlir_word(&reader->mlir, operation->at + 1, updates[i].text)) {
            *out = (enum code_op)updates[i].op;
            return true;
        }
    return ttir_malformed(reader, operation, "an operation such as fadd");
}

static bool read_update(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    struct ttir_meaning pointer;
    code_value operands[3] = {NO_CODE, NO_CODE, NO_CODE}, found;
    enum code_op op = CODE_OPAQUE;
    uint32_t n = operation->operand.len;
    if (!ttir_expect_operands(reader, operation, 2, 3) || !find_update(reader, operation, &op) ||
        !ttir_operand(reader, operation, 0, &pointer) ||
        !ttir_plain(reader, operation, 1, &operands[1]) ||
        (n == 3 && !ttir_plain(reader, operation, 2, &operands[2])))
        return false;
    if (pointer.type.kind != TTIR_POINTER || pointer.n != 1 || reader->pure)
        return ttir_refuse(reader, operation, "goes through a pointer that nothing is known of");
    code_value *moving[3 * CODE_RANK];
    ttir_moving(reader, &pointer, moving);
    operands[0] = pointer.offset;
    if (!ttir_node(reader, operation, CODE_UPDATED, pointer.type.type, pointer.array[0], n,
                   operands, &found))
        return false;
    struct code_statement statement =
        code_statement(STATEMENT_UPDATE, ttir_here(reader, operation));
    statement.combine = (uint8_t)op;
    statement.array = pointer.array[0];
    statement.offset = operands[0];
    statement.value = operands[1];
    statement.mask = operands[2];
    statement.result = found;
    code_append(reader->out, reader->block, &statement);
    return ttir_result(reader, operation, found);
}

static bool read_assume(struct ttir_reader *reader, const struct ttir_operation *operation)
{
    code_value condition;
    if (operation->operand.len < 1 || reader->pure)
        return ttir_malformed(reader, operation, "a condition");
    if (!ttir_plain(reader, operation, 0, &condition))
        return false;
    if (code_node(reader->out, condition)->type.kind != CODE_BOOL)
        return ttir_malformed(reader, operation, "a boolean");
    // What is true of each lane is left out: nothing rests on it.
    if (code_node(reader->out, condition)->type.rank > 0)
        return true;
    struct code_statement statement =
        code_statement(STATEMENT_ASSUME, ttir_here(reader, operation));
    statement.value = condition;
    code_append(reader->out, reader->block, &statement);
    return true;
}

bool ttir_update(struct ttir_reader *reader, const struct ttir_operation *operation, bool *known)
{
    // Operations without an effect on a program of whole tiles.
    static const char *const nothing[] = {"gpu.barrier", "ttg.barrier",     "tt.debug_barrier",
                                          "tt.print",    "tt.device_print", "ttg.local_barrier"};
    *known = true;
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (!strcmp(operation->name, nothing[i]))
            return true;
    if (!strcmp(operation->name, "tt.atomic_rmw"))
        return read_update(reader, operation);
    if (!strcmp(operation->name, "tt.assert") || !strcmp(operation->name, "llvm.intr.assume"))
        return read_assume(reader, operation);
    *known = false;
    return true;
}

// ---- refusals

static void add_refusal(struct ttir_reader *reader, uint32_t at, uint32_t array, uint32_t reason)
{
    struct code_statement statement = code_statement(STATEMENT_REFUSED, ttir_place(reader, at));
    statement.array = array;
    statement.reason = reason;
    code_append(reader->out, reader->block, &statement);
}

// Operations that write what their first operand points to, and nothing else.
static bool writes_operand(const struct mlir *mlir, uint32_t at)
{
    static const char *const names[] = {"tt.store",     "tt.atomic_cas",     "tt.atomic_rmw",
                                        "\"tt.store\"", "\"tt.atomic_cas\"", "\"tt.atomic_rmw\""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mlir_text_is(mlir, at, names[i]))
            return true;
    return false;
}

// The token is a dialect's operation of which nothing is known here.
static bool may_write(const struct mlir *mlir, uint32_t at)
{
    static const char *const pure[] = {"arith.",        "math.",
                                       "scf.",          "cf.",
                                       "tt.load",       "tt.splat",
                                       "tt.addptr",     "tt.reduce",
                                       "tt.scan",       "tt.make_range",
                                       "tt.histogram",  "tt.cat",
                                       "tt.dot_scaled", "tt.int_to_ptr",
                                       "ub.",           "tt.expand_dims",
                                       "tt.broadcast",  "tt.get_program_id",
                                       "tt.reshape",    "tt.trans",
                                       "tt.dot",        "tt.ptr",
                                       "gpu.barrier",   "tt.return",
                                       "!tt."};
    const struct mlir_token *token = &mlir->tok.at[at];
    const char *text = mlir->text + token->at;
    uint32_t n = token->len;
    if (token->kind == T_STRING)
        text++, n--;
    else if (token->kind != T_BARE)
        return false;
    if (memchr(text, '.', n) == NULL)
        return false;
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
        if (n >= strlen(pure[i]) && memcmp(text, pure[i], strlen(pure[i])) == 0)
            return false;
    return true;
}

// What the tokens of an operation may write: appends one refused statement for each array, or one
// for all arrays.
static void refuse_writes(struct ttir_reader *reader, const struct ttir_operation *operation,
                          uint32_t reason)
{
    struct mlir *mlir = &reader->mlir;
    for (uint32_t i = operation->at; i < operation->end; i++) {
        struct ttir_meaning pointer;
        struct err *err = mlir->err, ignored = {0};
        if (!writes_operand(mlir, i)) {
            if (!may_write(mlir, i))
                continue;
            add_refusal(reader, operation->at, NO_CODE, reason);
            return;
        }
        uint32_t at = i + 1;
        while (at < operation->end && mlir_kind(mlir, at) != T_VALUE)
            at++;
        mlir->err = &ignored;
        bool found = at < operation->end && ttir_lookup(reader, at, &pointer) &&
                     pointer.type.kind == TTIR_POINTER;
        mlir->err = err;
        for (uint32_t k = 0; found && k < pointer.n; k++)
            add_refusal(reader, operation->at, pointer.array[k], reason);
        if (!found) {
            add_refusal(reader, operation->at, NO_CODE, reason);
            return;
        }
    }
}

bool ttir_refuse(struct ttir_reader *reader, const struct ttir_operation *operation,
                 const char *reason)
{
    struct buf text = {0};
    buf_printf(&text, "%s %s", operation->name, reason);
    uint32_t name = intern_str(&reader->out->names, buf_text(&text));
    if (!reader->pure)
        refuse_writes(reader, operation, name);
    uint32_t n = operation->n_results;
    VEC(struct ttir_meaning) results = {0};
    VEC(struct ttir_type) types = {0};
    vec_zero(&types, n > 0 ? n : 1);
    ttir_declared(operation, n, types.at);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&results,
                 ttir_unknown(reader, types.at[i], buf_text(&text), ttir_here(reader, operation)));
    bool ok = n == 0 || ttir_results(reader, operation, n, results.at);
    vec_release(&results);
    vec_release(&types);
    buf_release(&text);
    return ok;
}
