// SPDX-License-Identifier: Apache-2.0
// Which classes of a rule are bound, by which sets of axes, and what may be
// said of their sizes.
#include "formula/rules/core.h"

#define BIT(c) ((uint64_t)1 << (c))

uint64_t named_binds(const struct pat *p)
{
    if (p->kind == PAT_CALL)
        return p->classes;
    if (p->kind != PAT_OP)
        return 0;
    return p->op == OP_REDUCE || p->op == OP_DOT_GENERAL ||
                   p->op == OP_CONCATENATE
               ? p->classes
               : 0;
}

bool named_each(struct named_rule *n, uint32_t root,
                bool (*each)(struct named_rule *n, const struct pat *p))
{
    const struct pat *p = &n->r->pats[root];
    for (uint32_t i = 0; i < p->n_args; i++)
        if (!named_each(n, p->args[i], each))
            return false;
    return each(n, p);
}

// Both sides and the conditions on elements.
static bool each_root(struct named_rule *n,
                      bool (*each)(struct named_rule *n, const struct pat *p))
{
    const struct rule *r = n->r;
    bool ok = named_each(n, r->lhs, each) && named_each(n, r->rhs, each);
    for (uint32_t i = 0; ok && i < r->n_wheres; i++)
        ok = r->wheres[i].cond || named_each(n, r->wheres[i].pat, each);
    return ok;
}

// Named terms have no positions.
static bool speaks(struct named_rule *n, const struct pat *p)
{
    if (p->kind != PAT_OP)
        return true;
    switch (p->op) {
    case OP_REDUCE:
    case OP_DOT_GENERAL:
    case OP_CONCATENATE:
    case OP_BROADCAST_IN_DIM:
        return true;
    default:
        return (op_is_elementwise(p->op) && p->op != OP_CONVERT &&
                p->op != OP_IS_FINITE) ||
               named_fail(n, "%s", op_name(p->op));
    }
}

// ---- bound classes ----

static bool bind(struct named_rule *n, const struct pat *p)
{
    n->bound |= named_binds(p);
    return true;
}

// What binds, binds some class.
static bool binds_some(struct named_rule *n, const struct pat *p)
{
    uint64_t b = named_binds(p);
    return b == 0 || (b & n->bound) != 0;
}

static bool alone(const struct rule *r, uint32_t c)
{
    for (uint32_t i = 0; i < r->n_classes; i++)
        if (i != c && r->classes[i].like == r->classes[c].like)
            return false;
    return true;
}

// `reduce(g, A, {a, x})` is also said where x has no axis: one set is enough.
static void drop_companions(struct named_rule *n)
{
    const struct rule *r = n->r;
    for (uint32_t c = r->n_classes; c-- > 0;) {
        const struct axis_class *k = &r->classes[c];
        if (!(n->bound & BIT(c)) || k->single || k->least_rank > 0 ||
            k->joint != c || !alone(r, c))
            continue;
        n->bound &= ~BIT(c);
        if (!each_root(n, binds_some))
            n->bound |= BIT(c);
    }
}

// ---- sets ----

static bool iexp_same(const struct iexp *a, const struct iexp *b)
{
    if (!a || !b)
        return a == b;
    return a->op == b->op && (a->op != IE_CONST || a->k == b->k) &&
           (a->op != IE_MAP || a->map == b->map) && iexp_same(a->a, b->a) &&
           iexp_same(a->b, b->b);
}

uint32_t named_set_of(const struct named_rule *n, uint32_t n_sizes,
                      const struct axis_size *sizes, uint32_t cls)
{
    for (uint32_t i = 0; i < n_sizes; i++)
        for (uint32_t k = 0; sizes[i].cls == cls && k < n->n_sets; k++)
            if (n->set[k].cls == cls &&
                iexp_same(n->set[k].size, sizes[i].size))
                return k;
    return NONE;
}

uint32_t named_sets(const struct named_rule *n, uint32_t n_sizes,
                    const struct axis_size *sizes)
{
    uint32_t sets = 0;
    for (uint32_t i = 0; i < n_sizes; i++) {
        uint32_t k = named_set_of(n, n_sizes, sizes, sizes[i].cls);
        if (k != NONE)
            sets |= 1U << k;
    }
    return sets;
}

