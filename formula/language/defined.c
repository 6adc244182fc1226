// SPDX-License-Identifier: Apache-2.0
// Conditions under which a formula has a value over the reals.  An operator has
// a value if all its operands do, except operators that choose: a branch of a
// select, operands of `and` and `or`, and arguments of a named function need no
// value.  A term below a reduction is evaluated at all indices, of which there
// is at least one, so its condition is assumed for all of them.
#include "formula/rules/expand.h"
#include "formula/language/formula.h"
#include "formula/limits.h"
#include "formula/terms/number.h"
#include "tensor/eval/eval.h"

#include <math.h>

struct definedness {
    struct formula *formula;
    fterm zero, minus_one;
    long double *value; // value by term, for terms below n_values
    uint32_t n_values;
};

// Operators that have a value only if all operands do.
bool formula_is_strict(const char *name)
{
    static const char *const others[] = {"lt",
                                         "le",
                                         "eq",
                                         "ne",
                                         "reduce_add",
                                         "reduce_multiply",
                                         "concatenate",
                                         "reduce_maximum",
                                         "reduce_minimum"};
    enum op op;
    if (op_by_name(name, &op) && op_info(op)->formula != NULL)
        return op != OP_SELECT && op != OP_AND && op != OP_OR; // those choose
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i]) == 0)
            return true;
    return false;
}

// The exact value of a number.
static bool literal(const struct definedness *needs, fterm term, mpq_t out)
{
    const char *name = fterm_name(needs->formula->terms, term);
    return fterm_n(needs->formula->terms, term) == 0 &&
           number_parse(name, (uint32_t)strlen(name), out);
}

static long double leaf_value(const struct definedness *needs, fterm term)
{
    mpq_t q;
    mpq_init(q);
    long double value = NAN;
    if (literal(needs, term, q))
        value = mpq_get_d(q);
    else if (fterm_is(needs->formula->terms, term, "pi", 0))
        value = 3.14159265358979323846L;
    mpq_clear(q);
    return value;
}

// An approximate value of a term without variables.  NAN: the term has
// variables, an operator that is not handled, or no value.
static long double value_of(const struct definedness *needs, fterm term)
{
    const struct fterms *terms = needs->formula->terms;
    uint32_t n = fterm_n(terms, term);
    const fterm *args = fterm_args(terms, term);
    enum op op;
    if (term < needs->n_values)
        return needs->value[term];
    if (n == 0)
        return leaf_value(needs, term);
    if (n > 2 || !op_by_name(fterm_name(terms, term), &op) || op_arity(op) != (int)n)
        return NAN;
    long double a = value_of(needs, args[0]);
    long double b = n == 2 ? value_of(needs, args[1]) : 0;
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
    case OP_ABS:
    case OP_CEIL:
    case OP_ERF:
    case OP_FLOOR:
    case OP_IMAG:
    case OP_REAL:
    case OP_ROUND_NEAREST_AFZ:
    case OP_ROUND_NEAREST_EVEN:
    case OP_SIGN:
    case OP_TAN:
    case OP_ATAN2:
    case OP_MAXIMUM:
    case OP_MINIMUM:
    case OP_REMAINDER:
        LEAF_CASES
        POINT_CASES
        BITS_UNARY_CASES
        BITS_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return NAN;
}

// A condition without variables is assumed only if it clearly holds, because a
// false assumption would imply everything.
static bool may_give(const struct definedness *needs, const char *op, fterm a, fterm b)
{
    struct u32_vec reach = {0};
    bool closed = true;
    fterms_reach(needs->formula->terms, 2, (fterm[]){a, b}, &reach);
    for (uint32_t i = 0; closed && i < reach.len; i++) {
        fterm term = reach.at[i];
        closed = fterm_n(needs->formula->terms, term) > 0 || !isnan(leaf_value(needs, term));
    }
    vec_release(&reach);
    if (!closed)
        return true;
    long double x = value_of(needs, a), y = value_of(needs, b);
    long double near = 1e-9L * (1 + fabsl(x) + fabsl(y));
    if (!isfinite(x) || !isfinite(y))
        return false;
    return strcmp(op, "ne") == 0 ? fabsl(x - y) > near : y - x > near;
}

static void give(struct definedness *needs, const char *op, fterm a, fterm b)
{
    struct fgiven given = {fterm_make(needs->formula->terms, op, 2, (fterm[]){a, b}),
                           GIVEN_DEFINED};
    for (uint32_t i = 0; i < needs->formula->givens.len; i++)
        if (needs->formula->givens.at[i].cond == given.cond)
            return;
    if (may_give(needs, op, a, b))
        vec_push(&needs->formula->givens, given);
}

static bool is_number(const struct definedness *needs, fterm term)
{
    mpq_t q;
    mpq_init(q);
    bool known = literal(needs, term, q);
    mpq_clear(q);
    return known;
}

