// SPDX-License-Identifier: Apache-2.0
#include "proof/formula/partial.h"

#include "formula/rules/expand.h"
#include "formula/terms/number.h"

enum { MAX_SET = 32, MAX_STEPS = 50000, MAX_DEEP = 2000 };

struct fterm_set {
    uint32_t n;
    fterm at[MAX_SET];
    bool over; // there were more
};

static bool is(const struct partial *p, fterm x, const char *op, uint32_t n)
{
    return fterm_is(p->t, x, op, n);
}

static fterm arg(const struct partial *p, fterm x, uint32_t k)
{
    return fterm_args(p->t, x)[k];
}

// Sets of conditions

static void insert(struct fterm_set *s, fterm x)
{
    uint32_t i = s->n;
    for (uint32_t k = 0; k < s->n; k++)
        if (s->at[k] == x)
            return;
    if (s->n == MAX_SET) {
        s->over = true;
        return;
    }
    for (; i > 0 && s->at[i - 1] > x; i--)
        s->at[i] = s->at[i - 1];
    s->at[i] = x;
    s->n++;
}

static void insert2(struct partial *p, struct fterm_set *s, const char *op, fterm a,
                    fterm b)
{
    fterm args[2] = {a, b};
    insert(s, fterm_make(p->t, op, 2, args));
}

// What follows from `c` being so; of an order, the weaker ones too.
static void assume(struct partial *p, fterm c, bool so, struct fterm_set *s)
{
    if (is(p, c, "not", 1)) {
        assume(p, arg(p, c, 0), !so, s);
    } else if (is(p, c, so ? "and" : "or", 2)) {
        fterm other = arg(p, c, 1);
        assume(p, arg(p, c, 0), so, s);
        assume(p, other, so, s);
    } else if (is(p, c, "lt", 2) || is(p, c, "le", 2)) {
        bool less = is(p, c, "lt", 2) == so;
        fterm a = arg(p, c, so ? 0 : 1), b = arg(p, c, so ? 1 : 0);
        insert2(p, s, "le", a, b);
        if (less) {
            insert2(p, s, "lt", a, b);
            insert2(p, s, "ne", a, b);
            insert2(p, s, "ne", b, a);
        }
    } else if (is(p, c, "eq", 2) || is(p, c, "ne", 2)) {
        const char *op = is(p, c, "eq", 2) == so ? "eq" : "ne";
        fterm a = arg(p, c, 0), b = arg(p, c, 1);
        insert2(p, s, op, a, b);
        insert2(p, s, op, b, a);
    } else {
        insert(s, so ? c : fterm_make(p->t, "not", 1, &c));
    }
}

static struct fterm_set with(struct partial *p, struct fterm_set s, fterm c, bool so)
{
    assume(p, c, so, &s);
    return s;
}

static bool within(const struct fterm_set *s, const struct fterm_set *of)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        while (k < of->n && of->at[k] < s->at[i])
            k++;
        if (k == of->n || of->at[k] != s->at[i])
            return false;
    }
    return true;
}

static struct fterm_set set_at(const struct partial *p, uint32_t id)
{
    const struct intern_entry *x = &p->sets.entry.at[id];
    struct fterm_set s = {.n = x->len / (uint32_t)sizeof(fterm)};
    if (x->len > 0)
        memcpy(s.at, x->at, x->len);
    return s;
}

// Axes

struct axis_query {
    const char *name;
    uint32_t len;
    bool found;
};

static void find_axis(void *ctx, const char *axis, uint32_t len)
{
    struct axis_query *a = ctx;
    a->found |= a->len == len && memcmp(a->name, axis, len) == 0;
}

struct axis_search {
    const struct partial *p;
    fterm in;
    bool found;
};

// Is the axis named anywhere in the term, be it bound there or not?
static void find_in(void *ctx, const char *axis, uint32_t len)
{
    struct axis_search *s = ctx;
    struct u32_vec all = {0};
    fterms_reach(s->p->t, 1, &s->in, &all);
    for (uint32_t i = 0; i < all.len && !s->found; i++) {
        const char *name = fterm_name(s->p->t, all.at[i]);
        struct axis_query a = {axis, len, false};
        (void)fname_axes(name, (uint32_t)strlen(name), find_axis, &a);
        s->found = a.found;
    }
    vec_release(&all);
}

