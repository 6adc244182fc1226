// SPDX-License-Identifier: Apache-2.0
// A rule tried on ground instances, by the interpreter alone.
//
// An instance of one axis in each class says what a rule does to attributes and
// sizes; the prover says what holds at every rank.  So classes have rank 0 or 1
// here unless they must have more.
//
// L1  Equal rules, domains, seeds and calls give equal answers.
#ifndef DISCOVER_LEARN_EXPERIMENT_H
#define DISCOVER_LEARN_EXPERIMENT_H

#include "base/rng.h"
#include "rules/rule.h"

enum experiment_answer {
    EXPERIMENT_NOT,    // the left side is not well-defined, or a precondition false
    EXPERIMENT_UNSURE, // cannot be evaluated, or element conditions were never met
    EXPERIMENT_EMPTY,  // agrees, and has no element
    EXPERIMENT_AGREE,
    EXPERIMENT_DIFFER, // shape, element or right side not well-defined
};

struct experiment;
// The rule must live as long.  *domain: the one in which elements are; the
// first of the mask that can be had, integers before all.
struct experiment *experiment_new(const struct rule *rule, unsigned domains, uint64_t seed);
void experiment_free(struct experiment *experiment);
enum domain experiment_domain(const struct experiment *experiment);

// The case that is tried: ranks of all classes, values of all maps that are not
// lets at each place.  Written by the caller and by experiment_random.
uint32_t *experiment_rank(struct experiment *experiment);
int64_t *experiment_map(struct experiment *experiment, uint32_t map); // room for 4 places
// Random ranks and values; the family `root` gets one axis (NONE: like others).
void experiment_random(struct experiment *experiment, uint32_t root);
// Changes one value of the family (NONE: any).
void experiment_mutate(struct experiment *experiment, uint32_t root);
struct rng *experiment_rng(struct experiment *experiment);

// Is the left side well-defined and are the preconditions met?
bool experiment_left(struct experiment *experiment);
// Then: how many elements has the left side?
int64_t experiment_left_size(const struct experiment *experiment);
// Then: tries the case on `fillings` choices of elements.
enum experiment_answer experiment_run(struct experiment *experiment, uint32_t fillings);
// Both.
enum experiment_answer experiment_try(struct experiment *experiment, uint32_t fillings);
// Takes the other lab's case, as far as names of classes and maps are equal.
// False: a map has no value there.
bool experiment_copy(struct experiment *experiment, const struct experiment *from);
// The case in words: "n=1 w=2 pl=-1".
void experiment_print(const struct experiment *experiment, struct buf *out);
// Ground instances built so far.
uint64_t experiment_count(const struct experiment *experiment);

#endif
