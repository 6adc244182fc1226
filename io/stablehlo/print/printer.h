// SPDX-License-Identifier: Apache-2.0
// Internal to io/stablehlo/print/: a program that is being printed.
#ifndef IO_STABLEHLO_PRINT_PRINTER_H
#define IO_STABLEHLO_PRINT_PRINTER_H

#include "base/memory/intern.h"
#include "io/stablehlo/stablehlo.h"

struct param_node {
    uint32_t term, next; // next: index + 1
};

// Where statements go: the body of a function or of a region that is being printed.
struct printed_block {
    uint32_t parent;     // PLACE_NONE: the outermost one
    uint32_t scope;      // tensor/program/region.h
    uint32_t n_siblings; // blocks of the operation
    bool loop;
};
#define PLACE_NONE UINT32_MAX
struct place_use {        // a block, in a list
    uint32_t block, next; // next: index + 1
};
struct opened_blocks {            // the blocks of an operation that stands in block `parent`
    uint32_t parent, first, next; // next: index + 1
};

struct name_run {
    uint32_t name; // in `names`
    uint32_t n;    // results that have it
};

// What a source says of the program that is printed (tensor/program/source.h).  Lists of
// statements are in the order of the text.
struct spelling {
    const struct source *source;      // NULL: none; everything else is empty then
    struct u32_vec of_term, of_value; // first statement, + 1
    struct u32_vec next_of_term, next_of_value;
    struct u32_vec of_block, next_of_block;
    struct u32_vec copy_of;   // term -> its first place among the copies, + 1
    struct u32_vec copied;    // value -> the first copy that has it, + 1
    struct u32_vec ordinal;   // statement -> its number in its block, from 1 on
    struct u32_vec term_of;   // statement -> the term that is printed in its place, + 1
    struct u32_vec chosen;    // term -> its statement, + 1
    struct u32_vec position;  // term -> place among the statements of the block, from 1 on
    struct u32_vec waiting;   // value -> terms that have no statement yet, list + 1
    struct u32_vec wanted_by; // term -> a term that has it as argument, + 1
    struct u32_vec wanted;    // terms to forget after the function
    struct u32_vec before;    // effect -> the one before, + 1
    struct u32_vec open;      // block of the source -> 1: it is being printed
    int shift;                // columns that lines of the source move to the right
};

// Where a block is printed.
struct block_text {
    const struct source_hole *hole; // of the source; NULL: none
    bool header;                    // the text in front of the block is that of the source
};

// Values that the statements of a block must give: `n_effects` side effects, then others.
struct block_roots {
    uint32_t n_effects, n;
    const uint32_t *root;
    uint32_t pass; // of the walk that prints them
};

struct stablehlo_printer {
    const struct program *program;
    const struct pool *pool;
    const struct terms *terms;
    const struct function *function;
    struct buf *out;
    unsigned indent;
    struct u32_vec name_of; // term -> the first of its runs of names, + 1; 0 = not printed
    VEC(struct name_run) name_run;
    struct u32_vec printed;   // terms to forget after the function
    struct intern names;      // without '%'
    struct u32_vec param_has; // name in `names` -> 1: a parameter's
    struct u32_vec visible;   // name -> how many values in sight have it
    struct u32_vec shown;     // names in sight, innermost last
    struct u32_vec reserved;  // name -> 1: the function's source has it, or it was given
    struct u32_vec taken;     // names that are reserved
    struct u32_vec n_derived; // name -> how many names were derived
    struct spelling spelling;
    struct u32_vec param_at; // function -> its parameter nodes, list + 1
    VEC(struct param_node) param_node;
    struct u32_vec region_param; // region -> its parameter nodes, list + 1
    // io/stablehlo/print/place.c
    struct u32_vec scope;      // by term
    struct u32_vec stood;      // scope -> term whose statement stood there, + 1
    struct u32_vec places;     // term -> list of the blocks that have its statement, + 1
    struct u32_vec opened;     // term -> list of the blocks that its regions are, + 1
    struct u32_vec passed;     // term -> the pass that saw it last
    VEC(struct place_use) use; // lists of places
    VEC(struct opened_blocks) opening;
    VEC(struct printed_block) block;
    uint32_t here, n_passes; // block that is being printed
    uint32_t n_value, n_cst, n_c;
    struct u32_vec *regions; // in the order of the text; NO_REGION: of a reducer
    struct u32_vec stack;
};

// io/stablehlo/print/names.c.  A new name that no value of the function has; one that is made
// from another; the use of a value.
uint32_t stablehlo_fresh_name(struct stablehlo_printer *printer, const char *stem, uint32_t *count);
uint32_t stablehlo_derived_name(struct stablehlo_printer *printer, uint32_t base);
// The name, or one that is made from it: if a value in sight has it, or if the name is not the
// function's `own` and the function has it, too.
uint32_t stablehlo_free_name(struct stablehlo_printer *printer, uint32_t name, bool own);
uint32_t stablehlo_source_name(struct stablehlo_printer *printer, const struct source_hole *hole);
// From now on a value in sight has the name; names in sight beyond the first `n` go.
void stablehlo_show_name(struct stablehlo_printer *printer, uint32_t name);
void stablehlo_hide_names(struct stablehlo_printer *printer, uint32_t n);
void stablehlo_reserve_names(struct stablehlo_printer *printer,
                             const struct source_function *function);
