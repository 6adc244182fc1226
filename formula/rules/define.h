// SPDX-License-Identifier: Apache-2.0
// Named functions of formulas: softmax, mean, relu ...  A function is a rule
// whose right side is its call (docs/rule-language.md, "define"); so what a
// name means is proved, stored, matched and recorded like everything else.
#ifndef FORMULA_RULES_DEFINE_H
#define FORMULA_RULES_DEFINE_H

#include "base/memory/vec.h"
#include "rules/rule.h"

struct fdefine {
    const char *name;
    uint32_t n_axes; // sets of axes, first; at most 1 in formulas
    uint32_t n_args; // tensors, behind them
    // Is the first argument's reduced axis gone from the result (mean), or is
    // it there again (softmax)?
    bool reduces;
    uint32_t along;          // arguments declared along the axes, as bits
    bool squares;            // it is its argument times itself, always
    uint32_t truth;          // arguments that are truth values, as bits
    bool is_truth;           // so is its value
    const struct rule *rule; // borrowed
};
struct fdefines {
    VEC(struct fdefine) at;
};

// The functions that the rules define, in their order; two definitions of one
// name are an error, and so is one of a name that formulas have already.  (A
// rule twice is one.)
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
