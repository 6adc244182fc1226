// SPDX-License-Identifier: Apache-2.0
// The checks of instances that come from a file.  This code trusts only the lengths of
// the arrays, which are the lengths that instance_new makes for `rank`, and the
// length `n` of each order.
#include "rules/instance/regroup.h"
#include "tensor/shape/infer.h"

struct check {
    const struct instance *in;
    const struct rule *rule;
    const struct terms *terms;
    struct err *err;
};

static bool check_axes(struct check *check)
{
    const struct instance *in = check->in;
    uint64_t total = 0;
    for (uint32_t k = 0; k < check->rule->n_classes; k++) {
        const struct axis_class *cls = &check->rule->classes[k];
        if (in->rank[k] < cls->least_rank || in->rank[k] > TENSOR_MAX_RANK ||
            (cls->single && in->rank[k] != 1))
            return err_set(check->err, ERR_CHECK, "class %s cannot have rank %u", cls->name,
                           in->rank[k]);
        if (in->rank[k] != in->rank[cls->like])
            return err_set(check->err, ERR_CHECK, "N1: classes %s and %s have ranks %u and %u",
                           cls->name, check->rule->classes[cls->like].name, in->rank[k],
                           in->rank[cls->like]);
        total += in->rank[k];
    }
    if (total != in->n_axes)
        return err_set(check->err, ERR_CHECK, "N1: %u axes, but the ranks add to %u", in->n_axes,
                       (uint32_t)total);
    bool *seen = mem_alloc(in->n_axes + 1u);
    bool ok = true;
    for (uint32_t k = 0; ok && k < check->rule->n_classes; k++)
        for (uint32_t i = 0; ok && i < in->rank[k]; i++) {
            uint32_t axis = in->class_axes[k][i];
            ok = axis < in->n_axes && !seen[axis] && in->axis_class[axis] == k;
            if (ok)
                seen[axis] = true;
        }
    mem_free(seen);
    return ok || err_set(check->err, ERR_CHECK, "N1: the axes of the classes are not a partition");
}

static bool check_types(struct check *check)
{
    for (uint32_t i = 0; i < check->rule->n_types; i++) {
        enum elem elem = check->in->elem[i];
        if ((unsigned)elem >= N_ELEMS || elem == ELEM_OTHER ||
            !(elem_kind(elem) & check->rule->types[i].kinds))
            return err_set(check->err, ERR_CHECK, "type variable %u (%s) cannot be %s", i,
                           check->rule->types[i].name,
                           (unsigned)elem < N_ELEMS ? elem_text(elem) : "that");
    }
    return instance_wider(check->in, check->err);
}

static bool check_opvar(struct check *check, uint32_t i)
{
    const struct op_var *opvar = &check->rule->opvars[i];
    const struct op_binding *binding = &check->in->op[i];
    struct pool *pool = check->terms->pool;
    if ((unsigned)binding->op >= N_OPS || binding->attr.v >= pool->attr.len)
        return err_set(check->err, ERR_CHECK, "operator variable %s has no operator", opvar->name);
    enum elem result = check->in->elem[opvar->result];
    if (opvar->kind == OPVAR_MONOID) {
        // instance_monoids decides the rest, by domain.
        if (attr_len(pool, binding->attr) != 0 || !monoid_holds(binding->op, result, DOMAIN_REAL))
            return err_set(check->err, ERR_CHECK, "%s is no monoid on %s", op_name(binding->op),
                           elem_text(result));
        return true;
    }
    if (opvar->kind == OPVAR_MONOTONE && !monotone_holds(binding->op, result, DOMAIN_REAL))
        return err_set(check->err, ERR_CHECK, "%s does not keep the order of %s",
                       op_name(binding->op), elem_text(result));
    type_id args[3], type, want = NO_TYPE;
    bool fits = op_is_elementwise(binding->op) && opvar->n_args <= 3 &&
                op_arity(binding->op) == (int)opvar->n_args;
    for (uint32_t k = 0; fits && k < opvar->n_args; k++)
        fits = type_tensor(pool, check->in->elem[opvar->args[k]], 0, NULL, &args[k], check->err);
    if (fits && binding->op == OP_CONVERT)
        fits = type_tensor(pool, result, 0, NULL, &want, check->err);
    struct err own = {0};
    if (!fits ||
        !infer_type(pool, (struct operation){binding->op, binding->attr, want, opvar->n_args}, args,
                    &type, &own) ||
        type_elem(pool, type) != result)
        return err_set(check->err, ERR_CHECK, "operator variable %s cannot be %s: %s", opvar->name,
                       op_name(binding->op), own.msg);
    return true;
}

static bool check_lets(struct check *check)
{
    for (uint32_t m = 0; m < check->rule->n_maps; m++) {
        const struct map *def = &check->rule->maps[m];
        bool computed = def->def != NULL && !def->index;
        for (uint32_t i = 0; computed && i < check->in->rank[def->cls]; i++) {
            int64_t v;
            if (!instance_iexp(check->in, def->def, def->cls, i, &v) || v != check->in->map[m][i])
                return err_set(check->err, ERR_CHECK,
                               "%s does not have the value of its definition", def->name);
        }
    }
    return true;
}

