// SPDX-License-Identifier: Apache-2.0
// Internal to the language: hints for formulas that are not read, from what people write
// who know Python, C or LaTeX.
#ifndef FORMULA_LANGUAGE_HINTS_H
#define FORMULA_LANGUAGE_HINTS_H

#include "formula/language/lex.h"

// For a character that starts no token; `before` are the tokens so far.
void formula_hint_character(const struct ftokens *before, const char *at, struct err *err);
// The bytes of a minus sign or dash of pages, which is no `-`; 0: there is none.
size_t formula_minus(const char *at);
// For the point of np.exp(x), x.sum(), x.T.
void formula_hint_point(const struct ftokens *before, const char *at, struct err *err);
// For "expected WHAT, found TOKEN".
void formula_hint_expected(const struct ftokens *tokens, uint32_t found, const char *what,
                           struct err *err);
// For a name in front of `(` that is no function.  False: nothing is known of it.
bool formula_hint_function(const char *name, struct err *err);

#endif
