// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/twins.h"

#include "tensor/limits.h"

struct looking {
    const struct terms *terms;
    const struct u32_vec *values;
    term_id loop;
    struct opaque_view view;
    struct opaque_block body;
    uint32_t n;
    struct terms copies;  // of terms of the body, their parameters replaced
    struct u32_vec copy;  // by term; valid for those that were reached
    struct u32_vec reach; // what the body's returns are copied of, each behind what it needs
};

term_id value_of_term(const struct u32_vec *values, term_id term)
{
    for (uint32_t n = 0; n < values->len; n++) {
        if (term.v >= values->len || values->at[term.v] == 0)
            break;
        term.v = values->at[term.v] - 1;
    }
    return term;
}

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

uint32_t loop_body_value(const struct terms *terms, const struct opaque_view *loop, term_id term)
{
    const int64_t *v = attr_at(terms->pool, term_at(terms, term)->attr);
    struct opaque_block body = opaque_block(loop, 1);
    int64_t first = body.first_parameter;
    bool own = term_op(terms, term) == OP_PARAMETER && v[0] == PARAMETER_OF_REGION(loop->region) &&
               v[1] >= first && v[1] < first + (int64_t)body.n_parameters;
    return own ? (uint32_t)(v[1] - first) : UINT32_MAX;
}

// Which value of the body the term is a parameter of, or UINT32_MAX.
static uint32_t parameter_of(const struct looking *looking, term_id id)
{
    return loop_body_value(looking->terms, &looking->view, id);
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

// The term that this one is copied of, or NO_TERM: it is copied with its arguments.
static term_id replaced_by(const struct looking *looking, term_id id)
{
    const struct u32_vec *values = looking->values;
    uint32_t k = parameter_of(looking, id);
    if (k != UINT32_MAX && stays(looking, k))
        return start_of(looking, k);
    if (values != NULL && id.v < values->len && values->at[id.v] != 0)
        return (term_id){values->at[id.v] - 1};
    return NO_TERM;
}

static term_id copied(struct looking *looking, const struct u32_vec *twin, uint32_t i)
{
    term_id id = {i}, other = replaced_by(looking, id);
    uint32_t k = parameter_of(looking, id);
    if (other.v != NO_TERM.v)
        return (term_id){looking->copy.at[other.v]};
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

// What the copy of a term needs next: its k-th one, NO_TERM behind the last.
static term_id needed(const struct looking *looking, term_id id, uint32_t k)
{
    term_id other = replaced_by(looking, id);
    if (other.v != NO_TERM.v)
        return k == 0 ? other : NO_TERM;
    return k < term_at(looking->terms, id)->n_args ? term_args(looking->terms, id)[k] : NO_TERM;
}

struct visit {
    term_id term;
    uint32_t next;
};
enum { VISIT_NEW, VISIT_OPEN, VISIT_DONE };

// False: a term needs itself.
static bool find_below(struct looking *looking, term_id root, uint8_t *state)
{
    VEC(struct visit) stack = {0};
    bool ok = true;
    if (state[root.v] == VISIT_NEW)
        vec_push(&stack, ((struct visit){root, 0}));
    while (ok && stack.len > 0) {
        struct visit *at = &vec_last(&stack);
        term_id term = at->term, next = needed(looking, term, at->next++);
        state[term.v] = VISIT_OPEN;
        if (next.v == NO_TERM.v) {
            state[term.v] = VISIT_DONE;
            vec_push(&looking->reach, term.v);
            stack.len--;
        } else if (state[next.v] == VISIT_NEW) {
            vec_push(&stack, ((struct visit){next, 0}));
        } else {
            ok = state[next.v] == VISIT_DONE;
        }
    }
    vec_release(&stack);
    return ok;
}

static bool find_terms(struct looking *looking)
{
    uint8_t *state = mem_alloc(looking->terms->term.len + 1u);
    bool ok = true;
    for (uint32_t k = 0; ok && k < looking->n; k++)
        ok = find_below(looking, back_of(looking, k), state);
    mem_free(state);
    return ok;
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

bool loop_twins(const struct terms *terms, term_id loop, const struct u32_vec *values,
                struct u32_vec *twin)
{
    struct looking looking = {.terms = terms, .values = values, .loop = loop};
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
        bool found = find_terms(&looking);
        for (uint32_t looks = 0; found && !ok && looks < LOOP_TWIN_LOOKS; looks++)
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
