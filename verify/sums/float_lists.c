// SPDX-License-Identifier: Apache-2.0
// Sums of floats, which are compared term by term, in order.
#include "verify/sums/parts.h"
#include "verify/limits.h"

static bool is_list(const struct coeff *sums, expr_id e)
{
    const struct expr *node = expr_at(&sums->session->exprs, e);
    return node->kind == X_REDUCE && (node->op == OP_ADD || node->op == OP_MULTIPLY) &&
           denote_is_float(sums->session->rule, node->type, sums->domain);
}

static bool has_list(const struct coeff *sums, expr_id e)
{
    const struct exprs *exprs = &sums->session->exprs;
    struct u32_vec reach = {0};
    bool found = false;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len && !found; i++)
        found = is_list(sums, reach.at[i]);
    vec_release(&reach);
    return found;
}

// A sum of floats as a list: its body, its bound variables and their extents.
struct float_list {
    expr_id body;
    uint32_t n;
    expr_id var[VERIFY_SUM_INDICES], size[VERIFY_SUM_INDICES];
};

// The list of a sum.  A contraction starts with 0 whatever its axes are, so its axes of size
// 1 are left out.
static bool list_of(struct coeff *sums, expr_id e, struct float_list *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    enum op op = sums->session->rule->pats[node.k].op;
    expr_id zero = expr_int(exprs, 0), one = expr_int(exprs, 1);
    *out = (struct float_list){.body = expr_arg(exprs, e, 0)};
    for (uint32_t i = 1; i + 1 < node.n; i += 2) {
        expr_id v = expr_arg(exprs, e, i), size = expr_arg(exprs, e, i + 1);
        uint32_t part = exprs->var.at[expr_at(exprs, v)->sym].part, family = NONE;
        if (out->n == VERIFY_SUM_INDICES || part >= sums->n_families ||
            !coeff_family(sums, size, &family) || (family != NONE && family != part))
            return false;
        if ((op == OP_DOT_GENERAL || op == OP_CONVOLUTION) &&
            coeff_follows(sums, part, NULL, expr_eq(exprs, size, one))) {
            out->body = expr_subst(exprs, out->body, 1, &v, &zero);
            continue;
        }
        out->var[out->n] = v;
        out->size[out->n++] = size;
    }
    return true;
}

// Do the lists have the same classes in the same order, equally often?  Then their variables
// are replaced by common new ones, with the ranges as hypotheses.
static bool same_places(struct coeff *sums, struct float_list *a, struct float_list *b)
{
    struct exprs *exprs = &sums->session->exprs;
    expr_id to[VERIFY_SUM_INDICES];
    bool same = a->n == b->n;
    for (uint32_t i = 0; same && i < a->n; i++) {
        const struct var var = exprs->var.at[expr_at(exprs, a->var[i])->sym];
        const struct var q = exprs->var.at[expr_at(exprs, b->var[i])->sym];
        same = var.part == q.part && (var.a == q.a || a->n == 1) &&
               coeff_follows(sums, var.part, NULL, expr_eq(exprs, a->size[i], b->size[i]));
        to[i] = expr_fresh(exprs, var.part);
        vec_push(&sums->hyps[var.part],
                 canon(&sums->session->polys, expr_le(exprs, expr_int(exprs, 0), to[i])));
        vec_push(&sums->hyps[var.part],
                 canon(&sums->session->polys, expr_lt(exprs, to[i], a->size[i])));
    }
    if (!same)
        return false;
    a->body = expr_subst(exprs, a->body, a->n, a->var, to);
    b->body = expr_subst(exprs, b->body, b->n, b->var, to);
    return true;
}

