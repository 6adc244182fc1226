// SPDX-License-Identifier: Apache-2.0
// Regions of an operation that is being printed: names and statements inside.
#include "io/stablehlo/print/writer.h"

// Names that the statement has are kept, if no value in sight has them.
static void take_local_names(struct operation_writer *writer)
{
    struct stablehlo_printer *printer = writer->printer;
    bool own = spelling_is_own(printer, writer->statement);
    for (uint32_t i = 0; i < writer->statement->n_holes; i++) {
        const struct source_hole *hole =
            &printer->spelling.source->holes.at[writer->statement->first_hole + i];
        if (hole->kind != SOURCE_LOCAL)
            continue;
        while (writer->local.len <= hole->k)
            vec_push(&writer->local, 0);
        if (writer->local.at[hole->k] == 0)
            writer->local.at[hole->k] =
                stablehlo_free_name(printer, stablehlo_source_name(printer, hole), own) + 1;
    }
}

void writer_start(struct operation_writer *writer, struct stablehlo_printer *printer, term_id term,
                  bool spelled)
{
    *writer = (struct operation_writer){.printer = printer,
                                        .term = term,
                                        .statement = spelling_of(printer, term),
                                        .here = printer->here,
                                        .indent = printer->indent};
    writer->view.region = NO_REGION;
    if (term_op(printer->terms, term) == OP_OPAQUE)
        writer->view = opaque_view(printer->terms, term);
    if (writer->view.region != NO_REGION)
        vec_push(printer->regions, writer->view.region);
    if (spelled && writer->statement->reducer)
        vec_push(printer->regions, NO_REGION);
    if (spelled || (writer->statement != NULL && writer->view.n_blocks > 0))
        take_local_names(writer);
}

// Other values of the operation's regions get the next free numbers.
uint32_t writer_local_name(struct operation_writer *writer, uint32_t k)
{
    struct stablehlo_printer *printer = writer->printer;
    while (writer->local.len <= k)
        vec_push(&writer->local, 0);
    if (writer->local.at[k] == 0)
        writer->local.at[k] = stablehlo_fresh_name(printer, "", &printer->n_value) + 1;
    return writer->local.at[k] - 1;
}

// The parameters of the region get their names; those of the block come in sight.
static void name_parameters(struct operation_writer *writer, const struct opaque_block *block)
{
    struct stablehlo_printer *printer = writer->printer;
    for (uint32_t k = 0; k < block->n_parameters; k++)
        stablehlo_show_name(printer, writer_local_name(writer, block->first_parameter + k));
    for (uint32_t i = printer->region_param.at[writer->view.region]; i != 0;) {
        const struct param_node *node = &printer->param_node.at[i - 1];
        uint32_t k = (uint32_t)attr_at(printer->pool, printer->terms->term.at[node->term].attr)[1];
        stablehlo_name_value(printer, (term_id){node->term}, writer_local_name(writer, k));
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
static void put_aside(struct operation_writer *writer, uint32_t n, const term_id *roots)
{
    struct stablehlo_printer *printer = writer->printer;
    struct u32_vec reach = {0};
    uint32_t *chosen = printer->spelling.chosen.at;
    terms_reach(printer->terms, n, roots, &reach);
    for (uint32_t k = 0; k < reach.len; k++) {
        uint32_t t = reach.at[k];
        vec_push(&writer->aside,
                 ((struct known_term){t, printer->name_of.at[t], printer->places.at[t],
                                      printer->opened.at[t], printer->passed.at[t],
                                      chosen != NULL ? chosen[t] : 0}));
        if (chosen != NULL)
            chosen[t] = 0;
        printer->name_of.at[t] = printer->places.at[t] = 0;
        printer->opened.at[t] = printer->passed.at[t] = 0;
    }
    vec_release(&reach);
}

static void take_back(struct operation_writer *writer)
{
    struct stablehlo_printer *printer = writer->printer;
    for (uint32_t k = 0; k < writer->aside.len; k++) {
        const struct known_term *known = &writer->aside.at[k];
        printer->name_of.at[known->term] = known->name;
        printer->places.at[known->term] = known->places;
        printer->opened.at[known->term] = known->opened;
        printer->passed.at[known->term] = known->passed;
        if (printer->spelling.source != NULL)
            printer->spelling.chosen.at[known->term] = known->chosen;
    }
    vec_clear(&writer->aside);
}

// Ends the block that is open: its values are not seen from outside.
static void close_block(struct operation_writer *writer)
{
    struct stablehlo_printer *printer = writer->printer;
    if (!writer->open)
        return;
    stablehlo_forget(printer, writer->printed);
    stablehlo_hide_names(printer, writer->shown);
    take_back(writer);
    printer->here = writer->here;
    printer->indent = writer->indent;
    writer->open = false;
}

struct block_text writer_source_block(const struct operation_writer *writer, uint32_t b)
{
    const struct source *source = writer->printer->spelling.source;
    for (uint32_t i = 0; writer->statement != NULL && i < writer->statement->n_holes; i++) {
        const struct source_hole *hole = &source->holes.at[writer->statement->first_hole + i];
        if (hole->kind == SOURCE_BLOCK && hole->k == b &&
            writer->printer->spelling.open.at[hole->block] == 0)
            return (struct block_text){hole, false};
    }
    return (struct block_text){0};
}

uint32_t writer_open_block(struct operation_writer *writer, uint32_t b, uint32_t column,
                           struct block_text text)
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
    writer->shown = printer->shown.len;
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
    name_parameters(writer, &block);
    printer->indent += column;
    uint32_t end = stablehlo_put_block(
        printer, text, (struct block_roots){block.n_effects, roots.len, roots.at, 0});
    printer->indent = writer->indent;
    vec_release(&ids);
    vec_release(&roots);
    vec_release(&placed);
    return end;
}

void writer_end(struct operation_writer *writer)
{
    close_block(writer);
    if (writer->view.region != NO_REGION)
        forget_parameters(writer->printer, writer->view.region);
    vec_release(&writer->local);
    vec_release(&writer->aside);
}
