// SPDX-License-Identifier: Apache-2.0
// Values of both elements of a leaf at a few reals, before the solver is asked
// (docs/proving.md, samples): it would go through many laws of products for nothing.
//
// S1  Elements that differ at two samples which meet the conditions are not equal.  What is
//     left out for that is a question that has no proof, so a mistake here costs a verdict, and
//     never makes one `proved`.
// S2  Only operators without jumps count, so that rounding makes small differences alone.
#include "base/rng.h"
#include "tensor/eval/eval.h"
#include "verify/arithmetic/leaf.h"
#include "verify/limits.h"
#include <math.h>

#define DIFFERS 1e-4 // beside the magnitudes of both

struct sampling {
    const struct exprs *exprs;
    double *value; // by expression
    bool *known;   // of the sample at hand
    struct rng rng;
    bool positive; // unknowns are from 0 to 2, else from -2 to 2
};

static bool value_of(struct sampling *sampling, expr_id e, double *out);

static bool is_smooth(enum op op)
{
    return op_is_transcendental(op) || op == OP_ADD || op == OP_SUBTRACT || op == OP_MULTIPLY ||
           op == OP_DIVIDE || op == OP_NEGATE || op == OP_ABS || op == OP_MAXIMUM ||
           op == OP_MINIMUM;
}

static bool apply(struct sampling *sampling, const struct expr *node, expr_id e, double *out)
{
    double args[2] = {0, 0};
    struct scalar result, a, b;
    struct err err = {0};
    if (!is_smooth((enum op)node->op) || node->n < 1 || node->n > 2)
        return false;
    for (uint32_t i = 0; i < node->n; i++)
        if (!value_of(sampling, expr_arg(sampling->exprs, e, i), &args[i]))
            return false;
    a = scalar_of_double(ELEM_F64, args[0]);
    b = scalar_of_double(ELEM_F64, args[1]);
    if (!(node->n == 1 ? eval_unary((enum op)node->op, ELEM_F64, a, &result, &err)
                       : eval_binary((enum op)node->op, ELEM_F64, a, b, &result, &err)))
        return false;
    *out = scalar_to_double(ELEM_F64, result);
    return isfinite(*out);
}

static double unknown(struct sampling *sampling)
{
    double size = 2 * rng_unit(&sampling->rng);
    return sampling->positive || rng_below(&sampling->rng, 2) ? size : -size;
}

static bool value_of(struct sampling *sampling, expr_id e, double *out)
{
    const struct expr *node = expr_at(sampling->exprs, e);
    bool done = true;
    *out = 0;
    if (sampling->known[e]) {
        *out = sampling->value[e];
        return true;
    }
    if (node->kind == X_ATOM)
        *out = unknown(sampling);
    else if (node->kind == X_LITERAL && node->op == LIT_INT)
        *out = (double)node->k;
    else if (node->kind == X_LITERAL && node->op == LIT_DECIMAL)
        *out = (double)node->k / pow(10, node->sym);
    else
        done = node->kind == X_OP && apply(sampling, node, e, out);
    sampling->known[e] = done;
    sampling->value[e] = *out;
    return done;
}

// Does the sample meet the condition, with room to spare?
static bool meets(struct sampling *sampling, expr_id condition)
{
    const struct exprs *exprs = sampling->exprs;
    const struct expr *is = expr_at(exprs, condition);
    expr_id e = is->kind == X_HOLDS ? expr_arg(exprs, condition, 0) : condition;
    double a, b;
    is = expr_at(exprs, e);
    if (is->kind != X_OP || is->op != OP_COMPARE ||
        !value_of(sampling, expr_arg(exprs, e, 0), &a) ||
        !value_of(sampling, expr_arg(exprs, e, 1), &b) || fabs(a - b) < DIFFERS)
        return false;
    switch ((enum compare_dir)is->sym) {
    case CMP_NE:
        return true;
    case CMP_GE:
    case CMP_GT:
        return a > b;
    case CMP_LE:
    case CMP_LT:
        return a < b;
    case CMP_EQ:
        break;
    }
    return false;
}

static bool differs_here(struct sampling *sampling, const struct leaf *leaf)
{
    double a, b;
    memset(sampling->known, 0, sampling->exprs->node.len * sizeof *sampling->known);
    for (uint32_t i = 0; i < leaf->holds.len; i++)
        if (!meets(sampling, leaf->holds.at[i]))
            return false;
    return value_of(sampling, leaf->lhs, &a) && value_of(sampling, leaf->rhs, &b) &&
           fabs(a - b) > DIFFERS * (1 + fabs(a) + fabs(b));
}

bool leaf_differs(const struct session *session, const struct leaf *leaf)
{
    uint32_t n = session->exprs.node.len, differ = 0;
    struct sampling sampling = {.exprs = &session->exprs};
    if (leaf->below.len > 0 ||
        !type_in_domain(session->rule, expr_at(&session->exprs, leaf->lhs)->type, DOMAIN_REAL))
        return false;
    sampling.value = mem_alloc(n * sizeof *sampling.value);
    sampling.known = mem_alloc(n * sizeof *sampling.known);
    rng_seed(&sampling.rng, 1);
    for (uint32_t i = 0; i < VERIFY_SAMPLES && differ < 2; i++) {
        sampling.positive = i % 2 == 0;
        differ += differs_here(&sampling, leaf);
    }
    mem_free(sampling.value);
    mem_free(sampling.known);
    return differ == 2;
}