// Is `order` an arrangement of the axes of the classes in `sizes`?
static bool arrangement(const struct check *check, const struct order *order, uint32_t n,
                        const struct axis_size *sizes)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += check->in->rank[sizes[i].cls];
    if (order->n != total || order->n > TENSOR_MAX_RANK)
        return false;
    for (uint32_t i = 0; i < order->n; i++) {
        uint32_t axis = order->axis[i];
        bool found = false;
        if (axis >= check->in->n_axes)
            return false;
        for (uint32_t k = 0; k < n; k++)
            found = found || sizes[k].cls == check->in->axis_class[axis];
        for (uint32_t k = 0; k < i; k++)
            found = found && order->axis[k] != axis;
        if (!found)
            return false;
    }
    return true;
}

static bool is_tensor(const struct check *check, term_id term, enum elem elem)
{
    if (term.v >= check->terms->term.len)
        return false;
    type_id type = term_type(check->terms, term);
    return type_is_tensor(check->terms->pool, type) && type_elem(check->terms->pool, type) == elem;
}

static bool check_tensor(struct check *check, uint32_t i)
{
    const struct tensor_var *tensor = &check->rule->tensors[i];
    const struct order *order = &check->in->order[i];
    term_id term = check->in->tensor[i];
    if (!is_tensor(check, term, check->in->elem[tensor->type]))
        return err_set(check->err, ERR_CHECK, "tensor %s is no tensor of %s", tensor->name,
                       elem_text(check->in->elem[tensor->type]));
    type_id type = term_type(check->terms, term);
    if (type_rank(check->terms->pool, type) != order->n ||
        !arrangement(check, order, tensor->n_sizes, tensor->sizes))
        return err_set(check->err, ERR_CHECK,
                       "N2: the order of tensor %s is no arrangement of its "
                       "axes",
                       tensor->name);
    for (uint32_t k = 0; k < order->n; k++) {
        int64_t size, found = type_dims(check->terms->pool, type)[k];
        if (!instance_size(check->in, tensor->n_sizes, tensor->sizes, order->axis[k], &size) ||
            size != found)
            return err_set(check->err, ERR_CHECK,
                           "dimension %u of tensor %s is %lld, not as declared", k, tensor->name,
                           (long long)found);
    }
    return true;
}

static bool renamed(const struct check *check, const struct pat *pattern, const struct order *from,
                    const struct order *to)
{
    const struct instance *in = check->in;
    if (from->n != to->n)
        return false;
    for (uint32_t i = 0; i < from->n; i++) {
        uint32_t cls = in->axis_class[from->axis[i]], want = from->axis[i];
        for (uint32_t k = 0; k < pattern->n_relabels; k++)
            for (uint32_t j = 0; cls == pattern->relabels[k].from && j < in->rank[cls]; j++)
                if (in->class_axes[cls][j] == from->axis[i])
                    want = in->class_axes[pattern->relabels[k].to][j];
        if (to->axis[i] != want)
            return false;
    }
    return true;
}

// Checks out = in[0] without the axes of the reduced classes.
static bool reduced(const struct check *check, const struct pat *pattern, const struct order *from,
                    const struct order *to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        if (pattern->classes >> check->in->axis_class[from->axis[i]] & 1)
            continue;
        if (n >= to->n || to->axis[n] != from->axis[i])
            return false;
        n++;
    }
    return n == to->n;
}

// Checks that the operands from k on have the order of the result.
static bool alike(const struct pat_place *at, uint32_t k, uint32_t n)
{
    bool ok = true;
    for (; k < n; k++)
        ok = ok && order_same(&at->in[k], &at->out);
    return ok;
}

static bool has_axis_of(const struct check *check, uint64_t classes, uint32_t axis)
{
    return classes >> check->in->axis_class[axis] & 1;
}

// Do the axes that a and b have, and c has not, stand in one relative order?
static bool agree(const struct order *a, const struct order *b, const struct order *c)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t at = order_find(b, a->axis[i]);
        if (at == NONE || order_find(c, a->axis[i]) != NONE)
            continue;
        if (at < next)
            return false;
        next = at + 1;
    }
    return true;
}

// Checks that batch axes stand first, then the axes of lhs, then the axes of rhs.
static bool dot_place(const struct check *check, const struct pat *pattern,
                      const struct pat_place *at)
{
    int stage = 0;
    for (uint32_t i = 0; i < at->out.n; i++) {
        uint32_t axis = at->out.axis[i];
        int own = has_axis_of(check, pattern->batch, axis) ? 0
                  : order_find(&at->in[0], axis) != NONE   ? 1
                                                           : 2;
        if (own < stage)
            return false;
        stage = own;
    }
    struct order rest = at->out, none = {0, NULL};
    while (rest.n > 0 && has_axis_of(check, pattern->batch, rest.axis[0])) {
        rest.axis++;
        rest.n--;
    }
    return agree(&rest, &at->in[0], &none) && agree(&rest, &at->in[1], &none);
}

