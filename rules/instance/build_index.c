// SPDX-License-Identifier: Apache-2.0
// Run-time starts.  An integer expression with indices becomes nodes of the index
// type.  Its parts without an index become constants.
#include "rules/instance/build.h"

bool iexp_has_index(const struct rule *rule, const struct iexp *expr)
{
    if (expr == NULL || expr->op == IE_CONST)
        return false;
    if (expr->op == IE_MAP)
        return rule->maps[expr->map].index;
    return iexp_has_index(rule, expr->a) || iexp_has_index(rule, expr->b);
}

static bool no_value(struct build *build, const struct pat *pattern, int64_t k, enum elem elem)
{
    return err_at(build->err, ERR_LIMIT, build->in->rule->file, pattern->place.line,
                  pattern->place.col, "rule %s: %lld is no value of %s", build->in->rule->name,
                  (long long)k, elem_text(elem));
}

static bool constant(struct build *build, const struct pat *pattern, int64_t k, enum elem elem,
                     term_id *out)
{
    if (!elem_has_int(elem, k))
        return no_value(build, pattern, k, elem);
    return build_scalar(build, elem, scalar_of_int(elem, k), out);
}

static bool operation(enum iexp_op op, enum op *out)
{
    switch (op) {
    case IE_ADD:
        *out = OP_ADD;
        return true;
    case IE_SUB:
        *out = OP_SUBTRACT;
        return true;
    case IE_MUL:
        *out = OP_MULTIPLY;
        return true;
    case IE_MIN:
        *out = OP_MINIMUM;
        return true;
    case IE_MAX:
        *out = OP_MAXIMUM;
        return true;
    case IE_NEG:
        *out = OP_NEGATE;
        return true;
    default:
        return false;
    }
}

static bool index_term(struct build *build, const struct pat *pattern, uint32_t m, uint32_t cls,
                       uint32_t place, term_id *out)
{
    const struct instance *in = build->in;
    const struct map *map = &in->rule->maps[m];
    if (map->def != NULL)
        return build_start(build, pattern, map->def, cls, place, out);
    bool own = cls != NONE && in->rule->classes[map->cls].like == in->rule->classes[cls].like;
    uint32_t at = own ? place : 0;
    if (in->index[m] == NULL || at >= in->rank[map->cls] || (!own && in->rank[map->cls] != 1))
        return err_set(build->err, ERR_CHECK, "index %s has no value at this place", map->name);
    *out = in->index[m][at];
    return out->v < build->builder->terms->term.len ||
           err_set(build->err, ERR_CHECK, "index %s has no term", map->name);
}

bool build_start(struct build *build, const struct pat *pattern, const struct iexp *expr,
                 uint32_t cls, uint32_t place, term_id *out)
{
    enum op op;
    int64_t k;
    term_id args[2];
    uint32_t n = expr->b != NULL ? 2 : 1;
    if (!iexp_has_index(build->in->rule, expr))
        return instance_iexp(build->in, expr, cls, place, &k)
                   ? constant(build, pattern, k, build->in->index_elem, out)
                   : build_overflow(build, pattern);
    if (expr->op == IE_MAP)
        return index_term(build, pattern, expr->map, cls, place, out);
    if (!operation(expr->op, &op))
        return err_set(build->err, ERR_CHECK,
                       "rule %s: an index stands in a quotient or an "
                       "absolute value",
                       build->in->rule->name);
    return build_start(build, pattern, expr->a, cls, place, &args[0]) &&
           (n == 1 || build_start(build, pattern, expr->b, cls, place, &args[1])) &&
           build_make(build, (struct operation){op, NO_ATTR, NO_TYPE, n}, args, out);
}

bool build_value(struct build *build, const struct pat *pattern, term_id *out)
{
    enum elem elem = build->in->elem[pattern->type];
    type_id want;
    term_id value;
    int64_t k;
    if (!iexp_has_index(build->in->rule, pattern->value))
        return instance_iexp(build->in, pattern->value, NONE, 0, &k)
                   ? constant(build, pattern, k, elem, out)
                   : build_overflow(build, pattern);
    if (!build_start(build, pattern, pattern->value, NONE, 0, &value))
        return false;
    *out = value;
    return elem == build->in->index_elem ||
           (type_tensor(build->builder->terms->pool, elem, 0, NULL, &want, build->err) &&
            build_make(build, (struct operation){OP_CONVERT, NO_ATTR, want, 1}, &value, out));
}
