// SPDX-License-Identifier: Apache-2.0
// Which operations are pure: their result depends on nothing but operands,
// attributes and regions, and leaving them out or doing them twice cannot be
// seen.  What is not listed has an effect.
#include "io/stablehlo/read/reader.h"

// Operations with regions stand here too: an effect inside is found there.
// Not here on purpose: rng (its state), optimization_barrier (must stay where
// it is), collectives and communication, unknown dialects.
static const char *const pure_ops[] = {
    "abs",
    "add",
    "after_all",
    "and",
    "atan2",
    "batch_norm_grad",
    "batch_norm_inference",
    "batch_norm_training",
    "bitcast_convert",
    "broadcast",
    "broadcast_in_dim",
    "case",
    "cbrt",
    "ceil",
    "cholesky",
    "clamp",
    "compare",
    "complex",
    "concatenate",
    "constant",
    "convert",
    "convolution",
    "cosine",
    "count_leading_zeros",
    "create_token",
    "divide",
    "dot",
    "dot_general",
    "dynamic_broadcast_in_dim",
    "dynamic_conv",
    "dynamic_gather",
    "dynamic_iota",
    "dynamic_pad",
    "dynamic_reshape",
    "dynamic_slice",
    "dynamic_update_slice",
    "einsum",
    "exponential",
    "exponential_minus_one",
    "fft",
    "floor",
    "gather",
    "get_dimension_size",
    "get_tuple_element",
    "if",
    "imag",
    "iota",
    "is_finite",
    "log",
    "log_plus_one",
    "logistic",
    "map",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "not",
    "or",
    "pad",
    "partition_id",
    "popcnt",
    "power",
    "real",
    "real_dynamic_slice",
    "reduce",
    "reduce_precision",
    "reduce_window",
    "remainder",
    "replica_id",
    "reshape",
    "return",
    "reverse",
    "rng_bit_generator",
    "round_nearest_afz",
    "round_nearest_even",
    "rsqrt",
    "scatter",
    "select",
    "select_and_scatter",
    "set_dimension_size",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "sign",
    "sine",
    "slice",
    "sort",
    "sqrt",
    "subtract",
    "tan",
    "tanh",
    "torch_index_select",
    "transpose",
    "triangular_solve",
    "tuple",
    "unary_einsum",
    "uniform_dequantize",
    "uniform_quantize",
    "while",
    "xor",
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
    "erf",
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

enum op_effect op_effect(const char *name)
{
    if (strcmp(name, "func.call") == 0 || strcmp(name, "stablehlo.composite") == 0)
        return EFFECT_CALL;
    if (strcmp(name, "stablehlo.custom_call") == 0)
        return EFFECT_CUSTOM;
    if (strcmp(name, "func.return") == 0 || strcmp(name, "sdy.return") == 0)
        return EFFECT_NONE;
    bool pure = false;
    if (strncmp(name, "stablehlo.", 10) == 0)
        pure = listed(pure_ops, sizeof pure_ops / sizeof *pure_ops, name + 10);
    else if (strncmp(name, "chlo.", 5) == 0)
        pure = listed(pure_chlo, sizeof pure_chlo / sizeof *pure_chlo, name + 5);
    return pure ? EFFECT_NONE : EFFECT_SOME;
}

// A function is pure when it has no effect itself and all that it calls is
// known to be pure; so functions that call themselves, in however many steps,
// stay impure (they may not end).
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
