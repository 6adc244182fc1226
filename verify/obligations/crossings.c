// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/crossings.h"

#include <math.h>

void crossings_compared(const struct eval_env *env, const struct u32_vec *conds,
                        struct u32_vec *out)
{
    for (uint32_t c = 0; c < conds->len; c++) {
        struct u32_vec reach = {0};
        expr_reach(env->exprs, conds->at[c], &reach);
        for (uint32_t i = 0; i < reach.len && out->len < VERIFY_CROSSINGS; i++) {
            const struct expr *node = expr_at(env->exprs, reach.at[i]);
            if (node->kind != X_OP || node->op != OP_COMPARE)
                continue;
            uint32_t type = expr_at(env->exprs, expr_arg(env->exprs, reach.at[i], 0))->type;
            if (env->elem[type] == ELEM_F64)
                vec_push(out, reach.at[i]);
        }
        vec_release(&reach);
    }
}

// The difference of the sides with the element at x; NaN where a side has no value.
static double gap(const struct eval_env *env, expr_id comparison, struct scalar *element, double x)
{
    struct scalar side[2];
    *element = scalar_of_double(ELEM_F64, x);
    for (uint32_t i = 0; i < 2; i++)
        if (!eval_elem(env, expr_arg(env->exprs, comparison, i), &side[i]))
            return (double)NAN;
    return scalar_to_double(ELEM_F64, side[0]) - scalar_to_double(ELEM_F64, side[1]);
}

// The places in ascending order: 0, and powers of two of either sign.
static double place(uint32_t i)
{
    const uint32_t half = VERIFY_CROSSING_PLACES;
    if (i < half)
        return -ldexp(1, VERIFY_CROSSING_EXPONENT - (int)i);
    return i == half ? 0 : ldexp(1, VERIFY_CROSSING_EXPONENT + 1 - (int)(2 * half + 1 - i));
}

// A number between two at which the difference has different signs.
static double bisect(const struct eval_env *env, expr_id comparison, struct scalar *element,
                     double low, double high)
{
    bool positive = gap(env, comparison, element, low) > 0;
    for (uint32_t k = 0; k < VERIFY_CROSSING_STEPS; k++) {
        double middle = low + (high - low) / 2;
        if ((gap(env, comparison, element, middle) > 0) == positive)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void insert(struct crossings *out, double x)
{
    uint32_t i = out->n;
    if (out->n == VERIFY_CROSSINGS)
        return;
    for (; i > 0 && out->at[i - 1] > x; i--)
        out->at[i] = out->at[i - 1];
    out->at[i] = x;
    out->n++;
}

void crossings_along(const struct eval_env *env, const struct u32_vec *comparisons,
                     struct scalar *element, struct crossings *out)
{
    struct scalar before = *element;
    out->n = 0;
    for (uint32_t c = 0; c < comparisons->len; c++) {
        double last = (double)NAN;
        for (uint32_t i = 0; i <= 2 * VERIFY_CROSSING_PLACES; i++) {
            double now = gap(env, comparisons->at[c], element, place(i));
            if (!isnan(last) && !isnan(now) && (last > 0) != (now > 0))
                insert(out, bisect(env, comparisons->at[c], element, place(i - 1), place(i)));
            last = now;
        }
    }
    *element = before;
}

// Of each crossing: the next integers, numbers a little less and more, and the middle between it
// and the next one.
bool crossings_near(const struct crossings *crossings, uint32_t k, double *out)
{
    enum { NEAR = 7 };
    uint32_t i = k / NEAR;
    if (i >= crossings->n)
        return false;
    double x = crossings->at[i], next = i + 1 < crossings->n ? crossings->at[i + 1] : x;
    double far = fmax(fabs(x), 1) / 64, little = fmax(fabs(x), 1) / (1 << 20);
    double near[NEAR] = {x + (next - x) / 2, floor(x),  floor(x) + 1, x - far, x + far,
                         x - little,         x + little};
    *out = near[k % NEAR];
    return true;
}