static bool add_sets(struct named_rule *n, const struct pat *p)
{
    for (uint32_t i = 0; i < p->n_sizes; i++) {
        const struct axis_size *s = &p->sizes[i];
        if (!(n->bound & BIT(s->cls)) || named_set_of(n, 1, s, s->cls) != NONE)
            continue;
        if (n->n_sets == NAMED_MAX_SETS)
            return named_fail(n, "more than %d sets of axes", NAMED_MAX_SETS);
        struct named_set new = {s->cls, 0, s->size};
        for (uint32_t k = 0; k < n->n_sets; k++)
            new.nth += n->set[k].cls == s->cls;
        n->set[n->n_sets++] = new;
    }
    return true;
}

static const struct iexp *size_on_class(const struct pat *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].cls == cls)
            return p->sizes[i].size;
    return NULL;
}

// A bound class of an argument is one set in it, in the node and in the other
// argument, unless it is joined; the size of a join is the sum of its parts.
static bool check_sets(struct named_rule *n, const struct pat *p)
{
    const struct rule *r = n->r;
    bool join = p->kind == PAT_OP && p->op == OP_CONCATENATE;
    uint32_t cls = join ? (uint32_t)__builtin_ctzll(p->classes) : NONE;
    for (uint32_t k = 0; k < p->n_args; k++) {
        const struct pat *a = &r->pats[p->args[k]];
        for (uint32_t i = 0; i < a->n_sizes; i++) {
            uint32_t c = a->sizes[i].cls;
            const struct iexp *in = size_on_class(p, c);
            const struct iexp *beside = size_on_class(&r->pats[p->args[0]], c);
            if ((n->bound & BIT(c)) && c != cls &&
                ((in && !iexp_same(in, a->sizes[i].size)) ||
                 (beside && !iexp_same(beside, a->sizes[i].size))))
                return named_fail(n, "two sizes of %s that must agree",
                                  r->classes[c].name);
        }
    }
    if (!join)
        return true;
    const struct iexp *s = size_on_class(p, cls);
    return (p->n_args == 2 && s->op == IE_ADD &&
            iexp_same(s->a, size_on_class(&r->pats[p->args[0]], cls)) &&
            iexp_same(s->b, size_on_class(&r->pats[p->args[1]], cls))) ||
           named_fail(n, "a join of other than two");
}

static bool check_partners(struct named_rule *n)
{
    const struct rule *r = n->r;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        bool joint = r->classes[c].joint != c;
        for (uint32_t d = 0; d < r->n_classes; d++)
            joint |= d != c && r->classes[d].joint == c;
        if ((n->bound & BIT(c)) && (joint || !alone(r, c)))
            return named_fail(n, "%s is bound and has partners",
                              r->classes[c].name);
    }
    return true;
}

// Sets that the side joins.
static uint32_t joined_in(const struct named_rule *n, uint32_t root)
{
    const struct pat *p = &n->r->pats[root];
    uint32_t sets = 0;
    for (uint32_t i = 0; i < p->n_args; i++)
        sets |= joined_in(n, p->args[i]);
    if (p->kind == PAT_OP && p->op == OP_CONCATENATE)
        sets |= 1U << named_set_of(n, p->n_sizes, p->sizes,
                                   (uint32_t)__builtin_ctzll(p->classes));
    return sets;
}

// The size of a set is a map; or a sum that the side that is matched joins, so
// that what is matched has that size.
static bool check_sizes(struct named_rule *n, uint32_t from)
{
    uint32_t joined = joined_in(n, from);
    for (uint32_t k = 0; k < n->n_sets; k++) {
        const struct iexp *s = n->set[k].size;
        bool map = s->op == IE_MAP && !n->r->maps[s->map].def &&
                   !n->r->maps[s->map].index;
        if (!map && !(joined >> k & 1))
            return named_fail(n, "a size of %s is computed",
                              n->r->classes[n->set[k].cls].name);
    }
    return true;
}

// ---- sizes of 1 ----

// All maps are 1, and what is computed from them.
static bool ones(struct named_rule *n)
{
    const struct rule *r = n->r;
    for (uint32_t m = 0; m < r->n_maps; m++) {
        n->one[m] = 1;
        n->ones[m] = &n->one[m];
        if (r->maps[m].def &&
            (r->maps[m].index ||
             !iexp_eval(r->maps[m].def, n->ones, 0, &n->one[m])))
            return named_fail(n, "%s has no value", r->maps[m].name);
    }
    return true;
}

