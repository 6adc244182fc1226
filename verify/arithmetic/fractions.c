// SPDX-License-Identifier: Apache-2.0
// Quotients over the reals: both sides over one line each, and then without lines
// (docs/proving.md, quotients).
//
// F1  A fraction is its expression wherever the divisors that were met are not 0; so are its
//     factors, then.
// F2  `size` and `bits` are at least the terms, and the bits of a coefficient, of the
//     polynomial above the line.  So no polynomial gets too large.
#include "verify/arithmetic/leaf.h"
#include "verify/limits.h"

struct fraction {
    expr_id above;
    uint32_t n;
    expr_id factor[VERIFY_FRACTION_FACTORS]; // below the line
    double size, bits;
};

struct clearing {
    struct session *session;
    struct u32_vec *divisors; // each once
    bool any;                 // is there a quotient?
};

static bool fraction_of(struct clearing *fractions, expr_id e, struct fraction *out);

static expr_id combine(struct clearing *fractions, enum op op, expr_id a, expr_id b)
{
    struct exprs *exprs = &fractions->session->exprs;
    return expr_op(exprs, op, 0, expr_at(exprs, a)->type, 2, (expr_id[]){a, b});
}

static bool is_one(const struct clearing *fractions, expr_id e)
{
    const struct expr *node = expr_at(&fractions->session->exprs, e);
    return node->kind == X_LITERAL && node->op == LIT_INT && node->k == 1;
}

static expr_id number(struct clearing *fractions, int64_t k, uint32_t type)
{
    return expr_literal(&fractions->session->exprs, LIT_INT, k, 0, type);
}

// What an expression counts for (F2).  Unknowns are one term; an injected index has as many as
// its polynomial.
static void measure(struct clearing *fractions, expr_id e, double *size, double *bits)
{
    struct session *session = fractions->session;
    const struct expr node = *expr_at(&session->exprs, e);
    struct poly poly = {1, NULL};
    int64_t most = 1;
    if (node.kind == X_INJECT)
        poly = poly_of(&session->polys, expr_arg(&session->exprs, e, 0));
    for (uint32_t i = 0; poly.term != NULL && i < poly.n; i++)
        most = poly.term[i].c > most    ? poly.term[i].c
               : poly.term[i].c < -most ? -poly.term[i].c
                                        : most;
    if (node.kind == X_LITERAL)
        most = node.k < 0 ? -(node.k + 1) : node.k;
    *size = poly.n;
    *bits = 1;
    for (; most > 0; most /= 2)
        *bits += 1;
}

static bool fits(const struct fraction *fraction)
{
    return fraction->size <= VERIFY_FRACTION_TERMS && fraction->bits <= VERIFY_FRACTION_BITS;
}

// The same expression, whichever patterns of the rule its reductions stand for?
static bool is_same(const struct exprs *exprs, expr_id a, expr_id b)
{
    const struct expr *node = expr_at(exprs, a), *other = expr_at(exprs, b);
    bool same = node->kind == other->kind && node->op == other->op && node->sym == other->sym &&
                node->type == other->type && node->n == other->n &&
                (node->kind == X_REDUCE || node->k == other->k);
    if (a == b)
        return true;
    for (uint32_t i = 0; i < node->n && same; i++)
        same = is_same(exprs, expr_arg(exprs, a, i), expr_arg(exprs, b, i));
    return same;
}

// Multiplies by a product.  A factor that stands below the line goes from there instead.
static void multiply_by(struct clearing *fractions, struct fraction *fraction, expr_id e)
{
    const struct exprs *exprs = &fractions->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    uint32_t i = 0;
    if (node.kind == X_OP && node.op == OP_MULTIPLY) {
        expr_id second = expr_arg(exprs, e, 1);
        multiply_by(fractions, fraction, expr_arg(exprs, e, 0));
        multiply_by(fractions, fraction, second);
        return;
    }
    while (i < fraction->n && !is_same(exprs, fraction->factor[i], e))
        i++;
    if (i < fraction->n)
        fraction->factor[i] = fraction->factor[--fraction->n];
    else if (is_one(fractions, fraction->above))
        fraction->above = e;
    else if (!is_one(fractions, e))
        fraction->above = combine(fractions, OP_MULTIPLY, fraction->above, e);
}

static bool multiply(struct clearing *fractions, struct fraction *fraction,
                     const struct fraction *by)
{
    multiply_by(fractions, fraction, by->above);
    fraction->size *= by->size;
    fraction->bits += by->bits;
    return fits(fraction);
}

