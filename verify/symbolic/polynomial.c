// SPDX-License-Identifier: Apache-2.0
#include "verify/symbolic/polynomial.h"
#include "base/hash.h"

static uint32_t mono_make(struct polys *p, uint32_t n, const uint32_t *atoms);

void polys_init(struct polys *p, struct exprs *x)
{
    *p = (struct polys){.x = x};
    (void)mono_make(p, 0, NULL);
}

void polys_release(struct polys *p)
{
    arena_release(&p->mem);
    vec_release(&p->mono);
    vec_release(&p->atoms);
    vec_release(&p->slot);
    vec_release(&p->cache);
    vec_release(&p->cached);
    vec_release(&p->canon_of);
}

static uint32_t mono_hash(uint32_t n, const uint32_t *atoms)
{
    uint64_t h = n;
    for (uint32_t i = 0; i < n; i++)
        h = hash_u64(atoms[i], h);
    return (uint32_t)h;
}

static const uint32_t *mono_atoms(const struct polys *p, uint32_t m)
{
    return p->atoms.at + p->mono.at[m].at;
}

static void grow_slots(struct polys *p)
{
    uint32_t n = p->slot.len == 0 ? 64 : 2 * p->slot.len;
    vec_reserve(&p->slot, n);
    p->slot.len = n;
    memset(p->slot.at, 0, n * sizeof *p->slot.at);
    for (uint32_t m = 0; m < p->mono.len; m++) {
        uint32_t i = mono_hash(p->mono.at[m].n, mono_atoms(p, m)) & (n - 1);
        while (p->slot.at[i] != 0)
            i = (i + 1) & (n - 1);
        p->slot.at[i] = m + 1;
    }
}

// `atoms` ascend and do not lie in p->atoms.
static uint32_t mono_make(struct polys *p, uint32_t n, const uint32_t *atoms)
{
    if (2 * (p->mono.len + 1) > p->slot.len)
        grow_slots(p);
    uint32_t mask = p->slot.len - 1, i = mono_hash(n, atoms) & mask;
    for (; p->slot.at[i] != 0; i = (i + 1) & mask) {
        const struct mono *m = &p->mono.at[p->slot.at[i] - 1];
        if (m->n == n && (n == 0 || memcmp(p->atoms.at + m->at, atoms,
                                           n * sizeof *atoms) == 0))
            return p->slot.at[i] - 1;
    }
    struct mono m = {p->atoms.len, n};
    for (uint32_t k = 0; k < n; k++)
        vec_push(&p->atoms, atoms[k]);
    vec_push(&p->mono, m);
    p->slot.at[i] = p->mono.len;
    return p->mono.len - 1;
}

// Graded, then lexicographic: an order that products keep.  In equal degrees
// the first place where the ascending lists differ decides, the smaller atom
// being the greater monomial.
static int mono_cmp(const struct polys *p, uint32_t a, uint32_t b)
{
    if (a == b)
        return 0;
    uint32_t n = p->mono.at[a].n, m = p->mono.at[b].n;
    if (n != m)
        return n < m ? -1 : 1;
    const uint32_t *u = mono_atoms(p, a), *v = mono_atoms(p, b);
    for (uint32_t i = 0; i < n; i++)
        if (u[i] != v[i])
            return u[i] < v[i] ? 1 : -1;
    return 0;
}

uint32_t mono_mul(struct polys *p, uint32_t a, uint32_t b)
{
    uint32_t n = p->mono.at[a].n, m = p->mono.at[b].n, i = 0, j = 0;
    struct u32_vec out = {0};
    while (i < n || j < m) {
        const uint32_t *u = mono_atoms(p, a), *v = mono_atoms(p, b);
        uint32_t next = j == m || (i < n && u[i] <= v[j]) ? u[i++] : v[j++];
        vec_push(&out, next);
    }
    uint32_t id = mono_make(p, out.len, out.at);
    vec_release(&out);
    return id;
}

bool mono_without(struct polys *p, uint32_t m, expr_id atom, uint32_t *out)
{
    struct u32_vec rest = {0};
    bool found = false;
    for (uint32_t i = 0; i < p->mono.at[m].n; i++) {
        uint32_t a = mono_atoms(p, m)[i];
        if (a == atom && !found)
            found = true;
        else
            vec_push(&rest, a);
    }
    if (found)
        *out = mono_make(p, rest.len, rest.at);
    vec_release(&rest);
    return found;
}

