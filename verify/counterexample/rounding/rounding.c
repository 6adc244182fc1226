// SPDX-License-Identifier: Apache-2.0
// Rounding of floats.  Some results are open: how a transcendental operator rounds
// (unless the result is correctly rounded, correctly_rounded.c), and in which order a
// reduction adds (unless it is the order of the axes, sum_order.c).  A difference counts
// only if no such choice explains it.
//
// A node is *inexact* if its value depends on a choice (in approximate runs over the
// reals: on any rounding).  Inexact values may pass only through steps that keep a
// relative error small: no cancellation, no comparison of nearly equal values, no jumps.
#include "tensor/eval/eval.h"
#include "verify/counterexample/parts.h"
#include "verify/limits.h"
#include "verify/symbolic/rounding.h"
#include <math.h>

struct rounding_check {
    const struct cex_evaluator *cex_evaluator;
    const struct eval_plan *plan; // whose nodes have values
    bool approximate;
    bool any_rounding; // correctly rounded results count as inexact, too
    uint32_t n;
    const term_id *id;
    const struct value *value;
    bool *inexact; // by position
    struct cex_outcome *out;
};

static uint32_t position(const struct rounding_check *rounding_check, term_id id)
{
    return eval_plan_place(rounding_check->plan, id);
}

static bool machine_float(enum elem elem)
{
    return elem_kind(elem) == KIND_FLOAT && !elem_is_ideal(elem);
}

static double element(const struct rounding_check *rounding_check, uint32_t at, int64_t i)
{
    const struct value *value = &rounding_check->value[at];
    enum elem elem = type_elem(&rounding_check->cex_evaluator->pool, value->type);
    bool one = type_rank(&rounding_check->cex_evaluator->pool, value->type) == 0;
    return scalar_to_double(elem, scalar_load(elem, value->data, one ? 0 : (size_t)i));
}

static int64_t count_of(const struct rounding_check *rounding_check, uint32_t at)
{
    return type_count(&rounding_check->cex_evaluator->pool, rounding_check->value[at].type);
}

static enum elem elem_of(const struct rounding_check *rounding_check, uint32_t at)
{
    return type_elem(&rounding_check->cex_evaluator->pool, rounding_check->value[at].type);
}

static double precision(enum elem elem) // 2^bits of the significand
{
    return elem == ELEM_F16    ? 0x1p11
           : elem == ELEM_BF16 ? 0x1p8
           : elem == ELEM_F32  ? 0x1p24
                               : 0x1p53;
}

// The operands whose elements a node combines, all floats.
struct terms_of {
    uint32_t n;
    uint32_t at[3];
};

static struct terms_of combined(const struct rounding_check *rounding_check, uint32_t at)
{
    const struct term *node =
        term_at(&rounding_check->cex_evaluator->terms, rounding_check->id[at]);
    const term_id *args = term_args(&rounding_check->cex_evaluator->terms, rounding_check->id[at]);
    struct terms_of operands = {0, {0}};
    for (uint32_t k = 0; k < node->n_args && operands.n < 3; k++) {
        uint32_t in = position(rounding_check, args[k]);
        if (machine_float(elem_of(rounding_check, in)))
            operands.at[operands.n++] = in;
    }
    return operands;
}

static double most(const struct rounding_check *rounding_check, uint32_t in)
{
    double most = 0;
    for (int64_t i = 0; i < count_of(rounding_check, in); i++) {
        double x = fabs(element(rounding_check, in, i));
        most = isfinite(x) ? fmax(most, x) : most;
    }
    return most;
}

