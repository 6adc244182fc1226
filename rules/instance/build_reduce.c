// SPDX-License-Identifier: Apache-2.0
// Nodes that combine elements: reduce, reduce_window, dot_general, convolution.
// Lists of axes that come in pairs or triples (contracted, spatial ones) are
// written in ascending positions of the first operand.
#include "rules/instance/build.h"
#include "tensor/eval/eval.h"

bool build_reducer(struct build *w, const struct build_step *s, enum op *op)
{
    enum elem t = w->in->elem[s->p->type];
    *op = s->p->opvar == NONE ? s->p->reducer : w->in->op[s->p->opvar].op;
    return (op_is_reducer(*op) && (op_kinds(*op) & elem_kind(t))) ||
           err_set(w->e, ERR_CHECK, "%s is no reducer of %s",
                   *op < N_OPS ? op_name(*op) : "that", elem_text(t));
}

bool build_init(struct build *w, const struct build_step *s, enum op reducer,
                term_id *out)
{
    enum elem t = w->in->elem[s->p->type];
    if (s->n > 1) {
        *out = s->args[1];
        return true;
    }
    return build_scalar(w, t, reducer_unit(reducer, t), out);
}

// With an initial value there is a node even over no axis: the value is used
// once all the same.
bool build_reduce(struct build *w, const struct build_step *s, term_id *out)
{
    int64_t attr[1 + MAX_RANK];
    uint32_t n = build_positions(w, &s->place->in[0], s->p->classes, attr + 1);
    enum op op;
    *out = s->args[0];
    if (n == 0 && s->n == 1)
        return true;
    term_id args[2] = {s->args[0], NO_TERM};
    if (!build_reducer(w, s, &op) || !build_init(w, s, op, &args[1]))
        return false;
    attr[0] = (int64_t)op;
    return build_make(w, OP_REDUCE, 1 + n, attr, NO_TYPE, 2, args, out);
}

bool build_window(struct build *w, const struct build_step *s, term_id *out)
{
    static const int64_t defaults[6] = {1, 1, 0, 0, 1, 1};
    int64_t attr[1 + 6 * MAX_RANK];
    uint32_t rank = s->out->n;
    enum op op;
    *out = s->args[0];
    if (rank == 0 && s->n == 1)
        return true;
    for (uint32_t j = 0; j < 6; j++)
        if (!build_attributes(w, s, s->out, j, defaults[j],
                              attr + 1 + j * rank))
            return false;
    term_id args[2] = {s->args[0], NO_TERM};
    if (!build_reducer(w, s, &op) || !build_init(w, s, op, &args[1]))
        return false;
    attr[0] = (int64_t)op;
    return build_make(w, OP_REDUCE_WINDOW, 1 + 6 * rank, attr, NO_TYPE, 2, args,
                      out);
}

struct attrs {
    struct build *w;
    int64_t *at;
    uint32_t n;
};

// Positions in `o` of the axes that stand in `by`, in that order.
static bool put_positions(struct attrs *a, const struct order *by,
                          uint64_t classes, const struct order *o)
{
    for (uint32_t i = 0; i < by->n; i++) {
        if (!(classes >> a->w->in->axis_class[by->axis[i]] & 1))
            continue;
        uint32_t at = order_find(o, by->axis[i]);
        if (at == NONE)
            return err_set(a->w->e, ERR_CHECK, "axis %u is not in the operand",
                           by->axis[i]);
        a->at[a->n++] = at;
    }
    return true;
}

static uint32_t count_axes(const struct build *w, const struct order *o,
                           uint64_t classes)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->n; i++)
        n += classes >> w->in->axis_class[o->axis[i]] & 1;
    return n;
}

bool build_dot(struct build *w, const struct build_step *s, term_id *out)
{
    int64_t attr[2 + 2 * MAX_RANK];
    const struct order *l = &s->place->in[0], *r = &s->place->in[1];
    struct attrs a = {w, attr, 2};
    if (l->n > MAX_RANK || r->n > MAX_RANK)
        return err_set(w->e, ERR_LIMIT, "a rank is over %d", MAX_RANK);
    attr[0] = count_axes(w, l, s->p->batch);
    attr[1] = count_axes(w, l, s->p->classes);
    return put_positions(&a, s->out, s->p->batch, l) &&
           put_positions(&a, s->out, s->p->batch, r) &&
           put_positions(&a, l, s->p->classes, l) &&
           put_positions(&a, l, s->p->classes, r) &&
           build_make(w, OP_DOT_GENERAL, a.n, attr, NO_TYPE, 2, s->args, out);
}

static bool group_count(struct build *w, const struct pat *p,
                        const struct iexp *x, int64_t *out)
{
    *out = 1;
    return x == NULL || instance_iexp(w->in, x, NONE, 0, out) ||
           build_overflow(w, p);
}

// stride, low, high, lhs_dilation, rhs_dilation, reversal of the spatial axes.
static bool put_window(struct attrs *a, const struct build_step *s,
                       const struct order *spatial)
{
    static const int64_t defaults[5] = {1, 0, 0, 1, 1};
    for (uint32_t j = 0; j < 5; j++) {
        if (!build_attributes(a->w, s, spatial, j, defaults[j], a->at + a->n))
            return false;
        a->n += spatial->n;
    }
    for (uint32_t i = 0; i < spatial->n; i++)
        a->at[a->n++] =
            s->p->flipped >> a->w->in->axis_class[spatial->axis[i]] & 1;
    return true;
}

bool build_convolution(struct build *w, const struct build_step *s, term_id *out)
{
    int64_t attr[4 + 6 * MAX_RANK + 2 + 3 * MAX_RANK];
    uint32_t axis[MAX_RANK];
    const struct pat *p = s->p;
    const struct order *in = &s->place->in[0], *k = &s->place->in[1];
    struct order spatial = {0, axis};
    struct attrs a = {w, attr, 4};
    if (in->n > MAX_RANK || k->n > MAX_RANK || s->out->n > MAX_RANK)
        return err_set(w->e, ERR_LIMIT, "a rank is over %d", MAX_RANK);
    for (uint32_t i = 0; i < in->n; i++)
        if (p->spatial >> w->in->axis_class[in->axis[i]] & 1)
            axis[spatial.n++] = in->axis[i];
    attr[0] = count_axes(w, in, p->batch);
    attr[1] = count_axes(w, in, p->classes);
    attr[2] = count_axes(w, k, p->out);
    attr[3] = spatial.n;
    if (!put_window(&a, s, &spatial) ||
        !group_count(w, p, p->feature_groups, &attr[a.n]) ||
        !group_count(w, p, p->batch_groups, &attr[a.n + 1]))
        return false;
    a.n += 2;
    return put_positions(&a, in, p->batch, in) &&
           put_positions(&a, in, p->classes, in) &&
           put_positions(&a, in, p->spatial, in) &&
           put_positions(&a, in, p->classes, k) &&
           put_positions(&a, k, p->out, k) &&
           put_positions(&a, in, p->spatial, k) &&
           put_positions(&a, in, p->batch, s->out) &&
           put_positions(&a, k, p->out, s->out) &&
           put_positions(&a, in, p->spatial, s->out) &&
           build_make(w, OP_CONVOLUTION, a.n, attr, NO_TYPE, 2, s->args, out);
}
