// SPDX-License-Identifier: Apache-2.0
// The conversion of a pattern to terms; no other file makes terms of patterns.
// Arguments come before users in the pattern array, so one pass upwards over the
// nodes below the root builds each node once.
#include "rules/instance/build.h"

attr_id build_attr(const struct build *build, uint32_t n, const int64_t *values)
{
    return attr_make(build->builder->terms->pool, n, values);
}

bool build_make(struct build *build, struct operation operation, const term_id *args, term_id *out)
{
    return build->builder->make(build->builder->ctx, operation, args, out, build->err);
}

static bool make_constant(struct build *build, lit_id lit, type_id type, term_id *out)
{
    int64_t attr = (int64_t)lit.v;
    return build_make(build, (struct operation){OP_CONSTANT, build_attr(build, 1, &attr), type, 0},
                      NULL, out);
}

bool build_scalar(struct build *build, enum elem elem, struct scalar scalar, term_id *out)
{
    struct pool *pool = build->builder->terms->pool;
    type_id type;
    return type_tensor(pool, elem, 0, NULL, &type, build->err) &&
           make_constant(build, literal_splat(pool, elem, scalar), type, out);
}

bool build_overflow(struct build *build, const struct pat *pattern)
{
    return err_at(build->err, ERR_LIMIT, build->in->rule->file, pattern->place.line,
                  pattern->place.col,
                  "rule %s: an attribute or size does not fit in 64 bits, or "
                  "divides by zero",
                  build->in->rule->name);
}

bool build_transposed(struct build *build, term_id term, const struct order *from,
                      const struct order *to, term_id *out)
{
    *out = term;
    if (order_same(from, to))
        return true;
    int64_t perm[TENSOR_MAX_RANK];
    if (to->n != from->n || to->n > TENSOR_MAX_RANK)
        return err_set(build->err, ERR_CHECK, "orders of %u and %u axes", from->n, to->n);
    for (uint32_t i = 0; i < to->n; i++) {
        uint32_t at = order_find(from, to->axis[i]);
        if (at == NONE)
            return err_set(build->err, ERR_CHECK, "axis %u is not in the operand", to->axis[i]);
        perm[i] = at;
    }
    return build_make(build,
                      (struct operation){OP_TRANSPOSE, build_attr(build, to->n, perm), NO_TYPE, 1},
                      &term, out);
}

bool build_type(struct build *build, const struct pat *pattern, const struct order *order,
                type_id *out)
{
    int64_t dims[TENSOR_MAX_RANK];
    if (order->n > TENSOR_MAX_RANK)
        return err_set(build->err, ERR_LIMIT, "rank %u is over %d", order->n, TENSOR_MAX_RANK);
    for (uint32_t i = 0; i < order->n; i++)
        if (!instance_size(build->in, pattern->n_sizes, pattern->sizes, order->axis[i], &dims[i]))
            return build_overflow(build, pattern);
    for (uint32_t i = 0; i < order->n; i++)
        if (dims[i] < 0)
            return err_set(build->err, ERR_INPUT, "expected a size >= 0, found %lld",
                           (long long)dims[i]);
    return type_tensor(build->builder->terms->pool, build->in->elem[pattern->type], order->n, dims,
                       out, build->err);
}

static bool literal(struct build *build, const struct pat *pattern, term_id *out)
{
    enum elem elem = build->in->elem[pattern->type];
    struct scalar scalar;
    if (pattern->lit == LIT_VALUE)
        return build_value(build, pattern, out);
    return pat_literal(build->in->rule, pattern, elem, build->in->op, &scalar, build->err) &&
           build_scalar(build, elem, scalar, out);
}

// Is the pattern a constant by the rule's text alone?  Computed indices are nodes,
// even if a builder could fold them.
static bool written_constant(const struct rule *rule, const struct pat *pattern)
{
    return pattern->kind == PAT_LITERAL &&
           (pattern->lit != LIT_VALUE || !iexp_has_index(rule, pattern->value));
}

