// SPDX-License-Identifier: Apache-2.0
// Reductions as unknowns.  Two of them are equal if they have one operator,
// the same extents, and the same body at every bound index; directly nested
// reduces of one operator may be taken together (docs/proving.md).
#include "verify/elements/same.h"

#define MAX_GROUPS 6

// A class of bound indices of a reduce, or of a chain of nested ones.
struct reduce_class {
    expr_id reduce;
    uint32_t cls;
};
struct reduce_chain {
    struct reduce_class group[MAX_GROUPS];
    uint32_t n;
    expr_id body;
    bool nested; // more than one reduce
    bool too_long;
};

static bool same_operator(const struct exprs *x, expr_id a, expr_id b)
{
    const struct expr *p = expr_at(x, a), *q = expr_at(x, b);
    return q->kind == X_REDUCE && p->op == q->op && p->sym == q->sym &&
           p->type == q->type;
}

// Are the type's elements floats of which no sum may be rearranged?
static bool bit_for_bit(const struct element_query *k, uint32_t type)
{
    return k->domain >= 0 && denote_is_float(k->s->r, type, k->domain);
}

static bool is_size(const struct element_query *k, const struct u32_vec *hyps,
                    expr_id size, int64_t n)
{
    struct exprs *x = &k->s->x;
    return linear_proves(&k->s->l, hyps->len, hyps->at,
                         expr_eq(x, size, expr_int(x, n)));
}

// Floats: has a contraction, which starts with 0 whatever its axes are, one
// term along all axes of the class?  Then these say nothing.
static bool along_units(const struct element_query *k, const struct u32_vec *hyps,
                        expr_id e, uint32_t cls, struct u32_vec *vars)
{
    const struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    const struct pat *p = &k->s->r->pats[n.k];
    uint32_t before = vars->len;
    if (!bit_for_bit(k, n.type) ||
        (p->op != OP_DOT_GENERAL && p->op != OP_CONVOLUTION))
        return false;
    for (uint32_t i = 1; i + 1 < n.n; i += 2) {
        expr_id v = expr_arg(x, e, i);
        if (x->var.at[expr_at(x, v)->sym].a != cls)
            continue;
        if (!is_size(k, hyps, expr_arg(x, e, i + 1), 1)) {
            vars->len = before;
            return false;
        }
        vec_push(vars, v);
    }
    return true;
}

// The body at index 0 of these bound variables.
static expr_id at_zero(struct exprs *x, expr_id body, const struct u32_vec *v)
{
    struct u32_vec to = {0};
    for (uint32_t i = 0; i < v->len; i++)
        vec_push(&to, expr_int(x, 0));
    body = expr_subst(x, body, v->len, v->at, to.at);
    vec_release(&to);
    return body;
}

static struct reduce_chain chain_of(const struct element_query *k, const struct u32_vec *hyps,
                             expr_id e, bool chained)
{
    struct exprs *x = &k->s->x;
    struct reduce_chain c = {.n = 0};
    for (bool first = true;; first = false) {
        uint32_t pat = (uint32_t)expr_at(x, e)->k;
        uint64_t classes = denote_bound_classes(k->d, pat);
        // As they are bound: features of a convolution before its window.
        uint64_t early = k->s->r->pats[pat].classes;
        struct u32_vec units = {0};
        for (uint32_t j = 0; j < 128; j++) {
            uint32_t i = j % 64;
            if ((classes >> i & 1) == 0 || (early >> i & 1) != (j < 64) ||
                along_units(k, hyps, e, i, &units))
                continue;
            if (c.n == MAX_GROUPS)
                c.too_long = true;
            else
                c.group[c.n++] = (struct reduce_class){e, i};
        }
        c.nested |= !first;
        c.body = at_zero(x, expr_arg(x, e, 0), &units);
        vec_release(&units);
        if (!chained || !same_operator(x, e, c.body))
            return c;
        e = c.body;
    }
}