// Any order of adding or multiplying these, or of adding the products of two
// operands' elements, gives the same value.
static bool order_is_free(const struct rounding_check *rounding_check,
                          const struct terms_of *operands, enum op reducer, bool products)
{
    double total = reducer == OP_ADD ? 0 : 1, pairs = 1, terms = HUGE_VAL;
    for (uint32_t k = 0; k < operands->n; k++) {
        uint32_t in = operands->at[k];
        for (int64_t i = 0; i < count_of(rounding_check, in); i++) {
            double x = element(rounding_check, in, i);
            if (!isfinite(x))
                continue; // the rest does not overflow, so it decides alone
            if (floor(x) != x)
                return false;
            if (reducer == OP_ADD)
                total += fabs(x);
            else
                total *= fmax(1, fabs(x));
        }
        // No element of either operand may occur twice in one sum.
        pairs *= most(rounding_check, in);
        terms = fmin(terms, (double)count_of(rounding_check, in));
    }
    return (products ? pairs * terms : total) <=
           precision(elem_of(rounding_check, operands->at[0]));
}

// Do inexact results keep a small relative error in any order?
static bool order_is_harmless(const struct rounding_check *rounding_check,
                              const struct terms_of *operands, enum op reducer, bool products)
{
    bool plus = false, minus = false;
    int64_t count = 0;
    for (uint32_t k = 0; k < operands->n; k++) {
        uint32_t in = operands->at[k];
        bool own_plus = false, own_minus = false;
        count += count_of(rounding_check, in);
        for (int64_t i = 0; i < count_of(rounding_check, in); i++) {
            double x = element(rounding_check, in, i);
            if (isnan(x))
                continue; // what it enters is NaN
            own_plus |= x > 0;
            own_minus |= x < 0;
            if (reducer == OP_ADD && isinf(x))
                continue; // among terms of one sign the sum is infinite
            if (reducer == OP_MULTIPLY && !(fabs(x) >= 0.25 && fabs(x) <= 4))
                return false;
            if (fabs(x) > ROUNDING_LARGE)
                return false;
        }
        if (products && own_plus && own_minus)
            return false;
        plus |= own_plus;
        minus |= own_minus;
    }
    return reducer == OP_MULTIPLY ? count <= 16 : products || !(plus && minus);
}

static bool operands_inexact(const struct rounding_check *rounding_check, term_id id)
{
    const struct term *node = term_at(&rounding_check->cex_evaluator->terms, id);
    const term_id *args = term_args(&rounding_check->cex_evaluator->terms, id);
    for (uint32_t k = 0; k < node->n_args; k++)
        if (rounding_check->inexact[position(rounding_check, args[k])])
            return true;
    return false;
}

static bool elements_are_safe(const struct rounding_check *rounding_check, uint32_t at)
{
    term_id id = rounding_check->id[at];
    const struct term *node = term_at(&rounding_check->cex_evaluator->terms, id);
    const term_id *args = term_args(&rounding_check->cex_evaluator->terms, id);
    uint32_t a = position(rounding_check, args[0]);
    uint32_t b = node->n_args > 1 ? position(rounding_check, args[1]) : a;
    for (int64_t i = 0; i < count_of(rounding_check, at); i++)
        if (!rounding_step_is_safe((enum op)node->op, element(rounding_check, a, i),
                                   element(rounding_check, b, i), element(rounding_check, at, i)))
            return false;
    return true;
}

// The operator by which a node combines elements; N_OPS if it combines none, or in a fixed
// order.
static enum op summing(const struct cex_evaluator *cex_evaluator, const struct term *node,
                       bool *products)
{
    enum op op = (enum op)node->op;
    *products = op_info(op)->flow == FLOW_SUM;
    if (*products)
        return OP_ADD;
    if (!op_has_reducer(op))
        return N_OPS;
    enum op reducer = (enum op)attr_at(&cex_evaluator->pool, node->attr)[0];
    return op_facts(reducer)->accuracy == ACCURACY_ROUNDED ? reducer : N_OPS;
}

