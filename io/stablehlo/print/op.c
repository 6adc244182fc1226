// SPDX-License-Identifier: Apache-2.0
// One operator in pretty form, behind "%x = ".
#include "io/stablehlo/print/printer.h"
#include <inttypes.h>

static void put_args(struct stablehlo_printer *printer, term_id term)
{
    for (uint32_t k = 0; k < term_at(printer->terms, term)->n_args; k++) {
        buf_puts(printer->out, k > 0 ? ", " : " ");
        stablehlo_put_value(printer, term_args(printer->terms, term)[k]);
    }
}

static void put_ints(struct stablehlo_printer *printer, const char *label, const int64_t *values,
                     uint32_t n)
{
    buf_printf(printer->out, "%s[", label);
    for (uint32_t k = 0; k < n; k++)
        buf_printf(printer->out, "%s%" PRId64, k > 0 ? ", " : "", values[k]);
    buf_putc(printer->out, ']');
}

// ": (T, U) -> V"
static void put_signature(struct stablehlo_printer *printer, term_id term)
{
    const struct term *node = term_at(printer->terms, term);
    buf_puts(printer->out, " : (");
    for (uint32_t k = 0; k < node->n_args; k++) {
        if (k > 0)
            buf_puts(printer->out, ", ");
        stablehlo_put_type(printer, term_type(printer->terms, term_args(printer->terms, term)[k]));
    }
    buf_puts(printer->out, ") -> ");
    stablehlo_put_type(printer, node->type);
}

// ": T" where all operands have the result's type, else the whole signature.
static void put_types(struct stablehlo_printer *printer, term_id term)
{
    const struct term *node = term_at(printer->terms, term);
    for (uint32_t k = 0; k < node->n_args; k++) {
        if (term_type(printer->terms, term_args(printer->terms, term)[k]).v != node->type.v) {
            put_signature(printer, term);
            return;
        }
    }
    buf_puts(printer->out, " : ");
    stablehlo_put_type(printer, node->type);
}

// " {...}", the attributes kept beside the term, if there are any.
static void put_kept(struct stablehlo_printer *printer, term_id term)
{
    const char *kept = program_kept(printer->program, term);
    if (*kept != '\0')
        buf_printf(printer->out, " %s", kept);
}

static void put_slice(struct stablehlo_printer *printer, const int64_t *values, uint32_t rank)
{
    buf_puts(printer->out, " [");
    for (uint32_t k = 0; k < rank; k++) {
        int64_t stride = values[2 * rank + k];
        buf_printf(printer->out, "%s%" PRId64 ":%" PRId64, k > 0 ? ", " : "", values[k],
                   values[rank + k]);
        if (stride != 1)
            buf_printf(printer->out, ":%" PRId64, stride);
    }
    buf_putc(printer->out, ']');
}

static void put_compare(struct stablehlo_printer *printer, term_id term, const int64_t *values)
{
    buf_printf(printer->out, "  %s,", compare_dir_text((enum compare_dir)values[0]));
    put_args(printer, term);
    buf_printf(printer->out, ",  %s", compare_type_text((enum compare_type)values[1]));
    put_kept(printer, term);
    put_signature(printer, term);
}

static void put_reduce(struct stablehlo_printer *printer, term_id term, const int64_t *values,
                       uint32_t n)
{
    buf_putc(printer->out, '(');
    stablehlo_put_value(printer, term_args(printer->terms, term)[0]);
    buf_puts(printer->out, " init: ");
    stablehlo_put_value(printer, term_args(printer->terms, term)[1]);
    buf_printf(printer->out,
               ") applies stablehlo.%s across dimensions = ", op_name((enum op)values[0]));
    put_ints(printer, "", values + 1, n - 1);
    put_kept(printer, term);
    put_signature(printer, term);
}

// The region of one reducer, or of the update itself, on values of the type.
static void put_region(struct stablehlo_printer *printer, enum op reducer, const uint32_t *local,
                       const char *type)
{
    const char *name[3] = {"", "", ""};
    const char *result;
    for (int k = 0; k < (reducer == N_OPS ? 2 : 3); k++)
        name[k] = intern_text(&printer->names, local[k]);
    result = name[reducer == N_OPS ? 1 : 2];
    buf_puts(printer->out, " ({\n");
    buf_indent(printer->out, printer->indent);
    buf_printf(printer->out, "^bb0(%%%s: %s, %%%s: %s):\n", name[0], type, name[1], type);
    if (reducer != N_OPS) {
        buf_indent(printer->out, printer->indent + 2);
        buf_printf(printer->out, "%%%s = stablehlo.%s %%%s, %%%s : %s\n", result, op_name(reducer),
                   name[0], name[1], type);
    }
    buf_indent(printer->out, printer->indent + 2);
    buf_printf(printer->out, "stablehlo.return %%%s : %s\n", result, type);
    buf_indent(printer->out, printer->indent);
    buf_puts(printer->out, "})");
}

// "op"(%x, %y) <{...}>, with the reducer of two new values as region.
static void put_indexed(struct stablehlo_printer *printer, term_id term, int64_t reducer)
{
    const struct term *node = term_at(printer->terms, term);
    uint32_t local[3];
    if (node->op != OP_GATHER)
        vec_push(printer->regions, NO_REGION);
    buf_printf(printer->out, "\"stablehlo.%s\"(", op_name((enum op)node->op));
    for (uint32_t k = 0; k < node->n_args; k++) {
        buf_puts(printer->out, k > 0 ? ", " : "");
        stablehlo_put_value(printer, term_args(printer->terms, term)[k]);
    }
    buf_puts(printer->out, ") ");
    stablehlo_print_dims(printer->terms, term, printer->out);
    if (node->op != OP_GATHER) {
        bool replaces = reducer == N_OPS;
        struct buf type = {0};
        buf_printf(&type, "tensor<%s>", elem_text(type_elem(printer->pool, node->type)));
        for (int k = 0; k < 3 - replaces; k++)
            local[k] = stablehlo_fresh_name(printer, "", &printer->n_value);
        put_region(printer, (enum op)reducer, local, buf_text(&type));
        buf_release(&type);
    }
    put_kept(printer, term);
    put_signature(printer, term);
}

