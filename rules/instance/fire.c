// SPDX-License-Identifier: Apache-2.0
#include "rules/instance/fire.h"

bool rule_may_fire(const struct rule *r, const enum elem *elem,
                   enum domain float_mode, struct rule_status s)
{
    unsigned needed = 0;
    for (uint32_t v = 0; v < r->n_types; v++) {
        enum domain d;
        if (r->types[v].kinds == KIND_BOOL)
            continue; // the bools of predicates are in every domain
        if (rule_type_is_place(r, v))
            continue;
        if (!domain_of_elem(elem[v], float_mode, &d))
            return false;
        needed |= 1u << d;
    }
    if (needed == 0)
        needed = 1u << DOMAIN_BOOL;
    bool one = (needed & (needed - 1)) == 0;
    return (needed & ~(one ? s.proved : s.proved & s.uninterpreted)) == 0;
}

bool instance_finite(const struct instance *in, const struct terms *t,
                     struct finite *f, enum domain float_mode,
                     struct rule_status s)
{
    const struct rule *r = in->rule;
    if (float_mode != DOMAIN_REAL || (s.uninterpreted >> DOMAIN_REAL & 1))
        return true;
    for (uint32_t v = 0; v < r->n_tensors; v++)
        if (!finite_term(f, t, in->tensor[v]))
            return false;
    for (uint32_t v = 0; v < r->n_scalars; v++)
        if (!finite_term(f, t, in->scalar[v]))
            return false;
    return true;
}
