// SPDX-License-Identifier: Apache-2.0
// Unit propagation: truth values of statements, and possible signs of polynomials, from those of
// the asserted statements.
#include "verify/limits.h"
#include "verify/products/parts.h"

static enum truth opposite(enum truth truth)
{
    return truth == TRUTH_UNKNOWN ? TRUTH_UNKNOWN : truth == TRUTH_TRUE ? TRUTH_FALSE : TRUTH_TRUE;
}

// The signs of the difference with which the comparison holds.
static unsigned holds_with(const struct products *products, Z3_ast a)
{
    switch (term_kind(products, a)) {
    case Z3_OP_LE:
        return SIGN_NEGATIVE | SIGN_ZERO;
    case Z3_OP_GE:
        return SIGN_POSITIVE | SIGN_ZERO;
    case Z3_OP_LT:
        return SIGN_NEGATIVE;
    case Z3_OP_GT:
        return SIGN_POSITIVE;
    default:
        return SIGN_ZERO;
    }
}

static unsigned turned(unsigned signs)
{
    return (signs & SIGN_ZERO) | ((signs & SIGN_NEGATIVE) != 0 ? SIGN_POSITIVE : 0) |
           ((signs & SIGN_POSITIVE) != 0 ? SIGN_NEGATIVE : 0);
}

static enum truth truth_of_comparison(struct products *products, Z3_ast a)
{
    const struct known *known = known_of(products, a);
    unsigned with = holds_with(products, a), possible = known->constant;
    if (!known->walked)
        return TRUTH_UNKNOWN;
    if (known->sign != 0) {
        with = known->turned ? turned(with) : with;
        possible = products->possible.at[known->sign - 1];
    }
    return (possible & ~with) == 0  ? TRUTH_TRUE
           : (possible & with) == 0 ? TRUTH_FALSE
                                    : TRUTH_UNKNOWN;
}

// A conjunction, or (with FALSE in place of TRUE) a disjunction.
static enum truth truth_of_all(struct products *products, Z3_ast a, enum truth each)
{
    enum truth truth = each;
    for (unsigned i = 0; i < term_args(products, a); i++) {
        enum truth one = truth_of(products, term_arg(products, a, i));
        if (one == opposite(each))
            return one;
        truth = one == TRUTH_UNKNOWN ? one : truth;
    }
    return truth;
}

enum truth truth_of(struct products *products, Z3_ast statement)
{
    const struct known *known = known_of(products, statement);
    if (known->truth != TRUTH_UNKNOWN)
        return known->truth;
    if (term_compares_reals(products, statement))
        return truth_of_comparison(products, statement);
    switch (term_kind(products, statement)) {
    case Z3_OP_TRUE:
        return TRUTH_TRUE;
    case Z3_OP_FALSE:
        return TRUTH_FALSE;
    case Z3_OP_NOT:
        return opposite(truth_of(products, term_arg(products, statement, 0)));
    case Z3_OP_AND:
        return truth_of_all(products, statement, TRUTH_TRUE);
    case Z3_OP_OR:
        return truth_of_all(products, statement, TRUTH_FALSE);
    default:
        return TRUTH_UNKNOWN;
    }
}

static bool settle(struct products *products, Z3_ast a, enum truth truth);

static bool settle_comparison(struct products *products, const struct known *known, Z3_ast a,
                              enum truth truth)
{
    unsigned with = known->turned ? turned(holds_with(products, a)) : holds_with(products, a);
    if (!known->walked || known->sign == 0)
        return false;
    uint8_t *possible = &products->possible.at[known->sign - 1], before = *possible;
    *possible = (uint8_t)(before & (truth == TRUTH_TRUE ? with : ~with));
    return *possible != before;
}

// One of the statements has the truth value.  If all others do not, the last one has.
static bool settle_one(struct products *products, unsigned n, const Z3_ast *of,
                       const enum truth *truth)
{
    unsigned open = n;
    for (unsigned i = 0; i < n; i++) {
        enum truth now = truth_of(products, of[i]);
        if (now == truth[i] || (now == TRUTH_UNKNOWN && open != n))
            return false;
        open = now == TRUTH_UNKNOWN ? i : open;
    }
    return open < n && settle(products, of[open], truth[open]);
}

static bool settle_or(struct products *products, Z3_ast a, enum truth each)
{
    unsigned n = term_args(products, a);
    Z3_ast *of = mem_alloc((n + 1) * sizeof(Z3_ast));
    enum truth *truth = mem_alloc((n + 1) * sizeof *truth);
    for (unsigned i = 0; i < n; i++) {
        of[i] = term_arg(products, a, i);
        truth[i] = each;
    }
    bool changed = settle_one(products, n, of, truth);
    mem_free(truth);
    mem_free(of);
    return changed;
}

// The statement has the truth value.  True: something new is known.
static bool settle(struct products *products, Z3_ast a, enum truth truth)
{
    struct known *known = known_of(products, a);
    Z3_decl_kind kind = term_kind(products, a);
    unsigned n = term_args(products, a);
    bool changed = known->truth == TRUTH_UNKNOWN;
    if (changed)
        known->truth = truth;
    if (term_compares_reals(products, a))
        return settle_comparison(products, known, a, truth) || changed;
    if (kind == Z3_OP_NOT)
        return settle(products, term_arg(products, a, 0), opposite(truth)) || changed;
    if (kind == Z3_OP_IMPLIES && truth == TRUTH_TRUE) {
        Z3_ast of[] = {term_arg(products, a, 0), term_arg(products, a, 1)};
        return settle_one(products, 2, of, (enum truth[]){TRUTH_FALSE, TRUTH_TRUE}) || changed;
    }
    if ((kind == Z3_OP_OR && truth == TRUTH_TRUE) || (kind == Z3_OP_AND && truth == TRUTH_FALSE))
        return settle_or(products, a, truth) || changed;
    if (kind == Z3_OP_AND || kind == Z3_OP_OR) // all of them
        for (unsigned i = 0; i < n; i++)
            changed |= settle(products, term_arg(products, a, i), truth);
    return changed;
}

void settle_all(struct products *products)
{
    bool changed = true;
    for (unsigned i = 0; i < VERIFY_PRODUCTS_PASSES && changed; i++) {
        changed = false;
        for (uint32_t k = 0; k < products->asserted.len; k++)
            changed |= settle(products, products->asserted.at[k], TRUTH_TRUE);
    }
}