// A splat of a constant is a splat constant.  Only literals and scalar variables can
// be such constants, so that the form does not depend on the folds of a builder.
static bool splat(struct build *build, const struct build_step *step, term_id *out)
{
    struct terms *terms = build->builder->terms;
    type_id type;
    if (step->out->n == 0) {
        *out = step->args[0];
        return true;
    }
    if (!build_type(build, step->pattern, step->out, &type))
        return false;
    const struct pat *arg = &build->in->rule->pats[step->pattern->args[0]];
    lit_id lit = NO_LIT;
    if (arg->kind == PAT_SCALAR || written_constant(build->in->rule, arg))
        lit = term_literal(terms, step->args[0]);
    if (lit.v == NO_LIT.v)
        return build_make(build, (struct operation){OP_BROADCAST_IN_DIM, NO_ATTR, type, 1},
                          step->args, out);
    enum elem elem = pool_literal(terms->pool, lit)->elem;
    struct scalar scalar = literal_get(terms->pool, lit, 0);
    if (type_count(terms->pool, type) > 0)
        return make_constant(build, literal_splat(terms->pool, elem, scalar), type, out);
    return make_constant(build, literal_make(terms->pool, elem, 0, ""), type, out);
}

bool build_attribute(struct build *build, const struct build_step *step, uint32_t axis, uint32_t j,
                     int64_t other, int64_t *value)
{
    uint32_t c = build->in->axis_class[axis];
    *value = other;
    for (uint32_t k = 0; k < step->pattern->n_attrs; k++) {
        const struct pat_attr *attr = &step->pattern->attrs[k];
        struct axis_size one = {c, attr->expr[j]};
        if (attr->cls == c && attr->expr[j] != NULL)
            return instance_size(build->in, 1, &one, axis, value) ||
                   build_overflow(build, step->pattern);
    }
    return true;
}

bool build_attributes(struct build *build, const struct build_step *step, const struct order *order,
                      uint32_t j, int64_t other, int64_t *values)
{
    for (uint32_t i = 0; i < order->n; i++)
        if (!build_attribute(build, step, order->axis[i], j, other, &values[i]))
            return false;
    return true;
}

static bool pad(struct build *build, const struct build_step *step, term_id *out)
{
    int64_t attr[3 * TENSOR_MAX_RANK];
    uint32_t rank = step->out->n;
    *out = step->args[0];
    for (uint32_t j = 0; j < 3; j++)
        if (!build_attributes(build, step, step->out, j, 0, attr + j * rank))
            return false;
    return rank == 0 || build_make(build,
                                   (struct operation){OP_PAD, build_attr(build, 3 * rank, attr),
                                                      NO_TYPE, step->n},
                                   step->args, out);
}

static bool slice(struct build *build, const struct build_step *step, term_id *out)
{
    int64_t attr[3 * TENSOR_MAX_RANK];
    uint32_t rank = step->out->n;
    type_id type = term_type(build->builder->terms, step->args[0]);
    *out = step->args[0];
    if (!build_attributes(build, step, step->out, 0, 0, attr) ||
        !build_attributes(build, step, step->out, 2, 1, attr + 2 * rank))
        return false;
    for (uint32_t i = 0; i < rank; i++)
        if (!build_attribute(build, step, step->out->axis[i], 1,
                             type_dims(build->builder->terms->pool, type)[i], &attr[rank + i]))
            return false;
    return rank == 0 ||
           build_make(build,
                      (struct operation){OP_SLICE, build_attr(build, 3 * rank, attr), NO_TYPE, 1},
                      step->args, out);
}

uint32_t build_positions(const struct build *build, const struct order *order, uint64_t classes,
                         int64_t *dims)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < order->n && i < TENSOR_MAX_RANK; i++)
        if (classes >> build->in->axis_class[order->axis[i]] & 1)
            dims[n++] = i;
    return n;
}

