// SPDX-License-Identifier: Apache-2.0
// Tokens of a .rw text.  lex_text cuts the whole text into tokens at once.  The text
// must outlive the tokens.  A malformed piece becomes one T_ERROR token with a
// message in `error`: the parser reports the message at its place and goes on.
// The last token is always T_END.
#ifndef RULES_LANGUAGE_TOKENS_LEX_H
#define RULES_LANGUAGE_TOKENS_LEX_H

#include "base/memory/intern.h"
#include "rules/limits.h"
#include "rules/rule.h"

// Punctuation of one character is its own kind (its character code).
enum token_kind {
    T_END = 256,
    T_NAME,
    T_INT,     // value
    T_DECIMAL, // digits '.' digits
    T_STRING,  // between the quotes, escapes not yet resolved
    T_ERROR,
    T_IMPLIES, // =>
    T_ARROW,   // ->
    T_SWAP,    // <->
    T_LE,
    T_GE,
    T_EQ,
    T_NE,
};

struct token {
    int kind; // enum token_kind or a character
    const char *at;
    uint32_t len;
    uint32_t name;     // T_NAME: id in `names`
    int64_t value;     // T_INT
    const char *error; // T_ERROR
    const char *doc;   // the /// lines directly above, to doc_end; else NULL
    const char *doc_end;
    uint32_t match; // '(': index of the ')' that closes the parenthesis, else NONE
    struct place place;
};

struct lexed {
    VEC(struct token) tokens;
    struct intern names;
};

// Bytes of the token that a message quotes.
static inline int token_shown(const struct token *token)
{
    return (int)(token->len < RULES_TOKEN_SHOWN ? token->len : RULES_TOKEN_SHOWN);
}

void lex_text(struct lexed *out, const char *text, size_t n);
void lex_release(struct lexed *lexed);

#endif
