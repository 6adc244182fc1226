// SPDX-License-Identifier: Apache-2.0
#include "proof/program/slices.h"

#include "tensor/program/region.h"

void slice_checker_init(struct slice_checker *checker, struct structure *structure)
{
    *checker = (struct slice_checker){.structure = structure, .function = NONE};
    checker->laws = (struct slice_laws){
        .program = structure->input, .terms = &structure->record->terms, .facts = &checker->facts};
}

void slice_checker_release(struct slice_checker *checker)
{
    size_facts_release(&checker->facts);
    slice_laws_release(&checker->laws);
    vec_release(&checker->rests_on);
}

// Works out the sizes of the function.  Lines about one function stand together, mostly.
static void know_sizes(struct slice_checker *checker, uint32_t function)
{
    const struct structure *structure = checker->structure;
    const struct record *record = structure->record;
    struct u32_vec own = {0};
    VEC(term_id) roots = {0};
    VEC(struct call_equal) calls = {0};
    if (checker->function == function)
        return;
    function_roots(&structure->input->functions.at[function], &own);
    for (uint32_t i = 0; i < own.len; i++)
        vec_push(&roots, ((term_id){structure->memo.at[own.at[i]]}));
    for (uint32_t i = 0; i < record->lines.len; i++)
        if (record->lines.at[i].kind == LINE_CALL)
            vec_push(&calls, ((struct call_equal){record->lines.at[i].a, record->lines.at[i].b}));
    size_facts_release(&checker->facts);
    size_facts_init(&checker->facts, structure->input, &record->terms, roots.len, roots.at,
                    calls.len, calls.at);
    checker->function = function;
    vec_release(&own);
    vec_release(&roots);
    vec_release(&calls);
}

const char *slices_wrong(struct slice_checker *checker, const struct record_line *line)
{
    const struct structure *structure = checker->structure;
    struct slices_view view;
    if (!slices_read(&structure->record->terms, line->a, &view))
        return "the term is not computed slice by slice";
    if (!structure_new_region(structure, view.region))
        return "the region of the slices has the number of another";
    if (line->index >= structure->input->functions.len ||
        structure->input->functions.at[line->index].declaration)
        return "the input has no such function";
    know_sizes(checker, line->index);
    return slices_equal(&checker->laws, line->a, line->b) ? NULL : "the slices do not say this";
}

const char *slices_rest(struct slice_checker *checker, const struct record_line *line)
{
    const struct record *record = checker->structure->record;
    uint32_t rests = line->kind == LINE_SLICES ? line->index + 1 : 0;
    for (uint32_t k = 0; k < line->n_parts; k++) {
        uint32_t part = checker->rests_on.at[record->parts.at[line->parts_at + k].line];
        if (rests != 0 && part != 0 && rests != part)
            return "it rests on the sizes of two functions";
        rests = part != 0 ? part : rests;
    }
    vec_push(&checker->rests_on, rests);
    return NULL;
}

bool slices_prove(const struct slice_checker *checker, uint32_t line, uint32_t function)
{
    uint32_t rests = checker->rests_on.at[line];
    return rests == 0 || rests == function + 1;
}
