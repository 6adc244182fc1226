// SPDX-License-Identifier: Apache-2.0
// Which classes a node's result has, and their sizes.
#include "verify/meaning/parts.h"

const struct axis_size *denote_size_of(uint32_t n, const struct axis_size *s,
                                       uint32_t cls)
{
    for (uint32_t i = 0; i < n; i++)
        if (s[i].cls == cls)
            return &s[i];
    return NULL;
}

const struct pat_attr *denote_attr(const struct pat *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->n_attrs; i++)
        if (p->attrs[i].cls == cls)
            return &p->attrs[i];
    return NULL;
}

expr_id denote_attr_value(struct denote *d, const struct pat_attr *a, int i,
                          uint32_t place, expr_id missing)
{
    if (a == NULL || a->v[i] == NULL)
        return missing;
    return denote_iexp(d, a->v[i], place);
}

uint32_t denote_relabel_source(const struct pat *p, uint32_t to)
{
    for (uint32_t i = 0; i < p->n_relabels; i++)
        if (p->relabels[i].to == to)
            return p->relabels[i].from;
    for (uint32_t i = 0; i < p->n_relabels; i++)
        if (p->relabels[i].from == to)
            return NONE; // renamed away, and nothing renamed to it
    return to;
}

const struct reshape_group *denote_group_from(const struct pat *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->n_groups; i++)
        for (uint32_t k = 0; k < p->groups[i].n_from; k++)
            if (p->groups[i].from[k] == cls)
                return &p->groups[i];
    return NULL;
}

const struct reshape_group *denote_group_to(const struct pat *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->n_groups; i++)
        for (uint32_t k = 0; k < p->groups[i].n_to; k++)
            if (p->groups[i].to[k].cls == cls)
                return &p->groups[i];
    return NULL;
}

// What a pattern's result sizes come from.
enum size_source { FROM_DECLARATION, FROM_PATTERN, FROM_OPERAND };

static enum size_source size_source(const struct pat *p)
{
    if (p->kind == PAT_TENSOR)
        return FROM_DECLARATION;
    if (p->kind == PAT_SCALAR || p->kind == PAT_LITERAL ||
        p->kind == PAT_SPLAT || denote_is_op(p, OP_IOTA))
        return FROM_PATTERN;
    return FROM_OPERAND;
}

static bool op_has_class(struct denote *d, const struct pat *p, uint32_t cls)
{
    bool first = denote_has_class(d, p->args[0], cls);
    switch (p->op) {
    case OP_REDUCE:
        return first && !denote_bit(p->classes, cls);
    case OP_BROADCAST_IN_DIM:
        return first || denote_attr(p, cls) != NULL;
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
        return !denote_bit(p->classes, cls) &&
               (first || denote_has_class(d, p->args[1], cls));
    case OP_GATHER:
        if (denote_bit(p->classes, cls))
            first = denote_attr(p, cls) != NULL;
        return first || denote_has_class(d, p->args[1], cls);
    case OP_RESHAPE:
        if (denote_group_to(p, cls) != NULL)
            return true;
        return first && denote_group_from(p, cls) == NULL;
    default:
        return first;
    }
}

bool denote_has_class(struct denote *d, uint32_t pat, uint32_t cls)
{
    const struct pat *p = &d->r->pats[pat];
    switch (size_source(p)) {
    case FROM_DECLARATION: {
        const struct tensor_var *t = &d->r->tensors[p->var];
        return denote_size_of(t->n_sizes, t->sizes, cls) != NULL;
    }
    case FROM_PATTERN:
        return denote_size_of(p->n_sizes, p->sizes, cls) != NULL;
    case FROM_OPERAND:
        break;
    }
    if (p->kind == PAT_RELABEL) {
        uint32_t from = denote_relabel_source(p, cls);
        return from != NONE && denote_has_class(d, p->args[0], from);
    }
    if (p->kind == PAT_OP)
        return op_has_class(d, p, cls);
    return denote_has_class(d, p->args[0], cls);
}

