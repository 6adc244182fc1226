// SPDX-License-Identifier: Apache-2.0
// Names and metadata of the output's terms.  They say what a value is, so that a new term
// takes those of the old term whose value it has.
#include "api/simplify/simplify.h"

// The note about the oldest term of each class, + 1.  *newest: the newest term that has one.
static void class_notes(struct simplification *run, struct u32_vec *note_of, uint32_t *newest)
{
    const struct program *in = &run->in->at;
    vec_zero(note_of, run->graph.class_.len + 1);
    *newest = 0;
    for (uint32_t i = 0; i < in->notes.len; i++) {
        term_id term = in->notes.at[i].term;
        *newest = term.v > *newest ? term.v : *newest;
        if (!egraph_known(&run->graph, term))
            continue;
        uint32_t *note = &note_of->at[egraph_find(&run->graph, term).v];
        if (*note == 0 || term.v < in->notes.at[*note - 1].term.v)
            *note = i + 1;
    }
}

void simplify_note(struct simplification *run, uint32_t n, const term_id *roots)
{
    struct program *in = &run->in->at, *out = &run->out;
    struct u32_vec note_of = {0}, reach = {0};
    uint32_t newest;
    for (uint32_t i = 0; i < in->notes.len; i++)
        program_note(out, in->notes.at[i]);
    for (uint32_t i = 0; i < in->local_notes.len; i++)
        vec_push(&out->local_notes, in->local_notes.at[i]);
    for (uint32_t r = 0; r < in->region_names.len; r++)
        vec_push(&out->region_names, in->region_names.at[r]);
    if (in->notes.len == 0)
        return;
    class_notes(run, &note_of, &newest);
    terms_reach(&in->terms, n, roots, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        term_id term = {reach.at[i]};
        if (term.v <= newest || !egraph_known(&run->graph, term) ||
            term_op(&in->terms, term) == OP_OPAQUE)
            continue;
        uint32_t k = note_of.at[egraph_find(&run->graph, term).v];
        if (k == 0)
            continue;
        struct term_note note = in->notes.at[k - 1];
        if (term_op(&in->terms, note.term) != term_op(&in->terms, term))
            note.layout = sym_make(&run->in->pool, ""); // it belongs to the operation
        note.term = term;
        program_note(out, note);
    }
    vec_release(&note_of);
    vec_release(&reach);
}
