// SPDX-License-Identifier: Apache-2.0
// The one place where a pattern becomes terms.  Arguments come before users in
// the pattern array, so one pass upwards over the nodes below the root builds
// each once.
#include "rules/instance/build.h"

bool build_make(struct build *w, enum op op, uint32_t n_attr,
                const int64_t *attr, type_id want, uint32_t n,
                const term_id *args, term_id *out)
{
    attr_id a = attr_make(w->b->terms->pool, n_attr, attr);
    return w->b->make(w->b->ctx, op, a, want, n, args, out, w->e);
}

static bool make_constant(struct build *w, lit_id lit, type_id type,
                          term_id *out)
{
    int64_t attr = (int64_t)lit.v;
    return build_make(w, OP_CONSTANT, 1, &attr, type, 0, NULL, out);
}

bool build_scalar(struct build *w, enum elem t, struct scalar s, term_id *out)
{
    struct pool *pool = w->b->terms->pool;
    type_id type;
    return type_tensor(pool, t, 0, NULL, &type, w->e) &&
           make_constant(w, literal_splat(pool, t, s), type, out);
}

bool build_overflow(struct build *w, const struct pat *p)
{
    return err_at(w->e, ERR_LIMIT, w->in->rule->file, p->place.line,
                  p->place.col,
                  "rule %s: an attribute or size does not fit in 64 bits, or "
                  "divides by zero",
                  w->in->rule->name);
}

bool build_transposed(struct build *w, term_id t, const struct order *from,
                      const struct order *to, term_id *out)
{
    *out = t;
    if (order_same(from, to))
        return true;
    int64_t perm[MAX_RANK];
    if (to->n != from->n || to->n > MAX_RANK)
        return err_set(w->e, ERR_CHECK, "orders of %u and %u axes", from->n,
                       to->n);
    for (uint32_t i = 0; i < to->n; i++) {
        uint32_t at = order_find(from, to->axis[i]);
        if (at == NONE)
            return err_set(w->e, ERR_CHECK, "axis %u is not in the operand",
                           to->axis[i]);
        perm[i] = at;
    }
    return build_make(w, OP_TRANSPOSE, to->n, perm, NO_TYPE, 1, &t, out);
}

bool build_type(struct build *w, const struct pat *p, const struct order *o,
                type_id *out)
{
    int64_t dims[MAX_RANK];
    if (o->n > MAX_RANK)
        return err_set(w->e, ERR_LIMIT, "rank %u is over %d", o->n, MAX_RANK);
    for (uint32_t i = 0; i < o->n; i++)
        if (!instance_size(w->in, p->n_sizes, p->sizes, o->axis[i], &dims[i]))
            return build_overflow(w, p);
    for (uint32_t i = 0; i < o->n; i++)
        if (dims[i] < 0)
            return err_set(w->e, ERR_INPUT, "expected a size >= 0, found %lld",
                           (long long)dims[i]);
    return type_tensor(w->b->terms->pool, w->in->elem[p->type], o->n, dims, out,
                       w->e);
}

static bool literal(struct build *w, const struct pat *p, term_id *out)
{
    enum elem t = w->in->elem[p->type];
    struct scalar s;
    if (p->lit == LIT_VALUE)
        return build_value(w, p, out);
    return pat_literal(w->in->rule, p, t, w->in->op, &s, w->e) &&
           build_scalar(w, t, s, out);
}

// Does the rule's text alone say that the pattern is a constant?  Computed
// indices are nodes even where a builder could fold them.
static bool written_constant(const struct rule *r, const struct pat *p)
{
    return p->kind == PAT_LITERAL &&
           (p->lit != LIT_VALUE || !iexp_has_index(r, p->value));
}

// A constant is spread as a splat constant; only literals and scalar variables
// can be one, so that the form never depends on what a builder folds.
static bool splat(struct build *w, const struct build_step *s, term_id *out)
{
    struct terms *t = w->b->terms;
    type_id type;
    if (s->out->n == 0) {
        *out = s->args[0];
        return true;
    }
    if (!build_type(w, s->p, s->out, &type))
        return false;
    const struct pat *arg = &w->in->rule->pats[s->p->args[0]];
    lit_id lit = NO_LIT;
    if (arg->kind == PAT_SCALAR || written_constant(w->in->rule, arg))
        lit = term_literal(t, s->args[0]);
    if (lit.v == NO_LIT.v)
        return build_make(w, OP_BROADCAST_IN_DIM, 0, NULL, type, 1, s->args,
                          out);
    enum elem elem = pool_literal(t->pool, lit)->elem;
    struct scalar v = literal_get(t->pool, lit, 0);
    if (type_count(t->pool, type) > 0)
        return make_constant(w, literal_splat(t->pool, elem, v), type, out);
    return make_constant(w, literal_make(t->pool, elem, 0, ""), type, out);
}

