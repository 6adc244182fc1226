// SPDX-License-Identifier: Apache-2.0
#include "proof/formula/partial.h"

#include "formula/rules/expand.h"
#include "formula/terms/number.h"
#include "proof/limits.h"

struct fterm_set {
    uint32_t n;
    fterm at[PROOF_CONDITIONS];
    bool over; // some conditions did not fit
};

static bool is(const struct partial *partial, fterm term, const char *op, uint32_t n)
{
    return fterm_is(partial->terms, term, op, n);
}

static fterm arg(const struct partial *partial, fterm term, uint32_t k)
{
    return fterm_args(partial->terms, term)[k];
}

// Sets of conditions

static void insert(struct fterm_set *set, fterm term)
{
    uint32_t i = set->n;
    for (uint32_t k = 0; k < set->n; k++)
        if (set->at[k] == term)
            return;
    if (set->n == PROOF_CONDITIONS) {
        set->over = true;
        return;
    }
    for (; i > 0 && set->at[i - 1] > term; i--)
        set->at[i] = set->at[i - 1];
    set->at[i] = term;
    set->n++;
}

static void insert2(struct partial *partial, struct fterm_set *set, const char *op, fterm a,
                    fterm b)
{
    fterm args[2] = {a, b};
    insert(set, fterm_make(partial->terms, op, 2, args));
}

// Adds the conditions that follow if `term` holds; from an order, the weaker
// orders too.
static void assume(struct partial *partial, fterm term, bool so, struct fterm_set *set)
{
    if (is(partial, term, "not", 1)) {
        assume(partial, arg(partial, term, 0), !so, set);
    } else if (is(partial, term, so ? "and" : "or", 2)) {
        fterm other = arg(partial, term, 1);
        assume(partial, arg(partial, term, 0), so, set);
        assume(partial, other, so, set);
    } else if (is(partial, term, "lt", 2) || is(partial, term, "le", 2)) {
        bool less = is(partial, term, "lt", 2) == so;
        fterm a = arg(partial, term, so ? 0 : 1), b = arg(partial, term, so ? 1 : 0);
        insert2(partial, set, "le", a, b);
        if (less) {
            insert2(partial, set, "lt", a, b);
            insert2(partial, set, "ne", a, b);
            insert2(partial, set, "ne", b, a);
        }
    } else if (is(partial, term, "eq", 2) || is(partial, term, "ne", 2)) {
        const char *op = is(partial, term, "eq", 2) == so ? "eq" : "ne";
        fterm a = arg(partial, term, 0), b = arg(partial, term, 1);
        insert2(partial, set, op, a, b);
        insert2(partial, set, op, b, a);
    } else {
        insert(set, so ? term : fterm_make(partial->terms, "not", 1, &term));
    }
}

static struct fterm_set with(struct partial *partial, struct fterm_set set, fterm term, bool so)
{
    assume(partial, term, so, &set);
    return set;
}

static bool within(const struct fterm_set *set, const struct fterm_set *of)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        while (k < of->n && of->at[k] < set->at[i])
            k++;
        if (k == of->n || of->at[k] != set->at[i])
            return false;
    }
    return true;
}

static struct fterm_set set_at(const struct partial *partial, uint32_t id)
{
    uint32_t bytes = intern_len(&partial->sets, id);
    struct fterm_set set = {.n = bytes / (uint32_t)sizeof(fterm)};
    if (bytes > 0)
        memcpy(set.at, intern_text(&partial->sets, id), bytes);
    return set;
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
    const struct partial *partial;
    fterm in;
    bool found;
};

// True if the term names the axis anywhere, bound or free.
static void find_in(void *ctx, const char *axis, uint32_t len)
{
    struct axis_search *search = ctx;
    struct u32_vec all = {0};
    fterms_reach(search->partial->terms, 1, &search->in, &all);
    for (uint32_t i = 0; i < all.len && !search->found; i++) {
        const char *name = fterm_name(search->partial->terms, all.at[i]);
        struct axis_query a = {axis, len, false};
        (void)fname_axes(name, (uint32_t)strlen(name), find_axis, &a);
        search->found = a.found;
    }
    vec_release(&all);
}

static bool names(const struct partial *partial, fterm term, fterm axes)
{
    const char *name = fterm_name(partial->terms, axes);
    struct axis_search search = {partial, term, false};
    (void)fname_axes(name, (uint32_t)strlen(name), find_in, &search);
    return search.found;
}

