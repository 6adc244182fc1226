// SPDX-License-Identifier: Apache-2.0
// Internal to examples/: the search for a rule behind a pair.
#ifndef DISCOVER_EXAMPLES_SEARCH_H
#define DISCOVER_EXAMPLES_SEARCH_H

#include "discover/examples/core.h"
#include "discover/learn/labels.h"
#include "discover/learn/learn.h"

// A map of the left side, and an expression that has its value in the pair.
struct coincidence {
    const char *map, *text; // the text may have maps of earlier ones
    bool dropped, alike;    // alike: two sizes or two attributes of one kind are equal
};
// A rule that was found with less of the pair freed: what is found must cover it.  Its right side,
// its preconditions and its coincidences are tried first.
struct slot_text {
    uint32_t node;
    int attr;
    const char *cls, *text;
};
struct found_before {
    const struct rule *rule; // NULL: none
    unsigned proved;
    uint32_t n, n_names, n_assumed;
    const struct slot_text *at;    // attributes of the right side
    const struct slot_text *names; // of maps of the left side, which may be others now
    const struct coincidence *assumed;
    enum kinds_mode kinds;
    uint32_t n_literals;
    const struct constant *literals; // of the left side, which could not be free
};
// A point at which a rule was refuted: values of the maps of one class.
struct wrong_point {
    uint32_t cls, n;
    const char **map;
    int64_t *value;
};
// A rule that no precondition makes right; `freed`: there was a rule before.
struct hopeless_rule {
    const char *hash;
    bool freed;
};
struct search {
    struct learner *learner;
    struct pair *pair;
    struct choice choice;
    bool near;  // the pair is not equal: its order of values says nothing of where a rule is true
    bool *open; // by class: some attribute of the right side is not solved for
    uint32_t longest_list;
    // Maps of the left side that are taken to be what the pair has them be by chance.
    VEC(struct coincidence) assumed;
    VEC(struct wrong_point) wrong; // attributes are solved for at these, too
    VEC(struct hopeless_rule) hopeless;
    const char *reason; // why the last rule was given up
    bool again;         // with classes of a greater least rank
    bool narrower;      // the last rule that held does not cover the one before
    struct found_before before;
    struct found_before found; // what was accepted last
    bool as_before;            // with the right side and the preconditions of `before`
    bool as_left;              // with parts of both programs as they are on the left side
    bool dropping;             // coincidences: a rule with an equality as a precondition is no gain
    int first, levels, level;  // the first and the last level to be tried; the last that was
    uint64_t proofs;           // of the learner at which the search ends
    unsigned fires;            // in one of which the engine needs a proof for these elements
    unsigned domains;          // in one of which a rule of these elements must be proved
};

// learn.c.  False: `pair->why` says why.  Closed in any case.
bool search_open(struct search *search, struct pair *pair, const struct example *example,
                 struct freedom freedom);
void search_close(struct search *search);
// Proves the rule once more, in every domain that its types allow, and claims these only.
void search_confirm(struct learner *learner, unsigned domains, struct example_rule *out);

// search.c: first nothing is assumed, then more and more of what the pair has in common.
bool search_levels(struct search *search, const struct example *example, struct example_rule *out);

// Attributes of the right side are unknown again.
void search_forget(struct search *search);
// constants.c: frees the constants of the left side that are in the mask.
void search_constants(struct search *search, uint32_t mask);

// Attributes of the right side along one class.
struct solution {
    uint32_t n, score, points;
    uint32_t *slot;
    const char **text;
};
// Returns the number of solutions, the best first.
uint32_t solve_class(struct search *search, uint32_t cls, struct solution *out);

// ties.c: where more points of a class come from.
struct tie_points {
    uint32_t cls, root; // of the pair; of the rule
    const struct rule *rule;
    struct experiment *lab; // of the rule; changes
};
// Of the first solutions, with equal scores, those that are right at more points come first.
void solutions_order(struct search *search, const struct tie_points *points,
                     struct solution *solution, uint32_t n);

