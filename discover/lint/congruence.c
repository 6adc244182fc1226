// SPDX-License-Identifier: Apache-2.0
#include "discover/lint/congruence.h"

void congruence_init(struct congruence *equal, const struct rule *rule)
{
    *equal = (struct congruence){.rule = rule};
    for (uint32_t i = 0; i < rule->n_pats; i++)
        vec_push(&equal->parent, i);
}

void congruence_release(struct congruence *equal)
{
    vec_release(&equal->parent);
}

static uint32_t root(const struct congruence *equal, uint32_t pat)
{
    while (equal->parent.at[pat] != pat)
        pat = equal->parent.at[pat];
    return pat;
}

bool congruence_same(const struct congruence *equal, uint32_t a, uint32_t b)
{
    return root(equal, a) == root(equal, b);
}

static bool same_sizes(const struct pat *a, const struct pat *b)
{
    bool same = a->n_sizes == b->n_sizes;
    for (uint32_t i = 0; same && i < a->n_sizes; i++)
        same = a->sizes[i].cls == b->sizes[i].cls && iexp_equal(a->sizes[i].size, b->sizes[i].size);
    return same;
}

void congruence_unite(struct congruence *equal, uint32_t a, uint32_t b)
{
    if (same_sizes(&equal->rule->pats[a], &equal->rule->pats[b]))
        equal->parent.at[root(equal, b)] = root(equal, a);
}

static bool is_congruent(const struct congruence *equal, uint32_t a, uint32_t b)
{
    const struct pat *p = &equal->rule->pats[a], *q = &equal->rule->pats[b];
    bool same = same_sizes(p, q) && pat_same_head(equal->rule, a, b);
    for (uint32_t i = 0; same && i < p->n_args; i++)
        same = congruence_same(equal, p->args[i], q->args[i]);
    return same;
}

void congruence_close(struct congruence *equal)
{
    uint32_t n = equal->rule->n_pats;
    bool changed;
    do {
        changed = false;
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = a + 1; b < n; b++)
                if (!congruence_same(equal, a, b) && is_congruent(equal, a, b)) {
                    congruence_unite(equal, a, b);
                    changed = true;
                }
    } while (changed);
}
