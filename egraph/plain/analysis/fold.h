// SPDX-License-Identifier: Apache-2.0
// Knowledge about the classes of plain terms: an analysis for cc.h, and the
// conditions of rules that rest on it.
//
//   math    numbers: of + - * and / (by a number that is not 0).  The number
//           joins its class as a term; all other terms of the class that have
//           arguments are hidden.
//   prop    true and false, of & | ~ and ->
//   lambda  32-bit whole numbers of + that do not overflow, truth of =, and
//           the free variables: of (var v) the class v; lam, let and fix take
//           theirs away; of equal terms those that all have.
//
// Numbers are doubles; those that differ by less than 2^-40 of their size are
// taken for one that was rounded in two ways, and the class keeps the first.
// Other values that meet in a class mean that the rules contradict each other:
// `conflict` says so, and the run is to end.
#ifndef EGRAPH_PLAIN_ANALYSIS_FOLD_H
#define EGRAPH_PLAIN_ANALYSIS_FOLD_H

#include "egraph/plain/plain.h"

enum plain_fold_kind { PLAIN_FOLD_NONE, PLAIN_FOLD_MATH, PLAIN_FOLD_PROP, PLAIN_FOLD_LAMBDA };

enum plain_fold_type { PLAIN_FOLD_NO_VALUE, PLAIN_FOLD_NUMBER, PLAIN_FOLD_TRUTH };
struct plain_fold_value {
    enum plain_fold_type type;
    double number;
};
// Few classes have a value.
struct plain_fold_known {
    struct plain_fold_value value;
    uint32_t from;  // the node that has it, by the values below it
    uint32_t since; // those were known earlier
    uint32_t term;  // node of the value + 1, once asked for
};
struct plain_fold_class {
    uint32_t known;  // place of its value in known[], or 0
    uint32_t symbol; // a node that is a symbol, or CC_NONE
};
// Free variables of a class: pool[at ..].
struct plain_fold_free {
    uint32_t at, n;
    bool has; // n == 0 says that there are none
};
struct plain_fold_op {
    uint8_t known, what;
    struct plain_fold_value value;
};

struct plain_fold {
    enum plain_fold_kind kind;
    struct cc *graph;
    struct plain_rules *rules;
    VEC(struct plain_fold_class) class_;
    VEC(struct plain_fold_known) known; // the first is none
    VEC(struct plain_fold_free) free;   // by class; lambda only
    VEC(struct plain_fold_op) op;
    struct u32_vec pool, work;
    bool conflict;
    struct plain_fold_value a, b; // the first conflict
};

// Conditions: their numbers are the guards' kinds.
extern const struct guard_name plain_fold_guards[];

// The kind that the rules ask for by name; ERR_INPUT if there is none.
bool plain_fold_kind_named(const char *name, enum plain_fold_kind *out, struct err *err);
// Becomes the graph's analysis; both must stay where they are.
void plain_fold_init(struct plain_fold *fold, enum plain_fold_kind kind, struct cc *graph,
                     struct plain_rules *rules);
void plain_fold_release(struct plain_fold *fold);
// A guard of run_options, ctx being the fold: arg[] are classes.
bool plain_fold_guard(void *ctx, struct cc *graph, uint32_t kind, const uint32_t *arg,
                      uint32_t *out);
// For explanations (why_witness and why_value of why.h), ctx being the fold of
// a closed graph: the one node on which a guard rests for an argument; has the
// node the value of its class by those of its arguments?
uint32_t plain_fold_witness(void *ctx, const struct cc *graph,
                            const struct plain_guard *plain_guard, const uint32_t *node,
                            uint32_t arg, uint32_t nth);
bool plain_fold_by_values(void *ctx, const struct cc *graph, uint32_t node, uint32_t *value,
                          uint32_t *arg);
// Has the class a value?
static inline bool plain_fold_has_value(const struct plain_fold *fold, uint32_t cls)
{
    return cls < fold->class_.len && fold->class_.at[cls].known != 0;
}
// The message of the conflict, ERR_CHECK; false.
bool plain_fold_fail(const struct plain_fold *fold, struct err *err);

#endif
