// SPDX-License-Identifier: Apache-2.0
// Values of terms (loops/terms/term.h) at the sizes and contents of a run: part of validate.h.
#ifndef LOOPS_VALIDATE_NUMBERS_H
#define LOOPS_VALIDATE_NUMBERS_H

#include "loops/run/run.h"
#include "loops/terms/term.h"

enum { NUMBERS_HEIGHTS = 16 }; // of reductions whose values are kept

// The last value of a reduction, for an element and indices of the reductions around it.
struct kept_value {
    uint64_t element; // 0: none
    uint32_t outer;   // bits: heights of indices that the term depends on
    bool known;       // `outer` is
    int64_t index[NUMBERS_HEIGHTS];
    double value;
};

struct numbers {
    struct lterms *terms;
    const struct execution *run;
    VEC(int64_t) value; // by atom: of symbols
    VEC(uint8_t) known;
    VEC(struct kept_value) kept; // by term
    int64_t index[NUMBERS_HEIGHTS];
    ipoly bound[NUMBERS_HEIGHTS]; // symbols of the indices, once they are known
    uint64_t element;             // a number that callers change with every element
    uint64_t steps;               // that may still be taken
    const char *problem;          // NULL: none
    bool outside; // the problem is a read that no array has, and no integer in memory points there
};

void numbers_init(struct numbers *numbers, struct lterms *terms, const struct execution *run);
void numbers_release(struct numbers *numbers);
void numbers_set(struct numbers *numbers, ipoly symbol, int64_t value);
int64_t numbers_poly(struct numbers *numbers, ipoly poly);
// A truth value is 1 or 0.
double numbers_term(struct numbers *numbers, lterm term);

#endif
