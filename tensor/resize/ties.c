// SPDX-License-Identifier: Apache-2.0
// What every operator says about the sizes of its operands and of its result, and about its
// attributes.
#include "tensor/resize/core.h"

#include "tensor/language/attr.h"
#include "tensor/program/region.h"

// The term whose relations are made.
struct tie {
    struct resizer *resizer;
    struct sized_terms *side;
    const struct terms *terms;
    struct pool *pool;
    term_id id;
    const struct term *node;
    const term_id *args;
};

static uint32_t place_new(struct resizer *resizer, int64_t value)
{
    struct place place = {number_new(&resizer->numbers, value < 0 ? -value : value), value < 0};
    vec_push(&resizer->places, place);
    return resizer->places.len - 1;
}

uint32_t resizer_type(struct resizer *resizer, type_id type)
{
    uint32_t first = resizer->places.len;
    if (type_is_tensor(resizer->pool, type))
        for (uint32_t d = 0; d < type_rank(resizer->pool, type); d++)
            place_new(resizer, type_dims(resizer->pool, type)[d]);
    return first;
}

static uint32_t dim_of(const struct tie *tie, term_id id, uint32_t d)
{
    return tie->resizer->places.at[tie->side->dim.at[id.v] + d].number;
}

static uint32_t result_dim(const struct tie *tie, uint32_t d)
{
    return dim_of(tie, tie->id, d);
}

static uint32_t arg_dim(const struct tie *tie, uint32_t k, uint32_t d)
{
    return dim_of(tie, tie->args[k], d);
}

static uint32_t arg_rank(const struct tie *tie, uint32_t k)
{
    return type_rank(tie->pool, term_type(tie->terms, tie->args[k]));
}

static int64_t arg_size(const struct tie *tie, uint32_t k, uint32_t d)
{
    return type_dims(tie->pool, term_type(tie->terms, tie->args[k]))[d];
}

static int64_t attribute(const struct tie *tie, uint32_t k)
{
    return attr_at(tie->pool, tie->node->attr)[k];
}

static void same(const struct tie *tie, uint32_t a, uint32_t b)
{
    number_same(&tie->resizer->numbers, a, b);
}

// All attributes stay, until attribute_number says otherwise.
static void attributes_start(const struct tie *tie)
{
    tie->side->attr.at[tie->id.v] = tie->resizer->places.len;
    for (uint32_t k = 0; k < attr_len(tie->pool, tie->node->attr); k++)
        vec_push(&tie->resizer->places, ((struct place){NO_NUMBER, false}));
}

// The magnitude of attribute k as a number; *sign is 1 or -1.
static uint32_t attribute_number(const struct tie *tie, uint32_t k, int64_t *sign)
{
    int64_t value = attribute(tie, k);
    struct place *place = &tie->resizer->places.at[tie->side->attr.at[tie->id.v] + k];
    *place =
        (struct place){number_new(&tie->resizer->numbers, value < 0 ? -value : value), value < 0};
    *sign = value < 0 ? -1 : 1;
    return place->number;
}

static void fix_type(const struct tie *tie, term_id id)
{
    type_id type = term_type(tie->terms, id);
    for (uint32_t d = 0; type_is_tensor(tie->pool, type) && d < type_rank(tie->pool, type); d++)
        number_fix(&tie->resizer->numbers, dim_of(tie, id, d));
}

static void fix_all(const struct tie *tie)
{
    fix_type(tie, tie->id);
    for (uint32_t k = 0; k < tie->node->n_args; k++)
        fix_type(tie, tie->args[k]);
}

// Operand k has the shape of the result, or rank 0.
static void tie_pointwise(const struct tie *tie)
{
    for (uint32_t k = 0; k < tie->node->n_args; k++)
        for (uint32_t d = 0; d < arg_rank(tie, k); d++)
            same(tie, arg_dim(tie, k, d), result_dim(tie, d));
}

