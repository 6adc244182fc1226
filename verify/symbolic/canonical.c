// SPDX-License-Identifier: Apache-2.0
// Canonical forms: poly_of, poly_expr and canon of polynomial.h.
#include "verify/symbolic/polynomial.h"

static uint32_t *slot_at(struct u32_vec *list, expr_id e)
{
    if (e >= list->len) {
        vec_reserve(list, e + 1);
        memset(list->at + list->len, 0, (e + 1 - list->len) * sizeof *list->at);
        list->len = e + 1;
    }
    return &list->at[e];
}

static struct poly quotient(struct polys *polys, expr_id num, expr_id den)
{
    struct poly poly = poly_of(polys, num), b = poly_of(polys, den), q, r;
    if (b.n > 0 && b.term[0].c < 0) { // a div b = -a div -b
        struct poly none = {0, NULL};
        poly = poly_add(polys, none, poly, -1);
        b = poly_add(polys, none, b, -1);
        num = poly_expr(polys, poly);
        den = poly_expr(polys, b);
    }
    poly_divide(polys, poly, b, &q, &r);
    if (q.n > 0 && (r.n < poly.n || poly_degree(polys, r) < poly_degree(polys, poly)))
        poly = r;
    else
        q = (struct poly){0, NULL};
    if (poly.n == 0)
        return q; // the divisor is not 0, which the caller states (X3)
    expr_id e = expr_div(polys->exprs, poly_expr(polys, poly), poly_expr(polys, b));
    const struct expr *node = expr_at(polys->exprs, e);
    struct poly rest = node->kind == X_DIV   ? poly_atom(polys, e)
                       : node->kind == X_INT ? poly_int(polys, node->k)
                                             : poly_of(polys, e);
    return poly_add(polys, q, rest, 1);
}

// min(u, v) as an atom that does not depend on the order of u and v.
static struct poly minimum(struct polys *polys, struct poly u, struct poly v)
{
    struct exprs *exprs = polys->exprs;
    struct poly poly = poly_add(polys, v, u, -1);
    if (poly.n > 0 && poly.term[0].c < 0) {
        struct poly t = u;
        u = v;
        v = t;
        poly = poly_add(polys, v, u, -1);
    }
    int64_t k;
    if (poly_constant(poly, &k))
        return u;
    expr_id c = canon(polys, expr_le(exprs, expr_int(exprs, 0), poly_expr(polys, poly)));
    return poly_atom(polys, expr_if(exprs, c, poly_expr(polys, u), poly_expr(polys, v)));
}

// A choice that is a minimum, or a maximum as u + v - min(u, v), if the choice is one.
static bool extremum(struct polys *polys, expr_id c, struct poly u, struct poly v, struct poly *out)
{
    struct exprs *exprs = polys->exprs;
    if (expr_at(exprs, c)->kind != X_LE)
        return false;
    struct poly poly = poly_of(polys, expr_arg(exprs, c, 1)); // c is 0 <= q
    struct poly d = poly_add(polys, v, u, -1), one = poly_int(polys, 1);
    struct poly q1 = poly_add(polys, poly, one, 1);
    struct poly minus = poly_negated(polys, d);
    if (poly_same(poly, d) || poly_same(q1, d)) {
        *out = minimum(polys, u, v);
        return true;
    }
    if (poly_same(poly, minus) || poly_same(q1, minus)) {
        *out = poly_add(polys, poly_add(polys, u, v, 1), minimum(polys, u, v), -1);
        return true;
    }
    return false;
}

static bool turned(struct polys *polys, expr_id c)
{
    const struct expr *node = expr_at(polys->exprs, c);
    if (node->kind == X_NOT)
        return true;
    struct poly poly = {0, NULL};
    if (node->kind == X_LE)
        poly = poly_of(polys, expr_arg(polys->exprs, c, 1));
    return poly.n > 0 && poly.term[0].c < 0;
}

