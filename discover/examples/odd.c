// SPDX-License-Identifier: Apache-2.0
// Rules with an equality of two expressions among their preconditions.  Such a rule may speak of a
// coincidence that nothing was assumed of: with more that is assumed there may be one without it.
#include "discover/examples/cover.h"
#include "discover/examples/search.h"

// Has the condition an equality of two expressions, or one of several cases that is an equality?
static bool has_equality(const struct cond *cond, bool among)
{
    if (cond->op == COND_AND || cond->op == COND_OR)
        return has_equality(cond->l, true) || has_equality(cond->r, true);
    return cond->op == COND_EQ && (among || (cond->a->op != IE_CONST && cond->b->op != IE_CONST));
}

// Does an equality stand anywhere in the condition?
static bool says_equal(const struct cond *cond)
{
    if (cond->op == COND_AND || cond->op == COND_OR)
        return says_equal(cond->l) || says_equal(cond->r);
    return cond->op == COND_EQ;
}

uint32_t rule_equalities(const struct rule *rule)
{
    uint32_t n = 0;
    for (uint32_t w = 0; rule != NULL && w < rule->n_wheres; w++)
        n += rule->wheres[w].cond != NULL && says_equal(rule->wheres[w].cond);
    return n;
}

bool rule_is_odd(const struct rule *rule)
{
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        if (rule->wheres[w].cond != NULL && has_equality(rule->wheres[w].cond, false))
            return true;
    return false;
}

bool rule_says_more(const struct rule *new, const struct rule *old)
{
    return new->n_wheres <= old->n_wheres || (rule_is_odd(old) && !rule_is_odd(new) &&
                                              new->n_wheres <= old->n_wheres + EXAMPLE_BOUNDS);
}

// Does the condition hold on all axes of the pair?
static bool holds_in_pair(struct search *search, const struct rule *rule, uint32_t cls,
                          const struct cond *cond)
{
    struct pair *pair = search->pair;
    int64_t **map = ARENA_NEW(&pair->mem, int64_t *, rule->n_maps + 1);
    bool holds = true;
    for (uint32_t k = 0; k < pair->classes.at[cls].n && holds; k++) {
        for (uint32_t m = 0; m < rule->n_maps; m++) {
            map[m] = ARENA_NEW(&pair->mem, int64_t, 1);
            (void)pair_map_value(pair, cls, rule->maps[m].name, k, map[m]);
        }
        bool is = false;
        holds = cond_eval(cond, map, 0, &is) && is;
    }
    return holds;
}

// The cases that the pair is in.
static const struct cond *own_cases(struct search *search, const struct rule *rule, uint32_t cls,
                                    const struct cond *cond)
{
    if (cond->op != COND_OR)
        return cond;
    bool l = holds_in_pair(search, rule, cls, cond->l);
    bool r = holds_in_pair(search, rule, cls, cond->r);
    return l == r ? cond : own_cases(search, rule, cls, l ? cond->l : cond->r);
}

// The rule in the cases that the pair is in.
static const struct rule *in_own_cases(struct search *search, const struct rule *rule)
{
    struct draft draft;
    struct err err = {0};
    draft_init(&draft, rule);
    for (uint32_t w = 0; w < draft.r.n_wheres; w++) {
        uint32_t cls = example_class(search->pair, rule->classes[draft.wheres[w].family].name);
        if (draft.wheres[w].cond != NULL && cls != NONE)
            draft.wheres[w].cond = own_cases(search, rule, cls, draft.wheres[w].cond);
    }
    const struct rule *out = draft_rule(&draft, &search->learner->set, &err);
    draft_release(&draft);
    return out != NULL ? out : rule;
}

bool odd_is_worse(struct search *search, const struct example_rule *odd,
                  const struct example_rule *new)
{
    if (odd->answer != EXAMPLE_RULE || new->answer != EXAMPLE_RULE || rule_is_odd(new->rule) ||
        new->rule->n_wheres > odd->rule->n_wheres || (new->proved & odd->proved) != odd->proved)
        return false;
    return covers_half(rule_coverage(new->rule, in_own_cases(search, odd->rule), odd->proved,
                                     search->learner->seed));
}
