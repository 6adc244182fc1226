// SPDX-License-Identifier: Apache-2.0
// The pure operations.  The result of a pure operation depends on nothing but
// operands, attributes and regions, and no program can observe that the
// operation is left out or done twice.  All operators of the table are pure,
// the operations listed here, and a few dialects.  Any other operation has an effect.
#include "io/stablehlo/read/foreign.h"
#include "io/stablehlo/read/scan.h"

// The list has operations with regions too: the scan finds an effect inside.
// Collectives are pure: every device runs the same text, so one that is left out or shared
// is so on all of them.  No opaque operation leaves a loop.  One that several branches share
// may come to stand before them, where all devices meet.  What stands behind an optimization_barrier is another term than what stands
// before it, which is all that a barrier asks.
// The list leaves out on purpose: rng (its state), other communication (send, recv, infeed,
// outfeed), unknown dialects.
static const char *const pure_ops[] = {
    "after_all",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "batch_norm_grad",
    "batch_norm_inference",
    "batch_norm_training",
    "broadcast",
    "case",
    "cholesky",
    "collective_broadcast",
    "collective_permute",
    "complex",
    "create_token",
    "dot",
    "dynamic_broadcast_in_dim",
    "dynamic_conv",
    "dynamic_gather",
    "dynamic_iota",
    "dynamic_pad",
    "dynamic_reshape",
    "einsum",
    "fft",
    "get_dimension_size",
    "get_tuple_element",
    "if",
    "map",
    "optimization_barrier",
    "partition_id",
    "real_dynamic_slice",
    "reduce_precision",
    "reduce_scatter",
    "replica_id",
    "return",
    "rng_bit_generator",
    "select_and_scatter",
    "set_dimension_size",
    "sort",
    "torch_index_select",
    "triangular_solve",
    "tuple",
    "unary_einsum",
    "uniform_dequantize",
    "uniform_quantize",
    "while",
};

static const char *const pure_chlo[] = {
    "acos",
    "acosh",
    "asin",
    "asin_acos_kernel",
    "asinh",
    "atan",
    "atanh",
    "bessel_i1e",
    "broadcast_acos",
    "broadcast_add",
    "broadcast_and",
    "broadcast_atan2",
    "broadcast_compare",
    "broadcast_complex",
    "broadcast_divide",
    "broadcast_maximum",
    "broadcast_minimum",
    "broadcast_multiply",
    "broadcast_next_after",
    "broadcast_or",
    "broadcast_polygamma",
    "broadcast_power",
    "broadcast_remainder",
    "broadcast_select",
    "broadcast_shift_left",
    "broadcast_shift_right_arithmetic",
    "broadcast_shift_right_logical",
    "broadcast_subtract",
    "broadcast_xor",
    "broadcast_zeta",
    "conj",
    "constant",
    "constant_like",
    "cosh",
    "digamma",
    "dynamic_reshape",
    "erf_inv",
    "erfc",
    "is_inf",
    "is_neg_inf",
    "is_pos_inf",
    "lgamma",
    "mulhi",
    "next_after",
    "polygamma",
    "ragged_dot",
    "scan",
    "sinh",
    "square",
    "tan",
    "top_k",
    "zeta",
};

