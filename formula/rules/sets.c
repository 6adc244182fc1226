// SPDX-License-Identifier: Apache-2.0
// Which classes of a rule are bound, by which sets of axes, and what is known
// about their sizes.
#include "formula/rules/core.h"
#include "formula/limits.h"

#include "rules/conditions.h"

#define BIT(c) ((uint64_t)1 << (c))

uint64_t named_binds(const struct pat *pattern)
{
    if (pattern->kind == PAT_CALL)
        return pattern->classes;
    if (pattern->kind != PAT_OP)
        return 0;
    return pattern->op == OP_REDUCE || pattern->op == OP_DOT_GENERAL ||
                   pattern->op == OP_CONCATENATE
               ? pattern->classes
               : 0;
}

bool named_each(struct named_rule *named_rule, uint32_t root,
                bool (*each)(struct named_rule *named_rule, const struct pat *p))
{
    const struct pat *pattern = &named_rule->rule->pats[root];
    for (uint32_t i = 0; i < pattern->n_args; i++)
        if (!named_each(named_rule, pattern->args[i], each))
            return false;
    return each(named_rule, pattern);
}

// Visits both sides and the conditions on elements.
static bool each_root(struct named_rule *named_rule,
                      bool (*each)(struct named_rule *named_rule, const struct pat *p))
{
    const struct rule *rule = named_rule->rule;
    bool ok = named_each(named_rule, rule->lhs, each) && named_each(named_rule, rule->rhs, each);
    for (uint32_t i = 0; ok && i < rule->n_wheres; i++)
        ok = rule->wheres[i].cond || named_each(named_rule, rule->wheres[i].pat, each);
    return ok;
}

// Named terms have no positions, so a rule with positions is rejected.
static bool speaks(struct named_rule *named_rule, const struct pat *pattern)
{
    if (pattern->kind != PAT_OP)
        return true;
    switch (pattern->op) {
    case OP_REDUCE:
    case OP_DOT_GENERAL:
    case OP_CONCATENATE:
    case OP_BROADCAST_IN_DIM:
        return true;
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return (op_is_elementwise(pattern->op) && pattern->op != OP_CONVERT &&
            pattern->op != OP_IS_FINITE) ||
           named_fail(named_rule, "%s", op_name(pattern->op));
}

// ---- bound classes ----

static bool bind(struct named_rule *named_rule, const struct pat *pattern)
{
    named_rule->bound |= named_binds(pattern);
    return true;
}

// A pattern that binds must bind a class.
static bool binds_some(struct named_rule *named_rule, const struct pat *pattern)
{
    uint64_t b = named_binds(pattern);
    return b == 0 || (b & named_rule->bound) != 0;
}

static bool alone(const struct rule *rule, uint32_t c)
{
    for (uint32_t i = 0; i < rule->n_classes; i++)
        if (i != c && rule->classes[i].like == rule->classes[c].like)
            return false;
    return true;
}

// `reduce(g, A, {a, x})` also holds if x has no axis, so one set is enough.
static void drop_companions(struct named_rule *named_rule)
{
    const struct rule *rule = named_rule->rule;
    for (uint32_t c = rule->n_classes; c-- > 0;) {
        const struct axis_class *cls = &rule->classes[c];
        if (!(named_rule->bound & BIT(c)) || cls->single || cls->least_rank > 0 ||
            cls->joint != c || !alone(rule, c))
            continue;
        named_rule->bound &= ~BIT(c);
        if (!each_root(named_rule, binds_some))
            named_rule->bound |= BIT(c);
    }
}

// ---- sets ----

static bool iexp_same(const struct iexp *a, const struct iexp *b)
{
    if (!a || !b)
        return a == b;
    return a->op == b->op && (a->op != IE_CONST || a->k == b->k) &&
           (a->op != IE_MAP || a->map == b->map) && iexp_same(a->a, b->a) && iexp_same(a->b, b->b);
}

uint32_t named_set_of(const struct named_rule *named_rule, uint32_t n_sizes,
                      const struct axis_size *sizes, uint32_t cls)
{
    for (uint32_t i = 0; i < n_sizes; i++)
        for (uint32_t k = 0; sizes[i].cls == cls && k < named_rule->n_sets; k++)
            if (named_rule->set[k].cls == cls && iexp_same(named_rule->set[k].size, sizes[i].size))
                return k;
    return NONE;
}

uint32_t named_sets(const struct named_rule *named_rule, uint32_t n_sizes,
                    const struct axis_size *sizes)
{
    uint32_t sets = 0;
    for (uint32_t i = 0; i < n_sizes; i++) {
        uint32_t k = named_set_of(named_rule, n_sizes, sizes, sizes[i].cls);
        if (k != NONE)
            sets |= 1U << k;
    }
    return sets;
}

static bool add_sets(struct named_rule *named_rule, const struct pat *pattern)
{
    for (uint32_t i = 0; i < pattern->n_sizes; i++) {
        const struct axis_size *size = &pattern->sizes[i];
        if (!(named_rule->bound & BIT(size->cls)) ||
            named_set_of(named_rule, 1, size, size->cls) != NONE)
            continue;
        if (named_rule->n_sets == NAMED_MAX_SETS)
            return named_fail(named_rule, "more than %d sets of axes", NAMED_MAX_SETS);
        struct named_set new = {size->cls, 0, size->size};
        for (uint32_t k = 0; k < named_rule->n_sets; k++)
            new.nth += named_rule->set[k].cls == size->cls;
        named_rule->set[named_rule->n_sets++] = new;
    }
    return true;
}

static const struct iexp *size_on_class(const struct pat *pattern, uint32_t cls)
{
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        if (pattern->sizes[i].cls == cls)
            return pattern->sizes[i].size;
    return NULL;
}

// A bound class of an argument is one set in the argument, in the node and in
// the other argument, unless it is joined.  The size of a join is the sum of
// the sizes of its parts.
static bool check_sets(struct named_rule *named_rule, const struct pat *pattern)
{
    const struct rule *rule = named_rule->rule;
    bool join = pattern->kind == PAT_OP && pattern->op == OP_CONCATENATE;
    uint32_t cls = join ? (uint32_t)__builtin_ctzll(pattern->classes) : NONE;
    for (uint32_t k = 0; k < pattern->n_args; k++) {
        const struct pat *a = &rule->pats[pattern->args[k]];
        for (uint32_t i = 0; i < a->n_sizes; i++) {
            uint32_t c = a->sizes[i].cls;
            const struct iexp *in = size_on_class(pattern, c);
            const struct iexp *beside = size_on_class(&rule->pats[pattern->args[0]], c);
            if ((named_rule->bound & BIT(c)) && c != cls &&
                ((in && !iexp_same(in, a->sizes[i].size)) ||
                 (beside && !iexp_same(beside, a->sizes[i].size))))
                return named_fail(named_rule, "two sizes of %s that must agree",
                                  rule->classes[c].name);
        }
    }
    if (!join)
        return true;
    const struct iexp *expr = size_on_class(pattern, cls);
    return (pattern->n_args == 2 && expr->op == IE_ADD &&
            iexp_same(expr->a, size_on_class(&rule->pats[pattern->args[0]], cls)) &&
            iexp_same(expr->b, size_on_class(&rule->pats[pattern->args[1]], cls))) ||
           named_fail(named_rule, "a join of other than two");
}

static bool check_partners(struct named_rule *named_rule)
{
    const struct rule *rule = named_rule->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        bool joint = rule->classes[c].joint != c;
        for (uint32_t d = 0; d < rule->n_classes; d++)
            joint |= d != c && rule->classes[d].joint == c;
        if ((named_rule->bound & BIT(c)) && (joint || !alone(rule, c)))
            return named_fail(named_rule, "%s is bound and has partners", rule->classes[c].name);
    }
    return true;
}

