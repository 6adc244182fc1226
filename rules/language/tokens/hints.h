// SPDX-License-Identifier: Apache-2.0
// Internal to rules/: hints for errors, from what people write who know other languages.
// A hint is given for a text that has failed, never for one that is read.
#ifndef RULES_LANGUAGE_TOKENS_HINTS_H
#define RULES_LANGUAGE_TOKENS_HINTS_H

#include "rules/language/tokens/parser.h"

// Adds a hint to the error that was reported last, if that was not silent (P1) and has no
// hint; returns false.
bool parser_hint(struct parser *parser, const char *fmt, ...) PRINTF_LIKE(2, 3);
// For "expected WHAT, found TOKEN".
void hint_expected(struct parser *parser, const struct token *found, const char *what);
// For classes of an operand that has the classes `found`; returns false.
bool hint_rank(struct parser *parser, uint64_t found);
// For a domain that is none.
void hint_domain(struct parser *parser, const struct token *name);
// For a second comparison of tensors behind that from the token `first` on; it is the next token.
void hint_chain(struct parser *parser, const struct token *first);
// For a name that is not declared, or declared as something else.
void hint_unknown(struct parser *parser, const struct token *name, enum sym_kind wanted);
void hint_other_kind(struct parser *parser, const struct token *name, enum sym_kind wanted);
// For a name in front of `(` that is no operator of patterns; `functions` are those of
// the language, ended by NULL.
void hint_operator(struct parser *parser, const struct token *name, const char *const *functions);
// The same where integers stand.
void hint_function(struct parser *parser, const struct token *name);
// For a statement whose first word is no word of the language.
void hint_statement(struct parser *parser, const struct token *word);
// For a call that was not read, unless the error is not one of its form: how the call is
// written.
void hint_signature(struct parser *parser, const char *signature);
// For classes that would have to be alike.
void hint_alike(struct parser *parser, uint64_t classes);
// For an operand that has the classes `found` in place of `expected`; returns false.
bool hint_classes(struct parser *parser, uint64_t expected, uint64_t found);
// For elements of a kind that WHAT does not take; returns false.
bool hint_kind(struct parser *parser, const char *what, unsigned expected, unsigned found);
// For a call of an elementwise operator, `NAME`, with a wrong number of operands.
void hint_operands(struct parser *parser, const char *name, uint32_t arity);

#endif