static expr_id slice_size(struct denote *d, const struct pat *p, uint32_t cls,
                          uint32_t place)
{
    struct exprs *x = d->x;
    const struct pat_attr *a = denote_attr(p, cls);
    expr_id n = denote_size(d, p->args[0], cls, place);
    if (a == NULL)
        return n;
    expr_id start = denote_attr_value(d, a, 0, place, expr_int(x, 0));
    expr_id limit = denote_attr_value(d, a, 1, place, n);
    expr_id stride = denote_attr_value(d, a, 2, place, expr_int(x, 1));
    return expr_ceildiv(x, expr_sub(x, limit, start), stride);
}

static expr_id pad_size(struct denote *d, const struct pat *p, uint32_t cls,
                        uint32_t place)
{
    struct exprs *x = d->x;
    const struct pat_attr *a = denote_attr(p, cls);
    expr_id n = denote_size(d, p->args[0], cls, place);
    expr_id zero = expr_int(x, 0), one = expr_int(x, 1);
    if (a == NULL)
        return n;
    if (a->v[2] != NULL) {
        expr_id holes =
            expr_mul(x, expr_sub(x, n, one), denote_iexp(d, a->v[2], place));
        n = expr_add(x, n, expr_if(x, expr_le(x, one, n), holes, zero));
    }
    for (int i = 0; i < 2; i++)
        if (a->v[i] != NULL)
            n = expr_add(x, n, denote_iexp(d, a->v[i], place));
    return n;
}

struct sliding denote_sliding(struct denote *d, const struct pat *p,
                              uint32_t cls, uint32_t place)
{
    struct exprs *x = d->x;
    const struct pat_attr *a = denote_attr(p, cls);
    expr_id zero = expr_int(x, 0), one = expr_int(x, 1);
    bool conv = p->op == OP_CONVOLUTION;
    int i = conv ? 0 : 1; // the window's size comes first in a reduce_window
    return (struct sliding){
        .n = denote_size(d, p->args[0], cls, place),
        .size = conv ? denote_size(d, p->args[1], cls, place)
                     : denote_attr_value(d, a, 0, place, one),
        .stride = denote_attr_value(d, a, i, place, one),
        .low = denote_attr_value(d, a, i + 1, place, zero),
        .high = denote_attr_value(d, a, i + 2, place, zero),
        .base = denote_attr_value(d, a, i + 3, place, one),
        .dilation = denote_attr_value(d, a, i + 4, place, one),
        .flipped = denote_bit(p->flipped, cls),
    };
}

// n elements, `step` apart; none is no position at all.
static expr_id dilated(struct denote *d, expr_id n, expr_id step)
{
    struct exprs *x = d->x;
    expr_id one = expr_int(x, 1);
    if (step == one)
        return n;
    expr_id reach = expr_add(x, expr_mul(x, expr_sub(x, n, one), step), one);
    return expr_if(x, expr_le(x, one, n), reach, expr_int(x, 0));
}

// Windows are at least one element long (denote_valid.c), so none fits where
// nothing is left of the padded axis.
expr_id denote_window_count(struct denote *d, const struct sliding *w)
{
    struct exprs *x = d->x;
    expr_id one = expr_int(x, 1);
    expr_id padded =
        expr_add(x, dilated(d, w->n, w->base), expr_add(x, w->low, w->high));
    expr_id reach =
        expr_add(x, expr_mul(x, expr_sub(x, w->size, one), w->dilation), one);
    expr_id room = expr_sub(x, padded, reach);
    return expr_if(x, expr_le(x, expr_int(x, 0), room),
                   expr_add(x, expr_div(x, room, w->stride), one),
                   expr_int(x, 0));
}

static expr_id conv_size(struct denote *d, const struct pat *p, uint32_t cls,
                         uint32_t place)
{
    if (denote_bit(p->spatial, cls)) {
        struct sliding w = denote_sliding(d, p, cls, place);
        return denote_window_count(d, &w);
    }
    if (denote_bit(p->out, cls))
        return denote_size(d, p->args[1], cls, place);
    expr_id n = denote_size(d, p->args[0], cls, place);
    if (p->batch_groups == NULL || !denote_bit(p->batch, cls))
        return n;
    return expr_div(d->x, n, denote_iexp(d, p->batch_groups, place));
}

