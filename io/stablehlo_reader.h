// SPDX-License-Identifier: Apache-2.0
// Inside of the StableHLO reader.  stablehlo_read.c reads modules, functions
// and statements; stablehlo_ops.c turns the operators of tensor/op.h into
// terms; stablehlo_scan.c and stablehlo_opaque.c keep everything else as
// templates; stablehlo_effect.c says which operations are pure.
//
// Template of an opaque operation: its text behind "results =", without
// locations, aliases expanded, blanks as single ones, each statement of a
// region on its own line indented from column 0 of the operation.
//   %{k}   the k-th argument; each place where an outer value is used is an
//          argument of its own, in order of the text
//   %{.k}  the k-th value that the operation's regions define
// Inside quotes nothing is a placeholder.
#ifndef IO_STABLEHLO_READER_H
#define IO_STABLEHLO_READER_H

#include "io/mlir.h"
#include "tensor/infer.h"
#include "tensor/program.h"

// A name in scope: an outer value (n terms in reader.value from `first`) or a
// value of a region (`first` is its number).
struct binding {
    uint32_t n, first;
    bool local;
};

struct callable {     // a function as its callers see it
    uint32_t name;    // of its symbol, in mlir.names
    uint32_t at;      // token of the operation
    bool effect;      // does something by itself
    bool pure;        // decided by effects_decide
    uint32_t pending; // calls not known to be pure
    uint32_t callers; // list of edges, index + 1
};
struct call_edge {
    uint32_t caller, next;
};

struct result_name {
    uint32_t at; // token
    uint32_t n;  // %x:n
};

struct reader {
    struct mlir m;
    struct program *p;
    VEC(struct binding) bind;
    struct u32_vec bind_of; // name -> binding + 1
    struct u32_vec undo;    // names bound, innermost last
    VEC(term_id) value;
    VEC(struct result_name) names; // results of the statement being read
    VEC(struct callable) callable;
    VEC(struct call_edge) edge;
    struct u32_vec callable_of; // name -> callable + 1
    int64_t serial;             // of the last operation with an effect
    bool in_module;
    bool resources_used; // some kept text names a dense_resource
    // Scratch of one operation.
    VEC(term_id) args;
    VEC(type_id) types;
    struct i64_vec ints[3], list[8], attr;
};

// Names.  reader_bind refuses a name that is visible already.
bool reader_bind(struct reader *r, uint32_t at, struct binding b);
uint32_t reader_mark(const struct reader *r);
void reader_unbind(struct reader *r, uint32_t mark);
// The binding of the value at *i, its "#k" read too; NULL after a failure.
const struct binding *reader_lookup(struct reader *r, uint32_t *i, uint32_t *k);
// The same for a value that must be an outer one.
bool reader_operand(struct reader *r, uint32_t *i, term_id *out);
bool reader_results(struct reader *r, uint32_t *i); // fills r->names
bool reader_starts_results(const struct mlir *m, uint32_t i);
// Operation name at i as in generic form ("func.call" for call); false if it
// does not fit.
bool reader_op_name(const struct mlir *m, uint32_t i, char out[64]);

// stablehlo_ops.c.  OPS_OPAQUE: valid so far but no term; *i is not moved.
enum ops_answer { OPS_FAILED, OPS_TERM, OPS_OPAQUE };
enum ops_answer reader_known(struct reader *r, uint32_t *i, enum op op,
                             term_id *out);
// "(T, U) -> (V)" at *i: operand types, then result types in r->types.
bool reader_signature(struct reader *r, uint32_t *i, uint32_t *n_operands);
bool reader_check_operand(struct reader *r, uint32_t at, uint32_t k,
                          term_id have, type_id want);
// (stablehlo_known.h: what the files of these operators share.)
// stablehlo_reduce.c: whether the region at the '{' is one reducer on its two
// arguments of type `elem`.
bool reader_is_reducer(struct mlir *m, uint32_t open, type_id elem,
                       enum op *out);
// Whether it gives its second argument.
bool reader_is_replacement(struct mlir *m, uint32_t open, type_id elem);
// "%l: T, %r: T" of `elem`, *i behind '('; no failure is recorded.
bool reader_reducer_args(struct mlir *m, uint32_t *i, type_id elem,
                         uint32_t name[2]);
bool reader_reducer_body(struct mlir *m, uint32_t i, uint32_t close,
                         type_id elem, const uint32_t name[2], enum op *out);

// stablehlo_opaque.c: any operation as a term; its results into r->types.
bool reader_opaque(struct reader *r, uint32_t *i, uint32_t n_names,
                   term_id *out, bool *effect);
// stablehlo_scan.c.  Walks the region at '{' for effects and calls of callable
// `self` only.
bool reader_walk(struct reader *r, uint32_t open, uint32_t self);
// Moves past the operation at *i without keeping anything.
bool reader_skip(struct reader *r, uint32_t *i);

// stablehlo_header.c.  Text of tokens as a symbol; "{}" counts as "".
sym_id reader_keep(struct reader *r, uint32_t from, uint32_t to,
                   enum mlir_spacing spacing);
bool reader_keep_dict(struct reader *r, uint32_t *i, sym_id *out);
bool reader_unquoted(struct reader *r, uint32_t i, sym_id *out);
// What the dictionaries of a generic func.func say.
struct header {
    uint32_t dict[2], n_dicts;                             // '{'
    uint32_t region;                                       // '{' of the body
    uint32_t type, name, visibility, arg_attrs, res_attrs; // tokens; 0 = none
};

bool reader_header(struct reader *r, uint32_t *i, struct header *h);
// The attributes of the dictionaries but those in `skip`, as "{...}" or "".
bool reader_header_attrs(struct reader *r, const struct header *h,
                         const char *const *skip, sym_id *out);

// stablehlo_func.c: the function at *i becomes the program's last.
bool reader_function(struct reader *r, uint32_t *i);
bool reader_generic_function(struct reader *r, uint32_t *i);

// stablehlo_effect.c
enum op_effect { EFFECT_NONE, EFFECT_SOME, EFFECT_CALL, EFFECT_CUSTOM };
enum op_effect op_effect(const char *name);
void effects_decide(struct reader *r);
uint32_t reader_symbol(struct reader *r, uint32_t i); // name of @x, unquoted

#endif