static bool sum_is_safe(struct rounding_check *rounding_check, uint32_t at, enum op reducer,
                        bool products)
{
    struct terms_of operands = combined(rounding_check, at);
    bool before = operands_inexact(rounding_check, rounding_check->id[at]);
    rounding_check->inexact[at] = before;
    if (!before && order_is_free(rounding_check, &operands, reducer, products))
        return true;
    // The interpreter's order is admissible if it is an order of the axes.
    if (!before && !rounding_check->approximate && rounding_check->cex_evaluator->in_order) {
        rounding_check->out->ordered = true;
        return true;
    }
    rounding_check->inexact[at] = true;
    return order_is_harmless(rounding_check, &operands, reducer, products);
}

static bool in_range(const struct rounding_check *rounding_check, uint32_t at)
{
    for (int64_t i = 0; i < count_of(rounding_check, at); i++)
        if (!(fabs(element(rounding_check, at, i)) <= ROUNDING_LARGE))
            return false;
    return true;
}

static bool all_dyadic(const struct rounding_check *rounding_check, uint32_t at)
{
    for (int64_t i = 0; i < count_of(rounding_check, at); i++)
        if (!rounding_dyadic(element(rounding_check, at, i)))
            return false;
    return true;
}

// Does the node move or pick elements?  Sums were handled before.
static bool is_move(enum op op)
{
    return !op_is_elementwise(op) && (op_only_moves(op) || op_has_reducer(op));
}

// Are all results the correctly rounded ones?  Then an admissible implementation computes
// them, and a difference counts.
static bool rounds_right(struct rounding_check *rounding_check, uint32_t at)
{
    term_id id = rounding_check->id[at];
    const struct term *node = term_at(&rounding_check->cex_evaluator->terms, id);
    const term_id *args = term_args(&rounding_check->cex_evaluator->terms, id);
    enum op op = (enum op)node->op;
    uint32_t a = position(rounding_check, args[0]);
    uint32_t b = node->n_args > 1 ? position(rounding_check, args[1]) : a;
    const struct value *value = &rounding_check->value[at];
    bool known = false;
    for (int64_t i = 0; i < count_of(rounding_check, at); i++)
        if (!cex_rounds_right(
                op, elem_of(rounding_check, at), element(rounding_check, a, i),
                element(rounding_check, b, i),
                scalar_load(elem_of(rounding_check, at), value->data,
                            type_rank(&rounding_check->cex_evaluator->pool, value->type) == 0
                                ? 0
                                : (size_t)i)))
            return false;
    for (uint32_t i = 0; i < rounding_check->out->n_rounded; i++)
        known |= rounding_check->out->rounded[i] == op;
    if (!known && rounding_check->out->n_rounded < VERIFY_CEX_ROUNDED)
        rounding_check->out->rounded[rounding_check->out->n_rounded++] = op;
    return true;
}

// Are the bits of a NaN the machine's choice?  They are, unless the NaN was an operand.
static bool bits_are_open(const struct rounding_check *rounding_check, uint32_t at)
{
    term_id from = term_args(&rounding_check->cex_evaluator->terms, rounding_check->id[at])[0];
    enum op op = (enum op)term_at(&rounding_check->cex_evaluator->terms, from)->op;
    uint32_t in = position(rounding_check, from);
    enum elem elem = elem_of(rounding_check, in);
    if (!machine_float(elem) || op == OP_PARAMETER || op == OP_CONSTANT || op == OP_BITCAST_CONVERT)
        return false;
    for (int64_t i = 0; i < count_of(rounding_check, in); i++)
        if (isnan(element(rounding_check, in, i)))
            return true;
    return false;
}

// Has the first operand a negative zero?  No real number is one.
static bool has_signed_zero(const struct rounding_check *rounding_check, uint32_t at)
{
    uint32_t in = position(rounding_check, term_args(&rounding_check->cex_evaluator->terms,
                                                     rounding_check->id[at])[0]);
    for (int64_t i = 0; i < count_of(rounding_check, in); i++)
        if (element(rounding_check, in, i) == 0 && signbit(element(rounding_check, in, i)))
            return true;
    return false;
}

