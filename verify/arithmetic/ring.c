// SPDX-License-Identifier: Apache-2.0
// Normal forms of elements.  In int, word (at every width) and real, + - * and
// integer literals form a commutative ring, so an element is a polynomial over
// what is not ring arithmetic; an index injected by iota is a ring
// homomorphism and becomes a polynomial, too.  X_INJECT(p) then stands for
// "the polynomial p over elements"; X_VALUE wraps its unknowns.  Of words
// `not a` is -1 - a and a << b is a * (1 << b), where 1 << b is an unknown, or
// the number 2^b; a chain of shifts to the right has its amounts sorted.
#include "verify/arithmetic/leaf.h"
#include "verify/arithmetic/float_identities.h"

struct ring_normalizer {
    struct session *s;
    enum domain d;
};

static expr_id normal_form(const struct ring_normalizer *m, expr_id e);

static bool is_float(const struct ring_normalizer *m, uint32_t type)
{
    return m->d == DOMAIN_FLOAT && type_in_domain(m->s->r, type, m->d);
}

static bool is_ring(const struct ring_normalizer *m, uint32_t type)
{
    return (m->d == DOMAIN_INT || m->d == DOMAIN_WORD || m->d == DOMAIN_REAL) &&
           type_in_domain(m->s->r, type, m->d);
}

static bool is_ring_node(const struct expr *n)
{
    return (n->kind == X_LITERAL && n->op == LIT_INT) || n->kind == X_INJECT ||
           (n->kind == X_OP && (n->op == OP_ADD || n->op == OP_SUBTRACT ||
                                n->op == OP_MULTIPLY || n->op == OP_NEGATE));
}

// x to the power of a literal that is small and not negative: a product.  (A
// rule speaks only of types that have its literals, so it is no negative one.)
static bool small_power(const struct exprs *x, const struct expr *n,
                        int64_t *exponent)
{
    if (n->kind != X_OP || n->op != OP_POWER)
        return false;
    const struct expr *k = expr_at(x, x->args.at[n->at + 1]);
    *exponent = k->k;
    return k->kind == X_LITERAL && k->op == LIT_INT && k->sym == 0 &&
           k->k >= 0 && k->k <= 8;
}

// The mathematical integers convert to themselves, and so do the reals.
static bool is_identity(const struct ring_normalizer *m, const struct expr *n)
{
    const struct exprs *x = &m->s->x;
    return n->kind == X_OP && n->op == OP_CONVERT &&
           (m->d == DOMAIN_INT || m->d == DOMAIN_REAL) && is_ring(m, n->type) &&
           is_ring(m, expr_at(x, x->args.at[n->at])->type);
}

// A literal amount within the numbers that coefficients have room for: as the
// rule speaks only of types that have it, it is not read as another one.
static bool literal_amount(const struct expr *b, int64_t *k)
{
    *k = b->k;
    return b->kind == X_LITERAL && b->op == LIT_INT && b->sym == 0 &&
           b->k >= 0 && b->k <= 31;
}

// Of words.  Modulo 2^w, 2^b is 0 where b, read without sign, is the width or
// more, and so is a << b.
static bool is_word_ring(const struct ring_normalizer *m, const struct expr *n)
{
    return m->d == DOMAIN_WORD && n->kind == X_OP &&
           (n->op == OP_NOT || n->op == OP_SHIFT_LEFT);
}

// Ring laws do not hold of infinities, which int and real have as lowest and
// highest; words have none.
static bool ring_applies(const struct ring_normalizer *m, expr_id e)
{
    const struct exprs *x = &m->s->x;
    const struct expr *n = expr_at(x, e);
    int64_t k;
    bool applies =
        is_ring(m, n->type) && (is_ring_node(n) || small_power(x, n, &k) ||
                                is_identity(m, n) || is_word_ring(m, n));
    if (n->kind != X_OP || m->d == DOMAIN_WORD)
        return applies;
    for (uint32_t i = 0; i < n->n && applies; i++)
        applies = !element_may_be_infinite(m->s, expr_arg(x, e, i));
    return applies;
}

