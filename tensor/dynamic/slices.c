// SPDX-License-Identifier: Apache-2.0
#include "tensor/dynamic/slices.h"

#include "tensor/dynamic/operation.h"
#include "tensor/dynamic/whole.h"
#include "tensor/program/region.h"

// No operation of a program has this text: names of operations have a dialect.
static const char slices_text[] = "slices";

#define BOUND_MANY UINT32_MAX

bool term_is_slices(const struct terms *terms, term_id id)
{
    if (term_op(terms, id) != OP_OPAQUE)
        return false;
    struct opaque_view view = opaque_view(terms, id);
    return view.n_blocks == 1 && strcmp(sym_text(terms->pool, view.text), slices_text) == 0;
}

// Are these the slices of a type with sizes "?"?
static bool is_slice_type(struct pool *pool, type_id slice, type_id type, uint32_t *n_open)
{
    struct sized sized, known;
    type_id want;
    if (!sized_of(pool, type, &sized) || sized.n_open == 0)
        return false;
    sized_slice(&sized, &known);
    *n_open = sized.n_open;
    return sized_type(pool, &known, &want) && want.v == slice.v;
}

bool slices_read(const struct terms *terms, term_id id, struct slices_view *out)
{
    if (!term_is_slices(terms, id))
        return false;
    struct opaque_view view = opaque_view(terms, id);
    struct opaque_block block = opaque_block(&view, 0);
    const struct term *node = term_at(terms, id);
    uint32_t n = node->n_args - 1, n_open, m;
    if (view.serial != 0 || view.n_results != 1 || node->n_args < 2 || block.first != n ||
        block.n_returns != 1 || block.n_effects != 0 || block.first_parameter != 0 ||
        block.n_parameters != n)
        return false;
    *out = (struct slices_view){view.region, n, term_args(terms, id)[n]};
    if (!is_slice_type(terms->pool, term_type(terms, out->inner), node->type, &n_open))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        struct sized sized;
        m = 0;
        if (sized_of(terms->pool, term_type(terms, term_args(terms, id)[k]), &sized))
            m = sized.n_open;
        if (m != n_open)
            return false;
    }
    return true;
}

term_id slices_make(struct terms *terms, uint32_t region, uint32_t n, const term_id *operands,
                    term_id inner, type_id type)
{
    int64_t v[OPAQUE_PLAIN + 1 + OPAQUE_BLOCK] = {
        sym_make(terms->pool, slices_text).v, 1, 0, region, n, 1, 0, 0, n};
    term_id *args = mem_alloc(sizeof *args * (n + 1u));
    memcpy(args, operands, sizeof *args * n);
    args[n] = inner;
    term_id out = term_make(terms, OP_OPAQUE, attr_make(terms->pool, sizeof v / sizeof *v, v), type,
                            n + 1, args);
    mem_free(args);
    return out;
}

term_id slices_parameter(struct terms *terms, uint32_t region, uint32_t k, term_id operand)
{
    int64_t v[2] = {PARAMETER_OF_REGION(region), k};
    struct sized sized, known;
    type_id type;
    if (!sized_of(terms->pool, term_type(terms, operand), &sized))
        return NO_TERM;
    sized_slice(&sized, &known);
    if (!sized_type(terms->pool, &known, &type))
        return NO_TERM;
    return term_make(terms, OP_PARAMETER, attr_make(terms->pool, 2, v), type, 0, NULL);
}

// ---- laws

bool slices_free(struct slice_laws *laws, term_id id, uint32_t region)
{
    const struct terms *terms = laws->terms;
    for (uint32_t i = laws->bound.len; i <= id.v; i++) {
        const struct term *node = term_at(terms, (term_id){i});
        uint32_t bound = 0;
        if (node->op == OP_PARAMETER && attr_at(terms->pool, node->attr)[0] < 0)
            bound = (uint32_t)PARAMETER_OF_REGION(attr_at(terms->pool, node->attr)[0]) + 1;
        for (uint32_t k = 0; k < node->n_args; k++) {
            uint32_t arg = laws->bound.at[term_args(terms, (term_id){i})[k].v];
            bound = bound == 0 || bound == arg ? arg : arg == 0 ? bound : BOUND_MANY;
        }
        vec_push(&laws->bound, bound);
    }
    return laws->bound.at[id.v] != BOUND_MANY && laws->bound.at[id.v] != region + 1;
}

void slice_laws_release(struct slice_laws *laws)
{
    vec_release(&laws->bound);
}

static bool sizes_agree(struct slice_laws *laws, term_id a, uint32_t n)
{
    const term_id *operand = term_args(laws->terms, a);
    for (uint32_t k = 1; k < n; k++)
        if (!open_sizes_equal(laws->facts, operand[0], operand[k]))
            return false;
    return true;
}

