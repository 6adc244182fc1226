// SPDX-License-Identifier: Apache-2.0
// A comment behind `//` that may be meant as the divisor of a floor division, as in Python.
//
// D1  The comment may be a divisor if up to the end of its line, a `;` or another comment
//     operands and operators take turns. So "the last row" is a comment: no operator stands
//     between two names. Operands are those of Python and of papers, too: `np.sqrt(d)`, `n.size`,
//     `a[:, 0]`, `|y|`, `2x`, `y²`, `√(y)`, and the letter π, but no word of such letters.
// D2  Names that are not known are words, unless something shows that they are not: a number, an
//     index, a name of one letter, what stands behind a point, an operator that words do not have
//     between them, or a `;` at the end of the line. So "bias" and "row-major" are comments, and
//     "rows * 2" is none.
#ifndef BASE_TEXT_DIVISION_H
#define BASE_TEXT_DIVISION_H

#include <stdbool.h>
#include <stddef.h>

// The text behind the `//`. `knows` says which names are known; NULL: all names are.
bool comment_is_divisor(const char *at, const char *end,
                        bool (*knows)(void *user, const char *name, size_t n), void *user);

#endif
