// SPDX-License-Identifier: Apache-2.0
#include "api/simplify/slices.h"

#include "tensor/dynamic/operation.h"
#include "tensor/dynamic/whole.h"
#include "tensor/program/call.h"
#include "tensor/program/form.h"
#include "tensor/program/region.h"

// ---- which terms are computed slice by slice

enum slicewise { SLICEWISE_NOT, SLICEWISE_WHOLE, SLICEWISE_SPREAD };

static const struct op_form *form_of(const struct slicing *slicing, term_id id)
{
    const struct terms *terms = &slicing->run->in->at.terms;
    const struct term *node = term_at(terms, id);
    if (node->op != OP_OPAQUE || !type_is_dynamic(terms->pool, node->type) ||
        !egraph_known(&slicing->run->graph, id) || term_serial(terms, id) != 0)
        return NULL;
    const struct op_form *form = op_form_of(&slicing->run->in->at, node->attr);
    return form == NULL || form->op == N_OPS ? NULL : form;
}

// The operator on slices, if the term is one that works slice by slice.
static bool on_slices(const struct slicing *slicing, term_id id, const struct op_form *form,
                      struct operation *out)
{
    const struct terms *terms = &slicing->run->in->at.terms;
    const term_id *args = term_args(terms, id);
    uint32_t n = form->operands;
    type_id types[WHOLE_OPERANDS];
    struct sized sized, known;
    bool shaped = operation_takes_shape(form->op);
    if (n > WHOLE_OPERANDS || term_at(terms, id)->n_args != n + shaped ||
        (shaped && shape_used(slicing->laws.facts, args[n], term_type(terms, id)).v == NO_TERM.v))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        types[k] = term_type(terms, args[k]);
        if (type_is_dynamic(terms->pool, types[k])
                ? !open_sizes_equal(slicing->laws.facts, id, args[k])
                : !type_is_tensor(terms->pool, types[k]))
            return false;
    }
    *out = (struct operation){form->op, form->attr, term_type(terms, id), n};
    if (!slice_attr(terms->pool, *out, types, &out->attr) ||
        !sized_of(terms->pool, out->type, &sized))
        return false;
    sized_slice(&sized, &known);
    return sized_type(terms->pool, &known, &out->type);
}

// What a broadcast gives along the known sizes, or NO_TERM.
static term_id spread_slice(const struct slicing *slicing, term_id id, const struct op_form *form)
{
    struct terms *terms = &slicing->run->in->at.terms;
    struct sized sized, known;
    type_id type;
    int64_t dims[TENSOR_MAX_RANK];
    term_id v = term_args(terms, id)[0], out;
    struct err none = {0};
    if (!sized_of(terms->pool, term_type(terms, id), &sized))
        return NO_TERM;
    sized_slice(&sized, &known);
    uint32_t n = attr_len(terms->pool, form->attr);
    if (!sized_type(terms->pool, &known, &type))
        return NO_TERM;
    for (uint32_t k = 0; k < n; k++) {
        int64_t dim = attr_at(terms->pool, form->attr)[k];
        if (dim < 0 || dim >= sized.rank || sized.dims[dim] < 0)
            return NO_TERM;
        dims[k] = 0;
        for (int64_t i = 0; i < dim; i++)
            dims[k] += sized.dims[i] >= 0;
    }
    attr_id attr = attr_make(terms->pool, n, dims);
    if (term_type(terms, v).v == type.v &&
        slices_spread(terms, term_type(terms, id), n, NULL).v == form->attr.v)
        return v;
    return term_build(terms, (struct operation){OP_BROADCAST_IN_DIM, attr, type, 1}, &v, &out,
                      &none)
               ? out
               : NO_TERM;
}

static bool is_spread(const struct slicing *slicing, term_id id, const struct op_form *form)
{
    const struct terms *terms = &slicing->run->in->at.terms;
    return form->op == OP_BROADCAST_IN_DIM && term_at(terms, id)->n_args == 2 &&
           type_is_tensor(terms->pool, term_type(terms, term_args(terms, id)[0])) &&
           shape_used(slicing->laws.facts, term_args(terms, id)[1], term_type(terms, id)).v !=
               NO_TERM.v;
}

