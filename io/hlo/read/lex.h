// SPDX-License-Identifier: Apache-2.0
// Tokens of HLO text.  The whole file is cut into one array, brackets matched, so that
// readers look ahead freely and skip a bracket in one step.
//
// L1  Every opening bracket's `match` is the index of its closing bracket and the other
//     way round; brackets nest properly, at most IO_HLO_DEPTH deep.
// L2  The last token is H_EOF.
#ifndef IO_HLO_READ_LEX_H
#define IO_HLO_READ_LEX_H

#include "base/err.h"
#include "base/memory/vec.h"
#include "io/limits.h"

// Any other character is a token of its own, its kind its code.
enum hlo_token_kind {
    H_EOF = 256,
    H_NAME,   // %x
    H_WORD,   // a name, a number, sizes such as 3x3, dimensions such as b01f_01io
    H_STRING, // with its quotes
    H_ARROW,  // ->
    H_UP_TO,  // <=
};

enum { HLO_SPACE = 1, HLO_LINE = 2 }; // blank, line break in front

struct hlo_token {
    uint32_t at, len; // bytes in the text
    uint16_t kind, flags;
    uint32_t match; // of brackets
};

struct hlo_tokens {
    struct hlo_token *at;
    uint32_t len, cap;
};

bool hlo_lex(const char *text, size_t n, const char *file, struct hlo_tokens *out, struct err *err);
// Fails at a byte of the text.
bool hlo_fail_at(const char *text, size_t at, const char *file, struct err *err, const char *msg);

#endif
