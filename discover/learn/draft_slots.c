// SPDX-License-Identifier: Apache-2.0
// The places of integer expressions in a draft, and the maps they use.
#include "discover/learn/draft.h"
#include "rules/attributes.h"
#include "rules/conditions.h"
#include <string.h>

bool draft_below(const struct rule *rule, uint32_t root, uint32_t pat)
{
    if (root == pat)
        return true;
    for (uint32_t i = 0; i < rule->pats[root].n_args; i++)
        if (draft_below(rule, rule->pats[root].args[i], pat))
            return true;
    return false;
}

uint32_t class_root(const struct rule *rule, uint32_t cls)
{
    return rule->classes[rule->classes[cls].like].joint;
}

static void slots_of(const struct draft *draft, uint32_t pat, uint32_t family,
                     struct draft_slot_list *out)
{
    const struct pat *pattern = &draft->pats[pat];
    uint32_t n = 0;
    const struct attribute_form *form =
        pattern->kind == PAT_OP ? attribute_forms(pattern->op, &n) : NULL;
    for (uint32_t k = 0; k < pattern->n_sizes; k++) {
        uint32_t cls = pattern->sizes[k].cls;
        if (family != NONE && class_root(&draft->r, cls) != family)
            continue;
        if (draft->classes[cls].block)
            continue;
        bool sized =
            pattern->kind == PAT_SPLAT || (pattern->kind == PAT_OP && pattern->op == OP_IOTA);
        struct draft_slot slot = {.pat = pat, .cls = cls};
        if (sized) {
            slot.attr = SLOT_SIZE;
            slot.at = pattern->sizes[k].size;
            slot.stem = "m";
            slot.usual = ATTRIBUTE_OF_OPERAND;
            vec_push(out, slot);
        }
        bool has = pattern->op != OP_CONVOLUTION || (pattern->spatial >> cls & 1);
        if (pattern->kind == PAT_OP && pattern->op == OP_BROADCAST_IN_DIM &&
            attribute_given(pattern, cls, 0) == NULL)
            has = false;
        for (uint32_t j = 0; j < n && has; j++) {
            slot.attr = (int)j;
            slot.at = attribute_given(pattern, cls, j);
            slot.usual = form[j].usual;
            slot.stem = form[j].map;
            vec_push(out, slot);
        }
    }
}

void draft_slots(const struct draft *draft, uint32_t root, uint32_t root_cls,
                 struct draft_slot_list *out)
{
    for (uint32_t i = 0; i < draft->r.n_pats; i++)
        if (draft_below(&draft->r, root, i))
            slots_of(draft, i, root_cls, out);
}

void draft_set_slot(struct draft *draft, const struct draft_slot *slot, const struct iexp *expr)
{
    struct pat *pattern = &draft->pats[slot->pat];
    if (slot->attr == SLOT_SIZE) {
        struct axis_size *sizes =
            draft_array(draft, pattern->sizes, pattern->n_sizes, sizeof *sizes, 0);
        for (uint32_t k = 0; k < pattern->n_sizes; k++)
            if (sizes[k].cls == slot->cls)
                sizes[k].size = expr;
        pattern->sizes = sizes;
        return;
    }
    struct pat_attr *attrs = draft_array(draft, pattern->attrs, pattern->n_attrs, sizeof *attrs, 1);
    uint32_t k = 0;
    while (k < pattern->n_attrs && attrs[k].cls < slot->cls)
        k++;
    if (k == pattern->n_attrs || attrs[k].cls != slot->cls) {
        memmove(attrs + k + 1, attrs + k, (pattern->n_attrs - k) * sizeof *attrs);
        attrs[k] = (struct pat_attr){.cls = slot->cls};
        pattern->n_attrs++;
    }
    attrs[k].expr[slot->attr] = expr;
    pattern->attrs = attrs;
}

uint32_t map_by_name(const struct rule *rule, const char *name)
{
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (strcmp(rule->maps[m].name, name) == 0)
            return m;
    return NONE;
}

static bool is_map(void *map, const struct iexp *leaf)
{
    return leaf->op == IE_MAP && leaf->map == *(const uint32_t *)map;
}

bool iexp_uses(const struct iexp *expr, uint32_t map)
{
    return iexp_any(expr, is_map, &map);
}

bool cond_uses(const struct cond *condition, uint32_t map)
{
    return cond_any(condition, is_map, &map);
}

bool iexp_at_run_time(const struct rule *rule, const struct iexp *expr)
{
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (rule->maps[m].index && iexp_uses(expr, m))
            return true;
    return false;
}
