// SPDX-License-Identifier: Apache-2.0
#include "tensor/dynamic/facts.h"

#include "tensor/dynamic/operation.h"
#include "tensor/language/attr.h"
#include "tensor/program/form.h"
#include "tensor/program/region.h"

// How many sizes a term has.
static uint32_t sizes_of(const struct pool *pool, type_id type)
{
    struct sized sized;
    if (!sized_of(pool, type, &sized))
        return 0;
    if (sized.n_open > 0)
        return sized.rank;
    enum elem_kind kind = elem_kind(sized.elem);
    if ((kind != KIND_SINT && kind != KIND_UINT) || sized.rank > 1)
        return 0;
    return sized.rank == 0 ? 1 : sized.dims[0] <= TENSOR_MAX_RANK ? (uint32_t)sized.dims[0] : 0;
}

static uint32_t n_sizes(const struct size_facts *facts, term_id id)
{
    return id.v + 1 < facts->first.len ? facts->first.at[id.v + 1] - facts->first.at[id.v] : 0;
}

static uint32_t root_of(struct size_facts *facts, uint32_t i)
{
    uint32_t *same = facts->same.at;
    while (same[i] != i) {
        same[i] = same[same[i]];
        i = same[i];
    }
    return i;
}

static void unite(struct size_facts *facts, term_id a, uint32_t k, term_id b, uint32_t m)
{
    if (k >= n_sizes(facts, a) || m >= n_sizes(facts, b))
        return;
    uint32_t x = root_of(facts, facts->first.at[a.v] + k);
    uint32_t y = root_of(facts, facts->first.at[b.v] + m);
    facts->same.at[x > y ? x : y] = x > y ? y : x;
}

static void unite_all(struct size_facts *facts, term_id a, term_id b)
{
    uint32_t n = n_sizes(facts, a);
    for (uint32_t k = 0; n == n_sizes(facts, b) && k < n; k++)
        unite(facts, a, k, b, k);
}

// Its sizes are those of its dimensions; they are elements of other terms.
static bool has_dimensions(const struct size_facts *facts, term_id id)
{
    return n_sizes(facts, id) > 0 &&
           !type_is_tensor(facts->terms->pool, term_type(facts->terms, id));
}

static void unite_dim(struct size_facts *facts, term_id a, uint32_t k, term_id b, uint32_t m)
{
    if (has_dimensions(facts, a) && has_dimensions(facts, b))
        unite(facts, a, k, b, m);
}

static void unite_dims(struct size_facts *facts, term_id a, term_id b)
{
    if (has_dimensions(facts, a) && has_dimensions(facts, b))
        unite_all(facts, a, b);
}

// ---- F1

// Integers that a node of the table takes from others: sizes on their way to a shape.
static void integer_sizes(struct size_facts *facts, term_id id)
{
    const struct terms *terms = facts->terms;
    const struct term *node = term_at(terms, id);
    const term_id *args = term_args(terms, id);
    uint32_t n = 0;
    bool dimensions = has_dimensions(facts, id);
    for (uint32_t k = 0; k < node->n_args; k++)
        dimensions |= has_dimensions(facts, args[k]);
    if (dimensions)
        return;
    if (node->op == OP_CONCATENATE)
        for (uint32_t k = 0; k < node->n_args; k++)
            for (uint32_t i = 0; i < n_sizes(facts, args[k]); i++)
                unite(facts, id, n++, args[k], i);
    if (node->op == OP_RESHAPE)
        unite_all(facts, id, args[0]);
    if (node->op == OP_BROADCAST_IN_DIM && n_sizes(facts, args[0]) == 1)
        for (uint32_t k = 0; k < n_sizes(facts, id); k++)
            unite(facts, id, k, args[0], 0);
    if (node->op == OP_CONVERT) { // into more bits: the same integer
        enum elem from = type_elem(terms->pool, term_type(terms, args[0]));
        enum elem to = type_elem(terms->pool, node->type);
        if (elem_kind(from) == KIND_SINT && elem_kind(to) == KIND_SINT &&
            elem_bits(to) >= elem_bits(from))
            unite_all(facts, id, args[0]);
    }
}

static void moved_sizes(struct size_facts *facts, term_id id, const struct op_form *form)
{
    const struct pool *pool = facts->terms->pool;
    const term_id *args = term_args(facts->terms, id);
    const int64_t *v = attr_at(pool, form->attr);
    uint32_t n = attr_len(pool, form->attr), rank = n_sizes(facts, args[0]), at = 0;
    if (form->op == OP_TRANSPOSE)
        for (uint32_t k = 0; k < n; k++)
            unite_dim(facts, id, k, args[0], (uint32_t)v[k]);
    if (form->op == OP_REVERSE)
        unite_dims(facts, id, args[0]);
    if (form->op == OP_CONCATENATE)
        for (uint32_t k = 0; k < rank; k++)
            if (k != v[0])
                unite_dim(facts, id, k, args[0], k);
    if (form->op == OP_REDUCE)
        for (uint32_t k = 0; k < rank; k++) {
            bool reduced = false;
            for (uint32_t i = 1; i < n; i++)
                reduced |= v[i] == k;
            if (!reduced)
                unite_dim(facts, id, at++, args[0], k);
        }
}