static void tie_broadcast(const struct tie *tie)
{
    for (uint32_t d = 0; d < arg_rank(tie, 0); d++) {
        uint32_t to = (uint32_t)attribute(tie, d);
        if (arg_size(tie, 0, d) == type_dims(tie->pool, tie->node->type)[to])
            same(tie, arg_dim(tie, 0, d), result_dim(tie, to));
    }
}

static void tie_transpose(const struct tie *tie)
{
    for (uint32_t d = 0; d < arg_rank(tie, 0); d++)
        same(tie, arg_dim(tie, 0, (uint32_t)attribute(tie, d)), result_dim(tie, d));
}

// limit - start = stride * (size - 1) + r with 1 <= r <= stride: r stays, or stride - r does,
// whichever is the less.
static void tie_slice(const struct tie *tie)
{
    uint32_t r = arg_rank(tie, 0);
    attributes_start(tie);
    for (uint32_t d = 0; d < r; d++) {
        int64_t sign, stride = attribute(tie, 2 * r + d);
        int64_t size = type_dims(tie->pool, tie->node->type)[d];
        int64_t rest = attribute(tie, r + d) - attribute(tie, d) - stride * (size - 1);
        uint32_t start = attribute_number(tie, d, &sign);
        uint32_t limit = attribute_number(tie, r + d, &sign);
        uint32_t step = attribute_number(tie, 2 * r + d, &sign);
        struct number_term terms[4] = {
            {1, 1, {limit}}, {-1, 1, {start}}, {-1, 2, {step, result_dim(tie, d)}}, {1, 1, {step}}};
        number_relate(&tie->resizer->numbers, size == 0 || rest > stride - rest ? 3 : 4, terms);
        number_link(&tie->resizer->numbers, limit, arg_dim(tie, 0, d));
    }
}

// size = low + high + n + interior * (n - 1), where n > 0.
static void tie_pad(const struct tie *tie)
{
    uint32_t r = arg_rank(tie, 0);
    attributes_start(tie);
    for (uint32_t d = 0; d < r; d++) {
        int64_t low_sign, high_sign, sign;
        uint32_t n = arg_dim(tie, 0, d);
        uint32_t low = attribute_number(tie, d, &low_sign);
        uint32_t high = attribute_number(tie, r + d, &high_sign);
        uint32_t interior = attribute_number(tie, 2 * r + d, &sign);
        struct number_term terms[6] = {{-1, 1, {result_dim(tie, d)}}, {low_sign, 1, {low}},
                                       {high_sign, 1, {high}},        {1, 1, {n}},
                                       {1, 2, {interior, n}},         {-1, 1, {interior}}};
        number_relate(&tie->resizer->numbers, arg_size(tie, 0, d) == 0 ? 4 : 6, terms);
    }
}

static void tie_concatenate(const struct tie *tie)
{
    uint32_t joined = (uint32_t)attribute(tie, 0);
    struct number_term *terms = mem_alloc(sizeof *terms * (tie->node->n_args + 1u));
    terms[0] = (struct number_term){-1, 1, {result_dim(tie, joined)}};
    for (uint32_t k = 0; k < tie->node->n_args; k++)
        for (uint32_t d = 0; d < arg_rank(tie, k); d++)
            if (d == joined)
                terms[1 + k] = (struct number_term){1, 1, {arg_dim(tie, k, d)}};
            else
                same(tie, arg_dim(tie, k, d), result_dim(tie, d));
    number_relate(&tie->resizer->numbers, tie->node->n_args + 1, terms);
    mem_free(terms);
}

static bool is_listed(uint32_t n, const int64_t *list, int64_t d)
{
    for (uint32_t k = 0; k < n; k++)
        if (list[k] == d)
            return true;
    return false;
}

static void tie_reduce(const struct tie *tie)
{
    uint32_t n = attr_len(tie->pool, tie->node->attr) - 1, to = 0;
    for (uint32_t d = 0; d < arg_rank(tie, 0); d++)
        if (!is_listed(n, attr_at(tie->pool, tie->node->attr) + 1, d))
            same(tie, arg_dim(tie, 0, d), result_dim(tie, to++));
}

