// SPDX-License-Identifier: Apache-2.0
// Laws of ordered fields about products, as linear statements about monomials.
#include "verify/limits.h"
#include "verify/products/parts.h"
#include <stdlib.h>

struct poly_vec {
    struct poly *at;
    uint32_t len, cap;
};

enum sign { NEGATIVE = -1, ZERO = 0, POSITIVE = 1 };

static Z3_ast has_sign(struct products *products, struct poly poly, enum sign sign)
{
    Z3_ast term = products_term(products, poly);
    Z3_ast zero = Z3_mk_int64(products->context, 0, products->real);
    return sign == ZERO       ? Z3_mk_eq(products->context, term, zero)
           : sign == POSITIVE ? Z3_mk_gt(products->context, term, zero)
                              : Z3_mk_lt(products->context, term, zero);
}

// If all of the n statements hold, so does the last.
static void add_law(struct products *products, unsigned n, const Z3_ast *when, Z3_ast then)
{
    struct smt *smt = &products->session->smt;
    smt_assert(smt, Z3_mk_implies(products->context, smt_and(smt, n, when), then));
    products->laws++;
}

// Products that are too large are left out.
static bool product(struct products *products, struct poly a, struct poly b, struct poly *out)
{
    struct polys *polys = &products->polys;
    *out = basis_reduce(products, poly_mul(polys, a, b));
    bool done = !polys->overflow;
    polys->overflow = polys->large = false;
    return done;
}

// ---- equations

// The fact times the monomial.
static void multiplied(struct products *products, const struct fact *fact, struct poly zero,
                       uint32_t m)
{
    struct poly out;
    Z3_ast guard = products_linear(products, fact->guard);
    if (product(products, poly_mono(&products->polys, m), zero, &out) && out.n > 0 &&
        poly_degree(&products->polys, out) <= VERIFY_PRODUCTS_DEGREE)
        add_law(products, 1, &guard, has_sign(products, out, ZERO));
}

static void equations(struct products *products, bool deep)
{
    struct polys *polys = &products->polys;
    uint32_t n = products->unknown.len;
    for (uint32_t i = 0; i < products->fact.len; i++) {
        const struct fact fact = products->fact.at[i];
        struct poly zero = basis_reduce(products, fact.zero);
        if (zero.n == 0)
            continue;
        Z3_ast guard = products_linear(products, fact.guard);
        add_law(products, 1, &guard, has_sign(products, zero, ZERO));
        for (uint32_t a = 0; a < n && products->laws < products->most; a++) {
            uint32_t m = poly_atom(polys, a).term[0].mono;
            multiplied(products, &fact, zero, m);
            for (uint32_t b = a; b < n && deep && products->laws < products->most; b++)
                multiplied(products, &fact, zero,
                           mono_mul(polys, m, poly_atom(polys, b).term[0].mono));
        }
    }
}

// ---- signs

struct factors {
    uint32_t a, b, degree;
};

static int by_degree(const void *left, const void *right)
{
    const struct factors *x = left, *y = right;
    if (x->degree != y->degree)
        return x->degree < y->degree ? -1 : 1;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static void signs_of_square(struct products *products, struct poly a, struct poly out)
{
    for (int sign = -1; sign <= 1; sign++) {
        Z3_ast when = has_sign(products, a, (enum sign)sign);
        add_law(products, 1, &when, has_sign(products, out, sign == 0 ? ZERO : POSITIVE));
    }
}

static void signs_of_product(struct products *products, struct poly a, struct poly b,
                             struct poly out)
{
    for (int s = -1; s <= 1; s += 2)
        for (int t = -1; t <= 1; t += 2) {
            Z3_ast when[] = {has_sign(products, a, (enum sign)s),
                             has_sign(products, b, (enum sign)t)};
            add_law(products, 2, when, has_sign(products, out, (enum sign)(s * t)));
        }
    Z3_ast zero[] = {has_sign(products, a, ZERO), has_sign(products, b, ZERO)};
    for (unsigned i = 0; i < 2; i++)
        add_law(products, 1, &zero[i], has_sign(products, out, ZERO));
}

// Pairs of the n polynomials, of low degree first.  The caller frees them.
static struct factors *pairs_of(struct products *products, const struct poly *of, uint32_t n,
                                uint32_t *count)
{
    struct factors *factors = mem_alloc(((size_t)n * (n + 1) / 2 + 1) * sizeof *factors);
    *count = 0;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a; b < n; b++)
            factors[(*count)++] = (struct factors){
                a, b, poly_degree(&products->polys, of[a]) + poly_degree(&products->polys, of[b])};
    qsort(factors, *count, sizeof *factors, by_degree);
    return factors;
}

// The signs of products of two and (deep) of these and one unknown.
static void signs(struct products *products, const struct poly *of, uint32_t n, bool deep)
{
    uint32_t count;
    struct factors *factors = pairs_of(products, of, n, &count);
    for (uint32_t i = 0; i < count && products->laws < products->most; i++) {
        struct poly two, a = of[factors[i].a], b = of[factors[i].b];
        if (factors[i].degree > VERIFY_PRODUCTS_DEGREE || !product(products, a, b, &two))
            continue;
        if (factors[i].a == factors[i].b)
            signs_of_square(products, a, two);
        else
            signs_of_product(products, a, b, two);
    }
    products->laws = 0;
    for (uint32_t i = 0; i < count && deep; i++)
        for (uint32_t x = 0; x < products->unknown.len; x++) {
            struct poly two, three, a = of[factors[i].a], b = of[factors[i].b];
            struct poly unknown = poly_atom(&products->polys, x);
            if (factors[i].degree < VERIFY_PRODUCTS_DEGREE && products->laws < products->most &&
                product(products, a, b, &two) && product(products, two, unknown, &three))
                signs_of_product(products, two, unknown, three);
        }
    mem_free(factors);
}

