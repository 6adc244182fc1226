// SPDX-License-Identifier: Apache-2.0
// The cost of reading a term.
#include "simplify/core.h"

#include "formula/print/print.h"
#include "simplify/window.h"

const struct fdefine *simplifier_define(const struct simplifier *simplifier,
                                        const struct fterms *terms, fterm term)
{
    const char *name = fterm_name(terms, term);
    return simplifier->defs == NULL || fterm_n(terms, term) == 0
               ? NULL
               : fdefine_named(simplifier->defs, name, (uint32_t)strlen(name));
}

static bool is_function(const struct simplifier *simplifier, const char *name)
{
    return simplifier->defs != NULL &&
           fdefine_named(simplifier->defs, name, (uint32_t)strlen(name)) != NULL;
}

enum { DEAR = 1000 }; // what should not be in the result
// A term that stood in the formula is easier to recognise.
const double simplify_familiar = 5e-4;

enum { WRITTEN_TERM = 1, WRITTEN_LEAF };

bool simplifier_is_written(const void *ctx, fterm term)
{
    const struct simplifier *simplifier = ctx;
    return term < simplifier->written.len && simplifier->written.at[term] == WRITTEN_TERM;
}

void simplifier_find_written(struct simplifier *simplifier)
{
    struct u32_vec all = {0};
    simplifier->nested = false;
    vec_zero(&simplifier->written, simplifier->formula->terms->node.len);
    fterms_reach(simplifier->formula->terms, 1, &simplifier->left, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        simplifier->written.at[all.at[i]] =
            fterm_n(simplifier->formula->terms, all.at[i]) > 0 ? WRITTEN_TERM : WRITTEN_LEAF;
        simplifier->nested |= simplifier_is_nested(simplifier->formula->terms, all.at[i]);
    }
    vec_release(&all);
}

struct known_axes {
    const struct formula *formula;
    bool all;
};

static void axis_is_known(void *ctx, const char *axis, uint32_t len)
{
    struct known_axes *k = ctx;
    bool known = false;
    for (uint32_t i = 0; i < k->formula->axes.len; i++)
        known |=
            strlen(k->formula->axes.at[i]) == len && memcmp(k->formula->axes.at[i], axis, len) == 0;
    k->all = k->all && known;
}

// A size, or sum of a number, along an axis that no variable is declared with:
// text cannot tell it.
static bool is_along_nobodys(const struct simplifier *simplifier, const struct fterms *terms,
                             fterm term)
{
    struct known_axes known = {simplifier->formula, true};
    uint32_t n = fterm_n(terms, term);
    if (n == 0 || n > 2)
        return false;
    const char *set = fterm_name(terms, fterm_args(terms, term)[0]);
    const char *of = fterm_name(terms, fterm_args(terms, term)[n - 1]);
    if (!fname_is_axes(set, (uint32_t)strlen(set)) ||
        (n == 2 && !fname_is_number(of, (uint32_t)strlen(of))))
        return false;
    (void)fname_axes(set, (uint32_t)strlen(set), axis_is_known, &known);
    return !known.all;
}

// logaddexp(a, b) may be logaddexp(b, a) as well.
bool simplifier_goes_by_age(const void *ctx, const char *op)
{
    return is_function(ctx, op);
}

bool simplifier_is_along(const void *ctx, const char *op, uint32_t len, uint32_t k)
{
    const struct simplifier *simplifier = ctx;
    const struct fdefine *define =
        simplifier->defs == NULL ? NULL : fdefine_named(simplifier->defs, op, len);
    return define != NULL && k < define->n_args && fdefine_is_along(define, k);
}

static const double EARLY_DIFFERENCE = 3e-4, NEW_FRACTION = 3e-4;
enum { NUMBER_ALONG = 3, NEW_DIGITS = 3, LONG_NUMBER = 6 };

// A number of many digits that the formula does not have: a reader knows 0.044715, and does not
// know 0.08943 again.
static double new_digits(const struct simplifier *simplifier, const struct fterms *terms,
                         fterm term)
{
    const char *name = fterm_name(terms, term);
    if (fterm_n(terms, term) > 0 || !fname_is_number(name, (uint32_t)strlen(name)) ||
        (term < simplifier->written.len && simplifier->written.at[term] != 0))
        return 0;
    struct buf text = {0};
    number_text(name, &text);
    bool is_long = text.len >= LONG_NUMBER;
    buf_release(&text);
    return is_long ? NEW_DIGITS : 0;
}

