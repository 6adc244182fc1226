// SPDX-License-Identifier: Apache-2.0
// Terms are built again, operands first, by the shape rules: a relation that was not seen ends in
// a message and not in a wrong program.
#include "tensor/resize/core.h"

#include "base/text/buf.h"
#include "tensor/eval/eval.h"
#include "tensor/program/region.h"

// Steps of the search for small numbers, for each set of them.
#define SHRINK_STEPS 20000u

// What changes on the way from one store to another.
struct rebuilding {
    const struct terms *from;
    struct terms *to;
    const struct resizer *resizer; // NULL: sizes stay
    const struct sized_terms *sized;
    const enum elem *elem; // NULL: element types stay
    struct u32_vec memo;   // by term of `from`
    struct err *err;
};

static int64_t place_now(const struct resizer *resizer, uint32_t place)
{
    const struct place *at = &resizer->places.at[place];
    int64_t now = number_now(&resizer->numbers, at->number);
    return at->negative ? -now : now;
}

static bool new_type(const struct rebuilding *r, type_id type, uint32_t first, type_id *out)
{
    struct pool *pool = r->to->pool;
    int64_t dims[TENSOR_MAX_RANK];
    *out = type;
    if (!type_is_tensor(pool, type))
        return r->elem == NULL || err_set(r->err, ERR_LIMIT, "it has values that are no tensors");
    enum elem elem = type_elem(pool, type);
    for (uint32_t d = 0; d < type_rank(pool, type); d++)
        dims[d] = first == UINT32_MAX ? type_dims(pool, type)[d] : place_now(r->resizer, first + d);
    return type_tensor(pool, r->elem == NULL ? elem : r->elem[elem], type_rank(pool, type), dims,
                       out, r->err);
}

static bool convert_element(enum elem from, enum elem to, struct scalar scalar, struct scalar *out,
                            struct err *err)
{
    struct scalar back;
    struct err why = {0};
    if (!eval_convert(from, to, scalar, out, &why) || !eval_convert(to, from, *out, &back, &why) ||
        !scalar_same(from, scalar, back))
        return err_set(err, ERR_LIMIT, "a constant is no value of %s", elem_text(to));
    return true;
}

static bool new_literal(const struct rebuilding *r, term_id id, lit_id *out)
{
    struct pool *pool = r->to->pool;
    lit_id literal = term_literal(r->from, id);
    const struct literal *data = pool_literal(pool, literal);
    enum elem from = data->elem, to = r->elem == NULL ? from : r->elem[from];
    uint32_t place = r->sized == NULL ? UINT32_MAX : r->sized->literal.at[id.v];
    uint64_t count = data->count;
    *out = literal;
    if (place != UINT32_MAX) {
        *out = literal_splat(pool, from, scalar_of_int(from, place_now(r->resizer, place)));
        return true;
    }
    if (from == to)
        return true;
    void *bytes = mem_alloc(elem_bytes(to) * (size_t)count + 1);
    bool ok = true;
    for (uint64_t i = 0; ok && i < count; i++) {
        struct scalar scalar;
        ok = convert_element(from, to, literal_get(pool, literal, i), &scalar, r->err);
        if (ok)
            scalar_store(to, bytes, (size_t)i, scalar);
    }
    if (ok)
        *out = literal_make(pool, to, count, bytes);
    mem_free(bytes);
    return ok;
}

static attr_id new_attr(const struct rebuilding *r, term_id id)
{
    attr_id attr = term_at(r->from, id)->attr;
    if (r->sized == NULL || r->sized->attr.at[id.v] == UINT32_MAX)
        return attr;
    uint32_t n = attr_len(r->to->pool, attr), first = r->sized->attr.at[id.v];
    int64_t *v = mem_alloc(sizeof *v * (n + 1u));
    for (uint32_t k = 0; k < n; k++)
        v[k] = r->resizer->places.at[first + k].number == NO_NUMBER
                   ? attr_at(r->to->pool, attr)[k]
                   : place_now(r->resizer, first + k);
    attr = attr_make(r->to->pool, n, v);
    mem_free(v);
    return attr;
}

static bool new_term(struct rebuilding *r, term_id id, term_id *out)
{
    const struct term *node = term_at(r->from, id);
    struct operation operation = {(enum op)node->op, new_attr(r, id), NO_TYPE, node->n_args};
    uint32_t first = r->sized == NULL ? UINT32_MAX : r->sized->dim.at[id.v];
    if (!new_type(r, node->type, first, &operation.type))
        return false;
    if (operation.op == OP_CONSTANT) {
        lit_id literal;
        if (!new_literal(r, id, &literal))
            return false;
        *out = term_constant(r->to, literal, operation.type);
        return true;
    }
    if (r->elem != NULL && (operation.op == OP_OPAQUE || operation.op == OP_BITCAST_CONVERT))
        return err_set(r->err, ERR_LIMIT, "it depends on the element types");
    if (r->elem != NULL && operation.op == OP_CONVERT &&
        type_elem(r->to->pool, operation.type) ==
            type_elem(r->to->pool,
                      term_type(r->to, (term_id){r->memo.at[term_args(r->from, id)[0].v]}))) {
        out->v = r->memo.at[term_args(r->from, id)[0].v];
        return true;
    }
    term_id *args = mem_alloc(sizeof *args * (node->n_args + 1u));
    for (uint32_t k = 0; k < node->n_args; k++)
        args[k].v = r->memo.at[term_args(r->from, id)[k].v];
    bool ok = term_build(r->to, operation, args, out, r->err);
    mem_free(args);
    return ok;
}

