// SPDX-License-Identifier: Apache-2.0
// Operations of StableHLO whose region says what happens to elements: reduce, sort and map, on
// any number of operands.  Their attributes are read from the operation's text.
//
//   reduce   starts with the initial values and takes the elements in row-major order of the
//            operands, the accumulators first
//   sort     is stable, whether the text asks for it or not
//   map      takes the elements at one place
#include "tensor/eval/parts.h"

struct combination {
    const struct terms *terms;
    const struct pool *pool;
    term_id id;
    const struct opaque_view *view;
    const char *text;
    uint32_t n; // tensors that are combined
    const struct opaque_value *operands;
    const struct region_body *body;
    struct arena *arena;
    struct opaque_value *results;
    struct err *err;
};

static type_id result_type(const struct combination *c, uint32_t k)
{
    type_id type = term_type(c->terms, c->id);
    return c->view->n_results == 1 ? type : tuple_type(c->pool, type, k);
}

static bool is_tensor(const struct combination *c, const struct opaque_value *value)
{
    return type_is_tensor(c->pool, value->value.type) && value->value.data != NULL;
}

static bool same_dims(const struct combination *c, type_id a, type_id b)
{
    uint32_t rank = type_rank(c->pool, a);
    return rank == type_rank(c->pool, b) &&
           (rank == 0 || memcmp(type_dims(c->pool, a), type_dims(c->pool, b),
                                rank * sizeof *type_dims(c->pool, a)) == 0);
}

// One element as a value of rank 0 of the type `elem`, which holds it.
static bool element_as(const struct combination *c, const struct value *from, int64_t at,
                       enum elem elem, struct opaque_value *out)
{
    enum elem own = type_elem(c->pool, from->type);
    struct scalar scalar = scalar_load(own, from->data, (size_t)at);
    type_id type;
    *out = (struct opaque_value){0};
    if (!type_tensor(c->terms->pool, elem, 0, NULL, &type, c->err) ||
        !value_new(c->pool, type, c->arena, &out->value, c->err) ||
        (own != elem && !eval_convert(own, elem, scalar, &scalar, c->err)))
        return false;
    scalar_store(elem, out->value.data, 0, scalar);
    return true;
}

static bool element(const struct combination *c, const struct value *from, int64_t at,
                    struct opaque_value *out)
{
    return element_as(c, from, at, type_elem(c->pool, from->type), out);
}

static bool set_element(const struct combination *c, const struct opaque_value *from,
                        struct value *to, int64_t at)
{
    enum elem elem = type_elem(c->pool, to->type);
    if (!type_is_tensor(c->pool, from->value.type) ||
        type_elem(c->pool, from->value.type) != elem || type_count(c->pool, from->value.type) != 1)
        return err_set(c->err, ERR_INPUT, "a region returns a value of another type");
    scalar_store(elem, to->data, (size_t)at, scalar_load(elem, from->value.data, 0));
    return true;
}

// ---- reduce

struct reduction {
    const struct combination *c;
    bool paired; // operands, and parameters, stand in pairs: (%a init: %z), (%b init: %y)
    uint32_t n_dims;
    int64_t dims[TENSOR_MAX_RANK];
};

static const struct value *reduced(const struct reduction *r, uint32_t k)
{
    return &r->c->operands[r->paired ? 2 * k : k].value;
}

static const struct value *initial(const struct reduction *r, uint32_t k)
{
    return &r->c->operands[r->paired ? 2 * k + 1 : r->c->n + k].value;
}

static bool is_reduced(const struct reduction *r, uint32_t dim)
{
    for (uint32_t i = 0; i < r->n_dims; i++)
        if (r->dims[i] == (int64_t)dim)
            return true;
    return false;
}

static bool reduction_fits(const struct reduction *r)
{
    const struct combination *c = r->c;
    uint32_t rank = type_rank(c->pool, reduced(r, 0)->type);
    uint64_t seen = 0;
    for (uint32_t i = 0; i < r->n_dims; i++) {
        if (r->dims[i] < 0 || r->dims[i] >= (int64_t)rank || (seen >> r->dims[i] & 1) != 0)
            return false;
        seen |= UINT64_C(1) << r->dims[i];
    }
    for (uint32_t k = 0; k < c->n; k++) {
        type_id from = reduced(r, k)->type, to = result_type(c, k);
        uint32_t n = 0;
        bool ok = same_dims(c, from, reduced(r, 0)->type) && type_is_tensor(c->pool, to) &&
                  type_count(c->pool, initial(r, k)->type) == 1;
        for (uint32_t d = 0; ok && d < rank; d++)
            if (!is_reduced(r, d)) {
                ok = n < type_rank(c->pool, to) &&
                     type_dims(c->pool, to)[n] == type_dims(c->pool, from)[d];
                n++;
            }
        if (!ok || n != type_rank(c->pool, to))
            return false;
    }
    return true;
}

