// SPDX-License-Identifier: Apache-2.0
// Rules that the laws of layout say already (tensor/fold/layout.h): a chain of reshapes,
// broadcasts and renamings that is a shorter one.  The graph is closed under the laws, so
// such a rule finds nothing that is not there.  Nor does a rule that only takes renamings
// from operands of elementwise operators to the result: both sides are built in one order.
#include "egraph/match/pattern.h"

// A chain of operators over one tensor.
struct chain {
    uint32_t tensor, n, n_reshapes; // operators; reshapes among them
    uint64_t own;                   // classes of the tensor
    bool others_only;               // its reshapes leave those classes alone, but for sizes 1
};

// Does the group change axes of other classes only, or add or drop sizes 1?
static bool group_is_elsewhere(const struct reshape_group *group, uint64_t own)
{
    if (group->n_from == 0 || group->n_to == 0)
        return true;
    for (uint32_t i = 0; i < group->n_from; i++)
        if (class_in_set(own, group->from[i]))
            return false;
    return true;
}

static bool chain_below(const struct rule *rule, uint32_t i, struct chain *chain)
{
    const struct pat *pat = &rule->pats[i];
    if (pat->kind == PAT_TENSOR) {
        chain->tensor = pat->var;
        chain->others_only = true;
        for (uint32_t k = 0; k < pat->n_sizes; k++)
            chain->own |= UINT64_C(1) << pat->sizes[k].cls;
        return true;
    }
    bool op = pat->kind == PAT_OP && (pat->op == OP_RESHAPE || pat->op == OP_BROADCAST_IN_DIM);
    if ((!op && pat->kind != PAT_RELABEL) || !chain_below(rule, pat->args[0], chain))
        return false;
    chain->n++;
    if (!op)
        return true;
    chain->n_reshapes += pat->op == OP_RESHAPE;
    for (uint32_t k = 0; pat->op == OP_RESHAPE && k < pat->n_groups; k++)
        chain->others_only = chain->others_only && group_is_elsewhere(&pat->groups[k], chain->own);
    return true;
}

static uint32_t without_names(const struct rule *rule, uint32_t i)
{
    while (rule->pats[i].kind == PAT_RELABEL)
        i = rule->pats[i].args[0];
    return i;
}

// Variable operators over tensors, each once, and the same on both sides but for renamings?
static bool same_but_names(const struct rule *rule, uint32_t i, uint32_t j, uint64_t *tensors)
{
    const struct pat *a = &rule->pats[without_names(rule, i)];
    const struct pat *b = &rule->pats[without_names(rule, j)];
    if (a->kind != b->kind || a->var != b->var || a->n_args != b->n_args)
        return false;
    if (a->kind == PAT_TENSOR) {
        bool first = a->var < 64 && (*tensors >> a->var & 1) == 0;
        *tensors |= first ? UINT64_C(1) << a->var : 0;
        return first;
    }
    for (uint32_t k = 0; k < a->n_args && a->kind == PAT_OPVAR; k++)
        if (!same_but_names(rule, a->args[k], b->args[k], tensors))
            return false;
    return a->kind == PAT_OPVAR;
}

bool pattern_is_layout(const struct pattern *pattern)
{
    struct chain from = {0}, to = {0};
    uint64_t tensors = 0;
    if (same_but_names(pattern->rule, pattern->root, pattern->target, &tensors))
        return true;
    return pattern->rule->n_wheres == 0 && chain_below(pattern->rule, pattern->root, &from) &&
           chain_below(pattern->rule, pattern->target, &to) && to.n < from.n &&
           (from.n_reshapes == from.n || from.others_only);
}
