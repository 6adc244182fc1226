// SPDX-License-Identifier: Apache-2.0
// Maps from equations: a bare map in an attribute is bound, and so is the only
// unknown map of a sum, difference or product.  Everything is compared again
// once all maps are known.
#include "egraph/match/pattern.h"

struct map_values map_values_new(const struct rule *r, struct arena *mem)
{
    struct map_values v;
    v.value = ARENA_NEW(mem, int64_t, r->n_maps);
    v.at = ARENA_NEW(mem, int64_t *, r->n_maps);
    v.known = ARENA_NEW(mem, bool, r->n_maps);
    v.start = ARENA_NEW(mem, uint32_t, r->n_maps);
    for (uint32_t m = 0; m < r->n_maps; m++)
        v.at[m] = &v.value[m];
    return v;
}

bool iexp_is_index(const struct rule *r, const struct iexp *x)
{
    return x->op == IE_MAP && r->maps[x->map].index &&
           r->maps[x->map].def == NULL;
}

// Occurrences of unknown maps, up to 2; a let counts as what it stands for.
unsigned iexp_unknowns(const struct rule *r, const struct iexp *x,
                       const struct map_values *v)
{
    if (x == NULL || x->op == IE_CONST)
        return 0;
    if (x->op == IE_MAP) {
        if (v->known[x->map])
            return 0;
        const struct iexp *def = r->maps[x->map].def;
        return def == NULL ? 1 : iexp_unknowns(r, def, v);
    }
    unsigned n = iexp_unknowns(r, x->a, v);
    return n >= 2 ? 2 : n + iexp_unknowns(r, x->b, v);
}

// Value of an expression without unknowns; lets may not be computed yet.
static bool evaluate(const struct rule *r, const struct iexp *x,
                     const struct map_values *v, int64_t *out)
{
    if (x->op == IE_MAP && !v->known[x->map])
        return evaluate(r, r->maps[x->map].def, v, out);
    if (x->op == IE_CONST || x->op == IE_MAP)
        return iexp_eval(x, v->at, 0, out);
    int64_t a, b = 0;
    if (!evaluate(r, x->a, v, &a) ||
        (x->b != NULL && !evaluate(r, x->b, v, &b)))
        return false;
    struct iexp ca = {.op = IE_CONST, .k = a}, cb = {.op = IE_CONST, .k = b};
    struct iexp flat = {.op = x->op, .a = &ca};
    flat.b = x->b != NULL ? &cb : NULL;
    return iexp_eval(&flat, v->at, 0, out);
}

// x has exactly one unknown; wants x = value.
static enum equation_result invert(const struct rule *r, const struct iexp *x,
                            int64_t value, struct map_values *v)
{
    if (x->op == IE_MAP) {
        if (r->maps[x->map].def != NULL)
            return invert(r, r->maps[x->map].def, value, v);
        v->value[x->map] = value;
        v->known[x->map] = true;
        return EQ_HOLDS;
    }
    if (x->op == IE_NEG)
        return value == INT64_MIN ? EQ_FAILS : invert(r, x->a, -value, v);
    if (x->op != IE_ADD && x->op != IE_SUB && x->op != IE_MUL)
        return EQ_OPEN;
    bool left = iexp_unknowns(r, x->a, v) == 1;
    const struct iexp *unknown = left ? x->a : x->b;
    int64_t k, rest;
    if (!evaluate(r, left ? x->b : x->a, v, &k))
        return EQ_FAILS;
    bool over = false;
    if (x->op == IE_ADD) {
        over = __builtin_sub_overflow(value, k, &rest);
    } else if (x->op == IE_SUB && left) {
        over = __builtin_add_overflow(value, k, &rest);
    } else if (x->op == IE_SUB) {
        over = __builtin_sub_overflow(k, value, &rest);
    } else {
        if (k == 0)
            return value == 0 ? EQ_OPEN : EQ_FAILS;
        if ((k == -1 && value == INT64_MIN) || value % k != 0)
            return EQ_FAILS;
        rest = value / k;
    }
    return over ? EQ_FAILS : invert(r, unknown, rest, v);
}

void equation_binds(const struct rule *r, const struct iexp *x,
                    struct map_values *v, bool *bound)
{
    while (iexp_unknowns(r, x, v) == 1) {
        if (x->op == IE_MAP && r->maps[x->map].def == NULL) {
            v->known[x->map] = *bound = true;
            return;
        }
        if (x->op == IE_MAP)
            x = r->maps[x->map].def;
        else if (x->op == IE_NEG || x->op == IE_ADD || x->op == IE_SUB ||
                 x->op == IE_MUL)
            x = iexp_unknowns(r, x->a, v) == 1 ? x->a : x->b;
        else
            return;
    }
}

enum equation_result equation_solve(const struct rule *r, const struct iexp *x,
                             int64_t value, struct map_values *v, bool *bound)
{
    unsigned n = iexp_unknowns(r, x, v);
    int64_t found;
    if (n == 0)
        return evaluate(r, x, v, &found) && found == value ? EQ_HOLDS
                                                           : EQ_FAILS;
    if (n > 1)
        return EQ_OPEN;
    enum equation_result q = invert(r, x, value, v);
    if (q == EQ_HOLDS)
        *bound = true;
    return q;
}

bool lets_solve(const struct rule *r, struct map_values *v, bool *bound)
{
    for (uint32_t m = 0; m < r->n_maps; m++) {
        const struct iexp *def = r->maps[m].def;
        if (def == NULL || r->maps[m].index || v->known[m] ||
            iexp_unknowns(r, def, v) > 0)
            continue;
        if (!evaluate(r, def, v, &v->value[m]))
            return false;
        v->known[m] = true;
        *bound = true;
    }
    return true;
}

static bool iexp_known(const struct iexp *x, const struct map_values *v)
{
    if (x == NULL || x->op == IE_CONST)
        return true;
    if (x->op == IE_MAP)
        return v->known[x->map];
    return iexp_known(x->a, v) && iexp_known(x->b, v);
}

bool cond_known(const struct cond *c, const struct map_values *v)
{
    return c == NULL || (iexp_known(c->a, v) && iexp_known(c->b, v) &&
                         cond_known(c->l, v) && cond_known(c->r, v));
}
