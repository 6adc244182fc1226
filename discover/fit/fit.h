// SPDX-License-Identifier: Apache-2.0
// Integer functions and preconditions learned from samples on ONE axis.  Pure
// integers; knows nothing of tensors.
//
// The unknowns of a sketch are given by all their values under which both
// sides agreed, sample by sample.  Sought are expressions over the known
// values that meet as many samples as possible, and a precondition that
// separates the samples that are met from the others.
//
// F1  Every sample that meets `where` has solutions, and one of them is the
//     tuple of values of `expr`; all of them are defined there.
// F2  `where` is minimal: without any term a sample that has no solution would
//     meet it; without any literal it would not be met by more.
// F3  Equal problems have equal answers.
//
// An answer says what samples say, no more: it is to be proved.
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
    const bool *kept;                 // good samples that the precondition must not forbid;
                                      // NULL: none
};
struct fit_answer {
    const char **expr; // n_unknown texts in the rule language over the known
                       // names
    const char *where; // "" = none
    uint32_t covered;  // samples that meet `where` and agree
    uint32_t size;     // nodes of all expressions
};

// Best first: most covered, then smallest.  Expressions: 0, 1, -1, 2, the known
// values, + - *, min, max, ceildiv.  Literals: a == 0, a == 1, a >= 0, a > 0,
// a <= b, a == b, mod(a, b) == 0, a + b <= c and what their negations say.
// At most `max` answers, of `mem`; the number is returned.
uint32_t fit_solve(const struct fit_problem *problem, uint32_t max, struct arena *mem,
                   struct fit_answer *out);
// The same without preconditions: `covered` counts the samples that agree.
uint32_t fit_expressions(const struct fit_problem *problem, uint32_t max, struct arena *mem,
                         struct fit_answer *out);

// The precondition alone: a conjunction of terms, each a disjunction of
// literals, that no sample meets which is not `good`, and of the good ones as
// many as can be.  Names in p->known may be expressions here.  False: there is
// none within the limits that any good sample meets.
struct fit_where {
    const char *where; // "" = none
    uint32_t n_terms;  // the same, term by term
    const char **term;
    uint32_t covered; // good samples that meet it
    uint32_t literals;
    const bool *meets; // per sample
};
bool fit_where(const struct fit_problem *problem, const bool *good, struct arena *mem,
               struct fit_where *out);

#endif
