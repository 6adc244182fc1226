// SPDX-License-Identifier: Apache-2.0
// Values: their names, their layouts, and the helpers that stand for them.
#include "io/hlo/print/printer.h"

#include <inttypes.h>

void hlo_put_name(struct hlo_printer *printer, uint32_t name)
{
    buf_printf(printer->out, "%%%s", intern_text(&printer->names, name));
}

// Appends the layout behind the ']' of an array's shape.
static void put_shape_layout(const char *shape, struct buf *out)
{
    // The text of a tuple may be long, and has its layouts inside.
    size_t n = shape[0] == '(' ? 0 : hlo_shape_length(shape);
    const char *sizes = memchr(shape, ']', n);
    if (sizes != NULL)
        buf_write(out, sizes + 1, (size_t)(shape + n - sizes - 1));
}

void hlo_put_layout(const struct hlo_printer *printer, term_id term, struct buf *out)
{
    const struct term *node = term_at(printer->terms, term);
    const int64_t *values = attr_at(printer->pool, node->attr);
    if (hlo_is_structured(printer, term) || (node->op == OP_PARAMETER && values[0] < 0))
        return;
    if (node->op == OP_PARAMETER) {
        // The layout is in front of ", ".
        const char *attrs = sym_text(printer->pool, printer->function->params.at[values[1]].attrs);
        buf_write(out, attrs, hlo_bracket_length(attrs));
        return;
    }
    if (node->op == OP_OPAQUE) {
        put_shape_layout(sym_text(printer->pool, (sym_id){(uint32_t)values[0]}), out);
        return;
    }
    const struct term_note *note = hlo_note(printer, term);
    if (note != NULL)
        buf_puts(out, sym_text(printer->pool, note->layout));
}

// The name of the helper with this text as key; *made: it is still to be printed.
static uint32_t helper(struct hlo_printer *printer, const struct buf *key, const char *stem,
                       bool *made)
{
    uint32_t id = intern_bytes(&printer->helpers, buf_text(key), key->len);
    while (printer->helper_name.len <= id)
        vec_push(&printer->helper_name, 0);
    *made = printer->helper_name.at[id] == 0;
    if (*made) {
        printer->helper_name.at[id] = hlo_fresh_name(printer, stem) + 1;
        vec_push(&printer->helpers_made, id);
    }
    return printer->helper_name.at[id] - 1;
}

void hlo_put_copy(struct hlo_printer *printer, uint32_t name, term_id term, const char *layout)
{
    hlo_put_name(printer, name);
    buf_puts(printer->out, " = ");
    hlo_put_type(printer->pool, term_type(printer->terms, term), layout, printer->out);
    buf_puts(printer->out, " copy(");
    hlo_put_name(printer, printer->name_of.at[term.v] - 1);
    buf_puts(printer->out, "), metadata={op_name=\"" HLO_HELPER "\"}\n");
}

uint32_t hlo_value_in(struct hlo_printer *printer, term_id term, const char *layout)
{
    struct buf own = {0}, key = {0};
    uint32_t name = printer->name_of.at[term.v] - 1;
    bool made;
    hlo_put_layout(printer, term, &own);
    if (strcmp(buf_text(&own), layout) != 0) {
        buf_printf(&key, "copy %u %s", term.v, layout);
        name = helper(printer, &key, "copy", &made);
        if (made) {
            buf_puts(printer->out, "  ");
            hlo_put_copy(printer, name, term, layout);
        }
    }
    buf_release(&own);
    buf_release(&key);
    return name;
}

// "= f32[] constant(1)", which names the constant among the helpers.
static void put_scalar_key(enum elem elem, struct scalar scalar, struct buf *out)
{
    buf_puts(out, "= ");
    hlo_put_element(elem, out);
    buf_puts(out, "[] constant(");
    hlo_put_scalar(elem, scalar, out);
    buf_putc(out, ')');
}

void hlo_note_scalar(struct hlo_printer *printer, term_id constant)
{
    struct buf key = {0};
    enum elem elem = type_elem(printer->pool, term_type(printer->terms, constant));
    lit_id literal = term_literal(printer->terms, constant);
    put_scalar_key(elem, literal_get(printer->pool, literal, 0), &key);
    uint32_t id = intern_bytes(&printer->helpers, buf_text(&key), key.len);
    while (printer->scalar_of.len <= id)
        vec_push(&printer->scalar_of, 0);
    printer->scalar_of.at[id] = constant.v + 1;
    buf_release(&key);
}

