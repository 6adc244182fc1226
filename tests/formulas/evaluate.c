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

uint32_t world_axis(struct world *world, const char *text, uint32_t len)
{
    uint32_t id = intern_bytes(&world->axis, text, len);
    if (id == 0 || id > AXES) {
        fprintf(stderr, "numeric: too many axes\n");
        exit(2);
    }
    return id - 1;
}

struct list {
    struct world *world;
    uint32_t n, id[8];
};

static void add_axis(void *ctx, const char *text, uint32_t len)
{
    struct list *list = ctx;
    if (list->n < 8)
        list->id[list->n++] = world_axis(list->world, text, len);
}

static struct list axes_of(struct world *world, fterm term)
{
    struct list list = {.world = world};
    const char *text = fterm_name(&world->terms, term);
    (void)fname_axes(text, (uint32_t)strlen(text), add_axis, &list);
    return list;
}

static uint64_t set_of(struct world *world, fterm term)
{
    struct list list = axes_of(world, term);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < list.n; i++)
        bits |= UINT64_C(1) << list.id[i];
    return bits;
}

static uint32_t root(struct world *world, uint32_t a)
{
    while (world->same[a] != a)
        a = world->same[a];
    return a;
}

static bool is_join(const struct world *world, fterm term)
{
    return fterm_is(&world->terms, term, "concatenate", 5);
}

// Positions of a variable have one size each, and a join the sum of its parts.
void world_choose_sizes(struct world *world)
{
    for (uint32_t a = 0; a < AXES; a++) {
        world->same[a] = a;
        world->size[a] = 1 + (uint32_t)rng_below(&world->rng, MOST_SIZE);
    }
    VEC(struct list) first = {0};
    VEC(uint32_t) base = {0};
    for (fterm term = 0; term < world->terms.node.len; term++) {
        const char *text = fterm_name(&world->terms, term), *open = strchr(text, '{');
        if (fterm_n(&world->terms, term) > 0 || open == NULL || open == text)
            continue;
        struct list list = axes_of(world, term);
        uint32_t k = 0;
        for (; k < base.len; k++) {
            const char *string = fterm_name(&world->terms, base.at[k]);
            if (strncmp(string, text, (size_t)(open - text) + 1) == 0)
                break;
        }
        if (k == base.len) {
            vec_push(&base, term);
            vec_push(&first, list);
        }
        for (uint32_t i = 0; i < list.n && i < first.at[k].n; i++)
            world->same[root(world, list.id[i])] = root(world, first.at[k].id[i]);
    }
    vec_release(&base);
    vec_release(&first);
    for (uint32_t a = 0; a < AXES; a++)
        world->size[a] = world->size[root(world, a)];
    for (uint32_t again = 0; again < 8; again++)
        for (fterm x = 0; x < world->terms.node.len; x++) {
            if (!is_join(world, x))
                continue;
            const fterm *arg = fterm_args(&world->terms, x);
            uint32_t a = root(world, axes_of(world, arg[0]).id[0]);
            uint32_t sum = world->size[axes_of(world, arg[1]).id[0]] +
                           world->size[axes_of(world, arg[2]).id[0]];
            for (uint32_t b = 0; b < AXES; b++)
                if (root(world, b) == a)
                    world->size[b] = sum;
        }
}

uint32_t world_count(const struct world *world, uint64_t axes)
{
    uint32_t n = 1;
    for (uint32_t a = 0; a < AXES; a++)
        if (axes >> a & 1)
            n *= world->size[a];
    return n;
}

uint32_t world_place(const struct world *world, uint64_t axes,
                     const struct environment *environment)
{
    uint32_t at = 0;
    for (uint32_t a = 0; a < AXES; a++)
        if (axes >> a & 1)
            at = at * world->size[a] + environment->index[a];
    return at;
}

void world_go_to(const struct world *world, uint64_t axes, uint32_t at,
                 struct environment *environment)
{
    for (uint32_t a = AXES; a-- > 0;)
        if (axes >> a & 1) {
            environment->index[a] = at % world->size[a];
            at /= world->size[a];
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
    {"add", mpfr_add},   {"subtract", mpfr_sub}, {"multiply", mpfr_mul},   {"divide", mpfr_div},
    {"power", mpfr_pow}, {"maximum", mpfr_max},  {"minimum", mpfr_min},    {"and", both},
    {"or", either},      {"lt", less},           {"le", at_most},          {"eq", same},
    {"ne", other},       {"atan2", mpfr_atan2},  {"remainder", mpfr_fmod},
};

static binary *binary_named(const char *name)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (strcmp(binaries[i].name, name) == 0)
            return binaries[i].of;
    return NULL;
}

static bool apply(const char *name, uint32_t n, mpfr_srcptr x, mpfr_srcptr y, mpfr_t out)
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

static mpfr_t *at(struct world *world, fterm term, const struct environment *environment)
{
    const struct value *value = &world->value.at[term];
    return &value->at[world_place(world, value->axes, environment)];
}

static void reduce(struct world *world, fterm term, struct environment environment, mpfr_t out)
{
    const fterm *arg = fterm_args(&world->terms, term);
    uint64_t set = set_of(world, arg[0]);
    binary *f = binary_named(fterm_name(&world->terms, term) + strlen("reduce_"));
    for (uint32_t i = 0; i < world_count(world, set); i++) {
        world_go_to(world, set, i, &environment);
        mpfr_t *y = at(world, arg[1], &environment);
        if (i == 0)
            mpfr_set(out, *y, MPFR_RNDN);
        else if (mpfr_nan_p(*y) || mpfr_nan_p(out))
            mpfr_set_nan(out);
        else
            f(out, out, *y, MPFR_RNDN);
    }
}

