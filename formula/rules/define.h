// SPDX-License-Identifier: Apache-2.0
// Named functions of formulas: softmax, mean, relu ...  A function is a rule
// whose right side is its call (docs/rule-language.md, "define").  So
// definitions are proved, stored, matched and recorded like all rules.
#ifndef FORMULA_RULES_DEFINE_H
#define FORMULA_RULES_DEFINE_H

#include "base/memory/vec.h"
#include "rules/rule.h"

struct fdefine {
    const char *name;
    uint32_t n_axes; // sets of axes, the first arguments; at most 1 in formulas
    uint32_t n_args; // tensors, the arguments after the sets
    // Does the result lack the reduced axis of the first argument (mean), or have
    // it again (softmax)?
    bool reduces;
    uint32_t along;          // mask of arguments declared along the axes
    bool squares;            // the value is always the argument times itself
    uint32_t truth;          // mask of arguments that are truth values
    bool is_truth;           // the value is a truth value
    const struct rule *rule; // borrowed
};
struct fdefines {
    VEC(struct fdefine) at;
};

// Collects the functions that the rules define, in their order.  Two
// definitions of one name, or of a name that formulas have already, are an
// error; a repeated rule is not.
bool fdefines_of(struct fdefines *defs, uint32_t n, const struct rule *const *rules,
                 struct err *err);
void fdefines_release(struct fdefines *defs);
const struct fdefine *fdefine_named(const struct fdefines *defs, const char *name, uint32_t len);
// May the argument depend on the axes?
static inline bool fdefine_is_along(const struct fdefine *define, uint32_t arg)
{
    return define->along >> arg & 1;
}

#endif