// Collects the sets that the side joins.
static uint32_t joined_in(const struct named_rule *named_rule, uint32_t root)
{
    const struct pat *pattern = &named_rule->rule->pats[root];
    uint32_t sets = 0;
    for (uint32_t i = 0; i < pattern->n_args; i++)
        sets |= joined_in(named_rule, pattern->args[i]);
    if (pattern->kind == PAT_OP && pattern->op == OP_CONCATENATE)
        sets |= 1U << named_set_of(named_rule, pattern->n_sizes, pattern->sizes,
                                   (uint32_t)__builtin_ctzll(pattern->classes));
    return sets;
}

// The size of a set must be a map, or a sum that the matched side joins, so
// that matched sets have that size.
static bool check_sizes(struct named_rule *named_rule, uint32_t from)
{
    uint32_t joined = joined_in(named_rule, from);
    for (uint32_t k = 0; k < named_rule->n_sets; k++) {
        const struct iexp *expr = named_rule->set[k].size;
        bool map = expr->op == IE_MAP && !named_rule->rule->maps[expr->map].def &&
                   !named_rule->rule->maps[expr->map].index;
        if (!map && !(joined >> k & 1))
            return named_fail(named_rule, "a size of %s is computed",
                              named_rule->rule->classes[named_rule->set[k].cls].name);
    }
    return true;
}

// ---- sizes of 1 ----

// Sets all maps to 1 and computes the lets.
static bool ones(struct named_rule *named_rule)
{
    const struct rule *rule = named_rule->rule;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        named_rule->one[m] = 1;
        named_rule->ones[m] = &named_rule->one[m];
        if (rule->maps[m].def &&
            (rule->maps[m].index ||
             !iexp_eval(rule->maps[m].def, named_rule->ones, 0, &named_rule->one[m])))
            return named_fail(named_rule, "%s has no value", rule->maps[m].name);
    }
    return true;
}