static bool listed(const char *const *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

enum op_effect { EFFECT_NONE, EFFECT_SOME, EFFECT_CALL, EFFECT_CUSTOM };

static enum op_effect effect_of(const char *name)
{
    if (strcmp(name, "func.call") == 0 || strcmp(name, "stablehlo.composite") == 0)
        return EFFECT_CALL;
    if (strcmp(name, "stablehlo.custom_call") == 0)
        return EFFECT_CUSTOM;
    if (strcmp(name, "func.return") == 0 || strcmp(name, "sdy.return") == 0)
        return EFFECT_NONE;
    enum op op;
    const char *dot = strchr(name, '.');
    if (dot != NULL && op_by_name(dot + 1, &op) && strlen(op_dialect(op)) == (size_t)(dot - name) &&
        strncmp(name, op_dialect(op), (size_t)(dot - name)) == 0)
        return EFFECT_NONE;
    bool pure = foreign_is_pure(name);
    if (strncmp(name, "stablehlo.", 10) == 0)
        pure = listed(pure_ops, sizeof pure_ops / sizeof *pure_ops, name + 10);
    else if (strncmp(name, "chlo.", 5) == 0)
        pure = listed(pure_chlo, sizeof pure_chlo / sizeof *pure_chlo, name + 5);
    return pure ? EFFECT_NONE : EFFECT_SOME;
}

// ---- one operation that is scanned

// The value of `key` in the operation's own dictionaries; 0 = there is none.
static bool find_key(struct opaque_scan *opaque_scan, const struct scanned_op *scanned_op,
                     const char *key, uint32_t *value)
{
    *value = 0;
    for (uint32_t d = 0; d < scanned_op->n_dicts; d++) {
        struct mlir_entry entry;
        uint32_t i = scanned_op->dict[d] + 1;
        bool ok;
        while (mlir_next_entry(opaque_scan->mlir, &i, &entry, &ok))
            if (mlir_key_is(opaque_scan->mlir, &entry, key))
                *value = entry.value;
        if (!ok)
            return false;
    }
    return true;
}

static bool note_call(struct opaque_scan *opaque_scan, const struct scanned_op *scanned_op)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    uint32_t at = scanned_op->at + 1;
    if (scanned_op->generic || mlir_kind(opaque_scan->mlir, at) != T_SYMBOL) {
        const char *key = strcmp(scanned_op->name, "func.call") == 0 ? "callee" : "decomposition";
        if (!find_key(opaque_scan, scanned_op, key, &at))
            return false;
    }
    if (at == 0 || mlir_kind(opaque_scan->mlir, at) != T_SYMBOL) {
        opaque_scan->effect = true;
        return true;
    }
    uint32_t name = stablehlo_symbol(reader, at);
    if (name == UINT32_MAX)
        return false;
    // A function of a nested module, or of an operation that holds functions.
    if (name >= reader->callable_of.len || reader->callable_of.at[name] == 0) {
        if (!reader->hidden && mlir_kind(opaque_scan->mlir, at + 1) != T_COLONS)
            return mlir_expected(opaque_scan->mlir, at, "the name of a function of this file");
        opaque_scan->effect = true;
        return true;
    }
    uint32_t callee = reader->callable_of.at[name] - 1;
    if (opaque_scan->self == NOBODY) {
        opaque_scan->effect |= !reader->callable.at[callee].pure;
        opaque_scan->callee = callee;
    } else {
        struct call_edge edge = {opaque_scan->self, reader->callable.at[callee].callers};
        vec_push(&reader->edge, edge);
        reader->callable.at[callee].callers = reader->edge.len;
        reader->callable.at[opaque_scan->self].pending++;
    }
    return true;
}

// Does the token stand where the name of an attribute may stand?  Braces of other dialects need be
// no dictionaries: match ops{["func.func"]}.
static bool is_key(const struct mlir *mlir, uint32_t i)
{
    uint16_t kind = mlir_kind(mlir, i), before = mlir_kind(mlir, i - 1),
             behind = mlir_kind(mlir, i + 1);
    return (kind == T_BARE || kind == T_STRING) && (before == '{' || before == ',') &&
           (behind == '=' || behind == ',' || behind == '}');
}

// A pinned operation has an effect: it is the same as no other, and stays where it stands.
static void note_pinned(struct opaque_scan *opaque_scan, struct scanned_op *scanned_op)
{
    const struct mlir *mlir = opaque_scan->mlir;
    for (uint32_t d = 0; d < scanned_op->n_dicts; d++) {
        uint32_t open = scanned_op->dict[d], close = mlir->tok.at[open].match;
        for (uint32_t i = open + 1; i < close; i++) {
            uint32_t inner = mlir->tok.at[i].match;
            if (is_key(mlir, i))
                scanned_op->pinned |=
                    stablehlo_pins(opaque_scan->reader, &(struct mlir_entry){.key = i});
            else if (inner > i && inner < close)
                i = inner;
        }
    }
    opaque_scan->effect |= scanned_op->pinned;
}

bool effect_note(struct opaque_scan *opaque_scan, struct scanned_op *scanned_op)
{
    uint32_t value;
    note_pinned(opaque_scan, scanned_op);
    switch (effect_of(scanned_op->name)) {
    case EFFECT_NONE:
        return true;
    case EFFECT_CALL:
        return note_call(opaque_scan, scanned_op);
    case EFFECT_CUSTOM:
        // Only an explicit "no side effect" counts.
        if (!find_key(opaque_scan, scanned_op, "has_side_effect", &value))
            return false;
        opaque_scan->effect |= value == 0 || !mlir_word(opaque_scan->mlir, value, "false");
        return true;
    case EFFECT_SOME:
        break;
    }
    opaque_scan->effect = true;
    return true;
}

// ---- functions, once all bodies were walked

// A function is pure if it has no effect itself and all functions that it calls
// are known to be pure. So functions that call themselves, in any number of
// steps, stay impure: they may not end.
void stablehlo_decide_effects(struct stablehlo_reader *reader)
{
    struct u32_vec ready = {0};
    for (uint32_t f = 0; f < reader->callable.len; f++)
        if (!reader->callable.at[f].effect && reader->callable.at[f].pending == 0)
            vec_push(&ready, f);
    while (ready.len > 0) {
        struct callable *callable = &reader->callable.at[vec_pop(&ready)];
        callable->pure = true;
        for (uint32_t e = callable->callers; e != 0; e = reader->edge.at[e - 1].next) {
            uint32_t f = reader->edge.at[e - 1].caller;
            struct callable *d = &reader->callable.at[f];
            if (--d->pending == 0 && !d->effect)
                vec_push(&ready, f);
        }
    }
    vec_release(&ready);
}