static struct poly choice(struct polys *polys, expr_id e)
{
    struct exprs *exprs = polys->exprs;
    expr_id c = canon(polys, expr_arg(exprs, e, 0));
    struct poly poly = poly_of(polys, expr_arg(exprs, e, 1));
    struct poly v = poly_of(polys, expr_arg(exprs, e, 2)), out;
    if (expr_at(exprs, c)->kind == X_TRUE || poly_same(poly, v))
        return poly;
    if (expr_at(exprs, c)->kind == X_FALSE)
        return v;
    if (extremum(polys, c, poly, v, &out))
        return out;
    if (turned(polys, c)) { // of the two ways to write a choice, one
        struct poly t = poly;
        c = canon(polys, expr_not(exprs, c));
        poly = v;
        v = t;
    }
    return poly_atom(polys, expr_if(exprs, c, poly_expr(polys, poly), poly_expr(polys, v)));
}

static struct poly compute(struct polys *polys, expr_id e)
{
    struct exprs *exprs = polys->exprs;
    struct expr node = *expr_at(exprs, e);
    expr_id a = node.n > 0 ? expr_arg(exprs, e, 0) : 0;
    expr_id b = node.n > 1 ? expr_arg(exprs, e, 1) : 0;
    switch ((enum expr_kind)node.kind) {
    case X_INT:
        return poly_int(polys, node.k);
    case X_ADD:
        return poly_add(polys, poly_of(polys, a), poly_of(polys, b), 1);
    case X_MUL:
        return poly_mul(polys, poly_of(polys, a), poly_of(polys, b));
    case X_DIV:
        return quotient(polys, a, b);
    case X_MOD: // a - b * (a div b)
        return poly_add(polys, poly_of(polys, a),
                        poly_mul(polys, poly_of(polys, b), quotient(polys, a, b)), -1);
    case X_IF:
        return choice(polys, e);
    case X_VALUE: {
        if (expr_at(exprs, e)->sym != 0)
            return poly_atom(polys, expr_place(exprs, canon(polys, a)));
        expr_id f = expr_value(exprs, canon(polys, a));
        return expr_at(exprs, f)->kind == X_VALUE ? poly_atom(polys, f) : poly_of(polys, f);
    }
    default:
        return poly_atom(polys, e);
    }
}

struct poly poly_of(struct polys *polys, expr_id e)
{
    uint32_t known = *slot_at(&polys->cached, e);
    if (known != 0)
        return polys->cache.at[known - 1];
    struct poly poly = compute(polys, e);
    vec_push(&polys->cache, poly);
    *slot_at(&polys->cached, e) = polys->cache.len;
    return poly;
}

expr_id poly_expr(struct polys *polys, struct poly poly)
{
    struct exprs *exprs = polys->exprs;
    expr_id sum = expr_int(exprs, 0);
    for (uint32_t i = 0; i < poly.n; i++) {
        struct mono mono = polys->mono.at[poly.term[i].mono];
        expr_id t = expr_int(exprs, poly.term[i].c);
        for (uint32_t k = 0; k < mono.n; k++)
            t = expr_mul(exprs, t, polys->atoms.at[mono.at + k]);
        sum = expr_add(exprs, sum, t);
    }
    return sum;
}

static int64_t gcd_of(struct poly poly)
{
    uint64_t g = 0;
    for (uint32_t i = 0; i < poly.n; i++)
        if (poly.term[i].mono != 0)
            g = common_divisor(g, poly.term[i].c);
    return g > INT64_MAX ? 1 : (int64_t)g;
}

// INT64_MIN has no negation, and its quotient by -1 overflows.  The rule is given up as if
// the coefficient had overflowed.
static bool extreme(struct polys *polys, struct poly poly)
{
    bool found = false;
    for (uint32_t i = 0; i < poly.n; i++)
        found |= poly.term[i].c == INT64_MIN;
    polys->overflow |= found;
    return found;
}

