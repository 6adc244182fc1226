// SPDX-License-Identifier: Apache-2.0
// Internal to fit/where.c: literals over the columns of a problem, each with
// the set of samples that it forbids.
#ifndef DISCOVER_FIT_LITERALS_H
#define DISCOVER_FIT_LITERALS_H

#include "discover/limits.h"
#include "base/text/buf.h"
#include "base/memory/intern.h"
#include "base/memory/vec.h"
#include "discover/fit/fit.h"

#define COST 3 // cost of a literal about one map

enum atom {
    ATOM_EQ0,
    ATOM_NE0,
    ATOM_GE0,
    ATOM_GT0,
    ATOM_LE0,
    ATOM_LT0,
    ATOM_EQ1,
    ATOM_NE1,
    ATOM_LE1,
    ATOM_GT1,
    ATOM_EVEN,
    ATOM_LE, // from here on: two columns
    ATOM_LT,
    ATOM_EQ,
    ATOM_NE,
    ATOM_DIVIDES,
    ATOM_SUM_LE0, // a + b <= 0
    ATOM_SUM_LT0,
    ATOM_SUM_EQ0,
    ATOM_SUM_GE0,
    ATOM_SUM_GT0,
    ATOM_SUM_LE, // three columns: a + b <= c
    ATOM_SUM_LT,
    ATOM_SUM_EQ,
    ATOM_SUM_GE,
    ATOM_SUM_GT,
};

struct fit_literal {
    enum atom atom;
    uint32_t a, b, c;
    uint32_t cost;
    bool alone; // divides by 0 at some sample: such a literal is a term
                // alone, since a precondition that divides by 0 is false
};

struct fitting {
    const struct fit_problem *problem;
    uint32_t max_in_term, max_terms;
    uint32_t usable; // the number of literals that may be chosen, cheapest first
    uint32_t n_good, n_bad, good_words, bad_words;
    const uint32_t *good, *bad; // samples
    uint64_t kept[FIT_WORDS];   // good samples that must stay admitted
    VEC(struct fit_literal) literals;
    VEC(uint64_t) forbids; // by literal: good_words, then bad_words
    struct intern sets;    // the distinct sets of `forbids`
};

static inline const uint64_t *literal_forbids(const struct fitting *fitting, uint32_t literal)
{
    return fitting->forbids.at + (size_t)literal * (fitting->good_words + fitting->bad_words);
}

static inline uint32_t count_bits(uint64_t x)
{
    // Portable: not all machines have an instruction, and a library call is slower.
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

bool literal_holds(const struct fit_literal *literal, const int64_t *v);
void literal_print(const struct fit_problem *problem, const struct fit_literal *literal,
                   struct buf *out);
// Makes all literals that forbid a sample, cheapest first.  Of literals that
// forbid the same samples only the first is kept.
void literals_add(struct fitting *fitting);

#endif
