// SPDX-License-Identifier: Apache-2.0
#include "tests/formulas/evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_int(mpfr_t x, long n)
{
    mpfr_set_si(x, n, MPFR_RNDN);
}

// ---- axes

uint32_t world_axis(struct world *w, const char *s, uint32_t len)
{
    uint32_t id = intern_bytes(&w->axis, s, len);
    if (id == 0 || id > AXES) {
        fprintf(stderr, "numeric: too many axes\n");
        exit(2);
    }
    return id - 1;
}

struct list {
    struct world *w;
    uint32_t n, id[8];
};

static void add_axis(void *ctx, const char *s, uint32_t len)
{
    struct list *l = ctx;
    if (l->n < 8)
        l->id[l->n++] = world_axis(l->w, s, len);
}

static struct list axes_of(struct world *w, fterm x)
{
    struct list l = {.w = w};
    const char *s = fterm_name(&w->t, x);
    (void)fname_axes(s, (uint32_t)strlen(s), add_axis, &l);
    return l;
}

static uint64_t set_of(struct world *w, fterm x)
{
    struct list l = axes_of(w, x);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < l.n; i++)
        bits |= UINT64_C(1) << l.id[i];
    return bits;
}

static uint32_t root(struct world *w, uint32_t a)
{
    while (w->same[a] != a)
        a = w->same[a];
    return a;
}

static bool is_join(const struct world *w, fterm x)
{
    return fterm_is(&w->t, x, "concatenate", 5);
}

// Positions of a variable have one size each, and a join the sum of its parts.
void world_choose_sizes(struct world *w)
{
    for (uint32_t a = 0; a < AXES; a++) {
        w->same[a] = a;
        w->size[a] = 1 + (uint32_t)rng_below(&w->rng, MOST_SIZE);
    }
    VEC(struct list) first = {0};
    VEC(uint32_t) base = {0};
    for (fterm x = 0; x < w->t.node.len; x++) {
        const char *s = fterm_name(&w->t, x), *open = strchr(s, '{');
        if (fterm_n(&w->t, x) > 0 || open == NULL || open == s)
            continue;
        struct list l = axes_of(w, x);
        uint32_t k = 0;
        for (; k < base.len; k++) {
            const char *o = fterm_name(&w->t, base.at[k]);
            if (strncmp(o, s, (size_t)(open - s) + 1) == 0)
                break;
        }
        if (k == base.len) {
            vec_push(&base, x);
            vec_push(&first, l);
        }
        for (uint32_t i = 0; i < l.n && i < first.at[k].n; i++)
            w->same[root(w, l.id[i])] = root(w, first.at[k].id[i]);
    }
    vec_release(&base);
    vec_release(&first);
    for (uint32_t a = 0; a < AXES; a++)
        w->size[a] = w->size[root(w, a)];
    for (uint32_t again = 0; again < 8; again++)
        for (fterm x = 0; x < w->t.node.len; x++) {
            if (!is_join(w, x))
                continue;
            const fterm *arg = fterm_args(&w->t, x);
            uint32_t a = root(w, axes_of(w, arg[0]).id[0]);
            uint32_t sum = w->size[axes_of(w, arg[1]).id[0]] +
                           w->size[axes_of(w, arg[2]).id[0]];
            for (uint32_t b = 0; b < AXES; b++)
                if (root(w, b) == a)
                    w->size[b] = sum;
        }
}

uint32_t world_count(const struct world *w, uint64_t axes)
{
    uint32_t n = 1;
    for (uint32_t a = 0; a < AXES; a++)
        if (axes >> a & 1)
            n *= w->size[a];
    return n;
}

uint32_t world_place(const struct world *w, uint64_t axes,
                     const struct environment *e)
{
    uint32_t at = 0;
    for (uint32_t a = 0; a < AXES; a++)
        if (axes >> a & 1)
            at = at * w->size[a] + e->index[a];
    return at;
}

void world_go_to(const struct world *w, uint64_t axes, uint32_t at,
                 struct environment *e)
{
    for (uint32_t a = AXES; a-- > 0;)
        if (axes >> a & 1) {
            e->index[a] = at % w->size[a];
            at /= w->size[a];
        }
}

// ---- operators

