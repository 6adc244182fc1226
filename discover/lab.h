// SPDX-License-Identifier: Apache-2.0
// A rule tried on ground instances, by the interpreter alone.
//
// An instance of one axis in each class says what a rule does to attributes and
// sizes; the prover says what holds at every rank.  So classes have rank 0 or 1
// here unless they must have more.
//
// L1  Equal rules, domains, seeds and calls give equal answers.
#ifndef DISCOVER_LAB_H
#define DISCOVER_LAB_H

#include "base/rng.h"
#include "rules/rule.h"

enum lab_answer {
    LAB_NOT,    // the left side is not well-defined, or a precondition false
    LAB_UNSURE, // cannot be evaluated, or element conditions were never met
    LAB_EMPTY,  // agrees, and has no element
    LAB_AGREE,
    LAB_DIFFER, // shape, element or right side not well-defined
};

struct lab;
// The rule must live as long.  *domain: the one in which elements are; the
// first of the mask that can be had, integers before all.
struct lab *lab_new(const struct rule *r, unsigned domains, uint64_t seed);
void lab_free(struct lab *l);
enum domain lab_domain(const struct lab *l);

// The case that is tried: ranks of all classes, values of all maps that are not
// lets at each place.  Written by the caller and by lab_random.
uint32_t *lab_rank(struct lab *l);
int64_t *lab_map(struct lab *l, uint32_t map); // room for 4 places
// Random ranks and values; the family `root` gets one axis (NONE: like others).
void lab_random(struct lab *l, uint32_t root);
// Changes one value of the family (NONE: any).
void lab_mutate(struct lab *l, uint32_t root);
struct rng *lab_rng(struct lab *l);

// Is the left side well-defined and are the preconditions met?
bool lab_left(struct lab *l);
// Then: how many elements has the left side?
int64_t lab_left_size(const struct lab *l);
// Then: tries the case on `fillings` choices of elements.
enum lab_answer lab_run(struct lab *l, uint32_t fillings);
// Both.
enum lab_answer lab_try(struct lab *l, uint32_t fillings);
// Takes the other lab's case, as far as names of classes and maps are equal.
// False: a map has no value there.
bool lab_copy(struct lab *l, const struct lab *from);
// The case in words: "n=1 w=2 pl=-1".
void lab_print(const struct lab *l, struct buf *out);
// Ground instances built so far.
uint64_t lab_count(const struct lab *l);

#endif
