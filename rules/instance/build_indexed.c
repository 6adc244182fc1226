// SPDX-License-Identifier: Apache-2.0
// Nodes whose places are known only at run time: dynamic_slice,
// dynamic_update_slice, gather, scatter.
#include "rules/attributes.h"
#include "rules/instance/build.h"

// The starts of all axes; 0 for an axis without a given start.
static bool starts(struct build *build, const struct build_step *step, term_id *out)
{
    static const struct iexp zero = {.op = IE_CONST, .k = 0};
    const struct instance *in = build->in;
    for (uint32_t i = 0; i < step->out->n; i++) {
        uint32_t axis = step->out->axis[i], c = in->axis_class[axis], place = 0;
        const struct iexp *expr = attribute_given(step->pattern, c, 0);
        if (expr == NULL)
            expr = &zero;
        while (place < in->rank[c] && in->class_axes[c][place] != axis)
            place++;
        if (!build_start(build, step->pattern, expr, c, place, &out[i]))
            return false;
    }
    return true;
}

static const int64_t *dims_of(const struct build *build, term_id term)
{
    return type_dims(build->builder->terms->pool, term_type(build->builder->terms, term));
}

bool build_dynamic_slice(struct build *build, const struct build_step *step, term_id *out)
{
    int64_t size[TENSOR_MAX_RANK];
    term_id args[1 + TENSOR_MAX_RANK] = {step->args[0]};
    uint32_t rank = step->out->n;
    *out = step->args[0];
    for (uint32_t i = 0; i < rank; i++)
        if (!build_attribute(build, step, step->out->axis[i], 1, dims_of(build, step->args[0])[i],
                             &size[i]))
            return false;
    return rank == 0 ||
           (starts(build, step, args + 1) &&
            build_make(build,
                       (struct operation){OP_DYNAMIC_SLICE, build_attr(build, rank, size), NO_TYPE,
                                          1 + rank},
                       args, out));
}

// At rank 0 the update is the whole result.
bool build_dynamic_update(struct build *build, const struct build_step *step, term_id *out)
{
    term_id args[2 + TENSOR_MAX_RANK] = {step->args[0], step->args[1]};
    uint32_t rank = step->out->n;
    *out = step->args[1];
    return rank == 0 ||
           (starts(build, step, args + 2) &&
            build_make(build,
                       (struct operation){OP_DYNAMIC_UPDATE_SLICE, NO_ATTR, NO_TYPE, 2 + rank},
                       args, out));
}

// Dimension lists of gather and scatter, one after the other.  The length of each list
// is at `at[count]`.
struct dimension_lists {
    int64_t *at;
    uint32_t n;
};

static void put(struct dimension_lists *lists, int64_t v)
{
    lists->at[lists->n++] = v;
}

// Positions in `order` of the axes that `other` also has (`both`), or has not.
static void put_shared(struct dimension_lists *lists, uint32_t count, const struct order *order,
                       const struct order *other, bool both)
{
    for (uint32_t i = 0; i < order->n; i++)
        if ((order_find(other, order->axis[i]) != NONE) == both) {
            put(lists, i);
            lists->at[count]++;
        }
}

// Positions in `order` of the batch axes, in the order of operand `by`.
static void put_batch(const struct build *build, struct dimension_lists *lists, uint32_t count,
                      uint64_t batch, const struct order *by, const struct order *order)
{
    for (uint32_t i = 0; i < by->n; i++)
        if (batch >> build->in->axis_class[by->axis[i]] & 1) {
            put(lists, order_find(order, by->axis[i]));
            if (count != NONE)
                lists->at[count]++;
        }
}

static bool ranks_fit(struct build *build, const struct build_step *step)
{
    for (uint32_t k = 0; k < step->n; k++)
        if (step->place->in[k].n > TENSOR_MAX_RANK)
            return err_set(build->err, ERR_LIMIT, "a rank is over %d", TENSOR_MAX_RANK);
    return true;
}

// A slice has one element along axis a (or m elements: the axis then stays) and one
// along each batch axis.  Along the other axes a slice has all elements.  An empty
// batch axis has no slice.
static bool slice_sizes(struct build *build, const struct build_step *step, int64_t dim,
                        bool *sized, int64_t *size)
{
    const struct order *order = &step->place->in[0];
    *sized = false;
    for (uint32_t k = 0; k < step->pattern->n_attrs; k++)
        *sized = *sized || step->pattern->attrs[k].expr[0] != NULL;
    for (uint32_t i = 0; i < order->n; i++) {
        int64_t n = dims_of(build, step->args[0])[i];
        size[i] = n;
        if ((int64_t)i == dim) {
            if (!build_attribute(build, step, order->axis[i], 0, 1, &size[i]))
                return false;
        } else if (step->pattern->batch >> build->in->axis_class[order->axis[i]] & 1) {
            size[i] = n < 1 ? n : 1;
        }
    }
    return true;
}

bool build_gather(struct build *build, const struct build_step *step, term_id *out)
{
    int64_t attr[6 + 6 * TENSOR_MAX_RANK] = {0}, dim, size[TENSOR_MAX_RANK];
    const struct order *in = &step->place->in[0], *at = &step->place->in[1];
    struct dimension_lists lists = {attr, 6};
    bool sized;
    if (!ranks_fit(build, step) || !build_position(build, step, in, &dim) ||
        !slice_sizes(build, step, dim, &sized, size))
        return false;
    attr[3] = 1;     // start_index_map: axis a
    attr[5] = at->n; // each index is one number
    put_shared(&lists, 0, step->out, at, false);
    if (!sized) {
        put(&lists, dim);
        attr[1] = 1;
    }
    put_batch(build, &lists, 2, step->pattern->batch, in, in);
    put_batch(build, &lists, NONE, step->pattern->batch, in, at);
    put(&lists, dim);
    for (uint32_t i = 0; i < in->n; i++)
        put(&lists, size[i]);
    // n offset, n collapsed, n batching, n map, sorted, index_vector_dim
    return build_make(build,
                      (struct operation){OP_GATHER, build_attr(build, lists.n, attr), NO_TYPE, 2},
                      step->args, out);
}

bool build_scatter(struct build *build, const struct build_step *step, term_id *out)
{
    int64_t attr[8 + 4 * TENSOR_MAX_RANK] = {0}, dim;
    const struct order *in = &step->place->in[0], *at = &step->place->in[1];
    struct dimension_lists lists = {attr, 8};
    enum op op = N_OPS;
    bool replaces = step->pattern->opvar == NONE && step->pattern->reducer == N_OPS;
    if (!ranks_fit(build, step) || !build_position(build, step, in, &dim) ||
        (!replaces && !build_reducer(build, step, &op)))
        return false;
    attr[0] = (int64_t)op;
    attr[4] = 1;     // scatter_dims_to_operand_dims: axis a
    attr[7] = at->n; // each index is one number
    put_shared(&lists, 1, &step->place->in[2], at, false);
    put(&lists, dim); // inserted
    attr[2] = 1;
    put_batch(build, &lists, 3, step->pattern->batch, in, in);
    put_batch(build, &lists, NONE, step->pattern->batch, in, at);
    put(&lists, dim);
    return build_make(build,
                      (struct operation){OP_SCATTER, build_attr(build, lists.n, attr), NO_TYPE, 3},
                      step->args, out);
}
