// SPDX-License-Identifier: Apache-2.0
// Normal forms of elements.  In int, word (at every width) and real, + - * and integer
// literals form a commutative ring, so an element is a polynomial over its parts that
// are not ring arithmetic.  Injection of an index by iota is a ring homomorphism, so an
// injected index becomes a polynomial, too.  X_INJECT(p) then stands for "the polynomial
// p over elements"; X_VALUE wraps the unknowns of p.
//
// For words: `not a` is -1 - a.  a << b is a * (1 << b), where 1 << b is an unknown or
// the number 2^b.  A chain of shifts to the right has its amounts sorted.  a = b is p = 0 for
// p = a - b or b - a, whichever begins with a positive coefficient.
#include "verify/arithmetic/leaf.h"
#include "verify/arithmetic/float_identities.h"
#include "verify/limits.h"

struct ring_normalizer {
    struct session *session;
    enum domain domain;
};

static expr_id normal_form(const struct ring_normalizer *ring_normalizer, expr_id e);

static bool is_float(const struct ring_normalizer *ring_normalizer, uint32_t type)
{
    return ring_normalizer->domain == DOMAIN_FLOAT &&
           type_in_domain(ring_normalizer->session->rule, type, ring_normalizer->domain);
}

static bool is_ring(const struct ring_normalizer *ring_normalizer, uint32_t type)
{
    return (ring_normalizer->domain == DOMAIN_INT || ring_normalizer->domain == DOMAIN_WORD ||
            ring_normalizer->domain == DOMAIN_REAL) &&
           type_in_domain(ring_normalizer->session->rule, type, ring_normalizer->domain);
}

static bool is_ring_node(const struct expr *node)
{
    return (node->kind == X_LITERAL && node->op == LIT_INT) || node->kind == X_INJECT ||
           (node->kind == X_OP && (node->op == OP_ADD || node->op == OP_SUBTRACT ||
                                   node->op == OP_MULTIPLY || node->op == OP_NEGATE));
}

// A power with a small literal exponent >= 0 is a product.  (A rule speaks only of types
// that have its literals, so the exponent is not negative in any of them.)
static bool small_power(const struct exprs *exprs, const struct expr *node, int64_t *exponent)
{
    if (node->kind != X_OP || node->op != OP_POWER)
        return false;
    const struct expr *k = expr_at(exprs, exprs->args.at[node->at + 1]);
    *exponent = k->k;
    return k->kind == X_LITERAL && k->op == LIT_INT && k->sym == 0 && k->k >= 0 &&
           k->k <= VERIFY_LITERAL_POWER;
}

// The mathematical integers convert to themselves, and so do the reals.
static bool is_identity(const struct ring_normalizer *ring_normalizer, const struct expr *node)
{
    const struct exprs *exprs = &ring_normalizer->session->exprs;
    return node->kind == X_OP && node->op == OP_CONVERT &&
           (ring_normalizer->domain == DOMAIN_INT || ring_normalizer->domain == DOMAIN_REAL) &&
           is_ring(ring_normalizer, node->type) &&
           is_ring(ring_normalizer, expr_at(exprs, exprs->args.at[node->at])->type);
}

// A literal amount that a coefficient can hold.  The rule speaks only of types that have the
// literal, so no type reads another number.
static bool literal_amount(const struct expr *node, int64_t *k)
{
    *k = node->k;
    return node->kind == X_LITERAL && node->op == LIT_INT && node->sym == 0 && node->k >= 0 &&
           node->k <= VERIFY_LITERAL_SHIFT;
}

// Is the node ring arithmetic on words?  If b, read without sign, is at least the width w,
// then 2^b = 0 modulo 2^w, and so is a << b.
static bool is_word_ring(const struct ring_normalizer *ring_normalizer, const struct expr *node)
{
    return ring_normalizer->domain == DOMAIN_WORD && node->kind == X_OP &&
           (node->op == OP_NOT || node->op == OP_SHIFT_LEFT);
}

