// SPDX-License-Identifier: Apache-2.0
// The forms that people write, and those that nobody writes.
#include "simplify/core.h"

#include "formula/print/print.h"

static const double MINUS_BELOW = 1.2;
enum {
    NEW_QUOTIENT_BELOW = 2,
    BELOW_DEPTH = 2,
    SUM_DEPTH = 4,
    ZERO_ARGUMENT = 5,
    NEW_LOG_OF_POWER = 8
};
static const double NEW_EXPONENTIAL_BELOW = 1.2, NEW_ODD_POWER = 1.2, WRITTEN_HEAVY = 5e-3;
static const double NEW_MINUS_SUM = 2e-4, NEW_PRODUCT_OF_QUOTIENT = 1e-5,
                    NEW_QUOTIENT_OF_QUOTIENT = 6e-4, DOUBLE = 1e-4;

// Of what costs the same people write some forms rather than others: too little
// to make anything dearer that is not.
static double habit(const struct fterms *terms, fterm term)
{
    static const struct {
        const char *op;
        double dear;
    } list[] = {{"subtract", 1e-4},     {"negate", 1e-4},
                {"divide", 1e-4},       {"rsqrt", 3e-4},
                {"minimum", 1e-4},      {"power", 1e-4},
                {"log_plus_one", 2e-4}, {"exponential_minus_one", 2e-4},
                {"abs", 2e-4},          {"count", 1e-4}};
    const char *name = fterm_name(terms, term);
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

static bool is_number(const struct fterms *terms, fterm term)
{
    const char *name = fterm_name(terms, term);
    return fterm_n(terms, term) == 0 && fname_is_number(name, (uint32_t)strlen(name));
}

// Has the term a quotient (by what is no number, or any), below sums and products alone?
static bool has_quotient(const struct fterms *terms, fterm term, bool any, uint32_t depth)
{
    if (fterm_is(terms, term, "divide", 2))
        return any || !is_number(terms, fterm_args(terms, term)[1]);
    if (depth == 0 || !(fterm_is(terms, term, "add", 2) || fterm_is(terms, term, "subtract", 2) ||
                        fterm_is(terms, term, "multiply", 2)))
        return false;
    return has_quotient(terms, fterm_args(terms, term)[0], any, depth - 1) ||
           has_quotient(terms, fterm_args(terms, term)[1], any, depth - 1);
}

// What stands below the line; the term itself if there is no line.
static fterm below_line(const struct fterms *terms, fterm term)
{
    if (fterm_is(terms, term, "divide", 2))
        return fterm_args(terms, term)[1];
    bool is_power =
        fterm_is(terms, term, "power", 2) && *fterm_name(terms, fterm_args(terms, term)[1]) == '-';
    return is_power ? fterm_args(terms, term)[0] : term;
}

static bool is_nested(const struct fterms *terms, fterm term, bool any)
{
    fterm below = below_line(terms, term);
    return below != term && has_quotient(terms, below, any, BELOW_DEPTH);
}

bool simplifier_is_nested(const struct fterms *terms, fterm term)
{
    return is_nested(terms, term, false);
}

// a/(-2) is -a/2 to a reader, and so are a/(-b) and a/(-2*b).
static double minus_below(const struct fterms *terms, fterm term)
{
    if (!fterm_is(terms, term, "divide", 2))
        return 0;
    fterm below = fterm_args(terms, term)[1];
    for (uint32_t k = 0; k < BELOW_DEPTH && fterm_is(terms, below, "multiply", 2); k++)
        below = fterm_args(terms, below)[0];
    return *fterm_name(terms, below) == '-' || fterm_is(terms, below, "negate", 1) ? MINUS_BELOW
                                                                                   : 0;
}

// Is the term a power of e, or a product with one?
static bool has_exponential(const struct fterms *terms, fterm term, uint32_t depth)
{
    if (depth > 0 && fterm_is(terms, term, "multiply", 2))
        return has_exponential(terms, fterm_args(terms, term)[0], depth - 1) ||
               has_exponential(terms, fterm_args(terms, term)[1], depth - 1);
    return fterm_is(terms, term, "exponential", 1);
}

// a*b/(a + b) is easier to read than a/(a/b + 1), 2*a/(2*a + b) than a/(a + b/2), and exp(-a)*b
// than b/exp(a).
static double heavy_below(const struct simplifier *simplifier, const struct fterms *terms,
                          fterm term)
{
    bool written = simplifier_is_written(simplifier, term);
    if (is_nested(terms, term, !written))
        return simplifier->nested ? WRITTEN_HEAVY : NEW_QUOTIENT_BELOW;
    return !written && fterm_is(terms, term, "divide", 2) &&
                   has_exponential(terms, fterm_args(terms, term)[1], BELOW_DEPTH)
               ? NEW_EXPONENTIAL_BELOW
               : 0;
}

// Is it a function that is defined as a product of its argument with itself?
static bool is_square(const struct simplifier *simplifier, const struct fterms *terms, fterm term)
{
    const struct fdefine *define = simplifier_define(simplifier, terms, term);
    return define != NULL && define->squares;
}

// Is it a function that is defined as a power of e, or a product or quotient that begins with one?
static bool is_density(const struct simplifier *simplifier, const struct fterms *terms, fterm term)
{
    const struct fdefine *define = simplifier_define(simplifier, terms, term);
    if (define == NULL)
        return false;
    const struct pat *pats = define->rule->pats, *top = &pats[define->rule->lhs];
    if (top->kind == PAT_OP && (top->op == OP_MULTIPLY || top->op == OP_DIVIDE))
        top = &pats[top->args[0]];
    return top->kind == PAT_OP && top->op == OP_EXPONENTIAL;
}

// -0.5*a^2 - 0.5*log(2*pi), and not log(normal_pdf(a)) or log(normal_pdf(a)/b).
static double log_of_density(const struct simplifier *simplifier, const struct fterms *terms,
                             fterm term)
{
    if (!fterm_is(terms, term, "log", 1) || simplifier_is_written(simplifier, term))
        return 0;
    fterm of = fterm_args(terms, term)[0];
    while (fterm_is(terms, of, "divide", 2))
        of = fterm_args(terms, of)[0];
    return is_density(simplifier, terms, of) ? NEW_LOG_OF_POWER : 0;
}

// 1/cosh(a)^2, and not cosh(a)^(-2); 0.5*log(a), and not log(sqrt(a)); 1/(b*sqrt(a)), and not
// rsqrt(a)/b; 1 - exp(a), and not -expm1(a); b^4, and not sq(sq(b)).
static double odd_power(const struct simplifier *simplifier, const struct fterms *terms, fterm term)
{
    if (fterm_n(terms, term) == 0 || simplifier_is_written(simplifier, term))
        return 0;
    fterm first = fterm_args(terms, term)[0];
    if (fterm_is(terms, term, "negate", 1))
        return fterm_is(terms, first, "exponential_minus_one", 1) ? NEW_ODD_POWER : 0;
    if (fterm_is(terms, term, "power", 2))
        return *fterm_name(terms, fterm_args(terms, term)[1]) == '-' ? NEW_ODD_POWER : 0;
    if (fterm_is(terms, term, "log", 1))
        return fterm_is(terms, first, "sqrt", 1) ? NEW_ODD_POWER : 0;
    if (fterm_is(terms, term, "divide", 2))
        return fterm_is(terms, first, "rsqrt", 1) ? NEW_ODD_POWER : 0;
    return is_square(simplifier, terms, term) && is_square(simplifier, terms, first) ? WRITTEN_HEAVY
                                                                                     : 0;
}

// Is it the term, or one of the terms of the sum?
static bool is_term_of(const struct fterms *terms, fterm sum, fterm term, uint32_t depth)
{
    return sum == term || (depth > 0 && fterm_is(terms, sum, "add", 2) &&
                           (is_term_of(terms, fterm_args(terms, sum)[0], term, depth - 1) ||
                            is_term_of(terms, fterm_args(terms, sum)[1], term, depth - 1)));
}

// 2*a, and not a + a; a*b/(c*d), and not a/c*(b/d).
static double odd_pair(const struct fterms *terms, fterm term)
{
    const fterm *args = fterm_args(terms, term);
    if (fterm_is(terms, term, "add", 2))
        return is_term_of(terms, args[0], args[1], SUM_DEPTH) ||
                       is_term_of(terms, args[1], args[0], SUM_DEPTH)
                   ? DOUBLE
                   : 0;
    return fterm_is(terms, term, "multiply", 2) && has_quotient(terms, args[0], false, 0) &&
                   has_quotient(terms, args[1], false, 0)
               ? WRITTEN_HEAVY
               : 0;
}

// A quotient, but for what is normed: (a - mean(a))/sqrt(var(a) + eps)*b stays.
static bool is_plain_quotient(const struct fterms *terms, fterm term)
{
    return fterm_is(terms, term, "divide", 2) &&
           !fterm_is(terms, fterm_args(terms, term)[1], "sqrt", 1);
}

// a - b - c, and not a - (b + c); a*b/c, and not a/c*b; a/(b*c), and not a/b/c.
static double new_pair(const struct simplifier *simplifier, const struct fterms *terms, fterm term)
{
    const fterm *args = fterm_args(terms, term);
    if (fterm_n(terms, term) != 2 || simplifier_is_written(simplifier, term))
        return 0;
    if (fterm_is(terms, term, "subtract", 2))
        return fterm_is(terms, args[1], "add", 2) ? NEW_MINUS_SUM : 0;
    if (fterm_is(terms, term, "divide", 2))
        return has_quotient(terms, args[0], true, 1) && !fterm_is(terms, args[0], "add", 2) &&
                       !fterm_is(terms, args[0], "subtract", 2)
                   ? NEW_QUOTIENT_OF_QUOTIENT
                   : 0;
    return fterm_is(terms, term, "multiply", 2) &&
                   (is_plain_quotient(terms, args[0]) || is_plain_quotient(terms, args[1]))
               ? NEW_PRODUCT_OF_QUOTIENT
               : 0;
}

// Is it a quotient of or by the part, or made of one?
static bool has_quotient_with(const struct fterms *terms, fterm term, fterm part, uint32_t depth)
{
    const fterm *args = fterm_args(terms, term);
    uint32_t n = fterm_n(terms, term);
    if (fterm_is(terms, term, "divide", 2) && (args[0] == part || args[1] == part))
        return true;
    for (uint32_t k = 0; depth > 0 && k < n; k++)
        if (has_quotient_with(terms, args[k], part, depth - 1))
            return true;
    return false;
}

// Of two arguments along axes one that is negated: mean(sq(a + b)), and not mse(-a, b).
static double negated_argument(const struct simplifier *simplifier, const struct fterms *terms,
                               fterm term)
{
    uint32_t n = fterm_n(terms, term);
    const struct fdefine *define = n < 3 ? NULL : simplifier_define(simplifier, terms, term);
    if (define == NULL || define->n_axes == 0 || n != define->n_axes + 2 ||
        simplifier_is_written(simplifier, term))
        return 0;
    return fterm_is(terms, fterm_args(terms, term)[n - 2], "negate", 1) ||
                   fterm_is(terms, fterm_args(terms, term)[n - 1], "negate", 1)
               ? NEW_ODD_POWER
               : 0;
}

// Of a function with several arguments, one that has a quotient of or by the first:
// cross_entropy(a, b/a), cross_entropy(-a, sqrt(a/b)).  Or, along axes, a 0: standardize(a, 0).
static double odd_argument(const struct simplifier *simplifier, const struct fterms *terms,
                           fterm term)
{
    uint32_t n = fterm_n(terms, term);
    const struct fdefine *define = n < 3 ? NULL : simplifier_define(simplifier, terms, term);
    if (define == NULL)
        return 0;
    fterm first = fterm_args(terms, term)[define->n_axes];
    if (fterm_is(terms, first, "negate", 1))
        first = fterm_args(terms, first)[0];
    if (fterm_is(terms, first, "multiply", 2))
        first = fterm_args(terms, first)[is_number(terms, fterm_args(terms, first)[0])];
    for (uint32_t k = define->n_axes + 1; k < n; k++) {
        fterm arg = fterm_args(terms, term)[k];
        if (define->n_axes > 0 && fterm_is(terms, arg, "0", 0))
            return ZERO_ARGUMENT;
        if (has_quotient_with(terms, arg, first, SUM_DEPTH))
            return NEW_QUOTIENT_BELOW;
    }
    return 0;
}

// Maximum or minimum, also of a function of one number that is defined as one (max(a, 0)); N_OPS:
// neither.
static enum op bound_of(const struct simplifier *simplifier, const struct fterms *terms, fterm term)
{
    if (fterm_is(terms, term, "maximum", 2))
        return OP_MAXIMUM;
    if (fterm_is(terms, term, "minimum", 2))
        return OP_MINIMUM;
    const struct fdefine *define =
        fterm_n(terms, term) == 1 ? simplifier_define(simplifier, terms, term) : NULL;
    if (define == NULL)
        return N_OPS;
    const struct pat *top = &define->rule->pats[define->rule->lhs];
    bool bounds = top->kind == PAT_OP && (top->op == OP_MAXIMUM || top->op == OP_MINIMUM);
    return bounds ? top->op : N_OPS;
}

// clip(a, 0, 1), and not relu(min(1, a)).
static double bound_of_bound(const struct simplifier *simplifier, const struct fterms *terms,
                             fterm term)
{
    enum op bound = bound_of(simplifier, terms, term);
    for (uint32_t k = 0; bound != N_OPS && k < fterm_n(terms, term); k++) {
        enum op below = bound_of(simplifier, terms, fterm_args(terms, term)[k]);
        if (below != N_OPS && below != bound)
            return WRITTEN_HEAVY;
    }
    return 0;
}

double simplifier_form_cost(const struct simplifier *simplifier, const struct fterms *terms,
                            fterm term)
{
    return habit(terms, term) + minus_below(terms, term) + heavy_below(simplifier, terms, term) +
           odd_power(simplifier, terms, term) + odd_pair(terms, term) +
           new_pair(simplifier, terms, term) + log_of_density(simplifier, terms, term) +
           odd_argument(simplifier, terms, term) + negated_argument(simplifier, terms, term) +
           bound_of_bound(simplifier, terms, term);
}