static bool is_zero_everywhere(const struct rounding_check *rounding_check, uint32_t at)
{
    for (int64_t i = 0; i < count_of(rounding_check, at); i++)
        if (element(rounding_check, at, i) != 0)
            return false;
    return true;
}

// Over the reals: is the node exact because an operand is exactly zero?  A product of finite
// numbers is 0 then.  A function of one operand that has a value at 0 has one there which floats
// have, too: 0, 1 or 1/2.
static bool zero_decides(const struct rounding_check *rounding_check, uint32_t at)
{
    const struct cex_evaluator *evaluator = rounding_check->cex_evaluator;
    const struct term *node = term_at(&evaluator->terms, rounding_check->id[at]);
    const term_id *args = term_args(&evaluator->terms, rounding_check->id[at]);
    bool function = node->n_args == 1 && op_is_transcendental((enum op)node->op);
    if (node->op != OP_MULTIPLY && !function)
        return false;
    for (uint32_t k = 0; k < node->n_args; k++) {
        uint32_t in = position(rounding_check, args[k]);
        if (!rounding_check->inexact[in] && is_zero_everywhere(rounding_check, in))
            return all_dyadic(rounding_check, at);
    }
    return false;
}

// Marks the node.  Returns false if the candidate decides nothing.
static bool node_is_safe(struct rounding_check *rounding_check, uint32_t at)
{
    const struct term *node =
        term_at(&rounding_check->cex_evaluator->terms, rounding_check->id[at]);
    enum op op = (enum op)node->op;
    bool floats = machine_float(elem_of(rounding_check, at));
    bool products;
    enum op reducer = summing(rounding_check->cex_evaluator, node, &products);
    if (floats && reducer != N_OPS)
        return sum_is_safe(rounding_check, at, reducer, products);
    if (op == OP_PARAMETER || op == OP_CONSTANT || op == OP_IOTA) {
        rounding_check->inexact[at] = floats && rounding_check->approximate && op == OP_CONSTANT &&
                                      !all_dyadic(rounding_check, at) &&
                                      in_range(rounding_check, at);
        return true;
    }
    if (op == OP_BITCAST_CONVERT && bits_are_open(rounding_check, at))
        return false;
    bool before = operands_inexact(rounding_check, rounding_check->id[at]);
    rounding_check->inexact[at] = floats && before;
    if (is_move(op))
        return true;
    if (floats && rounding_check->approximate && zero_decides(rounding_check, at)) {
        rounding_check->inexact[at] = false;
        return true;
    }
    if (rounding_check->approximate && op == OP_ATAN2 && has_signed_zero(rounding_check, at))
        return false;
    if (before && ((op == OP_CONVERT && !floats) || !elements_are_safe(rounding_check, at)))
        return false;
    // The square root of IEEE floats is exactly rounded.
    bool open = op_is_transcendental(op) && (rounding_check->approximate || op != OP_SQRT);
    if (open && floats && !rounding_check->approximate && !rounding_check->any_rounding &&
        !rounding_check->inexact[at])
        open = !rounds_right(rounding_check, at);
    if (floats && (open || (rounding_check->approximate && !all_dyadic(rounding_check, at))))
        rounding_check->inexact[at] = true;
    return !floats || !rounding_check->approximate || in_range(rounding_check, at);
}

static double tolerance(enum elem elem)
{
    return elem == ELEM_BF16 ? 0.25 : elem == ELEM_F16 ? 0.05 : ROUNDING_NEAR;
}

// Smaller magnitudes lose relative precision.
static double least_magnitude(enum elem elem)
{
    return elem == ELEM_F64 ? 1e-290 : elem == ELEM_F16 ? 0.06 : 1e-35;
}