static struct poly power_of_two(const struct ring_normalizer *m, expr_id amount)
{
    struct polys *p = &m->s->p;
    struct exprs *x = &m->s->x;
    int64_t k;
    if (literal_amount(expr_at(x, amount), &k))
        return poly_int(p, (int64_t)1 << k);
    uint32_t type = expr_at(x, amount)->type;
    expr_id arg[] = {expr_literal(x, LIT_INT, 1, 0, type),
                     normal_form(m, amount)};
    expr_id e = expr_op(x, OP_SHIFT_LEFT, 0, type, 2, arg);
    return poly_atom(p, expr_value(x, e));
}

// The polynomial of an element whose type is a ring.
static struct poly ring_poly(const struct ring_normalizer *m, expr_id e)
{
    struct polys *p = &m->s->p;
    struct exprs *x = &m->s->x;
    const struct expr n = *expr_at(x, e);
    if (!ring_applies(m, e)) {
        expr_id f = normal_form(m, e);
        return expr_at(x, f)->kind == X_INJECT ? poly_of(p, expr_arg(x, f, 0))
                                               : poly_atom(p, expr_value(x, f));
    }
    if (n.kind == X_LITERAL)
        return poly_int(p, n.k);
    if (n.kind == X_INJECT)
        return poly_of(p, expr_arg(x, e, 0));
    expr_id a = expr_arg(x, e, 0);
    int64_t exponent;
    if (n.op == OP_CONVERT)
        return ring_poly(m, a);
    if (small_power(x, &n, &exponent)) {
        struct poly product = poly_int(p, 1), base = ring_poly(m, a);
        while (exponent-- > 0)
            product = poly_mul(p, product, base);
        return product;
    }
    if (n.op == OP_NEGATE)
        return poly_add(p, (struct poly){0, NULL}, ring_poly(m, a), -1);
    if (n.op == OP_NOT)
        return poly_add(p, poly_int(p, -1), ring_poly(m, a), -1);
    expr_id b = expr_arg(x, e, 1);
    if (n.op == OP_MULTIPLY)
        return poly_mul(p, ring_poly(m, a), ring_poly(m, b));
    if (n.op == OP_SHIFT_LEFT)
        return poly_mul(p, ring_poly(m, a), power_of_two(m, b));
    return poly_add(p, ring_poly(m, a), ring_poly(m, b),
                    n.op == OP_ADD ? 1 : -1);
}

static bool is_flat(const struct session *s, const struct expr *n)
{
    if (n->kind == X_OPVAR)
        return s->r->opvars[n->sym].kind == OPVAR_MONOID;
    return n->kind == X_OP && (n->op == OP_MAXIMUM || n->op == OP_MINIMUM ||
                               n->op == OP_AND || n->op == OP_OR);
}

// Operands of nested applications of one operator, in normal form.
static void flatten(const struct ring_normalizer *m, const struct expr *n, expr_id e,
                    struct u32_vec *out)
{
    const struct exprs *x = &m->s->x;
    const struct expr *k = expr_at(x, e);
    if (k->kind == n->kind && k->op == n->op && k->sym == n->sym &&
        k->type == n->type) {
        expr_id a = expr_arg(x, e, 0), b = expr_arg(x, e, 1);
        flatten(m, n, a, out);
        flatten(m, n, b, out);
        return;
    }
    e = normal_form(m, e);
    k = expr_at(x, e);
    bool nested = k->kind == n->kind && k->op == n->op && k->sym == n->sym &&
                  k->type == n->type;
    if (nested) {
        flatten(m, n, e, out);
        return;
    }
    vec_push(out, e);
}

static void sort_ids(struct u32_vec *v)
{
    for (uint32_t i = 1; i < v->len; i++) {
        uint32_t k = v->at[i], j = i;
        for (; j > 0 && v->at[j - 1] > k; j--)
            v->at[j] = v->at[j - 1];
        v->at[j] = k;
    }
}

