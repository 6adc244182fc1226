// SPDX-License-Identifier: Apache-2.0
// One operator in pretty form, behind "%x = ".
#include "io/stablehlo/print/printer.h"
#include <inttypes.h>

static void put_args(struct stablehlo_printer *x, term_id t)
{
    for (uint32_t k = 0; k < term_at(x->t, t)->n_args; k++) {
        buf_puts(x->out, k > 0 ? ", " : " ");
        stablehlo_put_value(x, term_args(x->t, t)[k]);
    }
}

static void put_ints(struct stablehlo_printer *x, const char *label, const int64_t *v,
                     uint32_t n)
{
    buf_printf(x->out, "%s[", label);
    for (uint32_t k = 0; k < n; k++)
        buf_printf(x->out, "%s%" PRId64, k > 0 ? ", " : "", v[k]);
    buf_putc(x->out, ']');
}

// ": (T, U) -> V"
static void put_signature(struct stablehlo_printer *x, term_id t)
{
    const struct term *n = term_at(x->t, t);
    buf_puts(x->out, " : (");
    for (uint32_t k = 0; k < n->n_args; k++) {
        if (k > 0)
            buf_puts(x->out, ", ");
        stablehlo_put_type(x, term_type(x->t, term_args(x->t, t)[k]));
    }
    buf_puts(x->out, ") -> ");
    stablehlo_put_type(x, n->type);
}

// ": T" where all operands have the result's type, else the whole signature.
static void put_types(struct stablehlo_printer *x, term_id t)
{
    const struct term *n = term_at(x->t, t);
    for (uint32_t k = 0; k < n->n_args; k++) {
        if (term_type(x->t, term_args(x->t, t)[k]).v != n->type.v) {
            put_signature(x, t);
            return;
        }
    }
    buf_puts(x->out, " : ");
    stablehlo_put_type(x, n->type);
}

static void put_slice(struct stablehlo_printer *x, const int64_t *v, uint32_t rank)
{
    buf_puts(x->out, " [");
    for (uint32_t k = 0; k < rank; k++) {
        int64_t stride = v[2 * rank + k];
        buf_printf(x->out, "%s%" PRId64 ":%" PRId64, k > 0 ? ", " : "", v[k],
                   v[rank + k]);
        if (stride != 1)
            buf_printf(x->out, ":%" PRId64, stride);
    }
    buf_putc(x->out, ']');
}

static void put_compare(struct stablehlo_printer *x, term_id t, const int64_t *v)
{
    buf_printf(x->out, "  %s,", compare_dir_text((enum compare_dir)v[0]));
    put_args(x, t);
    buf_printf(x->out, ",  %s", compare_type_text((enum compare_type)v[1]));
    put_signature(x, t);
}

static void put_reduce(struct stablehlo_printer *x, term_id t, const int64_t *v,
                       uint32_t n)
{
    buf_putc(x->out, '(');
    stablehlo_put_value(x, term_args(x->t, t)[0]);
    buf_puts(x->out, " init: ");
    stablehlo_put_value(x, term_args(x->t, t)[1]);
    buf_printf(x->out, ") applies stablehlo.%s across dimensions = ",
               op_name((enum op)v[0]));
    put_ints(x, "", v + 1, n - 1);
    put_signature(x, t);
}

// The region of one reducer, or of the update itself, on values of the type.
static void put_region(struct stablehlo_printer *x, enum op reducer,
                       const uint32_t *local, const char *type)
{
    const char *name[3] = {"", "", ""};
    const char *result;
    for (int k = 0; k < (reducer == N_OPS ? 2 : 3); k++)
        name[k] = intern_text(&x->names, local[k]);
    result = name[reducer == N_OPS ? 1 : 2];
    buf_puts(x->out, " ({\n");
    buf_indent(x->out, x->indent);
    buf_printf(x->out, "^bb0(%%%s: %s, %%%s: %s):\n", name[0], type, name[1],
               type);
    if (reducer != N_OPS) {
        buf_indent(x->out, x->indent + 2);
        buf_printf(x->out, "%%%s = stablehlo.%s %%%s, %%%s : %s\n", result,
                   op_name(reducer), name[0], name[1], type);
    }
    buf_indent(x->out, x->indent + 2);
    buf_printf(x->out, "stablehlo.return %%%s : %s\n", result, type);
    buf_indent(x->out, x->indent);
    buf_puts(x->out, "})");
}