typedef int unary(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
typedef int binary(mpfr_t, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

static int minus(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    return mpfr_neg(out, x, r);
}
static int magnitude(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    return mpfr_abs(out, x, r);
}
static int signum(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_sgn(x), r);
}
static int logistic(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    mpfr_neg(out, x, r);
    mpfr_exp(out, out, r);
    mpfr_add_ui(out, out, 1, r);
    return mpfr_ui_div(out, 1, out, r);
}
static int up(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    (void)r;
    return mpfr_ceil(out, x);
}
static int down(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    (void)r;
    return mpfr_floor(out, x);
}
static int negation(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_sgn(x) == 0, r);
}
static int both(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_sgn(x) != 0 && mpfr_sgn(y) != 0, r);
}
static int either(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_sgn(x) != 0 || mpfr_sgn(y) != 0, r);
}
static int less(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_less_p(x, y) != 0, r);
}
static int at_most(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_lessequal_p(x, y) != 0, r);
}
static int same(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_equal_p(x, y) != 0, r);
}
static int other(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t r)
{
    return mpfr_set_si(out, mpfr_equal_p(x, y) == 0, r);
}

static const struct {
    const char *name;
    unary *of;
} unaries[] = {
    {"negate", minus},
    {"abs", magnitude},
    {"sign", signum},
    {"exponential", mpfr_exp},
    {"exponential_minus_one", mpfr_expm1},
    {"log", mpfr_log},
    {"log_plus_one", mpfr_log1p},
    {"logistic", logistic},
    {"sqrt", mpfr_sqrt},
    {"rsqrt", mpfr_rec_sqrt},
    {"cbrt", mpfr_cbrt},
    {"sine", mpfr_sin},
    {"cosine", mpfr_cos},
    {"tan", mpfr_tan},
    {"tanh", mpfr_tanh},
    {"erf", mpfr_erf},
    {"floor", down},
    {"ceil", up},
    {"not", negation},
};
static const struct {
    const char *name;
    binary *of;
} binaries[] = {
    {"add", mpfr_add},     {"subtract", mpfr_sub}, {"multiply", mpfr_mul},
    {"divide", mpfr_div},  {"power", mpfr_pow},    {"maximum", mpfr_max},
    {"minimum", mpfr_min}, {"and", both},          {"or", either},
    {"lt", less},          {"le", at_most},        {"eq", same},
    {"ne", other},         {"atan2", mpfr_atan2},  {"remainder", mpfr_fmod},
};

static binary *binary_named(const char *name)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (strcmp(binaries[i].name, name) == 0)
            return binaries[i].of;
    return NULL;
}

static bool apply(const char *name, uint32_t n, mpfr_srcptr x, mpfr_srcptr y,
                  mpfr_t out)
{
    if (n == 1)
        for (size_t i = 0; i < sizeof unaries / sizeof *unaries; i++)
            if (strcmp(unaries[i].name, name) == 0) {
                unaries[i].of(out, x, MPFR_RNDN);
                return true;
            }
    binary *f = n == 2 ? binary_named(name) : NULL;
    if (f != NULL)
        f(out, x, y, MPFR_RNDN);
    return f != NULL;
}

// ---- terms

static mpfr_t *at(struct world *w, fterm x, const struct environment *e)
{
    const struct value *v = &w->value.at[x];
    return &v->at[world_place(w, v->axes, e)];
}

static void reduce(struct world *w, fterm x, struct environment e, mpfr_t out)
{
    const fterm *arg = fterm_args(&w->t, x);
    uint64_t set = set_of(w, arg[0]);
    binary *f = binary_named(fterm_name(&w->t, x) + strlen("reduce_"));
    for (uint32_t i = 0; i < world_count(w, set); i++) {
        world_go_to(w, set, i, &e);
        mpfr_t *y = at(w, arg[1], &e);
        if (i == 0)
            mpfr_set(out, *y, MPFR_RNDN);
        else if (mpfr_nan_p(*y) || mpfr_nan_p(out))
            mpfr_set_nan(out);
        else
            f(out, out, *y, MPFR_RNDN);
    }
}

static void joined(struct world *w, fterm x, struct environment e, mpfr_t out)
{
    const fterm *arg = fterm_args(&w->t, x);
    uint32_t a = axes_of(w, arg[0]).id[0], b = axes_of(w, arg[1]).id[0],
             c = axes_of(w, arg[2]).id[0], i = e.index[a];
    bool first = i < w->size[b];
    e.index[first ? b : c] = first ? i : i - w->size[b];
    mpfr_set(out, *at(w, arg[first ? 3 : 4], &e), MPFR_RNDN);
}