// Ring laws fail for infinities, which int and real have as lowest and highest.  Words have
// none.
static bool ring_applies(const struct ring_normalizer *ring_normalizer, expr_id e)
{
    const struct exprs *exprs = &ring_normalizer->session->exprs;
    const struct expr *node = expr_at(exprs, e);
    int64_t k;
    bool applies = is_ring(ring_normalizer, node->type) &&
                   (is_ring_node(node) || small_power(exprs, node, &k) ||
                    is_identity(ring_normalizer, node) || is_word_ring(ring_normalizer, node));
    if (node->kind != X_OP || ring_normalizer->domain == DOMAIN_WORD)
        return applies;
    for (uint32_t i = 0; i < node->n && applies; i++)
        applies = !element_may_be_infinite(ring_normalizer->session, expr_arg(exprs, e, i));
    return applies;
}

static struct poly power_of_two(const struct ring_normalizer *ring_normalizer, expr_id amount)
{
    struct polys *polys = &ring_normalizer->session->polys;
    struct exprs *exprs = &ring_normalizer->session->exprs;
    int64_t k;
    if (literal_amount(expr_at(exprs, amount), &k))
        return poly_int(polys, (int64_t)1 << k);
    uint32_t type = expr_at(exprs, amount)->type;
    expr_id arg[] = {expr_literal(exprs, LIT_INT, 1, 0, type),
                     normal_form(ring_normalizer, amount)};
    expr_id e = expr_op(exprs, OP_SHIFT_LEFT, 0, type, 2, arg);
    return poly_atom(polys, expr_value(exprs, e));
}

// The polynomial of an element whose type is a ring.
static struct poly ring_poly(const struct ring_normalizer *ring_normalizer, expr_id e)
{
    struct polys *polys = &ring_normalizer->session->polys;
    struct exprs *exprs = &ring_normalizer->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (!ring_applies(ring_normalizer, e)) {
        expr_id f = normal_form(ring_normalizer, e);
        return expr_at(exprs, f)->kind == X_INJECT ? poly_of(polys, expr_arg(exprs, f, 0))
                                                   : poly_atom(polys, expr_value(exprs, f));
    }
    if (node.kind == X_LITERAL)
        return poly_int(polys, node.k);
    if (node.kind == X_INJECT)
        return poly_of(polys, expr_arg(exprs, e, 0));
    expr_id a = expr_arg(exprs, e, 0);
    int64_t exponent;
    if (node.op == OP_CONVERT)
        return ring_poly(ring_normalizer, a);
    if (small_power(exprs, &node, &exponent)) {
        struct poly product = poly_int(polys, 1), base = ring_poly(ring_normalizer, a);
        while (exponent-- > 0)
            product = poly_mul(polys, product, base);
        return product;
    }
    if (node.op == OP_NEGATE)
        return poly_negated(polys, ring_poly(ring_normalizer, a));
    if (node.op == OP_NOT)
        return poly_add(polys, poly_int(polys, -1), ring_poly(ring_normalizer, a), -1);
    expr_id b = expr_arg(exprs, e, 1);
    if (node.op == OP_MULTIPLY)
        return poly_mul(polys, ring_poly(ring_normalizer, a), ring_poly(ring_normalizer, b));
    if (node.op == OP_SHIFT_LEFT)
        return poly_mul(polys, ring_poly(ring_normalizer, a), power_of_two(ring_normalizer, b));
    return poly_add(polys, ring_poly(ring_normalizer, a), ring_poly(ring_normalizer, b),
                    node.op == OP_ADD ? 1 : -1);
}

static bool is_flat(const struct session *session, const struct expr *node)
{
    if (node->kind == X_OPVAR)
        return session->rule->opvars[node->sym].kind == OPVAR_MONOID;
    return node->kind == X_OP && op_facts((enum op)node->op)->dual != N_OPS;
}

