// SPDX-License-Identifier: Apache-2.0
// Where a formula has a value over the reals.  Operators have one where all
// their operands do, but for those that choose: a branch of a select, operands
// of and and or, and what a named function is given need not have one.  What
// stands below a reduction is evaluated at all indices, of which there is at
// least one, so a condition is given of all of them.
#include "formula/rules/expand.h"
#include "formula/language/formula.h"
#include "formula/terms/number.h"
#include "tensor/eval/eval.h"

#include <math.h>

struct definedness {
    struct formula *f;
    fterm zero, minus_one;
    long double *value; // by term, below n_values
    uint32_t n_values;
};

// Operators that have a value only where all operands do.
bool formula_is_strict(const char *op)
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

// A number, exactly.
static bool literal(const struct definedness *p, fterm x, mpq_t out)
{
    const char *name = fterm_name(p->f->t, x);
    return fterm_n(p->f->t, x) == 0 &&
           number_parse(name, (uint32_t)strlen(name), out);
}

static long double leaf_value(const struct definedness *p, fterm x)
{
    mpq_t q;
    mpq_init(q);
    long double value = NAN;
    if (literal(p, x, q))
        value = mpq_get_d(q);
    else if (fterm_is(p->f->t, x, "pi", 0))
        value = 3.14159265358979323846L;
    mpq_clear(q);
    return value;
}

// The value of a term without variables, nearly; NAN of others, and where this
// does not know or there is none.
static long double value_of(const struct definedness *p, fterm x)
{
    const struct fterms *t = p->f->t;
    uint32_t n = fterm_n(t, x);
    const fterm *args = fterm_args(t, x);
    enum op op;
    if (x < p->n_values)
        return p->value[x];
    if (n == 0)
        return leaf_value(p, x);
    if (n > 2 || !op_by_name(fterm_name(t, x), &op) || op_arity(op) != (int)n)
        return NAN;
    long double a = value_of(p, args[0]);
    long double b = n == 2 ? value_of(p, args[1]) : 0;
    if (isnan(a) || isnan(b))
        return NAN;
    switch (op) {
    case OP_ADD:
        return a + b;
    case OP_SUBTRACT:
        return a - b;
    case OP_MULTIPLY:
        return a * b;
    case OP_DIVIDE:
        return b != 0 ? a / b : NAN;
    case OP_NEGATE:
        return -a;
    case OP_EXPONENTIAL:
    case OP_EXPONENTIAL_MINUS_ONE:
    case OP_LOG:
    case OP_LOG_PLUS_ONE:
    case OP_SQRT:
    case OP_RSQRT:
    case OP_CBRT:
    case OP_SINE:
    case OP_COSINE:
    case OP_TANH:
    case OP_LOGISTIC:
    case OP_POWER:
        return float_function(op, a, b);
    default:
        return NAN;
    }
}

// Of what has no variables a condition is given only if it clearly holds: from
// what is false everything would follow.
static bool may_give(const struct definedness *p, const char *op, fterm a, fterm b)
{
    struct u32_vec reach = {0};
    bool closed = true;
    fterms_reach(p->f->t, 2, (fterm[]){a, b}, &reach);
    for (uint32_t i = 0; closed && i < reach.len; i++) {
        fterm x = reach.at[i];
        closed = fterm_n(p->f->t, x) > 0 || !isnan(leaf_value(p, x));
    }
    vec_release(&reach);
    if (!closed)
        return true;
    long double x = value_of(p, a), y = value_of(p, b);
    long double near = 1e-9L * (1 + fabsl(x) + fabsl(y));
    if (!isfinite(x) || !isfinite(y))
        return false;
    return strcmp(op, "ne") == 0 ? fabsl(x - y) > near : y - x > near;
}

static void give(struct definedness *p, const char *op, fterm a, fterm b)
{
    struct fgiven g = {fterm_make(p->f->t, op, 2, (fterm[]){a, b}),
                       GIVEN_DEFINED};
    for (uint32_t i = 0; i < p->f->givens.len; i++)
        if (p->f->givens.at[i].cond == g.cond)
            return;
    if (may_give(p, op, a, b))
        vec_push(&p->f->givens, g);
}

static void give_of_power(struct definedness *p, fterm base, fterm exponent)
{
    mpq_t k, b;
    mpq_inits(k, b, NULL);
    bool known = literal(p, exponent, k), whole = false;
    if (known)
        whole = mpz_cmp_ui(mpq_denref(k), 1) == 0;
    if (literal(p, base, b))
        ; // decided by the numbers, or by the exponent alone
    else if (known && whole && mpq_sgn(k) < 0)
        give(p, "ne", base, p->zero);
    else if (known && !whole && mpq_sgn(k) > 0)
        give(p, "le", p->zero, base);
    else if (!known || !whole)
        give(p, "lt", p->zero, base);
    mpq_clears(k, b, NULL);
}

static void give_of_node(struct definedness *p, fterm x)
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
    struct definedness p = {.f = f,
                      .zero = fterm_make(t, "0", 0, NULL),
                      .minus_one = fterm_make(t, "-1", 0, NULL)};
    fterm root;
    formula_expand(t, f->defs, f->term, &root, NULL);
    p.value = mem_alloc((root + 1) * sizeof *p.value);
    for (; p.n_values <= root; p.n_values++)
        p.value[p.n_values] = value_of(&p, p.n_values);
    bool *certain = mem_alloc(root + 1);
    certain[root] = true;
    for (fterm x = root + 1; x-- > 0;) {
        if (!certain[x])
            continue;
        uint32_t certainly = fterm_is(t, x, "select", 3);
        if (formula_is_strict(fterm_name(t, x)))
            certainly = fterm_n(t, x);
        for (uint32_t k = 0; k < certainly; k++)
            certain[fterm_args(t, x)[k]] = true;
        give_of_node(&p, x);
    }
    mem_free(certain);
    mem_free(p.value);
}
