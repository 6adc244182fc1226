// SPDX-License-Identifier: Apache-2.0
// Classes and places, integer expressions, preconditions.
#include "verify/meaning/parts.h"

bool denote_init(struct denote *d, struct exprs *x, const struct rule *r,
                 const uint32_t *rank)
{
    *d = (struct denote){.x = x, .r = r, .max_rank = 1};
    if (r->n_classes > 64)
        return false;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        d->rank[c] = rank[c];
        if (rank[c] > d->max_rank)
            d->max_rank = rank[c];
    }
    return true;
}

void denote_release(struct denote *d)
{
    vec_release(&d->folds);
}

uint32_t denote_rank_class(const struct rule *r, uint32_t cls)
{
    while (r->classes[cls].like != cls)
        cls = r->classes[cls].like;
    return cls;
}

// The classes whose sizes a grouped convolution relates.
static uint64_t grouped(const struct pat *p)
{
    uint64_t set = 0;
    if (!denote_is_op(p, OP_CONVOLUTION))
        return 0;
    if (p->feature_groups != NULL)
        set |= p->classes | p->out;
    if (p->batch_groups != NULL)
        set |= p->batch | p->out;
    return set;
}

uint32_t denote_family(const struct rule *r, uint32_t cls)
{
    uint64_t family = 0, next = (uint64_t)1 << (cls & 63);
    while (next != family) {
        family = next;
        for (uint32_t c = 0; c < r->n_classes && c < 64; c++)
            for (uint32_t k = 0; k < r->n_classes && k < 64; k++)
                if (denote_bit(family, c) &&
                    (r->classes[c].joint == r->classes[k].joint ||
                     denote_rank_class(r, c) == denote_rank_class(r, k)))
                    next |= (uint64_t)1 << k;
        for (uint32_t i = 0; i < r->n_pats; i++)
            if ((grouped(&r->pats[i]) & next) != 0)
                next |= grouped(&r->pats[i]);
    }
    return denote_lowest_bit(family);
}

bool denote_one_axis(const struct rule *r, uint32_t cls)
{
    bool one = false;
    for (uint32_t c = 0; c < r->n_classes && !one; c++)
        one = (r->classes[c].single || r->classes[c].block) &&
              denote_family(r, c) == denote_family(r, cls);
    return one;
}

uint32_t denote_lowest_bit(uint64_t set)
{
    uint32_t c = 0;
    while (c < 63 && (set >> c & 1) == 0)
        c++;
    return c;
}

uint32_t denote_part(const struct rule *r, uint32_t cls, uint32_t place)
{
    return place * r->n_classes + denote_family(r, cls);
}

expr_id denote_iexp(struct denote *d, const struct iexp *e, uint32_t place)
{
    struct exprs *x = d->x;
    if (e->op == IE_CONST)
        return expr_int(x, e->k);
    if (e->op == IE_MAP) {
        const struct map *m = &d->r->maps[e->map];
        if (m->def != NULL)
            return denote_iexp(d, m->def, place);
        return expr_var(x, VAR_MAP, e->map, place, 0,
                        denote_part(d->r, m->cls, place));
    }
    expr_id a = denote_iexp(d, e->a, place);
    expr_id b = e->b == NULL ? a : denote_iexp(d, e->b, place);
    switch (e->op) {
    case IE_ADD:
        return expr_add(x, a, b);
    case IE_SUB:
        return expr_sub(x, a, b);
    case IE_MUL:
        return expr_mul(x, a, b);
    case IE_NEG:
        return expr_neg(x, a);
    case IE_DIV:
        return expr_div(x, a, b);
    case IE_MOD:
        return expr_mod(x, a, b);
    case IE_CDIV:
        return expr_ceildiv(x, a, b);
    case IE_MIN:
        return expr_min(x, a, b);
    case IE_MAX:
        return expr_max(x, a, b);
    case IE_ABS:
        return expr_abs(x, a);
    case IE_CONST:
    case IE_MAP:
        break;
    }
    BUG("integer expression of kind %d", (int)e->op);
}