static bool names(const struct partial *p, fterm x, fterm axes)
{
    const char *name = fterm_name(p->t, axes);
    struct axis_search s = {p, x, false};
    (void)fname_axes(name, (uint32_t)strlen(name), find_in, &s);
    return s.found;
}

// The conditions that do not name an axis of these.
static struct fterm_set free_of(const struct partial *p, const struct fterm_set *s,
                          fterm axes)
{
    struct fterm_set out = {.over = s->over};
    for (uint32_t i = 0; i < s->n; i++)
        if (!names(p, s->at[i], axes))
            insert(&out, s->at[i]);
    return out;
}

// Terms

static bool is_reduction(const struct partial *p, fterm x)
{
    return fterm_n(p->t, x) == 2 &&
           strncmp(fterm_name(p->t, x), "reduce_", 7) == 0;
}

// Operators that have a value only where all operands do.
static bool is_strict(const struct partial *p, fterm x)
{
    return formula_is_strict(fterm_name(p->t, x)) && !is_reduction(p, x) &&
           !is(p, x, "concatenate", 5);
}

static bool literal(const struct partial *p, fterm x, mpq_t out)
{
    const char *name = fterm_name(p->t, x);
    return fterm_n(p->t, x) == 0 &&
           number_parse(name, (uint32_t)strlen(name), out);
}

enum needed { NEED_NOTHING, NEED_COND, NEED_MORE };

static enum needed bound(struct partial *p, const char *op, fterm a, fterm b,
                         fterm *cond)
{
    fterm args[2] = {a, b};
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    enum needed out = NEED_COND;
    if (literal(p, a, x) && literal(p, b, y)) {
        int c = mpq_cmp(x, y);
        bool so = *op == 'n' ? c != 0 : op[1] == 'e' ? c <= 0 : c < 0;
        out = so ? NEED_NOTHING : NEED_MORE;
    }
    mpq_clears(x, y, NULL);
    if (out == NEED_COND)
        *cond = fterm_make(p->t, op, 2, args);
    return out;
}

static enum needed of_power(struct partial *p, fterm a, fterm k, fterm *cond)
{
    fterm zero = fterm_make(p->t, "0", 0, NULL);
    mpq_t n;
    mpq_init(n);
    bool known = literal(p, k, n), whole = false;
    if (known)
        whole = mpz_cmp_ui(mpq_denref(n), 1) == 0;
    int sign = known ? mpq_sgn(n) : 0;
    mpq_clear(n);
    if (whole && sign >= 0)
        return NEED_NOTHING;
    if (whole)
        return bound(p, "ne", a, zero, cond);
    return bound(p, sign > 0 ? "le" : "lt", zero, a, cond);
}

// What the operator asks of its operands.
static enum needed need_of(struct partial *p, fterm x, fterm *cond)
{
    fterm zero = fterm_make(p->t, "0", 0, NULL);
    fterm minus_one = fterm_make(p->t, "-1", 0, NULL);
    uint32_t n = fterm_n(p->t, x);
    fterm a = n > 0 ? arg(p, x, 0) : 0, b = n > 1 ? arg(p, x, 1) : 0;
    if (is(p, x, "divide", 2))
        return is(p, b, "count", 1) ? NEED_NOTHING
                                    : bound(p, "ne", b, zero, cond);
    if (is(p, x, "log", 1) || is(p, x, "rsqrt", 1))
        return bound(p, "lt", zero, a, cond);
    if (is(p, x, "sqrt", 1))
        return bound(p, "le", zero, a, cond);
    if (is(p, x, "log_plus_one", 1))
        return bound(p, "lt", minus_one, a, cond);
    if (is(p, x, "tan", 1))
        return bound(p, "ne", fterm_make(p->t, "cosine", 1, &a), zero, cond);
    return is(p, x, "power", 2) ? of_power(p, a, b, cond) : NEED_NOTHING;
}

