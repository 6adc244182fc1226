// SPDX-License-Identifier: Apache-2.0
// Opaque nodes: the template with the names of values, and the statements of regions.
#include "io/limits.h"
#include "io/stablehlo/print/writer.h"

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

// The placeholder at the text; its length, 0 = there is none.
static size_t put_placeholder(struct operation_writer *writer, const char *text, uint32_t column)
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
        buf_printf(printer->out, "%%%s",
                   intern_text(&printer->names, writer_local_name(writer, k)));
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
    writer_open_block(writer, k, column, writer_source_block(writer, k));
    return text[n] == '\n' ? n + 1 : n;
}

// `call` is short for `func.call` in the body of a function alone: the default dialect of a region
// is that of the operation around it.
static bool lost_its_dialect(const struct stablehlo_printer *printer, const char *text)
{
    return scope_region(printer->block.at[printer->here].scope) != NO_REGION &&
           strncmp(text, "call @", 6) == 0;
}

void stablehlo_put_template(struct stablehlo_printer *printer, term_id term)
{
    struct operation_writer writer;
    writer_start(&writer, printer, term, false);
    const char *text = sym_text(printer->pool, writer.view.text);
    bool quoted = false, start = false;
    uint32_t column = 0;
    if (strncmp(text, "%{;", 3) == 0) // of another module
        text = strchr(text, '}') + 1;
    if (lost_its_dialect(printer, text))
        buf_puts(printer->out, "func.");
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
    writer_end(&writer);
}
