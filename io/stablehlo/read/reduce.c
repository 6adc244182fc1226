// SPDX-License-Identifier: Apache-2.0
// Recognises the region of a reduce that is one reducer on its two arguments.
// No function here fails: callers keep a region that does not match as text.
#include "io/stablehlo/read/reader.h"

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

bool stablehlo_reducer_body(struct mlir *mlir, uint32_t i, uint32_t close, type_id elem,
                            const uint32_t name[2], enum op *out)
{
    if (mlir_kind(mlir, i) != T_VALUE)
        return false;
    uint32_t result = mlir_name(mlir, i++);
    if (!mlir_accept(mlir, &i, '=') || !reducer_name(mlir, i, out))
        return false;
    bool generic = mlir_kind(mlir, i++) == T_STRING;
    if (generic && !mlir_accept(mlir, &i, '('))
        return false;
    bool swap = mlir_kind(mlir, i) == T_VALUE && mlir_name(mlir, i) == name[1];
    if (!value_is(mlir, &i, name[swap]) || !mlir_accept(mlir, &i, ',') ||
        !value_is(mlir, &i, name[!swap]) || (generic && !mlir_accept(mlir, &i, ')')) ||
        !reducer_types(mlir, &i, elem, 2, false))
        return false;
    return returns(mlir, i, close, elem, result);
}

bool stablehlo_is_reducer(struct mlir *mlir, uint32_t open, type_id elem, enum op *out)
{
    uint32_t i = open + 1, name[2];
    if (!mlir_accept(mlir, &i, T_BLOCK) || !mlir_accept(mlir, &i, '(') ||
        !stablehlo_reducer_args(mlir, &i, elem, name) || !mlir_accept(mlir, &i, ':'))
        return false;
    return stablehlo_reducer_body(mlir, i, mlir->tok.at[open].match, elem, name, out);
}

bool stablehlo_is_replacement(struct mlir *mlir, uint32_t open, type_id elem)
{
    uint32_t i = open + 1, name[2];
    if (!mlir_accept(mlir, &i, T_BLOCK) || !mlir_accept(mlir, &i, '(') ||
        !stablehlo_reducer_args(mlir, &i, elem, name) || !mlir_accept(mlir, &i, ':'))
        return false;
    return returns(mlir, i, mlir->tok.at[open].match, elem, name[1]);
}