// The bound variable of a group at a place, and its extent.
static bool bound_at(const struct exprs *x, struct reduce_class g, uint32_t place,
                     expr_id *var, expr_id *size)
{
    for (uint32_t i = 1; i + 1 < expr_at(x, g.reduce)->n; i += 2) {
        *var = expr_arg(x, g.reduce, i);
        *size = expr_arg(x, g.reduce, i + 1);
        const struct var *v = &x->var.at[expr_at(x, *var)->sym];
        if (v->kind == VAR_BOUND && v->a == g.cls && v->place == place)
            return true;
    }
    return false;
}

// Equal when group i of a is group match[i] of b?
static bool same_under(const struct element_query *k, const struct u32_vec *hyps,
                       const struct reduce_chain *a, const struct reduce_chain *b,
                       const uint8_t *match)
{
    struct session *s = k->s;
    struct exprs *x = &s->x;
    // Each side's own variables: one name may be bound in both, elsewhere.
    struct u32_vec more = {0}, from_a = {0}, from_b = {0}, to = {0};
    bool same = true;
    for (uint32_t i = 0; i < hyps->len; i++)
        vec_push(&more, hyps->at[i]);
    for (uint32_t i = 0; i < a->n && same; i++) {
        struct reduce_class g = a->group[i], h = b->group[match[i]];
        same = denote_family(s->r, g.cls) == denote_family(s->r, h.cls);
        for (uint32_t p = 0; same && p < k->d->rank[g.cls]; p++) {
            expr_id u, v, m, n;
            same = bound_at(x, g, p, &u, &m) && bound_at(x, h, p, &v, &n);
            if (!same)
                break;
            m = canon(&s->p, m);
            n = canon(&s->p, n);
            same = m == n ? !s->p.overflow
                          : linear_proves(&s->l, hyps->len, hyps->at,
                                          expr_eq(x, m, n));
            expr_id f = expr_fresh(x, denote_part(s->r, g.cls, p));
            vec_push(&from_a, u);
            vec_push(&from_b, v);
            vec_push(&to, f);
            vec_push(&more, expr_le(x, expr_int(x, 0), f));
            vec_push(&more, expr_lt(x, f, m));
        }
    }
    enum grade goal = s->goal;
    s->goal = GRADE_EXACT; // of bodies, whatever is asked of the sides
    if (same)
        same = element_same(
            k, &more, expr_subst(x, a->body, to.len, from_a.at, to.at),
            expr_subst(x, b->body, to.len, from_b.at, to.at), NULL);
    s->goal = goal;
    vec_release(&more);
    vec_release(&from_a);
    vec_release(&from_b);
    vec_release(&to);
    return same;
}

static bool has_class(const struct reduce_chain *c, uint32_t cls)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->group[i].cls == cls)
            return true;
    return false;
}

// The rank bound takes a bound index that both bodies name to be one index.  So
// a class that both bind must be matched with itself, and none occur twice.
static bool counted(const struct reduce_chain *a, const struct reduce_chain *b,
                    const uint8_t *match)
{
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t u = a->group[i].cls, v = b->group[match[i]].cls;
        if (u != v && (has_class(b, u) || has_class(a, v)))
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (a->group[k].cls == u || b->group[match[k]].cls == v)
                return false;
    }
    return true;
}

static bool contains_reduce(const struct exprs *x, expr_id e)
{
    struct u32_vec reach = {0};
    bool found = false;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len && !found; i++)
        found = expr_at(x, reach.at[i])->kind == X_REDUCE;
    vec_release(&reach);
    return found;
}

// Does the order of the operands matter in floats?
static bool order_matters(const struct expr *n)
{
    return n->op == OP_ADD || n->op == OP_MULTIPLY;
}

