// SPDX-License-Identifier: Apache-2.0
// The statements of a block in the order of the source.  A term that has a statement of the
// source stands where that one stood, or behind what it needs by now; others stand in front of
// the first term that needs them.  Comments and blank lines between statements stay.
#include "io/stablehlo/print/printer.h"

#include <stdlib.h>

struct sequence_entry {
    uint32_t position; // among the statements of the source, from 1 on
    uint32_t moved;    // 1: it was copied for the statement; 2: the statement had another term
    uint32_t order, term;
};

struct sequence {
    struct stablehlo_printer *printer;
    const struct source *source;
    const struct source_hole *hole;
    VEC(struct sequence_entry) entries;
    uint32_t next; // entry that is printed next
    uint32_t at;   // begin of the text that was not looked at
};

static int compare_entries(const void *a, const void *b)
{
    const struct sequence_entry *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    if (x->moved != y->moved)
        return x->moved < y->moved ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static uint32_t last_argument(const struct stablehlo_printer *printer, term_id term)
{
    uint32_t last = 0;
    for (uint32_t k = 0; k < stablehlo_visible_args(printer, term); k++) {
        uint32_t at = printer->spelling.position.at[term_args(printer->terms, term)[k].v];
        last = at > last ? at : last;
    }
    return last;
}

// What was copied for a call comes in the order that it had in the function.
static void add_copied(struct sequence *sequence, const struct source_statement *statement,
                       term_id term)
{
    const struct spelling *spelling = &sequence->printer->spelling;
    uint32_t call = spelling_call(sequence->printer, sequence->hole->block, term);
    if (call == NO_STATEMENT ||
        !stablehlo_stands_in(sequence->printer, term, sequence->printer->here))
        return;
    uint32_t order = (uint32_t)(statement - sequence->source->statements.at);
    vec_push(&sequence->entries,
             ((struct sequence_entry){spelling->ordinal.at[call], 1, order, term.v}));
}

static void find_positions(struct sequence *sequence, const struct u32_vec *visited)
{
    struct spelling *spelling = &sequence->printer->spelling;
    for (uint32_t i = spelling->of_block.at[sequence->hole->block]; i != 0;
         i = spelling->next_of_block.at[i - 1])
        if (spelling->term_of.at[i - 1] != 0)
            spelling->position.at[spelling->term_of.at[i - 1] - 1] = spelling->ordinal.at[i - 1];
    for (uint32_t i = 0; i < visited->len; i++) {
        term_id term = {visited->at[i]};
        uint32_t *position = &spelling->position.at[term.v], own = *position;
        uint32_t last = last_argument(sequence->printer, term);
        const struct source_statement *statement = spelling_of(sequence->printer, term);
        bool same = own != 0 && statement->term.v == term.v;
        *position = same ? own : last > own ? last : own;
        if (own != 0)
            vec_push(&sequence->entries,
                     ((struct sequence_entry){*position, same ? 0 : 2, i, term.v}));
        else if (statement != NULL)
            add_copied(sequence, statement, term);
    }
    for (uint32_t i = 0; i < visited->len; i++)
        spelling->position.at[visited->at[i]] = 0;
    if (sequence->entries.len > 0)
        qsort(sequence->entries.at, sequence->entries.len, sizeof *sequence->entries.at,
              compare_entries);
}

static bool begins_line(const struct source *source, uint32_t line)
{
    return line == 0 || source->text[line - 1] == '\n';
}

// The column of the block's first line, as the source has it.
static unsigned block_column(const struct sequence *sequence, unsigned column)
{
    const struct spelling *spelling = &sequence->printer->spelling;
    const struct source *source = sequence->source;
    uint32_t first = spelling->of_block.at[sequence->hole->block];
    uint32_t at = first != 0 ? source->statements.at[first - 1].begin : sequence->hole->end;
    uint32_t line = source_line_start(source->text, sequence->hole->at, at);
    return begins_line(source, line) ? at - line : column;
}

static void put_until(struct sequence *sequence, uint32_t position, uint32_t pass)
{
    while (sequence->next < sequence->entries.len &&
           sequence->entries.at[sequence->next].position <= position)
        stablehlo_put_tree(sequence->printer,
                           (term_id){sequence->entries.at[sequence->next++].term}, pass);
}

static void put_statements(struct sequence *sequence, uint32_t pass)
{
    struct spelling *spelling = &sequence->printer->spelling;
    const struct source *source = sequence->source;
    uint32_t loc;
    for (uint32_t i = spelling->of_block.at[sequence->hole->block]; i != 0;
         i = spelling->next_of_block.at[i - 1]) {
        const struct source_statement *statement = &source->statements.at[i - 1];
        uint32_t line = source_line_start(source->text, sequence->at, statement->begin);
        const struct sequence_entry *entry = &sequence->entries.at[sequence->next];
        uint32_t position = spelling->ordinal.at[i - 1];
        bool here = sequence->next < sequence->entries.len && entry->position == position &&
                    spelling->term_of.at[i - 1] == entry->term + 1;
        if (begins_line(source, line))
            source_copy_lines(sequence->printer, sequence->at, line, here);
        put_until(sequence, position, pass);
        uint32_t end = source_code_end(source->text, statement->begin, statement->next, &loc);
        sequence->at = source_line_end(source->text, end, statement->next);
    }
    put_until(sequence, UINT32_MAX, pass);
}

// The rest of the line in front of the block.
static void put_header(struct sequence *sequence, bool header)
{
    struct stablehlo_printer *printer = sequence->printer;
    uint32_t begin = sequence->hole->at;
    sequence->at = source_line_end(sequence->source->text, begin, sequence->hole->end);
    if (!header)
        return;
    if (sequence->at > begin)
        source_copy(printer, begin, sequence->at);
    else if (sequence->entries.len > 0)
        source_start_line(printer->out);
}

// Lines in front of the statement that returns, and the blanks in front of it.
static void put_footer(struct sequence *sequence, bool header)
{
    struct stablehlo_printer *printer = sequence->printer;
    const struct source *source = sequence->source;
    uint32_t end = sequence->hole->end;
    uint32_t line = source_line_start(source->text, sequence->at, end);
    bool own = begins_line(source, line);
    if (own)
        source_copy_lines(printer, sequence->at, line, true);
    if (!header)
        return;
    if (own && printer->spelling.shift == 0)
        buf_write(printer->out, source->text + line, end - line);
    else if (own || sequence->entries.len > 0)
        buf_indent(printer->out, printer->indent);
    else
        buf_putc(printer->out, ' ');
}

static void order_effects(struct spelling *spelling, struct block_roots roots)
{
    for (uint32_t k = 1; k < roots.n_effects; k++)
        spelling->before.at[roots.root[k]] = roots.root[k - 1] + 1;
}

uint32_t stablehlo_put_lines(struct stablehlo_printer *printer, struct block_text text,
                             const struct u32_vec *visited, struct block_roots roots)
{
    struct spelling *spelling = &printer->spelling;
    struct sequence sequence = {.printer = printer, .source = spelling->source, .hole = text.hole};
    uint32_t block = text.hole->block, first = spelling->of_block.at[block];
    unsigned indent = printer->indent, column = block_column(&sequence, indent);
    int shift = spelling->shift;
    if (text.header && (int)column + shift >= 0)
        printer->indent = (unsigned)((int)column + shift);
    else
        spelling->shift = (int)indent - (int)column;
    spelling->open.at[block] = 1;
    order_effects(spelling, roots);
    find_positions(&sequence, visited);
    put_header(&sequence, text.header);
    if (first != 0 || visited->len > 0 || sequence.at > text.hole->at || !text.header) {
        put_statements(&sequence, roots.pass);
        for (uint32_t k = 0; k < roots.n; k++)
            stablehlo_put_tree(printer, (term_id){roots.root[k]}, roots.pass);
        put_footer(&sequence, text.header);
    } else {
        source_copy(printer, text.hole->at, text.hole->end);
    }
    for (uint32_t i = first; i != 0; i = spelling->next_of_block.at[i - 1])
        spelling->term_of.at[i - 1] = 0;
    spelling->open.at[block] = 0;
    spelling->shift = shift;
    printer->indent = indent;
    vec_release(&sequence.entries);
    return text.hole->end;
}
