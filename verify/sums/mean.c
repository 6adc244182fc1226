// SPDX-License-Identifier: Apache-2.0
// Means over the reals: a term with a factor 1 / n, n being the number of
// indices of some classes, and with a binder over as many that occurs in
// nothing but its own range.  The sum over these is n times the rest, n is not
// 0, so both are dropped: at every rank, where n is a product over places and
// so is the sum.
#include "verify/sums/parts.h"

static bool is_one(const struct exprs *x, expr_id e)
{
    const struct expr *n = expr_at(x, e);
    if (n->kind == X_INJECT) { // as normal forms write it
        const struct expr *a = expr_at(x, expr_arg(x, e, 0));
        return a->kind == X_INT && a->k == 1;
    }
    return n->kind == X_LITERAL && n->op == LIT_INT && n->k == 1;
}

// 1 / (the number of indices): that sum; else NO_EXPR.
static expr_id counted(struct coeff *k, const struct cread *r)
{
    const struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, r->head);
    if (r->n > 0 || n.kind != X_OP || n.op != OP_DIVIDE ||
        !is_one(x, expr_arg(x, r->head, 0)))
        return NO_EXPR;
    expr_id sum = expr_arg(x, r->head, 1);
    const struct expr m = *expr_at(x, sum);
    return m.kind == X_REDUCE && m.op == OP_ADD &&
                   is_one(x, expr_arg(x, sum, 0)) && coeff_has_terms(k, sum)
               ? sum
               : NO_EXPR;
}

static bool is_guard_of(const struct cguard *g, expr_id low, expr_id high)
{
    return g->e == low || g->e == high;
}

// Does binder b of the term run over 0 .. size-1, and nothing else depend on
// it?
static bool is_free(struct coeff *k, const struct cterm *t, uint32_t b,
                    uint32_t family, expr_id size)
{
    struct exprs *x = &k->s->x;
    expr_id v = t->binder[b].e;
    expr_id low = canon(&k->s->p, expr_le(x, expr_int(x, 0), v));
    expr_id high = canon(&k->s->p, expr_lt(x, v, size));
    uint32_t found = 0;
    bool ok = t->binder[b].family == family;
    for (uint32_t i = 0; i < t->n_guards && ok; i++) {
        found += is_guard_of(&t->guard[i], low, high);
        ok = is_guard_of(&t->guard[i], low, high) ||
             !expr_contains(x, t->guard[i].e, v);
    }
    for (uint32_t i = 0; i < t->n_counts && ok; i++)
        ok = !expr_contains(x, t->count[i].e, v);
    for (uint32_t i = 0; i < t->n_reads && ok; i++) {
        ok = !expr_contains(x, t->read[i].head, v);
        for (uint32_t j = 0; j < t->read[i].n && ok; j++)
            ok = !expr_contains(x, t->read[i].arg[j], v);
    }
    return ok && found == 2 && low != high;
}

static void drop(struct coeff *k, struct cterm *t, uint32_t b)
{
    const struct exprs *x = &k->s->x;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->n_guards; i++)
        if (!expr_contains(x, t->guard[i].e, t->binder[b].e))
            t->guard[kept++] = t->guard[i];
    t->n_guards = kept;
    for (uint32_t i = b + 1; i < t->n_binders; i++)
        t->binder[i - 1] = t->binder[i];
    t->n_binders--;
}

// Drops a binder for each that the sum binds; all or none.
static bool drop_all(struct coeff *k, struct cterm *t, expr_id sum)
{
    struct exprs *x = &k->s->x;
    struct cterm u = *t;
    for (uint32_t i = 1; i + 1 < expr_at(x, sum)->n; i += 2) {
        uint32_t part = x->var.at[expr_at(x, expr_arg(x, sum, i))->sym].part;
        uint32_t b = 0;
        while (b < u.n_binders &&
               !is_free(k, &u, b, part, expr_arg(x, sum, i + 1)))
            b++;
        if (b == u.n_binders)
            return false;
        drop(k, &u, b);
    }
    *t = u;
    return true;
}

bool coeff_cancel_counts(struct coeff *k, struct csum *sum)
{
    for (uint32_t i = 0; i < sum->at.len; i++) {
        struct cterm *t = &sum->at.at[i];
        for (uint32_t j = 0; j < t->n_reads;) {
            expr_id n = counted(k, &t->read[j]);
            if (n == NO_EXPR || !drop_all(k, t, n)) {
                j++;
                continue;
            }
            for (uint32_t r = j + 1; r < t->n_reads; r++)
                t->read[r - 1] = t->read[r];
            t->n_reads--;
        }
    }
    return !k->s->p.overflow;
}
