// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/twins.h"

#include "tensor/limits.h"

struct looking {
    const struct terms *terms;
    term_id loop;
    struct opaque_view view;
    struct opaque_block body;
    uint32_t n;
    struct terms copies;  // of terms of the body, their parameters replaced
    struct u32_vec copy;  // by term; valid for those that were reached
    struct u32_vec reach; // operands of values that stay; then the body's returns
};

bool loop_is_while(const struct terms *terms, const struct opaque_view *view, uint32_t *n)
{
    if (view->n_blocks != 2 || !opaque_is(terms, view, "stablehlo.while"))
        return false;
    struct opaque_block go = opaque_block(view, 0), body = opaque_block(view, 1);
    *n = go.first;
    return view->n_results == *n && go.n_parameters == *n && body.n_parameters == *n &&
           go.n_returns == 1 && body.n_returns == *n;
}

static term_id start_of(const struct looking *looking, uint32_t k)
{
    return term_args(looking->terms, looking->loop)[k];
}

static term_id back_of(const struct looking *looking, uint32_t k)
{
    return term_args(looking->terms, looking->loop)[looking->body.first + k];
}

uint32_t loop_value(const struct terms *terms, term_id loop, term_id term, uint32_t *place)
{
    struct opaque_view view = opaque_view(terms, loop);
    const int64_t *v = attr_at(terms->pool, term_at(terms, term)->attr);
    uint32_t n;
    if (!loop_is_while(terms, &view, &n))
        return UINT32_MAX;
    *place = 2;
    if (term_op(terms, term) == OP_RESULT && term_args(terms, term)[0].v == loop.v)
        return v[0] >= 0 && v[0] < n ? (uint32_t)v[0] : UINT32_MAX;
    if (term_op(terms, term) != OP_PARAMETER || v[0] != PARAMETER_OF_REGION(view.region))
        return UINT32_MAX;
    for (*place = 0; *place < 2; ++*place) {
        int64_t first = opaque_block(&view, *place).first_parameter;
        if (v[1] >= first && v[1] < first + n)
            return (uint32_t)(v[1] - first);
    }
    return UINT32_MAX;
}

// Which value of the body the term is a parameter of, or UINT32_MAX.  The condition may bind the
// same parameters.
static uint32_t parameter_of(const struct looking *looking, term_id id)
{
    const int64_t *v = attr_at(looking->terms->pool, term_at(looking->terms, id)->attr);
    int64_t first = looking->body.first_parameter;
    bool own = term_op(looking->terms, id) == OP_PARAMETER &&
               v[0] == PARAMETER_OF_REGION(looking->view.region) && v[1] >= first &&
               v[1] < first + looking->n;
    return own ? (uint32_t)(v[1] - first) : UINT32_MAX;
}

static bool stays(const struct looking *looking, uint32_t k)
{
    return parameter_of(looking, back_of(looking, k)) == k;
}

// The parameter of value k in the body.
static term_id parameter(struct looking *looking, uint32_t k)
{
    int64_t v[2] = {PARAMETER_OF_REGION(looking->view.region),
                    (int64_t)looking->body.first_parameter + k};
    return term_make(&looking->copies, OP_PARAMETER, attr_make(looking->copies.pool, 2, v),
                     term_type(looking->terms, start_of(looking, k)), 0, NULL);
}

static term_id copied(struct looking *looking, const struct u32_vec *twin, uint32_t i)
{
    term_id id = {i};
    uint32_t k = parameter_of(looking, id);
    if (k != UINT32_MAX && stays(looking, k))
        return (term_id){looking->copy.at[start_of(looking, k).v]};
    if (k != UINT32_MAX)
        return parameter(looking, twin->at[k]);
    const struct term node = *term_at(looking->terms, id);
    term_id *args = mem_alloc(sizeof *args * (node.n_args + 1u));
    for (uint32_t j = 0; j < node.n_args; j++)
        args[j].v = looking->copy.at[term_args(looking->terms, id)[j].v];
    term_id out =
        term_make(&looking->copies, (enum op)node.op, node.attr, node.type, node.n_args, args);
    mem_free(args);
    return out;
}

// What is reached below the roots, before what `reach` has got.
static void find(struct looking *looking, bool of_starts, struct u32_vec *reach)
{
    VEC(term_id) roots = {0};
    for (uint32_t k = 0; k < looking->n; k++) {
        if (!of_starts)
            vec_push(&roots, back_of(looking, k));
        else if (stays(looking, k))
            vec_push(&roots, start_of(looking, k));
    }
    terms_reach(looking->terms, roots.len, roots.at, reach);
    vec_release(&roots);
}

static void find_terms(struct looking *looking)
{
    struct u32_vec more = {0};
    find(looking, true, &looking->reach);
    find(looking, false, &more);
    for (uint32_t i = 0; i < more.len; i++)
        vec_push(&looking->reach, more.at[i]);
    vec_release(&more);
}

// Splits parts whose values come back as different terms.  True if there are none.
static bool holds(struct looking *looking, struct u32_vec *twin)
{
    struct u32_vec finer = {0};
    bool same = true;
    for (uint32_t i = 0; i < looking->reach.len; i++)
        looking->copy.at[looking->reach.at[i]] = copied(looking, twin, looking->reach.at[i]).v;
    for (uint32_t k = 0; k < looking->n; k++) {
        uint32_t first = k;
        for (uint32_t j = twin->at[k]; j < first; j++)
            if (twin->at[j] == twin->at[k] &&
                looking->copy.at[back_of(looking, j).v] == looking->copy.at[back_of(looking, k).v])
                first = j;
        same &= first == twin->at[k];
        vec_push(&finer, first);
    }
    for (uint32_t k = 0; k < looking->n; k++)
        twin->at[k] = finer.at[k];
    vec_release(&finer);
    return same;
}

// Values that begin alike.  True if there are two.
static bool begin(const struct looking *looking, struct u32_vec *twin)
{
    bool found = false;
    for (uint32_t k = 0; k < looking->n; k++) {
        uint32_t first = 0;
        while (start_of(looking, first).v != start_of(looking, k).v)
            first++;
        found |= first < k;
        vec_push(twin, first);
    }
    return found;
}

bool loop_twins(const struct terms *terms, term_id loop, struct u32_vec *twin)
{
    struct looking looking = {.terms = terms, .loop = loop};
    vec_clear(twin);
    if (term_op(terms, loop) != OP_OPAQUE)
        return false;
    looking.view = opaque_view(terms, loop);
    if (!loop_is_while(terms, &looking.view, &looking.n))
        return false;
    looking.body = opaque_block(&looking.view, 1);
    bool ok = false;
    if (begin(&looking, twin)) {
        terms_init(&looking.copies, terms->pool);
        vec_zero(&looking.copy, terms->term.len);
        find_terms(&looking);
        for (uint32_t looks = 0; !ok && looks < LOOP_TWIN_LOOKS; looks++)
            ok = holds(&looking, twin);
        terms_release(&looking.copies);
        vec_release(&looking.copy);
        vec_release(&looking.reach);
    }
    bool found = false;
    for (uint32_t k = 0; k < twin->len; k++)
        found |= twin->at[k] < k;
    if (!ok || !found)
        vec_clear(twin);
    return ok && found;
}
