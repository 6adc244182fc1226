// SPDX-License-Identifier: Apache-2.0
// Conditions of well-definedness, and what attributes demand.
#include "verify/meaning/parts.h"

void denote_demand_clause(struct denote *denote, struct clauses *out, struct clause_site site,
                          expr_id cond, const char *what, bool each_axis)
{
    if (denote->exprs->node.at[cond].kind == X_TRUE)
        return;
    struct clause clause = {cond,
                            denote_family(denote->rule, site.cls),
                            site.place,
                            site.cls,
                            what,
                            site.pat,
                            each_axis && denote->rule->classes[site.cls].block &&
                                !denote->rule->classes[site.cls].single};
    vec_push(&out->at, clause);
}

void denote_demand(struct denote *denote, struct clauses *out, struct clause_site site,
                   expr_id cond, const char *what)
{
    denote_demand_clause(denote, out, site, cond, what, true);
}

void denote_demand_defined(struct denote *denote, struct clauses *out, struct clause_site site,
                           const struct iexp *expr)
{
    if (expr != NULL)
        denote_demand(denote, out, site, denote_defined(denote, expr, site.place),
                      "a divisor is not 0");
}

void denote_demand_size(struct denote *denote, struct clauses *out, struct clause_site site,
                        const struct iexp *size)
{
    denote_demand_defined(denote, out, site, size);
    denote_demand(
        denote, out, site,
        expr_le(denote->exprs, expr_int(denote->exprs, 0), denote_iexp(denote, size, site.place)),
        "a size is not negative");
}

void denote_demand_least(struct denote *denote, struct clauses *out, struct clause_site site,
                         int64_t least, expr_id e, const char *what)
{
    denote_demand(denote, out, site, expr_le(denote->exprs, expr_int(denote->exprs, least), e),
                  what);
}

void denote_demand_equal(struct denote *denote, struct clauses *out, struct clause_site site,
                         expr_id a, expr_id b, const char *what)
{
    denote_demand(denote, out, site, expr_eq(denote->exprs, a, b), what);
}

static void valid_slice(struct denote *denote, const struct pat *pattern,
                        const struct pat_attr *attr, struct clause_site site, struct clauses *out)
{
    struct exprs *exprs = denote->exprs;
    expr_id zero = expr_int(exprs, 0), one = expr_int(exprs, 1);
    expr_id n = denote_size(denote, pattern->args[0], site.cls, site.place);
    expr_id start = denote_attr_value(denote, attr, 0, site.place, zero);
    expr_id limit = denote_attr_value(denote, attr, 1, site.place, n);
    denote_demand_least(denote, out, site, 1, denote_attr_value(denote, attr, 2, site.place, one),
                        "slice: stride >= 1");
    denote_demand(denote, out, site, expr_le(exprs, zero, start), "slice: 0 <= start");
    denote_demand(denote, out, site, expr_le(exprs, start, limit), "slice: start <= limit");
    denote_demand(denote, out, site, expr_le(exprs, limit, n), "slice: limit <= size");
}

// Conditions of a window, and of a spatial class of a convolution, all of whose attributes
// may be missing.
void denote_valid_window(struct denote *denote, const struct pat *pattern, struct clause_site site,
                         struct clauses *out)
{
    struct sliding window = denote_sliding(denote, pattern, site.cls, site.place);
    denote_demand_least(denote, out, site, 1, window.size, "a window is not empty");
    denote_demand_least(denote, out, site, 1, window.stride, "window: stride >= 1");
    denote_demand_least(denote, out, site, 1, window.base, "window: dilation >= 1");
    denote_demand_least(denote, out, site, 1, window.dilation, "window: window dilation >= 1");
}

bool denote_has_index(const struct rule *rule, const struct iexp *expr)
{
    if (expr == NULL)
        return false;
    if (expr->op == IE_MAP)
        return rule->maps[expr->map].index || denote_has_index(rule, rule->maps[expr->map].def);
    return denote_has_index(rule, expr->a) || denote_has_index(rule, expr->b);
}

