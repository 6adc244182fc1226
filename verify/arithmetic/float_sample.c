// SPDX-License-Identifier: Apache-2.0
// Values of both elements of a leaf at a few floats of 16 bits, before the solver is asked
// (docs/proving.md, The domain float): it would look for such a difference among circuits.
//
// S3  A leaf that the interpreter finds false at one choice of its unknowns has no proof.  What is
//     left out for that is a question that fails, so a mistake here costs a verdict, and never
//     makes one `proved`.
#include "base/rng.h"
#include "tensor/eval/eval.h"
#include "verify/arithmetic/float_identities.h"
#include "verify/arithmetic/machine_leaf.h"
#include <math.h>

#define ELEM ELEM_F16
#define SIGN_BIT UINT64_C(0x8000)

// How unknowns are chosen, in turn.
enum manner { MANNER_SMALL, MANNER_ROUNDED, MANNER_SPECIAL, MANNER_ENDS, MANNER_ANY, N_MANNERS };

enum value_state { VALUE_OPEN, VALUE_KNOWN, VALUE_NONE };

struct sampling {
    const struct session *session;
    struct scalar *value; // by expression
    enum value_state *state;
    struct rng rng;
    enum manner manner;
    struct scalar last; // number chosen
};

static bool value_of(struct sampling *sampling, expr_id e, struct scalar *out);

static bool is_truth(const struct sampling *sampling, uint32_t type)
{
    return emit_type_is_bool(sampling->session->rule, type);
}

static struct scalar number(struct sampling *sampling)
{
    static const double special[] = {0,   1,    2,     0.5,     1.0 / 3, 0.1,
                                     100, 2049, 65504, 0x1p-24, 0x1p-14};
    static const uint64_t ends[] = {0x7c00, 0x7bff, 1, 0x3c00}; // bits of f16
    struct rng *rng = &sampling->rng;
    uint64_t sign = rng_below(rng, 2) ? SIGN_BIT : 0, bits;
    if (rng_below(rng, 4) == 0) // the last number or its negative: many conditions equate two
        return (struct scalar){.bits = sampling->last.bits ^ (rng_below(rng, 2) ? SIGN_BIT : 0)};
    switch (sampling->manner) {
    case MANNER_SMALL:
        return scalar_of_double(ELEM, (double)rng_range(rng, -6, 6) / 2);
    case MANNER_ROUNDED: // all digits, between 1/16 and 16
        bits = (11 + rng_below(rng, 8)) << 10 | rng_below(rng, 1 << 10);
        return (struct scalar){.bits = bits | sign};
    case MANNER_SPECIAL:
        bits = rng_below(rng, sizeof special / sizeof *special + 2);
        if (bits < sizeof special / sizeof *special)
            bits = scalar_of_double(ELEM, special[bits]).bits;
        else
            bits = scalar_highest(ELEM).bits + (bits & 1); // infinite, NaN
        return (struct scalar){.bits = bits | sign};
    case MANNER_ENDS: // infinity, the numbers beside it and beside 0, 1
        bits = ends[rng_below(rng, sizeof ends / sizeof *ends)];
        return (struct scalar){.bits = bits | sign};
    default:
        return (struct scalar){.bits = rng_below(rng, 1 << 16)};
    }
}

static struct scalar unknown(struct sampling *sampling, uint32_t type)
{
    if (is_truth(sampling, type))
        return (struct scalar){.bits = rng_below(&sampling->rng, 2)};
    return sampling->last = number(sampling);
}

static bool literal(const struct sampling *sampling, const struct expr *node, struct scalar *out)
{
    bool end = node->op == LIT_LOWEST || node->op == LIT_HIGHEST;
    if (!is_truth(sampling, node->type)) {
        *out = scalar_of_double(ELEM, literal_number(node));
        return end || node->op == LIT_INT || node->op == LIT_DECIMAL;
    }
    out->bits = end ? node->op == LIT_HIGHEST : (uint64_t)node->k & 1;
    return end || node->op == LIT_INT || node->op == LIT_BOOL;
}

static bool apply(struct sampling *sampling, const struct expr *node, expr_id e, struct scalar *out)
{
    struct scalar args[3] = {{0}};
    struct err err = {0};
    if (node->n < 1 || node->n > 3)
        return false;
    for (uint32_t i = 0; i < node->n; i++)
        if (!value_of(sampling, expr_arg(&sampling->session->exprs, e, i), &args[i]))
            return false;
    uint32_t type =
        expr_at(&sampling->session->exprs, expr_arg(&sampling->session->exprs, e, 0))->type;
    enum elem from = is_truth(sampling, type) ? ELEM_I1 : ELEM;
    enum elem to = is_truth(sampling, node->type) ? ELEM_I1 : ELEM;
    if (node->op == OP_SELECT)
        *out = args[0].bits != 0 ? args[1] : args[2];
    else if (node->op == OP_COMPARE)
        out->bits = eval_compare((enum compare_dir)node->sym, CMPT_FLOAT, from, args[0], args[1]);
    else if (node->op == OP_IS_FINITE)
        out->bits = isfinite(scalar_to_double(ELEM, args[0])) != 0;
    else if (node->op == OP_CONVERT)
        return eval_convert(from, to, args[0], out, &err);
    else if (node->n == 1)
        return eval_unary((enum op)node->op, from, args[0], out, &err);
    else
        return node->n == 2 && eval_binary((enum op)node->op, from, args[0], args[1], out, &err);
    return true;
}

