// SPDX-License-Identifier: Apache-2.0
// The gate for instances that come from a file: nothing in them is trusted but
// the lengths of the arrays, which are those of instance_new for `rank`, and
// of each order, which is its own `n`.
#include "rules/instance/regroup.h"
#include "tensor/shape/infer.h"

struct check {
    const struct instance *in;
    const struct rule *r;
    const struct terms *t;
    struct err *e;
};

static bool check_axes(struct check *c)
{
    const struct instance *in = c->in;
    uint64_t total = 0;
    for (uint32_t k = 0; k < c->r->n_classes; k++) {
        const struct axis_class *cls = &c->r->classes[k];
        if (in->rank[k] < cls->least_rank || in->rank[k] > MAX_RANK ||
            (cls->single && in->rank[k] != 1))
            return err_set(c->e, ERR_CHECK, "class %s cannot have rank %u",
                           cls->name, in->rank[k]);
        if (in->rank[k] != in->rank[cls->like])
            return err_set(c->e, ERR_CHECK,
                           "N1: classes %s and %s have ranks %u and %u",
                           cls->name, c->r->classes[cls->like].name,
                           in->rank[k], in->rank[cls->like]);
        total += in->rank[k];
    }
    if (total != in->n_axes)
        return err_set(c->e, ERR_CHECK, "N1: %u axes, but the ranks add to %u",
                       in->n_axes, (uint32_t)total);
    bool *seen = mem_alloc(in->n_axes + 1u);
    bool ok = true;
    for (uint32_t k = 0; ok && k < c->r->n_classes; k++)
        for (uint32_t i = 0; ok && i < in->rank[k]; i++) {
            uint32_t axis = in->class_axes[k][i];
            ok = axis < in->n_axes && !seen[axis] && in->axis_class[axis] == k;
            if (ok)
                seen[axis] = true;
        }
    mem_free(seen);
    return ok || err_set(c->e, ERR_CHECK,
                         "N1: the axes of the classes are not a partition");
}

static bool check_types(struct check *c)
{
    for (uint32_t i = 0; i < c->r->n_types; i++) {
        enum elem t = c->in->elem[i];
        if ((unsigned)t >= N_ELEMS || t == ELEM_OTHER ||
            !(elem_kind(t) & c->r->types[i].kinds))
            return err_set(c->e, ERR_CHECK,
                           "type variable %u (%s) cannot be %s", i,
                           c->r->types[i].name,
                           (unsigned)t < N_ELEMS ? elem_text(t) : "that");
    }
    return instance_wider(c->in, c->e);
}

static bool check_opvar(struct check *c, uint32_t i)
{
    const struct op_var *v = &c->r->opvars[i];
    const struct op_binding *b = &c->in->op[i];
    struct pool *pool = c->t->pool;
    if ((unsigned)b->op >= N_OPS || b->attr.v >= pool->attr.len)
        return err_set(c->e, ERR_CHECK, "operator variable %s has no operator",
                       v->name);
    enum elem result = c->in->elem[v->result];
    if (v->kind == OPVAR_MONOID) {
        // The domain decides the rest: instance_domains.
        if (attr_len(pool, b->attr) != 0 ||
            !monoid_holds(b->op, result, DOMAIN_REAL))
            return err_set(c->e, ERR_CHECK, "%s is no monoid on %s",
                           op_name(b->op), elem_text(result));
        return true;
    }
    if (v->kind == OPVAR_MONOTONE &&
        !monotone_holds(b->op, result, DOMAIN_REAL))
        return err_set(c->e, ERR_CHECK, "%s does not keep the order of %s",
                       op_name(b->op), elem_text(result));
    type_id args[3], type, want = NO_TYPE;
    bool fits = op_is_elementwise(b->op) && v->n_args <= 3 &&
                op_arity(b->op) == (int)v->n_args;
    for (uint32_t k = 0; fits && k < v->n_args; k++)
        fits =
            type_tensor(pool, c->in->elem[v->args[k]], 0, NULL, &args[k], c->e);
    if (fits && b->op == OP_CONVERT)
        fits = type_tensor(pool, result, 0, NULL, &want, c->e);
    struct err own = {0};
    if (!fits ||
        !infer_type(pool, b->op, b->attr, want, v->n_args, args, &type, &own) ||
        type_elem(pool, type) != result)
        return err_set(c->e, ERR_CHECK, "operator variable %s cannot be %s: %s",
                       v->name, op_name(b->op), own.msg);
    return true;
}

