// SPDX-License-Identifier: Apache-2.0
// A program in the text that it was read from: everything outside of bodies stays as it is,
// but for functions that nothing names any more, and resources of constants that are gone.
#include "io/stablehlo/print/printer.h"

struct source_printer {
    struct stablehlo_printer *printer;
    const struct source *source;
    uint32_t at;       // begin of the text that was not copied
    uint32_t resource; // the next one
    size_t since;      // of the output, behind the resource before
};

// Cuts [from, to) out, with its lines if nothing else is on them.
static void leave_out(struct source_printer *writer, uint32_t from, uint32_t to)
{
    const char *text = writer->source->text;
    struct buf *out = writer->printer->out;
    uint32_t line = source_line_start(text, writer->at, from);
    uint32_t end = source_line_end(text, to, writer->source->n);
    bool whole = (line == 0 || text[line - 1] == '\n') && (end > to || to == writer->source->n);
    source_copy(writer->printer, writer->at, whole ? line : from);
    writer->at = whole ? end : to;
    bool blank = out->len < 2 || (out->at[out->len - 1] == '\n' && out->at[out->len - 2] == '\n');
    while (whole && blank && writer->at < writer->source->n && text[writer->at] == '\n')
        writer->at++;
}

static void copy_until(struct source_printer *writer, uint32_t to)
{
    const struct source *source = writer->source;
    struct buf *out = writer->printer->out;
    for (; writer->resource < source->resources.len; writer->resource++) {
        const struct source_resources *span = &source->resources.at[writer->resource];
        if (span->at >= to)
            break;
        if (!span->stays && strstr(buf_text(out) + writer->since, "dense_resource") == NULL)
            leave_out(writer, span->at, span->end);
        else
            source_copy(writer->printer, writer->at, span->end);
        writer->at = writer->at > span->end ? writer->at : span->end;
        writer->since = out->len;
    }
    if (writer->at < to)
        source_copy(writer->printer, writer->at, to);
    writer->at = to;
}

static void put_function(struct source_printer *writer, const struct source_function *function)
{
    struct stablehlo_printer *printer = writer->printer;
    if (function->body == NO_BLOCK) // its text is copied later
        return;
    // Statements of a body whose first line is another one's.
    printer->indent =
        function->begin - source_line_start(writer->source->text, 0, function->begin) + 2;
    stablehlo_reserve_names(printer, function);
    for (uint32_t i = 0; i < function->n_holes; i++) {
        const struct source_hole *hole = &writer->source->holes.at[function->first_hole + i];
        copy_until(writer, hole->at);
        if (hole->kind == SOURCE_BLOCK)
            stablehlo_put_body(printer, (struct block_text){hole, true});
        else
            stablehlo_put_value(printer, printer->function->results.at[hole->k].term);
        writer->at = hole->end;
    }
    stablehlo_forget_function(printer);
    printer->indent = 0;
}

void stablehlo_put_source(struct stablehlo_printer *printer)
{
    const struct program *program = printer->program;
    struct source_printer writer = {.printer = printer, .source = program->source};
    uint32_t next = 0; // functions that stay are in the order of the text
    for (uint32_t i = 0; i < writer.source->functions.len; i++) {
        const struct source_function *function = &writer.source->functions.at[i];
        uint32_t loc;
        if (next == program->functions.len ||
            program->functions.at[next].number != function->number) {
            copy_until(&writer, source_line_start(writer.source->text, writer.at, function->begin));
            leave_out(&writer, function->begin,
                      source_code_end(writer.source->text, function->begin, function->next, &loc));
            continue;
        }
        printer->function = &program->functions.at[next++];
        put_function(&writer, function);
    }
    copy_until(&writer, writer.source->n);
}
