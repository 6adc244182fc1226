// SPDX-License-Identifier: Apache-2.0
#include "rules/instance/counts.h"
#include "rules/instance/build.h"

// Does an operator variable or a precondition on types speak of the type?
static bool spoken_of(const struct rule *rule, uint32_t type)
{
    for (uint32_t i = 0; i < rule->n_wider; i++)
        if (rule->wider[i].wide == type || rule->wider[i].narrow == type)
            return true;
    for (uint32_t i = 0; i < rule->n_opvars; i++) {
        const struct op_var *opvar = &rule->opvars[i];
        if (opvar->result == type)
            return true;
        for (uint32_t k = 0; k < opvar->n_args; k++)
            if (opvar->args[k] == type)
                return true;
    }
    return false;
}

// Elements at places that attributes fix; copies and new names of axes.
static bool moves(const struct pat *pattern)
{
    return pattern->kind == PAT_SPLAT || pattern->kind == PAT_RELABEL ||
           (pattern->kind == PAT_OP && op_info(pattern->op)->flow == FLOW_MOVE);
}

static bool counts(const struct rule *rule, const struct pat *pattern)
{
    if (pattern->kind == PAT_LITERAL)
        return pattern->lit == LIT_VALUE && !iexp_has_index(rule, pattern->value);
    return moves(pattern) || (pattern->kind == PAT_OP && pattern->op == OP_IOTA);
}

static bool takes(const struct rule *rule, const struct pat *pattern, uint32_t type)
{
    for (uint32_t k = 0; k < pattern->n_args; k++)
        if (rule->pats[pattern->args[k]].type == type)
            return true;
    return false;
}

bool rule_type_is_count(const struct rule *rule, uint32_t type)
{
    if (spoken_of(rule, type))
        return false;
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        bool compares = pattern->kind == PAT_OP && pattern->op == OP_COMPARE;
        if (pattern->type == type ? !counts(rule, pattern)
                                  : takes(rule, pattern, type) && !compares)
            return false;
    }
    return true;
}

static bool chooses(const struct rule *rule, const struct pat *pattern, uint32_t type)
{
    return pattern->kind == PAT_TENSOR || pattern->kind == PAT_SCALAR || moves(pattern) ||
           (pattern->kind == PAT_OP && pattern->op == OP_SELECT &&
            rule->pats[pattern->args[0]].type != type);
}

bool rule_type_is_chosen(const struct rule *rule, uint32_t type)
{
    if (spoken_of(rule, type))
        return false;
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        if (pattern->type == type ? !chooses(rule, pattern, type) : takes(rule, pattern, type))
            return false;
    }
    return true;
}

// Has the type of the pattern all its values?
static bool pattern_fits(const struct instance *in, const struct pat *pattern)
{
    enum elem elem = in->elem[pattern->type];
    int64_t k;
    if (pattern->kind == PAT_LITERAL)
        return instance_iexp(in, pattern->value, NONE, 0, &k) && elem_has_int(elem, k);
    if (pattern->kind != PAT_OP || pattern->op != OP_IOTA)
        return true;
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        if (pattern->classes >> pattern->sizes[i].cls & 1 &&
            (!instance_iexp(in, pattern->sizes[i].size, pattern->sizes[i].cls, 0, &k) ||
             (k > 0 && !elem_has_int(elem, k - 1))))
            return false;
    return true;
}

static bool count_fits(const struct instance *in, uint32_t type)
{
    if ((elem_kind(in->elem[type]) & (KIND_SINT | KIND_UINT)) == 0)
        return false;
    for (uint32_t i = 0; i < in->rule->n_pats; i++)
        if (in->rule->pats[i].type == type && !pattern_fits(in, &in->rule->pats[i]))
            return false;
    return true;
}

bool instance_may_fire(const struct instance *in, enum domain float_mode, struct rule_status status)
{
    const struct rule *rule = in->rule;
    if (rule_may_fire(rule, in->elem, float_mode, status))
        return true;
    unsigned needed = 0;
    bool some = false;
    for (uint32_t v = 0; v < rule->n_types; v++) {
        enum domain domain;
        if (rule_type_is_count(rule, v)) {
            some = true;
            if (!count_fits(in, v))
                return false;
        } else if (rule->types[v].kinds != KIND_BOOL && !rule_type_is_chosen(rule, v)) {
            if (!domain_of_elem(in->elem[v], float_mode, &domain))
                return false;
            needed |= 1u << domain;
        }
    }
    unsigned exact = 1u << DOMAIN_INT | 1u << DOMAIN_REAL;
    if (needed == 0)
        return some && (status.proved & exact) != 0;
    return some && (needed & (needed - 1)) == 0 && (needed & ~status.proved) == 0;
}
