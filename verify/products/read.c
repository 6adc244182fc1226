// SPDX-License-Identifier: Apache-2.0
// Statements of the solver, read as polynomials and written again with unknowns in place of
// monomials.
#include "verify/products/parts.h"
#include <inttypes.h>

void products_init(struct products *products, struct session *session)
{
    struct smt *smt = &session->smt;
    *products = (struct products){
        .session = session, .context = smt->ctx, .real = Z3_mk_real_sort(smt->ctx)};
    polys_init(&products->polys, &session->exprs);
    for (uint32_t i = 0; i < smt->asserted.len; i++)
        vec_push(&products->asserted, smt->asserted.at[i]);
}

void products_release(struct products *products)
{
    struct known *known, *next;
    HASH_ITER(hh, products->known, known, next)
    {
        HASH_DEL(products->known, known);
        mem_free(known);
    }
    vec_release(&products->asserted);
    vec_release(&products->unknown);
    vec_release(&products->fact);
    vec_release(&products->sign);
    vec_release(&products->possible);
    vec_release(&products->basis);
    vec_release(&products->as);
    polys_release(&products->polys);
}

struct known *known_of(struct products *products, Z3_ast term)
{
    unsigned id = Z3_get_ast_id(products->context, term);
    struct known *known = NULL;
    HASH_FIND(hh, products->known, &id, sizeof id, known);
    if (known == NULL) {
        known = mem_alloc(sizeof *known);
        *known = (struct known){.id = id};
        HASH_ADD(hh, products->known, id, sizeof known->id, known);
    }
    return known;
}

// ---- the solver's terms

static bool is_real(const struct products *products, Z3_ast a)
{
    return Z3_get_sort(products->context, a) == products->real;
}

// Z3_OP_INTERNAL: no application.
Z3_decl_kind term_kind(const struct products *products, Z3_ast a)
{
    if (Z3_get_ast_kind(products->context, a) != Z3_APP_AST)
        return Z3_OP_INTERNAL;
    return Z3_get_decl_kind(products->context,
                            Z3_get_app_decl(products->context, Z3_to_app(products->context, a)));
}

unsigned term_args(const struct products *products, Z3_ast a)
{
    if (Z3_get_ast_kind(products->context, a) != Z3_APP_AST)
        return 0;
    return Z3_get_app_num_args(products->context, Z3_to_app(products->context, a));
}

Z3_ast term_arg(const struct products *products, Z3_ast a, unsigned i)
{
    return Z3_get_app_arg(products->context, Z3_to_app(products->context, a), i);
}

static bool number(const struct products *products, Z3_ast a, int64_t *above, int64_t *below)
{
    return Z3_get_ast_kind(products->context, a) == Z3_NUMERAL_AST &&
           Z3_get_numeral_rational_int64(products->context, a, above, below) && *below > 0;
}

bool term_compares_reals(const struct products *products, Z3_ast a)
{
    switch (term_kind(products, a)) {
    case Z3_OP_LE:
    case Z3_OP_GE:
    case Z3_OP_LT:
    case Z3_OP_GT:
    case Z3_OP_EQ:
        return is_real(products, term_arg(products, a, 0));
    default:
        return false;
    }
}

// ---- reading

static int64_t times(struct products *products, int64_t a, int64_t b)
{
    int64_t c = 1;
    products->polys.overflow |= __builtin_mul_overflow(a, b, &c);
    return c > 0 ? c : 1;
}

static struct poly scaled(struct products *products, struct poly poly, int64_t k)
{
    return poly_add(&products->polys, (struct poly){0, NULL}, poly, k);
}

static struct ratio lowest(struct products *products, struct poly poly, int64_t below)
{
    uint64_t common = (uint64_t)below;
    for (uint32_t i = 0; i < poly.n && common != 1; i++)
        common = common_divisor(common, poly.term[i].c);
    if (common <= 1)
        return (struct ratio){poly, below};
    struct pterm *term = ARENA_NEW(&products->polys.mem, struct pterm, poly.n + 1);
    for (uint32_t i = 0; i < poly.n; i++)
        term[i] = (struct pterm){poly.term[i].mono, poly.term[i].c / (int64_t)common};
    return (struct ratio){(struct poly){poly.n, term}, below / (int64_t)common};
}

static struct ratio sum(struct products *products, struct ratio a, struct ratio b, int64_t k)
{
    struct poly left = scaled(products, a.poly, b.below);
    return lowest(products,
                  poly_add(&products->polys, left, b.poly, times(products, a.below, 1) * k),
                  times(products, a.below, b.below));
}

static struct ratio product(struct products *products, struct ratio a, struct ratio b)
{
    return lowest(products, poly_mul(&products->polys, a.poly, b.poly),
                  times(products, a.below, b.below));
}

static struct ratio unknown_of(struct products *products, Z3_ast a);

