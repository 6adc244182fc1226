// SPDX-License-Identifier: Apache-2.0
// The classes of a node's result, and their sizes.
#include "verify/meaning/parts.h"

const struct axis_size *denote_size_of(uint32_t n, const struct axis_size *size, uint32_t cls)
{
    for (uint32_t i = 0; i < n; i++)
        if (size[i].cls == cls)
            return &size[i];
    return NULL;
}

const struct pat_attr *denote_attr(const struct pat *pattern, uint32_t cls)
{
    for (uint32_t i = 0; i < pattern->n_attrs; i++)
        if (pattern->attrs[i].cls == cls)
            return &pattern->attrs[i];
    return NULL;
}

expr_id denote_attr_value(struct denote *denote, const struct pat_attr *attr, int i, uint32_t place,
                          expr_id missing)
{
    if (attr == NULL || attr->expr[i] == NULL)
        return missing;
    return denote_iexp(denote, attr->expr[i], place);
}

uint32_t denote_relabel_source(const struct pat *pattern, uint32_t to)
{
    for (uint32_t i = 0; i < pattern->n_relabels; i++)
        if (pattern->relabels[i].to == to)
            return pattern->relabels[i].from;
    for (uint32_t i = 0; i < pattern->n_relabels; i++)
        if (pattern->relabels[i].from == to)
            return NONE; // renamed away, and nothing renamed to it
    return to;
}

const struct reshape_group *denote_group_from(const struct pat *pattern, uint32_t cls)
{
    for (uint32_t i = 0; i < pattern->n_groups; i++)
        for (uint32_t k = 0; k < pattern->groups[i].n_from; k++)
            if (pattern->groups[i].from[k] == cls)
                return &pattern->groups[i];
    return NULL;
}

const struct reshape_group *denote_group_to(const struct pat *pattern, uint32_t cls)
{
    for (uint32_t i = 0; i < pattern->n_groups; i++)
        for (uint32_t k = 0; k < pattern->groups[i].n_to; k++)
            if (pattern->groups[i].to[k].cls == cls)
                return &pattern->groups[i];
    return NULL;
}

// The source of a pattern's result sizes.
enum size_source { FROM_DECLARATION, FROM_PATTERN, FROM_OPERAND };

static enum size_source size_source(const struct pat *pattern)
{
    if (pattern->kind == PAT_TENSOR)
        return FROM_DECLARATION;
    if (pattern->kind == PAT_SCALAR || pattern->kind == PAT_LITERAL || pattern->kind == PAT_SPLAT ||
        denote_is_op(pattern, OP_IOTA))
        return FROM_PATTERN;
    return FROM_OPERAND;
}

static bool op_has_class(struct denote *denote, const struct pat *pattern, uint32_t cls)
{
    bool first = denote_has_class(denote, pattern->args[0], cls);
    switch (pattern->op) {
    case OP_REDUCE:
        return first && !denote_bit(pattern->classes, cls);
    case OP_BROADCAST_IN_DIM:
        return first || denote_attr(pattern, cls) != NULL;
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
        return !denote_bit(pattern->classes, cls) &&
               (first || denote_has_class(denote, pattern->args[1], cls));
    case OP_GATHER:
        if (denote_bit(pattern->classes, cls))
            first = denote_attr(pattern, cls) != NULL;
        return first || denote_has_class(denote, pattern->args[1], cls);
    case OP_RESHAPE:
        if (denote_group_to(pattern, cls) != NULL)
            return true;
        return first && denote_group_from(pattern, cls) == NULL;
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_SCATTER:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return first;
}

bool denote_has_class(struct denote *denote, uint32_t pat, uint32_t cls)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    switch (size_source(pattern)) {
    case FROM_DECLARATION: {
        const struct tensor_var *tensor = &denote->rule->tensors[pattern->var];
        return denote_size_of(tensor->n_sizes, tensor->sizes, cls) != NULL;
    }
    case FROM_PATTERN:
        return denote_size_of(pattern->n_sizes, pattern->sizes, cls) != NULL;
    case FROM_OPERAND:
        break;
    }
    if (pattern->kind == PAT_RELABEL) {
        uint32_t from = denote_relabel_source(pattern, cls);
        return from != NONE && denote_has_class(denote, pattern->args[0], from);
    }
    if (pattern->kind == PAT_OP)
        return op_has_class(denote, pattern, cls);
    return denote_has_class(denote, pattern->args[0], cls);
}