bool build_position(struct build *build, const struct build_step *step, const struct order *order,
                    int64_t *dim)
{
    int64_t dims[TENSOR_MAX_RANK] = {0};
    uint32_t n = build_positions(build, order, step->pattern->classes, dims);
    *dim = dims[0];
    return n == 1 ||
           err_set(build->err, ERR_CHECK, "%s along %u axes", op_name(step->pattern->op), n);
}

static bool broadcast(struct build *build, const struct build_step *step, term_id *out)
{
    const struct order *operand = &step->place->in[0];
    int64_t dims[TENSOR_MAX_RANK];
    type_id type;
    if (operand->n == step->out->n)
        return build_transposed(build, step->args[0], operand, step->out, out);
    for (uint32_t i = 0; i < operand->n; i++) {
        uint32_t at = order_find(step->out, operand->axis[i]);
        if (at == NONE)
            return err_set(build->err, ERR_CHECK, "broadcast drops axis %u", operand->axis[i]);
        dims[i] = at;
    }
    if (!build_type(build, step->pattern, step->out, &type))
        return false;
    // No size-1 dimension is stretched: a stretched dimension would be another axis.
    const struct pool *pool = build->builder->terms->pool;
    type_id from = term_type(build->builder->terms, step->args[0]);
    for (uint32_t i = 0; i < operand->n; i++)
        if (type_dims(pool, from)[i] != type_dims(pool, type)[dims[i]])
            return err_set(build->err, ERR_INPUT, "expected size %lld to broadcast, found %lld",
                           (long long)type_dims(pool, type)[dims[i]],
                           (long long)type_dims(pool, from)[i]);
    return build_make(
        build,
        (struct operation){OP_BROADCAST_IN_DIM, build_attr(build, operand->n, dims), type, 1},
        step->args, out);
}

