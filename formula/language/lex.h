// SPDX-License-Identifier: Apache-2.0
// Tokens of a formula's text, cut all at once; the text must outlive them.
#ifndef FORMULA_LANGUAGE_LEX_H
#define FORMULA_LANGUAGE_LEX_H

#include "base/err.h"
#include "base/memory/vec.h"

// Punctuation of one character is its own kind (its character code).
enum ftoken_kind {
    FTOK_END = 256,
    FTOK_NAME,
    FTOK_INTEGER, // digits alone
    FTOK_DECIMAL,
    FTOK_LE,
    FTOK_GE,
    FTOK_EQ,
    FTOK_NE,
};
struct ftoken {
    int kind;
    const char *at;
    uint32_t len, line, col;
    bool space; // before it
};
struct ftokens {
    VEC(struct ftoken) at; // the last one is FTOK_END
};

// ERR_INPUT with the place.  The caller releases in either case.
bool ftokens_cut(struct ftokens *out, const char *file, const char *text, struct err *err);
void ftokens_release(struct ftokens *tokens);

#endif
