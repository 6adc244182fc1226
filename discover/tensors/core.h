// SPDX-License-Identifier: Apache-2.0
// Internal to the search; see search.h.
//
//   known.c   rewriting by kept rules
//   left.c    one left side: right sides, solutions, general forms
//   work.c    left sides in other processes, or from the journal
//   prove.c   proofs, and kept rules
//   search.c  sizes and classes, one after the other
#ifndef DISCOVER_TENSORS_CORE_H
#define DISCOVER_TENSORS_CORE_H

#include "discover/limits.h"
#include "discover/tensors/answers.h"
#include "discover/derive/derive.h"
#include "discover/tensors/search.h"
#include "discover/tensors/table.h"

struct kept_rule {
    struct rule_sketch pair;
    bool whole;
    bool permutes; // both sides are one sketch up to names: no direction
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
    unsigned proved, uninterpreted; // masks of domains
    bool refuted;
    uint64_t number;
    const struct rule *given; // the rule, if the caller gave the candidate
    bool fallback;            // general operators failed, so concrete ones are tried
};
struct sizes { // sketches of one number of classes
    struct enumeration sketches;
    struct sketch_vec of[SEARCH_OPERATORS];
    struct sketch_vec parts[SEARCH_OPERATORS]; // sketches of them that no kept rule rewrites
    struct table *small;                       // right sides for left sides of more operators
};
struct rule_search {
    const struct search_options *options;
    struct ruleset *set;
    struct found_rules *out;
    struct search_progress *progress;
    struct arena mem;
    VEC(struct kept_rule) kept;
    VEC(struct rule_candidate) wave;
    VEC(struct sketch) lefts; // left sides of the next batch
    VEC(uint32_t) number;     // number of each among those of its size
    struct table *table;
    VEC(uint32_t) asked; // left sides that the journal lacks
    VEC(struct answer) answer;
    struct arena step;
    VEC(uint32_t) promising; // left sides with a choice of right sides; their pins are tried
    VEC(struct kept_pair) pairs;
    struct answers journal;
    struct derive_base *base; // kept rules, over the integers
    struct intern texts;      // texts of candidates that were judged
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
// Is the pair an instance of a kept pair, possibly below operators that both
// sides share?
bool search_congruent(const struct rule_search *search, const struct sketch *l,
                      const struct sketch *r);
void search_keep_pair(struct rule_search *search, const struct rule_sketch *pair);

bool search_has_literal_operand(const struct sketch *sketch);
const struct rule *search_parse(struct rule_search *search, const char *text);
// Tries the candidate on random ground instances of all ranks.
bool search_stands(struct rule_search *search, const struct rule *rule);
// Does the completed candidate differ from all before?
bool search_is_new(struct rule_search *search, const struct rule_candidate *candidate);
// Completes a candidate and adds it to the batch.  False: no form of it holds.
bool search_offer(struct rule_search *search, struct rule_candidate *candidate);
// Does any right side agree with the sketch?  Adds its candidates to the batch.
bool search_left_side(struct rule_search *search, const struct sketch *sketch);

// Solves the collected left sides; then proves the candidates and keeps rules.
void search_solve_wave(struct rule_search *search);
void search_prove_wave(struct rule_search *search);

#endif
