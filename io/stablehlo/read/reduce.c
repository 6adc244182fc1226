// SPDX-License-Identifier: Apache-2.0
// Recognises the region of a reduce that is one reducer on its two arguments, whatever else it
// computes without using it: a printed region has no such statements.
// No function here fails: callers keep a region that does not match as text.
#include "io/stablehlo/read/scan.h"

static bool quiet_type(struct mlir *mlir, uint32_t *at, type_id want)
{
    type_id type;
    // The opaque reader finds the failure again, with its message.
    struct err *err = mlir->err, none = {0};
    mlir->err = &none;
    bool ok = mlir_type(mlir, at, &type) && type.v == want.v;
    mlir->err = err;
    return ok;
}

bool stablehlo_reducer_args(struct mlir *mlir, uint32_t *i, type_id elem, uint32_t name[2])
{
    for (int k = 0; k < 2; k++) {
        if (mlir_kind(mlir, *i) != T_VALUE)
            return false;
        name[k] = mlir_name(mlir, (*i)++);
        if (!mlir_accept(mlir, i, ':') || !quiet_type(mlir, i, elem))
            return false;
        if (!mlir_accept(mlir, i, k == 0 ? ',' : ')'))
            return false;
    }
    return name[0] != name[1];
}

static bool reducer_name(const struct mlir *mlir, uint32_t at, enum op *out)
{
    char name[IO_OPERATION_NAME];
    return stablehlo_op_name(mlir, at, name) && strncmp(name, "stablehlo.", 10) == 0 &&
           op_by_name(name + 10, out) && op_is_reducer(*out);
}

// True if the value at *at is `name`; moves behind the value.
static bool value_is(struct mlir *mlir, uint32_t *at, uint32_t name)
{
    return mlir_kind(mlir, *at) == T_VALUE && mlir_name(mlir, (*at)++) == name;
}

// "T" or "(T, T) -> T" (n operands; no result when `ret`).
static bool reducer_types(struct mlir *mlir, uint32_t *at, type_id elem, int n, bool ret)
{
    if (!mlir_accept(mlir, at, ':'))
        return false;
    if (!mlir_accept(mlir, at, '('))
        return quiet_type(mlir, at, elem);
    for (int k = 0; k < n; k++)
        if ((k > 0 && !mlir_accept(mlir, at, ',')) || !quiet_type(mlir, at, elem))
            return false;
    if (!mlir_accept(mlir, at, ')') || !mlir_accept(mlir, at, T_ARROW))
        return false;
    return ret ? mlir_accept(mlir, at, '(') && mlir_accept(mlir, at, ')')
               : quiet_type(mlir, at, elem);
}

// stablehlo.return %x : T, and nothing behind it.
static bool returns(struct mlir *mlir, uint32_t at, uint32_t close, type_id elem, uint32_t name)
{
    if (!mlir_text_is(mlir, at, "stablehlo.return") &&
        !mlir_text_is(mlir, at, "\"stablehlo.return\""))
        return false;
    bool generic = mlir_kind(mlir, at++) == T_STRING;
    if ((generic && !mlir_accept(mlir, &at, '(')) || !value_is(mlir, &at, name) ||
        (generic && !mlir_accept(mlir, &at, ')')) || !reducer_types(mlir, &at, elem, 1, true))
        return false;
    return at == close;
}

// %x = stablehlo.op %a, %b : T, and nothing behind it; the value.
static bool is_reducer(struct mlir *mlir, uint32_t i, uint32_t end, type_id elem,
                       const uint32_t name[2], enum op *out, uint32_t *result)
{
    if (mlir_kind(mlir, i) != T_VALUE)
        return false;
    *result = mlir_name(mlir, i++);
    if (!mlir_accept(mlir, &i, '=') || !reducer_name(mlir, i, out))
        return false;
    bool generic = mlir_kind(mlir, i++) == T_STRING;
    if (generic && !mlir_accept(mlir, &i, '('))
        return false;
    bool swap = mlir_kind(mlir, i) == T_VALUE && mlir_name(mlir, i) == name[1];
    return value_is(mlir, &i, name[swap]) && mlir_accept(mlir, &i, ',') &&
           value_is(mlir, &i, name[!swap]) && (!generic || mlir_accept(mlir, &i, ')')) &&
           reducer_types(mlir, &i, elem, 2, false) && i == end;
}