static expr_id slice_size(struct denote *denote, const struct pat *pattern, uint32_t cls,
                          uint32_t place)
{
    struct exprs *exprs = denote->exprs;
    const struct pat_attr *attr = denote_attr(pattern, cls);
    expr_id n = denote_size(denote, pattern->args[0], cls, place);
    if (attr == NULL)
        return n;
    expr_id start = denote_attr_value(denote, attr, 0, place, expr_int(exprs, 0));
    expr_id limit = denote_attr_value(denote, attr, 1, place, n);
    expr_id stride = denote_attr_value(denote, attr, 2, place, expr_int(exprs, 1));
    return expr_ceildiv(exprs, expr_sub(exprs, limit, start), stride);
}

static expr_id pad_size(struct denote *denote, const struct pat *pattern, uint32_t cls,
                        uint32_t place)
{
    struct exprs *exprs = denote->exprs;
    const struct pat_attr *attr = denote_attr(pattern, cls);
    expr_id n = denote_size(denote, pattern->args[0], cls, place);
    expr_id zero = expr_int(exprs, 0), one = expr_int(exprs, 1);
    if (attr == NULL)
        return n;
    if (attr->expr[2] != NULL) {
        expr_id holes =
            expr_mul(exprs, expr_sub(exprs, n, one), denote_iexp(denote, attr->expr[2], place));
        n = expr_add(exprs, n, expr_if(exprs, expr_le(exprs, one, n), holes, zero));
    }
    for (int i = 0; i < 2; i++)
        if (attr->expr[i] != NULL)
            n = expr_add(exprs, n, denote_iexp(denote, attr->expr[i], place));
    return n;
}

struct sliding denote_sliding(struct denote *denote, const struct pat *pattern, uint32_t cls,
                              uint32_t place)
{
    struct exprs *exprs = denote->exprs;
    const struct pat_attr *attr = denote_attr(pattern, cls);
    expr_id zero = expr_int(exprs, 0), one = expr_int(exprs, 1);
    bool conv = pattern->op == OP_CONVOLUTION;
    int i = conv ? 0 : 1; // the window's size comes first in a reduce_window
    return (struct sliding){
        .n = denote_size(denote, pattern->args[0], cls, place),
        .size = conv ? denote_size(denote, pattern->args[1], cls, place)
                     : denote_attr_value(denote, attr, 0, place, one),
        .stride = denote_attr_value(denote, attr, i, place, one),
        .low = denote_attr_value(denote, attr, i + 1, place, zero),
        .high = denote_attr_value(denote, attr, i + 2, place, zero),
        .base = denote_attr_value(denote, attr, i + 3, place, one),
        .dilation = denote_attr_value(denote, attr, i + 4, place, one),
        .flipped = denote_bit(pattern->flipped, cls),
    };
}

// The length of n elements, `step` apart.  No elements have length 0.
static expr_id dilated(struct denote *denote, expr_id n, expr_id step)
{
    struct exprs *exprs = denote->exprs;
    expr_id one = expr_int(exprs, 1);
    if (step == one)
        return n;
    expr_id reach = expr_add(exprs, expr_mul(exprs, expr_sub(exprs, n, one), step), one);
    return expr_if(exprs, expr_le(exprs, one, n), reach, expr_int(exprs, 0));
}

// Windows have at least one element (valid.c), so none fits if nothing is left of the padded
// axis.
expr_id denote_window_count(struct denote *denote, const struct sliding *window)
{
    struct exprs *exprs = denote->exprs;
    expr_id one = expr_int(exprs, 1);
    expr_id padded = expr_add(exprs, dilated(denote, window->n, window->base),
                              expr_add(exprs, window->low, window->high));
    expr_id reach =
        expr_add(exprs, expr_mul(exprs, expr_sub(exprs, window->size, one), window->dilation), one);
    expr_id room = expr_sub(exprs, padded, reach);
    return expr_if(exprs, expr_le(exprs, expr_int(exprs, 0), room),
                   expr_add(exprs, expr_div(exprs, room, window->stride), one), expr_int(exprs, 0));
}

static expr_id conv_size(struct denote *denote, const struct pat *pattern, uint32_t cls,
                         uint32_t place)
{
    if (denote_bit(pattern->spatial, cls)) {
        struct sliding window = denote_sliding(denote, pattern, cls, place);
        return denote_window_count(denote, &window);
    }
    if (denote_bit(pattern->out, cls))
        return denote_size(denote, pattern->args[1], cls, place);
    expr_id n = denote_size(denote, pattern->args[0], cls, place);
    if (pattern->batch_groups == NULL || !denote_bit(pattern->batch, cls))
        return n;
    return expr_div(denote->exprs, n, denote_iexp(denote, pattern->batch_groups, place));
}

