// SPDX-License-Identifier: Apache-2.0
#include "rules/instance/fire.h"

bool rule_may_fire(const struct rule *rule, const enum elem *elem, enum domain float_mode,
                   struct rule_status status)
{
    unsigned needed = 0;
    for (uint32_t v = 0; v < rule->n_types; v++) {
        enum domain domain;
        if (rule->types[v].kinds == KIND_BOOL)
            continue; // predicates occur in every domain
        if (rule_type_is_place(rule, v))
            continue;
        if (!domain_of_elem(elem[v], float_mode, &domain))
            return false;
        needed |= 1u << domain;
    }
    if (needed == 0)
        needed = 1u << DOMAIN_BOOL;
    bool one = (needed & (needed - 1)) == 0;
    return (needed & ~(one ? status.proved : status.proved & status.uninterpreted)) == 0;
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
