// SPDX-License-Identifier: Apache-2.0
// The state of one rule under proof: the shared expression store, the solver session, and
// the obligations recorded so far.
#ifndef VERIFY_OBLIGATIONS_SESSION_H
#define VERIFY_OBLIGATIONS_SESSION_H

#include "verify/meaning/denote.h"
#include "verify/integers/linear.h"
#include "verify/obligations/options.h"
#include "verify/obligations/script.h"

// Two reduces found equal, as patterns.  The same choice is made at every rank
// (docs/proving.md, reductions).
struct reduce_pair {
    uint32_t a, b;  // pattern indices
    enum rung rung; // the context in which they were found equal
    int domain;     // enum domain, or -1
    bool chained;   // nested reduces of one operator were taken together
    uint32_t n;
    uint8_t match[8]; // group i of a corresponds to group match[i] of b
};

// A solved leaf (elements/same.h) and its answer.
struct leaf_entry {
    expr_id lhs, rhs, hyps;
    enum domain domain;
    enum grade goal;
    bool proved;
    const char *reason;
    struct smt_slice rests_on;
};

struct session {
    const struct rule *rule;
    struct arena *mem; // the report's
    struct decide_options options;
    struct exprs exprs;
    struct polys polys;
    struct smt smt;
    struct linear linear; // uninterpreted elements
    struct linear swap;   // and commutative
    struct linear ideal;  // elements as integers
    VEC(struct reduce_pair) pairs;
    bool pairs_closed; // no new pairs: later instances repeat the first
    VEC(struct leaf_entry) leaves;
    VEC(struct obligation) done;
    struct script script; // the queries on which the verdicts rest
    bool reassociated;    // a proof changed the order of sums
    bool empty;           // along some axes the left side never has an element
    // Domains (a mask) whose proofs used facts about correctly rounded functions.
    unsigned rounds_right;
    enum grade goal;    // of floats; GRADE_EXACT unless a weaker one is tried
    int asked;          // enum domain of the current proof, plus 1; 0: all domains
    const char *reason; // why the last proof failed; in mem
};

void session_init(struct session *session, const struct rule *rule,
                  const struct decide_options *options, struct arena *mem);
void session_release(struct session *session);

struct stopwatch {
    double wall;
    uint64_t effort;
    uint32_t mark; // of the trail
};
struct stopwatch session_start(struct session *session);
// How the proof of one obligation ended.
struct obligation_outcome {
    enum obligation_kind kind;
    const char *ranks;  // the ranks or the family that it is about; may be ""
    const char *detail; // what had to be proved
    bool proved;
    const char *reason; // why it is not proved; ignored if it is
};
// Records an obligation and a section of the script.  Copies the texts.
void session_record(struct session *session, struct stopwatch watch,
                    struct obligation_outcome outcome);
// "x=1 y=0", owned by the arena.
const char *session_ranks(struct session *session, const uint32_t *rank);
// Leaves a hint with the map values of a model (all 0 if model is NULL).
void session_hint(struct session *session, enum obligation_kind kind, unsigned domains,
                  struct denote *denote, const struct linear_model *model);
// The value of a map at a place in a model; 0 if the value is undefined or model is NULL.
int64_t session_model_value(struct session *session, struct denote *denote,
                            const struct linear_model *model, uint32_t map, uint32_t place);
// Prints into the arena.
const char *session_text(struct session *session, const char *fmt, ...) PRINTF_LIKE(2, 3);

// Appends the conditions of clauses that belong to the family (NONE: all).
void clauses_append(const struct clauses *clauses, uint32_t family, struct u32_vec *out);
// Appends H0: preconditions, and well-definedness of the left side and of the patterns of
// element conditions.
void hypotheses(struct denote *denote, struct clauses *out);
// Appends the conditions of H0 about all families, and "the left side has an element".
void hypotheses_nonempty(struct denote *denote, struct u32_vec *out);

// Proves the obligations about sizes (shape.c).  On failure session->reason says why.
bool prove_valid_and_shape(struct session *session);
// Finds a model of the conjuncts that eval_truth confirms.
bool find_model(struct session *session, const struct u32_vec *conj, struct linear_model *model);
// NONEMPTY: *vacuous if no model was found.
void check_nonempty(struct session *session, bool *vacuous);
// Does the element condition count along an axis?  Such a condition may only define a
// tensor, as in all(A == iota({a: n}, axis=a) * s): `defines`.
bool condition_counts(const struct rule *rule, uint32_t where);
bool condition_defines(const struct rule *rule, uint32_t where);
// Are there elements of the domain that meet all element conditions at one index
// (conditions.c)?  The conditions must be pointwise.  Also false if no elements were found.
bool conditions_have_model(struct session *session, enum domain domain);

#endif
