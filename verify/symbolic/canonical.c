// SPDX-License-Identifier: Apache-2.0
// Canonical forms: poly_of, poly_expr and canon of poly.h.
#include "verify/symbolic/polynomial.h"

static uint32_t *slot_at(struct u32_vec *v, expr_id e)
{
    if (e >= v->len) {
        vec_reserve(v, e + 1);
        memset(v->at + v->len, 0, (e + 1 - v->len) * sizeof *v->at);
        v->len = e + 1;
    }
    return &v->at[e];
}

static struct poly quotient(struct polys *p, expr_id num, expr_id den)
{
    struct poly a = poly_of(p, num), b = poly_of(p, den), q, r;
    if (b.n > 0 && b.t[0].c < 0) { // a div b = -a div -b
        struct poly none = {0, NULL};
        a = poly_add(p, none, a, -1);
        b = poly_add(p, none, b, -1);
        num = poly_expr(p, a);
        den = poly_expr(p, b);
    }
    poly_divide(p, a, b, &q, &r);
    if (q.n > 0 && (r.n < a.n || poly_degree(p, r) < poly_degree(p, a)))
        a = r;
    else
        q = (struct poly){0, NULL};
    if (a.n == 0)
        return q; // the divisor is not 0, which the caller states (X3)
    expr_id e = expr_div(p->x, poly_expr(p, a), poly_expr(p, b));
    const struct expr *n = expr_at(p->x, e);
    struct poly rest = n->kind == X_DIV   ? poly_atom(p, e)
                       : n->kind == X_INT ? poly_int(p, n->k)
                                          : poly_of(p, e);
    return poly_add(p, q, rest, 1);
}

// min(u, v) as an atom, the same for both orders.
static struct poly minimum(struct polys *p, struct poly u, struct poly v)
{
    struct exprs *x = p->x;
    struct poly d = poly_add(p, v, u, -1);
    if (d.n > 0 && d.t[0].c < 0) {
        struct poly t = u;
        u = v;
        v = t;
        d = poly_add(p, v, u, -1);
    }
    int64_t k;
    if (poly_constant(d, &k))
        return u;
    expr_id c = canon(p, expr_le(x, expr_int(x, 0), poly_expr(p, d)));
    return poly_atom(p, expr_if(x, c, poly_expr(p, u), poly_expr(p, v)));
}

// A choice that is a minimum or a maximum u + v - min(u, v), if it is one.
static bool extremum(struct polys *p, expr_id c, struct poly u, struct poly v,
                     struct poly *out)
{
    struct exprs *x = p->x;
    if (expr_at(x, c)->kind != X_LE)
        return false;
    struct poly q = poly_of(p, expr_arg(x, c, 1)); // c is 0 <= q
    struct poly d = poly_add(p, v, u, -1), one = poly_int(p, 1);
    struct poly q1 = poly_add(p, q, one, 1);
    struct poly minus = poly_add(p, (struct poly){0, NULL}, d, -1);
    if (poly_same(q, d) || poly_same(q1, d)) {
        *out = minimum(p, u, v);
        return true;
    }
    if (poly_same(q, minus) || poly_same(q1, minus)) {
        *out = poly_add(p, poly_add(p, u, v, 1), minimum(p, u, v), -1);
        return true;
    }
    return false;
}

static bool turned(struct polys *p, expr_id c)
{
    const struct expr *n = expr_at(p->x, c);
    if (n->kind == X_NOT)
        return true;
    struct poly q = {0, NULL};
    if (n->kind == X_LE)
        q = poly_of(p, expr_arg(p->x, c, 1));
    return q.n > 0 && q.t[0].c < 0;
}

static struct poly choice(struct polys *p, expr_id e)
{
    struct exprs *x = p->x;
    expr_id c = canon(p, expr_arg(x, e, 0));
    struct poly u = poly_of(p, expr_arg(x, e, 1));
    struct poly v = poly_of(p, expr_arg(x, e, 2)), out;
    if (expr_at(x, c)->kind == X_TRUE || poly_same(u, v))
        return u;
    if (expr_at(x, c)->kind == X_FALSE)
        return v;
    if (extremum(p, c, u, v, &out))
        return out;
    if (turned(p, c)) { // of the two ways to write a choice, one
        struct poly t = u;
        c = canon(p, expr_not(x, c));
        u = v;
        v = t;
    }
    return poly_atom(p, expr_if(x, c, poly_expr(p, u), poly_expr(p, v)));
}

static struct poly compute(struct polys *p, expr_id e)
{
    struct exprs *x = p->x;
    struct expr n = *expr_at(x, e);
    expr_id a = n.n > 0 ? expr_arg(x, e, 0) : 0;
    expr_id b = n.n > 1 ? expr_arg(x, e, 1) : 0;
    switch ((enum expr_kind)n.kind) {
    case X_INT:
        return poly_int(p, n.k);
    case X_ADD:
        return poly_add(p, poly_of(p, a), poly_of(p, b), 1);
    case X_MUL:
        return poly_mul(p, poly_of(p, a), poly_of(p, b));
    case X_DIV:
        return quotient(p, a, b);
    case X_MOD: // a - b * (a div b)
        return poly_add(p, poly_of(p, a),
                        poly_mul(p, poly_of(p, b), quotient(p, a, b)), -1);
    case X_IF:
        return choice(p, e);
    case X_VALUE: {
        if (expr_at(x, e)->sym != 0)
            return poly_atom(p, expr_place(x, canon(p, a)));
        expr_id f = expr_value(x, canon(p, a));
        return expr_at(x, f)->kind == X_VALUE ? poly_atom(p, f) : poly_of(p, f);
    }
    default:
        return poly_atom(p, e);
    }
}

