// SPDX-License-Identifier: Apache-2.0
// Where integer expressions stand in a draft, and what they use.
#include "discover/learn/draft.h"
#include <string.h>

bool draft_below(const struct rule *r, uint32_t root, uint32_t pat)
{
    if (root == pat)
        return true;
    for (uint32_t i = 0; i < r->pats[root].n_args; i++)
        if (draft_below(r, r->pats[root].args[i], pat))
            return true;
    return false;
}

uint32_t class_root(const struct rule *r, uint32_t cls)
{
    return r->classes[r->classes[cls].like].joint;
}

struct attr_form {
    const char *stem;
    int64_t usual;
};

// The attributes of an operator; n = how many.
static const struct attr_form *attr_forms(const struct pat *p, uint32_t *n)
{
    static const struct attr_form slice[] = {{"s", 0}, {"e", -1}, {"p", 1}};
    static const struct attr_form pad[] = {{"l", 0}, {"h", 0}, {"i", 0}};
    static const struct attr_form window[] = {{"w", 1}, {"p", 1}, {"l", 0},
                                              {"h", 0}, {"d", 1}, {"r", 1}};
    static const struct attr_form conv[] = {
        {"p", 1}, {"l", 0}, {"h", 0}, {"d", 1}, {"r", 1}};
    static const struct attr_form size[] = {{"m", -1}};
    static const struct attr_form dynamic[] = {{"s", 0}, {"m", -1}};
    *n = 0;
    if (p->kind != PAT_OP)
        return NULL;
    switch (p->op) {
    case OP_SLICE:
        *n = 3;
        return slice;
    case OP_PAD:
        *n = 3;
        return pad;
    case OP_REDUCE_WINDOW:
        *n = 6;
        return window;
    case OP_CONVOLUTION:
        *n = 5;
        return conv;
    case OP_BROADCAST_IN_DIM:
        *n = 1;
        return size;
    case OP_DYNAMIC_SLICE:
        *n = 2;
        return dynamic;
    case OP_DYNAMIC_UPDATE_SLICE:
        *n = 1;
        return dynamic;
    default:
        return NULL;
    }
}

static const struct pat_attr *attr_of(const struct pat *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->n_attrs; i++)
        if (p->attrs[i].cls == cls)
            return &p->attrs[i];
    return NULL;
}

static void slots_of(const struct draft *d, uint32_t pat, uint32_t family,
                     struct draft_slot_list *out)
{
    const struct pat *p = &d->pats[pat];
    uint32_t n;
    const struct attr_form *form = attr_forms(p, &n);
    for (uint32_t k = 0; k < p->n_sizes; k++) {
        uint32_t cls = p->sizes[k].cls;
        if (family != NONE && class_root(&d->r, cls) != family)
            continue;
        if (d->classes[cls].block)
            continue;
        bool sized =
            p->kind == PAT_SPLAT || (p->kind == PAT_OP && p->op == OP_IOTA);
        struct draft_slot s = {.pat = pat, .cls = cls};
        if (sized) {
            s.attr = SLOT_SIZE;
            s.at = p->sizes[k].size;
            s.stem = "m";
            s.usual = -1;
            vec_push(out, s);
        }
        const struct pat_attr *a = attr_of(p, cls);
        bool has = p->op != OP_CONVOLUTION || (p->spatial >> cls & 1);
        if (p->kind == PAT_OP && p->op == OP_BROADCAST_IN_DIM && a == NULL)
            has = false;
        for (uint32_t j = 0; j < n && has; j++) {
            s.attr = (int)j;
            s.at = a ? a->v[j] : NULL;
            s.usual = form[j].usual;
            s.stem = form[j].stem;
            vec_push(out, s);
        }
    }
}

void draft_slots(const struct draft *d, uint32_t root, uint32_t root_cls,
                 struct draft_slot_list *out)
{
    for (uint32_t i = 0; i < d->r.n_pats; i++)
        if (draft_below(&d->r, root, i))
            slots_of(d, i, root_cls, out);
}

void draft_set_slot(struct draft *d, const struct draft_slot *s, const struct iexp *x)
{
    struct pat *p = &d->pats[s->pat];
    if (s->attr == SLOT_SIZE) {
        struct axis_size *sizes =
            draft_array(d, p->sizes, p->n_sizes, sizeof *sizes, 0);
        for (uint32_t k = 0; k < p->n_sizes; k++)
            if (sizes[k].cls == s->cls)
                sizes[k].size = x;
        p->sizes = sizes;
        return;
    }
    struct pat_attr *attrs =
        draft_array(d, p->attrs, p->n_attrs, sizeof *attrs, 1);
    uint32_t k = 0;
    while (k < p->n_attrs && attrs[k].cls < s->cls)
        k++;
    if (k == p->n_attrs || attrs[k].cls != s->cls) {
        memmove(attrs + k + 1, attrs + k, (p->n_attrs - k) * sizeof *attrs);
        attrs[k] = (struct pat_attr){.cls = s->cls};
        p->n_attrs++;
    }
    attrs[k].v[s->attr] = x;
    p->attrs = attrs;
}

uint32_t map_by_name(const struct rule *r, const char *name)
{
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (strcmp(r->maps[m].name, name) == 0)
            return m;
    return NONE;
}

bool iexp_uses(const struct iexp *x, uint32_t map)
{
    return x != NULL && ((x->op == IE_MAP && x->map == map) ||
                         (x->op != IE_MAP && x->op != IE_CONST &&
                          (iexp_uses(x->a, map) || iexp_uses(x->b, map))));
}

bool cond_uses(const struct cond *c, uint32_t map)
{
    return c != NULL && (iexp_uses(c->a, map) || iexp_uses(c->b, map) ||
                         cond_uses(c->l, map) || cond_uses(c->r, map));
}

bool iexp_at_run_time(const struct rule *r, const struct iexp *x)
{
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (r->maps[m].index && iexp_uses(x, m))
            return true;
    return false;
}