// A factor, measured when it was put below a line, as a fraction; and the size of a product.
static bool multiply_factor(struct clearing *fractions, struct fraction *fraction, expr_id factor)
{
    struct fraction by;
    struct u32_vec *kept = fractions->divisors;
    struct u32_vec none = {0};
    fractions->divisors = &none; // there is no quotient in it
    bool done = fraction_of(fractions, factor, &by) && multiply(fractions, fraction, &by);
    vec_release(&none);
    fractions->divisors = kept;
    return done;
}

// A product is as many factors.
static bool add_factor(struct clearing *fractions, struct fraction *fraction, expr_id e)
{
    const struct exprs *exprs = &fractions->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (node.kind == X_OP && node.op == OP_MULTIPLY) {
        expr_id second = expr_arg(exprs, e, 1);
        return add_factor(fractions, fraction, expr_arg(exprs, e, 0)) &&
               add_factor(fractions, fraction, second);
    }
    if (is_one(fractions, e))
        return true;
    if (fraction->n == VERIFY_FRACTION_FACTORS)
        return false;
    fraction->factor[fraction->n++] = e;
    return true;
}

// Multiplies what stands above the line of `out` by the factors of b that a lacks, each as often
// as it lacks it.  They are put below the line of `below`, which may be NULL.
static bool multiply_lacking(struct clearing *fractions, struct fraction *out,
                             const struct fraction *a, const struct fraction *b,
                             struct fraction *below)
{
    const struct exprs *exprs = &fractions->session->exprs;
    bool used[VERIFY_FRACTION_FACTORS] = {false}, done = true;
    for (uint32_t i = 0; i < b->n && done; i++) {
        uint32_t j = 0;
        while (j < a->n && (used[j] || !is_same(exprs, a->factor[j], b->factor[i])))
            j++;
        if (j < a->n) {
            used[j] = true;
            continue;
        }
        done = multiply_factor(fractions, out, b->factor[i]) &&
               (below == NULL || add_factor(fractions, below, b->factor[i]));
    }
    return done;
}

static bool sum_of(struct clearing *fractions, enum op op, const struct fraction *a,
                   const struct fraction *b, struct fraction *out)
{
    struct fraction left = *a, right = *b, line = *a;
    if (!multiply_lacking(fractions, &left, a, b, &line) ||
        !multiply_lacking(fractions, &right, b, a, NULL))
        return false;
    line.above = combine(fractions, op, left.above, right.above);
    line.size = left.size + right.size;
    line.bits = (left.bits > right.bits ? left.bits : right.bits) + 1;
    *out = line;
    return fits(out);
}

static bool product_of(struct clearing *fractions, const struct fraction *a,
                       const struct fraction *b, struct fraction *out)
{
    struct fraction product = *b, above = *a;
    above.n = 0;
    bool done = multiply(fractions, &product, &above);
    above = product;
    product = *a;
    product.above = number(fractions, 1, expr_at(&fractions->session->exprs, a->above)->type);
    product.size = 1;
    product.bits = 0;
    done = done && multiply(fractions, &product, &above);
    for (uint32_t i = 0; i < above.n && done; i++)
        done = add_factor(fractions, &product, above.factor[i]);
    *out = product;
    return done;
}

// a / b, where b, and so what stands above its line, is not 0.
static bool quotient_of(struct clearing *fractions, const struct fraction *a,
                        const struct fraction *b, struct fraction *out)
{
    struct fraction quotient = *a;
    bool done = add_factor(fractions, &quotient, b->above);
    for (uint32_t i = 0; i < b->n && done; i++)
        done = multiply_factor(fractions, &quotient, b->factor[i]);
    *out = quotient;
    return done;
}

// A product is not 0 if its factors are not.
static void add_divisor(struct clearing *fractions, expr_id e)
{
    const struct exprs *exprs = &fractions->session->exprs;
    const struct expr *node = expr_at(exprs, e);
    bool known = node->kind == X_LITERAL && node->op == LIT_INT && node->k != 0;
    if (node->kind == X_OP && node->op == OP_MULTIPLY) {
        expr_id second = expr_arg(exprs, e, 1);
        add_divisor(fractions, expr_arg(exprs, e, 0));
        add_divisor(fractions, second);
        return;
    }
    for (uint32_t i = 0; i < fractions->divisors->len && !known; i++)
        known = is_same(exprs, fractions->divisors->at[i], e);
    if (!known)
        vec_push(fractions->divisors, e);
}