static bool check_lets(struct check *c)
{
    for (uint32_t m = 0; m < c->r->n_maps; m++) {
        const struct map *def = &c->r->maps[m];
        bool computed = def->def != NULL && !def->index;
        for (uint32_t i = 0; computed && i < c->in->rank[def->cls]; i++) {
            int64_t v;
            if (!instance_iexp(c->in, def->def, def->cls, i, &v) ||
                v != c->in->map[m][i])
                return err_set(c->e, ERR_CHECK,
                               "%s does not have the value of its definition",
                               def->name);
        }
    }
    return true;
}

// Is `o` an arrangement of the axes of the classes in `sizes`?
static bool arrangement(const struct check *c, const struct order *o,
                        uint32_t n, const struct axis_size *sizes)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += c->in->rank[sizes[i].cls];
    if (o->n != total || o->n > MAX_RANK)
        return false;
    for (uint32_t i = 0; i < o->n; i++) {
        uint32_t axis = o->axis[i];
        bool found = false;
        if (axis >= c->in->n_axes)
            return false;
        for (uint32_t k = 0; k < n; k++)
            found = found || sizes[k].cls == c->in->axis_class[axis];
        for (uint32_t k = 0; k < i; k++)
            found = found && o->axis[k] != axis;
        if (!found)
            return false;
    }
    return true;
}

static bool is_tensor(const struct check *c, term_id t, enum elem elem)
{
    if (t.v >= c->t->term.len)
        return false;
    type_id type = term_type(c->t, t);
    return type_is_tensor(c->t->pool, type) &&
           type_elem(c->t->pool, type) == elem;
}

static bool check_tensor(struct check *c, uint32_t i)
{
    const struct tensor_var *v = &c->r->tensors[i];
    const struct order *o = &c->in->order[i];
    term_id t = c->in->tensor[i];
    if (!is_tensor(c, t, c->in->elem[v->type]))
        return err_set(c->e, ERR_CHECK, "tensor %s is no tensor of %s", v->name,
                       elem_text(c->in->elem[v->type]));
    type_id type = term_type(c->t, t);
    if (type_rank(c->t->pool, type) != o->n ||
        !arrangement(c, o, v->n_sizes, v->sizes))
        return err_set(c->e, ERR_CHECK,
                       "N2: the order of tensor %s is no arrangement of its "
                       "axes",
                       v->name);
    for (uint32_t k = 0; k < o->n; k++) {
        int64_t size, found = type_dims(c->t->pool, type)[k];
        if (!instance_size(c->in, v->n_sizes, v->sizes, o->axis[k], &size) ||
            size != found)
            return err_set(c->e, ERR_CHECK,
                           "dimension %u of tensor %s is %lld, not as declared",
                           k, v->name, (long long)found);
    }
    return true;
}

static bool renamed(const struct check *c, const struct pat *p,
                    const struct order *from, const struct order *to)
{
    const struct instance *in = c->in;
    if (from->n != to->n)
        return false;
    for (uint32_t i = 0; i < from->n; i++) {
        uint32_t cls = in->axis_class[from->axis[i]], want = from->axis[i];
        for (uint32_t k = 0; k < p->n_relabels; k++)
            for (uint32_t j = 0;
                 cls == p->relabels[k].from && j < in->rank[cls]; j++)
                if (in->class_axes[cls][j] == from->axis[i])
                    want = in->class_axes[p->relabels[k].to][j];
        if (to->axis[i] != want)
            return false;
    }
    return true;
}

// out = in[0] without the axes of the reduced classes.
static bool reduced(const struct check *c, const struct pat *p,
                    const struct order *from, const struct order *to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        if (p->classes >> c->in->axis_class[from->axis[i]] & 1)
            continue;
        if (n >= to->n || to->axis[n] != from->axis[i])
            return false;
        n++;
    }
    return n == to->n;
}

// Operands from k on have the order of the result.
static bool alike(const struct pat_place *at, uint32_t k, uint32_t n)
{
    bool ok = true;
    for (; k < n; k++)
        ok = ok && order_same(&at->in[k], &at->out);
    return ok;
}

static bool has_axis_of(const struct check *c, uint64_t classes, uint32_t axis)
{
    return classes >> c->in->axis_class[axis] & 1;
}

// Do the axes that a and b have, and c has not, stand in one relative order?
static bool agree(const struct order *a, const struct order *b,
                  const struct order *c)
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

// Batch axes first, then those of lhs, then those of rhs.
static bool dot_place(const struct check *c, const struct pat *p,
                      const struct pat_place *at)
{
    int stage = 0;
    for (uint32_t i = 0; i < at->out.n; i++) {
        uint32_t axis = at->out.axis[i];
        int own = has_axis_of(c, p->batch, axis)         ? 0
                  : order_find(&at->in[0], axis) != NONE ? 1
                                                         : 2;
        if (own < stage)
            return false;
        stage = own;
    }
    struct order rest = at->out, none = {0, NULL};
    while (rest.n > 0 && has_axis_of(c, p->batch, rest.axis[0])) {
        rest.axis++;
        rest.n--;
    }
    return agree(&rest, &at->in[0], &none) && agree(&rest, &at->in[1], &none);
}