static void put_convolution(struct stablehlo_printer *printer, term_id term)
{
    buf_putc(printer->out, '(');
    stablehlo_put_value(printer, term_args(printer->terms, term)[0]);
    buf_puts(printer->out, ", ");
    stablehlo_put_value(printer, term_args(printer->terms, term)[1]);
    buf_puts(printer->out, ") ");
    // The form has a dictionary of its own at its end.
    struct buf dims = {0};
    stablehlo_print_dims(printer->terms, term, &dims);
    const char *kept = program_kept(printer->program, term);
    buf_write(printer->out, dims.at, dims.len - (*kept != '\0'));
    if (*kept != '\0')
        buf_printf(printer->out, ", %s", kept + 1);
    buf_release(&dims);
    put_signature(printer, term);
}

static void put_iota(struct stablehlo_printer *printer, term_id term, int64_t dim)
{
    buf_printf(printer->out, " dim = %" PRId64, dim);
    put_kept(printer, term);
    put_types(printer, term);
}

static void put_constant(struct stablehlo_printer *printer, term_id term)
{
    put_kept(printer, term);
    buf_putc(printer->out, ' ');
    stablehlo_print_literal(printer->pool, term_literal(printer->terms, term),
                            term_type(printer->terms, term), printer->out);
}

// The operators that have a form of their own behind the name; false: this is
// another one, and nothing was printed.
static bool put_own_form(struct stablehlo_printer *printer, term_id term)
{
    const struct term *node = term_at(printer->terms, term);
    const int64_t *v = attr_at(printer->pool, node->attr);
    switch ((enum op)node->op) {
    case OP_CONVOLUTION:
        put_convolution(printer, term);
        return true;
    case OP_CONSTANT:
        put_constant(printer, term);
        return true;
    case OP_IOTA:
        put_iota(printer, term, v[0]);
        return true;
    case OP_COMPARE:
        put_compare(printer, term, v);
        return true;
    case OP_REDUCE:
        put_reduce(printer, term, v, attr_len(printer->pool, node->attr));
        return true;
    case OP_PARAMETER:
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_DOT_GENERAL:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        break;
    }
    return false;
}

// Attributes behind the operands.
static void put_attributes(struct stablehlo_printer *printer, term_id term)
{
    const struct term *node = term_at(printer->terms, term);
    const int64_t *v = attr_at(printer->pool, node->attr);
    uint32_t n = attr_len(printer->pool, node->attr), rank = n / 3;
    switch ((enum op)node->op) {
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
        put_ints(printer, ", dims = ", v, n);
        return;
    case OP_SLICE:
        put_slice(printer, v, rank);
        return;
    case OP_PAD:
        put_ints(printer, ", low = ", v, rank);
        put_ints(printer, ", high = ", v + rank, rank);
        put_ints(printer, ", interior = ", v + 2 * rank, rank);
        return;
    case OP_CONCATENATE:
        buf_printf(printer->out, ", dim = %" PRId64, v[0]);
        return;
    case OP_DOT_GENERAL:
    case OP_DYNAMIC_SLICE:
        stablehlo_print_dims(printer->terms, term, printer->out);
        return;
    case OP_REDUCE:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        return;
    }
}

// ": i1, T", the types of a condition and of both choices.
static void put_select_types(struct stablehlo_printer *printer, term_id term)
{
    buf_puts(printer->out, " : ");
    stablehlo_put_type(printer, term_type(printer->terms, term_args(printer->terms, term)[0]));
    buf_puts(printer->out, ", ");
    stablehlo_put_type(printer, term_type(printer->terms, term));
}

// Types behind the attributes, in the form of the operator.
static void put_operator_types(struct stablehlo_printer *printer, term_id term)
{
    switch ((enum op)term_at(printer->terms, term)->op) {
    case OP_SELECT:
        put_select_types(printer, term);
        return;
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_DOT_GENERAL:
    case OP_DYNAMIC_SLICE:
    case OP_IS_FINITE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        put_signature(printer, term);
        return;
    case OP_REVERSE:
    case OP_COMPARE:
    case OP_CLAMP:
    case OP_CONVERT:
    case OP_REDUCE:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_GATHER:
    case OP_SCATTER:
        LEAF_CASES
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        put_types(printer, term);
        return;
    }
}

void stablehlo_put_operator(struct stablehlo_printer *printer, term_id term)
{
    const struct term *node = term_at(printer->terms, term);
    enum op op = (enum op)node->op;
    if (op == OP_GATHER || op == OP_SCATTER || op == OP_REDUCE_WINDOW) {
        put_indexed(printer, term, attr_at(printer->pool, node->attr)[0]);
        return;
    }
    buf_printf(printer->out, "%s.%s", op_dialect(op), op_name(op));
    if (put_own_form(printer, term))
        return;
    put_args(printer, term);
    if (strcmp(op_dialect(op), "chlo") == 0) {
        put_kept(printer, term);
        put_types(printer, term);
        buf_puts(printer->out, " -> ");
        stablehlo_put_type(printer, node->type);
        return;
    }
    put_attributes(printer, term);
    put_kept(printer, term);
    put_operator_types(printer, term);
}
