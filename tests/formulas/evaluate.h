// SPDX-License-Identifier: Apache-2.0
// Values of terms with some 90 digits, by what the operators mean, at one
// choice of sizes and of values of variables.  Where a term has no value it is
// not a number, and so is whatever uses that value.
#ifndef TESTS_FORMULAS_EVALUATE_H
#define TESTS_FORMULAS_EVALUATE_H
#include "base/rng.h"
#include "formula/language/formula.h"

#include <mpfr.h>

enum { BITS = 320, AXES = 64, MOST_SIZE = 5 };

struct value {
    bool known;
    uint64_t axes; // on which it depends
    uint32_t n;    // elements, by these axes in ascending order
    mpfr_t *at;
};
struct variable {
    const char *name;
    bool truth;
    uint32_t n, size[8];
    uint32_t n_at;
    mpfr_t *at;
};
struct world {
    struct fterms terms;
    struct intern axis; // bit: id - 1
    uint32_t size[AXES];
    uint32_t same[AXES]; // axes of one size, as a forest
    struct rng rng;
    VEC(struct variable) variable;
    VEC(struct value) value; // by term
};
struct environment {
    uint32_t index[AXES];
};

// The number of an axis, below AXES: its bit in a set.
uint32_t world_axis(struct world *world, const char *name, uint32_t len);
// 1 to MOST_SIZE along each axis; positions of a variable have one size each,
// and a join the sum of its parts.
void world_choose_sizes(struct world *world);

// Elements along these axes: how many, which one is at the environment's
// indices, and the indices of one.
uint32_t world_count(const struct world *world, uint64_t axes);
uint32_t world_place(const struct world *world, uint64_t axes,
                     const struct environment *environment);
void world_go_to(const struct world *world, uint64_t axes, uint32_t at,
                 struct environment *environment);

// All values of the term and of those below it: valid until the next one.
const struct value *world_evaluate(struct world *world, fterm top);
void world_forget(struct world *world);

#endif