static bool value_of(struct sampling *sampling, expr_id e, struct scalar *out)
{
    const struct session *session = sampling->session;
    const struct expr *node = expr_at(&session->exprs, e);
    bool known =
        is_truth(sampling, node->type) || type_in_domain(session->rule, node->type, DOMAIN_FLOAT);
    *out = (struct scalar){0};
    if (sampling->state[e] != VALUE_OPEN) {
        *out = sampling->value[e];
        return sampling->state[e] == VALUE_KNOWN;
    }
    if (known && (node->kind == X_ATOM || node->kind == X_SCALAR))
        *out = unknown(sampling, node->type);
    else if (known && node->kind == X_LITERAL)
        known = literal(sampling, node, out);
    else
        known = known && node->kind == X_OP && apply(sampling, node, e, out);
    sampling->state[e] = known ? VALUE_KNOWN : VALUE_NONE;
    sampling->value[e] = *out;
    return known;
}

// Do both elements agree, as exactly as the grade asks?
static bool agree(const struct sampling *sampling, uint32_t type, struct scalar a, struct scalar b)
{
    enum grade goal = sampling->session->goal;
    if (is_truth(sampling, type))
        return a.bits == b.bits;
    if (scalar_is_nan(ELEM, a) || scalar_is_nan(ELEM, b))
        return scalar_is_nan(ELEM, a) && scalar_is_nan(ELEM, b);
    return a.bits == b.bits || ((goal == GRADE_ZERO_SIGN || goal == GRADE_FINITE_ZERO_SIGN) &&
                                ((a.bits | b.bits) & ~SIGN_BIT) == 0);
}

// Is the sample one of the leaf's: does it meet the conditions, and are all numbers finite, if the
// grade is about those?
static bool is_admitted(struct sampling *sampling, const struct leaf *leaf,
                        const struct leaf_survey *survey)
{
    const struct session *session = sampling->session;
    bool finite = session->goal == GRADE_FINITE || session->goal == GRADE_FINITE_ZERO_SIGN;
    struct scalar value;
    for (uint32_t i = 0; i < leaf->holds.len; i++) {
        expr_id e = leaf->holds.at[i];
        if (expr_at(&session->exprs, e)->kind != X_HOLDS ||
            !value_of(sampling, expr_arg(&session->exprs, e, 0), &value) || value.bits == 0)
            return false;
    }
    for (uint32_t i = 0; i < survey->n_sides && finite; i++) {
        expr_id e = survey->all.at[i];
        if (expr_sort(&session->exprs, e) == SORT_ELEM &&
            (!value_of(sampling, e, &value) ||
             (!is_truth(sampling, expr_at(&session->exprs, e)->type) &&
              !isfinite(scalar_to_double(ELEM, value)))))
            return false;
    }
    return true;
}

enum leaf_samples leaf_sample_floats(const struct session *session, const struct leaf *leaf,
                                     const struct leaf_survey *survey)
{
    uint32_t n = session->exprs.node.len;
    uint32_t type = expr_at(&session->exprs, leaf->lhs)->type;
    struct sampling sampling = {.session = session};
    enum leaf_samples found = SAMPLES_NONE;
    struct scalar a, b;
    sampling.value = mem_alloc(n * sizeof *sampling.value);
    sampling.state = mem_alloc(n * sizeof *sampling.state);
    rng_seed(&sampling.rng, 1);
    for (uint32_t i = 0; i < VERIFY_FLOAT_SAMPLES && found != SAMPLES_DIFFER; i++) {
        sampling.manner = (enum manner)(i % N_MANNERS);
        for (uint32_t k = 0; k < survey->all.len; k++)
            sampling.state[survey->all.at[k]] = VALUE_OPEN;
        if (!value_of(&sampling, leaf->lhs, &a) || !value_of(&sampling, leaf->rhs, &b))
            break; // an operator that has no value here, nor at other numbers
        if (!is_admitted(&sampling, leaf, survey))
            continue;
        found = agree(&sampling, type, a, b) ? SAMPLES_AGREE : SAMPLES_DIFFER;
    }
    mem_free(sampling.value);
    mem_free(sampling.state);
    return found;
}
