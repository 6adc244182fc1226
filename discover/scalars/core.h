// SPDX-License-Identifier: Apache-2.0
// Internal to scalars/: terms, inputs, the graph of all terms, and chosen
// equations.
#ifndef DISCOVER_SCALARS_CORE_H
#define DISCOVER_SCALARS_CORE_H

#include "discover/limits.h"
#include "discover/scalars/scalar.h"

#include "base/text/buf.h"
#include "base/rng.h"
#include "egraph/plain/saturate/run.h"
#include "rules/rule.h"
#include "verify/prove.h"

// A term as an array: arguments before their operator, the root last.  `sym`
// counts operators, then variables, then the constants of the options.
struct scalar_tree_node {
    uint8_t sym, a, b;
};
struct scalar_tree {
    uint32_t n;
    struct scalar_tree_node at[SCALAR_TREE_NODES];
};

// An element of a vector: the bits of a machine type, or num/den.
struct cell {
    int64_t num, den;
};

// One input: an element type, and a value for each variable.
struct input {
    enum elem type;
    uint32_t part; // number of the function that x / 0 is at this input
    bool generic;  // for reals: an input at which no divisor is 0, which
                   // shows rules that need such divisors
    struct cell var[SCALAR_MAX_VARS];
};

struct inputs {
    VEC(struct input) at;
    bool small; // one type of at most 4 bits: cells are bytes, operators tables
    unsigned bits;
    uint8_t table[SCALAR_MAX_OPS][256];
};

// Known facts of a node of the e-graph: its values, and its smallest term at
// the time when it was made.
struct known_values {
    uint64_t hash;    // hash of the values at all inputs
    uint64_t generic; // hash at the generic inputs; 0: a division by 0 there
    bool nonzero;     // the term is 0 at no generic input
    uint8_t ops, depth, constants;
    uint8_t vars;    // mask of its variables
    uint32_t vector; // place of its values, + 1; 0: not stored
};

struct scalar_discovery {
    const struct scalar_options *options;
    struct scalar_result *out;
    double begin;
    struct inputs in;
    struct plain_rules plain;
    struct cc graph;
    struct run run;
    uint32_t sym_op[SCALAR_MAX_OPS + SCALAR_MAX_VARS + SCALAR_MAX_CONSTANTS];
    struct u32_vec op_sym;
    VEC(struct known_values) known; // facts by node
    struct u32_vec best;            // by canonical class: the node of the smallest term
    VEC(uint8_t) small;             // values as bytes, for small types
    VEC(struct cell) wide;
    struct ruleset rules;
    struct intern tried; // candidates that were judged
    bool stop;
    bool stuck; // more time would not prove the equation judged last
};

static inline bool sym_is_var(const struct scalar_discovery *discovery, uint32_t sym)
{
    return sym >= discovery->options->n_ops &&
           sym < discovery->options->n_ops + discovery->options->n_vars;
}
static inline uint32_t sym_arity(const struct scalar_discovery *discovery, uint32_t sym)
{
    return sym >= discovery->options->n_ops                      ? 0
           : op_class(discovery->options->ops[sym]) == OPC_UNARY ? 1
                                                                 : 2;
}
static inline uint32_t sym_count(const struct scalar_discovery *discovery)
{
    return discovery->options->n_ops + discovery->options->n_vars + discovery->options->n_constants;
}

// discover/scalars/eval.c
void scalar_inputs_make(struct scalar_discovery *discovery);
void scalar_inputs_release(struct scalar_discovery *discovery);
// Computes the values of an operator on nodes with values, and stores them if
// `keep`.  False: it has no value at some input, or divides by 0 at every
// input.
bool scalar_eval(struct scalar_discovery *discovery, uint32_t sym, const uint32_t *arg, bool keep,
                 struct known_values *out);
// Do the sides agree for all inputs of the width?
bool scalar_agree_always(struct scalar_discovery *discovery, const struct scalar_tree *l,
                         const struct scalar_tree *r);