// The conditions that name none of these axes.
static struct fterm_set free_of(const struct partial *partial, const struct fterm_set *set,
                                fterm axes)
{
    struct fterm_set out = {.over = set->over};
    for (uint32_t i = 0; i < set->n; i++)
        if (!names(partial, set->at[i], axes))
            insert(&out, set->at[i]);
    return out;
}

// Terms

static bool is_reduction(const struct partial *partial, fterm term)
{
    return fterm_n(partial->terms, term) == 2 &&
           strncmp(fterm_name(partial->terms, term), "reduce_", 7) == 0;
}

// Operators that have a value only where all operands do.
static bool is_strict(const struct partial *partial, fterm term)
{
    return formula_is_strict(fterm_name(partial->terms, term)) && !is_reduction(partial, term) &&
           !is(partial, term, "concatenate", 5);
}

static bool literal(const struct partial *partial, fterm term, mpq_t out)
{
    const char *name = fterm_name(partial->terms, term);
    return fterm_n(partial->terms, term) == 0 && number_parse(name, (uint32_t)strlen(name), out);
}

enum needed { NEED_NOTHING, NEED_COND, NEED_MORE };

static enum needed bound(struct partial *partial, const char *op, fterm a, fterm b, fterm *cond)
{
    fterm args[2] = {a, b};
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    enum needed out = NEED_COND;
    if (literal(partial, a, x) && literal(partial, b, y)) {
        int c = mpq_cmp(x, y);
        bool so = *op == 'n' ? c != 0 : op[1] == 'e' ? c <= 0 : c < 0;
        out = so ? NEED_NOTHING : NEED_MORE;
    }
    mpq_clears(x, y, NULL);
    if (out == NEED_COND)
        *cond = fterm_make(partial->terms, op, 2, args);
    return out;
}

static enum needed of_power(struct partial *partial, fterm a, fterm k, fterm *cond)
{
    fterm zero = fterm_make(partial->terms, "0", 0, NULL);
    mpq_t n;
    mpq_init(n);
    bool known = literal(partial, k, n), whole = false;
    if (known)
        whole = mpz_cmp_ui(mpq_denref(n), 1) == 0;
    int sign = known ? mpq_sgn(n) : 0;
    mpq_clear(n);
    if (whole && sign >= 0)
        return NEED_NOTHING;
    if (whole)
        return bound(partial, "ne", a, zero, cond);
    return bound(partial, sign > 0 ? "le" : "lt", zero, a, cond);
}

// The conditions of the operator on its operands.
static enum needed need_of(struct partial *partial, fterm term, fterm *cond)
{
    fterm zero = fterm_make(partial->terms, "0", 0, NULL);
    fterm minus_one = fterm_make(partial->terms, "-1", 0, NULL);
    uint32_t n = fterm_n(partial->terms, term);
    fterm a = n > 0 ? arg(partial, term, 0) : 0, b = n > 1 ? arg(partial, term, 1) : 0;
    enum op op;
    if (!op_by_name(fterm_name(partial->terms, term), &op) || op_arity(op) != (int)n)
        return NEED_NOTHING;
    switch (op_facts(op)->defined) {
    case DEFINED_ALWAYS:
        return NEED_NOTHING;
    case DEFINED_POSITIVE:
        return bound(partial, "lt", zero, a, cond);
    case DEFINED_NOT_NEGATIVE:
        return bound(partial, "le", zero, a, cond);
    case DEFINED_ABOVE_MINUS_1:
        return bound(partial, "lt", minus_one, a, cond);
    case DEFINED_COSINE_NOT_0:
        return bound(partial, "ne", fterm_make(partial->terms, "cosine", 1, &a), zero, cond);
    case DEFINED_SECOND_NOT_0:
        return is(partial, b, "count", 1) ? NEED_NOTHING : bound(partial, "ne", b, zero, cond);
    case DEFINED_POWER:
        return of_power(partial, a, b, cond);
    }
    return NEED_MORE;
}

// The number of the pair in `seen`; *is_new: it was not there.
static uint32_t pair_of(struct partial *partial, fterm term, const struct fterm_set *s,
                        uint32_t *set, bool *is_new)
{
    *set = intern_bytes(&partial->sets, (const char *)s->at, s->n * sizeof(fterm));
    uint32_t pair[2] = {term, *set}, before = partial->seen.entry.len;
    uint32_t id = intern_bytes(&partial->seen, (const char *)pair, sizeof pair);
    *is_new = id == before;
    return id;
}

