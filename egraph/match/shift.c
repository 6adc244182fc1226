// SPDX-License-Identifier: Apache-2.0
// Rules over the reals that lose a guard against overflow.  exp(x - m)/sum(exp(x - m)) is
// exp(x)/sum(exp(x)) over the reals; of floats the right side overflows, or is 0/0, where the left
// does not.
#include "egraph/match/pattern.h"
#include "egraph/match/pattern_core.h"

// Does the pattern have exponential(x), or, if `shifted`, exponential(x - y), for the x at `what`?
static bool has_exponential(const struct rule *rule, uint32_t i, uint32_t what, bool shifted)
{
    const struct pat *pat = &rule->pats[i];
    if (pat->kind == PAT_OP && pat->op == OP_EXPONENTIAL) {
        uint32_t of = pat->args[0];
        const struct pat *arg = &rule->pats[of];
        bool difference = arg->kind == PAT_OP && arg->op == OP_SUBTRACT;
        if (shifted ? difference && pattern_same(rule, arg->args[0], what)
                    : pattern_same(rule, of, what))
            return true;
    }
    for (uint32_t k = 0; k < pat->n_args; k++)
        if (has_exponential(rule, pat->args[k], what, shifted))
            return true;
    return false;
}

// Is there an exponential below i whose shifted form the other side has, and not itself?
static bool drops_below(const struct rule *rule, uint32_t i, uint32_t from)
{
    const struct pat *pat = &rule->pats[i];
    if (pat->kind == PAT_OP && pat->op == OP_EXPONENTIAL &&
        has_exponential(rule, from, pat->args[0], true) &&
        !has_exponential(rule, from, pat->args[0], false))
        return true;
    for (uint32_t k = 0; k < pat->n_args; k++)
        if (drops_below(rule, pat->args[k], from))
            return true;
    return false;
}

bool pattern_drops_shift(const struct pattern *pattern)
{
    return drops_below(pattern->rule, pattern->target, pattern->root);
}
