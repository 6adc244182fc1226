// SPDX-License-Identifier: Apache-2.0
// Names of instructions and of computations.
#include "io/hlo/element.h"
#include "io/hlo/print/printer.h"
#include <stdio.h>

// Takes the name for this computation; false if it is taken.
static bool take(struct hlo_printer *printer, uint32_t name)
{
    while (printer->used_in.len <= name)
        vec_push(&printer->used_in, 0);
    if (printer->used_in.at[name] == printer->computation)
        return false;
    printer->used_in.at[name] = printer->computation;
    return true;
}

uint32_t hlo_fresh_name(struct hlo_printer *printer, const char *stem)
{
    struct buf text = {0};
    uint32_t name, of = intern_str(&printer->names, stem);
    while (printer->count_of.len <= of)
        vec_push(&printer->count_of, 0);
    if (printer->count_of.at[of] == 0)
        vec_push(&printer->counted, of);
    do {
        buf_clear(&text);
        buf_printf(&text, "%s.%u", stem, ++printer->count_of.at[of]);
        name = intern_str(&printer->names, buf_text(&text));
    } while (!take(printer, name));
    buf_release(&text);
    return name;
}

// An opaque term whose arguments have changed stays the same operation: its note is the one
// of its text, if no other operation has that text.
const struct term_note *hlo_note(const struct hlo_printer *printer, term_id term)
{
    const struct term *node = term_at(printer->terms, term);
    uint32_t local = term.v < printer->local_of.len ? printer->local_of.at[term.v] : 0;
    if (local != 0)
        return &printer->program->local_notes.at[local - 1].note;
    const struct term_note *note = program_note_of(printer->program, term);
    if (note != NULL || node->op != OP_OPAQUE)
        return note;
    uint32_t k = node->attr.v < printer->noted.len ? printer->noted.at[node->attr.v] : 0;
    return k == 0 || k == UINT32_MAX ? NULL : &printer->program->notes.at[k - 1];
}

// The opcode in the template of an opaque term, as a stem.
static void put_template_stem(const struct hlo_printer *printer, const struct term *node,
                              struct buf *out)
{
    const char *text =
        sym_text(printer->pool, (sym_id){(uint32_t)attr_at(printer->pool, node->attr)[0]});
    const char *end = text + hlo_shape_length(text);
    end += *end == ' ';
    buf_write(out, end, strcspn(end, "("));
}

uint32_t hlo_term_name(struct hlo_printer *printer, term_id term)
{
    const struct term *node = term_at(printer->terms, term);
    const struct term_note *note = hlo_note(printer, term);
    struct buf stem = {0};
    if (note != NULL)
        buf_puts(&stem, sym_text(printer->pool, note->name));
    else if (hlo_is_structured(printer, term))
        hlo_put_structured_opcode(printer, term, &stem);
    else if (node->op == OP_PARAMETER || node->op == OP_RESULT)
        buf_puts(&stem, "get-tuple-element");
    else if (node->op == OP_OPAQUE)
        put_template_stem(printer, node, &stem);
    else
        hlo_put_opcode((enum op)node->op, &stem);
    uint32_t name = intern_str(&printer->names, buf_text(&stem));
    if (note == NULL || !take(printer, name))
        name = hlo_fresh_name(printer, buf_text(&stem));
    buf_release(&stem);
    return name;
}

// Takes the name for a computation; false if one has it.
static bool take_computation(struct hlo_printer *printer, uint32_t name)
{
    while (printer->named.len <= name)
        vec_push(&printer->named, 0);
    if (printer->named.at[name] != 0)
        return false;
    printer->named.at[name] = 1;
    return true;
}

// Functions, and computations that stay text, keep their names.
void hlo_name_computations(struct hlo_printer *printer)
{
    const struct program *program = printer->program;
    for (uint32_t f = 0; f < program->functions.len; f++)
        take_computation(
            printer,
            intern_str(&printer->names, sym_text(printer->pool, program->functions.at[f].name)));
    for (uint32_t k = 0; k < program->extras.len; k++) {
        const char *text = sym_text(printer->pool, program->extras.at[k]);
        if (text[0] == '%')
            take_computation(printer,
                             intern_bytes(&printer->names, text + 1, strcspn(text + 1, " ")));
    }
}

