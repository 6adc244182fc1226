// SPDX-License-Identifier: Apache-2.0
#include "verify/symbolic/polynomial.h"
#include "base/hash.h"
#include "verify/limits.h"

static uint32_t mono_make(struct polys *polys, uint32_t n, const uint32_t *atoms);

void polys_init(struct polys *polys, struct exprs *exprs)
{
    *polys = (struct polys){.exprs = exprs};
    (void)mono_make(polys, 0, NULL);
}

void polys_release(struct polys *polys)
{
    arena_release(&polys->mem);
    vec_release(&polys->mono);
    vec_release(&polys->atoms);
    vec_release(&polys->slot);
    vec_release(&polys->cache);
    vec_release(&polys->cached);
    vec_release(&polys->canon_of);
}

static uint32_t mono_hash(uint32_t n, const uint32_t *atoms)
{
    uint64_t h = n;
    for (uint32_t i = 0; i < n; i++)
        h = hash_u64(atoms[i], h);
    return (uint32_t)h;
}

static const uint32_t *mono_atoms(const struct polys *polys, uint32_t m)
{
    return polys->atoms.at + polys->mono.at[m].at;
}

// Own table: asked for every product of every multiplication of polynomials.
static void grow_slots(struct polys *polys)
{
    uint32_t n = polys->slot.len == 0 ? 64 : 2 * polys->slot.len;
    vec_reserve(&polys->slot, n);
    polys->slot.len = n;
    memset(polys->slot.at, 0, n * sizeof *polys->slot.at);
    for (uint32_t m = 0; m < polys->mono.len; m++) {
        uint32_t i = mono_hash(polys->mono.at[m].n, mono_atoms(polys, m)) & (n - 1);
        while (polys->slot.at[i] != 0)
            i = (i + 1) & (n - 1);
        polys->slot.at[i] = m + 1;
    }
}

// `atoms` ascend and do not lie in polys->atoms.
static uint32_t mono_make(struct polys *polys, uint32_t n, const uint32_t *atoms)
{
    polys->exprs->work++;
    if (2 * (polys->mono.len + 1) > polys->slot.len)
        grow_slots(polys);
    uint32_t mask = polys->slot.len - 1, i = mono_hash(n, atoms) & mask;
    for (; polys->slot.at[i] != 0; i = (i + 1) & mask) {
        const struct mono *mono = &polys->mono.at[polys->slot.at[i] - 1];
        if (mono->n == n &&
            (n == 0 || memcmp(polys->atoms.at + mono->at, atoms, n * sizeof *atoms) == 0))
            return polys->slot.at[i] - 1;
    }
    struct mono m = {polys->atoms.len, n};
    for (uint32_t k = 0; k < n; k++)
        vec_push(&polys->atoms, atoms[k]);
    vec_push(&polys->mono, m);
    polys->slot.at[i] = polys->mono.len;
    return polys->mono.len - 1;
}

// Graded lexicographic order, which products keep.  For equal degrees the first place where
// the ascending lists differ decides: the smaller atom is the greater monomial.
static int mono_cmp(const struct polys *polys, uint32_t a, uint32_t b)
{
    if (a == b)
        return 0;
    uint32_t n = polys->mono.at[a].n, m = polys->mono.at[b].n;
    if (n != m)
        return n < m ? -1 : 1;
    const uint32_t *u = mono_atoms(polys, a), *v = mono_atoms(polys, b);
    for (uint32_t i = 0; i < n; i++)
        if (u[i] != v[i])
            return u[i] < v[i] ? 1 : -1;
    return 0;
}

uint32_t mono_mul(struct polys *polys, uint32_t a, uint32_t b)
{
    uint32_t n = polys->mono.at[a].n, m = polys->mono.at[b].n, i = 0, j = 0;
    struct u32_vec out = {0};
    while (i < n || j < m) {
        const uint32_t *u = mono_atoms(polys, a), *v = mono_atoms(polys, b);
        uint32_t next = j == m || (i < n && u[i] <= v[j]) ? u[i++] : v[j++];
        vec_push(&out, next);
    }
    uint32_t id = mono_make(polys, out.len, out.at);
    vec_release(&out);
    return id;
}

bool mono_without(struct polys *polys, uint32_t m, expr_id atom, uint32_t *out)
{
    struct u32_vec rest = {0};
    bool found = false;
    for (uint32_t i = 0; i < polys->mono.at[m].n; i++) {
        uint32_t a = mono_atoms(polys, m)[i];
        if (a == atom && !found)
            found = true;
        else
            vec_push(&rest, a);
    }
    if (found)
        *out = mono_make(polys, rest.len, rest.at);
    vec_release(&rest);
    return found;
}

bool mono_div(struct polys *polys, uint32_t a, uint32_t b, uint32_t *out)
{
    for (uint32_t i = 0; i < polys->mono.at[b].n; i++)
        if (!mono_without(polys, a, mono_atoms(polys, b)[i], &a))
            return false;
    *out = a;
    return true;
}

void mono_complements(struct polys *polys, uint32_t a, uint32_t b, uint32_t *u, uint32_t *v)
{
    uint32_t i = 0, j = 0;
    *u = *v = 0;
    while (i < polys->mono.at[a].n || j < polys->mono.at[b].n) {
        bool left = i < polys->mono.at[a].n, right = j < polys->mono.at[b].n;
        uint32_t x = left ? mono_atoms(polys, a)[i] : 0, y = right ? mono_atoms(polys, b)[j] : 0;
        i += left && (!right || x <= y);
        j += right && (!left || y <= x);
        if (left && (!right || x < y))
            *v = mono_mul(polys, *v, mono_make(polys, 1, &x));
        else if (right && (!left || y < x))
            *u = mono_mul(polys, *u, mono_make(polys, 1, &y));
    }
}