// a / b if b divides a.
static bool mono_div(struct polys *p, uint32_t a, uint32_t b, uint32_t *out)
{
    for (uint32_t i = 0; i < p->mono.at[b].n; i++)
        if (!mono_without(p, a, mono_atoms(p, b)[i], &a))
            return false;
    *out = a;
    return true;
}

struct poly poly_mono(struct polys *p, uint32_t mono)
{
    struct pterm *t = ARENA_NEW(&p->mem, struct pterm, 1);
    *t = (struct pterm){mono, 1};
    return (struct poly){1, t};
}

struct poly poly_int(struct polys *p, int64_t k)
{
    if (k == 0)
        return (struct poly){0, NULL};
    struct pterm *t = ARENA_NEW(&p->mem, struct pterm, 1);
    *t = (struct pterm){0, k};
    return (struct poly){1, t};
}

struct poly poly_atom(struct polys *p, expr_id atom)
{
    return poly_mono(p, mono_make(p, 1, &atom));
}

static int64_t times(struct polys *p, int64_t a, int64_t b)
{
    int64_t c = 0;
    p->overflow |= __builtin_mul_overflow(a, b, &c);
    return c;
}

static int64_t plus(struct polys *p, int64_t a, int64_t b)
{
    int64_t c = 0;
    p->overflow |= __builtin_add_overflow(a, b, &c);
    return c;
}

struct poly poly_add(struct polys *p, struct poly a, struct poly b, int64_t k)
{
    struct pterm *t = ARENA_NEW(&p->mem, struct pterm, a.n + b.n + 1);
    uint32_t i = 0, j = 0, n = 0;
    while (i < a.n || j < b.n) {
        int c = i == a.n   ? -1
                : j == b.n ? 1
                           : mono_cmp(p, a.t[i].mono, b.t[j].mono);
        struct pterm next;
        if (c > 0) {
            next = a.t[i++];
        } else {
            next = (struct pterm){b.t[j].mono, times(p, b.t[j].c, k)};
            j++;
            if (c == 0)
                next.c = plus(p, next.c, a.t[i++].c);
        }
        if (next.c != 0)
            t[n++] = next;
    }
    return (struct poly){n, t};
}

struct poly poly_mul(struct polys *p, struct poly a, struct poly b)
{
    struct poly out = {0, NULL};
    for (uint32_t i = 0; i < a.n; i++) {
        // The order is kept by products, so a row of the product is sorted.
        struct pterm *t = ARENA_NEW(&p->mem, struct pterm, b.n + 1);
        for (uint32_t j = 0; j < b.n; j++)
            t[j] = (struct pterm){mono_mul(p, a.t[i].mono, b.t[j].mono),
                                  times(p, a.t[i].c, b.t[j].c)};
        out = poly_add(p, out, (struct poly){b.n, t}, 1);
    }
    return out;
}

bool poly_same(struct poly a, struct poly b)
{
    bool same = a.n == b.n;
    for (uint32_t i = 0; same && i < a.n; i++)
        same = a.t[i].mono == b.t[i].mono && a.t[i].c == b.t[i].c;
    return same;
}

bool poly_constant(struct poly a, int64_t *k)
{
    *k = a.n == 0 ? 0 : a.t[0].c;
    return a.n == 0 || (a.n == 1 && a.t[0].mono == 0);
}

uint32_t poly_degree(const struct polys *p, struct poly a)
{
    return a.n == 0 ? 0 : p->mono.at[a.t[0].mono].n;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

void poly_divide(struct polys *p, struct poly a, struct poly b, struct poly *q,
                 struct poly *r)
{
    *q = *r = (struct poly){0, NULL};
    if (b.n == 0 || b.t[0].c < 0) {
        *r = a;
        return;
    }
    while (a.n > 0) {
        uint32_t m = 0;
        int64_t c = floor_div(a.t[0].c, b.t[0].c);
        if (mono_div(p, a.t[0].mono, b.t[0].mono, &m) && c != 0) {
            struct pterm *t = ARENA_NEW(&p->mem, struct pterm, 1);
            *t = (struct pterm){m, c};
            struct poly step = {1, t};
            *q = poly_add(p, *q, step, 1);
            a = poly_add(p, a, poly_mul(p, step, b), -1);
            // A leading term that does not divide evenly stays behind.
            if (a.n == 0 || p->overflow || a.t[0].c % b.t[0].c == 0)
                continue;
        }
        if (a.n > 0) {
            struct poly head = {1, a.t};
            *r = poly_add(p, *r, head, 1);
            a = (struct poly){a.n - 1, a.t + 1};
        }
        if (p->overflow)
            return;
    }
}