// The value of a map of the left side on the k-th axis of the class of the pair.
bool pair_map_value(struct pair *pair, uint32_t cls, const char *map, uint32_t k, int64_t *out);
uint32_t example_class(const struct pair *pair, const char *name);
bool example_is_unknown(const struct search *search, uint32_t slot);
// The rule as it is chosen so far; unknown attributes of class `cls` are maps, those of other
// classes have the pair's values.  NULL: it is no rule.
const struct rule *example_write(struct search *search, uint32_t cls);

// points.c
// Gives the class small values on one axis, ordered as those of the pair.
void example_ordered(struct pair *pair, const struct rule *rule, struct experiment *lab,
                     uint32_t cls);
// Classes whose own attributes are not solved for yet stay at the pair's values; others that each
// point has an axis of are ordered as the pair, so that they are seldom what is wrong.
void example_pin_others(struct search *search, const struct rule *rule, struct experiment *lab,
                        uint32_t cls);
// Looks for a case with one axis of each class at which the sides agree.
bool example_witness(struct pair *pair, const struct rule *rule, struct experiment *lab);

// instance.c: is the pair an instance of a rule that was written from it?
enum example_match example_is_instance(struct search *search, const struct example *example,
                                       const struct rule *rule);

// Solves, settles and accepts with the constants as they are chosen.
bool search_ranks(struct search *search, const struct example *example, struct example_rule *out);
// counts.c: numbers of the right side that count elements.
bool search_counts(struct search *search, const struct example *example, struct example_rule *out);

struct known_map {
    const char *name;
    bool size;
};
// Classes with attributes that are unknown yet.
void search_open_classes(struct search *search);
// before.c
//
// Operations of both programs have the attributes that they have on the left side.  False: there
// are none.
bool shared_take(struct search *search);
// Attributes of the right side become what they were in the rule before.
void before_take(struct search *search);
// Keeps the rule that was found for a search with more freed.
void before_keep(struct search *search, const struct rule *rule, unsigned proved);
// A text of the rule before with the maps of today.
const char *before_text(struct search *search, const char *text);
// Was the constant a number in the rule before?
bool before_literal(const struct search *search, const struct constant *constant);
// The coincidence of the rule before; NULL: that had none on the map.
const struct coincidence *before_assumed(struct search *search, const char *map);
// advice.c: preconditions on elements under which the prover could prove the rule over the reals;
// NULL: none, or no side is ever undefined.
const char *search_advice(struct search *search, const struct rule *rule);
// hopeless.c: rules for which no precondition was found, by their hash.
bool search_is_hopeless(const struct search *search, const char *hash);
void search_gives_up(struct search *search, const char *hash);
// odd.c
//
// Has the rule an equality among its preconditions, which may be a coincidence of the pair?
bool rule_is_odd(const struct rule *rule);
// The number of preconditions with an equality, alone or among others.  NULL: none.
uint32_t rule_equalities(const struct rule *rule);
// Are the preconditions of the new rule worth its instances?  They are no more than those of the old
// one, or they are bounds in place of equalities.
bool rule_says_more(const struct rule *new, const struct rule *old);
// Is the odd rule to be given up for the new one, with more coincidences and without equalities?
bool odd_is_worse(struct search *search, const struct example_rule *odd,
                  const struct example_rule *new);
// coincidences.c: the maps of the left side on the class, sizes first.
uint32_t list_maps(struct search *search, const struct rule *rule, uint32_t cls,
                   struct known_map *out);
// coincidences.c: fills search->assumed.  Level 1: sizes that are equal, and attributes that are
// equal to others, or 0.  Level 2: sums and differences too.  Level 3: sizes that are small numbers.
void assume_coincidences(struct search *search, int level);
// The expression without maps that are assumed themselves.
const char *assumed_text(struct search *search, const char *text);

// settle.c: learns preconditions of the rule and proves it.  NULL: it is not proved where it must be.
const struct rule *settle_once(struct search *search, const struct rule *rule, unsigned *proved);
// bounds.c: the same; if that needs a choice of preconditions, also where no start is clamped.
const struct rule *settle_rule(struct search *search, const struct rule *rule, unsigned *proved);

#endif
