// SPDX-License-Identifier: Apache-2.0
// Maps from equations: a bare map in an attribute is bound, and so is the only
// unknown map of a sum, difference or product.  Everything is compared again
// once all maps are known.
#include "egraph/match/pattern.h"

#include "rules/conditions.h"

struct map_values map_values_new(const struct rule *rule, struct arena *mem)
{
    struct map_values values;
    values.value = ARENA_NEW(mem, int64_t, rule->n_maps);
    values.at = ARENA_NEW(mem, int64_t *, rule->n_maps);
    values.known = ARENA_NEW(mem, bool, rule->n_maps);
    values.start = ARENA_NEW(mem, uint32_t, rule->n_maps);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        values.at[m] = &values.value[m];
    return values;
}

bool iexp_is_index(const struct rule *rule, const struct iexp *expr)
{
    return expr->op == IE_MAP && rule->maps[expr->map].index && rule->maps[expr->map].def == NULL;
}

// Occurrences of unknown maps, up to 2; a let counts as what it stands for.
unsigned iexp_unknowns(const struct rule *rule, const struct iexp *expr,
                       const struct map_values *values)
{
    if (expr == NULL || expr->op == IE_CONST)
        return 0;
    if (expr->op == IE_MAP) {
        if (values->known[expr->map])
            return 0;
        const struct iexp *def = rule->maps[expr->map].def;
        return def == NULL ? 1 : iexp_unknowns(rule, def, values);
    }
    unsigned n = iexp_unknowns(rule, expr->a, values);
    return n >= 2 ? 2 : n + iexp_unknowns(rule, expr->b, values);
}

// Value of an expression without unknowns; lets may not be computed yet.
static bool evaluate(const struct rule *rule, const struct iexp *expr,
                     const struct map_values *values, int64_t *out)
{
    if (expr->op == IE_MAP && !values->known[expr->map])
        return evaluate(rule, rule->maps[expr->map].def, values, out);
    if (expr->op == IE_CONST || expr->op == IE_MAP)
        return iexp_eval(expr, values->at, 0, out);
    int64_t a, b = 0;
    if (!evaluate(rule, expr->a, values, &a) ||
        (expr->b != NULL && !evaluate(rule, expr->b, values, &b)))
        return false;
    struct iexp ca = {.op = IE_CONST, .k = a}, cb = {.op = IE_CONST, .k = b};
    struct iexp flat = {.op = expr->op, .a = &ca};
    flat.b = expr->b != NULL ? &cb : NULL;
    return iexp_eval(&flat, values->at, 0, out);
}

// expr has exactly one unknown; wants expr = value.
static enum equation_result invert(const struct rule *rule, const struct iexp *expr, int64_t value,
                                   struct map_values *values)
{
    if (expr->op == IE_MAP) {
        if (rule->maps[expr->map].def != NULL)
            return invert(rule, rule->maps[expr->map].def, value, values);
        values->value[expr->map] = value;
        values->known[expr->map] = true;
        return EQ_HOLDS;
    }
    if (expr->op == IE_NEG)
        return value == INT64_MIN ? EQ_FAILS : invert(rule, expr->a, -value, values);
    if (expr->op != IE_ADD && expr->op != IE_SUB && expr->op != IE_MUL)
        return EQ_OPEN;
    bool left = iexp_unknowns(rule, expr->a, values) == 1;
    const struct iexp *unknown = left ? expr->a : expr->b;
    int64_t k, rest;
    if (!evaluate(rule, left ? expr->b : expr->a, values, &k))
        return EQ_FAILS;
    bool over = false;
    if (expr->op == IE_ADD) {
        over = __builtin_sub_overflow(value, k, &rest);
    } else if (expr->op == IE_SUB && left) {
        over = __builtin_add_overflow(value, k, &rest);
    } else if (expr->op == IE_SUB) {
        over = __builtin_sub_overflow(k, value, &rest);
    } else {
        if (k == 0)
            return value == 0 ? EQ_OPEN : EQ_FAILS;
        if ((k == -1 && value == INT64_MIN) || value % k != 0)
            return EQ_FAILS;
        rest = value / k;
    }
    return over ? EQ_FAILS : invert(rule, unknown, rest, values);
}

void equation_binds(const struct rule *rule, const struct iexp *expr, struct map_values *values,
                    bool *bound)
{
    while (iexp_unknowns(rule, expr, values) == 1) {
        if (expr->op == IE_MAP && rule->maps[expr->map].def == NULL) {
            values->known[expr->map] = *bound = true;
            return;
        }
        if (expr->op == IE_MAP)
            expr = rule->maps[expr->map].def;
        else if (expr->op == IE_NEG || expr->op == IE_ADD || expr->op == IE_SUB ||
                 expr->op == IE_MUL)
            expr = iexp_unknowns(rule, expr->a, values) == 1 ? expr->a : expr->b;
        else
            return;
    }
}

enum equation_result equation_solve(const struct rule *rule, const struct iexp *expr, int64_t value,
                                    struct map_values *values, bool *bound)
{
    unsigned n = iexp_unknowns(rule, expr, values);
    int64_t found;
    if (n == 0)
        return evaluate(rule, expr, values, &found) && found == value ? EQ_HOLDS : EQ_FAILS;
    if (n > 1)
        return EQ_OPEN;
    enum equation_result q = invert(rule, expr, value, values);
    if (q == EQ_HOLDS)
        *bound = true;
    return q;
}

bool lets_solve(const struct rule *rule, struct map_values *values, bool *bound)
{
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        const struct iexp *def = rule->maps[m].def;
        if (def == NULL || rule->maps[m].index || values->known[m] ||
            iexp_unknowns(rule, def, values) > 0)
            continue;
        if (!evaluate(rule, def, values, &values->value[m]))
            return false;
        values->known[m] = true;
        *bound = true;
    }
    return true;
}

static bool is_unknown(void *known, const struct iexp *leaf)
{
    return leaf->op == IE_MAP && !((const bool *)known)[leaf->map];
}

bool cond_known(const struct cond *condition, const struct map_values *values)
{
    return !cond_any(condition, is_unknown, values->known);
}