// Do the sides agree at `n` further inputs?
bool scalar_agree_elsewhere(struct scalar_discovery *discovery, const struct scalar_tree *l,
                            const struct scalar_tree *r, uint32_t n,
                            const struct scalar_tree *nonzero, uint32_t each);
// Do the sides agree at the inputs at which no term of `nonzero` is 0?
bool scalar_agree_where(struct scalar_discovery *discovery, const struct scalar_tree *l,
                        const struct scalar_tree *r, uint32_t n, const struct scalar_tree *nonzero);

// discover/scalars/terms.c
void scalar_begin(struct scalar_discovery *discovery);
void scalar_release(struct scalar_discovery *discovery);
// Adds the terms of a layer, counted from 1: terms with so many operators, or
// levels, above the current classes.
void scalar_layer(struct scalar_discovery *discovery, uint32_t layer, bool last);
// Computes `best` again after merges.
void scalar_best(struct scalar_discovery *discovery);
// The term of a node, built on the smallest terms of its arguments.  False: the
// term is too large.
bool scalar_tree_of(struct scalar_discovery *discovery, uint32_t node, struct scalar_tree *tree);
// Names variables by letters in order of occurrence.  `number` holds the
// letters given so far (all 0xff at first).
void scalar_tree_plain(const struct scalar_discovery *discovery, const struct scalar_tree *tree,
                       const char *mark, uint8_t *number, struct buf *out);
void scalar_tree_text(const struct scalar_discovery *discovery, const struct scalar_tree *tree,
                      uint8_t *number, struct buf *out);

// discover/scalars/judge.c
enum judgement { JUDGED_TRUE, JUDGED_FALSE, JUDGED_UNKNOWN };
struct equation {
    struct scalar_tree l, r;
    uint32_t n_nonzero;
    struct scalar_tree nonzero[4];
};
enum judgement scalar_judge(struct scalar_discovery *discovery, const struct equation *equation,
                            bool again);
// The text of a rule with this name.
void scalar_equation_text(const struct scalar_discovery *discovery, const struct equation *equation,
                          const char *name, struct buf *out);
// The verdict of prove_rule on a rule in the domain.
enum judgement scalar_proves(struct scalar_discovery *discovery, const char *text, bool thorough,
                             bool search);

// discover/scalars/choose.c
struct chosen {
    struct equation equation;
    bool assumed; // not proved; its consequences are not examined
    bool stuck;   // not proved, and more time would not help
    bool follows; // follows from the others, so it has not been proved yet
    bool dropped;
    bool derived; // dropped, because it follows
};
struct node_sides {
    uint32_t l, r;
};
struct scalar_choice {
    struct scalar_discovery *discovery;
    VEC(struct chosen) at;
    VEC(struct equation) small;   // equations of few operators
    VEC(struct node_sides) sides; // nodes of both sides of these equations
    struct intern keys;           // keys of these equations
    struct u32_vec is_chosen;     // whether the equations are rules
};

bool scalar_late(struct scalar_discovery *discovery); // the time is used up; stops the run
bool scalar_guard(void *ctx, struct cc *graph, uint32_t kind, const uint32_t *arg,
                  uint32_t *out); // of run: the merging rules
static inline void numbers_clear(uint8_t *number)
{
    memset(number, 0xff, SCALAR_MAX_VARS);
}
// The text of an equation, the same for renamed variables.
void scalar_key(const struct scalar_discovery *discovery, const struct equation *equation,
                struct buf *out);
// Chooses equations until no two classes agree; `generic`: on generic inputs.
void scalar_choose(struct scalar_choice *choice, bool generic);
// Keeps the small equations that the chosen rules made equal.
void scalar_keep_equal(struct scalar_choice *choice);

// discover/scalars/follow.c
// Small equations that the rules do not derive by themselves become rules.
// Then, if `drop`, rules that follow from others are dropped.
void scalar_complete(struct scalar_choice *choice, bool drop);

#endif
