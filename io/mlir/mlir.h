// SPDX-License-Identifier: Apache-2.0
// The parts that every MLIR dialect shares: types, attributes, aliases, and the
// text of a run of tokens.  Functions take the index of a token and move the
// index past the tokens they read.  They have no other state, so readers may
// look ahead freely.
//
// Opening a text replaces every alias (#x, !x; forward use included) by the
// tokens it stands for, and leaves out alias definitions and all locations
// except values of attributes.  Readers need not handle either.
//
// M1  The tokens that aliases expand to, and the bytes of resources that are
//     read, are bounded by a fixed factor of the text's size.
#ifndef IO_MLIR_MLIR_H
#define IO_MLIR_MLIR_H

#include "base/text/buf.h"
#include "base/memory/intern.h"
#include "io/mlir/lex.h"
#include "tensor/language/pool.h"

struct mlir {
    const char *text, *file;
    size_t n;
    struct pool *pool; // borrowed
    struct err *err;   // borrowed
    struct mlir_tokens tok;
    struct u32_vec splits;         // lines "// -----", byte positions
    struct u32_vec parts;          // first token of each part between such lines
    struct intern names;           // texts of tokens
    uint32_t resources;            // index of '{-#' + 1, 0 = none
    struct u32_vec resource_of;    // name -> token of its data, 0 = none
    struct u32_vec resource_names; // with data
    uint64_t resource_budget;      // M1: bytes of data that may still be read
};

enum mlir_spacing {
    SPACE_KEEP, // blanks as in the source, runs of them as one
    SPACE_LINE, // the same, but a line break stays one
    SPACE_TYPE, // canonical: one behind ',', around '->' and between words
};

// Cuts the text into tokens.  Callers must release *mlir even after a failure.
bool mlir_open(struct mlir *mlir, struct pool *pool, const char *text, size_t n, const char *file,
               struct err *err);
void mlir_release(struct mlir *mlir);
// Lines "// -----" outside brackets cut a file into parts with aliases and resources of
// their own.  Enters a part: tokens [*from, *end).
bool mlir_enter(struct mlir *mlir, uint32_t part, uint32_t *from, uint32_t *end);
// Finds the resources of the tokens [from, to); for mlir_enter.
bool mlir_read_resources(struct mlir *mlir, uint32_t from, uint32_t to);
// The number of a name, in quotes or without.
bool mlir_resource_name(struct mlir *mlir, uint32_t at, uint32_t *name);

bool mlir_fail(struct mlir *mlir, uint32_t at, const char *fmt, ...) PRINTF_LIKE(3, 4);
// Bytes of the token that a message quotes.
static inline int mlir_shown(const struct mlir_token *token)
{
    return (int)(token->len < IO_TOKEN_SHOWN ? token->len : IO_TOKEN_SHOWN);
}
// "expected WHAT, found TOKEN"
bool mlir_expected(struct mlir *mlir, uint32_t at, const char *what);

uint16_t mlir_kind(const struct mlir *mlir, uint32_t from);
bool mlir_word(const struct mlir *mlir, uint32_t at, const char *word); // T_BARE
bool mlir_text_is(const struct mlir *mlir, uint32_t at, const char *text);
uint32_t mlir_name(struct mlir *mlir, uint32_t from);    // id of the token's text
bool mlir_touches(const struct mlir *mlir, uint32_t at); // no blank in front
bool mlir_expect(struct mlir *mlir, uint32_t *at, uint16_t kind, const char *what);
bool mlir_expect_word(struct mlir *mlir, uint32_t *at, const char *word);
bool mlir_accept(struct mlir *mlir, uint32_t *at, uint16_t kind);
bool mlir_accept_word(struct mlir *mlir, uint32_t *at, const char *word);

// True if tokens a and b would be cut otherwise without a blank in between.
bool mlir_sticks(const struct mlir *mlir, const struct mlir_token *a, const struct mlir_token *b);

bool mlir_is_type(const struct mlir *mlir, uint32_t at); // can start a type
bool mlir_skip_type(struct mlir *mlir, uint32_t *at);
bool mlir_skip_attr(struct mlir *mlir, uint32_t *at);
// A type; all but ranked tensors with static sizes and a known element type
// become type_other of their canonical text.
bool mlir_type(struct mlir *mlir, uint32_t *at, type_id *out);

// The sizes of a token T_DIMS, up to TENSOR_MAX_RANK; *dynamic becomes true if one is '?'.
bool mlir_dims(struct mlir *mlir, uint32_t from, uint32_t *rank, int64_t *dims, bool *dynamic);

// [-] integer that fits in 64 bits; then an optional ": type" is skipped.
bool mlir_int(struct mlir *mlir, uint32_t *at, int64_t *out);
// [1, -2] as array<i64: 1, -2>.
bool mlir_int_list(struct mlir *mlir, uint32_t *at, struct i64_vec *out);
// array<i64: 1, 2> or array<i64>.
bool mlir_int_array(struct mlir *mlir, uint32_t *at, struct i64_vec *out);
// Contents of a string, or of @name or @"name"; NUL is refused.
bool mlir_unquote(struct mlir *mlir, uint32_t at, struct buf *out);

// The next entry of a dictionary. *i starts behind '{'. Returns false at '}' or
// on failure; after a failure *ok is false.
struct mlir_entry {
    uint32_t key, value, end; // value == end: unit
};
bool mlir_next_entry(struct mlir *mlir, uint32_t *at, struct mlir_entry *out, bool *ok);
bool mlir_key_is(const struct mlir *mlir, const struct mlir_entry *entry, const char *key);

// Appends tokens [from, to).  `lead`: a blank in front of the first counts.
void mlir_emit(const struct mlir *mlir, uint32_t from, uint32_t to, bool lead,
               enum mlir_spacing spacing, struct buf *out);

// dense<...> : type from the token behind "dense"; *i moves behind the type.
// *known is false if the type is no static tensor of a known element type: then the elements must
// be those of io/mlir/carried.h.
bool mlir_dense(struct mlir *mlir, uint32_t *at, bool *known, lit_id *lit, type_id *type);
// dense_resource<id> : type; *known is also false if the text has no such data.
bool mlir_dense_resource(struct mlir *mlir, uint32_t *at, bool *known, lit_id *lit, type_id *type);

#endif