// Classes that are not bound get one index.
static bool check_ones(struct named_rule *n, const struct pat *p)
{
    for (uint32_t i = 0; i < p->n_sizes; i++) {
        int64_t v;
        uint32_t c = p->sizes[i].cls;
        if (!(n->bound & BIT(c)) &&
            (!iexp_eval(p->sizes[i].size, n->ones, 0, &v) || v != 1))
            return named_fail(n, "a size of %s cannot be 1",
                              n->r->classes[c].name);
    }
    return true;
}

// ---- conditions on maps ----

enum { MAX_MAPS = 64 };
#define MAX_CONST ((int64_t)1 << 40)

// by * x is added.  False: not linear.
static bool linear(const struct named_rule *n, const struct iexp *x, int64_t by,
                   int64_t *k, int64_t *coef)
{
    const struct map *m;
    switch (x->op) {
    case IE_CONST:
        *k += by * x->k;
        return x->k < MAX_CONST && x->k > -MAX_CONST;
    case IE_MAP:
        m = &n->r->maps[x->map];
        if (m->def)
            return linear(n, m->def, by, k, coef);
        if (x->map >= MAX_MAPS)
            return false;
        coef[x->map] += by;
        return true;
    case IE_ADD:
        return linear(n, x->a, by, k, coef) && linear(n, x->b, by, k, coef);
    case IE_SUB:
        return linear(n, x->a, by, k, coef) && linear(n, x->b, -by, k, coef);
    case IE_NEG:
        return linear(n, x->a, -by, k, coef);
    default:
        return false;
    }
}

// a - b >= least, where every map is at least 1.
static bool at_least(const struct named_rule *n, const struct iexp *a,
                     const struct iexp *b, int64_t least)
{
    int64_t k = 0, coef[MAX_MAPS] = {0};
    if (!linear(n, a, 1, &k, coef) || !linear(n, b, -1, &k, coef))
        return false;
    for (uint32_t m = 0; m < MAX_MAPS; m++) {
        if (coef[m] < 0)
            return false;
        k += coef[m];
    }
    return k >= least;
}

static bool equal(const struct named_rule *n, const struct iexp *a,
                  const struct iexp *b)
{
    return at_least(n, a, b, 0) && at_least(n, b, a, 0);
}

static bool follows(const struct named_rule *n, const struct cond *c, bool holds)
{
    switch (c->op) {
    case COND_LE:
        return holds ? at_least(n, c->b, c->a, 0) : at_least(n, c->a, c->b, 1);
    case COND_LT:
        return holds ? at_least(n, c->b, c->a, 1) : at_least(n, c->a, c->b, 0);
    case COND_EQ:
    case COND_NE:
        if (holds == (c->op == COND_EQ))
            return equal(n, c->a, c->b);
        return at_least(n, c->a, c->b, 1) || at_least(n, c->b, c->a, 1);
    case COND_AND:
    case COND_OR:
        if (holds == (c->op == COND_AND))
            return follows(n, c->l, holds) && follows(n, c->r, holds);
        return follows(n, c->l, holds) || follows(n, c->r, holds);
    case COND_NOT:
        return follows(n, c->l, !holds);
    }
    return false;
}

static bool of_bound_iexp(const struct named_rule *n, const struct iexp *x)
{
    const struct map *maps = n->r->maps;
    if (!x)
        return false;
    if (x->op == IE_MAP)
        return (n->bound & BIT(maps[x->map].cls)) ||
               of_bound_iexp(n, maps[x->map].def);
    return of_bound_iexp(n, x->a) || of_bound_iexp(n, x->b);
}

static bool of_bound(const struct named_rule *n, const struct cond *c)
{
    return c && (of_bound_iexp(n, c->a) || of_bound_iexp(n, c->b) ||
                 of_bound(n, c->l) || of_bound(n, c->r));
}

static bool check_conditions(struct named_rule *n)
{
    const struct rule *r = n->r;
    for (uint32_t i = 0; i < r->n_wheres; i++) {
        const struct cond *c = r->wheres[i].cond;
        bool v;
        if (c && !follows(n, c, true) &&
            (of_bound(n, c) || !cond_eval(c, n->ones, 0, &v) || !v))
            return named_fail(n, "a condition on sizes");
    }
    return true;
}

bool named_prepare(struct named_rule *n, uint32_t from)
{
    n->bound = 0;
    n->n_sets = 0;
    if (!each_root(n, speaks) || !each_root(n, bind))
        return false;
    drop_companions(n);
    return ones(n) && each_root(n, add_sets) && each_root(n, check_sets) &&
           check_partners(n) && check_sizes(n, from) &&
           each_root(n, check_ones) && check_conditions(n);
}
