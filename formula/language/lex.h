// SPDX-License-Identifier: Apache-2.0
// Tokens of the text of a formula, all cut at once; the text must outlive them.
#ifndef FORMULA_LANGUAGE_LEX_H
#define FORMULA_LANGUAGE_LEX_H

#include "base/err.h"
#include "base/memory/vec.h"

// The kind of a punctuation character is its character code.
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
    bool space; // there is space before the token
    bool ended; // before it a `;` went with a comment behind an operand
};
struct ftokens {
    VEC(struct ftoken) at; // the last one is FTOK_END
};

// Fails with ERR_INPUT and the place.  Callers must release the result in
// either case.
bool ftokens_cut(struct ftokens *out, const char *file, const char *text, struct err *err);
void ftokens_release(struct ftokens *tokens);

#endif
