// SPDX-License-Identifier: Apache-2.0
// Floats that stand for real numbers: how far the elements of each node may be from them.
#include "verify/counterexample/rounding/nodes.h"
#include "verify/symbolic/real_error.h"

static bool is_float(const struct cex_nodes *nodes, uint32_t at)
{
    return is_machine_float(nodes_elem(nodes, at));
}

static bool in_range(const struct cex_nodes *nodes, uint32_t at)
{
    for (int64_t i = 0; is_float(nodes, at) && i < nodes_count(nodes, at); i++)
        if (!(fabs(nodes_element(nodes, at, i)) <= REAL_LARGE))
            return false;
    return true;
}

static bool all_short(const struct cex_nodes *nodes, uint32_t at)
{
    for (int64_t i = 0; i < nodes_count(nodes, at); i++)
        if (!real_is_short(nodes_element(nodes, at, i)))
            return false;
    return true;
}

// The greatest error among the operands that are floats.
static double of_operands(const struct cex_nodes *nodes, const double *off, uint32_t at)
{
    double most = 0;
    for (uint32_t k = 0; k < nodes_term(nodes, at)->n_args; k++)
        most = fmax(most, off[nodes_operand(nodes, at, k)]);
    return most;
}

// ---- sums and products of many elements

static bool is_exact_sum(const struct cex_nodes *nodes, const double *off, uint32_t at)
{
    bool exact = of_operands(nodes, off, at) == 0 && all_short(nodes, at);
    for (uint32_t k = 0; exact && k < nodes_term(nodes, at)->n_args; k++) {
        uint32_t in = nodes_operand(nodes, at, k);
        exact = !is_float(nodes, in) || all_short(nodes, in);
    }
    return exact;
}

// At most as many terms as an operand has elements; each of them, and each partial sum, is off.
static double of_sum(const struct cex_nodes *nodes, const double *off, uint32_t at, bool products)
{
    double terms = 0, most = 1, operand = 0, error = of_operands(nodes, off, at), sum;
    for (uint32_t k = 0; k < nodes_term(nodes, at)->n_args; k++) {
        uint32_t in = nodes_operand(nodes, at, k);
        double greatest = nodes_most(nodes, in) + off[in];
        terms = fmax(terms, (double)nodes_count(nodes, in));
        operand = fmax(operand, greatest);
        most = products ? most * fmax(greatest, 1) : fmax(most, greatest);
    }
    terms += 1; // the initial value
    sum = terms * most;
    return is_exact_sum(nodes, off, at) && sum <= REAL_LARGE
               ? 0
               : terms * (error * (products ? 2 * fmax(operand, 1) : 1) + real_rounding(sum));
}

// Factors keep their relative errors, which add up.
static double of_product(const struct cex_nodes *nodes, const double *off, uint32_t at)
{
    double relative = 0, terms = 0;
    if (is_exact_sum(nodes, off, at))
        return 0;
    for (uint32_t k = 0; k < nodes_term(nodes, at)->n_args; k++) {
        uint32_t in = nodes_operand(nodes, at, k);
        for (int64_t i = 0; i < nodes_count(nodes, in); i++) {
            double least = fabs(nodes_element(nodes, in, i)) - off[in];
            relative += off[in] == 0 ? REAL_UNIT : off[in] / least + REAL_UNIT;
            if (off[in] > 0 && !(least > 0))
                return REAL_UNKNOWN;
        }
        terms += (double)nodes_count(nodes, in);
    }
    return nodes_most(nodes, at) * expm1(relative) + terms * REAL_LEAST;
}

// ---- one node

static struct real_operand operand_of(const struct cex_nodes *nodes, const double *off, uint32_t at,
                                      uint32_t k, int64_t i)
{
    uint32_t in = nodes_operand(nodes, at, k);
    return (struct real_operand){nodes_element(nodes, in, i), off[in]};
}

static double of_element(const struct cex_nodes *nodes, const double *off, uint32_t at, int64_t i)
{
    const struct term *node = nodes_term(nodes, at);
    enum op op = (enum op)node->op;
    double r = is_float(nodes, at) ? nodes_element(nodes, at, i) : 0;
    uint32_t last = node->n_args - 1;
    struct real_operand a = operand_of(nodes, off, at, last > 1 ? 1 : 0, i);
    struct real_operand b = operand_of(nodes, off, at, last, i);
    if (op == OP_CONVERT && !is_float(nodes, at) && a.off > 0)
        return REAL_UNKNOWN;
    // A clamp is one of its operands.
    return op == OP_CLAMP ? of_operands(nodes, off, at) : real_error(op, a, b, r);
}

static double of_elements(const struct cex_nodes *nodes, const double *off, uint32_t at)
{
    double most = 0;
    for (int64_t i = 0; i < nodes_count(nodes, at); i++)
        most = fmax(most, of_element(nodes, off, at, i));
    return most;
}

static double of_node(const struct cex_nodes *nodes, const double *off, uint32_t at)
{
    enum op op = (enum op)nodes_term(nodes, at)->op;
    bool floats = is_float(nodes, at), products;
    enum op reducer = nodes_reducer(nodes, at, &products);
    if (op == OP_CONSTANT)
        return !floats || all_short(nodes, at) ? 0 : real_rounding(nodes_most(nodes, at));
    if (op == OP_PARAMETER || op == OP_IOTA)
        return 0;
    if (floats && reducer == OP_ADD)
        return of_sum(nodes, off, at, products);
    if (floats && reducer == OP_MULTIPLY)
        return of_product(nodes, off, at);
    if (nodes_is_move(nodes, at))
        return floats ? of_operands(nodes, off, at) : 0;
    if (op_is_elementwise(op))
        return of_elements(nodes, off, at);
    return of_operands(nodes, off, at) == 0 && !floats ? 0 : REAL_UNKNOWN;
}

bool nodes_real_errors(const struct cex_nodes *nodes, double *off)
{
    for (uint32_t i = 0; i < nodes->plan->node.len; i++) {
        enum op op = (enum op)nodes_term(nodes, i)->op;
        off[i] = of_node(nodes, off, i);
        bool given = op == OP_PARAMETER || op == OP_CONSTANT;
        if (!(off[i] < REAL_UNKNOWN) || (!given && !in_range(nodes, i)))
            return false;
    }
    return true;
}