static bool try_match(const struct element_query *k, const struct u32_vec *hyps,
                      expr_id a, expr_id b, struct reduce_pair *p)
{
    struct session *s = k->s;
    struct reduce_chain u = chain_of(k, hyps, a, p->chained);
    struct reduce_chain v = chain_of(k, hyps, b, p->chained);
    if (u.n != v.n || u.too_long || v.too_long || !counted(&u, &v, p->match))
        return false;
    // Nested reduces taken together shift the levels of what they bind against
    // the other side, so a further reduce inside could not be counted.
    if ((u.nested || v.nested) &&
        (contains_reduce(&s->x, u.body) || contains_reduce(&s->x, v.body)))
        return false;
    bool moved = u.nested || v.nested;
    for (uint32_t i = 0; i < u.n; i++)
        moved |= p->match[i] != i;
    moved &= order_matters(expr_at(&s->x, a));
    if (moved && bit_for_bit(k, expr_at(&s->x, a)->type))
        return false;
    uint32_t mark = smt_mark(&s->smt);
    if (!same_under(k, hyps, &u, &v, p->match)) {
        smt_forget(&s->smt, mark);
        return false;
    }
    if (moved)
        s->reassociated = true;
    p->n = u.n;
    return true;
}

// All ways to match the groups, the given order first.
static bool try_matches(const struct element_query *k, const struct u32_vec *hyps,
                        expr_id a, expr_id b, struct reduce_pair *p, uint32_t at,
                        uint32_t n)
{
    if (at == n)
        return try_match(k, hyps, a, b, p);
    for (uint32_t i = at; i < n; i++) {
        uint8_t t = p->match[at];
        p->match[at] = p->match[i];
        p->match[i] = t;
        bool found = try_matches(k, hyps, a, b, p, at + 1, n);
        if (found)
            return true;
        p->match[i] = p->match[at];
        p->match[at] = t;
    }
    return false;
}

static bool reduce_same(const struct element_query *k, const struct u32_vec *hyps,
                        expr_id a, expr_id b)
{
    struct session *s = k->s;
    const struct expr m = *expr_at(&s->x, a), n = *expr_at(&s->x, b);
    if (a == b)
        return true;
    if (!same_operator(&s->x, a, b))
        return false;
    for (uint32_t i = 0; i < s->pairs.len; i++) {
        struct reduce_pair p = s->pairs.at[i];
        if (p.a == (uint32_t)m.k && p.b == (uint32_t)n.k && p.rung == k->rung &&
            p.domain == k->domain)
            return try_match(k, hyps, a, b, &p);
    }
    if (s->pairs_closed)
        return false;
    for (int chained = 0; chained < 2; chained++) {
        struct reduce_chain u = chain_of(k, hyps, a, chained != 0);
        struct reduce_chain v = chain_of(k, hyps, b, chained != 0);
        struct reduce_pair p = {.a = (uint32_t)m.k,
                         .b = (uint32_t)n.k,
                         .rung = k->rung,
                         .domain = k->domain,
                         .chained = chained != 0};
        if (chained != 0 && !u.nested && !v.nested)
            break;
        for (uint8_t i = 0; i < MAX_GROUPS; i++)
            p.match[i] = i;
        if (u.n == v.n && u.n <= 4 && try_matches(k, hyps, a, b, &p, 0, u.n)) {
            vec_push(&s->pairs, p);
            return true;
        }
    }
    return false;
}

// The reduces of e that stand below no other, in ascending order.
static void outermost(const struct exprs *x, expr_id e, struct u32_vec *out)
{
    struct u32_vec stack = {0}, seen = {0};
    vec_push(&stack, e);
    while (stack.len > 0) {
        expr_id i = vec_pop(&stack);
        bool known = false;
        for (uint32_t k = 0; k < seen.len && !known; k++)
            known = seen.at[k] == i;
        if (known)
            continue;
        vec_push(&seen, i);
        if (expr_at(x, i)->kind == X_REDUCE) {
            vec_push(out, i);
            continue;
        }
        for (uint32_t k = 0; k < expr_at(x, i)->n; k++)
            vec_push(&stack, expr_arg(x, i, k));
    }
    vec_release(&stack);
    vec_release(&seen);
}