struct poly poly_of(struct polys *p, expr_id e)
{
    uint32_t known = *slot_at(&p->cached, e);
    if (known != 0)
        return p->cache.at[known - 1];
    struct poly a = compute(p, e);
    vec_push(&p->cache, a);
    *slot_at(&p->cached, e) = p->cache.len;
    return a;
}

expr_id poly_expr(struct polys *p, struct poly a)
{
    struct exprs *x = p->x;
    expr_id sum = expr_int(x, 0);
    for (uint32_t i = 0; i < a.n; i++) {
        struct mono m = p->mono.at[a.t[i].mono];
        expr_id t = expr_int(x, a.t[i].c);
        for (uint32_t k = 0; k < m.n; k++)
            t = expr_mul(x, t, p->atoms.at[m.at + k]);
        sum = expr_add(x, sum, t);
    }
    return sum;
}

static int64_t gcd_of(struct poly a)
{
    uint64_t g = 0;
    for (uint32_t i = 0; i < a.n; i++) {
        if (a.t[i].mono == 0)
            continue;
        uint64_t c = a.t[i].c < 0 ? 0 - (uint64_t)a.t[i].c : (uint64_t)a.t[i].c;
        while (c != 0) {
            uint64_t t = g % c;
            g = c;
            c = t;
        }
    }
    return g > INT64_MAX ? 1 : (int64_t)g;
}

// INT64_MIN has no negative number, and its quotient by -1 overflows: the rule
// is given up as if the coefficient had.
static bool extreme(struct polys *p, struct poly a)
{
    bool found = false;
    for (uint32_t i = 0; i < a.n; i++)
        found |= a.t[i].c == INT64_MIN;
    p->overflow |= found;
    return found;
}

// (terms without the constant) / g + constant term k
static struct poly scaled(struct polys *p, struct poly a, int64_t g, int64_t k)
{
    struct pterm *t = ARENA_NEW(&p->mem, struct pterm, a.n + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < a.n; i++)
        if (a.t[i].mono != 0)
            t[n++] = (struct pterm){a.t[i].mono, a.t[i].c / g};
    if (k != 0)
        t[n++] = (struct pterm){0, k};
    return (struct poly){n, t};
}

static int64_t constant_term(struct poly a)
{
    return a.n > 0 && a.t[a.n - 1].mono == 0 ? a.t[a.n - 1].c : 0;
}

static int64_t floored(int64_t a, int64_t g) // g > 0
{
    return a / g - (a % g < 0);
}

// 0 <= a
static expr_id canon_le(struct polys *p, struct poly a)
{
    struct exprs *x = p->x;
    int64_t k;
    if (poly_constant(a, &k))
        return k >= 0 ? expr_true(x) : expr_false(x);
    int64_t g = extreme(p, a) ? 1 : gcd_of(a);
    a = scaled(p, a, g, floored(constant_term(a), g));
    return expr_le(x, expr_int(x, 0), poly_expr(p, a));
}

static expr_id canon_eq(struct polys *p, struct poly a)
{
    struct exprs *x = p->x;
    int64_t k;
    if (poly_constant(a, &k))
        return k == 0 ? expr_true(x) : expr_false(x);
    if (extreme(p, a))
        return expr_eq(x, expr_int(x, 0), poly_expr(p, a));
    int64_t g = gcd_of(a);
    k = constant_term(a);
    if (k % g != 0)
        return expr_false(x);
    a = scaled(p, a, a.t[0].c < 0 ? -g : g, a.t[0].c < 0 ? -(k / g) : k / g);
    return expr_eq(x, expr_int(x, 0), poly_expr(p, a));
}

static expr_id canon_not(struct polys *p, expr_id e)
{
    struct exprs *x = p->x;
    const struct expr *n = expr_at(x, e);
    if (n->kind != X_LE)
        return expr_not(x, e);
    // not 0 <= a  is  0 <= -a - 1
    struct poly a = poly_add(p, poly_of(p, expr_arg(x, e, 1)),
                             poly_of(p, expr_arg(x, e, 0)), -1);
    return canon_le(p, poly_add(p, poly_int(p, -1), a, -1));
}

static expr_id compute_canon(struct polys *p, expr_id e)
{
    struct exprs *x = p->x;
    struct expr n = *expr_at(x, e);
    if (expr_sort(x, e) == SORT_INT)
        return poly_expr(p, poly_of(p, e));
    if (n.kind == X_LE || n.kind == X_EQ) {
        struct poly a = poly_add(p, poly_of(p, expr_arg(x, e, 1)),
                                 poly_of(p, expr_arg(x, e, 0)), -1);
        return n.kind == X_LE ? canon_le(p, a) : canon_eq(p, a);
    }
    if (n.kind == X_NOT)
        return canon_not(p, canon(p, expr_arg(x, e, 0)));
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < n.n; i++)
        vec_push(&args, canon(p, expr_arg(x, e, i)));
    expr_id out = n.n == 0 ? e : expr_with_args(x, e, args.at);
    vec_release(&args);
    return out;
}

expr_id canon(struct polys *p, expr_id e)
{
    uint32_t known = *slot_at(&p->canon_of, e);
    if (known != 0)
        return known - 1;
    expr_id c = compute_canon(p, e);
    *slot_at(&p->canon_of, e) = c + 1;
    *slot_at(&p->canon_of, c) = c + 1;
    return c;
}