// Lists are the same if their terms are the same, one by one.
static bool same_list(struct coeff *sums, expr_id a, expr_id b)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, a), n = *expr_at(exprs, b);
    struct float_list list, v;
    uint32_t len[64];
    if (node.op != n.op || node.type != n.type || !list_of(sums, a, &list) || !list_of(sums, b, &v))
        return false;
    for (uint32_t f = 0; f < sums->n_families; f++)
        len[f] = sums->hyps[f].len;
    bool same = same_places(sums, &list, &v) && coeff_same(sums, list.body, v.body);
    for (uint32_t f = 0; f < sums->n_families; f++)
        sums->hyps[f].len = len[f];
    return same;
}

// Replaces quotients of single axes that are 0 or 1 in this case, such as the group of an
// output.
static expr_id known_quotients(struct coeff *sums, expr_id e)
{
    struct exprs *exprs = &sums->session->exprs;
    struct u32_vec reach = {0}, from = {0}, to = {0};
    const char *why = sums->why;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        uint32_t family = NONE;
        if (expr_at(exprs, reach.at[i])->kind != X_DIV ||
            !coeff_family(sums, reach.at[i], &family) || family == NONE ||
            !coeff_is_single(sums, family))
            continue;
        for (int64_t q = 0; q < 2; q++) {
            if (!coeff_follows(sums, family, NULL, expr_eq(exprs, reach.at[i], expr_int(exprs, q))))
                continue;
            vec_push(&from, reach.at[i]);
            vec_push(&to, expr_int(exprs, q));
            break;
        }
    }
    sums->why = why;
    e = expr_subst(exprs, e, from.len, from.at, to.at);
    vec_release(&reach);
    vec_release(&from);
    vec_release(&to);
    return canon(&sums->session->polys, e);
}

// Compares a choice between sums of floats case by case, if its condition is about a single
// axis, which exists at all ranks.
static bool same_cases(struct coeff *sums, expr_id e, expr_id other)
{
    struct exprs *exprs = &sums->session->exprs;
    expr_id c = canon(&sums->session->polys, expr_arg(exprs, e, 0));
    uint32_t family = NONE;
    if (!coeff_family(sums, c, &family) || family == NONE || !coeff_is_single(sums, family))
        return false;
    bool same = true;
    uint32_t len = sums->hyps[family].len;
    for (uint32_t v = 0; v < 2 && same; v++) {
        vec_push(&sums->hyps[family],
                 v == 0 ? c : canon(&sums->session->polys, expr_not(exprs, c)));
        same = coeff_same(sums, known_quotients(sums, expr_arg(exprs, e, 1 + v)),
                          known_quotients(sums, other));
        sums->hyps[family].len = len;
    }
    return same;
}

// A sum of floats along an axis of size 0, which every rank has, is 0.
expr_id coeff_without_empty(struct coeff *sums, expr_id e)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    const struct expr body = *expr_at(exprs, node.n > 0 ? expr_arg(exprs, e, 0) : e);
    if (!is_list(sums, e) || (body.kind == X_OP && body.op == OP_OPAQUE))
        return e;
    for (uint32_t i = 1; i + 1 < node.n; i += 2) {
        uint32_t part = exprs->var.at[expr_at(exprs, expr_arg(exprs, e, i))->sym].part;
        expr_id size = expr_arg(exprs, e, i + 1);
        if (part < sums->n_families && coeff_is_single(sums, part) &&
            coeff_follows(sums, part, NULL, expr_eq(exprs, size, expr_int(exprs, 0))))
            return expr_literal(exprs, LIT_INT, node.op == OP_MULTIPLY, 0, node.type);
    }
    return e;
}

// Compares elements that are sums of floats or choices between them.
bool coeff_same_lists(struct coeff *sums, expr_id a, expr_id b)
{
    const struct exprs *exprs = &sums->session->exprs;
    if (is_list(sums, a) && is_list(sums, b))
        return same_list(sums, a, b);
    if (expr_at(exprs, a)->kind == X_PICK && has_list(sums, b))
        return same_cases(sums, a, b);
    return expr_at(exprs, b)->kind == X_PICK && has_list(sums, a) && same_cases(sums, b, a);
}