static void tie_dot(const struct tie *tie)
{
    struct dot_attr dot;
    uint32_t to = 0;
    dot_attr_read(attr_len(tie->pool, tie->node->attr), attr_at(tie->pool, tie->node->attr), &dot);
    for (uint32_t k = 0; k < dot.nb; k++, to++) {
        same(tie, arg_dim(tie, 0, (uint32_t)dot.lhs_batch[k]), result_dim(tie, to));
        same(tie, arg_dim(tie, 1, (uint32_t)dot.rhs_batch[k]), result_dim(tie, to));
    }
    for (uint32_t k = 0; k < dot.nc; k++)
        same(tie, arg_dim(tie, 0, (uint32_t)dot.lhs_contracting[k]),
             arg_dim(tie, 1, (uint32_t)dot.rhs_contracting[k]));
    for (uint32_t d = 0; d < arg_rank(tie, 0); d++)
        if (!is_listed(dot.nb, dot.lhs_batch, d) && !is_listed(dot.nc, dot.lhs_contracting, d))
            same(tie, arg_dim(tie, 0, d), result_dim(tie, to++));
    for (uint32_t d = 0; d < arg_rank(tie, 1); d++)
        if (!is_listed(dot.nb, dot.rhs_batch, d) && !is_listed(dot.nc, dot.rhs_contracting, d))
            same(tie, arg_dim(tie, 1, d), result_dim(tie, to++));
}

// (n - 1) * base + low + high - (size - 1) * dilation - stride * (count - 1) stays, and base,
// dilation and stride do.
struct window_places {
    uint32_t n, count, low, high, size;
    int64_t low_sign, high_sign, base, dilation, stride;
};
static void tie_window(const struct tie *tie, const struct window_places *w)
{
    struct number_term terms[5] = {{w->base, 1, {w->n}},
                                   {w->low_sign, 1, {w->low}},
                                   {w->high_sign, 1, {w->high}},
                                   {-w->dilation, 1, {w->size}},
                                   {-w->stride, 1, {w->count}}};
    number_relate(&tie->resizer->numbers, 5, terms);
}

static void tie_reduce_window(const struct tie *tie)
{
    struct window_attr v;
    uint32_t r = arg_rank(tie, 0);
    attributes_start(tie);
    for (uint32_t d = 0; d < r; d++) {
        int64_t sign;
        struct window_places w = {.n = arg_dim(tie, 0, d), .count = result_dim(tie, d)};
        w.size = attribute_number(tie, 1 + d, &sign);
        w.low = attribute_number(tie, 1 + 2 * r + d, &w.low_sign);
        w.high = attribute_number(tie, 1 + 3 * r + d, &w.high_sign);
        window_attr_read(attr_len(tie->pool, tie->node->attr), attr_at(tie->pool, tie->node->attr),
                         r, &v);
        w.base = v.base[d];
        w.dilation = v.dilation[d];
        w.stride = v.stride[d];
        tie_window(tie, &w);
    }
}

// The batch is free; features and windows stay.
static void tie_convolution(const struct tie *tie)
{
    struct conv_attr conv;
    conv_attr_read(attr_len(tie->pool, tie->node->attr), attr_at(tie->pool, tie->node->attr),
                   &conv);
    bool free = conv.batch_groups == 1;
    for (uint32_t k = 0; free && k < conv.nb; k++)
        same(tie, arg_dim(tie, 0, (uint32_t)conv.in_batch[k]),
             result_dim(tie, (uint32_t)conv.out_batch[k]));
    for (uint32_t d = 0; d < arg_rank(tie, 0); d++)
        if (!free || !is_listed(conv.nb, conv.in_batch, d))
            number_fix(&tie->resizer->numbers, arg_dim(tie, 0, d));
    for (uint32_t d = 0; d < type_rank(tie->pool, tie->node->type); d++)
        if (!free || !is_listed(conv.nb, conv.out_batch, d))
            number_fix(&tie->resizer->numbers, result_dim(tie, d));
    fix_type(tie, tie->args[1]);
}

