// SPDX-License-Identifier: Apache-2.0
// Conditions of well-definedness, and what attributes demand.
#include "verify/meaning/parts.h"

void denote_demand_clause(struct denote *d, struct clauses *out,
                          struct clause_site s, expr_id cond, const char *what,
                          bool each_axis)
{
    if (d->x->node.at[cond].kind == X_TRUE)
        return;
    struct clause c = {cond,
                       denote_family(d->r, s.cls),
                       s.place,
                       s.cls,
                       what,
                       s.pat,
                       each_axis && d->r->classes[s.cls].block &&
                           !d->r->classes[s.cls].single};
    vec_push(&out->at, c);
}

void denote_demand(struct denote *d, struct clauses *out, struct clause_site s,
                   expr_id cond, const char *what)
{
    denote_demand_clause(d, out, s, cond, what, true);
}

void denote_demand_defined(struct denote *d, struct clauses *out,
                           struct clause_site s, const struct iexp *e)
{
    if (e != NULL)
        denote_demand(d, out, s, denote_defined(d, e, s.place),
                      "a divisor is not 0");
}

void denote_demand_size(struct denote *d, struct clauses *out,
                        struct clause_site s, const struct iexp *size)
{
    denote_demand_defined(d, out, s, size);
    denote_demand(
        d, out, s,
        expr_le(d->x, expr_int(d->x, 0), denote_iexp(d, size, s.place)),
        "a size is not negative");
}

void denote_demand_least(struct denote *d, struct clauses *out,
                         struct clause_site s, int64_t least, expr_id e,
                         const char *what)
{
    denote_demand(d, out, s, expr_le(d->x, expr_int(d->x, least), e), what);
}

void denote_demand_equal(struct denote *d, struct clauses *out,
                         struct clause_site s, expr_id a, expr_id b,
                         const char *what)
{
    denote_demand(d, out, s, expr_eq(d->x, a, b), what);
}

static void valid_slice(struct denote *d, const struct pat *p,
                        const struct pat_attr *a, struct clause_site s,
                        struct clauses *out)
{
    struct exprs *x = d->x;
    expr_id zero = expr_int(x, 0), one = expr_int(x, 1);
    expr_id n = denote_size(d, p->args[0], s.cls, s.place);
    expr_id start = denote_attr_value(d, a, 0, s.place, zero);
    expr_id limit = denote_attr_value(d, a, 1, s.place, n);
    denote_demand_least(d, out, s, 1, denote_attr_value(d, a, 2, s.place, one),
                        "slice: stride >= 1");
    denote_demand(d, out, s, expr_le(x, zero, start), "slice: 0 <= start");
    denote_demand(d, out, s, expr_le(x, start, limit), "slice: start <= limit");
    denote_demand(d, out, s, expr_le(x, limit, n), "slice: limit <= size");
}

// Also what a convolution asks of a spatial class, all of whose attributes may
// be missing.
void denote_valid_window(struct denote *d, const struct pat *p,
                         struct clause_site s, struct clauses *out)
{
    struct sliding w = denote_sliding(d, p, s.cls, s.place);
    denote_demand_least(d, out, s, 1, w.size, "a window is not empty");
    denote_demand_least(d, out, s, 1, w.stride, "window: stride >= 1");
    denote_demand_least(d, out, s, 1, w.base, "window: dilation >= 1");
    denote_demand_least(d, out, s, 1, w.dilation,
                        "window: window dilation >= 1");
}

bool denote_has_index(const struct rule *r, const struct iexp *e)
{
    if (e == NULL)
        return false;
    if (e->op == IE_MAP)
        return r->maps[e->map].index ||
               denote_has_index(r, r->maps[e->map].def);
    return denote_has_index(r, e->a) || denote_has_index(r, e->b);
}

// Does the node slice at an index (N6 of rules/instance/instance.h)?
static bool at_index(const struct rule *r, const struct pat *p)
{
    bool yes = false;
    if (!denote_is_op(p, OP_DYNAMIC_SLICE) &&
        !denote_is_op(p, OP_DYNAMIC_UPDATE_SLICE))
        return false;
    for (uint32_t i = 0; i < p->n_attrs; i++)
        yes |= denote_has_index(r, p->attrs[i].v[0]);
    return yes;
}

// The values that a run-time index expression takes on its way must exist in
// the index type, of which only the sizes of what either side slices are
// known.  Extrema of such values are such values.
static expr_id largest_size(struct denote *d, struct clause_site s)
{
    const struct rule *r = d->r;
    expr_id most = expr_int(d->x, 0);
    for (uint32_t i = 0; i < r->n_pats; i++) {
        const struct pat *p = &r->pats[i];
        if (!at_index(r, p))
            continue;
        for (uint32_t k = 0; k < p->n_attrs; k++) {
            uint32_t c = p->attrs[k].cls;
            if (denote_family(r, c) == denote_family(r, s.cls))
                most = expr_max(d->x, most,
                                denote_size(d, p->args[0], c, s.place));
        }
    }
    return most;
}

void denote_valid_index(struct denote *d, const struct iexp *e,
                        struct clause_site s, struct clauses *out)
{
    struct exprs *x = d->x;
    if (!denote_has_index(d->r, e))
        return;
    if (e->op == IE_MAP) {
        denote_valid_index(d, d->r->maps[e->map].def, s, out);
        return;
    }
    denote_valid_index(d, e->a, s, out);
    denote_valid_index(d, e->b, s, out);
    if (e->op == IE_MIN || e->op == IE_MAX)
        return;
    expr_id v = denote_iexp(d, e, s.place);
    denote_demand_least(d, out, s, 0, v, "an index expression is not negative");
    denote_demand(d, out, s, expr_le(x, v, largest_size(d, s)),
                  "an index expression is at most a size that is sliced");
}

static void valid_dynamic(struct denote *d, const struct pat *p,
                          const struct pat_attr *a, struct clause_site s,
                          struct clauses *out)
{
    struct exprs *x = d->x;
    expr_id n = denote_size(d, p->args[0], s.cls, s.place);
    if (a->v[0] != NULL)
        denote_valid_index(d, a->v[0], s, out);
    if (p->op == OP_DYNAMIC_SLICE && a->v[1] != NULL) {
        expr_id m = denote_iexp(d, a->v[1], s.place);
        denote_demand_least(d, out, s, 0, m, "dynamic_slice: 0 <= size");
        denote_demand(d, out, s, expr_le(x, m, n),
                      "dynamic_slice: size <= size");
    }
}

void denote_valid_attr(struct denote *d, const struct pat *p,
                       const struct pat_attr *a, struct clause_site s,
                       struct clauses *out)
{
    for (int i = 0; i < N_ATTRS; i++)
        denote_demand_defined(d, out, s, a->v[i]);
    switch (p->op) {
    case OP_SLICE:
        valid_slice(d, p, a, s, out);
        return;
    case OP_PAD:
        if (a->v[2] != NULL)
            denote_demand_least(d, out, s, 0, denote_iexp(d, a->v[2], s.place),
                                "pad: interior >= 0");
        denote_demand_least(d, out, s, 0, denote_size(d, s.pat, s.cls, s.place),
                            "pad: size >= 0");
        return;
    case OP_BROADCAST_IN_DIM:
        denote_demand_size(d, out, s, a->v[0]);
        return;
    case OP_REDUCE_WINDOW:
        denote_valid_window(d, p, s, out);
        return;
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
        valid_dynamic(d, p, a, s, out);
        return;
    default:
        return;
    }
}
