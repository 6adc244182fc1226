// SPDX-License-Identifier: Apache-2.0
// Knowledge about the classes of named terms (formula/terms/term.h): an analysis for
// cc.h, and the conditions of rules that rest on it.
//
//   values  an exact rational, true or false: of an operator over values by
//           number_fold.  It joins its class as a term; all other terms of a
//           class with a number that have arguments are hidden.  Truths hide
//           nothing, since conditions are looked for among what is true.
//   axes    a term's own axes are those that are free in it as it stands: bits,
//           of the first 64 axes that occur (a term with others is free of
//           nothing).  A class does not depend on an axis if one of its terms
//           is free of it; the class keeps those terms that another does not
//           make needless, oldest first in each class that was merged, so that
//           an explanation finds one that was there in time.
//
// Two values in one class mean that the rules contradict each other, or what is
// given: `conflict` says so, and the run is to end.
#ifndef EGRAPH_PLAIN_ANALYSIS_REALS_H
#define EGRAPH_PLAIN_ANALYSIS_REALS_H

#include "egraph/plain/plain.h"

#define REALS_ALL_AXES UINT64_MAX

struct reals_class {
    uint32_t value;       // operator of the literal, or CC_NONE
    uint32_t from;        // the node that has it, by the values below it
    uint32_t since;       // those were known earlier
    uint32_t first, last; // terms with few axes: places in `few`
};
struct reals_few {
    uint32_t node, next; // CC_NONE: the last
};
struct reals_op {
    uint8_t known, what;
    uint64_t axes; // of a leaf
};

struct reals {
    struct cc *graph;
    struct plain_rules *rules;
    struct intern axes; // bit -> name
    VEC(struct reals_class) class_;
    VEC(struct reals_op) op;
    VEC(uint64_t) own; // by node: axes of its own term
    VEC(struct reals_few) few;
    uint32_t n_learned; // values so far
    bool conflict;
    uint32_t a, b; // operators of the literals of the first conflict
};

// Conditions: free_of(?axes, ?tensor).
extern const struct guard_name reals_guards[];

// Becomes the graph's analysis; both must stay where they are.
void reals_init(struct reals *reals, struct cc *graph, struct plain_rules *rules);
void reals_release(struct reals *reals);
// A guard of run_options, ctx being the analysis: arg[] are classes.
bool reals_guard(void *ctx, struct cc *graph, uint32_t kind, const uint32_t *arg, uint32_t *out);
// The nth node on which a guard rests for its argument `arg`, of nodes of these
// classes; CC_NONE: there are no more (why.h).
uint32_t reals_witness(const struct reals *reals, uint32_t kind, const uint32_t *cls, uint32_t arg,
                       uint32_t nth);
// Has the class a number or a truth value?
bool reals_has_value(const struct reals *reals, uint32_t cls);
// All axes on which the class may depend, as bits.
uint64_t reals_axes(const struct reals *reals, uint32_t cls);
// The message of the conflict, ERR_BUG; false.
bool reals_fail(const struct reals *reals, struct err *err);

#endif
