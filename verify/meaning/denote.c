// SPDX-License-Identifier: Apache-2.0
// Classes and places, integer expressions, preconditions.
#include "verify/meaning/parts.h"

bool denote_init(struct denote *denote, struct exprs *exprs, const struct rule *rule,
                 const uint32_t *rank)
{
    *denote = (struct denote){.exprs = exprs, .rule = rule, .max_rank = 1};
    if (rule->n_classes > 64)
        return false;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        denote->rank[c] = rank[c];
        if (rank[c] > denote->max_rank)
            denote->max_rank = rank[c];
    }
    return true;
}

void denote_release(struct denote *denote)
{
    vec_release(&denote->folds);
    vec_release(&denote->dropped);
}

uint32_t denote_rank_class(const struct rule *rule, uint32_t cls)
{
    while (rule->classes[cls].like != cls)
        cls = rule->classes[cls].like;
    return cls;
}

// The classes whose sizes a grouped convolution relates.
static uint64_t grouped(const struct pat *pattern)
{
    uint64_t set = 0;
    if (!denote_is_op(pattern, OP_CONVOLUTION))
        return 0;
    if (pattern->feature_groups != NULL)
        set |= pattern->classes | pattern->out;
    if (pattern->batch_groups != NULL)
        set |= pattern->batch | pattern->out;
    return set;
}

uint32_t denote_family(const struct rule *rule, uint32_t cls)
{
    uint64_t family = 0, next = (uint64_t)1 << (cls & 63);
    while (next != family) {
        family = next;
        for (uint32_t c = 0; c < rule->n_classes && c < 64; c++)
            for (uint32_t k = 0; k < rule->n_classes && k < 64; k++)
                if (denote_bit(family, c) &&
                    (rule->classes[c].joint == rule->classes[k].joint ||
                     denote_rank_class(rule, c) == denote_rank_class(rule, k)))
                    next |= (uint64_t)1 << k;
        for (uint32_t i = 0; i < rule->n_pats; i++)
            if ((grouped(&rule->pats[i]) & next) != 0)
                next |= grouped(&rule->pats[i]);
    }
    return denote_lowest_bit(family);
}

bool denote_one_axis(const struct rule *rule, uint32_t cls)
{
    bool one = false;
    for (uint32_t c = 0; c < rule->n_classes && !one; c++)
        one = (rule->classes[c].single || rule->classes[c].block) &&
              denote_family(rule, c) == denote_family(rule, cls);
    return one;
}

uint32_t denote_lowest_bit(uint64_t set)
{
    uint32_t c = 0;
    while (c < 63 && (set >> c & 1) == 0)
        c++;
    return c;
}

uint32_t denote_part(const struct rule *rule, uint32_t cls, uint32_t place)
{
    return place * rule->n_classes + denote_family(rule, cls);
}

expr_id denote_iexp(struct denote *denote, const struct iexp *expr, uint32_t place)
{
    struct exprs *exprs = denote->exprs;
    if (expr->op == IE_CONST)
        return expr_int(exprs, expr->k);
    if (expr->op == IE_MAP) {
        const struct map *map = &denote->rule->maps[expr->map];
        if (map->def != NULL)
            return denote_iexp(denote, map->def, place);
        return expr_var(exprs, VAR_MAP, expr->map, place, 0,
                        denote_part(denote->rule, map->cls, place));
    }
    expr_id a = denote_iexp(denote, expr->a, place);
    expr_id b = expr->b == NULL ? a : denote_iexp(denote, expr->b, place);
    switch (expr->op) {
    case IE_ADD:
        return expr_add(exprs, a, b);
    case IE_SUB:
        return expr_sub(exprs, a, b);
    case IE_MUL:
        return expr_mul(exprs, a, b);
    case IE_NEG:
        return expr_neg(exprs, a);
    case IE_DIV:
        return expr_div(exprs, a, b);
    case IE_MOD:
        return expr_mod(exprs, a, b);
    case IE_CDIV:
        return expr_ceildiv(exprs, a, b);
    case IE_MIN:
        return expr_min(exprs, a, b);
    case IE_MAX:
        return expr_max(exprs, a, b);
    case IE_ABS:
        return expr_abs(exprs, a);
    case IE_CONST:
    case IE_MAP:
        break;
    }
    BUG("integer expression of kind %d", (int)expr->op);
}

