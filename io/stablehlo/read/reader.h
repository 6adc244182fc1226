// SPDX-License-Identifier: Apache-2.0
// Internal to the StableHLO reader. io/stablehlo/read/module.c reads modules,
// functions and statements; io/stablehlo/read/ops.c turns the operators of
// tensor/language/op.h into terms; io/stablehlo/read/scan.c,
// io/stablehlo/read/pretty.c and io/stablehlo/read/opaque.c keep everything else
// as templates; io/stablehlo/read/effect.c decides which operations are pure, and
// io/stablehlo/read/calls.c compares calls with their functions.
//
// Template of an opaque operation: its text behind "results =", without
// locations, aliases expanded, blanks as single ones, each statement of a
// region on its own line indented from column 0 of the operation.
//   %{k}   the k-th argument; each place where an outer value is used is an
//          argument of its own, in order of the text
//   %{.k}  the k-th value that the operation's regions define
//   %{:b}  the statements of the b-th block, without the one that returns
// Regions of one block of an operation of StableHLO, CHLO, MHLO or Shardy are read as
// programs (tensor/program/region.h): %{.k} is the k-th parameter of the region there.  All
// other regions stay text.
//   %{;k}  in front of all: the text names symbols or resources of module k (not of
//          module 0), and so differs from the same text in another module
// Text inside quotes has no placeholders.
#ifndef IO_STABLEHLO_READ_READER_H
#define IO_STABLEHLO_READ_READER_H

#include "io/limits.h"
#include "io/mlir/mlir.h"
#include "tensor/shape/infer.h"
#include "tensor/program/program.h"

// A name in scope: an outer value (n terms in reader.value from `first`) or a
// value of a region (`first` is its number).
struct value_binding {
    uint32_t n, first;
    bool local;
};

struct callable {      // a function as its callers see it
    uint32_t name;     // of its symbol, in mlir.names
    uint32_t at, end;  // tokens of the operation
    bool text;         // kept as text
    bool effect;       // has an effect of its own
    bool pure;         // decided by stablehlo_decide_effects
    uint32_t pending;  // calls not known to be pure
    uint32_t callers;  // list of edges, index + 1
    uint32_t function; // of the program, once it was read
};
struct call_edge {
    uint32_t caller, next;
};
struct written_call {
    uint32_t types; // token of "(T) -> U"
    uint32_t callee;
    term_id term;
};

struct result_name {
    uint32_t at; // token
    uint32_t n;  // %x:n
};
struct result_names {
    struct result_name *at;
    uint32_t len, cap;
};

// The body of a reducer, which was recognised: the statements [at, returns).
struct reducer_body {
    uint32_t at, returns, name[2]; // name: of its arguments
    uint32_t n_unused;             // statements but the one that gives the value
    type_id elem;
    bool names_outer; // some statement does, but not the one that gives the value
};

struct shared_region {
    uint32_t term, next; // next: of the same hash, + 1
};

struct stablehlo_reader {
    struct mlir mlir;
    struct program *program;
    VEC(struct value_binding) bind;
    struct u32_vec bind_of; // name -> binding + 1
    struct u32_vec undo;    // names bound, innermost last
    VEC(term_id) value;
    VEC(term_id) effects;      // of the function, or of the block, that is being read
    struct result_names names; // results of the statement being read
    VEC(struct callable) callable;
    VEC(struct call_edge) edge;
    VEC(struct written_call) calls; // of the module
    struct u32_vec callable_of;     // name -> callable + 1
    uint32_t next_callable;         // the function that is read next
    uint32_t last_module;           // '}' of the module before + 1, 0 = none
    int64_t serial;                 // of the last operation with an effect
    // tensor/program/region.h: scope of the statement being read; scopes of terms.
    uint32_t scope;
    struct u32_vec scope_of;
    // Of an output: the regions that its record names (NO_REGION: a reducer), and the program
    // that it was made of; else NULL.
    const struct u32_vec *regions;
    const struct program *input;
    uint32_t n_reducers;      // regions that were read as reducers
    struct reducer_body body; // of the operation being read
    VEC(struct shared_region) shared;
    struct intern region_keys; // hashes of operations with regions
    struct u32_vec regions_of; // key -> list in `shared`, + 1
    VEC(uint64_t) region_hash; // of the operation of a region
    uint32_t n_texts;          // functions and modules kept as text
    struct buf remark;         // for program.remark
    bool hidden;               // operations beside the functions have functions inside
    bool resources_used;       // some kept text of the part names a dense_resource
    bool names_module;         // the operation being read names what its module defines
    bool elided;               // the operation being read has elements that nobody knows
    // Scratch of one operation.
    VEC(term_id) args;
    VEC(type_id) types;
    struct i64_vec ints[3], list[8], attr;
    struct buf kept;           // "{a = 1, b" of attributes to keep
    struct u32_vec operand_at; // tokens of the operands
    // Places of statements (tensor/program/source.h); NULL: not wanted.
    struct source *source;
    uint32_t source_block; // block of the statement being read
};