// Appends the operands of nested applications of one operator, in normal form.
static void flatten(const struct ring_normalizer *ring_normalizer, const struct expr *node,
                    expr_id e, struct u32_vec *out)
{
    const struct exprs *exprs = &ring_normalizer->session->exprs;
    const struct expr *k = expr_at(exprs, e);
    if (k->kind == node->kind && k->op == node->op && k->sym == node->sym &&
        k->type == node->type) {
        expr_id a = expr_arg(exprs, e, 0), b = expr_arg(exprs, e, 1);
        flatten(ring_normalizer, node, a, out);
        flatten(ring_normalizer, node, b, out);
        return;
    }
    e = normal_form(ring_normalizer, e);
    k = expr_at(exprs, e);
    bool nested =
        k->kind == node->kind && k->op == node->op && k->sym == node->sym && k->type == node->type;
    if (nested) {
        flatten(ring_normalizer, node, e, out);
        return;
    }
    vec_push(out, e);
}

static void sort_ids(struct u32_vec *list)
{
    for (uint32_t i = 1; i < list->len; i++) {
        uint32_t k = list->at[i], j = i;
        for (; j > 0 && list->at[j - 1] > k; j--)
            list->at[j] = list->at[j - 1];
        list->at[j] = k;
    }
}

// Drops operands that change nothing: the unit of a monoid variable, and a repeated operand
// of an idempotent operator.
static expr_id flat(const struct ring_normalizer *ring_normalizer, expr_id e)
{
    struct exprs *exprs = &ring_normalizer->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    struct u32_vec all = {0};
    flatten(ring_normalizer, &node, e, &all);
    sort_ids(&all);
    expr_id out = NO_EXPR;
    for (uint32_t i = 0; i < all.len; i++) {
        const struct expr *a = expr_at(exprs, all.at[i]);
        bool unit =
            a->kind == X_LITERAL && a->op == LIT_UNIT && a->sym == node.sym && node.kind == X_OPVAR;
        bool repeats = node.kind == X_OP && i > 0 && all.at[i] == all.at[i - 1];
        if (repeats || (unit && (out != NO_EXPR || i + 1 < all.len)))
            continue;
        expr_id pair[] = {out, all.at[i]};
        out = out == NO_EXPR ? all.at[i] : expr_with_args(exprs, e, pair);
    }
    vec_release(&all);
    return out;
}

static expr_id rebuilt(const struct ring_normalizer *ring_normalizer, expr_id e)
{
    struct exprs *exprs = &ring_normalizer->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < node.n; i++) {
        expr_id a = expr_arg(exprs, e, i);
        vec_push(&args, expr_sort(exprs, a) == SORT_ELEM ? normal_form(ring_normalizer, a) : a);
    }
    if (expr_commutes(&node))
        sort_ids(&args);
    expr_id out;
    if (is_float(ring_normalizer, node.type)) {
        out = float_normal(exprs, e, args.at);
        const struct expr *normal = expr_at(exprs, out);
        if (node.kind == X_OP && op_is_elementwise((enum op)node.op) &&
            op_facts((enum op)node.op)->accuracy == ACCURACY_OPEN &&
            (normal->kind != X_OP || normal->op != node.op))
            ring_normalizer->session->rounds_right |= 1U << ring_normalizer->domain;
    } else {
        out = node.n == 0 ? e : expr_with_args(exprs, e, args.at);
    }
    if (node.kind == X_OP && node.op == OP_CONVERT && expr_at(exprs, args.at[0])->type == node.type)
        out = args.at[0];
    vec_release(&args);
    return out;
}

static bool is_right_shift(const struct ring_normalizer *ring_normalizer, const struct expr *node)
{
    return ring_normalizer->domain == DOMAIN_WORD && node->kind == X_OP &&
           is_ring(ring_normalizer, node->type) &&
           (node->op == OP_SHIFT_RIGHT_LOGICAL || node->op == OP_SHIFT_RIGHT_ARITHMETIC);
}