static bool is_finite_real(const struct clearing *fractions, expr_id e)
{
    return type_in_domain(fractions->session->rule, expr_at(&fractions->session->exprs, e)->type,
                          DOMAIN_REAL) &&
           !element_may_be_infinite(fractions->session, e);
}

// k / 10^m
static bool decimal(struct clearing *fractions, const struct expr *node, struct fraction *out)
{
    out->above = number(fractions, node->k, node->type);
    measure(fractions, out->above, &out->size, &out->bits);
    bool done = fits(out);
    for (uint32_t i = 0; i < node->sym && done; i++)
        done = add_factor(fractions, out, number(fractions, 10, node->type));
    fractions->any |= node->sym > 0;
    return done;
}

// x^k, 0 <= k
static bool power_of(struct clearing *fractions, expr_id e, struct fraction *out)
{
    const struct exprs *exprs = &fractions->session->exprs;
    int64_t exponent = expr_at(exprs, expr_arg(exprs, e, 1))->k;
    struct fraction base;
    bool done = fraction_of(fractions, expr_arg(exprs, e, 0), &base);
    *out = (struct fraction){.above = number(fractions, 1, expr_at(exprs, e)->type), .size = 1};
    while (exponent-- > 0 && done)
        done = product_of(fractions, out, &base, out);
    return done;
}

static bool is_small_power(const struct exprs *exprs, const struct expr *node)
{
    if (node->kind != X_OP || node->op != OP_POWER)
        return false;
    const struct expr *k = expr_at(exprs, exprs->args.at[node->at + 1]);
    return k->kind == X_LITERAL && k->op == LIT_INT && k->sym == 0 && k->k >= 0 &&
           k->k <= VERIFY_LITERAL_POWER;
}

static bool operation(struct clearing *fractions, expr_id e, struct fraction *out)
{
    const struct exprs *exprs = &fractions->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    expr_id second = expr_arg(exprs, e, 1);
    struct fraction a, b;
    if (!fraction_of(fractions, expr_arg(exprs, e, 0), &a) || !fraction_of(fractions, second, &b))
        return false;
    if (node.op == OP_MULTIPLY)
        return product_of(fractions, &a, &b, out);
    if (node.op != OP_DIVIDE)
        return sum_of(fractions, (enum op)node.op, &a, &b, out);
    fractions->any = true;
    add_divisor(fractions, second);
    return quotient_of(fractions, &a, &b, out);
}

static bool fraction_of(struct clearing *fractions, expr_id e, struct fraction *out)
{
    const struct exprs *exprs = &fractions->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    *out = (struct fraction){.above = e};
    if (!is_finite_real(fractions, e))
        return false;
    bool two = node.kind == X_OP && (node.op == OP_ADD || node.op == OP_SUBTRACT ||
                                     node.op == OP_MULTIPLY || node.op == OP_DIVIDE);
    if (two)
        return operation(fractions, e, out);
    if (is_small_power(exprs, &node))
        return power_of(fractions, e, out);
    if (node.kind == X_OP && node.op == OP_NEGATE) {
        struct fraction zero = {.above = number(fractions, 0, node.type), .size = 1}, a;
        return fraction_of(fractions, expr_arg(exprs, e, 0), &a) &&
               sum_of(fractions, OP_SUBTRACT, &zero, &a, out);
    }
    if (node.kind == X_LITERAL && node.op == LIT_DECIMAL)
        return decimal(fractions, &node, out);
    measure(fractions, e, &out->size, &out->bits);
    return fits(out);
}

bool fractions_clear(struct session *session, expr_id *a, expr_id *b, struct u32_vec *divisors)
{
    struct clearing fractions = {.session = session, .divisors = divisors};
    struct fraction left, right;
    if (!fraction_of(&fractions, *a, &left) || !fraction_of(&fractions, *b, &right) ||
        !fractions.any)
        return false;
    struct fraction first = left, second = right;
    if (!multiply_lacking(&fractions, &first, &left, &right, NULL) ||
        !multiply_lacking(&fractions, &second, &right, &left, NULL))
        return false;
    *a = first.above;
    *b = second.above;
    return true;
}

// ---- leaves

