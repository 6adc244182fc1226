// SPDX-License-Identifier: Apache-2.0
// A rule tried on ground instances, by the interpreter alone.  An experiment holds
// one case at a time: ranks of classes and values of maps.
//
// An instance with one axis in each class shows what a rule does to attributes
// and sizes; the prover decides what holds at every rank.  So classes have rank 0
// or 1 here unless they must have more.
//
// L1  Equal rules, domains, seeds and calls give equal answers.
#ifndef DISCOVER_LEARN_EXPERIMENT_H
#define DISCOVER_LEARN_EXPERIMENT_H

#include "base/rng.h"
#include "rules/rule.h"

enum experiment_answer {
    EXPERIMENT_NOT,    // the left side is not well-defined, or a precondition is false
    EXPERIMENT_UNSURE, // not evaluated, or no elements met the element conditions
    EXPERIMENT_EMPTY,  // the sides agree and have no element
    EXPERIMENT_AGREE,
    EXPERIMENT_DIFFER, // shapes or elements differ, or the right side is not well-defined
};

struct experiment;
// The rule must outlive the experiment.  *domain: the domain of the elements,
// the first of the mask that is available; integers are preferred.
struct experiment *experiment_new(const struct rule *rule, unsigned domains, uint64_t seed);
void experiment_free(struct experiment *experiment);
enum domain experiment_domain(const struct experiment *experiment);

// The current case: ranks of all classes, and values of all maps that are no
// lets, at each axis.  Callers may write both; experiment_random does.
uint32_t *experiment_rank(struct experiment *experiment);
int64_t *experiment_map(struct experiment *experiment,
                        uint32_t map); // room for EXPERIMENT_PLACES axes
// Chooses random ranks and values.  The family `root` gets one axis; NONE: no
// family is special.
void experiment_random(struct experiment *experiment, uint32_t root);
// From now on experiment_random gives classes outside of the family their least ranks.
void experiment_alone(struct experiment *experiment);
// From now on they get the case of `fixed`, which is borrowed, by names; NULL: any case again.
void experiment_fix(struct experiment *experiment, const struct experiment *fixed);
// Changes one value of the family; NONE: of any family.
void experiment_mutate(struct experiment *experiment, uint32_t root);
struct rng *experiment_rng(struct experiment *experiment);

// Builds the left side.  Is it well-defined, and are the preconditions met?
bool experiment_left(struct experiment *experiment);
// After experiment_left: the number of elements of the left side.
int64_t experiment_left_size(const struct experiment *experiment);
// After experiment_left: evaluates both sides for `fillings` choices of
// elements.
enum experiment_answer experiment_run(struct experiment *experiment, uint32_t fillings);
// experiment_left, then experiment_run.
enum experiment_answer experiment_try(struct experiment *experiment, uint32_t fillings);
// Copies the case of another experiment, by names of classes and maps.  False:
// a map has no value there.
bool experiment_copy(struct experiment *experiment, const struct experiment *from);
// Prints the case: "n=1 w=2 pl=-1".
void experiment_print(const struct experiment *experiment, struct buf *out);
// The number of ground instances built so far.
uint64_t experiment_count(const struct experiment *experiment);

#endif
