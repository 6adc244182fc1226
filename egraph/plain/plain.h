// SPDX-License-Identifier: Apache-2.0
// Plain rules: patterns over operators without types, as conjunctive queries.
//
//   name: (+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)
//
// is the query  +(v3; v0, v4), +(v4; v1, v2)  over classes v0 .. v4 (an ATOM is
// a node: its class before the semicolon), and builds two nodes, the second of
// which joins class v3.  For semi-naive search (search.h) a query has a plan
// for each of its atoms, in which that atom comes first and takes new nodes
// only.
//
// A rule is a line; `#` begins a comment line.
//
//   rule  ::= name ': ' side '=>' right { 'else' right }
//   right ::= side [ 'if' cond { 'and' cond } ]
//   side  ::= pattern | ?v '=' pattern { 'and' ?v '=' pattern }
//   cond  ::= name '(' ?v { ',' ?v } ')' | 'same' '(' pattern ',' pattern ')'
//           | ?v '=' name '(' ?v { ',' ?v } ')'
//
// A left side of several patterns is one query; on the right each pattern joins
// the class of its variable, or names what it builds where the left side does
// not bind the variable.  A right side after `else` is for matches that fail the
// conditions before.  `same` asks for two terms in one class: the terms are part of
// the query, and a second rule builds them wherever the left side is found.  Other
// conditions are the caller's, by name; such a condition may compute a class.  An
// unbound variable ?fresh.. stands for the class that the caller's `fresh` computes
// for the class of the left side.
#ifndef EGRAPH_PLAIN_PLAIN_H
#define EGRAPH_PLAIN_PLAIN_H

#include "base/memory/arena.h"
#include "base/memory/intern.h"
#include "egraph/core/cc.h"
#include "egraph/limits.h"

#define ATOM_ANY UINT32_MAX // operator of an atom that is any class

struct plain_atom {
    uint32_t op, n;
    uint32_t cls; // variable
    uint32_t *arg;
    uint8_t listen; // events that can make a match new
};
enum step_kind {
    STEP_FIRST,  // given
    STEP_LOOKUP, // all arguments known
    STEP_DOWN,   // its class is known
    STEP_UP,     // an argument is known
    STEP_SCAN,   // nothing is known
};
// Which nodes an atom takes when another came first.
enum step_age {
    AGE_ANY,
    AGE_OLD, // the atom was first in an earlier plan
    AGE_NEW, // it is first in this plan, and began with another
};
struct step_check {
    uint32_t var, bits; // cc_op_bit
};
struct plain_step {
    enum step_kind kind;
    uint32_t atom;
    uint32_t via;   // STEP_UP, STEP_DOWN: known argument, or CC_NONE
    uint64_t known; // variables bound before
    // Bit 0: the atom's class is bound already, so the class of a node must be the
    // same.  Bit k + 1: the same for argument k.
    uint64_t same;
    uint32_t n, cls, a, b; // of the atom: the variables of two arguments
    // Atoms whose class this step binds and that do not come next.  If the class has
    // no node with their operator, the search goes no further.
    uint32_t n_checks;
    struct step_check *check;
    enum step_age age;
};
struct plain_build {
    uint32_t op, n;
    uint32_t out; // variable
    uint32_t *arg;
};
struct plain_guard {
    uint32_t kind; // the caller's number
    uint32_t n;
    uint32_t arg[4]; // variables
    uint32_t out;    // variable that it computes, or CC_NONE
    uint32_t unless; // 0: must hold; else one of those with this number must not hold
};
// The orders in which a query looks for its atoms: [atom that comes first][n_atoms];
// [n_atoms]: where `left` is known.  Each is made when a search first asks for it: most rules
// are never searched, because an operator of theirs is in no graph.
struct plain_plans {
    struct arena *mem;
    struct plain_step **step; // NULL: not made yet
};
struct plain_rule {
    const char *name;
    uint32_t line;
    uint32_t n_atoms, n_vars, n_builds, n_guards;
    uint32_t n_main; // atoms of the left side; the rest are of conditions
    struct plain_atom *atom;
    struct plain_plans *plans;
    struct plain_build *build;
    struct plain_guard *guard;
    // The rule as it was read, where arguments changed places (ac.h).
    const struct plain_rule *base;
    // Variables whose classes become one; CC_NONE: the rule only builds.  The
    // node of `right` is the one built last, unless the left side binds it.
    uint32_t left, right;
};