expr_id denote_group_count(struct denote *d, const struct pat *p,
                           const struct reshape_group *g)
{
    expr_id n = expr_int(d->x, 1);
    for (uint32_t i = 0; i < g->n_from; i++)
        n = expr_mul(d->x, n, denote_size(d, p->args[0], g->from[i], 0));
    return n;
}

expr_id denote_group_size(struct denote *d, const struct pat *p,
                          const struct reshape_group *g, uint32_t i)
{
    if (g->to[i].size != NULL)
        return denote_iexp(d, g->to[i].size, 0);
    return denote_group_count(d, p, g); // its only class
}

static expr_id reshape_size(struct denote *d, const struct pat *p, uint32_t cls,
                            uint32_t place)
{
    const struct reshape_group *g = denote_group_to(p, cls);
    if (g == NULL)
        return denote_size(d, p->args[0], cls, place);
    if (g->n_from == 0)
        return expr_int(d->x, 1);
    for (uint32_t i = 0; i < g->n_to; i++)
        if (g->to[i].cls == cls)
            return denote_group_size(d, p, g, i);
    BUG("class %u is not in its group", (unsigned)cls);
}

static expr_id op_size(struct denote *d, const struct pat *p, uint32_t cls,
                       uint32_t place)
{
    const struct pat_attr *a = denote_attr(p, cls);
    expr_id n;
    switch (p->op) {
    case OP_SLICE:
        return slice_size(d, p, cls, place);
    case OP_PAD:
        return pad_size(d, p, cls, place);
    case OP_BROADCAST_IN_DIM:
        if (a != NULL)
            return denote_iexp(d, a->v[0], place);
        break;
    case OP_CONCATENATE:
        n = denote_size(d, p->args[0], cls, place);
        for (uint32_t i = 1; denote_bit(p->classes, cls) && i < p->n_args; i++)
            n = expr_add(d->x, n, denote_size(d, p->args[i], cls, place));
        return n;
    case OP_DOT_GENERAL:
        if (!denote_has_class(d, p->args[0], cls))
            return denote_size(d, p->args[1], cls, place);
        break;
    case OP_CONVOLUTION:
        return conv_size(d, p, cls, place);
    case OP_REDUCE_WINDOW: {
        struct sliding w = denote_sliding(d, p, cls, place);
        return a == NULL ? w.n : denote_window_count(d, &w);
    }
    case OP_DYNAMIC_SLICE:
        if (a != NULL && a->v[1] != NULL)
            return denote_iexp(d, a->v[1], place);
        break;
    case OP_GATHER:
        if (denote_bit(p->classes, cls) && a != NULL && a->v[0] != NULL)
            return denote_iexp(d, a->v[0], place);
        if (denote_bit(p->classes, cls) ||
            !denote_has_class(d, p->args[0], cls))
            return denote_size(d, p->args[1], cls, place);
        break;
    case OP_RESHAPE:
        return reshape_size(d, p, cls, place);
    default:
        break;
    }
    return denote_size(d, p->args[0], cls, place);
}

expr_id denote_size(struct denote *d, uint32_t pat, uint32_t cls,
                    uint32_t place)
{
    const struct pat *p = &d->r->pats[pat];
    const struct axis_size *s = NULL;
    switch (size_source(p)) {
    case FROM_DECLARATION:
        s = denote_size_of(d->r->tensors[p->var].n_sizes,
                           d->r->tensors[p->var].sizes, cls);
        return denote_iexp(d, s->size, place);
    case FROM_PATTERN:
        s = denote_size_of(p->n_sizes, p->sizes, cls);
        return denote_iexp(d, s->size, place);
    case FROM_OPERAND:
        break;
    }
    if (p->kind == PAT_RELABEL)
        return denote_size(d, p->args[0], denote_relabel_source(p, cls), place);
    if (p->kind == PAT_OP)
        return op_size(d, p, cls, place);
    return denote_size(d, p->args[0], cls, place);
}