static bool is_return(const struct mlir *mlir, uint32_t at)
{
    return mlir_text_is(mlir, at, "stablehlo.return") ||
           mlir_text_is(mlir, at, "\"stablehlo.return\"");
}

// Moves behind a statement without effects.
static bool skip_statement(struct stablehlo_reader *reader, uint32_t *at)
{
    struct mlir *mlir = &reader->mlir;
    struct opaque_scan scan = {.reader = reader, .mlir = mlir, .self = NOBODY};
    struct result_names names = reader->names;
    struct err *err = mlir->err, none = {0};
    reader->names = (struct result_names){0};
    mlir->err = &none;
    bool ok = mlir_kind(mlir, *at) == T_VALUE && scan_statement(&scan, at) && !scan.effect;
    vec_release(&reader->names);
    vec_release(&scan.pend);
    reader->names = names;
    mlir->err = err;
    return ok;
}

// A body of several statements: the one that gives the value that is returned, up to `end`
// (at = end: none does), and the one that returns.
struct body_parts {
    uint32_t at, end, returns;
};

static bool find_parts(struct stablehlo_reader *reader, uint32_t i, uint32_t close, type_id elem,
                       const uint32_t name[2], struct body_parts *out)
{
    struct mlir *mlir = &reader->mlir;
    struct u32_vec starts = {0};
    bool ok = true;
    while (ok && i < close && !is_return(mlir, i)) {
        vec_push(&starts, i);
        ok = skip_statement(reader, &i);
    }
    vec_push(&starts, i);
    *out = (struct body_parts){i, i, i};
    uint32_t value = i + 1 + (mlir_kind(mlir, i) == T_STRING);
    ok = ok && i < close && mlir_kind(mlir, value) == T_VALUE;
    for (uint32_t k = 0; ok && k + 1 < starts.len; k++)
        if (mlir_name(mlir, starts.at[k]) == mlir_name(mlir, value))
            *out = (struct body_parts){starts.at[k], starts.at[k + 1], i};
    uint32_t n_unused = starts.len - 1 - (out->at < out->end);
    if (ok)
        reader->body =
            (struct reducer_body){starts.at[0], i, {name[0], name[1]}, n_unused, elem, false};
    vec_release(&starts);
    return ok;
}

bool stablehlo_reducer_body(struct stablehlo_reader *reader, uint32_t i, uint32_t close,
                            type_id elem, const uint32_t name[2], enum op *out)
{
    struct mlir *mlir = &reader->mlir;
    struct body_parts parts;
    uint32_t result;
    return find_parts(reader, i, close, elem, name, &parts) &&
           is_reducer(mlir, parts.at, parts.end, elem, name, out, &result) &&
           returns(mlir, parts.returns, close, elem, result);
}

// ^bb0(%a: T, %b: T):
static bool block_label(struct mlir *mlir, uint32_t *at, type_id elem, uint32_t name[2])
{
    return mlir_accept(mlir, at, T_BLOCK) && mlir_accept(mlir, at, '(') &&
           stablehlo_reducer_args(mlir, at, elem, name) && mlir_accept(mlir, at, ':');
}

bool stablehlo_is_reducer(struct stablehlo_reader *reader, uint32_t open, type_id elem,
                          enum op *out)
{
    uint32_t i = open + 1, name[2];
    return block_label(&reader->mlir, &i, elem, name) &&
           stablehlo_reducer_body(reader, i, reader->mlir.tok.at[open].match, elem, name, out);
}

bool stablehlo_is_replacement(struct stablehlo_reader *reader, uint32_t open, type_id elem)
{
    uint32_t i = open + 1, name[2], close = reader->mlir.tok.at[open].match;
    struct body_parts parts;
    return block_label(&reader->mlir, &i, elem, name) &&
           find_parts(reader, i, close, elem, name, &parts) &&
           returns(&reader->mlir, parts.returns, close, elem, name[1]);
}