static bool operator_place(const struct check *check, const struct pat *pattern,
                           const struct pat_place *at)
{
    struct order none = {0, NULL};
    switch (pattern->op) {
    case OP_REDUCE:
        return reduced(check, pattern, &at->in[0], &at->out);
    case OP_BROADCAST_IN_DIM:
    case OP_CONVOLUTION:
        return true;
    case OP_PAD:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
        return order_same(&at->in[0], &at->out);
    case OP_DOT_GENERAL:
        return dot_place(check, pattern, at);
    case OP_GATHER:
        return agree(&at->out, &at->in[0], &at->in[1]) && agree(&at->out, &at->in[1], &none);
    case OP_SCATTER:
        return order_same(&at->in[0], &at->out) && agree(&at->in[2], &at->in[1], &none) &&
               agree(&at->in[2], &at->in[0], &at->in[1]);
    case OP_RESHAPE:
        return reshape_fits(check->in, pattern, &at->in[0], &at->out);
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_CONCATENATE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return alike(at, 0, pattern->n_args);
}

static bool check_place(struct check *check, uint32_t i)
{
    const struct pat *pattern = &check->rule->pats[i];
    const struct pat_place *at = &check->in->pat[i];
    bool ok = arrangement(check, &at->out, pattern->n_sizes, pattern->sizes);
    for (uint32_t k = 0; ok && k < pattern->n_args; k++) {
        const struct pat *a = &check->rule->pats[pattern->args[k]];
        ok = arrangement(check, &at->in[k], a->n_sizes, a->sizes);
    }
    if (!ok)
        return err_set(check->err, ERR_CHECK,
                       "N2: an order of pattern node %u is no arrangement of "
                       "its axes",
                       i);
    if (pattern->kind == PAT_TENSOR)
        ok = order_same(&at->out, &check->in->order[pattern->var]);
    else if (pattern->kind == PAT_RELABEL)
        ok = renamed(check, pattern, &at->in[0], &at->out);
    else if (pattern->kind == PAT_OPVAR)
        ok = alike(at, 0, pattern->n_args);
    else if (pattern->kind == PAT_OP)
        ok = operator_place(check, pattern, at);
    return ok || err_set(check->err, ERR_CHECK,
                         "N3, N4: the orders of pattern node %u do not fit its "
                         "operator",
                         i);
}

static bool check_side(struct check *check, uint32_t root)
{
    bool *below = mem_alloc(root + 1u);
    bool ok = true;
    below[root] = true;
    for (uint32_t i = root + 1; ok && i-- > 0;) {
        if (!below[i])
            continue;
        ok = check_place(check, i);
        for (uint32_t k = 0; k < check->rule->pats[i].n_args; k++)
            below[check->rule->pats[i].args[k]] = true;
    }
    mem_free(below);
    return ok;
}

static bool check_indices(struct check *check)
{
    const struct instance *in = check->in;
    for (uint32_t m = 0; m < check->rule->n_maps; m++) {
        const struct map *map = &check->rule->maps[m];
        for (uint32_t i = 0; map->index && map->def == NULL && i < in->rank[map->cls]; i++)
            if (!(elem_kind(in->index_elem) & (KIND_SINT | KIND_UINT)) ||
                !is_tensor(check, in->index[m][i], in->index_elem) ||
                type_rank(check->terms->pool, term_type(check->terms, in->index[m][i])) != 0)
                return err_set(check->err, ERR_CHECK, "index %s is no rank-0 tensor of integers",
                               map->name);
    }
    return instance_index_fits(in, check->err);
}

bool instance_check(const struct instance *in, const struct terms *terms, struct err *err)
{
    struct check check = {in, in->rule, terms, err};
    if (!check_axes(&check) || !check_types(&check) || !check_lets(&check))
        return false;
    for (uint32_t i = 0; i < check.rule->n_opvars; i++)
        if (!check_opvar(&check, i))
            return false;
    for (uint32_t i = 0; i < check.rule->n_tensors; i++)
        if (!check_tensor(&check, i))
            return false;
    if (!check_indices(&check))
        return false;
    for (uint32_t i = 0; i < check.rule->n_scalars; i++) {
        const struct scalar_var *scalar = &check.rule->scalars[i];
        if (!is_tensor(&check, in->scalar[i], in->elem[scalar->type]) ||
            type_rank(terms->pool, term_type(terms, in->scalar[i])) != 0)
            return err_set(err, ERR_CHECK, "scalar %s is no rank-0 %s", scalar->name,
                           elem_text(in->elem[scalar->type]));
    }
    return check_side(&check, check.rule->lhs) && check_side(&check, check.rule->rhs);
}