struct poly poly_mono(struct polys *polys, uint32_t mono)
{
    struct pterm *term = ARENA_NEW(&polys->mem, struct pterm, 1);
    *term = (struct pterm){mono, 1};
    return (struct poly){1, term};
}

struct poly poly_int(struct polys *polys, int64_t k)
{
    if (k == 0)
        return (struct poly){0, NULL};
    struct pterm *term = ARENA_NEW(&polys->mem, struct pterm, 1);
    *term = (struct pterm){0, k};
    return (struct poly){1, term};
}

struct poly poly_atom(struct polys *polys, expr_id atom)
{
    return poly_mono(polys, mono_make(polys, 1, &atom));
}

static int64_t times(struct polys *polys, int64_t a, int64_t b)
{
    int64_t c = 0;
    polys->overflow |= __builtin_mul_overflow(a, b, &c);
    return c;
}

static int64_t plus(struct polys *polys, int64_t a, int64_t b)
{
    int64_t c = 0;
    polys->overflow |= __builtin_add_overflow(a, b, &c);
    return c;
}

struct poly poly_add(struct polys *polys, struct poly a, struct poly b, int64_t k)
{
    struct pterm *term = ARENA_NEW(&polys->mem, struct pterm, a.n + b.n + 1);
    uint32_t i = 0, j = 0, n = 0;
    while (i < a.n || j < b.n) {
        int c = i == a.n ? -1 : j == b.n ? 1 : mono_cmp(polys, a.term[i].mono, b.term[j].mono);
        struct pterm next;
        if (c > 0) {
            next = a.term[i++];
        } else {
            next = (struct pterm){b.term[j].mono, times(polys, b.term[j].c, k)};
            j++;
            if (c == 0)
                next.c = plus(polys, next.c, a.term[i++].c);
        }
        if (next.c != 0)
            term[n++] = next;
    }
    return (struct poly){n, term};
}

struct poly poly_negated(struct polys *polys, struct poly poly)
{
    return poly_add(polys, (struct poly){0, NULL}, poly, -1);
}

struct poly poly_mul(struct polys *polys, struct poly a, struct poly b)
{
    struct poly out = {0, NULL};
    if (a.n > b.n) // every row is added to all rows before it
        return poly_mul(polys, b, a);
    if ((uint64_t)a.n * b.n > VERIFY_POLYNOMIAL_TERMS)
        polys->overflow = polys->large = true;
    if (polys->overflow)
        return out;
    for (uint32_t i = 0; i < a.n; i++) {
        // Products keep the order, so a row of the product is sorted.
        struct pterm *term = ARENA_NEW(&polys->mem, struct pterm, b.n + 1);
        for (uint32_t j = 0; j < b.n; j++)
            term[j] = (struct pterm){mono_mul(polys, a.term[i].mono, b.term[j].mono),
                                     times(polys, a.term[i].c, b.term[j].c)};
        out = poly_add(polys, out, (struct poly){b.n, term}, 1);
    }
    return out;
}

bool poly_same(struct poly a, struct poly b)
{
    bool same = a.n == b.n;
    for (uint32_t i = 0; same && i < a.n; i++)
        same = a.term[i].mono == b.term[i].mono && a.term[i].c == b.term[i].c;
    return same;
}

bool poly_constant(struct poly poly, int64_t *k)
{
    *k = poly.n == 0 ? 0 : poly.term[0].c;
    return poly.n == 0 || (poly.n == 1 && poly.term[0].mono == 0);
}

uint32_t poly_degree(const struct polys *polys, struct poly poly)
{
    return poly.n == 0 ? 0 : polys->mono.at[poly.term[0].mono].n;
}

uint64_t common_divisor(uint64_t a, int64_t b)
{
    uint64_t c = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    while (c != 0) {
        uint64_t rest = a % c;
        a = c;
        c = rest;
    }
    return a;
}

struct poly poly_primitive(struct polys *polys, struct poly poly)
{
    uint64_t common = 0;
    for (uint32_t i = 0; i < poly.n && common != 1; i++)
        common = common_divisor(common, poly.term[i].c);
    if (common <= 1 || common > INT64_MAX)
        return poly;
    struct pterm *term = ARENA_NEW(&polys->mem, struct pterm, poly.n);
    for (uint32_t i = 0; i < poly.n; i++)
        term[i] = (struct pterm){poly.term[i].mono, poly.term[i].c / (int64_t)common};
    return (struct poly){poly.n, term};
}

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

void poly_divide(struct polys *polys, struct poly a, struct poly b, struct poly *q, struct poly *r)
{
    *q = *r = (struct poly){0, NULL};
    if (b.n == 0 || b.term[0].c < 0) {
        *r = a;
        return;
    }
    while (a.n > 0 && !polys->overflow) { // a product that overflowed is no step
        uint32_t m = 0;
        int64_t c = floor_div(a.term[0].c, b.term[0].c);
        if (mono_div(polys, a.term[0].mono, b.term[0].mono, &m) && c != 0) {
            struct pterm *term = ARENA_NEW(&polys->mem, struct pterm, 1);
            *term = (struct pterm){m, c};
            struct poly step = {1, term};
            *q = poly_add(polys, *q, step, 1);
            a = poly_add(polys, a, poly_mul(polys, step, b), -1);
            // A leading term that does not divide evenly stays behind.
            if (a.n == 0 || a.term[0].c % b.term[0].c == 0)
                continue;
        }
        if (a.n > 0) {
            struct poly head = {1, a.term};
            *r = poly_add(polys, *r, head, 1);
            a = (struct poly){a.n - 1, a.term + 1};
        }
    }
}