static uint32_t find_bool(const struct rule *rule)
{
    for (uint32_t t = 0; t < rule->n_types; t++)
        if (rule->types[t].kinds == KIND_BOOL)
            return t;
    return NONE;
}

static bool is_not_zero(struct session *session, const struct leaf *leaf, expr_id e, uint32_t truth)
{
    struct exprs *exprs = &session->exprs;
    struct leaf goal = *leaf;
    expr_id pair[] = {expr_literal(exprs, LIT_INT, 0, 0, expr_at(exprs, e)->type), e};
    goal.lhs = expr_op(exprs, OP_COMPARE, CMP_EQ, truth, 2, pair);
    goal.rhs = expr_literal(exprs, LIT_BOOL, 0, 0, truth);
    return machine_leaf(session, DOMAIN_REAL, &goal);
}

// An unknown that is known to be equal to something else becomes that, in both sides.
static void replace_equals(struct session *session, const struct leaf *leaf, expr_id *a, expr_id *b)
{
    struct exprs *exprs = &session->exprs;
    for (uint32_t i = 0; i < 2 * leaf->holds.len; i++) {
        const struct expr *holds = expr_at(exprs, leaf->holds.at[i / 2]);
        expr_id equal = holds->kind == X_HOLDS ? exprs->args.at[holds->at] : NO_EXPR;
        if (equal == NO_EXPR || expr_at(exprs, equal)->kind != X_OP ||
            expr_at(exprs, equal)->op != OP_COMPARE || expr_at(exprs, equal)->sym != CMP_EQ)
            continue;
        expr_id from = expr_arg(exprs, equal, i % 2), to = expr_arg(exprs, equal, 1 - i % 2);
        if (expr_at(exprs, from)->kind != X_ATOM || expr_contains(exprs, to, from))
            continue;
        *a = expr_subst(exprs, *a, 1, &from, &to);
        *b = expr_subst(exprs, *b, 1, &from, &to);
    }
}

// Is the expression one of unknown reals, numbers, + - * /, powers and signs, and no other?
static bool is_rational(const struct session *session, expr_id e)
{
    const struct expr *node = expr_at(&session->exprs, e);
    bool two = node->kind == X_OP && (node->op == OP_ADD || node->op == OP_SUBTRACT ||
                                      node->op == OP_MULTIPLY || node->op == OP_DIVIDE);
    bool one =
        node->kind == X_OP && (node->op == OP_NEGATE || is_small_power(&session->exprs, node));
    if (!two && !one)
        return node->kind == X_ATOM || node->kind == X_LITERAL;
    return is_rational(session, expr_arg(&session->exprs, e, 0)) &&
           (one || is_rational(session, expr_arg(&session->exprs, e, 1)));
}

// Does each condition of the leaf hold in an open set of reals: a strict comparison?
static bool is_open_set(const struct session *session, const struct leaf *leaf)
{
    const struct exprs *exprs = &session->exprs;
    for (uint32_t i = 0; i < leaf->holds.len; i++) {
        const struct expr *holds = expr_at(exprs, leaf->holds.at[i]);
        const struct expr *is =
            holds->kind == X_HOLDS ? expr_at(exprs, exprs->args.at[holds->at]) : holds;
        if (is->kind != X_OP || is->op != OP_COMPARE ||
            (is->sym != CMP_GT && is->sym != CMP_LT && is->sym != CMP_NE))
            return false;
    }
    return true;
}

enum fractions fractions_compare(struct session *session, const struct leaf *leaf)
{
    struct u32_vec divisors = {0};
    expr_id a = leaf->lhs, b = leaf->rhs;
    uint32_t truth = find_bool(session->rule);
    enum fractions answer = FRACTIONS_UNKNOWN;
    replace_equals(session, leaf, &a, &b);
    bool same = truth != NONE && fractions_clear(session, &a, &b, &divisors);
    if (same) {
        same = ring_normal(session, DOMAIN_REAL, a) == ring_normal(session, DOMAIN_REAL, b);
        if (!same && !session->polys.overflow && is_rational(session, leaf->lhs) &&
            is_rational(session, leaf->rhs) && is_open_set(session, leaf))
            answer = FRACTIONS_DIFFER;
        same &= !session->polys.overflow;
    }
    for (uint32_t i = 0; i < divisors.len && same; i++)
        same = is_not_zero(session, leaf, divisors.at[i], truth);
    vec_release(&divisors);
    return same ? FRACTIONS_SAME : answer;
}