expr_id denote_defined(struct denote *denote, const struct iexp *expr, uint32_t place)
{
    struct exprs *exprs = denote->exprs;
    expr_id all = expr_true(exprs);
    if (expr->op == IE_CONST)
        return all;
    if (expr->op == IE_MAP) {
        const struct map *map = &denote->rule->maps[expr->map];
        return map->def == NULL ? all : denote_defined(denote, map->def, place);
    }
    all = denote_defined(denote, expr->a, place);
    if (expr->b != NULL)
        all = expr_and2(exprs, all, denote_defined(denote, expr->b, place));
    if (expr->op == IE_DIV || expr->op == IE_MOD || expr->op == IE_CDIV) {
        expr_id b = denote_iexp(denote, expr->b, place);
        all = expr_and2(exprs, all, expr_not(exprs, expr_eq(exprs, b, expr_int(exprs, 0))));
    }
    return all;
}

static expr_id comparison(struct denote *denote, const struct cond *condition, uint32_t place)
{
    struct exprs *exprs = denote->exprs;
    expr_id a = denote_iexp(denote, condition->a, place),
            b = denote_iexp(denote, condition->b, place);
    switch (condition->op) {
    case COND_LE:
        return expr_le(exprs, a, b);
    case COND_LT:
        return expr_lt(exprs, a, b);
    case COND_EQ:
        return expr_eq(exprs, a, b);
    default:
        return expr_not(exprs, expr_eq(exprs, a, b));
    }
}

expr_id denote_cond(struct denote *denote, const struct cond *condition, uint32_t place,
                    bool wanted)
{
    struct exprs *exprs = denote->exprs;
    if (condition->op == COND_NOT)
        return denote_cond(denote, condition->l, place, !wanted);
    if (condition->op == COND_AND || condition->op == COND_OR) {
        expr_id l = denote_cond(denote, condition->l, place, wanted);
        expr_id r = denote_cond(denote, condition->r, place, wanted);
        return (condition->op == COND_AND) == wanted ? expr_and2(exprs, l, r)
                                                     : expr_or2(exprs, l, r);
    }
    expr_id p = comparison(denote, condition, place);
    expr_id all[] = {denote_defined(denote, condition->a, place),
                     denote_defined(denote, condition->b, place), wanted ? p : expr_not(exprs, p)};
    return expr_and(exprs, 3, all);
}

void denote_where(struct denote *denote, struct clauses *out)
{
    for (uint32_t w = 0; w < denote->rule->n_wheres; w++) {
        const struct where *where = &denote->rule->wheres[w];
        if (where->cond == NULL)
            continue;
        for (uint32_t k = 0; k < denote->rank[where->family]; k++) {
            struct clause clause = {denote_cond(denote, where->cond, k, true),
                                    denote_family(denote->rule, where->family),
                                    k,
                                    where->family,
                                    "precondition",
                                    NONE,
                                    false};
            if (denote->exprs->node.at[clause.cond].kind != X_TRUE)
                vec_push(&out->at, clause);
        }
    }
}

bool denote_below(const struct rule *rule, uint32_t root, uint32_t pat)
{
    const struct pat *pattern = &rule->pats[root];
    bool found = root == pat;
    // Arguments have smaller numbers than their users.
    for (uint32_t i = 0; i < pattern->n_args && !found; i++)
        found = pattern->args[i] >= pat && denote_below(rule, pattern->args[i], pat);
    return found;
}

bool denote_iexp_within(const struct rule *rule, const struct iexp *expr, uint32_t cls)
{
    if (expr == NULL)
        return true;
    if (expr->op == IE_MAP)
        return denote_family(rule, rule->maps[expr->map].cls) == denote_family(rule, cls);
    return denote_iexp_within(rule, expr->a, cls) && denote_iexp_within(rule, expr->b, cls);
}

uint32_t denote_iexp_class(const struct rule *rule, const struct iexp *expr)
{
    if (expr == NULL)
        return NONE;
    if (expr->op == IE_MAP)
        return rule->maps[expr->map].cls;
    uint32_t c = denote_iexp_class(rule, expr->a);
    return c != NONE ? c : denote_iexp_class(rule, expr->b);
}
