// SPDX-License-Identifier: Apache-2.0
// The value of a symbolic expression when every variable has a value: used to
// check solver models, and by the test that holds the denotation against the
// interpreter.
#ifndef VERIFY_SYMBOLIC_EVAL_H
#define VERIFY_SYMBOLIC_EVAL_H

#include "rules/instance/instance.h"
#include "verify/symbolic/expr.h"

struct eval_env {
    const struct exprs *exprs;
    const int64_t *value; // by variable
    uint32_t n_values;
    // Elements only; all may be NULL for integers and truth values.
    const struct rule *rule;
    const enum elem *elem;       // per type variable
    const struct op_binding *op; // per operator variable
    // An element of tensor variable `tensor`; false if there is none there.
    bool (*tensor)(void *ctx, uint32_t tensor, uint32_t n, const int64_t *index,
                   struct scalar *out);
    struct scalar (*scalar)(void *ctx, uint32_t scalar);
    void *ctx;
};

// False on overflow, division by zero, a variable without value.
bool eval_int(const struct eval_env *env, expr_id e, int64_t *out);
// Conjunctions and disjunctions stop early.  False also for X_SAME of elements
// that cannot be evaluated.
bool eval_truth(const struct eval_env *env, expr_id e, bool *out);
bool eval_elem(const struct eval_env *env, expr_id e, struct scalar *out);

#endif