static bool sums_floats(const struct element_query *k, expr_id e)
{
    const struct expr *n = expr_at(&k->s->x, e);
    return order_matters(n) && bit_for_bit(k, n->type);
}

// Floats: a sum of nothing is 0; one of one element, over one axis, is 0 plus
// that element.  Only along axes that are there at all ranks.  Anything else is
// left as it is.
static expr_id few_terms(const struct element_query *k, const struct u32_vec *hyps,
                         expr_id e)
{
    struct exprs *x = &k->s->x;
    const struct rule *r = k->s->r;
    const struct expr n = *expr_at(x, e);
    const struct expr body = *expr_at(x, expr_arg(x, e, 0));
    const struct pat *p = &r->pats[n.k];
    if (!sums_floats(k, e) || (body.kind == X_OP && body.op == OP_OPAQUE))
        return e;
    expr_id unit = expr_literal(x, LIT_INT, n.op == OP_MULTIPLY, 0, n.type),
            v = NO_EXPR;
    uint32_t single = 0, cls = NONE;
    for (uint32_t i = 1; i + 1 < n.n; i += 2) {
        v = expr_arg(x, e, i);
        cls = x->var.at[expr_at(x, v)->sym].a;
        if (denote_one_axis(r, cls) &&
            is_size(k, hyps, expr_arg(x, e, i + 1), 0))
            return unit;
        single += r->classes[cls].single;
    }
    bool lone = p->op == OP_REDUCE && p->n_args == 1 && single == 1 &&
                denote_bound_classes(k->d, (uint32_t)n.k) == (uint64_t)1 << cls;
    if (!lone || !is_size(k, hyps, expr_arg(x, e, 2), 1))
        return e;
    expr_id zero = expr_int(x, 0);
    expr_id two[] = {unit, expr_subst(x, expr_arg(x, e, 0), 1, &v, &zero)};
    return expr_op(x, (enum op)n.op, 0, n.type, 2, two);
}

// Replaces such sums in both elements.
static void drop_sums(const struct element_query *k, const struct u32_vec *hyps,
                      expr_id *a, expr_id *b)
{
    struct exprs *x = &k->s->x;
    bool more = k->domain == DOMAIN_FLOAT || k->domain == DOMAIN_WORD;
    while (more) {
        struct u32_vec all = {0}, to = {0};
        more = false;
        outermost(x, *a, &all);
        outermost(x, *b, &all);
        for (uint32_t i = 0; i < all.len; i++) {
            vec_push(&to, few_terms(k, hyps, all.at[i]));
            more |= to.at[i] != all.at[i];
        }
        *a = expr_subst(x, *a, all.len, all.at, to.at);
        *b = expr_subst(x, *b, all.len, all.at, to.at);
        vec_release(&all);
        vec_release(&to);
    }
}

bool reduce_atoms(const struct element_query *k, const struct u32_vec *hyps, expr_id *a,
                  expr_id *b)
{
    struct exprs *x = &k->s->x;
    struct u32_vec all = {0}, rep = {0}, atom = {0};
    drop_sums(k, hyps, a, b);
    outermost(x, *a, &all);
    outermost(x, *b, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        expr_id r = all.at[i];
        for (uint32_t j = 0; j < i && r == all.at[i]; j++)
            if (rep.at[j] == all.at[j] &&
                reduce_same(k, hyps, all.at[j], all.at[i]))
                r = all.at[j];
        vec_push(&rep, r);
        vec_push(&atom, expr_atom(x, (int64_t)r, expr_at(x, r)->type));
    }
    *a = expr_subst(x, *a, all.len, all.at, atom.at);
    *b = expr_subst(x, *b, all.len, all.at, atom.at);
    bool any = all.len > 0;
    vec_release(&all);
    vec_release(&rep);
    vec_release(&atom);
    return any;
}
