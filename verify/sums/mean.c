// SPDX-License-Identifier: Apache-2.0
// Means over the reals.  Take a term with a factor 1 / n, where n is the number of indices
// of some classes, and with a binder over equally many indices that occurs in its own range
// only.  The sum over the binder is n times the rest, and n is not 0, so both are dropped.
// This holds at every rank, where n and the sum are both products over places.
#include "verify/sums/parts.h"

static bool is_one(const struct exprs *exprs, expr_id e)
{
    const struct expr *node = expr_at(exprs, e);
    if (node->kind == X_INJECT) { // as normal forms write it
        const struct expr *a = expr_at(exprs, expr_arg(exprs, e, 0));
        return a->kind == X_INT && a->k == 1;
    }
    return node->kind == X_LITERAL && node->op == LIT_INT && node->k == 1;
}

// For 1 / (the number of indices): the sum that counts them; otherwise NO_EXPR.
static expr_id counted(struct coeff *sums, const struct cread *read_of)
{
    const struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, read_of->head);
    if (read_of->n > 0 || node.kind != X_OP || node.op != OP_DIVIDE ||
        !is_one(exprs, expr_arg(exprs, read_of->head, 0)))
        return NO_EXPR;
    expr_id sum = expr_arg(exprs, read_of->head, 1);
    const struct expr m = *expr_at(exprs, sum);
    return m.kind == X_REDUCE && m.op == OP_ADD && is_one(exprs, expr_arg(exprs, sum, 0)) &&
                   coeff_has_terms(sums, sum)
               ? sum
               : NO_EXPR;
}

static bool is_guard_of(const struct cguard *guard, expr_id low, expr_id high)
{
    return guard->e == low || guard->e == high;
}

// Does binder b of the term run over 0 .. size-1, and does nothing else depend on it?
static bool is_free(struct coeff *sums, const struct cterm *term, uint32_t b, uint32_t family,
                    expr_id size)
{
    struct exprs *exprs = &sums->session->exprs;
    expr_id v = term->binder[b].e;
    expr_id low = canon(&sums->session->polys, expr_le(exprs, expr_int(exprs, 0), v));
    expr_id high = canon(&sums->session->polys, expr_lt(exprs, v, size));
    uint32_t found = 0;
    bool ok = term->binder[b].family == family;
    for (uint32_t i = 0; i < term->n_guards && ok; i++) {
        found += is_guard_of(&term->guard[i], low, high);
        ok = is_guard_of(&term->guard[i], low, high) || !expr_contains(exprs, term->guard[i].e, v);
    }
    for (uint32_t i = 0; i < term->n_counts && ok; i++)
        ok = !expr_contains(exprs, term->count[i].e, v);
    for (uint32_t i = 0; i < term->n_reads && ok; i++) {
        ok = !expr_contains(exprs, term->read[i].head, v);
        for (uint32_t j = 0; j < term->read[i].n && ok; j++)
            ok = !expr_contains(exprs, term->read[i].arg[j], v);
    }
    return ok && found == 2 && low != high;
}

static void drop(struct coeff *sums, struct cterm *term, uint32_t b)
{
    const struct exprs *exprs = &sums->session->exprs;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < term->n_guards; i++)
        if (!expr_contains(exprs, term->guard[i].e, term->binder[b].e))
            term->guard[kept++] = term->guard[i];
    term->n_guards = kept;
    for (uint32_t i = b + 1; i < term->n_binders; i++)
        term->binder[i - 1] = term->binder[i];
    term->n_binders--;
}

// Drops one binder for each variable that the sum binds: all or none.
static bool drop_all(struct coeff *sums, struct cterm *term, expr_id sum)
{
    struct exprs *exprs = &sums->session->exprs;
    struct cterm u = *term;
    for (uint32_t i = 1; i + 1 < expr_at(exprs, sum)->n; i += 2) {
        uint32_t part = exprs->var.at[expr_at(exprs, expr_arg(exprs, sum, i))->sym].part;
        uint32_t b = 0;
        while (b < u.n_binders && !is_free(sums, &u, b, part, expr_arg(exprs, sum, i + 1)))
            b++;
        if (b == u.n_binders)
            return false;
        drop(sums, &u, b);
    }
    *term = u;
    return true;
}

bool coeff_cancel_counts(struct coeff *sums, struct csum *sum)
{
    for (uint32_t i = 0; i < sum->at.len; i++) {
        struct cterm *term = &sum->at.at[i];
        for (uint32_t j = 0; j < term->n_reads;) {
            expr_id n = counted(sums, &term->read[j]);
            if (n == NO_EXPR || !drop_all(sums, term, n)) {
                j++;
                continue;
            }
            for (uint32_t r = j + 1; r < term->n_reads; r++)
                term->read[r - 1] = term->read[r];
            term->n_reads--;
        }
    }
    return !sums->session->polys.overflow;
}