static void joined(struct world *world, fterm term, struct environment environment, mpfr_t out)
{
    const fterm *arg = fterm_args(&world->terms, term);
    uint32_t a = axes_of(world, arg[0]).id[0], b = axes_of(world, arg[1]).id[0],
             c = axes_of(world, arg[2]).id[0], i = environment.index[a];
    bool first = i < world->size[b];
    environment.index[first ? b : c] = first ? i : i - world->size[b];
    mpfr_set(out, *at(world, arg[first ? 3 : 4], &environment), MPFR_RNDN);
}

static void leaf(struct world *world, fterm term, const struct environment *environment, mpfr_t out)
{
    const char *text = fterm_name(&world->terms, term);
    size_t len = strcspn(text, "{");
    struct list list = axes_of(world, term);
    if (strcmp(text, "pi") == 0) {
        mpfr_const_pi(out, MPFR_RNDN);
        return;
    }
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        set_int(out, *text == 't');
        return;
    }
    if (fname_is_number(text, (uint32_t)strlen(text))) {
        mpq_t q;
        mpq_init(q);
        mpq_set_str(q, text, 10);
        mpfr_set_q(out, q, MPFR_RNDN);
        mpq_clear(q);
        return;
    }
    for (uint32_t i = 0; i < world->variable.len; i++) {
        const struct variable *variable = &world->variable.at[i];
        if (strlen(variable->name) != len || memcmp(variable->name, text, len) != 0)
            continue;
        uint32_t k = 0;
        for (uint32_t j = 0; j < variable->n; j++)
            k = k * variable->size[j] + environment->index[list.id[j]];
        mpfr_set(out, variable->at[k], MPFR_RNDN);
        return;
    }
    fprintf(stderr, "numeric: unknown variable %s\n", text);
    exit(2);
}

static void compute(struct world *world, fterm term, const struct environment *environment,
                    mpfr_t out)
{
    const char *name = fterm_name(&world->terms, term);
    uint32_t n = fterm_n(&world->terms, term);
    const fterm *arg = fterm_args(&world->terms, term);
    if (n == 0) {
        leaf(world, term, environment, out);
    } else if (strcmp(name, "count") == 0) {
        set_int(out, (long)world_count(world, set_of(world, arg[0])));
    } else if (is_join(world, term)) {
        joined(world, term, *environment, out);
    } else if (strncmp(name, "reduce_", 7) == 0) {
        reduce(world, term, *environment, out);
    } else if (strcmp(name, "select") == 0) {
        mpfr_t *c = at(world, arg[0], environment);
        if (mpfr_nan_p(*c))
            mpfr_set_nan(out);
        else
            mpfr_set(out, *at(world, arg[mpfr_sgn(*c) != 0 ? 1 : 2], environment), MPFR_RNDN);
    } else {
        mpfr_t *y = at(world, arg[0], environment), *z = n > 1 ? at(world, arg[1], environment) : y;
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

static uint64_t axes_below(struct world *world, fterm term)
{
    const char *name = fterm_name(&world->terms, term);
    uint32_t n = fterm_n(&world->terms, term);
    const fterm *arg = fterm_args(&world->terms, term);
    uint64_t axes = 0;
    if (n == 0)
        return *name == '{' ? 0 : set_of(world, term);
    if (is_join(world, term))
        return (world->value.at[arg[3]].axes & ~set_of(world, arg[1])) |
               (world->value.at[arg[4]].axes & ~set_of(world, arg[2])) | set_of(world, arg[0]);
    for (uint32_t k = 0; k < n; k++)
        axes |= world->value.at[arg[k]].axes;
    if (strncmp(name, "reduce_", 7) == 0)
        axes &= ~set_of(world, arg[0]);
    return axes;
}

void world_forget(struct world *world)
{
    for (uint32_t x = 0; x < world->value.len; x++) {
        struct value *value = &world->value.at[x];
        for (uint32_t i = 0; i < value->n; i++)
            mpfr_clear(value->at[i]);
        mem_free(value->at);
    }
    vec_release(&world->value);
}

// All values of the term and of those below it.
const struct value *world_evaluate(struct world *world, fterm top)
{
    struct u32_vec all = {0};
    struct value none = {0};
    while (world->value.len < world->terms.node.len)
        vec_push(&world->value, none);
    fterms_reach(&world->terms, 1, &top, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm term = all.at[i];
        if (world->value.at[term].known)
            continue;
        struct value value = {.known = true, .axes = axes_below(world, term)};
        bool is_set = fterm_n(&world->terms, term) == 0 && *fterm_name(&world->terms, term) == '{';
        uint32_t n = is_set ? 0 : world_count(world, value.axes);
        value.at = mem_alloc((n + 1u) * sizeof *value.at);
        for (; value.n < n; value.n++) {
            struct environment environment = {{0}};
            world_go_to(world, value.axes, value.n, &environment);
            mpfr_init2(value.at[value.n], BITS);
            compute(world, term, &environment, value.at[value.n]);
        }
        world->value.at[term] = value;
    }
    vec_release(&all);
    return &world->value.at[top];
}
