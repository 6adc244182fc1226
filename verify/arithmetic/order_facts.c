// SPDX-License-Identifier: Apache-2.0
// Sums, products, quotients and roundings of floats as unknown values, of which the solver is told
// what follows from the order of their operands: far cheaper than circuits, and the same in every
// format (docs/proving.md, The domain float).
//
// All facts rest on three properties of rounding to nearest: it keeps order, it is symmetric, and
// the numbers of the format stay as they are.  A sum is zero only if its terms are opposite, since
// subnormal numbers exist; a product of other numbers may be zero.
#include "verify/arithmetic/float_identities.h"
#include "verify/arithmetic/machine_leaf.h"
#include <math.h>

enum kind { NOT_KNOWN, SUM, PRODUCT, QUOTIENT, ROUNDED };

// A node with its value r, which is unknown.
struct computed {
    enum op op;
    Z3_ast a, b, r; // no b: rounded to an integer
};

static enum kind kind_of(enum op op)
{
    bool rounds = op == OP_FLOOR || op == OP_CEIL || op == OP_ROUND_NEAREST_EVEN ||
                  op == OP_ROUND_NEAREST_AFZ;
    return op == OP_ADD || op == OP_SUBTRACT ? SUM
           : op == OP_MULTIPLY               ? PRODUCT
           : op == OP_DIVIDE                 ? QUOTIENT
           : rounds                          ? ROUNDED
                                             : NOT_KNOWN;
}

bool order_has_facts(enum op op)
{
    return kind_of(op) != NOT_KNOWN;
}

static Z3_ast one(Z3_context context, Z3_ast like)
{
    return Z3_mk_fpa_numeral_int(context, 1, Z3_get_sort(context, like));
}

// x <= y => v <= w
static Z3_ast rises(Z3_context context, Z3_ast x, Z3_ast y, Z3_ast v, Z3_ast w)
{
    return Z3_mk_implies(context, Z3_mk_fpa_leq(context, x, y), Z3_mk_fpa_leq(context, v, w));
}

// Where there is no number, and otherwise facts about r.
static Z3_ast number_or_nan(Z3_context context, const struct computed *computed, Z3_ast none,
                            unsigned n, const Z3_ast *facts)
{
    Z3_ast nan = Z3_mk_fpa_is_nan(context, computed->r);
    return smt_both(context, Z3_mk_eq(context, nan, none),
                    smt_either(context, nan, Z3_mk_and(context, n, facts)));
}

// Of the terms a and b: an infinite one is the sum, and so is one to which zero is added, unless it
// is zero itself.
static Z3_ast stays(Z3_context context, const struct computed *computed, Z3_ast a, Z3_ast b)
{
    Z3_ast other = smt_both(context, Z3_mk_fpa_is_zero(context, b),
                            Z3_mk_not(context, Z3_mk_fpa_is_zero(context, a)));
    return Z3_mk_implies(context, smt_either(context, Z3_mk_fpa_is_infinite(context, a), other),
                         Z3_mk_eq(context, computed->r, a));
}

static Z3_ast sum_fact(Z3_context context, const struct computed *computed)
{
    Z3_ast a = computed->a, b = computed->b, r = computed->r;
    Z3_ast nan = smt_either(context, Z3_mk_fpa_is_nan(context, a), Z3_mk_fpa_is_nan(context, b));
    Z3_ast minus = Z3_mk_fpa_neg(context, b), zero = Z3_mk_fpa_is_zero(context, r);
    Z3_ast opposite = Z3_mk_fpa_eq(context, a, minus);
    Z3_ast below =
        smt_both(context, Z3_mk_fpa_is_negative(context, a), Z3_mk_fpa_is_negative(context, b));
    Z3_ast nothing = Z3_mk_fpa_zero(context, Z3_get_sort(context, r), false);
    Z3_ast facts[] = {
        stays(context, computed, a, b),
        stays(context, computed, b, a),
        Z3_mk_eq(context, zero, opposite),
        Z3_mk_implies(context, zero, Z3_mk_eq(context, Z3_mk_fpa_is_negative(context, r), below)),
        Z3_mk_eq(context, Z3_mk_fpa_lt(context, minus, a), Z3_mk_fpa_lt(context, nothing, r)),
        rises(context, nothing, b, a, r),
        rises(context, b, nothing, r, a),
        rises(context, nothing, a, b, r),
        rises(context, a, nothing, r, b)};
    nan = smt_either(context, nan, smt_both(context, Z3_mk_fpa_is_infinite(context, a), opposite));
    return number_or_nan(context, computed, nan, sizeof facts / sizeof *facts, facts);
}

