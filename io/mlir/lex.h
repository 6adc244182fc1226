// SPDX-License-Identifier: Apache-2.0
// Tokens of MLIR text.  The whole file is cut into one array, brackets matched,
// so that readers look ahead freely and skip a bracket in one step.
//
// L1  Every opening bracket's `match` is the index of its closing bracket and
//     the other way round; brackets nest properly, at most IO_MLIR_DEPTH deep.
// L2  The last token is T_EOF.  Token texts hold no NUL and no newline; no
//     byte below ' ' but tabs inside strings.
// L3  The sizes of a shape are one T_DIMS token: "2x3x" in tensor<2x3xf32>.
#ifndef IO_MLIR_LEX_H
#define IO_MLIR_LEX_H

#include "base/err.h"
#include "base/memory/vec.h"
#include "io/limits.h"

// Any other character is a token of its own, its kind its code.
enum mlir_token_kind {
    T_EOF = 256,
    T_VALUE,     // %x
    T_SYMBOL,    // @x or @"x"
    T_BLOCK,     // ^bb0
    T_ATTR,      // #x
    T_TYPE,      // !x
    T_BARE,      // word, may hold '.' and '$'
    T_STRING,    // with its quotes
    T_INT,       // 12 or 0xFF, no sign
    T_FLOAT,     // 1.5e+01, no sign
    T_DIMS,      // 2x?x of a shape
    T_ARROW,     // ->
    T_COLONS,    // ::
    T_COMPARE,   // <= >= between blanks (affine sets)
    T_RES_OPEN,  // {-#
    T_RES_CLOSE, // #-}
};

// A blank, a line break in front.  TOKEN_DATA: the word dense_resource of a constant whose data
// were read.
enum { TOKEN_SPACE = 1, TOKEN_LINE = 2, TOKEN_DATA = 4 };

struct mlir_token {
    uint32_t at, len; // bytes in the text
    uint16_t kind, flags;
    uint32_t match; // of brackets
};

struct mlir_tokens {
    struct mlir_token *at;
    uint32_t len, cap;
};

// `splits` gets the byte positions of lines that are exactly "// -----".
bool mlir_lex(const char *text, size_t n, const char *file, struct mlir_tokens *out,
              struct u32_vec *splits, struct err *err);
// 1-based line and column (in characters) of a byte position.
void mlir_place(const char *text, size_t at, uint32_t *line, uint32_t *col);

#endif