static bool reduce_step(const struct reduction *r, int64_t from, int64_t to)
{
    const struct combination *c = r->c;
    struct arena_mark start = arena_mark(c->arena);
    struct opaque_value *params = ARENA_NEW(c->arena, struct opaque_value, 2 * c->n + 1u);
    struct opaque_value *next = ARENA_NEW(c->arena, struct opaque_value, c->n + 1u);
    for (uint32_t k = 0; k < c->n; k++) {
        uint32_t acc = r->paired ? 2 * k : k, item = r->paired ? 2 * k + 1 : c->n + k;
        if (!element(c, &c->results[k].value, to, &params[acc]) ||
            !element_as(c, reduced(r, k), from, type_elem(c->pool, result_type(c, k)),
                        &params[item]))
            return false;
    }
    if (!c->body->run(c->body->ctx, 2 * c->n, params, next, c->err))
        return false;
    for (uint32_t k = 0; k < c->n; k++)
        if (!set_element(c, &next[k], &c->results[k].value, to))
            return false;
    arena_reset(c->arena, start);
    return true;
}

static bool reduce(const struct reduction *r)
{
    const struct combination *c = r->c;
    type_id type = reduced(r, 0)->type;
    uint32_t rank = type_rank(c->pool, type);
    const int64_t *dims = type_dims(c->pool, type);
    int64_t index[TENSOR_MAX_RANK] = {0}, from = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        if (!value_new(c->pool, result_type(c, k), c->arena, &c->results[k].value, c->err))
            return false;
        struct opaque_value start;
        if (!element_as(c, initial(r, k), 0, type_elem(c->pool, result_type(c, k)), &start))
            return false;
        for (int64_t i = 0; i < type_count(c->pool, result_type(c, k)); i++)
            if (!set_element(c, &start, &c->results[k].value, i))
                return false;
    }
    if (type_count(c->pool, type) == 0)
        return true;
    do {
        int64_t to = 0;
        for (uint32_t d = 0; d < rank; d++)
            to = is_reduced(r, d) ? to : to * dims[d] + index[d];
        if (!reduce_step(r, from++, to))
            return false;
    } while (index_next(rank, dims, index));
    return true;
}

static bool try_reduce(struct combination *c, bool *known)
{
    struct reduction r = {.c = c, .paired = strncmp(c->text, "stablehlo.reduce(", 17) == 0};
    uint32_t n = opaque_block(c->view, 0).first;
    c->n = n / 2;
    *known = n > 0 && n % 2 == 0 && c->view->n_results == c->n &&
             opaque_block(c->view, 0).n_returns == c->n &&
             opaque_block(c->view, 0).n_parameters == n &&
             opaque_integers(c->text, "dimensions", TENSOR_MAX_RANK, r.dims, &r.n_dims) &&
             reduction_fits(&r);
    return !*known || reduce(&r);
}

// ---- sort

struct sorting {
    const struct combination *c;
    int64_t length, step; // of a row
    int64_t *order, *spare;
};

// Must the element at place b of a row stand before that at place a?
static bool is_before(const struct sorting *s, int64_t row, int64_t b, int64_t a, bool *before)
{
    const struct combination *c = s->c;
    struct arena_mark start = arena_mark(c->arena);
    struct opaque_value *params = ARENA_NEW(c->arena, struct opaque_value, 2 * c->n + 1u), out;
    for (uint32_t k = 0; k < c->n; k++)
        if (!element(c, &c->operands[k].value, row + b * s->step, &params[2 * k]) ||
            !element(c, &c->operands[k].value, row + a * s->step, &params[2 * k + 1]))
            return false;
    if (!c->body->run(c->body->ctx, 2 * c->n, params, &out, c->err))
        return false;
    if (!type_is_tensor(c->pool, out.value.type) || type_count(c->pool, out.value.type) != 1 ||
        type_elem(c->pool, out.value.type) != ELEM_I1)
        return err_set(c->err, ERR_INPUT, "a comparison returns no truth value");
    *before = scalar_load(ELEM_I1, out.value.data, 0).bits != 0;
    arena_reset(c->arena, start);
    return true;
}

// Merge sort of order[from..to).
static bool sort_places(const struct sorting *s, int64_t row, int64_t from, int64_t to)
{
    int64_t middle = from + (to - from) / 2, a = from, b = middle;
    if (to - from < 2)
        return true;
    if (!sort_places(s, row, from, middle) || !sort_places(s, row, middle, to))
        return false;
    for (int64_t i = from; i < to; i++) {
        bool second = a == middle;
        if (a < middle && b < to && !is_before(s, row, s->order[b], s->order[a], &second))
            return false;
        s->spare[i] = second ? s->order[b++] : s->order[a++];
    }
    memcpy(s->order + from, s->spare + from, (size_t)(to - from) * sizeof *s->order);
    return true;
}