// Does the node slice at an index (N6 of rules/instance/instance.h)?
static bool at_index(const struct rule *rule, const struct pat *pattern)
{
    bool yes = false;
    if (!denote_is_op(pattern, OP_DYNAMIC_SLICE) && !denote_is_op(pattern, OP_DYNAMIC_UPDATE_SLICE))
        return false;
    for (uint32_t i = 0; i < pattern->n_attrs; i++)
        yes |= denote_has_index(rule, pattern->attrs[i].expr[0]);
    return yes;
}

// The intermediate values of a run-time index expression must exist in the index type.  The
// only known values of that type are the sizes of the tensors that either side slices.  An
// extremum of such values is such a value.
static expr_id largest_size(struct denote *denote, struct clause_site site)
{
    const struct rule *rule = denote->rule;
    expr_id most = expr_int(denote->exprs, 0);
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        if (!at_index(rule, pattern))
            continue;
        for (uint32_t k = 0; k < pattern->n_attrs; k++) {
            uint32_t c = pattern->attrs[k].cls;
            if (denote_family(rule, c) == denote_family(rule, site.cls))
                most = expr_max(denote->exprs, most,
                                denote_size(denote, pattern->args[0], c, site.place));
        }
    }
    return most;
}

void denote_valid_index(struct denote *denote, const struct iexp *expr, struct clause_site site,
                        struct clauses *out)
{
    struct exprs *exprs = denote->exprs;
    if (!denote_has_index(denote->rule, expr))
        return;
    if (expr->op == IE_MAP) {
        denote_valid_index(denote, denote->rule->maps[expr->map].def, site, out);
        return;
    }
    denote_valid_index(denote, expr->a, site, out);
    denote_valid_index(denote, expr->b, site, out);
    if (expr->op == IE_MIN || expr->op == IE_MAX)
        return;
    expr_id v = denote_iexp(denote, expr, site.place);
    denote_demand_least(denote, out, site, 0, v, "an index expression is not negative");
    denote_demand(denote, out, site, expr_le(exprs, v, largest_size(denote, site)),
                  "an index expression is at most a size that is sliced");
}

static void valid_dynamic(struct denote *denote, const struct pat *pattern,
                          const struct pat_attr *attr, struct clause_site site, struct clauses *out)
{
    struct exprs *exprs = denote->exprs;
    expr_id n = denote_size(denote, pattern->args[0], site.cls, site.place);
    if (attr->expr[0] != NULL)
        denote_valid_index(denote, attr->expr[0], site, out);
    if (pattern->op == OP_DYNAMIC_SLICE && attr->expr[1] != NULL) {
        expr_id m = denote_iexp(denote, attr->expr[1], site.place);
        denote_demand_least(denote, out, site, 0, m, "dynamic_slice: 0 <= size");
        denote_demand(denote, out, site, expr_le(exprs, m, n), "dynamic_slice: size <= size");
    }
}

void denote_valid_attr(struct denote *denote, const struct pat *pattern,
                       const struct pat_attr *attr, struct clause_site site, struct clauses *out)
{
    for (int i = 0; i < N_ATTRS; i++)
        denote_demand_defined(denote, out, site, attr->expr[i]);
    switch (pattern->op) {
    case OP_SLICE:
        valid_slice(denote, pattern, attr, site, out);
        return;
    case OP_PAD:
        if (attr->expr[2] != NULL)
            denote_demand_least(denote, out, site, 0,
                                denote_iexp(denote, attr->expr[2], site.place),
                                "pad: interior >= 0");
        denote_demand_least(denote, out, site, 0,
                            denote_size(denote, site.pat, site.cls, site.place), "pad: size >= 0");
        return;
    case OP_BROADCAST_IN_DIM:
        denote_demand_size(denote, out, site, attr->expr[0]);
        return;
    case OP_REDUCE_WINDOW:
        denote_valid_window(denote, pattern, site, out);
        return;
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
        valid_dynamic(denote, pattern, attr, site, out);
        return;
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        return;
    }
}
