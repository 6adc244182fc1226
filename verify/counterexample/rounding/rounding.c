// SPDX-License-Identifier: Apache-2.0
// Rounding of floats.  Some results are open: how a transcendental operator rounds
// (unless the result is correctly rounded, correctly_rounded.c), and in which order a
// reduction adds (unless it is the order of the axes, sum_order.c).  A difference counts
// only if no such choice explains it.
//
// A node is *inexact* if its value depends on a choice.  Inexact values may pass only through
// steps that keep a relative error small: no cancellation, no comparison of nearly equal
// values, no jumps.  Over the reals bounds of errors take the place of this (reals.c).
#include "verify/counterexample/rounding/nodes.h"
#include "verify/limits.h"
#include <math.h>

#define NEAR 1e-3 // relative distance below which values count as equal
#define TINY 1e-4 // least magnitude an inexact divisor may have
#define LARGE 1e6 // greatest magnitude of approximate values

struct rounding_check {
    struct cex_nodes nodes;
    bool any_rounding; // correctly rounded results count as inexact, too
    uint32_t n;
    bool *inexact; // by position
    struct cex_outcome *out;
};

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

static struct terms_of combined(const struct cex_nodes *nodes, uint32_t at)
{
    struct terms_of operands = {0, {0}};
    for (uint32_t k = 0; k < nodes_term(nodes, at)->n_args && operands.n < 3; k++) {
        uint32_t in = nodes_operand(nodes, at, k);
        if (is_machine_float(nodes_elem(nodes, in)))
            operands.at[operands.n++] = in;
    }
    return operands;
}

// Any order of adding or multiplying these, or of adding the products of two
// operands' elements, gives the same value.
static bool order_is_free(const struct rounding_check *rounding_check,
                          const struct terms_of *operands, enum op reducer, bool products)
{
    double total = reducer == OP_ADD ? 0 : 1, pairs = 1, terms = HUGE_VAL;
    for (uint32_t k = 0; k < operands->n; k++) {
        uint32_t in = operands->at[k];
        for (int64_t i = 0; i < nodes_count(&rounding_check->nodes, in); i++) {
            double x = nodes_element(&rounding_check->nodes, in, i);
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
        pairs *= nodes_most(&rounding_check->nodes, in);
        terms = fmin(terms, (double)nodes_count(&rounding_check->nodes, in));
    }
    return (products ? pairs * terms : total) <=
           precision(nodes_elem(&rounding_check->nodes, operands->at[0]));
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
        count += nodes_count(&rounding_check->nodes, in);
        for (int64_t i = 0; i < nodes_count(&rounding_check->nodes, in); i++) {
            double x = nodes_element(&rounding_check->nodes, in, i);
            if (isnan(x))
                continue; // what it enters is NaN
            own_plus |= x > 0;
            own_minus |= x < 0;
            if (reducer == OP_ADD && isinf(x))
                continue; // among terms of one sign the sum is infinite
            if (reducer == OP_MULTIPLY && !(fabs(x) >= 0.25 && fabs(x) <= 4))
                return false;
            if (fabs(x) > LARGE)
                return false;
        }
        if (products && own_plus && own_minus)
            return false;
        plus |= own_plus;
        minus |= own_minus;
    }
    return reducer == OP_MULTIPLY ? count <= 16 : products || !(plus && minus);
}

static bool apart(double a, double b)
{
    return isnan(a) || isnan(b) || fabs(a - b) > NEAR * fmax(fabs(a), fabs(b));
}

static bool jumps(enum op op)
{
    return op == OP_BITCAST_CONVERT || op_has(op, LAW_JUMPS);
}

