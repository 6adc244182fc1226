// SPDX-License-Identifier: Apache-2.0
// What a term costs to read, and which of those that cost the same people
// write.
#include "simplify/core.h"

#include "formula/print/print.h"

static bool is_function(const struct simplifier *l, const char *name)
{
    return l->defs != NULL &&
           fdefine_named(l->defs, name, (uint32_t)strlen(name)) != NULL;
}

enum { DEAR = 1000 }; // what should not be in the result

// Of what costs the same people write some forms rather than others: too little
// to make anything dearer that is not.
static double habit(const struct fterms *t, fterm x)
{
    static const struct {
        const char *op;
        double dear;
    } list[] = {{"subtract", 1e-4},     {"negate", 1e-4},
                {"divide", 1e-4},       {"rsqrt", 3e-4},
                {"minimum", 1e-4},      {"power", 1e-4},
                {"log_plus_one", 2e-4}, {"exponential_minus_one", 2e-4}};
    const char *name = fterm_name(t, x);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i].op, name) == 0)
            return list[i].dear;
    if (!fname_is_number(name, (uint32_t)strlen(name)))
        return 0;
    struct buf text = {0};
    number_text(name, &text);
    bool fraction = strchr(buf_text(&text), '/') != NULL;
    buf_release(&text);
    return (fraction ? 2e-4 : 0) + (*name == '-' ? 3e-4 : 0);
}

// What stood in the formula is easier to recognise.
const double simplify_familiar = 5e-4;

bool simplifier_is_written(const void *ctx, fterm x)
{
    const struct simplifier *l = ctx;
    return x < l->written.len && l->written.at[x] != 0;
}

void simplifier_find_written(struct simplifier *l)
{
    struct u32_vec all = {0};
    vec_zero(&l->written, l->f->t->node.len);
    fterms_reach(l->f->t, 1, &l->left, &all);
    for (uint32_t i = 0; i < all.len; i++)
        l->written.at[all.at[i]] = fterm_n(l->f->t, all.at[i]) > 0;
    vec_release(&all);
}

struct known_axes {
    const struct formula *f;
    bool all;
};

static void axis_is_known(void *ctx, const char *axis, uint32_t len)
{
    struct known_axes *k = ctx;
    bool known = false;
    for (uint32_t i = 0; i < k->f->axes.len; i++)
        known |= strlen(k->f->axes.at[i]) == len &&
                 memcmp(k->f->axes.at[i], axis, len) == 0;
    k->all = k->all && known;
}

// A size, or sum of a number, along an axis that no variable is declared with:
// text cannot tell it.
static bool is_along_nobodys(const struct simplifier *l, const struct fterms *t,
                             fterm x)
{
    struct known_axes k = {l->f, true};
    uint32_t n = fterm_n(t, x);
    if (n == 0 || n > 2)
        return false;
    const char *set = fterm_name(t, fterm_args(t, x)[0]);
    const char *of = fterm_name(t, fterm_args(t, x)[n - 1]);
    if (!fname_is_axes(set, (uint32_t)strlen(set)) ||
        (n == 2 && !fname_is_number(of, (uint32_t)strlen(of))))
        return false;
    (void)fname_axes(set, (uint32_t)strlen(set), axis_is_known, &k);
    return !k.all;
}

// logaddexp(a, b) may be logaddexp(b, a) as well.
bool simplifier_goes_by_age(const void *ctx, const char *op)
{
    return is_function(ctx, op);
}

enum { NUMBER_ALONG = 3 };

// A function is about its first argument, which is no number; and a number is
// not what one along axes is about.
static double numbers_in_call(const struct simplifier *l, const struct fterms *t,
                              fterm x)
{
    const char *name = fterm_name(t, x);
    const struct fdefine *d =
        l->defs == NULL || fterm_n(t, x) == 0
            ? NULL
            : fdefine_named(l->defs, name, (uint32_t)strlen(name));
    double out = 0;
    for (uint32_t k = 0; d != NULL && k < d->n_args; k++) {
        uint32_t at = d->n_axes + k;
        const char *arg =
            at < fterm_n(t, x) ? fterm_name(t, fterm_args(t, x)[at]) : "";
        if (fname_is_number(arg, (uint32_t)strlen(arg)))
            out += fdefine_is_along(d, k) ? NUMBER_ALONG : k == 0 ? 2e-4 : 0;
    }
    return out;
}

double simplifier_cost_of(const void *ctx, const struct fterms *t, fterm x)
{
    const struct simplifier *l = ctx;
    double cost = formula_cost(t, x) + habit(t, x) + numbers_in_call(l, t, x);
    if (is_along_nobodys(l, t, x))
        cost += DEAR;
    if (l->o->expand && fterm_n(t, x) > 0 && is_function(l, fterm_name(t, x)))
        cost += DEAR;
    return cost;
}

static double tree_sum(const struct simplifier *l, fterm root,
                       double (*each)(const void *ctx, const struct fterms *t,
                                      fterm x))
{
    const struct fterms *t = l->f->t;
    struct u32_vec all = {0};
    double *cost = mem_alloc((root + 1u) * sizeof *cost);
    fterms_reach(t, 1, &root, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm x = all.at[i];
        cost[x] = each(l, t, x);
        for (uint32_t k = 0; k < fterm_n(t, x); k++)
            cost[x] += cost[fterm_args(t, x)[k]];
    }
    double out = cost[root];
    mem_free(cost);
    vec_release(&all);
    return out;
}

static double plain_cost(const void *ctx, const struct fterms *t, fterm x)
{
    (void)ctx;
    return formula_cost(t, x);
}

double simplifier_tree_cost(const struct simplifier *l, fterm root)
{
    return tree_sum(l, root, plain_cost);
}

static double price_of(const void *ctx, const struct fterms *t, fterm x)
{
    return simplifier_cost_of(ctx, t, x) -
           (simplifier_is_written(ctx, x) ? simplify_familiar : 0);
}

double simplifier_price(const struct simplifier *l, fterm root)
{
    return tree_sum(l, root, price_of);
}
