// SPDX-License-Identifier: Apache-2.0
// Names of the reader: values in scope, results of a statement, operations.
#include "io/stablehlo/read/reader.h"

#include "base/text/suggest.h"

uint32_t stablehlo_mark(const struct stablehlo_reader *reader)
{
    return reader->undo.len;
}

void stablehlo_unbind(struct stablehlo_reader *reader, uint32_t mark)
{
    while (reader->undo.len > mark)
        reader->bind_of.at[vec_pop(&reader->undo)] = 0;
    // Bindings are made and dropped in the same order as the names.
    reader->bind.len = reader->undo.len;
}

bool stablehlo_bind(struct stablehlo_reader *reader, uint32_t at, struct value_binding binding)
{
    uint32_t name = mlir_name(&reader->mlir, at);
    while (reader->bind_of.len <= name)
        vec_push(&reader->bind_of, 0);
    if (reader->bind_of.at[name] != 0) {
        const struct mlir_token *token = &reader->mlir.tok.at[at];
        return mlir_fail(&reader->mlir, at, "value '%.*s' is defined already", mlir_shown(token),
                         reader->mlir.text + token->at);
    }
    vec_push(&reader->bind, binding);
    vec_push(&reader->undo, name);
    reader->bind_of.at[name] = reader->bind.len;
    return true;
}

// The value in scope that has a like name.
static void hint_value(struct stablehlo_reader *reader, const struct mlir_token *token)
{
    struct mlir *mlir = &reader->mlir;
    struct nearest near = nearest_to(mlir->text + token->at + 1, token->len - 1);
    for (uint32_t i = 0; i < reader->undo.len; i++) {
        const char *name = intern_text(&mlir->names, reader->undo.at[i]) + 1;
        nearest_consider(&near, name, strlen(name));
    }
    if (near.word != NULL)
        err_hint(mlir->err, "did you mean '%%%.*s'?", (int)near.n, near.word);
}

const struct value_binding *stablehlo_lookup(struct stablehlo_reader *reader, uint32_t *next,
                                             uint32_t *k)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t at = *next, name = mlir_name(mlir, at);
    const struct mlir_token *token = &mlir->tok.at[at];
    if (name >= reader->bind_of.len || reader->bind_of.at[name] == 0) {
        mlir_fail(mlir, at, "value '%.*s' is used before its definition", mlir_shown(token),
                  mlir->text + token->at);
        hint_value(reader, token);
        return NULL;
    }
    const struct value_binding *binding = &reader->bind.at[reader->bind_of.at[name] - 1];
    *k = 0;
    ++*next;
    const struct mlir_token *u = &mlir->tok.at[*next];
    if (u->kind != T_ATTR || !mlir_touches(mlir, *next) || mlir->text[u->at + 1] < '0' ||
        mlir->text[u->at + 1] > '9')
        return binding;
    for (uint32_t j = 1; j < u->len && *k < IO_RESULTS; j++)
        *k = *k * 10 + (uint32_t)(mlir->text[u->at + j] - '0');
    if (*k >= binding->n) {
        mlir_fail(mlir, *next, "value '%.*s' has %u results", mlir_shown(token),
                  mlir->text + token->at, binding->n);
        return NULL;
    }
    ++*next;
    return binding;
}

bool stablehlo_operand(struct stablehlo_reader *reader, uint32_t *i, term_id *out)
{
    uint32_t k;
    if (mlir_kind(&reader->mlir, *i) != T_VALUE)
        return mlir_expected(&reader->mlir, *i, "a value such as %0");
    const struct value_binding *binding = stablehlo_lookup(reader, i, &k);
    if (binding == NULL)
        return false;
    *out = reader->value.at[binding->first + k];
    return true;
}

bool stablehlo_starts_results(const struct mlir *mlir, uint32_t i)
{
    for (;;) {
        if (mlir_kind(mlir, i) != T_VALUE)
            return false;
        i++;
        if (mlir_kind(mlir, i) == ':' && mlir_kind(mlir, i + 1) == T_INT)
            i += 2;
        if (mlir_kind(mlir, i) == '=')
            return true;
        if (mlir_kind(mlir, i) != ',')
            return false;
        i++;
    }
}

bool stablehlo_results(struct stablehlo_reader *reader, uint32_t *i)
{
    struct mlir *mlir = &reader->mlir;
    uint64_t total = 0;
    if (mlir_kind(mlir, *i) != T_VALUE)
        return true;
    for (;;) {
        struct result_name name = {*i, 1};
        int64_t n = 1;
        if (!mlir_expect(mlir, i, T_VALUE, "a value such as %0"))
            return false;
        if (mlir_accept(mlir, i, ':')) {
            uint32_t at = *i;
            if (!mlir_int(mlir, i, &n))
                return false;
            if (n < 1 || n > IO_RESULTS)
                return mlir_fail(mlir, at, "expected 1 to %d results", IO_RESULTS);
        }
        name.n = (uint32_t)n;
        total += name.n;
        if (total > IO_RESULTS)
            return mlir_fail(mlir, name.at,
                             "an operation with over a million "
                             "results");
        vec_push(&reader->names, name);
        if (mlir_accept(mlir, i, '='))
            return true;
        if (!mlir_expect(mlir, i, ',', "',' or '='"))
            return false;
    }
}

bool stablehlo_op_name(const struct mlir *mlir, uint32_t i, char out[IO_OPERATION_NAME])
{
    const struct mlir_token *token = &mlir->tok.at[i];
    const char *text = mlir->text + token->at;
    uint32_t n = token->len;
    if (token->kind == T_STRING) {
        text++;
        n -= 2;
    }
    uint32_t printed = n; // a control character is written as \09
    for (uint32_t k = 0; k < n; k++)
        printed += (unsigned char)text[k] < ' ' || text[k] == 0x7f ? 2 : 0;
    if (printed >= IO_OPERATION_NAME - 5)
        return false;
    int dot = memchr(text, '.', n) != NULL || token->kind == T_STRING;
    if (!dot && n == 6 && memcmp(text, "module", 6) == 0)
        snprintf(out, IO_OPERATION_NAME, "builtin.module");
    else
        snprintf(out, IO_OPERATION_NAME, "%s%.*s", dot ? "" : "func.", (int)n, text);
    return true;
}

uint32_t stablehlo_symbol(struct stablehlo_reader *reader, uint32_t at)
{
    struct buf buf = {0};
    uint32_t name = UINT32_MAX;
    if (mlir_unquote(&reader->mlir, at, &buf))
        name = intern_bytes(&reader->mlir.names, buf_text(&buf), buf.len);
    buf_release(&buf);
    return name;
}
