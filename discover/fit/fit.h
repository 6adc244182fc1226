// SPDX-License-Identifier: Apache-2.0
// Integer functions and preconditions learned from samples on one axis.  The
// module handles integers only and knows nothing about tensors.
//
// A sample gives values of known attributes, and all values of the unknown
// attributes under which both sides of a rule agreed.  The fit finds expressions
// over the known values that meet as many samples as possible, and a precondition
// that separates the samples that are met from the others.
//
// F1  Every sample that meets `where` has solutions, and the values of `expr`
//     are one of them; every expression is defined there.
// F2  `where` is minimal: without any one of its terms it would admit a sample
//     without a solution; without any one of its literals it would lose a good
//     sample.
// F3  Equal problems have equal answers.
//
// An answer summarizes samples.  It is a conjecture that must be proved.
#ifndef DISCOVER_FIT_FIT_H
#define DISCOVER_FIT_FIT_H

#include "base/memory/arena.h"
#include <stdbool.h>
#include <stdint.h>

struct fit_sample {
    const int64_t *known;     // n_known values: sizes and attributes of the left
                              // side on this axis
    uint32_t n_solutions;     // tuples of n_unknown values under which both sides
                              // agree; 0: under none
    const int64_t *solutions; // n_solutions * n_unknown
};
struct fit_problem {
    uint32_t n_known, n_unknown, n_samples;
    const char *const *known; // as printed in the rule (map names)
    const struct fit_sample *samples;
    uint32_t max_size;                // nodes of an expression; 0: default
    uint32_t max_literals, max_terms; // of the precondition: literals of a
                                      // term, terms; 0: default
    const bool *kept;                 // good samples that the precondition must admit;
                                      // NULL: none
};
struct fit_answer {
    const char **expr; // n_unknown texts in the rule language over the known
                       // names
    const char *where; // "": no precondition
    uint32_t covered;  // samples that meet `where` and agree
    uint32_t size;     // nodes of all expressions
};

// Returns the number of answers, at most `max`, best first: those that cover
// most samples, then the smallest.  Expressions have 0, 1, -1, 2, the known
// values, + - *, min, max, ceildiv.  Literals are a == 0, a == 1, a >= 0, a >
// 0, a <= b, a == b, mod(a, b) == 0, a + b <= c and their negations.  Answers
// are owned by `mem`.
uint32_t fit_solve(const struct fit_problem *problem, uint32_t max, struct arena *mem,
                   struct fit_answer *out);
// As fit_solve, without preconditions: `covered` counts the samples that agree.
uint32_t fit_expressions(const struct fit_problem *problem, uint32_t max, struct arena *mem,
                         struct fit_answer *out);

// Learns the precondition alone: a conjunction of terms, each a disjunction of
// literals.  It admits no sample that is not `good`, and as many good ones as
// possible.  Names of known values may be expressions here.  Returns false if
// no precondition within the limits admits a good sample.
struct fit_where {
    const char *where; // "": no precondition
    uint32_t n_terms;  // the precondition, term by term
    const char **term;
    uint32_t covered; // good samples that meet it
    uint32_t literals;
    const bool *meets; // by sample: it meets the precondition
};
bool fit_where(const struct fit_problem *problem, const bool *good, struct arena *mem,
               struct fit_where *out);

#endif