// a >> b = floor(a / 2^b), where a is read without sign (arithmetic shifts: with sign), and
// floor(floor(a / 2^b) / 2^c) = floor(a / 2^(b + c)).  So the amounts may stand in any
// order.
static expr_id right_shifts(const struct ring_normalizer *ring_normalizer, expr_id e)
{
    struct exprs *exprs = &ring_normalizer->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    struct u32_vec amounts = {0};
    expr_id out = e;
    for (int pass = 0; pass < 2; pass++) {
        for (;;) {
            const struct expr k = *expr_at(exprs, out);
            if (k.kind != node.kind || k.op != node.op || k.type != node.type)
                break;
            vec_push(&amounts, normal_form(ring_normalizer, expr_arg(exprs, out, 1)));
            out = expr_arg(exprs, out, 0);
        }
        out = pass == 0 ? normal_form(ring_normalizer, out) : out;
    }
    sort_ids(&amounts);
    for (uint32_t i = 0; i < amounts.len; i++) {
        expr_id arg[] = {out, amounts.at[i]};
        out = expr_with_args(exprs, e, arg);
    }
    vec_release(&amounts);
    return out;
}

static bool is_word_equation(const struct ring_normalizer *ring_normalizer, const struct expr *node)
{
    const struct exprs *exprs = &ring_normalizer->session->exprs;
    return ring_normalizer->domain == DOMAIN_WORD && node->kind == X_OP && node->op == OP_COMPARE &&
           node->sym == CMP_EQ &&
           is_ring(ring_normalizer, expr_at(exprs, exprs->args.at[node->at])->type);
}

static expr_id word_equation(const struct ring_normalizer *ring_normalizer, expr_id e)
{
    struct polys *polys = &ring_normalizer->session->polys;
    struct exprs *exprs = &ring_normalizer->session->exprs;
    expr_id a = expr_arg(exprs, e, 0), b = expr_arg(exprs, e, 1);
    uint32_t type = expr_at(exprs, a)->type;
    struct poly p = ring_poly(ring_normalizer, a);
    p = poly_add(polys, p, ring_poly(ring_normalizer, b), -1);
    if (p.n > 0 && p.term[0].c < 0)
        p = poly_negated(polys, p);
    expr_id side[] = {expr_inject(exprs, poly_expr(polys, p), type),
                      expr_literal(exprs, LIT_INT, 0, 0, type)};
    return expr_with_args(exprs, e, side);
}

static expr_id normal_form(const struct ring_normalizer *ring_normalizer, expr_id e)
{
    struct exprs *exprs = &ring_normalizer->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (is_word_equation(ring_normalizer, &node))
        return word_equation(ring_normalizer, e);
    if (ring_applies(ring_normalizer, e)) {
        struct polys *polys = &ring_normalizer->session->polys;
        struct poly poly = ring_poly(ring_normalizer, e);
        // A lone unknown stands for itself.  An expr_place is an element of another type.
        if (poly.n == 1 && poly.term[0].c == 1 && polys->mono.at[poly.term[0].mono].n == 1) {
            expr_id atom = polys->atoms.at[polys->mono.at[poly.term[0].mono].at];
            if (expr_at(exprs, atom)->kind == X_VALUE && expr_at(exprs, atom)->sym == 0 &&
                expr_at(exprs, expr_arg(exprs, atom, 0))->type == node.type)
                return expr_arg(exprs, atom, 0);
        }
        return expr_inject(exprs, poly_expr(polys, poly), node.type);
    }
    if (is_flat(ring_normalizer->session, &node))
        return flat(ring_normalizer, e);
    if (is_right_shift(ring_normalizer, &node))
        return right_shifts(ring_normalizer, e);
    return rebuilt(ring_normalizer, e);
}

expr_id ring_normal(struct session *session, enum domain domain, expr_id e)
{
    return normal_form(&(struct ring_normalizer){session, domain}, e);
}