// "op"(%x, %y) <{...}>, with the reducer of two new values as region.
static void put_indexed(struct stablehlo_printer *x, term_id t, int64_t reducer)
{
    const struct term *n = term_at(x->t, t);
    uint32_t local[3];
    buf_printf(x->out, "\"stablehlo.%s\"(", op_name((enum op)n->op));
    for (uint32_t k = 0; k < n->n_args; k++) {
        buf_puts(x->out, k > 0 ? ", " : "");
        stablehlo_put_value(x, term_args(x->t, t)[k]);
    }
    buf_puts(x->out, ") ");
    stablehlo_print_dims(x->t, t, x->out);
    if (n->op != OP_GATHER) {
        bool replaces = reducer == N_OPS;
        struct buf type = {0};
        buf_printf(&type, "tensor<%s>", elem_text(type_elem(x->pool, n->type)));
        for (int k = 0; k < 3 - replaces; k++)
            local[k] = stablehlo_fresh_name(x, "", &x->n_value);
        put_region(x, (enum op)reducer, local, buf_text(&type));
        buf_release(&type);
    }
    put_signature(x, t);
}

void stablehlo_put_operator(struct stablehlo_printer *x, term_id t)
{
    const struct term *node = term_at(x->t, t);
    const int64_t *v = attr_at(x->pool, node->attr);
    uint32_t n = attr_len(x->pool, node->attr), r = n / 3;
    enum op op = (enum op)node->op;
    if (op == OP_GATHER || op == OP_SCATTER || op == OP_REDUCE_WINDOW) {
        put_indexed(x, t, v[0]);
        return;
    }
    buf_printf(x->out, "%s.%s", op_dialect(op), op_name(op));
    switch (op) {
    case OP_CONVOLUTION:
        buf_putc(x->out, '(');
        stablehlo_put_value(x, term_args(x->t, t)[0]);
        buf_puts(x->out, ", ");
        stablehlo_put_value(x, term_args(x->t, t)[1]);
        buf_puts(x->out, ") ");
        stablehlo_print_dims(x->t, t, x->out);
        put_signature(x, t);
        return;
    case OP_CONSTANT:
        buf_putc(x->out, ' ');
        stablehlo_print_literal(x->pool, term_literal(x->t, t), node->type,
                                x->out);
        return;
    case OP_IOTA:
        buf_printf(x->out, " dim = %" PRId64, v[0]);
        put_types(x, t);
        return;
    case OP_COMPARE:
        put_compare(x, t, v);
        return;
    case OP_REDUCE:
        put_reduce(x, t, v, n);
        return;
    default:
        put_args(x, t);
        break;
    }
    switch (op) {
    case OP_SELECT:
        buf_puts(x->out, " : ");
        stablehlo_put_type(x, term_type(x->t, term_args(x->t, t)[0]));
        buf_puts(x->out, ", ");
        stablehlo_put_type(x, node->type);
        return;
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
        put_ints(x, ", dims = ", v, n);
        put_signature(x, t);
        return;
    case OP_REVERSE:
        put_ints(x, ", dims = ", v, n);
        put_types(x, t);
        return;
    case OP_SLICE:
        put_slice(x, v, r);
        put_signature(x, t);
        return;
    case OP_PAD:
        put_ints(x, ", low = ", v, r);
        put_ints(x, ", high = ", v + r, r);
        put_ints(x, ", interior = ", v + 2 * r, r);
        put_signature(x, t);
        return;
    case OP_CONCATENATE:
        buf_printf(x->out, ", dim = %" PRId64, v[0]);
        put_signature(x, t);
        return;
    case OP_DOT_GENERAL:
    case OP_DYNAMIC_SLICE:
        stablehlo_print_dims(x->t, t, x->out);
        put_signature(x, t);
        return;
    case OP_ERF: // as CHLO writes it
        put_types(x, t);
        buf_puts(x->out, " -> ");
        stablehlo_put_type(x, node->type);
        return;
    case OP_IS_FINITE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        put_signature(x, t);
        return;
    default:
        put_types(x, t);
        return;
    }
}
