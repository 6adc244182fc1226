// SPDX-License-Identifier: Apache-2.0
// Small numbers in place of large ones, with the same relations among them.
//
// Every number has its present value, at least 0.  Numbers that are the same, or stand in one
// relation, or are linked, form a set.  In a set
//   N1  equal numbers stay equal, unequal ones keep their order,
//   N2  every relation keeps its sum,
//   N3  a + b = c between three numbers of the set stays true (also a + a = c),
//   N4  numbers up to NUMBER_KEPT, and fixed ones, keep their values; no other becomes smaller
//       than NUMBER_LEAST.
// So what a program decides by comparing or adding sizes and places, it decides as before.
#ifndef TENSOR_RESIZE_SIZES_H
#define TENSOR_RESIZE_SIZES_H

#include "base/memory/vec.h"

#include <stdbool.h>

#define NO_NUMBER UINT32_MAX
#define NUMBER_KEPT 3
#define NUMBER_LEAST 4
#define NUMBER_FACTORS 8 // most factors of one product

// factor * a product of numbers
struct number_term {
    int64_t factor;
    uint32_t n;
    uint32_t of[NUMBER_FACTORS];
};
struct number_relation {
    uint32_t at, n; // terms
    int64_t sum;
};
struct number {
    uint32_t same, linked; // union-find: the same number, the same set
    int64_t value, now;    // before and after sizes_shrink
    bool fixed;
};
struct sizes {
    VEC(struct number) at;
    VEC(struct number_term) terms;
    VEC(struct number_relation) relations;
};

void sizes_release(struct sizes *numbers);
uint32_t number_new(struct sizes *numbers, int64_t value); // value >= 0
void number_same(struct sizes *numbers, uint32_t a, uint32_t b);
void number_link(struct sizes *numbers, uint32_t a, uint32_t b);
void number_fix(struct sizes *numbers, uint32_t a);
// The sum of the terms stays what it is.  Numbers of a relation are linked.
void number_relate(struct sizes *numbers, uint32_t n, const struct number_term *terms);
// Chooses the value `now` of all numbers, in at most `steps` steps for each set; a set for which
// they do not suffice keeps its values.
void sizes_shrink(struct sizes *numbers, uint32_t steps);
int64_t number_now(const struct sizes *numbers, uint32_t a);

#endif