uint32_t hlo_computation_name(struct hlo_printer *printer, const char *stem)
{
    struct buf name = {0};
    uint32_t id = intern_str(&printer->names, stem);
    for (unsigned n = 2; !take_computation(printer, id); n++) {
        buf_clear(&name);
        buf_printf(&name, "%s.%u", stem, n);
        id = intern_str(&printer->names, buf_text(&name));
    }
    buf_release(&name);
    return id;
}

uint32_t hlo_reducer_name(struct hlo_printer *printer, enum op op, enum elem elem)
{
    for (uint32_t k = 0; k < printer->reducers.len; k++)
        if (printer->reducers.at[k].op == op && printer->reducers.at[k].elem == elem)
            return printer->reducers.at[k].name;
    struct buf name = {0};
    if (op == N_OPS)
        buf_puts(&name, "second");
    else
        hlo_put_opcode(op, &name);
    buf_putc(&name, '_');
    hlo_put_element(elem, &name);
    struct hlo_reducer reducer = {op, elem, hlo_computation_name(printer, buf_text(&name))};
    vec_push(&printer->reducers, reducer);
    buf_release(&name);
    return reducer.name;
}

// Finds the local notes of each computation.
void hlo_find_local_notes(struct hlo_printer *printer)
{
    const struct program *program = printer->program;
    for (uint32_t k = 0; k < program->local_notes.len; k++) {
        uint32_t where =
            intern_str(&printer->names, sym_text(printer->pool, program->local_notes.at[k].where));
        while (printer->local_at.len <= where)
            vec_push(&printer->local_at, 0);
        if (printer->local_at.at[where] == 0)
            printer->local_at.at[where] = k + 1;
    }
    if (program->local_notes.len > 0)
        vec_zero(&printer->local_of, printer->terms->term.len + 1);
}

static void start_local_notes(struct hlo_printer *printer, uint32_t where)
{
    const struct program *program = printer->program;
    if (where >= printer->local_at.len || printer->local_at.at[where] == 0)
        return;
    uint32_t k = printer->local_at.at[where] - 1;
    sym_id computation = program->local_notes.at[k].where;
    for (; k < program->local_notes.len && program->local_notes.at[k].where.v == computation.v;
         k++) {
        uint32_t term = program->local_notes.at[k].note.term.v;
        printer->local_of.at[term] = k + 1;
        vec_push(&printer->localized, term);
    }
}

// Those of blocks are named as instructions.
void hlo_start_names(struct hlo_printer *printer, uint32_t where)
{
    start_local_notes(printer, where);
    for (uint32_t k = 0; printer->inside == 0 && k < printer->function->params.len; k++) {
        const struct param *param = &printer->function->params.at[k];
        if (strcmp(sym_text(printer->pool, param->attrs), HLO_PARAMETER_STAYS) != 0)
            take(printer, intern_str(&printer->names, sym_text(printer->pool, param->name)));
    }
}

void hlo_forget_names(struct hlo_printer *printer)
{
    for (uint32_t k = 0; k < printer->printed.len; k++)
        printer->name_of.at[printer->printed.at[k]] = 0;
    for (uint32_t k = 0; k < printer->helpers_made.len; k++)
        printer->helper_name.at[printer->helpers_made.at[k]] = 0;
    for (uint32_t k = 0; k < printer->counted.len; k++)
        printer->count_of.at[printer->counted.at[k]] = 0;
    for (uint32_t k = 0; k < printer->localized.len; k++)
        printer->local_of.at[printer->localized.at[k]] = 0;
    vec_clear(&printer->localized);
    vec_clear(&printer->counted);
    vec_clear(&printer->printed);
    vec_clear(&printer->helpers_made);
}

void hlo_release_names(struct hlo_printer *printer)
{
    vec_release(&printer->name_of);
    vec_release(&printer->param_node);
    vec_release(&printer->param_at);
    vec_release(&printer->printed);
    vec_release(&printer->noted);
    vec_release(&printer->local_at);
    vec_release(&printer->local_of);
    vec_release(&printer->localized);
    vec_release(&printer->used_in);
    vec_release(&printer->count_of);
    vec_release(&printer->counted);
    vec_release(&printer->helper_name);
    vec_release(&printer->helpers_made);
    vec_release(&printer->scalar_of);
    vec_release(&printer->reducers);
    vec_release(&printer->stack);
    vec_release(&printer->named);
    vec_release(&printer->regions);
    vec_release(&printer->blocks);
    vec_release(&printer->parameters);
    intern_release(&printer->names);
    intern_release(&printer->helpers);
}