static enum slicewise slicewise(const struct slicing *slicing, term_id id)
{
    const struct op_form *form = form_of(slicing, id);
    struct operation operation;
    if (form == NULL)
        return SLICEWISE_NOT;
    if (on_slices(slicing, id, form, &operation))
        return SLICEWISE_WHOLE;
    return is_spread(slicing, id, form) && spread_slice(slicing, id, form).v != NO_TERM.v
               ? SLICEWISE_SPREAD
               : SLICEWISE_NOT;
}

// ---- groups

static struct slice_group *group_for(struct slicing *slicing, uint32_t function, term_id id)
{
    for (uint32_t g = 0; g < slicing->group.len; g++) {
        struct slice_group *group = &slicing->group.at[g];
        if (group->function == function && open_sizes_equal(slicing->laws.facts, group->like, id))
            return group;
    }
    struct slice_group group = {.function = function, .like = id};
    vec_push(&slicing->group, group);
    return &vec_last(&slicing->group);
}

static void enter(struct slicing *slicing, struct slice_group *group, term_id id, bool leaf)
{
    if (slicing->group_of.at[id.v] != 0)
        return;
    slicing->group_of.at[id.v] = (uint32_t)(group - slicing->group.at) + 1;
    if (leaf)
        vec_push(&group->leaf, id);
    else
        vec_push(&group->whole, id);
}

// The terms of the function that are computed slice by slice, and what they are computed of.
static void find_groups(struct slicing *slicing, uint32_t function)
{
    const struct terms *terms = &slicing->run->in->at.terms;
    uint32_t n = slicing->scope.len;
    for (uint32_t i = 0; i < n; i++) {
        term_id id = {i};
        if (slicing->scope.at[i] != scope_of_function(function))
            continue;
        enum slicewise how = slicewise(slicing, id);
        if (how == SLICEWISE_NOT)
            continue;
        struct slice_group *group = group_for(slicing, function, id);
        enter(slicing, group, id, false);
        for (uint32_t k = 0; how == SLICEWISE_WHOLE && k < term_at(terms, id)->n_args; k++)
            if (type_is_dynamic(terms->pool, term_type(terms, term_args(terms, id)[k])))
                enter(slicing, group, term_args(terms, id)[k], true);
    }
}

void slices_facts(struct simplification *run, uint32_t f, struct size_facts *facts)
{
    struct program *program = &run->in->at;
    struct u32_vec own = {0};
    VEC(term_id) roots = {0};
    VEC(struct call_equal) calls = {0};
    function_roots(&program->functions.at[f], &own);
    for (uint32_t i = 0; i < own.len; i++)
        vec_push(&roots, ((term_id){own.at[i]}));
    for (uint32_t i = 0; i < run->calls.len; i++) {
        struct copied_call copied = run->calls.at[i];
        uint32_t n = program->functions.at[copied.function].results.len;
        for (uint32_t k = 0; k < n; k++)
            vec_push(&calls, ((struct call_equal){call_result(&program->terms, copied.call, k),
                                                  run->copied.at[copied.results_at + k]}));
    }
    size_facts_init(facts, program, &program->terms, roots.len, roots.at, calls.len, calls.at);
    vec_release(&own);
    vec_release(&roots);
    vec_release(&calls);
}

// ---- their slices

term_id slices_of(const struct slicing *slicing, const struct slice_group *group, term_id inner,
                  type_id type)
{
    return slices_make(&slicing->run->in->at.terms, group->region, group->leaf.len, group->leaf.at,
                       inner, type);
}

void slices_state(const struct slicing *slicing, const struct slice_group *group, term_id slices,
                  term_id whole)
{
    (void)simplify_state(slicing->run, slices, whole,
                         (struct reason){REASON_SLICES, group->function, 0});
}

static term_id inner_of(const struct slicing *slicing, term_id id)
{
    return (term_id){slicing->inner.at[id.v] - 1};
}