// The number of the pair in `seen`; *is_new: it was not there.
static uint32_t pair_of(struct partial *p, fterm x, const struct fterm_set *s,
                        uint32_t *set, bool *is_new)
{
    *set = intern_bytes(&p->sets, (const char *)s->at, s->n * sizeof(fterm));
    uint32_t pair[2] = {x, *set}, before = p->seen.entry.len;
    uint32_t id = intern_bytes(&p->seen, (const char *)pair, sizeof pair);
    *is_new = id == before;
    return id;
}

// The formula

enum { BY_TERM, BY_ASKED };

static void link_demand(struct partial *p, int by, fterm x)
{
    struct u32_vec *first = &p->first[by];
    while (first->len <= x)
        vec_push(first, 0);
    vec_last(&p->demands).next[by] = first->at[x];
    first->at[x] = p->demands.len;
}

static void add_demand(struct partial *p, fterm x, uint32_t set)
{
    fterm asked;
    struct term_demand d = {set, {0, 0}};
    vec_push(&p->demands, d);
    link_demand(p, BY_TERM, x);
    if (need_of(p, x, &asked) == NEED_COND)
        link_demand(p, BY_ASKED, asked);
}

// Has the formula this term, or asks this, below conditions of the set?
static bool is_demanded(const struct partial *p, int by, fterm x,
                        const struct fterm_set *s)
{
    uint32_t i = x < p->first[by].len ? p->first[by].at[x] : 0;
    for (; i != 0; i = p->demands.at[i - 1].next[by]) {
        struct fterm_set d = set_at(p, p->demands.at[i - 1].set);
        if (within(&d, s))
            return true;
    }
    return false;
}

static void walk(struct partial *p, fterm x, struct fterm_set s);

static void walk_operands(struct partial *p, fterm x, const struct fterm_set *given)
{
    const struct fterm_set s = *given;
    uint32_t n = fterm_n(p->t, x);
    if (is(p, x, "select", 3)) {
        walk(p, arg(p, x, 0), s);
        for (uint32_t k = 1; k < 3; k++)
            walk(p, arg(p, x, k), with(p, s, arg(p, x, 0), k == 1));
    } else if (is(p, x, "and", 2) || is(p, x, "or", 2)) {
        // One that decides by itself leaves the other open.
        bool so = is(p, x, "and", 2);
        for (uint32_t k = 0; k < 2; k++)
            walk(p, arg(p, x, k), with(p, s, arg(p, x, 1 - k), so));
    } else if (is_reduction(p, x)) {
        if (!is(p, x, "reduce_or", 2) && !is(p, x, "reduce_and", 2) &&
            free_of(p, &s, arg(p, x, 0)).n == s.n)
            walk(p, arg(p, x, 1), s);
    } else if (is(p, x, "concatenate", 5)) {
        bool all = true; // at every index of each
        for (uint32_t k = 0; k < 3; k++)
            all = all && free_of(p, &s, arg(p, x, k)).n == s.n;
        // What has the new axis too is met at some indices of it only.
        for (uint32_t k = 3; all && k < 5; k++)
            if (!names(p, arg(p, x, k), arg(p, x, 0)))
                walk(p, arg(p, x, k), s);
    } else if (is_strict(p, x)) {
        for (uint32_t k = 0; k < n; k++)
            walk(p, arg(p, x, k), s);
    }
}

static void walk(struct partial *p, fterm x, struct fterm_set s)
{
    uint32_t set;
    bool fresh;
    (void)pair_of(p, x, &s, &set, &fresh);
    if (!fresh || fterm_n(p->t, x) == 0 || s.over || p->depth == MAX_DEEP ||
        p->steps++ > MAX_STEPS)
        return;
    add_demand(p, x, set);
    p->depth++;
    walk_operands(p, x, &s);
    p->depth--;
}

// A result

static bool is_known(struct partial *p, fterm cond, const struct fterm_set *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->at[i] == cond)
            return true;
    if (is_demanded(p, BY_ASKED, cond, s))
        return true;
    if (cond >= p->known.len || p->known.at[cond] == 0) {
        vec_push(&p->missing, cond);
        return false;
    }
    if (p->known.at[cond] == 1)
        vec_push(&p->used, cond);
    p->known.at[cond] = 2;
    return true;
}

