// SPDX-License-Identifier: Apache-2.0
// Nodes that combine elements: reduce, reduce_window, dot_general, convolution.
// Lists of axes that come in pairs or triples (contracted, spatial ones) are
// written in ascending positions of the first operand.
#include "rules/instance/build.h"
#include "tensor/eval/eval.h"

bool build_reducer(struct build *build, const struct build_step *step, enum op *op)
{
    enum elem elem = build->in->elem[step->pattern->type];
    *op = step->pattern->opvar == NONE ? step->pattern->reducer
                                       : build->in->op[step->pattern->opvar].op;
    return (op_is_reducer(*op) && (op_kinds(*op) & elem_kind(elem))) ||
           err_set(build->err, ERR_CHECK, "%s is no reducer of %s",
                   *op < N_OPS ? op_name(*op) : "that", elem_text(elem));
}

bool build_init(struct build *build, const struct build_step *step, enum op reducer, term_id *out)
{
    enum elem elem = build->in->elem[step->pattern->type];
    if (step->n > 1) {
        *out = step->args[1];
        return true;
    }
    return build_scalar(build, elem, reducer_unit(reducer, elem), out);
}

// A reduce with an initial value is a node even over no axis, since the value takes
// part once.
bool build_reduce(struct build *build, const struct build_step *step, term_id *out)
{
    int64_t attr[1 + TENSOR_MAX_RANK];
    uint32_t n = build_positions(build, &step->place->in[0], step->pattern->classes, attr + 1);
    enum op op;
    *out = step->args[0];
    if (n == 0 && step->n == 1)
        return true;
    term_id args[2] = {step->args[0], NO_TERM};
    if (!build_reducer(build, step, &op) || !build_init(build, step, op, &args[1]))
        return false;
    attr[0] = (int64_t)op;
    return build_make(build,
                      (struct operation){OP_REDUCE, build_attr(build, 1 + n, attr), NO_TYPE, 2},
                      args, out);
}

bool build_window(struct build *build, const struct build_step *step, term_id *out)
{
    static const int64_t defaults[6] = {1, 1, 0, 0, 1, 1};
    int64_t attr[1 + 6 * TENSOR_MAX_RANK];
    uint32_t rank = step->out->n;
    enum op op;
    *out = step->args[0];
    if (rank == 0 && step->n == 1)
        return true;
    for (uint32_t j = 0; j < 6; j++)
        if (!build_attributes(build, step, step->out, j, defaults[j], attr + 1 + j * rank))
            return false;
    term_id args[2] = {step->args[0], NO_TERM};
    if (!build_reducer(build, step, &op) || !build_init(build, step, op, &args[1]))
        return false;
    attr[0] = (int64_t)op;
    return build_make(
        build,
        (struct operation){OP_REDUCE_WINDOW, build_attr(build, 1 + 6 * rank, attr), NO_TYPE, 2},
        args, out);
}

struct attrs {
    struct build *build;
    int64_t *at;
    uint32_t n;
};

// Positions in `order` of the axes that stand in `by`, in that order.
static bool put_positions(struct attrs *attrs, const struct order *by, uint64_t classes,
                          const struct order *order)
{
    for (uint32_t i = 0; i < by->n; i++) {
        if (!(classes >> attrs->build->in->axis_class[by->axis[i]] & 1))
            continue;
        uint32_t at = order_find(order, by->axis[i]);
        if (at == NONE)
            return err_set(attrs->build->err, ERR_CHECK, "axis %u is not in the operand",
                           by->axis[i]);
        attrs->at[attrs->n++] = at;
    }
    return true;
}

static uint32_t count_axes(const struct build *build, const struct order *order, uint64_t classes)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < order->n; i++)
        n += classes >> build->in->axis_class[order->axis[i]] & 1;
    return n;
}

