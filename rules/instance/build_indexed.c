// SPDX-License-Identifier: Apache-2.0
// Nodes whose places are known at run time: dynamic_slice,
// dynamic_update_slice, gather, scatter.
#include "rules/instance/build.h"

// The starts of all axes, 0 where none is given.
static bool starts(struct build *w, const struct build_step *s, term_id *out)
{
    static const struct iexp zero = {.op = IE_CONST, .k = 0};
    const struct instance *in = w->in;
    for (uint32_t i = 0; i < s->out->n; i++) {
        uint32_t axis = s->out->axis[i], c = in->axis_class[axis], place = 0;
        const struct iexp *x = &zero;
        for (uint32_t k = 0; k < s->p->n_attrs; k++)
            if (s->p->attrs[k].cls == c && s->p->attrs[k].v[0] != NULL)
                x = s->p->attrs[k].v[0];
        while (place < in->rank[c] && in->class_axes[c][place] != axis)
            place++;
        if (!build_start(w, s->p, x, c, place, &out[i]))
            return false;
    }
    return true;
}

static const int64_t *dims_of(const struct build *w, term_id t)
{
    return type_dims(w->b->terms->pool, term_type(w->b->terms, t));
}

bool build_dynamic_slice(struct build *w, const struct build_step *s, term_id *out)
{
    int64_t size[MAX_RANK];
    term_id args[1 + MAX_RANK] = {s->args[0]};
    uint32_t rank = s->out->n;
    *out = s->args[0];
    for (uint32_t i = 0; i < rank; i++)
        if (!build_attribute(w, s, s->out->axis[i], 1,
                             dims_of(w, s->args[0])[i], &size[i]))
            return false;
    return rank == 0 || (starts(w, s, args + 1) &&
                         build_make(w, OP_DYNAMIC_SLICE, rank, size, NO_TYPE,
                                    1 + rank, args, out));
}

// Without an axis the update is all there is.
bool build_dynamic_update(struct build *w, const struct build_step *s, term_id *out)
{
    term_id args[2 + MAX_RANK] = {s->args[0], s->args[1]};
    uint32_t rank = s->out->n;
    *out = s->args[1];
    return rank == 0 || (starts(w, s, args + 2) &&
                         build_make(w, OP_DYNAMIC_UPDATE_SLICE, 0, NULL,
                                    NO_TYPE, 2 + rank, args, out));
}

// What gather and scatter have in common: dimension lists one after the other,
// each with its length at `at[count]`.
struct dimension_lists {
    int64_t *at;
    uint32_t n;
};

static void put(struct dimension_lists *l, int64_t v)
{
    l->at[l->n++] = v;
}

// Positions in `o` of axes whose membership in `other` is `both`.
static void put_shared(struct dimension_lists *l, uint32_t count, const struct order *o,
                       const struct order *other, bool both)
{
    for (uint32_t i = 0; i < o->n; i++)
        if ((order_find(other, o->axis[i]) != NONE) == both) {
            put(l, i);
            l->at[count]++;
        }
}

// Batch axes, in the order in which operand `by` has them, positions in `o`.
static void put_batch(const struct build *w, struct dimension_lists *l, uint32_t count,
                      uint64_t batch, const struct order *by,
                      const struct order *o)
{
    for (uint32_t i = 0; i < by->n; i++)
        if (batch >> w->in->axis_class[by->axis[i]] & 1) {
            put(l, order_find(o, by->axis[i]));
            if (count != NONE)
                l->at[count]++;
        }
}

static bool ranks_fit(struct build *w, const struct build_step *s)
{
    for (uint32_t k = 0; k < s->n; k++)
        if (s->place->in[k].n > MAX_RANK)
            return err_set(w->e, ERR_LIMIT, "a rank is over %d", MAX_RANK);
    return true;
}

// Slices have one element along axis a (or m, which then stays) and along batch
// axes, all of the others.  An empty batch axis has no slice at all.
static bool slice_sizes(struct build *w, const struct build_step *s, int64_t dim,
                        bool *sized, int64_t *size)
{
    const struct order *o = &s->place->in[0];
    *sized = false;
    for (uint32_t k = 0; k < s->p->n_attrs; k++)
        *sized = *sized || s->p->attrs[k].v[0] != NULL;
    for (uint32_t i = 0; i < o->n; i++) {
        int64_t n = dims_of(w, s->args[0])[i];
        size[i] = n;
        if ((int64_t)i == dim) {
            if (!build_attribute(w, s, o->axis[i], 0, 1, &size[i]))
                return false;
        } else if (s->p->batch >> w->in->axis_class[o->axis[i]] & 1) {
            size[i] = n < 1 ? n : 1;
        }
    }
    return true;
}

bool build_gather(struct build *w, const struct build_step *s, term_id *out)
{
    int64_t attr[6 + 6 * MAX_RANK] = {0}, dim, size[MAX_RANK];
    const struct order *in = &s->place->in[0], *at = &s->place->in[1];
    struct dimension_lists l = {attr, 6};
    bool sized;
    if (!ranks_fit(w, s) || !build_position(w, s, in, &dim) ||
        !slice_sizes(w, s, dim, &sized, size))
        return false;
    attr[3] = 1;     // start_index_map: axis a
    attr[5] = at->n; // each index is one number
    put_shared(&l, 0, s->out, at, false);
    if (!sized) {
        put(&l, dim);
        attr[1] = 1;
    }
    put_batch(w, &l, 2, s->p->batch, in, in);
    put_batch(w, &l, NONE, s->p->batch, in, at);
    put(&l, dim);
    for (uint32_t i = 0; i < in->n; i++)
        put(&l, size[i]);
    // n offset, n collapsed, n batching, n map, sorted, index_vector_dim
    return build_make(w, OP_GATHER, l.n, attr, NO_TYPE, 2, s->args, out);
}

bool build_scatter(struct build *w, const struct build_step *s, term_id *out)
{
    int64_t attr[8 + 4 * MAX_RANK] = {0}, dim;
    const struct order *in = &s->place->in[0], *at = &s->place->in[1];
    struct dimension_lists l = {attr, 8};
    enum op op = N_OPS;
    bool replaces = s->p->opvar == NONE && s->p->reducer == N_OPS;
    if (!ranks_fit(w, s) || !build_position(w, s, in, &dim) ||
        (!replaces && !build_reducer(w, s, &op)))
        return false;
    attr[0] = (int64_t)op;
    attr[4] = 1;     // scatter_dims_to_operand_dims: axis a
    attr[7] = at->n; // each index is one number
    put_shared(&l, 1, &s->place->in[2], at, false);
    put(&l, dim); // inserted
    attr[2] = 1;
    put_batch(w, &l, 3, s->p->batch, in, in);
    put_batch(w, &l, NONE, s->p->batch, in, at);
    put(&l, dim);
    return build_make(w, OP_SCATTER, l.n, attr, NO_TYPE, 3, s->args, out);
}
