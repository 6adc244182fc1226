// SPDX-License-Identifier: Apache-2.0
// Groebner bases by Buchberger's algorithm (Becker, Weispfenning: Groebner Bases, section 5.3),
// with integer coefficients and within limits.  Each element is a sum of multiples of facts that
// hold, so a basis that is not complete is as good a list of facts.
#include "verify/limits.h"
#include "verify/products/parts.h"

struct pair {
    uint32_t a, b, degree;
};

static struct pterm *one_term(struct products *products, uint32_t mono, int64_t c)
{
    struct pterm *term = ARENA_NEW(&products->polys.mem, struct pterm, 1);
    *term = (struct pterm){mono, c};
    return term;
}

// a * ca * u - b * cb * v
static struct poly combined(struct products *products, struct poly a, struct pterm u, struct poly b,
                            struct pterm v)
{
    struct polys *polys = &products->polys;
    struct poly left = {1, one_term(products, u.mono, u.c)},
                right = {1, one_term(products, v.mono, v.c)};
    left = poly_mul(polys, left, a);
    right = poly_mul(polys, right, b);
    return poly_add(polys, left, right, -1);
}

struct poly basis_reduce(struct products *products, struct poly poly)
{
    struct polys *polys = &products->polys;
    const struct poly original = poly;
    bool before = polys->overflow, large = polys->large;
    uint32_t steps = 0, k;
    for (uint32_t i = 0; i < poly.n;) {
        uint32_t m = 0;
        for (k = 0; k < products->basis.len; k++)
            if (mono_div(polys, poly.term[i].mono, products->basis.at[k].term[0].mono, &m))
                break;
        if (k == products->basis.len) {
            i++;
            continue;
        }
        struct poly by = products->basis.at[k];
        int64_t lead = by.term[0].c, c = poly.term[i].c;
        int64_t common = (int64_t)common_divisor((uint64_t)lead, c);
        poly = combined(products, poly, (struct pterm){0, lead / common}, by,
                        (struct pterm){m, c / common});
        poly = poly_primitive(polys, poly);
        if (polys->overflow || ++steps > VERIFY_PRODUCTS_REDUCTIONS ||
            poly.n > VERIFY_PRODUCTS_BASIS_TERMS) {
            polys->overflow = before;
            polys->large = large;
            return original;
        }
    }
    return poly;
}

// Takes the polynomial, which begins with a positive coefficient, and its pairs with the others.
static void add_element(struct products *products, struct poly poly, struct pair *pairs,
                        uint32_t *n)
{
    struct polys *polys = &products->polys;
    for (uint32_t i = 0; i < products->basis.len && *n < VERIFY_PRODUCTS_PAIRS; i++) {
        uint32_t a = products->basis.at[i].term[0].mono, b = poly.term[0].mono, u, v;
        mono_complements(polys, a, b, &u, &v);
        uint32_t degree = polys->mono.at[a].n + polys->mono.at[u].n;
        if (polys->mono.at[v].n < polys->mono.at[a].n && degree <= VERIFY_PRODUCTS_BASIS_DEGREE)
            pairs[(*n)++] = (struct pair){i, products->basis.len, degree};
    }
    vec_push(&products->basis, poly);
}

static struct poly difference_of(struct products *products, struct pair pair)
{
    struct polys *polys = &products->polys;
    struct poly a = products->basis.at[pair.a], b = products->basis.at[pair.b];
    uint32_t u, v;
    mono_complements(polys, a.term[0].mono, b.term[0].mono, &u, &v);
    int64_t common = (int64_t)common_divisor((uint64_t)a.term[0].c, b.term[0].c);
    return combined(products, a, (struct pterm){u, b.term[0].c / common}, b,
                    (struct pterm){v, a.term[0].c / common});
}

// The polynomial, unless it is 0 or too large to be of use.
static void add_reduced(struct products *products, struct poly poly, struct pair *pairs,
                        uint32_t *n)
{
    poly = basis_reduce(products, poly_primitive(&products->polys, poly));
    if (poly.n > 0 && poly.term[0].c < 0) // the least integer has no negative
        poly = poly_negated(&products->polys, poly);
    if (!products->polys.overflow && poly.n > 0 && poly.n <= VERIFY_PRODUCTS_BASIS_TERMS &&
        products->basis.len < VERIFY_PRODUCTS_BASIS)
        add_element(products, poly, pairs, n);
    products->polys.overflow = products->polys.large = false;
}

void basis_make(struct products *products)
{
    struct pair *pairs = mem_alloc(VERIFY_PRODUCTS_PAIRS * sizeof *pairs);
    uint32_t n = 0;
    vec_clear(&products->basis);
    for (uint32_t i = 0; i < products->fact.len; i++)
        if (products->fact.at[i].holds)
            add_reduced(products, products->fact.at[i].zero, pairs, &n);
    for (uint32_t steps = 0; n > 0 && steps < VERIFY_PRODUCTS_PAIRS; steps++) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < n; i++)
            if (pairs[i].degree < pairs[best].degree)
                best = i;
        struct pair pair = pairs[best];
        pairs[best] = pairs[--n];
        add_reduced(products, difference_of(products, pair), pairs, &n);
    }
    mem_free(pairs);
}