static bool is_sum(const struct fterms *terms, fterm term)
{
    return fterm_is(terms, term, "add", 2) || fterm_is(terms, term, "subtract", 2);
}

static bool is_quotient(const struct fterms *terms, fterm term)
{
    return fterm_is(terms, term, "divide", 2) || fterm_is(terms, term, "negate", 1);
}

// Is it the factor, or a product with it, or one of such over anything, or a sum of such?
static bool has_factor(const struct fterms *terms, fterm term, fterm factor)
{
    if (term == factor)
        return true;
    if (is_quotient(terms, term))
        return has_factor(terms, fterm_args(terms, term)[0], factor);
    bool sum = is_sum(terms, term);
    if (!sum && !fterm_is(terms, term, "multiply", 2))
        return false;
    bool first = has_factor(terms, fterm_args(terms, term)[0], factor);
    if (first != sum)
        return first;
    return has_factor(terms, fterm_args(terms, term)[1], factor);
}

// What stands beside the factor.
static fterm without_factor(struct fterms *terms, fterm term, fterm factor)
{
    if (term == factor)
        return fterm_make(terms, "1", 0, NULL);
    if (fterm_is(terms, term, "negate", 1)) {
        fterm rest = without_factor(terms, fterm_args(terms, term)[0], factor);
        return fterm_make(terms, "negate", 1, &rest);
    }
    fterm pair[2] = {fterm_args(terms, term)[0], fterm_args(terms, term)[1]};
    if (fterm_is(terms, term, "divide", 2)) {
        pair[0] = without_factor(terms, pair[0], factor);
        return fterm_make(terms, "divide", 2, pair);
    }
    if (is_sum(terms, term)) {
        bool add = fterm_is(terms, term, "add", 2);
        pair[0] = without_factor(terms, pair[0], factor);
        pair[1] = without_factor(terms, pair[1], factor);
        return fterm_make(terms, add ? "add" : "subtract", 2, pair);
    }
    uint32_t k = has_factor(terms, pair[0], factor) ? 0 : 1;
    if (pair[k] == factor)
        return pair[1 - k];
    pair[k] = without_factor(terms, pair[k], factor);
    return fterm_make(terms, "multiply", 2, pair);
}

// A factor that all parts of a sum have, and the sum without it, if there is one.
static void push_common_factor(struct definedness *needs, fterm sum, struct u32_vec *out)
{
    struct fterms *terms = needs->formula->terms;
    struct u32_vec stack = {0};
    fterm first = sum;
    while (is_sum(terms, first))
        first = fterm_args(terms, first)[0];
    vec_push(&stack, first);
    for (uint32_t steps = 0; stack.len > 0 && steps < FORMULA_FACTORS; steps++) {
        fterm factor = vec_pop(&stack);
        if (fterm_is(terms, factor, "multiply", 2)) {
            vec_push(&stack, fterm_args(terms, factor)[1]);
            vec_push(&stack, fterm_args(terms, factor)[0]);
        } else if (!is_number(needs, factor) && has_factor(terms, sum, factor)) {
            vec_push(out, factor);
            vec_push(out, without_factor(terms, sum, factor));
            break;
        } else if (is_quotient(terms, factor)) {
            vec_push(&stack, fterm_args(terms, factor)[0]);
        }
    }
    vec_release(&stack);
}

// No factor of a product that is not 0 is 0; nor is a factor of all parts of a sum, a numerator, a negated number, the base of
// a power or what a root is taken of.
static void give_factors(struct definedness *needs, fterm term)
{
    const struct fterms *terms = needs->formula->terms;
    struct u32_vec stack = {0};
    vec_push(&stack, term);
    for (uint32_t steps = 0; stack.len > 0 && steps < FORMULA_FACTORS; steps++) {
        fterm factor = vec_pop(&stack);
        uint32_t n = fterm_n(terms, factor), parts = 0;
        if (factor != term && !is_number(needs, factor))
            give(needs, "ne", factor, needs->zero);
        if (is_sum(terms, factor))
            push_common_factor(needs, factor, &stack);
        if (fterm_is(terms, factor, "multiply", 2))
            parts = 2;
        else if (fterm_is(terms, factor, "divide", 2) || fterm_is(terms, factor, "negate", 1) ||
                 fterm_is(terms, factor, "sqrt", 1) || fterm_is(terms, factor, "abs", 1) ||
                 (fterm_is(terms, factor, "power", 2) &&
                  is_number(needs, fterm_args(terms, factor)[1]) &&
                  value_of(needs, fterm_args(terms, factor)[1]) > 0))
            parts = 1;
        for (uint32_t k = 0; k < n && k < parts; k++)
            vec_push(&stack, fterm_args(terms, factor)[k]);
    }
    vec_release(&stack);
}

