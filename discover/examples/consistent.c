// SPDX-License-Identifier: Apache-2.0
#include "discover/examples/consistent.h"
#include "discover/learn/draft.h"
#include "rules/conditions.h"

static bool is_map(void *context, const struct iexp *leaf)
{
    return leaf->op == IE_MAP && leaf->map == *(const uint32_t *)context;
}

static void add(struct consistency *consistency, const struct iexp *a, const struct iexp *b,
                bool equal)
{
    struct size_law law = {a, b, equal, NONE};
    for (uint32_t u = 0; u < consistency->n; u++) {
        uint32_t map = consistency->map[u];
        if (iexp_any(a, is_map, &map) || iexp_any(b, is_map, &map))
            law.last = u;
    }
    if (law.last != NONE)
        vec_push(&consistency->laws, law);
}

static bool in_family(const struct consistency *consistency, uint32_t cls)
{
    return class_root(consistency->rule, cls) == consistency->root;
}

static const struct iexp *size_of(const struct pat *pattern, uint32_t cls)
{
    for (uint32_t k = 0; k < pattern->n_sizes; k++)
        if (pattern->sizes[k].cls == cls)
            return pattern->sizes[k].size;
    return NULL;
}

// Two patterns have one size along each class that both have, but those of the set.
static void add_same(struct consistency *consistency, const struct pat *a, const struct pat *b,
                     uint64_t without)
{
    for (uint32_t k = 0; k < a->n_sizes; k++) {
        uint32_t cls = a->sizes[k].cls;
        const struct iexp *other = size_of(b, cls);
        if (other != NULL && in_family(consistency, cls) && !(without >> cls & 1))
            add(consistency, a->sizes[k].size, other, true);
    }
}

static void add_bounds(struct consistency *consistency, const struct pat *pattern,
                       const struct pat *operand)
{
    for (uint32_t k = 0; k < pattern->n_attrs; k++) {
        const struct pat_attr *attr = &pattern->attrs[k];
        const struct iexp *whole = size_of(operand, attr->cls);
        const struct iexp *start = attr->expr[0], *limit = attr->expr[1];
        if (!in_family(consistency, attr->cls) || whole == NULL)
            continue;
        if (limit != NULL)
            add(consistency, limit, whole, false);
        if (pattern->op == OP_SLICE && start != NULL && limit != NULL)
            add(consistency, start, limit, false);
    }
}

static void add_pattern(struct consistency *consistency, const struct pat *pattern)
{
    const struct pat *pats = consistency->rule->pats;
    bool same = pattern->kind == PAT_OPVAR ||
                (pattern->kind == PAT_OP &&
                 (op_is_elementwise(pattern->op) || pattern->op == OP_CONCATENATE));
    uint64_t joined =
        pattern->kind == PAT_OP && pattern->op == OP_CONCATENATE ? pattern->classes : 0;
    for (uint32_t i = 0; i < pattern->n_args && same; i++)
        add_same(consistency, &pats[pattern->args[i]], pattern, joined);
    if (pattern->kind != PAT_OP)
        return;
    if (pattern->op == OP_DOT_GENERAL)
        add_same(consistency, &pats[pattern->args[0]], &pats[pattern->args[1]], 0);
    if (pattern->op == OP_SLICE || pattern->op == OP_DYNAMIC_SLICE)
        add_bounds(consistency, pattern, &pats[pattern->args[0]]);
}

void consistency_find(struct consistency *consistency)
{
    const struct rule *rule = consistency->rule;
    add_same(consistency, &rule->pats[rule->lhs], &rule->pats[rule->rhs], 0);
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (draft_below(rule, rule->rhs, i))
            add_pattern(consistency, &rule->pats[i]);
}

bool consistency_holds(const struct consistency *consistency, uint32_t u, int64_t *const *map)
{
    for (uint32_t i = 0; i < consistency->laws.len; i++) {
        const struct size_law *law = &consistency->laws.at[i];
        int64_t a, b;
        if (law->last == u && (!iexp_eval(law->a, map, 0, &a) || !iexp_eval(law->b, map, 0, &b) ||
                               (law->equal ? a != b : a > b)))
            return false;
    }
    return true;
}

void consistency_release(struct consistency *consistency)
{
    vec_release(&consistency->laws);
}
