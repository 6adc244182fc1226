// SPDX-License-Identifier: Apache-2.0
// A program: functions over one term store.  Straight-line bodies are terms.  Regions
// and unknown operators are inside opaque nodes.
#ifndef TENSOR_PROGRAM_PROGRAM_H
#define TENSOR_PROGRAM_PROGRAM_H

#include "tensor/program/source.h"
#include "tensor/program/term.h"

struct param {
    sym_id name; // without '%'
    type_id type;
    sym_id attrs; // "{...}" text or ""
};

struct result {
    term_id term;
    type_id type;
    sym_id attrs; // "{...}" text or ""
};

struct function {
    sym_id name;       // without '@', unquoted
    sym_id visibility; // "", "public", "private", "nested"
    sym_id attrs;      // text of `attributes {...}` or ""
    bool declaration;  // no body
    uint32_t number;   // that its parameter nodes carry
    VEC(struct param) params;
    VEC(struct result) results;
    // Opaque nodes with a side effect, in program order.  Those in regions are arguments of the
    // nodes that have the regions.  All have serials above `serial`, n_serials of them.
    VEC(term_id) effects;
    int64_t serial, n_serials;
};

#define NO_FUNCTION UINT32_MAX

// The template of a call of a pure function that does not call itself, and its name.
struct callee {
    sym_id text, name;
    uint32_t module;
    uint32_t function; // NO_FUNCTION: none with a body (program_link_calls)
};

// What an opaque operation of a text is on operands of known sizes (tensor/program/form.h).
struct op_form {
    enum op op;        // N_OPS: the size of dimension `attr`[0]
    attr_id attr;      // what the text gives of the attributes
    uint32_t operands; // of the operator; those behind them stand for attributes
};

// One module of a file, or operations of the file's level that stand in none.  Symbols
// are names within one module.
struct module {
    sym_id name;                        // "" = none
    sym_id attrs;                       // "{...}" or ""
    bool written;                       // false: operations of the file's level
    bool split;                         // a line "// -----" stands in front
    uint32_t functions_end, extras_end; // behind the module's last
};

enum program_format { PROGRAM_STABLEHLO, PROGRAM_HLO };

// What a term was called in the text.  Has no meaning: only printers read it.
struct term_note {
    term_id term;
    sym_id name;     // without '%'
    sym_id layout;   // "" = the default
    sym_id metadata; // "{...}" or ""
};

// The same in another computation (HLO) than the first one that has the term.
struct local_note {
    sym_id where;
    struct term_note note;
};

struct program {
    struct pool *pool;          // borrowed
    enum program_format format; // of texts: opaque terms, attributes, extras
    struct terms terms;
    VEC(struct module) modules;
    VEC(struct function) functions;
    VEC(struct callee) callees;
    struct u32_vec callee_of; // by symbol of a text: callee + 1, 0 or no entry: none
    VEC(struct op_form) forms;
    struct u32_vec form_of; // by symbol of a text: form + 1, 0 or no entry: none
    uint32_t n_regions;     // of the text
    VEC(sym_id) extras;     // other top-level operations, kept as text, in order
    sym_id remark;          // what the reader left out or kept as text, for people; "" = nothing
    // Attributes that say nothing about values: term -> symbol of "{...}" + 1, 0 = none.
    // May be shorter than the terms.
    struct u32_vec kept;
    // Set before reading: names, separated by commas, of attributes that pin an operation: it
    // is opaque and has a side effect.
    sym_id pinned;
    struct u32_vec pinned_serials; // by serial: 1 = of a pinned operation.  May be shorter.
    VEC(struct term_note) notes;   // at most one of a term, in the order of the text
    struct u32_vec note_of;        // term -> note + 1, 0 = none.  May be shorter than the terms.
    VEC(struct local_note) local_notes; // those of a computation together
    // Region -> what the text calls its computations, separated by ','.  May be shorter than the
    // regions.
    VEC(sym_id) region_names;
    // Set before reading if the places of statements are wanted; owned.
    struct source *source;
};

// What the reader of an output must know: the program that it was made of, and the regions
// that its record names (stablehlo_print_regions).
struct output_of {
    const struct program *input;
    const struct u32_vec *regions;
};

void program_init(struct program *program, struct pool *pool);
void program_release(struct program *program);
// Keeps attributes beside the term, unless it has some: of equal operations, those of the
// first are kept.
void program_keep(struct program *program, term_id term, sym_id attributes);
// The side effect is that of a pinned operation.
void program_pin(struct program *program, int64_t serial);
// True if the term is a pinned operation.
bool program_is_pinned(const struct program *program, term_id term);
// The attributes; "" = none.
const char *program_kept(const struct program *program, term_id term);
// Results and effects of the function, in that order; replaces the contents of `out`.
void function_roots(const struct function *function, struct u32_vec *out);
// The number of operations in the function's text: every reachable node except
// parameters and `result` projections.
uint32_t function_size(const struct program *program, const struct function *function);
// Adds a note about a term that has none; otherwise does nothing.
void program_note(struct program *program, struct term_note note);
// NULL: the term has no note.
const struct term_note *program_note_of(const struct program *program, term_id term);
// Checks a program.  Fails unless all of these hold:
//   - The terms satisfy T1..T3.
//   - Every function has names, types and attributes that exist.
//   - The modules have all functions and extras, in order; names in one module differ.
//   - The parameter nodes of function f carry [f, index] and the parameter's type.
//   - The effects of f list each node with a side effect that f reaches, once.
//   - No two nodes have the same serial.
//   - A declaration has no effects, and NO_TERM for each result.
bool program_check(const struct program *program, struct err *err);

#endif