static Z3_ast product_fact(Z3_context context, const struct computed *computed)
{
    Z3_ast zero[3], infinite[3], negative[3], size[3],
        x[] = {computed->a, computed->b, computed->r};
    bool divides = kind_of(computed->op) == QUOTIENT;
    for (int i = 0; i < 3; i++) {
        zero[i] = Z3_mk_fpa_is_zero(context, x[i]);
        infinite[i] = Z3_mk_fpa_is_infinite(context, x[i]);
        negative[i] = Z3_mk_fpa_is_negative(context, x[i]);
        size[i] = Z3_mk_fpa_abs(context, x[i]);
    }
    // A quotient is a product with the inverse, whose zeros are infinite and infinities zero.
    Z3_ast unit = one(context, computed->r);
    Z3_ast zero_by = divides ? infinite[1] : zero[1], infinite_by = divides ? zero[1] : infinite[1];
    Z3_ast nan[] = {Z3_mk_fpa_is_nan(context, x[0]), Z3_mk_fpa_is_nan(context, x[1]),
                    smt_both(context, zero[0], infinite_by),
                    smt_both(context, infinite[0], zero_by)};
    Z3_ast facts[] = {
        Z3_mk_eq(context, negative[2], Z3_mk_xor(context, negative[0], negative[1])),
        Z3_mk_implies(context, smt_either(context, zero[0], zero_by), zero[2]),
        Z3_mk_implies(context, smt_either(context, infinite[0], infinite_by), infinite[2]),
        divides ? rises(context, size[1], unit, size[0], size[2])
                : rises(context, size[1], unit, size[2], size[0]),
        divides ? rises(context, unit, size[1], size[2], size[0])
                : rises(context, unit, size[1], size[0], size[2]),
        divides ? rises(context, size[0], size[1], size[2], unit)
                : rises(context, size[0], unit, size[2], size[1]),
        divides ? rises(context, size[1], size[0], unit, size[2])
                : rises(context, unit, size[0], size[1], size[2])};
    return number_or_nan(context, computed, Z3_mk_or(context, 4, nan), sizeof facts / sizeof *facts,
                         facts);
}

static Z3_ast rounded_fact(Z3_context context, const struct computed *computed)
{
    Z3_ast a = computed->a, r = computed->r, unit = one(context, r),
           minus = Z3_mk_fpa_neg(context, unit);
    Z3_ast infinite = Z3_mk_fpa_is_infinite(context, a);
    Z3_ast facts[] = {
        Z3_mk_eq(context, Z3_mk_fpa_is_infinite(context, r), infinite),
        Z3_mk_eq(context, Z3_mk_fpa_is_negative(context, r), Z3_mk_fpa_is_negative(context, a)),
        Z3_mk_implies(context, Z3_mk_fpa_is_zero(context, a), Z3_mk_fpa_is_zero(context, r)),
        rises(context, a, unit, r, unit),
        rises(context, unit, a, unit, r),
        rises(context, a, minus, r, minus),
        rises(context, minus, a, minus, r),
        computed->op == OP_FLOOR  ? Z3_mk_fpa_leq(context, r, a)
        : computed->op == OP_CEIL ? Z3_mk_fpa_leq(context, a, r)
                                  : Z3_mk_true(context)};
    return number_or_nan(context, computed, Z3_mk_fpa_is_nan(context, a),
                         sizeof facts / sizeof *facts, facts);
}

static struct computed computed_of(Z3_context context, enum op op, const Z3_ast *a, Z3_ast r)
{
    struct computed computed = {.op = op, .a = a[0], .r = r};
    if (kind_of(op) != ROUNDED)
        computed.b = op == OP_SUBTRACT ? Z3_mk_fpa_neg(context, a[1]) : a[1];
    return computed;
}

