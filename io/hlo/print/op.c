// SPDX-License-Identifier: Apache-2.0
// One instruction: "  %name = shape opcode(operands), attributes".
#include "io/hlo/print/printer.h"

#include <inttypes.h>

// The term has its name from here on.
void hlo_put_left(struct hlo_printer *printer, term_id term)
{
    struct buf layout = {0};
    uint32_t name = hlo_term_name(printer, term);
    printer->name_of.at[term.v] = name + 1;
    vec_push(&printer->printed, term.v);
    buf_puts(printer->out, term.v == printer->root ? "  ROOT " : "  ");
    hlo_put_name(printer, name);
    buf_puts(printer->out, " = ");
    if (term_op(printer->terms, term) != OP_OPAQUE) { // else the template has it
        hlo_put_layout(printer, term, &layout);
        hlo_put_type(printer->pool, term_type(printer->terms, term), buf_text(&layout),
                     printer->out);
        buf_putc(printer->out, ' ');
    }
    buf_release(&layout);
}

void hlo_put_right(struct hlo_printer *printer, term_id term)
{
    const struct term_note *note = hlo_note(printer, term);
    if (printer->folds && term.v == printer->root && op_is_reducer(term_op(printer->terms, term))) {
        buf_puts(printer->out, ", metadata={op_name=\"" HLO_REGION "\"}\n");
        return;
    }
    if (note != NULL && sym_text(printer->pool, note->metadata)[0] != '\0')
        buf_printf(printer->out, ", metadata=%s", sym_text(printer->pool, note->metadata));
    buf_putc(printer->out, '\n');
}

// A placeholder "%{k}" or "%{k:layout}" at `text`; its length, 0 = none.
static size_t placeholder(const char *text, uint32_t *k, struct buf *layout)
{
    size_t n = 2;
    if (text[0] != '%' || text[1] != '{')
        return 0;
    *k = 0;
    for (; text[n] >= '0' && text[n] <= '9' && *k < 100000000; n++)
        *k = *k * 10 + (uint32_t)(text[n] - '0');
    buf_clear(layout);
    if (text[n] == ':') {
        size_t length = text[n + 1] == '*' ? 1 : hlo_bracket_length(text + n + 1);
        buf_write(layout, text + n + 1, length);
        n += 1 + length;
    }
    return text[n] == '}' ? n + 1 : 0;
}

// Calls `visit` for each placeholder, and copies the text between if `out` is given.
static void walk_template(struct hlo_printer *printer, term_id term,
                          void (*visit)(struct hlo_printer *printer, term_id arg,
                                        const char *layout),
                          struct buf *out)
{
    const struct term *node = term_at(printer->terms, term);
    const char *text =
        sym_text(printer->pool, (sym_id){(uint32_t)attr_at(printer->pool, node->attr)[0]});
    struct buf layout = {0};
    char quoted = '\0'; // the quote of the string that the text is in
    while (*text != '\0') {
        uint32_t k;
        size_t n = quoted ? 0 : placeholder(text, &k, &layout);
        if (n > 0 && k < node->n_args) {
            visit(printer, term_args(printer->terms, term)[k], buf_text(&layout));
            text += n;
            continue;
        }
        if (quoted == '\0' && (*text == '"' || *text == '\''))
            quoted = *text;
        else if (*text == quoted)
            quoted = '\0';
        if (out != NULL && quoted && *text == '\\' && text[1] != '\0')
            buf_putc(out, *text++);
        else if (quoted && *text == '\\' && text[1] != '\0')
            text++;
        if (out != NULL)
            buf_putc(out, *text);
        text++;
    }
    buf_release(&layout);
}

static uint32_t operand_name(struct hlo_printer *printer, term_id arg, const char *layout)
{
    return strcmp(layout, "*") == 0 ? printer->name_of.at[arg.v] - 1
                                    : hlo_value_in(printer, arg, layout);
}

static void prepare_operand(struct hlo_printer *printer, term_id arg, const char *layout)
{
    operand_name(printer, arg, layout);
}

static void put_operand(struct hlo_printer *printer, term_id arg, const char *layout)
{
    hlo_put_name(printer, operand_name(printer, arg, layout));
}

