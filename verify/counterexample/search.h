// SPDX-License-Identifier: Apache-2.0
// Native search for a small ground counterexample of a rule in a domain, without a
// solver.  It runs twice: before the prover, as a quick filter, and after it with the
// prover's models as hints.
//
//   search.c             the schedule: ranks, points, fillings, budget
//   points.c, maps.c     per rank family the map values of ONE axis that meet the
//                        preconditions and make the left side well-defined, smallest
//                        first.  Conditions hold axis by axis, so an instance of any
//                        rank is a choice of such points.  Classes that reshapes join are
//                        one family of one axis each; a block's axes are made by
//                        factoring its size afterwards
//   checks.c             the conditions under which a node is well-defined, to guide points.c
//   fill.c               element types, concrete operators, indices, element values
//   try.c, attempt.c     one candidate: rule_ground, eval_terms, comparison; the phases share it
//   rounding/rounding.c  is a difference of floats more than rounding?
//   rounding/sum_order.c the order in which sums of floats take their terms
//   rounding/correctly_rounded.c  correctly rounded transcendental operators
//   order.c              the order of instances, and all of them in this order
//   systematic.c         tries them; finds the least one that fails
//   values.c             simple elements, the simplest first
//   minimise.c           smaller ranks, map values and elements
//   json.c, replay.c     the report; reads it back and tries it again
//
// X1  A counterexample is returned only if cex_replay confirms it from the text alone.
// X2  Equal rule, domain, hints, budget and random state give the same text.
// X3  A candidate on which any evaluation fails (overflow in INT or REAL, division by
//     zero in REAL) or whose element condition is not true everywhere decides nothing.
//
// In DOMAIN_REAL rules with transcendental operators are tried in f64 on moderate values.
// Only differences far beyond rounding count, and the report says "approximate": true.
// In floats only large differences count if an operator takes part whose rounding
// IEEE-754 leaves open, or a sum whose terms the layout has in another order than the
// axes.  But if the results of such operators are the correctly rounded ones
// (correctly_rounded.c), they are those of an admissible implementation, and every
// difference counts.
#ifndef VERIFY_COUNTEREXAMPLE_SEARCH_H
#define VERIFY_COUNTEREXAMPLE_SEARCH_H

#include "base/err.h"
#include "base/rng.h"
#include "base/text/buf.h"
#include "rules/rule.h"
#include "tensor/eval/eval.h"

// A model to look at first: ranks of all classes and the value of every map
// that is not a `let` at every place of its class.
struct cex_hint {
    const uint32_t *rank;
    int64_t *const *map;
    enum elem index_elem; // of the indices among the maps
};

struct cex_budget {
    uint64_t candidates; // steps on ground instances at random, per domain
    uint64_t systematic; // the same, on instances in order; 0: none
    uint64_t visits;     // partial map assignments tried, per family
    uint32_t points;     // map assignments kept per family
    uint32_t least;      // steps for each number of axes, to find the least counterexample
};
struct cex_budget cex_budget_quick(void);  // a few ms per domain
struct cex_budget cex_budget_deep(void);   // some 100 ms per domain
struct cex_budget cex_budget_places(void); // points that fail, and hints
// For one domain of a rule that is wide, before its proof.
struct cex_budget cex_budget_wide(void);
bool cex_is_wide(const struct rule *rule);

// The points of all families, made once for all domains.  Owned by `mem`.
struct cex_space;
struct cex_space *cex_space_new(const struct rule *rule, const struct cex_hint *hints, uint32_t n,
                                const struct cex_budget *budget, struct rng *rng,
                                struct arena *mem);
// Returns true and stores a counterexample, as in domain_report (owned by `mem`).
bool cex_space_search(const struct cex_space *space, enum domain domain,
                      const struct cex_budget *budget, struct rng *rng, struct arena *mem,
                      const char **json);

// One search in one domain.
struct cex_request {
    const struct rule *rule;
    enum domain domain;
    const struct cex_hint *hints;
    uint32_t n_hints;
    const struct cex_budget *budget;
    struct rng *rng;
    struct arena *mem; // of the counterexample
    bool both;         // only cases at which both sides are well-defined
};
// cex_space_new and cex_space_search in one.
bool cex_search(const struct cex_request *request, const char **json);
// The same at the hints alone.
bool cex_search_hints(const struct cex_request *request, const char **json);

// A difference in DOMAIN_FLOAT is plain if every element of every node is finite, and the sides
// differ in more than the sign of a zero.  Then no weaker grade (rules/verdict.h) holds.
enum cex_difference {
    CEX_EXCEPTION,     // not plain
    CEX_PLAIN_ELEMENT, // plain
    CEX_OTHER_SIDES,   // the right side is not well-defined, or has another shape
};
// What the counterexample shows.
enum cex_difference cex_plain(const struct rule *rule, const char *json);
// Looks for a plain difference, at the hints first.
bool cex_plain_difference(const struct rule *rule, const struct cex_hint *hints, uint32_t n,
                          const struct cex_budget *budget, struct rng *rng);

// The ranks and map values of a counterexample, owned by `mem`.  A case that refutes a rule
// in one domain is the first one to try in the others.  Returns false if they do not fit the
// rule.
bool cex_hint_of(const struct rule *rule, const char *json, struct arena *mem,
                 struct cex_hint *out);

// Does the first counterexample come before the second one in the order of instances
// (docs/counterexamples.md), by what they lack, their axes and their map values?
bool cex_comes_before(const struct rule *rule, const char *json, const char *than);

// Reads a counterexample, builds both sides again and confirms the difference that it
// states.  Fails with ERR_INPUT on malformed text, and with ERR_CHECK if there is no such
// difference or the example does not belong to the domain.
bool cex_replay(const struct rule *rule, enum domain domain, const char *json, struct err *err);

// Appends the whole results of both sides at a counterexample, as JSON:
//     {"left": {"shape": [2], "type": "f32", "data": [1, 2]}, "right": ..}
// There is no "right" where the right side is not well-defined.  Elements as in the
// counterexample.  Fails as cex_replay does.
bool cex_sides(const struct rule *rule, const char *json, struct buf *out, struct err *err);

// The counterexample as terms.  Parameter [0, i] is tensor i, the scalars follow.
struct cex_terms {
    const struct terms *terms;
    term_id before, after; // NO_TERM: the right side is not well-defined
    uint32_t n_params;
    const type_id *types;
    const struct value *values;
    const char *why; // the right side is not well-defined
};
// Hands the terms, which live until `take` returns, to it.  Fails as cex_replay does, or if
// `take` does.
bool cex_take(const struct rule *rule, const char *json,
              bool (*take)(void *user, const struct cex_terms *at, struct err *err), void *user,
              struct err *err);

#endif