Z3_ast machine_order_fact(Z3_context context, enum op op, const Z3_ast *a, Z3_ast r)
{
    struct computed computed = computed_of(context, op, a, r);
    switch (kind_of(op)) {
    case SUM:
        return sum_fact(context, &computed);
    case PRODUCT:
    case QUOTIENT:
        return product_fact(context, &computed);
    case ROUNDED:
        return rounded_fact(context, &computed);
    default:
        return Z3_mk_true(context);
    }
}

// Either order of the values v and w from that of the operands x and y, each a pair.
static Z3_ast risen(Z3_context context, const Z3_ast x[2], const Z3_ast y[2], Z3_ast v, Z3_ast w)
{
    Z3_ast up =
        smt_both(context, Z3_mk_fpa_leq(context, x[0], y[0]), Z3_mk_fpa_leq(context, x[1], y[1]));
    Z3_ast down =
        smt_both(context, Z3_mk_fpa_leq(context, y[0], x[0]), Z3_mk_fpa_leq(context, y[1], x[1]));
    return smt_both(context, Z3_mk_implies(context, up, Z3_mk_fpa_leq(context, v, w)),
                    Z3_mk_implies(context, down, Z3_mk_fpa_leq(context, w, v)));
}

// The same, with the operands of the second in either order.
static Z3_ast risen_either(Z3_context context, const Z3_ast x[2], const Z3_ast y[2], Z3_ast v,
                           Z3_ast w)
{
    return smt_both(context, risen(context, x, y, v, w),
                    risen(context, x, (Z3_ast[]){y[1], y[0]}, v, w));
}

static Z3_ast sums_fact(Z3_context context, const struct computed *first,
                        const struct computed *second)
{
    Z3_ast x[] = {first->a, first->b}, y[] = {second->a, second->b};
    Z3_ast minus[] = {Z3_mk_fpa_neg(context, second->a), Z3_mk_fpa_neg(context, second->b)};
    return smt_both(context, risen_either(context, x, y, first->r, second->r),
                    risen_either(context, x, minus, first->r, Z3_mk_fpa_neg(context, second->r)));
}

// Magnitudes rise with those of both factors; a quotient falls as the divisor rises.
static Z3_ast products_fact(Z3_context context, const struct computed *first,
                            const struct computed *second)
{
    Z3_ast x[] = {Z3_mk_fpa_abs(context, first->a), Z3_mk_fpa_abs(context, first->b)};
    Z3_ast y[] = {Z3_mk_fpa_abs(context, second->a), Z3_mk_fpa_abs(context, second->b)};
    Z3_ast v = Z3_mk_fpa_abs(context, first->r), w = Z3_mk_fpa_abs(context, second->r);
    if (kind_of(first->op) == PRODUCT)
        return risen_either(context, x, y, v, w);
    return risen(context, (Z3_ast[]){x[0], y[1]}, (Z3_ast[]){y[0], x[1]}, v, w);
}

static Z3_ast roundings_fact(Z3_context context, const struct computed *first,
                             const struct computed *second)
{
    enum op mirror = first->op == OP_FLOOR ? OP_CEIL : first->op == OP_CEIL ? OP_FLOOR : first->op;
    Z3_ast all = Z3_mk_true(context);
    if (first->op == second->op)
        all = smt_both(context, rises(context, first->a, second->a, first->r, second->r),
                       rises(context, second->a, first->a, second->r, first->r));
    if (second->op != mirror)
        return all;
    Z3_ast minus = Z3_mk_fpa_neg(context, second->a), r = Z3_mk_fpa_neg(context, second->r);
    return smt_both(context, all,
                    smt_both(context, rises(context, first->a, minus, first->r, r),
                             rises(context, minus, first->a, r, first->r)));
}

Z3_ast machine_order_fact_of_two(Z3_context context, const enum op op[2], const Z3_ast *a, Z3_ast r,
                                 const Z3_ast *b, Z3_ast s)
{
    struct computed first = computed_of(context, op[0], a, r);
    struct computed second = computed_of(context, op[1], b, s);
    Z3_ast nan = smt_either(context, Z3_mk_fpa_is_nan(context, r), Z3_mk_fpa_is_nan(context, s));
    Z3_ast fact = Z3_mk_true(context);
    if (kind_of(op[0]) == kind_of(op[1]))
        fact = kind_of(op[0]) == SUM       ? sums_fact(context, &first, &second)
               : kind_of(op[0]) == ROUNDED ? roundings_fact(context, &first, &second)
                                           : products_fact(context, &first, &second);
    return smt_either(context, nan, fact);
}