struct plain_rules {
    struct arena mem;
    VEC(struct plain_rule) rule;
    struct intern names;    // of operators: "name/arity"
    struct u32_vec op_name; // operator -> intern id
    struct u32_vec name_op; // intern id -> operator
    const char *analysis;   // as the rules ask for, or NULL
    struct u32_vec ac;      // operators without order and brackets (ac.h)
};

// Names of conditions, ended by {NULL}; n = number of arguments.
struct guard_name {
    const char *name;
    uint32_t n;
    bool computes;
};

void plain_init(struct plain_rules *rules);
void plain_release(struct plain_rules *rules);
uint32_t plain_op(struct plain_rules *rules, struct cc *graph, const char *name, uint32_t len,
                  uint32_t arity);
const char *plain_op_name(const struct plain_rules *rules, uint32_t op, uint32_t *len);
// Reads the rules of a text, and the lines `analysis: NAME` and `ac: OP ..`.
bool plain_read(struct plain_rules *rules, struct cc *graph, const char *file, const char *text,
                const struct guard_name *guards, struct err *err);
// What plain_read made in the graph: the operators, with what they listen to.
struct plain_ops {
    struct u32_vec arity, listen;
};
// The operators that are there now.
void plain_ops_note(struct plain_ops *ops, const struct cc *graph);
// Makes these operators in an empty graph, for rules that were read for another graph: rules and
// operators are then as plain_read would leave them.  Names that came later are forgotten.
void plain_ops_renew(const struct plain_ops *ops, struct plain_rules *rules, struct cc *graph);
void plain_ops_release(struct plain_ops *ops);
void plain_ac(struct plain_rules *rules, struct cc *graph, const char *name, uint32_t len);
// Reads one pattern as a rule that does nothing, for search_class.
bool plain_pattern(struct plain_rules *rules, struct cc *graph, const char *file, const char *text,
                   struct plain_rule *out, struct err *err);
// Terms as they were read, each behind its arguments.
struct plain_forest {
    struct u32_vec op;   // by place
    struct u32_vec arg;  // places of the arguments of all
    struct u32_vec root; // places
};

bool plain_forest_read(struct plain_rules *rules, struct cc *graph, const char *file,
                       const char *text, struct plain_forest *forest, struct err *err);
// Adds the nodes of all terms; `nodes` grows by those of the roots.
void plain_forest_add(struct cc *graph, const struct plain_forest *forest, struct u32_vec *nodes);
void plain_forest_release(struct plain_forest *forest);
// Adds the node of the term with which the text begins.
bool plain_term(struct plain_rules *rules, struct cc *graph, const char *file, const char *text,
                uint32_t *node, struct err *err);
// Adds the nodes of all terms of a text, in which `#` begins a comment line.
bool plain_terms(struct plain_rules *rules, struct cc *graph, const char *file, const char *text,
                 struct u32_vec *nodes, struct err *err);

// egraph/plain/plan.c: makes the plans of a query, and lets the graph log its events.
void plain_plan(struct plain_rules *rules, struct cc *graph, struct plain_rule *rule);
// The steps of the rule's query if this atom comes first; borrowed from the rules.
const struct plain_step *plain_steps(const struct plain_rule *rule, uint32_t first);
// How often a variable stands in the atoms.
uint32_t plain_uses(const struct plain_rule *rule, uint32_t var);

#endif