// The term itself, if the program has it: its instruction has a name.
uint32_t hlo_scalar_constant(struct hlo_printer *printer, enum elem elem, struct scalar scalar)
{
    struct buf key = {0};
    bool made;
    put_scalar_key(elem, scalar, &key);
    uint32_t name, id = intern_bytes(&printer->helpers, buf_text(&key), key.len);
    if (id < printer->scalar_of.len && printer->scalar_of.at[id] != 0) {
        term_id term = {printer->scalar_of.at[id] - 1};
        if (printer->name_of.at[term.v] == 0)
            hlo_put_statement(printer, term);
        name = printer->name_of.at[term.v] - 1;
    } else {
        name = helper(printer, &key, "constant", &made);
        if (made) {
            buf_puts(printer->out, "  ");
            hlo_put_name(printer, name);
            buf_printf(printer->out, " %s\n", buf_text(&key));
        }
    }
    buf_release(&key);
    return name;
}

// Is axis d of the operand repeated?
static bool repeats(const struct hlo_printer *printer, term_id term, uint32_t d)
{
    const struct term *node = term_at(printer->terms, term);
    const int64_t *dims = attr_at(printer->pool, node->attr);
    type_id from = term_type(printer->terms, term_args(printer->terms, term)[0]);
    return type_dims(printer->pool, from)[d] != type_dims(printer->pool, node->type)[dims[d]];
}

bool hlo_widens(const struct hlo_printer *printer, term_id term)
{
    term_id arg = term_args(printer->terms, term)[0];
    uint32_t rank = type_rank(printer->pool, term_type(printer->terms, arg));
    // A reader takes the broadcast of a constant for a constant.
    if (rank == 0 && term_op(printer->terms, arg) == OP_CONSTANT)
        return true;
    for (uint32_t d = 0; d < rank; d++)
        if (repeats(printer, term, d))
            return true;
    return false;
}

// The shape without the axes that are repeated.
static void put_narrow_shape(const struct hlo_printer *printer, term_id wide, struct buf *out)
{
    type_id from = term_type(printer->terms, term_args(printer->terms, wide)[0]);
    bool first = true;
    hlo_put_element(type_elem(printer->pool, from), out);
    buf_putc(out, '[');
    for (uint32_t d = 0; d < type_rank(printer->pool, from); d++) {
        if (repeats(printer, wide, d))
            continue;
        buf_printf(out, "%s%" PRId64, first ? "" : ",", type_dims(printer->pool, from)[d]);
        first = false;
    }
    buf_putc(out, ']');
}

uint32_t hlo_narrowed(struct hlo_printer *printer, term_id wide)
{
    const struct term *node = term_at(printer->terms, wide);
    struct buf dims = {0}, key = {0};
    bool made;
    for (uint32_t d = 0; d < attr_len(printer->pool, node->attr); d++)
        buf_printf(&dims, "%c%" PRId64, d > 0 ? ',' : ' ', attr_at(printer->pool, node->attr)[d]);
    term_id arg = term_args(printer->terms, wide)[0];
    uint32_t operand = printer->name_of.at[arg.v] - 1;
    buf_printf(&key, "narrow %u%s ", arg.v, buf_text(&dims));
    put_narrow_shape(printer, wide, &key);
    uint32_t name = helper(printer, &key, "reshape", &made);
    if (made) {
        buf_puts(printer->out, "  ");
        hlo_put_name(printer, name);
        buf_puts(printer->out, " = ");
        put_narrow_shape(printer, wide, printer->out);
        buf_puts(printer->out, " reshape(");
        hlo_put_name(printer, operand);
        buf_printf(printer->out, "), metadata={op_name=\"" HLO_HELPER "%s\"}\n", buf_text(&dims));
    }
    buf_release(&dims);
    buf_release(&key);
    return name;
}

// A scalar's values in the sizes of another shape.
uint32_t hlo_repeated(struct hlo_printer *printer, term_id scalar, type_id shape)
{
    enum elem elem = type_elem(printer->pool, term_type(printer->terms, scalar));
    struct buf type = {0}, key = {0}, sizes = {0};
    bool made;
    hlo_put_type(printer->pool, shape, "", &sizes);
    hlo_put_element(elem, &type);
    buf_puts(&type, strchr(buf_text(&sizes), '['));
    buf_printf(&key, "repeat %u %s", scalar.v, buf_text(&type));
    uint32_t name = helper(printer, &key, "broadcast", &made);
    if (made) {
        buf_puts(printer->out, "  ");
        hlo_put_name(printer, name);
        buf_printf(printer->out, " = %s broadcast(", buf_text(&type));
        hlo_put_name(printer, printer->name_of.at[scalar.v] - 1);
        buf_puts(printer->out, "), dimensions={}, metadata={op_name=\"" HLO_HELPER "\"}\n");
    }
    buf_release(&type);
    buf_release(&key);
    buf_release(&sizes);
    return name;
}
