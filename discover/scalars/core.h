// SPDX-License-Identifier: Apache-2.0
// Between the scalar*.c files; nobody else's.
#ifndef DISCOVER_SCALARS_CORE_H
#define DISCOVER_SCALARS_CORE_H

#include "discover/scalars/scalar.h"

#include "base/text/buf.h"
#include "base/rng.h"
#include "egraph/plain/saturate/run.h"
#include "rules/rule.h"
#include "verify/prove.h"

// A term: arguments before what has them, the root last.  `sym` counts
// operators, then variables, then constants of the options.
enum { TREE_MAX = 64, MAX_RULES = 4096, MAX_TERMS = 2000000 };
struct scalar_tree_node {
    uint8_t sym, a, b;
};
struct scalar_tree {
    uint32_t n;
    struct scalar_tree_node at[TREE_MAX];
};

// An element of a vector: the bits of a machine type, or num/den.
struct cell {
    int64_t num, den;
};

// One input: an element type and a value for each variable.
struct input {
    enum elem type;
    uint32_t part; // which function x / 0 is there
    bool generic;  // of reals: rules that hold where divisors are not 0 are
                   // seen here
    struct cell var[SCALAR_MAX_VARS];
};

struct inputs {
    VEC(struct input) at;
    bool small; // one type of at most 4 bits: cells are bytes, operators tables
    unsigned bits;
    uint8_t table[SCALAR_MAX_OPS][256];
};

// What is known of a node of the e-graph: its values, and the smallest term of
// it when it was made.
struct known_values {
    uint64_t hash;    // of all inputs
    uint64_t generic; // of the generic ones; 0: it divides by 0 there
    bool nonzero;     // it is not 0 at any of these
    uint8_t ops, depth, constants;
    uint8_t vars;    // a mask
    uint32_t vector; // its place, + 1; 0: not stored
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
    VEC(struct known_values) known; // by node
    struct u32_vec best;            // by canonical class: the node of its smallest term
    VEC(uint8_t) small;             // vectors
    VEC(struct cell) wide;
    struct ruleset rules;
    struct intern tried; // candidates that were judged
    bool stop;
    bool stuck; // what was not proved last will not be with more time
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
// The values of an operator on nodes with vectors; false: it has none
// somewhere, or divides by 0 everywhere.  They are stored if `keep`.
bool scalar_eval(struct scalar_discovery *discovery, uint32_t sym, const uint32_t *arg, bool keep,
                 struct known_values *out);
// Do the sides agree for all inputs of the width?
bool scalar_agree_always(struct scalar_discovery *discovery, const struct scalar_tree *l,
                         const struct scalar_tree *r);
// And at so many other inputs?
bool scalar_agree_elsewhere(struct scalar_discovery *discovery, const struct scalar_tree *l,
                            const struct scalar_tree *r, uint32_t n,
                            const struct scalar_tree *nonzero, uint32_t each);
// And at those inputs tried where each of the terms of `nonzero` is not 0?
bool scalar_agree_where(struct scalar_discovery *discovery, const struct scalar_tree *l,
                        const struct scalar_tree *r, uint32_t n, const struct scalar_tree *nonzero);

// discover/scalars/terms.c
void scalar_begin(struct scalar_discovery *discovery);
void scalar_release(struct scalar_discovery *discovery);
// Adds the terms of a layer, from 1: with so many operators, or levels, above
// the classes there are.
void scalar_layer(struct scalar_discovery *discovery, uint32_t layer, bool last);
// After merges: `best` anew.
void scalar_best(struct scalar_discovery *discovery);
// The term of a node, above the smallest ones of its arguments; false: it is
// too large.
bool scalar_tree_of(struct scalar_discovery *discovery, uint32_t node, struct scalar_tree *tree);
// Variables get the letters in order of occurrence; `number` goes on with what
// it has (all 0xff at first).
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
// What prove_rule says of a rule in the domain.
enum judgement scalar_proves(struct scalar_discovery *discovery, const char *text, bool thorough,
                             bool search);

// discover/scalars/choose.c
struct chosen {
    struct equation equation;
    bool assumed; // not proved: what follows is not looked at
    bool stuck;   // and will not be
    bool follows; // from the others, so it is not proved yet
    bool dropped;
    bool derived; // that is why
};
struct node_sides {
    uint32_t l, r;
};
struct scalar_choice {
    struct scalar_discovery *discovery;
    VEC(struct chosen) at;
    VEC(struct equation) small;   // equations of few operators
    VEC(struct node_sides) sides; // their nodes
    struct intern keys;           // of these
    struct u32_vec is_chosen;     // and whether they are rules
};

bool scalar_late(struct scalar_discovery *discovery); // stops it
bool scalar_guard(void *ctx, struct cc *graph, uint32_t kind, const uint32_t *arg,
                  uint32_t *out); // of the merging rules
static inline void numbers_clear(uint8_t *number)
{
    memset(number, 0xff, SCALAR_MAX_VARS);
}
// An equation's text; with other variables it is the same.
void scalar_key(const struct scalar_discovery *discovery, const struct equation *equation,
                struct buf *out);
// Chooses as long as terms agree; `generic`: where no divisor is 0.
void scalar_choose(struct scalar_choice *choice, bool generic);
// Of the small equations, those that the chosen rules made equal are kept.
void scalar_keep_equal(struct scalar_choice *choice);

// discover/scalars/follow.c
// Small equations that the rules do not derive by themselves become rules; then
// what follows from the others is dropped, if `drop`.
void scalar_complete(struct scalar_choice *choice, bool drop);

#endif