static struct ratio ratio_of(struct products *products, Z3_ast a)
{
    int64_t above, below;
    unsigned n = term_args(products, a);
    if (number(products, a, &above, &below))
        return (struct ratio){poly_int(&products->polys, above), below};
    switch (term_kind(products, a)) {
    case Z3_OP_ADD:
    case Z3_OP_SUB:
    case Z3_OP_MUL: {
        struct ratio out = ratio_of(products, term_arg(products, a, 0));
        for (unsigned i = 1; i < n; i++) {
            struct ratio next = ratio_of(products, term_arg(products, a, i));
            out = term_kind(products, a) == Z3_OP_MUL
                      ? product(products, out, next)
                      : sum(products, out, next, term_kind(products, a) == Z3_OP_ADD ? 1 : -1);
        }
        return out;
    }
    case Z3_OP_UMINUS: {
        struct ratio of = ratio_of(products, term_arg(products, a, 0));
        return (struct ratio){scaled(products, of.poly, -1), of.below};
    }
    case Z3_OP_DIV:
        if (number(products, term_arg(products, a, 1), &above, &below) && above > 0) {
            struct ratio of = ratio_of(products, term_arg(products, a, 0));
            return lowest(products, scaled(products, of.poly, below),
                          times(products, of.below, above));
        }
        break;
    default:
        break;
    }
    return unknown_of(products, a);
}

// The number of the polynomial among those whose signs matter, plus 1.  p and -p are one; then
// *turned.  0: it is a constant.
static uint32_t sign_of(struct products *products, struct poly poly, bool *turned)
{
    poly = poly_primitive(&products->polys, poly);
    *turned = poly.n > 0 && poly.term[0].c < 0;
    if (poly.n == 0 || poly.term[0].mono == 0)
        return 0;
    if (*turned)
        poly = scaled(products, poly, -1);
    for (uint32_t i = 0; i < products->sign.len; i++)
        if (poly_same(products->sign.at[i], poly))
            return i + 1;
    vec_push(&products->sign, poly);
    vec_push(&products->possible, SIGN_ANY);
    return products->sign.len;
}

static void compare(struct products *products, struct poly poly)
{
    bool turned;
    (void)sign_of(products, poly, &turned);
}

static void add_fact(struct products *products, Z3_ast guard, struct ratio zero)
{
    struct fact fact = {.guard = guard, .zero = poly_primitive(&products->polys, zero.poly)};
    if (fact.zero.n > 0)
        vec_push(&products->fact, fact);
}

// A choice is one of its two terms.  A quotient times its divisor is the dividend, if the divisor
// is not 0.
static void define(struct products *products, Z3_ast a, struct ratio self)
{
    if (term_kind(products, a) == Z3_OP_ITE) {
        Z3_ast when = term_arg(products, a, 0);
        add_fact(products, when,
                 sum(products, self, ratio_of(products, term_arg(products, a, 1)), -1));
        add_fact(products, Z3_mk_not(products->context, when),
                 sum(products, self, ratio_of(products, term_arg(products, a, 2)), -1));
    } else if (term_kind(products, a) == Z3_OP_DIV) {
        Z3_ast divisor = term_arg(products, a, 1);
        struct ratio b = ratio_of(products, divisor);
        Z3_ast zero =
            Z3_mk_eq(products->context, divisor, Z3_mk_int64(products->context, 0, products->real));
        compare(products, b.poly);
        add_fact(products, Z3_mk_not(products->context, zero),
                 sum(products, product(products, self, b),
                     ratio_of(products, term_arg(products, a, 0)), -1));
    }
}

static struct ratio unknown_of(struct products *products, Z3_ast a)
{
    struct known *known = known_of(products, a);
    bool first = known->unknown == 0;
    if (first) {
        vec_push(&products->unknown, (struct unknown){.term = a});
        known->unknown = products->unknown.len;
    }
    struct ratio self = {poly_atom(&products->polys, known->unknown - 1), 1};
    if (first) {
        compare(products, self.poly);
        define(products, a, self);
    }
    return self;
}

static void walk(struct products *products, Z3_ast a)
{
    struct known *known = known_of(products, a);
    if (known->walked)
        return;
    known->walked = true;
    if (term_compares_reals(products, a)) {
        struct ratio left = ratio_of(products, term_arg(products, a, 0));
        struct ratio difference =
            sum(products, left, ratio_of(products, term_arg(products, a, 1)), -1);
        known->sign = sign_of(products, difference.poly, &known->turned);
        if (known->sign == 0)
            known->constant = difference.poly.n == 0 ? SIGN_ZERO
                              : known->turned        ? SIGN_NEGATIVE
                                                     : SIGN_POSITIVE;
        if (term_kind(products, a) == Z3_OP_EQ)
            add_fact(products, a, difference);
    }
    for (unsigned i = 0; i < term_args(products, a); i++)
        walk(products, term_arg(products, a, i));
}

