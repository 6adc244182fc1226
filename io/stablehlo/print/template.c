// SPDX-License-Identifier: Apache-2.0
// Opaque nodes: the template with the names of values, and the statements of regions.
#include "io/limits.h"
#include "io/stablehlo/print/printer.h"
#include "tensor/program/region.h"

// What the printer knows of a term, put aside while an isolated region is printed.
struct known_term {
    uint32_t term, name, places, opened, passed;
};

// An opaque node that is being printed.
struct template_writer {
    struct stablehlo_printer *printer;
    term_id term;
    struct opaque_view view;
    uint32_t here;        // block in which the node stands
    unsigned indent;      // there
    struct u32_vec local; // names of the values that its regions define
    bool open;            // a block is being printed
    uint32_t printed;     // of printer->printed, before that block
    VEC(struct known_term) aside;
};

// What stands at a '%{' of a template.
enum placeholder_kind { PLACEHOLDER_ARGUMENT, PLACEHOLDER_LOCAL, PLACEHOLDER_BLOCK };

// The k of "%{k}", "%{.k}" or "%{:k}" at s; its length, 0 = no placeholder.
static size_t placeholder(const char *text, enum placeholder_kind *kind, uint32_t *k)
{
    size_t n = 2;
    if (text[0] != '%' || text[1] != '{')
        return 0;
    *kind = text[n] == '.'   ? PLACEHOLDER_LOCAL
            : text[n] == ':' ? PLACEHOLDER_BLOCK
                             : PLACEHOLDER_ARGUMENT;
    n += *kind != PLACEHOLDER_ARGUMENT;
    *k = 0;
    if (text[n] < '0' || text[n] > '9')
        return 0;
    for (; text[n] >= '0' && text[n] <= '9' && *k < 100000000; n++)
        *k = *k * 10 + (uint32_t)(text[n] - '0');
    return text[n] == '}' ? n + 1 : 0;
}

// Values of the operation's regions get the next free numbers.
static uint32_t local_name(struct template_writer *writer, uint32_t k)
{
    struct stablehlo_printer *printer = writer->printer;
    while (writer->local.len <= k)
        vec_push(&writer->local, stablehlo_fresh_name(printer, "", &printer->n_value));
    return writer->local.at[k];
}

// The parameters of the region get their names.
static void name_parameters(struct template_writer *writer)
{
    struct stablehlo_printer *printer = writer->printer;
    for (uint32_t i = printer->region_param.at[writer->view.region]; i != 0;) {
        const struct param_node *node = &printer->param_node.at[i - 1];
        uint32_t k = (uint32_t)attr_at(printer->pool, printer->terms->term.at[node->term].attr)[1];
        printer->name_of.at[node->term] = local_name(writer, k) + 1;
        i = node->next;
    }
}

static void forget_parameters(struct stablehlo_printer *printer, uint32_t region)
{
    for (uint32_t i = printer->region_param.at[region]; i != 0;
         i = printer->param_node.at[i - 1].next)
        printer->name_of.at[printer->param_node.at[i - 1].term] = 0;
}

// An isolated region has none of the values outside: what the printer knows of the terms that
// it needs is put aside.
static void put_aside(struct template_writer *writer, uint32_t n, const term_id *roots)
{
    struct stablehlo_printer *printer = writer->printer;
    struct u32_vec reach = {0};
    terms_reach(printer->terms, n, roots, &reach);
    for (uint32_t k = 0; k < reach.len; k++) {
        uint32_t t = reach.at[k];
        vec_push(&writer->aside,
                 ((struct known_term){t, printer->name_of.at[t], printer->places.at[t],
                                      printer->opened.at[t], printer->passed.at[t]}));
        printer->name_of.at[t] = printer->places.at[t] = 0;
        printer->opened.at[t] = printer->passed.at[t] = 0;
    }
    vec_release(&reach);
}

static void take_back(struct template_writer *writer)
{
    struct stablehlo_printer *printer = writer->printer;
    for (uint32_t k = 0; k < writer->aside.len; k++) {
        const struct known_term *known = &writer->aside.at[k];
        printer->name_of.at[known->term] = known->name;
        printer->places.at[known->term] = known->places;
        printer->opened.at[known->term] = known->opened;
        printer->passed.at[known->term] = known->passed;
    }
    vec_clear(&writer->aside);
}

