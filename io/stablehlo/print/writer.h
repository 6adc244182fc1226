// SPDX-License-Identifier: Apache-2.0
// Internal to io/stablehlo/print/: an operation that is being printed, with its regions.
#ifndef IO_STABLEHLO_PRINT_WRITER_H
#define IO_STABLEHLO_PRINT_WRITER_H

#include "io/stablehlo/print/printer.h"
#include "tensor/program/region.h"

// What the printer knows of a term, put aside while an isolated region is printed.
struct known_term {
    uint32_t term, name, places, opened, passed, chosen;
};

struct operation_writer {
    struct stablehlo_printer *printer;
    term_id term;
    const struct source_statement *statement; // of the source; NULL: none
    struct opaque_view view;                  // of an opaque node
    uint32_t here;                            // block in which the node stands
    unsigned indent;                          // there
    struct u32_vec local;                     // names of the values that its regions define, + 1
    bool open;                                // a block is being printed
    uint32_t printed;                         // of printer->printed, before that block
    uint32_t shown;                           // of printer->shown
    VEC(struct known_term) aside;
};

// The term gets the local names of its statement; `spelled`: it is printed as the statement.
void writer_start(struct operation_writer *writer, struct stablehlo_printer *printer, term_id term,
                  bool spelled);
void writer_end(struct operation_writer *writer);
uint32_t writer_local_name(struct operation_writer *writer, uint32_t k);
// The place of block b in the source, for a text that is not that of the source.
struct block_text writer_source_block(const struct operation_writer *writer, uint32_t b);
// The statements of block b, but for the one that returns, which the operation's text has.
// `column` is that of the line.  Gives back the place in the source behind them.
uint32_t writer_open_block(struct operation_writer *writer, uint32_t b, uint32_t column,
                           struct block_text text);

#endif