// io/stablehlo/read/module.c.  Everything but reader->mlir.
void stablehlo_release(struct stablehlo_reader *reader);

// Names. stablehlo_bind fails if the name is visible already.
bool stablehlo_bind(struct stablehlo_reader *reader, uint32_t at, struct value_binding binding);
uint32_t stablehlo_mark(const struct stablehlo_reader *reader);
void stablehlo_unbind(struct stablehlo_reader *reader, uint32_t mark);
// The binding of the value at *i, whose "#k" is read too; NULL after a failure.
const struct value_binding *stablehlo_lookup(struct stablehlo_reader *reader, uint32_t *next,
                                             uint32_t *k);
// The same for a value that must be an outer one.
bool stablehlo_operand(struct stablehlo_reader *reader, uint32_t *at, term_id *out);
bool stablehlo_results(struct stablehlo_reader *reader, uint32_t *at); // fills reader->names
bool stablehlo_starts_results(const struct mlir *mlir, uint32_t at);
// The operation's name at i as in generic form ("func.call" for call); false if
// the name does not fit.
bool stablehlo_op_name(const struct mlir *mlir, uint32_t at, char out[IO_OPERATION_NAME]);

// io/stablehlo/read/ops.c.  OPS_OPAQUE: valid so far but no term; *i is not moved.
enum ops_answer { OPS_FAILED, OPS_TERM, OPS_OPAQUE };
enum ops_answer stablehlo_known_op(struct stablehlo_reader *reader, uint32_t *next, enum op op,
                                   term_id *out);
// io/stablehlo/read/dynamic.c.  An operation whose shapes are operands, as the term of an
// operator; false: it is none, and nothing has happened.
bool stablehlo_dynamic_op(struct stablehlo_reader *reader, uint32_t *next, term_id *out);
// io/stablehlo/read/shaped.c.  Enters the form of the pure operation without regions at `at`, whose
// text this is, if it has one (tensor/program/form.h).  reader.args and reader.types are those of
// the operation; the operands are lost.
void stablehlo_note_form(struct stablehlo_reader *reader, uint32_t at, const char *name,
                         sym_id text);
// io/stablehlo/read/square.c.  The same for chlo.square.
bool stablehlo_square(struct stablehlo_reader *reader, uint32_t *next, term_id *out);
// "(T, U) -> (V)" at *i: operand types, then result types in reader->types.
bool stablehlo_signature(struct stablehlo_reader *reader, uint32_t *at, uint32_t *n_operands);
bool stablehlo_check_operand(struct stablehlo_reader *reader, uint32_t at, uint32_t k, term_id have,
                             type_id want);
// (io/stablehlo/read/op_reader.h: what the files of these operators share.)
// io/stablehlo/read/reduce.c: true if the region at the '{' is one reducer on
// its two arguments of type `elem`.
bool stablehlo_is_reducer(struct stablehlo_reader *reader, uint32_t open, type_id elem,
                          enum op *out);
// True if the region returns its second argument.
bool stablehlo_is_replacement(struct stablehlo_reader *reader, uint32_t open, type_id elem);
// "%l: T, %r: T" of `elem`, *i behind '('; no failure is recorded.
bool stablehlo_reducer_args(struct mlir *mlir, uint32_t *at, type_id elem, uint32_t name[2]);
bool stablehlo_reducer_body(struct stablehlo_reader *reader, uint32_t at, uint32_t close,
                            type_id elem, const uint32_t name[2], enum op *out);

// io/stablehlo/read/kept.c.  True if the attribute pins its operation (program.pinned).
bool stablehlo_pins(const struct stablehlo_reader *reader, const struct mlir_entry *entry);

// io/stablehlo/read/unused.c.  Reads the statements of reader->body if some of them are unused.
bool stablehlo_read_unused(struct stablehlo_reader *reader);