// A function is about its first argument, which is no number; and a number is
// not what one along axes is about.
static double numbers_in_call(const struct simplifier *simplifier, const struct fterms *terms,
                              fterm term)
{
    const struct fdefine *define = simplifier_define(simplifier, terms, term);
    double out = 0;
    for (uint32_t k = 0; define != NULL && k < define->n_args; k++) {
        uint32_t at = define->n_axes + k;
        const char *arg =
            at < fterm_n(terms, term) ? fterm_name(terms, fterm_args(terms, term)[at]) : "";
        if (fname_is_number(arg, (uint32_t)strlen(arg)))
            out += fdefine_is_along(define, k) ? NUMBER_ALONG : k == 0 ? 2e-4 : 0;
    }
    return out;
}

// Of windows.  a + c - b, and not a - b + c: the terms of one sign stand together.  (a + b)/4, and
// not 0.25*(a + b), which the formula does not say.
static double within_part(const struct simplifier *simplifier, const struct fterms *terms,
                          fterm term)
{
    const char *name = fterm_name(terms, term);
    if (!simplifier->part)
        return 0;
    if (fterm_n(terms, term) == 0)
        return fname_is_number(name, (uint32_t)strlen(name)) && strchr(name, '/') != NULL &&
                       (term >= simplifier->written.len || simplifier->written.at[term] == 0)
                   ? NEW_FRACTION
                   : 0;
    if (!fterm_is(terms, term, "add", 2) || simplifier_is_written(simplifier, term))
        return 0;
    const fterm *args = fterm_args(terms, term);
    return fterm_is(terms, args[0], "subtract", 2) || fterm_is(terms, args[1], "subtract", 2)
               ? EARLY_DIFFERENCE
               : 0;
}

double simplifier_cost_of(const void *ctx, const struct fterms *terms, fterm term)
{
    const struct simplifier *simplifier = ctx;
    double cost = formula_cost(terms, term) + simplifier_form_cost(simplifier, terms, term) +
                  numbers_in_call(simplifier, terms, term) + new_digits(simplifier, terms, term) +
                  within_part(simplifier, terms, term);
    if (simplifier->part && fterm_n(terms, term) == 0) {
        uint32_t of_part = part_window_variable_cost(fterm_name(terms, term));
        cost += of_part > 1 ? of_part - 1 : 0;
    }
    if (is_along_nobodys(simplifier, terms, term))
        cost += DEAR;
    if (simplifier->simplify_options->expand && fterm_n(terms, term) > 0 &&
        is_function(simplifier, fterm_name(terms, term)))
        cost += DEAR;
    return cost;
}

static double tree_sum(const struct simplifier *simplifier, fterm root,
                       double (*each)(const void *ctx, const struct fterms *t, fterm x))
{
    const struct fterms *terms = simplifier->formula->terms;
    struct u32_vec all = {0};
    double *cost = mem_alloc((root + 1u) * sizeof *cost);
    fterms_reach(terms, 1, &root, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm term = all.at[i];
        cost[term] = each(simplifier, terms, term);
        for (uint32_t k = 0; k < fterm_n(terms, term); k++)
            cost[term] += cost[fterm_args(terms, term)[k]];
    }
    double out = cost[root];
    mem_free(cost);
    vec_release(&all);
    return out;
}

static double plain_cost(const void *ctx, const struct fterms *terms, fterm term)
{
    (void)ctx;
    return formula_cost(terms, term);
}

double simplifier_tree_cost(const struct simplifier *simplifier, fterm root)
{
    return tree_sum(simplifier, root, plain_cost);
}

static double price_of(const void *ctx, const struct fterms *terms, fterm term)
{
    return simplifier_cost_of(ctx, terms, term) -
           (simplifier_is_written(ctx, term) ? simplify_familiar : 0);
}

double simplifier_price(const struct simplifier *simplifier, fterm root)
{
    return tree_sum(simplifier, root, price_of);
}