static bool is_operand(struct slice_laws *laws, term_id a, const struct slices_view *view,
                       term_id b)
{
    const struct terms *terms = laws->terms;
    const struct term *inner = term_at(terms, view->inner);
    if (inner->op != OP_PARAMETER)
        return false;
    const int64_t *v = attr_at(terms->pool, inner->attr);
    return v[0] == PARAMETER_OF_REGION(view->region) && v[1] >= 0 && v[1] < view->n &&
           term_args(terms, a)[v[1]].v == b.v && sizes_agree(laws, a, view->n);
}

// Is `arg` the slices of s, with the region and the operands of a?
static bool is_same_slices(const struct terms *terms, term_id a, const struct slices_view *view,
                           term_id arg, term_id s)
{
    struct slices_view other;
    return slices_read(terms, arg, &other) && other.region == view->region && other.n == view->n &&
           other.inner.v == s.v &&
           memcmp(term_args(terms, a), term_args(terms, arg), view->n * sizeof(term_id)) == 0;
}

// Is the shape that b has as its last argument one with the sizes "?" of a's operands?
static bool has_shape(struct slice_laws *laws, term_id a, const struct slices_view *view, term_id b)
{
    const struct terms *terms = laws->terms;
    const struct term *node = term_at(terms, b);
    term_id like = shape_used(laws->facts, term_args(terms, b)[node->n_args - 1], node->type);
    return like.v != NO_TERM.v && sizes_agree(laws, a, view->n) &&
           open_sizes_equal(laws->facts, term_args(terms, a)[0], like);
}

static bool is_whole(struct slice_laws *laws, term_id a, const struct slices_view *view, term_id b)
{
    const struct terms *terms = laws->terms;
    const struct term *inner = term_at(terms, view->inner);
    enum op op = (enum op)inner->op;
    bool shaped = operation_takes_shape(op);
    type_id types[WHOLE_OPERANDS];
    attr_id attr;
    if (inner->n_args > WHOLE_OPERANDS || term_at(terms, b)->n_args != inner->n_args + shaped)
        return false;
    for (uint32_t k = 0; k < inner->n_args; k++) {
        term_id s = term_args(terms, view->inner)[k], arg = term_args(terms, b)[k];
        types[k] = term_type(terms, arg);
        bool known = type_is_tensor(terms->pool, types[k]);
        if (known ? arg.v != s.v || !slices_free(laws, s, view->region)
                  : !is_same_slices(terms, a, view, arg, s))
            return false;
    }
    struct operation on_slices = {op, inner->attr, term_type(terms, b), inner->n_args};
    return whole_attr(terms->pool, on_slices, types, &attr) &&
           operation_is(laws->program, terms, b, op, attr) &&
           (!shaped || has_shape(laws, a, view, b));
}

attr_id slices_spread(const struct terms *terms, type_id type, uint32_t n, const int64_t *dims)
{
    struct sized sized;
    int64_t known[TENSOR_MAX_RANK], out[TENSOR_MAX_RANK];
    uint32_t m = 0;
    if (!sized_of(terms->pool, type, &sized))
        return NO_ATTR;
    for (uint32_t k = 0; k < sized.rank; k++)
        if (sized.dims[k] >= 0)
            known[m++] = k;
    for (uint32_t k = 0; k < n; k++) {
        assert(dims == NULL || dims[k] < m);
        out[k] = known[dims == NULL ? k : dims[k]];
    }
    return attr_make(terms->pool, n, out);
}

// Is b v, or what a broadcast to the slice broadcasts, stretched to all slices?
static bool is_stretched(struct slice_laws *laws, const struct slices_view *view, term_id b)
{
    const struct terms *terms = laws->terms;
    const struct term *inner = term_at(terms, view->inner);
    term_id v = term_args(terms, b)[0];
    attr_id dims;
    if (view->inner.v == v.v)
        dims = slices_spread(terms, term_type(terms, b), type_rank(terms->pool, inner->type), NULL);
    else if (inner->op == OP_BROADCAST_IN_DIM && term_args(terms, view->inner)[0].v == v.v)
        dims = slices_spread(terms, term_type(terms, b), attr_len(terms->pool, inner->attr),
                             attr_at(terms->pool, inner->attr));
    else
        return false;
    return slices_free(laws, v, view->region) &&
           operation_is(laws->program, terms, b, OP_BROADCAST_IN_DIM, dims);
}

static bool is_broadcast(struct slice_laws *laws, term_id a, const struct slices_view *view,
                         term_id b)
{
    const struct term *node = term_at(laws->terms, b);
    return node->op == OP_OPAQUE && node->n_args == 2 && is_stretched(laws, view, b) &&
           has_shape(laws, a, view, b);
}

bool slices_equal(struct slice_laws *laws, term_id a, term_id b)
{
    struct slices_view view;
    return slices_read(laws->terms, a, &view) &&
           term_type(laws->terms, a).v == term_type(laws->terms, b).v &&
           (is_operand(laws, a, &view, b) || is_whole(laws, a, &view, b) ||
            is_broadcast(laws, a, &view, b));
}