bool build_attribute(struct build *w, const struct build_step *s, uint32_t axis,
                     uint32_t j, int64_t other, int64_t *value)
{
    uint32_t c = w->in->axis_class[axis];
    *value = other;
    for (uint32_t k = 0; k < s->p->n_attrs; k++) {
        const struct pat_attr *a = &s->p->attrs[k];
        struct axis_size one = {c, a->v[j]};
        if (a->cls == c && a->v[j] != NULL)
            return instance_size(w->in, 1, &one, axis, value) ||
                   build_overflow(w, s->p);
    }
    return true;
}

bool build_attributes(struct build *w, const struct build_step *s,
                      const struct order *o, uint32_t j, int64_t other,
                      int64_t *values)
{
    for (uint32_t i = 0; i < o->n; i++)
        if (!build_attribute(w, s, o->axis[i], j, other, &values[i]))
            return false;
    return true;
}

static bool pad(struct build *w, const struct build_step *s, term_id *out)
{
    int64_t attr[3 * MAX_RANK];
    uint32_t rank = s->out->n;
    *out = s->args[0];
    for (uint32_t j = 0; j < 3; j++)
        if (!build_attributes(w, s, s->out, j, 0, attr + j * rank))
            return false;
    return rank == 0 ||
           build_make(w, OP_PAD, 3 * rank, attr, NO_TYPE, s->n, s->args, out);
}

static bool slice(struct build *w, const struct build_step *s, term_id *out)
{
    int64_t attr[3 * MAX_RANK];
    uint32_t rank = s->out->n;
    type_id type = term_type(w->b->terms, s->args[0]);
    *out = s->args[0];
    if (!build_attributes(w, s, s->out, 0, 0, attr) ||
        !build_attributes(w, s, s->out, 2, 1, attr + 2 * rank))
        return false;
    for (uint32_t i = 0; i < rank; i++)
        if (!build_attribute(w, s, s->out->axis[i], 1,
                             type_dims(w->b->terms->pool, type)[i],
                             &attr[rank + i]))
            return false;
    return rank == 0 ||
           build_make(w, OP_SLICE, 3 * rank, attr, NO_TYPE, 1, s->args, out);
}

uint32_t build_positions(const struct build *w, const struct order *o,
                         uint64_t classes, int64_t *dims)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->n && i < MAX_RANK; i++)
        if (classes >> w->in->axis_class[o->axis[i]] & 1)
            dims[n++] = i;
    return n;
}

bool build_position(struct build *w, const struct build_step *s,
                    const struct order *o, int64_t *dim)
{
    int64_t dims[MAX_RANK] = {0};
    uint32_t n = build_positions(w, o, s->p->classes, dims);
    *dim = dims[0];
    return n == 1 ||
           err_set(w->e, ERR_CHECK, "%s along %u axes", op_name(s->p->op), n);
}

static bool broadcast(struct build *w, const struct build_step *s, term_id *out)
{
    const struct order *operand = &s->place->in[0];
    int64_t dims[MAX_RANK];
    type_id type;
    if (operand->n == s->out->n)
        return build_transposed(w, s->args[0], operand, s->out, out);
    for (uint32_t i = 0; i < operand->n; i++) {
        uint32_t at = order_find(s->out, operand->axis[i]);
        if (at == NONE)
            return err_set(w->e, ERR_CHECK, "broadcast drops axis %u",
                           operand->axis[i]);
        dims[i] = at;
    }
    if (!build_type(w, s->p, s->out, &type))
        return false;
    // No size-1 dimension is stretched: that would be another axis.
    const struct pool *pool = w->b->terms->pool;
    type_id from = term_type(w->b->terms, s->args[0]);
    for (uint32_t i = 0; i < operand->n; i++)
        if (type_dims(pool, from)[i] != type_dims(pool, type)[dims[i]])
            return err_set(w->e, ERR_INPUT,
                           "expected size %lld to broadcast, found %lld",
                           (long long)type_dims(pool, type)[dims[i]],
                           (long long)type_dims(pool, from)[i]);
    return build_make(w, OP_BROADCAST_IN_DIM, operand->n, dims, type, 1,
                      s->args, out);
}