// io/stablehlo/read/opaque.c: any operation as a term; its results into reader->types.
struct source_start;
bool stablehlo_opaque_op(struct stablehlo_reader *reader, uint32_t *at, uint32_t n_names,
                         term_id *out, bool *effect, const struct source_start *start);
// io/stablehlo/read/calls.c, once the functions of a module are there: its calls take and give what
// the functions do.
bool stablehlo_check_calls(struct stablehlo_reader *reader);
// io/stablehlo/read/scan.c.  Walks the region at '{' for effects and calls of callable
// `self` only.
bool stablehlo_walk(struct stablehlo_reader *reader, uint32_t open, uint32_t self);
// Moves past the operation at *i without keeping anything.
bool stablehlo_skip(struct stablehlo_reader *reader, uint32_t *at);

// io/stablehlo/read/header.c.  Text of tokens as a symbol; "{}" counts as "".
sym_id stablehlo_keep(struct stablehlo_reader *reader, uint32_t from, uint32_t to,
                      enum mlir_spacing spacing);
// io/stablehlo/read/resources.c.  Keeps the resources of the part [from, end), which was read,
// if anything but constants that were read may name them.
void stablehlo_keep_resources(struct stablehlo_reader *reader, uint32_t from, uint32_t end);
bool stablehlo_keep_dict(struct stablehlo_reader *reader, uint32_t *at, sym_id *out);
bool stablehlo_unquoted(struct stablehlo_reader *reader, uint32_t at, sym_id *out);
// The contents of the dictionaries of a generic func.func.
struct function_header {
    uint32_t dict[2], n_dicts;                             // '{'
    uint32_t region;                                       // '{' of the body
    uint32_t type, name, visibility, arg_attrs, res_attrs; // tokens; 0 = none
};

bool stablehlo_function_header(struct stablehlo_reader *reader, uint32_t *at,
                               struct function_header *header);
// The attributes of the dictionaries, except those in `skip`, as "{...}" or "".
bool stablehlo_header_attrs(struct stablehlo_reader *reader, const struct function_header *header,
                            const char *const *skip, sym_id *out);

// io/stablehlo/read/func.c: the statement at *i; a side effect goes to reader->effects.
bool stablehlo_statement(struct stablehlo_reader *reader, uint32_t *at);
// The function at *i becomes the program's last.
bool stablehlo_function(struct stablehlo_reader *reader, uint32_t *at);
bool stablehlo_generic_function(struct stablehlo_reader *reader, uint32_t *at);

// io/stablehlo/read/source.c.  Where statements stand in the text; nothing happens if
// reader->source is NULL.
struct source_start {
    uint32_t at, name; // tokens: of the statement, of the operation
    uint32_t n_reducers;
};
struct source_holes {
    struct source_hole *at;
    uint32_t len, cap;
};
// How many there are so far.
uint32_t source_statements(const struct stablehlo_reader *reader);
// A new block of the function that is being read.
uint32_t source_block(struct stablehlo_reader *reader);
// The name of tokens [at, end).
struct source_place {
    enum source_hole_kind kind;
    uint32_t k;
};
void source_hole(const struct stablehlo_reader *reader, struct source_holes *holes, uint32_t at,
                 uint32_t end, struct source_place place);
// The block between the token in front of `from` and the one that returns.
void source_block_hole(const struct stablehlo_reader *reader, struct source_holes *holes,
                       uint32_t from, uint32_t to, uint32_t k, uint32_t block);
// The statement [start->at, next) is an operator, or an opaque operation with these holes.
void source_operator(struct stablehlo_reader *reader, const struct source_start *start,
                     uint32_t next, term_id term);
void source_opaque(struct stablehlo_reader *reader, const struct source_start *start, uint32_t next,
                   term_id term, const struct source_holes *holes);
// The function [start, next) with its body and the statement that returns.
void source_function(struct stablehlo_reader *reader, uint32_t at, uint32_t next, uint32_t body,
                     const struct source_holes *holes);
// Resources from the token on.
void source_resources(struct stablehlo_reader *reader, uint32_t at);
// Those behind the token stay.
void source_keep_resources(struct stablehlo_reader *reader, uint32_t from);
// The text ends in front of the token.
void source_end(struct stablehlo_reader *reader, uint32_t at);

// io/stablehlo/read/effect.c.  Which functions are pure, once all bodies were walked.
void stablehlo_decide_effects(struct stablehlo_reader *reader);
// io/stablehlo/read/scope.c.  The name of @x, unquoted.
uint32_t stablehlo_symbol(struct stablehlo_reader *reader, uint32_t at);

#endif