bool cex_far_apart(const struct cex_outcome *outcome, bool approximate)
{
    double a = scalar_to_double(outcome->elem, outcome->lhs);
    double b = scalar_to_double(outcome->elem, outcome->rhs);
    double most = scalar_to_double(outcome->elem, scalar_highest(outcome->elem));
    double scale = fmax(fabs(a), fabs(b));
    if (approximate)
        return isfinite(a) && isfinite(b) && scale >= ROUNDING_TINY &&
               fabs(a - b) > ROUNDING_NEAR * scale;
    if (isnan(a) || isnan(b))
        return isnan(a) != isnan(b);
    if (isfinite(a) != isfinite(b)) {
        most = outcome->elem == ELEM_F16 ? 6e4 : outcome->elem == ELEM_F64 ? 1e308 : 3e38;
        return (isfinite(a) ? fabs(a) : fabs(b)) < most / 16;
    }
    if (!isfinite(a))
        return a != b;
    return scale >= least_magnitude(outcome->elem) &&
           fabs(a - b) > tolerance(outcome->elem) * scale;
}

// Does any node leave its value open?
static bool leaves_open(const struct cex_evaluator *cex_evaluator, const struct eval_plan *plan)
{
    for (uint32_t i = 0; i < plan->node.len; i++) {
        const struct term *node = term_at(&cex_evaluator->terms, plan->node.at[i]);
        if (node->op == OP_BITCAST_CONVERT)
            return true;
        if (!machine_float(type_elem(&cex_evaluator->pool, node->type)))
            continue;
        bool products;
        if (summing(cex_evaluator, node, &products) != N_OPS ||
            op_is_transcendental((enum op)node->op))
            return true;
    }
    return false;
}

static bool all_safe(struct rounding_check *rounding_check)
{
    for (uint32_t i = 0; i < rounding_check->n; i++)
        if (!node_is_safe(rounding_check, i))
            return false;
    return true;
}

static struct rounding_check check_of(const struct cex_evaluator *cex_evaluator,
                                      const struct eval_plan *plan,
                                      const struct cex_case *candidate, struct arena *mem,
                                      struct cex_outcome *out)
{
    return (struct rounding_check){.cex_evaluator = cex_evaluator,
                                   .plan = plan,
                                   .approximate = candidate->approximate,
                                   .n = plan->node.len,
                                   .id = plan->node.at,
                                   .value = plan->value.at,
                                   .inexact = ARENA_NEW(mem, bool, plan->node.len),
                                   .out = out};
}

enum cex_weight cex_weigh(const struct cex_evaluator *cex_evaluator,
                          const struct cex_case *candidate, struct arena *mem,
                          struct cex_outcome *out)
{
    const struct eval_plan *sides = &cex_evaluator->sides;
    out->n_rounded = 0;
    if (!candidate->approximate && !leaves_open(cex_evaluator, sides))
        return CEX_EXACT;
    struct rounding_check rounding_check = check_of(cex_evaluator, sides, candidate, mem, out);
    if (!all_safe(&rounding_check))
        return CEX_NOTHING;
    bool open = rounding_check.inexact[position(&rounding_check, cex_evaluator->lhs)] ||
                rounding_check.inexact[position(&rounding_check, cex_evaluator->rhs)];
    if (open) {
        out->n_rounded = 0;
        out->ordered = false;
    }
    return open ? CEX_FAR : CEX_EXACT;
}

bool cex_conditions_count(const struct cex_evaluator *cex_evaluator,
                          const struct cex_case *candidate, struct arena *mem,
                          struct cex_outcome *out)
{
    const struct eval_plan *conditions = &cex_evaluator->conditions;
    if (!candidate->approximate && !leaves_open(cex_evaluator, conditions))
        return true;
    struct cex_outcome before = *out;
    struct rounding_check rounding_check = check_of(cex_evaluator, conditions, candidate, mem, out);
    rounding_check.any_rounding = true;
    if (all_safe(&rounding_check) && out->ordered == before.ordered)
        return true;
    *out = before;
    rounding_check.any_rounding = false;
    return !candidate->approximate && all_safe(&rounding_check);
}