enum compare_type compare_type_of(enum elem t)
{
    switch (elem_kind(t)) {
    case KIND_FLOAT:
        return CMPT_FLOAT;
    case KIND_SINT:
        return CMPT_SIGNED;
    case KIND_BOOL:
    case KIND_UINT:
    case KIND_ANY:
        break;
    }
    return CMPT_UNSIGNED;
}

// `want` is the result of a conversion, else not given.
static bool convert_type(struct build *w, const struct build_step *s, enum op op,
                         uint32_t result, type_id *want)
{
    struct pool *pool = w->b->terms->pool;
    *want = NO_TYPE;
    if (op != OP_CONVERT && op != OP_BITCAST_CONVERT)
        return true;
    type_id from = term_type(w->b->terms, s->args[0]);
    int64_t dims[MAX_RANK];
    uint32_t rank = type_rank(pool, from);
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = type_dims(pool, from)[i];
    return type_tensor(pool, w->in->elem[result], rank, dims, want, w->e);
}

// The product of the dimensions whose classes stand on one side of a group.
static bool group_count(struct build *w, const struct order *o, type_id t,
                        uint64_t classes, int64_t *out)
{
    *out = 1;
    for (uint32_t i = 0; i < o->n; i++)
        if ((classes >> w->in->axis_class[o->axis[i]] & 1) != 0 &&
            __builtin_mul_overflow(*out, type_dims(w->b->terms->pool, t)[i],
                                   out))
            return err_set(w->e, ERR_LIMIT, "a block has over 2^63 elements");
    return true;
}

// Group by group, since the whole tensor may be empty.
static bool check_groups(struct build *w, const struct build_step *s, type_id want)
{
    type_id have = term_type(w->b->terms, s->args[0]);
    for (uint32_t i = 0; i < s->p->n_groups; i++) {
        const struct reshape_group *g = &s->p->groups[i];
        uint64_t from = 0, to = 0;
        int64_t a, b;
        for (uint32_t k = 0; k < g->n_from; k++)
            from |= (uint64_t)1 << g->from[k];
        for (uint32_t k = 0; k < g->n_to; k++)
            to |= (uint64_t)1 << g->to[k].cls;
        if (!group_count(w, &s->place->in[0], have, from, &a) ||
            !group_count(w, s->out, want, to, &b))
            return false;
        if (a != b)
            return err_set(w->e, ERR_INPUT,
                           "expected %lld elements of a reshape's group, found "
                           "%lld",
                           (long long)a, (long long)b);
    }
    return true;
}

// The same elements in row-major order under other sizes.
static bool reshape(struct build *w, const struct build_step *s, term_id *out)
{
    type_id want;
    *out = s->args[0];
    if (!build_type(w, s->p, s->out, &want) || !check_groups(w, s, want))
        return false;
    return want.v == term_type(w->b->terms, s->args[0]).v ||
           build_make(w, OP_RESHAPE, 0, NULL, want, 1, s->args, out);
}

static bool operator_node(struct build *w, const struct build_step *s, term_id *out)
{
    int64_t attr[MAX_RANK];
    type_id want;
    switch (s->p->op) {
    case OP_SLICE:
        return slice(w, s, out);
    case OP_PAD:
        return pad(w, s, out);
    case OP_REDUCE:
        return build_reduce(w, s, out);
    case OP_REDUCE_WINDOW:
        return build_window(w, s, out);
    case OP_DOT_GENERAL:
        return build_dot(w, s, out);
    case OP_CONVOLUTION:
        return build_convolution(w, s, out);
    case OP_DYNAMIC_SLICE:
        return build_dynamic_slice(w, s, out);
    case OP_DYNAMIC_UPDATE_SLICE:
        return build_dynamic_update(w, s, out);
    case OP_GATHER:
        return build_gather(w, s, out);
    case OP_SCATTER:
        return build_scatter(w, s, out);
    case OP_RESHAPE:
        return reshape(w, s, out);
    case OP_BROADCAST_IN_DIM:
        return broadcast(w, s, out);
    case OP_REVERSE: {
        uint32_t n = build_positions(w, s->out, s->p->classes, attr);
        *out = s->args[0];
        return n == 0 ||
               build_make(w, OP_REVERSE, n, attr, NO_TYPE, 1, s->args, out);
    }
    case OP_CONCATENATE:
        return build_position(w, s, s->out, attr) &&
               build_make(w, OP_CONCATENATE, 1, attr, NO_TYPE, s->n, s->args,
                          out);
    case OP_IOTA:
        return build_position(w, s, s->out, attr) &&
               build_type(w, s->p, s->out, &want) &&
               build_make(w, OP_IOTA, 1, attr, want, 0, NULL, out);
    case OP_COMPARE:
        attr[0] = (int64_t)s->p->dir;
        attr[1] = (int64_t)compare_type_of(
            w->in->elem[w->in->rule->pats[s->p->args[0]].type]);
        return build_make(w, OP_COMPARE, 2, attr, NO_TYPE, s->n, s->args, out);
    default:
        return convert_type(w, s, s->p->op, s->p->type, &want) &&
               build_make(w, s->p->op, 0, NULL, want, s->n, s->args, out);
    }
}