static bool has_dim(const int64_t *dims, uint32_t n, uint32_t dim)
{
    for (uint32_t i = 0; i < n; i++)
        if (dims[i] == dim)
            return true;
    return false;
}

static uint32_t rank_of(const struct pool *pool, type_id type)
{
    struct sized sized;
    return sized_of(pool, type, &sized) ? sized.rank : 0;
}

// Batch dimensions, then the others of both operands.
static void dot_sizes(struct size_facts *facts, term_id id, const struct op_form *form)
{
    const struct terms *terms = facts->terms;
    const term_id *args = term_args(terms, id);
    struct dot_attr dot;
    if (!dot_attr_read(attr_len(terms->pool, form->attr), attr_at(terms->pool, form->attr), &dot))
        return;
    uint32_t at = 0;
    for (uint32_t k = 0; k < dot.nb; k++, at++) {
        unite_dim(facts, id, at, args[0], (uint32_t)dot.lhs_batch[k]);
        if (!has_dimensions(facts, args[0]))
            unite_dim(facts, id, at, args[1], (uint32_t)dot.rhs_batch[k]);
    }
    for (uint32_t side = 0; side < 2; side++) {
        const int64_t *batch = side ? dot.rhs_batch : dot.lhs_batch;
        const int64_t *sum = side ? dot.rhs_contracting : dot.lhs_contracting;
        uint32_t rank = rank_of(terms->pool, term_type(terms, args[side]));
        for (uint32_t k = 0; k < rank; k++)
            if (!has_dim(batch, dot.nb, k) && !has_dim(sum, dot.nc, k))
                unite_dim(facts, id, at++, args[side], k);
    }
}

static bool takes_shape(const struct terms *terms, const struct op_form *form, term_id id)
{
    return (form->op == OP_RESHAPE || form->op == OP_IOTA || form->op == OP_BROADCAST_IN_DIM) &&
           term_at(terms, id)->n_args == form->operands + 1;
}

static void own_sizes(struct size_facts *facts, term_id id, const struct op_form *form)
{
    const struct terms *terms = facts->terms;
    const term_id *args = term_args(terms, id);
    if (form->op == N_OPS) {
        if (has_dimensions(facts, args[0]))
            unite(facts, id, 0, args[0], (uint32_t)attr_at(terms->pool, form->attr)[0]);
    } else if (takes_shape(terms, form, id)) {
        if (has_dimensions(facts, id) && !has_dimensions(facts, args[form->operands]))
            unite_all(facts, id, args[form->operands]);
    } else if (op_is_elementwise(form->op)) {
        // The predicate of a select and the bounds of a clamp may have rank 0.
        unite_dims(facts, id, args[form->op == OP_SELECT || form->op == OP_CLAMP ? 1 : 0]);
    } else if (form->op == OP_DOT_GENERAL) {
        dot_sizes(facts, id, form);
    } else {
        moved_sizes(facts, id, form);
    }
}

// ---- F2

// What the roots compute outside of regions.
static void reach_outside(const struct terms *terms, struct u32_vec *waiting, struct u32_vec *mark)
{
    while (waiting->len > 0) {
        term_id id = {vec_pop(waiting)};
        if (mark->at[id.v] != 0)
            continue;
        mark->at[id.v] = 1;
        for (uint32_t k = 0; k < term_at(terms, id)->n_args; k++)
            if (argument_role(terms, id, k).place == ARGUMENT_OPERAND)
                vec_push(waiting, term_args(terms, id)[k].v);
    }
}

static void demanded_sizes(struct size_facts *facts, term_id id, const struct op_form *form)
{
    const struct terms *terms = facts->terms;
    const term_id *args = term_args(terms, id);
    struct dot_attr dot;
    if (form->op != N_OPS && op_is_elementwise(form->op))
        for (uint32_t k = 0; k < form->operands; k++) {
            unite_dims(facts, id, args[k]);
            if (k > 0)
                unite_dims(facts, args[k - 1], args[k]);
        }
    if (form->op == OP_CONCATENATE)
        for (uint32_t k = 1; k < form->operands; k++)
            for (uint32_t i = 0; i < n_sizes(facts, args[k]); i++)
                if (i != attr_at(terms->pool, form->attr)[0])
                    unite_dim(facts, args[0], i, args[k], i);
    if (form->op == OP_DOT_GENERAL &&
        dot_attr_read(attr_len(terms->pool, form->attr), attr_at(terms->pool, form->attr), &dot)) {
        for (uint32_t k = 0; k < dot.nb; k++)
            unite_dim(facts, args[0], (uint32_t)dot.lhs_batch[k], args[1],
                      (uint32_t)dot.rhs_batch[k]);
        for (uint32_t k = 0; k < dot.nc; k++)
            unite_dim(facts, args[0], (uint32_t)dot.lhs_contracting[k], args[1],
                      (uint32_t)dot.rhs_contracting[k]);
    }
    if (takes_shape(terms, form, id))
        vec_push(&facts->shaped, id.v);
}