// ---- the polynomials whose signs matter

// Of the magnitude.
static int64_t root(int64_t c)
{
    uint64_t square = c < 0 ? 0 - (uint64_t)c : (uint64_t)c, r = 0;
    while (r < VERIFY_PRODUCTS_ROOT && r * r < square)
        r++;
    return r * r == square ? (int64_t)r : 0;
}

// The unknown whose square is the unknown, by an element of the basis.
static bool root_of_unknown(const struct products *products, uint32_t unknown, uint32_t *out)
{
    const struct polys *polys = &products->polys;
    for (uint32_t i = 0; i < products->basis.len; i++) {
        struct poly poly = products->basis.at[i];
        if (poly.n != 2 || poly.term[0].c != 1 || poly.term[1].c != -1)
            continue;
        struct mono square = polys->mono.at[poly.term[0].mono];
        struct mono one = polys->mono.at[poly.term[1].mono];
        *out = square.n > 0 ? polys->atoms.at[square.at] : 0;
        if (square.n == 2 && polys->atoms.at[square.at + 1] == *out && one.n == 1 &&
            polys->atoms.at[one.at] == unknown)
            return true;
    }
    return false;
}

// The monomial whose square is m, if what the basis says of squares is used.
static bool root_of_monomial(struct products *products, uint32_t m, uint32_t *out)
{
    struct polys *polys = &products->polys;
    uint32_t n = polys->mono.at[m].n;
    *out = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = polys->mono.at[m].at, atom = polys->atoms.at[at + i];
        bool twice = i + 1 < n && polys->atoms.at[at + i + 1] == atom;
        if (!twice && !root_of_unknown(products, atom, &atom))
            return false;
        *out = mono_mul(polys, *out, poly_atom(polys, atom).term[0].mono);
        i += twice;
    }
    return true;
}

static bool has_term(struct poly poly, uint32_t mono)
{
    for (uint32_t i = 0; i < poly.n; i++)
        if (poly.term[i].mono == mono)
            return true;
    return false;
}

// Appends x*a - y*b and x*a + y*b, if the polynomial is x^2*a^2 - y^2*b^2, or has the terms
// x^2*a^2 and y^2*b^2 of one sign and a multiple of a*b: then it may be, or contain, a square.
static void add_roots(struct products *products, struct poly poly, struct poly_vec *out)
{
    struct polys *polys = &products->polys;
    for (uint32_t i = 0; i < poly.n && out->len < VERIFY_PRODUCTS_ROOTS; i++)
        for (uint32_t k = i + 1; k < poly.n && out->len < VERIFY_PRODUCTS_ROOTS; k++) {
            struct pterm p = poly.term[i], q = poly.term[k];
            bool opposite = (p.c < 0) != (q.c < 0);
            uint32_t a, b;
            if ((opposite && poly.n != 2) || !root_of_monomial(products, p.mono, &a) ||
                !root_of_monomial(products, q.mono, &b) ||
                (!opposite && !has_term(poly, mono_mul(polys, a, b))))
                continue;
            int64_t x = root(p.c), y = root(q.c);
            struct poly none = {0, NULL};
            struct poly left = poly_add(polys, none, poly_mono(polys, a), x);
            struct poly right = poly_add(polys, none, poly_mono(polys, b), y);
            for (int64_t sign = -1; sign <= 1 && x != 0 && y != 0; sign += 2)
                vec_push(out, poly_add(polys, left, right, sign));
        }
}

static void add_sign(struct products *products, struct poly poly, struct poly *of, uint32_t *n)
{
    poly = poly_primitive(&products->polys, basis_reduce(products, poly));
    if (poly.n == 0 || poly.term[0].mono == 0)
        return;
    if (poly.term[0].c < 0)
        poly = poly_negated(&products->polys, poly);
    bool large = products->polys.overflow;
    products->polys.overflow = false;
    if (large)
        return;
    for (uint32_t k = 0; k < *n; k++)
        if (poly_same(of[k], poly))
            return;
    of[(*n)++] = poly;
}

// The polynomials, reduced, each once.  Deep: and their roots (add_roots).  The caller frees them.
static struct poly *signs_that_matter(struct products *products, bool deep, uint32_t *n)
{
    struct poly_vec roots = {0};
    for (uint32_t i = 0; i < products->basis.len && deep; i++)
        add_roots(products, products->basis.at[i], &roots);
    for (uint32_t i = 0; i < products->sign.len && deep; i++)
        add_roots(products, products->sign.at[i], &roots);
    struct poly *of = mem_alloc((products->sign.len + roots.len + 1) * sizeof *of);
    *n = 0;
    for (uint32_t i = 0; i < products->sign.len; i++)
        add_sign(products, products->sign.at[i], of, n);
    for (uint32_t i = 0; i < roots.len; i++)
        add_sign(products, roots.at[i], of, n);
    vec_release(&roots);
    return of;
}

void laws_assert(struct products *products, bool deep)
{
    uint32_t n;
    struct poly *of = signs_that_matter(products, deep, &n);
    for (uint32_t i = 0; i < products->basis.len; i++)
        smt_assert(&products->session->smt, has_sign(products, products->basis.at[i], ZERO));
    products->laws = 0;
    equations(products, deep);
    products->laws = 0;
    signs(products, of, n, deep);
    mem_free(of);
}