// Is the node one whose value a query about order takes for unknown?
static bool is_computed(const struct session *session, expr_id e)
{
    const struct expr *node = expr_at(&session->exprs, e);
    return expr_sort(&session->exprs, e) == SORT_ELEM && node->kind == X_OP &&
           order_has_facts((enum op)node->op) &&
           type_in_domain(session->rule, node->type, DOMAIN_FLOAT);
}

// The place of a number among the magnitudes of a format, from 0 on; false if it is none of them.
static bool place_of(double number, unsigned ebits, unsigned sbits, uint32_t *place)
{
    int top = 1 << (ebits - 1), exponent; // that of infinity
    double fraction = frexp(fabs(number), &exponent);
    int least = 3 - top; // of frexp's exponents, that of normal numbers
    int scale = exponent < least ? least : exponent;
    double digits = ldexp(fraction, (int)sbits + exponent - scale);
    *place = 0;
    if (number == 0)
        return true;
    if (isinf(number))
        *place = (uint32_t)(2 * top - 1) << (sbits - 1);
    else
        *place = ((uint32_t)(scale - least) << (sbits - 1)) + (uint32_t)digits;
    return isinf(number) || (exponent <= top && digits == floor(digits));
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Has the format all numbers of the leaf, and between two of them more than the leaf has values?
static bool is_wide_enough(const struct session *session, const struct leaf_survey *survey,
                           unsigned ebits, unsigned sbits)
{
    uint32_t *place = mem_alloc((survey->all.len + 3) * sizeof *place), n = 3, values = 0;
    bool enough = place_of(0, ebits, sbits, &place[0]) && place_of(1, ebits, sbits, &place[1]) &&
                  place_of(INFINITY, ebits, sbits, &place[2]);
    for (uint32_t i = 0; i < survey->all.len && enough; i++) {
        const struct expr *node = expr_at(&session->exprs, survey->all.at[i]);
        bool number = expr_sort(&session->exprs, survey->all.at[i]) == SORT_ELEM &&
                      type_in_domain(session->rule, node->type, DOMAIN_FLOAT);
        bool fixed = node->kind == X_LITERAL && node->op != LIT_UNIT;
        if (number && fixed)
            enough = place_of(literal_number(node), ebits, sbits, &place[n++]);
        else
            values += number;
    }
    qsort(place, n, sizeof *place, by_place);
    for (uint32_t i = 1; i < n && enough; i++)
        enough = place[i] == place[i - 1] || place[i] - place[i - 1] > values;
    mem_free(place);
    return enough;
}

bool leaf_order_format(const struct session *session, const struct leaf_survey *survey,
                       unsigned *ebits, unsigned *sbits)
{
    static const unsigned formats[][2] = {{4, 5}, {5, 8}, {8, 16}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        *ebits = formats[i][0];
        *sbits = formats[i][1];
        if (is_wide_enough(session, survey, *ebits, *sbits))
            return true;
    }
    return false;
}

void machine_order_facts(struct machine *machine, const struct u32_vec *all)
{
    struct session *session = machine->session;
    Z3_context context = session->smt.ctx;
    struct {
        expr_id e;
        enum op op;
        Z3_ast a[2], r;
    } at[VERIFY_FLOAT_FACT_TERMS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->len && n < VERIFY_FLOAT_FACT_TERMS; i++) {
        const struct expr node = *expr_at(&session->exprs, all->at[i]);
        bool known = !is_computed(session, all->at[i]);
        for (uint32_t k = 0; k < n && !known; k++)
            known = at[k].e == all->at[i];
        if (known)
            continue;
        at[n].e = all->at[i];
        at[n].op = (enum op)node.op;
        at[n].r = machine_term(machine, all->at[i]);
        for (uint32_t k = 0; k < node.n && k < 2; k++)
            at[n].a[k] = machine_term(machine, expr_arg(&session->exprs, all->at[i], k));
        smt_assert(&session->smt, machine_order_fact(context, at[n].op, at[n].a, at[n].r));
        for (uint32_t k = 0; k < n; k++)
            smt_assert(&session->smt,
                       machine_order_fact_of_two(context, (enum op[]){at[k].op, at[n].op}, at[k].a,
                                                 at[k].r, at[n].a, at[n].r));
        n++;
    }
}