bool products_read(struct products *products)
{
    for (uint32_t i = 0; i < products->asserted.len; i++)
        walk(products, products->asserted.at[i]);
    for (uint32_t i = 0; i < products->fact.len; i++) // divisors that are compared with 0
        walk(products, products->fact.at[i].guard);
    return !products->polys.overflow;
}

// ---- writing

static Z3_ast rewritten(struct products *products, Z3_ast a);

// An application keeps its function: equal arguments have equal values.  Anything else may have
// any value.
static Z3_ast as_unknown(struct products *products, uint32_t number)
{
    Z3_ast a = products->unknown.at[number].term;
    if (products->unknown.at[number].as == NULL) {
        bool kept = term_kind(products, a) == Z3_OP_UNINTERPRETED ||
                    Z3_get_ast_kind(products->context, a) == Z3_NUMERAL_AST;
        Z3_ast as = kept ? rewritten(products, a)
                         : Z3_mk_fresh_const(products->context, "part", products->real);
        products->unknown.at[number].as = as;
    }
    return products->unknown.at[number].as;
}

static Z3_ast as_monomial(struct products *products, uint32_t m)
{
    struct mono mono = products->polys.mono.at[m];
    if (mono.n == 1)
        return as_unknown(products, products->polys.atoms.at[mono.at]);
    while (products->as.len <= m)
        vec_push(&products->as, NULL);
    if (products->as.at[m] == NULL)
        products->as.at[m] = Z3_mk_fresh_const(products->context, "product", products->real);
    return products->as.at[m];
}

static Z3_ast over(struct products *products, struct poly poly, int64_t below)
{
    Z3_ast *term = mem_alloc((poly.n + 1) * sizeof(Z3_ast));
    for (uint32_t i = 0; i < poly.n; i++) {
        char text[48];
        snprintf(text, sizeof text, "%" PRId64 "/%" PRId64, poly.term[i].c, below);
        Z3_ast part[] = {Z3_mk_numeral(products->context, text, products->real), NULL};
        term[i] = part[0];
        if (poly.term[i].mono != 0) {
            part[1] = as_monomial(products, poly.term[i].mono);
            term[i] = poly.term[i].c == below ? part[1] : Z3_mk_mul(products->context, 2, part);
        }
    }
    Z3_ast out = poly.n == 0   ? Z3_mk_int64(products->context, 0, products->real)
                 : poly.n == 1 ? term[0]
                               : Z3_mk_add(products->context, poly.n, term);
    mem_free(term);
    return out;
}

Z3_ast products_term(struct products *products, struct poly poly)
{
    return over(products, poly, 1);
}

// The term with the same operator and rewritten arguments.
static Z3_ast rewritten(struct products *products, Z3_ast a)
{
    unsigned n = term_args(products, a);
    if (n == 0)
        return a;
    Z3_ast *args = mem_alloc(n * sizeof(Z3_ast));
    for (unsigned i = 0; i < n; i++) {
        Z3_ast b = term_arg(products, a, i);
        if (is_real(products, b)) {
            struct ratio ratio = ratio_of(products, b);
            products->too_large |= products->polys.overflow;
            args[i] = over(products, ratio.poly, ratio.below);
        } else {
            args[i] = products_linear(products, b);
        }
    }
    Z3_ast out = Z3_update_term(products->context, a, n, args);
    mem_free(args);
    return out;
}

static Z3_ast comparison(struct products *products, Z3_ast a)
{
    struct ratio left = ratio_of(products, term_arg(products, a, 0));
    struct ratio difference = sum(products, left, ratio_of(products, term_arg(products, a, 1)), -1);
    products->too_large |= products->polys.overflow;
    Z3_ast term = products_term(products, basis_reduce(products, difference.poly));
    Z3_ast zero = Z3_mk_int64(products->context, 0, products->real);
    switch (term_kind(products, a)) {
    case Z3_OP_LE:
        return Z3_mk_le(products->context, term, zero);
    case Z3_OP_GE:
        return Z3_mk_ge(products->context, term, zero);
    case Z3_OP_LT:
        return Z3_mk_lt(products->context, term, zero);
    case Z3_OP_GT:
        return Z3_mk_gt(products->context, term, zero);
    default:
        return Z3_mk_eq(products->context, term, zero);
    }
}

Z3_ast products_linear(struct products *products, Z3_ast statement)
{
    struct known *known = known_of(products, statement);
    if (known->linear == NULL)
        known->linear = term_compares_reals(products, statement) ? comparison(products, statement)
                                                                 : rewritten(products, statement);
    return known->linear;
}

void products_forget_linear(struct products *products)
{
    struct known *known, *next;
    HASH_ITER(hh, products->known, known, next)
    known->linear = NULL;
}
