// SPDX-License-Identifier: Apache-2.0
// A formula's text as a named term.  (The operators of programs and of tensors have the same
// enumerators, so this is the one place that reads the language.)
#ifndef PROOF_KERNEL_PARSE_H
#define PROOF_KERNEL_PARSE_H

#include "formula/terms/term.h"

// False: the text is no formula.
bool parse_formula(const char *text, struct fterms *terms, fterm *out);
// Calls `each` for the variables of a formula, with the names of their axes.  False as above.
bool parse_variables(const char *text,
                     void (*each)(void *ctx, const char *name, uint32_t n, const char *const *axes),
                     void *ctx);

#endif
