// SPDX-License-Identifier: Apache-2.0
#include "loops/print/value.h"
#include <inttypes.h>

static bool is_infix(enum code_op op)
{
    return (op >= CODE_ADD && op <= CODE_REMAINDER) || op == CODE_SHIFT_LEFT ||
           op == CODE_SHIFT_RIGHT || op == CODE_AND || op == CODE_OR ||
           (op >= CODE_EQUAL && op <= CODE_UNSIGNED_LESS_EQUAL);
}

static void print_list(struct value_printer *printer, const struct code_node *node)
{
    buf_putc(printer->out, '(');
    for (uint32_t i = 0; i < node->n; i++) {
        if (i > 0)
            buf_puts(printer->out, ", ");
        print_value(printer, printer->program->operand.at[node->at + i]);
    }
    buf_putc(printer->out, ')');
}

static void print_constant(struct value_printer *printer, const struct code_node *node)
{
    if (node->type.kind == CODE_REAL)
        buf_puts(printer->out, code_name(printer->program, (uint32_t)node->number));
    else if (node->type.kind == CODE_BOOL)
        buf_puts(printer->out, node->number ? "true" : "false");
    else
        buf_printf(printer->out, "%" PRId64, node->number);
}

// Axes of an expanded value: x[:, None]
static void print_expanded(struct value_printer *printer, const struct code_node *node)
{
    print_value(printer, printer->program->operand.at[node->at]);
    buf_putc(printer->out, '[');
    for (uint32_t d = 0; d < node->type.rank; d++)
        buf_printf(printer->out, "%s%s", d > 0 ? ", " : "",
                   d == (uint32_t)node->number ? "None" : ":");
    buf_putc(printer->out, ']');
}

static void print_fold(struct value_printer *printer, const struct code_node *node)
{
    const struct code_region *region = &printer->program->region.at[node->number >> 3];
    const char *what = node->op == CODE_SCAN ? "scan" : "reduce";
    if (region->combine != CODE_OPAQUE)
        buf_printf(printer->out, "%s(%s, axis %u%s, ", what,
                   code_op_text((enum code_op)region->combine), region->axis,
                   region->reverse ? ", from the end" : "");
    else
        buf_printf(printer->out, "%s(function of line %u, axis %u%s, ", what, region->place.line,
                   region->axis, region->reverse ? ", from the end" : "");
    print_list(printer, node);
    buf_putc(printer->out, ')');
    if (region->n > 1)
        buf_printf(printer->out, ".%u", (unsigned)(node->number & 7));
}

static void print_move(struct value_printer *printer, const struct code_node *node)
{
    switch (node->op) {
    case CODE_SPLAT:
    case CODE_STRETCH:
        print_value(printer, printer->program->operand.at[node->at]);
        return;
    case CODE_EXPAND:
        print_expanded(printer, node);
        return;
    default:
        buf_puts(printer->out, code_op_text((enum code_op)node->op));
        if (node->op == CODE_SPLIT)
            buf_printf(printer->out, "%" PRId64, node->number);
        print_list(printer, node);
    }
}

static void print_infix(struct value_printer *printer, const struct code_node *node)
{
    const code_value *of = printer->program->operand.at + node->at;
    buf_putc(printer->out, '(');
    print_value(printer, of[0]);
    buf_printf(printer->out, " %s ", code_op_text((enum code_op)node->op));
    print_value(printer, of[1]);
    buf_putc(printer->out, ')');
}

static void print_lane(struct value_printer *printer, const struct code_node *node)
{
    const struct code_node *from =
        code_node(printer->program, printer->program->operand.at[node->at]);
    if (node->op == CODE_CONVERT && from->type.kind == node->type.kind)
        print_value(printer, printer->program->operand.at[node->at]);
    else if (is_infix((enum code_op)node->op))
        print_infix(printer, node);
    else {
        buf_puts(printer->out, node->op == CODE_CALL
                                   ? code_name(printer->program, (uint32_t)node->number)
                                   : code_op_text((enum code_op)node->op));
        print_list(printer, node);
    }
}

static void print_leaf(struct value_printer *printer, const struct code_node *node)
{
    switch (node->op) {
    case CODE_PARAMETER:
        buf_puts(printer->out, code_parameter_name(printer->program, (uint32_t)node->number));
        break;
    case CODE_CONSTANT:
        print_constant(printer, node);
        break;
    case CODE_RANGE:
        buf_printf(printer->out, "(%" PRId64 " .. %" PRId64 ")", node->number,
                   node->number + node->type.extent[0]);
        break;
    case CODE_OPAQUE:
        buf_printf(printer->out, "unknown(%s)",
                   code_name(printer->program, (uint32_t)node->number));
        break;
    default:
        buf_puts(printer->out, "?");
        break;
    }
}

void print_definition(struct value_printer *printer, code_value value)
{
    const struct code_node *node = code_node(printer->program, value);
    if (printer->depth >= PRINT_DEPTH) {
        buf_puts(printer->out, "..");
        return;
    }
    printer->depth++;
    switch (code_op_group((enum code_op)node->op)) {
    case GROUP_LEAF:
        print_leaf(printer, node);
        break;
    case GROUP_LANE:
        print_lane(printer, node);
        break;
    case GROUP_MOVE:
        print_move(printer, node);
        break;
    case GROUP_FOLD:
        if (node->op == CODE_DOT)
            buf_puts(printer->out, "dot"), print_list(printer, node);
        else
            print_fold(printer, node);
        break;
    case GROUP_MEMORY:
        buf_printf(printer->out, "t%u", value);
        break;
    }
    printer->depth--;
}

void print_value(struct value_printer *printer, code_value value)
{
    uint32_t name = value < printer->name.len ? printer->name.at[value] : 0;
    if (name > 0)
        buf_printf(printer->out, "t%u", name - 1);
    else if (code_node(printer->program, value)->op == CODE_BOUND)
        buf_printf(printer->out, "v%u", value);
    else
        print_definition(printer, value);
}

void code_print_value(const struct code_program *program, code_value value, struct buf *out)
{
    struct value_printer printer = {.program = program, .out = out};
    print_value(&printer, value);
}
