// SPDX-License-Identifier: Apache-2.0
#include "proof/program/structure.h"
#include "proof/limits.h"

#include "tensor/dynamic/slices.h"
#include "tensor/program/call.h"
#include "tensor/program/import.h"
#include "tensor/program/region.h"
#include "tensor/program/twins.h"

#define OWNER_MANY UINT32_MAX

// The operations with regions that the roots reach own them.
static void find_owners(struct structure *structure, uint32_t n, const term_id *roots)
{
    const struct terms *terms = &structure->record->terms;
    struct u32_vec reach = {0};
    terms_reach(terms, n, roots, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        term_id id = {reach.at[i]};
        uint32_t region =
            term_op(terms, id) == OP_OPAQUE ? opaque_view(terms, id).region : NO_REGION;
        if (region == NO_REGION)
            continue;
        while (structure->owner.len <= region)
            vec_push(&structure->owner, 0);
        uint32_t *owner = &structure->owner.at[region];
        *owner = *owner == 0 || *owner == id.v + 1 ? id.v + 1 : OWNER_MANY;
    }
    vec_release(&reach);
}

void structure_init(struct structure *structure, struct record *record, const struct program *input)
{
    VEC(term_id) roots = {0};
    struct u32_vec own = {0};
    *structure = (struct structure){.input = input, .record = record, .twins_of = NO_TERM};
    terms_init(&structure->seen, record->terms.pool);
    for (uint32_t f = 0; f < input->functions.len; f++) {
        function_roots(&input->functions.at[f], &own);
        for (uint32_t i = 0; i < own.len; i++) {
            vec_push(&roots, term_import(&record->terms, &input->terms, &structure->memo,
                                         (term_id){own.at[i]}));
            (void)term_import(&structure->seen, &input->terms, &structure->seen_input,
                              (term_id){own.at[i]});
        }
    }
    find_owners(structure, roots.len, roots.at);
    vec_release(&own);
    vec_release(&roots);
}

void structure_release(struct structure *structure)
{
    vec_release(&structure->memo);
    vec_release(&structure->owner);
    vec_release(&structure->copies);
    vec_release(&structure->values);
    vec_release(&structure->twins);
    vec_release(&structure->called_twins);
    vec_release(&structure->seen_input);
    vec_release(&structure->seen_record);
    terms_release(&structure->seen);
}

// The operation whose result the term is, and which result.
static term_id operation_of(const struct terms *terms, term_id term, uint32_t *k)
{
    *k = 0;
    if (term_op(terms, term) != OP_RESULT)
        return term;
    *k = (uint32_t)attr_at(terms->pool, term_at(terms, term)->attr)[0];
    return term_args(terms, term)[0];
}

// No two copies share a number of a region, nor has the input one of them.
static bool numbers_are_new(const struct structure *structure, const struct call_copy *copy)
{
    if (copy->n_regions > 0 && (copy->first_region < structure->input->n_regions ||
                                (uint64_t)copy->first_region + copy->n_regions > PROOF_REGIONS))
        return false;
    for (uint32_t i = 0; i < structure->copies.len; i++) {
        const struct call_copy *other = &structure->copies.at[i];
        bool apart = other->first_region >= copy->first_region + copy->n_regions ||
                     copy->first_region >= other->first_region + other->n_regions;
        if (!apart && (other->call.v != copy->call.v || other->first_region != copy->first_region))
            return false;
    }
    return true;
}

static const char *call_wrong(struct structure *structure, const struct record_line *line)
{
    struct terms *terms = &structure->record->terms;
    uint32_t k;
    struct call_copy copy = {.call = operation_of(terms, line->a, &k),
                             .first_region = line->first_region};
    if (term_op(terms, copy.call) != OP_OPAQUE)
        return "the term is no result of a call";
    uint32_t f = called_function(structure->input, term_at(terms, copy.call)->attr);
    if (f == NO_FUNCTION)
        return "the term is no call of a pure function of the input";
    struct inlining inlining = {structure->input, terms, copy.call, f, copy.first_region};
    uint32_t n_results = structure->input->functions.at[f].results.len;
    term_id *results = mem_alloc(sizeof *results * (n_results + 1u));
    copy.n_regions = inline_call(&inlining, results);
    const char *why = NULL;
    if (copy.n_regions == UINT32_MAX || k >= n_results)
        why = "the call does not fit its function";
    else if (!numbers_are_new(structure, &copy))
        why = "the regions of the call have numbers of others, or too large ones";
    else if (results[k].v != line->b.v)
        why = "the function computes something else";
    if (why == NULL) {
        vec_push(&structure->copies, copy);
        while (structure->values.len <= line->a.v)
            vec_push(&structure->values, 0);
        if (copy.n_regions == 0 || call_is_plain(structure->input, f, k))
            structure->values.at[line->a.v] = line->b.v + 1;
        find_owners(structure, n_results, results);
        inlining.call = term_import(&structure->seen, terms, &structure->seen_record, copy.call);
        inlining.terms = &structure->seen;
        (void)inline_call(&inlining, results);
    }
    mem_free(results);
    return why;
}