// The formula

enum { BY_TERM, BY_ASKED };

static void link_demand(struct partial *partial, int by, fterm term)
{
    struct u32_vec *first = &partial->first[by];
    while (first->len <= term)
        vec_push(first, 0);
    vec_last(&partial->demands).next[by] = first->at[term];
    first->at[term] = partial->demands.len;
}

static void add_demand(struct partial *partial, fterm term, uint32_t set)
{
    fterm asked;
    struct term_demand term_demand = {set, {0, 0}};
    vec_push(&partial->demands, term_demand);
    link_demand(partial, BY_TERM, term);
    if (need_of(partial, term, &asked) == NEED_COND)
        link_demand(partial, BY_ASKED, asked);
}

// True if the formula has this term, or asks this condition, below conditions
// of the set.
static bool is_demanded(const struct partial *partial, int by, fterm term,
                        const struct fterm_set *set)
{
    uint32_t i = term < partial->first[by].len ? partial->first[by].at[term] : 0;
    for (; i != 0; i = partial->demands.at[i - 1].next[by]) {
        struct fterm_set d = set_at(partial, partial->demands.at[i - 1].set);
        if (within(&d, set))
            return true;
    }
    return false;
}

static void walk(struct partial *partial, fterm term, struct fterm_set set);

static void walk_operands(struct partial *partial, fterm term, const struct fterm_set *given)
{
    const struct fterm_set set = *given;
    uint32_t n = fterm_n(partial->terms, term);
    if (is(partial, term, "select", 3)) {
        walk(partial, arg(partial, term, 0), set);
        for (uint32_t k = 1; k < 3; k++)
            walk(partial, arg(partial, term, k), with(partial, set, arg(partial, term, 0), k == 1));
    } else if (is(partial, term, "and", 2) || is(partial, term, "or", 2)) {
        // An operand that decides the value alone leaves the other operand
        // without conditions.
        bool so = is(partial, term, "and", 2);
        for (uint32_t k = 0; k < 2; k++)
            walk(partial, arg(partial, term, k), with(partial, set, arg(partial, term, 1 - k), so));
    } else if (is_reduction(partial, term)) {
        if (!is(partial, term, "reduce_or", 2) && !is(partial, term, "reduce_and", 2) &&
            free_of(partial, &set, arg(partial, term, 0)).n == set.n)
            walk(partial, arg(partial, term, 1), set);
    } else if (is(partial, term, "concatenate", 5)) {
        bool all = true; // at every index of each
        for (uint32_t k = 0; k < 3; k++)
            all = all && free_of(partial, &set, arg(partial, term, k)).n == set.n;
        // A condition that names the new axis holds at some of its indices
        // only.
        for (uint32_t k = 3; all && k < 5; k++)
            if (!names(partial, arg(partial, term, k), arg(partial, term, 0)))
                walk(partial, arg(partial, term, k), set);
    } else if (is_strict(partial, term)) {
        for (uint32_t k = 0; k < n; k++)
            walk(partial, arg(partial, term, k), set);
    }
}

static void walk(struct partial *partial, fterm term, struct fterm_set s)
{
    uint32_t set;
    bool fresh;
    (void)pair_of(partial, term, &s, &set, &fresh);
    if (!fresh || fterm_n(partial->terms, term) == 0 || s.over ||
        partial->depth == PROOF_PARTIAL_DEPTH || partial->steps++ > PROOF_PARTIAL_STEPS)
        return;
    add_demand(partial, term, set);
    partial->depth++;
    walk_operands(partial, term, &s);
    partial->depth--;
}

// A result

static bool is_known(struct partial *partial, fterm cond, const struct fterm_set *set)
{
    for (uint32_t i = 0; i < set->n; i++)
        if (set->at[i] == cond)
            return true;
    if (is_demanded(partial, BY_ASKED, cond, set))
        return true;
    if (cond >= partial->known.len || partial->known.at[cond] == 0) {
        vec_push(&partial->missing, cond);
        return false;
    }
    if (partial->known.at[cond] == 1)
        vec_push(&partial->used, cond);
    partial->known.at[cond] = 2;
    return true;
}

