// SPDX-License-Identifier: Apache-2.0
// Operators that are associative and commutative, without rules that say so.
//
// Instead of all orders and brackets of a sum the graph holds the nodes that
// were asked for; ac_close makes classes one that are equal because sums may be
// reordered and regrouped.  A class that has a sum is replaced, in the sums
// above it, by one of its sums (its definition), down to classes that have
// none: the atoms.  So a sum becomes a multiset of atoms (its form).  Where a
// class has sums of different forms (or an atom is a sum with itself in it)
// there is an equation between multisets, and these are completed (monoid.h).
// Classes with the same normal form are one.
//
// If no limit is met, two classes become equal if and only if unlimited runs of the
// rules of commutativity and associativity would make them equal.  If a limit is met
// (`cut`), fewer classes become equal.
//
// A merge has a journal entry (JOURNAL_AC): a path from one node to the other,
// each step of which replaces a class by the arguments of a sum in it, or the
// other way.
#ifndef EGRAPH_PLAIN_AC_AC_H
#define EGRAPH_PLAIN_AC_AC_H

#include "egraph/core/cc.h"
#include "egraph/plain/ac/monoid.h"
#include "egraph/limits.h"

struct ac_limits {
    uint32_t size;   // atoms in a form; greater sums are atoms above
    uint32_t tasks;  // of a completion, for each equation; monoid.h
    uint32_t steps;  // of a path; longer ones make nothing equal
    uint32_t offers; // nodes added in a round for rules to match
    uint32_t nodes;  // of the graph: beyond these nothing is offered
};
#define AC_LIMITS                                                                                  \
    ((struct ac_limits){.size = EGRAPH_AC_SIZE,                                                    \
                        .tasks = EGRAPH_AC_TASKS,                                                  \
                        .steps = EGRAPH_AC_STEPS,                                                  \
                        .offers = EGRAPH_AC_OFFERS,                                                \
                        .nodes = UINT32_MAX})

// A node of the operator in the left side of a rule, as a request for nodes that
// match it.  Operators are those of the classes of arguments, CC_NONE for any.
struct ac_want {
    uint32_t op;
    uint32_t arg[2];
    uint32_t rest[2];    // 1: any, used once; may be all the rest of a sum
    uint32_t above, use; // the operator above and which argument, or CC_NONE
    uint32_t share;      // 1: a variable is in, or is, both arguments
};

struct ac {
    struct cc *graph;
    struct ac_limits limit;
    struct u32_vec op; // the operators
    bool cut;
    uint64_t n_merges;
    // By class, for the operator at work; the classes in `touched`.
    struct u32_vec state, form_at, form_n, def;
    struct u32_vec touched, atom, pool;
    struct u32_vec queue, path;
    VEC(struct ac_want) want;
    // Does the analysis know the value of the class?  NULL: of none.
    bool (*has_value)(void *ctx, uint32_t cls);
    void *ctx;
    // Is it time to stop closing (then `cut`), with so many bytes in use beside
    // the graph?  May be NULL.
    bool (*late)(void *ctx, uint64_t bytes);
    void *late_ctx;
};

void ac_init(struct ac *ac, struct cc *graph, struct ac_limits limit);
void ac_release(struct ac *ac);
// Declares an operator of two arguments, before it has nodes.
void ac_declare(struct ac *ac, uint32_t op);
bool ac_is(const struct ac *ac, uint32_t op);
// cc_rebuild, and what follows from order and brackets, until nothing does.
void ac_close(struct ac *ac);

// Rules: leaves out those that order and brackets make true, adds to each what
// it is when arguments change places, and notes what is to be offered.
struct plain_rules;
void ac_rules(struct ac *ac, struct plain_rules *rules);
// The ways to look for a pattern (plain_pattern), which is offered for as well.
struct plain_rule;
struct ac_patterns {
    struct plain_rule *at;
    uint32_t len, cap;
};
void ac_pattern(struct ac *ac, struct plain_rules *rules, const struct plain_rule *rule,
                struct ac_patterns *out);
// ac_close, and adds the nodes that rules may want to match: see docs.
void ac_round(struct ac *ac);

#endif