// Classes that are not bound get one index.
static bool check_ones(struct named_rule *named_rule, const struct pat *pattern)
{
    for (uint32_t i = 0; i < pattern->n_sizes; i++) {
        int64_t v;
        uint32_t c = pattern->sizes[i].cls;
        if (!(named_rule->bound & BIT(c)) &&
            (!iexp_eval(pattern->sizes[i].size, named_rule->ones, 0, &v) || v != 1))
            return named_fail(named_rule, "a size of %s cannot be 1",
                              named_rule->rule->classes[c].name);
    }
    return true;
}

// ---- conditions on maps ----

#define MAX_CONST ((int64_t)1 << NAMED_CONSTANT_BITS)

// Adds by * expr.  False: the expression is not linear.
static bool linear(const struct named_rule *named_rule, const struct iexp *expr, int64_t by,
                   int64_t *k, int64_t *coef)
{
    const struct map *map;
    switch (expr->op) {
    case IE_CONST:
        *k += by * expr->k;
        return expr->k < MAX_CONST && expr->k > -MAX_CONST;
    case IE_MAP:
        map = &named_rule->rule->maps[expr->map];
        if (map->def)
            return linear(named_rule, map->def, by, k, coef);
        if (expr->map >= NAMED_MAPS)
            return false;
        coef[expr->map] += by;
        return true;
    case IE_ADD:
        return linear(named_rule, expr->a, by, k, coef) && linear(named_rule, expr->b, by, k, coef);
    case IE_SUB:
        return linear(named_rule, expr->a, by, k, coef) &&
               linear(named_rule, expr->b, -by, k, coef);
    case IE_NEG:
        return linear(named_rule, expr->a, -by, k, coef);
    default:
        return false;
    }
}

// Is a - b >= least for all values of maps from 1 on?
static bool at_least(const struct named_rule *named_rule, const struct iexp *a,
                     const struct iexp *b, int64_t least)
{
    int64_t k = 0, coef[NAMED_MAPS] = {0};
    if (!linear(named_rule, a, 1, &k, coef) || !linear(named_rule, b, -1, &k, coef))
        return false;
    for (uint32_t m = 0; m < NAMED_MAPS; m++) {
        if (coef[m] < 0)
            return false;
        k += coef[m];
    }
    return k >= least;
}

static bool equal(const struct named_rule *named_rule, const struct iexp *a, const struct iexp *b)
{
    return at_least(named_rule, a, b, 0) && at_least(named_rule, b, a, 0);
}

static bool follows(const struct named_rule *named_rule, const struct cond *condition, bool holds)
{
    switch (condition->op) {
    case COND_LE:
        return holds ? at_least(named_rule, condition->b, condition->a, 0)
                     : at_least(named_rule, condition->a, condition->b, 1);
    case COND_LT:
        return holds ? at_least(named_rule, condition->b, condition->a, 1)
                     : at_least(named_rule, condition->a, condition->b, 0);
    case COND_EQ:
    case COND_NE:
        if (holds == (condition->op == COND_EQ))
            return equal(named_rule, condition->a, condition->b);
        return at_least(named_rule, condition->a, condition->b, 1) ||
               at_least(named_rule, condition->b, condition->a, 1);
    case COND_AND:
    case COND_OR:
        if (holds == (condition->op == COND_AND))
            return follows(named_rule, condition->l, holds) &&
                   follows(named_rule, condition->r, holds);
        return follows(named_rule, condition->l, holds) || follows(named_rule, condition->r, holds);
    case COND_NOT:
        return follows(named_rule, condition->l, !holds);
    }
    return false;
}

static bool of_bound(void *context, const struct iexp *leaf)
{
    const struct named_rule *named_rule = context;
    const struct map *maps = named_rule->rule->maps;
    return leaf->op == IE_MAP && ((named_rule->bound & BIT(maps[leaf->map].cls)) ||
                                  iexp_any(maps[leaf->map].def, of_bound, context));
}

static bool check_conditions(struct named_rule *named_rule)
{
    const struct rule *rule = named_rule->rule;
    for (uint32_t i = 0; i < rule->n_wheres; i++) {
        const struct cond *condition = rule->wheres[i].cond;
        bool v;
        if (condition && !follows(named_rule, condition, true) &&
            (cond_any(condition, of_bound, named_rule) ||
             !cond_eval(condition, named_rule->ones, 0, &v) || !v))
            return named_fail(named_rule, "a condition on sizes");
    }
    return true;
}

bool named_prepare(struct named_rule *named_rule, uint32_t from)
{
    named_rule->bound = 0;
    named_rule->n_sets = 0;
    if (!each_root(named_rule, speaks) || !each_root(named_rule, bind))
        return false;
    drop_companions(named_rule);
    return ones(named_rule) && each_root(named_rule, add_sets) &&
           each_root(named_rule, check_sets) && check_partners(named_rule) &&
           check_sizes(named_rule, from) && each_root(named_rule, check_ones) &&
           check_conditions(named_rule);
}
