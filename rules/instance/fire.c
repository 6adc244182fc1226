// SPDX-License-Identifier: Apache-2.0
#include "rules/instance/fire.h"

// The domain that variable v needs; false: none.  *any: its elements need none.
static bool needed_domain(const struct rule *rule, uint32_t v, enum elem elem,
                          enum domain float_mode, enum domain *out, bool *any)
{
    // predicates occur in every domain
    *any = rule->types[v].kinds == KIND_BOOL || rule_type_is_place(rule, v);
    return *any || domain_of_elem(elem, float_mode, out);
}

// Is a verdict in the domain about these element types?  Judged in `word`, a variable of
// floats lives in `float`.
static bool judged_together(const struct rule *rule, const enum elem *elem, enum domain float_mode,
                            enum domain domain)
{
    for (uint32_t v = 0; v < rule->n_types; v++) {
        enum domain needed, lives;
        bool any;
        if (!needed_domain(rule, v, elem[v], float_mode, &needed, &any) ||
            (!any && (!domain_of_kinds(rule->types[v].kinds, domain, &lives) || lives != needed)))
            return false;
    }
    return true;
}

bool rule_may_fire(const struct rule *rule, const enum elem *elem, enum domain float_mode,
                   struct rule_status status)
{
    unsigned needed = 0;
    for (uint32_t v = 0; v < rule->n_types; v++) {
        enum domain domain;
        bool any;
        if (!needed_domain(rule, v, elem[v], float_mode, &domain, &any))
            return false;
        if (!any)
            needed |= 1u << domain;
    }
    if (needed == 0)
        needed = 1u << DOMAIN_BOOL;
    bool one = (needed & (needed - 1)) == 0;
    if ((needed & ~(one ? status.proved : status.proved & status.uninterpreted)) == 0)
        return true;
    for (int d = 0; !one && d < N_DOMAINS; d++)
        if ((status.proved >> d & 1) && judged_together(rule, elem, float_mode, (enum domain)d))
            return true;
    return false;
}

bool instance_finite(const struct instance *in, const struct terms *terms, struct finite *memo,
                     enum domain float_mode, struct rule_status status)
{
    const struct rule *rule = in->rule;
    if (float_mode != DOMAIN_REAL || (status.uninterpreted >> DOMAIN_REAL & 1))
        return true;
    for (uint32_t v = 0; v < rule->n_tensors; v++)
        if (!finite_term(memo, terms, in->tensor[v]))
            return false;
    for (uint32_t v = 0; v < rule->n_scalars; v++)
        if (!finite_term(memo, terms, in->scalar[v]))
            return false;
    return true;
}