enum compare_type compare_type_of(enum elem elem)
{
    switch (elem_kind(elem)) {
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

// `want` is given only for a conversion: its result type.
static bool convert_type(struct build *build, const struct build_step *step, enum op op,
                         uint32_t result, type_id *want)
{
    struct pool *pool = build->builder->terms->pool;
    *want = NO_TYPE;
    if (op != OP_CONVERT && op != OP_BITCAST_CONVERT)
        return true;
    type_id from = term_type(build->builder->terms, step->args[0]);
    int64_t dims[TENSOR_MAX_RANK];
    uint32_t rank = type_rank(pool, from);
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = type_dims(pool, from)[i];
    return type_tensor(pool, build->in->elem[result], rank, dims, want, build->err);
}

// The product of the dimensions whose classes stand on one side of a group.
static bool group_count(struct build *build, const struct order *order, type_id type,
                        uint64_t classes, int64_t *out)
{
    *out = 1;
    for (uint32_t i = 0; i < order->n; i++)
        if ((classes >> build->in->axis_class[order->axis[i]] & 1) != 0 &&
            __builtin_mul_overflow(*out, type_dims(build->builder->terms->pool, type)[i], out))
            return err_set(build->err, ERR_LIMIT, "a block has over 2^63 elements");
    return true;
}

// Compares the groups one by one, since the whole tensor may be empty.
static bool check_groups(struct build *build, const struct build_step *step, type_id want)
{
    type_id have = term_type(build->builder->terms, step->args[0]);
    for (uint32_t i = 0; i < step->pattern->n_groups; i++) {
        const struct reshape_group *group = &step->pattern->groups[i];
        uint64_t from = 0, to = 0;
        int64_t a, b;
        for (uint32_t k = 0; k < group->n_from; k++)
            from |= (uint64_t)1 << group->from[k];
        for (uint32_t k = 0; k < group->n_to; k++)
            to |= (uint64_t)1 << group->to[k].cls;
        if (!group_count(build, &step->place->in[0], have, from, &a) ||
            !group_count(build, step->out, want, to, &b))
            return false;
        if (a != b)
            return err_set(build->err, ERR_INPUT,
                           "expected %lld elements of a reshape's group, found "
                           "%lld",
                           (long long)a, (long long)b);
    }
    return true;
}

// The same elements in row-major order under other sizes.
static bool reshape(struct build *build, const struct build_step *step, term_id *out)
{
    type_id want;
    *out = step->args[0];
    if (!build_type(build, step->pattern, step->out, &want) || !check_groups(build, step, want))
        return false;
    return want.v == term_type(build->builder->terms, step->args[0]).v ||
           build_make(build, (struct operation){OP_RESHAPE, NO_ATTR, want, 1}, step->args, out);
}

// Along no axis: the argument itself.
static bool reverse(struct build *build, const struct build_step *step, term_id *out)
{
    int64_t dims[TENSOR_MAX_RANK];
    uint32_t n = build_positions(build, step->out, step->pattern->classes, dims);
    *out = step->args[0];
    return n == 0 ||
           build_make(build, (struct operation){OP_REVERSE, build_attr(build, n, dims), NO_TYPE, 1},
                      step->args, out);
}

static bool concatenate(struct build *build, const struct build_step *step, term_id *out)
{
    int64_t dim;
    return build_position(build, step, step->out, &dim) &&
           build_make(
               build,
               (struct operation){OP_CONCATENATE, build_attr(build, 1, &dim), NO_TYPE, step->n},
               step->args, out);
}

static bool iota(struct build *build, const struct build_step *step, term_id *out)
{
    int64_t dim;
    type_id want;
    return build_position(build, step, step->out, &dim) &&
           build_type(build, step->pattern, step->out, &want) &&
           build_make(build, (struct operation){OP_IOTA, build_attr(build, 1, &dim), want, 0}, NULL,
                      out);
}

static bool compare(struct build *build, const struct build_step *step, term_id *out)
{
    enum elem elem = build->in->elem[build->in->rule->pats[step->pattern->args[0]].type];
    int64_t attr[] = {(int64_t)step->pattern->dir, (int64_t)compare_type_of(elem)};
    return build_make(build,
                      (struct operation){OP_COMPARE, build_attr(build, 2, attr), NO_TYPE, step->n},
                      step->args, out);
}

static bool operator_node(struct build *build, const struct build_step *step, term_id *out)
{
    type_id want;
    switch (step->pattern->op) {
    case OP_SLICE:
        return slice(build, step, out);
    case OP_PAD:
        return pad(build, step, out);
    case OP_REDUCE:
        return build_reduce(build, step, out);
    case OP_REDUCE_WINDOW:
        return build_window(build, step, out);
    case OP_DOT_GENERAL:
        return build_dot(build, step, out);
    case OP_CONVOLUTION:
        return build_convolution(build, step, out);
    case OP_DYNAMIC_SLICE:
        return build_dynamic_slice(build, step, out);
    case OP_DYNAMIC_UPDATE_SLICE:
        return build_dynamic_update(build, step, out);
    case OP_GATHER:
        return build_gather(build, step, out);
    case OP_SCATTER:
        return build_scatter(build, step, out);
    case OP_RESHAPE:
        return reshape(build, step, out);
    case OP_BROADCAST_IN_DIM:
        return broadcast(build, step, out);
    case OP_REVERSE:
        return reverse(build, step, out);
    case OP_CONCATENATE:
        return concatenate(build, step, out);
    case OP_IOTA:
        return iota(build, step, out);
    case OP_COMPARE:
        return compare(build, step, out);
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
    case OP_TRANSPOSE:
    case OP_BITCAST_CONVERT:
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        break;
    }
    return convert_type(build, step, step->pattern->op, step->pattern->type, &want) &&
           build_make(build, (struct operation){step->pattern->op, NO_ATTR, want, step->n},
                      step->args, out);
}

static bool variable_node(struct build *build, const struct build_step *step, term_id *out)
{
    const struct op_binding *binding = &build->in->op[step->pattern->var];
    const struct op_var *decl = &build->in->rule->opvars[step->pattern->var];
    type_id want;
    return convert_type(build, step, binding->op, decl->result, &want) &&
           build_make(build, (struct operation){binding->op, binding->attr, want, step->n},
                      step->args, out);
}

static bool build_node(struct build *build, uint32_t i)
{
    const struct instance *in = build->in;
    const struct pat *pattern = &in->rule->pats[i];
    const struct pat_place *place = &in->pat[i];
    term_id small[8], *args = small, *out = &build->term[i];
    if (pattern->n_args > 8)
        args = mem_alloc(pattern->n_args * sizeof *args);
    struct build_step step = {pattern, place, &place->out, pattern->n_args, args};
    bool ok = true;
    for (uint32_t k = 0; ok && k < pattern->n_args; k++)
        ok = build_transposed(build, build->term[pattern->args[k]], &in->pat[pattern->args[k]].out,
                              &place->in[k], &args[k]);
    switch (ok ? pattern->kind : PAT_TENSOR) {
    case PAT_TENSOR:
        *out = ok ? in->tensor[pattern->var] : NO_TERM;
        break;
    case PAT_SCALAR:
        *out = in->scalar[pattern->var];
        break;
    case PAT_LITERAL:
        ok = literal(build, pattern, out);
        break;
    case PAT_SPLAT:
        ok = splat(build, &step, out);
        break;
    case PAT_OP:
        ok = operator_node(build, &step, out);
        break;
    case PAT_OPVAR:
        ok = variable_node(build, &step, out);
        break;
    case PAT_RELABEL:
        *out = args[0];
        break;
    case PAT_CALL:
        ok = err_set(build->err, ERR_CHECK, "rule %s: %s is a named function, which no program has",
                     in->rule->name, pattern->text);
        break;
    }
    if (args != small)
        mem_free(args);
    if (!ok)
        return false;
    if (out->v >= build->builder->terms->term.len)
        return err_set(build->err, ERR_CHECK, "rule %s: a variable has no term", in->rule->name);
    type_id type = term_type(build->builder->terms, *out);
    const struct pool *pool = build->builder->terms->pool;
    if (!type_is_tensor(pool, type) || type_elem(pool, type) != in->elem[pattern->type] ||
        type_rank(pool, type) != place->out.n)
        return err_set(build->err, ERR_CHECK,
                       "rule %s: pattern node %u has another type than its "
                       "term",
                       in->rule->name, i);
    return true;
}

bool instance_build(const struct instance *in, uint32_t root, const struct builder *builder,
                    term_id *out, struct err *err)
{
    enum { FEW = 32 };
    bool few_below[FEW] = {false}, *below = root < FEW ? few_below : mem_alloc(root + 1);
    term_id few_terms[FEW], *term = root < FEW ? few_terms : mem_alloc((root + 1) * sizeof *term);
    struct build build = {in, builder, term, err};
    below[root] = true;
    for (uint32_t i = root + 1; i-- > 0;)
        for (uint32_t k = 0; below[i] && k < in->rule->pats[i].n_args; k++)
            below[in->rule->pats[i].args[k]] = true;
    bool ok = true;
    for (uint32_t i = 0; ok && i <= root; i++)
        ok = !below[i] || build_node(&build, i);
    if (ok)
        *out = term[root];
    if (root >= FEW) {
        mem_free(term);
        mem_free(below);
    }
    return ok;
}

bool instance_build_as(const struct instance *in, uint32_t root, const struct order *wanted,
                       const struct builder *builder, term_id *out, struct err *err)
{
    struct build build = {in, builder, NULL, err};
    term_id term;
    return instance_build(in, root, builder, &term, err) &&
           build_transposed(&build, term, &in->pat[root].out, wanted, out);
}
