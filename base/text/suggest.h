// SPDX-License-Identifier: Apache-2.0
// The known word that a misspelt one was probably meant to be.
//
//     struct nearest nearest = nearest_to(found, n);
//     nearest_consider(&nearest, "reshape", 7); // for each known word
//     ... nearest.word, nearest.n                // NULL: none is near
//
// A known word is near if few edits lead to it: one for every three letters of
// the longer word.  An edit inserts, drops or replaces a letter, or swaps two
// neighbours.  Words that differ in case or in '-' and '_' alone are equal
// here; a word of which the beginning was written counts as one edit.
//
// S1  Of several words that are equally near, the first one considered stays.
// S2  A word of fewer than two letters, or of more than SUGGEST_LETTERS, has no
//     near words, and is near to none, unless it is equal.
#ifndef BASE_TEXT_SUGGEST_H
#define BASE_TEXT_SUGGEST_H

#include "base/text/buf.h"

enum { SUGGEST_LETTERS = 48 };

struct nearest {
    const char *found; // what was written; borrowed
    size_t n_found;
    const char *word; // the nearest so far, borrowed; NULL: none
    size_t n;
    uint32_t edits;
};

struct nearest nearest_to(const char *found, size_t n);
void nearest_consider(struct nearest *nearest, const char *word, size_t n);

// The nearest of `count` words, or NULL.
const char *text_nearest(const char *found, size_t n, const char *const *words, uint32_t count);
// Gives the error the hint "did you mean WORD?", unless no word is near or the error has a
// hint; false.
bool nearest_hint(const struct nearest *nearest, struct err *err);

#endif
