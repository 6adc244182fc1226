// SPDX-License-Identifier: Apache-2.0
// Number domains and verdicts.  One verdict is stored for each rule and domain.
#ifndef RULES_DOMAIN_H
#define RULES_DOMAIN_H

#include "tensor/language/elem.h"

enum domain {
    DOMAIN_BOOL,  // i1
    DOMAIN_INT,   // the mathematical integers
    DOMAIN_WORD,  // two's complement, wrapping, every width, both signs
    DOMAIN_REAL,  // the mathematical reals
    DOMAIN_FLOAT, // IEEE-754 binary floats, bit for bit
    N_DOMAINS
};

// "real", "float-sums", "float".
const char *reading_text(enum float_reading reading);
bool reading_by_text(const char *text, enum float_reading *out);
// How floats are read, in words: "taken as real numbers" ...
const char *reading_words(enum float_reading reading);
// The domain in which rules on floats must be proved.
enum domain reading_domain(enum float_reading reading);

enum verdict { VERDICT_UNKNOWN, VERDICT_PROVED, VERDICT_REFUTED };

const char *domain_text(enum domain domain); // "bool" ...
bool domain_by_text(const char *text, enum domain *out);
const char *verdict_text(enum verdict verdict); // "proved" ...
bool verdict_by_text(const char *text, enum verdict *out);

// The kinds of elements that live in a domain, as a mask (bool: KIND_BOOL; int
// and word: KIND_SINT | KIND_UINT; real and float: KIND_FLOAT).
unsigned domain_kinds(enum domain domain);
// The domain in which a rule must be proved before it is applied to elements of
// this type: i1 -> bool, machine integers -> word, floats -> float_mode
// (DOMAIN_REAL or DOMAIN_FLOAT).  False for ELEM_OTHER.
bool domain_of_elem(enum elem elem, enum domain float_mode, enum domain *out);
// The domain in which a type variable of these kinds lives while its rule is
// judged in `domain`:
//   bool, if KIND_BOOL is the only kind;
//   else `domain`, if one of the kinds lives there;
//   else the counterpart of `domain` (int and real, word and float; word for bool), if
//   one of the kinds lives in the counterpart.
// False if there is no such domain.
bool domain_of_kinds(unsigned kinds, enum domain domain, enum domain *out);

#endif