// Groups of dimensions with one product; those of size 1 stand for themselves.
static void tie_group(const struct tie *tie, uint32_t from, uint32_t from_end, uint32_t to,
                      uint32_t to_end)
{
    struct number_term terms[2] = {{1, 0, {0}}, {-1, 0, {0}}};
    bool fits = true;
    for (uint32_t d = from; d < from_end; d++)
        if (arg_size(tie, 0, d) != 1) {
            fits = fits && terms[0].n < NUMBER_FACTORS;
            if (fits)
                terms[0].of[terms[0].n++] = arg_dim(tie, 0, d);
        }
    for (uint32_t d = to; d < to_end; d++)
        if (type_dims(tie->pool, tie->node->type)[d] != 1) {
            fits = fits && terms[1].n < NUMBER_FACTORS;
            if (fits)
                terms[1].of[terms[1].n++] = result_dim(tie, d);
        }
    if (!fits)
        fix_all(tie);
    else if (terms[0].n == 1 && terms[1].n == 1)
        same(tie, terms[0].of[0], terms[1].of[0]);
    else
        number_relate(&tie->resizer->numbers, 2, terms);
}

static void tie_reshape(const struct tie *tie)
{
    uint32_t n = arg_rank(tie, 0), m = type_rank(tie->pool, tie->node->type), i = 0, j = 0;
    if (type_count(tie->pool, tie->node->type) == 0) {
        fix_all(tie);
        return;
    }
    while (i < n || j < m) {
        uint32_t from = i, to = j;
        int64_t a = i < n ? arg_size(tie, 0, i++) : 1;
        int64_t b = j < m ? type_dims(tie->pool, tie->node->type)[j++] : 1;
        while (a != b)
            if (a < b)
                a *= arg_size(tie, 0, i++);
            else
                b *= type_dims(tie->pool, tie->node->type)[j++];
        tie_group(tie, from, i, to, j);
    }
}

// The operand of broadcasts and reshapes.
static term_id moved_splat(const struct terms *terms, term_id id)
{
    while (term_op(terms, id) == OP_BROADCAST_IN_DIM || term_op(terms, id) == OP_RESHAPE)
        id = term_args(terms, id)[0];
    return id;
}

// The place of the value of an integer constant, linked to the axis with the number; nothing if
// the operand is no such constant.
static void tie_value(const struct tie *tie, uint32_t k, uint32_t axis)
{
    term_id id = moved_splat(tie->terms, tie->args[k]);
    lit_id literal = term_literal(tie->terms, id);
    enum elem elem = type_elem(tie->pool, term_type(tie->terms, id));
    if (literal.v == NO_LIT.v || (elem_kind(elem) & (KIND_SINT | KIND_UINT)) == 0 ||
        !pool_literal(tie->pool, literal)->splat)
        return;
    struct scalar scalar = literal_get(tie->pool, literal, 0);
    if (tie->side->literal.at[id.v] == UINT32_MAX && (int64_t)scalar.bits != INT64_MIN)
        tie->side->literal.at[id.v] = place_new(tie->resizer, (int64_t)scalar.bits);
    if (tie->side->literal.at[id.v] != UINT32_MAX)
        number_link(&tie->resizer->numbers, axis,
                    tie->resizer->places.at[tie->side->literal.at[id.v]].number);
}

// The greatest start n - size is a number of its own: a start is compared with it.
static void tie_start(const struct tie *tie, uint32_t k, uint32_t n, uint32_t size)
{
    struct sizes *numbers = &tie->resizer->numbers;
    uint32_t last = number_new(numbers, numbers->at.at[n].value - numbers->at.at[size].value);
    struct number_term terms[3] = {{1, 1, {n}}, {-1, 1, {size}}, {-1, 1, {last}}};
    number_relate(numbers, 3, terms);
    tie_value(tie, k, n);
}

