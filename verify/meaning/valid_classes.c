// SPDX-License-Identifier: Apache-2.0
// Conditions on the classes of the operands, and on the types of a rule.  They are no
// statements about integers; denote->failure names a violation.
#include "verify/meaning/parts.h"

static void check_relabel(struct denote *denote, const struct pat *pattern)
{
    for (uint32_t i = 0; i < pattern->n_relabels; i++) {
        const struct relabel *relabel = &pattern->relabels[i];
        if (!denote_has_class(denote, pattern->args[0], relabel->from))
            denote->failure = "relabel: a class that is not there";
        if (denote_rank_class(denote->rule, relabel->from) !=
            denote_rank_class(denote->rule, relabel->to))
            denote->failure = "relabel: classes of different rank classes";
        for (uint32_t j = 0; j < i; j++)
            if (pattern->relabels[j].from == relabel->from ||
                pattern->relabels[j].to == relabel->to)
                denote->failure = "relabel: a class named twice";
    }
    for (uint32_t c = 0; c < denote->rule->n_classes; c++) {
        uint32_t from = denote_relabel_source(pattern, c);
        // A class that keeps its name must not meet one renamed to it.
        bool gone = from == c || from == NONE;
        for (uint32_t i = 0; i < pattern->n_relabels; i++)
            gone |= pattern->relabels[i].from == c;
        if (!gone && denote_has_class(denote, pattern->args[0], c))
            denote->failure = "relabel: two classes get one name";
    }
}

// Classes that an operator needs in its operand, or must not find there.
void denote_check_classes(struct denote *denote, const struct pat *pattern)
{
    if (pattern->kind == PAT_RELABEL)
        check_relabel(denote, pattern);
    if (pattern->kind != PAT_OP || pattern->op == OP_CONVOLUTION || pattern->op == OP_DOT_GENERAL)
        return;
    for (uint32_t c = 0; c < denote->rule->n_classes; c++) {
        bool has = pattern->n_args > 0 && denote_has_class(denote, pattern->args[0], c);
        if (!denote_bit(pattern->classes, c) && denote_attr(pattern, c) == NULL)
            continue;
        bool makes = pattern->op == OP_BROADCAST_IN_DIM;
        if (pattern->op != OP_IOTA && has == makes)
            denote->failure = makes ? "broadcast to a class that is there already"
                                    : "an operator names a class that is not there";
        if ((pattern->op == OP_IOTA || pattern->op == OP_CONCATENATE) &&
            denote_bit(pattern->classes, c) && !denote->rule->classes[c].single)
            denote->failure = "iota and concat need a class of one axis";
    }
}

static bool is_block(const struct rule *rule, uint32_t cls)
{
    return rule->classes[cls].block && !rule->classes[cls].single;
}

// Is it the size as declared?  An expression that is computed axis by axis has another value
// for the product.
static bool whole_size(const struct rule *rule, const struct iexp *expr)
{
    return expr == NULL || (expr->op == IE_CONST && expr->k == 1) ||
           (expr->op == IE_MAP && rule->maps[expr->map].def == NULL);
}

static bool whole_sizes(const struct rule *rule, uint32_t n, const struct axis_size *sizes)
{
    bool whole = true;
    for (uint32_t i = 0; i < n; i++)
        whole &= !is_block(rule, sizes[i].cls) || whole_size(rule, sizes[i].size);
    return whole;
}

static bool names_block_only_whole(const struct rule *rule, const struct pat *pattern, uint32_t cls)
{
    const struct pat_attr *attr = denote_attr(pattern, cls);
    if (pattern->kind != PAT_OP)
        return true;
    if (denote_bit(pattern->spatial, cls))
        return false;
    if (attr != NULL && pattern->op != OP_IOTA &&
        (pattern->op != OP_BROADCAST_IN_DIM || !whole_size(rule, attr->expr[0])))
        return false;
    return pattern->op == OP_REDUCE || pattern->op == OP_DOT_GENERAL ||
           pattern->op == OP_CONVOLUTION || !denote_bit(pattern->classes, cls);
}

// A block is one axis here, so no operator may use its axes one by one.
void denote_check_blocks(struct denote *denote, const struct pat *pattern)
{
    const struct rule *rule = denote->rule;
    bool whole = true;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        if (denote_one_axis(rule, c) && !rule->classes[c].single && !is_block(rule, c))
            denote->failure = "a class that goes with a block is not one";
        if (is_block(rule, c))
            whole &= names_block_only_whole(rule, pattern, c);
    }
    if (pattern->kind == PAT_TENSOR)
        whole &= whole_sizes(rule, rule->tensors[pattern->var].n_sizes,
                             rule->tensors[pattern->var].sizes);
    if (pattern->kind == PAT_SPLAT || denote_is_op(pattern, OP_IOTA))
        whole &= whole_sizes(rule, pattern->n_sizes, pattern->sizes);
    for (uint32_t i = 0; i < pattern->n_groups; i++)
        whole &= whole_sizes(rule, pattern->groups[i].n_to, pattern->groups[i].to);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        whole &= !is_block(rule, rule->maps[m].cls) ||
                 (rule->maps[m].def == NULL && !rule->maps[m].index);
    if (!whole)
        denote->failure = "a block is used axis by axis";
}

static uint32_t width_root(const uint32_t *up, uint32_t t)
{
    while (up[t] != t)
        t = up[t];
    return t;
}

bool denote_widths_agree(const struct rule *rule)
{
    bool agree = true;
    uint32_t *up = mem_alloc((rule->n_types + 1) * sizeof *up);
    for (uint32_t t = 0; t < rule->n_types; t++)
        up[t] = t;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < rule->n_pats; i++) {
            const struct pat *pattern = &rule->pats[i];
            bool left = !denote_below(rule, rule->rhs, i);
            if (!denote_is_op(pattern, OP_BITCAST_CONVERT) || left != (side == 0))
                continue;
            uint32_t a = width_root(up, pattern->type);
            uint32_t b = width_root(up, rule->pats[pattern->args[0]].type);
            if (side == 0)
                up[a] = b;
            else
                agree &= a == b;
        }
    mem_free(up);
    return agree;
}
