// SPDX-License-Identifier: Apache-2.0
// Where the text of a program has its statements, so that a printer can spell a term as the
// text did.  Has no meaning: only printers read it.
//
// A STATEMENT is an operation with the names of its results.  Its text has HOLES: names of
// values, and the statements of inner blocks.  A text with other names in its holes is the same
// operation on other values.  A BLOCK is the body of a function or of a region that was read
// as a program (tensor/program/region.h).  Places are bytes of the text.
//
// Z1  The holes of one statement are in the order of the text and do not overlap.
// Z2  The statements of one block are in the order of the text; inner ones come in front of
//     the statement that has the block.
#ifndef TENSOR_PROGRAM_SOURCE_H
#define TENSOR_PROGRAM_SOURCE_H

#include "tensor/language/pool.h"
#include "tensor/program/term.h"

#define NO_STATEMENT UINT32_MAX
#define NO_BLOCK UINT32_MAX

enum source_hole_kind {
    SOURCE_RESULT,   // the k-th name in front of '='
    SOURCE_ARGUMENT, // use of the k-th argument
    SOURCE_LOCAL,    // the k-th value that the operation's regions define
    SOURCE_BLOCK,    // statements of the k-th block, without the one that returns
};

struct source_hole {
    uint32_t at, end;
    uint32_t kind, k;
    uint32_t block; // of the source; NO_BLOCK: none
};

struct source_statement {
    term_id term;
    sym_id kept;          // attributes beside the term, as program.kept
    uint32_t block;       // that has the statement
    uint32_t begin, next; // its first byte; that of the token behind
    uint32_t first_hole, n_holes;
    uint32_t first_name, n_names; // in `names`: how many results each name stands for
    bool spelled;                 // its text with other names is the same operation
    bool square;                  // the text has one operand, the term has it twice
    bool reducer;                 // the term has a reducer that the text writes as a region
};

struct source_function {
    uint32_t begin, next;
    uint32_t number; // of the function
    uint32_t first_hole, n_holes;
    uint32_t body; // block; NO_BLOCK: a declaration
    uint32_t first_statement, end_statement;
};

// A term that was copied from a function's body in the place of a call.  The call and the
// original may be copies themselves, which were made before.
struct source_copy {
    term_id copy, original, call;
};

struct source_resources {
    uint32_t at, end;
    bool stays; // whatever the text in front of them names
};

struct source {
    const char *text; // borrowed
    uint32_t n;       // bytes, without a trailer that is no program
    VEC(struct source_hole) holes;
    VEC(struct source_statement) statements;
    VEC(struct source_function) functions; // in the order of the text
    VEC(struct source_resources) resources;
    VEC(struct source_copy) copies; // in the order in which they were made
    struct u32_vec names;
    struct u32_vec block_function; // by block: number of the function
    // By term: a number that terms of equal value share; 0 or no entry: unknown.
    struct u32_vec value_of;
};

struct source *source_new(const char *text, size_t n);
void source_free(struct source *source);

#endif