static void leaf(struct world *w, fterm x, const struct environment *e,
                 mpfr_t out)
{
    const char *s = fterm_name(&w->t, x);
    size_t len = strcspn(s, "{");
    struct list l = axes_of(w, x);
    if (strcmp(s, "pi") == 0) {
        mpfr_const_pi(out, MPFR_RNDN);
        return;
    }
    if (strcmp(s, "true") == 0 || strcmp(s, "false") == 0) {
        set_int(out, *s == 't');
        return;
    }
    if (fname_is_number(s, (uint32_t)strlen(s))) {
        mpq_t q;
        mpq_init(q);
        mpq_set_str(q, s, 10);
        mpfr_set_q(out, q, MPFR_RNDN);
        mpq_clear(q);
        return;
    }
    for (uint32_t i = 0; i < w->variable.len; i++) {
        const struct variable *v = &w->variable.at[i];
        if (strlen(v->name) != len || memcmp(v->name, s, len) != 0)
            continue;
        uint32_t k = 0;
        for (uint32_t j = 0; j < v->n; j++)
            k = k * v->size[j] + e->index[l.id[j]];
        mpfr_set(out, v->at[k], MPFR_RNDN);
        return;
    }
    fprintf(stderr, "numeric: unknown variable %s\n", s);
    exit(2);
}

static void compute(struct world *w, fterm x, const struct environment *e,
                    mpfr_t out)
{
    const char *name = fterm_name(&w->t, x);
    uint32_t n = fterm_n(&w->t, x);
    const fterm *arg = fterm_args(&w->t, x);
    if (n == 0) {
        leaf(w, x, e, out);
    } else if (strcmp(name, "count") == 0) {
        set_int(out, (long)world_count(w, set_of(w, arg[0])));
    } else if (is_join(w, x)) {
        joined(w, x, *e, out);
    } else if (strncmp(name, "reduce_", 7) == 0) {
        reduce(w, x, *e, out);
    } else if (strcmp(name, "select") == 0) {
        mpfr_t *c = at(w, arg[0], e);
        if (mpfr_nan_p(*c))
            mpfr_set_nan(out);
        else
            mpfr_set(out, *at(w, arg[mpfr_sgn(*c) != 0 ? 1 : 2], e), MPFR_RNDN);
    } else {
        mpfr_t *y = at(w, arg[0], e), *z = n > 1 ? at(w, arg[1], e) : y;
        if (mpfr_nan_p(*y) || mpfr_nan_p(*z)) {
            mpfr_set_nan(out);
        } else if (!apply(name, n, *y, *z, out)) {
            fprintf(stderr, "numeric: unknown operator %s\n", name);
            exit(2);
        }
    }
    // No value is no number, whatever is done with it.
    if (!mpfr_number_p(out))
        mpfr_set_nan(out);
}

static uint64_t axes_below(struct world *w, fterm x)
{
    const char *name = fterm_name(&w->t, x);
    uint32_t n = fterm_n(&w->t, x);
    const fterm *arg = fterm_args(&w->t, x);
    uint64_t axes = 0;
    if (n == 0)
        return *name == '{' ? 0 : set_of(w, x);
    if (is_join(w, x))
        return (w->value.at[arg[3]].axes & ~set_of(w, arg[1])) |
               (w->value.at[arg[4]].axes & ~set_of(w, arg[2])) |
               set_of(w, arg[0]);
    for (uint32_t k = 0; k < n; k++)
        axes |= w->value.at[arg[k]].axes;
    if (strncmp(name, "reduce_", 7) == 0)
        axes &= ~set_of(w, arg[0]);
    return axes;
}

void world_forget(struct world *w)
{
    for (uint32_t x = 0; x < w->value.len; x++) {
        struct value *v = &w->value.at[x];
        for (uint32_t i = 0; i < v->n; i++)
            mpfr_clear(v->at[i]);
        mem_free(v->at);
    }
    vec_release(&w->value);
}

// All values of the term and of those below it.
const struct value *world_evaluate(struct world *w, fterm top)
{
    struct u32_vec all = {0};
    struct value none = {0};
    while (w->value.len < w->t.node.len)
        vec_push(&w->value, none);
    fterms_reach(&w->t, 1, &top, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm x = all.at[i];
        if (w->value.at[x].known)
            continue;
        struct value v = {.known = true, .axes = axes_below(w, x)};
        bool is_set = fterm_n(&w->t, x) == 0 && *fterm_name(&w->t, x) == '{';
        uint32_t n = is_set ? 0 : world_count(w, v.axes);
        v.at = mem_alloc((n + 1u) * sizeof *v.at);
        for (; v.n < n; v.n++) {
            struct environment e = {{0}};
            world_go_to(w, v.axes, v.n, &e);
            mpfr_init2(v.at[v.n], BITS);
            compute(w, x, &e, v.at[v.n]);
        }
        w->value.at[x] = v;
    }
    vec_release(&all);
    return &w->value.at[top];
}