expr_id denote_group_count(struct denote *denote, const struct pat *pattern,
                           const struct reshape_group *group)
{
    expr_id n = expr_int(denote->exprs, 1);
    for (uint32_t i = 0; i < group->n_from; i++)
        n = expr_mul(denote->exprs, n, denote_size(denote, pattern->args[0], group->from[i], 0));
    return n;
}

expr_id denote_group_size(struct denote *denote, const struct pat *pattern,
                          const struct reshape_group *group, uint32_t i)
{
    if (group->to[i].size != NULL)
        return denote_iexp(denote, group->to[i].size, 0);
    return denote_group_count(denote, pattern, group); // its only class
}

static expr_id reshape_size(struct denote *denote, const struct pat *pattern, uint32_t cls,
                            uint32_t place)
{
    const struct reshape_group *group = denote_group_to(pattern, cls);
    if (group == NULL)
        return denote_size(denote, pattern->args[0], cls, place);
    if (group->n_from == 0)
        return expr_int(denote->exprs, 1);
    for (uint32_t i = 0; i < group->n_to; i++)
        if (group->to[i].cls == cls)
            return denote_group_size(denote, pattern, group, i);
    BUG("class %u is not in its group", (unsigned)cls);
}

static expr_id op_size(struct denote *denote, const struct pat *pattern, uint32_t cls,
                       uint32_t place)
{
    const struct pat_attr *attr = denote_attr(pattern, cls);
    expr_id n;
    switch (pattern->op) {
    case OP_SLICE:
        return slice_size(denote, pattern, cls, place);
    case OP_PAD:
        return pad_size(denote, pattern, cls, place);
    case OP_BROADCAST_IN_DIM:
        if (attr != NULL)
            return denote_iexp(denote, attr->expr[0], place);
        break;
    case OP_CONCATENATE:
        n = denote_size(denote, pattern->args[0], cls, place);
        for (uint32_t i = 1; denote_bit(pattern->classes, cls) && i < pattern->n_args; i++)
            n = expr_add(denote->exprs, n, denote_size(denote, pattern->args[i], cls, place));
        return n;
    case OP_DOT_GENERAL:
        if (!denote_has_class(denote, pattern->args[0], cls))
            return denote_size(denote, pattern->args[1], cls, place);
        break;
    case OP_CONVOLUTION:
        return conv_size(denote, pattern, cls, place);
    case OP_REDUCE_WINDOW: {
        struct sliding window = denote_sliding(denote, pattern, cls, place);
        return attr == NULL ? window.n : denote_window_count(denote, &window);
    }
    case OP_DYNAMIC_SLICE:
        if (attr != NULL && attr->expr[1] != NULL)
            return denote_iexp(denote, attr->expr[1], place);
        break;
    case OP_GATHER:
        if (denote_bit(pattern->classes, cls) && attr != NULL && attr->expr[0] != NULL)
            return denote_iexp(denote, attr->expr[0], place);
        if (denote_bit(pattern->classes, cls) || !denote_has_class(denote, pattern->args[0], cls))
            return denote_size(denote, pattern->args[1], cls, place);
        break;
    case OP_RESHAPE:
        return reshape_size(denote, pattern, cls, place);
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_REDUCE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_SCATTER:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return denote_size(denote, pattern->args[0], cls, place);
}

expr_id denote_size(struct denote *denote, uint32_t pat, uint32_t cls, uint32_t place)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    const struct axis_size *size = NULL;
    switch (size_source(pattern)) {
    case FROM_DECLARATION:
        size = denote_size_of(denote->rule->tensors[pattern->var].n_sizes,
                              denote->rule->tensors[pattern->var].sizes, cls);
        return denote_iexp(denote, size->size, place);
    case FROM_PATTERN:
        size = denote_size_of(pattern->n_sizes, pattern->sizes, cls);
        return denote_iexp(denote, size->size, place);
    case FROM_OPERAND:
        break;
    }
    if (pattern->kind == PAT_RELABEL)
        return denote_size(denote, pattern->args[0], denote_relabel_source(pattern, cls), place);
    if (pattern->kind == PAT_OP)
        return op_size(denote, pattern, cls, place);
    return denote_size(denote, pattern->args[0], cls, place);
}
