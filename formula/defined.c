// SPDX-License-Identifier: Apache-2.0
// Where a formula has a value over the reals.  Operators have one where all
// their operands do, but for those that choose: a branch of a select, operands
// of and and or, and what a named function is given need not have one.  What
// stands below a reduction is evaluated at all indices, of which there is at
// least one, so a condition is given of all of them.
#include "formula/expand.h"
#include "formula/formula.h"
#include "formula/number.h"

struct needs {
    struct formula *f;
    fterm zero, minus_one;
};

// Operators that have a value only where all operands do.
static bool is_strict(const char *op)
{
    static const char *const list[] = {"add",
                                       "subtract",
                                       "multiply",
                                       "divide",
                                       "power",
                                       "maximum",
                                       "minimum",
                                       "negate",
                                       "exponential",
                                       "exponential_minus_one",
                                       "log",
                                       "log_plus_one",
                                       "sqrt",
                                       "rsqrt",
                                       "cbrt",
                                       "sine",
                                       "cosine",
                                       "tan",
                                       "tanh",
                                       "erf",
                                       "logistic",
                                       "abs",
                                       "sign",
                                       "floor",
                                       "ceil",
                                       "lt",
                                       "le",
                                       "eq",
                                       "ne",
                                       "not",
                                       "reduce_add",
                                       "reduce_multiply",
                                       "concatenate",
                                       "reduce_maximum",
                                       "reduce_minimum"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(op, list[i]) == 0)
            return true;
    return false;
}

static void give(struct needs *p, const char *op, fterm a, fterm b)
{
    struct fgiven g = {fterm_make(p->f->t, op, 2, (fterm[]){a, b}),
                       GIVEN_DEFINED};
    for (uint32_t i = 0; i < p->f->givens.len; i++)
        if (p->f->givens.at[i].cond == g.cond)
            return;
    vec_push(&p->f->givens, g);
}

// A number, which needs no condition (and if it breaks one, none is assumed:
// from what is false everything would follow).
static bool literal(const struct needs *p, fterm x, mpq_t out)
{
    const char *name = fterm_name(p->f->t, x);
    return fterm_n(p->f->t, x) == 0 &&
           number_parse(name, (uint32_t)strlen(name), out);
}

static void give_of_power(struct needs *p, fterm base, fterm exponent)
{
    mpq_t k, b;
    mpq_inits(k, b, NULL);
    bool known = literal(p, exponent, k), whole = false;
    if (known)
        whole = mpz_cmp_ui(mpq_denref(k), 1) == 0;
    if (literal(p, base, b) && (known || mpq_sgn(b) > 0))
        ; // decided by the numbers
    else if (known && whole && mpq_sgn(k) < 0)
        give(p, "ne", base, p->zero);
    else if (known && !whole && mpq_sgn(k) > 0)
        give(p, "le", p->zero, base);
    else if (!known || !whole)
        give(p, "lt", p->zero, base);
    mpq_clears(k, b, NULL);
}

static void give_of_node(struct needs *p, fterm x)
{
    static const struct {
        const char *op, *cond;
        bool minus_one; // the bound; else 0
    } bounds[] = {{"log", "lt", false},
                  {"rsqrt", "lt", false},
                  {"sqrt", "le", false},
                  {"log_plus_one", "lt", true}};
    struct fterms *t = p->f->t;
    uint32_t n = fterm_n(t, x);
    fterm a = n > 0 ? fterm_args(t, x)[0] : 0;
    fterm b = n > 1 ? fterm_args(t, x)[1] : 0;
    mpq_t number;
    mpq_init(number);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (fterm_is(t, x, bounds[i].op, 1) && !literal(p, a, number))
            give(p, bounds[i].cond,
                 bounds[i].minus_one ? p->minus_one : p->zero, a);
    bool count = n > 1 && fterm_is(t, b, "count", 1);
    if (fterm_is(t, x, "divide", 2) && !count && !literal(p, b, number))
        give(p, "ne", b, p->zero);
    else if (fterm_is(t, x, "tan", 1) && !literal(p, a, number))
        give(p, "ne", fterm_make(t, "cosine", 1, &a), p->zero);
    else if (fterm_is(t, x, "power", 2))
        give_of_power(p, a, b);
    mpq_clear(number);
}

void formula_defined(struct formula *f)
{
    struct fterms *t = f->t;
    struct needs p = {.f = f,
                      .zero = fterm_make(t, "0", 0, NULL),
                      .minus_one = fterm_make(t, "-1", 0, NULL)};
    fterm root;
    formula_expand(t, f->defs, f->term, &root, NULL);
    bool *certain = mem_alloc(root + 1);
    certain[root] = true;
    for (fterm x = root + 1; x-- > 0;) {
        if (!certain[x])
            continue;
        const char *op = fterm_name(t, x);
        uint32_t n = fterm_n(t, x);
        uint32_t certainly = is_strict(op) ? n : strcmp(op, "select") == 0;
        for (uint32_t k = 0; k < certainly; k++)
            certain[fterm_args(t, x)[k]] = true;
        give_of_node(&p, x);
    }
    mem_free(certain);
}
