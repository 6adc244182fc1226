// SPDX-License-Identifier: Apache-2.0
// Patterns that are one term.
#include "rules/rule.h"

static bool same_attrs(const struct pat *p, const struct pat *q)
{
    bool same = p->n_attrs == q->n_attrs && p->n_relabels == q->n_relabels;
    for (uint32_t i = 0; same && i < p->n_attrs; i++) {
        same = p->attrs[i].cls == q->attrs[i].cls;
        for (int k = 0; k < N_ATTRS && same; k++)
            same = iexp_equal(p->attrs[i].expr[k], q->attrs[i].expr[k]);
    }
    for (uint32_t i = 0; same && i < p->n_relabels; i++)
        same = p->relabels[i].from == q->relabels[i].from && p->relabels[i].to == q->relabels[i].to;
    return same;
}

static bool same_contraction(const struct pat *p, const struct pat *q)
{
    return p->batch == q->batch && p->out == q->out && p->spatial == q->spatial &&
           p->flipped == q->flipped && iexp_equal(p->feature_groups, q->feature_groups) &&
           iexp_equal(p->batch_groups, q->batch_groups);
}

static bool same_groups(const struct pat *p, const struct pat *q)
{
    bool same = p->n_groups == q->n_groups;
    for (uint32_t i = 0; same && i < p->n_groups; i++) {
        const struct reshape_group *group = &p->groups[i], *h = &q->groups[i];
        same = group->n_from == h->n_from && group->n_to == h->n_to;
        for (uint32_t k = 0; same && k < group->n_from; k++)
            same = group->from[k] == h->from[k];
        for (uint32_t k = 0; same && k < group->n_to; k++)
            same = group->to[k].cls == h->to[k].cls && iexp_equal(group->to[k].size, h->to[k].size);
    }
    return same;
}

static bool same_literal(const struct pat *p, const struct pat *q)
{
    return p->lit == q->lit && p->k == q->k && iexp_equal(p->value, q->value) &&
           (p->text == q->text ||
            (p->text != NULL && q->text != NULL && strcmp(p->text, q->text) == 0));
}

bool pat_same_head(const struct rule *rule, uint32_t a, uint32_t b)
{
    const struct pat *pattern = &rule->pats[a], *q = &rule->pats[b];
    return pattern->kind == q->kind && pattern->op == q->op && pattern->var == q->var &&
           pattern->n_args == q->n_args && pattern->type == q->type &&
           pattern->reducer == q->reducer && pattern->opvar == q->opvar && pattern->dir == q->dir &&
           pattern->classes == q->classes && same_attrs(pattern, q) && same_literal(pattern, q) &&
           same_contraction(pattern, q) && same_groups(pattern, q);
}

bool pat_same(const struct rule *rule, uint32_t a, uint32_t b)
{
    const struct pat *pattern = &rule->pats[a], *q = &rule->pats[b];
    bool same = pat_same_head(rule, a, b);
    for (uint32_t i = 0; same && i < pattern->n_args; i++)
        same = pat_same(rule, pattern->args[i], q->args[i]);
    return same;
}