// Does operator `op` keep the error of inexact operands small at one result element?
static bool step_is_safe(enum op op, double a, double b, double r)
{
    switch (op) {
    case OP_ADD:
        return !isfinite(a) || !isfinite(b) || fabs(r) >= NEAR * fmax(fabs(a), fabs(b));
    case OP_SUBTRACT:
        return !isfinite(a) || !isfinite(b) || fabs(r) >= NEAR * fmax(fabs(a), fabs(b));
    case OP_DIVIDE:
        return fabs(b) >= TINY;
    case OP_COMPARE:
        return apart(a, b);
    case OP_LOG:
    case OP_LOG_PLUS_ONE:
        return fabs(r) >= NEAR && fabs(a) >= TINY;
    case OP_SINE:
    case OP_COSINE:
        return fabs(a) <= 1e3 && fabs(r) >= NEAR;
    case OP_SQRT:
    case OP_RSQRT:
    case OP_CBRT:
    case OP_EXPONENTIAL_MINUS_ONE:
    case OP_POWER:
        return fabs(a) >= TINY;
    case OP_ABS:
    case OP_CEIL:
    case OP_ERF:
    case OP_EXPONENTIAL:
    case OP_FLOOR:
    case OP_IMAG:
    case OP_LOGISTIC:
    case OP_NEGATE:
    case OP_REAL:
    case OP_ROUND_NEAREST_AFZ:
    case OP_ROUND_NEAREST_EVEN:
    case OP_SIGN:
    case OP_TAN:
    case OP_TANH:
    case OP_ATAN2:
    case OP_MAXIMUM:
    case OP_MINIMUM:
    case OP_MULTIPLY:
    case OP_REMAINDER:
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
        LEAF_CASES
        BITS_UNARY_CASES
        BITS_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return true;
}

static bool operands_inexact(const struct rounding_check *rounding_check, uint32_t at)
{
    for (uint32_t k = 0; k < nodes_term(&rounding_check->nodes, at)->n_args; k++)
        if (rounding_check->inexact[nodes_operand(&rounding_check->nodes, at, k)])
            return true;
    return false;
}

static bool elements_are_safe(const struct rounding_check *rounding_check, uint32_t at)
{
    const struct cex_nodes *nodes = &rounding_check->nodes;
    const struct term *node = nodes_term(nodes, at);
    uint32_t a = nodes_operand(nodes, at, 0);
    uint32_t b = node->n_args > 1 ? nodes_operand(nodes, at, 1) : a;
    for (int64_t i = 0; i < nodes_count(nodes, at); i++)
        if (!step_is_safe((enum op)node->op, nodes_element(nodes, a, i), nodes_element(nodes, b, i),
                          nodes_element(nodes, at, i)))
            return false;
    return true;
}

static bool sum_is_safe(struct rounding_check *rounding_check, uint32_t at, enum op reducer,
                        bool products)
{
    struct terms_of operands = combined(&rounding_check->nodes, at);
    bool before = operands_inexact(rounding_check, at);
    rounding_check->inexact[at] = before;
    if (!before && order_is_free(rounding_check, &operands, reducer, products))
        return true;
    // The interpreter's order is admissible if it is an order of the axes.
    if (!before && rounding_check->nodes.evaluator->in_order) {
        rounding_check->out->ordered = true;
        return true;
    }
    rounding_check->inexact[at] = true;
    return order_is_harmless(rounding_check, &operands, reducer, products);
}

// Are all results the correctly rounded ones?  Then an admissible implementation computes
// them, and a difference counts.
static bool rounds_right(struct rounding_check *rounding_check, uint32_t at)
{
    const struct cex_nodes *nodes = &rounding_check->nodes;
    const struct term *node = nodes_term(nodes, at);
    enum op op = (enum op)node->op;
    enum elem elem = nodes_elem(nodes, at);
    uint32_t a = nodes_operand(nodes, at, 0);
    uint32_t b = node->n_args > 1 ? nodes_operand(nodes, at, 1) : a;
    const struct value *value = &nodes->plan->value.at[at];
    bool one = type_rank(&nodes->evaluator->pool, value->type) == 0, known = false;
    for (int64_t i = 0; i < nodes_count(nodes, at); i++)
        if (!cex_rounds_right(op, elem, nodes_element(nodes, a, i), nodes_element(nodes, b, i),
                              scalar_load(elem, value->data, one ? 0 : (size_t)i)))
            return false;
    for (uint32_t i = 0; i < rounding_check->out->n_rounded; i++)
        known |= rounding_check->out->rounded[i] == op;
    if (!known && rounding_check->out->n_rounded < VERIFY_CEX_ROUNDED)
        rounding_check->out->rounded[rounding_check->out->n_rounded++] = op;
    return true;
}

// Are the bits of a NaN the machine's choice?  They are, unless the NaN was an operand.
static bool bits_are_open(const struct cex_nodes *nodes, uint32_t at)
{
    uint32_t in = nodes_operand(nodes, at, 0);
    enum op op = (enum op)nodes_term(nodes, in)->op;
    if (!is_machine_float(nodes_elem(nodes, in)) || op == OP_PARAMETER || op == OP_CONSTANT ||
        op == OP_BITCAST_CONVERT)
        return false;
    for (int64_t i = 0; i < nodes_count(nodes, in); i++)
        if (isnan(nodes_element(nodes, in, i)))
            return true;
    return false;
}

// Marks the node.  Returns false if the candidate decides nothing.
static bool node_is_safe(struct rounding_check *rounding_check, uint32_t at)
{
    const struct cex_nodes *nodes = &rounding_check->nodes;
    enum op op = (enum op)nodes_term(nodes, at)->op;
    bool floats = is_machine_float(nodes_elem(nodes, at));
    bool products;
    enum op reducer = nodes_reducer(nodes, at, &products);
    if (floats && reducer != N_OPS)
        return sum_is_safe(rounding_check, at, reducer, products);
    if (op == OP_PARAMETER || op == OP_CONSTANT || op == OP_IOTA)
        return true;
    if (op == OP_BITCAST_CONVERT && bits_are_open(nodes, at))
        return false;
    bool before = operands_inexact(rounding_check, at);
    rounding_check->inexact[at] = floats && before;
    if (nodes_is_move(nodes, at))
        return true;
    if (before &&
        (jumps(op) || (op == OP_CONVERT && !floats) || !elements_are_safe(rounding_check, at)))
        return false;
    // The square root of IEEE floats is exactly rounded.
    bool open = op_is_transcendental(op) && op != OP_SQRT && floats;
    if (open && !rounding_check->any_rounding && !rounding_check->inexact[at])
        open = !rounds_right(rounding_check, at);
    if (open)
        rounding_check->inexact[at] = true;
    return true;
}

static double tolerance(enum elem elem)
{
    return elem == ELEM_BF16 ? 0.25 : elem == ELEM_F16 ? 0.05 : NEAR;
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
        return isfinite(a) && isfinite(b) && scale >= TINY && fabs(a - b) > NEAR * scale &&
               fabs(a - b) > 2 * outcome->off;
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
static bool leaves_open(const struct cex_nodes *nodes)
{
    for (uint32_t i = 0; i < nodes->plan->node.len; i++) {
        const struct term *node = nodes_term(nodes, i);
        if (node->op == OP_BITCAST_CONVERT)
            return true;
        if (!is_machine_float(type_elem(&nodes->evaluator->pool, node->type)))
            continue;
        bool products;
        if (nodes_reducer(nodes, i, &products) != N_OPS || op_is_transcendental((enum op)node->op))
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

static struct rounding_check check_of(struct cex_nodes nodes, struct arena *mem,
                                      struct cex_outcome *out)
{
    uint32_t n = nodes.plan->node.len;
    return (struct rounding_check){
        .nodes = nodes, .n = n, .inexact = ARENA_NEW(mem, bool, n), .out = out};
}

static enum cex_weight weigh_reals(const struct cex_nodes *nodes, struct arena *mem,
                                   struct cex_outcome *out)
{
    double *off = ARENA_NEW(mem, double, nodes->plan->node.len);
    if (!nodes_real_errors(nodes, off))
        return CEX_NOTHING;
    out->off = off[nodes_place(nodes, nodes->evaluator->lhs)] +
               off[nodes_place(nodes, nodes->evaluator->rhs)];
    return out->off > 0 ? CEX_FAR : CEX_EXACT;
}

enum cex_weight cex_weigh(const struct cex_evaluator *cex_evaluator,
                          const struct cex_case *candidate, struct arena *mem,
                          struct cex_outcome *out)
{
    struct cex_nodes nodes = {cex_evaluator, &cex_evaluator->sides};
    out->n_rounded = 0;
    if (candidate->approximate)
        return weigh_reals(&nodes, mem, out);
    if (!leaves_open(&nodes))
        return CEX_EXACT;
    struct rounding_check rounding_check = check_of(nodes, mem, out);
    if (!all_safe(&rounding_check))
        return CEX_NOTHING;
    bool open = rounding_check.inexact[nodes_place(&nodes, cex_evaluator->lhs)] ||
                rounding_check.inexact[nodes_place(&nodes, cex_evaluator->rhs)];
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
    struct cex_nodes nodes = {cex_evaluator, &cex_evaluator->conditions};
    if (candidate->approximate)
        return nodes_real_errors(&nodes, ARENA_NEW(mem, double, nodes.plan->node.len));
    if (!leaves_open(&nodes))
        return true;
    struct cex_outcome before = *out;
    struct rounding_check rounding_check = check_of(nodes, mem, out);
    rounding_check.any_rounding = true;
    if (all_safe(&rounding_check) && out->ordered == before.ordered)
        return true;
    *out = before;
    rounding_check.any_rounding = false;
    return all_safe(&rounding_check);
}
