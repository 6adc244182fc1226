// SPDX-License-Identifier: Apache-2.0
// What the files of the search share; see search.h.
//
//   discover/tensors/known.c  what kept rules say already
//   discover/tensors/left.c   one left side: right sides, solutions, forms that stand
//   discover/tensors/work.c   left sides in other processes, or from the journal
//   discover/tensors/prove.c  proofs, and what is kept
//   search.c        sizes and classes, one after the other
#ifndef DISCOVER_TENSORS_CORE_H
#define DISCOVER_TENSORS_CORE_H

#include "discover/tensors/answers.h"
#include "discover/derive/derive.h"
#include "discover/tensors/search.h"
#include "discover/tensors/table.h"

enum {
    WAVE = 32,    // left sides between two rounds of proofs
    TRIES = 6,    // right sides of one left side that are solved for
    TRIALS = 150, // ground instances before a proof
    SMALL = 2,    // operators of a side of which all is looked at
    PINS = 4,     // ways to leave strides and interiors out
};

struct kept_rule {
    struct rule_sketch pair;
    bool whole;
    bool permutes; // one sketch on both sides but for names: no direction
};
struct kept_pair {
    struct sketch pair;
    bool spectator, any_binary;
};
struct rule_candidate {
    struct rule_sketch pair;
    char *text;
    const struct rule *rule;
    bool whole, undirected, permutes;
    unsigned proved, uninterpreted; // masks
    bool refuted;
    uint64_t number;
    const struct rule *given; // a candidate that was not found here
    bool fallback;            // general operators failed: the concrete ones again
};
struct sizes { // sketches of one number of classes
    struct enumeration sketches;
    struct sketch_vec of[8];
    struct sketch_vec parts[8]; // of them, those no kept rule rewrites
    struct table *small;        // right sides for left ones of more operators
};
struct rule_search {
    const struct search_options *options;
    struct ruleset *set;
    struct found_rules *out;
    struct search_progress *progress;
    struct arena mem;
    VEC(struct kept_rule) kept;
    VEC(struct rule_candidate) wave;
    VEC(struct sketch) lefts; // to be looked at together
    VEC(uint32_t) number;     // of each, among those of its size
    struct table *table;
    VEC(uint32_t) asked; // of the left sides, those the journal has not
    VEC(struct answer) answer;
    struct arena step;
    VEC(uint32_t) promising; // left sides with a choice: pins are looked at
    VEC(struct kept_pair) pairs;
    struct answers journal;
    struct derive_base *base; // kept rules, in the integers
    struct intern texts;      // candidates that were judged
    struct intern names;
    struct solve_counts counts;
    double begin, shown;
    bool ended;
    struct err *err;
    bool failed;
};

struct sent_counts {
    uint64_t pairs, solved, broken, fits, evaluations;
    uint32_t candidates;
    bool promising;
};

void search_show(struct rule_search *search, bool now);

// Does a rule without preconditions rewrite the sketch somewhere?
bool search_reducible(const struct rule_search *search, const struct sketch *sketch);
// Is the pair an instance of a kept one, below operators that both share?
bool search_congruent(const struct rule_search *search, const struct sketch *l,
                      const struct sketch *r);
void search_keep_pair(struct rule_search *search, const struct rule_sketch *pair);

bool search_has_literal_operand(const struct sketch *sketch);
const struct rule *search_parse(struct rule_search *search, const char *text);
// On random ground instances of all ranks.
bool search_stands(struct rule_search *search, const struct rule *rule);
// Is the completed candidate another one than all before?
bool search_is_new(struct rule_search *search, const struct rule_candidate *candidate);
// Completes a candidate and puts it into the wave; false: no form stands.
bool search_offer(struct rule_search *search, struct rule_candidate *candidate);
// Is there any right side to look at?  Its candidates are in the wave.
bool search_left_side(struct rule_search *search, const struct sketch *sketch);

// The left sides that were collected to candidates; these to kept rules.
void search_solve_wave(struct rule_search *search);
void search_prove_wave(struct rule_search *search);

#endif
