// SPDX-License-Identifier: Apache-2.0
// Sums of floats, which are compared term by term, in order.
#include "verify/sums/parts.h"

static bool is_list(const struct coeff *k, expr_id e)
{
    const struct expr *n = expr_at(&k->s->x, e);
    return n->kind == X_REDUCE && (n->op == OP_ADD || n->op == OP_MULTIPLY) &&
           denote_is_float(k->s->r, n->type, k->domain);
}

static bool has_list(const struct coeff *k, expr_id e)
{
    const struct exprs *x = &k->s->x;
    struct u32_vec reach = {0};
    bool found = false;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len && !found; i++)
        found = is_list(k, reach.at[i]);
    vec_release(&reach);
    return found;
}

// A sum of floats as a list: its body, the variables it binds and how far.
struct float_list {
    expr_id body;
    uint32_t n;
    expr_id var[MAX_INDICES], size[MAX_INDICES];
};

// Axes of size 1 of a contraction, which starts with 0 whatever axes it has,
// are left out.
static bool list_of(struct coeff *k, expr_id e, struct float_list *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    enum op op = k->s->r->pats[n.k].op;
    expr_id zero = expr_int(x, 0), one = expr_int(x, 1);
    *out = (struct float_list){.body = expr_arg(x, e, 0)};
    for (uint32_t i = 1; i + 1 < n.n; i += 2) {
        expr_id v = expr_arg(x, e, i), size = expr_arg(x, e, i + 1);
        uint32_t part = x->var.at[expr_at(x, v)->sym].part, family = NONE;
        if (out->n == MAX_INDICES || part >= k->n_families ||
            !coeff_family(k, size, &family) ||
            (family != NONE && family != part))
            return false;
        if ((op == OP_DOT_GENERAL || op == OP_CONVOLUTION) &&
            coeff_follows(k, part, NULL, expr_eq(x, size, one))) {
            out->body = expr_subst(x, out->body, 1, &v, &zero);
            continue;
        }
        out->var[out->n] = v;
        out->size[out->n++] = size;
    }
    return true;
}

// Do the lists have the same classes in the same order, as often?  Then their
// variables become new ones, with their ranges as hypotheses.
static bool same_places(struct coeff *k, struct float_list *a,
                        struct float_list *b)
{
    struct exprs *x = &k->s->x;
    expr_id to[MAX_INDICES];
    bool same = a->n == b->n;
    for (uint32_t i = 0; same && i < a->n; i++) {
        const struct var p = x->var.at[expr_at(x, a->var[i])->sym];
        const struct var q = x->var.at[expr_at(x, b->var[i])->sym];
        same =
            p.part == q.part && (p.a == q.a || a->n == 1) &&
            coeff_follows(k, p.part, NULL, expr_eq(x, a->size[i], b->size[i]));
        to[i] = expr_fresh(x, p.part);
        vec_push(&k->hyps[p.part],
                 canon(&k->s->p, expr_le(x, expr_int(x, 0), to[i])));
        vec_push(&k->hyps[p.part],
                 canon(&k->s->p, expr_lt(x, to[i], a->size[i])));
    }
    if (!same)
        return false;
    a->body = expr_subst(x, a->body, a->n, a->var, to);
    b->body = expr_subst(x, b->body, b->n, b->var, to);
    return true;
}

// Lists of terms are the same if they are term by term.
static bool same_list(struct coeff *k, expr_id a, expr_id b)
{
    struct exprs *x = &k->s->x;
    const struct expr m = *expr_at(x, a), n = *expr_at(x, b);
    struct float_list u, v;
    uint32_t len[64];
    if (m.op != n.op || m.type != n.type || !list_of(k, a, &u) ||
        !list_of(k, b, &v))
        return false;
    for (uint32_t f = 0; f < k->n_families; f++)
        len[f] = k->hyps[f].len;
    bool same = same_places(k, &u, &v) && coeff_same(k, u.body, v.body);
    for (uint32_t f = 0; f < k->n_families; f++)
        k->hyps[f].len = len[f];
    return same;
}

// Quotients of single axes that are 0 or 1 in this case, such as the group that
// an output is in, replaced.
static expr_id known_quotients(struct coeff *k, expr_id e)
{
    struct exprs *x = &k->s->x;
    struct u32_vec reach = {0}, from = {0}, to = {0};
    const char *why = k->why;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        uint32_t family = NONE;
        if (expr_at(x, reach.at[i])->kind != X_DIV ||
            !coeff_family(k, reach.at[i], &family) || family == NONE ||
            !coeff_is_single(k, family))
            continue;
        for (int64_t q = 0; q < 2; q++) {
            if (!coeff_follows(k, family, NULL,
                               expr_eq(x, reach.at[i], expr_int(x, q))))
                continue;
            vec_push(&from, reach.at[i]);
            vec_push(&to, expr_int(x, q));
            break;
        }
    }
    k->why = why;
    e = expr_subst(x, e, from.len, from.at, to.at);
    vec_release(&reach);
    vec_release(&from);
    vec_release(&to);
    return canon(&k->s->p, e);
}

// A choice between sums of floats by a condition of a single axis, which is
// there at all ranks: case by case.
static bool same_cases(struct coeff *k, expr_id e, expr_id other)
{
    struct exprs *x = &k->s->x;
    expr_id c = canon(&k->s->p, expr_arg(x, e, 0));
    uint32_t family = NONE;
    if (!coeff_family(k, c, &family) || family == NONE ||
        !coeff_is_single(k, family))
        return false;
    bool same = true;
    uint32_t len = k->hyps[family].len;
    for (uint32_t v = 0; v < 2 && same; v++) {
        vec_push(&k->hyps[family],
                 v == 0 ? c : canon(&k->s->p, expr_not(x, c)));
        same = coeff_same(k, known_quotients(k, expr_arg(x, e, 1 + v)),
                          known_quotients(k, other));
        k->hyps[family].len = len;
    }
    return same;
}

// A sum of floats along an axis of size 0, which every rank has, is 0.
expr_id coeff_without_empty(struct coeff *k, expr_id e)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    const struct expr body = *expr_at(x, n.n > 0 ? expr_arg(x, e, 0) : e);
    if (!is_list(k, e) || (body.kind == X_OP && body.op == OP_OPAQUE))
        return e;
    for (uint32_t i = 1; i + 1 < n.n; i += 2) {
        uint32_t part = x->var.at[expr_at(x, expr_arg(x, e, i))->sym].part;
        expr_id size = expr_arg(x, e, i + 1);
        if (part < k->n_families && coeff_is_single(k, part) &&
            coeff_follows(k, part, NULL, expr_eq(x, size, expr_int(x, 0))))
            return expr_literal(x, LIT_INT, n.op == OP_MULTIPLY, 0, n.type);
    }
    return e;
}

// Elements that are sums of floats or choices between them.
bool coeff_same_lists(struct coeff *k, expr_id a, expr_id b)
{
    const struct exprs *x = &k->s->x;
    if (is_list(k, a) && is_list(k, b))
        return same_list(k, a, b);
    if (expr_at(x, a)->kind == X_PICK && has_list(k, b))
        return same_cases(k, a, b);
    return expr_at(x, b)->kind == X_PICK && has_list(k, a) &&
           same_cases(k, b, a);
}