// One function, without its side effects, with parameters of the types that params gives.
static bool rebuild(struct rebuilding *r, const struct program *program, uint32_t function,
                    const struct u32_vec *reach, const struct u32_vec *params, struct program *out)
{
    const struct function *from = &program->functions.at[function];
    struct function to = {.name = from->name,
                          .visibility = from->visibility,
                          .attrs = from->attrs,
                          .number = from->number};
    bool ok = true;
    for (uint32_t t = 0; t < r->from->term.len; t++)
        vec_push(&r->memo, UINT32_MAX);
    for (uint32_t k = 0; k < r->from->region.len; k++)
        vec_push(&r->to->region, r->from->region.at[k]);
    out->n_regions = program->n_regions;
    out->format = program->format;
    for (uint32_t i = 0; ok && i < reach->len; i++) {
        term_id id;
        ok = new_term(r, (term_id){reach->at[i]}, &id);
        if (ok)
            r->memo.at[reach->at[i]] = id.v;
    }
    for (uint32_t k = 0; ok && k < from->params.len; k++) {
        struct param param = from->params.at[k];
        ok = new_type(r, param.type, params == NULL ? UINT32_MAX : params->at[k], &param.type);
        vec_push(&to.params, param);
    }
    for (uint32_t k = 0; ok && k < from->results.len; k++) {
        struct result result = from->results.at[k];
        result.term.v = r->memo.at[result.term.v];
        result.type = term_type(r->to, result.term);
        vec_push(&to.results, result);
    }
    vec_push(&out->functions, to);
    vec_release(&r->memo);
    return ok;
}

static void resizer_release(struct resizer *resizer)
{
    sizes_release(&resizer->numbers);
    vec_release(&resizer->places);
    vec_release(&resizer->param);
    for (uint32_t s = 0; s < 2; s++) {
        struct sized_terms *side = &resizer->side[s];
        vec_release(&side->reach);
        vec_release(&side->dim);
        vec_release(&side->attr);
        vec_release(&side->literal);
        vec_release(&side->counts);
    }
}

static bool any_smaller(const struct resizer *resizer)
{
    for (uint32_t k = 0; k < resizer->places.len; k++) {
        uint32_t number = resizer->places.at[k].number;
        if (number != NO_NUMBER &&
            number_now(&resizer->numbers, number) < resizer->numbers.at.at[number].value)
            return true;
    }
    return false;
}

// Results have equal sizes in both programs.
static void tie_results(struct resizer *resizer, const struct function *a, const struct function *b)
{
    for (uint32_t k = 0; k < a->results.len; k++) {
        uint32_t x = resizer->side[0].dim.at[a->results.at[k].term.v];
        uint32_t y = resizer->side[1].dim.at[b->results.at[k].term.v];
        if (!type_is_tensor(resizer->pool, a->results.at[k].type))
            continue;
        for (uint32_t d = 0; d < type_rank(resizer->pool, a->results.at[k].type); d++)
            number_same(&resizer->numbers, resizer->places.at[x + d].number,
                        resizer->places.at[y + d].number);
    }
}

bool resize_pair(const struct resize_side side[2], struct program out[2], bool *smaller,
                 struct err *err)
{
    const struct function *function[2];
    struct resizer resizer = {.pool = out[0].pool};
    for (uint32_t s = 0; s < 2; s++) {
        function[s] = &side[s].program->functions.at[side[s].function];
        resizer.side[s].terms = &side[s].program->terms;
    }
    for (uint32_t k = 0; k < function[0]->params.len; k++)
        vec_push(&resizer.param, resizer_type(&resizer, function[0]->params.at[k].type));
    for (uint32_t s = 0; s < 2; s++)
        resizer_tie(&resizer, s, function[s]);
    tie_results(&resizer, function[0], function[1]);
    sizes_shrink(&resizer.numbers, SHRINK_STEPS);
    *smaller = any_smaller(&resizer);
    bool ok = true;
    for (uint32_t s = 0; ok && s < 2; s++) {
        struct err why = {0};
        struct rebuilding r = {.from = &side[s].program->terms,
                               .to = &out[s].terms,
                               .resizer = &resizer,
                               .sized = &resizer.side[s],
                               .err = &why};
        ok = rebuild(&r, side[s].program, side[s].function, &resizer.side[s].reach, &resizer.param,
                     &out[s]) ||
             err_set(err, ERR_LIMIT, "no smaller sizes were found: %s", why.msg);
    }
    resizer_release(&resizer);
    return ok;
}

bool retype_function(const struct program *program, uint32_t function,
                     const enum elem elem[N_ELEMS], struct program *out, struct err *err)
{
    const struct function *from = &program->functions.at[function];
    struct u32_vec reach = {0};
    VEC(term_id) roots = {0};
    struct err why = {0};
    struct rebuilding r = {.from = &program->terms, .to = &out->terms, .elem = elem, .err = &why};
    for (uint32_t k = 0; k < from->results.len; k++)
        vec_push(&roots, from->results.at[k].term);
    terms_reach(&program->terms, roots.len, roots.at, &reach);
    bool ok = rebuild(&r, program, function, &reach, NULL, out) ||
              err_set(err, ERR_LIMIT, "it has no form over other element types: %s", why.msg);
    vec_release(&roots);
    vec_release(&reach);
    return ok;
}