void stablehlo_free_names(struct stablehlo_printer *printer);
// Names the results of the term, and prints the part in front of '='.
void stablehlo_name_results(struct stablehlo_printer *printer, term_id term);
void stablehlo_name_value(struct stablehlo_printer *printer, term_id term, uint32_t name);
void stablehlo_put_results(struct stablehlo_printer *printer, term_id term);
void stablehlo_put_value(struct stablehlo_printer *printer, term_id term);

// io/stablehlo/print/choose.c.  Statements of the source for the terms of block `here`, which
// are among those visited (arguments first).
void spelling_init(struct stablehlo_printer *printer);
void spelling_release(struct spelling *spelling);
void spelling_choose(struct stablehlo_printer *printer, uint32_t block,
                     const struct u32_vec *visited);
// The statement of a term; NULL: none.
const struct source_statement *spelling_of(const struct stablehlo_printer *printer, term_id term);
// Is it a statement of the function that is printed?
bool spelling_is_own(const struct stablehlo_printer *printer,
                     const struct source_statement *statement);
// Can the statement's text, with other names, stand for the term?
// The statement of the block that has the call for which the term was copied; NO_STATEMENT: none.
uint32_t spelling_call(const struct stablehlo_printer *printer, uint32_t block, term_id term);
bool spelling_fits(const struct stablehlo_printer *printer, term_id term,
                   const struct source_statement *statement);

// io/stablehlo/print/lines.c.  Text of the source.
// The end of the code in [at, end); *loc is where a location begins that is the last part of
// it, else that end.
uint32_t source_code_end(const char *text, uint32_t at, uint32_t end, uint32_t *loc);
// Behind the line's end, if nothing but blanks and a comment is left of it; otherwise `at`.
uint32_t source_line_end(const char *text, uint32_t at, uint32_t end);
// Begin of the line, if nothing but blanks stand in front; otherwise `at`.
uint32_t source_line_start(const char *text, uint32_t from, uint32_t at);
void source_copy(struct stablehlo_printer *printer, uint32_t from, uint32_t to);
// Whole lines; `blank`: also those without a comment.
void source_copy_lines(struct stablehlo_printer *printer, uint32_t from, uint32_t to, bool blank);
void source_start_line(struct buf *out);

// io/stablehlo/print/spelled.c.  The statement of a named term that has one in the source: as
// the source spells it, or with what `put_operation` prints behind '='.
void stablehlo_put_spelled(struct stablehlo_printer *printer, term_id term,
                           void (*put_operation)(struct stablehlo_printer *, term_id));
// io/stablehlo/print/source.c.  The whole program.
void stablehlo_put_source(struct stablehlo_printer *printer);
// io/stablehlo/print/sequence.c.  The statements of a block, in the order of the source where it
// has them.  Gives back the place in the source behind them.
uint32_t stablehlo_put_lines(struct stablehlo_printer *printer, struct block_text text,
                             const struct u32_vec *visited, struct block_roots roots);

// io/stablehlo/print/print.c
void stablehlo_put_type(struct stablehlo_printer *printer, type_id type);
// The statements that `root` needs, whose places are here and that are not printed yet.
void stablehlo_put_tree(struct stablehlo_printer *printer, term_id root, uint32_t pass);
// The body of printer->function; then its names go.
uint32_t stablehlo_put_body(struct stablehlo_printer *printer, struct block_text text);
void stablehlo_forget_function(struct stablehlo_printer *printer);
void stablehlo_forget(struct stablehlo_printer *printer, uint32_t n);
// io/stablehlo/print/op.c.  A node of an operator of tensor/language/op.h,
// behind "%x = ".
void stablehlo_put_operator(struct stablehlo_printer *printer, term_id term);

// io/stablehlo/print/template.c.  An opaque node, behind "%x = ".
void stablehlo_put_template(struct stablehlo_printer *printer, term_id term);
// io/stablehlo/print/print.c.  The statements of block `here` that these values need.  Gives
// back the place in the source behind them, 0 without one.
uint32_t stablehlo_put_block(struct stablehlo_printer *printer, struct block_text text,
                             struct block_roots roots);

// io/stablehlo/print/place.c.  Places the terms that the roots need in blocks; the roots are
// of a new outermost block, whose number is given back.  Isolated regions are left out.
uint32_t stablehlo_place(struct stablehlo_printer *printer, uint32_t scope, uint32_t n,
                         const uint32_t *roots, struct u32_vec *placed);
// How many of the arguments are seen by the block that has the term: those of an isolated region
// are not.
uint32_t stablehlo_visible_args(const struct stablehlo_printer *printer, term_id term);
bool stablehlo_stands_in(const struct stablehlo_printer *printer, term_id term, uint32_t block);
// The first of the blocks of a region operation that stands in `parent`.
uint32_t stablehlo_opened(const struct stablehlo_printer *printer, term_id term, uint32_t parent);

#endif