// The condition on `a`, and what follows for its factors if `a` is not 0 then.
static void give_nonzero(struct definedness *needs, const char *op, fterm a, fterm b)
{
    give(needs, op, a, b);
    give_factors(needs, strcmp(op, "lt") == 0 ? b : a);
}

static void give_of_power(struct definedness *needs, fterm base, fterm exponent)
{
    mpq_t k, b;
    mpq_inits(k, b, NULL);
    bool known = literal(needs, exponent, k), whole = false;
    if (known)
        whole = mpz_cmp_ui(mpq_denref(k), 1) == 0;
    if (literal(needs, base, b))
        ; // the numbers, or the exponent alone, decide
    else if (known && whole && mpq_sgn(k) < 0)
        give_nonzero(needs, "ne", base, needs->zero);
    else if (known && !whole && mpq_sgn(k) > 0)
        give(needs, "le", needs->zero, base);
    else if (!known || !whole)
        give_nonzero(needs, "lt", needs->zero, base);
    mpq_clears(k, b, NULL);
}

static void give_of_node(struct definedness *needs, fterm term)
{
    struct fterms *terms = needs->formula->terms;
    uint32_t n = fterm_n(terms, term);
    fterm a = n > 0 ? fterm_args(terms, term)[0] : 0;
    fterm b = n > 1 ? fterm_args(terms, term)[1] : 0;
    enum op op;
    if (!op_by_name(fterm_name(terms, term), &op) || op_arity(op) != (int)n)
        return;
    mpq_t number;
    mpq_init(number);
    bool known = n > 0 && literal(needs, n == 1 ? a : b, number);
    mpq_clear(number);
    switch (op_facts(op)->defined) {
    case DEFINED_ALWAYS:
        return;
    case DEFINED_POSITIVE:
        if (!known)
            give_nonzero(needs, "lt", needs->zero, a);
        return;
    case DEFINED_NOT_NEGATIVE:
        if (!known)
            give(needs, "le", needs->zero, a);
        return;
    case DEFINED_ABOVE_MINUS_1:
        if (!known)
            give(needs, "lt", needs->minus_one, a);
        return;
    case DEFINED_COSINE_NOT_0:
        if (!known)
            give(needs, "ne", fterm_make(terms, "cosine", 1, &a), needs->zero);
        return;
    case DEFINED_SECOND_NOT_0:
        if (!known && !fterm_is(terms, b, "count", 1))
            give_nonzero(needs, "ne", b, needs->zero);
        return;
    case DEFINED_POWER:
        give_of_power(needs, a, b);
        return;
    }
}

// What is positive is not 0: that need not be said, too.
static void drop_weaker(struct definedness *needs)
{
    struct fterms *terms = needs->formula->terms;
    uint32_t n = 0;
    for (uint32_t i = 0; i < needs->formula->givens.len; i++) {
        struct fgiven given = needs->formula->givens.at[i];
        bool weaker = false;
        if (given.by == GIVEN_DEFINED && fterm_is(terms, given.cond, "ne", 2)) {
            fterm args[2] = {needs->zero, fterm_args(terms, given.cond)[0]};
            fterm positive = fterm_make(terms, "lt", 2, args);
            for (uint32_t k = 0; k < needs->formula->givens.len; k++)
                weaker |= needs->formula->givens.at[k].by == GIVEN_DEFINED &&
                          needs->formula->givens.at[k].cond == positive;
        }
        if (!weaker)
            needs->formula->givens.at[n++] = given;
    }
    needs->formula->givens.len = n;
}

void formula_defined(struct formula *formula)
{
    struct fterms *terms = formula->terms;
    struct definedness needs = {.formula = formula,
                                .zero = fterm_make(terms, "0", 0, NULL),
                                .minus_one = fterm_make(terms, "-1", 0, NULL)};
    fterm root;
    formula_expand(terms, formula->defs, formula->term, &root, NULL);
    needs.value = mem_alloc((root + 1) * sizeof *needs.value);
    for (; needs.n_values <= root; needs.n_values++)
        needs.value[needs.n_values] = value_of(&needs, needs.n_values);
    bool *certain = mem_alloc(root + 1);
    certain[root] = true;
    for (fterm term = root + 1; term-- > 0;) {
        if (!certain[term])
            continue;
        uint32_t certainly = fterm_is(terms, term, "select", 3);
        if (formula_is_strict(fterm_name(terms, term)))
            certainly = fterm_n(terms, term);
        for (uint32_t k = 0; k < certainly; k++)
            certain[fterm_args(terms, term)[k]] = true;
        give_of_node(&needs, term);
    }
    drop_weaker(&needs);
    mem_free(certain);
    mem_free(needs.value);
}
