// SPDX-License-Identifier: Apache-2.0
// Conditions on which classes the operands have, and on the types of a rule.
// They are no statements about integers; where they fail, d->failure says so.
#include "verify/meaning/parts.h"

static void check_relabel(struct denote *d, const struct pat *p)
{
    for (uint32_t i = 0; i < p->n_relabels; i++) {
        const struct relabel *a = &p->relabels[i];
        if (!denote_has_class(d, p->args[0], a->from))
            d->failure = "relabel: a class that is not there";
        if (denote_rank_class(d->r, a->from) != denote_rank_class(d->r, a->to))
            d->failure = "relabel: classes of different rank classes";
        for (uint32_t j = 0; j < i; j++)
            if (p->relabels[j].from == a->from || p->relabels[j].to == a->to)
                d->failure = "relabel: a class named twice";
    }
    for (uint32_t c = 0; c < d->r->n_classes; c++) {
        uint32_t from = denote_relabel_source(p, c);
        // A class that keeps its name must not meet one renamed to it.
        bool gone = from == c || from == NONE;
        for (uint32_t i = 0; i < p->n_relabels; i++)
            gone |= p->relabels[i].from == c;
        if (!gone && denote_has_class(d, p->args[0], c))
            d->failure = "relabel: two classes get one name";
    }
}

// Classes that an operator needs, or must not find, in its operand.
void denote_check_classes(struct denote *d, const struct pat *p)
{
    if (p->kind == PAT_RELABEL)
        check_relabel(d, p);
    if (p->kind != PAT_OP || p->op == OP_CONVOLUTION || p->op == OP_DOT_GENERAL)
        return;
    for (uint32_t c = 0; c < d->r->n_classes; c++) {
        bool has = p->n_args > 0 && denote_has_class(d, p->args[0], c);
        if (!denote_bit(p->classes, c) && denote_attr(p, c) == NULL)
            continue;
        bool makes = p->op == OP_BROADCAST_IN_DIM;
        if (p->op != OP_IOTA && has == makes)
            d->failure = makes ? "broadcast to a class that is there already"
                               : "an operator names a class that is not there";
        if ((p->op == OP_IOTA || p->op == OP_CONCATENATE) &&
            denote_bit(p->classes, c) && !d->r->classes[c].single)
            d->failure = "iota and concat need a class of one axis";
    }
}

static bool is_block(const struct rule *r, uint32_t cls)
{
    return r->classes[cls].block && !r->classes[cls].single;
}

// Only the size as declared: what is computed from it axis by axis is not the
// same of the product.
static bool whole_size(const struct rule *r, const struct iexp *e)
{
    return e == NULL || (e->op == IE_CONST && e->k == 1) ||
           (e->op == IE_MAP && r->maps[e->map].def == NULL);
}

static bool whole_sizes(const struct rule *r, uint32_t n,
                        const struct axis_size *sizes)
{
    bool whole = true;
    for (uint32_t i = 0; i < n; i++)
        whole &= !is_block(r, sizes[i].cls) || whole_size(r, sizes[i].size);
    return whole;
}

static bool names_block_only_whole(const struct rule *r, const struct pat *p,
                                   uint32_t cls)
{
    const struct pat_attr *a = denote_attr(p, cls);
    if (p->kind != PAT_OP)
        return true;
    if (denote_bit(p->spatial, cls))
        return false;
    if (a != NULL && p->op != OP_IOTA &&
        (p->op != OP_BROADCAST_IN_DIM || !whole_size(r, a->v[0])))
        return false;
    return p->op == OP_REDUCE || p->op == OP_DOT_GENERAL ||
           p->op == OP_CONVOLUTION || !denote_bit(p->classes, cls);
}

// A block is one axis here, so nothing may look at its axes one by one.
void denote_check_blocks(struct denote *d, const struct pat *p)
{
    const struct rule *r = d->r;
    bool whole = true;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        if (denote_one_axis(r, c) && !r->classes[c].single && !is_block(r, c))
            d->failure = "a class that goes with a block is not one";
        if (is_block(r, c))
            whole &= names_block_only_whole(r, p, c);
    }
    if (p->kind == PAT_TENSOR)
        whole &= whole_sizes(r, r->tensors[p->var].n_sizes,
                             r->tensors[p->var].sizes);
    if (p->kind == PAT_SPLAT || denote_is_op(p, OP_IOTA))
        whole &= whole_sizes(r, p->n_sizes, p->sizes);
    for (uint32_t i = 0; i < p->n_groups; i++)
        whole &= whole_sizes(r, p->groups[i].n_to, p->groups[i].to);
    for (uint32_t m = 0; m < r->n_maps; m++)
        whole &= !is_block(r, r->maps[m].cls) ||
                 (r->maps[m].def == NULL && !r->maps[m].index);
    if (!whole)
        d->failure = "a block is used axis by axis";
}

static uint32_t width_root(const uint32_t *up, uint32_t t)
{
    while (up[t] != t)
        t = up[t];
    return t;
}

bool denote_widths_agree(const struct rule *r)
{
    bool agree = true;
    uint32_t *up = mem_alloc((r->n_types + 1) * sizeof *up);
    for (uint32_t t = 0; t < r->n_types; t++)
        up[t] = t;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < r->n_pats; i++) {
            const struct pat *p = &r->pats[i];
            bool left = !denote_below(r, r->rhs, i);
            if (!denote_is_op(p, OP_BITCAST_CONVERT) || left != (side == 0))
                continue;
            uint32_t a = width_root(up, p->type);
            uint32_t b = width_root(up, r->pats[p->args[0]].type);
            if (side == 0)
                up[a] = b;
            else
                agree &= a == b;
        }
    mem_free(up);
    return agree;
}