static bool sort_row(const struct sorting *s, int64_t row)
{
    const struct combination *c = s->c;
    for (int64_t i = 0; i < s->length; i++)
        s->order[i] = i;
    if (!sort_places(s, row, 0, s->length))
        return false;
    for (uint32_t k = 0; k < c->n; k++) {
        enum elem elem = type_elem(c->pool, c->operands[k].value.type);
        for (int64_t i = 0; i < s->length; i++)
            scalar_store(elem, c->results[k].value.data, (size_t)(row + i * s->step),
                         scalar_load(elem, c->operands[k].value.data,
                                     (size_t)(row + s->order[i] * s->step)));
    }
    return true;
}

static bool sort_rows(const struct combination *c, uint32_t dim)
{
    type_id type = c->operands[0].value.type;
    int64_t strides[TENSOR_MAX_RANK], count = type_count(c->pool, type);
    for (uint32_t k = 0; k < c->n; k++)
        if (!value_new(c->pool, result_type(c, k), c->arena, &c->results[k].value, c->err))
            return false;
    if (count == 0)
        return true;
    row_strides(c->pool, type, strides);
    int64_t length = type_dims(c->pool, type)[dim];
    struct sorting s = {c, length, strides[dim], mem_alloc((size_t)length * sizeof *s.order),
                        mem_alloc((size_t)length * sizeof *s.spare)};
    bool ok = true;
    for (int64_t i = 0; ok && i < count; i++)
        if (i / s.step % length == 0)
            ok = sort_row(&s, i);
    mem_free(s.order);
    mem_free(s.spare);
    return ok;
}

static bool try_sort(struct combination *c, bool *known)
{
    int64_t dim = -1;
    uint32_t n_dims;
    c->n = opaque_block(c->view, 0).first;
    *known = c->n > 0 && c->view->n_results == c->n && opaque_block(c->view, 0).n_returns == 1;
    uint32_t rank = *known ? type_rank(c->pool, c->operands[0].value.type) : 0;
    if (*known && !opaque_integers(c->text, "dimension", 1, &dim, &n_dims))
        dim = -1; // the default
    if (dim < 0)
        dim += rank;
    *known &= dim >= 0 && dim < (int64_t)rank;
    for (uint32_t k = 0; *known && k < c->n; k++)
        *known = same_dims(c, c->operands[k].value.type, c->operands[0].value.type) &&
                 result_type(c, k).v == c->operands[k].value.type.v;
    return !*known || sort_rows(c, (uint32_t)dim);
}

// ---- map

static bool try_map(struct combination *c, bool *known)
{
    c->n = opaque_block(c->view, 0).first;
    type_id type = term_type(c->terms, c->id);
    *known = c->n > 0 && c->view->n_results == 1 && opaque_block(c->view, 0).n_returns == 1 &&
             type_is_tensor(c->pool, type);
    for (uint32_t k = 0; *known && k < c->n; k++)
        *known = same_dims(c, c->operands[k].value.type, type);
    if (!*known)
        return true;
    if (!value_new(c->pool, type, c->arena, &c->results[0].value, c->err))
        return false;
    for (int64_t i = 0; i < type_count(c->pool, type); i++) {
        struct arena_mark start = arena_mark(c->arena);
        struct opaque_value *params = ARENA_NEW(c->arena, struct opaque_value, c->n + 1u), out;
        for (uint32_t k = 0; k < c->n; k++)
            if (!element(c, &c->operands[k].value, i, &params[k]))
                return false;
        if (!c->body->run(c->body->ctx, c->n, params, &out, c->err) ||
            !set_element(c, &out, &c->results[0].value, i))
            return false;
        arena_reset(c->arena, start);
    }
    return true;
}

bool bodies_eval(const struct terms *terms, term_id id, const struct opaque_view *view,
                 const struct opaque_value *operands, const struct region_body *body,
                 struct arena *arena, struct opaque_value *results, bool *known, struct err *err)
{
    struct combination c = {.terms = terms,
                            .pool = terms->pool,
                            .id = id,
                            .view = view,
                            .text = sym_text(terms->pool, view->text),
                            .operands = operands,
                            .body = body,
                            .arena = arena,
                            .results = results,
                            .err = err};
    *known = false;
    if (view->n_blocks != 1 || opaque_block(view, 0).n_effects > 0)
        return true;
    for (uint32_t k = 0; k < opaque_block(view, 0).first; k++)
        if (!is_tensor(&c, &operands[k]))
            return true;
    if (opaque_is(terms, view, "stablehlo.reduce"))
        return try_reduce(&c, known);
    if (opaque_is(terms, view, "stablehlo.sort"))
        return try_sort(&c, known);
    if (opaque_is(terms, view, "stablehlo.map"))
        return try_map(&c, known);
    return true;
}