// The operation on the slices of its operands; *whole is the same on nodes slices.
static term_id slice_of(const struct slicing *slicing, const struct slice_group *group, term_id id,
                        struct operation operation, term_id *whole)
{
    struct terms *terms = &slicing->run->in->at.terms;
    struct term node = *term_at(terms, id);
    struct err none = {0};
    term_id args[WHOLE_OPERANDS], wholes[WHOLE_OPERANDS + 1], out;
    for (uint32_t k = 0; k < node.n_args; k++) {
        term_id arg = term_args(terms, id)[k];
        bool known = type_is_tensor(terms->pool, term_type(terms, arg));
        term_id slice = known ? arg : inner_of(slicing, arg);
        wholes[k] = known ? arg : slices_of(slicing, group, slice, term_type(terms, arg));
        if (k < operation.n)
            args[k] = slice;
    }
    if (!term_build(terms, operation, args, &out, &none))
        return NO_TERM;
    *whole = term_make(terms, OP_OPAQUE, node.attr, node.type, node.n_args, wholes);
    return out;
}

static void state_group(struct slicing *slicing, struct slice_group *group)
{
    struct simplification *run = slicing->run;
    struct terms *terms = &run->in->at.terms;
    struct region region = {SCOPE_NONE, SCOPE_NONE, false}; // of no statement: never extracted
    group->region = terms->region.len;
    vec_push(&terms->region, region);
    for (uint32_t k = 0; k < group->leaf.len; k++) {
        term_id leaf = group->leaf.at[k];
        term_id parameter = slices_parameter(terms, group->region, k, leaf);
        slicing->inner.at[leaf.v] = parameter.v + 1;
        slices_state(slicing, group, slices_of(slicing, group, parameter, term_type(terms, leaf)),
                     leaf);
    }
    finite_region(&run->saturation.finite, terms, group->region, group->leaf.len, group->leaf.at);
    for (uint32_t i = 0; i < group->whole.len; i++) {
        term_id id = group->whole.at[i], whole = id;
        const struct op_form *form = form_of(slicing, id);
        struct operation operation;
        term_id inner = on_slices(slicing, id, form, &operation)
                            ? slice_of(slicing, group, id, operation, &whole)
                            : spread_slice(slicing, id, form);
        if (inner.v == NO_TERM.v)
            BUG("an operation without slices");
        slicing->inner.at[id.v] = inner.v + 1;
        egraph_add_term(&run->graph, inner);
        saturation_root(&run->saturation, inner);
        slices_state(slicing, group, slices_of(slicing, group, inner, term_type(terms, id)), whole);
    }
}

void slicing_begin(struct slicing *slicing, struct simplification *run)
{
    struct program *program = &run->in->at;
    *slicing = (struct slicing){.run = run};
    slicing->laws = (struct slice_laws){.program = program, .terms = &program->terms};
    if (!run->has_sizes || program->forms.len == 0)
        return;
    scopes_extend(&program->terms, &slicing->scope);
    vec_zero(&slicing->group_of, slicing->scope.len);
    vec_zero(&slicing->inner, slicing->scope.len);
    for (uint32_t f = 0; f < program->functions.len; f++) {
        struct size_facts facts;
        uint32_t first = slicing->group.len;
        if (program->functions.at[f].declaration)
            continue;
        slicing->laws.facts = &facts;
        slices_facts(run, f, &facts);
        find_groups(slicing, f);
        for (uint32_t g = first; g < slicing->group.len; g++)
            if (slicing->group.at[g].leaf.len > 0)
                state_group(slicing, &slicing->group.at[g]);
        size_facts_release(&facts);
        slicing->laws.facts = NULL;
    }
    egraph_rebuild(&run->graph);
}

void slicing_release(struct slicing *slicing)
{
    for (uint32_t g = 0; g < slicing->group.len; g++) {
        vec_release(&slicing->group.at[g].leaf);
        vec_release(&slicing->group.at[g].whole);
    }
    vec_release(&slicing->group);
    vec_release(&slicing->scope);
    vec_release(&slicing->group_of);
    vec_release(&slicing->inner);
    slice_laws_release(&slicing->laws);
}