// The unit of a monoid variable, and an operand that repeats under an
// idempotent operator, change nothing.
static expr_id flat(const struct ring_normalizer *m, expr_id e)
{
    struct exprs *x = &m->s->x;
    const struct expr n = *expr_at(x, e);
    struct u32_vec all = {0};
    flatten(m, &n, e, &all);
    sort_ids(&all);
    expr_id out = NO_EXPR;
    for (uint32_t i = 0; i < all.len; i++) {
        const struct expr *a = expr_at(x, all.at[i]);
        bool unit = a->kind == X_LITERAL && a->op == LIT_UNIT &&
                    a->sym == n.sym && n.kind == X_OPVAR;
        bool repeats = n.kind == X_OP && i > 0 && all.at[i] == all.at[i - 1];
        if (repeats || (unit && (out != NO_EXPR || i + 1 < all.len)))
            continue;
        expr_id pair[] = {out, all.at[i]};
        out = out == NO_EXPR ? all.at[i] : expr_with_args(x, e, pair);
    }
    vec_release(&all);
    return out;
}

static expr_id rebuilt(const struct ring_normalizer *m, expr_id e)
{
    struct exprs *x = &m->s->x;
    const struct expr n = *expr_at(x, e);
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < n.n; i++) {
        expr_id a = expr_arg(x, e, i);
        vec_push(&args, expr_sort(x, a) == SORT_ELEM ? normal_form(m, a) : a);
    }
    if (expr_commutes(&n))
        sort_ids(&args);
    expr_id out;
    if (is_float(m, n.type)) {
        out = float_normal(x, e, args.at);
        if (n.kind == X_OP && n.op == OP_POWER && expr_at(x, out)->op != n.op)
            m->s->rounds_right |= 1U << m->d;
    } else {
        out = n.n == 0 ? e : expr_with_args(x, e, args.at);
    }
    if (n.kind == X_OP && n.op == OP_CONVERT &&
        expr_at(x, args.at[0])->type == n.type)
        out = args.at[0];
    vec_release(&args);
    return out;
}

static bool is_right_shift(const struct ring_normalizer *m, const struct expr *n)
{
    return m->d == DOMAIN_WORD && n->kind == X_OP && is_ring(m, n->type) &&
           (n->op == OP_SHIFT_RIGHT_LOGICAL ||
            n->op == OP_SHIFT_RIGHT_ARITHMETIC);
}

// a >> b is floor(a / 2^b), a being read without sign (arithmetic: with one);
// and floor(floor(a / 2^b) / 2^c) = floor(a / 2^(b + c)), whatever the order.
static expr_id right_shifts(const struct ring_normalizer *m, expr_id e)
{
    struct exprs *x = &m->s->x;
    const struct expr n = *expr_at(x, e);
    struct u32_vec amounts = {0};
    expr_id out = e;
    for (int pass = 0; pass < 2; pass++) {
        for (;;) {
            const struct expr k = *expr_at(x, out);
            if (k.kind != n.kind || k.op != n.op || k.type != n.type)
                break;
            vec_push(&amounts, normal_form(m, expr_arg(x, out, 1)));
            out = expr_arg(x, out, 0);
        }
        out = pass == 0 ? normal_form(m, out) : out;
    }
    sort_ids(&amounts);
    for (uint32_t i = 0; i < amounts.len; i++) {
        expr_id arg[] = {out, amounts.at[i]};
        out = expr_with_args(x, e, arg);
    }
    vec_release(&amounts);
    return out;
}

static expr_id normal_form(const struct ring_normalizer *m, expr_id e)
{
    struct exprs *x = &m->s->x;
    const struct expr n = *expr_at(x, e);
    if (ring_applies(m, e)) {
        struct polys *p = &m->s->p;
        struct poly a = ring_poly(m, e);
        // A lone unknown stands for itself; a place is another type's element.
        if (a.n == 1 && a.t[0].c == 1 && p->mono.at[a.t[0].mono].n == 1) {
            expr_id atom = p->atoms.at[p->mono.at[a.t[0].mono].at];
            if (expr_at(x, atom)->kind == X_VALUE &&
                expr_at(x, atom)->sym == 0 &&
                expr_at(x, expr_arg(x, atom, 0))->type == n.type)
                return expr_arg(x, atom, 0);
        }
        return expr_inject(x, poly_expr(p, a), n.type);
    }
    if (is_flat(m->s, &n))
        return flat(m, e);
    if (is_right_shift(m, &n))
        return right_shifts(m, e);
    return rebuilt(m, e);
}

expr_id ring_normal(struct session *s, enum domain d, expr_id e)
{
    return normal_form(&(struct ring_normalizer){s, d}, e);
}
