// SPDX-License-Identifier: Apache-2.0
// What the names of the text stand for.
#include "io/ttir/reader.h"

uint32_t ttir_scope(const struct ttir_reader *reader)
{
    return reader->changes.len;
}

void ttir_scope_end(struct ttir_reader *reader, uint32_t scope)
{
    while (reader->changes.len > scope) {
        struct ttir_change change = vec_pop(&reader->changes);
        reader->of_name.at[change.name] = change.meaning;
    }
}

bool ttir_define(struct ttir_reader *reader, uint32_t at, uint32_t n,
                 const struct ttir_meaning *meanings)
{
    struct mlir *mlir = &reader->mlir;
    if (mlir_kind(mlir, at) != T_VALUE)
        return mlir_expected(mlir, at, "a name such as %%0");
    uint32_t name = mlir_name(mlir, at);
    while (reader->of_name.len <= name)
        vec_push(&reader->of_name, 0);
    struct ttir_change change = {name, reader->of_name.at[name]};
    vec_push(&reader->changes, change);
    reader->of_name.at[name] = reader->meaning.len + 1;
    for (uint32_t i = 0; i < n; i++) {
        vec_push(&reader->meaning, meanings[i]);
        vec_push(&reader->count, n);
    }
    return true;
}

bool ttir_lookup(struct ttir_reader *reader, uint32_t at, struct ttir_meaning *out)
{
    struct mlir *mlir = &reader->mlir;
    const struct mlir_token *token = &mlir->tok.at[at];
    if (mlir_kind(mlir, at) != T_VALUE)
        return mlir_expected(mlir, at, "a value");
    uint32_t name = mlir_name(mlir, at), which = 0;
    if (name >= reader->of_name.len || reader->of_name.at[name] == 0)
        return mlir_fail(mlir, at, "'%.*s' is not defined here", mlir_shown(token),
                         mlir->text + token->at);
    if (mlir_kind(mlir, at + 1) == T_ATTR && mlir_touches(mlir, at + 1)) {
        const struct mlir_token *index = &mlir->tok.at[at + 1];
        for (uint32_t i = 1; i < index->len && which < 10000; i++)
            which = which * 10 + (uint32_t)(mlir->text[index->at + i] - '0');
    }
    uint32_t first = reader->of_name.at[name] - 1;
    if (which >= reader->count.at[first])
        return mlir_fail(mlir, at, "'%.*s' has no result %u", mlir_shown(token),
                         mlir->text + token->at, which);
    *out = reader->meaning.at[first + which];
    return true;
}

bool ttir_operand(struct ttir_reader *reader, const struct ttir_operation *operation,
                  uint32_t which, struct ttir_meaning *out)
{
    return ttir_lookup(reader, operation->operand.at[which], out);
}

bool ttir_plain(struct ttir_reader *reader, const struct ttir_operation *operation, uint32_t which,
                code_value *out)
{
    struct ttir_meaning meaning;
    if (!ttir_operand(reader, operation, which, &meaning))
        return false;
    if (meaning.type.kind != TTIR_PLAIN)
        return mlir_fail(&reader->mlir, operation->operand.at[which],
                         "%s: expected a value that is no pointer", operation->name);
    *out = meaning.value;
    return true;
}

bool ttir_plain_scalar(struct ttir_reader *reader, const struct ttir_operation *operation,
                       uint32_t which, enum code_kind kind, code_value *out)
{
    static const char *const kinds[] = {"a boolean", "an integer", "a real number"};
    if (!ttir_plain(reader, operation, which, out))
        return false;
    const struct code_type *type = &code_node(reader->out, *out)->type;
    if (type->kind == kind && type->rank == 0)
        return true;
    return mlir_fail(&reader->mlir, operation->operand.at[which], "%s: expected %s",
                     operation->name, kinds[kind]);
}

bool ttir_results(struct ttir_reader *reader, const struct ttir_operation *operation, uint32_t n,
                  const struct ttir_meaning *meanings)
{
    uint32_t at = 0;
    if (operation->result.len == 0) // nobody uses them
        return true;
    if (operation->n_results != n)
        return mlir_fail(&reader->mlir, operation->at, "%s: expected %u results, found %u",
                         operation->name, n, operation->n_results);
    for (uint32_t i = 0; i < operation->result.len; i++) {
        if (!ttir_define(reader, operation->result.at[i], operation->count.at[i], meanings + at))
            return false;
        at += operation->count.at[i];
    }
    return true;
}

bool ttir_result(struct ttir_reader *reader, const struct ttir_operation *operation,
                 code_value value)
{
    struct ttir_meaning meaning = ttir_of(reader, value);
    return ttir_results(reader, operation, 1, &meaning);
}