static bool variable_node(struct build *w, const struct build_step *s, term_id *out)
{
    const struct op_binding *v = &w->in->op[s->p->var];
    const struct op_var *decl = &w->in->rule->opvars[s->p->var];
    type_id want;
    return convert_type(w, s, v->op, decl->result, &want) &&
           w->b->make(w->b->ctx, v->op, v->attr, want, s->n, s->args, out,
                      w->e);
}

static bool build_node(struct build *w, uint32_t i)
{
    const struct instance *in = w->in;
    const struct pat *p = &in->rule->pats[i];
    const struct pat_place *place = &in->pat[i];
    term_id small[8], *args = small, *out = &w->term[i];
    if (p->n_args > 8)
        args = mem_alloc(p->n_args * sizeof *args);
    struct build_step s = {p, place, &place->out, p->n_args, args};
    bool ok = true;
    for (uint32_t k = 0; ok && k < p->n_args; k++)
        ok = build_transposed(w, w->term[p->args[k]], &in->pat[p->args[k]].out,
                              &place->in[k], &args[k]);
    switch (ok ? p->kind : PAT_TENSOR) {
    case PAT_TENSOR:
        *out = ok ? in->tensor[p->var] : NO_TERM;
        break;
    case PAT_SCALAR:
        *out = in->scalar[p->var];
        break;
    case PAT_LITERAL:
        ok = literal(w, p, out);
        break;
    case PAT_SPLAT:
        ok = splat(w, &s, out);
        break;
    case PAT_OP:
        ok = operator_node(w, &s, out);
        break;
    case PAT_OPVAR:
        ok = variable_node(w, &s, out);
        break;
    case PAT_RELABEL:
        *out = args[0];
        break;
    case PAT_CALL:
        ok = err_set(w->e, ERR_CHECK,
                     "rule %s: %s is a named function, which no program has",
                     in->rule->name, p->text);
        break;
    }
    if (args != small)
        mem_free(args);
    if (!ok)
        return false;
    if (out->v >= w->b->terms->term.len)
        return err_set(w->e, ERR_CHECK, "rule %s: a variable has no term",
                       in->rule->name);
    type_id type = term_type(w->b->terms, *out);
    const struct pool *pool = w->b->terms->pool;
    if (!type_is_tensor(pool, type) ||
        type_elem(pool, type) != in->elem[p->type] ||
        type_rank(pool, type) != place->out.n)
        return err_set(w->e, ERR_CHECK,
                       "rule %s: pattern node %u has another type than its "
                       "term",
                       in->rule->name, i);
    return true;
}

bool instance_build(const struct instance *in, uint32_t root,
                    const struct builder *b, term_id *out, struct err *e)
{
    struct build w = {in, b, NULL, e};
    bool *below = mem_alloc(root + 1);
    w.term = mem_alloc((root + 1) * sizeof *w.term);
    below[root] = true;
    for (uint32_t i = root + 1; i-- > 0;)
        for (uint32_t k = 0; below[i] && k < in->rule->pats[i].n_args; k++)
            below[in->rule->pats[i].args[k]] = true;
    bool ok = true;
    for (uint32_t i = 0; ok && i <= root; i++)
        ok = !below[i] || build_node(&w, i);
    if (ok)
        *out = w.term[root];
    mem_free(w.term);
    mem_free(below);
    return ok;
}

bool instance_build_as(const struct instance *in, uint32_t root,
                       const struct order *wanted, const struct builder *b,
                       term_id *out, struct err *e)
{
    struct build w = {in, b, NULL, e};
    term_id t;
    return instance_build(in, root, b, &t, e) &&
           build_transposed(&w, t, &in->pat[root].out, wanted, out);
}