bool build_dot(struct build *build, const struct build_step *step, term_id *out)
{
    int64_t attr[2 + 2 * TENSOR_MAX_RANK];
    const struct order *order = &step->place->in[0], *r = &step->place->in[1];
    struct attrs attrs = {build, attr, 2};
    if (order->n > TENSOR_MAX_RANK || r->n > TENSOR_MAX_RANK)
        return err_set(build->err, ERR_LIMIT, "a rank is over %d", TENSOR_MAX_RANK);
    attr[0] = count_axes(build, order, step->pattern->batch);
    attr[1] = count_axes(build, order, step->pattern->classes);
    return put_positions(&attrs, step->out, step->pattern->batch, order) &&
           put_positions(&attrs, step->out, step->pattern->batch, r) &&
           put_positions(&attrs, order, step->pattern->classes, order) &&
           put_positions(&attrs, order, step->pattern->classes, r) &&
           build_make(
               build,
               (struct operation){OP_DOT_GENERAL, build_attr(build, attrs.n, attr), NO_TYPE, 2},
               step->args, out);
}

static bool group_count(struct build *build, const struct pat *pattern, const struct iexp *expr,
                        int64_t *out)
{
    *out = 1;
    return expr == NULL || instance_iexp(build->in, expr, NONE, 0, out) ||
           build_overflow(build, pattern);
}

// stride, low, high, lhs_dilation, rhs_dilation, reversal of the spatial axes.
static bool put_window(struct attrs *attrs, const struct build_step *step,
                       const struct order *spatial)
{
    static const int64_t defaults[5] = {1, 0, 0, 1, 1};
    for (uint32_t j = 0; j < 5; j++) {
        if (!build_attributes(attrs->build, step, spatial, j, defaults[j], attrs->at + attrs->n))
            return false;
        attrs->n += spatial->n;
    }
    for (uint32_t i = 0; i < spatial->n; i++)
        attrs->at[attrs->n++] =
            step->pattern->flipped >> attrs->build->in->axis_class[spatial->axis[i]] & 1;
    return true;
}

bool build_convolution(struct build *build, const struct build_step *step, term_id *out)
{
    int64_t attr[4 + 6 * TENSOR_MAX_RANK + 2 + 3 * TENSOR_MAX_RANK];
    uint32_t axis[TENSOR_MAX_RANK];
    const struct pat *pattern = step->pattern;
    const struct order *in = &step->place->in[0], *order = &step->place->in[1];
    struct order spatial = {0, axis};
    struct attrs attrs = {build, attr, 4};
    if (in->n > TENSOR_MAX_RANK || order->n > TENSOR_MAX_RANK || step->out->n > TENSOR_MAX_RANK)
        return err_set(build->err, ERR_LIMIT, "a rank is over %d", TENSOR_MAX_RANK);
    for (uint32_t i = 0; i < in->n; i++)
        if (pattern->spatial >> build->in->axis_class[in->axis[i]] & 1)
            axis[spatial.n++] = in->axis[i];
    attr[0] = count_axes(build, in, pattern->batch);
    attr[1] = count_axes(build, in, pattern->classes);
    attr[2] = count_axes(build, order, pattern->out);
    attr[3] = spatial.n;
    if (!put_window(&attrs, step, &spatial) ||
        !group_count(build, pattern, pattern->feature_groups, &attr[attrs.n]) ||
        !group_count(build, pattern, pattern->batch_groups, &attr[attrs.n + 1]))
        return false;
    attrs.n += 2;
    return put_positions(&attrs, in, pattern->batch, in) &&
           put_positions(&attrs, in, pattern->classes, in) &&
           put_positions(&attrs, in, pattern->spatial, in) &&
           put_positions(&attrs, in, pattern->classes, order) &&
           put_positions(&attrs, order, pattern->out, order) &&
           put_positions(&attrs, in, pattern->spatial, order) &&
           put_positions(&attrs, in, pattern->batch, step->out) &&
           put_positions(&attrs, order, pattern->out, step->out) &&
           put_positions(&attrs, in, pattern->spatial, step->out) &&
           build_make(
               build,
               (struct operation){OP_CONVOLUTION, build_attr(build, attrs.n, attr), NO_TYPE, 2},
               step->args, out);
}