// The copies that the operands need stand in front.
static void put_opaque(struct hlo_printer *printer, term_id term)
{
    walk_template(printer, term, prepare_operand, NULL);
    hlo_put_left(printer, term);
    walk_template(printer, term, put_operand, printer->out);
    hlo_put_right(printer, term);
}

// A constant with one value in all places is the broadcast of a scalar.
static void put_constant(struct hlo_printer *printer, term_id term)
{
    lit_id literal = term_literal(printer->terms, term);
    type_id type = term_type(printer->terms, term);
    const struct literal *lit = pool_literal(printer->pool, literal);
    int64_t count = type_count(printer->pool, type);
    if (count == 1 || (count > 0 && !lit->splat)) {
        hlo_put_left(printer, term);
        buf_puts(printer->out, "constant(");
        hlo_put_literal(printer->pool, literal, type, printer->out);
        buf_putc(printer->out, ')');
    } else {
        struct scalar scalar = scalar_of_int(lit->elem, 0);
        if (count > 0)
            scalar = literal_get(printer->pool, literal, 0);
        uint32_t name = hlo_scalar_constant(printer, lit->elem, scalar);
        hlo_put_left(printer, term);
        buf_puts(printer->out, "broadcast(");
        hlo_put_name(printer, name);
        buf_puts(printer->out, "), dimensions={}");
    }
    hlo_put_right(printer, term);
}

// Does operand k of the term repeat a scalar?
static bool is_repeated(const struct hlo_printer *printer, term_id term, uint32_t k)
{
    const struct term *node = term_at(printer->terms, term);
    term_id arg = term_args(printer->terms, term)[k];
    bool may = (node->op == OP_SELECT && k == 0) || (node->op == OP_CLAMP && k != 1);
    return may && type_rank(printer->pool, node->type) > 0 &&
           type_rank(printer->pool, term_type(printer->terms, arg)) == 0;
}

static uint32_t argument(struct hlo_printer *printer, term_id term, uint32_t k)
{
    term_id arg = term_args(printer->terms, term)[k];
    if (is_repeated(printer, term, k))
        return hlo_repeated(printer, arg, term_type(printer->terms, term));
    if (term_op(printer->terms, term) == OP_BROADCAST_IN_DIM && hlo_widens(printer, term))
        return hlo_narrowed(printer, term);
    return printer->name_of.at[arg.v] - 1;
}

static void put_operator(struct hlo_printer *printer, term_id term)
{
    uint32_t n = term_at(printer->terms, term)->n_args;
    for (uint32_t k = 0; k < n; k++)
        argument(printer, term, k); // helpers stand in front
    hlo_put_left(printer, term);
    hlo_put_opcode(term_op(printer->terms, term), printer->out);
    buf_putc(printer->out, '(');
    for (uint32_t k = 0; k < n; k++) {
        buf_puts(printer->out, k > 0 ? ", " : "");
        hlo_put_name(printer, argument(printer, term, k));
    }
    buf_putc(printer->out, ')');
    hlo_put_operator_attributes(printer, term);
    hlo_put_right(printer, term);
}

static void put_result(struct hlo_printer *printer, term_id term)
{
    term_id operation = term_args(printer->terms, term)[0];
    hlo_put_left(printer, term);
    buf_puts(printer->out, "get-tuple-element(");
    hlo_put_name(printer, printer->name_of.at[operation.v] - 1);
    buf_printf(printer->out, "), index=%" PRId64,
               attr_at(printer->pool, term_at(printer->terms, term)->attr)[0]);
    hlo_put_right(printer, term);
}

void hlo_put_statement(struct hlo_printer *printer, term_id term)
{
    enum op op = term_op(printer->terms, term);
    if (hlo_is_structured(printer, term))
        hlo_put_structured(printer, term);
    else if (op == OP_PARAMETER)
        hlo_put_block_parameter(printer, term);
    else if (op == OP_RESULT)
        put_result(printer, term);
    else if (op == OP_OPAQUE)
        put_opaque(printer, term);
    else if (op == OP_CONSTANT)
        put_constant(printer, term);
    else
        put_operator(printer, term);
}