expr_id denote_defined(struct denote *d, const struct iexp *e, uint32_t place)
{
    struct exprs *x = d->x;
    expr_id all = expr_true(x);
    if (e->op == IE_CONST)
        return all;
    if (e->op == IE_MAP) {
        const struct map *m = &d->r->maps[e->map];
        return m->def == NULL ? all : denote_defined(d, m->def, place);
    }
    all = denote_defined(d, e->a, place);
    if (e->b != NULL)
        all = expr_and2(x, all, denote_defined(d, e->b, place));
    if (e->op == IE_DIV || e->op == IE_MOD || e->op == IE_CDIV) {
        expr_id b = denote_iexp(d, e->b, place);
        all = expr_and2(x, all, expr_not(x, expr_eq(x, b, expr_int(x, 0))));
    }
    return all;
}

static expr_id comparison(struct denote *d, const struct cond *c,
                          uint32_t place)
{
    struct exprs *x = d->x;
    expr_id a = denote_iexp(d, c->a, place), b = denote_iexp(d, c->b, place);
    switch (c->op) {
    case COND_LE:
        return expr_le(x, a, b);
    case COND_LT:
        return expr_lt(x, a, b);
    case COND_EQ:
        return expr_eq(x, a, b);
    default:
        return expr_not(x, expr_eq(x, a, b));
    }
}

expr_id denote_cond(struct denote *d, const struct cond *c, uint32_t place,
                    bool wanted)
{
    struct exprs *x = d->x;
    if (c->op == COND_NOT)
        return denote_cond(d, c->l, place, !wanted);
    if (c->op == COND_AND || c->op == COND_OR) {
        expr_id l = denote_cond(d, c->l, place, wanted);
        expr_id r = denote_cond(d, c->r, place, wanted);
        return (c->op == COND_AND) == wanted ? expr_and2(x, l, r)
                                             : expr_or2(x, l, r);
    }
    expr_id p = comparison(d, c, place);
    expr_id all[] = {denote_defined(d, c->a, place),
                     denote_defined(d, c->b, place),
                     wanted ? p : expr_not(x, p)};
    return expr_and(x, 3, all);
}

void denote_where(struct denote *d, struct clauses *out)
{
    for (uint32_t w = 0; w < d->r->n_wheres; w++) {
        const struct where *q = &d->r->wheres[w];
        if (q->cond == NULL)
            continue;
        for (uint32_t k = 0; k < d->rank[q->family]; k++) {
            struct clause c = {denote_cond(d, q->cond, k, true),
                               denote_family(d->r, q->family),
                               k,
                               q->family,
                               "precondition",
                               NONE,
                               false};
            if (d->x->node.at[c.cond].kind != X_TRUE)
                vec_push(&out->at, c);
        }
    }
}

bool denote_below(const struct rule *r, uint32_t root, uint32_t pat)
{
    const struct pat *p = &r->pats[root];
    bool found = root == pat;
    // What stands below has smaller numbers.
    for (uint32_t i = 0; i < p->n_args && !found; i++)
        found = p->args[i] >= pat && denote_below(r, p->args[i], pat);
    return found;
}

bool denote_iexp_within(const struct rule *r, const struct iexp *e,
                        uint32_t cls)
{
    if (e == NULL)
        return true;
    if (e->op == IE_MAP)
        return denote_family(r, r->maps[e->map].cls) == denote_family(r, cls);
    return denote_iexp_within(r, e->a, cls) && denote_iexp_within(r, e->b, cls);
}

uint32_t denote_iexp_class(const struct rule *r, const struct iexp *e)
{
    if (e == NULL)
        return NONE;
    if (e->op == IE_MAP)
        return r->maps[e->map].cls;
    uint32_t c = denote_iexp_class(r, e->a);
    return c != NONE ? c : denote_iexp_class(r, e->b);
}