// A pure operation of one result with a form.
static const struct op_form *form_of(const struct size_facts *facts, term_id id)
{
    const struct term *node = term_at(facts->terms, id);
    const struct op_form *form =
        node->op == OP_OPAQUE ? op_form_of(facts->program, node->attr) : NULL;
    return form != NULL && node->n_args >= form->operands && term_serial(facts->terms, id) == 0 &&
                   pool_type(facts->terms->pool, node->type)->form != TYPE_TUPLE
               ? form
               : NULL;
}

void size_facts_init(struct size_facts *facts, const struct program *program,
                     const struct terms *terms, uint32_t n_roots, const term_id *roots,
                     uint32_t n_calls, const struct call_equal *calls)
{
    struct u32_vec mark = {0}, waiting = {0};
    *facts = (struct size_facts){.program = program, .terms = terms};
    for (uint32_t i = 0; i < terms->term.len; i++) {
        vec_push(&facts->first, facts->same.len);
        uint32_t end = facts->same.len + sizes_of(terms->pool, terms->term.at[i].type);
        for (uint32_t k = facts->same.len; k < end; k++)
            vec_push(&facts->same, k);
    }
    vec_push(&facts->first, facts->same.len);
    for (uint32_t i = 0; i < terms->term.len; i++) {
        const struct op_form *form = form_of(facts, (term_id){i});
        if (form != NULL)
            own_sizes(facts, (term_id){i}, form);
        else if (n_sizes(facts, (term_id){i}) > 0 && terms->term.at[i].n_args > 0)
            integer_sizes(facts, (term_id){i});
    }
    vec_zero(&mark, terms->term.len);
    for (uint32_t i = 0; i < n_roots; i++)
        vec_push(&waiting, roots[i].v);
    reach_outside(terms, &waiting, &mark);
    for (bool news = true; news;) {
        news = false;
        for (uint32_t i = 0; i < n_calls; i++)
            if (mark.at[calls[i].call.v] != 0 && mark.at[calls[i].copy.v] == 0) {
                vec_push(&waiting, calls[i].copy.v);
                reach_outside(terms, &waiting, &mark);
                unite_dims(facts, calls[i].call, calls[i].copy);
                news = true;
            }
    }
    for (uint32_t i = 0; i < terms->term.len; i++) {
        const struct op_form *form = mark.at[i] != 0 ? form_of(facts, (term_id){i}) : NULL;
        if (form != NULL)
            demanded_sizes(facts, (term_id){i}, form);
    }
    vec_release(&mark);
    vec_release(&waiting);
}

void size_facts_suppose(struct size_facts *facts)
{
    for (uint32_t i = 0; i + 1 < facts->first.len; i++) {
        term_id id = {i};
        const struct op_form *form = form_of(facts, id);
        if (form == NULL || form->op != OP_BROADCAST_IN_DIM)
            continue;
        for (uint32_t k = 0; k < attr_len(facts->terms->pool, form->attr); k++)
            unite_dim(facts, id, (uint32_t)attr_at(facts->terms->pool, form->attr)[k],
                      term_args(facts->terms, id)[0], k);
    }
}

void size_facts_release(struct size_facts *facts)
{
    vec_release(&facts->first);
    vec_release(&facts->same);
    vec_release(&facts->shaped);
}

bool size_equal(struct size_facts *facts, term_id a, uint32_t k, term_id b, uint32_t m)
{
    if (a.v == b.v && k == m)
        return true;
    return k < n_sizes(facts, a) && m < n_sizes(facts, b) &&
           root_of(facts, facts->first.at[a.v] + k) == root_of(facts, facts->first.at[b.v] + m);
}

uint32_t size_number(struct size_facts *facts, term_id id, uint32_t k)
{
    return k < n_sizes(facts, id) ? root_of(facts, facts->first.at[id.v] + k) : UINT32_MAX;
}

bool open_sizes_equal(struct size_facts *facts, term_id a, term_id b)
{
    struct sized x, y;
    const struct terms *terms = facts->terms;
    if (!sized_of(terms->pool, term_type(terms, a), &x) ||
        !sized_of(terms->pool, term_type(terms, b), &y) || x.n_open != y.n_open)
        return false;
    for (uint32_t n = 0; n < x.n_open; n++)
        if (!size_equal(facts, a, sized_open(&x, n), b, sized_open(&y, n)))
            return false;
    return true;
}

term_id shape_used(const struct size_facts *facts, term_id shape, type_id type)
{
    const struct terms *terms = facts->terms;
    struct sized want, has;
    if (!sized_of(terms->pool, type, &want))
        return NO_TERM;
    for (uint32_t i = 0; i < facts->shaped.len; i++) {
        term_id id = {facts->shaped.at[i]};
        if (term_args(terms, id)[term_at(terms, id)->n_args - 1].v == shape.v &&
            sized_of(terms->pool, term_type(terms, id), &has) && sized_same(&want, &has))
            return id;
    }
    return NO_TERM;
}
