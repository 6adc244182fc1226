// SPDX-License-Identifier: Apache-2.0
// Named functions, by what textbooks say.
#ifndef TESTS_FORMULAS_TEXTBOOK_H
#define TESTS_FORMULAS_TEXTBOOK_H
#include "formula/language/formula.h"

// The term with all calls written out; a function that no textbook here knows
// stays.
fterm meanings(struct fterms *terms, fterm term);

#endif
