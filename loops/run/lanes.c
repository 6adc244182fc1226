// SPDX-License-Identifier: Apache-2.0
// All lanes of the operators that kernels are full of: cell.c does the same, a lane at a time.
#include "loops/run/run.h"
#include <math.h>

struct all_lanes {
    const struct exec_cell *a, *b;
    struct exec_cell *out;
    uint32_t n;
};

#define EACH_LANE(field, expression)                                                               \
    for (uint32_t i = 0; i < all->n; i++) {                                                        \
        all->out[i].undefined = all->a[i].undefined | all->b[i].undefined;                         \
        all->out[i].field = (expression);                                                          \
    }                                                                                              \
    return true
#define A(field) all->a[i].field
#define B(field) all->b[i].field

static bool real_lanes(const struct all_lanes *all, enum code_op op)
{
    switch (op) {
    case CODE_ADD:
        EACH_LANE(real, A(real) + B(real));
    case CODE_SUBTRACT:
        EACH_LANE(real, A(real) - B(real));
    case CODE_MULTIPLY:
        EACH_LANE(real, A(real) * B(real));
    case CODE_MAXIMUM:
        EACH_LANE(real, fmax(A(real), B(real)));
    default:
        return false;
    }
}

// Of integers and truth values whose result cannot leave the type, or leaves it in no lane.
static bool whole_lanes(const struct all_lanes *all, enum code_op op)
{
    switch (op) {
    case CODE_AND:
        EACH_LANE(whole, A(whole) & B(whole));
    case CODE_OR:
        EACH_LANE(whole, A(whole) | B(whole));
    case CODE_LESS:
        EACH_LANE(whole, A(whole) < B(whole));
    case CODE_LESS_EQUAL:
        EACH_LANE(whole, A(whole) <= B(whole));
    case CODE_EQUAL:
        EACH_LANE(whole, A(whole) == B(whole));
    case CODE_ADD:
        EACH_LANE(whole, A(whole) + B(whole));
    case CODE_SUBTRACT:
        EACH_LANE(whole, A(whole) - B(whole));
    case CODE_MULTIPLY:
        EACH_LANE(whole, A(whole) * B(whole));
    default:
        return false;
    }
}

// Are all integers below 2^bits, and above its negative?
static bool are_small(const struct exec_cell *a, uint32_t n, unsigned bits)
{
    uint64_t beyond = 0;
    for (uint32_t i = 0; i < n; i++)
        beyond |= (uint64_t)(a[i].whole < 0 ? ~a[i].whole : a[i].whole) >> bits;
    return beyond == 0;
}

bool exec_apply_all(struct execution *run, const struct code_node *node, const struct exec_cell *a,
                    const struct exec_cell *b, struct exec_tile *out)
{
    struct all_lanes all = {a, b, out->at, out->n};
    enum code_op op = (enum code_op)node->op;
    const struct code_type *from =
        &code_node(run->program, run->program->operand.at[node->at])->type;
    if (from->kind == CODE_REAL)
        return node->type.kind == CODE_REAL && real_lanes(&all, op);
    bool sum = op == CODE_ADD || op == CODE_SUBTRACT;
    if (node->type.kind == CODE_INT && (sum || op == CODE_MULTIPLY)) {
        unsigned bits = sum ? node->type.bits - 2u : node->type.bits / 2u - 1;
        if (!are_small(a, out->n, bits) || !are_small(b, out->n, bits))
            return false;
    }
    return whole_lanes(&all, op);
}
