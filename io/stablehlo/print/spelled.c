// SPDX-License-Identifier: Apache-2.0
// A statement as the source has it, with the present names.  The text is that of the same
// operation (spelling_fits): the names alone can differ.
#include "io/stablehlo/print/writer.h"

static bool goes_on(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '.' || c == '-';
}

// A blank ends a new name where the old one ended without.
static void end_name(struct stablehlo_printer *printer, const struct source_hole *hole,
                     size_t begin)
{
    const struct source *source = printer->spelling.source;
    size_t n = hole->end - hole->at, m = printer->out->len - begin;
    bool same = n == m && memcmp(printer->out->at + begin, source->text + hole->at, n) == 0;
    if (!same && hole->end < source->n && goes_on(source->text[hole->end]))
        buf_putc(printer->out, ' ');
}

static void put_name(struct stablehlo_printer *printer, uint32_t name)
{
    buf_printf(printer->out, "%%%s", intern_text(&printer->names, name));
}

static void put_hole(struct operation_writer *writer, const struct source_hole *hole)
{
    struct stablehlo_printer *printer = writer->printer;
    size_t begin = printer->out->len;
    switch ((enum source_hole_kind)hole->kind) {
    case SOURCE_RESULT: {
        uint32_t first = printer->name_of.at[writer->term.v] - 1;
        put_name(printer, printer->name_run.at[first + hole->k].name);
        break;
    }
    case SOURCE_ARGUMENT:
        stablehlo_put_value(printer, term_args(printer->terms, writer->term)[hole->k]);
        break;
    case SOURCE_LOCAL:
        put_name(printer, writer_local_name(writer, hole->k));
        break;
    case SOURCE_BLOCK:
        return;
    }
    end_name(printer, hole, begin);
}

// The code of the statement, up to `end`.
static void put_text(struct stablehlo_printer *printer, term_id term,
                     const struct source_statement *statement, uint32_t end)
{
    struct operation_writer writer;
    uint32_t at = statement->begin;
    writer_start(&writer, printer, term, true);
    for (uint32_t i = 0; i < statement->n_holes; i++) {
        const struct source_hole *hole =
            &printer->spelling.source->holes.at[statement->first_hole + i];
        source_copy(printer, at, hole->at);
        at = hole->end;
        if (hole->kind == SOURCE_BLOCK)
            at = writer_open_block(&writer, hole->k, 2, (struct block_text){hole, true});
        else
            put_hole(&writer, hole);
    }
    source_copy(printer, at, end);
    writer_end(&writer);
}

// The column of a statement in the source; `column` if it does not begin a line.
static unsigned column_of(const struct source *source, const struct source_statement *statement,
                          unsigned column)
{
    uint32_t line = source_line_start(source->text, 0, statement->begin);
    if (line == statement->begin && line > 0 && source->text[line - 1] != '\n')
        return column;
    return statement->begin - line;
}

// The blanks in front of a statement that stays in its block.
static void put_indent(struct stablehlo_printer *printer, const struct source_statement *statement)
{
    const struct source *source = printer->spelling.source;
    uint32_t line = source_line_start(source->text, 0, statement->begin);
    if (line < statement->begin && printer->spelling.shift == 0)
        buf_write(printer->out, source->text + line, statement->begin - line);
    else
        buf_indent(printer->out, printer->indent);
}

// The rest of the line, behind the statement's code.
static void put_rest(struct stablehlo_printer *printer, const struct source_statement *statement,
                     uint32_t end)
{
    uint32_t line = source_line_end(printer->spelling.source->text, end, statement->next);
    if (line > end)
        source_copy(printer, end, line);
    else
        buf_putc(printer->out, '\n');
}

void stablehlo_put_spelled(struct stablehlo_printer *printer, term_id term,
                           void (*put_operation)(struct stablehlo_printer *, term_id))
{
    const struct source_statement *statement = spelling_of(printer, term);
    const struct source *source = printer->spelling.source;
    uint32_t number = (uint32_t)(statement - source->statements.at), loc;
    uint32_t end = source_code_end(source->text, statement->begin, statement->next, &loc);
    bool stays = printer->spelling.term_of.at[number] == term.v + 1;
    unsigned indent = printer->indent, column = column_of(source, statement, indent);
    int shift = printer->spelling.shift;
    if (stays && (int)column + shift >= 0)
        printer->indent = (unsigned)((int)column + shift);
    else
        printer->spelling.shift = (int)indent - (int)column;
    if (stays)
        put_indent(printer, statement);
    else
        buf_indent(printer->out, printer->indent);
    if (spelling_fits(printer, term, statement)) {
        put_text(printer, term, statement, end);
        put_rest(printer, statement, end);
    } else {
        stablehlo_put_results(printer, term);
        put_operation(printer, term);
        source_copy(printer, loc, end);
        buf_putc(printer->out, '\n');
    }
    printer->indent = indent;
    printer->spelling.shift = shift;
}