// (terms without the constant) / divisor + constant term k
static struct poly scaled(struct polys *polys, struct poly poly, int64_t g, int64_t k)
{
    struct pterm *term = ARENA_NEW(&polys->mem, struct pterm, poly.n + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < poly.n; i++)
        if (poly.term[i].mono != 0)
            term[n++] = (struct pterm){poly.term[i].mono, poly.term[i].c / g};
    if (k != 0)
        term[n++] = (struct pterm){0, k};
    return (struct poly){n, term};
}

static int64_t constant_term(struct poly poly)
{
    return poly.n > 0 && poly.term[poly.n - 1].mono == 0 ? poly.term[poly.n - 1].c : 0;
}

static int64_t floored(int64_t a, int64_t g) // g > 0
{
    return a / g - (a % g < 0);
}

// 0 <= a
static expr_id canon_le(struct polys *polys, struct poly poly)
{
    struct exprs *exprs = polys->exprs;
    int64_t k;
    if (poly_constant(poly, &k))
        return k >= 0 ? expr_true(exprs) : expr_false(exprs);
    int64_t g = extreme(polys, poly) ? 1 : gcd_of(poly);
    poly = scaled(polys, poly, g, floored(constant_term(poly), g));
    return expr_le(exprs, expr_int(exprs, 0), poly_expr(polys, poly));
}

static expr_id canon_eq(struct polys *polys, struct poly poly)
{
    struct exprs *exprs = polys->exprs;
    int64_t k;
    if (poly_constant(poly, &k))
        return k == 0 ? expr_true(exprs) : expr_false(exprs);
    if (extreme(polys, poly))
        return expr_eq(exprs, expr_int(exprs, 0), poly_expr(polys, poly));
    int64_t g = gcd_of(poly);
    k = constant_term(poly);
    if (k % g != 0)
        return expr_false(exprs);
    poly = scaled(polys, poly, poly.term[0].c < 0 ? -g : g, poly.term[0].c < 0 ? -(k / g) : k / g);
    return expr_eq(exprs, expr_int(exprs, 0), poly_expr(polys, poly));
}

static expr_id canon_not(struct polys *polys, expr_id e)
{
    struct exprs *exprs = polys->exprs;
    const struct expr *node = expr_at(exprs, e);
    if (node->kind != X_LE)
        return expr_not(exprs, e);
    // not 0 <= a  is  0 <= -a - 1
    struct poly poly = poly_add(polys, poly_of(polys, expr_arg(exprs, e, 1)),
                                poly_of(polys, expr_arg(exprs, e, 0)), -1);
    return canon_le(polys, poly_add(polys, poly_int(polys, -1), poly, -1));
}

static expr_id compute_canon(struct polys *polys, expr_id e)
{
    struct exprs *exprs = polys->exprs;
    struct expr node = *expr_at(exprs, e);
    if (expr_sort(exprs, e) == SORT_INT)
        return poly_expr(polys, poly_of(polys, e));
    if (node.kind == X_LE || node.kind == X_EQ) {
        struct poly poly = poly_add(polys, poly_of(polys, expr_arg(exprs, e, 1)),
                                    poly_of(polys, expr_arg(exprs, e, 0)), -1);
        return node.kind == X_LE ? canon_le(polys, poly) : canon_eq(polys, poly);
    }
    if (node.kind == X_NOT)
        return canon_not(polys, canon(polys, expr_arg(exprs, e, 0)));
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < node.n; i++)
        vec_push(&args, canon(polys, expr_arg(exprs, e, i)));
    expr_id out = node.n == 0 ? e : expr_with_args(exprs, e, args.at);
    vec_release(&args);
    return out;
}

expr_id canon(struct polys *polys, expr_id e)
{
    uint32_t known = *slot_at(&polys->canon_of, e);
    if (known != 0)
        return known - 1;
    expr_id c = compute_canon(polys, e);
    *slot_at(&polys->canon_of, e) = c + 1;
    *slot_at(&polys->canon_of, c) = c + 1;
    return c;
}