static void tie_dynamic_slice(const struct tie *tie)
{
    attributes_start(tie);
    for (uint32_t d = 0; d < arg_rank(tie, 0); d++) {
        int64_t sign;
        same(tie, attribute_number(tie, d, &sign), result_dim(tie, d));
        tie_start(tie, 1 + d, arg_dim(tie, 0, d), result_dim(tie, d));
    }
}

static void tie_dynamic_update_slice(const struct tie *tie)
{
    for (uint32_t d = 0; d < arg_rank(tie, 0); d++) {
        same(tie, arg_dim(tie, 0, d), result_dim(tie, d));
        tie_start(tie, 2 + d, arg_dim(tie, 0, d), arg_dim(tie, 1, d));
    }
}

// Sizes along which pieces are chosen stay.
static void tie_gather(const struct tie *tie)
{
    struct gather_attr gather;
    uint32_t r = arg_rank(tie, 0), n = attr_len(tie->pool, tie->node->attr);
    attributes_start(tie);
    gather_attr_read(n, attr_at(tie->pool, tie->node->attr), r, &gather);
    struct gather_attr g = gather;
    uint32_t to = 0, from = 0, piece = 0;
    for (uint32_t d = 0; d < type_rank(tie->pool, tie->node->type); d++)
        if (!is_listed(g.n_offset, g.offset, d)) {
            from += (int64_t)from == g.index_vector_dim;
            same(tie, arg_dim(tie, 1, from++), result_dim(tie, d));
        }
    for (uint32_t d = 0; d < arg_rank(tie, 1); d++)
        if ((int64_t)d == g.index_vector_dim || is_listed(g.n_batching, g.indices_batching, d))
            number_fix(&tie->resizer->numbers, arg_dim(tie, 1, d));
    for (uint32_t d = 0; d < r; d++) {
        if (!is_listed(g.n_map, g.map, d) && !is_listed(g.n_collapsed, g.collapsed, d) &&
            !is_listed(g.n_batching, g.batching, d) && g.size[d] == arg_size(tie, 0, d)) {
            int64_t sign;
            uint32_t size = attribute_number(tie, n - r + d, &sign);
            same(tie, size, arg_dim(tie, 0, d));
            piece = size;
        } else {
            number_fix(&tie->resizer->numbers, arg_dim(tie, 0, d));
            piece = NO_NUMBER;
        }
        if (is_listed(g.n_collapsed, g.collapsed, d) || is_listed(g.n_batching, g.batching, d))
            continue;
        uint32_t result = result_dim(tie, (uint32_t)g.offset[to++]);
        if (piece != NO_NUMBER)
            same(tie, piece, result);
        else
            number_fix(&tie->resizer->numbers, result);
    }
}

static void tie_bitcast(const struct tie *tie)
{
    if (arg_rank(tie, 0) == type_rank(tie->pool, tie->node->type))
        tie_pointwise(tie);
    else
        fix_all(tie);
}

static void tie_constant(const struct tie *tie)
{
    lit_id literal = term_literal(tie->terms, tie->id);
    if (!pool_literal(tie->pool, literal)->splat)
        fix_type(tie, tie->id);
}