bool structure_new_region(const struct structure *structure, uint32_t region)
{
    bool is_new = region >= structure->input->n_regions && region < PROOF_REGIONS;
    for (uint32_t i = 0; is_new && i < structure->copies.len; i++) {
        const struct call_copy *copy = &structure->copies.at[i];
        is_new = region < copy->first_region || region - copy->first_region >= copy->n_regions;
    }
    return is_new;
}

// Marks the regions of the record's slices whose operands are not finite.  True if there is a new
// one.
static bool mark_slices(struct structure *structure, struct finite *finite)
{
    const struct record *record = structure->record;
    VEC(term_id) operands = {0};
    bool news = false;
    for (uint32_t i = 0; i < record->lines.len; i++) {
        struct slices_view view;
        term_id id = record->lines.at[i].a;
        if (record->lines.at[i].kind != LINE_SLICES || !slices_read(&record->terms, id, &view) ||
            !structure_new_region(structure, view.region)) // a wrong line (slices_wrong)
            continue;
        vec_clear(&operands);
        for (uint32_t k = 0; k < view.n; k++)
            vec_push(&operands,
                     term_import(&structure->seen, &record->terms, &structure->seen_record,
                                 term_args(&record->terms, id)[k]));
        news |= finite_region(finite, &structure->seen, view.region, operands.len, operands.at);
    }
    vec_release(&operands);
    return news;
}

// Parameters that stand for slices are finite if what these are taken of is.  That may be computed
// of the parameters of other slices, whose lines may stand anywhere.
static void finite_slices(struct structure *structure, struct finite *finite)
{
    while (mark_slices(structure, finite))
        ;
}

bool structure_calls(struct structure *structure, struct finite *finite, struct err *err)
{
    for (uint32_t i = 0; i < structure->record->lines.len; i++) {
        const struct record_line line = structure->record->lines.at[i];
        const char *why = line.kind == LINE_CALL ? call_wrong(structure, &line) : NULL;
        if (why != NULL)
            return err_set(err, ERR_CHECK, "line %u of the record is wrong: %s", i, why);
    }
    finite_program(finite, structure->input, &structure->seen);
    finite_slices(structure, finite);
    // What is known now is known of other terms.
    vec_clear(&finite->known);
    return true;
}

// NULL if the term is a while of the input, or of a copy of one of its functions.
static const char *loop_wrong(const struct structure *structure, term_id loop)
{
    const struct terms *terms = &structure->record->terms;
    uint32_t n;
    if (term_op(terms, loop) != OP_OPAQUE)
        return "the loop is no operation with regions";
    struct opaque_view view = opaque_view(terms, loop);
    if (!loop_is_while(terms, &view, &n))
        return "the loop is no while";
    bool own = view.region < structure->owner.len && structure->owner.at[view.region] == loop.v + 1;
    return own ? NULL : "the loop is none of the input";
}

// Both kinds of twins: each has the property of tensor/program/twins.h.
static bool are_twins(struct structure *structure, term_id loop, uint32_t a, uint32_t b)
{
    const struct terms *terms = &structure->record->terms;
    if (structure->twins_of.v != loop.v) {
        (void)loop_twins(terms, loop, NULL, &structure->twins);
        (void)loop_twins(terms, loop, &structure->values, &structure->called_twins);
    }
    structure->twins_of = loop;
    return loop_are_twins(&structure->twins, a, b) ||
           loop_are_twins(&structure->called_twins, a, b);
}

// Both terms must be values of the loop at one place of it, and the values twins.
static const char *twin_wrong(struct structure *structure, const struct record_line *line)
{
    const struct terms *terms = &structure->record->terms;
    const char *why = loop_wrong(structure, line->loop);
    uint32_t place_a, place_b;
    if (why != NULL)
        return why;
    uint32_t a = loop_value(terms, line->loop, line->a, &place_a);
    uint32_t b = loop_value(terms, line->loop, line->b, &place_b);
    if (a == UINT32_MAX || b == UINT32_MAX || place_a != place_b)
        return "the terms are no values of the loop at one place";
    return are_twins(structure, line->loop, a, b) ? NULL : "the loop's values may differ";
}