static bool operator_place(const struct check *c, const struct pat *p,
                           const struct pat_place *at)
{
    struct order none = {0, NULL};
    switch (p->op) {
    case OP_REDUCE:
        return reduced(c, p, &at->in[0], &at->out);
    case OP_BROADCAST_IN_DIM:
    case OP_CONVOLUTION:
        return true;
    case OP_PAD:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
        return order_same(&at->in[0], &at->out);
    case OP_DOT_GENERAL:
        return dot_place(c, p, at);
    case OP_GATHER:
        return agree(&at->out, &at->in[0], &at->in[1]) &&
               agree(&at->out, &at->in[1], &none);
    case OP_SCATTER:
        return order_same(&at->in[0], &at->out) &&
               agree(&at->in[2], &at->in[1], &none) &&
               agree(&at->in[2], &at->in[0], &at->in[1]);
    case OP_RESHAPE:
        return reshape_fits(c->in, p, &at->in[0], &at->out);
    default:
        return alike(at, 0, p->n_args);
    }
}

static bool check_place(struct check *c, uint32_t i)
{
    const struct pat *p = &c->r->pats[i];
    const struct pat_place *at = &c->in->pat[i];
    bool ok = arrangement(c, &at->out, p->n_sizes, p->sizes);
    for (uint32_t k = 0; ok && k < p->n_args; k++) {
        const struct pat *a = &c->r->pats[p->args[k]];
        ok = arrangement(c, &at->in[k], a->n_sizes, a->sizes);
    }
    if (!ok)
        return err_set(c->e, ERR_CHECK,
                       "N2: an order of pattern node %u is no arrangement of "
                       "its axes",
                       i);
    if (p->kind == PAT_TENSOR)
        ok = order_same(&at->out, &c->in->order[p->var]);
    else if (p->kind == PAT_RELABEL)
        ok = renamed(c, p, &at->in[0], &at->out);
    else if (p->kind == PAT_OPVAR)
        ok = alike(at, 0, p->n_args);
    else if (p->kind == PAT_OP)
        ok = operator_place(c, p, at);
    return ok || err_set(c->e, ERR_CHECK,
                         "N3, N4: the orders of pattern node %u do not fit its "
                         "operator",
                         i);
}

static bool check_side(struct check *c, uint32_t root)
{
    bool *below = mem_alloc(root + 1u);
    bool ok = true;
    below[root] = true;
    for (uint32_t i = root + 1; ok && i-- > 0;) {
        if (!below[i])
            continue;
        ok = check_place(c, i);
        for (uint32_t k = 0; k < c->r->pats[i].n_args; k++)
            below[c->r->pats[i].args[k]] = true;
    }
    mem_free(below);
    return ok;
}

static bool check_indices(struct check *c)
{
    const struct instance *in = c->in;
    for (uint32_t m = 0; m < c->r->n_maps; m++) {
        const struct map *map = &c->r->maps[m];
        for (uint32_t i = 0;
             map->index && map->def == NULL && i < in->rank[map->cls]; i++)
            if (!(elem_kind(in->index_elem) & (KIND_SINT | KIND_UINT)) ||
                !is_tensor(c, in->index[m][i], in->index_elem) ||
                type_rank(c->t->pool, term_type(c->t, in->index[m][i])) != 0)
                return err_set(c->e, ERR_CHECK,
                               "index %s is no rank-0 tensor of integers",
                               map->name);
    }
    return instance_index_fits(in, c->e);
}

bool instance_check(const struct instance *in, const struct terms *t,
                    struct err *e)
{
    struct check c = {in, in->rule, t, e};
    if (!check_axes(&c) || !check_types(&c) || !check_lets(&c))
        return false;
    for (uint32_t i = 0; i < c.r->n_opvars; i++)
        if (!check_opvar(&c, i))
            return false;
    for (uint32_t i = 0; i < c.r->n_tensors; i++)
        if (!check_tensor(&c, i))
            return false;
    if (!check_indices(&c))
        return false;
    for (uint32_t i = 0; i < c.r->n_scalars; i++) {
        const struct scalar_var *v = &c.r->scalars[i];
        if (!is_tensor(&c, in->scalar[i], in->elem[v->type]) ||
            type_rank(t->pool, term_type(t, in->scalar[i])) != 0)
            return err_set(e, ERR_CHECK, "scalar %s is no rank-0 %s", v->name,
                           elem_text(in->elem[v->type]));
    }
    return check_side(&c, c.r->lhs) && check_side(&c, c.r->rhs);
}