// Ends the block that is open: its values are not seen from outside.
static void close_block(struct template_writer *writer)
{
    struct stablehlo_printer *printer = writer->printer;
    if (!writer->open)
        return;
    while (printer->printed.len > writer->printed)
        printer->name_of.at[vec_pop(&printer->printed)] = 0;
    take_back(writer);
    printer->here = writer->here;
    printer->indent = writer->indent;
    writer->open = false;
}

// The statements of block b, but for the one that returns, which the template has.  `column` is
// that of the template's line.
static void open_block(struct template_writer *writer, uint32_t b, uint32_t column)
{
    struct stablehlo_printer *printer = writer->printer;
    uint32_t scope = scope_of_region(writer->view.region);
    struct opaque_block block = opaque_block(&writer->view, b);
    uint32_t n = block.n_returns + block.n_effects;
    struct u32_vec roots = {0}, placed = {0};
    VEC(term_id) ids = {0};
    close_block(writer);
    writer->open = true;
    writer->printed = printer->printed.len;
    // Effects come first, in their order.
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = k < block.n_effects ? block.n_returns + k : k - block.n_effects;
        vec_push(&ids, term_args(printer->terms, writer->term)[block.first + at]);
        vec_push(&roots, vec_last(&ids).v);
    }
    if (scope_parent(printer->terms, scope) == SCOPE_CLOSED) {
        put_aside(writer, ids.len, ids.at);
        printer->here = stablehlo_place(printer, scope, roots.len, roots.at, &placed);
    } else {
        printer->here = stablehlo_opened(printer, writer->term, writer->here) + b;
    }
    name_parameters(writer);
    printer->indent += column;
    stablehlo_put_block(printer, roots.len, roots.at);
    printer->indent = writer->indent;
    vec_release(&ids);
    vec_release(&roots);
    vec_release(&placed);
}

// The placeholder at the text; its length, 0 = there is none.
static size_t put_placeholder(struct template_writer *writer, const char *text, uint32_t column)
{
    struct stablehlo_printer *printer = writer->printer;
    enum placeholder_kind kind;
    uint32_t k, n_args = term_at(printer->terms, writer->term)->n_args;
    size_t n = placeholder(text, &kind, &k);
    if (n == 0)
        return 0;
    switch (kind) {
    case PLACEHOLDER_LOCAL:
        if (k >= IO_LOCAL_NAMES)
            return 0;
        buf_printf(printer->out, "%%%s", intern_text(&printer->names, local_name(writer, k)));
        return n;
    case PLACEHOLDER_ARGUMENT:
        if (k >= n_args)
            return 0;
        stablehlo_put_value(printer, term_args(printer->terms, writer->term)[k]);
        return n;
    case PLACEHOLDER_BLOCK:
        break;
    }
    if (k >= writer->view.n_blocks)
        return 0;
    // The statements have lines of their own, in place of this one.
    while (printer->out->len > 0 && printer->out->at[printer->out->len - 1] == ' ')
        printer->out->len--;
    open_block(writer, k, column);
    return text[n] == '\n' ? n + 1 : n;
}

void stablehlo_put_template(struct stablehlo_printer *printer, term_id term)
{
    struct template_writer writer = {.printer = printer,
                                     .term = term,
                                     .view = opaque_view(printer->terms, term),
                                     .here = printer->here,
                                     .indent = printer->indent};
    const char *text = sym_text(printer->pool, writer.view.text);
    bool quoted = false, start = false;
    uint32_t column = 0;
    printer->resources |= stablehlo_names_resource(text);
    if (strncmp(text, "%{;", 3) == 0) // of another module
        text = strchr(text, '}') + 1;
    if (writer.view.region != NO_REGION)
        vec_push(printer->regions, writer.view.region);
    while (*text != '\0') {
        size_t n = quoted ? 0 : put_placeholder(&writer, text, column);
        if (n > 0) {
            // Behind a block the next line of the template begins.
            start = text[n - 1] == '\n';
            text += n;
            if (start)
                buf_indent(printer->out, printer->indent);
            column = start ? 0 : column;
            continue;
        }
        if (start)
            column += *text == ' ';
        start &= *text == ' ';
        if (*text == '"')
            quoted = !quoted;
        else if (quoted && *text == '\\' && text[1] != '\0')
            buf_putc(printer->out, *text++);
        buf_putc(printer->out, *text);
        if (*text++ == '\n') {
            buf_indent(printer->out, printer->indent);
            start = true;
            column = 0;
        }
    }
    close_block(&writer);
    if (writer.view.region != NO_REGION)
        forget_parameters(printer, writer.view.region);
    vec_release(&writer.local);
    vec_release(&writer.aside);
}
