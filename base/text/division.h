// SPDX-License-Identifier: Apache-2.0
// A comment behind `//` that may be meant as the divisor of a floor division, as in Python.
//
// D1  The comment may be a divisor if up to the end of its line, a `;` or another comment
//     operands and operators take turns, and all names are known. So "the last row" is a comment:
//     no operator stands between two names.
#ifndef BASE_TEXT_DIVISION_H
#define BASE_TEXT_DIVISION_H

#include <stdbool.h>
#include <stddef.h>

// The text behind the `//`. `knows` says which names are known, those of calls excepted; NULL: all
// names are.
bool comment_is_divisor(const char *at, const char *end,
                        bool (*knows)(void *user, const char *name, size_t n), void *user);

#endif