static bool fits(struct partial *p, fterm x, struct fterm_set s);

// Both in either order, the second where the first does not decide.
static bool fits_logical(struct partial *p, fterm x, const struct fterm_set *s)
{
    bool so = is(p, x, "and", 2), ok = false;
    for (uint32_t k = 0; k < 2 && !ok; k++)
        ok = fits(p, arg(p, x, k), *s) &&
             fits(p, arg(p, x, 1 - k), with(p, *s, arg(p, x, k), so));
    return ok;
}

static bool fits_parts(struct partial *p, fterm x, const struct fterm_set *s)
{
    uint32_t n = fterm_n(p->t, x);
    fterm cond;
    if (is(p, x, "select", 3)) {
        bool ok = fits(p, arg(p, x, 0), *s);
        for (uint32_t k = 1; k < 3 && ok; k++)
            ok = fits(p, arg(p, x, k), with(p, *s, arg(p, x, 0), k == 1));
        return ok;
    }
    if (is(p, x, "and", 2) || is(p, x, "or", 2))
        return fits_logical(p, x, s);
    if (is_reduction(p, x))
        return fits(p, arg(p, x, 1), free_of(p, s, arg(p, x, 0)));
    if (is(p, x, "concatenate", 5)) {
        struct fterm_set rest = *s;
        for (uint32_t k = 0; k < 3; k++)
            rest = free_of(p, &rest, arg(p, x, k));
        return fits(p, arg(p, x, 3), rest) && fits(p, arg(p, x, 4), rest);
    }
    if (is(p, x, "count", 1))
        return true;
    bool ok = is_strict(p, x);
    for (uint32_t k = 0; k < n && ok; k++)
        ok = fits(p, arg(p, x, k), *s);
    if (!ok)
        return false;
    enum needed need = need_of(p, x, &cond);
    return need == NEED_NOTHING || (need == NEED_COND && is_known(p, cond, s));
}

static bool fits(struct partial *p, fterm x, struct fterm_set s)
{
    uint32_t set;
    bool fresh;
    if (fterm_n(p->t, x) == 0)
        return true;
    uint32_t id = pair_of(p, x, &s, &set, &fresh);
    while (p->verdict.len <= id)
        vec_push(&p->verdict, 0);
    if (p->verdict.at[id] != 0 || p->depth == MAX_DEEP ||
        p->steps++ > MAX_STEPS)
        return p->verdict.at[id] == 1;
    p->depth++;
    bool ok = is_demanded(p, BY_TERM, x, &s) || fits_parts(p, x, &s);
    p->depth--;
    p->verdict.at[id] = ok ? 1 : 2;
    return ok;
}

void partial_init(struct partial *p, struct fterms *t,
                  const struct fdefines *defs, fterm formula)
{
    *p = (struct partial){.t = t, .defs = defs};
    intern_init(&p->sets);
    intern_init(&p->seen);
    formula_expand(t, defs, formula, &formula, NULL);
    walk(p, formula, (struct fterm_set){0});
}

void partial_release(struct partial *p)
{
    intern_release(&p->sets);
    intern_release(&p->seen);
    vec_release(&p->demands);
    vec_release(&p->first[BY_TERM]);
    vec_release(&p->first[BY_ASKED]);
    vec_release(&p->known);
    vec_release(&p->used);
    vec_release(&p->missing);
    vec_release(&p->verdict);
}

void partial_know(struct partial *p, fterm cond)
{
    while (p->known.len <= cond)
        vec_push(&p->known, 0);
    p->known.at[cond] = 1;
}

bool partial_fits(struct partial *p, fterm term)
{
    vec_clear(&p->verdict);
    for (uint32_t i = 0; i < p->used.len; i++)
        p->known.at[p->used.at[i]] = 1;
    vec_clear(&p->used);
    vec_clear(&p->missing);
    p->steps = 0;
    formula_expand(p->t, p->defs, term, &term, NULL);
    return fits(p, term, (struct fterm_set){0});
}
