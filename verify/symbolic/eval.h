// SPDX-License-Identifier: Apache-2.0
// The value of a symbolic expression in which every variable has a value.  Used to check
// models of the solver, and by the test that compares the denotation with the interpreter.
#ifndef VERIFY_SYMBOLIC_EVAL_H
#define VERIFY_SYMBOLIC_EVAL_H

#include "rules/instance/instance.h"
#include "verify/symbolic/expr.h"

struct eval_env {
    const struct exprs *exprs;
    const int64_t *value; // by variable
    uint32_t n_values;
    // For elements only; all may be NULL for integers and truth values.
    const struct rule *rule;
    const enum elem *elem;       // per type variable
    const struct op_binding *op; // per operator variable
    // An element of tensor variable `tensor`.  False if it does not exist.
    bool (*tensor)(void *ctx, uint32_t tensor, uint32_t n, const int64_t *index,
                   struct scalar *out);
    struct scalar (*scalar)(void *ctx, uint32_t scalar);
    void *ctx;
};

// False on overflow, division by zero, or a variable without a value.
bool eval_int(const struct eval_env *env, expr_id e, int64_t *out);
// Conjunctions and disjunctions stop early.  Also false for X_SAME of elements that cannot
// be evaluated.
bool eval_truth(const struct eval_env *env, expr_id e, bool *out);
bool eval_elem(const struct eval_env *env, expr_id e, struct scalar *out);

// Random values of all variables, from -1 to a bound that is 2 in the first round and grows by one
// in every `growth` rounds.
struct random_values {
    uint32_t from, to, growth; // rounds
};
// Is the conjunction of integers and truth values true at some of them?
bool eval_meets(const struct exprs *exprs, uint32_t n, const expr_id *conjuncts,
                struct random_values values);

#endif