static const char *carried_wrong(struct structure *structure, const struct record_line *line)
{
    const struct terms *terms = &structure->record->terms;
    const char *why = loop_wrong(structure, line->loop);
    uint32_t k, index = line->index;
    if (why != NULL)
        return why;
    struct opaque_view view = opaque_view(terms, line->loop);
    if (index >= view.n_results)
        return "the loop has no such value";
    struct opaque_block go = opaque_block(&view, 0), body = opaque_block(&view, 1);
    term_id back =
        value_of_term(&structure->values, term_args(terms, line->loop)[body.first + index]);
    int64_t owner = PARAMETER_OF_REGION(view.region);
    const int64_t *v = attr_at(terms->pool, term_at(terms, back)->attr);
    int64_t from = v[1] - (int64_t)body.first_parameter;
    if (term_op(terms, back) != OP_PARAMETER || v[0] != owner ||
        (from != (int64_t)index && (from < 0 || from >= (int64_t)body.n_parameters ||
                                    !are_twins(structure, line->loop, (uint32_t)from, index))))
        return "the loop changes the value";
    if (line->b.v != term_args(terms, line->loop)[index].v)
        return "the loop begins with another value";
    if (term_op(terms, line->a) == OP_PARAMETER) {
        v = attr_at(terms->pool, term_at(terms, line->a)->attr);
        return v[0] == owner && (v[1] == (int64_t)go.first_parameter + index ||
                                 v[1] == (int64_t)body.first_parameter + index)
                   ? NULL
                   : "the term is another parameter";
    }
    return operation_of(terms, line->a, &k).v == line->loop.v && k == index
               ? NULL
               : "the term is another result";
}

// The only element of a constant of integers or truth values.
static bool constant_index(const struct terms *terms, term_id term, int64_t *out)
{
    lit_id literal = term_literal(terms, term);
    if (literal.v == NO_LIT.v || type_count(terms->pool, term_type(terms, term)) != 1)
        return false;
    enum elem elem = pool_literal(terms->pool, literal)->elem;
    if (elem_kind(elem) == KIND_FLOAT)
        return false;
    *out = (int64_t)scalar_to_double(elem, literal_get(terms->pool, literal, 0));
    return true;
}

// What result k of a case or an if is, or NO_TERM.
static term_id branch_taken(const struct terms *terms, term_id id, const struct opaque_view *view,
                            uint32_t k)
{
    int64_t at;
    bool is_if = opaque_is(terms, view, "stablehlo.if");
    term_id same = NO_TERM;
    if ((!is_if && !opaque_is(terms, view, "stablehlo.case")) || view->n_blocks == 0 ||
        opaque_block(view, 0).first != 1 || (is_if && view->n_blocks != 2))
        return NO_TERM;
    for (uint32_t b = 0; b < view->n_blocks; b++) {
        struct opaque_block block = opaque_block(view, b);
        if (block.n_returns != view->n_results || block.n_parameters != 0)
            return NO_TERM;
        term_id gives = term_args(terms, id)[block.first + k];
        same = b == 0 || same.v == gives.v ? gives : NO_TERM;
        if (same.v == NO_TERM.v)
            break;
    }
    if (!constant_index(terms, term_args(terms, id)[0], &at))
        return same;
    if (is_if)
        at = at == 0;
    else if (at < 0 || at >= view->n_blocks)
        at = view->n_blocks - 1;
    struct opaque_block taken = opaque_block(view, (uint32_t)at);
    if (taken.n_returns != view->n_results || taken.n_parameters != 0)
        return NO_TERM;
    return term_args(terms, id)[taken.first + k];
}

static const char *branch_wrong(const struct structure *structure, const struct record_line *line)
{
    const struct terms *terms = &structure->record->terms;
    uint32_t k, n;
    int64_t go;
    term_id id = operation_of(terms, line->a, &k);
    if (term_op(terms, id) != OP_OPAQUE)
        return "the term is no result of a branch";
    struct opaque_view view = opaque_view(terms, id);
    if (view.serial != 0 || k >= view.n_results)
        return "the operation has a side effect, or no such result";
    if (loop_is_while(terms, &view, &n)) {
        term_id condition = term_args(terms, id)[opaque_block(&view, 0).first];
        return constant_index(terms, condition, &go) && go == 0 &&
                       term_args(terms, id)[k].v == line->b.v
                   ? NULL
                   : "the loop may run";
    }
    return branch_taken(terms, id, &view, k).v == line->b.v ? NULL : "another branch may be taken";
}

const char *structure_wrong(struct structure *structure, const struct record_line *line)
{
    return line->kind == LINE_CARRIED ? carried_wrong(structure, line)
           : line->kind == LINE_TWIN  ? twin_wrong(structure, line)
                                      : branch_wrong(structure, line);
}
