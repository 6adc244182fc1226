// SPDX-License-Identifier: Apache-2.0
// What operations on sizes "?" are (tensor/program/form.h): an operation with a form whose
// operands are equal to casts of tensors, and to constants where they stand for attributes.
#include "api/simplify/simplify.h"

#include "tensor/program/form.h"

// A cast in the class of the term, or the term.
static term_id behind_cast(struct simplification *run, term_id id)
{
    const struct terms *terms = &run->in->at.terms;
    struct egraph *graph = &run->graph;
    if (type_is_tensor(terms->pool, term_type(terms, id)))
        return id;
    class_id class = egraph_find(graph, id);
    for (term_id at = class_first(graph, class); at.v != NO_TERM.v;
         at = class_next(graph, class, at))
        if (term_is_cast(terms, at))
            return at;
    return id;
}

// The same operation on casts and constants.
static term_id on_known(struct simplification *run, const struct op_form *form, term_id id)
{
    struct terms *terms = &run->in->at.terms;
    struct term node = *term_at(terms, id);
    term_id *args = mem_alloc(sizeof *args * (node.n_args + 1u));
    for (uint32_t k = 0; k < node.n_args; k++) {
        term_id arg = term_args(terms, id)[k];
        term_id constant = egraph_class(&run->graph, egraph_find(&run->graph, arg))->constant;
        args[k] = k < form->operands        ? behind_cast(run, arg)
                  : constant.v != NO_TERM.v ? constant
                                            : arg;
    }
    term_id same = term_make(terms, OP_OPAQUE, node.attr, node.type, node.n_args, args);
    mem_free(args);
    return same;
}

bool simplify_state_forms(struct simplification *run)
{
    struct program *program = &run->in->at;
    struct terms *terms = &program->terms;
    bool news = false;
    uint32_t n = program->forms.len == 0 ? 0 : terms->term.len;
    for (uint32_t i = 0; i < n; i++) {
        term_id id = {i};
        const struct op_form *form =
            term_op(terms, id) == OP_OPAQUE && egraph_known(&run->graph, id)
                ? op_form_of(program, term_at(terms, id)->attr)
                : NULL;
        if (form == NULL || term_at(terms, id)->n_args < form->operands)
            continue;
        if (!run->graph.closed) // its classes are looked at
            egraph_rebuild(&run->graph);
        term_id same = on_known(run, form, id);
        term_id refined = form_refine(program, terms, same);
        if (refined.v == NO_TERM.v)
            continue;
        egraph_add_term(&run->graph, same);
        news |= simplify_state(run, same, refined, (struct reason){REASON_REFINE, 0, 0});
    }
    return news;
}