static void tie_shapes(const struct tie *tie)
{
    switch (term_op(tie->terms, tie->id)) {
    case OP_PARAMETER:
        if (attribute(tie, 0) < 0)
            fix_type(tie, tie->id);
        break;
    case OP_CONSTANT:
        tie_constant(tie);
        break;
    case OP_IOTA:
        break;
        ELEMENTWISE_CASES
    case OP_REVERSE:
        tie_pointwise(tie);
        break;
    case OP_BROADCAST_IN_DIM:
        tie_broadcast(tie);
        break;
    case OP_TRANSPOSE:
        tie_transpose(tie);
        break;
    case OP_SLICE:
        tie_slice(tie);
        break;
    case OP_PAD:
        tie_pad(tie);
        break;
    case OP_CONCATENATE:
        tie_concatenate(tie);
        break;
    case OP_REDUCE:
        tie_reduce(tie);
        break;
    case OP_DOT_GENERAL:
        tie_dot(tie);
        break;
    case OP_CONVOLUTION:
        tie_convolution(tie);
        break;
    case OP_REDUCE_WINDOW:
        tie_reduce_window(tie);
        break;
    case OP_DYNAMIC_SLICE:
        tie_dynamic_slice(tie);
        break;
    case OP_DYNAMIC_UPDATE_SLICE:
        tie_dynamic_update_slice(tie);
        break;
    case OP_GATHER:
        tie_gather(tie);
        break;
    case OP_RESHAPE:
        tie_reshape(tie);
        break;
    case OP_BITCAST_CONVERT:
        tie_bitcast(tie);
        break;
    case OP_SCATTER:
    case OP_OPAQUE:
    case OP_RESULT:
    case N_OPS:
        fix_all(tie);
        break;
    }
}

// Elements that come from an iota are places of its axis; what is compared with them or added
// to them is a place too.  Other arithmetic on them keeps the axis as it is.
static void tie_counts(const struct tie *tie)
{
    enum op op = term_op(tie->terms, tie->id);
    uint32_t axis = NO_NUMBER;
    if (op == OP_IOTA)
        axis = result_dim(tie, (uint32_t)attribute(tie, 0));
    for (uint32_t k = 0; axis == NO_NUMBER && k < tie->node->n_args; k++)
        axis = tie->side->counts.at[tie->args[k].v];
    if (axis == NO_NUMBER)
        return;
    bool compares = op == OP_COMPARE || op == OP_SELECT || op == OP_CLAMP;
    bool adds = op == OP_ADD || op == OP_SUBTRACT || op == OP_MAXIMUM || op == OP_MINIMUM;
    bool moves = op_info(op)->flow == FLOW_MOVE || op == OP_CONVERT || op == OP_IOTA;
    if (!compares && !adds && !moves)
        number_fix(&tie->resizer->numbers, axis);
    for (uint32_t k = 0; (compares || adds) && k < tie->node->n_args; k++) {
        uint32_t other = tie->side->counts.at[tie->args[k].v];
        if (other != NO_NUMBER)
            number_link(&tie->resizer->numbers, axis, other);
        else
            tie_value(tie, k, axis);
    }
    if (op != OP_COMPARE)
        tie->side->counts.at[tie->id.v] = axis;
}

void resizer_tie(struct resizer *resizer, uint32_t side, const struct function *function)
{
    struct sized_terms *sized = &resizer->side[side];
    const struct terms *terms = sized->terms;
    VEC(term_id) roots = {0};
    for (uint32_t k = 0; k < function->results.len; k++)
        vec_push(&roots, function->results.at[k].term);
    terms_reach(terms, roots.len, roots.at, &sized->reach);
    vec_release(&roots);
    for (uint32_t t = 0; t < terms->term.len; t++) {
        vec_push(&sized->dim, UINT32_MAX);
        vec_push(&sized->attr, UINT32_MAX);
        vec_push(&sized->literal, UINT32_MAX);
        vec_push(&sized->counts, NO_NUMBER);
    }
    for (uint32_t i = 0; i < sized->reach.len; i++) {
        term_id id = {sized->reach.at[i]};
        struct tie tie = {
            resizer, sized, terms, resizer->pool, id, term_at(terms, id), term_args(terms, id)};
        const int64_t *v = attr_at(resizer->pool, tie.node->attr);
        bool parameter = term_op(terms, id) == OP_PARAMETER && v[0] >= 0;
        sized->dim.at[id.v] =
            parameter ? resizer->param.at[v[1]] : resizer_type(resizer, tie.node->type);
        tie_shapes(&tie);
        tie_counts(&tie);
    }
}