static bool fits(struct partial *partial, fterm term, struct fterm_set set);

// Checks both operands in either order: the second one below the condition that
// the first one does not decide.
static bool fits_logical(struct partial *partial, fterm term, const struct fterm_set *set)
{
    bool so = is(partial, term, "and", 2), ok = false;
    for (uint32_t k = 0; k < 2 && !ok; k++)
        ok = fits(partial, arg(partial, term, k), *set) &&
             fits(partial, arg(partial, term, 1 - k),
                  with(partial, *set, arg(partial, term, k), so));
    return ok;
}

static bool fits_parts(struct partial *partial, fterm term, const struct fterm_set *set)
{
    uint32_t n = fterm_n(partial->terms, term);
    fterm cond;
    if (is(partial, term, "select", 3)) {
        bool ok = fits(partial, arg(partial, term, 0), *set);
        for (uint32_t k = 1; k < 3 && ok; k++)
            ok = fits(partial, arg(partial, term, k),
                      with(partial, *set, arg(partial, term, 0), k == 1));
        return ok;
    }
    if (is(partial, term, "and", 2) || is(partial, term, "or", 2))
        return fits_logical(partial, term, set);
    if (is_reduction(partial, term))
        return fits(partial, arg(partial, term, 1), free_of(partial, set, arg(partial, term, 0)));
    if (is(partial, term, "concatenate", 5)) {
        struct fterm_set rest = *set;
        for (uint32_t k = 0; k < 3; k++)
            rest = free_of(partial, &rest, arg(partial, term, k));
        return fits(partial, arg(partial, term, 3), rest) &&
               fits(partial, arg(partial, term, 4), rest);
    }
    if (is(partial, term, "count", 1))
        return true;
    bool ok = is_strict(partial, term);
    for (uint32_t k = 0; k < n && ok; k++)
        ok = fits(partial, arg(partial, term, k), *set);
    if (!ok)
        return false;
    enum needed need = need_of(partial, term, &cond);
    return need == NEED_NOTHING || (need == NEED_COND && is_known(partial, cond, set));
}

static bool fits(struct partial *partial, fterm term, struct fterm_set s)
{
    uint32_t set;
    bool fresh;
    if (fterm_n(partial->terms, term) == 0)
        return true;
    uint32_t id = pair_of(partial, term, &s, &set, &fresh);
    while (partial->verdict.len <= id)
        vec_push(&partial->verdict, 0);
    if (partial->verdict.at[id] != 0 || partial->depth == PROOF_PARTIAL_DEPTH ||
        partial->steps++ > PROOF_PARTIAL_STEPS)
        return partial->verdict.at[id] == 1;
    partial->depth++;
    bool ok = is_demanded(partial, BY_TERM, term, &s) || fits_parts(partial, term, &s);
    partial->depth--;
    partial->verdict.at[id] = ok ? 1 : 2;
    return ok;
}

void partial_init(struct partial *partial, struct fterms *terms, const struct fdefines *defs,
                  fterm formula)
{
    *partial = (struct partial){.terms = terms, .defs = defs};
    intern_init(&partial->sets);
    intern_init(&partial->seen);
    formula_expand(terms, defs, formula, &formula, NULL);
    walk(partial, formula, (struct fterm_set){0});
}

void partial_release(struct partial *partial)
{
    intern_release(&partial->sets);
    intern_release(&partial->seen);
    vec_release(&partial->demands);
    vec_release(&partial->first[BY_TERM]);
    vec_release(&partial->first[BY_ASKED]);
    vec_release(&partial->known);
    vec_release(&partial->used);
    vec_release(&partial->missing);
    vec_release(&partial->verdict);
}

void partial_know(struct partial *partial, fterm cond)
{
    while (partial->known.len <= cond)
        vec_push(&partial->known, 0);
    partial->known.at[cond] = 1;
}

bool partial_fits(struct partial *partial, fterm term)
{
    vec_clear(&partial->verdict);
    for (uint32_t i = 0; i < partial->used.len; i++)
        partial->known.at[partial->used.at[i]] = 1;
    vec_clear(&partial->used);
    vec_clear(&partial->missing);
    partial->steps = 0;
    formula_expand(partial->terms, partial->defs, term, &term, NULL);
    return fits(partial, term, (struct fterm_set){0});
}
