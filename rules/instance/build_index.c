// SPDX-License-Identifier: Apache-2.0
// Run-time starts: an integer expression with indices becomes nodes of the
// index type, parts without an index become constants.
#include "rules/instance/build.h"

bool iexp_has_index(const struct rule *r, const struct iexp *x)
{
    if (x == NULL || x->op == IE_CONST)
        return false;
    if (x->op == IE_MAP)
        return r->maps[x->map].index;
    return iexp_has_index(r, x->a) || iexp_has_index(r, x->b);
}

static bool no_value(struct build *w, const struct pat *p, int64_t k,
                     enum elem t)
{
    return err_at(w->e, ERR_LIMIT, w->in->rule->file, p->place.line,
                  p->place.col, "rule %s: %lld is no value of %s",
                  w->in->rule->name, (long long)k, elem_text(t));
}

static bool constant(struct build *w, const struct pat *p, const struct iexp *x,
                     uint32_t cls, uint32_t place, enum elem t, term_id *out)
{
    int64_t k;
    if (!instance_iexp(w->in, x, cls, place, &k))
        return build_overflow(w, p);
    if (!elem_has_int(t, k))
        return no_value(w, p, k, t);
    return build_scalar(w, t, scalar_of_int(t, k), out);
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

static bool index_term(struct build *w, const struct pat *p, uint32_t m,
                       uint32_t cls, uint32_t place, term_id *out)
{
    const struct instance *in = w->in;
    const struct map *map = &in->rule->maps[m];
    if (map->def != NULL)
        return build_start(w, p, map->def, cls, place, out);
    bool own = cls != NONE &&
               in->rule->classes[map->cls].like == in->rule->classes[cls].like;
    uint32_t at = own ? place : 0;
    if (in->index[m] == NULL || at >= in->rank[map->cls] ||
        (!own && in->rank[map->cls] != 1))
        return err_set(w->e, ERR_CHECK, "index %s has no value at this place",
                       map->name);
    *out = in->index[m][at];
    return out->v < w->b->terms->term.len ||
           err_set(w->e, ERR_CHECK, "index %s has no term", map->name);
}

bool build_start(struct build *w, const struct pat *p, const struct iexp *x,
                 uint32_t cls, uint32_t place, term_id *out)
{
    enum op op;
    term_id args[2];
    uint32_t n = x->b != NULL ? 2 : 1;
    if (!iexp_has_index(w->in->rule, x))
        return constant(w, p, x, cls, place, w->in->index_elem, out);
    if (x->op == IE_MAP)
        return index_term(w, p, x->map, cls, place, out);
    if (!operation(x->op, &op))
        return err_set(w->e, ERR_CHECK,
                       "rule %s: an index stands in a quotient or an "
                       "absolute value",
                       w->in->rule->name);
    return build_start(w, p, x->a, cls, place, &args[0]) &&
           (n == 1 || build_start(w, p, x->b, cls, place, &args[1])) &&
           build_make(w, op, 0, NULL, NO_TYPE, n, args, out);
}

bool build_value(struct build *w, const struct pat *p, term_id *out)
{
    enum elem t = w->in->elem[p->type];
    type_id want;
    term_id value;
    if (!iexp_has_index(w->in->rule, p->value))
        return constant(w, p, p->value, NONE, 0, t, out);
    if (!build_start(w, p, p->value, NONE, 0, &value))
        return false;
    *out = value;
    return t == w->in->index_elem ||
           (type_tensor(w->b->terms->pool, t, 0, NULL, &want, w->e) &&
            build_make(w, OP_CONVERT, 0, NULL, want, 1, &value, out));
}
